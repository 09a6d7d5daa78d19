//! Typed access to lists, maps, structs, unions and batches, compared with untyped access for random arrays.

use arrow_array::*;
use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{DataType, Field, FixedSize, LookupError};
use testing_support::{Generator, Nulls};

type Error = Box<dyn std::error::Error>;

/// Calls `check` with whole arrays and slices of a type, with nulls.
fn for_arrays(data_type: &DataType, mut check: impl FnMut(ArrayData)) {
    let mut generator = Generator::new(7);
    for nulls in Nulls::ALL {
        for n_slots in [0, 1, 7, 70] {
            check(generator.array(data_type, n_slots, nulls));
            check(generator.sliced_array(data_type, n_slots, nulls));
        }
    }
}

fn item() -> Field {
    Field::new("item", DataType::Int64)
}

/// Checks that typed items equal the items in the array of each slot.
fn check_lists<L: Lists>(lists: &L, typed: &TypedLists<L, Int64Array>) {
    assert_eq!((typed.len(), typed.is_empty()), (lists.len(), lists.is_empty()));
    assert_eq!(typed.iter().len(), lists.len());
    for (slot, (items, data)) in typed.iter().zip(lists.iter()).enumerate() {
        assert_eq!((typed.is_valid(slot), typed.is_null(slot)), (data.is_some(), data.is_none()));
        assert_eq!(typed.get(slot), items);
        let Some((items, data)) = items.zip(data) else {
            assert!(typed.value(slot).is_empty());
            continue;
        };
        let array = Int64Array::try_from(data).expect("items of that type");
        assert_eq!((items.to_array(), items.len()), (array.clone(), array.len()));
        assert!(items.iter().eq(&array) && items.iter().rev().eq(array.iter().rev()));
        assert_eq!((items.values(), items.slots()), (array.values(), typed.range(slot)));
        for n in 0..=array.len() {
            assert_eq!(
                (items.get(n), items.is_valid(n), items.is_null(n)),
                (array.get(n), array.is_valid(n), array.is_null(n))
            );
        }
    }
    let backward: Vec<_> = typed.iter().rev().collect();
    assert!(typed.iter().eq(backward.into_iter().rev()));
    assert!(typed.get(typed.len()).is_none() && typed.get(usize::MAX).is_none());
}

#[test]
fn lists_of_numbers() {
    let size = FixedSize::try_from(3).expect("a small size");
    macro_rules! check {
        ($($array:ident = $data_type:expr;)*) => {$(
            for_arrays(&$data_type, |data| {
                let lists = $array::try_from(data).expect("generated arrays are valid");
                check_lists(&lists, &lists.items_as().expect("items of that type"));
            });
        )*};
    }
    check! {
        ListArray = DataType::List(item().into());
        LargeListArray = DataType::LargeList(item().into());
        ListViewArray = DataType::ListView(item().into());
        LargeListViewArray = DataType::LargeListView(item().into());
        FixedSizeListArray = DataType::FixedSizeList(item().into(), size);
    }
    let lists = ListArray::try_from(ArrayData::new_empty(&DataType::List(item().into()))).expect("no slots");
    let error = lists.items_as::<Utf8Array>().expect_err("the items are numbers");
    assert_eq!(error.to_string(), "field `item`: expected utf8, found int64");
}

