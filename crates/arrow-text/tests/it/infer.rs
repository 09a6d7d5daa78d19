//! Schemas from the first rows: the rules of `NOTATION.md`. The rows can be read with the inferred schema.

use std::io::{BufReader, Read};

use arrow_array::AnyArray;
use arrow_schema::Schema;
use arrow_text::{
    CsvOptions, CsvParts, CsvReader, DateOrder, JsonReader, JsonRows, RowErrorKind, infer_csv,
    infer_csv_with, infer_json,
};

fn csv_schema(text: &str) -> String {
    infer_csv(text.as_bytes(), 1000).map_or_else(|error| error.to_string(), |schema| schema.to_string())
}

fn json_schema(text: &str) -> String {
    infer_json(text.as_bytes(), 1000).map_or_else(|error| error.to_string(), |schema| schema.to_string())
}

#[test]
fn columns_get_the_narrowest_type_of_their_cells() {
    let cases: [(&[&str], &str); 75] = [
        (&["true", "false"], "bool"),
        (&["true", "1"], "utf8"),
        (&["TRUE", "False"], "bool"),
        (&["yes", "no"], "utf8"),
        (&["nan", "1.5", "-inf"], "float64"),
        (&["1.5", "\"\"", "2"], "float64"),
        (&["\"\"", "true"], "bool"),
        (&["a", "\"\""], "utf8"),
        (&["2024-02-29 10:00:00+00", "2024-02-29T10:00:00.5+0100"], "timestamp(us, \"UTC\")"),
        (&["1", "", "-5"], "int64"),
        (&["9223372036854775808", "0"], "uint64"),
        (&["9223372036854775808", "-1"], "utf8"),
        (&["18446744073709551616"], "utf8"),
        (&["1", "2.5"], "float64"),
        (&["1e5", "9223372036854775808"], "float64"),
        (&["NaN", "Infinity", "-Infinity"], "float64"),
        (&["0", "-0"], "int64"),
        (&["007"], "utf8"),
        (&["1", "007"], "utf8"),
        (&["+1"], "utf8"),
        (&["08.30", "09.10"], "utf8"),
        (&["1.5", "+49.5"], "utf8"),
        (&["-08.3"], "utf8"),
        (&["00.5", "0.5"], "utf8"),
        (&["0.50", "-0.5", ".5", "1e+05"], "float64"),
        (&["0.5", "1.50"], "float64"),
        (&["2024-02-29"], "date32"),
        (&["2023-02-29"], "utf8"),
        (&["2024-02-29", "20240229"], "utf8"),
        (&["2024-02-29T10:00:00"], "timestamp(us)"),
        (&["2024-02-29T10:00:00", "2024-02-29T10:00:00.123456789"], "timestamp(ns)"),
        (&["2024-02-29T10:00:00Z"], "timestamp(us, \"UTC\")"),
        (&["2024-02-29T10:00:00Z", "2024-02-29T10:00:00+02:00"], "timestamp(us, \"UTC\")"),
        (&["2024-02-29T10:00:00Z", "2024-02-29T10:00:00"], "utf8"),
        (&["2024-02-29T10:00:00", "2024-02-29"], "utf8"),
        (&["2024-02-29 10:00", "2024-02-29T10:00:00.5"], "timestamp(us)"),
        (&["2024-02-29T10:00Z", "2024-02-29 10:00+02"], "timestamp(us, \"UTC\")"),
        (&["2024-02-29 10:00", "2024-02-29 24:00"], "utf8"),
        (&["10:00:00"], "time64(us)"),
        (&["10:00", "", "23:59:59.5"], "time64(us)"),
        (&["10:00", "23:59:59.1234567"], "time64(ns)"),
        (&["10:00", "23:59:59.1234567891"], "utf8"),
        (&["10:00", "24:00"], "utf8"),
        (&["9:00"], "utf8"),
        (&["10:00Z"], "utf8"),
        (&["10:00", "1"], "utf8"),
        (&["10:00", "2024-02-29"], "utf8"),
        // Spaces are part of a text, but not of other values.
        (&[" 1", "2 ", "\" 3\t\""], "int64"),
        (&[" 1.5", " -2"], "float64"),
        (&[" true", "FALSE "], "bool"),
        (&[" 2024-02-29 ", "2024-03-01"], "date32"),
        (&[" 10:00", "2:00"], "utf8"),
        (&[" 007"], "utf8"),
        (&["1", " "], "utf8"),
        (&["1", " a"], "utf8"),
        (&["1 2"], "utf8"),
        (&["29/02/2024"], "utf8"),
        (&["a"], "utf8"),
        (&[], "utf8"),
        (&["", ""], "utf8"),
        (&["\"1\"", "2"], "int64"),
        (&["[1]"], "utf8"),
        // Whole numbers are not rounded, others are.
        (&["9007199254740993", "0.5"], "decimal128(38, 1)"),
        (&["0.5", "", "-9007199254740993"], "decimal128(38, 1)"),
        (&["9007199254740992", "0.5"], "float64"),
        (&["0.1234567890123456789"], "float64"),
        (&["9007199254740993", "0.1234567890123456789"], "decimal128(38, 19)"),
        (&["18446744073709551617", "1.25e1"], "decimal128(38, 1)"),
        (&["18446744073709551616", "0.5"], "float64"),
        (&["9223372036854775807", "1e3"], "decimal128(38, 0)"),
        (&["9007199254740993", "1e-40"], "decimal256(76, 40)"),
        (&["9007199254740993", "1e300"], "utf8"),
        (&["9007199254740993", "NaN"], "utf8"),
        (&["9007199254740993", "007", "0.5"], "utf8"),
        // Nanoseconds of such a year do not fit into 64 bits.
        (&["9999-01-01T00:00:00", "2024-02-29T10:00:00.123456789"], "utf8"),
    ];
    for (cells, expected) in cases {
        let text = format!("id,x\n{}", cells.iter().map(|cell| format!("1,{cell}\n")).collect::<String>());
        let schema = infer_csv(text.as_bytes(), 1000).unwrap();
        let found = schema.field(1).map(|field| field.data_type().to_string());
        assert_eq!(found.as_deref(), Some(expected), "{cells:?}");
        let batch = CsvReader::read_batch(&text, schema).unwrap_or_else(|error| panic!("{cells:?}: {error}"));
        assert_eq!(batch.n_rows(), cells.len());
    }
}

