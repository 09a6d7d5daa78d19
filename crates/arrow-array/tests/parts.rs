//! Access to the parts of arrays, and generic code over them.

use arrow_array::*;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, IndexType, RunEndType, UnionMode};
use testing_support::{Generator, Nulls, all_types};

/// What generic code does that knows no more than the trait.
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

fn check_null_count<P: Positions>(decoded: &Decoded<P, Int32Array>) {
    let n_nulls = decoded.iter().filter(|value| value.is_none()).count();
    assert_eq!(decoded.null_count(), n_nulls, "{decoded:?}");
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
    assert!(matches!(union.child_as::<AnyArray>(0)?, AnyArray::Int64(_)));
    assert!(matches!(union.child_named::<AnyArray>("id")?, AnyArray::Int64(_)));
    Ok(())
}
