//! Access to offsets, values and children of arrays, and generic code over arrays.

use arrow_array::*;
use arrow_buffer::{Bitmap, Offsets};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};
use testing_support::{Generator, Nulls, all_types};

/// Uses only the methods of the trait.
fn halves<A: Array>(array: &A) -> [ArrayData; 2] {
    let middle = array.len() / 2;
    [array.slice(0, middle), array.slice(middle, array.len() - middle)].map(A::into_data)
}

#[test]
fn generic_code_slices() -> Result<(), ArrayError> {
    for (name, data_type) in all_types() {
        let data = Generator::new(1).array(&data_type, 9, Nulls::Some);
        let any = AnyArray::try_new(&data)?;
        let [left, right] = with_array!(&any, array => halves(array));
        assert_eq!((left.len(), right.len()), (4, 5), "{name}");
        assert!(AnyArray::try_from(right)? == any.slice(4, 5), "{name}");
    }
    Ok(())
}

#[test]
fn typed_maps_iterate_and_count_nulls() -> Result<(), ArrayError> {
    let mut maps = MapBuilder::new(Utf8Builder::new(), Int32Builder::new());
    maps.append([("a", Some(1)), ("b", None)]);
    maps.append_null();
    maps.append([("c", Some(3))]);
    let maps = maps.finish()?.entries_as::<Utf8Array, Int32Array>()?;
    let mut n_entries = Vec::new();
    for map in &maps {
        n_entries.push(map.map(|map| map.len()));
    }
    assert_eq!((n_entries, maps.null_count()), (vec![Some(2), None, Some(1)], 1));
    let mut iter = maps.iter();
    assert_eq!((iter.len(), iter.nth_back(0)), (3, Some(maps.get(2))));
    assert_eq!((iter.clone().count(), iter.clone().last(), iter.nth(1)), (2, Some(None), Some(None)));
    assert_eq!((iter.next(), iter.next_back()), (None, None));
    Ok(())
}

#[test]
fn nulls_are_counted_through() -> Result<(), ArrayError> {
    let mut lists = ListBuilder::new(Int32Builder::new());
    lists.extend([Some(vec![1, 2]), None]);
    assert_eq!(lists.finish()?.items_as::<Int32Array>()?.null_count(), 1);

    let value = DataType::Int32;
    let dictionary = DataType::dictionary(IndexType::Int8, value.clone())?;
    let runs = DataType::run_end_encoded(RunEndType::Int16, value);
    for nulls in Nulls::ALL {
        let mut generator = Generator::new(2);
        let array = DictionaryArray::try_from(generator.sliced_array(&dictionary, 40, nulls))?;
        check_null_count(&array.decoded::<Int32Array>()?);
        let array = RunEndEncodedArray::try_from(generator.sliced_array(&runs, 40, nulls))?;
        check_null_count(&array.decoded::<Int32Array>()?);
    }
    let keys = DictionaryArray::try_from(Generator::new(3).array(&dictionary, 5, Nulls::None))?;
    assert_eq!(keys.decoded::<Int32Array>()?.null_count(), 0);
    let nothing = NullArray::new(2).into_data();
    let runs = DataType::run_end_encoded(RunEndType::Int16, DataType::Null);
    let runs = RunEndEncodedArray::try_from(ArrayData::try_new(ArrayParts {
        children: Some([Int16Array::from_iter([2, 5]).into(), nothing].into()),
        ..ArrayParts::new(runs, 5)
    })?)?;
    assert_eq!(runs.decoded::<NullArray>()?.null_count(), 5);
    Ok(())
}

fn check_null_count<P: Positions>(decoded: &DecodedArray<P, Int32Array>) {
    let null_count = decoded.iter().filter(|value| value.is_none()).count();
    assert_eq!(decoded.null_count(), null_count, "{decoded:?}");
}

