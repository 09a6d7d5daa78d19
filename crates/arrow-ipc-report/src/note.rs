//! Notes of the tools as sentences.

use std::fmt;

use arrow_ipc::UnsupportedColumn;
use arrow_ipc_tools::{
    Note, NoteKind, StatisticsLoss, ToolErrorKind, UnknownZone, trailing::BytesBeforeFooter,
    validate::PortabilityNote,
};
use arrow_schema::{QuotedName, QuotedText};
use arrow_text::format::Counted;

/// Writes a note as a sentence, after the name of its input.
#[derive(Debug, Clone, Copy)]
pub struct NoteText<'a>(pub &'a Note);

impl fmt::Display for NoteText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Note { input, kind } = self.0;
        write!(f, "{input}: ")?;
        match kind {
            NoteKind::TrailingBytes(rest) => write!(f, "{rest}"),
            NoteKind::NoEndMarker { position } => {
                write!(f, "{}", ToolErrorKind::NoEndMarker { position: *position })
            }
            NoteKind::ExtraValidity => f.write_str(EXTRA_VALIDITY),
            NoteKind::MixedVersions => f.write_str(MIXED_VERSIONS),
            NoteKind::UnknownZone(unknown) => write!(f, "the {}", unknown_zone_note(unknown)),
            NoteKind::TextNotUtf8 => write!(f, "names, {TEXT_NOT_UTF8}"),
            NoteKind::BeforeFooter(before) => f.write_str(&before_footer_note(*before)),
            NoteKind::FooterMetadata { keys } => f.write_str(&footer_metadata_note(keys)),
            NoteKind::Contradiction(what) => write!(f, "{what}"),
            NoteKind::TensorsNotCompared { n_tensors } => {
                write!(
                    f,
                    "{n_tensors} {} not compared",
                    if *n_tensors == 1 { "tensor is" } else { "tensors are" }
                )
            }
            NoteKind::NullKeys { n_rows } => {
                let rows = if *n_rows == 1 { "row has" } else { "rows have" };
                write!(f, "{n_rows} {rows} a null in the key; nulls count as equal")
            }
            NoteKind::LaterMetadataNotCompared => {
                f.write_str("the metadata of streams after the first is not compared")
            }
            NoteKind::FolderType { column, from, data_type } => {
                let column = QuotedName(column);
                write!(f, "column {column} was {from}; readers of the data set find {data_type}")?;
                let loses_zeros = from.value_type().is_text() && data_type.is_integer();
                f.write_str(if loses_zeros { ", without leading zeros" } else { "" })
            }
            NoteKind::NoStatistics(loss) => f.write_str(statistics_note(*loss)),
        }
    }
}

/// The text about [validity buffers](NoteKind::ExtraValidity) of columns without a validity bitmap.
pub(crate) const EXTRA_VALIDITY: &str = "there are validity buffers for columns without a validity bitmap, as pyarrow wrote them up to 25 for \
     extension types over null, unions and runs, and writes them for runs in metadata V4: other readers may refuse or misread the \
     columns after these";

/// The text about messages with [another metadata version](NoteKind::MixedVersions) than the schema.
pub(crate) const MIXED_VERSIONS: &str = "batches or dictionaries have another metadata version than the schema: each message is read by its own version";

/// The text, after the word "names", about text that is [not UTF-8](NoteKind::TextNotUtf8).
pub(crate) const TEXT_NOT_UTF8: &str = "time zones or custom metadata are not UTF-8, which the format requires: they are shown with escapes after \
     \"not UTF-8: \", and written as the same bytes; other readers may refuse them";

/// Says which zone is unknown.
pub(crate) fn unknown_zone_note(unknown: &UnknownZone) -> String {
    let UnknownZone { field, zone } = unknown;
    format!(
        "time zone {} of field {field} is no offset such as +05:30 and no name of the time zone database: its times are shown in UTC",
        QuotedText(zone)
    )
}

/// Says which bytes are between the stream inside a file and the footer.
pub(crate) fn before_footer_note(before: BytesBeforeFooter) -> String {
    let BytesBeforeFooter { start, n_bytes, n_end_markers, n_footers } = before;
    let markers = Counted(n_end_markers, "more end marker");
    let footers = Counted(n_footers, "older footer");
    let content = match (n_end_markers, n_footers) {
        (0, 0) => "all are zero".to_owned(),
        (_, 0) => markers.to_string(),
        (0, _) => footers.to_string(),
        (_, _) => format!("{footers} and {markers}"),
    };
    let bytes = Counted(n_bytes, "byte");
    format!("between the end of the stream at byte {start} and the footer are {bytes}: {content}")
}

/// The most keys that a note names.
const MAX_KEYS: usize = 5;

/// Says which keys only the footer has.
fn footer_metadata_note(keys: &[Option<String>]) -> String {
    let names = keys.iter().take(MAX_KEYS).map(|key| match key {
        Some(key) => QuotedText(key).to_string(),
        None => "one without a key".to_owned(),
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let more = keys.len().saturating_sub(MAX_KEYS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "only the footer has the custom metadata {names}{more}: since May 2026 the specification requires it in the schema message, too; \
         `convert --same-metadata` writes both alike"
    )
}

/// Says why an output has no statistics.
pub fn statistics_note(loss: StatisticsLoss) -> &'static str {
    match loss {
        StatisticsLoss::Unreadable => {
            "the statistics in the footer could not be extended to the new rows, and were left out"
        }
        StatisticsLoss::TooLarge => {
            "no statistics were written: those of even one column would take more than 2 % of the file, since batches are small, or the footer would be too long"
        }
        StatisticsLoss::Unwanted => {
            "the footer has statistics, which are not copied: `convert --statistics` writes those of the output"
        }
    }
}

/// Says which reader does not support a feature of an input.
pub fn portability_note(note: &PortabilityNote) -> String {
    let PortabilityNote { reader, what, field } = note;
    let field = field.as_ref().map(|path| format!(", as field {path}")).unwrap_or_default();
    format!("{reader} does not read {what}{field}")
}

/// Says why a column cannot be read.
pub fn unsupported_note(column: &UnsupportedColumn) -> String {
    let path = column.path();
    let reason = column.reason();
    if path.steps().len() == 1 {
        return format!("unsupported {reason}");
    }
    format!("unsupported {reason} of field {path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_before_a_footer_are_counted() {
        let cases = [
            ([0, 0], "all are zero"),
            ([1, 0], "1 more end marker"),
            ([2, 0], "2 more end markers"),
            ([0, 1], "1 older footer"),
            ([1, 2], "2 older footers and 1 more end marker"),
        ];
        for ([n_end_markers, n_footers], expected) in cases {
            let before = BytesBeforeFooter { start: 8, n_bytes: 1, n_end_markers, n_footers };
            let text = before_footer_note(before);
            assert_eq!(text.split_once(": ").map(|(_, content)| content), Some(expected));
        }
    }
}
