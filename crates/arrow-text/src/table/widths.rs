//! Chooses the widths of the columns of a table.

use arrow_schema::visit;

/// The number of spaces between two columns.
pub(super) const GAP: usize = 2;
/// Columns are not made narrower than this. If they still do not fit, columns at the end are left out.
const MIN_WIDTH: usize = 8;
/// The maximum width of a value that is not cut: the width of a timestamp in nanoseconds with its offset.
const MAX_WHOLE_WIDTH: usize = 36;
/// The width of the mark for columns that are left out: a gap and one character.
const MARK_WIDTH: usize = GAP + 1;

/// The range of widths that a column may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnWidth {
    /// The width of the column if lines have no maximum.
    natural: usize,
    least: usize,
}

impl ColumnWidth {
    /// Makes the range of widths of a column. `whole_values` is the width of values that should not be cut.
    pub(super) fn new(natural: usize, whole_values: Option<usize>) -> ColumnWidth {
        let least = whole_values.filter(|width| *width <= MAX_WHOLE_WIDTH).unwrap_or(0).max(MIN_WIDTH);
        ColumnWidth { natural, least: least.min(natural) }
    }
}

/// Chooses the widths of as many columns as fit into `max_width`. `wanted` describes the first of `n_columns` columns; the
/// others are left out.
///
/// Makes the widest columns narrower first. Then leaves out columns at the end, but not the first column.
pub(super) fn fit(wanted: &[ColumnWidth], n_columns: usize, max_width: usize) -> Vec<usize> {
    let Some(n_shown) = n_fitting(wanted, n_columns, max_width) else {
        return wanted.first().map(|column| column.natural.min(max_width.max(1))).into_iter().collect();
    };
    let wanted = wanted.get(..n_shown).unwrap_or(wanted);
    let cap = cap(wanted, available_width(n_shown, n_columns, max_width).unwrap_or_default());
    wanted.iter().map(|column| column.natural.min(cap).max(column.least)).collect()
}

/// The largest number of columns that fit if each has its smallest width. `None` if not even the first column fits.
fn n_fitting(wanted: &[ColumnWidth], n_columns: usize, max_width: usize) -> Option<usize> {
    let mut fitting = None;
    let mut least: usize = 0;
    for (n_shown, column) in (1..).zip(wanted) {
        visit(1);
        least = least.saturating_add(column.least);
        let fits = |n_columns| {
            available_width(n_shown, n_columns, max_width).is_some_and(|available| least <= available)
        };
        // Without the mark, all columns may fit, although fewer columns and the mark do not. If columns do not fit without
        // it, no more do.
        if !fits(n_shown) {
            break;
        }
        if fits(n_columns) {
            fitting = Some(n_shown);
        }
    }
    fitting
}

/// The width that remains for cells, without gaps and the mark.
fn available_width(n_shown: usize, n_columns: usize, max_width: usize) -> Option<usize> {
    let mark = if n_shown < n_columns { MARK_WIDTH } else { 0 };
    max_width.checked_sub(n_shown.saturating_sub(1).saturating_mul(GAP))?.checked_sub(mark)
}

/// The largest maximum for all column widths so that the columns fit into `available`. No column becomes narrower than its smallest
/// width.
fn cap(wanted: &[ColumnWidth], available: usize) -> usize {
    let total = |cap| {
        visit(wanted.len());
        wanted.iter().map(|column| column.natural.min(cap).max(column.least)).sum::<usize>()
    };
    let widest = wanted.iter().map(|column| column.natural).max().unwrap_or_default();
    if total(widest) <= available {
        return usize::MAX;
    }
    // 0 fits, since the smallest widths fit. The largest width does not fit.
    let mut fits = 0;
    let mut does_not = widest;
    while does_not - fits > 1 {
        let middle = fits.midpoint(does_not);
        *if total(middle) <= available { &mut fits } else { &mut does_not } = middle;
    }
    fits
}

#[cfg(test)]
mod tests {
    use arrow_schema::work_done;

    use super::*;

    fn text_widths(natural: &[usize]) -> Vec<ColumnWidth> {
        natural.iter().map(|width| ColumnWidth::new(*width, None)).collect()
    }

