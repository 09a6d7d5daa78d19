//! Notations that readers accept but writers do not produce.

use arrow_array::Utf8Array;
use arrow_schema::{DataType, EXTENSION_NAME_KEY, Field, IndexType, Metadata, RunEndType, Schema};
use arrow_text::{CsvOptions, CsvReader, JsonParts, JsonReader};

use super::trip::{csv, json};

/// A schema with one column, or with the fields of a struct if `data_type` is one.
pub(crate) fn schema_of(data_type: &str) -> Schema {
    let data_type: DataType = data_type.parse().unwrap_or_else(|error| panic!("{data_type}: {error}"));
    match data_type.as_struct() {
        Some(fields) => Schema::new(fields),
        None => Schema::new([Field::new("v", data_type)]),
    }
}

#[test]
fn json_in_other_notations() {
    let cases = [
        ("int64", r#" { "v" : -0 } "#, r#"{"v":0}"#),
        ("int64", "{}", r#"{"v":null}"#),
        ("struct<v: null not null, n: int8>", r#"{"v":null}"#, r#"{"v":null,"n":null}"#),
        (
            "dictionary<int8, run_end_encoded<run_ends: int32 not null, values: sparse_union<0=a: int8>>>",
            r#"{"v":null}"#,
            r#"{"v":null}"#,
        ),
        ("float64", r#"{"v":1E3}"#, r#"{"v":1000.0}"#),
        ("float32", r#"{"v":1.00000005960464477539062500000000000000001}"#, r#"{"v":1.0000001}"#),
        ("float64", r#"{"v":-1e-999999999999999999999}"#, r#"{"v":-0.0}"#),
        ("decimal64(9, 2)", r#"{"v":12.5}"#, r#"{"v":"12.50"}"#),
        ("decimal64(9, 2)", r#"{"v":"1250e-2"}"#, r#"{"v":"12.50"}"#),
        (
            "decimal256(76, 0)",
            &format!("{{\"v\":{}}}", "9".repeat(76)),
            &format!("{{\"v\":\"{}\"}}", "9".repeat(76)),
        ),
        (
            "timestamp(s, \"Asia/Tokyo\")",
            r#"{"v":"1970-01-01 09:00:00+09:00"}"#,
            r#"{"v":"1970-01-01T00:00:00Z"}"#,
        ),
        ("time32(s)", r#"{"v":3600}"#, r#"{"v":"01:00:00"}"#),
        ("time32(s)", r#"{"v":"\u0030\u0031:00:00"}"#, r#"{"v":"01:00:00"}"#),
        (
            "interval(day_time)",
            r#"{"v": {"milliseconds" : 2, "days":1}}"#,
            r#"{"v":{"days":1,"milliseconds":2}}"#,
        ),
        (
            "interval(day_time)",
            r#"{"v":{"d\u0061ys":1,"milliseconds":2}}"#,
            r#"{"v":{"days":1,"milliseconds":2}}"#,
        ),
        ("binary", r#"{"v":"00FF"}"#, r#"{"v":"00ff"}"#),
        ("utf8", r#"{"v":"\u00e9\ud83d\ude00\/\t"}"#, "{\"v\":\"é😀/\\t\"}"),
        ("list<item: int8>", r#"{"v": [ 1 , 2 ] }"#, r#"{"v":[1,2]}"#),
        ("struct<\"é\": int8, b: int8>", r#"{"b":1,"\u00e9":2}"#, r#"{"é":2,"b":1}"#),
        ("struct<v: struct<a: int8, b: int8>>", r#"{"v":{"b":1}}"#, r#"{"v":{"a":null,"b":1}}"#),
        (
            "map<entries: struct<key: utf8 not null, value: int8> not null>",
            r#"{"v":{"b":1,"a":null,"b":2}}"#,
            r#"{"v":[["b",1],["a",null],["b",2]]}"#,
        ),
    ];
    for (data_type, text, expected) in cases {
        let batch = JsonReader::read_batch(text, schema_of(data_type));
        let batch = batch.unwrap_or_else(|error| panic!("{data_type}, {text}: {error}"));
        assert_eq!(json(&batch).trim_end(), expected, "{data_type}");
    }
}

#[test]
fn unknown_members_can_be_ignored() {
    let schema = schema_of("struct<v: int8, s: struct<w: int8>>");
    let text = r#"{"x":[[{"y":1e999}]],"v":1,"s":{"x":null,"w":2,"x":"\u0000"},"x":0}"#;
    let reader = JsonReader::try_new(text.as_bytes(), schema).expect("it is not deep");
    let batches: Result<Vec<_>, _> = reader.with_ignored_unknown_members().collect();
    assert_eq!(json(&batches.expect("the rest is fine")[0]), "{\"v\":1,\"s\":{\"w\":2}}\n");
    // A number is not an object with unknown members. Continuous integration also runs this with the feature
    // `arbitrary_precision` of the parser.
    for (text, byte) in [(r#"{"s":1.5}"#, 6), (r#"{"s": -1e99 }"#, 7), ("7", 1)] {
        let reader = JsonReader::try_new(text.as_bytes(), schema_of("struct<v: int8, s: struct<w: int8>>"));
        let result = reader.expect("it is not deep").with_ignored_unknown_members().next();
        let error = result.and_then(Result::err).expect("a number is no struct");
        assert!(error.to_string().contains("expected an object"), "{error}");
        assert_eq!(error.byte(), Some(byte), "{error}");
    }
    // A member may have any name.
    let text = r#"{"s":{"$serde_json::private::Number":"1.5","w":3}}"#;
    let reader = JsonReader::try_new(text.as_bytes(), schema_of("struct<v: int8, s: struct<w: int8>>"));
    let result = reader.expect("it is not deep").with_ignored_unknown_members().next();
    let batch = result.expect("a row").expect("the rest is fine");
    assert_eq!(json(&batch), "{\"v\":null,\"s\":{\"w\":3}}\n");
}

/// Columns of inferred JSON whose types were given are read in the notations of cells of CSV.
#[test]
fn cells_of_given_types() {
    let cases = [
        ("bool", r#"{"v":1}"#, r#"{"v":true}"#),
        ("bool", r#"{"v":" 0"}"#, r#"{"v":false}"#),
        ("int64", r#"{"v":" 5 "}"#, r#"{"v":5}"#),
        ("date32", r#"{"v":"\t2024-02-29"}"#, r#"{"v":"2024-02-29"}"#),
        ("dictionary<int8, int64>", r#"{"v":"5 "}"#, r#"{"v":5}"#),
        ("utf8", r#"{"v":" 5 "}"#, r#"{"v":" 5 "}"#),
    ];
    for (data_type, text, expected) in cases {
        let read = |given: &[usize]| {
            let parts = JsonParts::try_new(text.as_bytes(), schema_of(data_type)).expect("it is not deep");
            let mut parts = parts.with_exact_numbers_except(given);
            let part = parts.next().expect("a part").expect("it is there");
            part.reader().expect("it is not deep").collect::<Result<Vec<_>, _>>()
        };
        let batches = read(&[0]).unwrap_or_else(|error| panic!("{data_type}, {text}: {error}"));
        assert_eq!(json(&batches[0]), format!("{expected}\n"), "{data_type}");
        assert_eq!(read(&[]).is_ok(), data_type == "utf8", "{data_type}");
    }
}

/// Columns of JSON texts whose type was given keep all tokens, also of strings with half of a surrogate pair.
#[test]
fn json_texts_of_given_types_are_whole_tokens() {
    let texts =
        [r#""\ud800""#, r#""\u00e9""#, r#""x""#, r#"{"x":"\ud800"}"#, r#"["\udc00"]"#, "1.50", "true"];
    let field = Field::new("v", DataType::Utf8)
        .with_metadata(Metadata::from_iter([(EXTENSION_NAME_KEY, "arrow.json")]));
    for text in texts {
        let row = format!("{{\"v\": {text}}}");
        let parts = JsonParts::try_new(row.as_bytes(), Schema::new([field.clone()])).expect("it is not deep");
        let part = parts.with_exact_numbers_except(&[0]).next().expect("a part").expect("it is there");
        let batches = part.reader().expect("it is not deep").collect::<Result<Vec<_>, _>>();
        let batch = batches.expect(text).remove(0);
        let column = Utf8Array::try_from(batch.columns()[0].clone()).expect("it is utf8");
        assert_eq!(column.iter().flatten().collect::<Vec<_>>(), [text]);
        let read = JsonReader::read_batch(&json(&batch), batch.schema().clone());
        assert_eq!(read.expect("it was written"), batch);
    }
}

#[test]
fn csv_in_other_notations() {
    let cases = [
        ("struct<a: int8, b: utf8>", "b,a\r\n\"1\",\"2\"\r\n,+3\r\n", "a,b\n2,1\n3,\n"),
        ("struct<a: int8, b: utf8>", "\u{feff}a,b\n\n1,\"\"\n\n", "a,b\n1,\"\"\n"),
        ("struct<a: int8, b: utf8>", "a,b", "a,b\n"),
        ("struct<a: int8, b: utf8>", "", "a,b\n"),
        ("struct<a: utf8, a: utf8>", "a,a\n1,2\n", "a,a\n1,2\n"),
        ("struct<a: float64, b: list<item: int8>>", "b,a\n\"[ 1,\n2 ]\",1e3\n", "a,b\n1000.0,\"[1,2]\"\n"),
        ("int8", "v\n\"\"\n1\n", "v\n\"\"\n1\n"),
        ("dictionary<int8, date32>", "v\n 2024-02-29\n2024-02-29\t\n", "v\n2024-02-29\n2024-02-29\n"),
        ("run_end_encoded<run_ends: int32 not null, values: int8>", "v\n 5 \n5\n", "v\n5\n5\n"),
        ("dictionary<int8, utf8>", "v\n 5 \n", "v\n 5 \n"),
        ("struct<a: null not null, b: int8>", "a,b\n,1\n", "a,b\n,1\n"),
        ("list<item: int8>", "v\n\"\"\n[]\n", "v\n\"\"\n[]\n"),
    ];
    for (data_type, text, expected) in cases {
        let batch = CsvReader::read_batch(text, schema_of(data_type));
        let batch = batch.unwrap_or_else(|error| panic!("{data_type}, {text}: {error}"));
        assert_eq!(csv(&batch, CsvOptions::new()), expected, "{data_type}");
    }
    // A pair of quotes in a single column of text is an empty text.
    for data_type in
        ["utf8", "binary", "fixed_size_binary(0)", "run_end_encoded<run_ends: int32 not null, values: utf8>"]
    {
        let batch = CsvReader::read_batch("v\n\"\"\n", schema_of(data_type)).expect("it is a text");
        assert_eq!(json(&batch), "{\"v\":\"\"}\n", "{data_type}");
    }
}

#[test]
fn metadata_of_the_schema_is_retained() {
    let schema = schema_of("int8");
    let metadata: arrow_schema::Metadata = [("k", "v")].into_iter().collect();
    let schema = schema.with_metadata(metadata);
    let batch = JsonReader::read_batch("{}", schema.clone()).expect("it is fine");
    assert_eq!(**batch.schema(), schema);
    let batch = JsonReader::read_batch("", schema.clone()).expect("it is fine");
    assert_eq!((batch.n_rows(), &**batch.schema()), (0, &schema));
}

#[test]
fn batches_end_where_dictionaries_and_runs_are_full() {
    let colors = DataType::dictionary(IndexType::Int8, DataType::UInt8).expect("it is no dictionary");
    let runs = DataType::run_end_encoded(RunEndType::Int16, DataType::Int8);
    let list = |data_type: &DataType| DataType::list(Field::new("item", data_type.clone()));
    let many: String = (0..129).map(|n| format!("{n},")).collect();
    let many = format!("[{}129]", many);
    let long = format!("[{}0]", "0,".repeat(1 << 15));
    let list_of_one = |n: usize| format!("[{n}]");
    // The column, the values of the rows, the number of rows of each batch, and the lines that fail in any batch.
    type Case = (DataType, Vec<String>, &'static [usize], &'static [u64]);
    let cases: [Case; 4] = [
        (colors.clone(), (0..130).chain([5, 127]).map(|n: usize| n.to_string()).collect(), &[128, 4], &[]),
        (colors.clone(), (0..140).map(|n| (n % 128).to_string()).collect(), &[140], &[]),
        (
            list(&colors),
            (0..100).map(list_of_one).chain([many]).chain((90..150).map(list_of_one)).collect(),
            &[128 + 10, 22],
            &[101],
        ),
        (
            DataType::struct_([Field::new("r", list(&runs))]),
            (0..3)
                .map(|_| format!("{{\"r\":[{}0]}}", "0,".repeat(1 << 14)))
                .chain([format!("{{\"r\":{long}}}")])
                .collect(),
            &[1, 1, 1],
            &[4],
        ),
    ];
    for (data_type, values, n_rows, lines) in cases {
        let schema = Schema::new([Field::new("v", data_type), Field::new("n", DataType::Int32)]);
        let rows = values.iter().enumerate();
        let text: String = rows.clone().map(|(n, value)| format!("{{\"v\":{value},\"n\":{n}}}\n")).collect();
        let records = rows.map(|(n, value)| format!("{n},\"{}\"\n", value.replace('"', "\"\"")));
        let records = format!("n,v\n{}", records.collect::<String>());
        let json = JsonReader::try_new(text.as_bytes(), schema.clone()).expect("it is not deep");
        let csv = CsvReader::try_new(records.as_bytes(), schema.clone()).expect("it is not deep");
        for (found, n_before) in [
            (json.with_skipped_errors().collect::<Vec<_>>(), 0),
            (csv.with_skipped_errors().collect::<Vec<_>>(), 1),
        ] {
            let (good, bad): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
            let bad: Vec<u64> = bad.into_iter().filter_map(Result::err).map(|error| error.line()).collect();
            let good: Vec<_> = good.into_iter().flatten().collect();
            assert_eq!(bad, lines.iter().map(|line| line + n_before).collect::<Vec<_>>(), "{schema}");
            assert_eq!(good.iter().map(|batch| batch.n_rows()).collect::<Vec<_>>(), n_rows, "{schema}");
            let expected = text.lines().enumerate().filter(|(at, _)| !lines.contains(&(*at as u64 + 1)));
            let expected: String = expected.map(|(_, line)| format!("{line}\n")).collect();
            assert!(good.iter().map(super::trip::json).collect::<String>() == expected, "{schema}");
        }
        // A single batch cannot continue in another one.
        assert_eq!(JsonReader::read_batch(&text, schema).is_ok(), n_rows.len() == 1 && lines.is_empty());
    }
    let text: String = (0..130).map(|n| format!("{{\"v\":{n}}}\n")).collect();
    let error =
        JsonReader::read_batch(&text, Schema::new([Field::new("v", colors)])).expect_err("it is full");
    let message = "line 129: field `v`: the array has more than 128 different values, the limit of int8 indices; use a wider type";
    assert_eq!(error.to_string(), message);
}

#[test]
fn readers_go_to_other_threads() {
    fn check<T: Send + std::fmt::Debug>(reader: T) -> String {
        format!("{reader:?}")
    }
    let schema = schema_of("int8");
    let json = JsonReader::try_new(&b""[..], schema.clone()).expect("it is flat");
    let csv = CsvReader::try_new(&b""[..], schema).expect("it is flat");
    assert!(
        check(json).starts_with("JsonReader { schema: ") && check(csv).starts_with("CsvReader { schema: ")
    );
}
