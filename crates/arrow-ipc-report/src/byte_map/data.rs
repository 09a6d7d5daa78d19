//! Writes a map of bytes as JSON: tables as columns, in which equal values in sequence are one value and a count.

use arrow_data::Role;
use arrow_ipc::{Container, Endianness, IpcSchema, file::Footer};
use arrow_ipc_tools::{InputName, InspectReport};
use arrow_schema::Metadata;
use arrow_text::format::Escaped;
use serde_json::{Number, Value};

use super::{ByteMap, messages::Group};
use crate::{
    explain::Explanation,
    explanation_text::remedy_line,
    json::{JsonMembers, explanation_as_json, object},
    note::NoteText,
    totals::{BatchTotals, BufferSpan, FieldTotals, SpanRole},
};

/// The maximal number of errors in the map. The same limit holds for notes.
const MAX_REMARKS: usize = 100;
const MAX_PAIRS: usize = 100;
const MAX_CHARS: usize = 1_000;

/// Writes text from the input as JSON, with the escapes of [`Escaped`].
fn text(text: &str) -> Value {
    Value::from(Escaped(text).to_string())
}

/// Writes text from the input as JSON, cut after `MAX_CHARS` characters.
fn short(of: &str) -> Value {
    let end = of.char_indices().nth(MAX_CHARS).map(|(end, _)| end);
    text(end.and_then(|end| of.get(..end)).unwrap_or(of))
}

/// Writes a number, as a string if JavaScript cannot represent it.
fn number(number: u64) -> Value {
    const MAX_SAFE: u64 = (1 << 53) - 1;
    if number <= MAX_SAFE { Value::from(number) } else { Value::from(number.to_string()) }
}

fn option<T>(value: Option<T>, shown: impl FnOnce(T) -> Value) -> Value {
    value.map_or(Value::Null, shown)
}

fn pairs(metadata: &Metadata) -> Value {
    let pairs = metadata.iter().take(MAX_PAIRS);
    pairs.map(|(key, value)| Value::from_iter([option(key, short), option(value, short)])).collect()
}

/// Writes the values of a table column, one per row. Equal values in sequence are written once, followed by an array
/// with the number of repetitions.
fn column(values: impl Iterator<Item = Value>) -> Value {
    let (mut column, mut n_more): (Vec<Value>, u64) = (Vec::new(), 0);
    let mut last = None;
    for value in values {
        if last.as_ref() == Some(&value) {
            n_more += 1;
            continue;
        }
        column.extend(repeat(std::mem::take(&mut n_more)));
        column.push(value.clone());
        last = Some(value);
    }
    column.extend(repeat(n_more));
    Value::Array(column)
}

fn repeat(n_more: u64) -> Option<Value> {
    (n_more > 0).then(|| Value::from_iter([n_more]))
}

/// Writes a column of numbers as differences to the previous number. Most differences are equal, so the result is
/// short. `None` counts as -1, and the first number is the difference to -1.
fn differences(values: impl Iterator<Item = Option<u64>>) -> Value {
    let mut last = 0;
    column(values.map(|value| {
        let number = value.map_or(0, |value| i128::from(value) + 1);
        signed(number - std::mem::replace(&mut last, number))
    }))
}

/// Writes a difference. If `serde_json` cannot store it exactly, it is rounded as in JavaScript.
fn signed(difference: i128) -> Value {
    let rounded = || Number::from_f64(difference.to_string().parse().ok()?);
    Number::from_i128(difference).or_else(rounded).map_or(Value::Null, Value::Number)
}

/// Describes a schema for the page. `whole` is the metadata of the schema message.
pub(super) fn of_schema(schema: &IpcSchema, whole: Option<&Metadata>) -> Value {
    let n_columns = schema.schema().fields().len().saturating_add(schema.unsupported_columns().len());
    let is_big = schema.endianness() == Endianness::Big;
    object(vec![
        ("version", Value::from(format!("{:?}", schema.version()))),
        ("endianness", Value::from(if is_big { "big" } else { "little" })),
        ("n_columns", Value::from(n_columns)),
        ("metadata", pairs(schema.schema().metadata())),
        ("message_metadata", whole.map_or_else(|| Value::Array(Vec::new()), pairs)),
    ])
}

/// Describes the footer of a file for the page.
pub(super) fn of_footer(footer: &Footer, n_bytes: u64) -> Value {
    object(vec![
        ("position", number(footer.position())),
        ("n_bytes", number(n_bytes)),
        ("n_dictionaries", Value::from(footer.dictionaries().len())),
        ("n_batches", Value::from(footer.batches().len())),
        ("metadata", pairs(footer.metadata())),
    ])
}

