//! Constants of binary columns.

use arrow_array::FixedSizeBinaryArray;
use arrow_data::RecordBatch;

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
    let error = parsed("id = 'f8f8f8f8-f8f8'").bind(batch.schema()).expect_err("it is no UUID").to_string();
    assert!(error.ends_with("expected 32 hexadecimal digits, or a UUID, found \"f8f8f8f8-f8f8\""), "{error}");
}
