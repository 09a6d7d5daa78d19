//! Values of canonical extension types: their text in JSON, CSV and tables, and reading it back.

use arrow_array::Utf8Array;
use arrow_data::RecordBatch;
use arrow_schema::{Bool8, DataType, Extension, Field, Json, RunEndType, Schema, Uuid};
use arrow_text::{BatchTable, CsvOptions, CsvReader, JsonReader};

use testing_support::rows;

use crate::rows::trip::{csv, json};

const ID: &str = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";

fn uuid() -> Field {
    Field::new("v", Uuid.storage()).with_extension_type(&Uuid).expect("it is the storage")
}

fn bool8() -> Field {
    Field::new("v", DataType::Int8).with_extension_type(&Bool8).expect("it is the storage")
}

fn json_field() -> Field {
    Field::new("v", DataType::Utf8).with_extension_type(&Json).expect("it is the storage")
}

/// A field of tensors of 32-bit integers, stored in lists of `n_items` items.
fn tensors(n_items: u32, metadata: &str) -> Field {
    let storage =
        DataType::fixed_size_list(Field::new("item", DataType::Int32), n_items).expect("it is small");
    labelled(storage, "arrow.fixed_shape_tensor", Some(metadata))
}

/// A field of tensors of 32-bit integers, which each have a shape of `n_dims` dimensions.
fn tensor_field(n_dims: u32, metadata: &str) -> Field {
    let sizes = DataType::fixed_size_list(Field::new("item", DataType::Int32), n_dims).expect("it is small");
    let elements = DataType::list(Field::new("item", DataType::Int32));
    let storage = DataType::struct_([Field::new("shape", sizes), Field::new("data", elements)]);
    labelled(storage, "arrow.variable_shape_tensor", Some(metadata))
}

fn labelled(data_type: DataType, name: &str, metadata: Option<&str>) -> Field {
    Field::new("v", data_type).with_extension(Extension { name, metadata })
}

/// The rows of a column of JSON values.
fn read(field: &Field, values: &[&str]) -> RecordBatch {
    let lines: String = values.iter().map(|value| format!("{{\"v\":{value}}}\n")).collect();
    JsonReader::read_batch(&lines, Schema::new([field.clone()])).unwrap_or_else(|error| panic!("{error}"))
}

/// The values in JSON, in CSV and in tables, after reading JSON and CSV back.
fn shown(batch: &RecordBatch) -> [Vec<String>; 3] {
    let csv = csv(batch, CsvOptions::new());
    let mut from_csv = CsvReader::try_new(csv.as_bytes(), batch.schema().clone()).expect(&csv);
    let from_csv = from_csv.next().expect(&csv).expect(&csv);
    assert_eq!(rows(&from_csv), rows(batch), "{csv}");
    let table = BatchTable::try_new(batch).expect("it is valid").to_string();
    let lines = |text: &str, n_before: usize| -> Vec<String> {
        text.lines().skip(n_before).map(|line| line.trim().to_owned()).collect()
    };
    let n_above = table.lines().count() - batch.n_rows();
    [json_values(batch), lines(&csv, 1), lines(&table, n_above)]
}

/// The values of a column in JSON, after reading them back.
fn json_values(batch: &RecordBatch) -> Vec<String> {
    let json = json(batch);
    let read = JsonReader::read_batch(&json, batch.schema().clone()).expect(&json);
    assert_eq!(rows(&read), rows(batch), "{json}");
    json.lines().map(|line| line[5..line.len() - 1].to_owned()).collect()
}

