//! Values of canonical extension types: what each form of text shows, and that it reads back.

use arrow_data::RecordBatch;
use arrow_schema::{Bool8, DataType, Extension, Field, Schema, Uuid};
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
    let (json, csv) = (json(batch), csv(batch, CsvOptions::new()));
    let from_json = JsonReader::read_batch(&json, batch.schema().clone()).expect(&json);
    assert_eq!(rows(&from_json), rows(batch), "{json}");
    let mut from_csv = CsvReader::try_new(csv.as_bytes(), batch.schema().clone()).expect(&csv);
    let from_csv = from_csv.next().expect(&csv).expect(&csv);
    assert_eq!(rows(&from_csv), rows(batch), "{csv}");
    let table = BatchTable::try_from_batch(batch).expect("it is valid").to_string();
    let lines = |text: &str, n_before: usize| -> Vec<String> {
        text.lines().skip(n_before).map(|line| line.trim().to_owned()).collect()
    };
    let value = |line: String| line[5..line.len() - 1].to_owned();
    let n_above = table.lines().count() - batch.n_rows();
    [lines(&json, 0).into_iter().map(value).collect(), lines(&csv, 1), lines(&table, n_above)]
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
fn other_notations_of_a_uuid_are_read_too() {
    let expected = read(&uuid(), &[&format!("\"{ID}\"")]);
    for text in [ID.to_uppercase(), ID.replace('-', ""), ID.replace('-', "").to_uppercase()] {
        assert_eq!(rows(&read(&uuid(), &[&format!("\"{text}\"")])), rows(&expected));
    }
    // Whatever the extension is, 16 bytes may be written as a UUID.
    let plain = read(&Field::new("v", Uuid.storage()), &[&format!("\"{ID}\"")]);
    assert_eq!(rows(&plain), rows(&expected));
    assert_eq!(shown(&plain)[1], ["f81d4fae7dec11d0a76500a0c91e6bf6"]);
}

#[test]
fn texts_that_are_no_such_values_are_refused() {
    let cases: [(Field, &str, &str); 8] = [
        (uuid(), "\"f81d4fae-7dec-11d0-a765-00a0c91e6bfg\"", "32 hexadecimal digits, or a UUID"),
        (uuid(), "\"f81d4fae-7dec-11d0-a76500a0c-91e6bf6\"", "32 hexadecimal digits, or a UUID"),
        (uuid(), "\"f81d4fae-7dec-11d0-a765-00a0c91e6bé\"", "32 hexadecimal digits, or a UUID"),
        (uuid(), "\"------------------------------------\"", "32 hexadecimal digits, or a UUID"),
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
    let mut reader =
        CsvReader::try_new("v\ntrue\n1\n".as_bytes(), schema).expect("it is flat").with_options(marked);
    let found = reader.next().expect("there are rows").expect("they are read");
    assert_eq!(rows(&found), rows(&read(&bool8(), &["1", "true"])));
}
