//! Sets of values, and the slots whose values are in a set.

use std::cmp::Ordering;

use arrow_buffer::Bitmap;

use super::ComparisonOperator;

/// Where a constant is in the order of the values of a type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ConstantPlace<V> {
    /// The constant is this value.
    At(V),
    /// The constant is between this value and the next greater value.
    After(V),
    /// The constant is between this value and the next smaller value.
    Before(V),
    /// The constant is less than each value.
    First,
    /// The constant is greater than each value.
    Last,
}

/// A set of values of a type with an order. NaN is the greatest value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValueSet<V> {
    values: PlainSet<V>,
    /// Whether the set contains all values that are not in `values`.
    is_other: bool,
}

/// A set that a comparison or a list describes.
#[derive(Debug, Clone, PartialEq)]
enum PlainSet<V> {
    None,
    Less(V),
    LessOrEqual(V),
    Equal(V),
    /// The values in `sorted`, and NaN if `has_nan` is true.
    Listed {
        sorted: Vec<V>,
        has_nan: bool,
    },
}

impl<V: PartialOrd + Copy> ValueSet<V> {
    /// The set of values for which a comparison with a constant is true.
    pub(super) fn compared(comparison: ComparisonOperator, place: ConstantPlace<V>) -> ValueSet<V> {
        use ComparisonOperator as C;
        let (comparison, is_other) = match comparison {
            C::Less | C::LessOrEqual | C::Equal => (comparison, false),
            C::GreaterOrEqual | C::Greater | C::NotEqual => (comparison.negated(), true),
        };
        let nan = PlainSet::Listed { sorted: Vec::new(), has_nan: true };
        let (values, is_all_others) = match (place, comparison) {
            (ConstantPlace::At(value), C::Equal) if is_nan(&value) => (nan, false),
            (ConstantPlace::At(value), C::Less) if is_nan(&value) => (nan, true),
            (ConstantPlace::At(value), _) if is_nan(&value) => (PlainSet::None, true),
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

    /// The set of these values, which must be in ascending order with NaN last.
    pub(super) fn listed(mut sorted: Vec<V>) -> ValueSet<V> {
        let n_numbers = sorted.partition_point(|value| !is_nan(value));
        let has_nan = n_numbers < sorted.len();
        sorted.truncate(n_numbers);
        ValueSet { values: PlainSet::Listed { sorted, has_nan }, is_other: false }
    }

    /// Finds the values that are in the set. The result has one bit for each value.
    pub(super) fn hold(&self, values: &[V]) -> Bitmap {
        // Each kind of set has its own loop, without a branch inside.
        let holds = match &self.values {
            PlainSet::None => Bitmap::new_unset(values.len()),
            PlainSet::Less(constant) => packed(values, |value| value < *constant),
            PlainSet::LessOrEqual(constant) => packed(values, |value| value <= *constant),
            PlainSet::Equal(constant) => packed(values, |value| value == *constant),
            PlainSet::Listed { sorted, has_nan } => packed(values, |value| {
                if is_nan(&value) {
                    *has_nan
                } else {
                    sorted.binary_search_by(|listed| order(listed, &value)).is_ok()
                }
            }),
        };
        if self.is_other { holds.not() } else { holds }
    }
}

/// Whether a value has no place in the order of its type.
pub(super) fn is_nan<V: PartialOrd>(value: &V) -> bool {
    value.partial_cmp(value).is_none()
}

fn order<V: PartialOrd>(left: &V, right: &V) -> Ordering {
    left.partial_cmp(right).unwrap_or(Ordering::Equal)
}

/// The number of bits of a bitmap word.
const WORD_SLOTS: usize = 64;

/// Makes a bitmap of the values for which `holds` is true.
#[inline]
pub(super) fn packed<V: Copy>(values: &[V], holds: impl Fn(V) -> bool) -> Bitmap {
    let words = values.chunks(WORD_SLOTS).map(|values| {
        // Writes a byte for each value first, so that the compiler vectorises the comparisons.
        let mut flags = [0_u8; WORD_SLOTS];
        for (flag, value) in flags.iter_mut().zip(values) {
            *flag = u8::from(holds(*value));
        }
        word(&flags)
    });
    Bitmap::from_words(words, values.len())
}

/// Packs the lowest bit of each byte into a word. The other bits must not be set. All types of values share the compiled code.
#[inline(never)]
fn word(flags: &[u8; WORD_SLOTS]) -> u64 {
    let (bytes, _) = flags.as_chunks::<8>();
    bytes.iter().rev().fold(0, |word, flags| (word << 8) | low_bits(u64::from_le_bytes(*flags)))
}

/// Packs the lowest bit of each of eight bytes into one byte. The other bits must not be set.
#[inline]
fn low_bits(bytes: u64) -> u64 {
    // The multiplication moves bit 0 of byte `i` to bit `56 + i`. No two products overlap in these bits.
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
