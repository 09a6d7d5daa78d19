//! Sets of values in the order of their type, and the slots whose values are in a set.

use std::cmp::Ordering;

use arrow_buffer::Bitmap;

use super::ComparisonOperator;

/// The position of a constant in the order of the values of a type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ConstantPlace<V> {
    /// The constant is this value.
    At(V),
    /// The constant lies between this value and the next greater value.
    After(V),
    /// The constant lies between this value and the next smaller value.
    Before(V),
    /// The constant is less than all values.
    First,
    /// The constant is greater than all values.
    Last,
}

/// A set of values of a type with an order. NaN, which does not equal itself, is the greatest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValueSet<V> {
    values: PlainSet<V>,
    /// Whether the set is the complement of `values`.
    is_other: bool,
}

/// A set of values: the result of a comparison, or a list.
#[derive(Debug, Clone, PartialEq)]
enum PlainSet<V> {
    None,
    Less(V),
    LessOrEqual(V),
    Equal(V),
    /// The set contains the values in `sorted`, and NaN if `has_nan` is set.
    Listed {
        sorted: Vec<V>,
        has_nan: bool,
    },
}

impl<V: PartialOrd + Copy> ValueSet<V> {
    /// The set of values for which the comparison with the constant is true.
    pub(super) fn compared(comparison: ComparisonOperator, place: ConstantPlace<V>) -> ValueSet<V> {
        use ComparisonOperator as C;
        let (comparison, is_other) = match comparison {
            C::Less | C::LessOrEqual | C::Equal => (comparison, false),
            C::GreaterOrEqual | C::Greater | C::NotEqual => (comparison.negated(), true),
        };
        let nan = PlainSet::Listed { sorted: Vec::new(), has_nan: true };
        let (values, is_all_others) = match (place, comparison) {
            (ConstantPlace::At(value), C::Equal) if is_nan(value) => (nan, false),
            (ConstantPlace::At(value), C::Less) if is_nan(value) => (nan, true),
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
        ValueSet { values, is_other: is_other != is_all_others }
    }

    /// Makes the set of these values. They must be in ascending order, with NaN last.
    pub(super) fn listed(mut sorted: Vec<V>) -> ValueSet<V> {
        let n_numbers = sorted.partition_point(|value| !is_nan(*value));
        let has_nan = n_numbers < sorted.len();
        sorted.truncate(n_numbers);
        ValueSet { values: PlainSet::Listed { sorted, has_nan }, is_other: false }
    }

    /// Finds the values that are in the set, as one bit for each value.
    pub(super) fn hold(&self, values: &[V]) -> Bitmap {
        // Each kind of set has a loop of its own, without a branch inside.
        let holds = match &self.values {
            PlainSet::None => Bitmap::new_unset(values.len()),
            PlainSet::Less(constant) => packed(values, |value| value < *constant),
            PlainSet::LessOrEqual(constant) => packed(values, |value| value <= *constant),
            PlainSet::Equal(constant) => packed(values, |value| value == *constant),
            PlainSet::Listed { sorted, has_nan } => packed(values, |value| match is_nan(value) {
                true => *has_nan,
                false => sorted.binary_search_by(|listed| order(listed, &value)).is_ok(),
            }),
        };
        if self.is_other { holds.not() } else { holds }
    }
}

fn is_nan<V: PartialOrd>(value: V) -> bool {
    value.partial_cmp(&value).is_none()
}

fn order<V: PartialOrd>(left: &V, right: &V) -> Ordering {
    left.partial_cmp(right).unwrap_or(Ordering::Equal)
}

/// The number of slots in a bitmap word of 64 bits.
const WORD_SLOTS: usize = 64;

/// A bitmap of the values for which `holds` returns `true`.
#[inline]
pub(super) fn packed<V: Copy>(values: &[V], holds: impl Fn(V) -> bool) -> Bitmap {
    let words = values.chunks(WORD_SLOTS).map(|values| {
        // First writes a byte for each value, so that the comparisons are vectorised.
        let mut flags = [0_u8; WORD_SLOTS];
        for (flag, value) in flags.iter_mut().zip(values) {
            *flag = u8::from(holds(*value));
        }
        word(&flags)
    });
    Bitmap::from_words(words, values.len())
}

/// Packs the lowest bits of these bytes into a word. The other bits must not be set. The function is compiled once for
/// all types of values.
#[inline(never)]
fn word(flags: &[u8; WORD_SLOTS]) -> u64 {
    let (bytes, _) = flags.as_chunks::<8>();
    bytes.iter().rev().fold(0, |word, flags| (word << 8) | low_bits(u64::from_le_bytes(*flags)))
}

/// Packs the lowest bits of eight bytes into one byte. The other bits of each byte must not be set.
#[inline]
fn low_bits(bytes: u64) -> u64 {
    // Bit 0 of byte `i`, times bit `8 - i` of the factor, becomes bit `56 + i`. All of these bits are different.
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
