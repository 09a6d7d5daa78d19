//! What is said of rows of CSV that do not fit.

use arrow_text::CsvReader;

use super::good::schema_of;

#[test]
fn errors_of_csv() {
    let two = "struct<a: int8, b: utf8>";
    let cases: &[(&str, &str, &str)] = &[
        (two, "a\n", "line 1: field `b`: the header has no such column"),
        (two, "a,b,c\n", "line 1: unknown field \"c\""),
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
        (two, "a,b\n1,\"x\n", "line 2: cell 2 has no closing quote"),
        (two, "a,b\n1,\"x\n\"y\n", "line 2: cell 2 has text after its closing quote"),
        (
            "struct<a: utf8 not null, b: utf8>",
            "a,b\n,x\n",
            "line 2: field `a`: expected a value, found none; the field is `not null`",
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
            "line 2: field `a`: expected a value, found none; unions have no nulls",
        ),
        (
            "struct<a: interval(year_month), b: utf8>",
            "a,b\n14,y\n",
            "line 2: field `a`: expected an object such as {\"months\":14}, with integers that fit, found \"14\"",
        ),
        (
            "int8",
            "v\n\"\"\n\" 1\"\n",
            "line 3: field `v`: expected an integer from -128 to 127, found \" 1\"",
        ),
    ];
    for (data_type, text, message) in cases {
        let reader = CsvReader::try_new(text.as_bytes(), schema_of(data_type)).expect("it is not deep");
        let error = reader.skipping_errors().find_map(Result::err);
        let error = error.unwrap_or_else(|| panic!("{data_type}: {text} is read"));
        assert_eq!(error.to_string(), *message, "{data_type}: {text}");
    }
}

#[test]
fn errors_of_bytes() {
    let reader = CsvReader::try_new(&b"v\na\n\xff\nb\n"[..], schema_of("utf8")).expect("it is not deep");
    let found: Vec<String> = reader
        .skipping_errors()
        .map(|batch| batch.map_or_else(|error| error.to_string(), |batch| batch.n_rows().to_string()))
        .collect();
    assert_eq!(found, ["line 3: cell 1 is not UTF-8", "2"]);
}
