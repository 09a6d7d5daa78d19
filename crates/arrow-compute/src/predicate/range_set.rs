//! Sets of values, and the slots whose values are in a set.

use std::cmp::Ordering;

use arrow_buffer::Bitmap;

use super::ComparisonOperator;

/// Where a constant is in the order of the values of a type, relative to one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RelativePosition {
    /// The constant is this value.
    At,
    /// The constant is NaN, the greatest value.
    Nan,
    /// The constant is between this value and the next greater value.
    After,
    /// The constant is between this value and the next smaller value.
    Before,
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

/// A set that a comparison describes, without the value of the constant.
#[derive(Debug, Clone, Copy)]
enum ComparedSet {
    None,
    Nan,
    Less,
    LessOrEqual,
    Equal,
}

/// The values for which a comparison is true: those of a set, or, if the flag is true, all others. Compiled once for all types.
#[inline(never)]
fn compared_set(comparison: ComparisonOperator, position: RelativePosition) -> (ComparedSet, bool) {
    use ComparisonOperator as C;
    let (comparison, is_other) = match comparison {
        C::Less | C::LessOrEqual | C::Equal => (comparison, false),
        C::GreaterOrEqual | C::Greater | C::NotEqual => (comparison.negated(), true),
    };
    let (values, is_all_others) = match (position, comparison) {
        (RelativePosition::Nan, C::Equal) => (ComparedSet::Nan, false),
        (RelativePosition::Nan, C::Less) => (ComparedSet::Nan, true),
        (RelativePosition::Nan, _) => (ComparedSet::None, true),
        (RelativePosition::At, C::Equal) => (ComparedSet::Equal, false),
        (RelativePosition::At, C::Less) => (ComparedSet::Less, false),
        (RelativePosition::At, _) => (ComparedSet::LessOrEqual, false),
        (_, C::Equal) => (ComparedSet::None, false),
        (RelativePosition::After, _) => (ComparedSet::LessOrEqual, false),
        (RelativePosition::Before, _) => (ComparedSet::Less, false),
        (RelativePosition::First, _) => (ComparedSet::None, false),
        (RelativePosition::Last, _) => (ComparedSet::None, true),
    };
    (values, is_other != is_all_others)
}

impl<V: PartialOrd + Copy> ValueSet<V> {
    /// The set of values for which a comparison with a constant is true. `None` if the position needs a value and there is none.
    pub(super) fn compared(
        comparison: ComparisonOperator,
        position: RelativePosition,
        value: Option<V>,
    ) -> Option<ValueSet<V>> {
        let is_nan = position == RelativePosition::At && value.as_ref().is_some_and(is_nan);
        let position = if is_nan { RelativePosition::Nan } else { position };
        let (values, is_other) = compared_set(comparison, position);
        let values = match values {
            ComparedSet::None => PlainSet::None,
            ComparedSet::Nan => PlainSet::Listed { sorted: Vec::new(), has_nan: true },
            ComparedSet::Less => PlainSet::Less(value?),
            ComparedSet::LessOrEqual => PlainSet::LessOrEqual(value?),
            ComparedSet::Equal => PlainSet::Equal(value?),
        };
        Some(ValueSet { values, is_other })
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

/// Whether a value has no position in the order of its type.
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
    let mut words = values.chunks(WORD_SLOTS);
    packed_flags(values.len(), &mut |flags| {
        // Writes a byte for each value first, so that the compiler vectorises the comparisons.
        for (flag, value) in flags.iter_mut().zip(words.next().unwrap_or_default()) {
            *flag = u8::from(holds(*value));
        }
    })
}

/// Makes a bitmap of `n` bits. `fill` writes a byte for each bit of the next word. All types of values share the compiled code.
#[inline(never)]
fn packed_flags(n: usize, fill: &mut dyn FnMut(&mut [u8; WORD_SLOTS])) -> Bitmap {
    let words = (0..n.div_ceil(WORD_SLOTS)).map(|_| {
        let mut flags = [0; WORD_SLOTS];
        fill(&mut flags);
        word(&flags)
    });
    Bitmap::from_words(words, n)
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