pub(crate) fn data_of(report: &ByteMap, inspected: &InspectReport) -> Value {
    let container = match report.container {
        Some(Container::File) => Value::from("file"),
        Some(Container::Stream) => Value::from("stream"),
        _ => Value::Null,
    };
    let mut data = vec![
        ("name", text(&report.name.to_string())),
        ("container", container),
        ("n_bytes", option(report.n_bytes, number)),
    ];
    data.extend(report.schema.clone().map(|schema| ("schema", schema)));
    data.extend(report.footer.clone().map(|footer| ("footer", footer)));
    let BatchTotals { n_complete, n_rows, n_truncated, n_unreadable } = report.facts.batches;
    data.extend([
        ("n_batches", number(n_complete)),
        ("n_truncated_batches", number(n_truncated)),
        ("n_unreadable_batches", number(n_unreadable)),
        ("n_rows", number(n_rows)),
    ]);
    // Where each stream ends, or the stream inside a file.
    let ends = vec![
        ("position", column(report.ends.iter().map(|(position, _)| number(*position)))),
        ("is_marked", column(report.ends.iter().map(|(_, is_marked)| Value::from(*is_marked)))),
    ];
    // The title of the page already has the name of the input, so remarks leave it out.
    let name = report.name.to_string();
    let remark = |text: String| {
        let rest = text.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": "));
        short(rest.unwrap_or(&text))
    };
    let damage = inspected.damage.iter().map(|error| remark(error.to_string()));
    let notes = inspected.notes.iter().map(|note| remark(NoteText(note).to_string()));
    data.extend([
        ("ends", object(ends)),
        ("messages", object(messages_of(report))),
        ("fields", object(fields_of(report))),
        ("buffers", object(buffers_of(report))),
        ("damage", column(damage.take(MAX_REMARKS))),
        ("n_damage", number(inspected.n_damage)),
        ("notes", column(notes.take(MAX_REMARKS))),
    ]);
    object(data)
}

/// Columns of numbers in a table: the name of each, and a function that returns its number for a row.
type NumberColumns<T> = &'static [(&'static str, fn(&T) -> u64)];

const OF_MESSAGES: NumberColumns<Group> = &[
    ("n_messages", |group| group.n_messages),
    ("end", |group| group.end),
    ("n_metadata_bytes", |group| group.n_metadata_bytes),
    ("n_body_bytes", |group| group.n_body_bytes),
    ("n_missing_bytes", |group| group.n_missing_bytes),
    ("n_rows", |group| group.n_rows),
];

const OF_FIELDS: NumberColumns<FieldTotals> = &[
    ("n_buffers", |field| field.n_buffers),
    ("n_bytes", |field| field.n_bytes),
    ("n_padding_bytes", |field| field.n_padding_bytes),
    ("n_unneeded_bytes", |field| field.n_unneeded_bytes),
    ("n_slots", |field| field.n_slots),
    ("null_count", |field| field.null_count),
];

const OF_BUFFERS: NumberColumns<BufferSpan> = &[
    // Less than `n_bytes` if buffers share bytes.
    ("n_spanned_bytes", |span| span.end.saturating_sub(span.start)),
    ("n_buffers", |span| span.n_buffers),
    ("n_bytes", |span| span.n_bytes),
    ("n_padding_bytes", |span| span.n_padding_bytes),
    ("n_missing_bytes", |span| span.n_missing_bytes),
];

fn number_columns<'a, T: 'a>(
    columns: NumberColumns<T>,
    rows: impl Iterator<Item = &'a T> + Clone,
) -> JsonMembers {
    let columns = columns.iter().map(|(name, of)| (*name, column(rows.clone().map(|row| number(of(row))))));
    columns.collect()
}

fn messages_of(report: &ByteMap) -> JsonMembers {
    let all = || report.messages.iter();
    let kind = |group: &Group| match group.kind {
        Some(kind) => short(&kind.to_string()),
        None => Value::from("messages of several kinds"),
    };
    let mut members = number_columns(OF_MESSAGES, all());
    members.extend([
        ("index", differences(all().map(|group| group.index))),
        ("start", differences(all().map(|group| Some(group.start)))),
        ("kind", column(all().map(kind))),
        ("n_decompressed_bytes", column(all().map(|group| option(group.n_decompressed_bytes, number)))),
        ("codec", column(all().map(|group| option(group.codec, |codec| short(&codec.to_string()))))),
        ("note", column(all().map(|group| text(&group.note)))),
        // Buffers are listed in the order of the messages, so these counts say which buffers belong to which message.
        ("n_pieces", column(report.buffers.counts(&report.messages).into_iter().map(number))),
    ]);
    members
}

