//! Typed access to arrays of every type returns the same values by every method, in slices, and as a plain reading of the
//! buffers.

mod appended;
mod oracle;

use arrow_array::{
    AnyArray, Array, ColumnText, DecodedArray, DictionaryArray, Positions, RunEndEncodedArray, StructValue,
    TextCache, TextStyle, with_array,
};
use arrow_data::{ArrayData, Validation};
use testing_support::{Generator, Hunt, Nulls, all_types, schema_of_all_types, values};

const LENGTHS: [usize; 6] = [0, 1, 7, 64, 65, 200];

/// Calls `check` with arrays of every type and several lengths, with nulls, whole and as slices, validated and not.
fn for_all_arrays(mut check: impl FnMut(&str, &ArrayData)) {
    let hunt = Hunt::from_env();
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(hunt.seed(seed as u64));
        for (case, nulls) in Nulls::ALL.into_iter().enumerate() {
            for &n_slots in hunt.some_of(&LENGTHS, 3, seed + case) {
                let name = format!("{name}, {n_slots} slots, nulls: {nulls:?}");
                let array = generator.array(&data_type, n_slots, nulls);
                check(&name, &array);
                let slice = generator.sliced_array(&data_type, n_slots, nulls);
                check(&name, &slice.validate(Validation::Content).expect("generated arrays are valid"));
            }
        }
    }
}

#[test]
fn access_agrees_with_itself() {
    for_all_arrays(|name, data| {
        let any = AnyArray::try_new(data).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(any.data().checked() >= Validation::Content, "{name}");
        with_array!(&any, array => {
            check_access(name, array, data);
            // `RunEndEncodedArray` has an iterator of its own. It must return the slots in order, from both ends.
            let forward: Vec<String> = array.iter().map(|value| show(&value)).collect();
            let mut backward: Vec<String> = array.iter().rev().map(|value| show(&value)).collect();
            backward.reverse();
            assert_eq!(forward, backward, "{name}");
            let by_slot: Vec<String> = (0..array.len()).map(|slot| show(&array.get(slot))).collect();
            assert_eq!(forward, by_slot, "{name}");
            assert_eq!(array.into_iter().len(), data.len(), "{name}");
            // `fold` has loops of its own. They are tested over all slots and over some.
            for (n_front, n_back) in [(0, 0), (1, 0), (3, 66), (70, 1)] {
                let mut rest = array.iter();
                rest.by_ref().take(n_front).for_each(|_| {});
                rest.by_ref().rev().take(n_back).for_each(|_| {});
                let mut folded = Vec::new();
                rest.for_each(|value| folded.push(show(&value)));
                let end = data.len().saturating_sub(n_back);
                assert_eq!(folded, forward[n_front.min(end)..end], "{name} from {n_front} to {end}");
            }
            let mut both_ends = array.iter();
            let mut n_met = 0;
            while both_ends.next().is_some() {
                n_met += 1 + usize::from(both_ends.next_back().is_some());
            }
            assert_eq!((n_met, both_ends.len()), (array.len(), 0), "{name}");
            // `nth` after a few steps of `next`.
            let shown = |value: Option<_>| value.map(|value| show(&value));
            for (n_steps, n) in [(0, 0), (0, 5), (2, 0), (1, 63), (3, 199), (0, usize::MAX)] {
                let mut plain = forward.iter();
                let mut jumping = array.iter();
                for _ in 0..n_steps {
                    assert_eq!((shown(jumping.next()), shown(jumping.next_back())), (plain.next().cloned(), plain.next_back().cloned()));
                }
                assert_eq!(shown(jumping.nth(n)), plain.nth(n).cloned(), "{name}");
                assert_eq!(shown(jumping.next()), plain.next().cloned(), "{name}");
                assert_eq!(shown(jumping.nth_back(n)), plain.nth_back(n).cloned(), "{name}");
                assert_eq!(shown(jumping.next_back()), plain.next_back().cloned(), "{name}");
                assert_eq!(jumping.clone().count(), plain.len(), "{name}");
                assert_eq!(shown(jumping.last()), plain.last().cloned(), "{name}");
            }
        });
    });
}

