//! Options for comparing inputs.

use arrow_ipc::Limits;

use crate::{
    columns::{ColumnNames, RowQuery},
    row_window::RowWindow,
};

/// Options for [`diff`](super::diff): what it compares, and how many rows it reports.
///
/// ```
/// use arrow_ipc_tools::DiffOptions;
///
/// let options = DiffOptions { ignores_metadata: true, counts_all: true, ..DiffOptions::new() };
/// assert_eq!(options.max_rows, 10);
/// ```
#[derive(Debug, Clone)]
pub struct DiffOptions {
    /// Only these columns are compared, and fields inside columns, of rows for which the condition holds, in their order.
    /// `rows` and the numbers of different rows then count these rows only.
    pub query: RowQuery,
    /// Only these rows of both inputs are compared. In a file, earlier batches are not read. Nothing after these rows is read. Row
    /// numbers still count from the first row of the input.
    pub rows: RowWindow,
    /// Rows that have the same values in these columns and fields are paired, at any position. All rows are compared and counted;
    /// `rows` has no effect. A null equals a null. In each input, no two rows may have the same key.
    ///
    /// Files are read twice, and streams are copied to a temporary file if necessary. Each row of each input takes 16 bytes of
    /// memory while keys are paired. If rows are in another order, 64 MiB of rows of A are compared at a time.
    pub key: Option<ColumnNames>,
    /// Whether the metadata of files, streams, schemas and fields is ignored.
    pub ignores_metadata: bool,
    /// This many different rows are reported; the comparison stops at the next one.
    pub max_rows: u64,
    /// Whether all rows are compared and counted, even after the last reported one. A few bytes may have 2⁶³ rows. For
    /// untrusted inputs, set [`Limits::with_max_slots`], or let the observer stop the work.
    pub counts_all: bool,
    /// The limits of reading, for both inputs.
    pub limits: Limits,
}

impl DiffOptions {
    /// Compares everything, with the default limits. Reports 10 different rows, and stops at the next one.
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
