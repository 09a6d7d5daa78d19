//! Options for comparing inputs.

use arrow_ipc::Limits;

use crate::{
    columns::{ColumnNames, RowQuery},
    row_window::RowWindow,
};

/// Options for [`diff`](super::diff): what it compares, and how many rows it reports.
#[derive(Debug, Clone)]
pub struct DiffOptions {
    pub(super) query: RowQuery,
    pub(super) rows: RowWindow,
    pub(super) ignores_metadata: bool,
    pub(super) max_rows: u64,
    pub(super) counts_all: bool,
    pub(super) limits: Limits,
    pub(super) key: Option<ColumnNames>,
    /// The bits of the hash of a key that are compared. Tests compare fewer bits, so that hashes collide.
    pub(super) hash_bits: u64,
}

impl DiffOptions {
    /// Compares everything, with the default limits. Reports 10 different rows, and stops at the next one.
    pub fn new() -> DiffOptions {
        DiffOptions {
            query: RowQuery::new(),
            rows: RowWindow::ALL,
            ignores_metadata: false,
            max_rows: 10,
            counts_all: false,
            limits: Limits::default(),
            key: None,
            hash_bits: u64::MAX,
        }
    }

    /// Compares only these columns, and fields inside columns, of rows for which the condition holds, in their order.
    /// [`with_rows`](DiffOptions::with_rows) and the numbers of different rows then count these rows only.
    #[must_use]
    pub fn with_query(self, query: RowQuery) -> DiffOptions {
        DiffOptions { query, ..self }
    }

    /// Compares only these rows of both inputs. In a file, earlier batches are not read. Nothing after these rows is read. Row
    /// numbers still count from the first row of the input.
    #[must_use]
    pub fn with_rows(self, rows: RowWindow) -> DiffOptions {
        DiffOptions { rows, ..self }
    }

    /// Pairs rows that have the same values in these columns and fields, at any position. All rows are compared and counted;
    /// `with_rows` has no effect. A null equals a null. In each input, no two rows may have the same key.
    ///
    /// Files are read twice, and streams are copied to a temporary file if necessary. Each row of each input takes 16 bytes of
    /// memory while keys are paired. If rows are in another order, 64 MiB of rows of A are compared at a time.
    #[must_use]
    pub fn with_key(self, key: ColumnNames) -> DiffOptions {
        DiffOptions { key: Some(key), ..self }
    }

    /// Ignores the metadata of files, streams, schemas and fields.
    #[must_use]
    pub fn ignoring_metadata(self) -> DiffOptions {
        DiffOptions { ignores_metadata: true, ..self }
    }

    /// Reports this many different rows, and stops at the next one.
    #[must_use]
    pub fn with_max_rows(self, max_rows: u64) -> DiffOptions {
        DiffOptions { max_rows, ..self }
    }

    /// Compares and counts all rows, even after the last reported one. A few bytes may have 2⁶³ rows. For untrusted inputs,
    /// set [`Limits::with_max_slots`], or let the observer stop the work.
    #[must_use]
    pub fn counting_all(self) -> DiffOptions {
        DiffOptions { counts_all: true, ..self }
    }

    /// Sets the limits of reading, for both inputs.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> DiffOptions {
        DiffOptions { limits, ..self }
    }
}

impl Default for DiffOptions {
    fn default() -> DiffOptions {
        DiffOptions::new()
    }
}
