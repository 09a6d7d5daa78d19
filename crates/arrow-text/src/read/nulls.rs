//! The memory of null slots, which may be large although the text is short.

use arrow_buffer::{Budget, LimitExceeded};

use super::error::{RowError, RowErrorKind};

/// The memory of nulls and the length of the text with these nulls. Counts for one reader, or for the readers of all
/// parts of a text.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_text::{JsonParts, NullBytes};
///
/// let (schema, max_bytes): (Schema, u64) = ("id: int64\nname: fixed_size_binary(600)".parse()?, 1_000);
/// let parts = JsonParts::try_new("{}\n{}\n".as_bytes(), schema)?.with_part_lines(1).with_max_null_bytes(max_bytes);
/// let mut all = NullBytes::default();
/// let mut results = Vec::new();
/// for part in parts {
///     let mut reader = part?.reader()?;
///     let before = reader.null_bytes();
///     let batch = reader.next().expect("a row")?;
///     assert_eq!(batch.n_rows(), 1);
///     results.push(all.add(reader.null_bytes().since(before), max_bytes).is_ok());
/// }
/// assert_eq!(results, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NullBytes {
    n_null_bytes: u64,
    pub(super) n_text_bytes: u64,
    /// The line of the last row that was added.
    line: u64,
}

/// For each byte of text, null slots may take this many bytes. If a row has values for few of many columns, most columns are null.
const NULL_BYTES_PER_BYTE: u64 = 256;

impl NullBytes {
    /// The counts that a reader has added after it returned `before`.
    #[must_use]
    pub fn since(self, before: NullBytes) -> NullBytes {
        let n_null_bytes = self.n_null_bytes.saturating_sub(before.n_null_bytes);
        let n_text_bytes = self.n_text_bytes.saturating_sub(before.n_text_bytes);
        NullBytes { n_null_bytes, n_text_bytes, ..self }
    }

    /// Adds the counts of a reader of the following rows.
    ///
    /// # Errors
    /// If all nulls together take more than `max_bytes`, and more than 256 times the bytes of their text.
    pub fn add(&mut self, rows: NullBytes, max_bytes: u64) -> Result<(), RowError> {
        self.add_row(rows.line, rows.n_null_bytes, rows.n_text_bytes);
        if self.n_null_bytes <= self.limit(max_bytes) {
            Ok(())
        } else {
            Err(RowError::new(self.line, RowErrorKind::TooManyNulls { max_bytes }))
        }
    }

    fn limit(&self, max_bytes: u64) -> u64 {
        max_bytes.max(self.n_text_bytes.saturating_mul(NULL_BYTES_PER_BYTE))
    }

    /// Adds the counts of one row.
    pub(super) fn add_row(&mut self, line: u64, n_null_bytes: u64, n_text_bytes: u64) {
        self.n_null_bytes = self.n_null_bytes.saturating_add(n_null_bytes);
        self.n_text_bytes = self.n_text_bytes.saturating_add(n_text_bytes);
        self.line = line;
    }

    /// The memory that the nulls of the next row may take.
    pub(super) fn budget(&self, max_bytes: u64) -> NullBudget {
        let n_left = self.limit(max_bytes).saturating_sub(self.n_null_bytes);
        NullBudget { budget: Budget::new(max_bytes.min(n_left)), max_bytes }
    }
}

/// Limits the memory of the nulls of one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct NullBudget {
    /// What earlier rows have left of the limit for the whole text, but at most `max_bytes`.
    budget: Budget,
    max_bytes: u64,
}

impl NullBudget {
    /// The same budget with a limit of `n_bytes` from now on.
    pub(super) fn limited(self, n_bytes: u64) -> NullBudget {
        NullBudget { budget: self.budget.with_limit_at_most(n_bytes), ..self }
    }

    /// The same limits, with the memory that `other` has spent.
    pub(super) fn after(self, other: NullBudget) -> NullBudget {
        self.with_spent(other.n_bytes())
    }

    /// The same limits, of which `n_bytes` are spent.
    pub(super) fn with_spent(self, n_bytes: u64) -> NullBudget {
        NullBudget { budget: self.budget.with_spent(n_bytes), ..self }
    }

    /// The bytes that the nulls of the row take so far.
    pub(super) fn n_bytes(&self) -> u64 {
        self.budget.n_spent()
    }

    pub(super) fn spend(&mut self, n_bytes: u64) -> Result<(), RowErrorKind> {
        let max_bytes = self.max_bytes;
        let refused = |exceeded: LimitExceeded| match exceeded.requested > max_bytes {
            true => RowErrorKind::TooLarge { max_bytes },
            false => RowErrorKind::TooManyNulls { max_bytes },
        };
        self.budget.spend("bytes of nulls", n_bytes).map_err(refused)
    }
}
