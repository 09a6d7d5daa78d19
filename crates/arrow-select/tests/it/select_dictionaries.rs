//! Dictionaries of selected slots: shared, merged by value, and without unused values.

use std::{collections::HashSet, ops::Range, sync::Arc};

use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType};
use arrow_select::{GrowingArray, Select, SelectErrorKind, UnusedValues, concat};
use testing_support::{Value, values};

use testing_support::make::{binary, dictionary, fixed_size_list, int32, list, list_view, nulls, runs};

use crate::select::check;

#[test]
fn dictionaries_are_merged_by_value() {
    let of = |index: IndexType, words: &str, indices: &[i64]| {
        let offsets: Vec<i64> = (0..=words.len() as i64).collect();
        let values = binary(&DataType::Utf8, &offsets, words.as_bytes());
        dictionary(&DataType::dictionary(index, DataType::Utf8).expect("no dictionary"), indices, values)
    };
    let text = |joined: &ArrayData| {
        let dictionary = joined.dictionary().expect("a dictionary");
        dictionary.text().map_or_else(String::new, |text| text.to_string())
    };
    let (a, b) = (of(IndexType::Int8, "abc", &[2, 0, 2]), of(IndexType::Int8, "cxba", &[0, 1, 3, 3]));
    let joined = concat(&[a.clone(), b.clone()]).expect("they fit");
    // Each dictionary contributes only the values to which indices refer.
    assert_eq!(text(&joined), "acx");
    assert_eq!(joined.buffer(0).view::<i8>(), Ok(&[1, 0, 1, 1, 2, 0, 0][..]));
    // A dictionary that begins with the values of all others is used for all.
    let longer = of(IndexType::Int8, "abcdd", &[4, 3]).validate(Validation::Content).expect("it is valid");
    let joined = concat(&[a.clone(), longer.clone()]).expect("they fit");
    let (result, own) =
        (joined.dictionary().expect("a dictionary"), longer.dictionary().expect("a dictionary"));
    assert!(Arc::ptr_eq(result, own));
    // Slices and results of `take` share their dictionary, so it is used again.
    let a = a.validate(Validation::Content).expect("it is valid");
    let own = a.dictionary().expect("a dictionary");
    for result in [
        concat(&[a.slice(0, 2), a.slice(1, 2)]),
        a.take(&[2, 0]),
        a.filter(&Bitmap::from_iter([true, false, true])),
    ] {
        assert!(
            result.is_ok_and(|result| result
                .dictionary()
                .is_some_and(|dictionary| Arc::ptr_eq(dictionary, own)))
        );
    }
    // 128 values fit indices of eight bits with a sign, one more does not.
    let ints = |start: i32, n: i32| {
        let indices: Vec<i64> = (0..i64::from(n)).collect();
        let data_type = DataType::dictionary(IndexType::Int8, DataType::Int32).expect("no dictionary");
        dictionary(&data_type, &indices, int32(&(start..start + n).collect::<Vec<i32>>()))
    };
    assert!(
        concat(&[ints(0, 100), ints(50, 78)])
            .is_ok_and(|joined| joined.dictionary().is_some_and(|all| all.len() == 128))
    );
    let error = concat(&[ints(0, 100), ints(50, 79)]).expect_err("129 values");
    assert_eq!(error.to_string(), "129 values are too many for int8 indices; use a wider index type");
    // All null values of a dictionary are merged into one. Null indices need no value.
    let with_null = |bits: &str, valid: &str| {
        let data_type = DataType::dictionary(IndexType::Int8, DataType::Int32).expect("no dictionary");
        nulls(dictionary(&data_type, &[0, 1, 0], nulls(int32(&[4, 5]), bits)), valid)
    };
    let joined = concat(&[with_null("01", "111"), with_null("10", "011")]).expect("they fit");
    assert_eq!(joined.dictionary().map(|values| values.len()), Some(3));
    let seen: HashSet<Value> = values(&joined).into_iter().collect();
    assert_eq!(seen, HashSet::from([Value::Null, Value::Int(5), Value::Int(4)]));
    // The dictionary of an array that is all null does not count, whatever its indices are.
    let nulls_only = nulls(of(IndexType::Int8, "cbxyz", &[4, 3]), "00");
    let joined = concat(&[nulls_only.clone(), a.clone(), nulls_only.slice(0, 0)]).expect("they fit");
    assert_eq!((text(&joined).as_str(), joined.null_count()), ("abc", 2));
    assert_eq!(joined.buffer(0).view::<i8>(), Ok(&[0, 0, 2, 0, 2][..]));
    let joined = concat(&[nulls_only.slice(0, 1), nulls_only]).expect("they fit");
    assert_eq!((joined.len(), joined.null_count()), (3, 3));
}