fn check_access<A: Array>(name: &str, array: &A, data: &ArrayData)
where
    for<'a> A::Item<'a>: DisplayValue,
{
    assert_eq!((array.len(), array.null_count()), (data.len(), data.null_count()), "{name}");
    let n_valid = (0..array.len()).filter(|slot| array.is_valid(*slot)).count();
    assert_eq!(n_valid, array.len() - array.null_count(), "{name}");
    for (slot, item) in array.iter().enumerate() {
        assert_eq!(array.is_valid(slot), data.is_valid(slot), "{name}, slot {slot}");
        assert_eq!(array.is_valid(slot), item.is_some(), "{name}, slot {slot}");
        assert_ne!(array.is_valid(slot), array.is_null(slot), "{name}, slot {slot}");
        match item {
            Some(item) => assert_eq!(item.show(), array.value(slot).show(), "{name}, slot {slot}"),
            // `value` of a null is zero or empty, whatever the buffers contain.
            None => assert!(EMPTY.contains(&array.value(slot).show().as_str()), "{name}, slot {slot}"),
        }
    }
    for slot in [array.len(), array.len() + 1, usize::MAX] {
        let is_something = array.is_valid(slot) || array.is_null(slot) || array.get(slot).is_some();
        assert!(!is_something, "{name}, slot {slot}");
    }
}

const EMPTY: [&str; 9] = [
    "()",
    "false",
    "0",
    "0.0",
    "\"\"",
    "[]",
    "[] and []",
    "no columns",
    "IntervalDayTime { days: 0, milliseconds: 0 }",
];

/// Converts a value of any type to text, for comparisons.
trait DisplayValue {
    fn show(&self) -> String;
}

fn show<T: DisplayValue>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "null".to_owned(), DisplayValue::show)
}

macro_rules! show_debug {
    ($($item:ty),*) => {$(
        impl DisplayValue for $item {
            fn show(&self) -> String {
                format!("{self:?}")
            }
        }
    )*};
}

show_debug!((), bool, i8, i16, i32, i64, u8, u16, u32, u64, usize, f32, f64, &str, &[u8]);
show_debug!(arrow_buffer::F16, arrow_buffer::IntervalDayTime, arrow_array::UnionValue);

impl DisplayValue for arrow_buffer::I128 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl DisplayValue for arrow_buffer::I256 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl DisplayValue for arrow_buffer::IntervalMonthDayNano {
    fn show(&self) -> String {
        let zero = (self.months, self.days, self.nanoseconds) == (0, 0, 0);
        if zero { "0".to_owned() } else { format!("{self:?}") }
    }
}

impl DisplayValue for ArrayData {
    fn show(&self) -> String {
        assert!(self.checked() >= Validation::Content);
        let items = ColumnText::try_new(self, TextStyle::Json).expect("parts of valid arrays are valid");
        format!("{:?}", items.iter().collect::<Vec<_>>())
    }
}

impl DisplayValue for arrow_array::MapEntries {
    fn show(&self) -> String {
        format!("{} and {}", self.keys().show(), self.values().show())
    }
}

impl DisplayValue for StructValue<'_> {
    fn show(&self) -> String {
        let values: Vec<String> = (0..).map_while(|k| self.value_at(k)).map(|value| value.show()).collect();
        if values.is_empty() { "no columns".to_owned() } else { values.join(",") }
    }
}

