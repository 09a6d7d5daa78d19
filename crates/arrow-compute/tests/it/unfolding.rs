//! Values that share bytes or items, so that an array of a few bytes has very many of them.

use std::iter;

use arrow_array::{BooleanArray, Int8Array, Utf8Array};
use arrow_buffer::{Buffer, View};
use arrow_compute::{Digits, DistinctCount, Predicate, Statistics, cast};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::DataType;

use crate::{ALLOCATOR, predicate::parsed};

fn array(data_type: &str, parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(ArrayParts { data_type: data_type.parse().unwrap(), ..parts }).unwrap()
}

/// An array of `n_views` views of the same `n_bytes` bytes.
fn views(n_views: usize, n_bytes: usize) -> ArrayData {
    let bytes = Buffer::from(vec![b'x'; n_bytes]);
    let view = View::long(&bytes, 0, 0).unwrap();
    let parts = ArrayParts {
        buffers: [vec![view; n_views].into(), Buffer::new()],
        variadic: Some([bytes].into()),
        ..ArrayParts::new(DataType::BinaryView, n_views)
    };
    ArrayData::try_new(parts).unwrap()
}

/// `n_views` views of the same text, whose last byte may differ.
fn texts(n_views: usize, n_bytes: usize, last: u8) -> ArrayData {
    let mut bytes = vec![b'0'; n_bytes];
    bytes.extend([last]);
    let bytes = Buffer::from(bytes);
    let view = View::long(&bytes, 0, 0).unwrap();
    utf8_views(bytes, vec![view; n_views])
}

/// Views of one text that begin at each of its first bytes.
fn overlapping(n_views: usize, n_bytes: usize) -> ArrayData {
    let bytes = Buffer::from(vec![b'0'; n_bytes]);
    let view = |start: usize| View::long(&bytes[start..], 0, start as i32).unwrap();
    let views = (0..n_views).map(view).collect();
    utf8_views(bytes, views)
}

fn utf8_views(bytes: Buffer, views: Vec<View>) -> ArrayData {
    let parts =
        ArrayParts { variadic: Some([bytes].into()), ..ArrayParts::new(DataType::Utf8View, views.len()) };
    ArrayData::try_new(ArrayParts { buffers: [views.into(), Buffer::new()], ..parts }).unwrap()
}

/// The number of rows for which a condition is true.
fn n_rows(columns: [&ArrayData; 2], condition: &str) -> Result<usize, String> {
    let batch = RecordBatch::try_from_columns(["a", "b"].into_iter().zip(columns.map(Clone::clone))).unwrap();
    let rows = parsed(condition).bind(batch.schema()).unwrap().matches(&batch);
    rows.map(|rows| rows.count_set()).map_err(|error| error.to_string())
}

/// Conditions read the bytes of a text once, even if many slots share it. What only overlaps is read up to a limit.
#[test]
fn conditions_read_texts_that_slots_share_once() {
    const N: usize = 100_000;
    let [long, same, less] = [b'1', b'1', b'0'].map(|last| texts(N, 1 << 20, last));
    for (condition, expected) in [
        ("a like '%x%'", 0),
        ("a like '%0_1'", N),
        ("a ilike '%1%'", N),
        ("a not ilike '%X%'", N),
        ("a contains '01'", N),
        ("a = b", N),
        ("a != b", 0),
        ("a < b", 0),
    ] {
        assert_eq!(n_rows([&long, &same], condition), Ok(expected), "{condition}");
    }
    assert_eq!(n_rows([&long, &less], "a > b"), Ok(N));
    let [one, other] = [5_000; 2].map(|n_views| overlapping(n_views, 1 << 16));
    for condition in ["a like '%x%'", "a = b"] {
        let error = n_rows([&one, &other], condition).unwrap_err();
        assert!(error.contains("written out in full, the values exceed"), "{condition}: {error}");
    }
    // Conditions that read the start of a text, and short texts, are not refused.
    assert_eq!(n_rows([&one, &other], "a > '00' and a != '0'"), Ok(5_000));
    let short = overlapping(5_000, 5_000 + 4_096).slice(4_000, 1_000);
    assert_eq!(n_rows([&short, &short], "a not like '%x%' and a = b"), Ok(1_000));
}

