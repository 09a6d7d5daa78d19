//! How wide the columns of a table are.

/// The space between two columns.
pub(super) const GAP: usize = 2;
/// A column that is too wide is not made narrower than this; rather are columns left out at the end.
const MIN_WIDTH: usize = 8;
/// Room for the mark that columns are left out: a gap and one character.
const MARK_WIDTH: usize = GAP + 1;

/// The widths of the columns that fit into `max_width`, given how wide each would be without a limit. Of all
/// `n_columns`, those at the end that have no width are left out anyway.
///
/// The widest columns give way first. Where even that does not do, columns are left out at the end; one is
/// always kept.
pub(super) fn fit(natural: &[usize], n_columns: usize, max_width: usize) -> Vec<usize> {
    let shown = (1..=natural.len()).rev().find(|n_shown| {
        let room = room(*n_shown, n_columns, max_width);
        let least: usize = natural.iter().take(*n_shown).map(|width| (*width).min(MIN_WIDTH)).sum();
        room.is_some_and(|room| least <= room)
    });
    let Some(n_shown) = shown else {
        return natural.first().map(|width| (*width).min(max_width.max(1))).into_iter().collect();
    };
    let natural = natural.get(..n_shown).unwrap_or(natural);
    let cap = cap(natural, room(n_shown, n_columns, max_width).unwrap_or_default());
    natural.iter().map(|width| (*width).min(cap)).collect()
}

/// The columns of text that are left for cells, gaps and the mark apart.
fn room(n_shown: usize, n_columns: usize, max_width: usize) -> Option<usize> {
    let mark = if n_shown < n_columns { MARK_WIDTH } else { 0 };
    max_width.checked_sub(n_shown.saturating_sub(1).saturating_mul(GAP))?.checked_sub(mark)
}

/// The largest width to which all columns can be limited so that they fit into `room`.
fn cap(natural: &[usize], room: usize) -> usize {
    let mut sorted: Vec<usize> = natural.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (position, width) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - position);
        if *width > share {
            return share;
        }
        left -= width;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

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
            // Three columns of eight, two gaps; four do not fit, and the mark needs room.
            (&[20, 20, 20, 20], 38, &[8, 8, 8, 8]),
            (&[20, 20, 20, 20], 37, &[10, 10, 10]),
            (&[20, 20, 20, 20], 31, &[8, 8, 8]),
            (&[20, 20, 20, 20], 30, &[12, 12]),
            (&[1, 1, 1, 1], 10, &[1, 1, 1, 1]),
            (&[1, 1, 1, 1], 9, &[1, 1]),
        ];
        for (natural, max_width, expected) in cases {
            assert_eq!(fit(natural, natural.len(), *max_width), *expected, "{natural:?} in {max_width}");
        }
        // Room for the mark of a column that was left out before.
        let cases: &[(usize, &[usize])] = &[(22, &[5, 12]), (21, &[5, 11]), (18, &[5, 8]), (17, &[5])];
        for (max_width, expected) in cases {
            assert_eq!(fit(&[5, 12], 3, *max_width), *expected, "in {max_width}");
        }
    }

    #[test]
    fn never_wider_than_allowed() {
        for seed in 0..500_usize {
            let natural: Vec<usize> = (0..seed % 13 + 1).map(|k| (seed * 7 + k * k * 11) % 60).collect();
            for max_width in 1..120 {
                let widths = fit(&natural, natural.len(), max_width);
                let mark = if widths.len() < natural.len() { MARK_WIDTH } else { 0 };
                let total = widths.iter().sum::<usize>() + (widths.len() - 1) * GAP + mark;
                // One column is kept, even where there is no room for it and the mark.
                assert!(total <= max_width || widths.len() == 1, "{natural:?} in {max_width}: {widths:?}");
                assert!(widths.iter().zip(&natural).all(|(width, natural)| width <= natural));
            }
        }
    }
}
