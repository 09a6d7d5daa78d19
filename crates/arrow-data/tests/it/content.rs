//! Tests one invalid array for each rule of content, and similar arrays that are valid. Messages must name the
//! position.

mod bytes;
mod nested;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Role, Validation};
use arrow_schema::{DataType, Field, IndexType, PathStep, Schema};

use testing_support::make::{array, binary, dictionary, fixed, int32, list, message, nulls, struct_};

/// Checks that an array is invalid, with the expected message.
#[track_caller]
fn refused(array: ArrayData, expected: &str) {
    assert_eq!(array.checked(), Validation::Structure);
    assert_eq!(message(array.validate(Validation::Content)), expected);
}

#[track_caller]
fn accepted(array: ArrayData) -> ArrayData {
    let dump = array.dump().to_string();
    let checked = array.validate(Validation::Content).unwrap_or_else(|error| panic!("{error}\n{dump}"));
    assert_eq!(checked.checked(), Validation::Content);
    checked
}

#[test]
fn null_counts() {
    for (declared, expected) in [
        (0, "validity: the null count is 0; the validity bitmap has 2 nulls"),
        (1, "validity: the null count is 1; the validity bitmap has 2 nulls"),
        (3, "validity: the null count is 3; the validity bitmap has 2 nulls"),
    ] {
        let array = array(ArrayParts {
            declared_null_count: Some(declared),
            ..nulls(int32(&[1, 2, 3]), "010").into_parts()
        });
        // A call of `null_count` does not remove the declared number.
        assert_eq!((array.null_count(), array.declared_null_count()), (2, Some(declared)));
        refused(array.clone(), expected);
        // A slice has its own count.
        assert_eq!(accepted(array.slice(0, 2)).null_count(), 1);
    }
    let array =
        array(ArrayParts { declared_null_count: Some(2), ..nulls(int32(&[1, 2, 3]), "010").into_parts() });
    assert_eq!(accepted(array).declared_null_count(), None);
}

#[test]
fn offsets() {
    let long: Vec<i64> = (0..5000).chain([4998, 5001]).collect();
    for (data_type, text) in [
        (DataType::Binary, false),
        (DataType::LargeBinary, false),
        (DataType::Utf8, true),
        (DataType::LargeUtf8, true),
    ] {
        let new = |offsets: &[i64]| binary(&data_type, offsets, &[b'x'; 10]);
        refused(new(&[-1, 0]), "offsets, slot 0: offset -1 is negative");
        refused(new(&[0, 4, 3, 10]), "offsets, slot 1: offset 3 is less than the preceding offset 4");
        refused(new(&[0, 4, -4]), "offsets, slot 1: offset -4 is less than the preceding offset 4");
        refused(
            new(&[0, 4, 11, 12]),
            "offsets, slot 1: offset 11 is out of bounds; the bytes or items end at 10",
        );
        refused(new(&[11, 11]), "offsets, slot 0: offset 11 is out of bounds; the bytes or items end at 10");
        refused(
            binary(&data_type, &long, &[b'x'; 6000]),
            "offsets, slot 4999: offset 4998 is less than the preceding offset 4999",
        );
        // Null slots have offsets, too.
        refused(
            nulls(new(&[0, 4, 3, 10]), "101"),
            "offsets, slot 1: offset 3 is less than the preceding offset 4",
        );
        let proven = accepted(new(&[3, 3, 10]));
        assert_eq!(proven.text().map(|text| text.len()), text.then_some(10));
        accepted(new(&[10, 10, 10]));
        // Without slots, there may be no offsets, or one offset with any value.
        accepted(new(&[11]));
        accepted(new(&[-1]));
        let no_offsets =
            ArrayParts { buffers: [Buffer::zeroed(3), Buffer::new()], ..ArrayParts::new(data_type, 0) };
        assert_eq!(accepted(array(no_offsets)).len(), 0);
    }
    for data_type in [
        DataType::list(Field::new("item", DataType::Int32)),
        DataType::large_list(Field::new("item", DataType::Int32)),
    ] {
        let new = |offsets: &[i64]| list(&data_type, offsets, int32(&[1, 2, 3]));
        refused(new(&[0, 2, 1]), "offsets, slot 1: offset 1 is less than the preceding offset 2");
        refused(new(&[0, 2, 4]), "offsets, slot 1: offset 4 is out of bounds; the bytes or items end at 3");
        accepted(new(&[0, 2, 3]));
    }
}