#[test]
fn dates_have_the_given_order() {
    use DateOrder::{DayFirst, MonthFirst, YearFirst};
    let cases: [(DateOrder, &[&str], &str, &str); 28] = [
        (DayFirst, &["29/02/2024", "1.3.2024", "2024-03-02"], "date32", "2024-02-29 2024-03-01 2024-03-02"),
        (MonthFirst, &["2/29/2024", "03-01-2024"], "date32", "2024-02-29 2024-03-01"),
        (YearFirst, &["2024/2/29", "2024.03.01"], "date32", "2024-02-29 2024-03-01"),
        (DayFirst, &[" 29/02/2024", "\"01/03/2024\""], "date32", "2024-02-29 2024-03-01"),
        (DayFirst, &["29/02/2024 10:00"], "timestamp(us)", "2024-02-29T10:00:00.000000"),
        (DayFirst, &["29/02/2024T10:00:00Z"], "timestamp(us, \"UTC\")", "2024-02-29T10:00:00.000000Z"),
        (
            DayFirst,
            &["29/02/2024", "29/02/2024 9:00", "2024-03-01", "2024-03-01T10:00"],
            "timestamp(us)",
            "2024-02-29T00:00:00.000000 2024-02-29T09:00:00.000000 2024-03-01T00:00:00.000000 2024-03-01T10:00:00.000000",
        ),
        (
            MonthFirst,
            &["12/31/2024 5:07 PM", "\"12/31/2024, 12:00:30 AM\"", "1/2/2024"],
            "timestamp(us)",
            "2024-12-31T17:07:00.000000 2024-12-31T00:00:30.000000 2024-01-02T00:00:00.000000",
        ),
        (
            MonthFirst,
            &["2024-01-31 03:04 PM", "2024-01-31", "1/31/2024 3:04 AM"],
            "timestamp(us)",
            "2024-01-31T15:04:00.000000 2024-01-31T00:00:00.000000 2024-01-31T03:04:00.000000",
        ),
        (DayFirst, &["31.12.2024 17:07:00"], "timestamp(us)", "2024-12-31T17:07:00.000000"),
        (DayFirst, &["31.12.2024 17:07:00.123456789"], "timestamp(ns)", "2024-12-31T17:07:00.123456789"),
        (
            DayFirst,
            &["1/3/2024", "1/3/2024 10:00:00.1234567", "2.1.1970"],
            "timestamp(ns)",
            "2024-03-01T00:00:00.000000000 2024-03-01T10:00:00.123456700 1970-01-02T00:00:00.000000000",
        ),
        (
            DayFirst,
            &["22.9.1677", "1/3/2024 10:00:00.1234567", "11/4/2262"],
            "timestamp(ns)",
            "1677-09-22T00:00:00.000000000 2024-03-01T10:00:00.123456700 2262-04-11T00:00:00.000000000",
        ),
        // A date may be too far away for a unit, whatever dates and timestamps stand between, and has no time zone.
        (
            DayFirst,
            &["21.9.1677", "1/1/2024", "31.12.2024 17:07:00.1234567"],
            "utf8",
            "21.9.1677 1/1/2024 31.12.2024 17:07:00.1234567",
        ),
        (
            DayFirst,
            &["31.12.2024 17:07:00.1234567", "12.4.2262"],
            "utf8",
            "31.12.2024 17:07:00.1234567 12.4.2262",
        ),
        (DayFirst, &["+300000-01-01", "1/3/2024"], "date32", "+300000-01-01 2024-03-01"),
        (DayFirst, &["+300000-01-01", "1/3/2024 10:00"], "utf8", "+300000-01-01 1/3/2024 10:00"),
        (DayFirst, &["1/3/2024 10:00", "+300000-01-01"], "utf8", "1/3/2024 10:00 +300000-01-01"),
        (
            DayFirst,
            &["+290000-01-01", "1/3/2024 10:00"],
            "timestamp(us)",
            "+290000-01-01T00:00:00.000000 2024-03-01T10:00:00.000000",
        ),
        (DayFirst, &["1.1.2024", "31.12.2024 17:07Z"], "utf8", "1.1.2024 31.12.2024 17:07Z"),
        (DayFirst, &["1.1.2024", "10:00"], "utf8", "1.1.2024 10:00"),
        (
            DayFirst,
            &["31.12.2024 5:07 pm", "31.12.2024 13:07 pm"],
            "utf8",
            "31.12.2024 5:07 pm 31.12.2024 13:07 pm",
        ),
        (DayFirst, &["1.1.2024", "", "x"], "utf8", "1.1.2024 null x"),
        (MonthFirst, &["29/02/2024"], "utf8", "29/02/2024"),
        (DayFirst, &["30/02/2024"], "utf8", "30/02/2024"),
        (DayFirst, &["29/02/24"], "utf8", "29/02/24"),
        (DayFirst, &["1.5", "2.25"], "float64", "1.5 2.25"),
        (DayFirst, &["10:00"], "time64(us)", "10:00:00.000000"),
    ];
    for (order, cells, expected, values) in cases {
        let options = CsvOptions::new().with_date_order(order);
        let text = format!("id,x\n{}", cells.iter().map(|cell| format!("1,{cell}\n")).collect::<String>());
        let schema = infer_csv_with(text.as_bytes(), 1000, options).unwrap();
        let found = schema.field(1).map(|field| field.data_type().to_string());
        assert_eq!(found.as_deref(), Some(expected), "{order:?} {cells:?}");
        let mut reader = CsvReader::try_new_with(text.as_bytes(), schema, options).unwrap();
        let batch = reader.next().unwrap().unwrap();
        let column = AnyArray::try_new(batch.column("x").unwrap()).unwrap();
        let shown: Vec<String> = (0..batch.n_rows()).map(|row| column.display(row).to_string()).collect();
        assert_eq!(shown.join(" ").replace('"', ""), values, "{order:?} {cells:?}");
    }
}

