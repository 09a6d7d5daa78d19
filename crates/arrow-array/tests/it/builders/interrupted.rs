//! A function that appends values may panic, or may remove values of earlier slots. Even then, no slot gets the value
//! of another slot.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{
    AnyArray, AnyBuilder, Builder, DictionaryBuilder, FixedSizeListBuilder, Int64Builder, ListBuilder,
    ListViewBuilder, MapBuilder, NullBuilder, RunEndEncodedBuilder, StructBuilder, UnionBuilder, Utf8Builder,
};
use arrow_schema::{IndexType, RunEndType, Schema, UnionMode};

/// Calls `act`, which panics before its slot is finished.
fn interrupt<B>(builder: &mut B, act: impl FnOnce(&mut B)) {
    let caught = catch_unwind(AssertUnwindSafe(|| act(builder)));
    assert!(caught.is_err(), "it did not panic");
}

/// Panics without a call of the panic hook, which would print a message.
fn panics() {
    std::panic::resume_unwind(Box::new("on the way"));
}

/// Returns the first numbers of a list, then panics.
fn numbers(numbers: [Option<i64>; 2]) -> impl Iterator<Item = Option<i64>> {
    numbers.into_iter().chain(std::iter::from_fn(|| {
        panics();
        None
    }))
}

fn check<B: Builder>(mut builder: B, expected: &str) {
    let data = builder.finish_data().expect(expected);
    assert_eq!(format!("{:?}", AnyArray::try_new(&data).expect(expected)), expected);
}

#[test]
fn values_that_were_not_finished_are_forgotten() {
    let items = Int64Builder::new;
    let mut lists = ListBuilder::new(items()).with_values([[1]]);
    interrupt(&mut lists, |lists| lists.append_iter(numbers([Some(7), None])));
    lists.extend([Some(vec![2, 3]), None]);
    check(lists, "list<item: int64> [[1], [2,3], null]");

    let mut lists = ListViewBuilder::new(items()).with_values([[1]]);
    interrupt(&mut lists, |lists| lists.append_iter(numbers([Some(7), None])));
    lists.extend([Some(vec![2, 3]), None]);
    check(lists, "list_view<item: int64> [[1], [2,3], null]");

    for is_null in [false, true] {
        let mut lists = FixedSizeListBuilder::try_new(items(), 1).expect("1 is small").with_values([[1]]);
        interrupt(&mut lists, |lists| lists.append_iter(numbers([Some(7), None])));
        lists.append((!is_null).then_some([2]));
        lists.append([3]);
        let expected = if is_null { "[[1], null, [3]]" } else { "[[1], [2], [3]]" };
        check(lists, &format!("fixed_size_list<item: int64; 1> {expected}"));
    }

    let mut maps = MapBuilder::new(Utf8Builder::new(), items()).with_values([[("a", 1)]]);
    interrupt(&mut maps, |maps| maps.append_iter(numbers([Some(7), None]).map(|number| ("x", number))));
    interrupt(&mut maps, |maps| {
        maps.append_with(|keys, _| {
            keys.append("x");
            panics();
        });
    });
    maps.append([("b", 2)]);
    check(maps, "map<entries: struct<key: utf8 not null, value: int64> not null> [[[\"a\",1]], [[\"b\",2]]]");

    // They are also not in the array if nothing is appended after them.
    let mut maps = MapBuilder::new(Utf8Builder::new(), items()).with_values([[("a", 1)]]);
    interrupt(&mut maps, |maps| {
        maps.append_with(|keys, values| {
            keys.append_null();
            values.append(7);
            panics();
        });
    });
    let maps = maps.finish().expect("one map");
    assert_eq!((maps.keys().len(), maps.values().len()), (1, 1));

    let dictionary =
        || DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).expect("text is plain");
    let unfinished = |values: &mut Utf8Builder| {
        values.append("x");
        panics();
    };
    for by_closure in [false, true] {
        let mut texts = dictionary().with_values(["a"]);
        interrupt(&mut texts, |texts| texts.append_with(unfinished));
        if by_closure {
            texts.append_with(|values| values.append("b"))
        } else {
            texts.append("b")
        }
        texts.extend([Some("a"), None, Some("b")]);
        check(texts, "dictionary<int8, utf8> [\"a\", \"b\", \"a\", null, \"b\"]");

        let mut runs = RunEndEncodedBuilder::new(RunEndType::Int32, Utf8Builder::new()).with_values(["a"]);
        interrupt(&mut runs, |runs| runs.append_with(unfinished));
        if by_closure {
            runs.append_with(|values| values.append("b"))
        } else {
            runs.append("b")
        }
        interrupt(&mut runs, |runs| runs.append_with(unfinished));
        runs.append_nulls(2);
        check(runs, "run_end_encoded<run_ends: int32 not null, values: utf8> [\"a\", \"b\", null, null]");
    }

    let pair = (("a", items()), ("b", items()));
    let mut union = UnionBuilder::try_new(UnionMode::Dense, pair).expect("two children");
    interrupt(&mut union, |union| {
        union.append_with(|(a, _)| {
            a.append(7);
            panics();
        });
    });
    union.append_nulls(1);
    let union = union.finish().expect("one slot");
    assert_eq!(union.selected(0).null_count(), 1);
}

