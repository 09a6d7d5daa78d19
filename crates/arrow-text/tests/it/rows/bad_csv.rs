//! The errors of invalid rows of CSV.

use arrow_schema::Schema;
use arrow_text::{CsvOptions, CsvReader, JsonRows, RaggedRows};

use super::good::schema_of;

#[test]
fn errors_of_csv() {
    let two = "struct<a: int8, b: utf8>";
    let cases: &[(&str, &str, &str)] = &[
        (two, "a\n", "line 1: the header lacks the column \"b\""),
        (
            two,
            "\n\"\"\n",
            "line 2: the header lacks the columns \"a\", \"b\" and has the unknown column \"\"",
        ),
        (two, "a,b,c\n", "line 1: the header has the unknown column \"c\""),
        (
            two,
            "x,c,a\n",
            "line 1: the header lacks the column \"b\" and has the unknown columns \"x\", \"c\"",
        ),
        (
            two,
            "b,1,2,3,4,5,a\n",
            "line 1: the header has the unknown columns \"1\", \"2\", \"3\", \"4\", \"5\"",
        ),
        (
            two,
            "1,2,3,4,5,a,6,7\n",
            "line 1: the header lacks the column \"b\" and has the unknown columns \"1\", \"2\", \"3\", \"4\", \"5\" and \
             others",
        ),
        (
            two,
            "1,2,3,4,5,a,6,7,b\n",
            "line 1: the header has the unknown columns \"1\", \"2\", \"3\", \"4\", \"5\" and others",
        ),
        (two, "a,a\n", "line 1: field `a`: the field is repeated"),
        (two, "\n\n\"a\"x,b\n", "line 3: cell 1 has text after its closing quote"),
        (two, "a,b\n1\n", "line 2: expected 2 cells, found 1"),
        (two, "a,b\n1,2,3\n", "line 2: expected 2 cells, found 3"),
        (
            two,
            "a,b\n\"1\n2\",x\n",
            "line 2: field `a`: expected an integer from -128 to 127, found \"1\\n2\"",
        ),
        (
            two,
            "a,b\n1,\"x\n\ny\"\n\"x\",z\n",
            "line 5: field `a`: expected an integer from -128 to 127, found \"x\"",
        ),
        (
            two,
            "a,b\r1,\"x\r\r\ny\"\r\"x\",z\r",
            "line 5: field `a`: expected an integer from -128 to 127, found \"x\"",
        ),
        (two, "a,b\n1,\"x\n", "line 2: cell 2 has no closing quote"),
        (two, "a,b\n1,\"x\n\"y\n", "line 2: cell 2 has text after its closing quote"),
        (
            "struct<a: utf8 not null, b: utf8>",
            "a,b\n,x\n",
            "line 2: field `a`: the row lacks the field, which is `not null`",
        ),
        (
            "struct<a: utf8, a: int8>",
            "a,a\n1,x\n",
            "line 2: field `a`: expected an integer from -128 to 127, found \"x\"",
        ),
        ("struct<a: utf8, a: int8, b: int8>", "b,a,a\n1,x\n", "line 1: field `a`: the field is repeated"),
        (
            "struct<a: dictionary<int8, int8>, b: utf8>",
            "a,b\nx,y\n",
            "line 2: field `a.<dictionary>`: expected an integer from -128 to 127, found \"x\"",
        ),
        (
            "struct<a: list<item: int8>, b: utf8>",
            "a,b\n\"[1,\n\"\"2\"\"]\",y\n",
            "line 2: field `a.item`: expected an integer from -128 to 127, found \"\\\"2\\\"\"",
        ),
        (
            "struct<a: list<item: int8>, b: utf8>",
            "a,b\n[1] 2,y\n",
            "line 2: field `a`: malformed JSON: trailing characters",
        ),
        (
            "struct<a: list<item: int8>, b: utf8>",
            "a,b\n\" \",y\n",
            "line 2: field `a`: malformed JSON: EOF while parsing a value",
        ),
        (
            "struct<a: dense_union<0=a: int8>, b: utf8>",
            "a,b\n,y\n",
            "line 2: field `a`: the row lacks the field, a union, and unions have no nulls",
        ),
        (
            "struct<a: interval(year_month), b: utf8>",
            "a,b\n14,y\n",
            "line 2: field `a`: expected an object such as {\"months\":14}, with integers that fit, found \"14\"",
        ),
        (
            "int8",
            "v\n\"\"\n\" 1\"\n1 2\n",
            "line 4: field `v`: expected an integer from -128 to 127, found \"1 2\"",
        ),
        ("int8", "v\n 128\n", "line 2: field `v`: expected an integer from -128 to 127, found \" 128\""),
        ("int8", "v\n \n", "line 2: field `v`: expected an integer from -128 to 127, found \" \""),
        (
            "int8",
            "v\n\u{a0}1\n",
            "line 2: field `v`: expected an integer from -128 to 127, found \"\\u{a0}1\"",
        ),
        (
            "dictionary<int8, int8>",
            "v\n x\n",
            "line 2: field `v.<dictionary>`: expected an integer from -128 to 127, found \" x\"",
        ),
        (two, "a,b\n#x\n", "line 2: expected 2 cells, found 1 in a line that begins with #"),
        (two, "a,b\n#1,2,3\n", "line 2: expected 2 cells, found 3 in a line that begins with #"),
        (two, "a,b\n\"#x\"\n", "line 2: expected 2 cells, found 1"),
        (two, "a,b\n#,x\n", "line 2: field `a`: expected an integer from -128 to 127, found \"#\""),
    ];
    for (data_type, text, message) in cases {
        let reader = CsvReader::try_new(text.as_bytes(), schema_of(data_type)).expect("it is not deep");
        let error = reader.with_skipped_errors().find_map(Result::err);
        let error = error.unwrap_or_else(|| panic!("{data_type}: {text} is read"));
        assert_eq!(error.to_string(), *message, "{data_type}: {text}");
    }
}

