//! Hostile batches: reading them ends early or with an error, and uses little memory and stack.

use std::{collections::HashMap, fmt, sync::Arc, thread};

use arrow_array::{Int8Array, NullArray, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, IndexType, Schema, UnionMode, UnionType};
use arrow_serde::{BatchRows, RowWriter, SerdeErrorKind, to_batch, try_from_batch};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, EnumAccess, IgnoredAny, Visitor},
};
use testing_support::{batch_of, endless_nulls, endless_views};

use crate::{ALLOCATOR, dynamic::DynamicValue, schema};

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}

/// A megabyte of text.
fn text() -> ArrayData {
    let text = "x".repeat(1 << 20);
    Utf8Array::try_from_iter([text.as_str()]).expect("it is short").into_data()
}

/// A struct with a field of a long name.
fn long_name(n_bytes: usize) -> ArrayData {
    let fields = [Field::new("n".repeat(n_bytes), DataType::Int8)];
    let children = Some([Int8Array::from_iter([Some(1)]).into()].into());
    make(ArrayParts { children, ..ArrayParts::new(DataType::struct_(fields), 1) })
}

/// A union with a child of a long name.
fn long_variant(n_bytes: usize) -> ArrayData {
    let fields = vec![Field::new("n".repeat(n_bytes), DataType::Int8)];
    let union = UnionType::try_new(fields, None, UnionMode::Sparse).expect("one child");
    make(ArrayParts {
        buffers: [Buffer::copy_from(&[0]), Buffer::new()],
        children: Some([Int8Array::from_iter([Some(1)]).into()].into()),
        ..ArrayParts::new(DataType::Union(Arc::new(union)), 1)
    })
}

/// A decimal whose text is long.
fn decimal() -> ArrayData {
    let data_type = DataType::decimal32(9, 1_000).expect("there are such decimals");
    make(ArrayParts { buffers: [Buffer::from(vec![5_i32]), Buffer::new()], ..ArrayParts::new(data_type, 1) })
}

/// A list that has the same value 65,536 times.
fn repeated(values: ArrayData) -> ArrayData {
    let n = 1 << 16;
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).expect("no dictionary");
    let dictionary = Some(Arc::new(values));
    let buffers = [Buffer::from(vec![0_u8; n]), Buffer::new()];
    let items = make(ArrayParts { buffers, dictionary, ..ArrayParts::new(data_type, n) });
    let data_type = DataType::list(Field::new("item", items.data_type().clone()));
    let buffers = [Buffer::from(vec![0_i32, n as i32]), Buffer::new()];
    make(ArrayParts { buffers, children: Some([items].into()), ..ArrayParts::new(data_type, 1) })
}

#[test]
fn rows_unfold_within_their_budget() {
    let columns = [
        ("nulls", endless_nulls()),
        ("views", endless_views()),
        ("texts", repeated(text())),
        ("names", repeated(long_name(4 << 10))),
        ("variants", repeated(long_variant(4 << 10))),
        ("decimals", repeated(decimal())),
    ];
    for (name, column) in columns {
        let batch = batch_of(column);
        let rows = BatchRows::try_new(&batch).expect("it is valid");
        let (error, usage) = ALLOCATOR.measure(|| rows.row::<DynamicValue>(0).map(drop).expect_err(name));
        assert!(matches!(error.kind(), SerdeErrorKind::TooManyValues { .. }), "{name}: {error}");
        assert!(usage.peak_bytes < 256 << 20, "{name}: {usage:?}");
        // Values that are not read take no time.
        rows.row::<IgnoredAny>(0).expect(name);
    }
    let (error, usage) = ALLOCATOR.measure(|| {
        let rows =
            BatchRows::try_new(&batch_of(endless_nulls())).expect("it is valid").with_max_values(1_000);
        rows.row::<DynamicValue>(0).expect_err("there are more").to_string()
    });
    assert_eq!(error, "rows[0].c: the row has more than 1000 values and bytes of text together");
    assert!(usage.peak_bytes < 1 << 20, "{usage:?}");
}

/// Asserts that a column of one row takes this part of the budget of a row, and no less.
fn assert_cost<T: DeserializeOwned>(column: ArrayData, cost: u64) {
    let name = column.data_type().to_string();
    let batch = batch_of(column);
    let rows = |max| BatchRows::try_new(&batch).expect("it is valid").with_max_values(max);
    rows(cost).row::<T>(0).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Err(error) = rows(cost - 1).row::<T>(0) else { panic!("{name}: it takes less than {cost}") };
    assert!(matches!(error.kind(), SerdeErrorKind::TooManyValues { .. }), "{name}: {error}");
}

