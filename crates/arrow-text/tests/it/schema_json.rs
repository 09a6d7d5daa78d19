//! Schemas as JSON: the names of types in integration documents, and the errors of invalid text.

use arrow_schema::{DataType, Field, Metadata, Schema};
use arrow_text::{JsonSchema, SchemaJsonErrorKind as Kind, schema_from_json};
use testing_support::{all_types, schema_of_all_types};

/// Types in their text form, and in the JSON of the format's table.
const TYPES: [(&str, &str); 41] = [
    ("null", r#"{"name":"null"}"#),
    ("bool", r#"{"name":"bool"}"#),
    ("int8", r#"{"name":"int","isSigned":true,"bitWidth":8}"#),
    ("int16", r#"{"name":"int","isSigned":true,"bitWidth":16}"#),
    ("int64", r#"{"name":"int","isSigned":true,"bitWidth":64}"#),
    ("uint32", r#"{"name":"int","isSigned":false,"bitWidth":32}"#),
    ("float16", r#"{"name":"floatingpoint","precision":"HALF"}"#),
    ("float32", r#"{"name":"floatingpoint","precision":"SINGLE"}"#),
    ("float64", r#"{"name":"floatingpoint","precision":"DOUBLE"}"#),
    ("decimal32(9, 2)", r#"{"name":"decimal","precision":9,"scale":2,"bitWidth":32}"#),
    ("decimal64(18, -3)", r#"{"name":"decimal","precision":18,"scale":-3,"bitWidth":64}"#),
    ("decimal128(38, 0)", r#"{"name":"decimal","precision":38,"scale":0,"bitWidth":128}"#),
    ("decimal256(76, 1)", r#"{"name":"decimal","precision":76,"scale":1,"bitWidth":256}"#),
    ("date32", r#"{"name":"date","unit":"DAY"}"#),
    ("date64", r#"{"name":"date","unit":"MILLISECOND"}"#),
    ("time32(s)", r#"{"name":"time","unit":"SECOND","bitWidth":32}"#),
    ("time32(ms)", r#"{"name":"time","unit":"MILLISECOND","bitWidth":32}"#),
    ("time64(us)", r#"{"name":"time","unit":"MICROSECOND","bitWidth":64}"#),
    ("time64(ns)", r#"{"name":"time","unit":"NANOSECOND","bitWidth":64}"#),
    ("timestamp(ms)", r#"{"name":"timestamp","unit":"MILLISECOND"}"#),
    ("timestamp(s, \"\")", r#"{"name":"timestamp","unit":"SECOND","timezone":""}"#),
    ("timestamp(ns, \"UTC\")", r#"{"name":"timestamp","unit":"NANOSECOND","timezone":"UTC"}"#),
    ("duration(us)", r#"{"name":"duration","unit":"MICROSECOND"}"#),
    ("interval(year_month)", r#"{"name":"interval","unit":"YEAR_MONTH"}"#),
    ("interval(day_time)", r#"{"name":"interval","unit":"DAY_TIME"}"#),
    ("interval(month_day_nano)", r#"{"name":"interval","unit":"MONTH_DAY_NANO"}"#),
    ("utf8", r#"{"name":"utf8"}"#),
    ("large_utf8", r#"{"name":"largeutf8"}"#),
    ("utf8_view", r#"{"name":"utf8view"}"#),
    ("binary", r#"{"name":"binary"}"#),
    ("large_binary", r#"{"name":"largebinary"}"#),
    ("binary_view", r#"{"name":"binaryview"}"#),
    ("fixed_size_binary(0)", r#"{"name":"fixedsizebinary","byteWidth":0}"#),
    ("list<x: null>", r#"{"name":"list"}"#),
    ("large_list<x: null>", r#"{"name":"largelist"}"#),
    ("list_view<x: null>", r#"{"name":"listview"}"#),
    ("large_list_view<x: null>", r#"{"name":"largelistview"}"#),
    ("fixed_size_list<x: null; 3>", r#"{"name":"fixedsizelist","listSize":3}"#),
    ("struct<x: null>", r#"{"name":"struct"}"#),
    ("sparse_union<5=x: null>", r#"{"name":"union","mode":"SPARSE","typeIds":[5]}"#),
    ("dense_union<5=x: null>", r#"{"name":"union","mode":"DENSE","typeIds":[5]}"#),
];

#[test]
fn types_are_named_as_the_format_names_them() {
    for (text, json) in TYPES {
        let data_type: DataType = text.parse().expect(text);
        let children = match data_type.children() {
            [] => String::new(),
            _ => r#"{"name":"x","nullable":true,"type":{"name":"null"},"children":[]}"#.to_owned(),
        };
        let schema = Schema::new([Field::new("c", data_type)]);
        let expected =
            format!(r#"{{"fields":[{{"name":"c","nullable":true,"type":{json},"children":[{children}]}}]}}"#);
        assert_eq!(JsonSchema::new(schema.clone()).to_string(), expected);
        let parsed = JsonSchema::parse(&expected).expect(text);
        assert_eq!(**parsed.schema(), schema);
    }
    let others = [
        (
            "map<e: struct<k: utf8 not null, v: null> not null, sorted>",
            concat!(
                r#"{"name":"c","nullable":true,"type":{"name":"map","keysSorted":true},"children":["#,
                r#"{"name":"e","nullable":false,"type":{"name":"struct"},"children":["#,
                r#"{"name":"k","nullable":false,"type":{"name":"utf8"},"children":[]},"#,
                r#"{"name":"v","nullable":true,"type":{"name":"null"},"children":[]}]}]}"#
            ),
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: bool>",
            concat!(
                r#"{"name":"c","nullable":true,"type":{"name":"runendencoded"},"children":["#,
                r#"{"name":"run_ends","nullable":false,"type":{"name":"int","isSigned":true,"bitWidth":16},"children":[]},"#,
                r#"{"name":"values","nullable":true,"type":{"name":"bool"},"children":[]}]}"#
            ),
        ),
        (
            "dictionary<int8, list<x: dictionary<uint16, utf8, ordered>>>",
            concat!(
                r#"{"name":"c","nullable":true,"type":{"name":"list"},"children":["#,
                r#"{"name":"x","nullable":true,"type":{"name":"utf8"},"children":[],"#,
                r#""dictionary":{"id":-7,"indexType":{"name":"int","isSigned":false,"bitWidth":16},"isOrdered":true}}],"#,
                r#""dictionary":{"id":5,"indexType":{"name":"int","isSigned":true,"bitWidth":8},"isOrdered":false}}"#
            ),
        ),
    ];
    for (text, field) in others {
        let schema = Schema::new([Field::new("c", text.parse().expect(text))]);
        let ids = if text.starts_with("dictionary") { vec![5, -7] } else { Vec::new() };
        let json = JsonSchema::try_with_dictionary_ids(schema, ids).expect("as many as there are");
        assert_eq!(json.to_string(), format!(r#"{{"fields":[{field}]}}"#));
        assert_eq!(json.to_string().parse(), Ok(json));
    }
}

#[test]
fn every_schema_comes_back() {
    let fields = schema_of_all_types().fields().to_vec();
    let noted = |field: Field, k: usize| {
        let metadata = Metadata::from_iter([("a \"b\"\n", "\u{202e}ü"), ("", ""), ("a \"b\"\n", "again")]);
        let field = if k.is_multiple_of(3) { field.with_metadata(metadata) } else { field };
        if k.is_multiple_of(2) { field.required() } else { field }
    };
    let fields: Vec<Field> = fields.into_iter().enumerate().map(|(k, field)| noted(field, k)).collect();
    let schema = Schema::new(fields).with_metadata(Metadata::from_iter([("k", "v")]));
    let json = JsonSchema::new(schema.clone());
    assert!(
        json.dictionary_ids().len() > 15
            && json.dictionary_ids().iter().copied().eq(0..json.dictionary_ids().len() as i64)
    );
    let text = json.to_string();
    // The output is JSON on one line.
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok() && !text.contains('\n'));
    assert_eq!(JsonSchema::parse(&text), Ok(json));
    assert!(all_types().len() > 90);

    let error = JsonSchema::try_with_dictionary_ids(schema, vec![1]).unwrap_err();
    assert!(matches!(error.kind(), Kind::DictionaryIds { found: 1, .. }), "{error}");
    // Absent keys and values are read back as empty ones.
    let absent = Metadata::from_pairs(vec![(None, None)]);
    let text = JsonSchema::new(Schema::default().with_metadata(absent)).to_string();
    assert_eq!(text, r#"{"fields":[],"metadata":[{"key":"","value":""}]}"#);
}

/// A valid schema, in which every case replaces a part.
const GOOD: &str = r#"{"metadata": null, "fields": [
  {"name": "a", "type": {"name": "int", "isSigned": true, "bitWidth": 8}, "nullable": true},
  {"name": "b", "type": {"name": "list"}, "nullable": 1, "children": [
    {"name": "x", "type": {"name": "utf8"}, "nullable": false, "children": [], "metadata": [{"key": "k", "value": "v"}],
     "dictionary": {"id": 5, "indexType": {"name": "int", "isSigned": false, "bitWidth": 64}}}]},
  {"name": "c", "type": {"name": "timestamp", "unit": "SECOND", "timezone": null}, "nullable": true, "other": [{}]}
]}"#;

const BAD: [(&str, &str, &str); 22] = [
    (GOOD, "", "not JSON: EOF while parsing a value at line 1 column 0"),
    (GOOD, "[1]", "expected an object, found [1]"),
    (GOOD, "{}", "the member \"fields\" is missing"),
    ("\"fields\": [", "\"fields\": {}, \"x\": [", "fields: expected an array, found {}"),
    ("\"metadata\": null", "\"fields\": []", "the member \"fields\" is repeated"),
    (
        "\"metadata\": null",
        "\"metadata\": [{\"key\": \"k\"}]",
        "metadata[0]: the member \"value\" is missing",
    ),
    ("\"metadata\": null", "\"metadata\": {}", "metadata: expected an array, found {}"),
    ("\"name\": \"a\", ", "", "fields[0]: the member \"name\" is missing"),
    ("\"name\": \"a\"", "\"name\": 5", "fields[0].name: expected a string, found 5"),
    (
        "\"isSigned\": true",
        "\"isSigned\": \"yes\"",
        "fields[0].type.isSigned: expected true or false, found \"yes\"",
    ),
    ("\"bitWidth\": 8", "\"bitWidth\": 12", "fields[0].type: an integer of 12 bits does not exist"),
    ("\"bitWidth\": 8", "\"bitWidth\": -8", "fields[0].type.bitWidth: expected a number of bits, found -8"),
    (
        "\"bitWidth\": 8",
        "\"bitWidth\": 8, \"bitWidth\": 8",
        "fields[0].type: the member \"bitWidth\" is repeated",
    ),
    ("{\"name\": \"list\"}", "{\"name\": \"utf8\"}", "fields[1].type: utf8 takes 0 children, found 1"),
    ("{\"name\": \"list\"}", "{\"name\": \"lisd\"}", "fields[1].type: there is no type \"lisd\""),
    (
        "{\"name\": \"list\"}",
        "{\"name\": \"map\", \"keysSorted\": false}",
        "fields[1].type: map entries must be a struct of a key and a value, found dictionary<uint64, utf8>",
    ),
    (
        "{\"name\": \"list\"}",
        "{\"name\": \"fixedsizelist\", \"listSize\": 2147483648}",
        "fields[1].type: the fixed size is 2147483648; allowed: 0 to 2147483647",
    ),
    (
        "{\"name\": \"list\"}",
        "{\"name\": \"union\", \"mode\": \"DENSE\", \"typeIds\": [1, 300]}",
        "fields[1].type.typeIds[1]: expected a type id, found 300",
    ),
    (
        "\"nullable\": false",
        "\"nullable\": null",
        "fields[1].children[0].nullable: expected true or false, found null",
    ),
    (
        "\"value\": \"v\"",
        "\"value\": 7",
        "fields[1].children[0].metadata[0].value: expected a string, found 7",
    ),
    (
        "\"id\": 5",
        "\"id\": 9223372036854775808",
        "fields[1].children[0].dictionary.id: expected an id, found 9223372036854775808",
    ),
    ("\"SECOND\"", "\"seconds\"", "fields[2].type.unit: there is no unit \"seconds\""),
];

#[test]
fn bad_text_is_an_error_with_its_position() {
    let good = JsonSchema::parse(GOOD).expect("it is good");
    let text = "a: int8\nb: list<x: dictionary<uint64, utf8> not null>\nc: timestamp(s)";
    assert_eq!((good.schema().to_string().as_str(), good.dictionary_ids()), (text, &[5][..]));
    for (from, to, expected) in BAD {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from} is not there");
        let error = JsonSchema::parse(&text).expect_err(expected);
        assert_eq!(error.to_string(), expected, "{text}");
        assert!(error.to_string().starts_with(&error.path()), "{error}");
    }
}

/// The number of levels of lists has the same limit as in readers of files.
#[test]
fn depth_is_limited() {
    let nested = |n_levels: usize, at_end: &str| {
        let begin =
            r#"{"name": "", "nullable": true, "type": {"name": "list"}, "children": ["#.repeat(n_levels - 1);
        format!("{{\"fields\": [{begin}{at_end}{}]}}", "]}".repeat(n_levels - 1))
    };
    let leaf = r#"{"name": "", "nullable": true, "type": {"name": "null"}}"#;
    let schema = JsonSchema::parse(&nested(64, leaf)).expect("64 levels");
    assert_eq!(schema.schema().fields()[0].data_type().depth(), 64);
    for n_levels in [65, 10_000] {
        let error = JsonSchema::parse(&nested(n_levels, leaf)).expect_err("too deep");
        assert_eq!(error.kind(), &Kind::TooDeep { limit: 64 });
    }
}

/// Any text that is cut or has one wrong byte results in a schema or an error.
#[test]
fn damaged_text_is_no_panic() {
    let text = JsonSchema::new(schema_of_all_types()).to_string();
    let bytes = text.as_bytes();
    let mut rng = testing_support::Rng::new(3);
    let mut n_errors = 0;
    for _ in 0..300 {
        let mut damaged = bytes.to_vec();
        let at = rng.below(damaged.len());
        damaged[at] = *rng.pick(b"\"{}[]:,-0919aeZ\\");
        if rng.one_in(4) {
            damaged.truncate(at);
        }
        let Ok(damaged) = String::from_utf8(damaged) else { continue };
        n_errors += usize::from(JsonSchema::parse(&damaged).is_err());
    }
    assert!(n_errors > 100, "{n_errors}");
}

/// The JSON of `schema --json`, in which types are text.
#[test]
fn what_contradicts_the_text_of_a_type_is_refused() {
    let cases = [
        ("{", "not JSON: EOF"),
        ("{}", "the member \"fields\" is missing"),
        (r#"{"fields":{}}"#, "fields: expected an array, found {}"),
        (r#"{"fields":[{"type":"int8"}]}"#, "fields[0]: the member \"name\" is missing"),
        (r#"{"fields":[{"name":"a"}]}"#, "fields[0]: the member \"type\" is missing"),
        (r#"{"fields":[{"name":1,"type":"int8"}]}"#, "fields[0].name: expected a string, found 1"),
        (
            "{\"fields\":[\n{\"name\":\"a\",\"type\":\"int8\",\"nullable\":2}]}",
            "fields[0].nullable: expected true or false, found 2",
        ),
        (r#"{"fields":[{"name":"a","type":"int9"}]}"#, "fields[0].type: byte 0: unknown type \"int9\""),
        (
            r#"{"fields":[],"metadata":[["a"]]}"#,
            "metadata[0]: expected a pair of key and value, found [\"a\"]",
        ),
        (
            r#"{"fields":[{"name":"a","type":"int8","metadata":[[1,"b"]]}]}"#,
            "fields[0].metadata[0][0]: expected a string, found 1",
        ),
        (
            r#"{"fields":[{"name":"a","type":"list<int8>","children":[]}]}"#,
            "fields[0].children: list<item: int8> takes 1 children, found 0",
        ),
        (
            r#"{"fields":[{"name":"a","type":"list<int8>","children":[{"name":"item","type":"int16"}]}]}"#,
            "fields[0].children[0]: the type requires the child item: int8",
        ),
    ];
    for (text, expected) in cases {
        let error = schema_from_json(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let field = r#"{"name":"a","type":"list<int8>","children":["#;
    let deep = format!(r#"{{"fields":[{}{}]}}"#, field.repeat(5000), "]}".repeat(5000));
    let error = schema_from_json(&deep).unwrap_err();
    assert!(matches!(error.kind(), Kind::TooDeep { limit: 64 }), "{error}");
}
