//! Findings of an explanation, and the changes that fix them.

use arrow_ipc::Codec;
use arrow_schema::{DataType, FieldPath};

use arrow_ipc_tools::{UnknownZone, trailing::BytesBeforeFooter, validate::PortabilityNote};

/// An oddity of an input, or a possible improvement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What was found.
    pub kind: FindingKind,
    /// The work that fixes the input without changing the compression of bodies; `None` if there is no such work.
    pub remedy: Option<Remedy>,
}

/// What was found in an input. The enum is exhaustive, because programs describe each kind in their own way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingKind {
    /// Some of the input cannot be read.
    Damage {
        /// The number of errors.
        n_errors: u64,
        /// Whether the schema can be read.
        has_schema: bool,
    },
    /// The footer does not list some messages, so that readers of files do not see them.
    UnlistedMessages {
        /// The number of messages.
        n_messages: u64,
    },
    /// The footer of a file contradicts the stream inside the file.
    Contradiction {
        /// The text of the [`Contradiction`](arrow_ipc_tools::Contradiction).
        what: String,
        /// Whether readers of streams get something else than readers of files, or fail.
        changes_what_is_read: bool,
    },
    /// Bytes that no reader needs are between the stream inside a file and the footer.
    BytesBeforeFooter(BytesBeforeFooter),
    /// There are validity buffers for columns without a validity bitmap.
    ExtraValidity {
        /// The number of messages.
        n_messages: u64,
    },
    /// Batches or dictionaries have another metadata version than the schema.
    MixedVersions {
        /// The number of messages.
        n_messages: u64,
    },
    /// Names, time zones or custom metadata are not UTF-8.
    TextNotUtf8,
    /// The schema has a form that other readers refuse.
    SchemaForm {
        /// Which readers do not read what.
        notes: Vec<PortabilityNote>,
    },
    /// A timestamp has a time zone that nothing knows.
    UnknownZone(UnknownZone),
    /// A dictionary-encoded field has a canonical extension type whose storage is never a dictionary.
    DictionaryExtension {
        /// The first such field.
        field: FieldPath,
    },
    /// Bytes after the end are not a stream.
    TrailingBytes {
        /// The number of bytes.
        n_bytes: u64,
    },
    /// No schema message with a prefix precedes the batches of a file, so that readers of streams cannot read it.
    NoSchemaMessage,
    /// A stream has no end marker.
    NoEndMarker,
    /// Several streams follow each other.
    SeveralStreams {
        /// The number of streams.
        n_streams: u64,
    },
    /// Something is not supported, or over a limit.
    Unsupported {
        /// The number of errors.
        n_errors: u64,
    },
    /// Messages have the framing of Arrow before 0.15.
    LegacyFraming {
        /// The number of messages.
        n_messages: u64,
    },
    /// Messages have metadata V4, of Arrow before 1.0.
    OldVersion {
        /// The number of messages.
        n_messages: u64,
    },
    /// Numbers are big-endian.
    BigEndian,
    /// Buffers do not begin at a multiple of 8 bytes, so that readers copy them.
    UnalignedBuffers {
        /// The number of buffers.
        n_buffers: u64,
    },
    /// Dictionaries grow by deltas.
    Deltas {
        /// The number of deltas.
        n_deltas: u64,
        /// Whether ordered dictionaries are joined only if each begins with the one before it.
        is_ordered: bool,
    },
    /// Dictionaries are replaced.
    Replacements {
        /// The number of replacements.
        n_replacements: u64,
        /// Whether ordered dictionaries are joined only if each begins with the one before it.
        is_ordered: bool,
    },
    /// Some values of dictionaries are not used, or hardly any is repeated.
    LargeDictionaries {
        /// The number of values in dictionaries.
        n_values: u64,
        /// The number of rows.
        n_rows: u64,
        /// Whether ordered dictionaries are joined only if each begins with the one before it.
        is_ordered: bool,
    },
    /// No slot refers to some bytes of bodies.
    UnusedBytes {
        /// The least number of these bytes.
        n_bytes: u64,
        /// The length of all bodies.
        n_body_bytes: u64,
        /// Whether ordered dictionaries are joined only if each begins with the one before it.
        is_ordered: bool,
    },
    /// Views have data buffers as long as those of the previous batch.
    RepeatedViewData {
        /// The total length of these buffers.
        n_bytes: u64,
        /// The number of batches with such buffers.
        n_batches: u64,
    },
    /// Batches have no rows.
    EmptyBatches {
        /// The number of batches.
        n_batches: u64,
    },
    /// There are many batches, and they are small.
    SmallBatches {
        /// The number of batches.
        n_batches: u64,
        /// The mean length of their bodies.
        mean_bytes: u64,
    },
    /// Metadata takes more bytes than the data.
    MuchMetadata {
        /// The length of all metadata.
        n_metadata_bytes: u64,
        /// The length of all bodies.
        n_body_bytes: u64,
    },
    /// Not all bodies are compressed by the same codec.
    MixedCompression,
    /// Compression saves next to nothing.
    UselessCompression {
        /// The length of all bodies.
        n_body_bytes: u64,
        /// Their decompressed length.
        n_decompressed_bytes: u64,
    },
    /// Bodies are long and not compressed.
    NoCompression {
        /// The length of all bodies.
        n_body_bytes: u64,
    },
    /// Bodies have padding that an alignment of 8 bytes does not need.
    MuchPadding {
        /// The length of this padding.
        n_bytes: u64,
        /// The length of all bodies.
        n_body_bytes: u64,
    },
    /// Validity buffers are not needed, because no slot is null.
    UnneededValidity {
        /// The length of these buffers.
        n_bytes: u64,
    },
}

