//! Options as pairs of texts: those of `arrow-ipc` by their names, and those that only this library has.

use std::ops::Range;

use arrow_ipc::{DictionaryMode, OptionError, ReadOptions, WriteOptions, WrittenContainer};
use arrow_schema::Metadata;

use crate::{
    failure::{Failure, Result},
    pointers::{ListPointer, NamedText},
};

/// The options of a call.
pub(crate) struct Options<'a>(&'a [NamedText]);

impl<'a> Options<'a> {
    pub(crate) fn try_new(list: &'a ListPointer<NamedText>, n_options: usize) -> Result<Options<'a>> {
        Ok(Options(list.items(n_options, "options")?))
    }

    fn pairs(&self) -> impl Iterator<Item = Result<(&'a str, &'a str)>> + use<'a> {
        self.0.iter().enumerate().map(|(index, option)| {
            let key = option.key.as_str(format_args!("options[{index}].key"))?;
            let value = option.value.as_str(key)?;
            Ok((key, value))
        })
    }
}

/// What is read of an input.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    /// The names or paths of columns; all columns if there are none.
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Option<Range<u64>>,
    pub(crate) batches: Option<Range<u64>>,
    pub(crate) condition: Option<String>,
    /// Whether batches are left out in which no row can match, as the statistics in the footer say.
    pub(crate) trusts_statistics: bool,
}

