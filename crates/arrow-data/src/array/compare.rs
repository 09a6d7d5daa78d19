//! Compares the values of two columns in any layouts, and finds the first difference.

use std::ops::Range;

mod bytes;
mod difference;
mod find;
mod joined;
mod memo;
mod node;
mod raw;
mod runs;
mod side;

pub use self::difference::{ColumnDifference, DifferenceKind};

use self::node::{CheckedPair, ChildReferences, FieldNames, NodePair};

use crate::{
    array::{ArrayData, positions::check_range},
    error::{DataError, DataErrorKind},
    validation::Validation,
};

/// Compares slots of a pair of columns by value, as [`ArrayData::same_values`] does.
///
/// The columns may differ in length and layout. A range of the left column is compared with a range of the right
/// column. So files can be compared even if their batches begin at different rows.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_data::Comparer;
/// use arrow_schema::DataType;
///
/// let ints = |values: Vec<i32>| {
///     let parts = ArrayParts::new(DataType::Int32, values.len());
///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(values), Buffer::new()], ..parts })
/// };
/// let mut comparer = Comparer::try_new(&ints(vec![1, 2, 3, 4])?, &ints(vec![3, 5])?)?;
/// assert!(!comparer.differs(2, 0)?);
/// let difference = comparer.first_difference(2..4, 0)?.expect("5 is not 4");
/// assert_eq!((difference.left_slot(), difference.right_slot()), (3, 1));
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Debug)]
pub struct Comparer {
    n_left: usize,
    n_right: usize,
    node: Box<NodePair>,
}

impl Comparer {
    /// Prepares to compare slots of these columns. Copies no data. Unchecked content is checked.
    ///
    /// # Errors
    /// If a column is invalid, or if their types cannot have the same values
    /// ([`Incomparable`](crate::DataErrorKind::Incomparable)).
    pub fn try_new(left: &ArrayData, right: &ArrayData) -> Result<Comparer, DataError> {
        let (n_left, n_right) = (left.len(), right.len());
        let pair = Box::new(CheckedPair(checked(left)?, checked(right)?));
        let node = NodePair::try_new(pair, FieldNames::Matter, ChildReferences::Unique)?;
        Ok(Comparer { n_left, n_right, node })
    }

    /// Whether the value in slot `left` of the left column differs from the value in slot `right` of the right one.
    ///
    /// # Errors
    /// If a column does not have the slot.
    pub fn differs(&mut self, left: usize, right: usize) -> Result<bool, DataError> {
        Ok(self.first_mismatch(left..left.saturating_add(1), right)?.is_some())
    }

    /// Compares the slots `left` of the left column with as many slots of the right column, from slot `right_start` on.
    /// Returns how many values are equal before the first difference; `None` if all are equal. Few slots after the
    /// difference are compared, so all differences of two columns can be found one after another.
    ///
    /// # Errors
    /// If a column does not have the slots.
    pub fn first_mismatch(
        &mut self,
        left: Range<usize>,
        right_start: usize,
    ) -> Result<Option<usize>, DataError> {
        let n_slots = left.end.saturating_sub(left.start);
        check_range(left.start, n_slots, self.n_left)?;
        check_range(right_start, n_slots, self.n_right)?;
        Ok(self.mismatch_inside(left.start, right_start, n_slots))
    }

    /// Like [`first_mismatch`](Comparer::first_mismatch), but returns the field and the values that differ.
    ///
    /// # Errors
    /// If a column does not have the slots.
    pub fn first_difference(
        &mut self,
        left: Range<usize>,
        right_start: usize,
    ) -> Result<Option<ColumnDifference>, DataError> {
        let start = left.start;
        let n_equal = self.first_mismatch(left, right_start)?;
        Ok(n_equal.map(|n| self.difference_at(start + n, right_start + n)))
    }

    /// Like [`first_mismatch`](Comparer::first_mismatch), for slots that both columns have.
    pub(crate) fn mismatch_inside(&mut self, left: usize, right: usize, n_slots: usize) -> Option<usize> {
        self.node.find_near(left, right, n_slots)
    }

    /// The field and the values that differ in a pair of slots that are not equal.
    pub(crate) fn difference_at(&mut self, left: usize, right: usize) -> ColumnDifference {
        difference::find_difference(&mut self.node, left, right)
    }
}

