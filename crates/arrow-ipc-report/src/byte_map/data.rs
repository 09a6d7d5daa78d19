//! Writes a map of bytes as JSON: tables as columns, in which equal values in sequence are one value and a count.

use std::iter;

use arrow_data::Role;
use arrow_ipc::{Container, IpcSchema, file::Footer};
use arrow_ipc_tools::InspectReport;
use arrow_schema::Metadata;
use arrow_text::format::Escaped;
use serde_core::{
    Serialize, Serializer,
    ser::{SerializeMap, SerializeSeq},
};
use serde_json::{Number, Value, json};

use super::{ByteMap, buffers::Buffers, messages::Group};
use crate::{
    describe::{container_name, endianness_name},
    explain::{Explanation, Finding},
    explanation_text::remedy_line,
    json::{Items, JsonMembers, JsonObject},
    note::NoteText,
    totals::{BatchTotals, BufferSpan, FieldTotals, SpanRole},
};

/// The maximal number of errors in the map. The same limit holds for notes.
const MAX_REMARKS: usize = 100;
const MAX_PAIRS: usize = 100;
const MAX_CHARS: usize = 1_000;

/// Text from the input, with the escapes of [`Escaped`].
fn text(text: &str) -> String {
    Escaped(text).to_string()
}

/// Text from the input, cut after `MAX_CHARS` characters.
fn short(of: &str) -> String {
    let end = of.char_indices().nth(MAX_CHARS).map(|(end, _)| end);
    text(end.and_then(|end| of.get(..end)).unwrap_or(of))
}

/// Serializes a number, as a string if JavaScript cannot represent it.
#[derive(PartialEq)]
struct JsNumber(u64);

impl Serialize for JsNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const MAX_SAFE: u64 = (1 << 53) - 1;
        if self.0 <= MAX_SAFE { serializer.serialize_u64(self.0) } else { serializer.collect_str(&self.0) }
    }
}

fn pairs(metadata: &Metadata) -> Vec<[Option<String>; 2]> {
    metadata.iter().take(MAX_PAIRS).map(|(key, value)| [key.map(short), value.map(short)]).collect()
}

/// Serializes the values of a table column, one per row. Equal values in sequence are written once, followed by an array
/// with the number of repetitions.
struct Column<I>(I);

impl<I: Iterator<Item: Serialize + PartialEq> + Clone> Serialize for Column<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut column = serializer.serialize_seq(None)?;
        let mut values = self.0.clone().peekable();
        while let Some(value) = values.next() {
            column.serialize_element(&value)?;
            let n_more = iter::from_fn(|| values.next_if_eq(&value)).count();
            if n_more > 0 {
                column.serialize_element(&[n_more])?;
            }
        }
        column.end()
    }
}

/// The numbers of a column as differences to the previous number. Most differences are equal, so the column is short.
/// `None` counts as -1, and the first number is the difference to -1.
fn differences(
    values: impl Iterator<Item = Option<u64>> + Clone,
) -> impl Iterator<Item = Option<Number>> + Clone {
    let mut last = 0;
    values.map(move |value| {
        let number = value.map_or(0, |value| i128::from(value) + 1);
        signed(number - std::mem::replace(&mut last, number))
    })
}

/// A difference as a number of JSON. If `serde_json` cannot store it exactly, it is rounded as in JavaScript.
fn signed(difference: i128) -> Option<Number> {
    Number::from_i128(difference).or_else(|| Number::from_f64(difference.to_string().parse().ok()?))
}

/// Describes a schema for the page. `whole` is the metadata of the schema message.
pub(super) fn schema_json(schema: &IpcSchema, whole: Option<&Metadata>) -> Value {
    let n_columns = schema.schema().fields().len().saturating_add(schema.unsupported_columns().len());
    json!({
        "version": format!("{:?}", schema.version()),
        "endianness": endianness_name(schema.endianness()),
        "n_columns": n_columns,
        "metadata": pairs(schema.schema().metadata()),
        "message_metadata": whole.map(pairs).unwrap_or_default(),
    })
}

/// Describes the footer of a file for the page.
pub(super) fn from_footer(footer: &Footer, n_bytes: u64) -> Value {
    json!({
        "position": JsNumber(footer.position()),
        "n_bytes": JsNumber(n_bytes),
        "n_dictionaries": footer.dictionaries().len(),
        "n_batches": footer.batches().len(),
        "metadata": pairs(footer.metadata()),
    })
}

