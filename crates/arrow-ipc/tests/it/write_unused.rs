//! Unused items of list views and unused values of dictionaries, which are left out if an option asks for it.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{
    DictionaryPolicy, FileReader, FileWriter, NullSlots, StreamReader, StreamWriter, UnusedValues,
    WriteOptions,
};
use arrow_schema::{DataType, Field, IndexType, RunEndType};
use arrow_select::Select;
use testing_support::{Generator, Nulls, all_types, batch_of, ints, make, rows};

fn compact() -> WriteOptions {
    WriteOptions::new().with_unused_items(UnusedValues::Remove).with_unused_values(UnusedValues::Remove)
}

fn written(batch: &RecordBatch, options: WriteOptions) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap()
}

/// Written and read; the values are the same.
fn trip(batch: &RecordBatch, options: WriteOptions) -> (RecordBatch, usize) {
    let stream = written(batch, options);
    let read = StreamReader::try_new(&*stream)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .validate(Validation::Strict)
        .unwrap();
    assert_eq!(rows(&read), rows(batch));
    (read, stream.len())
}

fn list_views(slots: &[(i32, i32)], validity: Option<Bitmap>, items: ArrayData) -> ArrayData {
    let (offsets, sizes): (Vec<i32>, Vec<i32>) = slots.iter().copied().unzip();
    let data_type = DataType::list_view(Field::new("item", items.data_type().clone()));
    ArrayData::try_new(ArrayParts {
        validity,
        buffers: [Buffer::from(offsets), Buffer::from(sizes)],
        children: Some([items].into()),
        ..ArrayParts::new(data_type, slots.len())
    })
    .unwrap()
}

fn numbers(array: &ArrayData, k: usize) -> &[i32] {
    &array.buffer(k).view::<i32>().unwrap()[..array.len()]
}

#[test]
fn items_are_held_once_and_shared_as_before() {
    let slots = [(50, 2), (10, 3), (50, 2), (70, 0), (12, 2), (90, 5)];
    let validity = Bitmap::from_iter([true, true, true, true, true, false]);
    let batch = batch_of(list_views(&slots, Some(validity), ints(0..100)));
    let (read, _) = trip(&batch, compact());
    let column = &read.columns()[0];
    assert_eq!(numbers(&column.children()[0], 0), [10, 11, 12, 13, 50, 51]);
    assert_eq!((numbers(column, 0), numbers(column, 1)), (&[4, 0, 4, 0, 2, 0][..], &[2, 3, 2, 0, 2, 0][..]));
    // By default those between them are written, too.
    assert_eq!(trip(&batch, WriteOptions::new()).0.columns()[0].children()[0].len(), 85);
    // Slots that overlap cost no more than their items.
    let all = list_views(&[(5, 90_000); 5_000], None, ints(0..100_000)).slice(0, 3);
    assert_eq!(trip(&batch_of(all), compact()).0.columns()[0].children()[0].len(), 90_000);
}

fn dictionary(indices: Vec<i16>, validity: Option<Bitmap>) -> ArrayData {
    let values = ints(0..1000);
    let data_type = DataType::dictionary(IndexType::Int16, values.data_type().clone()).unwrap();
    let n_slots = indices.len();
    ArrayData::try_new(ArrayParts {
        validity,
        buffers: [Buffer::from(indices), Buffer::new()],
        dictionary: Some(Arc::new(values)),
        ..ArrayParts::new(data_type, n_slots)
    })
    .unwrap()
}

#[test]
fn values_stay_in_their_order() {
    let validity = Bitmap::from_iter([true, true, false, true]);
    let array = dictionary(vec![700, 3, 5, 700], Some(validity));
    let (read, _) = trip(&batch_of(array.clone()), compact());
    assert_eq!(numbers(read.columns()[0].dictionary().unwrap(), 0), [3, 700]);
    let (read, _) = trip(&batch_of(array.clone()), WriteOptions::new());
    assert_eq!(read.columns()[0].dictionary().unwrap().len(), 1000);
    // Items that are left out need no values either.
    let (read, _) = trip(&batch_of(list_views(&[(1, 1), (1, 1)], None, array.slice(0, 2))), compact());
    assert_eq!(numbers(read.columns()[0].children()[0].dictionary().unwrap(), 0), [3]);
    // Where nothing is valid, no value is needed.
    let nulls = dictionary(vec![9, 9], Some(Bitmap::new_unset(2)));
    assert!(trip(&batch_of(nulls), compact()).1 < 1500);
}

