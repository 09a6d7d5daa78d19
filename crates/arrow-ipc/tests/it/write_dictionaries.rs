//! Dictionaries of batches in which no index is valid, which often bring other values than those that count.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    EncodedMessage, FileEncoder, FileReader, IpcSchema, MessageKind, StreamEncoder, StreamReader,
};
use arrow_schema::{DataType, Field, IndexType, Schema};
use testing_support::{array, ints, rows};

fn dictionary_of(value: DataType) -> DataType {
    DataType::dictionary(IndexType::Int8, value).unwrap()
}

/// The values `first`, `first + 10` … by these indices.
fn encoded(first: i32, n_values: i32, indices: &[Option<i8>]) -> ArrayData {
    with_values(ints((0..n_values).map(|idx| first + 10 * idx)), indices)
}

fn with_values(values: ArrayData, indices: &[Option<i8>]) -> ArrayData {
    let validity: Bitmap = indices.iter().map(Option::is_some).collect();
    let numbers: Vec<i8> = indices.iter().map(|idx| idx.unwrap_or(99)).collect();
    ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(numbers), Buffer::new()],
        validity: Some(validity),
        dictionary: Some(Arc::new(values.clone())),
        ..ArrayParts::new(dictionary_of(values.data_type().clone()), indices.len())
    })
    .unwrap()
}

fn lists_of(items: ArrayData) -> ArrayData {
    let n_items = items.len();
    let data_type = DataType::list(Field::new("item", items.data_type().clone()));
    let offsets = Buffer::from((0..=n_items as i32).collect::<Vec<_>>());
    array(data_type, n_items, [offsets, Buffer::new()], vec![items])
}

/// The number of dictionary batches before each batch, and before the end.
fn counts(calls: &[Vec<EncodedMessage>]) -> Vec<usize> {
    let is_dictionary = |message: &&EncodedMessage| message.kind() == MessageKind::DictionaryBatch;
    calls.iter().map(|messages| messages.iter().filter(is_dictionary).count()).collect()
}

/// Writes batches of these columns as a stream and as a file, and reads them. Gives the numbers of dictionary batches.
fn check(name: &str, schema: &IpcSchema, batches: &[Vec<ArrayData>]) -> [Vec<usize>; 2] {
    let batch = |columns: &Vec<ArrayData>| {
        RecordBatch::try_new(Arc::clone(schema.schema()), columns.clone()).unwrap()
    };
    let batches: Vec<RecordBatch> = batches.iter().map(batch).collect();
    let fail = |error| -> ! { panic!("{name}: {error}") };

    let mut encoder = StreamEncoder::try_new(schema).unwrap();
    let (mut stream, mut in_stream) = (Vec::new(), Vec::new());
    for batch in &batches {
        let encoded = encoder.encode(batch).unwrap_or_else(|error| fail(error));
        encoded.write_to(&mut stream).unwrap();
        in_stream.push(encoded.messages().to_vec());
    }
    encoder.finish().unwrap().write_to(&mut stream).unwrap();
    let read = StreamReader::try_new(stream.as_slice()).unwrap();
    let read: Vec<RecordBatch> = read.map(|batch| batch.unwrap_or_else(|error| fail(error))).collect();
    assert!(read.iter().map(rows).eq(batches.iter().map(rows)), "{name}");

    let mut encoder = FileEncoder::try_new(schema).unwrap();
    let (mut file, mut in_file) = (Vec::new(), Vec::new());
    for batch in &batches {
        let encoded = encoder.encode(batch).unwrap_or_else(|error| fail(error));
        encoded.write_to(&mut file).unwrap();
        in_file.push(encoded.messages().to_vec());
    }
    let end = encoder.finish().unwrap_or_else(|error| fail(error));
    end.write_to(&mut file).unwrap();
    in_file.push(end.messages().to_vec());
    let read = FileReader::try_from_buffer(Buffer::from(file)).unwrap();
    // Readers that look for all dictionaries first find them in the footer.
    let n_dictionaries = schema.dictionary_ids().iter().collect::<std::collections::BTreeSet<_>>().len();
    let n_expected = if batches.is_empty() { 0 } else { n_dictionaries };
    assert_eq!(read.footer().dictionaries().len(), n_expected, "{name}");
    let read: Vec<RecordBatch> =
        read.batches().map(|batch| batch.unwrap_or_else(|error| fail(error))).collect();
    assert!(read.iter().map(rows).eq(batches.iter().map(rows)), "{name}");
    [counts(&in_stream), counts(&in_file)]
}

