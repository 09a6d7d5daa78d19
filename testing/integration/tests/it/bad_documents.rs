//! Documents with one mistake each. The error must have its path and its cause.

use integration::Document;

/// A valid document. Each case of the table replaces a part of it.
const GOOD: &str = r#"{
"schema": {"fields": [
  {"name": "i", "type": {"name": "int", "isSigned": true, "bitWidth": 8}, "nullable": true, "children": []},
  {"name": "s", "type": {"name": "utf8"}, "nullable": true, "children": []},
  {"name": "l", "type": {"name": "list"}, "nullable": true, "children": [
    {"name": "item", "type": {"name": "int", "isSigned": true, "bitWidth": 64}, "nullable": true, "children": []}]},
  {"name": "d", "type": {"name": "decimal", "precision": 76, "scale": 0, "bitWidth": 256}, "nullable": true, "children": [],
    "dictionary": {"id": 5, "indexType": {"name": "int", "isSigned": false, "bitWidth": 8}, "isOrdered": false}},
  {"name": "u", "type": {"name": "union", "mode": "DENSE", "typeIds": [4]}, "nullable": true, "children": [
    {"name": "b", "type": {"name": "bool"}, "nullable": true, "children": []}]},
  {"name": "v", "type": {"name": "binaryview"}, "nullable": true, "children": []},
  {"name": "r", "type": {"name": "runendencoded"}, "nullable": true, "children": [
    {"name": "run_ends", "type": {"name": "int", "isSigned": true, "bitWidth": 16}, "nullable": false, "children": []},
    {"name": "values", "type": {"name": "floatingpoint", "precision": "SINGLE"}, "nullable": true, "children": []}]},
  {"name": "t", "type": {"name": "time", "unit": "SECOND", "bitWidth": 32}, "nullable": true, "children": []},
  {"name": "m", "type": {"name": "interval", "unit": "MONTH_DAY_NANO"}, "nullable": true, "children": []},
  {"name": "x", "type": {"name": "fixedsizebinary", "byteWidth": 2}, "nullable": true, "children": []}
]},
"dictionaries": [{"id": 5, "data": {"count": 1, "columns": [
  {"name": "DICT5", "count": 1, "VALIDITY": [1], "DATA": ["9999999999999999999999999999999999999999999999999999999999999999999999999999"]}]}}],
"batches": [{"count": 2, "columns": [
  {"name": "i", "count": 2, "VALIDITY": [1, 0], "DATA": [-128, {"any": ["thing"]}]},
  {"name": "s", "count": 2, "VALIDITY": [1, 0], "OFFSET": [0, 3, 9], "DATA": ["a\u00e9", null]},
  {"name": "l", "count": 2, "VALIDITY": [1, 1], "OFFSET": [0, 1, 1], "children": [
    {"name": "item", "count": 1, "VALIDITY": [1], "DATA": ["-9223372036854775808"]}]},
  {"name": "d", "count": 2, "VALIDITY": [1, 0], "DATA": [0, 255]},
  {"name": "u", "count": 2, "TYPE_ID": [4, 4], "OFFSET": [0, 1], "VALIDITY": [1, 1], "children": [
    {"name": "b", "count": 2, "VALIDITY": [1, 1], "DATA": [true, 0]}]},
  {"name": "v", "count": 2, "VALIDITY": [1, 1], "VIEWS": [{"SIZE": 1, "INLINED": "fF"},
    {"SIZE": 13, "PREFIX_HEX": "00010203", "BUFFER_INDEX": 0, "OFFSET": 0}],
    "VARIADIC_DATA_BUFFERS": ["000102030405060708090A0B0C"]},
  {"name": "r", "count": 2, "children": [
    {"name": "run_ends", "count": 1, "VALIDITY": [1], "DATA": [2]},
    {"name": "values", "count": 1, "VALIDITY": [1], "DATA": [0.1]}]},
  {"name": "t", "count": 2, "VALIDITY": [1, 1], "DATA": [0, 1]},
  {"name": "m", "count": 2, "VALIDITY": [1, 1], "DATA": [
    {"months": 1, "days": 2, "nanoseconds": 9223372036854775807}, {"months": 0, "days": 0, "nanoseconds": 0}]},
  {"name": "x", "count": 2, "VALIDITY": [1, 0], "DATA": ["00ff", ""]}
]}],
"unknown": {"member": [1, 2]}
}"#;

