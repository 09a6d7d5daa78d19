//! Writes the page: the assets of this folder, and the results as JSON.

use std::{
    fmt::{self, Display},
    io::{self, Write},
};

use arrow_ipc::{Container, Endianness};
use arrow_schema::Metadata;

use super::{
    HtmlReport,
    buffers::{Piece, ROLES},
    fields::FieldTotals,
    messages::Group,
    script::{ScriptList, ScriptNumber, ScriptOption, ScriptText},
};
use crate::inspect::{BatchTotals, Inspected};

/// The page, with words between two `@@` that are replaced.
const PAGE: &str = include_str!("page.html");
pub(super) const STYLE: &str = include_str!("page.css");
pub(super) const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("model.js"),
    include_str!("strip.js"),
    include_str!("table.js"),
    include_str!("page.js")
);

/// Damage and notes that are shown.
const MAX_REMARKS: usize = 100;
const MAX_PAIRS: usize = 100;
const MAX_CHARS: usize = 1_000;

pub(super) fn write(report: &HtmlReport, inspected: &Inspected, out: &mut impl Write) -> io::Result<()> {
    for part in PAGE.split("@@") {
        match part {
            "policy" => out.write_all(POLICY.as_bytes())?,
            "style" => write!(out, "{STYLE}")?,
            "script" => write!(out, "{SCRIPT}")?,
            "data" => write_data(report, inspected, out)?,
            html => write!(out, "{html}")?,
        }
    }
    Ok(())
}

/// The content security policy of the page. Nothing is loaded, only the script of the page runs, and it cannot turn
/// text into markup.
///
/// It names the script and the style by their SHA-256 in base64 (Content Security Policy 3, section 2.3.1). If one of them
/// is edited, a test says the new one.
pub(super) const POLICY: &str = "default-src 'none'; \
    script-src 'sha256-/FfzCIv/0ElZ2qfJgwpjf9NyklAV1UDdxdjpzzVOpLs='; \
    style-src 'sha256-E2QAoXjNR/YObIXhtMggq76CuM4rDV/Wkz4h+KW12fo='; img-src data:; \
    base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// An object, member after member.
struct ObjectWriter<'a, W> {
    out: &'a mut W,
    separator: &'static str,
}

impl<W: Write> ObjectWriter<'_, W> {
    fn add(&mut self, name: &str, value: impl Display) -> io::Result<()> {
        write!(self.out, "{}\"{name}\":{value}", std::mem::replace(&mut self.separator, ",\n"))
    }

    /// A member with one value for each row of a table. If a value is repeated, an array says how many more times.
    fn column(&mut self, name: &str, values: impl Iterator<Item: Display>) -> io::Result<()> {
        write!(self.out, "{}\"{name}\":[", std::mem::replace(&mut self.separator, ",\n"))?;
        let (mut last, mut n_more, mut separator) = (None, 0u64, "");
        for value in values {
            let value = value.to_string();
            if last.as_ref() == Some(&value) {
                n_more += 1;
                continue;
            }
            self.repeat(std::mem::take(&mut n_more))?;
            write!(self.out, "{separator}{value}")?;
            (last, separator) = (Some(value), ",");
        }
        self.repeat(n_more)?;
        write!(self.out, "]")
    }

    fn repeat(&mut self, n_more: u64) -> io::Result<()> {
        if n_more == 0 { Ok(()) } else { write!(self.out, ",[{n_more}]") }
    }

    /// A column of numbers, most of which grow by the same. Each is written as its difference to the number before.
    /// `None` counts as -1, and so does what precedes the first number.
    fn differences(&mut self, name: &str, values: impl Iterator<Item = Option<u64>>) -> io::Result<()> {
        let mut last = 0;
        self.column(
            name,
            values.map(|value| {
                let number = value.map_or(0, |value| i128::from(value) + 1);
                number - std::mem::replace(&mut last, number)
            }),
        )
    }

    fn object(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut ObjectWriter<'_, W>) -> io::Result<()>,
    ) -> io::Result<()> {
        write!(self.out, "{}\"{name}\":{{", std::mem::replace(&mut self.separator, ",\n"))?;
        write(&mut ObjectWriter { out: &mut *self.out, separator: "" })?;
        write!(self.out, "}}")
    }
}