const REAL: [Option<i8>; 3] = [Some(1), None, Some(0)];
const NULLS: [Option<i8>; 2] = [None; 2];

#[test]
fn batches_without_a_valid_index_ask_for_nothing() {
    let column = dictionary_of(DataType::Int32);
    let schema = IpcSchema::from(Schema::new([Field::new("c", column.clone())]));
    let (real, other) = (|| encoded(0, 2, &REAL), || encoded(5, 3, &REAL));
    let (nulls, empty) = (|| encoded(7, 1, &NULLS), || ArrayData::new_empty(&column));
    for (name, columns, in_stream, in_file) in [
        ("nothing", vec![], vec![], vec![0]),
        ("empty", vec![empty()], vec![1], vec![0, 1]),
        ("nulls", vec![nulls()], vec![1], vec![0, 1]),
        ("nulls, empty", vec![nulls(), empty()], vec![1, 0], vec![0, 0, 1]),
        ("empty, real", vec![empty(), real()], vec![1, 1], vec![0, 1, 0]),
        ("nulls, real", vec![nulls(), real()], vec![1, 1], vec![0, 1, 0]),
        (
            "real, nulls, empty, real",
            vec![real(), nulls(), empty(), real()],
            vec![1, 0, 0, 0],
            vec![1, 0, 0, 0, 0],
        ),
        // The values that came with the nulls are those that count later.
        ("nulls, then the same", vec![other().slice(1, 1), other()], vec![1, 0], vec![0, 1, 0]),
    ] {
        let batches: Vec<Vec<ArrayData>> = columns.into_iter().map(|column| vec![column]).collect();
        assert_eq!(check(name, &schema, &batches), [in_stream, in_file], "{name}");
    }
}

#[test]
fn fields_that_share_a_dictionary_need_not_agree_on_what_is_not_used() {
    let column = dictionary_of(DataType::Int32);
    let fields = ["a", "b"].map(|name| Field::new(name, column.clone()));
    let schema = IpcSchema::try_with_dictionary_ids(Schema::new(fields), [4, 4]).unwrap();
    let stand_in = || encoded(7, 1, &NULLS).slice(0, 2);
    let real = || encoded(0, 2, &REAL).slice(0, 2);
    let empty = || ArrayData::new_empty(&column);
    for (name, batches, in_stream, in_file) in [
        ("nulls first", vec![vec![stand_in(), real()]], vec![1], vec![1, 0]),
        ("nulls last", vec![vec![real(), stand_in()]], vec![1], vec![1, 0]),
        ("nulls twice", vec![vec![encoded(1, 2, &NULLS), stand_in()]], vec![1], vec![0, 1]),
        (
            "nulls, then one, then the other",
            vec![vec![empty(), empty()], vec![stand_in(), real()], vec![real(), stand_in()]],
            vec![1, 1, 0],
            vec![0, 1, 0, 0],
        ),
    ] {
        assert_eq!(check(name, &schema, &batches), [in_stream, in_file], "{name}");
    }
}