#[test]
fn indices() {
    for index in IndexType::ALL {
        let data_type = DataType::dictionary(index, DataType::Int32).expect("legal");
        let new = |indices: &[i64]| dictionary(&data_type, indices, int32(&[7, 8, 9]));
        refused(new(&[0, 2, 3]), "values, slot 2: index 3 is out of bounds; the dictionary has 3 values");
        let minus_one = if index.is_signed() { -1 } else { (1_i128 << index.n_bits()) - 1 };
        let expected =
            format!("values, slot 1: index {minus_one} is out of bounds; the dictionary has 3 values");
        refused(new(&[0, -1, 1]), &expected);
        // Invalid bytes in null slots do not hide an error in a later slot.
        refused(nulls(new(&[-1, -1, 77]), "010"), &expected);
        accepted(nulls(new(&[2, -1, 77]), "100"));
        let many: Vec<i64> = (0..1000).map(|slot| if slot % 3 == 0 { -1 } else { slot % 2 }).collect();
        let bits: String = (0..1000).map(|slot| if slot % 3 == 0 { '0' } else { '1' }).collect();
        accepted(nulls(new(&many), &bits));
        let mut one_bad = many.clone();
        one_bad[998] = 3;
        refused(
            nulls(new(&one_bad), &bits),
            "values, slot 998: index 3 is out of bounds; the dictionary has 3 values",
        );
        // A dictionary without values has no valid slots.
        let empty = dictionary(&data_type, &[0, 0], int32(&[]));
        let outside = "values, slot 0: index 0 is out of bounds; the dictionary has 0 values";
        refused(empty.clone(), outside);
        refused(nulls(empty.clone(), "01"), &outside.replace("slot 0", "slot 1"));
        accepted(nulls(empty, "00"));
    }
    // The number of values that the index type can select, and more values.
    for (index, n_values, bad) in [
        (IndexType::Int8, 128, Some(-128)),
        (IndexType::Int8, 1000, Some(-1)),
        (IndexType::UInt8, 200, Some(200)),
        (IndexType::UInt8, 255, Some(255)),
        (IndexType::UInt8, 256, None),
        (IndexType::UInt8, 1000, None),
        (IndexType::Int16, 40_000, Some(-1)),
        (IndexType::UInt16, 40_000, Some(40_000)),
        (IndexType::UInt16, 65_536, None),
    ] {
        let data_type = DataType::dictionary(index, DataType::Null).expect("legal");
        let new = |indices: &[i64]| {
            dictionary(&data_type, indices, array(ArrayParts::new(DataType::Null, n_values)))
        };
        let bits = if index.is_signed() { index.n_bits() - 1 } else { index.n_bits() };
        let last = (n_values as i64).min(1 << bits) - 1;
        accepted(new(&[0, last]));
        if let Some(bad) = bad {
            let expected =
                format!("values, slot 2: index {bad} is out of bounds; the dictionary has {n_values} values");
            refused(new(&[0, last, bad]), &expected);
            refused(nulls(new(&[bad, last, bad]), "011"), &expected);
            accepted(nulls(new(&[bad, last, 0]), "011"));
        }
    }
}

/// An error has the path to its position, through children and dictionaries.
#[test]
fn paths() {
    let bad = || binary(&DataType::Utf8, &[0, 1, 2], b"a\xFF");
    let inner = struct_(vec![(Field::new("odd.name", DataType::Utf8), bad())]);
    let list_type = DataType::list(Field::new("item", inner.data_type().clone()));
    let lists = list(&list_type, &[0, 2], inner);
    let indices = DataType::dictionary(IndexType::Int8, list_type).expect("legal");
    let array = dictionary(&indices, &[0], lists);
    let error = array.clone().validate(Validation::Content).expect_err("it is bad");
    assert_eq!(
        error.to_string(),
        r#"field `<dictionary>.item."odd.name"`, bytes, slot 1: the value is not UTF-8 at its byte 0"#
    );
    assert_eq!((error.role(), error.slot()), (Some(Role::Bytes), Some(1)));
    assert_eq!(error.path().steps()[0], PathStep::Dictionary);
    assert_eq!(error.path().positions().collect::<Vec<_>>(), [0, 0]);

    let schema = Schema::new([Field::new("a", DataType::Int32), Field::new("b", indices)]);
    let batch = RecordBatch::try_new(schema, vec![int32(&[1]), array]).expect("the columns fit");
    let error = batch.validate(Validation::Content).expect_err("it is bad");
    assert_eq!(
        error.to_string(),
        r#"field `b.<dictionary>.item."odd.name"`, bytes, slot 1: the value is not UTF-8 at its byte 0"#
    );
}

/// Clones, slices and parents of checked arrays are not checked again.
#[test]
fn proofs_are_retained() {
    let text = accepted(binary(&DataType::Utf8, &[0, 1, 2], b"ab"));
    assert_eq!(text.slice(1, 1).checked(), Validation::Content);
    assert!(text.slice(1, 1).text().is_some());
    let parent = struct_(vec![(Field::new("t", DataType::Utf8), text.clone())]);
    assert_eq!(
        (parent.checked(), parent.children()[0].checked()),
        (Validation::Structure, Validation::Content)
    );
    // The memory of the children is shared with `parent`, which stays as it is.
    let unchecked =
        struct_(vec![(Field::new("t", DataType::Utf8), binary(&DataType::Utf8, &[0, 1, 2], b"ab"))]);
    let clone = unchecked.clone();
    let checked = accepted(unchecked);
    assert_eq!(checked.children()[0].checked(), Validation::Content);
    assert_eq!(
        (clone.checked(), clone.children()[0].checked()),
        (Validation::Structure, Validation::Structure)
    );
    // An array from parts counts as unchecked.
    assert_eq!(array(checked.into_parts()).checked(), Validation::Structure);
    // Validation at a lower level keeps the higher level.
    let strict = text.validate(Validation::Strict).and_then(|array| array.validate(Validation::Structure));
    assert_eq!(strict.map(|array| array.checked()), Ok(Validation::Strict));
}

#[test]
fn any_bits_are_booleans() {
    let bits = Bitmap::try_new(Buffer::from(vec![0xA5_u8, 0xFF]), 3, 9).expect("16 bits");
    let parts = ArrayParts {
        offset: bits.bit_offset(),
        buffers: [bits.buffer().clone(), Buffer::new()],
        ..ArrayParts::new(DataType::Boolean, 9)
    };
    accepted(array(parts));
    accepted(fixed(DataType::Float32, [f32::NAN, f32::from_bits(u32::MAX)]));
}
