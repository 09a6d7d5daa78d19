//! Printed text can be parsed. The parser accepts only text in the form that `Display` writes.

use arrow_schema::{DataType, Field, IndexType, Metadata, ParseError, Schema, TextParser, TimeUnit};
use testing_support::{all_types, schema_of_all_types};

use super::random::RandomTypes;

fn check(data_type: &DataType) {
    let text = data_type.to_string();
    assert_eq!(text.parse().as_ref(), Ok(data_type), "{text}");
    for field in [Field::new("f", data_type.clone()), Field::new("odd\nname", data_type.clone()).required()] {
        let text = field.to_string();
        assert_eq!(text.parse(), Ok(field), "{text}");
    }
}

#[test]
fn every_type_is_read_back() {
    for (_, data_type) in all_types() {
        check(&data_type);
    }
    let schema = schema_of_all_types();
    assert_eq!(schema.to_string().parse(), Ok(schema));
}

#[test]
fn random_types_are_read_back() {
    let mut types = RandomTypes::new(1);
    for _ in 0..1000 {
        check(&types.data_type(6));
    }
}

#[test]
fn schemas_are_read_back() {
    let mut types = RandomTypes::new(2);
    for _ in 0..500 {
        let schema = types.schema(3);
        let text = schema.to_string();
        assert_eq!(text.parse(), Ok(schema), "{text}");
    }
    assert_eq!("".parse(), Ok(Schema::default()));
}

/// Fields in structs, lists and dictionaries have different metadata. Their names repeat, are empty, or contain the
/// separator after a path.
#[test]
fn metadata_is_read_back() {
    let odd = ["a", "a", "", "x at 1", "at", "a.b", "line\nbreak", "a: b", "\u{202e}"];
    let note = |text: &str| Metadata::from_pairs(vec![(Some("k".into()), None), (None, Some(text.into()))]);
    let leaves = || {
        let field =
            |(n, name): (usize, &&str)| Field::new(*name, DataType::Int8).with_metadata(note(&n.to_string()));
        odd.iter().enumerate().map(field).collect::<Vec<Field>>()
    };
    let inner = DataType::struct_(leaves());
    let words = DataType::dictionary(IndexType::Int8, inner.clone()).expect("no dictionary");
    let columns = [
        Field::new("list", DataType::list(Field::new("item", inner).with_metadata(note("item")))),
        Field::new("words", words).required().with_metadata(note("\"words\"\n  \"k\": null")),
        Field::new("none", DataType::Utf8),
    ];
    let fields: Vec<Field> = leaves().into_iter().chain(columns).collect();
    let schema = Schema::new(fields.clone()).with_metadata(note("schema"));
    let text = format!("{schema:#}");
    assert_eq!(text.parse().as_ref(), Ok(&schema), "{text}");
    assert!(
        text.contains("\nmetadata of field words.<dictionary>.a at 10.1:\n  \"k\": null\n  null: \"1\"\n"),
        "{text}"
    );
    let whole = format!("{text}\r\n\r\nmetadata of the whole:\r\n  \"a\": \"b\"\r\n");
    assert_eq!(whole.parse().as_ref(), Ok(&schema), "{text}");
    let read = TextParser::new().schema_and_metadata(&whole).expect("it was printed");
    assert_eq!(read, (schema, Metadata::from_iter([("a", "b")])));
    // Fields without sections, and sections without fields.
    for schema in [
        Schema::new(fields.clone()),
        Schema::default(),
        Schema::default().with_metadata(note("alone")),
        Schema::new([Field::new("a", DataType::Int8)]),
    ] {
        let text = format!("{schema:#}");
        assert_eq!(text.parse().as_ref(), Ok(&schema), "{text}");
        let expected = if text.is_empty() { None } else { Some(&schema) };
        assert_eq!(format!("{text}\n").parse().as_ref().ok(), expected, "{text}");
    }
}

