//! The text form of types and fields, and the comparisons that must agree with it.

use std::{
    collections::{BTreeSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Arc,
};

use arrow_schema::{
    DataType, DictionaryOrder, DictionaryType, Field, IndexType, IntervalUnit, KeyOrder, MapType, Metadata,
    RunEndEncodedType, RunEndType, Schema, Time32Unit, Time64Unit, TimeUnit, TypeError, UnionMode, UnionType,
};

/// The number of variants of `DataType`, where each union mode counts separately.
const N_KINDS: usize = 42;

fn item(data_type: DataType) -> Field {
    Field::new("item", data_type)
}

fn flat_types() -> Result<Vec<(DataType, &'static str)>, TypeError> {
    Ok(vec![
        (DataType::Null, "null"),
        (DataType::Boolean, "bool"),
        (DataType::Int8, "int8"),
        (DataType::Int16, "int16"),
        (DataType::Int32, "int32"),
        (DataType::Int64, "int64"),
        (DataType::UInt8, "uint8"),
        (DataType::UInt16, "uint16"),
        (DataType::UInt32, "uint32"),
        (DataType::UInt64, "uint64"),
        (DataType::Float16, "float16"),
        (DataType::Float32, "float32"),
        (DataType::Float64, "float64"),
        (DataType::decimal32(9, 2)?, "decimal32(9, 2)"),
        (DataType::decimal64(9, 2)?, "decimal64(9, 2)"),
        (DataType::decimal128(38, -2)?, "decimal128(38, -2)"),
        (DataType::decimal128(38, 2)?, "decimal128(38, 2)"),
        (DataType::decimal128(37, -2)?, "decimal128(37, -2)"),
        (DataType::decimal256(76, i32::MIN)?, "decimal256(76, -2147483648)"),
        (DataType::Date32, "date32"),
        (DataType::Date64, "date64"),
        (DataType::Time32(Time32Unit::Second), "time32(s)"),
        (DataType::time(TimeUnit::Millisecond), "time32(ms)"),
        (DataType::Time64(Time64Unit::Microsecond), "time64(us)"),
        (DataType::time(TimeUnit::Nanosecond), "time64(ns)"),
        (DataType::timestamp(TimeUnit::Second), "timestamp(s)"),
        (DataType::timestamp(TimeUnit::Microsecond), "timestamp(us)"),
        (DataType::timestamp_with_zone(TimeUnit::Microsecond, "UTC"), r#"timestamp(us, "UTC")"#),
        (DataType::timestamp_with_zone(TimeUnit::Microsecond, "+01:30"), r#"timestamp(us, "+01:30")"#),
        (DataType::timestamp_with_zone(TimeUnit::Microsecond, ""), r#"timestamp(us, "")"#),
        (DataType::timestamp_with_zone(TimeUnit::Second, "a\"\n\\"), r#"timestamp(s, "a\"\n\\")"#),
        (DataType::Duration(TimeUnit::Nanosecond), "duration(ns)"),
        (DataType::Duration(TimeUnit::Second), "duration(s)"),
        (DataType::Interval(IntervalUnit::YearMonth), "interval(year_month)"),
        (DataType::Interval(IntervalUnit::DayTime), "interval(day_time)"),
        (DataType::Interval(IntervalUnit::MonthDayNano), "interval(month_day_nano)"),
        (DataType::fixed_size_binary(16)?, "fixed_size_binary(16)"),
        (DataType::fixed_size_binary(0)?, "fixed_size_binary(0)"),
        (DataType::fixed_size_binary(i32::MAX.unsigned_abs())?, "fixed_size_binary(2147483647)"),
        (DataType::Binary, "binary"),
        (DataType::LargeBinary, "large_binary"),
        (DataType::BinaryView, "binary_view"),
        (DataType::Utf8, "utf8"),
        (DataType::LargeUtf8, "large_utf8"),
        (DataType::Utf8View, "utf8_view"),
    ])
}

fn nested_types() -> Result<Vec<(DataType, &'static str)>, TypeError> {
    let a = || Field::new("a", DataType::Int32);
    let b = || Field::new("b", DataType::Utf8);
    let key = || Field::new("key", DataType::Utf8);
    let value = || Field::new("value", DataType::Int32);
    let ordered = DictionaryType::try_new(IndexType::Int8, DataType::Utf8, DictionaryOrder::Ordered)?;
    let unusual_map = MapType::try_new(
        Field::new("e", DataType::struct_([key(), value().required()])),
        KeyOrder::Unsorted,
    )?;
    let unusual_runs = RunEndEncodedType::try_new(Field::new("ends", DataType::Int16), b().required())?;
    Ok(vec![
        (DataType::list(item(DataType::Int32)), "list<item: int32>"),
        (DataType::list(item(DataType::Int32).required()), "list<item: int32 not null>"),
        (DataType::list(Field::new("", DataType::Int32)), r#"list<"": int32>"#),
        (DataType::large_list(item(DataType::Null)), "large_list<item: null>"),
        (DataType::list_view(item(DataType::Utf8)), "list_view<item: utf8>"),
        (DataType::large_list_view(item(DataType::Utf8)), "large_list_view<item: utf8>"),
        (DataType::fixed_size_list(item(DataType::Int32), 3)?, "fixed_size_list<item: int32; 3>"),
        (DataType::fixed_size_list(item(DataType::Int32), 0)?, "fixed_size_list<item: int32; 0>"),
        (DataType::struct_([]), "struct<>"),
        (DataType::struct_([a()]), "struct<a: int32>"),
        (
            DataType::struct_([a().required(), Field::new("odd name", DataType::Utf8)]),
            r#"struct<a: int32 not null, "odd name": utf8>"#,
        ),
        (DataType::struct_([a(), a()]), "struct<a: int32, a: int32>"),
        (DataType::map(key(), value()), "map<entries: struct<key: utf8 not null, value: int32> not null>"),
        (
            MapType::from_key_value(key(), value(), KeyOrder::Sorted).into(),
            "map<entries: struct<key: utf8 not null, value: int32> not null, sorted>",
        ),
        (unusual_map.into(), "map<e: struct<key: utf8, value: int32 not null>>"),
        (DataType::union(UnionMode::Sparse, [(0, a()), (5, b())])?, "sparse_union<0=a: int32, 5=b: utf8>"),
        (DataType::union(UnionMode::Sparse, [(5, a()), (0, b())])?, "sparse_union<5=a: int32, 0=b: utf8>"),
        (
            UnionType::try_new([a(), b()], None, UnionMode::Dense)?.into(),
            "dense_union<0=a: int32, 1=b: utf8>",
        ),
        (UnionType::try_new([], None, UnionMode::Dense)?.into(), "dense_union<>"),
        (DataType::dictionary(IndexType::Int32, DataType::Utf8)?, "dictionary<int32, utf8>"),
        (DataType::dictionary(IndexType::UInt64, DataType::Utf8)?, "dictionary<uint64, utf8>"),
        (DataType::dictionary(IndexType::Int8, DataType::Utf8)?, "dictionary<int8, utf8>"),
        (ordered.into(), "dictionary<int8, utf8, ordered>"),
        (
            DataType::dictionary(
                IndexType::Int8,
                DataType::list(item(DataType::dictionary(IndexType::Int16, DataType::Utf8)?)),
            )?,
            "dictionary<int8, list<item: dictionary<int16, utf8>>>",
        ),
        (
            DataType::run_end_encoded(RunEndType::Int32, DataType::Utf8),
            "run_end_encoded<run_ends: int32 not null, values: utf8>",
        ),
        (unusual_runs.into(), "run_end_encoded<ends: int16, b: utf8 not null>"),
    ])
}

fn all_types() -> Result<Vec<(DataType, &'static str)>, TypeError> {
    Ok(flat_types()?.into_iter().chain(nested_types()?).collect())
}

/// Copies the type with metadata on all fields inside it. The copy shares nothing with the type.
fn annotated(data_type: &DataType) -> Result<DataType, TypeError> {
    fn note(field: &Field) -> Result<Field, TypeError> {
        let field = field.clone().with_metadata(Metadata::from_iter([("k", field.name())]));
        let data_type = annotated(field.data_type())?;
        Ok(field.with_data_type(data_type))
    }
    let children = data_type.children().iter().map(note).collect::<Result<Vec<Field>, TypeError>>()?;
    if let Some(dictionary) = data_type.as_dictionary() {
        let value = annotated(dictionary.value())?;
        return Ok(DictionaryType::try_new(dictionary.index(), value, dictionary.order())?.into());
    }
    data_type.with_children(children)
}

#[test]
fn types_print_in_their_text_form() -> Result<(), TypeError> {
    for (data_type, text) in all_types()? {
        assert_eq!(data_type.to_string(), text);
        assert_eq!(text.parse().as_ref(), Ok(&data_type));
        assert!(text.starts_with(data_type.name()), "{text} starts with {}", data_type.name());
        assert_eq!(Field::new("f", data_type.clone()).to_string(), format!("f: {text}"));
        assert_eq!(Field::new("f", data_type).required().to_string(), format!("f: {text} not null"));
    }
    Ok(())
}

#[test]
fn every_kind_is_in_the_tables() -> Result<(), TypeError> {
    let names: BTreeSet<&str> = all_types()?.iter().map(|(data_type, _)| data_type.name()).collect();
    assert_eq!(names.len(), N_KINDS, "{names:?}");
    Ok(())
}

/// Equal text form means equal types, except for metadata.
#[test]
fn comparisons_agree_with_the_text() -> Result<(), TypeError> {
    let types = all_types()?;
    for (left, left_text) in &types {
        for (right, right_text) in &types {
            let right = annotated(right)?;
            let same = left_text == right_text;
            assert_eq!(left.same_type(&right), same, "{left_text} and {right_text}");
            assert_eq!(right.same_type(left), same, "{right_text} and {left_text}");
            let ours = Schema::new([Field::new("c", left.clone())]);
            let theirs = Schema::new([Field::new("c", right.clone())]);
            assert_eq!(ours.check_same_columns(&theirs).is_ok(), same, "{left_text} and {right_text}");
            let has_no_fields = left.value_children().is_empty();
            assert_eq!(*left == right, same && has_no_fields, "{left_text} == annotated {right_text}");
        }
    }
    Ok(())
}

#[test]
fn equal_types_have_equal_hashes() -> Result<(), TypeError> {
    fn hash(data_type: &DataType) -> u64 {
        let mut hasher = DefaultHasher::new();
        data_type.hash(&mut hasher);
        hasher.finish()
    }
    for ((first, text), (second, _)) in all_types()?.into_iter().zip(all_types()?) {
        assert_eq!(first, second);
        assert_eq!(hash(&first), hash(&second), "{text}");
    }
    Ok(())
}

#[test]
fn families_of_types() -> Result<(), TypeError> {
    type Question = fn(&DataType) -> bool;
    let families: [(&str, Question, &[&str]); 9] = [
        ("integer", DataType::is_integer, &["int", "uint"]),
        ("floating point", DataType::is_floating_point, &["float"]),
        ("decimal", DataType::is_decimal, &["decimal"]),
        (
            "temporal",
            DataType::is_temporal,
            &["date", "time32", "time64", "timestamp", "duration", "interval("],
        ),
        ("binary", DataType::is_binary, &["binary", "large_binary", "fixed_size_binary"]),
        ("text", DataType::is_text, &["utf8", "large_utf8"]),
        ("list", DataType::is_list, &["list", "large_list", "fixed_size_list"]),
        ("dictionary", DataType::is_dictionary, &["dictionary"]),
        (
            "nested",
            DataType::is_nested,
            &[
                "list",
                "large_list",
                "fixed_size_list",
                "struct",
                "map",
                "sparse_union",
                "dense_union",
                "run_end_encoded",
            ],
        ),
    ];
    for (data_type, text) in all_types()? {
        for (family, question, prefixes) in families {
            let expected = prefixes.iter().any(|prefix| {
                text.starts_with(prefix) && !(*prefix == "int" && text.starts_with("interval"))
            });
            assert_eq!(question(&data_type), expected, "is {text} {family}?");
        }
        assert_eq!(
            data_type.is_signed_integer(),
            data_type.is_integer() && text.starts_with("int"),
            "{text}"
        );
    }
    Ok(())
}

#[test]
fn types_are_shared_between_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<DataType>();
    check::<Schema>();
    check::<Arc<Field>>();
}
