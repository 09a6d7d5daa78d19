//! Builders of types that are known at compile time: the values that they accept, and nested builders.

use std::collections::BTreeMap;

use arrow_array::*;
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};

fn shown(result: Result<impl std::fmt::Debug, ArrayError>) -> String {
    result.map_or_else(|error| error.to_string(), |array| format!("{array:?}"))
}

#[test]
fn values_come_in_many_forms() {
    let cases = [
        (shown(Int64Builder::new().with_values([1, 2]).finish()), "int64 [1, 2]"),
        (shown(Int64Builder::new().with_values([Some(1), None]).finish()), "int64 [1, null]"),
        (shown(BooleanBuilder::new().with_values([true]).with_values([None]).finish()), "bool [true, null]"),
        (shown(NullBuilder::new().with_values([(), ()]).finish()), "null [null, null]"),
        (shown(Utf8Builder::new().with_values(["a", "ü"]).finish()), r#"utf8 ["a", "ü"]"#),
        (shown(LargeUtf8Builder::new().with_values(["a".to_owned()]).finish()), r#"large_utf8 ["a"]"#),
        (shown(Utf8ViewBuilder::new().with_values([Some("a"), None]).finish()), r#"utf8_view ["a", null]"#),
        (shown(BinaryBuilder::new().with_values([b"ab", b"cd"]).finish()), r#"binary ["6162", "6364"]"#),
        (
            shown(BinaryViewBuilder::new().with_values([vec![0_u8; 13]]).finish()),
            r#"binary_view ["00000000000000000000000000"]"#,
        ),
        (
            shown(FixedSizeBinaryArray::try_from_iter(2, [Some(b"ab"), None])),
            r#"fixed_size_binary(2) ["6162", null]"#,
        ),
        (
            shown(ListBuilder::new(Utf8Builder::new()).with_values([vec!["a", "b"], vec![]]).finish()),
            r#"list<item: utf8> [["a","b"], []]"#,
        ),
        (
            shown(LargeListBuilder::new(Int8Builder::new()).with_values([Some([1, 2]), None]).finish()),
            "large_list<item: int8> [[1,2], null]",
        ),
        (
            shown(ListViewBuilder::new(Int8Builder::new()).with_values([[1, 2].as_slice(), &[3]]).finish()),
            "list_view<item: int8> [[1,2], [3]]",
        ),
        (
            shown(
                MapBuilder::new(Utf8Builder::new(), ListBuilder::new(Int8Builder::new()))
                    .with_values([BTreeMap::from([("b", vec![1]), ("a", vec![])])])
                    .finish(),
            ),
            r#"map<entries: struct<key: utf8 not null, value: list<item: int8>> not null> [[["a",[]],["b",[1]]]]"#,
        ),
        (
            shown(
                DictionaryBuilder::try_new(IndexType::UInt16, ListBuilder::new(Int8Builder::new()))
                    .map(|lists| lists.with_values([vec![1], vec![2, 3], vec![1]]))
                    .and_then(|mut lists| lists.finish()),
            ),
            "dictionary<uint16, list<item: int8>> [[1], [2,3], [1]]",
        ),
        (
            shown(
                RunEndEncodedBuilder::new(RunEndType::Int16, Float64Builder::new())
                    .with_values([Some(f64::NAN), Some(f64::NAN), None, None, Some(0.0), Some(-0.0)])
                    .finish()
                    .map(|runs| (runs.n_runs(), runs)),
            ),
            r#"(4, run_end_encoded<run_ends: int16 not null, values: float64> ["NaN", "NaN", null, null, 0.0, -0.0])"#,
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

/// The items of iterators over borrowed collections are accepted without conversion.
#[test]
fn values_come_by_reference() {
    let numbers = vec![1, 2];
    let options = vec![Some(1), None];
    let words = vec!["a".to_owned(), "b".to_owned()];
    let counts = BTreeMap::from([("a".to_owned(), 1_i64), ("b".to_owned(), 2)]);
    let nested = vec![vec!["a".to_owned()], vec![]];
    let cases = [
        (
            shown(Int64Builder::new().with_values(&numbers).with_values(&options).finish()),
            "int64 [1, 2, 1, null]",
        ),
        (shown(Utf8Builder::new().with_values(&words).finish()), r#"utf8 ["a", "b"]"#),
        (shown(Utf8ViewBuilder::new().with_values([&Some("a"), &None]).finish()), r#"utf8_view ["a", null]"#),
        (
            shown(
                ListBuilder::new(Int64Builder::new())
                    .with_values([&numbers])
                    .with_values([&options])
                    .finish(),
            ),
            "list<item: int64> [[1,2], [1,null]]",
        ),
        (
            shown(ListBuilder::new(ListBuilder::new(Utf8Builder::new())).with_values([&nested]).finish()),
            r#"list<item: list<item: utf8>> [[["a"],[]]]"#,
        ),
        (
            shown(MapBuilder::new(Utf8Builder::new(), Int64Builder::new()).with_values([&counts]).finish()),
            r#"map<entries: struct<key: utf8 not null, value: int64> not null> [[["a",1],["b",2]]]"#,
        ),
        (shown(BooleanBuilder::new().with_values([&true, &false]).finish()), "bool [true, false]"),
        (
            shown(ListBuilder::new(BooleanBuilder::new()).with_values([&[Some(true), None]]).finish()),
            "list<item: bool> [[true,null]]",
        ),
        (
            shown(Decimal32Array::try_from_iter(
                DataType::decimal32(4, 1).expect("4 digits"),
                [&Decimal::new(15, 1), &Decimal::new(2, 0)],
            )),
            r#"decimal32(4, 1) ["1.5", "2.0"]"#,
        ),
        (
            shown(Decimal128Array::try_from_iter(DataType::decimal128(38, 1).expect("38 digits"), [5, -5])),
            r#"decimal128(38, 1) ["0.5", "-0.5"]"#,
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn there_are_builders_of_many_columns() {
    let mut rows = StructBuilder::new((
        ("a", Int8Builder::new()),
        ("b", Int8Builder::new()),
        ("c", Int8Builder::new()),
        ("d", Int8Builder::new()),
        ("e", Int8Builder::new()),
        ("f", Int8Builder::new()),
        ("g", Int8Builder::new()),
        ("h", Int8Builder::new()),
        ("i", Int8Builder::new()),
        ("j", Int8Builder::new()),
        ("k", Int8Builder::new()),
        ("l", Int8Builder::new()),
        ("m", Int8Builder::new()),
        ("n", Int8Builder::new()),
        ("o", Int8Builder::new()),
        ("p", Int8Builder::new()),
    ));
    rows.append((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
    let batch = rows.finish_batch().expect("one row");
    let last = Int8Array::try_from(batch.column("p").expect("it is there")).expect("numbers");
    assert_eq!((batch.n_columns(), last.get(0)), (16, Some(16)));
}

#[test]
fn nested_builders_compose() {
    let points = StructBuilder::new((("x", Float64Builder::new()), ("y", Float64Builder::new())));
    let words = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).expect("text is plain");
    let mut rows = StructBuilder::new((
        ("id", Int64Builder::new()),
        ("points", ListBuilder::new(points)),
        ("words", ListViewBuilder::new(words)),
    ));
    rows.append((1, vec![(0.5, 1.5), (2.5, 3.5)], vec!["a", "b", "a"]));
    rows.append((2, None::<Vec<(f64, f64)>>, ["b"]));
    rows.append_with(|(id, points, _)| {
        id.append(3);
        points.append_iter([None, Some((1.0, None))]);
    });
    let batch = rows.finish_batch().expect("rows are not null");
    let rows: Vec<String> =
        TextCache::new().rows(&batch).expect("sound").iter().map(|row| row.to_string()).collect();
    assert_eq!(
        rows,
        [
            r#"{"id":1,"points":[{"x":0.5,"y":1.5},{"x":2.5,"y":3.5}],"words":["a","b","a"]}"#,
            r#"{"id":2,"points":null,"words":["b"]}"#,
            r#"{"id":3,"points":[null,{"x":1.0,"y":null}],"words":null}"#,
        ]
    );
}

#[test]
fn dictionaries_know_every_value() {
    let mut words = DictionaryBuilder::try_new(IndexType::Int32, Utf8ViewBuilder::new()).expect("plain");
    let text = |k: usize| format!("{}{k}", "a long word ".repeat(k % 3));
    let keys: Vec<usize> = (0..5_000).map(|k| k * k % 701).collect();
    words.extend(keys.iter().map(|key| text(*key)));
    let words = words.finish().expect("few words");
    let decoded = words.decoded::<Utf8ViewArray>().expect("text");
    assert!(
        decoded.iter().eq(keys
            .iter()
            .map(|key| text(*key))
            .collect::<Vec<_>>()
            .iter()
            .map(|word| Some(word.as_str())))
    );
    let n_different = keys.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(words.values().len(), n_different);
}

#[test]
fn unions_keep_the_type_ids_they_are_given() {
    let children = (("a", Int8Builder::new()), ("b", Utf8Builder::new()));
    let fields = [(5, Field::new("a", DataType::Int8)), (9, Field::new("b", DataType::Utf8))];
    let mut union = UnionBuilder::try_new(UnionMode::Sparse, children).expect("two children");
    union.append_with(|(numbers, _)| numbers.append(1));
    let data_type = DataType::union(UnionMode::Sparse, fields.clone()).expect("legal ids");
    let mut union = union.with_type(data_type).expect("other ids only");
    union.append_with(|(_, texts)| texts.append("x"));
    union.append_null();
    let union = union.finish().expect("one child each");
    assert_eq!(union.type_ids(), [5, 9, 5]);
    assert_eq!(
        format!("{union:?}"),
        r#"sparse_union<5=a: int8, 9=b: utf8> [{"a":1}, {"b":"x"}, {"a":null}]"#
    );
    let other =
        UnionBuilder::try_new(UnionMode::Dense, (("a", Int8Builder::new()), ("b", Utf8Builder::new())));
    let sparse = DataType::union(UnionMode::Sparse, fields).expect("legal ids");
    assert!(other.expect("two children").with_type(sparse).is_err());
}

#[test]
fn lists_share_items() {
    let mut lists = ListViewBuilder::new(Int8Builder::new());
    lists.extend([vec![1, 2], vec![3]]);
    lists.append_repeated(0);
    lists.append(vec![4]);
    lists.append_repeated(7);
    let mut cut = lists.clone();
    let lists = lists.finish().expect("few items");
    assert_eq!(format!("{lists:?}"), "list_view<item: int8> [[1,2], [3], [1,2], [4], null]");
    assert_eq!(lists.items().len(), 4);
    cut.truncate(3);
    assert_eq!(cut.items().len(), 3);
}

/// A builder that is moved into another builder loses its values.
#[test]
fn builders_begin_empty() {
    let used = || Int8Builder::new().with_values([1, 2]);
    assert_eq!(shown(ListBuilder::new(used()).with_values([[3]]).finish()), "list<item: int8> [[3]]");
    let mut views = ListViewBuilder::new(used());
    views.append([3]);
    assert_eq!(views.finish().expect("one item").items().len(), 1);
    let lists = FixedSizeListBuilder::try_new(used(), 1).map(|lists| lists.with_values([[3]]));
    assert_eq!(shown(lists.and_then(|mut lists| lists.finish())), "fixed_size_list<item: int8; 1> [[3]]");
    let rows = StructBuilder::new((("a", used()),)).with_values([(3,)]).finish();
    assert_eq!(shown(rows), r#"struct<a: int8> [{"a":3}]"#);
    let maps = MapBuilder::new(used(), used()).with_values([[(3, 4)]]).finish();
    assert_eq!(maps.expect("one entry").keys().len(), 1);
    let mut union = UnionBuilder::try_new(UnionMode::Dense, (("a", used()),)).expect("one child");
    union.append((3,));
    assert_eq!(shown(union.finish()), r#"dense_union<0=a: int8> [{"a":3}]"#);
    let runs = RunEndEncodedBuilder::new(RunEndType::Int16, used()).with_values([3]).finish();
    assert_eq!(runs.expect("one run").n_runs(), 1);
    let numbers = DictionaryBuilder::try_new(IndexType::Int8, used()).map(|numbers| numbers.with_values([3]));
    assert_eq!(numbers.and_then(|mut numbers| numbers.finish()).expect("one value").values().len(), 1);
}