/// Dates in the wrong order and dates that do not exist are errors.
#[test]
fn dates_in_another_order_are_errors() {
    use DateOrder::{DayFirst, MonthFirst, YearFirst};
    let cases = [
        ("date32", MonthFirst, "29/02/2024", "a date such as 02/29/2024"),
        ("date32", DayFirst, "30/02/2024", "a date such as 29/02/2024"),
        ("date32", YearFirst, "29/02/2024", "a date such as 2024/02/29"),
        ("date32", YearFirst, " 2024/13/01 ", "a date such as 2024/02/29"),
        ("date32", DayFirst, "29/02/24", "a date such as 29/02/2024"),
        ("date32", DayFirst, "29/02/2024 10:00", "a date such as 29/02/2024"),
        ("date64", DayFirst, "x", "a date such as 29/02/2024"),
        ("timestamp(s)", DayFirst, "12/31/2024 5:07 PM", "a timestamp such as 29/02/2024 12:34:56"),
        ("timestamp(s)", MonthFirst, "12/31/2024 13:07 PM", "a timestamp such as 02/29/2024 12:34:56"),
        ("timestamp(s)", MonthFirst, "31/12/2024", "a timestamp such as 02/29/2024 12:34:56"),
        ("timestamp(s)", MonthFirst, "x", "a timestamp such as 02/29/2024 12:34:56"),
        ("timestamp(s)", MonthFirst, "12/31/2024 10:00Z", "a timestamp such as 02/29/2024 12:34:56"),
        (
            "timestamp(s)",
            MonthFirst,
            "12/31/2024 10:00:00.5",
            "at most 0 digits after the decimal point of the seconds",
        ),
        ("timestamp(ns)", YearFirst, "2524/1/1 1:00", "a timestamp that fits into 64 bits"),
        ("timestamp(s, \"UTC\")", YearFirst, "2024/1/1", "a timestamp such as 2024/02/29 12:34:56Z"),
        ("timestamp(s, \"UTC\")", YearFirst, "2024/1/1 1:00", "a timestamp such as 2024/02/29 12:34:56Z"),
        ("dictionary<int8, date32>", DayFirst, "x", "a date such as 29/02/2024"),
    ];
    for (data_type, order, cell, expected) in cases {
        let text = format!("x\n{cell}\n");
        let schema: Schema = format!("x: {data_type}").parse().unwrap();
        let options = CsvOptions::new().with_date_order(order);
        let mut reader = CsvReader::try_new_with(text.as_bytes(), schema, options).unwrap();
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert!(
            error.ends_with(&format!(": expected {expected}, found {cell:?}")),
            "{data_type} {cell}: {error}"
        );
    }
}