/// A map with all that the inspection found.
pub(super) struct InspectedMap<'a> {
    pub(super) map: &'a ByteMap,
    pub(super) inspected: &'a InspectReport,
    pub(super) explanation: &'a Explanation,
}

impl JsonMembers for InspectedMap<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let InspectedMap { map, explanation, .. } = self;
        let container = map.container.filter(|it| matches!(it, Container::File | Container::Stream));
        object.serialize_entry("name", &text(&map.name.to_string()))?;
        object.serialize_entry("container", &container.map(container_name))?;
        object.serialize_entry("n_bytes", &map.n_bytes.map(JsNumber))?;
        map.schema.iter().try_for_each(|schema| object.serialize_entry("schema", schema))?;
        map.footer.iter().try_for_each(|footer| object.serialize_entry("footer", footer))?;
        map.facts.batches.serialize_members(object)?;
        object.serialize_entry("ends", &JsonObject(Ends(&map.ends)))?;
        object.serialize_entry("messages", &JsonObject(Messages(map)))?;
        object.serialize_entry("fields", &JsonObject(Fields(map)))?;
        object.serialize_entry("buffers", &JsonObject(&map.buffers))?;
        self.serialize_remarks(object)?;
        object.serialize_entry("is_part", &map.is_part)?;
        object.serialize_entry("explanation", &JsonObject(explanation))?;
        object.serialize_entry("commands", &Items(|| explanation.findings.iter().map(|it| self.command(it))))
    }
}

impl InspectedMap<'_> {
    fn serialize_remarks<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        // The title of the page already has the name of the input, so remarks leave it out.
        let name = self.map.name.to_string();
        let remark = |text: String| {
            let rest = text.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": "));
            short(rest.unwrap_or(&text))
        };
        let InspectReport { damage, notes, n_damage, .. } = self.inspected;
        let damage = damage.iter().map(|error| remark(error.to_string()));
        let notes = notes.iter().map(|note| remark(NoteText(note).to_string()));
        object.serialize_entry("damage", &Column(damage.take(MAX_REMARKS)))?;
        object.serialize_entry("n_damage", &JsNumber(*n_damage))?;
        object.serialize_entry("notes", &Column(notes.take(MAX_REMARKS)))
    }

    /// The command line of a finding that has a remedy.
    fn command(&self, finding: &Finding) -> Option<String> {
        let remedy = finding.remedy.as_ref()?;
        Some(remedy_line(remedy, &self.map.name, self.explanation.container))
    }
}

impl JsonMembers for BatchTotals {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("n_batches", &JsNumber(self.n_complete))?;
        object.serialize_entry("n_truncated_batches", &JsNumber(self.n_truncated))?;
        object.serialize_entry("n_unreadable_batches", &JsNumber(self.n_unreadable))?;
        object.serialize_entry("n_rows", &JsNumber(self.n_rows))
    }
}

/// Where each stream ends, or the stream inside a file.
struct Ends<'a>(&'a [(u64, bool)]);

impl JsonMembers for Ends<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let positions = self.0.iter().map(|(position, _)| JsNumber(*position));
        object.serialize_entry("position", &Column(positions))?;
        object.serialize_entry("is_marked", &Column(self.0.iter().map(|(_, is_marked)| *is_marked)))
    }
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

fn serialize_numbers<'a, T: 'a, M: SerializeMap>(
    columns: NumberColumns<T>,
    rows: impl Iterator<Item = &'a T> + Clone,
    object: &mut M,
) -> Result<(), M::Error> {
    columns.iter().try_for_each(|(name, number)| {
        object.serialize_entry(name, &Column(rows.clone().map(|row| JsNumber(number(row)))))
    })
}

struct Messages<'a>(&'a ByteMap);

