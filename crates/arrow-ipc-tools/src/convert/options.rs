//! Options for a conversion.

use std::{num::NonZero, ops::Range};

use arrow_ipc::{DictionaryPolicy, UnusedValues, WriteOptions, WrittenContainer};

use super::reshape::Reshaping;
use crate::rows::row_window::RowWindow;

/// Options for a [`Conversion`](crate::Conversion): the rows that it writes, and how it writes them.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// The container of the output.
    pub container: WrittenContainer,
    /// The options for writing all batches. With `None`, each batch has the same codec and buffer layout as in the
    /// input. The metadata and features of the input replace those in these options.
    pub writing: Option<WriteOptions>,
    /// How to write dictionaries that change between batches. `None` for the policy in `writing`. With
    /// [`DictionaryPolicy::Replace`], a file whose batches would need other dictionaries gets a single one, as with
    /// `unifies_dictionaries`, if the inputs can be read twice.
    pub dictionaries: Option<DictionaryPolicy>,
    /// Whether each dictionary column gets a single dictionary with the values of all selected rows. The inputs are
    /// then read twice. A pipe, or rows imported from text, are first copied to a temporary file.
    pub unifies_dictionaries: bool,
    /// Whether the footer of a file gets the least and the greatest values of each batch, in at most 2 % of the bytes
    /// of the file. All batches are then decoded. Streams cannot have statistics.
    pub writes_statistics: bool,
    /// Whether values in messages that are copied without decoding are checked. Without this check, the conversion
    /// needs less time and memory, but copies invalid values. The structure of messages is checked in both cases. In
    /// a file, the values of a batch are checked before it is written. In a stream, another thread reads the stream a
    /// second time and checks the values; the end of the output is only written if all values are valid.
    pub checks_values: bool,
    /// The rows to write, counted over all inputs. The first row must exist, unless it is row 0 or a condition selects rows;
    /// the range may end after the last row. A batch with selected rows is decoded if its values are checked, or if some of its
    /// rows are not selected. Batches of a file before and after the range are not read. If not all rows are selected, no
    /// tensors are written.
    pub rows: RowWindow,
    /// The batches to write, instead of a range of rows. Batches are numbered from 0 over all inputs. The first batch
    /// must exist, unless it is batch 0; the range may end after the last batch.
    pub batches: Option<Range<u64>>,
    /// The number of rows of each batch; the last batch may have fewer. A batch that is joined from several batches
    /// gets the custom metadata of the first of them. With `None`, batches are neither divided nor joined.
    pub n_batch_rows: Option<NonZero<u64>>,
    /// A change of columns, their names, types or metadata. Unless only metadata changes, all batches are then decoded, or
    /// decoded twice if dictionaries are also unified. Several inputs must have the same columns after the change.
    pub reshaping: Option<Reshaping>,
}

impl ConvertOptions {
    /// Writes a stream or file with the default options of writing. All values are checked.
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
        }
    }

    /// Options for a stream or file whose batches have the codec and layout of the input. A batch that is joined from
    /// several batches gets the codec of the first of them. The structure of copied messages is checked; their values
    /// are not.
    pub fn copying(container: WrittenContainer) -> ConvertOptions {
        ConvertOptions { writing: None, checks_values: false, ..ConvertOptions::new(container) }
    }

    /// Splits the options in two. The first options are for a temporary file with the selected rows and their final
    /// columns. The second options are for outputs from this file. Several outputs then select rows only once.
    pub fn split_selection(self) -> (ConvertOptions, ConvertOptions) {
        let output = ConvertOptions { reshaping: None, rows: RowWindow::ALL, batches: None, ..self.clone() };
        (self, output)
    }

    /// Whether the output gets a single dictionary for an id if it would need several, and the inputs can be read twice: no
    /// option says what to do then.
    pub fn may_unify_dictionaries(&self) -> bool {
        let from_writing = self.writing.as_ref().map(WriteOptions::dictionaries);
        let policy = self.dictionaries.as_ref().or(from_writing);
        let is_replaced = policy.is_none_or(|policy| matches!(policy, DictionaryPolicy::Replace));
        is_replaced && !self.unifies_dictionaries
    }

    fn has_condition(&self) -> bool {
        self.reshaping.as_ref().is_some_and(Reshaping::has_condition)
    }

    pub(super) fn selected(&self) -> RowWindow {
        match &self.batches {
            Some(batches) => RowWindow::from_batches(batches.clone()),
            None if self.has_condition() => self.rows.with_matches_as_unit(),
            None => self.rows,
        }
    }

    /// Makes `writing` leave out unused dictionary values, if only some rows are selected and dictionaries are unified.
    pub(super) fn without_values_of_others(&self, writing: WriteOptions) -> WriteOptions {
        if self.unifies_dictionaries && (self.has_condition() || !self.selected().is_everything()) {
            writing.with_unused_values(UnusedValues::Remove)
        } else {
            writing
        }
    }
}