/// A date alone is midnight where timestamps are wanted.
#[test]
fn dates_are_timestamps_with_an_order() {
    let cases = [
        ("timestamp(s)", "1.3.2024", "2024-03-01T00:00:00"),
        ("timestamp(s)", "2024-03-01", "2024-03-01T00:00:00"),
        ("timestamp(ns)", " 1.3.2024 ", "2024-03-01T00:00:00.000000000"),
        ("timestamp(s)", "1.3.2024 5:07 PM", "2024-03-01T17:07:00"),
        ("date64", "1.3.2024 17:07", "2024-03-01T17:07:00.000"),
        ("date64", "1.3.2024", "2024-03-01"),
        ("timestamp(s, \"UTC\")", "1.3.2024 17:07+02:00", "2024-03-01T15:07:00Z"),
        ("dictionary<int8, timestamp(s)>", "1.3.2024", "2024-03-01T00:00:00"),
    ];
    for (data_type, cell, expected) in cases {
        let (text, schema) = (format!("x\n{cell}\n"), format!("x: {data_type}").parse::<Schema>());
        let options = CsvOptions::new().with_date_order(DateOrder::DayFirst);
        let mut reader = CsvReader::try_new_with(text.as_bytes(), schema.unwrap(), options).unwrap();
        let batch = reader.next().unwrap().unwrap();
        let column = AnyArray::try_new(batch.column("x").unwrap()).unwrap();
        assert_eq!(column.display(0).to_string().trim_matches('"'), expected, "{data_type} {cell}");
    }
}

