//! Options by their names and as text: for bindings of other languages, which share these words, and for settings.

use std::{error, fmt, ops::RangeInclusive, str::FromStr};

use arrow_buffer::MemoryBudget;
use arrow_data::Validation;
use arrow_schema::{QuotedText, did_you_mean};
use arrow_select::UnusedValues;

use super::{Copies, NullSlots, ReadOptions, RowCounts, SharedBuffers, WriteOptions};
use crate::{compression::Compression, dictionary::DictionaryPolicy, threads::Threads};
use arrow_ipc_format::{Endianness, Limits, MetadataVersion};

/// Why an option by name was not set.
#[derive(Clone, PartialEq, Eq)]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum OptionError {
    /// No option has this name.
    Unknown { name: String, known: Vec<&'static str> },
    /// The option does not have this value.
    Value { name: &'static str, found: String, allowed: String },
}

impl OptionError {
    /// The error for a name that is none of `known`.
    pub fn unknown(name: &str, known: impl IntoIterator<Item = &'static str>) -> OptionError {
        OptionError::Unknown { name: name.to_owned(), known: known.into_iter().collect() }
    }
}

arrow_error::debug_as_display!(OptionError);

/// Proposes the similar names, or else lists all.
impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { name, known } => {
                write!(f, "no option is named {}", QuotedText(name))?;
                match did_you_mean(name, known.iter().copied()) {
                    Some(question) => write!(f, "; {question}"),
                    None => write!(f, "; the options are: {}", known.join(", ")),
                }
            }
            OptionError::Value { name, found, allowed } => {
                write!(f, "{name} is {}; allowed: {allowed}", QuotedText(found))
            }
        }
    }
}

impl error::Error for OptionError {}

/// Finds a word, and lists all words in the error if it is none of them.
fn choose<T: Clone>(name: &'static str, text: &str, words: &[(&str, T)]) -> Result<T, OptionError> {
    match words.iter().find(|(word, _)| *word == text) {
        Some((_, value)) => Ok(value.clone()),
        None => {
            let quoted: Vec<String> = words.iter().map(|(word, _)| format!("'{word}'")).collect();
            let allowed = match quoted.split_last() {
                Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
                _ => quoted.concat(),
            };
            Err(OptionError::Value { name, found: text.to_owned(), allowed })
        }
    }
}

fn parse<T: FromStr>(name: &'static str, text: &str, allowed: &str) -> Result<T, OptionError> {
    text.parse().map_err(|_| OptionError::Value { name, found: text.to_owned(), allowed: allowed.to_owned() })
}

fn number<T: FromStr>(name: &'static str, text: &str) -> Result<T, OptionError> {
    parse(name, text, "0 or more")
}

fn threads(text: &str) -> Result<Threads, OptionError> {
    choose("threads", text, &[("pool", Threads::Pool), ("one", Threads::One)])
}

/// What is written if dictionaries change from batch to batch, by the words of options. Unlike a [`DictionaryPolicy`], which
/// a writer has from its first batch on, a mode may need all batches first.
///
/// ```
/// use arrow_ipc::{DictionaryMode, DictionaryPolicy};
///
/// let mode: DictionaryMode = "delta".parse()?;
/// assert_eq!((mode, mode.policy()), (DictionaryMode::Delta, DictionaryPolicy::Delta));
/// # Ok::<(), arrow_ipc::OptionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DictionaryMode {
    /// Each changed dictionary is written as a whole: [`DictionaryPolicy::Replace`].
    #[default]
    Replace,
    /// New values are appended: [`DictionaryPolicy::Delta`].
    Delta,
    /// All batches have one dictionary, which is known after the last batch: see [`DictionaryPolicy::Unify`].
    Unify,
    /// A changed dictionary is an error: [`DictionaryPolicy::Error`].
    Error,
}

