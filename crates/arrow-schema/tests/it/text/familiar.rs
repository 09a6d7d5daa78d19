//! Parses types in the forms that people and other implementations write.

use arrow_schema::TextParser;

#[test]
fn familiar_forms_are_read_where_they_are_wanted() {
    let cases = [
        ("list<int64>", "list<item: int64>"),
        ("list<int64 not null>", "list<item: int64 not null>"),
        ("list<item: int64>", "list<item: int64>"),
        ("list<\"odd name\": string>", "list<\"odd name\": utf8>"),
        ("large_list<list_view<boolean>>", "large_list<item: list_view<item: bool>>"),
        ("fixed_size_list<float32; 3>", "fixed_size_list<item: float32; 3>"),
        ("list<timestamp(us, \"UTC\")>", "list<item: timestamp(us, \"UTC\")>"),
        ("map<utf8, int64>", "map<entries: struct<key: utf8 not null, value: int64> not null>"),
        (
            "map<utf8, int64, sorted>",
            "map<entries: struct<key: utf8 not null, value: int64> not null, sorted>",
        ),
        (
            "map<string, map<int8, double not null>>",
            "map<entries: struct<key: utf8 not null, value: map<entries: struct<key: int8 not null, value: float64 not null> not null>> not null>",
        ),
        ("struct<a: list<string>>", "struct<a: list<item: utf8>>"),
        ("dictionary<int8, large_string>", "dictionary<int8, large_utf8>"),
        // With other spaces.
        ("decimal128(10,2)", "decimal128(10, 2)"),
        ("dictionary<int8,utf8,ordered>", "dictionary<int8, utf8, ordered>"),
        ("struct<a:int8,b:  list<int8>>", "struct<a: int8, b: list<item: int8>>"),
        ("fixed_size_list<int8;3>", "fixed_size_list<item: int8; 3>"),
        // As other implementations print them.
        ("timestamp[us]", "timestamp(us)"),
        ("timestamp[ns, tz=Europe/Berlin]", "timestamp(ns, \"Europe/Berlin\")"),
        ("timestamp[ns, Europe/Berlin]", "timestamp(ns, \"Europe/Berlin\")"),
        ("timestamp(us, UTC)", "timestamp(us, \"UTC\")"),
        ("timestamp(us, '+02:00')", "timestamp(us, \"+02:00\")"),
        ("list<timestamp(us, UTC)>", "list<item: timestamp(us, \"UTC\")>"),
        ("date32[day]", "date32"),
        ("date64[ms]", "date64"),
        ("time64[us]", "time64(us)"),
        ("duration[s]", "duration(s)"),
        ("fixed_size_binary[3]", "fixed_size_binary(3)"),
        ("fixed_size_list<item: halffloat>[3]", "fixed_size_list<item: float16; 3>"),
        ("dictionary<values=string, indices=int32, ordered=0>", "dictionary<int32, utf8>"),
        ("dictionary<values=string, indices=int8, ordered=1>", "dictionary<int8, utf8, ordered>"),
    ];
    let parser = TextParser::new().with_familiar_names();
    for (text, expected) in cases {
        assert_eq!(parser.data_type(text).unwrap().to_string(), expected, "{text}");
        assert_eq!(parser.data_type(expected).unwrap().to_string(), expected);
        assert!(TextParser::new().data_type(text).is_err() || text == expected, "{text}");
    }
    for text in [
        "list<>",
        "list<int64",
        "map<utf8>",
        "map<utf8, >",
        "struct<int8>",
        "list<int23>",
        "time",
        "float",
        "timestamp[us)",
        "timestamp(us]",
        "date32[ms]",
        "decimal128[10 ,2]",
        "decimal128(10 2)",
        "list <int8>",
        "fixed_size_list<int8>[3>",
        "dictionary<values=string>",
        "timestamp[us, tz=UTC",
        "timestamp(us, )",
        "timestamp(us, '')",
        "timestamp(us, 'UTC)",
        "timestamp(us, UTC')",
        "timestamp(us, 'UTC\")",
    ] {
        assert!(parser.data_type(text).is_err(), "{text}");
    }
    let deep = format!("{}int8{}", "list<".repeat(64), ">".repeat(64));
    assert!(parser.data_type(&deep).unwrap_err().to_string().contains("64"), "{deep}");
}
