//! A builder stores its first error, reports it once, and drops it when its slot is removed.

use arrow_array::{
    AnyBuilder, AppendTo, ArrayError, Builder, Date64Array, Decimal, Decimal32Array, Decimal32Builder,
    Decimal128Builder, Decimal256Array, DictionaryBuilder, FixedSizeBinaryBuilder, FixedSizeListBuilder,
    Int8Builder, Int64Builder, LargeListBuilder, ListBuilder, ListViewBuilder, MapBuilder, NullBuilder,
    RunEndEncodedBuilder, Scalar, StructBuilder, Time32Array, Time64Array, UInt8Builder, UnionBuilder,
    Utf8Builder, append_text,
};
use arrow_data::{ArrayData, Validation};
use arrow_schema::{DataType, Field, IndexType, KeyOrder, MapType, RunEndType, UnionMode};

/// One more item than offsets of 32 bits can count. Nulls take no memory.
const TOO_MANY: usize = 1 << 31;

const TOO_MANY_ITEMS: &str = "the values have at least 2147483648 items; the limit of int32 offsets is 2147483647; \
                              use the large type";

/// Checks the error of a builder whose third slot fails because of `act`.
fn fails<B: Builder + Clone>(mut builder: B, act: impl FnOnce(&mut B), message: &str) {
    builder.append_nulls(2);
    act(&mut builder);
    assert_eq!(builder.error().map(|error| error.to_string()).as_deref(), Some(message));
    assert_eq!(builder.len(), 3, "{message}: the slot is there");
    // The error is dropped with its slot.
    let mut other = builder.clone();
    other.truncate(2);
    assert_eq!(other.error(), None, "{message}");
    assert_eq!(other.finish_data().expect(message).len(), 2, "{message}");
    // The error stays after later appends.
    builder.append_null();
    let error = builder.finish_data().expect_err(message);
    assert_eq!(error.to_string(), message);
    // The error is reported once. Then the builder is like a new one.
    assert_eq!((builder.len(), builder.error()), (0, None), "{message}");
    builder.append_null();
    assert_eq!(builder.finish_data().expect(message).len(), 1, "{message}");
}

fn bytes(n_bytes: u32) -> FixedSizeBinaryBuilder {
    FixedSizeBinaryBuilder::try_new(n_bytes).expect("a small number")
}

fn dictionary<B: Builder>(index: IndexType, values: B) -> DictionaryBuilder<B> {
    DictionaryBuilder::try_new(index, values).expect("the values are plain")
}

#[test]
fn too_many_items() {
    let nulls = NullBuilder::new;
    let append = |items: &mut NullBuilder| items.append_nulls(TOO_MANY);
    fails(ListBuilder::new(nulls()), |lists| lists.append_with(append), TOO_MANY_ITEMS);
    fails(ListViewBuilder::new(nulls()), |lists| lists.append_with(append), TOO_MANY_ITEMS);
    let pairs = |keys: &mut NullBuilder, values: &mut NullBuilder| {
        append(keys);
        append(values);
    };
    // Maps have no type with longer offsets.
    let too_many_entries =
        TOO_MANY_ITEMS.replace("items", "entries").replace("use the large type", "build several arrays");
    fails(MapBuilder::new(nulls(), nulls()), |maps| maps.append_with(pairs), &too_many_entries);
    // One item fewer is no error, and the large type has no such limit.
    let mut lists = ListBuilder::new(nulls());
    lists.append_with(|items| items.append_nulls(TOO_MANY - 1));
    assert_eq!(lists.finish().expect("they just fit").range(0), 0..TOO_MANY - 1);
    #[cfg(target_pointer_width = "64")]
    {
        let mut lists = LargeListBuilder::new(nulls());
        (0..3).for_each(|_| lists.append_with(append));
        assert_eq!(lists.finish().expect("64 bits suffice").range(2), 2 * TOO_MANY..3 * TOO_MANY);
    }
}

