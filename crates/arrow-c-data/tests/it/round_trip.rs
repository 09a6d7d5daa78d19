//! Arrays that are exported and imported again have the same values in the same memory.

use std::ops::Range;

use crate::{schema_of_types, types};
use arrow_buffer::{Bitmap, Buffer};
use arrow_c_data::{ArrayImporter, ArrowArray, ArrowArrayStream, ArrowSchema, CopyStats};
use arrow_data::{ArrayData, ArrayParts, DataError, RecordBatch, Validation};
use arrow_schema::{DataType, Field};
use arrow_select::Select;
use testing_support::{Generator, Nulls};

/// Exports an array and its schema, and imports both. Also returns the number of buffers that were copied.
fn trip(array: &ArrayData) -> (ArrayData, u64) {
    let schema = ArrowSchema::try_from_data_type(array.data_type()).unwrap_or_else(|error| panic!("{error}"));
    let data_type = schema.to_data_type().unwrap_or_else(|error| panic!("{error}"));
    let mut stats = CopyStats::new();
    let exported =
        ArrowArray::try_from_array_counted(array, &mut stats).unwrap_or_else(|error| panic!("{error}"));
    let mut importer = ArrayImporter::new(Validation::Content);
    // SAFETY: the type is that of the array.
    let imported = unsafe { importer.import(exported, &data_type) };
    let imported = imported.unwrap_or_else(|error| panic!("{}: {error}", array.data_type()));
    (imported, [stats, importer.stats()].map(|stats| stats.n_buffers_copied()).iter().sum())
}

/// The addresses of all buffers that are not empty.
fn addresses(array: &ArrayData) -> Vec<Range<usize>> {
    let bits = array.validity().map(Bitmap::buffer);
    let buffers = bits.into_iter().chain([array.buffer(0), array.buffer(1)]).chain(array.variadic());
    let filled = buffers.filter(|buffer| !buffer.is_empty());
    let mut found: Vec<_> =
        filled.map(|buffer| buffer.as_ptr_range()).map(|at| at.start.addr()..at.end.addr()).collect();
    found.extend(array.children().iter().flat_map(addresses));
    found.extend(array.dictionary().into_iter().flat_map(|values| addresses(values)));
    found
}

#[test]
fn every_type_comes_back() {
    for (seed, (name, data_type)) in types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for nulls in Nulls::ALL {
            for n_slots in [0, 1, 9, 65] {
                for array in [
                    generator.array(&data_type, n_slots, nulls),
                    generator.sliced_array(&data_type, n_slots, nulls),
                ] {
                    let (back, n_copied) = trip(&array);
                    let array = array.validate(Validation::Content).expect("generated");
                    assert_eq!(array.same_values(&back), Ok(true), "{name}, {n_slots} slots, {nulls:?}");
                    assert_eq!(
                        (back.checked(), back.null_count()),
                        (Validation::Content, array.null_count())
                    );
                    if n_copied == 0 && n_slots > 0 {
                        let (here, there) = (addresses(&array), addresses(&back));
                        let is_here = |there: &Range<usize>| {
                            here.iter().any(|here| here.start <= there.start && there.end <= here.end)
                        };
                        assert!(
                            there.iter().all(is_here),
                            "{name}, {n_slots} slots, {nulls:?}: {here:x?} {there:x?}"
                        );
                    }
                }
            }
        }
    }
}

/// Types of the greatest depth can be exported and imported with a small stack.
#[test]
fn the_deepest_types_come_back() {
    let kinds = [
        ("list<item: ", ">", 1),
        ("large_list_view<item: ", ">", 1),
        ("fixed_size_list<item: ", "; 2>", 1),
        ("struct<a: ", ">", 1),
        ("map<entries: struct<key: utf8 not null, value: ", "> not null>", 2),
        ("sparse_union<0=a: ", ">", 1),
        ("dense_union<0=a: ", ">", 1),
        ("dictionary<int8, list<item: ", ">>", 1),
        ("run_end_encoded<run_ends: int16 not null, values: ", ">", 1),
    ];
    for (open, close, n_levels) in kinds {
        let n = 63 / n_levels;
        let text = format!("{}int8{}", open.repeat(n), close.repeat(n));
        let work = move || {
            let data_type: DataType = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let array = ArrayData::new_empty(&data_type);
            let (back, _) = trip(&array);
            assert_eq!((back.data_type(), back.len()), (&data_type, 0));
        };
        let thread = std::thread::Builder::new().name(open.to_owned()).stack_size(512 << 10);
        thread.spawn(work).expect("a thread starts").join().expect("it comes back");
    }
}

/// Export only copies a bitmap that starts inside a byte if the other buffers start at another bit.
#[test]
fn only_bits_are_copied() {
    let mut generator = Generator::new(3);
    for (name, data_type) in types() {
        let array =
            generator.array(&data_type, 64, Nulls::None).validate(Validation::Content).expect("generated");
        let mut stats = CopyStats::new();
        ArrowArray::try_from_array_counted(&array, &mut stats).expect("few slots");
        assert!(stats.n_bytes_copied() <= stats.n_buffers_copied() * 64, "{name}: {stats:?}");
    }
}