fn fields_of(report: &ByteMap) -> JsonMembers {
    let all = || report.facts.fields.iter();
    let mut members = vec![
        ("path", column(all().map(|field| text(&field.path)))),
        ("type", column(all().map(|field| text(&field.data_type)))),
        ("column_idx", differences(all().map(|field| field.column_idx.map(u64::from)))),
        ("dictionary", column(all().map(|field| option(field.dictionary, |id| Value::from(id.to_string()))))),
    ];
    members.extend(number_columns(OF_FIELDS, all()));
    let decompressed = all().map(|field| option(field.n_decompressed_bytes(), number));
    members.push(("n_decompressed_bytes", column(decompressed)));
    if !report.bounds.is_empty() {
        for (idx, name) in ["min", "max"].into_iter().enumerate() {
            let bound = |field: &FieldTotals| {
                // The statistics are about columns, not about the values of dictionaries.
                let known = if field.dictionary.is_none() { report.bounds.get(&field.path) } else { None };
                option(known.and_then(|bounds| bounds.get(idx)?.as_deref()), short)
            };
            members.push((name, column(all().map(bound))));
        }
    }
    members
}

/// The roles of buffers. The page uses their indices, and after these the numbers of joined buffers and of bodies.
const ROLES: [Role; 8] = [
    Role::Validity,
    Role::Values,
    Role::Offsets,
    Role::Sizes,
    Role::TypeIds,
    Role::Views,
    Role::Bytes,
    Role::Variadic,
];

fn role_number(role: SpanRole) -> usize {
    match role {
        SpanRole::Buffer(role) => ROLES.iter().position(|known| *known == role).unwrap_or(ROLES.len()),
        SpanRole::Mixed => ROLES.len(),
        SpanRole::Body => ROLES.len() + 1,
    }
}

/// The flags that the script of the page knows.
fn flags_of(span: &BufferSpan) -> u8 {
    u8::from(span.is_raw) | u8::from(span.has_no_nulls) << 1 | u8::from(span.is_shared) << 2
}

fn buffers_of(report: &ByteMap) -> JsonMembers {
    let all = || report.buffers.iter();
    let roles = ROLES.iter().map(|role| text(&role.to_string()));
    let others = ["several buffers", "body"].into_iter().map(Value::from);
    let mut members = vec![
        ("roles", column(roles.chain(others))),
        ("role", column(all().map(|span| Value::from(role_number(span.role))))),
    ];
    members.extend(number_columns(OF_BUFFERS, all()));
    // A buffer mostly begins right after the padding of the previous buffer, so most gaps are 0.
    let mut next = 0;
    let gaps = all().map(|span| {
        let after = i128::from(span.end) + i128::from(span.n_padding_bytes);
        signed(i128::from(span.start) - std::mem::replace(&mut next, after))
    });
    members.extend([
        ("gap", column(gaps)),
        ("field", differences(all().map(|span| span.fields.map(|(first, _)| first as u64)))),
        (
            "n_more_fields",
            column(all().map(|span| Value::from(span.fields.map_or(0, |(first, last)| last - first)))),
        ),
        ("n_decompressed_bytes", column(all().map(|span| option(span.n_decompressed_bytes, number)))),
        ("flags", column(all().map(|span| Value::from(flags_of(span))))),
    ]);
    members
}

/// The explanation, and the command line of each finding that has a remedy.
pub(super) fn explanation(explanation: &Explanation, name: &InputName) -> [Value; 2] {
    let commands = explanation.findings.iter().map(|finding| {
        option(finding.remedy.as_ref(), |remedy| {
            Value::from(remedy_line(remedy, name, explanation.container))
        })
    });
    [explanation_as_json(explanation), commands.collect()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let numbers = Value::from_iter([0, (1 << 53) - 1, 1 << 53, u64::MAX].map(number));
        let expected = "[0,9007199254740991,\"9007199254740992\",\"18446744073709551615\"]";
        assert_eq!(numbers.to_string(), expected);
        assert_eq!(column([1, 1, 1, 2].into_iter().map(number)).to_string(), "[1,[2],2]");
        assert_eq!(differences([None, Some(0), Some(8)].into_iter()).to_string(), "[0,1,8]");
    }
}
