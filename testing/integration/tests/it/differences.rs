//! Checks that the comparison finds each kind of difference between a file and its document.

use arrow_buffer::Buffer;
use arrow_ipc::{FileWriter, WriteOptions};
use integration::{Checks, Document, json_to_file_with, validate};

/// A document with one column. The arguments are the parts that differ from case to case.
fn document(field: &str, columns: &[&str]) -> Document {
    let batches: Vec<String> = columns
        .iter()
        .map(|column| format!(r#"{{"count": 2, "columns": [{{"count": 2, {column}}}]}}"#))
        .collect();
    let batches = batches.join(",");
    let text = format!(
        r#"{{"schema": {{"fields": [{{{field}}}], "metadata": [{{"key": "a", "value": "1"}}, {{"key": "b", "value": "2"}}]}},
        "dictionaries": [{{"id": 0, "data": {{"count": 2, "columns": [
            {{"count": 2, "VALIDITY": [1, 1], "OFFSET": [0, 1, 2], "DATA": ["x", "y"]}}]}}}}],
        "batches": [{batches}]}}"#
    );
    Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn file(document: &Document) -> Buffer {
    json_to_file_with(document, Vec::new(), WriteOptions::default()).unwrap().into()
}

const INT: &str =
    r#""name": "a", "nullable": true, "type": {"name": "int", "isSigned": true, "bitWidth": 32}"#;
const ONE_TWO: &str = r#""VALIDITY": [1, 1], "DATA": [1, 2]"#;
const WORDS: &str = r#""name": "a", "nullable": true, "type": {"name": "utf8"}, "dictionary":
    {"id": 0, "indexType": {"name": "int", "isSigned": true, "bitWidth": 8}, "isOrdered": false}"#;
const FIRST_SECOND: &str = r#""VALIDITY": [1, 1], "DATA": [0, 1]"#;

#[test]
fn differences_are_found() {
    // A field and batches, the part of them that the file has in another way, and what is said of that.
    let numbers: &[&str] = &[ONE_TWO, ONE_TWO];
    let words: &[&str] = &[FIRST_SECOND];
    let cases: [(&str, &[&str], [&str; 2], &str); 11] = [
        (INT, numbers, ["\"a\"", "\"b\""], "schema: field a: expected the name \"a\", found \"b\""),
        (
            INT,
            numbers,
            ["\"nullable\": true", "\"nullable\": false"],
            "schema: field a: expected nullable, found not null",
        ),
        (
            INT,
            numbers,
            ["\"isSigned\": true", "\"isSigned\": false"],
            "schema: field a: expected type int32, found uint32",
        ),
        (
            INT,
            numbers,
            ["\"type\"", "\"metadata\": [{\"key\": \"k\", \"value\": \"v\"}], \"type\""],
            "metadata of the field a: int32: the document has {}, the file {\"k\": \"v\"}",
        ),
        (INT, numbers, ["[1, 2]", "[1, 3]"], "batch 0, row 1, a: the document has 2, the file 3"),
        (INT, numbers, ["[1, 1]", "[1, 0]"], "batch 0, row 1, a: the document has 2, the file null"),
        (
            WORDS,
            words,
            ["\"bitWidth\": 8", "\"bitWidth\": 16"],
            "schema: field a: expected type dictionary<int8, utf8>, found dictionary<int16, utf8>",
        ),
        (
            WORDS,
            words,
            ["\"isOrdered\": false", "\"isOrdered\": true"],
            "schema: field a: expected type dictionary<int8, utf8>, found dictionary<int8, utf8, ordered>",
        ),
        (WORDS, words, ["[0, 1]", "[0, 0]"], "batch 0, row 1, a: the document has \"y\", the file \"x\""),
        (INT, numbers, ["", ""], ""),
        (WORDS, words, ["", ""], ""),
    ];
    for (field, columns, [from, to], words) in cases {
        let expected = document(field, columns);
        let changed: Vec<String> = columns.iter().map(|column| column.replacen(from, to, 1)).collect();
        let changed: Vec<&str> = changed.iter().map(String::as_str).collect();
        let found = document(&field.replacen(from, to, 1), &changed);
        let outcome = validate(&expected, file(&found), &Checks::all());
        assert_eq!(outcome.map_or_else(|error| error.to_string(), |()| String::new()), words);
    }
}

#[test]
fn numbers_of_batches_and_rows_count() {
    let two = document(INT, &[ONE_TWO, ONE_TWO]);
    let one = file(&document(INT, &[ONE_TWO]));
    let error = validate(&two, one, &Checks::all()).unwrap_err();
    assert_eq!(error.to_string(), "the document has 2 batches, the file 1");

    let mut writer = FileWriter::try_new(Vec::new(), two.schema()).unwrap();
    writer.write(&two.batches()[0]).unwrap();
    writer.write(&two.batches()[1].slice(0, 1)).unwrap();
    let error = validate(&two, writer.finish().unwrap().into(), &Checks::all()).unwrap_err();
    assert_eq!(error.to_string(), "batch 1: the document has 2 rows, the file 1");
}

#[test]
fn metadata_may_come_in_any_order_and_ids_do_not_count() {
    let document = document(WORDS, &[FIRST_SECOND]);
    let text = Document::write(document.schema(), document.batches()).unwrap();
    let pairs = [r#"{"key":"a","value":"1"}"#, r#"{"key":"b","value":"2"}"#];
    let turned = text.replacen(&pairs.join(","), &[pairs[1], pairs[0]].join(","), 1);
    let renumbered = turned.replace("\"id\":0", "\"id\":77");
    assert_ne!(renumbered, turned);
    validate(&Document::parse(&renumbered).unwrap(), file(&document), &Checks::all()).unwrap();
    // A missing pair is a difference, and so is a repeated one.
    for other in [pairs[0].to_owned(), [pairs[0], pairs[0], pairs[1]].join(",")] {
        let other = Document::parse(&text.replacen(&pairs.join(","), &other, 1)).unwrap();
        let error = validate(&other, file(&document), &Checks::all()).unwrap_err();
        assert!(error.to_string().starts_with("metadata of the schema: "), "{error}");
    }
}

#[test]
fn names_in_maps_may_be_the_usual_ones() {
    let map = |[entries, key, value]: [&str; 3]| {
        let int = r#""type": {"name": "int", "isSigned": true, "bitWidth": 8}"#;
        format!(
            r#""name": "m", "nullable": true, "type": {{"name": "map", "keysSorted": false}}, "children": [
            {{"name": "{entries}", "nullable": false, "type": {{"name": "struct"}}, "children": [
            {{"name": "{key}", "nullable": false, {int}}}, {{"name": "{value}", "nullable": true, {int}}}]}}]"#
        )
    };
    let (usual, own) = (["entries", "key", "value"], ["e", "k", "v"]);
    let column = r#""VALIDITY": [1, 1], "OFFSET": [0, 0, 0], "children": [{"count": 0, "VALIDITY": [], "children": [
        {"count": 0, "VALIDITY": [], "DATA": []}, {"count": 0, "VALIDITY": [], "DATA": []}]}]"#;
    let compare = |expected: [&str; 3], found: [&str; 3]| {
        let found = file(&document(&map(found), &[column]));
        validate(&document(&map(expected), &[column]), found, &Checks::all())
    };
    compare(own, own).unwrap();
    compare(own, usual).unwrap();
    for (expected, found) in [(usual, own), (own, ["e", "key", "v"])] {
        let error = compare(expected, found).unwrap_err().to_string();
        assert!(error.starts_with("schema: field m."), "{error}");
    }
}

