//! A growing array has the same values as the concatenation of its parts, for every type. Earlier snapshots stay the
//! same. Copies are in proportion to the parts.

use std::sync::Arc;

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind as Kind, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};
use arrow_select::{GrowingArray, SelectError, SelectErrorKind, concat};
use proptest::prelude::*;
use testing_support::{Generator, Nulls, Value, all_types, values};

use testing_support::make::{
    array, binary, dictionary, fixed_size_list, int32, list, list_view, nulls, runs, struct_, union,
};

/// Appends these parts, one after the other.
fn grown(parts: &[ArrayData]) -> Result<GrowingArray, SelectError> {
    let first = parts.first().expect("a part");
    parts
        .iter()
        .try_fold(GrowingArray::new(first.data_type()), |growing, part| growing.append(part, u64::MAX))
}

/// Checks that the array has these values, and that a check at its level succeeds.
fn check(array: &ArrayData, expected: &[Value], level: Validation, what: &str) {
    assert_eq!(values(array), expected, "{what}");
    assert!(array.checked() >= level, "{what}: {:?}", array.checked());
    assert_eq!(array.declared_null_count(), None, "{what}");
    let again = ArrayData::try_new(array.clone().into_parts()).expect(what);
    assert_eq!(again.null_count(), array.null_count(), "{what}");
    again.validate(array.checked()).expect(what);
    let is_text = [DataType::Utf8, DataType::LargeUtf8].contains(array.data_type());
    assert_eq!(array.text().is_some(), is_text, "{what}");
    assert_eq!(array.text_views().is_some(), *array.data_type() == DataType::Utf8View, "{what}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn agrees_with_concatenation(seed: u64, sizes in prop::collection::vec(0..50_usize, 1..6), is_strict: bool) {
        let mut generator = Generator::new(seed);
        for (name, data_type) in all_types() {
            let level = if is_strict { Validation::Strict } else { Validation::Structure };
            let parts: Vec<ArrayData> = sizes.iter().map(|n_slots| {
                let nulls = *generator.rng().pick(&Nulls::ALL);
                let part = generator.sliced_array(&data_type, *n_slots, nulls);
                if is_strict { part.validate(Validation::Strict).expect(&name) } else { part }
            }).collect();
            let level = level.max(Validation::Content);
            let mut growing = GrowingArray::new(&data_type);
            let mut expected: Vec<Value> = Vec::new();
            let mut snapshots: Vec<(ArrayData, usize)> = Vec::new();
            for (n_parts, part) in parts.iter().enumerate() {
                match growing.append(part, u64::MAX) {
                    Ok(longer) => growing = longer,
                    Err(error) => {
                        match concat(&parts[..=n_parts]) {
                            Err(refused) => prop_assert_eq!(refused.kind(), error.kind()),
                            // All items are appended, also items that slots share, and so are their dictionaries.
                            Ok(_) => {
                                let is_full = matches!(error.kind(), SelectErrorKind::IndexOverflow { .. });
                                prop_assert!(is_full && data_type.to_string().contains("dense_union"), "{}", error);
                            }
                        }
                        break;
                    }
                }
                expected.extend(values(part));
                prop_assert_eq!(growing.len(), expected.len());
                if n_parts % 2 == 0 {
                    snapshots.push((growing.array(), expected.len()));
                }
                check(&growing.array(), &expected, level, &name);
            }
            for (array, n_slots) in snapshots {
                check(&array, &expected[..n_slots], level, &name);
            }
        }
    }
}

#[test]
fn what_was_not_checked_is_checked() {
    let good = binary(&DataType::Utf8, &[0, 1, 3], b"abc");
    let bad = binary(&DataType::Utf8, &[0, 2, 1], b"abc");
    let error = grown(&[good.clone(), bad]).expect_err("offsets go back");
    assert!(matches!(error.data().map(DataError::kind), Some(Kind::OffsetsDecrease { .. })), "{error}");
    let error = grown(&[good.clone(), int32(&[1])]).expect_err("two types");
    assert!(matches!(error.data().map(DataError::kind), Some(Kind::TypeMismatch { .. })), "{error}");
    // If all parts are checked at the strict level, so is the array.
    let strict = good.clone().validate(Validation::Strict).expect("it is");
    for (parts, level) in [
        (vec![strict.clone()], Validation::Strict),
        (vec![strict.clone(), strict.clone()], Validation::Strict),
        (vec![strict.clone(), good.clone(), strict.clone()], Validation::Content),
        (vec![strict, good.slice(0, 0)], Validation::Strict),
    ] {
        assert_eq!(grown(&parts).map(|growing| growing.array().checked()), Ok(level));
    }
    let none = GrowingArray::new(&DataType::Utf8);
    assert_eq!((none.is_empty(), none.array().len(), none.array().checked()), (true, 0, Validation::Strict));
}