impl DictionaryMode {
    const WORDS: [(&'static str, DictionaryMode); 4] = [
        ("replace", DictionaryMode::Replace),
        ("delta", DictionaryMode::Delta),
        ("unify", DictionaryMode::Unify),
        ("error", DictionaryMode::Error),
    ];

    /// The policy of a writer. For [`Unify`](DictionaryMode::Unify), it is [`DictionaryPolicy::Replace`] until the unified
    /// dictionaries are known.
    pub fn policy(self) -> DictionaryPolicy {
        match self {
            DictionaryMode::Replace | DictionaryMode::Unify => DictionaryPolicy::Replace,
            DictionaryMode::Delta => DictionaryPolicy::Delta,
            DictionaryMode::Error => DictionaryPolicy::Error,
        }
    }
}

/// The words are `replace`, `delta`, `unify` and `error`.
impl FromStr for DictionaryMode {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<DictionaryMode, OptionError> {
        choose("dictionaries", text, &DictionaryMode::WORDS)
    }
}

impl ReadOptions {
    /// The names that [`with_named`](ReadOptions::with_named) knows.
    pub const NAMES: [&'static str; 12] = [
        "validation",
        "copies",
        "threads",
        "prefetch_bytes",
        "max_memory_bytes",
        "max_metadata_bytes",
        "max_body_bytes",
        "max_decompressed_bytes",
        "max_dictionary_bytes",
        "max_slots",
        "max_fields",
        "max_depth",
    ];

    /// Sets the option with this name, from text: `validation` is `content`, `structure` or `strict`; `copies` is `allow`
    /// or `refuse`; `threads` is `pool` or `one`; the others are whole numbers. `max_memory_bytes` is a new [memory
    /// budget](ReadOptions::with_memory_budget), and the other names with `max` are [`Limits`].
    ///
    /// ```
    /// use arrow_ipc::{ReadOptions, Validation};
    ///
    /// let options = ReadOptions::new().with_named("validation", "strict")?.with_named("max_fields", "500")?;
    /// assert_eq!((options.validation(), options.limits().max_fields()), (Validation::Strict, 500));
    ///
    /// let error = ReadOptions::new().with_named("valdation", "strict").unwrap_err();
    /// assert_eq!(error.to_string(), "no option is named \"valdation\"; did you mean validation?");
    /// # Ok::<(), arrow_ipc::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// If no option has this name, or it does not have this value.
    pub fn with_named(self, name: &str, text: &str) -> Result<ReadOptions, OptionError> {
        let limits = self.limits.clone();
        let limits: Limits = match name {
            "validation" => {
                let words = [
                    ("content", Validation::Content),
                    ("structure", Validation::Structure),
                    ("strict", Validation::Strict),
                ];
                return Ok(self.with_validation(choose("validation", text, &words)?));
            }
            "copies" => {
                let words = [("allow", Copies::Allowed), ("refuse", Copies::Refused)];
                return Ok(self.with_copies(choose("copies", text, &words)?));
            }
            "threads" => return Ok(self.with_threads(threads(text)?)),
            "prefetch_bytes" => {
                return Ok(self.with_prefetch_bytes(number("prefetch_bytes", text)?));
            }
            "max_memory_bytes" => {
                let budget = MemoryBudget::new(number("max_memory_bytes", text)?);
                return Ok(self.with_memory_budget(budget));
            }
            "max_metadata_bytes" => limits.with_max_metadata_bytes(number("max_metadata_bytes", text)?),
            "max_body_bytes" => limits.with_max_body_bytes(number("max_body_bytes", text)?),
            "max_decompressed_bytes" => {
                limits.with_max_decompressed_bytes(number("max_decompressed_bytes", text)?)
            }
            "max_dictionary_bytes" => limits.with_max_dictionary_bytes(number("max_dictionary_bytes", text)?),
            "max_slots" => limits.with_max_slots(number("max_slots", text)?),
            "max_fields" => limits.with_max_fields(number("max_fields", text)?),
            "max_depth" => limits.with_max_depth(number("max_depth", text)?),
            _ => return Err(OptionError::unknown(name, ReadOptions::NAMES)),
        };
        Ok(self.with_limits(limits))
    }
}

impl WriteOptions {
    /// The names that [`with_named`](WriteOptions::with_named) knows.
    pub const NAMES: [&'static str; 12] = [
        "compression",
        "unused",
        "null_slots",
        "row_counts",
        "same_metadata",
        "shared_buffers",
        "alignment",
        "endianness",
        "metadata_version",
        "max_message_bytes",
        "max_fields",
        "threads",
    ];

