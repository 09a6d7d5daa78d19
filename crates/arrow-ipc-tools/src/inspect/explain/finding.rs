//! What may be odd about an input, and the command that would mend it.

use std::fmt;

use super::PlainColumns;
use crate::counted::{Counted, Grouped};

/// Something odd about an input, or something that can be improved. [`Display`](fmt::Display) says it in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Parts of the input cannot be read.
    Damage {
        /// The number of errors of the inspection.
        n_errors: u64,
    },
    /// Messages that the footer of a file does not list, so that readers do not see them.
    Unlisted {
        /// The number of messages.
        n_messages: u64,
    },
    /// The footer of a file disagrees with the stream inside it.
    Contradiction {
        /// How.
        text: String,
    },
    /// Bytes after the last stream are no stream, and readers may refuse them.
    TrailingBytes {
        /// The number of bytes that were seen.
        n_bytes: u64,
    },
    /// A file has no schema message before its batches, only the schema of its footer.
    NoSchemaMessage,
    /// The last stream has no end marker: its writer was stopped, or does not write one.
    NoEndMarker,
    /// Several streams follow each other; many readers stop after the first.
    SeveralStreams {
        /// The number of streams.
        n_streams: u64,
    },
    /// Something that this library does not know, such as a type of column.
    Unsupported {
        /// The number of errors of the inspection.
        n_errors: u64,
    },
    /// The framing of Arrow before 0.15.
    LegacyFraming {
        /// The number of such messages.
        n_messages: u64,
    },
    /// Metadata V4, of Arrow before 1.0.
    OldVersion {
        /// The number of such messages.
        n_messages: u64,
    },
    /// Numbers are big-endian.
    BigEndian,
    /// Buffers do not begin at a multiple of 8 bytes, so readers have to copy them.
    Unaligned {
        /// The number of buffers.
        n_buffers: u64,
    },
    /// Dictionaries grow by deltas, which not all readers support.
    Deltas {
        /// The number of delta messages.
        n_messages: u64,
        /// Set if dictionaries may not be joinable.
        plain: Option<PlainColumns>,
    },
    /// Dictionaries are replaced, so batches can only be read after all earlier ones.
    Replacements {
        /// The number of replacements.
        n_messages: u64,
        /// Set if dictionaries may not be joinable.
        plain: Option<PlainColumns>,
    },
    /// Dictionaries have more values than there are rows.
    LargeDictionaries {
        /// The number of values in all dictionary batches.
        n_values: u64,
        /// The number of rows in all batches.
        n_rows: u64,
        /// Set if dictionaries may not be joinable.
        plain: Option<PlainColumns>,
    },
    /// Bytes that no slot refers to: in buffers that are too long, before the first and after the last offset, in data
    /// buffers of views, in children of list views and dense unions, and in dictionaries. Compressed bodies are not
    /// searched.
    Unused {
        /// The least number of bytes.
        n_bytes: u64,
        /// The length of all bodies.
        n_body_bytes: u64,
        /// Whether there are dictionaries, whose unused values are removed, too.
        has_dictionaries: bool,
        /// Set if dictionaries may not be joinable.
        plain: Option<PlainColumns>,
    },
    /// Compressed batches whose views have several data buffers of the same lengths as those of the batch before: slices that were
    /// written with the data of the whole, most of which their rows do not refer to.
    RepeatedViewData {
        /// How many batches.
        n_batches: u64,
        /// The bytes of these data buffers.
        n_bytes: u64,
        /// Whether there are dictionaries, whose unused values are removed, too.
        has_dictionaries: bool,
    },
    /// Batches without rows.
    EmptyBatches {
        /// The number of batches.
        n_batches: u64,
        /// The number of rows in a batch of about 1 MiB.
        target_rows: u64,
    },
    /// There are many small batches. Each costs its metadata, and a step of every reader.
    SmallBatches {
        /// The number of batches.
        n_batches: u64,
        /// The average length of a body.
        mean_bytes: u64,
        /// The number of rows in a batch of about 1 MiB.
        target_rows: u64,
    },
    /// Metadata is longer than the data.
    MuchMetadata {
        /// Metadata of messages, and the footer.
        n_metadata_bytes: u64,
        /// The length of all bodies.
        n_body_bytes: u64,
    },
    /// Some bodies are compressed and others are not, or with another codec.
    MixedCompression,
    /// Compression saves little.
    UselessCompression {
        /// The bodies.
        n_body_bytes: u64,
        /// The decompressed length of the bodies.
        n_decompressed_bytes: u64,
    },
    /// The bodies have 1 MiB or more, and none is compressed.
    NoCompression {
        /// The bodies.
        n_body_bytes: u64,
    },
    /// Padding that an alignment of 8 bytes does not need.
    MuchPadding {
        /// The number of bytes.
        n_bytes: u64,
        /// The length of all bodies.
        n_body_bytes: u64,
    },
    /// Some columns have validity buffers, but no nulls.
    NullsWithoutNulls {
        /// The number of bytes.
        n_bytes: u64,
    },
}