/// A long value of a dictionary is read once, even if many slots select it and the dictionary has more values than slots.
#[test]
fn conditions_read_each_value_of_a_dictionary_once() {
    for (n_slots, data_type) in [(3_000, "utf8"), (3_000, "large_utf8"), (3_000, "large_list<item: utf8>")] {
        let long = "x".repeat(1 << 20);
        let texts = Utf8Array::from_iter(
            (0..n_slots + 7).map(|slot| Some(if slot == 5 { long.as_str() } else { "" })),
        );
        let values = match data_type {
            "large_list<item: utf8>" => array(
                data_type,
                ArrayParts {
                    buffers: [(0..=n_slots as i64 + 7).collect::<Vec<i64>>().into(), Buffer::new()],
                    children: Some([texts.into_data()].into()),
                    ..ArrayParts::new(DataType::Null, n_slots + 7)
                },
            ),
            _ => cast(texts.data(), &data_type.parse().unwrap(), Digits::Keep).unwrap(),
        };
        // Every third slot is null, and the last one selects another value.
        let indices: Vec<i32> = (0..n_slots).map(|slot| if slot + 1 == n_slots { 9 } else { 5 }).collect();
        let words = array(
            &format!("dictionary<int32, {data_type}>"),
            ArrayParts {
                buffers: [indices.into(), Buffer::new()],
                validity: Some((0..n_slots).map(|slot| slot % 3 != 0).collect()),
                dictionary: Some(values.into()),
                ..ArrayParts::new(DataType::Null, n_slots)
            },
        );
        let [empty, other] =
            if data_type.starts_with("large_list") { ["[\"\"]", "[\"y\"]"] } else { ["", "y"] };
        for (condition, expected) in [
            (format!("a = '{empty}'"), 1),
            (format!("a != '{empty}'"), n_slots - n_slots.div_ceil(3) - 1),
            (format!("a in ('{empty}', '{other}')"), 1),
        ] {
            let (found, usage) = ALLOCATOR.measure(|| n_rows([&words, &words], &condition));
            assert_eq!(found, Ok(expected), "{data_type}: {condition}");
            assert!(usage.peak_bytes < 8 << 20, "{data_type}: {usage:?}");
        }
    }
}

/// A nested value is compared while its text is written, of which a long one has many pieces.
#[test]
fn conditions_on_nested_values_read_the_start_of_long_texts() {
    const N: usize = 1_000_000;
    let texts = texts(1, 1 << 20, b'1').slice(0, 1);
    let words = array(
        "dictionary<int32, utf8_view>",
        ArrayParts {
            buffers: [Buffer::from(vec![0_i32; N]), Buffer::new()],
            dictionary: Some(texts.into()),
            ..ArrayParts::new(DataType::Null, N)
        },
    );
    let structs = array(
        "struct<a: dictionary<int32, utf8_view>>",
        ArrayParts { children: Some([words].into()), ..ArrayParts::new(DataType::Null, N) },
    );
    let structs = structs.slice(0, 20_000);
    assert_eq!(n_rows([&structs, &structs], "a = '{\"a\":\"y\"}'"), Ok(0));
    assert_eq!(n_rows([&structs, &structs], "a != '{\"a\":\"y\"}'"), Ok(20_000));
}

/// Each text is parsed, so very long ones that slots share are refused.
#[test]
fn numbers_of_texts_that_slots_share_are_parsed_only_so_far() {
    for to in ["float64", "int64", "decimal128(9, 2)"] {
        let error = cast(&texts(2_000, 1 << 16, b'1'), &to.parse().unwrap(), Digits::Drop).unwrap_err();
        assert!(error.to_string().contains("written out in full, the values exceed"), "{to}: {error}");
        assert_eq!(cast(&texts(10, 1 << 16, b'1'), &to.parse().unwrap(), Digits::Keep).unwrap().len(), 10);
    }
}

