//! Options for comparing inputs.

use arrow_ipc::Limits;

use crate::{
    columns::{ColumnNames, RowQuery},
    row_window::RowWindow,
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
    /// The columns and fields that are compared, in their order, and the condition on rows. With a condition,
    /// [`rows`](DiffOptions::rows) and the reported row numbers count only rows that match.
    pub query: RowQuery,
    /// The rows of both inputs that are compared. Batches of a file before these rows are not read, and reading stops
    /// after these rows. Reported row numbers count from the first row of the input.
    pub rows: RowWindow,
    /// The key: columns and fields whose values identify a row. A row of A is compared with the row of B that has an
    /// equal key, at any position. All rows are compared and counted; `rows` has no effect. A null equals a null. No
    /// two rows of one input may have the same key.
    ///
    /// Files are read twice, and a pipe is first copied to a temporary file. Each row of each input takes 16 bytes of
    /// memory while keys are paired. If the rows of A and B are in different orders, 64 MiB of rows of A are in memory
    /// at a time.
    pub key: Option<ColumnNames>,
    /// Whether the metadata of files, streams, schemas and fields is ignored.
    pub ignores_metadata: bool,
    /// The number of different rows that are reported. The comparison stops at the next different row, unless
    /// `counts_all` is set.
    pub max_rows: u64,
    /// Whether all rows are compared and counted, even after the last reported row. An input of a few bytes can declare
    /// 2⁶³ rows. For untrusted inputs, set [`Limits::with_max_slots`], or let the observer stop the work.
    pub counts_all: bool,
    /// The limits of reading, for both inputs.
    pub limits: Limits,
}

impl DiffOptions {
    /// Compares all columns, rows and metadata, with the default limits. Reports 10 different rows, and stops at the
    /// next different row.
    pub fn new() -> DiffOptions {
        DiffOptions {
            query: RowQuery::new(),
            rows: RowWindow::ALL,
            key: None,
            ignores_metadata: false,
            max_rows: 10,
            counts_all: false,
            limits: Limits::default(),
        }
    }
}

impl Default for DiffOptions {
    fn default() -> DiffOptions {
        DiffOptions::new()
    }
}
