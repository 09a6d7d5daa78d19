//! What is written, and in which form.

use std::{num::NonZero, ops::Range};

use arrow_ipc::{DictionaryPolicy, Limits, Unused, WriteOptions};

use super::{reshape::Reshaping, selected::Selected};
use crate::{row_window::RowWindow, target::Target};

/// Options for a [`Conversion`](crate::Conversion): the rows that it writes, and the form of its output.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    pub(super) target: Target,
    /// `None` if batches keep their form.
    pub(super) writing: Option<WriteOptions>,
    pub(super) dictionaries: Option<DictionaryPolicy>,
    pub(super) unifies: bool,
    pub(super) writes_statistics: bool,
    pub(super) checks: Checks,
    pub(super) selected: Selected,
    pub(super) n_batch_rows: Option<NonZero<u64>>,
    pub(super) reshaping: Option<Reshaping>,
    pub(super) limits: Limits,
}

/// What is checked in messages that are not decoded, in addition to their structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checks {
    Values,
    Structure,
}

impl ConvertOptions {
    /// Writes a stream or file with the default options of writing and reading. All values are checked.
    pub fn new(target: Target) -> ConvertOptions {
        ConvertOptions {
            target,
            writing: Some(WriteOptions::new()),
            dictionaries: None,
            unifies: false,
            writes_statistics: false,
            checks: Checks::Values,
            selected: Selected::ALL,
            n_batch_rows: None,
            reshaping: None,
            limits: Limits::default(),
        }
    }

    /// Writes a stream or file in which batches keep their form. A batch that is joined from several gets the codec of the
    /// first one. Copied messages are checked, but not their values.
    pub fn copying(target: Target) -> ConvertOptions {
        ConvertOptions { writing: None, ..ConvertOptions::new(target).unchecked() }
    }

    /// Sets the options of writing, for all batches. The metadata and features of the input replace those of the options.
    #[must_use]
    pub fn with_writing(self, writing: WriteOptions) -> ConvertOptions {
        ConvertOptions { writing: Some(writing), ..self }
    }

    /// Sets the policy for dictionaries that change. Everything else about the form stays the same.
    #[must_use]
    pub fn with_dictionaries(self, dictionaries: DictionaryPolicy) -> ConvertOptions {
        ConvertOptions { dictionaries: Some(dictionaries), ..self }
    }

    /// Writes one dictionary with the values of all selected rows. It reads the inputs twice. A pipe, and the rows of text, are
    /// copied to a temporary file.
    #[must_use]
    pub fn unifying_dictionaries(self) -> ConvertOptions {
        ConvertOptions { unifies: true, ..self }
    }

    /// Writes the least and the greatest values of each batch into the footer of a file, in at most 2 % of its bytes. This decodes all
    /// batches. Streams have no place for them.
    #[must_use]
    pub fn with_statistics(self) -> ConvertOptions {
        ConvertOptions { writes_statistics: true, ..self }
    }

    /// Does not check values that are written without decoding. This needs the least time and memory. Invalid values stay
    /// invalid. The structure of messages is always checked. By default, the values of each batch of a file are checked before
    /// it is written. The values of a stream are checked by another thread, which reads the stream, too. The output gets its
    /// end only if all values are valid.
    #[must_use]
    pub fn unchecked(self) -> ConvertOptions {
        ConvertOptions { checks: Checks::Structure, ..self }
    }

    /// Changes columns, their names, or types. This decodes all batches; to
    /// [unify dictionaries](ConvertOptions::unifying_dictionaries), it decodes them twice. Several inputs must then have the
    /// same columns.
    #[must_use]
    pub fn reshaping(self, reshaping: Reshaping) -> ConvertOptions {
        ConvertOptions { reshaping: Some(reshaping), ..self }
    }

    /// Selects rows, counted over all inputs. The first of them must exist, unless it is row 0; the range may end after the last
    /// row. Batches with such rows are decoded, if their values are to be checked, or if they are cut. Earlier batches of a file
    /// are not read, nor is anything after the rows. No tensors are written. This replaces a selection of batches.
    #[must_use]
    pub fn with_rows(self, rows: RowWindow) -> ConvertOptions {
        ConvertOptions { selected: Selected::Rows(rows), ..self }
    }

    /// Selects batches by their numbers, which count from 0 over all inputs. The first of them must exist, unless it is 0;
    /// the range may end after the last batch. This replaces a selection of rows.
    #[must_use]
    pub fn with_batches(self, batches: Range<u64>) -> ConvertOptions {
        ConvertOptions { selected: Selected::Batches { wanted: batches, n_seen: 0 }, ..self }
    }

    /// Writes batches of this many rows; the last may have fewer. A batch joined from several gets the custom metadata of the
    /// first.
    #[must_use]
    pub fn with_batch_rows(self, n_rows: NonZero<u64>) -> ConvertOptions {
        ConvertOptions { n_batch_rows: Some(n_rows), ..self }
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ConvertOptions {
        ConvertOptions { limits, ..self }
    }

    /// The options for a temporary file of the selected rows with their final columns, and for the output that is made of it. So
    /// the rows are selected once, even if there are several outputs.
    pub fn selecting_apart(self) -> (ConvertOptions, ConvertOptions) {
        let output = ConvertOptions { reshaping: None, selected: Selected::ALL, ..self.clone() };
        (self, output)
    }

    /// A unified dictionary of selected rows does not have the values of others.
    pub(super) fn without_values_of_others(&self, writing: WriteOptions) -> WriteOptions {
        let has_condition = self.reshaping.as_ref().is_some_and(Reshaping::has_condition);
        match self.unifies && (has_condition || !self.selected.is_all()) {
            true => writing.with_unused_values(Unused::LeftOut),
            false => writing,
        }
    }
}
