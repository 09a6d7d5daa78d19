//! Null slots may have any bytes, and so may bytes to which no slot refers.

use std::sync::Arc;

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, Content, Repairs, Validation, layout};
use arrow_schema::DataType;
use testing_support::{Generator, Nulls, Value, all_types, values};

use testing_support::make::{array, binary, nulls};

fn repaired(array: ArrayData) -> (ArrayData, Repairs) {
    let mut repairs = Repairs::default();
    let array =
        array.validate_counted(Validation::Content, &mut repairs).unwrap_or_else(|error| panic!("{error}"));
    (array, repairs)
}

#[test]
fn text_is_copied_once_where_it_must() {
    for data_type in [DataType::Utf8, DataType::LargeUtf8] {
        // The null slot in the middle has bytes that are not UTF-8.
        let bad = nulls(binary(&data_type, &[0, 2, 4, 6], b"ab\xFF\xFEcd"), "101");
        let (array, repairs) = repaired(bad.clone());
        assert_eq!((repairs.n_buffers(), repairs.n_bytes()), (1, 6));
        assert_eq!(array.text().map(|text| &**text), Some("ab\0\0cd"));
        assert_eq!(values(&array), values(&bad));
        // The bytes before the first slot are not UTF-8 either. Bytes after the last slot are removed.
        let (array, repairs) = repaired(binary(&data_type, &[1, 3], b"\xFFab\xFF"));
        assert_eq!((repairs.n_buffers(), repairs.n_bytes()), (1, 3));
        assert_eq!(array.text().map(|text| &**text), Some("\0ab"));
        let (array, repairs) = repaired(binary(&data_type, &[0, 2], b"ab\xFF"));
        assert_eq!((array.buffer(1).len(), repairs), (2, Repairs::default()));
    }
}

#[test]
fn text_is_shared_where_it_can() {
    let data = Buffer::copy_from("aé🦀".as_bytes());
    let parts = ArrayParts {
        buffers: [Buffer::from(vec![0_i32, 1, 3, 7]), data.clone()],
        ..ArrayParts::new(DataType::Utf8, 3)
    };
    let (array, repairs) = repaired(array(parts));
    assert!(array.buffer(1).same_memory(&data));
    assert_eq!(repairs, Repairs::default());
    // The offsets of null slots cut a character. An empty valid slot lies inside this character.
    let cut = nulls(binary(&DataType::Utf8, &[0, 1, 2, 2, 3], "aé".as_bytes()), "1010");
    let (array, repairs) = repaired(cut);
    assert_eq!(repairs, Repairs::default());
    assert_eq!(array.text().and_then(|text| text.get(2..2)), None);
    assert_eq!(array.text().and_then(|text| text.get(0..1)), Some("a"));
}

#[test]
fn text_views_are_copied_once_where_they_must() {
    let views = [
        View::inline(b"ab").expect("it is short"),
        View::from_parts(-7, *b"\xFF\xFF\xFF\xFF", 99, -1),
        View::inline(b"\xFF").expect("it is short"),
        View::from_parts(14, *b"long", 0, 0),
    ];
    let data: Arc<[Buffer]> = Arc::new([Buffer::copy_from(b"long enough...")]);
    for data_type in [DataType::Utf8View, DataType::BinaryView] {
        let bad = nulls(
            array(ArrayParts {
                buffers: [views.to_vec().into(), Buffer::new()],
                variadic: Some(Arc::clone(&data)),
                ..ArrayParts::new(data_type.clone(), 4)
            }),
            "1001",
        );
        let (array, repairs) = repaired(bad.clone());
        assert_eq!(values(&array), values(&bad));
        assert!(array.variadic()[0].same_memory(&data[0]));
        if data_type == DataType::BinaryView {
            assert_eq!((repairs, array.buffer(0).same_memory(bad.buffer(0))), (Repairs::default(), true));
            continue;
        }
        assert_eq!((repairs.n_buffers(), repairs.n_bytes()), (1, 64));
        let text: Vec<&str> = array.text_views().expect("it was proven").iter().collect();
        assert_eq!(text, ["ab", "", "", "long enough..."]);
    }
}

/// Arrays of every type are valid if their null slots have random bytes, and have the same values.
#[test]
fn every_type() {
    let mut n_repairs = 0;
    for seed in 0..20 {
        let mut generator = Generator::new(seed);
        for (name, data_type) in all_types() {
            let array = generator.sliced_array(&data_type, 100, Nulls::Garbage);
            let expected = values(&array);
            let mut repairs = Repairs::default();
            let checked = array
                .validate_counted(Validation::Strict, &mut repairs)
                .unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            assert_eq!(values(&checked), expected, "{name}, seed {seed}");
            n_repairs += repairs.n_buffers();
            assert_text_reads(&checked, &expected);
        }
    }
    assert!(n_repairs > 100, "the garbage was mostly text: {n_repairs}");
}

/// Checks that the proven text of every slot is the expected text.
fn assert_text_reads(array: &ArrayData, expected: &[Value]) {
    match layout(array.data_type()).content() {
        Content::TextViews => {
            let views = array.text_views().expect("it was proven");
            assert_eq!(views.len(), array.len());
            for (slot, expected) in expected.iter().enumerate() {
                if let Value::Str(expected) = expected {
                    assert_eq!(views.get(slot), Some(expected.as_str()));
                }
            }
        }
        Content::Text => {
            let text = array.text().expect("it was proven");
            let mut n_bytes = 0;
            for expected in expected {
                if let Value::Str(expected) = expected {
                    assert!(text.contains(expected.as_str()));
                    n_bytes += expected.len();
                }
            }
            assert!(text.len() >= n_bytes);
        }
        _ => assert!(array.text().is_none() && array.text_views().is_none()),
    }
}