/// A name may look like positions, which also replace a long name.
#[test]
fn names_are_not_taken_for_positions() {
    let noted =
        |name: &str| Field::new(name, DataType::Int8).with_metadata(Metadata::from_iter([("k", name)]));
    let bare = |name: &str| Field::new(name, DataType::Int8);
    let long = "x".repeat(300);
    let cases = [
        (vec![noted("at home"), noted("at home")], "at home at 1"),
        (vec![noted("at home"), bare("at home")], "at home at 0"),
        (vec![noted("at 1"), bare(&long)], "at 1 at 0"),
        (vec![noted("at 1"), noted(&long)], "at 1"),
        (vec![noted("at 0"), noted("at 1"), noted("at 0 at 1")], "at 0 at 1 at 2"),
    ];
    for (fields, heading) in cases {
        let schema = Schema::new(fields);
        let text = format!("{schema:#}");
        assert!(text.contains(&format!("\nmetadata of field {heading}:\n")), "{text}");
        assert_eq!(text.parse().as_ref(), Ok(&schema), "{text}");
    }
}

#[test]
fn metadata_of_random_schemas_is_read_back() {
    let mut types = RandomTypes::new(4).with_metadata();
    for _ in 0..500 {
        let schema = types.schema(3);
        let text = format!("{schema:#}");
        assert_eq!(text.parse(), Ok(schema), "{text}");
    }
}

/// Each field below a long name would repeat it: one MB of names would be 2 GB of text.
#[test]
fn positions_replace_long_names() {
    let note = || Metadata::from_iter([("k", "1")]);
    let fields = |name: &str| {
        let inner = Field::new(name, DataType::Int8).with_metadata(note());
        let columns = [Field::new("a", DataType::Int8), Field::new("s", DataType::struct_([inner]))];
        Schema::new(columns)
    };
    for (n_bytes, is_named) in [(255, true), (256, false), (10_000, false)] {
        let name = "x".repeat(n_bytes);
        let schema = fields(&name);
        let text = format!("{schema:#}");
        let heading = if is_named {
            format!("metadata of field s.{name}:")
        } else {
            "metadata of field at 1.0:".into()
        };
        assert_eq!(text.lines().nth(3), Some(heading.as_str()));
        assert_eq!(text.parse(), Ok(schema));
    }
    let long = Field::new("x".repeat(300), DataType::Int8).with_metadata(note());
    let twice = Schema::new([long.clone(), long]);
    let text = format!("{twice:#}");
    assert!(text.contains("\nmetadata of field at 1:\n"), "{text}");
    assert_eq!(text.parse(), Ok(twice));
    // The names of a field may look like positions.
    let schema = fields("at 1.0");
    let text = format!("{schema:#}");
    assert!(text.contains("metadata of field s.\"at 1.0\":"), "{text}");
    assert_eq!(text.parse(), Ok(schema));
    let long: String = std::iter::repeat_n("x: int8, ", 5_000).collect();
    let text = format!(
        "{}: struct<{}y: int8>\n\nmetadata of the schema:\n  \"k\": \"1\"\n",
        "x".repeat(400_000),
        long
    );
    assert!(text.parse::<Schema>().is_ok());
}

#[test]
fn lines_may_end_as_editors_end_them() {
    let schema = Schema::new([Field::new("a", DataType::Int8), Field::new("b", DataType::Utf8).required()]);
    for text in [
        "a: int8\nb: utf8 not null",
        "a: int8\nb: utf8 not null\n",
        "a: int8\r\nb: utf8 not null",
        "a: int8\r\nb: utf8 not null\r\n",
        "a: int8\r\nb: utf8 not null\n",
    ] {
        assert_eq!(text.parse().as_ref(), Ok(&schema), "{text:?}");
    }
    let map = "map<entries: struct<key: utf8 not null, value: int64> not null>";
    assert_eq!(map.parse::<DataType>().map(|read| read.to_string()), Ok(map.to_owned()));
}

