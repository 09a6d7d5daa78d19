//! Summarizes a comparison in one line.

use std::fmt;

use arrow_schema::FieldPath;

use super::difference::{Difference, Side};
use arrow_text::format::{Counted, Grouped};

/// A summary of a comparison. `Display` writes one line: `equal: 300 rows in 1 batch`, or `differ: 1 difference of
/// schema; 2 of 40 rows, in columns name (1), note (2); B has 3 more rows`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffSummary {
    /// The number of columns whose values were compared.
    pub n_columns: u64,
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

/// The maximal number of columns that the text of a summary names.
const NAMED_COLUMNS: usize = 10;

impl DiffSummary {
    /// Whether the inputs are equal.
    pub fn is_equal(&self) -> bool {
        let [a, b] = self.n_only;
        let counts = [self.n_different, self.n_of_schema, self.n_of_metadata, a, b];
        counts == [0; 5] && self.more_rows.is_none()
    }

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
            // The difference of the types has already been counted, as `Difference::Type`.
            Difference::NotCompared { .. }
            | Difference::Value(_)
            | Difference::MoreColumns { .. }
            | Difference::OneMoreRow { .. }
            | Difference::OnlyRow { .. }
            | Difference::OnlyRows { .. }
            | Difference::Rows { .. } => return,
        };
        *count = count.saturating_add(1);
    }

    fn equal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.n_batches;
        write!(f, "equal: {} in ", Counted(self.n_rows, "row"))?;
        if a == b {
            write!(f, "{}", Counted(a, "batch"))
        } else {
            write!(f, "{} and {}", Grouped(a), Counted(b, "batch"))
        }
    }

    fn rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let different = Grouped(self.n_different);
        let all = Counted(self.n_rows, "row");
        match self.n_different {
            0 if self.n_rows == 0 => f.write_str("no rows compared"),
            0 if self.n_columns == 0 => f.write_str("no columns compared"),
            0 => write!(f, "none of {all}"),
            _ if self.is_cut => write!(f, "at least {different} of the first {all}"),
            _ => write!(f, "{different} of {all}"),
        }?;
        if self.is_by_key && self.n_columns > 0 && self.n_rows > 0 {
            f.write_str(" with a key in both")?;
        }
        for (position, (column, n_rows)) in self.columns.iter().take(NAMED_COLUMNS).enumerate() {
            let before = match (position, self.columns.len()) {
                (0, 1) => ", in column",
                (0, _) => ", in columns",
                _ => ",",
            };
            write!(f, "{before} {column} ({})", Grouped(*n_rows))?;
        }
        match self.columns.len().saturating_sub(NAMED_COLUMNS) {
            0 => Ok(()),
            n_more => write!(f, " and {} more", Grouped(n_more as u64)),
        }
    }
}

impl fmt::Display for DiffSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_equal() {
            return self.equal(f);
        }
        f.write_str("differ: ")?;
        for (n, of) in [(self.n_of_metadata, "metadata"), (self.n_of_schema, "schema")] {
            if n > 0 {
                write!(f, "{} of {of}; ", Counted(n, "difference"))?;
            }
        }
        self.rows(f)?;
        for (n_rows, side) in self.n_only.into_iter().zip([Side::A, Side::B]) {
            if n_rows > 0 {
                write!(f, "; {} only in {side}", Counted(n_rows, "row"))?;
            }
        }
        match &self.more_rows {
            None => Ok(()),
            Some(more) => {
                let (side, n_rows) = *more;
                write!(f, "; {side} has {}", Counted(n_rows, "more row"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_differs() {
        let column = |name: &str, n| (FieldPath::root().child(0, name), n);
        let equal =
            DiffSummary { n_columns: 2, n_rows: 20_000_000, n_batches: [240, 240], ..DiffSummary::default() };
        let cases = [
            (equal.clone(), "equal: 20,000,000 rows in 240 batches"),
            (
                DiffSummary { n_rows: 1, n_batches: [2, 1], ..DiffSummary::default() },
                "equal: 1 row in 2 and 1 batch",
            ),
            (
                DiffSummary { n_different: 1, columns: vec![column("a b", 1)], ..equal.clone() },
                "differ: 1 of 20,000,000 rows, in column a b (1)",
            ),
            (
                DiffSummary {
                    n_of_schema: 1,
                    n_of_metadata: 2,
                    is_cut: true,
                    n_different: 11,
                    columns: (0..12).map(|n| column(&n.to_string(), n)).collect(),
                    ..equal.clone()
                },
                "differ: 2 differences of metadata; 1 difference of schema; at least 11 of the first 20,000,000 rows, in \
                 columns 0 (0), 1 (1), 2 (2), 3 (3), 4 (4), 5 (5), 6 (6), 7 (7), 8 (8), 9 (9) and 2 more",
            ),
            (
                DiffSummary { more_rows: Some((Side::B, 3)), ..equal },
                "differ: none of 20,000,000 rows; B has 3 more rows",
            ),
            (
                DiffSummary { n_of_schema: 1, ..DiffSummary::default() },
                "differ: 1 difference of schema; no rows compared",
            ),
            (
                DiffSummary { n_of_schema: 1, n_rows: 3, ..DiffSummary::default() },
                "differ: 1 difference of schema; no columns compared",
            ),
        ];
        for (summary, expected) in cases {
            assert_eq!(summary.to_string(), expected);
        }
    }
}
