//! Lists, structs and maps are compared with JSON.

use arrow_schema::Schema;
use arrow_text::JsonReader;

use super::parsed;

#[test]
fn nested_constants_are_json() {
    let schema: Schema =
        "l: list<item: float64>\nz: list<item: float64>\na: struct<zip: int32, city: utf8>".parse().unwrap();
    let lines = "{\"l\":[1.5,null],\"z\":[-0.0],\"a\":{\"zip\":7,\"city\":\"\\\"Ulm, \"}}\n{\"l\":[],\"z\":[-0.0],\"a\":{\"zip\":7}}\n";
    let batch = JsonReader::read_batch(lines, schema).unwrap();
    for (text, expected) in [
        ("l = '[1.50, null]'", [true, false]),
        ("l = ' [ 15e-1 ,null ] '", [true, false]),
        ("l = '[null, 1.5]'", [false, false]),
        ("l in ('[]', '[null]')", [false, true]),
        // Compared by their text, which has the sign of a zero.
        ("z = '[-0.0]'", [true, true]),
        ("z = '[0.0]'", [false, false]),
        (r#"a = '{"city": "\"Ulm, ", "zip": 7}'"#, [true, false]),
        (r#"a = '{"zip": 7}'"#, [false, true]),
        (r#"a != '{"zip": 7, "city": null}'"#, [true, false]),
    ] {
        let rows = parsed(text).bind(batch.schema()).unwrap().matches(&batch).unwrap();
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn other_constants_are_errors() {
    let schema: Schema = "l: list<item: int64>".parse().unwrap();
    let cases = [
        (
            "l = 5",
            "the type list<item: int64> cannot be compared with a number; expected JSON in quotes, such as [1,2]",
        ),
        ("l = '[1,x]'", "not a value of list<item: int64>: malformed JSON: expected value"),
        (
            "l = '[1.5]'",
            r#"not a value of list<item: int64>: expected an integer from -9223372036854775808 to 9223372036854775807, found "1.5""#,
        ),
        (
            "l = 'x'",
            "the type list<item: int64> cannot be compared with text; expected JSON in quotes, such as [1,2]",
        ),
        ("l = '[1],[2]'", "not a value of list<item: int64>: malformed JSON: trailing characters"),
    ];
    for (text, message) in cases {
        let error = parsed(text).bind(&schema).expect_err(text);
        assert_eq!(error.to_string(), format!("in column l: {message}"), "{text}");
    }
}