/// An array of `n_lists` list views of the same items.
fn list_views(n_lists: usize, items: ArrayData) -> ArrayData {
    let data_type = format!("large_list_view<item: {}>", items.data_type());
    let n_items = items.len() as i64;
    let parts = ArrayParts {
        buffers: [vec![0_i64; n_lists].into(), vec![n_items; n_lists].into()],
        children: Some([items].into()),
        ..ArrayParts::new(DataType::Null, n_lists)
    };
    array(&data_type, parts)
}

fn numbers(n_items: usize) -> ArrayData {
    Int8Array::from_iter(iter::repeat_n(1, n_items)).into_data()
}

fn distinct(array: &ArrayData) -> DistinctCount {
    let mut statistics = Statistics::new(array.data_type().clone());
    statistics.add(array).unwrap();
    statistics.distinct()
}

#[test]
fn views_that_share_bytes_are_hashed_only_so_far() {
    // At most 64 times the bytes of the array, plus 16 MiB, are hashed.
    assert_eq!(distinct(&views(60, 1 << 20)), DistinctCount::Exact(1));
    assert_eq!(distinct(&views(100_000, 1 << 20)), DistinctCount::Unknown);
}

/// One list of 100,000 views of the same 2,000 items would take 200 MB. The limit is in proportion to the bytes of the list.
#[test]
fn a_nested_value_takes_little_memory() {
    let views = list_views(100_000, numbers(2_000));
    let parts = ArrayParts {
        buffers: [vec![0_i64, 100_000].into(), Buffer::new()],
        children: Some([views.clone()].into()),
        ..ArrayParts::new(DataType::Null, 1)
    };
    let list = array(&format!("large_list<item: {}>", views.data_type()), parts);
    let (found, usage) = ALLOCATOR.measure(|| distinct(&list));
    assert_eq!(found, DistinctCount::Unknown);
    assert!(usage.peak_bytes < 40 << 20, "{} bytes", usage.peak_bytes);
}

/// Neighbouring values are compared without being copied.
#[test]
fn runs_of_values_that_share_are_found_in_little_time_and_memory() {
    let nulls = ArrayData::try_new(ArrayParts::new(DataType::Null, 60_000_000)).unwrap();
    for values in [list_views(60_000, nulls), views(60_000, 16 << 20), list_views(60_000, numbers(1 << 20))] {
        let to = format!("run_end_encoded<run_ends: int32 not null, values: {}>", values.data_type());
        let to = to.parse().unwrap();
        let (runs, usage) = ALLOCATOR.measure(|| cast(&values, &to, Digits::Keep).unwrap());
        assert_eq!((runs.len(), runs.children()[1].len()), (60_000, 1), "{to}");
        assert!(usage.peak_bytes < 8 << 20, "{} bytes for {to}", usage.peak_bytes);
    }
}

/// A slot takes one bit, which is less than the table stores for a value.
#[test]
fn many_booleans_can_be_encoded() {
    const N: usize = 500_000;
    let flags = BooleanArray::from_iter((0..N).map(|slot| slot % 3 == 0)).into_data();
    let dictionary = cast(&flags, &"dictionary<int8, bool>".parse().unwrap(), Digits::Keep).unwrap();
    assert_eq!((dictionary.len(), dictionary.dictionary().unwrap().len()), (N, 2));
    let runs = "run_end_encoded<run_ends: int32 not null, values: bool>".parse().unwrap();
    let runs = cast(&flags, &runs, Digits::Keep).unwrap();
    assert_eq!(runs.children()[1].len(), 2 * (N / 3) + 2);
}