/// Null slots may have any content: text that is not UTF-8, and any views and offsets.
#[test]
fn null_slots_hold_anything() {
    let text = nulls(binary(&DataType::Utf8, &[0, 1, 2, 4], "äzz".as_bytes()), "001");
    let no_text = nulls(binary(&DataType::Utf8, &[0, 1, 3], b"\xffok"), "01");
    let growing = grown(&[text.clone(), no_text, text]).expect("valid");
    let word = |text: &str| Value::Str(text.to_owned());
    let expected =
        [Value::Null, Value::Null, word("zz"), Value::Null, word("ok"), Value::Null, Value::Null, word("zz")];
    check(&growing.array(), &expected, Validation::Content, "text");
    assert_eq!(growing.array().text().map(|text| &**text), Some("zzokzz"));

    let views = vec![View::from_parts(-3, *b"none", 7, -1), View::inline(b"short").expect("it is")];
    let views = nulls(
        array(ArrayParts {
            buffers: [Buffer::from(views), Buffer::new()],
            ..ArrayParts::new(DataType::BinaryView, 2)
        }),
        "01",
    );
    let growing = grown(&[views.clone(), views]).expect("valid");
    let bytes = Value::Bytes(b"short".to_vec());
    check(&growing.array(), &[Value::Null, bytes.clone(), Value::Null, bytes], Validation::Content, "views");
}

/// Null items take no memory, so a list of them can reach the largest offset.
#[test]
fn what_does_not_fit_is_an_error() {
    let many = |n_slots| array(ArrayParts::new(DataType::Null, n_slots));
    let item = || Field::new("item", DataType::Null);
    let half = 1_usize << 30;
    let lists = list(&DataType::list(item()), &[0, half as i64], many(half));
    let below = list(&DataType::list(item()), &[0, half as i64 - 1], many(half));
    let views = list_view(&DataType::list_view(item()), &[0], &[half as i64], many(half));
    let last_view = list_view(&DataType::list_view(item()), &[half as i64 - 1], &[1], many(half));
    let large = list(&DataType::large_list(item()), &[0, half as i64], many(half));
    let unions = |n_items: usize, offset: i32| {
        let data_type = DataType::union(UnionMode::Dense, [(5, item())]).expect("one id");
        let buffers = [Buffer::from(vec![5_i8]), Buffer::from(vec![offset])];
        array(ArrayParts {
            buffers,
            children: Some(Arc::new([many(n_items)])),
            ..ArrayParts::new(data_type, 1)
        })
    };
    let int16_runs = |n_slots: usize| runs(RunEndType::Int16, n_slots, &[n_slots as i64], int32(&[7]));
    let sized = fixed_size_list(item(), 1 << 33, 1 << 30, many(1 << 63));
    for (parts, expected) in [
        (vec![lists.clone(), lists.clone()], "list<item: null> cannot hold so many bytes or items"),
        (vec![lists, below], ""),
        (
            vec![views.clone(), views.clone(), last_view.clone()],
            "list_view<item: null> cannot hold so many bytes or items",
        ),
        (vec![views, last_view], ""),
        (vec![large.clone(), large.clone(), large], ""),
        (
            vec![unions(half, 0), unions(half, half as i32 - 1), unions(1, 0)],
            "the child of type id 5 has too many values",
        ),
        (vec![unions(half, 0), unions(half, half as i32 - 1)], ""),
        (vec![int16_runs(30_000), int16_runs(2_767)], ""),
        (vec![int16_runs(30_000), int16_runs(2_768)], "32768 slots are too many for int16 run ends"),
        (vec![many(usize::MAX), many(1)], "1 slots need more bytes"),
        (vec![sized.clone(), sized], "field `item`: 9223372036854775808 slots need more bytes"),
    ] {
        let message = grown(&parts).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(message.is_empty(), expected.is_empty(), "{message}, {expected}");
        assert!(message.contains(expected), "{message}, not {expected}");
    }
}

/// At most `max_bytes` bytes are copied, for shared bytes, bits of slots without bytes, and slices of large arrays.
#[test]
fn copies_are_counted() {
    let many = || {
        let data_type =
            DataType::fixed_size_list(Field::new("item", DataType::Int8), 0).expect("a small size");
        let children: Option<Arc<[ArrayData]>> = Some(Arc::new([ArrayData::new_empty(&DataType::Int8)]));
        array(ArrayParts { children, ..ArrayParts::new(data_type, 1 << 40) })
    };
    let one_null = nulls(many().slice(0, 1), "0");
    let growing = GrowingArray::new(many().data_type()).append(&many(), 0).expect("nothing is copied");
    let error = growing.append(&one_null, 1 << 20).expect_err("2^37 bytes of ones");
    assert!(
        matches!(error.kind(), SelectErrorKind::TooManyCopies { limit: 0x10_0000, n_bytes: 0x20_0000_0001 }),
        "{error}"
    );

    let numbers = int32(&[7; 1000]);
    let columns = (0..10).map(|_| (Field::new("n", DataType::Int32), numbers.clone())).collect();
    let shared = struct_(columns);
    let growing = GrowingArray::new(shared.data_type()).append(&shared, 40_000).expect("ten times");
    assert_eq!(growing.n_bytes_copied(), 40_000);
    let error = growing.append(&shared.slice(0, 1), 40_039).expect_err("one column too many");
    assert_eq!(
        error.to_string(),
        "field `n`: appending to the array would copy 40040 bytes in all; the limit is 40039"
    );
}