    #[test]
    fn widest_columns_give_way_first() {
        let cases: &[(&[usize], usize, &[usize])] = &[
            (&[], 80, &[]),
            (&[5, 10, 20], 80, &[5, 10, 20]),
            (&[5, 10, 20], 39, &[5, 10, 20]),
            (&[5, 10, 20], 38, &[5, 10, 19]),
            (&[5, 30, 30], 49, &[5, 20, 20]),
            (&[100], 80, &[80]),
            (&[100], 3, &[3]),
            (&[100], 0, &[1]),
            // Three columns of width eight and two gaps fit. Four columns do not, and the mark takes some width.
            (&[20, 20, 20, 20], 38, &[8, 8, 8, 8]),
            (&[20, 20, 20, 20], 37, &[10, 10, 10]),
            (&[20, 20, 20, 20], 31, &[8, 8, 8]),
            (&[20, 20, 20, 20], 30, &[12, 12]),
            (&[1, 1, 1, 1], 10, &[1, 1, 1, 1]),
            (&[1, 1, 1, 1], 9, &[1, 1]),
        ];
        for (natural, max_width, expected) in cases {
            let wanted = text_widths(natural);
            assert_eq!(fit(&wanted, wanted.len(), *max_width), *expected, "{natural:?} in {max_width}");
        }
        // If a column is left out already, the mark must fit, too.
        let cases: &[(usize, &[usize])] = &[(22, &[5, 12]), (21, &[5, 11]), (18, &[5, 8]), (17, &[5])];
        for (max_width, expected) in cases {
            assert_eq!(fit(&text_widths(&[5, 12]), 3, *max_width), *expected, "in {max_width}");
        }
    }

    /// Columns of text are made narrower first. Then columns are left out.
    #[test]
    fn times_are_not_cut() {
        let wanted = [(20, Some(20)), (30, None), (24, Some(10)), (10, Some(10)), (50, Some(50))];
        let wanted = wanted.map(|(natural, whole)| ColumnWidth::new(natural, whole));
        let cases: [(usize, &[usize]); 5] = [
            (200, &[20, 30, 24, 10, 50]),
            (80, &[20, 14, 14, 10, 14]),
            (66, &[20, 9, 10, 10, 9]),
            (60, &[20, 10, 10, 10]),
            (20, &[20]),
        ];
        for (max_width, expected) in cases {
            assert_eq!(fit(&wanted, wanted.len(), max_width), expected, "in {max_width}");
        }
    }

    #[test]
    fn cost_is_in_proportion_to_columns() {
        for n in [100, 100_000] {
            let cases = [(8, 80, 7), (8, 10 * n - 3, n - 1), (8, 10 * n - 2, n), (60, 10 * n, n)];
            for (natural, max_width, n_shown) in cases {
                let before = work_done();
                let widths = fit(&text_widths(&vec![natural; n]), n, max_width);
                let visited = work_done() - before;
                assert_eq!(widths.len(), n_shown, "{n} columns in {max_width}");
                assert!(visited <= 10 * n as u64, "{visited} for {n} columns in {max_width}");
            }
        }
    }

    #[test]
    fn never_wider_than_allowed() {
        for seed in 0..500_usize {
            let whole = |width: usize| ColumnWidth::new(width, width.is_multiple_of(3).then_some(width / 2));
            let natural: Vec<usize> = (0..seed % 13 + 1).map(|k| (seed * 7 + k * k * 11) % 60).collect();
            for max_width in 1..120 {
                let wanted: Vec<ColumnWidth> = natural.iter().map(|width| whole(*width)).collect();
                let widths = fit(&wanted, wanted.len(), max_width);
                let mark = if widths.len() < natural.len() { MARK_WIDTH } else { 0 };
                let total = widths.iter().sum::<usize>() + (widths.len() - 1) * GAP + mark;
                // One column remains even if it and the mark do not fit.
                assert!(total <= max_width || widths.len() == 1, "{natural:?} in {max_width}: {widths:?}");
                assert!(widths.iter().zip(&natural).all(|(width, natural)| width <= natural));
            }
        }
    }
}
