//! Finds equal values in a builder by comparing their bytes.

use arrow_select::{SelectError, ValueHasher, ValueWriter};
use hashbrown::DefaultHashBuilder;

use super::sealed::Slots;

/// Hashes values with a random key. The hash function is fast for short values, since builders hash each appended value. An
/// attacker who can measure many attempts may find values that collide in one builder (`docs/SECURITY.md`).
pub(crate) type SlotHasher = ValueHasher<DefaultHashBuilder>;

/// The maximum length of the bytes of a value. Nested list views may refer to the same items many times, so without a limit the
/// bytes could exceed memory.
const MAX_VALUE_BYTES: usize = u32::MAX as usize;

/// Reads values of a builder as bytes, into memory that it reuses.
#[derive(Debug, Clone, Default)]
pub(super) struct ValueComparer {
    value: Vec<u8>,
    other: Vec<u8>,
}

impl ValueComparer {
    /// Reads the value of a slot, and returns its hash.
    ///
    /// # Errors
    /// If the value has more than [`MAX_VALUE_BYTES`] bytes.
    pub(super) fn read(
        &mut self,
        slots: &impl Slots,
        slot: usize,
        hasher: &SlotHasher,
    ) -> Result<u64, SelectError> {
        read(slots, slot, &mut self.value)?;
        Ok(hasher.written(&self.value))
    }

    /// Whether the value of a slot equals the value that [`read`](Self::read) has read last.
    pub(super) fn is_in(&mut self, slots: &impl Slots, slot: usize) -> bool {
        // A value with too many bytes cannot be read, so it counts as different.
        read(slots, slot, &mut self.other).is_ok() && self.value == self.other
    }

    /// Whether the slots `a` and `b` have equal values.
    ///
    /// # Errors
    /// If the value of `b` has more than [`MAX_VALUE_BYTES`] bytes.
    pub(super) fn same(&mut self, slots: &impl Slots, [a, b]: [usize; 2]) -> Result<bool, SelectError> {
        read(slots, b, &mut self.value)?;
        Ok(self.is_in(slots, a))
    }
}

fn read(slots: &impl Slots, slot: usize, to: &mut Vec<u8>) -> Result<(), SelectError> {
    to.clear();
    slots.write_value(slot, &mut ValueWriter::new(to, MAX_VALUE_BYTES))
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use arrow_schema::{IndexType, RunEndType, UnionMode};
    use arrow_select::ValueBytes;

    use super::*;
    use crate::{builder::append::LookupKey, *};

    /// A builder writes the same bytes for its slots as [`ValueBytes`] does for the array.
    #[track_caller]
    fn check(mut builder: impl Builder) {
        let mut found: Vec<Vec<u8>> = vec![Vec::new(); builder.len()];
        for (slot, found) in found.iter_mut().enumerate() {
            read(&builder, slot, found).unwrap();
        }
        let array = builder.finish_data().unwrap();
        let values = ValueBytes::try_new(&array).unwrap();
        for (slot, found) in found.into_iter().enumerate() {
            let mut expected = Vec::new();
            values.append(slot, &mut expected, usize::MAX).unwrap();
            assert_eq!(found, expected, "{} {slot}", array.data_type());
        }
    }

    /// Like `check`. Also checks that each value is recognised before it is appended.
    #[track_caller]
    fn check_looked<V: Debug>(mut builder: impl Append<V>, values: impl IntoIterator<Item = V>) {
        let hasher = SlotHasher::default();
        for value in values {
            let look = builder.look(&value, &hasher);
            let shown = format!("{value:?}");
            let slot = builder.len();
            builder.append(value);
            let expected = if builder.is_null_slot(slot) {
                LookupKey::Null
            } else {
                LookupKey::Hash(ValueComparer::default().read(&builder, slot, &hasher).unwrap())
            };
            assert_eq!(look, expected, "{} {shown}", builder.data_type());
        }
        builder.append_nulls(1);
        check(builder);
    }

    /// Each builder has a random key, so the same values do not collide in all builders.
    #[test]
    fn every_builder_has_its_own_key() {
        let [one, other] = [(); 2].map(|()| SlotHasher::default());
        assert!((0..64_u64).any(|n| one.fixed(&n.to_le_bytes()) != other.fixed(&n.to_le_bytes())));
    }

    #[test]
    fn builders_write_the_bytes_of_their_arrays() {
        let long = "x".repeat(300);
        check_looked(BooleanBuilder::new(), [Some(true), None, Some(false)]);
        check_looked(Int8Builder::new(), [Some(-1_i8), None, Some(1)]);
        check_looked(Float64Builder::new(), [Some(-0.0), Some(0.0), Some(f64::NAN), None]);
        check_looked(Utf8Builder::new(), [Some(""), None, Some("ada"), Some(&long)]);
        check_looked(LargeBinaryBuilder::new(), [Some(&b""[..]), None, Some(long.as_bytes())]);
        check_looked(Utf8ViewBuilder::new(), [Some(""), None, Some("ada"), Some(&long)]);
        check_looked(BinaryViewBuilder::new(), [Some(&b""[..]), None, Some(long.as_bytes())]);
        check_looked(FixedSizeBinaryBuilder::try_new(2).unwrap(), [Some(b"ab"), None]);
        check_looked(NullBuilder::new(), [(), ()]);
        let words = || DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).unwrap();
        check_looked(words(), [Some("a"), None, Some("b"), Some("a")]);
        let runs = || RunEndEncodedBuilder::new(RunEndType::Int16, Int32Builder::new());
        check_looked(runs(), [Some(1), Some(1), None, None, Some(2)]);
        let lists = [Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(7); 260])];
        check(ListBuilder::new(runs()).with_values(lists.clone()));
        check(ListViewBuilder::new(Int32Builder::new()).with_values(lists));
        let pairs = [Some([Some("a"), None]), None];
        check(FixedSizeListBuilder::try_new(words(), 2).unwrap().with_values(pairs));
        let counts = [Some(vec![("a", Some(1)), ("b", None)]), None, Some(vec![])];
        check(MapBuilder::new(Utf8Builder::new(), Int32Builder::new()).with_values(counts));
        let mut rows = StructBuilder::new((("a", words()), ("b", Int32Builder::new())));
        rows.append((Some("a"), Some(1)));
        rows.append_nulls(1);
        rows.append((None::<&str>, None::<i32>));
        check(rows);
        for mode in [UnionMode::Sparse, UnionMode::Dense] {
            let children = (("a", Int32Builder::new()), ("b", Utf8Builder::new()));
            let mut union = UnionBuilder::try_new(mode, children).unwrap();
            union.append_with(|(numbers, _)| numbers.append(7));
            union.append_with(|(_, names)| names.append("ada"));
            union.append_nulls(1);
            check(union);
        }
    }
}