/// A text with fewer lines than are skipped is an error, and not a table without columns.
#[test]
fn skipped_lines_are_there() {
    let cases: [(&str, u64, &str); 9] = [
        ("a\n1\n", 1, "\"1\": utf8"),
        ("a\n1\n", 2, "nothing is left after skipping 2 lines; the text has 2"),
        ("a\n1", 2, "nothing is left after skipping 2 lines; the text has 2"),
        ("a\r\n1\r\n", 3, "nothing is left after skipping 3 lines; the text has 2"),
        ("a\r1", 3, "nothing is left after skipping 3 lines; the text has 2"),
        ("a\n\n1", 9, "nothing is left after skipping 9 lines; the text has 3"),
        ("\u{feff}a", u64::MAX, "nothing is left after skipping 18446744073709551615 lines; the text has 1"),
        ("a\n\n\n", 1, "nothing is left after skipping 1 line; the text has 3"),
        ("", 0, ""),
    ];
    for (text, n_lines, expected) in cases {
        let options = CsvOptions::new().with_skipped_lines(n_lines);
        let found = infer_csv_with(text.as_bytes(), 1000, options);
        let found = found.map_or_else(|error| error.to_string(), |schema| schema.to_string());
        assert_eq!(found, expected, "{text:?}");
    }
    // With a given schema, a text without rows after the skipped lines is allowed, but too few lines are an error.
    for (n_lines, expected) in
        [(2, None), (3, Some("nothing is left after skipping 3 lines; the text has 2"))]
    {
        let options = CsvOptions::new().with_skipped_lines(n_lines).without_header();
        let schema: Schema = "a: int8".parse().unwrap();
        let mut reader = CsvReader::try_new_with(&b"a\n1"[..], schema.clone(), options).unwrap();
        let found = reader.find_map(Result::err).map(|error| error.to_string());
        assert_eq!(found.as_deref(), expected);
        let mut parts = CsvParts::try_new_with(&b"a\n1"[..], schema, options).unwrap();
        let found = parts.find_map(Result::err).map(|error| error.to_string());
        assert_eq!(found.as_deref(), expected);
    }
}

#[test]
fn cells_are_counted_and_named() {
    assert_eq!(csv_schema(""), "");
    assert_eq!(csv_schema("a,b\n"), "a: utf8\nb: utf8");
    assert_eq!(csv_schema("\u{feff}a,\"odd name\"\r\n1,2\r\n"), "a: int64\n\"odd name\": int64");
    let options = CsvOptions::new().without_header().with_delimiter(b';').unwrap();
    assert_eq!(infer_csv_with(&b"1;x\n2;y\n"[..], 1000, options).unwrap().to_string(), "c0: int64\nc1: utf8");
    // Rows after the limit make no difference.
    assert_eq!(infer_csv(&b"a\n1\nx\n"[..], 1).unwrap().to_string(), "a: int64");
    assert_eq!(csv_schema("a,b\n1\n"), "line 2: expected 2 cells, found 1");
    assert_eq!(csv_schema("a\n\"x\n"), "line 2: cell 1 has no closing quote");
    assert_eq!(csv_schema("a\n\"x\"y\n"), "line 2: cell 1 has text after its closing quote");
    let latin_1 = infer_csv(&b"a,b\n1,gr\xfc\xdfe\n"[..], 1000).unwrap_err();
    assert_eq!(latin_1.to_string(), "line 2: cell 2 is not UTF-8");
}

