//! Constants of binary columns, of nested columns, and of columns without values.

use arrow_array::{FixedSizeBinaryArray, NullArray, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::{ColumnBounds, Matches};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field};

use super::{parsed, rows};

#[test]
fn sixteen_bytes_may_be_written_as_a_uuid() {
    let ids =
        FixedSizeBinaryArray::try_from_iter(16, [&[0xf8_u8; 16], &[0xf9; 16]]).expect("they have 16 bytes");
    let batch = RecordBatch::try_from_columns([("id", ids.into_data())]).expect("it is one column");
    let cases = [
        ("id = 'f8f8f8f8-f8f8-f8f8-f8f8-f8f8f8f8f8f8'", "10"),
        ("id = x'F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8'", "10"),
        ("id > 'f8f8f8f8-f8f8-f8f8-f8f8-f8f8f8f8f8f8'", "01"),
        ("id >= x'f8f8f8f8'", "11"),
        ("X'f9' < id", "01"),
    ];
    for (text, expected) in cases {
        assert_eq!(rows(&batch, text), expected, "{text}");
    }
    for (digits, found) in [("''", "'"), ("''00''", "'00'"), ("0", "0"), ("é", "é")] {
        let error = parsed(&format!("id = x'{digits}'")).bind(batch.schema()).expect_err(digits).to_string();
        let end = format!("expected two hexadecimal digits for each byte, found \"{found}\"");
        assert!(error.ends_with(&end), "{error}");
    }
    let error = parsed("id = 'f8f8f8f8-f8f8'").bind(batch.schema()).expect_err("it is no UUID").to_string();
    assert!(error.ends_with("expected 32 hexadecimal digits, or a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6, found \"f8f8f8f8-f8f8\""), "{error}");
}

/// The type `null` is that of a JSON member that is always null. No comparison with a null holds.
#[test]
fn a_column_of_nulls_can_be_compared_with_anything() {
    let batch =
        RecordBatch::try_from_columns([("n", NullArray::new(3).into_data())]).expect("it is one column");
    for text in
        ["n > 5", "n = 'x'", "n <= x'00'", "n in (1, 'x')", "n like 'a%'", "n", "n between 1 and true"]
    {
        for text in [text.to_owned(), format!("not ({text})")] {
            assert_eq!(rows(&batch, &text), "000", "{text}");
            let bound = parsed(&text).bind(batch.schema()).expect(&text);
            let known = ColumnBounds::from_array(batch.columns().first().expect("it has a column"), 9)
                .expect("it is valid");
            assert_eq!(bound.can_match(|_| known.clone()), Matches::None, "{text}");
        }
    }
}

/// Nested values are compared by their JSON, in which spaces between members do not count.
#[test]
fn nested_values_are_compared_with_json() {
    let data_type = DataType::list(Field::new("item", DataType::Utf8));
    let lists = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0_i32, 2, 2]), Buffer::new()],
        children: Some(
            [Utf8Array::try_from_iter(["a b", "\\\" c"]).expect("it is short").into_data()].into(),
        ),
        ..ArrayParts::new(data_type, 2)
    });
    let batch =
        RecordBatch::try_from_columns([("l", lists.expect("it is a list"))]).expect("it is one column");
    let json = r#"["a b","\\\" c"]"#;
    for (constant, expected) in
        [(json, "10"), (&json.replace(',', " ,\n\t"), "10"), (" [ ] ", "01"), ("[\"ab\"]", "00")]
    {
        assert_eq!(rows(&batch, &format!("l = '{constant}'")), expected, "{constant}");
    }
    for text in ["l = 'foo'", "l = '1, 2'", "l = ''"] {
        let error = parsed(text).bind(batch.schema()).expect_err(text).to_string();
        assert!(
            error.ends_with("cannot be compared with text; expected JSON in quotes, such as [1,2]"),
            "{error}"
        );
    }
}