#[test]
fn maps_as_pairs() {
    let key = Field::new("key", DataType::Utf8).required();
    for_arrays(&DataType::map(key, Field::new("value", DataType::Int64)), |data| {
        let maps = MapArray::try_from(data).expect("generated arrays are valid");
        let typed = maps.entries_as::<Utf8Array, Int64Array>().expect("of these types");
        assert_eq!(typed.iter().len(), maps.len());
        for (slot, (pairs, entries)) in typed.iter().zip(&maps).enumerate() {
            assert_eq!((typed.is_valid(slot), typed.is_null(slot)), (entries.is_some(), entries.is_none()));
            let Some((pairs, entries)) = pairs.zip(entries) else {
                assert!(typed.get(slot).is_none() && typed.value(slot).is_empty());
                continue;
            };
            let keys = Utf8Array::try_from(entries.keys()).expect("text");
            let values = Int64Array::try_from(entries.values()).expect("numbers");
            assert_eq!((pairs.len(), pairs.iter().len()), (entries.len(), entries.len()));
            assert!(pairs.iter().eq(keys.iter().flatten().zip(&values)));
            assert!(
                pairs.iter().rev().eq(keys
                    .iter()
                    .flatten()
                    .zip(&values)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev())
            );
            assert_eq!((pairs.get(0), pairs.get(pairs.len())), (pairs.iter().next(), None));
        }
        assert!(maps.entries_as::<Int64Array, Int64Array>().is_err() || maps.is_empty());
    });
}

fn points(validity: Option<Bitmap>) -> Result<StructArray, Error> {
    let fields = [Field::new("x", DataType::Int64).required(), Field::new("y", DataType::Float64)];
    Ok(StructArray::try_from(ArrayData::try_new(ArrayParts {
        validity,
        children: Some(
            [Int64Array::from_iter([1, 2]).into(), Float64Array::from_iter([None, Some(0.5)]).into()].into(),
        ),
        ..ArrayParts::new(DataType::struct_(fields), 2)
    })?)?)
}

#[test]
fn columns_of_structs() -> Result<(), Error> {
    let points = points(None)?;
    assert_eq!(points.column_as::<Float64Array>("y")?.get(1), Some(0.5));
    let error = points.column_as::<Int64Array>("y").expect_err("these are floats");
    assert_eq!(error.to_string(), "field `y`: expected int64, found float64");
    let error = points.column_as::<Int64Array>("z").expect_err("there is none");
    assert!(matches!(error.kind(), ArrayErrorKind::Lookup(LookupError::Missing { .. })));
    assert_eq!(error.to_string(), "no field is named \"z\"");
    assert_eq!(points.value(0), points.slice(0, 1).value(0));
    assert_ne!(points.value(0), points.value(1));
    Ok(())
}

#[test]
fn structs_and_batches() -> Result<(), Error> {
    let points = points(None)?;
    let batch = RecordBatch::try_from(&points)?;
    assert_eq!(batch.schema().to_string(), "x: int64 not null\ny: float64");
    assert_eq!(Float64Array::try_from(batch.column("y")?)?.get(1), Some(0.5));
    assert!(batch.column("x")?.buffer(0).same_memory(points.columns()[0].buffer(0)));
    assert_eq!(StructArray::try_from(&batch)?, points);
    assert_eq!(StructArray::try_from(batch.slice(1, 1))?, points.slice(1, 1));

    let some_null = self::points(Some(Bitmap::from_iter([true, false])))?;
    let error = RecordBatch::try_from(some_null.clone()).expect_err("one is null");
    assert_eq!(error.to_string(), "1 of the structs are null; rows of a batch cannot be null");
    assert_eq!(RecordBatch::try_from(some_null.slice(0, 1))?.n_rows(), 1);

    // A batch without columns keeps its number of rows.
    let nothing = StructArray::try_from(ArrayData::try_new(ArrayParts::new(DataType::struct_([]), 3))?)?;
    assert_eq!(RecordBatch::try_from(&nothing)?.n_rows(), 3);
    assert_eq!(StructArray::try_from(RecordBatch::try_from(&nothing)?)?.len(), 3);

    // A `StructArray` requires valid content, so unchecked content is checked here.
    let unchecked = ArrayData::try_new(Utf8Array::try_from_iter(["a"])?.into_data().into_parts())?;
    let batch = RecordBatch::try_from_columns([("a", unchecked)])?;
    assert_eq!(StructArray::try_from(batch)?.columns()[0].checked(), Validation::Content);
    Ok(())
}