#[test]
fn values_of_the_wrong_size() {
    fails(bytes(4), |ids| ids.append(b"abc"), "the value has 3 bytes; the type needs 4");
    let pairs = FixedSizeListBuilder::try_new(Int64Builder::new(), 2).expect("2 is small");
    fails(pairs, |pairs| pairs.append(vec![1, 2, 3]), "the list has 3 items; the type needs 2");
    fails(
        MapBuilder::new(Utf8Builder::new(), Int64Builder::new()),
        |maps| {
            maps.append_with(|keys, values| {
                keys.append("a");
                values.append_slice(&[1, 2]);
            });
        },
        "the map has 1 keys and 2 values; each key needs one value",
    );
    fails(
        StructBuilder::new((("a", Int64Builder::new()), ("b c", Int64Builder::new()))),
        |rows| rows.append_with(|(_, column)| column.append_slice(&[2, 3])),
        "field `b c`: the column has 4 values; the struct array has 3",
    );
    let two_values = "expected one value for the slot, found 2";
    let append = |values: &mut Int64Builder| values.append_slice(&[2, 3]);
    fails(dictionary(IndexType::Int8, Int64Builder::new()), |it| it.append_with(append), two_values);
    fails(
        RunEndEncodedBuilder::new(RunEndType::Int32, Int64Builder::new()),
        |it| it.append_with(append),
        two_values,
    );
}

#[test]
fn what_is_wrong_below_is_found() {
    let too_long = "the value has 2 bytes; the type needs 1";
    let ab = || Some(b"ab".as_slice());
    fails(ListBuilder::new(bytes(1)), |it| it.append([ab()]), &format!("field `item`: {too_long}"));
    fails(
        ListViewBuilder::new(dictionary(IndexType::Int8, bytes(1))),
        |it| it.append([None, ab(), None, ab()]),
        &format!("field `item.<dictionary>`: {too_long}"),
    );
    fails(
        RunEndEncodedBuilder::new(RunEndType::Int32, bytes(1)),
        |it| it.append(ab()),
        &format!("field `values`: {too_long}"),
    );
    fails(
        StructBuilder::new((("a", Int64Builder::new()), ("b", ListBuilder::new(bytes(1))))),
        |it| it.append((1, vec![ab()])),
        &format!("field `b.item`: {too_long}"),
    );
    fails(
        MapBuilder::new(Utf8Builder::new(), bytes(1)),
        |it| it.append([("a", ab())]),
        &format!("field `entries.value`: {too_long}"),
    );
    fails(
        UnionBuilder::try_new(UnionMode::Dense, (("a", NullBuilder::new()), ("b", bytes(1)))).expect("two"),
        |it| it.append_with(|(_, bytes)| bytes.append(ab())),
        &format!("field `b`: {too_long}"),
    );
    // The error is the same if the enclosing slot equals an earlier one.
    let structs = StructBuilder::new((("a", bytes(1)),));
    fails(
        dictionary(IndexType::Int8, structs).with_values([(None,), (ab(),)]).truncated(0),
        |it| it.extend([(ab(),)]),
        &format!("field `<dictionary>.a`: {too_long}"),
    );
}

/// Returns a builder without its slots, for the table above.
trait TruncateBuilder {
    fn truncated(self, n_slots: usize) -> Self;
}

impl<B: Builder> TruncateBuilder for B {
    fn truncated(mut self, n_slots: usize) -> Self {
        self.truncate(n_slots);
        self
    }
}

#[test]
fn encodings_that_are_full() {
    let mut numbers = dictionary(IndexType::Int8, UInt8Builder::new()).with_values(0..=127);
    assert_eq!(numbers.error(), None);
    numbers.append(0);
    numbers.append(128);
    numbers.append(5);
    let message = "the array has more than 128 different values, the limit of int8 indices; use a wider type";
    assert_eq!(numbers.error().map(|error| error.to_string()).as_deref(), Some(message));
    // Values between were removed as well. Earlier values are still found in the dictionary.
    numbers.truncate(129);
    numbers.append(127);
    let numbers = numbers.finish().expect("128 values");
    assert_eq!((numbers.len(), numbers.values().len(), numbers.index(129)), (130, 128, Some(127)));
    let all = dictionary(IndexType::UInt8, UInt8Builder::new()).with_values(0..=255).finish();
    assert_eq!(all.expect("256 values").index(255), Some(255));

    let mut runs = RunEndEncodedBuilder::new(RunEndType::Int16, Int8Builder::new());
    runs.append(1);
    runs.append_nulls(32_766);
    assert_eq!(runs.error(), None);
    runs.append(None);
    runs.append(2);
    let message = "32768 slots are too many for int16 run ends; the limit is 32767";
    assert_eq!(runs.error().map(|error| error.to_string()).as_deref(), Some(message));
    runs.truncate(32_767);
    let runs = runs.finish().expect("the last one that fits");
    assert_eq!((runs.len(), runs.run_slots(1)), (32_767, 1..32_767));
}