#[test]
fn parts_of_any_type() -> Result<(), Box<dyn std::error::Error>> {
    let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
    let rows = StructArray::try_from(&batch)?;
    assert!(matches!(rows.column_as::<AnyArray>("id")?, AnyArray::Int64(_)));
    assert_eq!(
        rows.column_as::<AnyArray>("no").unwrap_err(),
        rows.column_as::<Int64Array>("no").unwrap_err()
    );

    let mut union = UnionBuilder::try_new(UnionMode::Dense, (("id", Int64Builder::new()),))?;
    union.append_with(|(ids,)| ids.append(5));
    let union = union.finish()?;
    assert!(matches!(union.child_at_as::<AnyArray>(0)?, AnyArray::Int64(_)));
    assert!(matches!(union.child_as::<AnyArray>("id")?, AnyArray::Int64(_)));
    Ok(())
}

#[test]
fn structs_know_names() -> Result<(), Box<dyn std::error::Error>> {
    let fields = ["x", "y", "y"].map(|name| Field::new(name, DataType::Int32));
    let columns = [[1, 2], [3, 4], [5, 6]].map(|numbers| Int32Array::from_iter(numbers).into());
    let rows = StructArray::try_new(fields, columns, Some(Bitmap::from_iter([false, true])))?.slice(0, 2);
    let (null, row) = (rows.value(0), rows.value(1));
    assert_eq!(Int32Array::try_from(row.value("x")?)?.values(), [2]);
    assert_eq!((row.value_as::<Int32Array>("x")?.values(), row.fields().len()), ([2].as_slice(), 3));
    assert_eq!(
        row.value_as::<Utf8Array>("x").unwrap_err().to_string(),
        "field `x`: expected utf8, found int32"
    );
    for (row, name) in [(row, "y"), (row, "z"), (null, "x")] {
        assert!(row.value(name).is_err() && row.value_as::<Int32Array>(name).is_err(), "{name}");
    }
    assert_eq!(format!("{:?}", rows.slice(1, 1).value(0)), format!("{row:?}"));
    assert!(format!("{row:?}").contains('6') && !format!("{row:?}").contains('5'), "{row:?}");
    assert_eq!((format!("{null:?}").as_str(), null.fields().len()), ("null", 0));

    let long = [Utf8ViewArray::from_iter(["a".repeat(5000)]).into()];
    let long = StructArray::try_new([Field::new("text", DataType::Utf8View)], long, None)?;
    let shown = format!("{:?}", long.value(0));
    assert!(shown.len() < 1100 && shown.ends_with('…'), "{shown}");
    Ok(())
}

#[test]
fn raw_parts() -> Result<(), Box<dyn std::error::Error>> {
    for mode in [UnionMode::Dense, UnionMode::Sparse] {
        let mut union =
            UnionBuilder::try_new(mode, (("a", Int64Builder::new()), ("b", Int64Builder::new())))?;
        union.append_with(|(a, _)| a.append(5));
        union.append_with(|(_, b)| b.append(6));
        union.append_with(|(a, _)| a.append(7));
        let offsets = (mode == UnionMode::Dense).then_some([0, 0, 1].as_slice());
        assert_eq!(union.finish()?.offsets(), offsets);
    }
    for ends in [RunEndType::Int16, RunEndType::Int32, RunEndType::Int64] {
        let data_type = DataType::run_end_encoded(ends, DataType::Int32);
        let array = RunEndEncodedArray::try_from(Generator::new(1).array(&data_type, 40, Nulls::Some))?;
        assert_eq!(array.run_ends().len(), array.n_runs());
        let stored = AnyArray::try_new(&array.data().children()[0])?;
        let stored: Vec<_> =
            with_integer!(&stored, ends => ends.iter().flatten().map(i128::from).collect(), _ => vec![]);
        assert!(array.run_ends().map(|end| end as i128).eq(stored), "{ends}");
        assert!(array.slice(3, 4).run_ends().eq(array.run_ends()), "a slice shares them");
        let all = RunEndEncodedArray::try_new(array.data().children()[0].clone(), array.values().clone())?;
        assert_eq!(all.slice(array.data().offset(), array.len()), array);
    }
    for index in IndexType::ALL {
        let data_type = DataType::dictionary(index, DataType::Int32)?;
        let array =
            DictionaryArray::try_from(Generator::new(1).sliced_array(&data_type, 40, Nulls::Garbage))?;
        let indices = array.indices_as::<AnyArray>()?;
        let found: Vec<_> = with_integer!(&indices, stored => stored.iter().map(|index| index.map(i128::from)).collect(), _ => vec![]);
        assert!(found.into_iter().eq(array.iter().map(|at| at.map(|at| at as i128))), "{index}");
        assert!(array.indices_as::<Utf8Array>().is_err());
        let again = DictionaryArray::try_new(indices, array.values().clone())?;
        assert_eq!(again, array);
    }
    Ok(())
}