/// Appends a slot of sevens. `interrupt` is called when a struct has a value for its first column only, or when a union has a
/// value that is not yet a slot.
fn append_sevens(builder: &mut AnyBuilder, interrupt: fn()) {
    match builder {
        AnyBuilder::Int64(numbers) => numbers.append(7),
        AnyBuilder::Struct(rows) => rows.append_with(|columns| {
            append_sevens(&mut columns[0], interrupt);
            interrupt();
            append_sevens(&mut columns[1], interrupt);
        }),
        AnyBuilder::Union(unions) => unions.append_with(|children| {
            append_sevens(&mut children[0], interrupt);
            interrupt();
        }),
        AnyBuilder::List(lists) => lists.append_with(|items| append_sevens(items, interrupt)),
        AnyBuilder::ListView(lists) => lists.append_with(|items| append_sevens(items, interrupt)),
        AnyBuilder::FixedSizeList(lists) => lists.append_with(|items| append_sevens(items, interrupt)),
        AnyBuilder::Map(maps) => maps.append_with(|keys, values| {
            append_sevens(keys, interrupt);
            append_sevens(values, interrupt);
        }),
        AnyBuilder::Dictionary(dictionary) => {
            dictionary.append_with(|values| append_sevens(values, interrupt))
        }
        AnyBuilder::RunEndEncoded(runs) => runs.append_with(|values| append_sevens(values, interrupt)),
        other => unreachable!("no other type is built: {other:?}"),
    }
}

/// A struct or a union has no slot more where it was interrupted, so what contains it must know of the values.
#[test]
fn structs_and_unions_that_were_not_finished_are_forgotten() {
    let inner = [
        "struct<a: int64, b: int64>",
        "sparse_union<0=a: int64, 1=b: int64>",
        "dense_union<0=a: int64, 1=b: int64>",
        "struct<a: sparse_union<0=a: struct<a: int64, b: int64>>, b: int64>",
    ];
    let outer: [fn(&str) -> String; 8] = [
        |inner| format!("list<item: {inner}>"),
        |inner| format!("list_view<item: {inner}>"),
        |inner| format!("fixed_size_list<item: {inner}; 1>"),
        |inner| format!("map<entries: struct<key: int64 not null, value: {inner}> not null>"),
        |inner| format!("map<entries: struct<key: {inner} not null, value: int64> not null>"),
        |inner| format!("dictionary<int8, {inner}>"),
        |inner| format!("run_end_encoded<run_ends: int32 not null, values: {inner}>"),
        |inner| format!("list<item: list<item: {inner}>>"),
    ];
    let after: [fn(&mut AnyBuilder); 3] =
        [|_| {}, |builder| append_sevens(builder, || {}), |builder| builder.append_nulls(2)];
    for (outer, inner) in outer.iter().flat_map(|outer| inner.map(|inner| (outer, inner))) {
        for (case, after) in after.iter().enumerate() {
            let name = outer(inner);
            let [mut found, mut expected] = [(); 2].map(|()| AnyBuilder::new(&name.parse().expect(&name)));
            append_sevens(&mut expected, || {});
            append_sevens(&mut found, || {});
            interrupt(&mut found, |builder| append_sevens(builder, panics));
            after(&mut expected);
            after(&mut found);
            let [found, expected] = [found, expected].map(|mut builder| {
                builder.finish_data().unwrap_or_else(|error| panic!("{name}, {case}: {error}"))
            });
            assert_eq!(found.dump().to_string(), expected.dump().to_string(), "{name}, {case}");
        }
    }
}

