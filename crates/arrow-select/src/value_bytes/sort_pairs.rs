//! Sorts pairs of numbers, such as hashes with their rows.

use std::ops::ControlFlow;

/// The number by which pairs are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairOrder {
    /// The first number of each pair.
    First = 0,
    /// The second number of each pair.
    Second = 1,
}

/// The number of pairs that are sorted between two calls of `goes_on`, in about 10 milliseconds.
const MAX_PAIRS: usize = if cfg!(test) { 1 << 10 } else { 1 << 18 };

/// Sorts pairs by one of their numbers, in place. The order of pairs whose numbers are equal is not specified. Calls
/// `goes_on` at least once for each 2¹⁸ pairs. If it returns [`ControlFlow::Break`], the pairs have any order.
///
/// The result is the same as that of [`sort_unstable_by_key`](slice::sort_unstable_by_key). This function is compiled
/// in this crate, with its optimisation level, even if the program around it is optimised for size.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use arrow_select::{PairOrder, sort_pairs};
///
/// let mut pairs = [[7, 0], [3, 1], [5, 2]];
/// assert!(sort_pairs(&mut pairs, PairOrder::First, &mut || Continue(())).is_continue());
/// assert_eq!(pairs, [[3, 1], [5, 2], [7, 0]]);
/// assert!(sort_pairs(&mut pairs, PairOrder::Second, &mut || Continue(())).is_continue());
/// assert_eq!(pairs, [[7, 0], [3, 1], [5, 2]]);
/// ```
pub fn sort_pairs(
    pairs: &mut [[u64; 2]],
    order: PairOrder,
    goes_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<()> {
    let by = order as usize;
    goes_on()?;
    // Separate code for both orders would be twice as long.
    if pairs.len() <= MAX_PAIRS
        || pairs.is_sorted_by_key(|pair| pair[by])
        || pairs.is_sorted_by(|a, b| a[by] >= b[by])
    {
        pairs.sort_unstable_by_key(|pair| pair[by]);
        return ControlFlow::Continue(());
    }
    let n_low = pairs.len() / 2;
    pairs.select_nth_unstable_by_key(n_low, |pair| pair[by]);
    let (low, high) = pairs.split_at_mut(n_low);
    sort_pairs(low, order, goes_on)?;
    sort_pairs(high, order, goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_pairs_are_sorted_in_turns_that_can_end() {
        let n_pairs = MAX_PAIRS as u64 * 5;
        let mixed = |idx: u64| idx.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let of = |low_bits: u64| (0..n_pairs).map(move |idx| [mixed(idx) & low_bits, mixed(idx + 1)]);
        for low_bits in [u64::MAX, 7, 0] {
            for (by, order) in [PairOrder::First, PairOrder::Second].into_iter().enumerate() {
                let mut pairs: Vec<[u64; 2]> = of(low_bits).collect();
                let mut n_turns = 0;
                let sorted = sort_pairs(&mut pairs, order, &mut || {
                    n_turns += 1;
                    ControlFlow::Continue(())
                });
                assert!(sorted.is_continue() && pairs.is_sorted_by_key(|pair| pair[by]));
                assert!(n_turns >= 5 || low_bits == 0, "{n_turns}");
                pairs.sort_unstable();
                let mut expected: Vec<[u64; 2]> = of(low_bits).collect();
                expected.sort_unstable();
                assert!(pairs == expected);
            }
        }
        // Pairs in order, or in the reverse order, are not divided.
        for mut pairs in
            [(0..n_pairs).map(|n| [n, n]).collect::<Vec<_>>(), (0..n_pairs).rev().map(|n| [n, n]).collect()]
        {
            let mut n_turns = 0;
            let sorted = sort_pairs(&mut pairs, PairOrder::First, &mut || {
                n_turns += 1;
                ControlFlow::Continue(())
            });
            assert!(sorted.is_continue() && n_turns == 1 && pairs.is_sorted());
        }
        let mut pairs: Vec<[u64; 2]> = of(u64::MAX).collect();
        for n_turns in 0..5 {
            let mut n_left = n_turns;
            let ended = sort_pairs(&mut pairs, PairOrder::First, &mut || {
                if n_left == 0 {
                    return ControlFlow::Break(());
                }
                n_left -= 1;
                ControlFlow::Continue(())
            });
            assert!(ended.is_break() && n_left == 0, "{n_turns}");
        }
    }
}
