//! Which bytes that no value shows are written, with `--compact` and `--zero-nulls`: the table in docs/SECURITY.md.

use std::{fs, sync::Arc};

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{StreamWriter, WriteOptions};
use arrow_schema::DataType;
use arrow_select::UnusedValues;

use crate::program::{run, temporary_folder};

/// Eight bytes, so that they can also be a number.
const SECRET: &[u8; 8] = b"SECRET!!";

fn data_type(text: &str) -> DataType {
    text.parse().unwrap()
}

fn nulls(valid: &[bool]) -> Option<Bitmap> {
    Some(valid.iter().copied().collect())
}

fn numbers(values: &[i64]) -> ArrayData {
    let buffers = [Buffer::from(values.to_vec()), Buffer::new()];
    ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int64, values.len()) }).unwrap()
}

fn secret() -> i64 {
    i64::from_le_bytes(*SECRET)
}

fn offsets(values: &[i32]) -> Buffer {
    Buffer::from(values.to_vec())
}

fn with_children(
    text: &str,
    len: usize,
    parts: impl FnOnce(&mut ArrayParts),
    children: Vec<ArrayData>,
) -> ArrayData {
    let mut array = ArrayParts::new(data_type(text), len);
    array.children = Some(children.into());
    parts(&mut array);
    ArrayData::try_new(array).unwrap()
}

/// Arrays that hide the secret. For each: where, and whether it is written with no option, `--compact`, `--zero-nulls`, and
/// both.
fn cases() -> Vec<(&'static str, ArrayData, [bool; 4])> {
    let below_null = [true, true, false, false];
    let unused = [true, false, true, false];
    let text = |len: usize, ends: &[i32], validity: Option<Bitmap>| {
        let bytes = Buffer::from(b"xSECRET!!y".to_vec());
        let buffers = [offsets(ends), bytes];
        ArrayData::try_new(ArrayParts { buffers, validity, ..ArrayParts::new(DataType::Utf8, len) }).unwrap()
    };
    // A view of bytes in the data buffer, or of eight bytes in the view.
    let view = |n_bytes: u32, prefix: &[u8; 4], start: u32| {
        [&n_bytes.to_le_bytes()[..], prefix, &0_u32.to_le_bytes(), &start.to_le_bytes()].concat()
    };
    let inline = || [&8_u32.to_le_bytes()[..], SECRET, &[0; 4]].concat();
    let (first, last) = (view(15, b"seen", 0), view(15, b"seen", 31));
    let views = |views: &[Vec<u8>], validity: Option<Bitmap>| {
        let variadic = [Buffer::from(b"seen by a valueSECRET!!SECRET!!seen by a value".to_vec())];
        let buffers = [Buffer::from(views.concat()), Buffer::new()];
        let parts = ArrayParts::new(DataType::Utf8View, views.len());
        ArrayData::try_new(ArrayParts { buffers, validity, variadic: Some(variadic.into()), ..parts })
            .unwrap()
    };
    let dictionary = ArrayParts {
        buffers: [Buffer::from(vec![0_i8, 2]), Buffer::new()],
        dictionary: Some(Arc::new(text(3, &[0, 1, 9, 10], None))),
        ..ArrayParts::new(data_type("dictionary<int8, utf8>"), 2)
    };
    vec![
        (
            "a null number",
            {
                let buffers = [Buffer::from(vec![1, secret(), 3]), Buffer::new()];
                let parts = ArrayParts::new(DataType::Int64, 3);
                ArrayData::try_new(ArrayParts { buffers, validity: nulls(&[true, false, true]), ..parts })
                    .unwrap()
            },
            below_null,
        ),
        ("the text of a null", text(3, &[0, 1, 9, 10], nulls(&[true, false, true])), below_null),
        ("text after the last slot", text(1, &[0, 1], None), [false; 4]),
        ("text before the first slot", text(1, &[9, 10], None), [false; 4]),
        (
            "the bytes of a null view",
            views(&[first.clone(), view(16, b"SECR", 15), last.clone()], nulls(&[true, false, true])),
            [true, false, false, false],
        ),
        (
            "a null view with its bytes",
            views(&[first.clone(), inline(), last.clone()], nulls(&[true, false, true])),
            [true, false, false, false],
        ),
        ("bytes of no view", views(&[first, last], None), unused),
        (
            "items of a null list",
            with_children(
                "list<item: int64>",
                2,
                |parts| {
                    parts.buffers = [offsets(&[0, 1, 2]), Buffer::new()];
                    parts.validity = nulls(&[true, false]);
                },
                vec![numbers(&[1, secret()])],
            ),
            below_null,
        ),
        (
            "items of no list view",
            with_children(
                "list_view<item: int64>",
                2,
                |parts| parts.buffers = [offsets(&[0, 2]), offsets(&[1, 1])],
                vec![numbers(&[1, secret(), 2])],
            ),
            [true, false, false, false],
        ),
        (
            "fields of a null struct",
            with_children(
                "struct<a: int64>",
                2,
                |parts| {
                    parts.validity = nulls(&[false, true]);
                },
                vec![numbers(&[secret(), 1])],
            ),
            below_null,
        ),
        (
            "a member of a union that is not selected",
            with_children(
                "sparse_union<0=a: int64, 1=b: int64>",
                2,
                |parts| {
                    parts.buffers = [Buffer::from(vec![0_i8, 0]), Buffer::new()];
                },
                vec![numbers(&[1, 2]), numbers(&[secret(), 4])],
            ),
            below_null,
        ),
        ("a dictionary value of no index", ArrayData::try_new(dictionary).unwrap(), unused),
    ]
}

#[test]
fn bytes_that_no_value_shows_are_left_out_or_zeros() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (input, output) = (path("in.arrows"), path("out.arrows"));
    let mut wrong = Vec::new();
    for (location, array, expected) in cases() {
        let batch = RecordBatch::try_from_columns([("c", array)]).unwrap();
        let options = WriteOptions::new().with_unused_items(UnusedValues::Keep);
        let stream =
            StreamWriter::write_to_vec_with(batch.schema(), std::slice::from_ref(&batch), options).unwrap();
        let is_shown = |bytes: &[u8]| bytes.windows(SECRET.len()).any(|bytes| bytes == SECRET);
        assert_eq!(is_shown(&stream), expected[0], "{location}");
        fs::write(&input, stream).unwrap();
        let ways = [&[][..], &["--compact"], &["--zero-nulls"], &["--compact", "--zero-nulls"]];
        let found = ways.map(|way| {
            run([&["convert", &input, "-o", &output], way].concat()).expect(&[0]);
            // The values are the same.
            run(["diff", &input, &output]).expect(&[0]);
            is_shown(&fs::read(&output).unwrap())
        });
        if found != expected {
            wrong.push((location, found, expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