fn write_data<W: Write>(report: &HtmlReport, inspected: &Inspected, out: &mut W) -> io::Result<()> {
    write!(out, "{{")?;
    let mut members = ObjectWriter { out: &mut *out, separator: "" };
    members.add("name", ScriptText(&report.name))?;
    let container = match report.container {
        Some(Container::File) => Some("file"),
        Some(Container::Stream) => Some("stream"),
        _ => None,
    };
    members.add("container", ScriptOption(container.map(ScriptText)))?;
    members.add("n_bytes", ScriptOption(report.n_bytes.map(ScriptNumber)))?;
    if let Some(schema) = &report.schema {
        members.object("schema", |members| {
            members.add("version", ScriptText(&format!("{:?}", schema.version)))?;
            let is_big = schema.endianness == Endianness::Big;
            members.add("endianness", ScriptText(if is_big { "big" } else { "little" }))?;
            members.add("n_columns", schema.n_columns)?;
            members.add("metadata", MetadataArray(&schema.metadata))?;
            members.add("message_metadata", MetadataArray(&schema.message_metadata))
        })?;
    }
    if let Some(footer) = &report.footer {
        members.object("footer", |members| {
            members.add("position", ScriptNumber(footer.position))?;
            members.add("n_bytes", ScriptNumber(footer.n_bytes))?;
            members.add("n_dictionaries", footer.n_dictionaries)?;
            members.add("n_batches", footer.n_batches)?;
            members.add("metadata", MetadataArray(&footer.metadata))
        })?;
    }
    let BatchTotals { n_complete, n_rows, n_truncated, n_unreadable } = report.counts;
    let counts = [
        ("n_batches", n_complete),
        ("n_truncated_batches", n_truncated),
        ("n_unreadable_batches", n_unreadable),
        ("n_rows", n_rows),
    ];
    counts.into_iter().try_for_each(|(name, n)| members.add(name, ScriptNumber(n)))?;
    members.object("ends", |members| {
        members.column("position", report.ends.iter().map(|end| ScriptNumber(end.position)))?;
        members.column("is_marked", report.ends.iter().map(|end| end.is_marked))
    })?;
    members.object("messages", |members| write_messages(report, members))?;
    members.object("fields", |members| write_fields(report, members))?;
    members.object("buffers", |members| write_buffers(report, members))?;
    let remark = |text: String| Remark::about(&report.name, &text);
    let damage = inspected.damage.iter().map(|error| remark(error.to_string()));
    members.column("damage", damage.take(MAX_REMARKS))?;
    members.add("n_damage", ScriptNumber(inspected.n_damage))?;
    let notes = inspected.notes.iter().map(|note| remark(note.to_string()));
    members.column("notes", notes.take(MAX_REMARKS))?;
    write!(out, "}}")
}

/// The columns of a table that hold numbers.
type NumberColumns<T> = &'static [(&'static str, fn(&T) -> u64)];

const OF_MESSAGES: NumberColumns<Group> = &[
    ("n_messages", |group| group.n_messages),
    ("end", |group| group.end),
    ("n_metadata_bytes", |group| group.n_metadata_bytes),
    ("n_body_bytes", |group| group.n_body_bytes),
    ("n_missing_bytes", |group| group.n_missing_bytes),
    ("n_rows", |group| group.n_rows),
    ("n_decompressed_bytes", |group| group.n_decompressed_bytes),
];

const OF_FIELDS: NumberColumns<FieldTotals> = &[
    ("n_buffers", |field| field.n_buffers),
    ("n_bytes", |field| field.n_bytes),
    ("n_decompressed_bytes", |field| field.n_decompressed_bytes),
    ("n_padding_bytes", |field| field.n_padding_bytes),
    ("n_unneeded_bytes", |field| field.n_unneeded_bytes),
    ("n_slots", |field| field.n_slots),
    ("n_nulls", |field| field.n_nulls),
];

const OF_BUFFERS: NumberColumns<Piece> = &[
    ("n_spanned_bytes", |piece| piece.end.saturating_sub(piece.start)),
    ("n_buffers", |piece| piece.n_buffers),
    ("n_bytes", |piece| piece.n_bytes),
    ("n_padding_bytes", |piece| piece.n_padding_bytes),
    ("n_missing_bytes", |piece| piece.n_missing_bytes),
];

