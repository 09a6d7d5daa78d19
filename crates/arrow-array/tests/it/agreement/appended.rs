//! Compares appended text with written text.

use arrow_array::{
    AppendedText, ColumnText, Int8Array, Int8Builder, ListBuilder, TextCache, TextStyle, Utf8ViewArray,
};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field, Schema};

use super::for_all_arrays;

/// Short appended text equals written text, in each style.
#[test]
fn appended_text_agrees_with_written_text() {
    for_all_arrays(|name, data| {
        for style in [TextStyle::Json, TextStyle::Plain, TextStyle::Cell] {
            let column = ColumnText::try_new(data, style).unwrap_or_else(|error| panic!("{name}: {error}"));
            for slot in (0..data.len()).chain([usize::MAX]) {
                let mut expected = String::new();
                column.write(slot, &mut expected).expect("a string takes all text");
                let mut out = b"before".to_vec();
                let appended = column.append(slot, &mut out);
                let text = str::from_utf8(&out).expect("it is text");
                let text = text.strip_prefix("before").expect("what precedes is kept");
                let name = format!("{name}, slot {slot}, {style:?}: {appended:?}");
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.:".contains(&byte);
                match appended {
                    AppendedText::Null => assert_eq!((text, expected.as_str()), ("", "null"), "{name}"),
                    AppendedText::Plain => assert!(text.bytes().all(is_plain) && text == expected, "{name}"),
                    AppendedText::Short => {
                        assert!((1..=4096).contains(&text.len()) && text == expected, "{name}");
                    }
                    AppendedText::Text(value) => assert_eq!((text, value), ("", expected.as_str()), "{name}"),
                    AppendedText::Long => assert_eq!(text, "", "{name}"),
                }
                assert_eq!(appended == AppendedText::Null, column.is_null(slot), "{name}");
                assert!(slot < data.len() || appended == AppendedText::Null, "{name}");
            }
        }
    });
}

#[test]
fn rows_out_of_bounds_are_null() {
    let schema = Schema::new([Field::new("a", DataType::Int8)]);
    let batch = RecordBatch::try_new(schema, vec![Int8Array::from_iter([Some(1), None]).into_data()]);
    let whole = batch.expect("one column");
    let no_columns = RecordBatch::try_new_with_rows(Schema::new([]), vec![], 2).expect("only rows");
    for (batch, texts) in [(whole, [r#"{"a":1}"#, r#"{"a":null}"#]), (no_columns, ["{}", "{}"])] {
        let rows = TextCache::new().rows(&batch).expect("it is valid");
        let texts = texts.map(Some).into_iter().chain([None; 2]);
        for (slot, text) in [0, 1, 2, usize::MAX].into_iter().zip(texts) {
            let mut written = String::new();
            rows.write(slot, &mut written).expect("a string takes all text");
            let mut appended = Vec::new();
            let kind = rows.append(slot, &mut appended);
            assert_eq!((written.as_str(), rows.is_null(slot)), (text.unwrap_or("null"), text.is_none()));
            assert_eq!((appended, kind == AppendedText::Null), (text.unwrap_or("").into(), text.is_none()));
        }
    }
}

/// Text that may be long is not appended, not even in part.
#[test]
fn long_text_is_not_appended() {
    let text =
        |n_bytes: usize| Utf8ViewArray::from_iter(["x".repeat(n_bytes), "\u{1}".repeat(n_bytes)]).into_data();
    let list = |n_items: usize| {
        let mut lists = ListBuilder::new(Int8Builder::new());
        lists.extend([Some(vec![7; n_items])]);
        lists.finish().expect("it is one list").into_data()
    };
    for (data, is_short) in [
        (text(5), [true, true]),
        (text(4_000), [true, false]),
        (text(5_000), [false, false]),
        (list(100), [true, true]),
        (list(3_000), [false, false]),
    ] {
        let column = ColumnText::try_new(&data, TextStyle::Json).expect("it is valid");
        for (slot, is_short) in (0..data.len()).zip(is_short) {
            let mut out = Vec::new();
            let expected = if is_short { AppendedText::Short } else { AppendedText::Long };
            assert_eq!(column.append(slot, &mut out), expected, "{}", data.data_type());
            assert_eq!(out.is_empty(), !is_short);
        }
    }
}
