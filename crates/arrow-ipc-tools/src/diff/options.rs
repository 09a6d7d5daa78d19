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
    /// The columns and fields that are compared, in their order, and the condition on rows. With a condition, `rows`
    /// and the numbers of different rows only count rows that match.
    pub query: RowQuery,
    /// The rows of both inputs that are compared. Earlier batches of a file are not read, and the inputs are not read
    /// after these rows. Row numbers still count from the first row of the input.
    pub rows: RowWindow,
    /// The columns and fields whose values pair rows: two rows with equal keys are compared, at any position. All rows
    /// are compared and counted; `rows` has no effect. A null equals a null. In each input, no two rows may have the
    /// same key.
    ///
    /// Files are read twice, and streams are copied to a temporary file if necessary. Each row of each input takes 16 bytes of
    /// memory while keys are paired. If rows are in another order, 64 MiB of rows of A are compared at a time.
    pub key: Option<ColumnNames>,
    /// Whether the metadata of files, streams, schemas and fields is ignored.
    pub ignores_metadata: bool,
    /// The number of different rows that are reported. The comparison stops at the next one, unless `counts_all` is
    /// set.
    pub max_rows: u64,
    /// Whether all rows are compared and counted, even after the last reported one. A few bytes may claim 2⁶³ rows. For
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