impl JsonMembers for Messages<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let all = || self.0.messages.iter();
        let kind = |group: &Group| match group.kind {
            Some(kind) => short(&kind.to_string()),
            None => "messages of several kinds".to_owned(),
        };
        let codec = |group: &Group| group.codec.map(|codec| short(&codec.to_string()));
        let n_decompressed = |group: &Group| group.n_decompressed_bytes.map(JsNumber);
        serialize_numbers(OF_MESSAGES, all(), object)?;
        object.serialize_entry("index", &Column(differences(all().map(|group| group.index))))?;
        object.serialize_entry("start", &Column(differences(all().map(|group| Some(group.start)))))?;
        object.serialize_entry("kind", &Column(all().map(kind)))?;
        object.serialize_entry("n_decompressed_bytes", &Column(all().map(n_decompressed)))?;
        object.serialize_entry("codec", &Column(all().map(codec)))?;
        object.serialize_entry("note", &Column(all().map(|group| text(&group.note))))?;
        // Buffers are listed in the order of the messages, so these counts say which buffers belong to which message.
        let counts = self.0.buffers.counts(&self.0.messages);
        object.serialize_entry("n_pieces", &Column(counts.iter().copied().map(JsNumber)))
    }
}

struct Fields<'a>(&'a ByteMap);

impl JsonMembers for Fields<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let all = || self.0.facts.fields.iter();
        let dictionary = |field: &FieldTotals| field.dictionary.map(|id| id.to_string());
        let n_decompressed = |field: &FieldTotals| field.n_decompressed_bytes().map(JsNumber);
        object.serialize_entry("path", &Column(all().map(|field| text(&field.path))))?;
        object.serialize_entry("type", &Column(all().map(|field| text(&field.data_type))))?;
        let column_idx = Column(differences(all().map(|field| field.column_idx.map(u64::from))));
        object.serialize_entry("column_idx", &column_idx)?;
        object.serialize_entry("dictionary", &Column(all().map(dictionary)))?;
        serialize_numbers(OF_FIELDS, all(), object)?;
        object.serialize_entry("n_decompressed_bytes", &Column(all().map(n_decompressed)))?;
        if self.0.bounds.is_empty() {
            return Ok(());
        }
        let [min, max] =
            [0, 1].map(|idx| all().map(move |field| self.bounds(field)?[idx].as_deref().map(short)));
        object.serialize_entry("min", &Column(min))?;
        object.serialize_entry("max", &Column(max))
    }
}

impl Fields<'_> {
    /// The bounds of a field. The statistics are about columns, not about the values of dictionaries.
    fn bounds(&self, field: &FieldTotals) -> Option<&[Option<String>; 2]> {
        if field.dictionary.is_none() { self.0.bounds.get(&field.path) } else { None }
    }
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

impl JsonMembers for Buffers {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let all = || self.iter();
        let others = ["several buffers", "body"].into_iter().map(str::to_owned);
        let roles = ROLES.iter().map(|role| text(&role.to_string())).chain(others);
        let field = |span: &BufferSpan| span.fields.map(|(first, _)| first as u64);
        let n_more_fields = |span: &BufferSpan| span.fields.map_or(0, |(first, last)| last - first);
        let n_decompressed = |span: &BufferSpan| span.n_decompressed_bytes.map(JsNumber);
        object.serialize_entry("roles", &Column(roles))?;
        object.serialize_entry("role", &Column(all().map(|span| role_number(span.role))))?;
        serialize_numbers(OF_BUFFERS, all(), object)?;
        object.serialize_entry("gap", &Column(gaps(all())))?;
        object.serialize_entry("field", &Column(differences(all().map(field))))?;
        object.serialize_entry("n_more_fields", &Column(all().map(n_more_fields)))?;
        object.serialize_entry("n_decompressed_bytes", &Column(all().map(n_decompressed)))?;
        object.serialize_entry("flags", &Column(all().map(flags_of)))
    }
}

/// The number of bytes between each buffer and the padding of the previous one. Mostly there are none.
fn gaps<'a>(
    buffers: impl Iterator<Item = &'a BufferSpan> + Clone,
) -> impl Iterator<Item = Option<Number>> + Clone {
    let mut next = 0;
    buffers.map(move |span| {
        let after = i128::from(span.end) + i128::from(span.n_padding_bytes);
        signed(i128::from(span.start) - std::mem::replace(&mut next, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let numbers = [0, (1 << 53) - 1, 1 << 53, u64::MAX].map(JsNumber);
        let expected = "[0,9007199254740991,\"9007199254740992\",\"18446744073709551615\"]";
        assert_eq!(json!(numbers).to_string(), expected);
        let column = Column([1, 1, 1, 2].into_iter().map(JsNumber));
        assert_eq!(json!(column).to_string(), "[1,[2],2]");
        let column = Column(differences([None, Some(0), Some(8)].into_iter()));
        assert_eq!(json!(column).to_string(), "[0,1,8]");
    }
}