fn write_messages<W: Write>(report: &HtmlReport, members: &mut ObjectWriter<'_, W>) -> io::Result<()> {
    let all = || report.messages.iter();
    for (name, number) in OF_MESSAGES {
        members.column(name, all().map(|group| ScriptNumber(number(group))))?;
    }
    members.differences("index", all().map(|group| group.index))?;
    members.differences("start", all().map(|group| Some(group.start)))?;
    let several = || Remark("messages of several kinds".to_owned());
    members.column(
        "kind",
        all().map(|group| group.kind.map_or_else(several, |kind| Remark(kind.to_string()))),
    )?;
    members.column(
        "codec",
        all().map(|group| ScriptOption(group.codec.map(|codec| Remark(codec.to_string())))),
    )?;
    members.column("note", all().map(|group| ScriptText(&group.note)))?;
    members.column("n_pieces", report.buffers.counts(&report.messages).into_iter().map(ScriptNumber))
}

fn write_fields<W: Write>(report: &HtmlReport, members: &mut ObjectWriter<'_, W>) -> io::Result<()> {
    let all = || report.fields.iter();
    members.column("path", all().map(|field| ScriptText(&field.path)))?;
    members.column("type", all().map(|field| ScriptText(&field.data_type)))?;
    members.differences("column_idx", all().map(|field| field.column_idx.map(u64::from)))?;
    members.column(
        "dictionary",
        all().map(|field| ScriptOption(field.dictionary.map(|id| Remark(id.to_string())))),
    )?;
    for (name, number) in OF_FIELDS {
        members.column(name, all().map(|field| ScriptNumber(number(field))))?;
    }
    Ok(())
}

fn write_buffers<W: Write>(report: &HtmlReport, members: &mut ObjectWriter<'_, W>) -> io::Result<()> {
    let all = || report.buffers.iter();
    let roles = ROLES.iter().map(|role| Remark(role.to_string()));
    let others = ["several buffers", "body"].into_iter().map(|name| Remark(name.to_owned()));
    members.column("roles", roles.chain(others))?;
    members.column("role", all().map(|piece| piece.role))?;
    for (name, number) in OF_BUFFERS {
        members.column(name, all().map(|piece| ScriptNumber(number(piece))))?;
    }
    // From the end of the padding of the one before.
    let mut next = 0;
    let gaps = all().map(|piece| {
        let after = i128::from(piece.end) + i128::from(piece.n_padding_bytes);
        i128::from(piece.start) - std::mem::replace(&mut next, after)
    });
    members.column("gap", gaps)?;
    members.differences("field", all().map(|piece| piece.fields.map(|(first, _)| first as u64)))?;
    members
        .column("n_more_fields", all().map(|piece| piece.fields.map_or(0, |(first, last)| last - first)))?;
    let decompressed = all().map(|piece| ScriptOption(piece.n_decompressed_bytes.map(ScriptNumber)));
    members.column("n_decompressed_bytes", decompressed)?;
    members.column("flags", all().map(|piece| piece.flags))
}

/// A text that is cut to a maximum length when it is written.
struct Remark(String);

impl Remark {
    /// The text without the name of the input, which is the title of the page.
    fn about(name: &str, text: &str) -> Remark {
        let rest = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
        Remark(rest.unwrap_or(text).to_owned())
    }
}

impl Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ShortenedText(&self.0).fmt(f)
    }
}

struct ShortenedText<'a>(&'a str);

impl Display for ShortenedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(MAX_CHARS).map(|(end, _)| end);
        ScriptText(end.and_then(|end| self.0.get(..end)).unwrap_or(self.0)).fmt(f)
    }
}

/// Metadata as an array of pairs.
struct MetadataArray<'a>(&'a Metadata);

impl<'a> Display for MetadataArray<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.0.iter().take(MAX_PAIRS);
        let text = |text: Option<&'a str>| ScriptOption(text.map(ShortenedText));
        let pairs = pairs.map(|(key, value)| format!("[{},{}]", text(key), text(value)));
        ScriptList(pairs).fmt(f)
    }
}
