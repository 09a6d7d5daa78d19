//! Sentences about findings.

use arrow_text::format::{Counted, Grouped};

use crate::{
    explain::FindingKind,
    note::{
        EXTRA_VALIDITY, MIXED_VERSIONS, TEXT_NOT_UTF8, before_footer_note, portability_note,
        unknown_zone_note,
    },
};

/// A sentence that says what was found.
pub(crate) fn finding_text(kind: &FindingKind) -> String {
    match kind {
        FindingKind::Damage { n_errors, has_schema } => {
            let why = if *has_schema { "" } else { " Its schema cannot be read." };
            format!("Some of it cannot be read: {}.{why}", Counted(*n_errors, "error"))
        }
        FindingKind::UnlistedMessages { n_messages } => {
            format!("The footer does not list {}: readers do not see it.", Counted(*n_messages, "message"))
        }
        FindingKind::Contradiction { what, changes_what_is_read: true } => {
            format!("Readers of streams get something else than readers of files: {what}.")
        }
        FindingKind::Contradiction { what, changes_what_is_read: false } => {
            format!("Some bytes are not read: {what}.")
        }
        FindingKind::BytesBeforeFooter(before) => {
            format!("Bytes that no reader needs: {}.", before_footer_note(*before))
        }
        FindingKind::ExtraValidity { n_messages } => {
            format!("In {}, {}.", Counted(*n_messages, "message"), EXTRA_VALIDITY)
        }
        FindingKind::MixedVersions { n_messages } => {
            format!("In {}, {}.", Counted(*n_messages, "message"), MIXED_VERSIONS)
        }
        FindingKind::SchemaForm { notes } => {
            let notes: Vec<String> = notes.iter().map(portability_note).collect();
            format!("The schema has a form that others refuse: {}.", notes.join("; "))
        }
        FindingKind::UnknownZone(unknown) => format!("The {}.", unknown_zone_note(unknown)),
        FindingKind::TextNotUtf8 => format!("Names, {TEXT_NOT_UTF8}."),
        FindingKind::DictionaryExtension { field } => format!(
            "Field {field} has a canonical extension type and a dictionary: pyarrow 26 and polars 2.1 refuse it."
        ),
        FindingKind::TrailingBytes { n_bytes } => {
            format!("{} after the end are not a stream.", Counted(*n_bytes, "byte"))
        }
        FindingKind::NoSchemaMessage => {
            "No schema message with a prefix is before the batches: readers of streams cannot read it."
                .to_owned()
        }
        FindingKind::NoEndMarker => {
            "The stream has no end marker: its writer was stopped, or never writes one.".to_owned()
        }
        FindingKind::SeveralStreams { n_streams } => {
            format!("{} follow each other: many readers stop after the first.", Counted(*n_streams, "stream"))
        }
        FindingKind::Unsupported { n_errors } => {
            format!("Something in it is not supported, or over a limit: {}.", Counted(*n_errors, "error"))
        }
        FindingKind::LegacyFraming { n_messages } => {
            format!("{} in the legacy framing of Arrow before 0.15.", Counted(*n_messages, "message"))
        }
        FindingKind::OldVersion { n_messages } => {
            format!("{} with metadata V4, of Arrow before 1.0.", Counted(*n_messages, "message"))
        }
        FindingKind::BigEndian => {
            "Numbers are big-endian: most readers refuse them, the others swap them.".to_owned()
        }
        FindingKind::UnalignedBuffers { n_buffers } => {
            let buffers = match n_buffers {
                1 => "1 buffer does".to_owned(),
                n_buffers => format!("{} buffers do", Grouped(*n_buffers)),
            };
            format!("{buffers} not begin at a multiple of 8 bytes: readers copy them.")
        }
        FindingKind::Deltas { n_deltas, is_ordered } => {
            let deltas = Counted(*n_deltas, "delta");
            let why = reason_for_casts(*is_ordered);
            format!("Dictionaries grow by {deltas}: not all readers support that.{why}")
        }
        FindingKind::Replacements { n_replacements, is_ordered } => {
            let times = Counted(*n_replacements, "time");
            let why = reason_for_casts(*is_ordered);
            format!(
                "Dictionaries are replaced {times}: a batch can be read only after those before it, and a file cannot hold it.{why}"
            )
        }
        FindingKind::LargeDictionaries { n_values, n_rows, is_ordered } => {
            let values = Counted(*n_values, "value");
            let rows = Counted(*n_rows, "row");
            let why = reason_for_casts(*is_ordered);
            format!(
                "Dictionaries have {values} for {rows}: some are not used, or hardly any is repeated.{why}"
            )
        }
        FindingKind::UnusedBytes { n_bytes, n_body_bytes, is_ordered } => {
            let unused = Grouped(*n_bytes);
            let all = Counted(*n_body_bytes, "byte");
            let why = reason_for_casts(*is_ordered);
            format!("No slot refers to {unused} or more of {all} of bodies.{why}")
        }
        FindingKind::RepeatedViewData { n_bytes, n_batches } => {
            let bytes = Counted(*n_bytes, "byte");
            let batches = Counted(*n_batches, "batch");
            format!(
                "Views of {batches} have data buffers as long as those of the batch before: {bytes} are probably repeated, and hardly used."
            )
        }
        FindingKind::EmptyBatches { n_batches } => format!("{} without rows.", Counted(*n_batches, "batch")),
        FindingKind::SmallBatches { n_batches, mean_bytes } => {
            let batches = Counted(*n_batches, "batch");
            let mean = Counted(*mean_bytes, "byte");
            format!("{batches} of {mean} on average: each costs metadata and a step of every reader.")
        }
        FindingKind::MuchMetadata { n_metadata_bytes, n_body_bytes } => {
            let metadata = Counted(*n_metadata_bytes, "byte");
            let data = Counted(*n_body_bytes, "byte");
            format!("Metadata takes {metadata}, the data {data}.")
        }
        FindingKind::MixedCompression => "Not all bodies are compressed by the same codec.".to_owned(),
        FindingKind::UselessCompression { n_body_bytes, n_decompressed_bytes } => {
            let stored = Counted(*n_body_bytes, "byte");
            let whole = Counted(*n_decompressed_bytes, "byte");
            format!("Compression saves next to nothing: {stored} for {whole}.")
        }
        FindingKind::NoCompression { n_body_bytes } => {
            format!("Bodies are not compressed: {} in all.", Counted(*n_body_bytes, "byte"))
        }
        FindingKind::MuchPadding { n_bytes, n_body_bytes } => {
            let padding = Grouped(*n_bytes);
            let all = Counted(*n_body_bytes, "byte");
            format!("{padding} of {all} of bodies are padding that an alignment of 8 bytes does not need.")
        }
        FindingKind::UnneededValidity { n_bytes } => {
            let bytes = Counted(*n_bytes, "byte");
            format!("No slot is null in {bytes} of validity buffers, which are not needed.")
        }
    }
}

/// The reason why the remedy casts columns to plain values.
fn reason_for_casts(is_ordered: bool) -> &'static str {
    if is_ordered {
        " Some are ordered, and joined only if each begins with the one before it; plain values need no dictionary."
    } else {
        ""
    }
}
