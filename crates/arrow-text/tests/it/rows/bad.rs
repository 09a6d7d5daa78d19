//! The errors of invalid rows of JSON.

use arrow_schema::Schema;
use arrow_text::{JsonReader, RowError};

use super::good::schema_of;

/// The first error.
fn json_error(text: &[u8], schema: Schema) -> Option<RowError> {
    JsonReader::try_new(text, schema).expect("it is not deep").find_map(Result::err)
}

#[test]
fn errors_of_json() {
    let map = "map<entries: struct<key: utf8 not null, value: int8> not null>";
    let numbers = "map<entries: struct<key: int8 not null, value: int8> not null>";
    let union = "dense_union<0=a: int8, 1=b: utf8 not null>";
    let pairs = "dense_union<5=a: int8, 7=a: utf8>";
    let cases: &[(&str, &str, &str)] = &[
        // Text that is not JSON.
        ("int8", "{", "line 1, byte 1: the line ends inside a value; each row is one line"),
        ("int8", "{\"v\":1", "line 1, byte 6: the line ends inside a value; each row is one line"),
        ("int8", "{\"v\":1}\n{\"v\":1,}", "line 2, byte 8: malformed JSON: trailing comma"),
        ("int8", "{\"v\":1} {\"v\":1}", "line 1, byte 9: malformed JSON: trailing characters"),
        ("int8", "{\"v\":01}", "line 1, byte 7: field `v`: malformed JSON: invalid number"),
        ("int8", "{\"v\":+1}", "line 1, byte 6: field `v`: malformed JSON: expected value"),
        ("float64", "{\"v\":NaN}", "line 1, byte 6: field `v`: malformed JSON: expected \"NaN\", found NaN"),
        (
            "utf8",
            "{\"v\":\"\u{1}\"}",
            "line 1, byte 6: field `v`: malformed JSON: control character (\\u0000-\\u001F) found while parsing a string",
        ),
        (
            "utf8",
            "{\"v\":\"a\\ud800\"}",
            "line 1, byte 6: field `v`: malformed JSON: unexpected end of hex escape",
        ),
        (
            "utf8",
            "{\"v\":\"a",
            "line 1, byte 7: field `v`: the line ends inside a value; each row is one line",
        ),
        ("utf8", "{'v':1}", "line 1, byte 2: malformed JSON: key must be a string"),
        // Rows that are not objects.
        ("int8", "null", "line 1, byte 1: expected an object, found null; each row is one line"),
        ("int8", "{\n  \"v\": 1\n}", "line 1, byte 1: the line ends inside a value; each row is one line"),
        (
            "int8",
            "[{\"v\":1}]",
            "line 1, byte 1: expected an object, found an array; each row is an object on a line of its own",
        ),
        (
            "int8",
            "[\n{\"v\":1},\n{\"v\":2}\n]",
            "line 1, byte 1: expected an object, found an array; each row is an object on a line of its own",
        ),
        (
            "int8",
            "[1]",
            "line 1, byte 1: expected an object, found an array; each row is an object on a line of its own",
        ),
        ("int8", "  17 ", "line 1, byte 3: expected an object, found a number; each row is one line"),
        ("int8", "\"a b\"", "line 1, byte 1: expected an object, found a string; each row is one line"),
        ("int8", "{\"w\":1}", "line 1, byte 4: unknown field \"w\""),
        ("int8", "{\"v\":1,\"v\":2}", "line 1, byte 10: field `v`: the field is repeated"),
        (
            "struct<a: int8 not null>",
            "{}",
            "line 1, byte 2: field `a`: the row lacks the field, which is `not null`",
        ),
        (
            "struct<a: int8 not null>",
            "{\"a\":null}",
            "line 1, byte 10: field `a`: expected a value, found null; the field is `not null`",
        ),
        (
            "struct<a: int8, a: utf8>",
            "{\"a\":1}",
            "line 1, byte 1: expected an array of pairs, [name, value], for each field in order, found \"{…}\"",
        ),
        // A null of the selected child is a null of the union.
        (
            "struct<v: dense_union<0=a: int8> not null>",
            "{\"v\":{\"a\":null}}",
            "line 1, byte 15: field `v.a`: expected a value, found null; the field is `not null`",
        ),
        (
            "list<item: dense_union<0=a: sparse_union<0=b: dictionary<int8, utf8>>> not null>",
            "{\"v\":[{\"a\":{\"b\":null}}]}",
            "line 1, byte 21: field `v.item.a.b.<dictionary>`: expected a value, found null; the field is `not null`",
        ),
        ("struct<a: int8, a: utf8>", "[[\"a\",1]]", "line 1, byte 9: expected 2 pairs, found 1"),
        (
            "struct<a: int8, a: utf8>",
            "[[\"a\",1],[\"b\",\"x\"]]",
            "line 1, byte 14: expected the name \"a\", found \"b\"",
        ),
        (
            "struct<a: int8, a: utf8>",
            "[[\"a\",1],[\"a\",2]]",
            "line 1, byte 15: field `a`: expected a string, found \"2\"",
        ),
        (
            "struct<a: int8, a: utf8>",
            "[[\"a\",1],[\"a\",null],[]]",
            "line 1, byte 23: expected 2 pairs, found more than 2",
        ),
        (
            "struct<a: int8, a: utf8>",
            "[[\"a\",1],[\"a\"]]",
            "line 1, byte 14: expected 2 parts of a pair, found 1",
        ),
        (
            "struct<a: int8, a: utf8>",
            "[[\"a\",1,2],[\"a\",null]]",
            "line 1, byte 10: expected 2 parts of a pair, found more than 2",
        ),
        (
            "struct<a: int8, a: utf8>",
            "[[1,1],[\"a\",null]]",
            "line 1, byte 3: expected the name \"a\", found \"1\"",
        ),
        (
            "struct<a: int8, a: utf8>",
            "[1]",
            "line 1, byte 2: expected an array of pairs, [name, value], for each field in order, found \"1\"",
        ),
        // Invalid values that are not nested.
        (
            "bool",
            "{\"v\":\"true\"}",
            "line 1, byte 6: field `v`: expected true or false, found \"\\\"true\\\"\"",
        ),
        ("bool", "{\"v\":1}", "line 1, byte 6: field `v`: expected true or false, found \"1\""),
        ("null", "{\"v\":1}", "line 1, byte 6: field `v`: expected null, found \"1\""),
        (
            "int8",
            "{\"v\":128}",
            "line 1, byte 6: field `v`: expected an integer from -128 to 127, found \"128\"",
        ),
        (
            "int8",
            "{\"v\":\"1\"}",
            "line 1, byte 6: field `v`: expected an integer from -128 to 127, found \"\\\"1\\\"\"",
        ),
        (
            "int8",
            "{\"v\":1.0}",
            "line 1, byte 6: field `v`: expected an integer from -128 to 127, found \"1.0\"",
        ),
        (
            "int8",
            "{\"v\":true}",
            "line 1, byte 6: field `v`: expected an integer from -128 to 127, found \"true\"",
        ),
        (
            "uint64",
            "{\"v\":18446744073709551616}",
            "line 1, byte 6: field `v`: expected an integer from 0 to 18446744073709551615, found \"18446744073709551616\"",
        ),
        (
            "float64",
            "{\"v\":\"1.5\"}",
            "line 1, byte 6: field `v`: expected a number, NaN, Infinity or -Infinity, found \"\\\"1.5\\\"\"",
        ),
        (
            "float64",
            "{\"v\":1e999}",
            "line 1, byte 6: field `v`: expected a number that fits into a floating-point number of 64 bits, found \"1e999\"",
        ),
        (
            "float16",
            "{\"v\":65520}",
            "line 1, byte 6: field `v`: expected a number that fits into a floating-point number of 16 bits, found \"65520\"",
        ),
        (
            "decimal32(9, 2)",
            "{\"v\":\"0.001\"}",
            "line 1, byte 6: field `v`: expected a decimal number that is exact with the scale 2, found \"0.001\"",
        ),
        (
            "decimal32(2, 0)",
            "{\"v\":100}",
            "line 1, byte 6: field `v`: expected a decimal number within precision 2 and scale 0, found \"100\"",
        ),
        (
            "decimal32(2, 0)",
            "{\"v\":[1]}",
            "line 1, byte 6: field `v`: expected a decimal number, found \"[1]\"",
        ),
        (
            "date32",
            "{\"v\":\"2023-02-29\"}",
            "line 1, byte 6: field `v`: expected a date such as 2024-02-29, found \"2023-02-29\"",
        ),
        (
            "date32",
            "{\"v\":19782}",
            "line 1, byte 6: field `v`: expected a date such as 2024-02-29, found \"19782\"",
        ),
        (
            "time32(s)",
            "{\"v\":\"86400\"}",
            "line 1, byte 6: field `v`: expected a time of day such as 12:34:56, or an integer from -2147483648 to 2147483647, found \"\\\"86400\\\"\"",
        ),
        (
            "time32(s)",
            "{\"v\":\"24:00:00\"}",
            "line 1, byte 6: field `v`: expected a time of day such as 12:34:56, or an integer from -2147483648 to 2147483647, found \"24:00:00\"",
        ),
        (
            "timestamp(s)",
            "{\"v\":\"2024-01-01T00:00:00Z\"}",
            "line 1, byte 6: field `v`: expected a timestamp such as 2024-02-29T12:34:56, without a time zone, found \"2024-01-01T00:00:00Z\"",
        ),
        (
            "duration(s)",
            "{\"v\":1.5}",
            "line 1, byte 6: field `v`: expected an integer from -9223372036854775808 to 9223372036854775807, found \"1.5\"",
        ),
        (
            "interval(year_month)",
            "{\"v\":{\"months\":1,\"days\":2}}",
            "line 1, byte 6: field `v`: expected an object such as {\"months\":14}, with integers that fit, found \"{\\\"months\\\":1,\\\"days\\\":2}\"",
        ),
        (
            "binary",
            "{\"v\":\"0g\"}",
            "line 1, byte 6: field `v`: expected two hexadecimal digits for each byte, found \"0g\"",
        ),
        (
            "binary",
            "{\"v\":1234}",
            "line 1, byte 6: field `v`: expected two hexadecimal digits for each byte, found \"1234\"",
        ),
        (
            "fixed_size_binary(2)",
            "{\"v\":\"00\"}",
            "line 1, byte 6: field `v`: expected 4 hexadecimal digits, found \"00\"",
        ),
        ("utf8", "{\"v\":5}", "line 1, byte 6: field `v`: expected a string, found \"5\""),
        (
            "utf8_view",
            "{\"v\":{\"a\":\"0123456789012345678901234567890123456789012345678901234567890123456789\"}}",
            "line 1, byte 6: field `v`: expected a string, found \"{\\\"a\\\":\\\"0123456789012345678901234567890123456789012345678901234567…\"",
        ),
        // Invalid nested values.
        ("list<item: int8>", "{\"v\":5}", "line 1, byte 6: field `v`: expected an array, found \"5\""),
        ("list<item: int8>", "{\"v\":{}}", "line 1, byte 7: field `v`: expected an array, found \"{…}\""),
        (
            "list<item: int8>",
            "{\"v\":[1,\"2\"]}",
            "line 1, byte 9: field `v.item`: expected an integer from -128 to 127, found \"\\\"2\\\"\"",
        ),
        (
            "list<item: int8>",
            "{\"v\":[1,2}",
            "line 1, byte 10: field `v`: malformed JSON: expected `,` or `]`",
        ),
        (
            "list<item: int8 not null>",
            "{\"v\":[1,null]}",
            "line 1, byte 13: field `v.item`: expected a value, found null; the field is `not null`",
        ),
        (
            "fixed_size_list<item: int8; 2>",
            "{\"v\":[1]}",
            "line 1, byte 8: field `v`: expected 2 items, found 1",
        ),
        (
            "fixed_size_list<item: int8; 2>",
            "{\"v\":[1,2,3]}",
            "line 1, byte 12: field `v`: expected 2 items, found more than 2",
        ),
        (
            "struct<v: struct<\"a.b\": int8>>",
            "{\"v\":{\"a.b\":200}}",
            "line 1, byte 13: field `v.\"a.b\"`: expected an integer from -128 to 127, found \"200\"",
        ),
        (
            "struct<v: struct<a: int8>>",
            "{\"v\":{\"b\":200}}",
            "line 1, byte 9: field `v`: unknown field \"b\"",
        ),
        (
            "struct<v: struct<a: int8>>",
            "{\"v\":[]}",
            "line 1, byte 7: field `v`: expected an object, found \"[…]\"",
        ),
        (
            map,
            "{\"v\":1}",
            "line 1, byte 6: field `v`: expected an array of pairs, [key, value], or an object, found \"1\"",
        ),
        (map, "{\"v\":[[\"a\"]]}", "line 1, byte 11: field `v.entries`: expected 2 parts of a pair, found 1"),
        (
            map,
            "{\"v\":[[\"a\",1,2]]}",
            "line 1, byte 15: field `v.entries`: expected 2 parts of a pair, found more than 2",
        ),
        (
            map,
            "{\"v\":[1]}",
            "line 1, byte 7: field `v.entries`: expected an array of pairs, [key, value], found \"1\"",
        ),
        (
            map,
            "{\"v\":[[null,1]]}",
            "line 1, byte 12: field `v.entries.key`: expected a value, found null; the field is `not null`",
        ),
        (
            map,
            "{\"v\":{\"a\":\"b\"}}",
            "line 1, byte 11: field `v.entries.value`: expected an integer from -128 to 127, found \"\\\"b\\\"\"",
        ),
        (
            numbers,
            "{\"v\":{\"1\":1}}",
            "line 1, byte 6: field `v`: expected an array of pairs, [key, value], found \"{…}\"",
        ),
        (
            union,
            "{\"v\":null}",
            "line 1, byte 6: field `v`: expected an object with one member, named after a child of the union, found \"null\"",
        ),
        (
            union,
            "{}",
            "line 1, byte 2: field `v`: the row lacks the field, a union, and unions have no nulls",
        ),
        (
            union,
            "{\"v\":{}}",
            "line 1, byte 7: field `v`: expected an object with one member, named after a child of the union, found \"{}\"",
        ),
        (union, "{\"v\":{\"c\":1}}", "line 1, byte 9: field `v`: unknown field \"c\""),
        (
            union,
            "{\"v\":{\"a\":1,\"b\":\"\"}}",
            "line 1, byte 15: field `v`: expected 1 member, found more than 1",
        ),
        (
            union,
            "{\"v\":{\"b\":null}}",
            "line 1, byte 15: field `v.b`: expected a value, found null; the field is `not null`",
        ),
        (
            union,
            "{\"v\":[0,1]}",
            "line 1, byte 6: field `v`: expected an object with one member, named after a child of the union, found \"[…]\"",
        ),
        (
            pairs,
            "{\"v\":{\"a\":1}}",
            "line 1, byte 6: field `v`: expected a pair, [type id, value], found \"{…}\"",
        ),
        (pairs, "{\"v\":[6,1]}", "line 1, byte 7: field `v`: expected a type id of the union, found \"6\""),
        (pairs, "{\"v\":[5]}", "line 1, byte 8: field `v`: expected 2 parts of a pair, found 1"),
        (pairs, "{\"v\":[]}", "line 1, byte 7: field `v`: expected 2 parts of a pair, found 0"),
        (
            pairs,
            "{\"v\":[5,1,1]}",
            "line 1, byte 12: field `v`: expected 2 parts of a pair, found more than 2",
        ),
        (
            "dictionary<int8, utf8>",
            "{\"v\":1}",
            "line 1, byte 6: field `v.<dictionary>`: expected a string, found \"1\"",
        ),
        (
            "struct<v: dictionary<int8, utf8> not null>",
            "{\"v\":null}",
            "line 1, byte 10: field `v.<dictionary>`: expected a value, found null; the field is `not null`",
        ),
        (
            "run_end_encoded<run_ends: int32 not null, values: int8 not null>",
            "{\"v\":null}",
            "line 1, byte 10: field `v.values`: expected a value, found null; the field is `not null`",
        ),
        (
            "run_end_encoded<run_ends: int32 not null, values: int8 not null>",
            "{}",
            "line 1, byte 2: field `v`: expected a value, found null; the field is `not null`",
        ),
    ];
    for (data_type, text, message) in cases {
        let error = json_error(text.as_bytes(), schema_of(data_type));
        let error = error.unwrap_or_else(|| panic!("{data_type}: {text} is read"));
        assert_eq!(error.to_string(), *message, "{data_type}: {text}");
    }
}

#[test]
fn errors_of_bytes() {
    let error = |text: &[u8]| json_error(text, schema_of("utf8")).map(|error| error.to_string());
    assert_eq!(error(b"{}\n{\"v\":\"a\xff\"}").as_deref(), Some("line 2, byte 8: not UTF-8"));
}