/// A few bytes can claim any number of items and values: memory does not follow this number.
#[test]
fn slots_without_bytes_cost_nothing() {
    const N_SLOTS: usize = 1 << 40;
    let nulls = || ArrayData::try_new(ArrayParts::new(DataType::Null, N_SLOTS)).unwrap();
    let struct_of = |child: ArrayData| {
        let data_type = DataType::struct_([Field::new("c", child.data_type().clone())]);
        let children = Some([child].into());
        ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(data_type, N_SLOTS) }).unwrap()
    };
    for items in [nulls(), struct_of(nulls())] {
        let data_type = DataType::large_list_view(Field::new("item", items.data_type().clone()));
        let lists = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![1_i64 << 39, 5, 1 << 39]), Buffer::from(vec![3_i64, 2, 1])],
            children: Some([items.clone()].into()),
            ..ArrayParts::new(data_type, 3)
        });
        let (read, _) = trip(&batch_of(lists.unwrap()), compact());
        assert_eq!(read.columns()[0].children()[0].len(), 5);
        assert_eq!(read.columns()[0].buffer(0).view::<i64>().unwrap()[..3], [2, 0, 2]);
        let data_type = DataType::dictionary(IndexType::Int64, items.data_type().clone()).unwrap();
        let dictionary = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![1_i64 << 39, 5]), Buffer::new()],
            dictionary: Some(Arc::new(items)),
            ..ArrayParts::new(data_type, 2)
        });
        let (read, _) = trip(&batch_of(dictionary.unwrap()), compact());
        assert_eq!(read.columns()[0].dictionary().unwrap().len(), 2);
    }
}

#[test]
fn files_get_the_values_that_any_batch_uses() {
    let batches = [vec![1, 2], vec![900, 2]].map(|indices| batch_of(dictionary(indices, None)));
    let options = compact().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let file = FileReader::try_from_buffer(Buffer::from(writer.finish().unwrap())).unwrap();
    for (idx, batch) in batches.iter().enumerate() {
        assert_eq!(rows(&file.batch(idx).unwrap()), rows(batch));
    }
    assert_eq!(file.batch(1).unwrap().columns()[0].dictionary().unwrap().len(), 3);
    // Without deltas a file has one dictionary for all batches.
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), compact()).unwrap();
    writer.write(&batches[0]).unwrap();
    assert!(writer.write(&batches[1]).is_err());
}

#[test]
fn every_type_is_the_same_without_what_it_does_not_use() {
    for (seed, (_, data_type)) in all_types().into_iter().enumerate() {
        for nulls in Nulls::ALL {
            let array = Generator::new(seed as u64).sliced_array(&data_type, 40, nulls);
            trip(&batch_of(array), compact());
        }
    }
}

/// Columns with a row for each of these values, below every layout whose slices keep children whole.
fn nested(values: &ArrayData) -> Vec<ArrayData> {
    let n = values.len() as i64;
    let item = || Field::new("item", values.data_type().clone());
    let (ends, offsets) = ((1..=n).collect::<Vec<i64>>(), (0..=n).collect::<Vec<i64>>());
    let lists = make::list(&DataType::list(item()), &offsets, values.clone());
    let fields =
        [Field::new("key", DataType::Int32).required(), Field::new("value", values.data_type().clone())];
    let [key, value] = fields.clone();
    let entries = make::struct_(fields.into_iter().zip([ints(0..n as i32), values.clone()]).collect());
    let maps = make::list(&DataType::map(key, value), &offsets, entries);
    let views = list_views(&(0..n as i32).map(|row| (row, 1)).collect::<Vec<_>>(), None, values.clone());
    let list_of = |items: &ArrayData| {
        let data_type = DataType::list(Field::new("item", items.data_type().clone()));
        make::list(&data_type, &offsets, items.clone())
    };
    let dictionary_of = |values: &ArrayData| {
        let data_type = DataType::dictionary(IndexType::Int16, values.data_type().clone());
        make::dictionary(&data_type.unwrap(), &offsets[..values.len()], values.clone())
    };
    vec![
        make::list(&DataType::large_list(item()), &offsets, values.clone()),
        maps,
        make::runs(RunEndType::Int16, values.len(), &ends, values.clone()),
        make::struct_(vec![(Field::new("lists", lists.data_type().clone()), lists.clone())]),
        list_of(&views),
        list_of(&lists),
        dictionary_of(&lists),
        dictionary_of(&make::struct_(vec![(item(), values.clone())])),
        views,
        lists,
    ]
}

