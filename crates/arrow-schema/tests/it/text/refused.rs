//! Texts that are not valid, and their errors.

use arrow_schema::{DataType, ExpectedText, Field, ParseErrorKind, Schema, TypeError};
use testing_support::all_types;

#[test]
fn types_are_refused_with_a_reason() {
    let cases = [
        ("", "byte 0: expected a type, found the end of the text"),
        (" int8", r#"byte 0: expected a type, found " int8""#),
        ("int8 ", r#"byte 4: expected the end of the text, found " ""#),
        ("int8()", r#"byte 4: expected the end of the text, found "()""#),
        ("int8\n", r#"byte 4: expected the end of the text, found "\n""#),
        ("Int8", r#"byte 0: unknown type "Int8"; write "int8""#),
        ("string", r#"byte 0: unknown type "string"; write "utf8""#),
        ("list<item: Boolean>", r#"byte 11: unknown type "Boolean"; write "bool""#),
        ("decimal(10,2)", r#"byte 0: unknown type "decimal"; write "decimal128(precision, scale)""#),
        ("timestamp[us]", r#"byte 9: expected "(", found "[us]""#),
        ("int24", r#"byte 0: unknown type "int24""#),
        ("a_very_long_word_that_is_no_type", r#"byte 0: unknown type "a_very_long_word_that_is"…"#),
        ("<", r#"byte 0: expected a type, found "<""#),
        ("decimal128", r#"byte 10: expected "(", found the end of the text"#),
        ("decimal128(39, 0)", "byte 11: the precision of the decimal is 39; its bit width allows 1 to 38"),
        ("decimal32(0, 0)", "byte 10: the precision of the decimal is 0; its bit width allows 1 to 9"),
        ("decimal64(-1, 0)", "byte 10: the precision of the decimal is -1; its bit width allows 1 to 18"),
        ("decimal256(99999999999, 0)", r#"byte 11: the precision is "99999999999"; allowed: 1 to 76"#),
        ("decimal256(07, 0)", r#"byte 11: the number "07" has a leading zero or a needless sign"#),
        ("decimal256(7, -0)", r#"byte 14: the number "-0" has a leading zero or a needless sign"#),
        ("decimal256(7, +1)", r#"byte 14: expected a number, found "+1)""#),
        ("decimal256(7,1)", r#"byte 12: expected ", ", found ",1)""#),
        ("decimal256(7, -)", r#"byte 14: expected a number, found "-)""#),
        (
            "decimal256(7, 2147483648)",
            r#"byte 14: the scale is "2147483648"; allowed: -2147483648 to 2147483647"#,
        ),
        ("time32(us)", r#"byte 7: expected "s" or "ms", found "us)""#),
        ("time64(s)", r#"byte 7: expected "us" or "ns", found "s)""#),
        ("duration()", r#"byte 9: expected "s", "ms", "us" or "ns", found ")""#),
        ("interval(day)", r#"byte 9: expected "year_month", "day_time" or "month_day_nano", found "day)""#),
        ("timestamp", r#"byte 9: expected "(", found the end of the text"#),
        ("timestamp(s, UTC)", r#"byte 13: expected a text in quotes, found "UTC)""#),
        ("timestamp(s; )", r#"byte 11: expected ", " or ")", found "; )""#),
        (r#"timestamp(s, "UTC)"#, "byte 13: the quoted text has no closing quote"),
        ("timestamp(s, \"a\tb\")", r"byte 15: the character must be written as \t"),
        ("timestamp(s, \"\u{202e}\")", r"byte 14: the character must be written as \u202e"),
        (r#"timestamp(s, "\x")"#, r#"byte 14: unknown escape "\\x""#),
        (r#"timestamp(s, "\u12g4")"#, r#"byte 14: unknown escape "\\u12g4""#),
        (r#"timestamp(s, "\u+123")"#, r#"byte 14: unknown escape "\\u+123""#),
        (r#"timestamp(s, "\u"#, r#"byte 14: unknown escape "\\u""#),
        (r#"timestamp(s, "\"#, r#"byte 14: unknown escape "\\""#),
        (r#"timestamp(s, "\ud83e")"#, r"byte 14: the surrogate \ud83e is unpaired"),
        (r#"timestamp(s, "\ud83e\u0041")"#, r"byte 14: the surrogate \ud83e is unpaired"),
        (r#"timestamp(s, "\ud83e\ud83e")"#, r"byte 14: the surrogate \ud83e is unpaired"),
        (r#"timestamp(s, "\udd80")"#, r"byte 14: the surrogate \udd80 is unpaired"),
        ("fixed_size_binary(-1)", "byte 18: the fixed size is -1; allowed: 0 to 2147483647"),
        ("fixed_size_binary(2147483648)", "byte 18: the fixed size is 2147483648; allowed: 0 to 2147483647"),
        (
            "fixed_size_binary(99999999999999999999)",
            r#"byte 18: the size is "99999999999999999999"; allowed: 0 to 2147483647"#,
        ),
        ("list", r#"byte 4: expected "<", found the end of the text"#),
        ("list<>", r#"byte 5: expected a name, found ">""#),
        (
            "list<int8>",
            r#"byte 5: expected a field, such as "item: int8", found the type "int8" without a name"#,
        ),
        (
            "struct<a: int8, String>",
            r#"byte 16: expected a field, such as "item: int8", found the type "String" without a name"#,
        ),
        (
            "list<list<item: int8>>",
            r#"byte 5: expected a field, such as "item: int8", found the type "list" without a name"#,
        ),
        ("list<name>", r#"byte 9: expected ": ", found ">""#),
        ("list<int8 >", r#"byte 9: expected ": ", found " >""#),
        (r#"list<"int8">"#, r#"byte 5: the name "int8" must be written without quotes"#),
        ("list<item:int8>", r#"byte 9: expected ": ", found ":int8>""#),
        ("list<item: int8", r#"byte 15: expected ">", found the end of the text"#),
        ("list<item: int8  not null>", r#"byte 15: expected ">", found "  not null>""#),
        ("list<9: int8>", r#"byte 5: expected a name, found "9: int8>""#),
        ("list<größe: int8>", r#"byte 7: expected ": ", found "öße: int8>""#),
        (r#"list<"item": int8>"#, r#"byte 5: the name "item" must be written without quotes"#),
        (r#"list<"\u0061": int8>"#, r#"byte 5: the name "a" must be written without quotes"#),
        ("fixed_size_list<item: int8>", r#"byte 26: expected "; ", found ">""#),
        ("fixed_size_list<item: int8; -3>", "byte 28: the fixed size is -3; allowed: 0 to 2147483647"),
        ("struct<a: int8,b: int8>", r#"byte 14: expected ", " or ">", found ",b: int8>""#),
        ("struct<a: int8, >", r#"byte 16: expected a name, found ">""#),
        ("map<entries: int8>", "byte 0: map entries must be a struct of a key and a value, found int8"),
        (
            "map<entries: struct<a: int8>>",
            "byte 0: map entries must be a struct of a key and a value, found struct<a: int8>",
        ),
        (
            "map<entries: struct<a: int8, b: int8>, unsorted>",
            r#"byte 37: expected ", sorted" or ">", found ", unsorted>""#,
        ),
        (
            "list<item: sparse_union<3=a: int8, 3=b: int8>>",
            "byte 11: union type id 3 belongs to more than one child",
        ),
        ("dense_union<-1=a: int8>", "byte 0: a union type id is -1; allowed: 0 to 127"),
        ("dense_union<128=a: int8>", r#"byte 12: the type id is "128"; allowed: 0 to 127"#),
        ("dense_union<a: int8>", r#"byte 12: expected a number, found "a: int8>""#),
        (
            "dictionary<utf8, int8>",
            r#"byte 11: expected "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32" or "uint64", found "utf8, int8>""#,
        ),
        ("dictionary<int8, utf8,ordered>", r#"byte 21: expected ", ordered" or ">", found ",ordered>""#),
        (
            "dictionary<int8, dictionary<int8, utf8>>",
            "byte 0: the value type of a dictionary cannot be a dictionary itself, found dictionary<int8, utf8>",
        ),
        ("run_end_encoded<a: int8, b: int8>", "byte 0: run ends must be int16, int32 or int64, found int8"),
        ("run_end_encoded<a: int16>", r#"byte 24: expected ", ", found ">""#),
        ("run_end_encoded<a: int16, b: int8, c: int8>", r#"byte 33: expected ">", found ", c: int8>""#),
    ];
    for (text, message) in cases {
        let found = text.parse::<DataType>().map_err(|error| error.to_string());
        assert_eq!(found, Err(message.to_owned()), "{text}");
    }
}

#[test]
fn fields_and_schemas_are_refused_with_a_reason() {
    let fields = [
        ("", "byte 0: expected a name, found the end of the text"),
        ("a", r#"byte 1: expected ": ", found the end of the text"#),
        ("a: ", "byte 3: expected a type, found the end of the text"),
        ("a: int8 null", r#"byte 7: expected the end of the text, found " null""#),
        ("a: int8 not null not null", r#"byte 16: expected the end of the text, found " not null""#),
        ("a: int8\nb: int8", r#"byte 7: expected the end of the text, found "\nb: int8""#),
    ];
    for (text, message) in fields {
        let found = text.parse::<Field>().map_err(|error| error.to_string());
        assert_eq!(found, Err(message.to_owned()), "{text:?}");
    }
    let schemas = [
        ("\n", 1, 1, r#"line 2, byte 0: SECTION, found the end of the text"#),
        ("a: int8\n\n", 9, 2, r#"line 3, byte 0: SECTION, found the end of the text"#),
        ("a: int8\r\n\r\n", 11, 2, r#"line 3, byte 0: SECTION, found the end of the text"#),
        ("a: int8\rb: int8", 7, 0, r#"byte 7: expected the end of the line, found "\rb: int8""#),
        ("a: int8\r", 7, 0, r#"byte 7: expected the end of the line, found "\r""#),
        ("a: int8\r\nb: x", 12, 1, r#"line 2, byte 3: unknown type "x""#),
        ("\na: int8", 1, 1, r#"line 2, byte 0: SECTION, found "a: int8""#),
        ("a: int8\n\nb: int8", 9, 2, r#"line 3, byte 0: SECTION, found "b: int8""#),
        (
            "a: int8\n\nmetadata of field b:\n",
            9,
            2,
            r#"line 3, byte 0: SECTION, found "metadata of field b:""#,
        ),
        (
            "a: int8\n\nmetadata of field a at 0:\n",
            9,
            2,
            r#"line 3, byte 0: SECTION, found "metadata of field a at 0"…"#,
        ),
        (
            "a: int8\n\nmetadata of field a:\n",
            30,
            3,
            r#"line 4, byte 0: expected "  ", found the end of the text"#,
        ),
        (
            "a: int8\n\nmetadata of field a:\n  x: null",
            32,
            3,
            r#"line 4, byte 2: expected a text in quotes, found "x: null""#,
        ),
        (
            "a: int8\n\nmetadata of field a:\n  \"x\" null",
            35,
            3,
            r#"line 4, byte 5: expected ": ", found " null""#,
        ),
        (
            "a: int8\n\nmetadata of the schema:\n  null: null\n\nmetadata of the schema:\n  null: null",
            47,
            5,
            r#"line 6, byte 0: the section "metadata of the schema" is repeated"#,
        ),
        ("a: int8, b: int8", 7, 0, r#"byte 7: expected the end of the line, found ", b: int8""#),
        ("größe: int8", 2, 0, r#"byte 2: expected ": ", found "öße: int8""#),
        ("\"ö\": int8\n\"ö\": list<>", 22, 1, r#"line 2, byte 11: expected a name, found ">""#),
        ("a: int8\nb: int8\nc: x", 19, 2, r#"line 3, byte 3: unknown type "x""#),
    ];
    let section = "expected \"metadata of the schema:\" or \"metadata of field\" and its path";
    for (text, position, line_idx, message) in schemas {
        let message = message.replace("SECTION", section);
        let error = text.parse::<Schema>().expect_err(text);
        assert_eq!(error.to_string(), message, "{text:?}");
        assert_eq!((error.position(), error.line_idx()), (position, line_idx), "{text:?}");
    }
}

/// The names of types in other systems, and the type that the error names. None of these names is a name of this crate.
#[test]
fn other_names_are_known() {
    let cases = [
        ("int", "int32"),
        ("integer", "int32"),
        ("bigint", "int64"),
        ("Int64", "int64"),
        ("UInt8", "uint8"),
        ("u64", "uint64"),
        ("float", "float32"),
        ("Double", "float64"),
        ("boolean", "bool"),
        ("VARCHAR", "utf8"),
        ("LargeUtf8", "large_utf8"),
        ("string_view", "utf8_view"),
        ("bytes", "binary"),
        ("date", "date32"),
        ("time", "time64(us)"),
        ("datetime", "timestamp(us)"),
        ("categorical", "dictionary<int32, utf8>"),
    ];
    for (name, expected) in cases {
        let error = name.parse::<DataType>().expect_err(name);
        let ParseErrorKind::UnknownType { instead: Some(instead), .. } = error.kind() else {
            panic!("{name}: {error}");
        };
        assert_eq!(*instead, expected, "{name}");
        assert_eq!(instead.parse::<DataType>().map(|read| read.to_string()), Ok(instead.to_string()));
    }
    for (_, data_type) in all_types() {
        let error = data_type.name().to_uppercase().parse::<DataType>().expect_err("names are in lower case");
        let ParseErrorKind::UnknownType { instead, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(*instead, Some(data_type.name()), "{data_type}");
    }
}

#[test]
fn errors_are_data() {
    let kind = |text: &str| text.parse::<DataType>().expect_err(text).kind().clone();
    assert_eq!(
        kind("sparse_union<3=a: int8, 3=b: int8>"),
        TypeError::UnionTypeIdRepeated { type_id: 3 }.into()
    );
    assert_eq!(kind("timestamp(s, \"\0\")"), ParseErrorKind::RawCharacter { found: '\0' });
    assert_eq!(kind("timestamp(s, \"\\udd80\")"), ParseErrorKind::LoneSurrogate { found: 0xdd80 });
    let ParseErrorKind::Unexpected { expected, found } = kind("list[the item has type int8]") else {
        unreachable!()
    };
    assert_eq!(expected, ExpectedText::AnyOf(["<"].into()));
    assert_eq!((found.text(), found.is_cut()), ("[the item has type int8]", false));
    let ParseErrorKind::NumberOutOfRange { what: "type id", found, min: 0, max: 127 } =
        kind("dense_union<1000=a: int8>")
    else {
        unreachable!()
    };
    assert_eq!(found.text(), "1000");
}