/// The result of [`ArrayData::begins_with`].
pub(super) fn begins_with(array: &ArrayData, start: &ArrayData) -> Result<bool, DataError> {
    if start.len() > array.len() {
        return Ok(false);
    }
    match Comparer::try_new(start, array) {
        Ok(mut comparer) => Ok(comparer.node.find(0, 0, start.len()).is_none()),
        Err(error) if matches!(error.kind(), DataErrorKind::Incomparable { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn checked(array: &ArrayData) -> Result<ArrayData, DataError> {
    array.clone().validate(Validation::Content)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_buffer::{Buffer, NativeType, View};
    use arrow_schema::{DataType, Field, IndexType, RunEndType};

    use super::{Comparer, node::LeafPair, *};
    use crate::ArrayParts;

    /// The number of slots, items and bytes of each column.
    const N: usize = 20_000;

    fn fixed<T: NativeType>(data_type: DataType, values: Vec<T>) -> ArrayData {
        let parts = ArrayParts::new(data_type, values.len());
        ArrayData::try_new(ArrayParts { buffers: [values.into(), Buffer::new()], ..parts }).expect("numbers")
    }

    /// List views that overlap. The slot `i` has most of the items, from `start(i)` on.
    fn lists(items: ArrayData, start: impl Fn(usize) -> usize) -> ArrayData {
        let offsets = (0..N).map(|slot| start(slot) as i32).collect::<Vec<i32>>();
        let sizes = (0..N).map(|slot| (N - 200 - slot * 37 % 1000) as i32).collect::<Vec<i32>>();
        let data_type = DataType::list_view(Field::new("item", items.data_type().clone()));
        let parts = ArrayParts {
            buffers: [offsets.into(), sizes.into()],
            children: Some(Arc::new([items])),
            ..ArrayParts::new(data_type, N)
        };
        ArrayData::try_new(parts).expect("inside of the items")
    }

    /// `N` slots in runs of `n_run_slots` slots. The value of a run is what `value` returns.
    fn runs(n_run_slots: usize, value: impl Fn(usize) -> u8) -> ArrayData {
        let ends: Vec<i32> =
            (1..).map(|run| (run * n_run_slots).min(N) as i32).take(N.div_ceil(n_run_slots)).collect();
        let values = fixed(DataType::UInt8, (0..ends.len()).map(value).collect());
        let children: Arc<[ArrayData]> = Arc::new([fixed(DataType::Int32, ends), values]);
        let data_type = DataType::run_end_encoded(RunEndType::Int32, DataType::UInt8);
        ArrayData::try_new(ArrayParts { children: Some(children), ..ArrayParts::new(data_type, N) })
            .expect("runs")
    }

    fn structs(items: ArrayData) -> ArrayData {
        let data_type = DataType::struct_([Field::new("a", items.data_type().clone())]);
        let parts = ArrayParts::new(data_type, items.len());
        ArrayData::try_new(ArrayParts { children: Some(Arc::new([items])), ..parts }).expect("a struct")
    }

    /// `N` binary values, each with nearly all of the bytes.
    fn views(bytes: &[u8]) -> ArrayData {
        let view = |slot: usize| {
            let start = slot % 7;
            let n = bytes.len() - 7 - slot * 37 % 1000;
            View::long(&bytes[start..start + n], 0, start as i32).expect("long")
        };
        let parts = ArrayParts {
            buffers: [(0..N).map(view).collect::<Vec<View>>().into(), Buffer::new()],
            variadic: Some(Arc::new([Buffer::copy_from(bytes)])),
            ..ArrayParts::new(DataType::BinaryView, N)
        };
        ArrayData::try_new(parts).expect("inside of the bytes")
    }

    fn n_compared(node: &NodePair) -> usize {
        let below = match &node.body {
            LeafPair::Nulls | LeafPair::Bits(_) | LeafPair::Fixed(_) => 0,
            LeafPair::Bytes(bytes) => bytes.n_compared(),
            LeafPair::Structs(fields) => fields.iter().map(|field| n_compared(field)).sum(),
            LeafPair::Lists { left: _, right: _, items } => n_compared(items),
            LeafPair::Unions(unions) => unions.children.iter().map(|(_, child)| n_compared(child)).sum(),
        };
        let memos = [&node.slots, &node.values].into_iter().flatten();
        let n_in_runs = node.runs.as_ref().map_or(0, |runs| runs.n_compared());
        memos.map(|memo| memo.n_compared()).sum::<usize>() + n_in_runs + below
    }

    /// Without a memo, each of these comparisons takes N * N steps. If ranges may begin at any slot, one block is
    /// compared for each range.
    #[test]
    fn shared_items_and_bytes_are_not_compared_for_each_slot() {
        let count = || fixed(DataType::Int32, (0..N as i32).collect());
        let zeros = || fixed(DataType::Int32, vec![0_i32; N]);
        let bits = || {
            let parts = ArrayParts::new(DataType::Boolean, N);
            let buffers = [Buffer::from(vec![7_u8; N.div_ceil(8)]), Buffer::new()];
            ArrayData::try_new(ArrayParts { buffers, ..parts }).expect("bits")
        };
        let bytes: Vec<u8> = (0..N).map(|k| (k % 251) as u8).collect();
        let few = |slot: usize| slot % 7;
        let cases = [
            ("copies", lists(count(), few), lists(count(), few), 5),
            ("structs", lists(structs(count()), few), lists(structs(count()), few), 10),
            ("lists", lists(lists(count(), few), few), lists(lists(count(), few), few), 20),
            ("zeros", lists(zeros(), |slot| slot % 151), lists(zeros(), |slot| slot % 199), 512),
            ("runs", lists(runs(1, |run| run as u8), few), lists(runs(1, |run| run as u8), few), 20),
            ("long runs", lists(runs(3, |run| run as u8), few), lists(runs(3, |run| run as u8), few), 10),
            (
                "equal runs",
                lists(runs(1, |_| 7), |slot| slot % 151),
                lists(runs(2, |_| 7), |slot| slot % 199),
                20,
            ),
            (
                "runs in pairs",
                lists(runs(1, |run| (run / 2) as u8), few),
                lists(runs(2, |run| run as u8), few),
                20,
            ),
            ("bits", lists(bits(), |slot| slot % 8 * 8), lists(bits(), |slot| slot % 16 * 8), 512),
            ("views", views(&bytes), views(&bytes), 5),
        ];
        for (name, left, right, factor) in cases {
            let mut comparer = Comparer::try_new(&left, &right).expect("one type");
            assert_eq!(comparer.first_mismatch(0..N, 0), Ok(None), "{name}");
            let (left, right) = (left.slice(N / 2, N / 2), right.slice(N / 2, N / 2));
            let mut sliced = Comparer::try_new(&left, &right).expect("one type");
            assert_eq!(sliced.first_mismatch(0..N / 2, 0), Ok(None), "{name}");
            for comparer in [comparer, sliced] {
                let n = n_compared(&comparer.node);
                assert!(n <= factor * N, "{name}: {} times", n / N);
            }
        }
    }

    #[test]
    fn wide_values_of_dictionaries_are_compared_once() {
        // Dictionary indices that pair every value of one side with every value of the other. All values are equal.
        let wide = |indices: &[i32]| {
            let values = DataType::fixed_size_binary(5000).expect("a small size");
            let parts = ArrayParts::new(values.clone(), 5);
            let buffers = [Buffer::from(vec![7_u8; 25_000]), Buffer::new()];
            let values_of = ArrayData::try_new(ArrayParts { buffers, ..parts }).expect("values");
            let indices = indices.iter().copied().cycle().take(N).collect::<Vec<i32>>();
            let parts = ArrayParts::new(DataType::dictionary(IndexType::Int32, values).expect("values"), N);
            let buffers = [Buffer::from(indices), Buffer::new()];
            ArrayData::try_new(ArrayParts { buffers, dictionary: Some(Arc::new(values_of)), ..parts })
                .expect("inside of the values")
        };
        let mut comparer =
            Comparer::try_new(&wide(&[0, 1, 2, 3]), &wide(&[3, 1, 0, 2, 4])).expect("one type");
        assert_eq!(comparer.first_mismatch(0..N, 0), Ok(None));
        // The comparisons join sets of values: four values on the left and five on the right become one set.
        assert_eq!(n_compared(&comparer.node), 8);
    }

    #[test]
    fn a_difference_in_the_middle_is_found_in_every_slot() {
        let changed = |at: usize| {
            let mut items: Vec<i32> = (0..N as i32).collect();
            items[at] = -1;
            fixed(DataType::Int32, items)
        };
        let items = fixed(DataType::Int32, (0..N as i32).collect());
        let (left, right) = (lists(items, |slot| slot % 7), lists(changed(N / 2), |slot| slot % 7));
        let mut comparer = Comparer::try_new(&left, &right).expect("one type");
        for slot in 0..N {
            assert_eq!(comparer.differs(slot, slot), Ok(true));
        }
        let n = n_compared(&comparer.node);
        // For each slot, about one block is compared.
        assert!(n <= 300 * N, "{} times", n / N);
        let difference = comparer.first_difference(8..N, 8).expect("inside").expect("they differ");
        assert_eq!((difference.left_slot(), difference.to_string()), (8, format!("[{}]", N / 2 - 1)));
    }

    /// If each search went on to the end, this would take N * N steps.
    #[test]
    fn all_differences_are_found_in_one_pass() {
        let numbers = |value: i32| fixed(DataType::Int32, vec![value; N]);
        let pairs = |second: i32| {
            let fields = ["a", "b"].map(|name| Field::new(name, DataType::Int32));
            let parts = ArrayParts::new(DataType::struct_(fields), N);
            let children = Some([numbers(0), numbers(second)].into());
            ArrayData::try_new(ArrayParts { children, ..parts }).expect("two columns")
        };
        let singles = |value: i32| {
            let data_type = DataType::list(Field::new("item", DataType::Int32));
            let offsets = (0..=N as i32).collect::<Vec<i32>>();
            let parts = ArrayParts::new(data_type, N);
            let buffers = [offsets.into(), Buffer::new()];
            ArrayData::try_new(ArrayParts { buffers, children: Some([numbers(value)].into()), ..parts })
                .expect("lists of one item")
        };
        let words = |value: i32| {
            let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).expect("numbers");
            let buffers = [vec![0_i32; N].into(), Buffer::new()];
            let dictionary = Some(fixed(DataType::Int32, vec![value; N / 2]).into());
            ArrayData::try_new(ArrayParts { buffers, dictionary, ..ArrayParts::new(data_type, N) })
                .expect("inside of the values")
        };
        let cases =
            [(pairs(1), pairs(2)), (singles(1), singles(2)), (words(1), words(2)), (numbers(1), numbers(2))];
        for (left, right) in cases {
            let mut comparer = Comparer::try_new(&left, &right).expect("one type");
            let before = arrow_schema::work_done();
            for slot in 0..N {
                assert_eq!(comparer.first_mismatch(slot..N, slot), Ok(Some(0)));
            }
            let n_steps = (arrow_schema::work_done() - before) as usize;
            assert!(n_steps <= 16 * N, "{} steps for each slot", n_steps / N);
        }
    }

    #[test]
    fn runs_inside_of_structs_are_compared_run_by_run() {
        let n_slots = 1_i64 << (usize::BITS - 2);
        let run_ended = |values: ArrayData| {
            let ends = fixed(DataType::Int64, vec![5, n_slots]);
            let data_type = DataType::run_end_encoded(RunEndType::Int64, values.data_type().clone());
            let parts = ArrayParts::new(data_type, n_slots as usize);
            ArrayData::try_new(ArrayParts { children: Some([ends, values].into()), ..parts }).expect("runs")
        };
        let pairs = |items: ArrayData| {
            let data_type = DataType::fixed_size_list(Field::new("item", items.data_type().clone()), 2);
            let parts = ArrayParts::new(data_type.expect("a small size"), items.len() / 2);
            ArrayData::try_new(ArrayParts { children: Some([items].into()), ..parts }).expect("pairs")
        };
        let numbers = |numbers: &[i32]| fixed(DataType::Int32, numbers.to_vec());
        let inside = structs(run_ended(numbers(&[1, 2])));
        let n = n_slots as usize;
        let outside = |second: i32| run_ended(structs(numbers(&[1, second])));
        for (second, at) in [(2, None), (3, Some(5))] {
            for (left, right) in [(&inside, &outside(second)), (&outside(second), &inside)] {
                let mut comparer = Comparer::try_new(left, right).expect("one type");
                assert_eq!(comparer.first_mismatch(0..n, 0), Ok(at));
            }
        }
        let inside = pairs(run_ended(numbers(&[1, 2])));
        let outside = run_ended(pairs(numbers(&[1, 1, 2, 2])));
        let mut comparer = Comparer::try_new(&inside, &outside).expect("one type");
        assert_eq!(comparer.first_mismatch(0..n / 2, 0), Ok(Some(2)));
        assert_eq!(comparer.first_mismatch(5..n / 2, 5), Ok(None));
    }
}