/// No byte of other rows is written, wherever these rows lie in the children that a slice keeps whole.
#[test]
fn slices_of_nested_columns_are_written_without_other_rows() {
    let contains = |stream: &[u8], text: &str| stream.windows(text.len()).any(|part| part == text.as_bytes());
    let text = |rows: [&str; 3], order: [usize; 3]| {
        let data = order.map(|row| rows[row]).concat();
        let view = |row: &&str| View::long(row.as_bytes(), 0, data.find(*row).unwrap() as i32).unwrap();
        make::array(ArrayParts {
            buffers: [Buffer::from(rows.iter().map(view).collect::<Vec<View>>()), Buffer::new()],
            variadic: Some([Buffer::copy_from(data.as_bytes())].into()),
            ..ArrayParts::new(DataType::Utf8View, 3)
        })
    };
    let views = text(["the first public row", "the other public row", "a row that is secret"], [0, 2, 1]);
    let values = make::binary(&DataType::Utf8, &[0, 6, 13, 19], b"publicpublic2secret");
    let data_type = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let dictionary = make::dictionary(&data_type, &[0, 1, 2], values);
    let values_only = WriteOptions::new().with_unused_values(UnusedValues::Remove);
    let items_only = WriteOptions::new().with_unused_items(UnusedValues::Remove);
    for (rows, least) in [(views, &items_only), (dictionary, &values_only)] {
        for column in nested(&rows) {
            let name = column.data_type().to_string();
            let least = if column.dictionary().is_some() { &values_only } else { least };
            let batch = batch_of(column);
            let slice = batch.slice(0, 2);
            for options in [least.clone(), compact(), compact().with_null_slots(NullSlots::Zeros)] {
                assert!(contains(&written(&batch, options.clone()), "secret"), "{name}");
                assert!(!contains(&written(&slice, options.clone()), "secret"), "{name}");
                trip(&slice, options);
            }
        }
    }
}

/// What a slice leaves out is what is not there in a copy of its slots.
#[test]
fn slices_of_every_type_are_as_long_as_copies() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        // Copies also lack the items and bytes of null slots.
        for nulls in Nulls::ALL.into_iter().filter(|nulls| *nulls != Nulls::Garbage) {
            let array = Generator::new(seed as u64).sliced_array(&data_type, 40, nulls);
            let array = array.validate(Validation::Strict).unwrap();
            for (start, n_rows) in [(0, 1), (3, 5), (38, 2), (0, 0)] {
                let slice = batch_of(array.slice(start, n_rows));
                let copy = slice.compact().unwrap();
                let [slice, copy] = [slice, copy].map(|batch| written(&batch, compact()).len());
                assert_eq!(slice, copy, "{name}, {n_rows} rows from {start}");
            }
        }
    }
}

#[test]
fn wrong_content_is_refused_with_its_field() {
    let batch = batch_of(list_views(&[(95, 10)], None, ints(0..100)));
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), compact()).unwrap();
    let error = writer.write(&batch).unwrap_err();
    assert!(!error.location().to_string().is_empty(), "{error}");
}

/// Columns without nulls stay as they are, so unused items are left out as without zeros.
#[test]
fn zeros_in_null_slots_leave_unused_items_out() {
    let items = dictionary((0..1000).collect(), None);
    for validity in [None, Some(Bitmap::from_iter([true, false, true]))] {
        let n_used = if validity.is_none() { 3 } else { 2 };
        let lists = list_views(&[(0, 1), (500, 1), (999, 1)], validity, items.clone());
        let batch = batch_of(lists.validate(Validation::Strict).unwrap());
        for null_slots in [NullSlots::Keep, NullSlots::Zeros] {
            let (read, _) = trip(&batch, WriteOptions::new().with_null_slots(null_slots));
            assert_eq!(read.columns()[0].children()[0].len(), n_used, "{null_slots:?}");
        }
    }
}