/// Appends a value to each child in the list.
struct ChildList(&'static [usize]);

impl AppendTo<(Int64Builder, Int64Builder)> for ChildList {
    fn append_to(self, (a, b): &mut (Int64Builder, Int64Builder)) {
        self.0.iter().for_each(|child| if *child == 0 { a.append(1) } else { b.append(2) });
    }
}

#[test]
fn a_value_of_a_union_goes_to_one_child() {
    for mode in [UnionMode::Sparse, UnionMode::Dense] {
        for (children, message) in [
            (&[][..], "expected one value for the slot, found 0"),
            (&[0, 1], "expected one value for the slot, found 2"),
            (&[1, 1], "expected one value for the slot, found 2"),
        ] {
            let pairs = (("a", Int64Builder::new()), ("b", Int64Builder::new()));
            let mut union = UnionBuilder::try_new(mode, pairs).expect("two children");
            union.extend([ChildList(&[0]), ChildList(&[1]), ChildList(children), ChildList(&[1])]);
            assert_eq!(union.error().map(|error| error.to_string()).as_deref(), Some(message));
            assert_eq!(union.len(), 4, "the slot is there");
            union.truncate(3);
            assert!(union.error().is_some());
            union.truncate(2);
            union.append(ChildList(&[0]));
            let union = union.finish().expect("one child each");
            assert_eq!(union.type_ids(), [0, 1, 0]);
        }
    }
}

#[test]
fn nulls_that_no_child_of_a_union_can_store() {
    let nulls = || (("a", NullBuilder::new()), ("b", Int64Builder::new()));
    let mut union = UnionBuilder::try_new(UnionMode::Dense, nulls()).expect("two children");
    union.append_nulls(2);
    for n_slots in [TOO_MANY, usize::MAX] {
        let mut union = union.clone();
        union.append_nulls(n_slots);
        let error = union.error().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("values of a child"), "{error}");
        union.truncate(2);
        assert_eq!(union.finish().map(|union| union.len()), Ok(2));
    }
    let mut empty = UnionBuilder::try_new(UnionMode::Dense, Vec::<(&str, AnyBuilder)>::new()).expect("none");
    empty.append_nulls(usize::MAX);
    assert!(empty.finish().is_err());
}

#[test]
fn items_that_were_taken_away_are_missed() {
    let mut lists = ListBuilder::new(Int64Builder::new()).with_values([vec![1, 2]]);
    lists.append_with(|items| items.truncate(1));
    let error = lists.finish().expect_err("a list has lost an item");
    assert_eq!(error.to_string(), "1 items of preceding lists were removed; items can only be appended");
}

#[test]
fn types_that_do_not_fit() {
    let item = |data_type| Field::new("element", data_type).required();
    let lists = || ListBuilder::new(Int64Builder::new());
    let fine = lists().with_type(DataType::list(item(DataType::Int64))).expect("another name only");
    assert_eq!(fine.data_type().to_string(), "list<element: int64 not null>");
    let cases = [
        (
            lists().with_type(DataType::list(item(DataType::Int32))).map(|_| ()),
            "field `element`: the field has the type int32; its builder makes int64",
        ),
        (
            lists().with_type(DataType::large_list(item(DataType::Int64))).map(|_| ()),
            "expected list, found large_list<element: int64 not null>",
        ),
        (
            StructBuilder::new((("a", Int64Builder::new()),)).with_fields([]).map(|_| ()),
            "expected 0 children, found 1",
        ),
        (
            DictionaryBuilder::try_new(IndexType::Int8, dictionary(IndexType::Int8, Int8Builder::new()))
                .map(|_| ()),
            "the value type of a dictionary cannot be a dictionary itself, found dictionary<int8, int8>",
        ),
        (
            StructBuilder::new((("a", Int64Builder::new()),))
                .with_values([Some((1,)), None])
                .finish_batch()
                .map(|_| ()),
            "1 of the structs are null; rows of a batch cannot be null",
        ),
    ];
    for (result, message) in cases {
        assert_eq!(result.map_err(|error| error.to_string()), Err(message.to_owned()));
    }
    let words = || dictionary(IndexType::Int8, Utf8Builder::new());
    for (index, value) in [(IndexType::Int16, DataType::Utf8), (IndexType::Int8, DataType::Binary)] {
        let other = DataType::dictionary(index, value).expect("a plain value");
        let message = format!("the field has the type {other}; its builder makes dictionary<int8, utf8>");
        assert_eq!(words().with_type(other).map(|_| ()).map_err(|error| error.to_string()), Err(message));
    }
    assert!(words().with_type(DataType::Utf8).is_err());
}

