//! The numbers of a comparison.

use arrow_schema::FieldPath;

use super::difference::{Difference, Side};

/// The result of a comparison, and its numbers. If the [report](super::DiffSink) has ended the comparison, the numbers are
/// those until then.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffSummary {
    /// Whether the inputs are equal. `None` if the rows are equal, but an input has trailing bytes after its last stream,
    /// which were not compared.
    pub is_same: Option<bool>,
    /// The number of columns whose values were compared.
    pub n_columns: u64,
    /// The number of columns that both inputs have, but whose values cannot be compared.
    pub n_not_compared: u64,
    /// The number of pairs of rows that were compared. Includes equal pairs.
    pub n_rows: u64,
    /// The number of compared rows that differ.
    pub n_different: u64,
    /// Whether the comparison stopped before the end, because it found more different rows than it may report.
    pub is_cut: bool,
    /// The columns with different values, by their names in A, with the number of different rows in each.
    pub columns: Vec<(FieldPath, u64)>,
    /// Whether rows were paired by a key.
    pub is_by_key: bool,
    /// The number of rows whose key only A has, and the number of rows whose key only B has.
    pub n_only: [u64; 2],
    /// The side that has more rows, and the number of its additional rows. `None` with a key.
    pub more_rows: Option<(Side, u64)>,
    /// The number of differences of names, order, nullability and types.
    pub n_of_schema: u64,
    /// The number of differences of metadata.
    pub n_of_metadata: u64,
    /// The number of batches that were read from A and from B.
    pub n_batches: [u64; 2],
}

impl DiffSummary {
    /// Counts a difference. Different rows are counted where they are compared, because not all of them are reported.
    pub(super) fn count(&mut self, difference: &Difference) {
        let count = match difference {
            Difference::Metadata { .. } => &mut self.n_of_metadata,
            Difference::OnlyIn { .. }
            | Difference::Order { .. }
            | Difference::Name { .. }
            | Difference::Nullability { .. }
            | Difference::Type { .. } => &mut self.n_of_schema,
            Difference::MoreRows { side, n_rows } => {
                self.more_rows = Some((*side, *n_rows));
                return;
            }
            // The difference of the types has also been counted, as `Difference::Type`.
            Difference::NotCompared { .. } => &mut self.n_not_compared,
            Difference::Value { .. }
            | Difference::MoreColumns { .. }
            | Difference::OneMoreRow { .. }
            | Difference::OnlyRow { .. }
            | Difference::OnlyRows { .. }
            | Difference::Rows { .. } => return,
        };
        *count = count.saturating_add(1);
    }
}