#[test]
fn dictionaries_inside_of_unused_ones_are_there_too() {
    let inner = |first| encoded(first, 2, &REAL);
    let outer = |first, indices: &[Option<i8>]| with_values(lists_of(inner(first)), indices);
    let outer_type = outer(0, &REAL).data_type().clone();
    let fields = [Field::new("outer", outer_type.clone()), Field::new("c", dictionary_of(DataType::Int32))];
    let schema = Schema::new(fields);
    let flat = || encoded(3, 2, &REAL).slice(0, 2);
    let batches = [
        vec![outer(100, &NULLS), flat()],
        vec![outer(0, &REAL).slice(0, 2), flat()],
        vec![outer(100, &NULLS), encoded(1, 1, &NULLS)],
    ];
    let own_ids = IpcSchema::from(schema.clone());
    assert_eq!(check("own ids", &own_ids, &batches), [vec![3, 2, 0], vec![1, 2, 0, 0]]);
    assert_eq!(check("unused", &own_ids, &batches[..1]), [vec![3], vec![1, 2]]);
    // What lies inside of the unused values is not what the other field has.
    let shared = IpcSchema::try_with_dictionary_ids(schema, [0, 8, 8]).unwrap();
    assert_eq!(check("unused, shared", &shared, &batches[..1]), [vec![2], vec![1, 1]]);
    // Values may be valid and hold nothing but nulls themselves.
    let hollow = with_values(lists_of(encoded(0, 1, &[None, None, None])), &REAL);
    let columns = vec![vec![hollow.slice(0, 2), flat()]];
    // Readers look for the inner dictionary when they come to the outer one.
    assert_eq!(check("hollow", &own_ids, &columns), [vec![3], vec![3, 0]]);
    let deep = lists_of(with_values(lists_of(inner(0)), &[None, None, None]));
    let deep = with_values(deep, &REAL).slice(0, 2);
    let fields = [Field::new("deep", deep.data_type().clone())];
    assert_eq!(check("deep", &IpcSchema::from(Schema::new(fields)), &[vec![deep]]), [vec![3], vec![3, 0]]);
    assert_eq!(check("hollow, shared", &shared, &columns), [vec![2], vec![2, 0]]);
}

#[test]
fn values_that_nothing_refers_to_survive_where_there_are_no_others() {
    let fields = [Field::new("c", dictionary_of(DataType::Int32)), Field::new("text", DataType::Utf8)];
    let schema = IpcSchema::from(Schema::new(fields));
    let batch = |column: ArrayData, offsets: [i32; 3]| {
        let buffers = [Buffer::from(offsets.to_vec()), Buffer::copy_from(b"text")];
        let columns = vec![column, array(DataType::Utf8, 2, buffers, vec![])];
        RecordBatch::try_new(Arc::clone(schema.schema()), columns).unwrap()
    };
    let mut encoder = FileEncoder::try_new(&schema).unwrap();
    let mut file = Vec::new();
    // A refused batch leaves no trace.
    assert!(encoder.encode(&batch(encoded(5, 1, &NULLS), [0, 1, 9])).is_err());
    for column in [encoded(1, 3, &NULLS), encoded(2, 2, &NULLS)] {
        encoder.encode(&batch(column, [0, 1, 4])).unwrap().write_to(&mut file).unwrap();
    }
    encoder.finish().unwrap().write_to(&mut file).unwrap();
    let file = FileReader::try_from_buffer(Buffer::from(file)).unwrap();
    let read = file.batch(0).unwrap();
    let values = read.columns()[0].dictionary().unwrap().buffer(0).view::<i32>().unwrap();
    assert_eq!(values, [1, 11, 21]);
}