#[test]
fn keys_of_maps_are_not_null() {
    let mut maps = MapBuilder::new(Utf8Builder::new(), Int64Builder::new());
    maps.append([(Some("a"), 1), (None, 2)]);
    let error = maps.finish().expect_err("a key is null");
    assert_eq!(
        error.to_string(),
        "field `entries.key`, validity, slot 1: the value is null, but the field is not nullable"
    );
    // This is an error even if the type declares the key nullable.
    let nullable = Field::new("key", DataType::Utf8);
    let entries = DataType::struct_([nullable, Field::new("value", DataType::Int64)]);
    let loose =
        MapType::try_new(Field::new("entries", entries).required(), KeyOrder::Unsorted).expect("pairs");
    let mut maps = maps.with_type(loose.into()).expect("the same types");
    maps.append([(Some("a"), 1), (None, 2)]);
    let error = maps.finish().expect_err("a key is null");
    assert_eq!(error.to_string(), "field `entries.key`, validity, slot 1: keys of a map must not be null");
}

#[test]
fn decimals_that_do_not_fit() {
    let builder =
        || Decimal32Builder::try_new(DataType::decimal32(4, 2).expect("4 digits")).expect("a decimal");
    let mut fine = builder();
    fine.extend([Decimal::new(1, 0), Decimal::new(-15, 1), Decimal::new(9_999, 2), Decimal::new(1_000, 4)]);
    fine.append(Some(Decimal::new(5, -1)));
    fine.append(None::<Decimal<i32>>);
    fine.append(7);
    let shown = format!("{:?}", fine.finish().expect("all fit"));
    assert_eq!(shown, r#"decimal32(4, 2) ["1.00", "-1.50", "99.99", "0.10", "50.00", null, "0.07"]"#);
    for (value, shown) in [
        (Decimal::new(100, 0), "100"),
        (Decimal::new(1, 3), "0.001"),
        (Decimal::new(10_000, 2), "100.00"),
        (Decimal::new(i32::MIN, 0), "-2147483648"),
        (Decimal::new(1, i32::MIN), "1e2147483648"),
    ] {
        let message = format!("{shown} does not fit into a precision of 4 and a scale of 2");
        fails(builder(), |decimals| decimals.append(value), &message);
        fails(builder(), |decimals| decimals.extend([value]), &message);
        fails(
            dictionary(IndexType::Int8, builder()),
            |it| it.append(value),
            &format!("field `<dictionary>`: {message}"),
        );
    }
    let wide = DataType::decimal256(76, 0).expect("76 digits");
    let wide = Decimal256Array::try_from_iter(wide, [i128::MAX, i128::MIN]).expect("they fit");
    assert_eq!(wide.decimal(1).map(|value| value.to_string()), Some(i128::MIN.to_string()));
}

#[test]
fn numbers_outside_of_the_range() {
    let type_of = |text: &str| text.parse::<DataType>().expect(text);
    let error = |made: Result<ArrayData, ArrayError>| made.expect_err("it does not fit").to_string();
    let (decimal, seconds, nanos) =
        (type_of("decimal128(5, 2)"), type_of("time32(s)"), type_of("time64(ns)"));
    let builder = || Decimal128Builder::try_new(decimal.clone()).expect("a decimal");
    let too_long = "values, slot 0: the decimal has more than 5 digits: its unscaled value is 100000";
    assert_eq!(error(builder().with_values([100_000_i128]).finish_data()), too_long);
    assert_eq!(Scalar::try_build(builder(), 100_000_i128).unwrap_err().to_string(), too_long);
    let lists = ListBuilder::new(builder()).with_values([[100_000_i128]]).finish_data();
    assert_eq!(error(lists), format!("field `item`, {too_long}"));
    let mut any = AnyBuilder::new(&seconds);
    if let AnyBuilder::Time32(times) = &mut any {
        times.append_slice(&[0, -1]);
    }
    assert_eq!(
        error(any.finish_data()),
        "values, slot 1: the time -1 is not within a day, from 0 to less than 86400"
    );
    for (made, message) in [
        (
            Decimal32Array::try_from_iter(type_of("decimal32(2, 0)"), [None, Some(-100)])
                .map(ArrayData::from),
            "values, slot 1: the decimal has more than 2 digits: its unscaled value is -100",
        ),
        (
            Time32Array::try_from_iter(seconds, [86_399, 86_400]).map(ArrayData::from),
            "values, slot 1: the time 86400 is not within a day, from 0 to less than 86400",
        ),
        (
            Time64Array::try_from_iter(nanos, [i64::MAX]).map(ArrayData::from),
            "values, slot 0: the time 9223372036854775807 is not within a day, from 0 to less than 86400000000000",
        ),
        (
            Date64Array::try_from_iter(DataType::Date64, [1]).map(ArrayData::from),
            "values, slot 0: the date64 1 is not a multiple of 86400000, one day",
        ),
    ] {
        assert_eq!(error(made), message);
    }
    // Nothing reports what `from_iter` makes, which has no error, or what a builder was told to accept.
    assert_eq!(Date64Array::from_iter([1]).data().checked(), Validation::Content);
    let mut builder = builder().with_values([100_000_i128]);
    builder.skip_range_check();
    assert_eq!(builder.finish().map(|array| array.len()), Ok(1));
    assert!(builder.with_values([100_000_i128]).finish().is_err());
}

/// Text of times may be outside of a day. Text that is no time leaves the check of other times as it was.
#[test]
fn text_that_fails_does_not_change_what_is_checked() {
    for (text, n_slots) in [("nonsense", None), ("86400", Some(2))] {
        let mut builder = AnyBuilder::new(&"time32(s)".parse().expect("a type"));
        if let AnyBuilder::Time32(times) = &mut builder {
            times.append(86_400);
        }
        assert_eq!(append_text(&mut builder, text).is_ok(), n_slots.is_some());
        assert_eq!(builder.finish().ok().map(|array| array.len()), n_slots, "{text}");
    }
}

#[test]
fn fields_that_are_not_nullable_have_no_nulls() {
    let null = "the value is null, but the field is not nullable";
    let required = |data_type| Field::new("x", data_type).required();
    // A null below a null parent is not a null of the field.
    let rows = || {
        let rows = StructBuilder::new((("x", Int8Builder::new()),));
        rows.with_fields([required(DataType::Int8)]).expect("the same type")
    };
    assert_eq!(rows().with_values([Some((1,)), None]).finish().expect("no null").null_count(), 1);
    let lists = ListBuilder::new(rows().with_values([(1,)]));
    let inner = lists.data_type().children()[0].data_type().clone();
    let lists =
        || ListBuilder::new(rows()).with_type(DataType::list(required(inner.clone()))).expect("the same");
    let cases = [
        (
            rows().with_values([(Some(1),), (None,)]).finish().map(|_| ()),
            format!("field `x`, validity, slot 1: {null}"),
        ),
        (
            lists().with_values([vec![Some((1,))], vec![None]]).finish().map(|_| ()),
            format!("field `x`, validity, slot 1: {null}"),
        ),
        (
            MapBuilder::new(Int8Builder::new(), Int8Builder::new())
                .with_type(DataType::map(Field::new("key", DataType::Int8), required(DataType::Int8)))
                .expect("the same types")
                .with_values([[(1, None)]])
                .finish()
                .map(|_| ()),
            format!("field `entries.x`, validity, slot 0: {null}"),
        ),
    ];
    for (result, message) in cases {
        assert_eq!(result.map_err(|error| error.to_string()), Err(message));
    }
    assert_eq!(lists().with_values([None, Some(Vec::<(i8,)>::new())]).finish().expect("no items").len(), 2);
}
