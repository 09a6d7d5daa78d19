//! Tests the text of dumps.

use arrow_data::{ArrayData, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType};
use testing_support::{Generator, Nulls, all_types};

use testing_support::make::{binary, dictionary, fixed, int32, list, nulls, runs, struct_};

#[test]
fn shows_every_buffer() {
    let words = dictionary(
        &DataType::dictionary(IndexType::UInt8, DataType::Utf8).expect("legal"),
        &[1, 0, 1],
        binary(&DataType::Utf8, &[0, 1, 3], b"abc"),
    );
    let record = struct_(vec![
        (Field::new("n", DataType::Int16), nulls(fixed(DataType::Int16, [1_i16, 0, -1]), "101")),
        (Field::new("", words.data_type().clone()), words),
    ]);
    let data_type = DataType::list(Field::new("item", record.data_type().clone()));
    let dump = list(&data_type, &[0, 3], record).dump().to_string();
    let expected = r#"
.: list<item: struct<n: int16, "": dictionary<uint8, utf8>>>, 1 slot, 0 nulls
.: offsets, 8 bytes, 00 00 00 00 03 00 00 00
item: struct<n: int16, "": dictionary<uint8, utf8>>, 3 slots, 0 nulls
item.n: int16, 3 slots, 1 null
item.n: validity, 3 bits, 101
item.n: values, 6 bytes, 01 00 00 00 ff ff
item."": dictionary<uint8, utf8>, 3 slots, 0 nulls
item."": values, 3 bytes, 01 00 01
item."".<dictionary>: utf8, 2 slots, 0 nulls
item."".<dictionary>: offsets, 12 bytes, 00 00 00 00 01 00 00 00 03 00 00 00
item."".<dictionary>: bytes, 3 bytes, 61 62 63
"#;
    assert_eq!(format!("\n{dump}"), expected);
}

#[test]
fn cuts_long_buffers() {
    let array = nulls(int32(&[1, 2, 3]), "111");
    assert_eq!(
        array.dump().with_shown_bytes(2).to_string(),
        ".: int32, 3 slots, 0 nulls\n.: validity, 3 bits, 11…\n.: values, 12 bytes, 01 00 …\n"
    );
    let runs = runs(RunEndType::Int16, 3, &[3], int32(&[7])).slice(1, 2);
    assert!(runs.dump().to_string().contains("2 slots, 0 nulls, offset 1\n"));
}

/// A dump does not interpret content, so every array with valid structure can be shown.
#[test]
fn works_at_every_level() {
    let mut generator = Generator::new(9);
    for (name, data_type) in all_types() {
        let array = generator.array(&data_type, 20, Nulls::Garbage);
        let before = array.dump().to_string();
        let n_buffers = array.layout().data_buffers().len() + usize::from(array.validity().is_some());
        assert!(before.lines().count() > n_buffers, "{name}: {before}");
        let checked: ArrayData =
            array.validate(Validation::Content).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(checked.dump().to_string().lines().count(), before.lines().count(), "{name}");
    }
}