#[test]
fn values_are_shown_as_people_read_them_and_read_back() {
    let quoted = format!("\"{ID}\"");
    type Case<'a> = (Field, &'a [&'a str], [&'a [&'a str]; 3]);
    let cases: [Case<'_>; 2] = [
        (
            uuid(),
            &[&quoted, "null", "\"00000000-0000-0000-0000-000000000000\""],
            [
                &[&quoted, "null", "\"00000000-0000-0000-0000-000000000000\""],
                &[ID, "\"\"", "00000000-0000-0000-0000-000000000000"],
                &[ID, "null", "00000000-0000-0000-0000-000000000000"],
            ],
        ),
        (
            bool8(),
            &["true", "false", "null", "0", "1", "-1", "127"],
            [
                &["true", "false", "null", "false", "true", "-1", "127"],
                &["true", "false", "\"\"", "false", "true", "-1", "127"],
                &["true", "false", "null", "false", "true", "-1", "127"],
            ],
        ),
    ];
    for (field, values, expected) in cases {
        let found = shown(&read(&field, values));
        assert_eq!(
            found.each_ref().map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>()),
            expected
        );
    }
}

#[test]
fn values_in_lists_structs_dictionaries_and_runs_have_the_same_form() {
    let both = DataType::Struct(vec![uuid().with_name("id"), bool8().with_name("is")].into());
    let field = Field::new("v", DataType::list(Field::new("item", both)));
    let value = format!("[{{\"id\":\"{ID}\",\"is\":true}},null]");
    let [found, ..] = shown(&read(&field, &[&value, "[]"]));
    assert_eq!(found, [value.as_str(), "[]"]);
}

#[test]
fn values_of_runs_have_the_form_of_their_own_field() {
    let quoted = format!("\"{ID}\"");
    for (values, value) in [
        (uuid(), quoted.as_str()),
        (bool8(), "true"),
        (json_field(), r#"{"a": [1]}"#),
        (tensors(4, r#"{"shape":[2,2]}"#), "[[1,2],[3,4]]"),
    ] {
        let runs = DataType::run_end_encoded(RunEndType::Int32, values.data_type().clone());
        let children = vec![runs.children()[0].clone(), values.with_name("values")];
        let runs = runs.with_children(children).expect("they are the same types");
        let lists = DataType::list(Field::new("item", runs.clone()));
        let items = format!("[{value},{value},null]");
        assert_eq!(
            json_values(&read(&Field::new("v", runs), &[value, value, "null"])),
            [value, value, "null"]
        );
        assert_eq!(json_values(&read(&Field::new("v", lists), &[&items])), [items]);
    }
}

#[test]
fn json_stands_in_json_as_it_is() {
    let texts = [
        // The value as it is written in a row, and the text of the storage.
        (r#"{"a": [1,{"b":null}], "é":"x"}"#, r#"{"a": [1,{"b":null}], "é":"x"}"#),
        ("[]", "[]"),
        ("-1.50e+400", "-1.50e+400"),
        ("true", "true"),
        // A string contains the whole text. This is so for JSON strings, null, text that is not JSON, and text with line
        // breaks.
        (r#""\"x\"""#, r#""x""#),
        (r#""null""#, "null"),
        (r#""{a:1}""#, "{a:1}"),
        (r#"" 1""#, " 1"),
        (r#""[1] ""#, "[1] "),
        (r#""[1,\n2]""#, "[1,\n2]"),
        (r#""[\"\u0085\"]""#, "[\"\u{85}\"]"),
        (r#""[\"\\ud800\"]""#, r#"["\ud800"]"#),
        (r#""""#, ""),
    ];
    let values: Vec<&str> = texts.iter().map(|(value, _)| *value).collect();
    let batch = read(&json_field(), &values);
    let column = Utf8Array::try_from(batch.columns()[0].clone()).expect("it is utf8");
    assert_eq!(column.iter().flatten().collect::<Vec<_>>(), texts.map(|(_, text)| text));
    assert_eq!(json_values(&batch), values);
    let [.., table] = shown(&read(&json_field(), &values[..4]));
    assert_eq!(table, texts.map(|(_, text)| text)[..4]);
    // Lists of JSON values, nulls, and values with line breaks.
    let lists = DataType::list(json_field().with_name("item"));
    let value = r#"[{"a":1},null,"x",[2]]"#;
    assert_eq!(json_values(&read(&Field::new("v", lists), &[value, "null"])), [value, "null"]);
    assert_eq!(json_values(&read(&json_field(), &["null", "[\t1]"])), ["null", r#""[\t1]""#]);
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(json_values(&read(&json_field(), &[&deep])), [deep.as_str()]);
    // The metadata is invalid.
    let damaged = labelled(DataType::Utf8, "arrow.json", Some("{"));
    assert_eq!(json_values(&read(&damaged, &[r#""[1]""#])), [r#""[1]""#]);
}

#[test]
fn tensors_are_nested_lists() {
    let cases = [
        (tensors(6, r#"{"shape":[2,3]}"#), "[[1,2,3],[4,null,6]]"),
        (tensors(6, r#"{"shape":[3,1,2]}"#), "[[[1,2]],[[3,4]],[[5,6]]]"),
        // The text is in logical order: its dimension 0 is dimension 1 of the storage.
        (tensors(6, r#"{"shape":[2,3],"permutation":[1,0]}"#), "[[1,4],[2,null],[3,6]]"),
        (tensor_field(2, ""), "[[1,2,3],[4,null,6]]"),
        (tensor_field(2, ""), "[[1,0],[2,0],[3,0]]"),
        (tensor_field(1, "{}"), "[7,8,9]"),
        (tensor_field(3, r#"{"permutation":[2,0,1]}"#), "[[[1,2],[3,4],[5,6]]]"),
    ];
    for (field, value) in cases {
        let quoted = format!("\"{value}\"");
        let expected = [[value, "null"], [&quoted, "\"\""], [value, "null"]];
        assert_eq!(shown(&read(&field, &[value, "null"])), expected);
    }
    let stored = |field: &Field, value| {
        let plain = field.clone().without_extension();
        let columns = read(field, &[value]).columns().to_vec();
        let batch = RecordBatch::try_new(Schema::new([plain]), columns).expect("they are the storage");
        json_values(&batch).join(" ")
    };
    let field = tensors(6, r#"{"shape":[2,3],"permutation":[1,0]}"#);
    assert_eq!(stored(&field, "[[1,4],[2,5],[3,6]]"), "[1,2,3,4,5,6]");
    let field = tensors(24, r#"{"shape":[2,3,4],"permutation":[2,0,1]}"#);
    let value = "[[[0,4,8],[12,16,20]],[[1,5,9],[13,17,21]],[[2,6,10],[14,18,22]],[[3,7,11],[15,19,23]]]";
    let numbers: Vec<String> = (0..24).map(|number| number.to_string()).collect();
    assert_eq!(stored(&field, value), format!("[{}]", numbers.join(",")));
    let field = tensor_field(3, r#"{"permutation":[2,0,1]}"#);
    assert_eq!(stored(&field, "[[[1,2],[3,4],[5,6]]]"), r#"{"shape":[3,2,1],"data":[1,2,3,4,5,6]}"#);
}

#[test]
fn tensors_without_a_sound_shape_are_shown_as_their_storage() {
    let nested = DataType::list(Field::new("item", DataType::Int32));
    let nested_lists = DataType::fixed_size_list(Field::new("item", nested), 2).expect("it is small");
    let many = format!("{{\"shape\":[2{}]}}", ",1".repeat(40));
    let cases = [
        // One dimension, and no dimension.
        (tensors(2, r#"{"shape":[2]}"#), "[1,2]"),
        (tensors(1, r#"{"shape":[]}"#), "[1]"),
        // No elements. With elements, the lists would be almost endless.
        (tensors(0, r#"{"shape":[9000000000000000000,0]}"#), "[]"),
        (tensors(2, &many), "[1,2]"),
        // The metadata is invalid.
        (tensors(2, r#"{"shape":[1,3]}"#), "[1,2]"),
        (tensors(2, r#"{"shape":[-1,-2]}"#), "[1,2]"),
        (tensors(2, r#"{"shape":[1,2],"permutation":[0,0]}"#), "[1,2]"),
        (tensors(2, r#"{"shape":[4294967296,4294967296,2]}"#), "[1,2]"),
        (tensors(2, "{"), "[1,2]"),
        (labelled(nested_lists, "arrow.fixed_shape_tensor", Some(r#"{"shape":[1,2]}"#)), "[[1],[2,3]]"),
        // Shapes that are null, negative, too large, or do not match the number of elements.
        (tensor_field(2, ""), r#"{"shape":[2,2],"data":[1,2,3]}"#),
        (tensor_field(2, ""), r#"{"shape":[-1,-3],"data":[1,2,3]}"#),
        (tensor_field(2, ""), r#"{"shape":[null,3],"data":[1,2,3]}"#),
        (tensor_field(2, ""), r#"{"shape":[2147483647,2147483647],"data":[1,2,3]}"#),
        (tensor_field(3, ""), r#"{"shape":[2147483647,2147483647,2147483647],"data":[1]}"#),
        (tensor_field(2, ""), r#"{"shape":[0,3],"data":[]}"#),
        (tensor_field(2, ""), r#"{"shape":null,"data":[1]}"#),
        (tensor_field(2, ""), r#"{"shape":[1,1],"data":null}"#),
        (tensor_field(0, ""), r#"{"shape":[],"data":[1]}"#),
        (tensor_field(2, r#"{"permutation":[0,2]}"#), r#"{"shape":[1,1],"data":[1]}"#),
    ];
    for (field, value) in cases {
        assert_eq!(json_values(&read(&field, &[value])), [value], "{field:?}");
    }
}

#[test]
fn nested_lists_of_other_shapes_are_refused() {
    let fixed = || tensors(6, r#"{"shape":[2,3]}"#);
    let cases = [
        (fixed(), "[[1,2,3],[4,5]]", "expected 3 items, found 2"),
        (fixed(), "[[1,2,3],[4,5,6],[7,8,9]]", "expected 2 items, found more"),
        (fixed(), "[[1,2,3,4],[5,6]]", "expected 3 items, found more"),
        (fixed(), "[1,2,3,4,5,6]", "expected an array, found"),
        (fixed(), "[[1,2,[3]],[4,5,6]]", "expected an integer"),
        (fixed(), "[[1,2,3],[4,5,\"6\"]]", "expected an integer"),
        (fixed(), "{}", "expected an array"),
        (tensor_field(2, ""), "[[1,2],[3]]", "expected 2 items, found 1"),
        (tensor_field(2, ""), "[[1],[2,3]]", "expected 1 item, found more"),
        (tensor_field(2, ""), "[]", "expected 1 item, found 0"),
        (tensor_field(2, ""), "[[],[]]", "expected 1 item, found 0"),
        (tensor_field(2, ""), "[1]", "expected an array, found"),
    ];
    for (field, value, expected) in cases {
        let line = format!("{{\"v\":{value}}}\n");
        let error = JsonReader::read_batch(&line, Schema::new([field])).expect_err(value).to_string();
        assert!(error.contains(expected), "{value}: {error}");
    }
}

#[test]
fn one_dictionary_of_two_columns_has_the_form_of_each() {
    let plain =
        DataType::dictionary(arrow_schema::IndexType::Int32, Uuid.storage()).expect("it may be a value");
    let column = read(&Field::new("v", plain.clone()), &[&format!("\"{ID}\"")]).columns()[0].clone();
    let schema = Schema::new([labelled(plain.clone(), "arrow.uuid", None), Field::new("bytes", plain)]);
    let batch = RecordBatch::try_new(schema, vec![column.clone(), column]).expect("they have these types");
    let digits = ID.replace('-', "");
    assert_eq!(json(&batch), format!("{{\"v\":\"{ID}\",\"bytes\":\"{digits}\"}}\n"));
}

#[test]
fn other_notations_of_a_uuid_are_read_too() {
    let expected = read(&uuid(), &[&format!("\"{ID}\"")]);
    for text in [ID.to_uppercase(), ID.replace('-', ""), ID.replace('-', "").to_uppercase()] {
        assert_eq!(rows(&read(&uuid(), &[&format!("\"{text}\"")])), rows(&expected));
    }
    // 16 bytes may be written as a UUID with any extension type.
    let plain = read(&Field::new("v", Uuid.storage()), &[&format!("\"{ID}\"")]);
    assert_eq!(rows(&plain), rows(&expected));
    assert_eq!(shown(&plain)[1], ["f81d4fae7dec11d0a76500a0c91e6bf6"]);
}

#[test]
fn texts_that_are_no_such_values_are_refused() {
    let cases: [(Field, &str, &str); 8] = [
        (
            uuid(),
            "\"f81d4fae-7dec-11d0-a765-00a0c91e6bfg\"",
            "32 hexadecimal digits, or a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ),
        (
            uuid(),
            "\"f81d4fae-7dec-11d0-a76500a0c-91e6bf6\"",
            "32 hexadecimal digits, or a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ),
        (
            uuid(),
            "\"f81d4fae-7dec-11d0-a765-00a0c91e6bé\"",
            "32 hexadecimal digits, or a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ),
        (
            uuid(),
            "\"------------------------------------\"",
            "32 hexadecimal digits, or a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ),
        (bool8(), "\"true\"", "true, false, or an integer from -128 to 127"),
        (bool8(), "128", "true, false, or an integer from -128 to 127"),
        (Field::new("v", DataType::Int8), "true", "an integer from -128 to 127"),
        (
            Field::new("v", DataType::fixed_size_binary(18).expect("it is small")),
            "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"",
            "36 hexadecimal digits",
        ),
    ];
    for (field, value, expected) in cases {
        let line = format!("{{\"v\":{value}}}\n");
        let error = JsonReader::read_batch(&line, Schema::new([field])).expect_err(value).to_string();
        assert!(error.contains(&format!("expected {expected}, found")), "{error}");
    }
}

#[test]
fn without_a_valid_description_the_storage_is_shown() {
    let bytes = |n_bytes| DataType::fixed_size_binary(n_bytes).expect("it is small");
    let cases = [
        (labelled(bytes(16), "arrow.uuid", Some("{")), "\"f81d4fae7dec11d0a76500a0c91e6bf6\""),
        (labelled(bytes(3), "arrow.uuid", None), "\"00ff7f\""),
        (labelled(DataType::Binary, "arrow.uuid", None), "\"f81d4fae7dec11d0a76500a0c91e6bf6\""),
        (labelled(bytes(16), "example.uuid", None), "\"f81d4fae7dec11d0a76500a0c91e6bf6\""),
        (labelled(DataType::Int8, "arrow.bool8", Some("x")), "1"),
        (labelled(DataType::Int16, "arrow.bool8", Some("")), "1"),
    ];
    for (field, value) in cases {
        assert_eq!(shown(&read(&field, &[value]))[0], [value], "{field:?}");
    }
}

#[test]
fn marks_of_numbers_leave_booleans_alone() {
    let schema = Schema::new([bool8()]);
    let marked = CsvOptions::new().with_delimiter(b';').expect("it is a delimiter");
    let marked = marked.with_number_marks(',', Some('.')).expect("they differ");
    let mut reader = CsvReader::try_new_with("v\ntrue\n1\n".as_bytes(), schema, marked).expect("it is flat");
    let found = reader.next().expect("there are rows").expect("they are read");
    assert_eq!(rows(&found), rows(&read(&bool8(), &["1", "true"])));
}