fn dictionary_of(words: &ArrayData, indices: &[i64]) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int32, words.data_type().clone()).expect("no dictionary");
    dictionary(&data_type, indices, words.clone())
}

/// If two dictionaries are snapshots of one growing array, their values are not compared.
#[test]
fn dictionaries_that_grow_are_taken_as_they_are() {
    let word = |k: usize| binary(&DataType::Utf8, &[0, 40], format!("{k:040}").as_bytes());
    let mut words = GrowingArray::new(&DataType::Utf8);
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Utf8).expect("no dictionary");
    let mut growing = GrowingArray::new(&data_type);
    let n_rounds = 1_000;
    for k in 0..n_rounds {
        words = words.append(&word(k), u64::MAX).expect("it fits");
        let part =
            dictionary_of(&words.array(), &[k as i64, 0]).validate(Validation::Content).expect("valid");
        growing = growing.append(&part, u64::MAX).expect("it fits");
        assert_eq!(growing.array().dictionary().map(|values| values.len()), Some(k + 1));
    }
    // Offsets and text each move to other memory about ten times; then the values are compared.
    let n_bytes_of_values = words.array().n_bytes();
    let limit = n_rounds as u64 * 8 + 4 * n_bytes_of_values;
    assert!(growing.n_bytes_copied() < limit, "{} of {limit}", growing.n_bytes_copied());
    let expected: Vec<Value> =
        (0..n_rounds).flat_map(|k| [k, 0]).map(|k| Value::Str(format!("{k:040}"))).collect();
    assert_eq!(values(&growing.array()), expected);

    // A dictionary with other values is merged. Earlier snapshots keep their dictionary.
    let before = growing.array();
    let other = dictionary_of(&binary(&DataType::Utf8, &[0, 3], b"new"), &[0]);
    let growing = growing.append(&other, u64::MAX).expect("it fits");
    assert_eq!(values(&growing.array()).last(), Some(&Value::Str("new".to_owned())));
    assert_eq!(values(&before), expected);
    let again = growing.n_bytes_copied();
    let error = growing.append(&other, again + 100).expect_err("dictionaries are merged again");
    assert!(matches!(error.kind(), SelectErrorKind::TooManyCopies { .. }), "{error}");
}

/// Appends hundreds of parts, with a snapshot after each. Only the bytes of the parts are copied.
#[test]
fn copies_are_in_proportion() {
    let mut generator = Generator::new(3);
    for (name, data_type) in all_types() {
        let parts: Vec<ArrayData> = (0..4)
            .map(|_| generator.array(&data_type, 5, Nulls::None).validate(Validation::Content).expect(&name))
            .collect();
        let mut growing = GrowingArray::new(&data_type);
        let mut n_copied = Vec::new();
        let mut snapshots = Vec::new();
        for n_parts in 0..256_usize {
            match growing.append(&parts[n_parts % 4], u64::MAX) {
                Ok(longer) => growing = longer,
                Err(error) => {
                    assert!(
                        matches!(
                            error.kind(),
                            SelectErrorKind::IndexOverflow { .. } | SelectErrorKind::OrderedDictionaries
                        ),
                        "{error}"
                    );
                    break;
                }
            }
            snapshots.push(growing.array());
            n_copied.push(growing.n_bytes_copied());
        }
        let (Some(half), Some(all)) = (n_copied.get(127), n_copied.get(255)) else { continue };
        // Only merged dictionaries and unset bits may be copied more than once.
        let is_linear = *all <= half * 2 + half / 4;
        let may_not = data_type.to_string();
        let may_not = ["dictionary", "bool"].iter().any(|word| may_not.contains(word));
        assert!(is_linear || may_not, "{name}: {half} bytes for 128 parts, {all} for 256");
    }
}

#[test]
fn unions_and_runs_follow_each_other() {
    let part = || {
        let children = [int32(&[9, 8]), binary(&DataType::Utf8, &[0, 1], b"a")];
        union(UnionMode::Dense, &[5, 2, 5], &[0, 0, 1], children)
    };
    let growing = grown(&[part(), part().slice(1, 2)]).expect("valid");
    assert_eq!(growing.array().buffer(1).view::<i32>(), Ok(&[0, 0, 1, 1, 3][..]));
    assert_eq!(growing.array().validate(Validation::Strict).map(|array| array.len()), Ok(5));
    let source = runs(RunEndType::Int32, 10, &[3, 4, 10], int32(&[7, 8, 7]));
    let growing = grown(&[source.slice(1, 4), source.slice(5, 0), source.slice(6, 2)]).expect("valid");
    let array = growing.array();
    assert_eq!(array.children()[0].buffer(0).view::<i32>(), Ok(&[2, 3, 4, 6][..]));
    assert_eq!(array.children()[1].buffer(0).view::<i32>(), Ok(&[7, 8, 7, 7][..]));
}