#[test]
fn values_that_no_index_refers_to_are_left_out() {
    let words = binary(&DataType::Utf8, &[0, 1, 2, 3, 4, 5], b"abcad");
    let of = |indices: &[i64], bits: &str| {
        let data_type = DataType::dictionary(IndexType::UInt16, DataType::Utf8).expect("no dictionary");
        nulls(dictionary(&data_type, indices, words.clone()), bits)
    };
    for (indices, bits, expected) in [
        (&[4, 1, 4, 1][..], "1111", "bd"),
        (&[4, 1, 4, 2], "1011", "cd"),
        (&[3, 2, 0], "111", "aca"),
        (&[1, 2], "00", ""),
        (&[0, 1, 2, 3, 4], "11111", "abcad"),
        (&[], "", ""),
    ] {
        let array = of(indices, bits);
        let compact = check(
            array.clone().validate(Validation::Content).unwrap().with_used_values(UnusedValues::Remove),
            &values(&array),
            expected,
        );
        let dictionary = compact.dictionary().expect("a dictionary");
        assert_eq!(dictionary.text().map_or_else(String::new, |text| text.to_string()), expected);
    }
    // There are many values and few indices. The work is in proportion to the indices.
    let many = int32(&(0..100_000).collect::<Vec<i32>>());
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).expect("no dictionary");
    let compact =
        dictionary(&data_type, &[77_777, 5], many).with_used_values(UnusedValues::Remove).expect("inside");
    assert_eq!(compact.dictionary().map(|values| values.len()), Some(2));
    assert_eq!(int32(&[1]).with_used_values(UnusedValues::Remove).map(|same| same.len()), Ok(1));
    // The dictionary has more values than bytes.
    let endless = ArrayData::try_new(ArrayParts::new(DataType::Null, 1 << 40)).expect("sound");
    let data_type = DataType::dictionary(IndexType::Int64, DataType::Null).expect("no dictionary");
    let compact = dictionary(&data_type, &[1 << 39, 5], endless)
        .with_used_values(UnusedValues::Remove)
        .expect("inside");
    assert_eq!((compact.len(), compact.dictionary().map(|values| values.len())), (2, Some(2)));
}

#[test]
fn ranges_are_taken_in_their_order() {
    let numbers = int32(&[10, 11, 12, 13, 14]);
    let taken = |ranges: &[Range<usize>]| {
        numbers
            .take_ranges(ranges)
            .map(|taken| taken.buffer(0).view::<i32>().expect("whole")[..taken.len()].to_vec())
    };
    assert_eq!(taken(&[3..5, 0..1, 2..2, 4..5]), Ok(vec![13, 14, 10, 14]));
    assert_eq!(taken(&[]), Ok(vec![]));
    for wrong in [4..6, 6..6, 0..usize::MAX] {
        let error = taken(&[0..1, wrong.clone()]).expect_err("out of bounds");
        assert!(
            matches!(error.kind(), SelectErrorKind::TakeOutOfRange { position: 1, .. }),
            "{wrong:?}: {error}"
        );
    }
    let reversed = taken(&[0..1, numbers.len()..2]).map_err(|error| error.to_string());
    assert_eq!(reversed, Err("range 5..2 at position 1 begins after its end".to_owned()));
    // The array has more slots than bytes.
    let endless = ArrayData::try_new(ArrayParts::new(DataType::Null, 1 << 40)).expect("sound");
    assert_eq!(endless.take_ranges(&[1 << 39..1 << 40, 7..9]).map(|taken| taken.len()), Ok((1 << 39) + 2));
}

#[test]
fn dictionaries_of_long_values_that_begin_alike_are_merged() {
    // The values differ only in their last item. Half of the values are in both dictionaries.
    const N_VALUES: i32 = 400;
    const N_ITEMS: i32 = 200;
    let of = |first: i32| {
        let items = (first..first + N_VALUES)
            .flat_map(|value| (0..N_ITEMS).map(move |item| if item == N_ITEMS - 1 { value } else { item }));
        let offsets: Vec<i64> = (0..=i64::from(N_VALUES)).map(|slot| slot * i64::from(N_ITEMS)).collect();
        let item = Field::new("item", DataType::Int32);
        let lists = list(&DataType::list(item), &offsets, int32(&items.collect::<Vec<i32>>()));
        let indices: Vec<i64> = (0..i64::from(N_VALUES)).collect();
        let data_type = DataType::dictionary(IndexType::Int16, lists.data_type().clone());
        dictionary(&data_type.expect("no dictionary"), &indices, lists)
    };
    let (a, b) = (of(0), of(N_VALUES / 2));
    let joined = concat(&[a.clone(), b.clone()]).expect("they fit");
    assert_eq!(joined.dictionary().map(|values| values.len()), Some(N_VALUES as usize * 3 / 2));
    assert_eq!(joined.slice(0, a.len()).same_values(&a), Ok(true));
    assert_eq!(joined.slice(a.len(), b.len()).same_values(&b), Ok(true));
}