impl Selection {
    const NAMES: [&'static str; 5] = ["column", "rows", "batches", "condition", "statistics"];

    /// Sets one of these options; `false` if it is none of them.
    fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        match key {
            "column" => self.columns.push(value.to_owned()),
            "rows" => self.rows = Some(range("rows", value)?),
            "batches" => self.batches = Some(range("batches", value)?),
            "condition" => self.condition = Some(value.to_owned()),
            "statistics" => self.trusts_statistics = trusts_statistics(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether batches after the first `n_batches` are selected, if there are any.
    pub(crate) fn reaches_past(&self, n_batches: usize) -> bool {
        self.batches.as_ref().is_none_or(|batches| batches.end > n_batches as u64)
    }

    fn check(self) -> Result<Selection> {
        if self.rows.is_some() && self.batches.is_some() {
            return Err(Failure::misuse("select `rows` or `batches`, not both"));
        }
        if self.rows.is_some() && self.condition.is_some() {
            return Err(Failure::misuse("select `rows` or a `condition`, not both"));
        }
        if self.trusts_statistics && self.condition.is_none() {
            return Err(Failure::misuse("`statistics` are those for a `condition`"));
        }
        Ok(self)
    }

    /// # Errors
    /// If an option is no selection.
    pub(crate) fn parse(options: &Options<'_>) -> Result<Selection> {
        let mut selection = Selection::default();
        for pair in options.pairs() {
            let (key, value) = pair?;
            if ReadOptions::NAMES.contains(&key) {
                let text =
                    format!("{key} is set when an input is opened, and holds for all selections of it");
                return Err(Failure::misuse(text));
            }
            if !selection.set(key, value)? {
                return Err(OptionError::unknown(key, Selection::NAMES).into());
            }
        }
        selection.check()
    }
}

/// The options of an input that is opened, and what is read of it.
pub(crate) fn reading(options: &Options<'_>) -> Result<(ReadOptions, Selection)> {
    let mut reading = ReadOptions::new();
    let mut selection = Selection::default();
    for pair in options.pairs() {
        let (key, value) = pair?;
        if selection.set(key, value)? {
            continue;
        }
        if !ReadOptions::NAMES.contains(&key) {
            return Err(
                OptionError::unknown(key, Selection::NAMES.into_iter().chain(ReadOptions::NAMES)).into()
            );
        }
        reading = reading.with_named(key, value)?;
    }
    Ok((reading, selection.check()?))
}

/// Parses `2..5`, `2..` or `..5`: the first, and the one after the last.
fn range(name: &'static str, text: &str) -> Result<Range<u64>> {
    let part = |part: &str, default| if part.is_empty() { Some(default) } else { part.parse().ok() };
    let parse = || {
        let (start, end) = text.split_once("..")?;
        let range = part(start, 0)?..part(end, u64::MAX)?;
        (range.start <= range.end).then_some(range)
    };
    parse().ok_or_else(|| {
        let allowed = "a range from 0, such as '2..5', '2..' or '..5'".to_owned();
        OptionError::Value { name, found: text.to_owned(), allowed }.into()
    })
}

fn trusts_statistics(text: &str) -> Result<bool> {
    match text {
        "ignored" => Ok(false),
        "trusted" => Ok(true),
        _ => {
            let allowed = "'ignored' or 'trusted'".to_owned();
            Err(OptionError::Value { name: "statistics", found: text.to_owned(), allowed }.into())
        }
    }
}

/// The options of an output.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writing {
    pub(crate) options: WriteOptions,
    pub(crate) container: Option<WrittenContainer>,
    /// Whether all batches get one dictionary, which is known when the last of them is there.
    pub(crate) unifies_dictionaries: bool,
}

impl Writing {
    const NAMES: [&'static str; 3] = ["container", "dictionaries", "metadata."];

    /// # Errors
    /// If an option is not known, or has no such value.
    pub(crate) fn parse(options: &Options<'_>) -> Result<Writing> {
        let mut writing = Writing::default();
        let mut metadata = Vec::new();
        for pair in options.pairs() {
            let (key, value) = pair?;
            if let Some(name) = key.strip_prefix("metadata.") {
                metadata.push((Some(name.into()), Some(value.into())));
            } else if key == "container" {
                writing.container = Some(container(value)?);
            } else if key == "dictionaries" {
                writing = writing.with_dictionaries(value)?;
            } else if WriteOptions::NAMES.contains(&key) {
                writing.options = writing.options.with_named(key, value)?;
            } else {
                let known = Writing::NAMES.into_iter().chain(WriteOptions::NAMES);
                return Err(OptionError::unknown(key, known).into());
            }
        }
        if !metadata.is_empty() {
            writing.options = writing.options.with_file_metadata(Metadata::from_pairs(metadata));
        }
        Ok(writing)
    }

    fn with_dictionaries(self, text: &str) -> Result<Writing> {
        let mode: DictionaryMode = text.parse()?;
        let options = self.options.with_dictionaries(mode.policy());
        Ok(Writing { options, unifies_dictionaries: mode == DictionaryMode::Unify, ..self })
    }
}

fn container(text: &str) -> Result<WrittenContainer> {
    match text {
        "file" => Ok(WrittenContainer::File),
        "stream" => Ok(WrittenContainer::Stream),
        _ => {
            let allowed = "'file' or 'stream'".to_owned();
            Err(OptionError::Value { name: "container", found: text.to_owned(), allowed }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_whole_or_refused() {
        let cases = [
            ("2..5", Some(2..5)),
            ("..", Some(0..u64::MAX)),
            ("7..", Some(7..u64::MAX)),
            ("..0", Some(0..0)),
        ];
        for (text, expected) in cases {
            assert_eq!(range("rows", text).ok(), expected, "{text}");
        }
        for text in ["", "5", "5..2", "-1..2", "1..2..3", " 1..2", "1..99999999999999999999"] {
            assert!(range("rows", text).is_err(), "{text}");
        }
    }

    #[test]
    fn options_of_one_call_do_not_exclude_each_other_unseen() {
        let mut selection = Selection::default();
        for (key, value) in [("rows", "1..2"), ("batches", "0..1"), ("column", "a"), ("column", "b")] {
            assert!(selection.set(key, value).unwrap());
        }
        assert_eq!(selection.columns, ["a", "b"]);
        assert!(!selection.set("columns", "a").unwrap());
        assert_eq!(selection.check().unwrap_err().text, "select `rows` or `batches`, not both");
    }
}
