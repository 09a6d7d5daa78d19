//! Invalid utf8, with offsets and with views.

use std::sync::Arc;

use arrow_buffer::{Buffer, View};
use arrow_data::ArrayParts;
use arrow_schema::DataType;

use super::{accepted, refused};
use testing_support::make::{array, binary, nulls};

#[test]
fn text() {
    for data_type in [DataType::Utf8, DataType::LargeUtf8] {
        let new = |offsets: &[i64], data: &[u8]| binary(&data_type, offsets, data);
        refused(new(&[0, 2, 4], b"ab\xFFd"), "bytes, slot 1: the value is not UTF-8 at its byte 0");
        refused(new(&[0, 2, 4], b"abd\xC3"), "bytes, slot 1: the value is not UTF-8 at its byte 1");
        // All bytes together are UTF-8, but a value ends inside a character.
        let split = "bytes, slot 0: the value begins or ends inside a UTF-8 character";
        refused(new(&[0, 1, 2], "é".as_bytes()), split);
        refused(nulls(new(&[0, 1, 2], "é".as_bytes()), "10"), split);
        refused(
            nulls(new(&[0, 1, 2], "é".as_bytes()), "01"),
            "bytes, slot 1: the value begins or ends inside a UTF-8 character",
        );
        // The last offset may cut a character whose other bytes belong to no slot.
        refused(new(&[0, 1], "é".as_bytes()), "bytes, slot 0: the value is not UTF-8 at its byte 0");
        accepted(new(&[0, 1], b"a\xFF\xFF"));
        // These bytes encode a surrogate, an overlong form, and a number that is too large.
        for bad in [&b"\xED\xA0\x80"[..], b"\xC0\x80", b"\xF4\x90\x80\x80"] {
            refused(new(&[0, bad.len() as i64], bad), "bytes, slot 0: the value is not UTF-8 at its byte 0");
        }
        accepted(new(&[0, 0, 2, 6, 6], "é🦀".as_bytes()));
    }
}

#[test]
fn views() {
    let data = || Some(Arc::from([Buffer::copy_from(b"a long value of 26 bytes..")]));
    let view_array = |data_type: &DataType, views: &[View]| {
        array(ArrayParts {
            buffers: [views.to_vec().into(), Buffer::new()],
            variadic: data(),
            ..ArrayParts::new(data_type.clone(), views.len())
        })
    };
    let good = View::inline(b"good").expect("it is short");
    let long = View::from_parts(26, *b"a lo", 0, 0);
    let cases = [
        (View::from_parts(-1, [0; 4], 0, 0), "the length of the view is -1, which is negative"),
        (View::from_parts(4, *b"good", 1, 0), "the padding of the short value is not zero"),
        (
            View::from_parts(20, *b"a lo", 1, 0),
            "data buffer 1 is out of bounds; the number of data buffers is 1",
        ),
        (
            View::from_parts(20, *b"a lo", -1, 0),
            "data buffer -1 is out of bounds; the number of data buffers is 1",
        ),
        (
            View::from_parts(27, *b"a lo", 0, 0),
            "27 bytes at offset 0 are out of bounds of data buffer 0, which has 26 bytes",
        ),
        (
            View::from_parts(i32::MAX, *b"a lo", 0, i32::MAX),
            "2147483647 bytes at offset 2147483647 are out of bounds of data buffer 0, which has 26 bytes",
        ),
        (
            View::from_parts(20, *b"a lo", 0, -1),
            "20 bytes at offset -1 are out of bounds of data buffer 0, which has 26 bytes",
        ),
        (View::from_parts(20, *b"A lo", 0, 0), "the prefix in the view differs from the value"),
    ];
    for data_type in [DataType::BinaryView, DataType::Utf8View] {
        for (bad, expected) in &cases {
            let expected = format!("views, slot 2: malformed view: {expected}");
            let array = view_array(&data_type, &[good, long, *bad, good]);
            refused(array.clone(), &expected);
            refused(nulls(array.clone(), "0011"), &expected);
            accepted(nulls(array.clone(), "1101"));
            accepted(array.slice(0, 2));
            refused(array.slice(1, 3), &expected.replace("slot 2", "slot 1"));
        }
        let array = accepted(view_array(&data_type, &[good, long]));
        assert_eq!(array.text_views().is_some(), data_type == DataType::Utf8View);
    }
    let not_text = View::inline(b"ab\xFF").expect("it is short");
    accepted(view_array(&DataType::BinaryView, &[good, not_text]));
    let array = view_array(&DataType::Utf8View, &[good, not_text]);
    refused(array.clone(), "views, slot 1: the value is not UTF-8 at its byte 2");
    refused(nulls(array, "01"), "views, slot 1: the value is not UTF-8 at its byte 2");
}
