//! Schemas: formats, flags, names and metadata.

use crate::{schema_of_types, types};
use arrow_c_data::{ArrowSchema, CDataErrorKind};
use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Extension, Field, IndexType, KeyOrder, MapType, Metadata,
    Schema, TimeUnit,
};

use crate::foreign::{CSchema, Ledger, SchemaSketch};

/// The rows of the specification's tables, and its examples.
#[test]
fn formats_are_those_of_the_specification() {
    let plain = [
        ("n", "null"),
        ("b", "bool"),
        ("c", "int8"),
        ("C", "uint8"),
        ("s", "int16"),
        ("S", "uint16"),
        ("i", "int32"),
        ("I", "uint32"),
        ("l", "int64"),
        ("L", "uint64"),
        ("e", "float16"),
        ("f", "float32"),
        ("g", "float64"),
        ("z", "binary"),
        ("Z", "large_binary"),
        ("vz", "binary_view"),
        ("u", "utf8"),
        ("U", "large_utf8"),
        ("vu", "utf8_view"),
        ("d:19,10", "decimal128(19, 10)"),
        ("d:9,-2,32", "decimal32(9, -2)"),
        ("d:18,10,64", "decimal64(18, 10)"),
        ("d:19,10,256", "decimal256(19, 10)"),
        ("w:42", "fixed_size_binary(42)"),
        ("tdD", "date32"),
        ("tdm", "date64"),
        ("tts", "time32(s)"),
        ("ttm", "time32(ms)"),
        ("ttu", "time64(us)"),
        ("ttn", "time64(ns)"),
        ("tss:", "timestamp(s)"),
        ("tsm:UTC", "timestamp(ms, \"UTC\")"),
        ("tsu:+01:30", "timestamp(us, \"+01:30\")"),
        ("tsn:Europe/Berlin", "timestamp(ns, \"Europe/Berlin\")"),
        ("tDs", "duration(s)"),
        ("tDm", "duration(ms)"),
        ("tDu", "duration(us)"),
        ("tDn", "duration(ns)"),
        ("tiM", "interval(year_month)"),
        ("tiD", "interval(day_time)"),
        ("tin", "interval(month_day_nano)"),
    ];
    for (format, text) in plain {
        check(&SchemaSketch::new(format, ""), text);
    }
    let item = || [SchemaSketch::new("L", "item")];
    check(&SchemaSketch::new("+l", "").with_children(item()), "list<item: uint64 not null>");
    check(&SchemaSketch::new("+L", "").with_children(item()), "large_list<item: uint64 not null>");
    check(&SchemaSketch::new("+vl", "").with_children(item()), "list_view<item: uint64 not null>");
    check(&SchemaSketch::new("+vL", "").with_children(item()), "large_list_view<item: uint64 not null>");
    check(
        &SchemaSketch::new("+w:123", "").with_children(item()),
        "fixed_size_list<item: uint64 not null; 123>",
    );
    let pair = || [SchemaSketch::new("i", "ints"), SchemaSketch::new("f", "floats")];
    let both = "ints: int32 not null, floats: float32 not null";
    check(&SchemaSketch::new("+s", "").with_children(pair()), &format!("struct<{both}>"));
    let both = "4=ints: int32 not null, 5=floats: float32 not null";
    check(&SchemaSketch::new("+us:4,5", "").with_children(pair()), &format!("sparse_union<{both}>"));
    check(&SchemaSketch::new("+ud:4,5", "").with_children(pair()), &format!("dense_union<{both}>"));
    check(&SchemaSketch::new("+us:", ""), "sparse_union<>");
    let runs = [SchemaSketch::new("i", "run_ends"), SchemaSketch::new("f", "values")];
    let text = "run_end_encoded<run_ends: int32 not null, values: float32 not null>";
    check(&SchemaSketch::new("+r", "").with_children(runs), text);
    let entries = [SchemaSketch::new("u", "key"), SchemaSketch::new("g", "value")];
    let entries = SchemaSketch::new("+s", "entries").with_children(entries);
    let text = "map<entries: struct<key: utf8 not null, value: float64 not null> not null>";
    check(&SchemaSketch::new("+m", "").with_children([entries]), text);
    let values = Some(Box::new(SchemaSketch::new("d:12,5", "")));
    let dictionary = SchemaSketch { dictionary: values, ..SchemaSketch::new("s", "") };
    check(&dictionary, "dictionary<int16, decimal128(12, 5)>");
}

/// The foreign structure is read as the type with this text form. An export of this type has the same members.
fn check(theirs: &SchemaSketch, text: &str) {
    let ledger = Ledger::default();
    let data_type = theirs.give(&ledger).to_data_type().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(data_type.to_string(), text);
    ledger.check_all_released();
    let ours = ArrowSchema::try_from_data_type(&data_type).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(ours.to_data_type(), Ok(data_type));
}