#[test]
fn slices_agree_with_the_whole() {
    for_all_arrays(|name, data| {
        let any = AnyArray::try_new(data).unwrap_or_else(|error| panic!("{name}: {error}"));
        let n = data.len();
        for (start, n_slots) in [(0, n), (0, n / 2), (n / 2, n - n / 2), (n / 3, n / 3), (n, 0)] {
            with_array!(&any, array => {
                let slice = array.slice(start, n_slots);
                let expected = (n_slots, array.data().checked());
                assert_eq!((slice.len(), slice.data().checked()), expected, "{name}");
                let sliced = ColumnText::try_new(slice.data(), TextStyle::Json).expect("slices are valid");
                let whole = ColumnText::try_new(array.data(), TextStyle::Json).expect("the array is valid");
                for slot in 0..n_slots {
                    let (part, all) = (sliced.value(slot).to_string(), whole.value(start + slot).to_string());
                    assert_eq!(part, all, "{name}, slot {slot} of {n_slots} from {start}");
                }
                assert!(!slice.is_valid(n_slots));
            });
        }
    });
}

#[test]
fn any_array_agrees_with_what_it_holds() {
    for_all_arrays(|name, data| {
        let any = AnyArray::try_new(data).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((any.len(), any.is_empty()), (data.len(), data.is_empty()), "{name}");
        assert_eq!((any.data_type(), any.null_count()), (data.data_type(), data.null_count()), "{name}");
        assert_eq!(any.validity(), data.validity(), "{name}");
        for slot in (0..data.len()).chain([data.len(), usize::MAX]) {
            let is_valid = with_array!(&any, array => array.get(slot).is_some());
            let expected = (is_valid, slot < data.len() && !is_valid);
            assert_eq!((any.is_valid(slot), any.is_null(slot)), expected, "{name}, slot {slot}");
        }
        assert!(any.slice(0, any.len()) == any, "{name}");
        with_array!(&any, array => assert!(is_inside(array, &any), "{name}"));
    });
}

fn is_inside<A: Array>(array: &A, any: &AnyArray) -> bool {
    any.downcast_ref::<A>().is_some_and(|found| std::ptr::eq(found, array))
}

#[test]
fn equality_agrees_with_the_plain_reading() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        let mut arrays = Vec::new();
        for nulls in Nulls::ALL {
            // Short values, some of which are equal or are prefixes of others.
            for n_slots in [0, 1, 1, 1, 2, 40] {
                let array = generator.sliced_array(&data_type, n_slots, nulls);
                let array = array.validate(Validation::Content).expect("generated arrays are valid");
                arrays.extend([1, 2].map(|n| array.slice(array.len() / 2, array.len().min(n) / 2)));
                arrays.push(array);
            }
        }
        let arrays: Vec<_> = arrays.into_iter().map(|array| (values(&array), array)).collect();
        for (left_values, left) in &arrays {
            let left = AnyArray::try_new(left).expect("it is valid");
            assert!(left == left.clone(), "{name}");
            for (right_values, right) in &arrays {
                let right = AnyArray::try_new(right).expect("it is valid");
                assert_eq!(left == right, left_values == right_values, "{name}: {left:?} and {right:?}");
            }
        }
    }
}

#[test]
fn json_agrees_with_the_plain_reading() {
    for_all_arrays(|name, data| {
        let column =
            ColumnText::try_new(data, TextStyle::Json).unwrap_or_else(|error| panic!("{name}: {error}"));
        let checked = data.clone().validate(Validation::Content).expect("generated arrays are valid");
        for (slot, value) in values(&checked).iter().enumerate() {
            let expected = oracle::json(value, data.data_type());
            assert_eq!(column.value(slot).to_string(), expected, "{name}, slot {slot}");
        }
        // Slots read in another order have the same text, although writers remember the last run.
        for slot in (0..data.len()).rev().step_by(3) {
            let again = ColumnText::try_new(data, TextStyle::Json).expect("it was made before");
            assert_eq!(column.value(slot).to_string(), again.value(slot).to_string(), "{name}, slot {slot}");
        }
    });
}