/// Memory is in proportion to the slots, not to the number of dictionaries times their values.
#[test]
fn many_dictionaries_are_merged_in_little_memory() {
    const N: i32 = 1_000;
    let words = |first: i32| (first..first + N).collect::<Vec<i32>>();
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).expect("no dictionary");
    let parts = (0..N).map(|k| dictionary(&data_type, &[i64::from(k)], int32(&words(k))));
    let parts: Vec<ArrayData> =
        parts.map(|part| part.validate(Validation::Content).expect("valid")).collect();
    let (joined, usage) = testing_support::CountingAllocator.measure(|| concat(&parts).expect("they fit"));
    let doubled: Vec<Value> = (0..N).map(|k| Value::Int(i128::from(2 * k))).collect();
    assert_eq!(values(&joined), doubled);
    assert!(usage.peak_bytes < 2_000_000, "{usage:?}");
}

/// If values written out in full exceed the limit, dictionaries are not merged.
#[test]
fn values_that_unfold_without_end_are_not_merged() {
    let of = |first: i32| {
        let deep = (0..60).fold(int32(&[first, 2]), |child, _| {
            let data_type = DataType::list_view(Field::new("item", child.data_type().clone()));
            list_view(&data_type, &[0, 0], &[2, 2], child)
        });
        let data_type = DataType::dictionary(IndexType::Int8, deep.data_type().clone());
        dictionary(&data_type.expect("no dictionary"), &[0, 1], deep)
    };
    let error = concat(&[of(1), of(3)]).expect_err("2⁶⁰ items");
    assert!(matches!(error.kind(), SelectErrorKind::ValueBytes { .. }), "{error}");
    assert!(concat(&[of(1), of(1)]).is_ok());
}

/// The dictionaries have too many values to compare one by one, so all values are compared at once.
#[test]
fn dictionaries_of_values_without_bytes_are_compared_at_once() {
    const N_VALUES: usize = 1 << 40;
    let empty = |n| ArrayData::try_new(ArrayParts::new(DataType::Null, n)).expect("sound");
    let one_run = |n: usize| runs(RunEndType::Int64, n, &[n as i64], nulls(int32(&[7]), "1"));
    let structs = |n| {
        let children: Option<Arc<[ArrayData]>> = Some(Arc::new([empty(n), one_run(n)]));
        let fields = [Field::new("a", DataType::Null), Field::new("b", one_run(1).data_type().clone())];
        ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(DataType::struct_(fields), n) })
            .expect("sound")
    };
    let pairs = |n| fixed_size_list(Field::new("item", DataType::Null), n, 2, empty(2 * n));
    let makes: [&dyn Fn(usize) -> ArrayData; 4] = [&empty, &one_run, &structs, &pairs];
    for make in makes {
        let of = |n_values: usize| {
            let values = make(n_values);
            let data_type = DataType::dictionary(IndexType::Int64, values.data_type().clone());
            dictionary(&data_type.expect("no dictionary"), &[0, n_values as i64 - 1], values)
        };
        for shorter in [N_VALUES, N_VALUES - 1] {
            let (short, long) = (of(shorter), of(N_VALUES));
            let joined = concat(&[short, long.clone()]).expect("they fit");
            assert_eq!(joined.dictionary().map(|values| values.len()), Some(N_VALUES));
            check_grown(&joined, &long);
        }
    }
}

/// A `GrowingArray` makes the same comparison for its parts.
fn check_grown(part: &ArrayData, next: &ArrayData) {
    let part = part.clone().validate(Validation::Content).expect("valid");
    let growing = GrowingArray::new(part.data_type()).append(&part, u64::MAX).expect("a part");
    let grown = growing.append(next, u64::MAX).expect("a part").array();
    assert_eq!(grown.dictionary().map(|values| values.len()), part.dictionary().map(|values| values.len()));
}