#[test]
fn every_type_comes_back() {
    for (name, data_type) in types() {
        let metadata = Metadata::from_iter([("key", ""), ("", "grüße"), ("key", "again")]);
        for field in [
            Field::new(name.clone(), data_type.clone()).with_metadata(metadata),
            Field::new("", data_type).required(),
        ] {
            let exported = ArrowSchema::try_from_field(&field).expect("no NUL");
            assert_eq!(exported.to_field(), Ok(field), "{name}");
        }
    }
    let schema = schema_of_types().with_metadata(Metadata::from_iter([("of", "the schema")]));
    let exported = ArrowSchema::try_from_schema(&schema).expect("no NUL");
    let back = exported.to_schema().expect("its own");
    assert_eq!(back, schema);

    // The interface has the same form for an empty and for no time zone.
    let empty = DataType::timestamp_with_zone(TimeUnit::Second, "");
    let exported = ArrowSchema::try_from_data_type(&empty).expect("no NUL");
    assert_eq!(exported.to_data_type(), Ok(DataType::timestamp(TimeUnit::Second)));
}

#[test]
fn flags_are_preserved() {
    let key = || Field::new("k", DataType::Utf8).required();
    let value = || Field::new("v", DataType::Int8);
    for order in [KeyOrder::Sorted, KeyOrder::Unsorted] {
        let map = DataType::from(MapType::from_key_value(key(), value(), order));
        assert_eq!(ArrowSchema::try_from_data_type(&map).and_then(|map| map.to_data_type()), Ok(map));
    }
    for order in [DictionaryOrder::Ordered, DictionaryOrder::Unordered] {
        let dictionary =
            DictionaryType::try_new(IndexType::UInt8, DataType::Utf8, order).expect("no dictionary");
        let dictionary = DataType::from(dictionary);
        let exported = ArrowSchema::try_from_data_type(&dictionary);
        assert_eq!(exported.and_then(|exported| exported.to_data_type()), Ok(dictionary));
    }
    // Flags of a later version are ignored.
    let ledger = Ledger::default();
    let unknown = SchemaSketch { flags: -1, ..SchemaSketch::new("i", "a") }.give(&ledger);
    assert_eq!(unknown.to_field(), Ok(Field::new("a", DataType::Int32)));
}

/// Metadata is encoded as in the specification's example. It may contain extension types.
#[test]
fn metadata_is_as_the_specification_has_it() {
    let mut bytes = Vec::new();
    for number_or_text in [Ok(1), Ok(4), Err("key1"), Ok(6), Err("value1")] {
        match number_or_text {
            Ok(number) => bytes.extend_from_slice(&i32::to_ne_bytes(number)),
            Err(text) => bytes.extend_from_slice(str::as_bytes(text)),
        }
    }
    let ledger = Ledger::default();
    let theirs = SchemaSketch { metadata: Some(bytes), ..SchemaSketch::new("i", "a") }.give(&ledger);
    let field = theirs.to_field().expect("valid");
    assert_eq!(field.metadata(), &Metadata::from_iter([("key1", "value1")]));

    let uuid = Field::new("id", DataType::FixedSizeBinary(16.into()))
        .with_extension(Extension { name: "arrow.uuid", metadata: None });
    let exported = ArrowSchema::try_from_field(&uuid).expect("no NUL");
    assert_eq!(exported.to_field().expect("its own").extension(), uuid.extension());

    // An absent value is written as an empty value.
    let absent = Metadata::from_pairs(vec![(Some("key".into()), None)]);
    let exported = ArrowSchema::try_from_field(&uuid.with_metadata(absent)).expect("no NUL");
    let back = exported.to_field().expect("its own");
    assert_eq!(back.metadata(), &Metadata::from_iter([("key", "")]));
}

#[test]
fn strings_of_c_end_at_a_nul() {
    let inner = Field::new("a\0b", DataType::Int8);
    let error = ArrowSchema::try_from_field(&Field::new("outer", DataType::list(inner))).unwrap_err();
    assert_eq!(error.kind(), &CDataErrorKind::Nul { what: "name", position: 1 });
    assert_eq!(
        error.to_string(),
        "field `\"a\\u0000b\"`: the name has a NUL at byte 1, but strings of C cannot contain NUL"
    );
    let zoned = DataType::timestamp_with_zone(TimeUnit::Second, "\0");
    let error = ArrowSchema::try_from_data_type(&zoned).unwrap_err();
    assert_eq!(error.kind(), &CDataErrorKind::Nul { what: "time zone", position: 0 });
}

/// A schema may be moved. A child that is moved out of it outlives it.
#[test]
fn structures_are_moved() {
    let schema = Schema::new([Field::new("a", DataType::Utf8), Field::new("b", DataType::Int8)]);
    let raw = ArrowSchema::try_from_schema(&schema).expect("no NUL").into_raw();
    // SAFETY: `CSchema` has the same members, and the structure is not released.
    let children = unsafe { &*raw.cast::<CSchema>() }.children;
    // SAFETY: there are two.
    let second = unsafe { *children.wrapping_add(1) };
    // SAFETY: it is a child of a structure that is not released.
    let child = unsafe { ArrowSchema::from_raw(second.cast()) };
    // SAFETY: it comes from `into_raw`.
    let parent = unsafe { ArrowSchema::take_box(raw) };
    let error = parent.to_schema().unwrap_err();
    assert_eq!(error.to_string(), "field `\"\"`: the ArrowSchema is released");
    drop(parent);
    assert_eq!(child.to_field(), Ok(schema.fields()[1].clone()));
    assert!(ArrowSchema::empty().is_released());
}