#[test]
fn encoded_arrays_agree_with_their_values() {
    fn check<P: Positions>(
        name: &str,
        encoded: &P,
        decoded: Result<DecodedArray<P, AnyValues>, arrow_array::ArrayError>,
    ) {
        let decoded = decoded.unwrap_or_else(|error| panic!("{name}: {error}"));
        let whole = ColumnText::try_new(encoded.data(), TextStyle::Json).expect("the array is valid");
        let forward: Vec<Option<i32>> = decoded.iter().collect();
        let mut backward: Vec<Option<i32>> = decoded.iter().rev().collect();
        backward.reverse();
        assert_eq!((forward.len(), &forward), (encoded.len(), &backward), "{name}");
        // `fold` has loops of its own. They are tested over all slots and over some.
        for (n_front, n_back) in [(0, 0), (1, 0), (3, 2)] {
            let mut rest = decoded.iter();
            rest.by_ref().take(n_front).for_each(|_| {});
            rest.by_ref().rev().take(n_back).for_each(|_| {});
            let mut folded = Vec::new();
            rest.for_each(|value| folded.push(value));
            let end = forward.len().saturating_sub(n_back);
            assert_eq!(folded, forward[n_front.min(end)..end], "{name} from {n_front} to {end}");
        }
        for (slot, value) in forward.iter().enumerate() {
            assert_eq!(decoded.get(slot), *value, "{name}, slot {slot}");
            assert_eq!((decoded.is_valid(slot), decoded.is_null(slot)), (value.is_some(), value.is_none()));
            assert_eq!(decoded.value(slot), value.unwrap_or(0), "{name}, slot {slot}");
            let json = value.map_or("null".to_owned(), |value| value.to_string());
            assert_eq!(whole.value(slot).to_string(), json, "{name}, slot {slot}");
        }
        assert_eq!(decoded.get(encoded.len()), None, "{name}");
    }
    type AnyValues = arrow_array::Int32Array;

    let mut n_arrays = 0;
    let dictionaries = arrow_schema::IndexType::ALL.map(|index| {
        arrow_schema::DataType::dictionary(index, arrow_schema::DataType::Int32).expect("not nested")
    });
    let runs = arrow_schema::RunEndType::ALL
        .map(|width| arrow_schema::DataType::run_end_encoded(width, arrow_schema::DataType::Int32));
    for (seed, data_type) in dictionaries.into_iter().chain(runs).enumerate() {
        let mut generator = Generator::new(seed as u64);
        for (n_slots, nulls) in LENGTHS.into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            let data = generator.sliced_array(&data_type, n_slots, nulls);
            let name = format!("{data_type}, {n_slots} slots, {nulls:?}");
            match AnyArray::try_new(&data).unwrap_or_else(|error| panic!("{name}: {error}")) {
                AnyArray::Dictionary(array) => check::<DictionaryArray>(&name, &array, array.decoded()),
                AnyArray::RunEndEncoded(array) => {
                    check::<RunEndEncodedArray>(&name, &array, array.decoded());
                    let covered: usize = (0..array.n_runs()).map(|run| array.run_slots(run).len()).sum();
                    assert_eq!(covered, array.len(), "{name}");
                }
                other => panic!("{name} became {other:?}"),
            }
            n_arrays += 1;
        }
    }
    assert_eq!(n_arrays, (8 + 3) * LENGTHS.len() * Nulls::ALL.len());
}

#[test]
fn rows_agree_with_the_plain_reading() {
    let schema = schema_of_all_types();
    let mut cache = TextCache::new();
    for batch in Generator::new(3).batches(&schema, &[5, 0, 33]) {
        let rows = cache.rows(&batch).expect("generated batches are valid");
        assert_eq!(rows.len(), batch.n_rows());
        let checked = batch.clone().validate(Validation::Content).expect("generated batches are valid");
        for (row, values) in rows.iter().zip(testing_support::rows(&checked)) {
            assert_eq!(row.to_string(), oracle::record(schema.fields(), &values));
        }
    }
}