/// The text that is replaced, its replacement, and a part of the error.
const CASES: [(&str, &str, &str); 58] = [
    // The text.
    (GOOD, "", "not JSON: EOF while parsing a value at line 1 column 0"),
    (GOOD, "[]", "expected an object, found []"),
    (GOOD, "{}", "the member \"schema\" is missing"),
    ("\"unknown\"", "\"batches\": [], \"unknown\"", "the member \"batches\" is repeated"),
    ("}]},\n  {\"name\": \"d\"", "}]}},\n  {\"name\": \"d\"", "not JSON: expected `,` or `]` at line 6"),
    // The schema.
    ("\"fields\": [", "\"fields\": [{}, ", "schema.fields[0]: the member \"name\" is missing"),
    ("\"fields\": [", "\"fields\": 7, \"a\": [", "schema.fields: expected an array, found 7"),
    (
        "{\"name\": \"i\", \"type\"",
        "{\"name\": 5, \"type\"",
        "schema.fields[0].name: expected a string, found 5",
    ),
    (
        "\"bitWidth\": 8}, \"nullable\": true",
        "\"bitWidth\": 8}, \"nullable\": \"yes\"",
        "schema.fields[0].nullable: expected true or false, found \"yes\"",
    ),
    (
        "\"bitWidth\": 8}, \"nullable\": true",
        "\"bitWidth\": 12}, \"nullable\": true",
        "schema.fields[0].type: an integer of 12 bits does not exist",
    ),
    ("{\"name\": \"utf8\"}", "{\"name\": \"utf9\"}", "schema.fields[1].type: there is no type \"utf9\""),
    ("{\"name\": \"utf8\"}", "{\"name\": \"list\"}", "schema.fields[1].type: list takes 1 children, found 0"),
    ("{\"name\": \"list\"}", "{\"name\": \"utf8\"}", "schema.fields[2].type: utf8 takes 0 children, found 1"),
    (
        "{\"name\": \"list\"}",
        "{\"name\": \"map\", \"keysSorted\": false}",
        "schema.fields[2].type: map entries must be a struct of a key and a value",
    ),
    (
        "\"bitWidth\": 64}",
        "\"bitWidth\": 640}",
        "schema.fields[2].children[0].type: an integer of 640 bits does not exist",
    ),
    (
        "\"precision\": 76",
        "\"precision\": 77",
        "schema.fields[3].type: the precision of the decimal is 77; its bit width allows 1 to 76",
    ),
    (
        "\"precision\": 76",
        "\"precision\": 7.6",
        "schema.fields[3].type.precision: expected a precision, found 7.6",
    ),
    ("\"bitWidth\": 256", "\"bitWidth\": 512", "schema.fields[3].type: a decimal of 512 bits does not exist"),
    (
        "{\"id\": 5, \"indexType\": {\"name\": \"int\"",
        "{\"id\": 5, \"indexType\": {\"name\": \"bool\"",
        "schema.fields[3].dictionary.indexType: expected an integer type",
    ),
    (
        "\"typeIds\": [4]",
        "\"typeIds\": [4, 5]",
        "schema.fields[4].type: a union has one type id for each child, found 2 type ids for 1 children",
    ),
    (
        "\"typeIds\": [4]",
        "\"typeIds\": [200]",
        "schema.fields[4].type.typeIds[0]: expected a type id, found 200",
    ),
    ("\"DENSE\"", "\"dense\"", "schema.fields[4].type.mode: there is no mode \"dense\""),
    (
        "\"bitWidth\": 16}",
        "\"bitWidth\": 8}",
        "schema.fields[6].type: run ends must be int16, int32 or int64, found int8",
    ),
    (
        "\"SECOND\", \"bitWidth\": 32",
        "\"SECOND\", \"bitWidth\": 64",
        "schema.fields[7].type: a time of this unit of 64 bits does not exist",
    ),
    (
        "\"byteWidth\": 2",
        "\"byteWidth\": 3000000000",
        "schema.fields[9].type: the fixed size is 3000000000; allowed: 0 to 2147483647",
    ),
    ("\"byteWidth\": 2", "\"byteWidth\": -2", "schema.fields[9].type.byteWidth: expected a size, found -2"),
    // Dictionaries.
    (
        "[{\"id\": 5, \"data\"",
        "[{\"id\": 6, \"data\"",
        "batches[0].columns[3]: there is no dictionary with the id 5",
    ),
    (
        "[{\"id\": 5, \"data\"",
        "[{\"id\": 5, \"data\": {\"columns\": [1]}}, {\"id\": 5, \"data\"",
        "dictionaries[1]: the dictionary with the id 5 is repeated",
    ),
    (
        "\"data\": {\"count\": 1,",
        "\"data\": {\"count\": 2,",
        "dictionaries[0].data.count: expected 1 elements, found 2",
    ),
    (
        "\"999999",
        "\"9999990",
        "dictionaries[0].data.columns[0].DATA[0]: expected the unscaled integer of a decimal in a string, found \"9999990",
    ),
    (
        "\"DATA\": [0, 255]",
        "\"DATA\": [1, 255]",
        "batches[0]: field `d`, values, slot 0: index 1 is out of bounds",
    ),
    // Columns.
    (
        "\"batches\": [{\"count\": 2",
        "\"batches\": [{\"count\": 3",
        "batches[0]: field `i`: the column has 2 rows; the batch has 3",
    ),
    (
        "\"batches\": [{\"count\": 2",
        "\"batches\": [{\"count\": -2",
        "batches[0].count: expected a number of rows, found -2",
    ),
    (
        "{\"name\": \"i\", \"count\": 2, ",
        "{\"name\": \"extra\"}, {\"name\": \"i\", \"count\": 2, ",
        "batches[0].columns: expected 10 elements, found 11",
    ),
    (
        "{\"name\": \"i\", \"count\": 2, ",
        "{\"name\": \"i\", ",
        "batches[0].columns[0]: the member \"count\" is missing",
    ),
    (
        "\"VALIDITY\": [1, 0], \"DATA\": [-128",
        "\"VALIDITY\": [1], \"DATA\": [-128",
        "batches[0].columns[0].VALIDITY: expected 2 elements, found 1",
    ),
    (
        "\"VALIDITY\": [1, 0], \"DATA\": [-128",
        "\"DATA\": [-128",
        "batches[0].columns[0]: the member \"VALIDITY\" is missing",
    ),
    (
        "\"VALIDITY\": [1, 0], \"DATA\": [-128",
        "\"VALIDITY\": [1, 2], \"DATA\": [-128",
        "batches[0].columns[0].VALIDITY[1]: expected true or false, found 2",
    ),
    ("[-128, ", "[-129, ", "batches[0].columns[0].DATA[0]: expected an int8, found -129"),
    ("[-128, ", "[-12.8, ", "batches[0].columns[0].DATA[0]: expected an int8, found -12.8"),
    ("[-128, ", "[\"-128\", ", "batches[0].columns[0].DATA[0]: expected an int8, found \"-128\""),
    (
        "\"OFFSET\": [0, 3, 9]",
        "\"OFFSET\": [0, 4, 9]",
        "batches[0].columns[1].DATA[0]: the value has 3 bytes; its offsets say 4",
    ),
    (
        "\"OFFSET\": [0, 3, 9]",
        "\"OFFSET\": [0, 3]",
        "batches[0].columns[1].OFFSET: expected 3 elements, found 2",
    ),
    (
        "\"a\\u00e9\"",
        "\"\\ud800aa\"",
        "batches[0].columns[1].DATA[0]: not JSON: unexpected end of hex escape",
    ),
    (
        "\"OFFSET\": [0, 1, 1]",
        "\"OFFSET\": [0, 2, 2]",
        "batches[0]: field `l`, offsets, slot 0: offset 2 is out of bounds",
    ),
    (
        "\"OFFSET\": [0, 1, 1]",
        "\"OFFSET\": [0, 1, 4294967297]",
        "batches[0].columns[2].OFFSET[2]: expected an integer in range, found 4294967297",
    ),
    (
        "-9223372036854775808",
        "-9223372036854775809",
        "batches[0].columns[2].children[0].DATA[0]: expected an int64 in a string",
    ),
    ("\"TYPE_ID\": [4, 4]", "\"TYPE_ID\": [4, 3]", "batches[0]: field `u`, type ids, slot 1"),
    (
        "\"OFFSET\": [0, 1], \"VALIDITY\"",
        "\"OFFSET\": [0, 2], \"VALIDITY\"",
        "batches[0]: field `u`, offsets, slot 1",
    ),
    (
        "{\"name\": \"b\", \"count\": 2, ",
        "{\"name\": \"b\", \"count\": 3, ",
        "batches[0].columns[4].children[0].VALIDITY: expected 3 elements, found 2",
    ),
    (
        "\"INLINED\": \"fF\"",
        "\"INLINED\": \"f\"",
        "batches[0].columns[5].VIEWS[0].INLINED: expected pairs of hexadecimal digits, found \"f\"",
    ),
    (
        "\"SIZE\": 1, ",
        "\"SIZE\": 2, ",
        "batches[0].columns[5].VIEWS[0]: the value has 1 bytes; its offsets say 2",
    ),
    (
        "\"PREFIX_HEX\": \"00010203\"",
        "\"PREFIX_HEX\": \"00010204\"",
        "batches[0]: field `v`, views, slot 1: malformed view",
    ),
    ("\"BUFFER_INDEX\": 0", "\"BUFFER_INDEX\": 1", "batches[0]: field `v`, views, slot 1: malformed view"),
    (
        "\"DATA\": [2]",
        "\"DATA\": [1]",
        "batches[0]: field `r.run_ends`, values, slot 0: the last run ends at 1",
    ),
    (
        "[0.1]",
        "[1e39]",
        "batches[0].columns[6].children[1].DATA[0]: expected a number that the type can hold, found 1e39",
    ),
    (
        "9223372036854775807}",
        "9223372036854775808}",
        "batches[0].columns[8].DATA[0].nanoseconds: expected an int64, found 9223372036854775808",
    ),
    (
        "[\"00ff\", ",
        "[\"00ff00\", ",
        "batches[0].columns[9].DATA[0]: the value has 3 bytes; its offsets say 2",
    ),
];

