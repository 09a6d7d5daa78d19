//! Methods that return columns and children as typed arrays; their errors name the column.

use arrow_array::*;
use arrow_buffer::{Bitmap, Buffer, Values};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, TimeUnit, UnionMode};
use testing_support::{Generator, Nulls, all_types};

type Error = Box<dyn std::error::Error>;

/// `a` is a dictionary of text, `s` a struct of a list of numbers and of such a dictionary, `f` is true, false, null.
fn batch() -> Result<RecordBatch, Error> {
    let keys = Int8Array::from(vec![0, 1, 0]).into_data().into_parts();
    let words = ArrayData::try_new(ArrayParts {
        data_type: DataType::dictionary(IndexType::Int8, DataType::Utf8)?,
        dictionary: Some(Utf8Array::try_from_iter(["x", "y"])?.into_data().into()),
        ..keys
    })?;
    let lists = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0, 1, 2, 3]), Buffer::new()],
        children: Some([Int64Array::from(vec![7, 8, 9]).into()].into()),
        ..ArrayParts::new(DataType::list(Field::new("item", DataType::Int64)), 3)
    })?;
    let inner = RecordBatch::try_from_columns([("l.", lists), ("w", words.clone())])?;
    Ok(RecordBatch::try_from_columns([
        ("a", words),
        ("s", StructArray::try_from(&inner)?.into()),
        ("f", BooleanArray::from_iter([Some(true), Some(false), None]).into()),
    ])?)
}