/// A command of the program `arrow-ipc` that mends a finding: `arrow-ipc COMMAND IN OUT OPTIONS`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedy {
    /// `convert`, `split` or `recover`.
    pub command: &'static str,
    /// The options after the input and the output.
    pub options: Vec<String>,
}

impl Finding {
    /// The name of the finding in JSON: `no_end_marker`.
    pub fn name(&self) -> &'static str {
        match self {
            Finding::Damage { .. } => "damage",
            Finding::Unlisted { .. } => "unlisted",
            Finding::Contradiction { .. } => "contradiction",
            Finding::TrailingBytes { .. } => "trailing_bytes",
            Finding::NoSchemaMessage => "no_schema_message",
            Finding::NoEndMarker => "no_end_marker",
            Finding::SeveralStreams { .. } => "several_streams",
            Finding::Unsupported { .. } => "unsupported",
            Finding::LegacyFraming { .. } => "legacy_framing",
            Finding::OldVersion { .. } => "old_version",
            Finding::BigEndian => "big_endian",
            Finding::Unaligned { .. } => "unaligned",
            Finding::Deltas { .. } => "deltas",
            Finding::Replacements { .. } => "replacements",
            Finding::LargeDictionaries { .. } => "large_dictionaries",
            Finding::Unused { .. } => "unused",
            Finding::RepeatedViewData { .. } => "repeated_view_data",
            Finding::EmptyBatches { .. } => "empty_batches",
            Finding::SmallBatches { .. } => "small_batches",
            Finding::MuchMetadata { .. } => "much_metadata",
            Finding::MixedCompression => "mixed_compression",
            Finding::UselessCompression { .. } => "useless_compression",
            Finding::NoCompression { .. } => "no_compression",
            Finding::MuchPadding { .. } => "much_padding",
            Finding::NullsWithoutNulls { .. } => "nulls_without_nulls",
        }
    }

    /// The command that mends it; `None` if there is no such command.
    pub(super) fn remedy(&self) -> Option<Remedy> {
        let remedy = |command, options: &str| {
            Some(Remedy { command, options: options.split_whitespace().map(str::to_owned).collect() })
        };
        let joined = |plain: &Option<PlainColumns>, options: &str| match plain {
            None => remedy("convert", options),
            Some(columns) => columns.remedy(&[]),
        };
        match self {
            Finding::Damage { .. } | Finding::Unlisted { .. } | Finding::TrailingBytes { .. } => {
                remedy("recover", "")
            }
            Finding::Contradiction { .. }
            | Finding::NoSchemaMessage
            | Finding::NoEndMarker
            | Finding::SeveralStreams { .. }
            | Finding::LegacyFraming { .. }
            | Finding::OldVersion { .. }
            | Finding::Unaligned { .. } => remedy("convert", ""),
            Finding::BigEndian => remedy("convert", "--endian little"),
            Finding::Deltas { plain, .. } | Finding::Replacements { plain, .. } => {
                joined(plain, "--dictionaries unify")
            }
            Finding::LargeDictionaries { plain, .. } => joined(plain, "--compact --dictionaries delta"),
            Finding::Unused { plain: Some(columns), .. } => columns.remedy(&["--compact"]),
            Finding::Unused { has_dictionaries: false, .. }
            | Finding::RepeatedViewData { has_dictionaries: false, .. } => remedy("convert", "--compact"),
            Finding::Unused { has_dictionaries: true, .. }
            | Finding::RepeatedViewData { has_dictionaries: true, .. } => {
                remedy("convert", "--compact --dictionaries unify")
            }
            Finding::EmptyBatches { target_rows, .. } | Finding::SmallBatches { target_rows, .. } => {
                remedy("split", &format!("--target-rows {target_rows}"))
            }
            Finding::MixedCompression | Finding::NoCompression { .. } => {
                remedy("convert", "--compression zstd")
            }
            Finding::UselessCompression { .. } => remedy("convert", "--compression none"),
            Finding::MuchPadding { .. } => remedy("convert", "--alignment 8"),
            Finding::Unsupported { .. }
            | Finding::MuchMetadata { .. }
            | Finding::NullsWithoutNulls { .. } => None,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Damage { n_errors } => {
                write!(f, "Some of it cannot be read: {}.", Counted(*n_errors, "error"))
            }
            Finding::Unlisted { n_messages } => {
                write!(
                    f,
                    "The footer does not list {}: readers do not see it.",
                    Counted(*n_messages, "message")
                )
            }
            Finding::Contradiction { text } => {
                write!(f, "Readers of streams get something else than readers of files: {text}.")
            }
            Finding::TrailingBytes { n_bytes } => {
                write!(f, "{} after the end are not a stream.", Counted(*n_bytes, "byte"))
            }
            Finding::NoSchemaMessage => {
                write!(f, "There is no schema message before the batches: readers of streams cannot read it.")
            }
            Finding::NoEndMarker => {
                write!(f, "The stream has no end marker: its writer was stopped, or never writes one.")
            }
            Finding::SeveralStreams { n_streams } => {
                write!(
                    f,
                    "{} follow each other: many readers stop after the first.",
                    Counted(*n_streams, "stream")
                )
            }
            Finding::Unsupported { n_errors } => {
                write!(f, "Something in it is not supported: {}.", Counted(*n_errors, "error"))
            }
            Finding::LegacyFraming { n_messages } => {
                write!(f, "{} in the legacy framing of Arrow before 0.15.", Counted(*n_messages, "message"))
            }
            Finding::OldVersion { n_messages } => {
                write!(f, "{} with metadata V4, of Arrow before 1.0.", Counted(*n_messages, "message"))
            }
            Finding::BigEndian => {
                write!(f, "Numbers are big-endian: most readers refuse them, the others swap them.")
            }
            Finding::Unaligned { n_buffers } => write!(
                f,
                "{} not begin at a multiple of 8 bytes: readers copy them.",
                if *n_buffers == 1 {
                    "1 buffer does".to_owned()
                } else {
                    format!("{} buffers do", Grouped(*n_buffers))
                }
            ),
            Finding::Deltas { n_messages, plain } => write!(
                f,
                "Dictionaries grow by {}: not all readers support that.{}",
                Counted(*n_messages, "delta"),
                not_joined(plain)
            ),
            Finding::Replacements { n_messages, plain } => write!(
                f,
                "Dictionaries are replaced {}: a batch can be read only after those before it, and a file cannot hold it.{}",
                Counted(*n_messages, "time"),
                not_joined(plain)
            ),
            Finding::LargeDictionaries { n_values, n_rows, plain } => write!(
                f,
                "Dictionaries have {} for {}: some are not used, or hardly any is repeated.{}",
                Counted(*n_values, "value"),
                Counted(*n_rows, "row"),
                not_joined(plain)
            ),
            Finding::Unused { n_bytes, n_body_bytes, plain, .. } => write!(
                f,
                "No slot refers to {} or more of {} of bodies.{}",
                Grouped(*n_bytes),
                Counted(*n_body_bytes, "byte"),
                not_joined(plain)
            ),
            Finding::RepeatedViewData { n_batches, n_bytes, .. } => write!(
                f,
                "Views of {} have data buffers as long as those of the batch before: {} are probably repeated, and hardly used.",
                Counted(*n_batches, "batch"),
                Counted(*n_bytes, "byte")
            ),
            Finding::EmptyBatches { n_batches, .. } => {
                write!(f, "{} without rows.", Counted(*n_batches, "batch"))
            }
            Finding::SmallBatches { n_batches, mean_bytes, .. } => write!(
                f,
                "{} of {} on average: each costs metadata and a step of every reader.",
                Counted(*n_batches, "batch"),
                Counted(*mean_bytes, "byte")
            ),
            Finding::MuchMetadata { n_metadata_bytes, n_body_bytes } => write!(
                f,
                "Metadata takes {}, the data {}.",
                Counted(*n_metadata_bytes, "byte"),
                Counted(*n_body_bytes, "byte")
            ),
            Finding::MixedCompression => {
                write!(f, "Not all bodies are compressed by the same codec.")
            }
            Finding::UselessCompression { n_body_bytes, n_decompressed_bytes } => write!(
                f,
                "Compression saves next to nothing: {} for {}.",
                Counted(*n_body_bytes, "byte"),
                Counted(*n_decompressed_bytes, "byte")
            ),
            Finding::NoCompression { n_body_bytes } => {
                write!(f, "Nothing of {} is compressed.", Counted(*n_body_bytes, "byte"))
            }
            Finding::MuchPadding { n_bytes, n_body_bytes } => write!(
                f,
                "{} of {} of bodies are padding that an alignment of 8 bytes does not need.",
                Grouped(*n_bytes),
                Counted(*n_body_bytes, "byte")
            ),
            Finding::NullsWithoutNulls { n_bytes } => {
                write!(f, "{} of validity buffers where no slot is null.", Counted(*n_bytes, "byte"))
            }
        }
    }
}

/// Why the remedy is another one.
fn not_joined(plain: &Option<PlainColumns>) -> &'static str {
    match plain {
        None => "",
        Some(_) => {
            " Some are ordered, and joined only if each begins with the one before it; plain values need no dictionary."
        }
    }
}