#[test]
fn checks_ask_for_one_rule_each() {
    let field = |data_type: &str| format!(r#""name": "a", "nullable": true, "type": {data_type}"#);
    let column = |values: &str| format!(r#""VALIDITY": [1, 1], "DATA": {values}"#);
    let [mut decimals, mut date64, mut times] = [Checks::default(); 3];
    (decimals.decimals, date64.date64, times.times) = (true, true, true);
    let cases = [
        (r#"{"name": "decimal", "precision": 3, "scale": 0}"#, r#"["1000", "0"]"#, decimals),
        (r#"{"name": "date", "unit": "MILLISECOND"}"#, r#"["1", "0"]"#, date64),
        (r#"{"name": "time", "unit": "SECOND"}"#, "[86400, 0]", times),
        (r#"{"name": "time", "unit": "NANOSECOND"}"#, r#"["-1", "0"]"#, times),
    ];
    for (data_type, values, requested) in cases {
        let document = document(&field(data_type), &[&column(values)]);
        for checks in [Checks::default(), decimals, date64, times, Checks::all()] {
            let outcome = validate(&document, file(&document), &checks);
            let is_requested = checks == requested || checks == Checks::all();
            assert_eq!(outcome.is_err(), is_requested, "{data_type}, {checks:?}: {outcome:?}");
        }
    }
}

#[test]
fn fields_that_are_not_nullable_have_no_nulls() {
    let int = r#""name": "a", "nullable": false, "type": {"name": "int", "isSigned": true, "bitWidth": 32}"#;
    let decimal =
        r#""name": "a", "nullable": false, "type": {"name": "decimal", "precision": 3, "scale": 0}"#;
    for (field, values) in [(int, "[1, 2]"), (decimal, r#"["1", "2"]"#)] {
        let document = document(field, &[&format!(r#""VALIDITY": [1, 0], "DATA": {values}"#)]);
        for checks in [Checks::default(), Checks::all()] {
            let error = validate(&document, file(&document), &checks).unwrap_err().to_string();
            assert!(error.starts_with("the document, batch 0: field `a`"), "{error}");
        }
    }
}

#[test]
fn a_file_is_also_a_stream() {
    let document = document(INT, &[ONE_TWO]);
    let good = file(&document);
    let end = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
    let end_at = good.windows(8).rposition(|bytes| bytes == end).expect("files have an end of the stream");
    let mut relaxed = Checks::all();
    relaxed.stream = false;
    // The end is another one; it is gone; the stream begins with something else.
    let changes: [(usize, u8, &str); 3] = [
        (end_at + 4, 8, "the file as a stream: "),
        (end_at, 0, "the file as a stream: "),
        (8, 0xFE, "the file as a stream: "),
    ];
    for (at, byte, words) in changes {
        let mut bytes = good.to_vec();
        bytes[at] = byte;
        let bytes = Buffer::from(bytes);
        let error = validate(&document, bytes.clone(), &Checks::all()).unwrap_err();
        assert!(error.to_string().starts_with(words), "{at}: {error}");
        validate(&document, bytes, &relaxed).unwrap_or_else(|error| panic!("{at}: {error}"));
    }
    // Room after the first bytes is no part of the stream.
    validate(&document, good, &Checks::all()).unwrap();
}