/// What was appended to the builders of items and columns, and not closed, belongs to no slot after a null and in an array.
#[test]
fn nulls_take_no_unfinished_values() {
    let items = Int64Builder::new;
    let mut lists = ListBuilder::new(items());
    lists.items_mut().append(1);
    lists.append_null();
    lists.items_mut().append(2);
    lists.close();
    check(lists, "list<item: int64> [null, [2]]");

    let mut outer = ListBuilder::new(ListBuilder::new(items()));
    outer.items_mut().items_mut().append(1);
    outer.append_null();
    outer.items_mut().items_mut().append(2);
    outer.items_mut().close();
    outer.close();
    check(outer, "list<item: list<item: int64>> [null, [[2]]]");

    let mut lists = ListViewBuilder::new(items()).with_values([[1]]);
    lists.items_mut().append(7);
    lists.append_null();
    lists.items_mut().append(8);
    lists.append_repeated(0);
    lists.items_mut().append(2);
    lists.close();
    check(lists, "list_view<item: int64> [[1], null, [1], [2]]");

    let mut maps = MapBuilder::new(items(), items());
    maps.entries_mut().0.append(1);
    maps.append_null();
    maps.entries_mut().0.append(2);
    maps.entries_mut().1.append(3);
    maps.close();
    check(maps, "map<entries: struct<key: int64 not null, value: int64> not null> [null, [[2,3]]]");

    let mut rows = StructBuilder::new((("a", items()), ("b", items())));
    rows.columns_mut().0.append(7);
    rows.append_null();
    rows.append((1, 2));
    rows.columns_mut().1.append(8);
    check(rows, r#"struct<a: int64, b: int64> [null, {"a":1,"b":2}]"#);

    let mut rows = StructBuilder::from_schema(&"a: int64\nb: int64".parse::<Schema>().expect("two fields"));
    let ends: [fn(&mut StructBuilder<Vec<AnyBuilder>>); 3] =
        [|rows| rows.append_null(), |rows| rows.close(), |rows| rows.append_null()];
    for end in ends {
        rows.column_mut(0).into_iter().for_each(|column| append_sevens(column, || {}));
        end(&mut rows);
    }
    rows.column_mut(1).into_iter().for_each(|column| append_sevens(column, || {}));
    check(rows, r#"struct<a: int64, b: int64> [null, {"a":7,"b":null}, null]"#);

    for (mode, n_values) in [(UnionMode::Sparse, 2), (UnionMode::Dense, 1)] {
        let mut union = UnionBuilder::try_new(mode, (("a", items()), ("b", items()))).expect("two children");
        union.append_with(|(a, _)| a.append(1));
        union.children_mut().1.append(7);
        let union = union.finish().expect("one slot");
        assert_eq!(union.data().children().iter().map(|child| child.len()).sum::<usize>(), n_values);
    }
}

/// Nulls that a struct owes its other columns leave the value that was begun for the next struct.
#[test]
fn late_nulls_keep_unfinished_values() {
    let schema = "a: list<item: int64>\nb: int64".parse::<Schema>().expect("two fields");
    let mut rows = StructBuilder::from_schema(&schema);
    rows.close();
    let Some(AnyBuilder::List(lists)) = rows.column_mut(0) else { unreachable!("the column has lists") };
    append_sevens(lists.items_mut(), || {});
    append_sevens(&mut rows.columns_mut()[1], || {});
    let Some(AnyBuilder::List(lists)) = rows.column_mut(0) else { unreachable!("the column has lists") };
    lists.close();
    rows.close();
    check(rows, r#"struct<a: list<item: int64>, b: int64> [{"a":null,"b":null}, {"a":[7],"b":7}]"#);
}

#[test]
fn runs_of_nothing_take_no_unfinished_value() {
    let mut runs = RunEndEncodedBuilder::new(RunEndType::Int32, Int64Builder::new());
    let failed = runs.try_append_with(|values| {
        values.append(1);
        Err(())
    });
    let nothing = runs.try_append_some(|_| Ok::<(), ()>(()));
    assert_eq!((failed, nothing, runs.len()), (Err(()), Ok(()), 0));
}

#[test]
fn nulls_stay_null_where_an_iterator_panics() {
    let mut builder = Int64Builder::new().with_values([1]);
    interrupt(&mut builder, |builder| builder.extend(numbers([None, Some(2)])));
    builder.append(3);
    check(builder, "int64 [1, null, 2, 3]");
}

/// Checks a builder after `rob` has removed its values from the second slot on.
fn robbed<B: Builder>(mut builder: B, rob: impl FnOnce(&mut B)) {
    let name = builder.data_type().to_string();
    let n_slots = builder.len();
    rob(&mut builder);
    assert_eq!(builder.len(), n_slots + 1, "{name}");
    // Slots that lost their values stay errors, and the error does not name the last slot.
    builder.truncate(n_slots);
    assert!(builder.error().is_some(), "{name}");
    builder.truncate(2);
    assert!(builder.error().is_some(), "{name}");
    // The first slot has its value.
    builder.truncate(1);
    assert_eq!(builder.error(), None, "{name}");
    builder.append_null();
    assert_eq!(builder.finish_data().expect(&name).len(), 2, "{name}");
}

#[test]
fn values_that_were_taken_away_are_missed_where_they_were() {
    let items = Int64Builder::new;
    let keep_one = |items: &mut Int64Builder| items.truncate(1);
    let lists = [vec![1], vec![2, 3], vec![], vec![4]];
    robbed(ListBuilder::new(items()).with_values(lists.clone()), |it| it.append_with(keep_one));
    robbed(ListViewBuilder::new(items()).with_values(lists), |it| it.append_with(keep_one));
    let sized = FixedSizeListBuilder::try_new(items(), 1).expect("1 is small");
    robbed(sized.with_values([[1], [2], [3]]), |it| it.append_with(keep_one));
    let maps = MapBuilder::new(items(), items());
    robbed(maps.with_values([[(1, 1)], [(2, 2)], [(3, 3)]]), |it| {
        it.append_with(|_, values| keep_one(values))
    });
    let structs = StructBuilder::new((("a", items()), ("b", items())));
    robbed(structs.with_values([(1, 1), (2, 2), (3, 3)]), |it| it.append_with(|(_, b)| keep_one(b)));
    for mode in [UnionMode::Sparse, UnionMode::Dense] {
        let pair = (("a", items()), ("b", NullBuilder::new()));
        let mut union = UnionBuilder::try_new(mode, pair).expect("two children");
        union.append_nulls(3);
        robbed(union, |it| it.append_with(|(a, _)| keep_one(a)));
    }
    let dictionary = DictionaryBuilder::try_new(IndexType::Int8, items()).expect("numbers are plain");
    robbed(dictionary.with_values([1, 2, 3]), |it| it.append_with(keep_one));
    let runs = RunEndEncodedBuilder::new(RunEndType::Int32, items());
    robbed(runs.with_values([1, 2, 3]), |it| it.append_with(keep_one));
}

/// As before, but the caller removes the values before the append begins.
#[test]
fn values_that_were_taken_away_between_appends_are_missed_where_they_were() {
    let items = Int64Builder::new;
    let lists = || ListBuilder::new(items()).with_values([vec![1], vec![2, 3], vec![], vec![4]]);
    let appends: [fn(&mut ListBuilder<Int64Builder>); 5] = [
        |lists| lists.append(vec![3, 4, 5]),
        |lists| lists.append_iter([3]),
        |lists| lists.append_with(|items| items.append_slice(&[3, 4, 5, 6])),
        |lists| lists.append_null(),
        |lists| lists.close(),
    ];
    for append in appends {
        robbed(lists(), |lists| {
            lists.items_mut().truncate(1);
            append(lists);
        });
    }
    let mut lists = lists();
    lists.items_mut().truncate(1);
    assert_eq!(
        lists.finish().expect_err("three items are missing").to_string(),
        "3 items of preceding lists were removed; items can only be appended"
    );

    let views = || ListViewBuilder::new(items()).with_values([[1], [2], [3]]);
    let appends: [fn(&mut ListViewBuilder<Int64Builder>); 2] =
        [|views| views.append([3, 4, 5]), |views| views.append_repeated(0)];
    for append in appends {
        robbed(views(), |views| {
            views.items_mut().truncate(1);
            append(views);
        });
    }
    let sized = FixedSizeListBuilder::try_new(items(), 1).expect("1 is small");
    robbed(sized.with_values([[1], [2], [3]]), |lists| {
        lists.items_mut().truncate(1);
        lists.append([3]);
    });
    for both in [false, true] {
        let maps = MapBuilder::new(items(), items()).with_values([[(1, 1)], [(2, 2)], [(3, 3)]]);
        robbed(maps, |maps| {
            maps.entries_mut().1.truncate(1);
            if both {
                maps.entries_mut().0.truncate(1);
            }
            maps.append([(4, 4), (5, 5), (6, 6)]);
        });
    }
    for value in [Some(1), Some(2), Some(9), None] {
        let dictionary = DictionaryBuilder::try_new(IndexType::Int8, items()).expect("numbers are plain");
        robbed(dictionary.with_values([1, 2, 3]), |dictionary| {
            dictionary.values_mut().truncate(1);
            dictionary.append(value);
        });
        let runs = RunEndEncodedBuilder::new(RunEndType::Int32, items());
        robbed(runs.with_values([1, 2, 3]), |runs| {
            runs.values_mut().truncate(1);
            runs.append(value);
        });
    }
}

#[test]
fn an_earlier_failure_counts_before_a_later_one() {
    let mut builder = FixedSizeListBuilder::try_new(Int64Builder::new(), 1).expect("1 is small");
    builder.extend([vec![1], vec![2], vec![], vec![4]]);
    builder.append_with(|items| items.truncate(1));
    builder.truncate(2);
    assert!(builder.error().is_some());
}

#[test]
fn a_dictionary_forgets_values_that_were_taken_away() {
    let mut builder =
        DictionaryBuilder::try_new(IndexType::Int8, Int64Builder::new()).expect("numbers are plain");
    builder.extend([1, 2]);
    builder.append_with(|values| values.truncate(0));
    builder.truncate(0);
    builder.extend([1, 2, 3, 1]);
    check(builder, "dictionary<int8, int64> [1, 2, 3, 1]");
}

#[test]
fn runs_that_grew_too_long_fit_when_they_are_cut() {
    let mut runs = RunEndEncodedBuilder::new(RunEndType::Int16, Int64Builder::new());
    runs.append_nulls(40_000);
    assert!(runs.error().is_some());
    runs.truncate(32_767);
    assert_eq!(runs.finish().map(|runs| runs.len()), Ok(32_767));
}
