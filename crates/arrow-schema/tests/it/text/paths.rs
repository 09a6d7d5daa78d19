//! Finds fields by the text of their paths.

use std::collections::BTreeSet;

use arrow_schema::{DataType, Field, FieldPath, IndexType, LookupError, ParseError, Schema, UnionMode};

use super::random::RandomTypes;

const SCHEMA: &str = r#"id: int64 not null
address: struct<street: utf8, "zip.code": utf8, "": int8, twice: int8, twice: int8>
tags: list<item: struct<"größe": int8, "<dictionary>": int8>>
"a.b": map<entries: struct<key: utf8 not null, value: dictionary<int8, list<item: int8>>> not null>
u: dense_union<0=x: int8, 5=y: run_end_encoded<run_ends: int32 not null, values: struct<z: int8>>>
colors: dictionary<int8, utf8>
d: dictionary<int8, struct<x: dictionary<int8, utf8>, y: int8>>
"": struct<"": int8>
twice: struct<x: int8>
twice: struct<x: int8>"#;

#[test]
fn texts_lead_to_fields() -> Result<(), ParseError> {
    let schema: Schema = SCHEMA.parse()?;
    let cases = [
        ("id", "0", "id: int64 not null"),
        (r#""id""#, "0", "id: int64 not null"),
        (r#""\u0069d""#, "0", "id: int64 not null"),
        ("address.street", "1.0", "street: utf8"),
        (r#"address."zip.code""#, "1.1", r#""zip.code": utf8"#),
        (r#"address."""#, "1.2", r#""": int8"#),
        ("tags.item.größe", "2.0.0", r#""größe": int8"#),
        (r#"tags.item."<dictionary>""#, "2.0.1", r#""<dictionary>": int8"#),
        (r#""a.b".entries.key"#, "3.0.0", "key: utf8 not null"),
        (r#""a.b".entries.value.<dictionary>.item"#, "3.0.1.0", "item: int8"),
        ("u.y.values.z", "4.1.1.0", "z: int8"),
        ("u.y.run_ends", "4.1.0", "run_ends: int32 not null"),
        ("colors.<dictionary>", "5", "colors: dictionary<int8, utf8>"),
        ("d.<dictionary>.x.<dictionary>", "6.0", "x: dictionary<int8, utf8>"),
        ("d.<dictionary>.y", "6.1", "y: int8"),
        (r#""""#, "7", r#""": struct<"": int8>"#),
        (r#"""."""#, "7.0", r#""": int8"#),
    ];
    for (text, positions, field) in cases {
        let path = schema.path(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found: Vec<String> = path.positions().map(|position| position.to_string()).collect();
        assert_eq!(found.join("."), positions, "{text}");
        assert_eq!(schema.field_by_path(&path).map(Field::to_string).as_deref(), Some(field), "{text}");
    }
    assert_eq!(schema.path(""), Ok(FieldPath::root()));
    assert_eq!(schema.field_by_path(&FieldPath::root()), None);
    assert_eq!(schema.field_by_path(&FieldPath::root().child(1, "address").child(5, "x")), None);
    Ok(())
}

#[test]
fn texts_that_lead_nowhere_are_refused() -> Result<(), ParseError> {
    let schema: Schema = SCHEMA.parse()?;
    let cases = [
        ("x", r#"no field is named "x""#),
        ("x.y", r#"no field is named "x""#),
        ("twice", r#"2 fields are named "twice""#),
        ("twice.x", r#"2 fields are named "twice""#),
        ("address.twice", r#"in address: 2 fields are named "twice""#),
        ("address.zip", r#"in address: no field is named "zip""#),
        ("address.zip.code", r#"in address: no field is named "zip""#),
        ("id.x", r#"in id: no field is named "x""#),
        (r#""a.b".entries.value.item"#, r#"in "a.b".entries.value: no field is named "item""#),
        ("<dictionary>", "the field is not dictionary-encoded"),
        ("id.<dictionary>", "in id: the field is not dictionary-encoded"),
        ("d.<dictionary>.<dictionary>", "in d.<dictionary>: the field is not dictionary-encoded"),
        ("d.x", r#"in d: no field is named "x""#),
        (".", r#"malformed path: byte 0: expected a name, found ".""#),
        ("id.", "malformed path: byte 3: expected a name, found the end of the text"),
        ("address..street", r#"malformed path: byte 8: expected a name, found ".street""#),
        (r#"address"street""#, r#"malformed path: byte 7: expected ".", found "\"street\"""#),
        ("address.<x>", r#"malformed path: byte 8: expected "<dictionary>", found "<x>""#),
        ("address.\n", r#"malformed path: byte 8: expected a name, found "\n""#),
        (r#""id"#, "malformed path: byte 0: the quoted text has no closing quote"),
        (r#""id"x"#, r#"malformed path: byte 4: expected ".", found "x""#),
    ];
    for (text, message) in cases {
        let found = schema.path(text).map_err(|error| error.to_string());
        assert_eq!(found, Err(message.to_owned()), "{text}");
    }
    let ambiguous = LookupError::Ambiguous { name: "twice".into(), n_matches: 2 };
    let path = FieldPath::root().child(1, "address");
    assert_eq!(schema.path("address.twice"), Err(LookupError::Within { path, error: Box::new(ambiguous) }));
    Ok(())
}

/// Each path of a schema is found by its printed form, unless one of its names is also the name of a sibling.
#[test]
fn printed_paths_are_found() {
    let mut types = RandomTypes::new(4);
    let (mut n_found, mut n_ambiguous) = (0, 0);
    for _ in 0..500 {
        let schema = types.schema(5);
        schema.walk(|path, field| {
            let siblings_are_distinct = |n_steps: usize| {
                let mut parent = path.clone();
                parent.truncate(n_steps);
                let parent = schema.field_by_path(&parent);
                let siblings = parent.map_or(schema.fields(), |parent| parent.data_type().value_children());
                let step = &path.steps()[n_steps].to_string();
                siblings
                    .iter()
                    .filter(|sibling| FieldPath::root().child(0, sibling.name()).to_string() == *step)
                    .count()
                    <= 1
            };
            let found = schema.path(&path.to_string());
            if (0..path.steps().len()).all(siblings_are_distinct) {
                assert_eq!(found.as_ref(), Ok(path));
                assert_eq!(schema.field_by_path(path), Some(field));
                n_found += 1;
            } else {
                let message = found.map_err(|error| error.to_string()).expect_err("a name repeats");
                assert!(message.contains("fields are named"), "{path}: {message}");
                n_ambiguous += 1;
            }
        });
    }
    assert!(n_found > 1000 && n_ambiguous > 20, "{n_found} found, {n_ambiguous} ambiguous");
}

#[test]
fn hostile_texts_are_refused() -> Result<(), Box<dyn std::error::Error>> {
    let union = DataType::union(UnionMode::Sparse, [(0, Field::new("a", DataType::Int8))])?;
    let schema = Schema::new([
        Field::new("a", DataType::struct_([Field::new("a", union)])),
        Field::new("d", DataType::dictionary(IndexType::Int8, DataType::Utf8)?),
    ]);
    let messages: BTreeSet<String> = ["a.", "d.", "<dictionary>.", "\"", "\\", "\"a\".", "🦀", "."]
        .into_iter()
        .map(|part| schema.path(&part.repeat((1 << 20) / part.len())).expect_err(part).to_string())
        .map(|message| message.chars().take(40).collect())
        .collect();
    assert_eq!(messages.len(), 6, "{messages:#?}");
    Ok(())
}
