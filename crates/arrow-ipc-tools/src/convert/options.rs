//! Which rows are written, and how.

use std::{num::NonZero, ops::Range};

use arrow_ipc::{DictionaryPolicy, Limits, Unused, WriteOptions, WrittenContainer};

use super::{reshape::Reshaping, selected::Selected};
use crate::row_window::RowWindow;

/// Options for a [`Conversion`](crate::Conversion): the rows that it writes, and how it writes them.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// The container of the output.
    pub container: WrittenContainer,
    /// The options of writing, for all batches. With `None`, each batch keeps its codec and buffer layout. The metadata
    /// and features of the input replace those of the options.
    pub writing: Option<WriteOptions>,
    /// The policy for dictionaries that change between batches. `None` for the policy in `writing`.
    pub dictionaries: Option<DictionaryPolicy>,
    /// Whether the output has one dictionary with the values of all selected rows. This reads the inputs twice, so a
    /// pipe, or rows imported from text, are first copied to a temporary file.
    pub unifies_dictionaries: bool,
    /// Whether the least and the greatest values of each batch are written into the footer of a file, in at most 2 % of
    /// its bytes. This decodes all batches. Streams cannot have statistics.
    pub writes_statistics: bool,
    /// Whether values in messages that are copied without decoding are checked. Without this check, the conversion
    /// needs less time and memory, but copies invalid values. The structure of messages is checked in any case. The
    /// values of each batch of a file are checked before the batch is written. The values of a stream are checked by
    /// another thread, which reads the stream a second time. The end of the output is only written if all values are
    /// valid.
    pub checks_values: bool,
    /// The rows that are written, counted over all inputs. The first row must exist, unless it is row 0; the range may
    /// end after the last row. Batches with selected rows are decoded if their values are checked, or if only some of
    /// their rows are selected. Batches of a file before and after the rows are not read. If not all rows are selected,
    /// no tensors are written.
    pub rows: RowWindow,
    /// The batches that are written, instead of a range of rows. Batches are numbered from 0 over all inputs. The first
    /// batch must exist, unless it is batch 0; the range may end after the last batch.
    pub batches: Option<Range<u64>>,
    /// The number of rows of each batch; the last batch may have fewer. A batch that is joined from several batches
    /// gets the custom metadata of the first of them. With `None`, batches keep their rows.
    pub n_batch_rows: Option<NonZero<u64>>,
    /// A change of columns, their names, or types. With a change, all batches are decoded. If dictionaries are unified,
    /// too, all batches are decoded twice. Several inputs must have the same columns after the change.
    pub reshaping: Option<Reshaping>,
    /// The limits of reading.
    pub limits: Limits,
}

impl ConvertOptions {
    /// Writes a stream or file with the default options of writing and reading. All values are checked.
    pub fn new(container: WrittenContainer) -> ConvertOptions {
        ConvertOptions {
            container,
            writing: Some(WriteOptions::new()),
            dictionaries: None,
            unifies_dictionaries: false,
            writes_statistics: false,
            checks_values: true,
            rows: RowWindow::ALL,
            batches: None,
            n_batch_rows: None,
            reshaping: None,
            limits: Limits::default(),
        }
    }

    /// Writes a stream or file in which batches keep their codec and layout. A batch that is joined from several
    /// batches gets the codec of the first of them. The structure of copied messages is checked, but not their values.
    pub fn copying(container: WrittenContainer) -> ConvertOptions {
        ConvertOptions { writing: None, checks_values: false, ..ConvertOptions::new(container) }
    }

    /// Splits the options in two: the first result is for a temporary file of the selected rows with their final
    /// columns, the second for an output that is made from this file. The rows are then selected once, even if there
    /// are several outputs.
    pub fn selecting_apart(self) -> (ConvertOptions, ConvertOptions) {
        let output = ConvertOptions { reshaping: None, rows: RowWindow::ALL, batches: None, ..self.clone() };
        (self, output)
    }

    /// The rows or batches that are selected.
    pub(super) fn selected(&self) -> Selected {
        match &self.batches {
            Some(wanted) => Selected::Batches { wanted: wanted.clone(), n_seen: 0 },
            None => Selected::Rows(self.rows),
        }
    }

    /// The writing options. If only some rows are selected and dictionaries are unified, the writer leaves out
    /// dictionary values that no selected row uses.
    pub(super) fn without_values_of_others(&self, writing: WriteOptions) -> WriteOptions {
        let has_condition = self.reshaping.as_ref().is_some_and(Reshaping::has_condition);
        match self.unifies_dictionaries && (has_condition || !self.selected().is_all()) {
            true => writing.with_unused_values(Unused::LeftOut),
            false => writing,
        }
    }
}
