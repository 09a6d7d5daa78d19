//! What is written, and in which form.

use std::{num::NonZero, ops::Range};

use arrow_ipc::{DictionaryPolicy, Limits, Unused, WriteOptions, WrittenContainer};

use super::{reshape::Reshaping, selected::Selected};
use crate::row_window::RowWindow;

/// Options for a [`Conversion`](crate::Conversion): the rows that it writes, and the form of its output.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// The container of the output.
    pub container: WrittenContainer,
    /// The options of writing, for all batches; `None` if batches keep their form. The metadata and features of the input replace
    /// those of the options.
    pub writing: Option<WriteOptions>,
    /// The policy for dictionaries that change, if it is not that of `writing`.
    pub dictionaries: Option<DictionaryPolicy>,
    /// Whether one dictionary with the values of all selected rows is written. This reads the inputs twice. A pipe, and the rows of
    /// text, are copied to a temporary file.
    pub unifies_dictionaries: bool,
    /// Whether the least and the greatest values of each batch are written into the footer of a file, in at most 2 % of its bytes.
    /// This decodes all batches. Streams have no place for them.
    pub writes_statistics: bool,
    /// Whether values that are written without decoding are checked. Without checks, the least time and memory is needed, and
    /// invalid values stay invalid. The structure of messages is always checked. The values of each batch of a file are checked
    /// before it is written. The values of a stream are checked by another thread, which reads the stream, too. The output gets its
    /// end only if all values are valid.
    pub checks_values: bool,
    /// The rows that are written, counted over all inputs. The first of them must exist, unless it is row 0; the range may end after
    /// the last row. Batches with such rows are decoded, if their values are to be checked, or if they are cut. Earlier batches of a
    /// file are not read, nor is anything after the rows. If not all rows are selected, no tensors are written.
    pub rows: RowWindow,
    /// The batches that are written instead, by their numbers, which count from 0 over all inputs. The first of them must exist,
    /// unless it is 0; the range may end after the last batch.
    pub batches: Option<Range<u64>>,
    /// The number of rows of each batch; the last may have fewer. A batch joined from several gets the custom metadata of the first.
    /// `None` if batches keep their rows.
    pub n_batch_rows: Option<NonZero<u64>>,
    /// A change of columns, their names, or types. This decodes all batches; to unify dictionaries, it decodes them twice. Several
    /// inputs must then have the same columns.
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

    /// Writes a stream or file in which batches keep their form. A batch that is joined from several gets the codec of the
    /// first one. Copied messages are checked, but not their values.
    pub fn copying(container: WrittenContainer) -> ConvertOptions {
        ConvertOptions { writing: None, checks_values: false, ..ConvertOptions::new(container) }
    }

    /// The options for a temporary file of the selected rows with their final columns, and for the output that is made of it. So
    /// the rows are selected once, even if there are several outputs.
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

    /// A unified dictionary of selected rows does not have the values of others.
    pub(super) fn without_values_of_others(&self, writing: WriteOptions) -> WriteOptions {
        let has_condition = self.reshaping.as_ref().is_some_and(Reshaping::has_condition);
        match self.unifies_dictionaries && (has_condition || !self.selected().is_all()) {
            true => writing.with_unused_values(Unused::LeftOut),
            false => writing,
        }
    }
}