    /// Sets the option with this name, from text: `compression` is `none`, `lz4`, `zstd`, or `zstd:3` with a level;
    /// `unused`, for items and values that no slot refers to, is `bounded`, `keep` or `remove`; `null_slots` is `keep` or
    /// `zeros`; `row_counts` is `none` or `written`; `same_metadata` is `false` or `true`; `shared_buffers` is `repeated` or
    /// `once`; `endianness` is `little` or `big`; `metadata_version` is `4` or `5`; `threads` is `pool` or `one`; the others
    /// are whole numbers.
    ///
    /// ```
    /// use arrow_ipc::{Compression, WriteOptions};
    ///
    /// let options = WriteOptions::new().with_named("compression", "zstd:3")?;
    /// assert_eq!(options.compression(), Some(Compression::zstd().with_level(3)));
    /// let error = WriteOptions::new().with_named("null_slots", "zero").unwrap_err();
    /// assert_eq!(error.to_string(), "null_slots is \"zero\"; allowed: 'keep' or 'zeros'");
    /// # Ok::<(), arrow_ipc::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// If no option has this name, or it does not have this value. Writers return an error for an alignment or level that
    /// does not exist.
    pub fn with_named(self, name: &str, text: &str) -> Result<WriteOptions, OptionError> {
        Ok(match name {
            "compression" => self.with_compression(Compression::from_name(text)?),
            "unused" => {
                let words = [
                    ("bounded", UnusedValues::Bounded),
                    ("keep", UnusedValues::Keep),
                    ("remove", UnusedValues::Remove),
                ];
                match choose("unused", text, &words)? {
                    UnusedValues::Remove => {
                        self.with_unused_items(UnusedValues::Remove).with_unused_values(UnusedValues::Remove)
                    }
                    unused @ (UnusedValues::Bounded | UnusedValues::Keep) => {
                        self.with_unused_items(unused).with_unused_values(UnusedValues::Keep)
                    }
                }
            }
            "null_slots" => {
                let words = [("keep", NullSlots::Keep), ("zeros", NullSlots::Zeros)];
                self.with_null_slots(choose("null_slots", text, &words)?)
            }
            "row_counts" => {
                let words = [("none", RowCounts::NotWritten), ("written", RowCounts::Written)];
                self.with_row_counts(choose("row_counts", text, &words)?)
            }
            "same_metadata" => {
                let has_same_metadata = choose("same_metadata", text, &[("false", false), ("true", true)])?;
                WriteOptions { has_same_metadata, ..self }
            }
            "shared_buffers" => {
                let words = [("repeated", SharedBuffers::Repeated), ("once", SharedBuffers::Once)];
                self.with_shared_buffers(choose("shared_buffers", text, &words)?)
            }
            "alignment" => self.with_alignment(number("alignment", text)?),
            "endianness" => {
                let words = [("little", Endianness::Little), ("big", Endianness::Big)];
                self.with_endianness(choose("endianness", text, &words)?)
            }
            "metadata_version" => {
                let words = [("4", MetadataVersion::V4), ("5", MetadataVersion::V5)];
                self.with_version(choose("metadata_version", text, &words)?)
            }
            "max_message_bytes" => self.with_max_message_bytes(number("max_message_bytes", text)?),
            "max_fields" => self.with_max_fields(number("max_fields", text)?),
            "threads" => self.with_threads(threads(text)?),
            _ => return Err(OptionError::unknown(name, WriteOptions::NAMES)),
        })
    }
}

impl Compression {
    /// The compression with this name: `none`, `lz4`, `zstd`, or `zstd:9` with a level from −131,072 to 22.
    ///
    /// ```
    /// use arrow_ipc::Compression;
    ///
    /// assert_eq!(Compression::from_name("zstd:-5")?, Some(Compression::zstd().with_level(-5)));
    /// assert_eq!(Compression::from_name("none")?, None);
    /// assert!(Compression::from_name("lz4:2").is_err());
    /// # Ok::<(), arrow_ipc::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn from_name(text: &str) -> Result<Option<Compression>, OptionError> {
        const LEVELS: RangeInclusive<i32> = -131_072..=22;
        let zstd = |level: i32| LEVELS.contains(&level).then(|| Compression::zstd().with_level(level));
        let compression = match text.split_once(':') {
            None if text == "none" => return Ok(None),
            None if text == "lz4" => Some(Compression::lz4()),
            None if text == "zstd" => Some(Compression::zstd()),
            Some(("zstd", level)) => level.parse().ok().and_then(zstd),
            None | Some(_) => None,
        };
        let allowed = || "'none', 'lz4', 'zstd', or 'zstd:3' with a level from -131072 to 22".to_owned();
        let refused =
            || OptionError::Value { name: "compression", found: text.to_owned(), allowed: allowed() };
        compression.map(Some).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each listed name is known, and no other value than an empty text is refused by all.
    #[test]
    fn listed_names_are_known() {
        for name in ReadOptions::NAMES {
            let error = ReadOptions::new().with_named(name, "?").unwrap_err();
            assert!(matches!(error, OptionError::Value { name: found, .. } if found == name), "{error}");
        }
        for name in WriteOptions::NAMES {
            let error = WriteOptions::new().with_named(name, "?").unwrap_err();
            assert!(matches!(error, OptionError::Value { name: found, .. } if found == name), "{error}");
        }
    }