/// The first values of an inner dictionary may be none, since the outer ones are nulls.
#[test]
fn files_continue_dictionaries_that_were_empty() {
    let outer = |inner: ArrayData, indices: &[Option<i8>]| with_values(lists_of(inner), indices);
    let empty = outer(with_values(ints([]), &[None]), &[Some(0)]);
    let grown = outer(encoded(0, 1, &[None, Some(0)]), &[Some(1), Some(0)]);
    let schema = IpcSchema::from(Schema::new([Field::new("c", empty.data_type().clone())]));
    let batch =
        |column: &ArrayData| RecordBatch::try_new(Arc::clone(schema.schema()), vec![column.clone()]).unwrap();
    let batches = [&empty, &grown, &empty].map(batch);
    let mut encoder = FileEncoder::try_new(&schema).unwrap();
    let mut file = Vec::new();
    let mut calls = Vec::new();
    for batch in &batches[..2] {
        let encoded = encoder.encode(batch).unwrap();
        encoded.write_to(&mut file).unwrap();
        calls.push(encoded.messages().to_vec());
    }
    // No values are no values to continue with.
    assert!(encoder.encode(&batches[2]).is_err());
    encoder.finish().unwrap().write_to(&mut file).unwrap();
    assert_eq!(counts(&calls), [2, 2]);
    let read = FileReader::try_from_buffer(Buffer::from(file)).unwrap();
    for (idx, batch) in batches[..2].iter().enumerate() {
        assert_eq!(rows(&read.batch(idx).unwrap()), rows(batch));
    }
}

#[test]
fn slices_of_lists_without_slots_ask_for_nothing() {
    let lists = |first| lists_of(encoded(first, 3, &REAL));
    let schema = Schema::new([Field::new("c", lists(0).data_type().clone())]).into();
    let batches = [vec![lists(0).slice(0, 0)], vec![lists(5)]];
    assert_eq!(check("lists", &schema, &batches), [vec![1, 1], vec![0, 1, 0]]);
}

#[test]
fn values_around_a_replaced_dictionary_are_replaced_too() {
    // The second column's dictionary is inside of the values of the first one's.
    let inner = |first| encoded(first, 3, &REAL);
    let outer = |first, indices: &[Option<i8>]| with_values(lists_of(inner(first)), indices);
    let (outer_type, inner_type) = (outer(0, &REAL).data_type().clone(), inner(0).data_type().clone());
    let schema = Schema::new([Field::new("outer", outer_type), Field::new("inner", inner_type)]);
    let schema = IpcSchema::try_with_dictionary_ids(schema, [1, 2, 2]).unwrap();
    let batches = [vec![outer(0, &NULLS), inner(0).slice(0, 2)], vec![outer(0, &REAL), inner(0)]];
    check("inner first", &schema, &batches);
    // Unused, the outer one must not be left with indices into what is no longer there.
    let batches: Vec<RecordBatch> = [
        vec![outer(0, &REAL), inner(0)],
        vec![outer(0, &[None; 3]), inner(5)],
        vec![outer(5, &REAL), inner(5)],
    ]
    .map(|columns| RecordBatch::try_new(Arc::clone(schema.schema()), columns).unwrap())
    .into();
    let mut encoder = StreamEncoder::try_new(&schema).unwrap();
    let mut stream = Vec::new();
    let mut calls = Vec::new();
    for batch in &batches {
        let encoded = encoder.encode(batch).unwrap();
        encoded.write_to(&mut stream).unwrap();
        calls.push(encoded.messages().to_vec());
    }
    encoder.finish().unwrap().write_to(&mut stream).unwrap();
    assert_eq!(counts(&calls), [2, 2, 1]);
    let read: Vec<_> = StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect();
    assert!(read.iter().map(rows).eq(batches.iter().map(rows)));
}

#[test]
fn fields_that_share_a_dictionary_must_agree_on_those_inside() {
    let outer = with_values(lists_of(encoded(0, 3, &REAL)), &REAL).data_type().clone();
    let schema = Schema::new([Field::new("a", outer.clone()), Field::new("b", outer)]);
    let schema = |ids: [i64; 4]| IpcSchema::try_with_dictionary_ids(schema.clone(), ids).unwrap();
    assert!(StreamEncoder::try_new(schema([1, 2, 1, 2])).is_ok());
    let error = StreamEncoder::try_new(schema([1, 2, 1, 3])).unwrap_err();
    assert!(error.to_string().contains("inside"), "{error}");
}
