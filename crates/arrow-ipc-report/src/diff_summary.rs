//! The summary of a comparison in one line.

use std::fmt;

use arrow_ipc_tools::diff::{DiffSummary, Side};
use arrow_text::format::{Counted, Grouped};

/// Writes a summary on one line: `equal: 300 rows in 1 batch`, or `differ: 1 difference of schema; 2 of 40 rows, in
/// columns name (1), note (2); B has 3 more rows`.
#[derive(Debug, Clone, Copy)]
pub struct DiffSummaryText<'a>(pub &'a DiffSummary);

/// The maximal number of columns that the text of a summary names.
const NAMED_COLUMNS: usize = 10;

impl DiffSummaryText<'_> {
    fn equal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.0.n_batches;
        write!(f, "equal: {} in ", Counted(self.0.n_rows, "row"))?;
        if a == b {
            write!(f, "{}", Counted(a, "batch"))
        } else {
            write!(f, "{} and {}", Grouped(a), Counted(b, "batch"))
        }
    }

    fn rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let different = Grouped(self.0.n_different);
        let all = Counted(self.0.n_rows, "row");
        match self.0.n_different {
            0 if self.0.n_rows == 0 => f.write_str("no rows compared"),
            0 if self.0.n_columns == 0 => f.write_str("no columns compared"),
            0 => write!(f, "none of {all}"),
            _ if self.0.is_cut => write!(f, "at least {different} of the first {all}"),
            _ => write!(f, "{different} of {all}"),
        }?;
        if self.0.n_not_compared > 0 && self.0.n_columns > 0 {
            let all = self.0.n_columns.saturating_add(self.0.n_not_compared);
            write!(f, " in {} of {}", Grouped(self.0.n_columns), Counted(all, "column"))?;
        }
        if self.0.is_by_key && self.0.n_columns > 0 && self.0.n_rows > 0 {
            f.write_str(" with a key in both")?;
        }
        for (position, (column, n_rows)) in self.0.columns.iter().take(NAMED_COLUMNS).enumerate() {
            let before = match (position, self.0.columns.len()) {
                (0, 1) => ", in column",
                (0, _) => ", in columns",
                _ => ",",
            };
            write!(f, "{before} {column} ({})", Grouped(*n_rows))?;
        }
        match self.0.columns.len().saturating_sub(NAMED_COLUMNS) {
            0 => Ok(()),
            n_more => write!(f, " and {} more", Grouped(n_more as u64)),
        }
    }
}

impl fmt::Display for DiffSummaryText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_same != Some(false) {
            return self.equal(f);
        }
        f.write_str("differ: ")?;
        for (n, of) in [(self.0.n_of_metadata, "metadata"), (self.0.n_of_schema, "schema")] {
            if n > 0 {
                write!(f, "{} of {of}; ", Counted(n, "difference"))?;
            }
        }
        self.rows(f)?;
        for (n_rows, side) in self.0.n_only.into_iter().zip([Side::A, Side::B]) {
            if n_rows > 0 {
                write!(f, "; {} only in {side}", Counted(n_rows, "row"))?;
            }
        }
        match &self.0.more_rows {
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
    use arrow_schema::FieldPath;

    use super::*;

    #[test]
    fn a_line_says_what_differs() {
        let column = |name: &str, n| (FieldPath::root().child(0, name), n);
        let mut summary = DiffSummary::default();
        summary.n_columns = 2;
        summary.n_rows = 20_000_000;
        summary.n_batches = [240, 240];
        let equal = summary.clone();
        let text = |summary: &DiffSummary| DiffSummaryText(summary).to_string();
        assert_eq!(text(&equal), "equal: 20,000,000 rows in 240 batches");
        summary.n_rows = 1;
        summary.n_batches = [2, 1];
        assert_eq!(text(&summary), "equal: 1 row in 2 and 1 batch");
        let mut summary = equal.clone();
        summary.is_same = Some(false);
        summary.n_different = 1;
        summary.columns = vec![column("a b", 1)];
        assert_eq!(text(&summary), "differ: 1 of 20,000,000 rows, in column a b (1)");
        summary.n_of_schema = 1;
        summary.n_of_metadata = 2;
        summary.is_cut = true;
        summary.n_different = 11;
        summary.columns = (0..12).map(|n| column(&n.to_string(), n)).collect();
        let expected = "differ: 2 differences of metadata; 1 difference of schema; at least 11 of the first 20,000,000 rows, in columns \
                        0 (0), 1 (1), 2 (2), 3 (3), 4 (4), 5 (5), 6 (6), 7 (7), 8 (8), 9 (9) and 2 more";
        assert_eq!(text(&summary), expected);
        let mut summary = equal;
        summary.is_same = Some(false);
        summary.n_not_compared = 1;
        assert_eq!(text(&summary), "differ: none of 20,000,000 rows in 2 of 3 columns");
        summary.n_not_compared = 0;
        summary.more_rows = Some((Side::B, 3));
        assert_eq!(text(&summary), "differ: none of 20,000,000 rows; B has 3 more rows");
        let mut summary = DiffSummary::default();
        summary.is_same = Some(false);
        summary.n_of_schema = 1;
        assert_eq!(text(&summary), "differ: 1 difference of schema; no rows compared");
        summary.n_rows = 3;
        assert_eq!(text(&summary), "differ: 1 difference of schema; no columns compared");
        summary.n_columns = 2;
        summary.n_different = 1;
        summary.n_only = [1, 1];
        summary.is_by_key = true;
        summary.n_of_schema = 0;
        let expected = "differ: 1 of 3 rows with a key in both; 1 row only in A; 1 row only in B";
        assert_eq!(text(&summary), expected);
    }
}
