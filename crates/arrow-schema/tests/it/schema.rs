//! Looks up fields in schemas, compares schemas and visits all of their fields.

use arrow_schema::{
    DataType, Field, FieldPath, IndexType, LookupError, Metadata, Nullability, PathStep, PreOrder, Schema,
    SchemaDifferenceKind, TypeError,
};

fn int(name: &str) -> Field {
    Field::new(name, DataType::Int32)
}

#[test]
fn names_are_looked_up_when_they_are_unique() {
    let schema = Schema::new([int("a"), int(""), int("twice"), int("a.b"), int("twice")]);
    let missing = |name: &str| Err(LookupError::Missing { name: name.into() });
    let cases = [
        ("a", Ok(0), ""),
        ("", Ok(1), ""),
        ("a.b", Ok(3), ""),
        ("A", missing("A"), r#"no field is named "A""#),
        ("\u{1b}[0m", missing("\u{1b}[0m"), r#"no field is named "\u001b[0m""#),
        (
            "twice",
            Err(LookupError::Ambiguous { name: "twice".into(), n_matches: 2 }),
            r#"2 fields are named "twice""#,
        ),
    ];
    for (name, expected, message) in cases {
        let found = schema.index_of(name);
        assert_eq!(found, expected, "{name:?}");
        assert_eq!(found.err().map(|error| error.to_string()).unwrap_or_default(), message);
    }
}

#[test]
fn projections_reorder_repeat_and_keep_metadata() {
    let metadata = Metadata::from_iter([("k", "v")]);
    let schema = Schema::new([int("a"), int("b")]).with_metadata(metadata.clone());
    for (positions, names) in [(&[][..], &[][..]), (&[1], &["b"]), (&[1, 0, 1], &["b", "a", "b"])] {
        let projected = schema.project(positions);
        let expected = names.iter().copied().map(int).collect::<Schema>().with_metadata(metadata.clone());
        assert_eq!(projected, Ok(expected));
    }
    let refused = LookupError::OutOfRange { position: 2, n_fields: 2 };
    assert_eq!(refused.to_string(), "field 2 is out of bounds; there are 2 fields, counted from 0");
    assert_eq!(schema.project(&[0, 2]), Err(refused));
    assert_eq!(schema.field(2), None);
}

#[test]
fn schemas_print_one_field_per_line() {
    assert_eq!(Schema::default().to_string(), "");
    let schema = Schema::new([int("a").required(), int("b c")]);
    assert_eq!(schema.to_string(), "a: int32 not null\n\"b c\": int32");
}

#[test]
fn lines_that_begin_with_a_hash_are_comments() {
    let schema: Schema = "a: int32\n\nmetadata of the schema:\n  \"k\": \"# v\"".parse().unwrap();
    for text in [
        "# people.arrow\r\na: int32\n\nmetadata of the schema:\n  \"k\": \"# v\"",
        "#\n##\na: int32\n# the end\n\nmetadata of the schema:\n  \"k\": \"# v\"\n",
    ] {
        assert_eq!(text.parse(), Ok(schema.clone()), "{text}");
    }
    for text in ["#", "# a: int8", "# a\n# b\n", "# a\n\nmetadata of the whole:\n  \"k\": null\n"] {
        assert_eq!(text.parse(), Ok(Schema::default()), "{text}");
    }
    for text in [" # a", "a: int32 # b", "\"a\": int32#", "a: int32\n\n# b\n"] {
        assert!(text.parse::<Schema>().is_err(), "{text}");
    }
}

/// Each case has two lists of columns that differ, and the description of the difference.
#[test]
fn the_first_difference_is_named_with_its_path() -> Result<(), TypeError> {
    let list = |item: Field| Field::new("l", DataType::list(item));
    let strukt = |fields: Vec<Field>| Field::new("s", DataType::struct_(fields));
    let dictionary = |value: DataType| -> Result<Field, TypeError> {
        Ok(Field::new("d", DataType::dictionary(IndexType::Int8, value)?))
    };
    let cases: Vec<(Vec<Field>, Vec<Field>, &str)> = vec![
        (vec![int("a"), int("b")], vec![int("a")], "expected 2 fields, found 1"),
        (vec![int("a")], vec![int("a"), int("b")], "expected 1 field, found 2"),
        (vec![], vec![int("a")], "expected 0 fields, found 1"),
        (vec![int("a"), int("b")], vec![int("b")], r#"field a: expected the name "a", found "b""#),
        (vec![int("")], vec![int("\n")], r#"field "": expected the name "", found "\n""#),
        (vec![int("a.b")], vec![int("a.b").required()], r#"field "a.b": expected nullable, found not null"#),
        (vec![int("a").required()], vec![int("a")], "field a: expected not null, found nullable"),
        (
            vec![int("a"), Field::new("b", DataType::Utf8)],
            vec![int("a"), list(int("x")).with_name("b")],
            "field b: expected type utf8, found list<x: int32>",
        ),
        (
            vec![strukt(vec![int("x"), list(int("item"))])],
            vec![strukt(vec![int("x"), list(Field::new("item", DataType::Int64))])],
            "field s.l.item: expected type int32, found int64",
        ),
        (
            vec![strukt(vec![int("x"), int("y")])],
            vec![strukt(vec![int("x")])],
            "field s: expected 2 fields, found 1",
        ),
        (
            vec![dictionary(DataType::Utf8)?],
            vec![dictionary(DataType::LargeUtf8)?],
            "field d.<dictionary>: expected type utf8, found large_utf8",
        ),
        (
            vec![dictionary(DataType::struct_([int("x")]))?],
            vec![dictionary(DataType::struct_([int("x").required()]))?],
            "field d.<dictionary>.x: expected nullable, found not null",
        ),
        (vec![list(int("x")).required()], vec![list(int("y"))], "field l: expected not null, found nullable"),
    ];
    for (expected, found, message) in cases {
        let (expected, found) = (Schema::new(expected), Schema::new(found));
        let difference = expected.check_same_columns(&found).map_err(|difference| difference.to_string());
        assert_eq!(difference, Err(message.to_owned()));
        assert!(found.check_same_columns(&expected).is_err(), "{message}");
        assert_eq!(expected.check_same_columns(&expected.clone()), Ok(()));
    }
    Ok(())
}

#[test]
fn differences_are_data() {
    let expected = Schema::new([int("a")]);
    let found = Schema::new([int("a").required()]);
    let difference = expected.check_same_columns(&found).expect_err("nullability differs");
    assert_eq!(difference.path(), &FieldPath::root().child(0, "a"));
    let kind =
        SchemaDifferenceKind::Nullability { expected: Nullability::Nullable, found: Nullability::Required };
    assert_eq!(difference.kind(), &kind);
}

#[test]
fn metadata_is_no_difference() {
    let noted = |field: Field| field.with_metadata(Metadata::from_iter([("k", "v")]));
    let plain = Schema::new([Field::new("l", DataType::list(int("item")))]);
    let other = Schema::new([noted(Field::new("l", DataType::list(noted(int("item")))))])
        .with_metadata(Metadata::from_iter([("k", "v")]));
    assert_ne!(plain, other);
    assert_ne!(plain.fields(), other.fields());
    assert_eq!(plain.check_same_columns(&other), Ok(()));
}

fn deep_schema() -> Result<Schema, TypeError> {
    let inner = DataType::dictionary(IndexType::Int8, DataType::Utf8)?;
    let point = DataType::struct_([int("x"), Field::new("y", inner)]);
    let outer = DataType::dictionary(IndexType::Int8, DataType::list(Field::new("item", point)))?;
    Ok(Schema::new([
        int("first"),
        Field::new("d", outer),
        Field::new("nothing", DataType::struct_([])),
        Field::new("m", DataType::map(Field::new("key", DataType::Utf8), int("value"))),
        int(""),
    ]))
}

/// Visits all fields by recursion.
fn walk_naively(
    fields: &[Field],
    above: &FieldPath,
    seen: &mut Vec<(FieldPath, Field, usize)>,
    depth: usize,
) {
    for (position, field) in (0..).zip(fields) {
        let path = above.clone().child(position, field.name());
        seen.push((path.clone(), field.clone(), depth));
        match field.data_type().as_dictionary() {
            Some(dictionary) => {
                walk_naively(dictionary.value().children(), &path.dictionary(), seen, depth + 1)
            }
            None => walk_naively(field.children(), &path, seen, depth + 1),
        }
    }
}

#[test]
fn walks_agree_with_recursion() -> Result<(), TypeError> {
    for schema in [deep_schema()?, Schema::default(), Schema::new([int("a"), int("a")])] {
        let mut expected = Vec::new();
        walk_naively(schema.fields(), &FieldPath::root(), &mut expected, 1);

        let mut walked = Vec::new();
        schema.walk(|path, field| walked.push((path.clone(), field.clone())));
        let paths_and_fields: Vec<_> =
            expected.iter().map(|(path, field, _)| (path.clone(), field.clone())).collect();
        assert_eq!(walked, paths_and_fields);

        let mut iterator = schema.fields_in_pre_order();
        for (path, field, depth) in &expected {
            assert_eq!(iterator.next(), Some(field), "{path}");
            assert_eq!(iterator.depth(), *depth, "{path}");
            assert_eq!(schema.field_at(path.positions()), Some(field), "{path}");
        }
        assert_eq!(iterator.next(), None);
        assert_eq!(iterator.next(), None);
    }
    Ok(())
}

#[test]
fn walked_paths_have_names() -> Result<(), TypeError> {
    let mut paths = Vec::new();
    deep_schema()?.walk(|path, _| paths.push(path.to_string()));
    let expected = [
        "first",
        "d",
        "d.<dictionary>.item",
        "d.<dictionary>.item.x",
        "d.<dictionary>.item.y",
        "nothing",
        "m",
        "m.entries",
        "m.entries.key",
        "m.entries.value",
        r#""""#,
    ];
    assert_eq!(paths, expected);
    Ok(())
}

#[test]
fn paths_to_nowhere_find_nothing() -> Result<(), TypeError> {
    let schema = deep_schema()?;
    for positions in [&[][..], &[5], &[0, 0], &[1, 1], &[2, 0], &[3, 0, 2], &[u32::MAX]] {
        assert_eq!(schema.field_at(positions.iter().copied()), None, "{positions:?}");
    }
    Ok(())
}

#[test]
fn depth_costs_walks_no_stack() {
    let n_levels = 2_000;
    let deep = (1..n_levels).fold(DataType::Int8, |below, _| DataType::list(Field::new("item", below)));
    assert_eq!(deep.depth(), n_levels);
    assert_eq!(PreOrder::new(&[Field::new("top", deep.clone())]).count(), n_levels);
    let mut deepest = 0;
    Schema::new([Field::new("top", deep)]).walk(|path, _| deepest = deepest.max(path.steps().len()));
    assert_eq!(deepest, n_levels);
}

#[test]
fn paths_grow_at_both_ends() {
    let mut path = FieldPath::root();
    assert!(path.is_root());
    path.push(PathStep::Dictionary);
    path.prepend(PathStep::Child { position: 7, name: "outer".into() });
    path.push(PathStep::Child { position: 1, name: "inner".into() });
    assert_eq!(path, FieldPath::root().child(7, "outer").dictionary().child(1, "inner"));
    assert_eq!(path.to_string(), "outer.<dictionary>.inner");
    assert_eq!(path.positions().collect::<Vec<u32>>(), [7, 1]);
    path.truncate(1);
    assert_eq!(path.steps().iter().cloned().collect::<FieldPath>(), FieldPath::root().child(7, "outer"));
}