/// The work that fixes a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// [`recover`](arrow_ipc_tools::recover()) copies what can be read.
    Recover {
        /// Whether the schema must be given, because that of the input cannot be read.
        needs_schema: bool,
    },
    /// [`convert`](arrow_ipc_tools::convert()) writes the input again, with these changes.
    Convert(Vec<Change>),
    /// The rows are divided into batches of this number of rows.
    Split {
        /// The number of rows of each batch.
        batch_rows: u64,
    },
}

/// A change of the form in which an input is written again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Numbers become little-endian.
    LittleEndian,
    /// Bytes that no slot uses are left out.
    Compact,
    /// Batches share one dictionary with the values of all.
    UnifyDictionaries,
    /// New values are appended to dictionaries as deltas.
    DictionaryDeltas,
    /// Bodies are compressed by this codec; `None` for bodies that are not compressed.
    Compression(Option<Codec>),
    /// Buffers begin at multiples of this number of bytes.
    Alignment(u16),
    /// A column is cast.
    Cast {
        /// The name of the column.
        column: String,
        /// The type of the column after the cast.
        data_type: DataType,
    },
}

impl FindingKind {
    /// The identifier of the kind in reports for programs, such as `no_end_marker`.
    pub fn name(&self) -> &'static str {
        match self {
            FindingKind::Damage { .. } => "damage",
            FindingKind::UnlistedMessages { .. } => "unlisted",
            FindingKind::Contradiction { .. } => "contradiction",
            FindingKind::BytesBeforeFooter(_) => "bytes_before_footer",
            FindingKind::ExtraValidity { .. } => "extra_validity",
            FindingKind::MixedVersions { .. } => "mixed_versions",
            FindingKind::TextNotUtf8 => "text_not_utf8",
            FindingKind::SchemaForm { .. } => "schema_form",
            FindingKind::UnknownZone(_) => "unknown_zone",
            FindingKind::DictionaryExtension { .. } => "dictionary_extension",
            FindingKind::TrailingBytes { .. } => "trailing_bytes",
            FindingKind::NoSchemaMessage => "no_schema_message",
            FindingKind::NoEndMarker => "no_end_marker",
            FindingKind::SeveralStreams { .. } => "several_streams",
            FindingKind::Unsupported { .. } => "unsupported",
            FindingKind::LegacyFraming { .. } => "legacy_framing",
            FindingKind::OldVersion { .. } => "old_version",
            FindingKind::BigEndian => "big_endian",
            FindingKind::UnalignedBuffers { .. } => "unaligned",
            FindingKind::Deltas { .. } => "deltas",
            FindingKind::Replacements { .. } => "replacements",
            FindingKind::LargeDictionaries { .. } => "large_dictionaries",
            FindingKind::UnusedBytes { .. } => "unused",
            FindingKind::RepeatedViewData { .. } => "repeated_view_data",
            FindingKind::EmptyBatches { .. } => "empty_batches",
            FindingKind::SmallBatches { .. } => "small_batches",
            FindingKind::MuchMetadata { .. } => "much_metadata",
            FindingKind::MixedCompression => "mixed_compression",
            FindingKind::UselessCompression { .. } => "useless_compression",
            FindingKind::NoCompression { .. } => "no_compression",
            FindingKind::MuchPadding { .. } => "much_padding",
            FindingKind::UnneededValidity { .. } => "nulls_without_nulls",
        }
    }
}
