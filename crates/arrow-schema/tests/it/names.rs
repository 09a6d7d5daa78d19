//! Text from outside: names, paths and metadata.

use std::sync::Arc;

use arrow_schema::{
    DataType, EXTENSION_METADATA_KEY, EXTENSION_NAME_KEY, Extension, Field, FieldPath, Metadata, Nullability,
    QuotedName, QuotedText,
};

#[test]
fn text_is_quoted_so_that_it_can_do_no_harm() {
    // The text, in quotes, as the name of a field, and as a step of a path.
    let cases = [
        ("", r#""""#, r#""""#, r#""""#),
        ("a", r#""a""#, "a", "a"),
        ("_9Z", r#""_9Z""#, "_9Z", "_9Z"),
        ("9a", r#""9a""#, r#""9a""#, "9a"),
        ("a b", r#""a b""#, r#""a b""#, "a b"),
        ("a.b", r#""a.b""#, r#""a.b""#, r#""a.b""#),
        ("<dictionary>", r#""<dictionary>""#, r#""<dictionary>""#, r#""<dictionary>""#),
        ("größe", r#""größe""#, r#""größe""#, "größe"),
        ("🦀", r#""🦀""#, r#""🦀""#, "🦀"),
        ("\"", r#""\"""#, r#""\"""#, r#""\"""#),
        ("\\n", r#""\\n""#, r#""\\n""#, r#""\\n""#),
        ("a\nb", r#""a\nb""#, r#""a\nb""#, r#""a\nb""#),
        ("\0\u{1f}", r#""\u0000\u001f""#, r#""\u0000\u001f""#, r#""\u0000\u001f""#),
        ("\u{7f}é\u{9f}", r#""\u007fé\u009f""#, r#""\u007fé\u009f""#, r#""\u007fé\u009f""#),
        ("\u{2028}\u{2029}", r#""\u2028\u2029""#, r#""\u2028\u2029""#, r#""\u2028\u2029""#),
    ];
    for (text, quoted, name, step) in cases {
        assert_eq!(QuotedText(text).to_string(), quoted, "{text:?}");
        assert_eq!(QuotedName(text).to_string(), name, "{text:?}");
        assert_eq!(Field::new(text, DataType::Null).to_string(), format!("{name}: null"), "{text:?}");
        assert_eq!(FieldPath::root().child(0, text).to_string(), step, "{text:?}");
    }
}

#[test]
fn exactly_the_unsafe_characters_are_escaped() {
    // Controls, line and paragraph separators, marks of annotations; then `Default_Ignorable_Code_Point` of Unicode.
    let is_unsafe = |c: char| {
        matches!(u32::from(c),
            0..=0x1f | 0x7f..=0x9f | 0x2028 | 0x2029 | 0xfff9..=0xfffb
            | 0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
            | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfff8
            | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
    };
    let escaped = |c: char| {
        let units =
            c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        format!("\"{units}\"")
    };
    for c in '\0'..=char::MAX {
        let expected = match c {
            '"' | '\\' => format!("\"\\{c}\""),
            '\n' => r#""\n""#.to_owned(),
            '\r' => r#""\r""#.to_owned(),
            '\t' => r#""\t""#.to_owned(),
            _ if is_unsafe(c) => escaped(c),
            _ => format!("\"{c}\""),
        };
        assert_eq!(QuotedText(c.encode_utf8(&mut [0; 4])).to_string(), expected);
    }
}

fn pair(key: Option<&str>, value: Option<&str>) -> (Option<Arc<str>>, Option<Arc<str>>) {
    (key.map(Into::into), value.map(Into::into))
}

#[test]
fn metadata_keeps_order_duplicates_and_what_is_absent() {
    let pairs = [
        (Some("k"), None),
        (None, Some("keyless")),
        (Some("k"), Some("1")),
        (Some(""), Some("")),
        (Some("k"), Some("2")),
        (None, None),
        (Some("a\"b"), Some("\u{1b}")),
    ];
    let metadata = Metadata::from_pairs(pairs.iter().map(|&(key, value)| pair(key, value)).collect());
    assert_eq!(metadata.len(), pairs.len());
    assert_eq!(metadata.iter().collect::<Vec<_>>(), pairs);
    assert_eq!((&metadata).into_iter().rev().len(), pairs.len());
    assert_eq!(metadata.iter().next_back(), Some((Some("a\"b"), Some("\u{1b}"))));

    for (key, first, all) in [
        ("k", Some("1"), vec![None, Some("1"), Some("2")]),
        ("", Some(""), vec![Some("")]),
        ("K", None, vec![]),
    ] {
        assert_eq!(metadata.get(key), first, "{key:?}");
        assert_eq!(metadata.all(key).collect::<Vec<_>>(), all, "{key:?}");
    }
    assert_eq!(
        metadata.to_string(),
        r#"{"k": null, null: "keyless", "k": "1", "": "", "k": "2", null: null, "a\"b": "\u001b"}"#
    );
    assert_eq!(metadata.without("k").len(), 4);
    assert_ne!(Metadata::from_pairs(vec![pair(Some("k"), None)]), Metadata::from_iter([("k", "")]));
    assert_ne!(Metadata::from_iter([("a", "1"), ("b", "2")]), Metadata::from_iter([("b", "2"), ("a", "1")]));
}

#[test]
fn empty_metadata_is_one_value() {
    let one = Metadata::from_iter([("k", "v")]);
    let nobody: [(&str, &str); 0] = [];
    for empty in [
        Metadata::new(),
        Metadata::default(),
        Metadata::from_pairs(vec![]),
        nobody.into_iter().collect(),
        one.without("k"),
    ] {
        assert_eq!(empty, Metadata::new());
        assert!(empty.is_empty());
        assert_eq!(empty.len(), 0);
        assert_eq!(empty.to_string(), "{}");
        assert_eq!(empty.with("k", "v"), one);
    }
    assert!(!one.is_empty());
}

#[test]
fn extensions_are_read_from_metadata() {
    let name = |value| (Some(EXTENSION_NAME_KEY), value);
    let parameters = |value| (Some(EXTENSION_METADATA_KEY), value);
    let cases = [
        (vec![], None),
        (vec![parameters(Some("{}"))], None),
        (vec![name(None)], None),
        (vec![name(Some("x"))], Some(("x", None))),
        (vec![name(Some("x")), parameters(None)], Some(("x", None))),
        (vec![parameters(Some("")), name(Some("x"))], Some(("x", Some("")))),
        (vec![name(Some("x")), name(Some("y")), parameters(Some("{}"))], Some(("x", Some("{}")))),
    ];
    for (pairs, expected) in cases {
        let pairs = pairs.into_iter().map(|(key, value)| pair(key, value)).collect();
        let field = Field::new("f", DataType::Int8).with_metadata(Metadata::from_pairs(pairs));
        let expected = expected.map(|(name, metadata)| Extension { name, metadata });
        assert_eq!(field.extension(), expected, "{}", field.metadata());
    }
}

#[test]
fn an_extension_replaces_the_one_before() {
    let metadata = Metadata::from_iter([
        (EXTENSION_NAME_KEY, "old"),
        ("unit", "mm"),
        (EXTENSION_METADATA_KEY, "old parameters"),
    ]);
    let field = Field::new("f", DataType::Int8).with_metadata(metadata);
    let extension = Extension { name: "new", metadata: None };
    let field = field.with_extension(extension);
    assert_eq!(field.extension(), Some(extension));
    assert_eq!(field.metadata().to_string(), r#"{"unit": "mm", "ARROW:extension:name": "new"}"#);
}

#[test]
fn fields_change_one_part_at_a_time() {
    let field = Field::new("a", DataType::Int8);
    assert!(field.is_nullable());
    let changed = field
        .clone()
        .with_name("b")
        .with_data_type(DataType::Utf8)
        .with_nullability(false.into())
        .with_metadata(Metadata::from_iter([("k", "v")]));
    assert_eq!((changed.name(), changed.data_type()), ("b", &DataType::Utf8));
    assert_eq!(changed.nullability(), Nullability::Required);
    assert_eq!(changed.metadata().get("k"), Some("v"));

    let differing = [
        field.clone().with_name("b"),
        field.clone().with_data_type(DataType::Int16),
        field.clone().required(),
    ];
    for other in differing {
        assert_ne!(field, other);
        assert!(!field.same_column(&other), "{other}");
    }
}
