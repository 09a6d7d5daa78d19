//! Options for a comparison.

use crate::{
    columns::{ColumnNames, RowQuery},
    rows::row_window::RowWindow,
};

/// Options for [`diff`](super::diff): what is compared, and how many rows are reported.
///
/// ```
/// use arrow_ipc_tools::DiffOptions;
///
/// let options = DiffOptions { ignores_metadata: true, counts_all: true, ..DiffOptions::new() };
/// assert_eq!(options.max_rows, 10);
/// ```
#[derive(Debug, Clone)]
pub struct DiffOptions {
    /// The columns and fields that are compared, and the condition on rows. With a condition,
    /// [`rows`](DiffOptions::rows) and the reported row numbers count only matching rows.
    pub query: RowQuery,
    /// The range of rows that is compared in both inputs. Reported row numbers count from the first row of the input.
    /// Batches of a file outside the range are not read; a stream is read up to the end of the range.
    pub rows: RowWindow,
    /// The key: columns and fields whose values identify a row. A row of A is compared with the row of B that has an
    /// equal key, at any position. All rows are compared and counted; `rows` has no effect. Two nulls are equal.
    /// Within one input, each key must be unique. A key without columns is no key.
    ///
    /// Files are read twice. A pipe is first copied to a temporary file. Each row of each input takes 16 bytes of
    /// memory while keys are paired. If the rows of A and B are in different orders, 64 MiB of rows of A are in
    /// memory at a time.
    pub key: Option<ColumnNames>,
    /// Whether the metadata of files, streams, schemas and fields is ignored.
    pub ignores_metadata: bool,
    /// The greatest difference of two equal numbers, in columns that are compared as floating-point numbers. Rows that were
    /// added or removed are found by the other columns. `None` compares bits.
    pub tolerance: Option<f64>,
    /// The maximal number of different rows to report. The comparison stops at the next different row, unless
    /// `counts_all` is set.
    pub max_rows: u64,
    /// Whether all rows are compared and counted, even after the last reported row. An input of a few bytes can declare
    /// 2⁶³ rows. For untrusted inputs, set [`with_max_slots`](arrow_ipc::Limits::with_max_slots) in the limits of the
    /// inputs, or let the observer stop the work.
    pub counts_all: bool,
}

impl DiffOptions {
    /// Compares all columns, rows and metadata. Reports 10 different rows, and stops at the
    /// next different row.
    pub fn new() -> DiffOptions {
        DiffOptions {
            query: RowQuery::new(),
            rows: RowWindow::ALL,
            key: None,
            ignores_metadata: false,
            tolerance: None,
            max_rows: 10,
            counts_all: false,
        }
    }
}

impl Default for DiffOptions {
    fn default() -> DiffOptions {
        DiffOptions::new()
    }
}