#[test]
fn metadata_is_left_out() -> Result<(), ParseError> {
    let noted = |field: Field| field.with_metadata(Metadata::from_iter([("k", "v")]));
    let list = DataType::list(noted(Field::new("item", DataType::Int8)));
    let schema = Schema::new([noted(Field::new("a", list.clone()))]);
    let (data_type, read): (DataType, Schema) = (list.to_string().parse()?, schema.to_string().parse()?);
    assert!(data_type.same_type(&list) && data_type != list);
    assert_eq!(schema.check_same_columns(&read), Ok(()));
    assert!(read.fields()[0].metadata().is_empty());
    Ok(())
}

#[test]
fn all_escapes_of_json_are_read() -> Result<(), ParseError> {
    let cases = [
        (r#""""#, ""),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u0041\u00e9\u00E9\u20aC""#, "Aéé€"),
        (r#""\ud83e\udd80 \uD83E\uDD80""#, "🦀 🦀"),
        (r#""\ud800\udc00\udbff\udfff""#, "\u{10000}\u{10ffff}"),
        (r#""\uffff\ud7ff\ue000""#, "\u{ffff}\u{d7ff}\u{e000}"),
        (r#""\u202e\u2028\u0000\u007f""#, "\u{202e}\u{2028}\0\u{7f}"),
        (r#""größe 🦀 '/""#, "größe 🦀 '/"),
        (r#""\\u0041""#, "\\u0041"),
    ];
    for (quoted, expected) in cases {
        let data_type: DataType = format!("timestamp(s, {quoted})").parse()?;
        assert_eq!(data_type, DataType::timestamp_with_zone(TimeUnit::Second, expected), "{quoted}");
        let field: Field = format!("{quoted}: null").parse()?;
        assert_eq!(field.name(), expected, "{quoted}");
    }
    Ok(())
}

/// Whether all escapes are those that `Display` writes.
fn has_printed_escapes(mut text: &str) -> bool {
    while let Some(at) = text.find('\\') {
        let escape = &text[at + 1..];
        let is_control = escape.starts_with("u000") || escape.starts_with("u001");
        let n_bytes = match escape.as_bytes()[0] {
            b'"' | b'\\' => 1,
            b'u' if is_control && matches!(escape.as_bytes()[4], b'0'..=b'9' | b'a'..=b'f') => 5,
            _ => return false,
        };
        text = &escape[n_bytes..];
    }
    true
}

/// Replaces each character of the text of each type by each significant character, doubles it, and removes it. If the
/// parser accepts the result, the parsed value prints as the same text, or as an equivalent text without needless
/// escapes.
#[test]
fn nothing_is_read_that_would_not_be_printed() {
    let mut n_read = 0;
    let mut check = |mutated: String| {
        let Ok(read) = mutated.parse::<Schema>() else { return };
        n_read += 1;
        let printed = read.to_string();
        if has_printed_escapes(&mutated) {
            assert_eq!(printed, mutated);
        } else {
            assert_eq!(printed.parse(), Ok(read), "{mutated}");
        }
    };
    for (name, data_type) in all_types() {
        let odd = Field::new(format!("\"{name}\\\n"), data_type);
        let text = Schema::new([odd, Field::new("b", DataType::Int8).required()]).to_string();
        for (at, c) in text.char_indices() {
            let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
            check(format!("{before}{after}"));
            check(format!("{before}{c}{c}{after}"));
            for other in " \n\t,;:=<>()\"\\-+_019aAfnsu/é\u{202e}".chars() {
                check(format!("{before}{other}{after}"));
            }
        }
    }
    assert!(n_read > 1000, "{n_read} of the texts are legal: names that changed, and numbers");
}

#[test]
fn the_limit_on_depth_is_the_depth_of_types() {
    let mut types = RandomTypes::new(3);
    for _ in 0..500 {
        let data_type = types.data_type(5);
        let (text, depth) = (data_type.to_string(), data_type.depth());
        let parser = TextParser::default();
        assert_eq!(parser.with_max_depth(depth).data_type(&text), Ok(data_type), "{text}");
        assert!(parser.with_max_depth(depth - 1).data_type(&text).is_err(), "{text}");
    }
}