#[test]
fn the_good_document_is_read() {
    let document = Document::parse(GOOD).unwrap();
    let batch = &document.batches()[0];
    assert_eq!((batch.n_rows(), batch.n_columns()), (2, 10));
    // As it was given, not what its children would be in other places.
    let text = Document::write(document.schema(), document.batches()).unwrap();
    for part in ["-9223372036854775808", "9223372036854775807", "\"9999999999", "0.1", "\"FF\"", "\"00FF\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn bad_documents_are_errors_with_their_location() {
    let mut failures = Vec::new();
    for (good, bad, words) in CASES {
        assert!(GOOD.contains(good), "{good}");
        let error = match Document::parse(&GOOD.replacen(good, bad, 1)) {
            Ok(_) => "no error".to_owned(),
            Err(error) => error.to_string(),
        };
        if !error.starts_with(words) {
            failures.push(format!("{bad}\n  expected: {words}\n  found: {error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn deep_and_large_documents_are_refused() {
    let field = |inner: &str| {
        format!(r#"{{"name": "", "type": {{"name": "list"}}, "nullable": true, "children": [{inner}]}}"#)
    };
    let leaf = r#"{"name": "", "type": {"name": "null"}, "nullable": true}"#.to_owned();
    let schema = |n_levels: usize| {
        let fields = (1..n_levels).fold(leaf.clone(), |inner, _| field(&inner));
        format!(r#"{{"schema": {{"fields": [{fields}]}}, "batches": []}}"#)
    };
    assert_eq!(Document::parse(&schema(64)).unwrap().schema().schema().fields()[0].data_type().depth(), 64);
    let error = Document::parse(&schema(65)).unwrap_err().to_string();
    assert!(error.ends_with("types nest deeper than the limit of 64 levels"), "{error}");

    // Nulls of gigabytes in few bytes of text.
    let bytes =
        r#"{"name": "", "type": {"name": "fixedsizebinary", "byteWidth": 2000000000}, "nullable": true}"#;
    let column = r#"{"name": "", "count": 2, "VALIDITY": [0, 0], "DATA": ["", ""]}"#;
    let text = format!(
        r#"{{"schema": {{"fields": [{bytes}]}}, "batches": [{{"count": 2, "columns": [{column}]}}]}}"#
    );
    let error = Document::parse(&text).unwrap_err().to_string();
    assert_eq!(error, "batches[0].columns[0]: nulls take more than 268435456 bytes");
}

#[test]
fn fields_that_share_a_dictionary_need_the_same_values() {
    let field = |value: &str, inner: &str| {
        format!(
            r#"{{"name": "", "type": {value}, "nullable": true, "children": [{inner}], "dictionary":
            {{"id": 1, "indexType": {{"name": "int", "isSigned": true, "bitWidth": 8}}}}}}"#
        )
    };
    let (text, bytes) = (field(r#"{"name": "utf8"}"#, ""), field(r#"{"name": "binary"}"#, ""));
    let list = field(r#"{"name": "list"}"#, &text);
    for fields in [format!("{text}, {bytes}"), list] {
        let text = format!(r#"{{"schema": {{"fields": [{fields}]}}, "batches": [], "dictionaries": []}}"#);
        let error = Document::parse(&text).unwrap_err().to_string();
        assert!(error.starts_with("dictionaries: fields share the dictionary with the id 1"), "{error}");
    }
}