#[test]
fn arrays_of_parts() -> Result<(), Box<dyn std::error::Error>> {
    let bits = Bitmap::from_iter((0..70).map(|k| k % 3 == 0));
    let flags = BooleanArray::try_new(bits.slice(5, 60), Some(bits.slice(3, 60)))?;
    assert!((0..60).all(|k| flags.get(k) == ((k + 3) % 3 == 0).then_some((k + 5) % 3 == 0)));
    let numbers = || Int32Array::from_iter([1, 2, 3]);
    let nothing = StructArray::try_new([], [], Some(Bitmap::new_unset(4)))?;
    assert_eq!((nothing.len(), nothing.null_count()), (4, 4));
    let item = || Field::new("item", DataType::Int32);
    let large = LargeListArray::try_new(item(), Offsets::try_from_sizes([1, 2])?, numbers(), None)?;
    assert_eq!((large.range(1), large.data_type().to_string().starts_with("large_list")), (1..3, true));

    let one_bit = || Some(Bitmap::new_set(1));
    let with_null = || Int32Array::from_iter([Some(1), None]);
    let runs = |ends: Int32Array| RunEndEncodedArray::try_new(ends, numbers()).map(ArrayData::from);
    let errors: [Result<ArrayData, ArrayError>; 15] = [
        BooleanArray::try_new(bits.clone(), one_bit()).map(ArrayData::from),
        StructArray::try_new([item()], [], None).map(ArrayData::from),
        StructArray::try_new([item()], [numbers().into()], one_bit()).map(ArrayData::from),
        DictionaryArray::try_new(Float64Array::from_iter([0.0]), numbers()).map(ArrayData::from),
        DictionaryArray::try_new(Int8Array::from_iter([3]), numbers()).map(ArrayData::from),
        ListArray::try_new(item(), Offsets::try_from_sizes([4])?, numbers(), None).map(ArrayData::from),
        ListArray::try_new(item(), Offsets::try_from_sizes([1])?, flags, None).map(ArrayData::from),
        ListArray::try_new(item(), Offsets::try_from_sizes([1, 1])?, numbers(), one_bit())
            .map(ArrayData::from),
        StructArray::try_new([item().required()], [with_null().into()], None).map(ArrayData::from),
        ListArray::try_new(item().required(), Offsets::try_from_sizes([2])?, with_null(), None)
            .map(ArrayData::from),
        RunEndEncodedArray::try_new(Int8Array::from_iter([1]), numbers()).map(ArrayData::from),
        runs(Int32Array::from_iter([1, 2, 3, 4])),
        runs(Int32Array::from_iter([Some(1), None, Some(3)])),
        runs(Int32Array::from_iter([2, 1, 3])),
        runs(Int32Array::from_iter([-3, -2, -1])),
    ];
    let found = errors.map(|result| result.unwrap_err().to_string());
    let expected = [
        "validity: the bitmap has 1 bits for 70 slots",
        "expected 1 children, found 0",
        "validity: the bitmap has 1 bits for 3 slots",
        "expected an integer, found float64",
        "values, slot 0: index 3 is out of bounds; the dictionary has 3 values",
        "offsets, slot 0: offset 4 is out of bounds; the bytes or items end at 3",
        "field `item`: expected int32, found bool",
        "validity: the bitmap has 1 bits for 2 slots",
        "field `item`, validity, slot 1: the value is null, but the field is not nullable",
        "field `item`, validity, slot 1: the value is null, but the field is not nullable",
        "expected int16, int32 or int64, found int8",
        "the array has 4 run ends and 3 values; each run needs a value",
        "field `run_ends`, validity, slot 1: run ends must not be null",
        "field `run_ends`, values, slot 1: run end 1 is not greater than the start of its run, 2",
        "field `run_ends`, values, slot 0: run end -3 is not greater than the start of its run, 0",
    ];
    assert_eq!(found, expected);
    // A null below a null struct is no null of the field.
    let below_null = Some(Bitmap::from_iter([true, false]));
    let structs = StructArray::try_new([item().required()], [with_null().into()], below_null)?;
    assert_eq!((structs.value(0) == structs.value(1), structs.value(1) == structs.value(1)), (false, true));
    let without_fields = StructArray::try_new([], [], Some(Bitmap::from_iter([true, false])))?;
    assert_ne!(without_fields.value(0), without_fields.value(1));
    Ok(())
}