#[test]
fn errors_name_the_column() -> Result<(), Error> {
    let batch = batch()?;
    let structs = batch.column_as::<StructArray>("s")?;
    let words = batch.column_as::<DictionaryArray>("a")?;
    let lists = structs.column_as::<ListArray>("l.")?;
    let runs = RunEndEncodedArray::try_from(ArrayData::try_new(ArrayParts {
        children: Some([Int32Array::from(vec![2]).into(), Int8Array::from(vec![1]).into()].into()),
        ..ArrayParts::new(DataType::run_end_encoded(RunEndType::Int32, DataType::Int8), 2)
    })?)?;
    let fields = [(0, Field::new("n", DataType::Int8)), (1, Field::new("m", DataType::Int8))];
    let numbers = || ArrayData::from(Int8Array::from(vec![5, 6]));
    let union = UnionArray::try_from(ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0i8, 1]), Buffer::new()],
        children: Some([numbers(), numbers()].into()),
        ..ArrayParts::new(DataType::union(UnionMode::Sparse, fields)?, 2)
    })?)?;
    let mut maps = MapBuilder::new(Utf8Builder::new(), Int32Builder::new());
    maps.append([("a", 1)]);
    let maps = maps.finish()?;

    let bad = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0, 9, 9, 9]), Buffer::from(vec![0u8])],
        ..ArrayParts::new(DataType::Utf8, 3)
    })?;
    let with_bad = batch.with_column(Field::new("bad", DataType::Utf8), bad)?;
    let cases = [
        (
            batch.column_as::<Int8Array>("a").map(drop),
            "field `a`: expected int8, found dictionary<int8, utf8>",
        ),
        (batch.column_as::<Int8Array>("b").map(drop), r#"no field is named "b""#),
        (
            with_bad.column_as::<Utf8Array>("bad").map(drop),
            "field `bad`, offsets, slot 0: offset 9 is out of bounds; the bytes or items end at 1",
        ),
        (
            batch.column_by_path_as::<Utf8Array>(r#"s."l.".item"#).map(drop),
            "field `s.\"l.\".item`: expected utf8, found list<item: int64>",
        ),
        (batch.column_by_path_as::<Utf8Array>("s.x").map(drop), r#"in s: no field is named "x""#),
        (batch.column_by_path_as::<Utf8Array>("").map(drop), "the path of the column is empty"),
        (
            structs.column_as::<Int8Array>("w").map(drop),
            "field `w`: expected int8, found dictionary<int8, utf8>",
        ),
        (
            structs.column_at_as::<Int8Array>(0).map(drop),
            "field `\"l.\"`: expected int8, found list<item: int64>",
        ),
        (batch.column_at_as::<Utf8Array>(2).map(drop), "field `f`: expected utf8, found bool"),
        (
            batch.column_at_as::<Utf8Array>(3).map(drop),
            "field 3 is out of bounds; there are 3 fields, counted from 0",
        ),
        (lists.items_as::<Utf8Array>().map(drop), "field `item`: expected utf8, found int64"),
        (words.decoded::<Int8Array>().map(drop), "field `<dictionary>`: expected int8, found utf8"),
        (runs.decoded::<Int16Array>().map(drop), "field `values`: expected int16, found int8"),
        (union.child_at_as::<Int16Array>(1).map(drop), "field `m`: expected int16, found int8"),
        (union.child_as::<Int16Array>("n").map(drop), "field `n`: expected int16, found int8"),
        (union.child_as::<Int8Array>("o").map(drop), r#"no field is named "o""#),
        (
            maps.entries_as::<Int8Array, Int32Array>().map(drop),
            "field `entries.key`: expected int8, found utf8",
        ),
        (
            maps.entries_as::<Utf8Array, Int8Array>().map(drop),
            "field `entries.value`: expected int8, found int32",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found.expect_err(expected).to_string(), expected);
    }
    assert_eq!(union.child_as::<Int8Array>("m")?.values(), [5, 6]);
    let items = batch.column_by_path_as::<ListArray>(r#"s."l.".item"#)?;
    assert_eq!(items.items_as::<Int64Array>()?.value(1).values(), [8]);
    Ok(())
}

#[test]
fn rows_are_filtered_by_what_is_true() -> Result<(), Error> {
    let batch = batch()?;
    let flags = batch.column_as::<BooleanArray>("f")?;
    assert_eq!(batch.filter_by(&flags)?.same_values(&batch.slice(0, 1)), Ok(true));
    let error = batch.filter_by(&flags.slice(1, 2)).expect_err("two bits for three rows");
    assert_eq!(error.to_string(), "the mask has 2 bits for 3 slots");

    let mut generator = Generator::new(3);
    for nulls in Nulls::ALL {
        for n_slots in [0, 1, 65, 200] {
            let array = BooleanArray::try_from(generator.sliced_array(&DataType::Boolean, n_slots, nulls))?;
            let expected: Bitmap = array.iter().map(|flag| flag == Some(true)).collect();
            assert_eq!(array.to_mask(), expected);
        }
    }
    Ok(())
}

#[test]
fn numbers_become_arrays_without_a_copy() -> Result<(), Error> {
    let numbers = vec![1u16, 2, 3];
    let address = numbers.as_ptr();
    let array = UInt16Array::from(numbers);
    assert_eq!((array.values().as_ptr(), array.null_count()), (address, 0));
    assert_eq!((array.data().checked(), array), (Validation::Content, UInt16Array::from_iter([1, 2, 3])));
    assert_eq!(IntervalYearMonthArray::from(Vec::<i32>::new()).len(), 0);

    let prices = DataType::decimal32(5, 2)?;
    let some =
        Decimal32Array::try_new(prices.clone(), vec![1999, 7], Some(Bitmap::from_iter([true, false])))?;
    assert_eq!(some, Decimal32Array::try_from_iter(prices.clone(), [Some(1999), None])?);
    let shared: Values<i32> = vec![1, 2, 3].into();
    let array = Decimal32Array::try_new(prices.clone(), shared.slice(1..), None)?;
    assert_eq!(array.values().as_ptr(), &raw const shared.as_slice()[1]);
    let cases = [
        (
            Decimal32Array::try_new(DataType::Int32, vec![1], None).map(drop),
            "expected decimal32, found int32",
        ),
        (
            Decimal32Array::try_new(prices, vec![1], Some(Bitmap::new_set(2))).map(drop),
            "validity: the bitmap has 2 bits for 1 slots",
        ),
        (
            DurationArray::try_new(DataType::timestamp(TimeUnit::Second), vec![1], None).map(drop),
            "expected duration, found timestamp(s)",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found.expect_err(expected).to_string(), expected);
    }
    Ok(())
}

/// A value has the same text alone as in a table. The JSON form of a nested value is the same in both.
#[test]
fn values_are_shown() -> Result<(), Error> {
    let mut generator = Generator::new(9);
    for (name, data_type) in all_types() {
        let array = generator.sliced_array(&data_type, 9, Nulls::Some);
        let any = AnyArray::try_new(&array)?;
        let json = ColumnText::try_new(&array, TextStyle::Json)?;
        for slot in 0..9 {
            let (shown, json) = (any.display(slot).to_string(), json.value(slot).to_string());
            let expected = match serde_json::from_str(&json)? {
                // A text that looks like a null is quoted.
                serde_json::Value::String(text) if text != "null" && !text.starts_with('"') => text,
                serde_json::Value::Number(number) if data_type.name() == "duration" => {
                    let unit = data_type.to_string().replace("duration(", "").replace(')', "");
                    format!("{number} {unit}")
                }
                _ => json,
            };
            assert_eq!(shown, expected, "{name}");
        }
        assert_eq!(any.display(9).to_string(), "null", "{name}");
    }
    Ok(())
}