#[test]
fn members_get_types_that_take_all_their_values() {
    let cases: [(&[&str], &str); 35] = [
        // A member may have any name.
        (&[r#"{"$serde_json::private::Number":"15"}"#], "\"$serde_json::private::Number\": utf8"),
        (
            &[r#"{"s":{"$serde_json::private::Number":"1.5","w":3}}"#],
            "s: struct<\"$serde_json::private::Number\": utf8, w: int64>",
        ),
        (&[r#"{"a":1,"b":true}"#, r#"{"c":"x","a":-2}"#], "a: int64\nb: bool\nc: utf8"),
        (&[r#"{"a":1}"#, r#"{"a":2.5}"#], "a: float64"),
        (&[r#"{"a":18446744073709551615}"#, r#"{"a":1}"#], "a: uint64"),
        (&[r#"{"a":18446744073709551615}"#, r#"{"a":-1}"#], "a: decimal128(38, 0)"),
        (&[r#"{"a":18446744073709551617}"#], "a: decimal128(38, 0)"),
        (&[r#"{"a":100000000000000000000}"#], "a: float64"),
        (&[r#"{"a":-0}"#, r#"{"a":1}"#], "a: int64"),
        (&[r#"{"a":[-0]}"#, r#"{"a":[18446744073709551615]}"#], "a: list<item: decimal128(38, 0)>"),
        (&[r#"{"a":-0}"#, r#"{"a":-0.0}"#], "a: float64"),
        (&[r#"{"a":9007199254740993}"#, r#"{"a":0.5}"#], "a: decimal128(38, 1)"),
        (&[r#"{"a":{"b":[0.25,9007199254740993]}}"#], "a: struct<b: list<item: decimal128(38, 2)>>"),
        (
            &[r#"{"b":"1.5\"","a":[{"1.25":0.125}],"c":-123456789012345678901}"#, r#"{"c":0.1}"#],
            "b: utf8\na: list<item: struct<\"1.25\": float64>>\nc: decimal128(38, 1)",
        ),
        (
            &[r#"{"a":9007199254740993}"#, r#"{"a":1e70}"#, r#"{"a":1e-9}"#],
            "line 3, byte 6: field `a`: no type keeps all digits of the numbers so far: 71 before the decimal point and 9 after \
             it; a decimal has at most 76 digits in all, and float64 would round a whole number; give the field the type utf8 or float64",
        ),
        (
            &[r#"{"a":[1,12345678901234567890123456789012345678901234567890123456789012345678901234567]}"#],
            "line 1, byte 85: field `a.item`: no type keeps all digits of the numbers so far: 77 before the decimal point and 0 \
             after it; a decimal has at most 76 digits in all, and float64 would round a whole number; give the field the type utf8 or float64",
        ),
        (&[r#"{"a":"9999-01-01T00:00:00Z"}"#, r#"{"a":"2024-02-29T10:00:00.123456789Z"}"#], "a: utf8"),
        (&[r#"{"a":null}"#], "a: null"),
        (&[r#"{"a":null}"#, r#"{"a":[]}"#, r#"{"a":[null]}"#], "a: list<item: null>"),
        (&[r#"{"a":[1,null,2.5]}"#], "a: list<item: float64>"),
        (&[r#"{"a":[{"x":1},{"y":"z"}]}"#], "a: list<item: struct<x: int64, y: utf8>>"),
        (
            &[r#"{"a":{"x":{"y":1}}}"#, r#"{"a":{"x":null,"z":2}}"#],
            "a: struct<x: struct<y: int64>, z: int64>",
        ),
        (&[r#"{"a":"2024-02-29"}"#], "a: date32"),
        (&[r#"{"a":"2024-02-29T10:00:00Z"}"#], "a: timestamp(us, \"UTC\")"),
        (&[r#"{"a":"2024-02-29"}"#, r#"{"a":"x"}"#], "a: utf8"),
        (&[r#"{"a":"1"}"#], "a: utf8"),
        (&["", "  ", r#"{"a":1}"#], "a: int64"),
        (&[], ""),
        (
            &[r#"{"a":1}"#, r#"{"a":"x"}"#],
            "line 2, byte 6: field `a`: expected an integer, as in earlier values, found a string",
        ),
        (
            &[r#"{"a":{"b":[1]}}"#, r#"{"x":"a", "a":{"b": [{}]}}"#],
            "line 2, byte 22: field `a.b.item`: expected an integer, as in earlier values, found an object",
        ),
        (&["[1]"], "line 1: expected an object, found an array; each row is an object on a line of its own"),
        (&["1"], "line 1: expected an object, found an integer; each row is one line"),
        (&["{}", "null"], "line 2: expected an object, found null; each row is one line"),
        (&[r#"{"a":"#], "line 1"),
        (&[r#"{"a" 1}"#], "line 1"),
    ];
    for (lines, expected) in cases {
        let text = lines.join("\n");
        let found = json_schema(&text);
        assert!(
            found == expected || (expected == "line 1" && found.starts_with("line 1, byte ")),
            "{lines:?}: {found}"
        );
        if let Ok(schema) = infer_json(text.as_bytes(), 1000) {
            let n_rows = JsonReader::read_batch(&text, schema)
                .unwrap_or_else(|error| panic!("{lines:?}: {error}"))
                .n_rows();
            assert_eq!(n_rows, lines.iter().filter(|line| line.starts_with('{')).count());
        }
    }
    // An error contains only the start of a long name.
    let name = "n".repeat(1000);
    let found = json_schema(&format!("{{\"{name}\":1}}\n{{\"{name}\":\"x\"}}"));
    assert!(
        found.contains("nnn…`: expected an integer, as in earlier values") && found.len() < 300,
        "{found}"
    );
    // Errors inside of a row have a path, too.
    let differ = "expected an integer, as in earlier values, found";
    for (row, path, found) in [
        ("{\"a\":[1,\"x\"]}", "`a.item`", "a string"),
        ("{\"a\":{\"b\":[[1],[[2]]]}}", "`a.b.item.item`", "an array"),
        ("{\"b\":1,\"a\":[{\"c\":1},{\"c\":{}}]}", "`a.item.c`", "an object"),
        ("{\"a\":1,\"a\":\"x\"}", "`a`", "a string"),
    ] {
        let mixed = json_schema(row);
        assert!(mixed.contains(&format!("field {path}: {differ} {found}")), "{row}: {mixed}");
    }
}

/// For endless text, many columns and deep values, memory and time stay bounded.
#[test]
fn hostile_text_is_refused() {
    let endless = || BufReader::new(std::io::repeat(b'x').take(1 << 30));
    let memory = testing_support::CountingAllocator;
    let (error, usage) = memory.measure(|| infer_csv(endless(), 1000).unwrap_err());
    assert!(error.to_string().starts_with("line 1: more than"), "{error}");
    assert!(usage.peak_bytes < 64 << 20, "{}", usage.peak_bytes);
    let (error, usage) = memory.measure(|| infer_json(endless(), 1000).unwrap_err());
    assert!(error.to_string().starts_with("line 1: more than"), "{error}");
    assert!(usage.peak_bytes < 64 << 20, "{}", usage.peak_bytes);

    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(json_schema(&deep).starts_with("line 1"), "{}", json_schema(&deep));
    // Members in another order are found without a search.
    let row = |reversed: bool| {
        let names = (0..50_000).map(|n| if reversed { 49_999 - n } else { n });
        format!("{{{}}}", names.map(|n| format!("\"m{n}\":1")).collect::<Vec<_>>().join(","))
    };
    let text = format!("{}\n{}\n", row(false), row(true));
    assert_eq!(infer_json(text.as_bytes(), 10).unwrap().fields().len(), 50_000);
    let short = "a\n".repeat(2_000_000);
    let (schema, usage) = memory.measure(|| infer_csv(short.as_bytes(), usize::MAX).unwrap());
    assert_eq!(schema.to_string(), "a: utf8");
    assert!(usage.peak_bytes < 1 << 20, "{}", usage.peak_bytes);
}

/// Rows after 8 MiB of blank lines are not found.
#[test]
fn empty_lines_count() {
    struct CountedReader(std::io::Take<std::io::Repeat>, u64);
    impl Read for CountedReader {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n_bytes = self.0.read(buffer)?;
            self.1 += n_bytes as u64;
            Ok(n_bytes)
        }
    }
    for empty_lines in [b'\n', b'\r'] {
        let mut text = BufReader::new(CountedReader(std::io::repeat(empty_lines).take(1 << 40), 0));
        let schema = infer_csv((&b"a\n1\n"[..]).chain(&mut text), 1000).unwrap();
        assert_eq!(schema.to_string(), "a: int64");
        assert!((8 << 20..9 << 20).contains(&text.get_ref().1), "{}", text.get_ref().1);
    }
    let mut text = BufReader::new(CountedReader(std::io::repeat(b'\n').take(1 << 40), 0));
    let schema = infer_json((&b"{\"a\":1}\n"[..]).chain(&mut text), 1000).unwrap();
    assert_eq!(schema.to_string(), "a: int64");
    assert!((8 << 20..9 << 20).contains(&text.get_ref().1), "{}", text.get_ref().1);
}

/// No schema is inferred from blank lines alone.
#[test]
fn empty_lines_are_no_rows() {
    let empty_lines = "\n".repeat(9 << 20);
    let error = infer_csv(empty_lines.as_bytes(), 1000).unwrap_err();
    assert!(matches!(error.kind(), RowErrorKind::OnlyEmptyLines { n_bytes: 8_388_608 }), "{error}");
    let error = infer_json(empty_lines.as_bytes(), 1000).unwrap_err();
    assert!(matches!(error.kind(), RowErrorKind::OnlyEmptyLines { n_bytes: 8_388_608 }), "{error}");
    assert_eq!(csv_schema("\n\n"), "");
    assert_eq!(json_schema("\n\n"), "");
}

/// A text for nulls is a null in columns of any type, unless it is in quotes.
#[test]
fn nulls_may_have_a_text() {
    let text = "n,s\nNA,NA\n1,\"NA\"\n,x\n";
    let options = CsvOptions::new().with_null_text("NA").unwrap();
    let schema = infer_csv_with(text.as_bytes(), 1000, options).unwrap();
    assert_eq!(schema.to_string(), "n: int64\ns: utf8");
    let batch = CsvReader::try_new_with(text.as_bytes(), schema, options).unwrap().next().unwrap().unwrap();
    let mut rows = Vec::new();
    JsonRows::try_new(&batch).unwrap().write_to(&mut rows).unwrap();
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows, "{\"n\":null,\"s\":null}\n{\"n\":1,\"s\":\"NA\"}\n{\"n\":null,\"s\":\"x\"}\n");
    assert!(CsvOptions::new().with_null_text(&"x".repeat(127)).is_err());
    let two = options.with_null_text("-").unwrap();
    assert!(format!("{two:?}").contains(r#"["NA", "-"]"#), "{two:?}");
}

/// The usual words are nulls in all columns that are not text.
#[test]
fn usual_nulls_are_none_of_text() {
    let text = "n,s,w\nNA,NA,n/a\n1,null,NULL\nNone,x,\\N\n";
    let options = CsvOptions::new().with_usual_nulls();
    let schema = infer_csv_with(text.as_bytes(), 1000, options).unwrap();
    assert_eq!(schema.to_string(), "n: int64\ns: utf8\nw: utf8");
    let rows = |schema: Schema| {
        let batch = CsvReader::try_new_with(text.as_bytes(), schema, options).unwrap().next().unwrap();
        batch.map(|batch| JsonRows::try_new(&batch).unwrap().row(0).to_string())
    };
    assert_eq!(rows(schema).unwrap(), r#"{"n":null,"s":"NA","w":"n/a"}"#);
    let dictionary =
        "n: dictionary<int8, int8>\ns: dictionary<int8, utf8>\nw: list<item: utf8>".parse().unwrap();
    assert_eq!(rows(dictionary).unwrap(), r#"{"n":null,"s":"NA","w":null}"#);
    // In quotes, the word is a value, which is not an integer.
    let error = CsvReader::read_batch("n\n\"NA\"\n", "n: int8".parse::<Schema>().unwrap()).unwrap_err();
    assert!(error.to_string().contains("\"NA\""), "{error}");
}

/// Inferred types have at most 64 levels, which is also the limit of readers.
#[test]
fn inferred_types_are_no_deeper_than_what_is_read() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for (n_levels, is_fine) in [(63, true), (64, false), (100, false)] {
            let text = format!("{{\"a\":{}1{}}}", open.repeat(n_levels), close.repeat(n_levels));
            match infer_json(text.as_bytes(), 1000) {
                Ok(schema) => {
                    assert!(is_fine, "{n_levels} levels of {open}");
                    assert_eq!(schema.fields()[0].data_type().depth(), 64);
                    JsonReader::try_new(text.as_bytes(), schema).unwrap();
                }
                Err(error) => {
                    assert!(!is_fine, "{n_levels} levels of {open}: {error}");
                    assert!(matches!(error.kind(), RowErrorKind::TooDeep { depth: 65, max: 64 }), "{error}");
                }
            }
        }
    }
}
