//! Sorts pairs of numbers, such as hashes with their rows.

/// The number by which pairs are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairOrder {
    /// The first number of each pair.
    First,
    /// The second number of each pair.
    Second,
}

/// Sorts pairs by one of their numbers, in place. The order of pairs whose numbers are equal is not specified.
///
/// The result is the same as that of [`sort_unstable_by_key`](slice::sort_unstable_by_key). This function is compiled
/// in this crate, with its optimisation level, even if the program around it is optimised for size.
///
/// ```
/// use arrow_data::{PairOrder, sort_pairs};
///
/// let mut pairs = [[7, 0], [3, 1], [5, 2]];
/// sort_pairs(&mut pairs, PairOrder::First);
/// assert_eq!(pairs, [[3, 1], [5, 2], [7, 0]]);
/// sort_pairs(&mut pairs, PairOrder::Second);
/// assert_eq!(pairs, [[7, 0], [3, 1], [5, 2]]);
/// ```
pub fn sort_pairs(pairs: &mut [[u64; 2]], order: PairOrder) {
    let by = match order {
        PairOrder::First => 0,
        PairOrder::Second => 1,
    };
    // Separate code for both orders would be twice as long.
    pairs.sort_unstable_by_key(|pair| pair[by]);
}