    #[test]
    fn the_last_text_counts() {
        let named = |texts: &[&str]| {
            let set = |options: WriteOptions, text: &&str| options.with_named("unused", text);
            let options = texts.iter().try_fold(WriteOptions::new(), set).unwrap();
            (options.unused_items(), options.unused_values())
        };
        for text in ["bounded", "keep", "remove"] {
            assert_eq!(named(&["remove", text]), named(&[text]), "{text}");
        }
    }

    #[test]
    fn errors_say_what_is_allowed() {
        let read = |name, text| ReadOptions::new().with_named(name, text).unwrap_err().to_string();
        let write = |name, text| WriteOptions::new().with_named(name, text).unwrap_err().to_string();
        let cases = [
            (
                read("validation", "all\n"),
                "validation is \"all\\n\"; allowed: 'content', 'structure' or 'strict'",
            ),
            (read("max_slots", "-1"), "max_slots is \"-1\"; allowed: 0 or more"),
            (
                read("max", "1"),
                "no option is named \"max\"; did you mean max_memory_bytes, max_metadata_bytes, max_body_bytes, max_decompressed_bytes or max_dictionary_bytes?",
            ),
            (
                write("codec", "lz4"),
                "no option is named \"codec\"; the options are: compression, unused, null_slots, row_counts, same_metadata, shared_buffers, alignment, endianness, metadata_version, max_message_bytes, max_fields, threads",
            ),
            (
                write("compression", "zstd:"),
                "compression is \"zstd:\"; allowed: 'none', 'lz4', 'zstd', or 'zstd:3' with a level from -131072 to 22",
            ),
            (
                write("compression", "none:1"),
                "compression is \"none:1\"; allowed: 'none', 'lz4', 'zstd', or 'zstd:3' with a level from -131072 to 22",
            ),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }
}