#[test]
fn errors_of_bytes() {
    let reader = CsvReader::try_new(&b"v\na\n\xff\nb\n"[..], schema_of("utf8")).expect("it is not deep");
    let found: Vec<String> = reader
        .with_skipped_errors()
        .map(|batch| batch.map_or_else(|error| error.to_string(), |batch| batch.n_rows().to_string()))
        .collect();
    assert_eq!(found, ["line 3: cell 1 is not UTF-8", "2"]);
}

/// Rows with too few and too many cells, with each variant of `RaggedRows`.
#[test]
fn ragged_rows_are_errors_padded_or_skipped() {
    let schema = || "a: int8\nb: utf8 not null\nc: int8".parse::<Schema>().unwrap();
    let read_with = |text: &str, options: CsvOptions| {
        let mut reader = CsvReader::try_new_with(text.as_bytes(), schema(), options).unwrap();
        let mut rows = String::new();
        for batch in reader.by_ref() {
            match batch {
                Ok(batch) => {
                    rows.extend(JsonRows::try_new(&batch).unwrap().iter().map(|row| row.to_string()))
                }
                Err(error) => rows += &error.to_string(),
            }
        }
        (rows, reader.skipped_rows().to_string())
    };
    let read = |text: &str, ragged| read_with(text, CsvOptions::new().with_ragged_rows(ragged));
    let none = "0 rows with another number of cells are skipped";
    let text = "a,b,c\n1,x\n2,y,3,\n4,z,5\n";
    let cases = [
        (text, RaggedRows::Error, "line 2: expected 3 cells, found 2", none),
        (
            text,
            RaggedRows::Pad,
            r#"{"a":1,"b":"x","c":null}{"a":2,"b":"y","c":3}{"a":4,"b":"z","c":5}"#,
            none,
        ),
        (
            text,
            RaggedRows::Skip,
            r#"{"a":4,"b":"z","c":5}"#,
            "2 rows with another number of cells are skipped, on lines 2 and 3",
        ),
        // Text that would be dropped, and a null in a column that is not nullable.
        ("a,b,c\n1,x,2,,y\n", RaggedRows::Pad, "line 2: expected 3 cells, found 5", none),
        ("a,b,c\n1,x,2,,\n", RaggedRows::Pad, r#"{"a":1,"b":"x","c":2}"#, none),
        (
            "a,b,c\n1\n",
            RaggedRows::Pad,
            "line 2: field `b`: the row lacks the field, which is `not null`",
            none,
        ),
        (
            "a,b,c\n\n1\n1\n1\n1\n1\n1\n1,x,\n",
            RaggedRows::Skip,
            r#"{"a":1,"b":"x","c":null}"#,
            "6 rows with another number of cells are skipped, on lines 3, 4, 5, 6, 7 and others",
        ),
        ("a,b,c\n1,\"x\n", RaggedRows::Skip, "line 2: cell 2 has no closing quote", none),
        (
            "a,b,c\n1,x,2,,\n",
            RaggedRows::Error,
            "line 2: expected 3 cells, found 5; those after the last column are empty",
            none,
        ),
    ];
    for (text, ragged, rows, skipped) in cases {
        assert_eq!(read(text, ragged), (rows.to_owned(), skipped.to_owned()), "{text:?} {ragged:?}");
    }
    // Rows that may end with a delimiter, alone and in blocks.
    let (row, many) = (r#"{"a":1,"b":"x","c":2}"#, "1,x,2,\n".repeat(600));
    let cases = [
        ("1,x,2,\n1,x,2\n1,x,2,\"\"\n".to_owned(), RaggedRows::Error, row.repeat(3), none),
        (many.clone(), RaggedRows::Error, row.repeat(600), none),
        (
            many.clone() + "1,x,2,y\n1,x,2,\n",
            RaggedRows::Error,
            row.repeat(600) + "line 602: expected 3 cells, found 4",
            none,
        ),
        (
            many.clone() + "1,x,2,y\n1,x\n1,x,2,\n",
            RaggedRows::Skip,
            row.repeat(601),
            "2 rows with another number of cells are skipped, on lines 602 and 603",
        ),
        (
            many.clone() + "1,x\n1,x,2,,\n",
            RaggedRows::Pad,
            row.repeat(600) + r#"{"a":1,"b":"x","c":null}"# + row,
            none,
        ),
        (
            many + "1,x,2,,\n",
            RaggedRows::Error,
            row.repeat(600) + "line 602: expected 3 cells, found 5; those after the last column are empty",
            none,
        ),
        ("1,x,\n".to_owned(), RaggedRows::Error, r#"{"a":1,"b":"x","c":null}"#.to_owned(), none),
    ];
    for (rows, ragged, expected, skipped) in cases {
        let options = CsvOptions::new().with_ragged_rows(ragged).with_end_delimiters();
        let found = read_with(&format!("a,b,c\n{rows}"), options);
        assert_eq!(found, (expected, skipped.to_owned()), "{rows:?} {ragged:?}");
    }
}

#[test]
fn lines_are_skipped_and_counted() {
    let options = CsvOptions::new().with_skipped_lines(2).with_comment(b'#').unwrap();
    let schema = || "a: int8".parse::<Schema>().unwrap();
    for (text, expected) in [
        (
            "\u{feff}\"\r\n\r\n#a\"\n a\na\n#\r#,\n1\n",
            "line 4: the header lacks the column \"a\" and has the unknown column \" a\"",
        ),
        ("x\rx\r#a\r\n\ra\r#1\r\nx", "line 7: field `a`: expected an integer from -128 to 127, found \"x\""),
        ("x\nx", ""),
        ("x\n#", ""),
        ("x\nx\n#", ""),
    ] {
        let mut reader = CsvReader::try_new_with(text.as_bytes(), schema(), options).unwrap();
        let error = reader.find_map(|batch| batch.err()).map(|error| error.to_string());
        assert_eq!(error.unwrap_or_default(), expected, "{text:?}");
    }
    // A comment longer than the limit for records is an error.
    let options = options.with_skipped_lines(0);
    let long = CsvReader::try_new_with(&b"a\n#23456789\n1\n"[..], schema(), options).unwrap();
    let mut long = long.with_max_record_bytes(5);
    assert!(long.next().unwrap().unwrap_err().to_string().contains("line 2: more than 5 bytes"));
}

#[test]
fn numbers_have_the_given_marks() {
    let options = CsvOptions::new().with_delimiter(b';').unwrap().with_number_marks(',', Some('.')).unwrap();
    let read = |text: &str, schema: &str| {
        let schema = schema.parse::<Schema>().unwrap();
        let mut reader = CsvReader::try_new_with(text.as_bytes(), schema, options).unwrap();
        reader.next().unwrap().map(|batch| JsonRows::try_new(&batch).unwrap().row(0).to_string())
    };
    let (text, schema) =
        ("a;b;c;d\n1.234;-1.234,5;0,50;1,5\n", "a: int16\nb: float64\nc: decimal128(5, 2)\nd: utf8");
    assert_eq!(read(text, schema).unwrap(), r#"{"a":1234,"b":-1234.5,"c":"0.50","d":"1,5"}"#);
    for (text, expected) in [
        ("a\n1.5\n", "line 2: field `a`: expected a number such as 1.234,5, found \"1.5\""),
        ("a\n1.5\n", "1.5"),
        ("a\n1,5\n", "an integer from -32768 to 32767"),
    ] {
        let error = read(text, "a: int16").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(read("a\n\"1,5\"\n", "a: dictionary<int8, float64>").unwrap(), r#"{"a":1.5}"#);
}
