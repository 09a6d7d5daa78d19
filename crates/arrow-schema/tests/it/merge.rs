//! Merges schemas, and checks the results and the messages of conflicts.

use arrow_schema::{
    DataType, DifferenceRule, Extension, Field, MergeErrorKind, MergeOptions, Metadata, MetadataRule,
    MissingFieldRule, Schema,
};
use testing_support::Rng;

fn schema(text: &str) -> Schema {
    text.replace(" / ", "\n").parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The merged schema on one line, or the message of the error.
fn merged(schemas: &[&str], options: &MergeOptions) -> String {
    let schemas: Vec<Schema> = schemas.iter().map(|text| schema(text)).collect();
    match Schema::try_merge_with(&schemas, *options) {
        Ok(merged) => merged.to_string().replace('\n', " / "),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_fits_is_merged() {
    let cases: [(&[&str], &str); 17] = [
        (&[], ""),
        (&["a: int8 not null / a: utf8"], "a: int8 not null / a: utf8"),
        (&["a: int8 not null", "a: int8 not null"], "a: int8 not null"),
        (&["a: int8 not null", "a: int8"], "a: int8"),
        (&["a: int8 not null", "b: int8 not null"], "a: int8 / b: int8"),
        (&["a: int8 not null", "b: utf8 / a: int8 not null", "c: bool"], "a: int8 / b: utf8 / c: bool"),
        (&["a: int8 not null / b: bool not null", "b: bool not null"], "a: int8 / b: bool not null"),
        (&["a: null", "a: int8 not null"], "a: int8"),
        (&["a: int8 not null", "a: null not null"], "a: int8"),
        (&["a: null", "a: null", "a: list<item: null>", "a: list<x: utf8>"], "a: list<item: utf8>"),
        (
            &["s: struct<x: int8 not null, y: int8 not null>", "s: struct<z: bool, y: int8 not null>"],
            "s: struct<x: int8, y: int8 not null, z: bool>",
        ),
        (
            &["l: list_view<item: struct<x: int8>>", "l: list_view<element: struct<y: int8>>"],
            "l: list_view<item: struct<x: int8, y: int8>>",
        ),
        (
            &[
                "m: map<entries: struct<key: utf8 not null, value: null> not null>",
                "m: map<pairs: struct<k: utf8 not null, v: struct<x: int8>> not null>",
            ],
            "m: map<entries: struct<key: utf8 not null, value: struct<x: int8>> not null>",
        ),
        (
            &["u: dense_union<3=a: null, 0=b: struct<x: int8>>", "u: dense_union<3=a: utf8, 0=b: struct<>>"],
            "u: dense_union<3=a: utf8, 0=b: struct<x: int8>>",
        ),
        (
            &["d: dictionary<int8, struct<x: int8>>", "d: dictionary<int8, struct<y: int8>>"],
            "d: dictionary<int8, struct<x: int8, y: int8>>",
        ),
        (
            &[
                "r: run_end_encoded<run_ends: int16 not null, values: null>",
                "r: run_end_encoded<run_ends: int16 not null, values: int8>",
            ],
            "r: run_end_encoded<run_ends: int16 not null, values: int8>",
        ),
        // Names may repeat in structs that are not merged by name.
        (
            &["s: struct<x: int8, x: bool>", "s: struct<x: int8, x: bool> / t: int8"],
            "s: struct<x: int8, x: bool> / t: int8",
        ),
    ];
    for (schemas, expected) in cases {
        assert_eq!(merged(schemas, &MergeOptions::new()), expected, "{schemas:?}");
    }
}

#[test]
fn conflicts_name_field_schema_and_both_sides() {
    let new = MergeOptions::new;
    let cases: [(&[&str], MergeOptions, &str); 20] = [
        (
            &["a: int8", "a: int8", "a: int16"],
            new(),
            "field a, schema 2: the type is int16; preceding schemas say int8",
        ),
        (
            &["a: utf8", "a: dictionary<int8, utf8>"],
            new(),
            "field a, schema 1: the type is dictionary<int8, utf8>; preceding schemas say utf8",
        ),
        (
            &["b: int8 / a: timestamp(us, \"UTC\")", "a: timestamp(us)"],
            new(),
            "field a, schema 1: the type is timestamp(us); preceding schemas say timestamp(us, \"UTC\")",
        ),
        (
            &["s: struct<\"x.y\": list<item: int8>>", "s: struct<\"x.y\": list<item: utf8>>"],
            new(),
            "field s.\"x.y\".item, schema 1: the type is utf8; preceding schemas say int8",
        ),
        (
            &["d: dictionary<int8, struct<x: int8>>", "d: dictionary<int8, struct<x: bool>>"],
            new(),
            "field d.<dictionary>.x, schema 1: the type is bool; preceding schemas say int8",
        ),
        (
            &["d: dictionary<int8, utf8>", "d: dictionary<int16, utf8>"],
            new(),
            "field d, schema 1: the type is dictionary<int16, utf8>; preceding schemas say dictionary<int8, utf8>",
        ),
        (
            &["f: fixed_size_list<item: int8; 2>", "f: fixed_size_list<item: int8; 3>"],
            new(),
            "field f, schema 1: the type is fixed_size_list<item: int8; 3>; preceding schemas say fixed_size_list<item: int8; 2>",
        ),
        (
            &["u: dense_union<0=a: int8>", "u: dense_union<0=b: int8>"],
            new(),
            "field u, schema 1: the type is dense_union<0=b: int8>; preceding schemas say dense_union<0=a: int8>",
        ),
        (
            &["u: dense_union<0=a: int8>", "u: dense_union<1=a: int8>"],
            new(),
            "field u, schema 1: the type is dense_union<1=a: int8>; preceding schemas say dense_union<0=a: int8>",
        ),
        (
            &[
                "r: run_end_encoded<run_ends: int16 not null, values: int8>",
                "r: run_end_encoded<run_ends: int32 not null, values: int8>",
            ],
            new(),
            "field r.run_ends, schema 1: the type is int32; preceding schemas say int16",
        ),
        (
            &["a: int8 / a: int8", "b: int8"],
            new(),
            "field a, schema 0: the name repeats; fields that are merged by name need different names",
        ),
        (
            &["a: int8", "a: int8 / b: int8 / b: int8"],
            new(),
            "field b, schema 1: the name repeats; fields that are merged by name need different names",
        ),
        (
            &["s: struct<x: int8, x: bool>", "s: struct<x: int8>"],
            new(),
            "field s.x, schema 1: the name repeats; fields that are merged by name need different names",
        ),
        (
            &["a: int8 not null", "a: int8"],
            new().with_nullability(DifferenceRule::Refuse),
            "field a, schema 1: the field is nullable; preceding schemas say not null",
        ),
        (
            &["a: null", "a: int8"],
            new().with_null_type(DifferenceRule::Refuse),
            "field a, schema 1: the type is int8; preceding schemas say null",
        ),
        (
            &["a: int8", "a: int8 / b: int8"],
            new().with_missing(MissingFieldRule::Refuse),
            "field b, schema 1: preceding schemas have no such field",
        ),
        (
            &["a: int8 / b: int8", "a: int8 / b: int8", "b: int8"],
            new().with_missing(MissingFieldRule::Refuse),
            "field a, schema 2: there is no such field; preceding schemas have it",
        ),
        (
            &["s: struct<x: int8, y: int8>", "s: struct<y: int8>"],
            new().with_missing(MissingFieldRule::Refuse),
            "field s.x, schema 1: there is no such field; preceding schemas have it",
        ),
        // What is kept as it is.
        (
            &["a: int8 not null", "b: int8"],
            new().with_missing(MissingFieldRule::Keep),
            "a: int8 not null / b: int8",
        ),
        (
            &["a: int8 / b: int8", "b: int8 / a: int8"],
            new().with_missing(MissingFieldRule::Refuse),
            "a: int8 / b: int8",
        ),
    ];
    for (schemas, options, expected) in cases {
        assert_eq!(merged(schemas, &options), expected, "{schemas:?} {options:?}");
    }
}

/// A leaf that is wider, as the caller decides.
fn wider_integer(left: &DataType, right: &DataType) -> Option<DataType> {
    let is_wider = left.bit_width() >= right.bit_width();
    let are_integers = left.is_integer() && right.is_integer();
    are_integers.then(|| if is_wider { left.clone() } else { right.clone() })
}

#[test]
fn types_that_differ_become_one_that_has_the_values_of_both() {
    let options = MergeOptions::new().with_wider_types(wider_integer);
    let cases = [
        // The first of the same kind, or the larger one.
        ("utf8", "utf8_view", "utf8", "utf8_view"),
        ("utf8", "large_utf8", "large_utf8", "large_utf8"),
        ("utf8_view", "large_utf8", "large_utf8", "large_utf8"),
        ("binary", "binary_view", "binary", "binary_view"),
        ("binary", "fixed_size_binary(2)", "binary", "binary"),
        ("fixed_size_binary(3)", "fixed_size_binary(2)", "binary", "binary"),
        ("list<item: int8>", "list_view<x: int8>", "list<item: int8>", "list_view<x: int8>"),
        (
            "list<item: int8>",
            "large_list_view<x: int16>",
            "large_list_view<item: int16>",
            "large_list_view<x: int16>",
        ),
        ("fixed_size_list<item: int8; 2>", "list<item: utf8>", "-", "-"),
        (
            "fixed_size_list<item: int8; 2>",
            "fixed_size_list<item: int8; 3>",
            "list<item: int8>",
            "list<item: int8>",
        ),
        ("fixed_size_list<a: int8; 2>", "list<b: int8 not null>", "list<a: int8>", "list<b: int8>"),
        // Encodings.
        ("dictionary<int8, utf8>", "utf8", "utf8", "utf8"),
        (
            "dictionary<int8, utf8>",
            "dictionary<int32, utf8_view>",
            "dictionary<int32, utf8>",
            "dictionary<int32, utf8_view>",
        ),
        (
            "dictionary<int8, int8>",
            "dictionary<uint8, int16>",
            "dictionary<uint8, int16>",
            "dictionary<uint8, int16>",
        ),
        (
            "dictionary<int8, utf8, ordered>",
            "dictionary<int8, utf8>",
            "dictionary<int8, utf8>",
            "dictionary<int8, utf8>",
        ),
        (
            "dictionary<int8, utf8, ordered>",
            "dictionary<int16, utf8, ordered>",
            "dictionary<int16, utf8, ordered>",
            "dictionary<int16, utf8, ordered>",
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: int8>",
            "run_end_encoded<run_ends: int32 not null, values: int16>",
            "run_end_encoded<run_ends: int32 not null, values: int16>",
            "run_end_encoded<run_ends: int32 not null, values: int16>",
        ),
        (
            "run_end_encoded<run_ends: int16 not null, values: utf8>",
            "dictionary<int8, large_utf8>",
            "large_utf8",
            "large_utf8",
        ),
        ("dictionary<int8, null>", "utf8", "utf8", "utf8"),
        // Below other types.
        (
            "struct<x: int8, y: list<item: utf8>>",
            "struct<y: list<item: large_utf8>, z: bool, x: int16>",
            "struct<x: int16, y: list<item: large_utf8>, z: bool>",
            "struct<y: list<item: large_utf8>, z: bool, x: int16>",
        ),
        (
            "map<entries: struct<key: utf8 not null, value: int8> not null, sorted>",
            "map<e: struct<k: large_utf8 not null, v: int16> not null>",
            "map<entries: struct<key: large_utf8 not null, value: int16> not null>",
            "map<e: struct<k: large_utf8 not null, v: int16> not null>",
        ),
        (
            "dense_union<0=a: int8>",
            "dense_union<0=a: int16>",
            "dense_union<0=a: int16>",
            "dense_union<0=a: int16>",
        ),
        // None has the values of both.
        ("int8", "utf8", "-", "-"),
        ("utf8", "binary", "-", "-"),
        ("dictionary<int8, utf8>", "int8", "-", "-"),
        ("sparse_union<0=a: int8>", "dense_union<0=a: int8>", "-", "-"),
        ("list<item: int8>", "struct<item: int8>", "-", "-"),
        ("list<item: int8>", "map<entries: struct<key: utf8 not null, value: int8> not null>", "-", "-"),
    ];
    for (left, right, expected, flipped) in cases {
        for (left, right, expected) in [(left, right, expected), (right, left, flipped)] {
            let schemas = [format!("a: {left}"), format!("a: {right}")];
            let found = merged(&[&schemas[0], &schemas[1]], &options);
            match expected {
                "-" => assert!(found.contains("schema 1: the type is "), "{left}, {right}: {found}"),
                _ => assert_eq!(found, format!("a: {expected}"), "{left}, {right}"),
            }
            let same = merged(&[&schemas[0], &schemas[0]], &options);
            assert_eq!(same, schemas[0]);
        }
    }
    // The error has both types, where they begin to differ.
    let found = merged(&["a: dictionary<int8, utf8>", "a: int8"], &options);
    assert_eq!(found, "field a, schema 1: the type is int8; preceding schemas say dictionary<int8, utf8>");
    let found = merged(&["a: list<item: int8>", "a: large_list<item: utf8>"], &options);
    assert_eq!(found, "field a.item, schema 1: the type is utf8; preceding schemas say int8");
    // A null type is replaced, or refused, as without wider types.
    assert_eq!(merged(&["a: null", "a: int8", "a: int16"], &options), "a: int16");
    let refused = merged(&["a: null", "a: int8"], &options.with_null_type(DifferenceRule::Refuse));
    assert_eq!(refused, "field a, schema 1: the type is int8; preceding schemas say null");
}

#[test]
fn extension_types_stay_if_all_have_them_and_the_values_are_the_same() {
    let options = MergeOptions::new().with_wider_types(wider_integer).with_metadata(MetadataRule::KeepFirst);
    let field = |text: &str, extension: Option<&str>| {
        let field = Field::new("a", text.parse::<DataType>().unwrap());
        Schema::new([match extension {
            Some(name) => field.with_extension(Extension { name, metadata: None }),
            None => field,
        }])
    };
    let x = Some("x");
    for (left, right, stays) in [
        (("utf8", x), ("utf8", x), true),
        (("utf8", x), ("large_utf8", x), true),
        (("utf8", x), ("dictionary<int8, utf8>", x), true),
        (("null", None), ("utf8", x), true),
        (("struct<a: null>", x), ("struct<a: list<item: int8>>", x), true),
        (("utf8", x), ("utf8", None), false),
        (("utf8", None), ("utf8", x), false),
        (("utf8", x), ("utf8", Some("y")), false),
        (("int8", x), ("int16", x), false),
        (("struct<a: int16>", x), ("struct<a: int8>", x), false),
        (("struct<a: int8>", x), ("struct<a: int8, b: int8>", None), false),
    ] {
        for (left, right) in [(left, right), (right, left)] {
            let schemas = [field(left.0, left.1), field(right.0, right.1)];
            let merged = Schema::try_merge_with(&schemas, options).unwrap();
            let found = merged.fields()[0].extension().map(|extension| extension.name);
            assert_eq!(found, x.filter(|_| stays), "{left:?}, {right:?}");
            let again = Schema::try_merge_with([&merged, &schemas[0], &schemas[1]], options).unwrap();
            assert_eq!(again, merged, "{left:?}, {right:?}");
        }
    }
    let schemas = [field("struct<a: int8>", x), field("struct<a: int8, b: int8>", x)];
    assert!(Schema::try_merge_with(&schemas, options).is_err());
    // Without a rule for metadata, nothing is left out.
    let schemas = [field("utf8", x), field("large_utf8", None)];
    let options = options.with_metadata(MetadataRule::Refuse);
    assert!(Schema::try_merge_with(&schemas, options).is_err());
}

fn noted<const N: usize>(pairs: [(&str, &str); N]) -> Metadata {
    Metadata::from_iter(pairs)
}

#[test]
fn metadata_is_joined_key_by_key() {
    let new = MergeOptions::new;
    let absent = Metadata::from_pairs(vec![(None, Some("x".into())), (Some("k".into()), None)]);
    let cases = [
        (
            noted([("a", "1"), ("b", "2")]),
            noted([("b", "2"), ("c", "3")]),
            new(),
            Ok(r#"{"a": "1", "b": "2", "c": "3"}"#),
        ),
        (
            noted([("a", "1"), ("a", "2")]),
            noted([("a", "1"), ("a", "2")]),
            new(),
            Ok(r#"{"a": "1", "a": "2"}"#),
        ),
        (noted([]), noted([("c", "3"), ("c", "4")]), new(), Ok(r#"{"c": "3", "c": "4"}"#)),
        (absent.clone(), noted([("c", "3")]), new(), Ok(r#"{null: "x", "k": null, "c": "3"}"#)),
        (
            noted([("a", "1")]),
            noted([("b", "0"), ("a", "2")]),
            new(),
            Err(r#"the metadata "a" is "2"; preceding schemas say "1""#),
        ),
        (
            noted([("a", "1"), ("a", "2")]),
            noted([("a", "1")]),
            new(),
            Err(r#"the metadata "a" is "1"; preceding schemas say "1", "2""#),
        ),
        (absent, noted([("k", "")]), new(), Err(r#"the metadata "k" is ""; preceding schemas say null"#)),
        (
            noted([("a", "1")]),
            noted([("b", "0"), ("a", "2")]),
            new().with_metadata(MetadataRule::KeepFirst),
            Ok(r#"{"a": "1", "b": "0"}"#),
        ),
    ];
    for (left, right, options, expected) in cases {
        let with_schema_metadata = |metadata: &Metadata| schema("a: int8").with_metadata(metadata.clone());
        let result =
            Schema::try_merge_with(&[with_schema_metadata(&left), with_schema_metadata(&right)], options);
        let result = result.map(|merged| merged.metadata().to_string()).map_err(|error| error.to_string());
        let text = expected.map(str::to_owned).map_err(|text| format!("schema 1: {text}"));
        assert_eq!(result, text, "{left} {right}");

        let with_field_metadata = |metadata: &Metadata| {
            let item = Field::new("item", DataType::Int8).with_metadata(metadata.clone());
            Schema::new([Field::new("l", DataType::list(item))])
        };
        let result =
            Schema::try_merge_with(&[with_field_metadata(&left), with_field_metadata(&right)], options);
        let result = result.map(|merged| merged.fields()[0].children()[0].metadata().to_string());
        let result = result.map_err(|error| error.to_string());
        let text = expected.map(str::to_owned).map_err(|text| format!("field l.item, schema 1: {text}"));
        assert_eq!(result, text, "{left} {right}");
    }
}

/// The name and the parameters of an extension type must come from the same field.
#[test]
fn extension_types_are_not_mixed() {
    let plain = |data_type| Field::new("a", data_type);
    let bytes = || plain(DataType::Binary);
    let extended = |field: Field, name, metadata| field.with_extension(Extension { name, metadata });
    let left = extended(bytes(), "first", None);
    let right = extended(bytes(), "second", Some("{}"));
    let merge = |left: &Field, right: &Field, options: &MergeOptions| {
        let merged =
            Schema::try_merge_with(&[Schema::new([left.clone()]), Schema::new([right.clone()])], *options);
        merged.map(|merged| merged.fields()[0].metadata().to_string()).map_err(|error| error.to_string())
    };
    let refuse = MergeOptions::new();
    let first = refuse.with_metadata(MetadataRule::KeepFirst);
    let cases = [
        (
            &left,
            &right,
            r#"field a, schema 1: the extension type is "second"; preceding schemas say "first""#,
        ),
        (
            &bytes(),
            &right,
            r#"field a, schema 1: the extension type is "second"; preceding schemas say none"#,
        ),
        (&left, &bytes(), r#"field a, schema 1: the extension type is none; preceding schemas say "first""#),
        (
            &right,
            &extended(bytes(), "second", None),
            r#"field a, schema 1: the metadata "ARROW:extension:metadata" is null; preceding schemas say "{}""#,
        ),
    ];
    for (left, right, expected) in cases {
        assert_eq!(merge(left, right, &refuse), Err(expected.to_owned()));
        assert_eq!(merge(left, right, &first), Ok(left.metadata().to_string()));
    }
    // The extension type of a null type is ignored.
    let null = extended(plain(DataType::Null), "first", Some("parameters"));
    for options in [&refuse, &first] {
        assert_eq!(merge(&null, &right, options), Ok(right.metadata().to_string()));
        assert_eq!(merge(&right, &null, options), Ok(right.metadata().to_string()));
        assert_eq!(merge(&null, &bytes(), options), Ok("{}".to_owned()));
    }
    // The storage of an extension type has a meaning as a whole, so no field is added to it.
    let point = |text: &str| extended(plain(text.parse().unwrap()), "point", None);
    let (two, three) =
        (point("struct<x: float64, y: float64>"), point("struct<x: float64, y: float64, z: float64>"));
    let required = point("struct<x: float64 not null, y: float64>");
    let union = MergeOptions::new()
        .with_missing(MissingFieldRule::MakeNullable)
        .with_nullability(DifferenceRule::Widen);
    let expected = "field a, schema 1: the type is";
    for (left, right) in [(&two, &three), (&three, &two)] {
        let error = merge(left, right, &union).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
        let [left, right] = [left, right].map(|field| field.clone().without_extension());
        assert!(merge(&left, &right, &union).is_ok());
    }
    assert!(merge(&two, &required, &union).is_ok());
    // The parameters of the first are kept, and so must be its storage.
    let keeping = union.with_metadata(MetadataRule::KeepFirst);
    let with_parameters = |field: &Field| extended(field.clone(), "point", Some("3"));
    assert!(merge(&two, &with_parameters(&three), &keeping).is_err());
    assert!(merge(&two, &with_parameters(&two), &keeping).is_ok());
    // What replaces a null type may have fields, and names of map entries mean nothing.
    let union = union.with_null_type(DifferenceRule::Widen);
    for (left, right) in [
        ("struct<x: null, y: float64>", "struct<x: list<item: struct<z: int8>>, y: float64>"),
        ("list<item: null>", "list<item: struct<a: int8>>"),
        (
            "map<entries: struct<key: utf8 not null, value: int8> not null>",
            "map<e: struct<k: utf8 not null, v: null> not null>",
        ),
        ("dictionary<int8, struct<a: null>>", "dictionary<int8, struct<a: utf8>>"),
    ] {
        for (left, right) in [(left, right), (right, left)] {
            assert!(merge(&point(left), &point(right), &union).is_ok(), "{left}, {right}");
        }
    }
    let (few, more) = ("dictionary<int8, struct<a: utf8>>", "dictionary<int8, struct<a: utf8, b: utf8>>");
    assert!(merge(&point(few), &point(more), &union).is_err());
}

#[test]
fn errors_are_data() {
    let (left, right) = (schema("s: struct<x: int8>"), schema("s: struct<y: bool, x: utf8>"));
    let error = Schema::try_merge([&left, &left, &right]).expect_err("two types");
    assert_eq!((error.schema_idx(), error.path().to_string().as_str()), (2, "s.x"));
    let expected = MergeErrorKind::Type { preceding: DataType::Int8, found: DataType::Utf8 };
    assert_eq!(error.kind(), &expected);
}

fn random_type(rng: &mut Rng, depth: usize) -> DataType {
    match rng.below(if depth == 0 { 4 } else { 7 }) {
        0 => DataType::Null,
        1 => DataType::Int8,
        2 | 3 => DataType::Utf8,
        4 => DataType::list(Field::new("item", random_type(rng, depth - 1))),
        _ => DataType::struct_(random_fields(rng, depth - 1)),
    }
}

fn random_fields(rng: &mut Rng, depth: usize) -> Vec<Field> {
    let mut names: Vec<&str> = vec!["a", "b", "c"];
    names.retain(|_| rng.one_in(2));
    let fields = names.into_iter().map(|name| {
        let field = Field::new(name, random_type(rng, depth));
        if rng.one_in(2) { field.required() } else { field }
    });
    fields.collect()
}

/// A merged schema allows the data of its sources, so merging a source again changes nothing.
#[test]
fn merging_again_changes_nothing() {
    let mut rng = Rng::new(11);
    let mut n_merged = 0;
    for _ in 0..4_000 {
        let schemas: Vec<Schema> =
            (0..2 + rng.below(3)).map(|_| Schema::new(random_fields(&mut rng, 2))).collect();
        let Ok(merged) = Schema::try_merge(&schemas) else { continue };
        n_merged += 1;
        for schema in &schemas {
            assert_eq!(Schema::try_merge([&merged, schema]), Ok(merged.clone()), "{schemas:?}");
            let mut names = merged.fields().iter().map(Field::name);
            // In the order of first appearance.
            assert!(
                !std::ptr::eq(schema, &schemas[0])
                    || schema.fields().iter().all(|field| names.next() == Some(field.name()))
            );
        }
    }
    assert!(n_merged > 500, "{n_merged} of 4,000");
}