#[test]
fn text_counts_as_long_as_it_is() {
    let cases = [
        ("utf8", "abc"),
        ("binary", "00ff"),
        ("fixed_size_binary(2)", "00ff"),
        ("decimal32(9, 2)", "-0.01"),
        ("decimal256(70, -3)", "12000"),
        ("date32", "2024-02-29"),
        ("time64(us)", "12:34:56.000001"),
        ("timestamp(s, \"UTC\")", "2024-02-29T12:34:56Z"),
    ];
    for (data_type, text) in cases {
        let batch = to_batch(schema(&format!("c: {data_type}")), [(text,)]).expect(data_type);
        let column = &batch.columns()[0];
        assert_cost::<(String,)>(column.clone(), 1 + text.len() as u64);
        if !column.data_type().is_binary() {
            assert_cost::<(DynamicValue,)>(column.clone(), 1 + text.len() as u64);
        }
    }
}

#[test]
fn long_names_count_if_they_may_be_copied() {
    #[derive(Deserialize)]
    struct Empty {}

    // The column, and the value in it.
    for (n_bytes, cost) in [(1, 2), (64, 2), (65, 3), (1_064, 1_002)] {
        assert_cost::<(DynamicValue,)>(long_name(n_bytes), cost);
        assert_cost::<(HashMap<String, i8>,)>(long_name(n_bytes), cost);
        assert_cost::<(DynamicValue,)>(long_variant(n_bytes), cost);
        // A derived struct skips the field.
        assert_cost::<(Empty,)>(long_name(n_bytes), 2);
    }
    // The names of a batch never exceed the budget if each is read once.
    let fields: Vec<Field> = (0..64).map(|n| Field::new(format!("{n:0>50000}"), DataType::Null)).collect();
    let row = make(ArrayParts {
        children: Some((0..64).map(|_| NullArray::new(1).into()).collect()),
        ..ArrayParts::new(DataType::struct_(fields), 1)
    });
    let row = BatchRows::try_new(&batch_of(row)).expect("it is valid").row::<(HashMap<String, ()>,)>(0);
    assert_eq!(row.expect("it fits").0.len(), 64);
}

#[test]
fn each_number_of_an_interval_counts() {
    let cases = [
        ("interval(year_month)", &["months"][..]),
        ("interval(day_time)", &["days", "milliseconds"]),
        ("interval(month_day_nano)", &["months", "days", "nanoseconds"]),
    ];
    for (data_type, units) in cases {
        let interval: HashMap<&str, i32> = units.iter().map(|unit| (*unit, 1)).collect();
        let batch = to_batch(schema(&format!("c: {data_type}")), [(interval,)]).expect(data_type);
        assert_cost::<(DynamicValue,)>(batch.columns()[0].clone(), 1 + units.len() as u64);
    }
}

/// The name of a variant.
struct VariantName;

impl<'de> Deserialize<'de> for VariantName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VariantName, D::Error> {
        deserializer.deserialize_enum("", &[], VariantName)
    }
}

impl<'de> Visitor<'de> for VariantName {
    type Value = VariantName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an enum")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<VariantName, A::Error> {
        access.variant::<String>().map(|_| VariantName)
    }
}

#[test]
fn long_names_of_variants_count() {
    for (n_bytes, cost) in [(64, 1), (65, 2), (1_064, 1_001)] {
        assert_cost::<(VariantName,)>(long_variant(n_bytes), cost);
        let texts = Utf8Array::try_from_iter(["n".repeat(n_bytes).as_str()]).expect("it is short");
        assert_cost::<(VariantName,)>(texts.into_data(), cost);
    }
}

#[test]
fn any_number_of_rows_is_read_one_by_one() {
    let n_rows = 1 << 62;
    let batch = batch_of(NullArray::new(n_rows).into());
    let (rows, usage) = ALLOCATOR.measure(|| {
        let mut rows = try_from_batch::<(Option<i64>,)>(&batch).expect("it is valid");
        assert_eq!(rows.size_hint(), (1 << 16, Some(n_rows)));
        assert_eq!(rows.next().expect("there is a row").expect("it is null"), (None,));
        rows.nth(n_rows - 2).expect("there is a row").expect("it is null");
        rows.next().is_none()
    });
    assert!(rows && usage.peak_bytes < 1 << 16, "{usage:?}");
    let none = RecordBatch::try_new_with_rows(Schema::new([]), vec![], n_rows).expect("it has no columns");
    assert_eq!(try_from_batch::<DynamicValue>(&none).expect("it is valid").count(), n_rows);
}