#[test]
fn batches_come_back() {
    let schema = schema_of_types();
    for batch in Generator::new(8).batches(&schema, &[0, 1, 40]) {
        let schema = ArrowSchema::try_from_schema(batch.schema()).expect("no NUL in names");
        let schema = schema.to_schema().expect("its own");
        let exported = ArrowArray::try_from_batch(&batch).expect("few rows");
        // SAFETY: the schema is that of the batch.
        let back = unsafe { exported.import_batch(schema, Validation::Content) }.expect("its own");
        assert_eq!(back.same_values(&batch), Ok(true));
    }
}

/// A batch without columns keeps its number of rows.
#[test]
fn batches_without_columns_have_rows() {
    let batch = RecordBatch::try_new_with_rows(arrow_schema::Schema::default(), [], 7).expect("no columns");
    let exported = ArrowArray::try_from_batch(&batch).expect("few rows");
    // SAFETY: the schema is that of the batch.
    let back = unsafe { exported.import_batch(batch.schema().clone(), Validation::Content) };
    let back = back.expect("its own");
    assert_eq!((back.n_rows(), back.n_columns()), (7, 0));
}

/// Invalid content is never exported, not even in a stream of unchecked arrays.
#[test]
fn wrong_content_is_not_exported() {
    let buffers = [Buffer::from(vec![0_i32, 2, 100_000]), Buffer::copy_from(b"abc")];
    let wrong = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Utf8, 2) });
    let wrong = wrong.expect("its structure is right");
    let text = "offsets, slot 1: offset 100000 is out of bounds; the bytes or items end at 3";
    let error = ArrowArray::try_from_array(&wrong).unwrap_err();
    assert_eq!(error.to_string(), text);
    let batch = RecordBatch::try_from_columns([("a", wrong.clone())]).expect("one column");
    let error = ArrowArray::try_from_batch(&batch).unwrap_err();
    assert_eq!(error.to_string(), format!("field `a`, {text}"));
    let stream = ArrowArrayStream::from_arrays(Field::new("a", DataType::Utf8), [Ok::<_, DataError>(wrong)]);
    let mut arrays = stream.into_arrays(Validation::Structure).expect("a schema");
    let error = arrays.next().expect("a failure").unwrap_err();
    assert_eq!(error.to_string(), format!("the stream failed with the error number 22: {text}"));
}

/// With deferred validation, the imported array counts as unchecked.
/// Content that other code only says to be valid is read before it is exported.
#[test]
fn assumed_content_is_not_trusted() {
    let offsets = |last: i32| {
        let parts = ArrayParts {
            buffers: [Buffer::from(vec![0_i32, last]), Buffer::copy_from(b"ab")],
            ..ArrayParts::new(DataType::Binary, 1)
        };
        ArrayData::try_new(parts).unwrap().assume_checked(Validation::Content, Some(0))
    };
    assert!(ArrowArray::try_from_array(&offsets(2)).is_ok());
    let wrong = offsets(3);
    assert_eq!(wrong.checked(), Validation::Content);
    let list = DataType::list(Field::new("item", DataType::Binary));
    let list = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0_i32, 1]), Buffer::new()],
        children: Some([wrong.clone()].into()),
        ..ArrayParts::new(list, 1)
    });
    for array in [wrong, list.unwrap().validate(Validation::Content).unwrap()] {
        assert!(ArrowArray::try_from_array(&array).is_err());
    }
}

#[test]
fn validation_is_the_callers_choice() {
    let text = Generator::new(5).array(&DataType::Utf8, 20, Nulls::Some);
    for (validation, level) in [
        (Validation::Structure, Validation::Structure),
        (Validation::Content, Validation::Content),
        (Validation::Strict, Validation::Strict),
    ] {
        let exported = ArrowArray::try_from_array(&text).expect("few slots");
        // SAFETY: the type is that of the array.
        let imported = unsafe { exported.import(&DataType::Utf8, validation) }.expect("its own");
        assert_eq!(imported.checked(), level);
    }
}

/// Arrays stay valid after their structures are dropped, and structures after their arrays, also on other threads.
#[test]
fn memory_lives_as_long_as_it_is_needed() {
    let item = DataType::list(Field::new("item", DataType::Utf8View));
    let array =
        Generator::new(6).array(&item, 30, Nulls::Some).validate(Validation::Content).expect("generated");
    let exported = ArrowArray::try_from_array(&array).expect("few slots");
    let copy = array.take(&(0..30).collect::<Vec<u32>>()).expect("in bounds");
    drop(array);
    // SAFETY: the type is that of the array.
    let imported = std::thread::spawn(move || unsafe { exported.import(&item, Validation::Content) });
    let imported = imported.join().expect("no panic").expect("its own");
    assert_eq!(imported.same_values(&copy), Ok(true));
    let again = ArrowArray::try_from_array(&imported).expect("few slots");
    let slice = imported.children()[0].slice(1, 2);
    drop(imported);
    std::thread::spawn(move || drop(again)).join().expect("no panic");
    assert_eq!(slice.len(), 2);
}