/// The error contains only the start of the value.
#[test]
fn errors_have_the_start_of_a_value() {
    const N: usize = 1 << 62;
    let nulls = ArrayData::try_new(ArrayParts::new(DataType::Null, N)).unwrap();
    let parts = ArrayParts {
        buffers: [vec![0_i64, N as i64].into(), Buffer::new()],
        children: Some([nulls].into()),
        ..ArrayParts::new(DataType::Null, 1)
    };
    let list = array("large_list<item: null>", parts);
    let error = cast(&list, &"fixed_size_list<item: null; 2>".parse().unwrap(), Digits::Keep).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("[null,null") && text.contains('…') && text.len() < 400, "{text}");
}

/// Two columns of values that have no end, and lists of lists of which each level has all items of the next.
#[test]
fn nested_columns_are_compared_in_little_time_and_memory() {
    const N_ITEMS: usize = i32::MAX as usize;
    let nulls = |n_slots| ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots)).unwrap();
    let fixed = || {
        let children = Some([nulls(3 * N_ITEMS)].into());
        array(
            &format!("fixed_size_list<item: null; {N_ITEMS}>"),
            ArrayParts { children, ..ArrayParts::new(DataType::Null, 3) },
        )
    };
    let deep = |last: i8| {
        let items = Int8Array::from_iter([1, last]).into_data();
        (0..40).fold(items, |items, _| list_views(2, items))
    };
    for (left, right, expected) in [
        (fixed(), fixed(), 3),
        (deep(7), deep(7), 2),
        (deep(7), deep(8), 0),
        (deep(7).slice(0, 1), deep(7).slice(1, 1), 1),
    ] {
        let (found, usage) = ALLOCATOR.measure(|| n_rows([&left, &right], "a = b"));
        assert_eq!(found, Ok(expected), "{}", left.data_type());
        assert!(usage.peak_bytes < 4 << 20, "{} bytes", usage.peak_bytes);
        assert_eq!(n_rows([&left, &right], "a != b"), Ok(left.len() - expected));
    }
}

/// Columns of many fields are prepared once, not for each row. Rows without bytes are all equal.
#[test]
fn conditions_prepare_a_column_once() {
    let structs = |n_fields: usize, of: &ArrayData| {
        let names: Vec<String> = (0..n_fields).map(|idx| format!("f{idx}: {}", of.data_type())).collect();
        let children = Some(vec![of.clone(); n_fields].into());
        let parts = ArrayParts { children, ..ArrayParts::new(DataType::Null, of.len()) };
        array(&format!("struct<{}>", names.join(", ")), parts)
    };
    let matching = |array: &ArrayData, condition: &str| {
        let batch = RecordBatch::try_from_columns([("s", array.clone())]).unwrap();
        let predicate: Predicate = condition.parse().unwrap();
        let predicate = predicate.with_json_values(|data_type, json| {
            arrow_text::read_json_value(data_type, json).map_err(|error| error.kind().to_string())
        });
        let bound = predicate.bind(batch.schema()).unwrap();
        ALLOCATOR.measure(|| bound.matches(&batch).unwrap().count_set())
    };
    let numbers = structs(300, &numbers(5_000));
    let (found, usage) = matching(&numbers, "s = '{\"f0\": 2}'");
    assert_eq!(found, 0);
    assert!(usage.total_bytes < 4 << 20, "{} bytes", usage.total_bytes);
    let nulls = ArrayData::try_new(ArrayParts::new(DataType::Null, 1 << 25)).unwrap();
    let nulls = structs(300, &nulls);
    for (condition, expected) in
        [("s = '{}'", 1 << 25), ("s != '{}'", 0), ("s in ('{}', '{\"f7\": null}')", 1 << 25)]
    {
        assert_eq!(matching(&nulls, condition).0, expected, "{condition}");
    }
    assert_eq!(matching(&nulls.slice(0, 0), "s = '{}'").0, 0);
}