#[test]
fn content_is_validated_before_rows_are_read() {
    let ids = UnionType::try_new(vec![Field::new("a", DataType::Null)], None, UnionMode::Sparse)
        .expect("one child");
    let union = make(ArrayParts {
        buffers: [Buffer::copy_from(&[7]), Buffer::new()],
        children: Some([NullArray::new(1).into()].into()),
        ..ArrayParts::new(DataType::Union(Arc::new(ids)), 1)
    });
    let text = make(ArrayParts {
        buffers: [Buffer::from(vec![0, 1]), Buffer::copy_from(b"\xff")],
        ..ArrayParts::new(DataType::Utf8, 1)
    });
    let offsets = make(ArrayParts {
        buffers: [Buffer::from(vec![5, 1]), Buffer::copy_from(b"abc")],
        ..ArrayParts::new(DataType::Binary, 1)
    });
    let data_type = DataType::dictionary(IndexType::Int8, DataType::Null).expect("no dictionary");
    let dictionary = Some(Arc::new(NullArray::new(1).into()));
    let index = make(ArrayParts {
        buffers: [Buffer::copy_from(&[1]), Buffer::new()],
        dictionary,
        ..ArrayParts::new(data_type, 1)
    });
    for column in [union, text, offsets, index] {
        let name = column.data_type().to_string();
        let error = BatchRows::try_new(&batch_of(column)).expect_err(&name);
        assert_eq!(error.path().to_string(), "c", "{name}: {error}");
    }
}

#[test]
fn a_dictionary_may_hold_endless_nulls() {
    let data_type = DataType::dictionary(IndexType::Int8, DataType::Int8).expect("no dictionary");
    let dictionary = Some(Arc::new(Int8Array::from_iter([None, Some(5)]).into()));
    let buffers = [Buffer::copy_from(&[1, 0, 1]), Buffer::new()];
    let batch = batch_of(make(ArrayParts { buffers, dictionary, ..ArrayParts::new(data_type, 3) }));
    let rows: Result<Vec<(Option<i8>,)>, _> = try_from_batch(&batch).expect("it is valid").collect();
    assert_eq!(rows.expect("they fit"), [(Some(5),), (None,), (Some(5),)]);
}

#[test]
fn nulls_of_a_few_bytes_take_bounded_memory() {
    let (error, usage) = ALLOCATOR.measure(|| {
        to_batch(schema("c: fixed_size_list<item: int64; 2000000000>"), [(None::<Vec<i64>>,)])
            .expect_err("it is long")
    });
    assert_eq!(error.to_string(), "rows[0].c: the nulls of the row take more than 268435456 bytes of memory");
    assert!(usage.peak_bytes < 1 << 20, "{usage:?}");
    let mut writer =
        RowWriter::try_new(schema("c: fixed_size_list<item: int64; 100>")).expect("it is not deep");
    writer = writer.with_max_null_bytes(800);
    writer.write(&(None::<Vec<i64>>,)).expect("it is as much as there may be");
    writer = writer.with_max_null_bytes(799);
    writer.write(&(None::<Vec<i64>>,)).expect_err("it is more");
}

/// A type of this depth, and a value of the type.
fn deep(
    depth: usize,
    wrap: fn(DataType) -> DataType,
    around: fn(DynamicValue) -> DynamicValue,
) -> (DataType, DynamicValue) {
    (1..depth).fold((DataType::Int8, DynamicValue::Signed(1)), |(data_type, value), _| {
        (wrap(data_type), around(value))
    })
}

#[test]
fn types_of_64_levels_need_little_stack() {
    let list = |value| DynamicValue::Items(vec![value]);
    let item = |value| DynamicValue::Entries(vec![(DynamicValue::Text("item".to_owned()), value)]);
    let struct_ = |child| DataType::struct_([Field::new("item", child)]);
    let union = |child| {
        let fields = vec![Field::new("item", child)];
        DataType::Union(Arc::new(UnionType::try_new(fields, None, UnionMode::Dense).expect("one child")))
    };
    let cases = [
        deep(64, |child| DataType::list(Field::new("item", child)), list),
        deep(64, struct_, item),
        deep(64, union, item),
    ];
    for (data_type, value) in cases {
        assert_eq!(data_type.depth(), 64);
        let schema = Schema::new([Field::new("c", data_type)]);
        let work = move || {
            let batch = to_batch(schema, [(&value,)]).expect("it fits");
            let (read,) =
                BatchRows::try_new(&batch).expect("it is valid").row::<(DynamicValue,)>(0).expect("it fits");
            assert_eq!(read, value);
        };
        let thread = thread::Builder::new().stack_size(512 << 10);
        thread.spawn(work).expect("a thread starts").join().expect("there is enough stack");
    }
}

#[test]
fn deeper_types_are_refused() {
    let (data_type, _) = deep(65, |child| DataType::list(Field::new("item", child)), |value| value);
    let schema = Schema::new([Field::new("c", data_type.clone())]);
    let errors = [
        RowWriter::try_new(schema).expect_err("it is deep"),
        BatchRows::try_new(&batch_of(ArrayData::new_empty(&data_type))).expect_err("it is deep"),
    ];
    for error in errors {
        assert_eq!(error.to_string(), "types nest deeper than the limit of 64 levels");
    }
}