/// A run may end past all slots that an array can have. On targets of 32 bits, such an end does not even fit `usize`.
#[test]
fn runs_end_past_the_array() {
    let ends = Int64Array::from_iter([1, 5_000_000_000]).into_data();
    let values = Int8Array::from_iter([Some(7), None]).into_data();
    let parts = ArrayParts::new(DataType::run_end_encoded(RunEndType::Int64, DataType::Int8), 3);
    let data = ArrayData::try_new(ArrayParts { children: Some([ends, values].into()), ..parts });
    let runs = RunEndEncodedArray::try_from(data.expect("two runs")).expect("the last end is late enough");
    let end = usize::try_from(5_000_000_000_u64).unwrap_or(usize::MAX);
    assert_eq!(runs.run_ends().collect::<Vec<_>>(), [1, end]);
    assert_eq!([0, 1, 2].map(|run| runs.run_slots(run)), [0..1, 1..3, 3..3]);
    let found = runs.iter().fold(Vec::new(), |mut found, run| {
        found.push(run);
        found
    });
    assert_eq!(found, [Some(0), Some(1), Some(1)]);
    assert!(runs.iter().rev().eq(found.into_iter().rev()));
    let decoded = runs.decoded::<Int8Array>().expect("numbers");
    assert_eq!((decoded.null_count(), decoded.iter().collect::<Vec<_>>()), (2, vec![Some(7), None, None]));
}

#[cfg(target_pointer_width = "64")]
#[test]
fn iterators_jump_over_long_runs() {
    let mut runs = RunEndEncodedBuilder::new(RunEndType::Int64, Int8Builder::new());
    runs.append_nulls(1 << 59);
    runs.append(7);
    runs.append_nulls(1 << 60);
    let runs = runs.finish().expect("three runs");
    let decoded = runs.decoded::<Int8Array>().expect("numbers");
    assert_eq!((decoded.null_count(), decoded.len()), (3 << 59, (3 << 59) + 1));
    for (start, n_slots, null_count) in [(0, 0, 0), (1 << 59, 1, 0), ((1 << 59) - 2, 5, 4), (5, 9, 9)] {
        let decoded = runs.slice(start, n_slots).decoded::<Int8Array>().expect("numbers");
        assert_eq!(decoded.null_count(), null_count, "{start}");
    }
    for n in [0, (1 << 59) - 1, 1 << 59, (1 << 59) + 1, 3 << 59, usize::MAX] {
        assert_eq!((runs.iter().nth(n), runs.iter().count()), (runs.get(n).map(Some), runs.len()));
        let value = (n < runs.len()).then(|| decoded.get(n));
        assert_eq!((decoded.iter().nth(n), decoded.iter().count()), (value, runs.len()));
        let from_end = runs.len().checked_sub(1).and_then(|last| last.checked_sub(n));
        assert_eq!(runs.iter().nth_back(n), from_end.map(|slot| runs.get(slot)));
        assert_eq!(decoded.iter().nth_back(n), from_end.map(|slot| decoded.get(slot)));
    }
    assert_eq!((runs.iter().last(), decoded.iter().last()), (Some(Some(2)), Some(None)));
}
