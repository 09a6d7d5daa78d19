//! Sets of values in the order of their type, and which slots have one of them.

use std::cmp::Ordering;

use arrow_buffer::Bitmap;

use super::ComparisonOperator;

/// How many slots the bits of a word stand for.
pub(super) const WORD_SLOTS: usize = 64;

/// Where a constant lies among the values of a type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ConstantPlace<V> {
    /// It is this value.
    At(V),
    /// It is greater than this value and less than the next.
    After(V),
    /// It is less than this value and greater than the one before.
    Before(V),
    /// It is less than all values.
    First,
    /// It is greater than all values.
    Last,
}

/// PlainSet of a type with an order. What does not equal itself (NaN) is the greatest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValueSet<V> {
    values: PlainSet<V>,
    /// Whether it is all other values.
    is_other: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum PlainSet<V> {
    None,
    Less(V),
    LessOrEqual(V),
    Equal(V),
    /// All but NaN.
    EqualThemselves,
    /// These, in order, and perhaps NaN.
    Listed {
        sorted: Vec<V>,
        has_nan: bool,
    },
}

impl<V: PartialOrd + Copy> ValueSet<V> {
    /// The values that compare like this with a constant.
    pub(super) fn compared(comparison: ComparisonOperator, place: ConstantPlace<V>) -> ValueSet<V> {
        use ComparisonOperator as C;
        let (comparison, is_other) = match comparison {
            C::Less | C::LessOrEqual | C::Equal => (comparison, false),
            C::GreaterOrEqual | C::Greater | C::NotEqual => (comparison.negated(), true),
        };
        let (values, is_all) = match (place, comparison) {
            (ConstantPlace::At(value), C::Equal) if is_nan(value) => (PlainSet::EqualThemselves, true),
            (ConstantPlace::At(value), C::Less) if is_nan(value) => (PlainSet::EqualThemselves, false),
            (ConstantPlace::At(value), _) if is_nan(value) => (PlainSet::None, true),
            (ConstantPlace::At(value), C::Equal) => (PlainSet::Equal(value), false),
            (ConstantPlace::At(value), C::Less) => (PlainSet::Less(value), false),
            (ConstantPlace::At(value), _) => (PlainSet::LessOrEqual(value), false),
            (_, C::Equal) => (PlainSet::None, false),
            (ConstantPlace::After(value), _) => (PlainSet::LessOrEqual(value), false),
            (ConstantPlace::Before(value), _) => (PlainSet::Less(value), false),
            (ConstantPlace::First, _) => (PlainSet::None, false),
            (ConstantPlace::Last, _) => (PlainSet::None, true),
        };
        ValueSet { values, is_other: is_other != is_all }
    }

    /// These values.
    pub(super) fn listed(places: impl IntoIterator<Item = ConstantPlace<V>>) -> ValueSet<V> {
        let values = places.into_iter().filter_map(|place| match place {
            ConstantPlace::At(value) => Some(value),
            ConstantPlace::After(_)
            | ConstantPlace::Before(_)
            | ConstantPlace::First
            | ConstantPlace::Last => None,
        });
        let (nans, mut sorted): (Vec<V>, Vec<V>) = values.partition(|value| is_nan(*value));
        sorted.sort_unstable_by(order);
        ValueSet { values: PlainSet::Listed { sorted, has_nan: !nans.is_empty() }, is_other: false }
    }

    /// Which of `n_slots` values are in the set. They come in parts of 64, but for the last.
    pub(super) fn hold<I: Iterator<Item = V>>(
        &self,
        n_slots: usize,
        words: impl Iterator<Item = I>,
    ) -> Bitmap {
        // A loop for each, in which nothing is left to decide.
        let other = self.is_other;
        match &self.values {
            PlainSet::None if other => Bitmap::new_set(n_slots),
            PlainSet::None => Bitmap::new_unset(n_slots),
            PlainSet::Less(constant) => packed(n_slots, words, |value| (value < *constant) != other),
            PlainSet::LessOrEqual(constant) => packed(n_slots, words, |value| (value <= *constant) != other),
            PlainSet::Equal(constant) => packed(n_slots, words, |value| (value == *constant) != other),
            PlainSet::EqualThemselves => packed(n_slots, words, |value| is_nan(value) == other),
            PlainSet::Listed { sorted, has_nan } => packed(n_slots, words, |value| {
                let is_listed = if is_nan(value) {
                    *has_nan
                } else {
                    sorted.binary_search_by(|listed| order(listed, &value)).is_ok()
                };
                is_listed != other
            }),
        }
    }
}

fn is_nan<V: PartialOrd>(value: V) -> bool {
    value.partial_cmp(&value).is_none()
}

fn order<V: PartialOrd>(left: &V, right: &V) -> Ordering {
    left.partial_cmp(right).unwrap_or(Ordering::Equal)
}

/// A bit for each of `n_slots` values. They come in parts of 64, but for the last.
#[inline]
pub(super) fn packed<V, I: Iterator<Item = V>>(
    n_slots: usize,
    words: impl Iterator<Item = I>,
    holds: impl Fn(V) -> bool,
) -> Bitmap {
    let word = |values: I| {
        // A byte for each first: so the comparisons take vectors.
        let mut flags = [0_u8; WORD_SLOTS];
        for (flag, value) in flags.iter_mut().zip(values) {
            *flag = u8::from(holds(value));
        }
        let (bytes, _) = flags.as_chunks::<8>();
        bytes.iter().rev().fold(0, |word, flags| (word << 8) | low_bits(u64::from_le_bytes(*flags)))
    };
    Bitmap::from_words(words.map(word), n_slots)
}

/// The lowest bits of eight bytes, side by side. The other bits of each byte are not set.
#[inline]
fn low_bits(bytes: u64) -> u64 {
    // Byte `i` times the `8 - i`th bit of the factor is bit `56 + i`; no two products meet.
    bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_bits_are_side_by_side() {
        for bits in 0..=255_u64 {
            let bytes: [u8; 8] = std::array::from_fn(|idx| u8::from(bits >> idx & 1 == 1));
            assert_eq!(low_bits(u64::from_le_bytes(bytes)), bits);
        }
    }
}
