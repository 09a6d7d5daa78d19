//! The worked examples of "Serialization and Interprocess Communication" in the columnar specification: the order of
//! nodes and buffers in a message, and dictionaries that change in a stream.

use arrow_array::{
    DictionaryArray, Float64Array, Int8Array, Int32Array, Int64Builder, ListBuilder, StructArray, Utf8Array,
};
use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    BufferDescriptions, BufferMap, DictionaryPolicy, Limits, MessageScan, StreamWriter, WriteOptions,
    message::{Header, Message},
};
use arrow_schema::{DataType, Field};
use insta::assert_snapshot;

/// A message, the stream that it is in, and the names of its buffers.
struct Parts<'a> {
    stream: &'a Buffer,
    map: &'a BufferMap,
    message: &'a Message,
}

/// The messages of a stream of these batches, as `show` describes each.
fn messages(
    batches: &[RecordBatch],
    policy: DictionaryPolicy,
    show: impl Fn(&Parts<'_>, Header) -> String,
) -> String {
    let options = WriteOptions::new().with_dictionaries(policy);
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    let limits = Limits::default();
    let stream = Buffer::from(writer.finish().unwrap());
    let mut scan = MessageScan::try_new(stream.clone(), 0..u64::MAX, limits.clone()).unwrap();
    let first = scan.next_message().unwrap().unwrap();
    let Header::Schema(schema) = first.header(&limits).unwrap() else {
        panic!("a stream begins with its schema")
    };
    let map = BufferMap::try_new(&schema).unwrap();
    let mut text = String::new();
    while let Some(message) = scan.next_message().unwrap() {
        let parts = Parts { stream: &stream, map: &map, message: &message };
        text += &show(&parts, message.header(&limits).unwrap());
    }
    text
}

/// The slots of the nodes, the counts of variadic buffers, and the list of buffers.
fn lists(parts: &Parts<'_>, header: Header) -> String {
    let Header::RecordBatch(batch) = header else { panic!("a record batch") };
    let slots: Vec<u64> = batch.nodes().iter().map(|node| node.n_slots()).collect();
    let mut text = format!("nodes: {slots:?}\nvariadic buffer counts: {:?}\n", batch.variadic_counts());
    let buffers = parts.map.record_batch(&batch, parts.message.version()).unwrap();
    for (buffer_idx, buffer) in buffers.enumerate() {
        text += &format!("buffer {buffer_idx}: {} {}\n", buffer.path, buffer.role);
    }
    text
}

/// The kind of a message, and the bytes of its buffers.
fn bytes(parts: &Parts<'_>, header: Header) -> String {
    let (map, version) = (parts.map, parts.message.version());
    let body = &parts.stream[parts.message.body_position() as usize..];
    let show = |buffers: BufferDescriptions<'_>| -> String {
        let shown = buffers.filter(|buffer| buffer.range.n_bytes() > 0).map(|buffer| {
            let bytes = &body[buffer.range.start() as usize..][..buffer.range.n_bytes() as usize];
            format!("    {}: {bytes:02x?}\n", buffer.role)
        });
        shown.collect()
    };
    match header {
        Header::DictionaryBatch { id, is_delta, batch } => {
            let buffers = map.dictionary_batch(id, &batch, version).unwrap();
            let kind = if is_delta { "dictionary delta" } else { "dictionary" };
            format!("{kind} {id}, {} rows\n{}", batch.n_rows(), show(buffers))
        }
        Header::RecordBatch(batch) => {
            let buffers = map.record_batch(&batch, version).unwrap();
            format!("record batch, {} rows\n{}", batch.n_rows(), show(buffers))
        }
        _ => panic!("no other message is written"),
    }
}

fn structs(columns: [(&str, ArrayData); 3]) -> ArrayData {
    let fields = columns.each_ref().map(|(name, column)| Field::new(*name, column.data_type().clone()));
    StructArray::try_new(fields, columns.map(|(_, column)| column), None).unwrap().into()
}

#[test]
fn fields_and_buffers_are_listed_in_pre_order() {
    let mut lists_of = ListBuilder::new(Int64Builder::new());
    lists_of.extend([vec![1, 2], vec![3, 4, 5]]);
    let col1 = structs([
        ("a", Int32Array::from_iter([1, 2]).into()),
        ("b", lists_of.finish().unwrap().into()),
        ("c", Float64Array::from_iter([1.0, 2.0]).into()),
    ]);
    let col2 = Utf8Array::try_from_iter(["x", "y"]).unwrap().into();
    let batch = RecordBatch::try_from_columns([("col1", col1), ("col2", col2)]).unwrap();
    assert_snapshot!(messages(&[batch], DictionaryPolicy::default(), lists), @r"
    nodes: [2, 2, 2, 5, 2, 2]
    variadic buffer counts: []
    buffer 0: col1 validity
    buffer 1: col1.a validity
    buffer 2: col1.a values
    buffer 3: col1.b validity
    buffer 4: col1.b offsets
    buffer 5: col1.b.item validity
    buffer 6: col1.b.item values
    buffer 7: col1.c validity
    buffer 8: col1.c values
    buffer 9: col2 validity
    buffer 10: col2 offsets
    buffer 11: col2 bytes
    ");
}

/// Six views, which refer to the `n_buffers` data buffers in turn.
fn views(data_type: DataType, n_buffers: i32) -> ArrayData {
    let value = b"more than twelve bytes";
    let views: Vec<View> = (0..6).map(|slot| View::long(value, slot % n_buffers, 0).unwrap()).collect();
    ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(views), Buffer::new()],
        variadic: Some((0..n_buffers).map(|_| Buffer::copy_from(value)).collect()),
        ..ArrayParts::new(data_type, 6)
    })
    .unwrap()
}

#[test]
fn views_count_their_variadic_buffers() {
    let col1 = structs([
        ("a", Int32Array::from_iter(0..6).into()),
        ("b", views(DataType::BinaryView, 3)),
        ("c", Float64Array::from_iter([0.0; 6]).into()),
    ]);
    let columns = [("col1", col1), ("col2", views(DataType::Utf8View, 2))];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    assert_snapshot!(messages(&[batch], DictionaryPolicy::default(), lists), @r"
    nodes: [6, 6, 6, 6, 6]
    variadic buffer counts: [3, 2]
    buffer 0: col1 validity
    buffer 1: col1.a validity
    buffer 2: col1.a values
    buffer 3: col1.b validity
    buffer 4: col1.b views
    buffer 5: col1.b variadic data
    buffer 6: col1.b variadic data
    buffer 7: col1.b variadic data
    buffer 8: col1.c validity
    buffer 9: col1.c values
    buffer 10: col2 validity
    buffer 11: col2 views
    buffer 12: col2 variadic data
    buffer 13: col2 variadic data
    ");
}

fn rows(values: &[&str], indices: [i8; 4]) -> RecordBatch {
    let values = Utf8Array::try_from_iter(values.iter().copied()).unwrap();
    let column = DictionaryArray::try_new(Int8Array::from_iter(indices), values).unwrap();
    RecordBatch::try_from_columns([("d", column.into())]).unwrap()
}

/// `["A", "B", "C", "B", "D", "C", "E", "A"]` in two batches.
#[test]
fn a_delta_adds_to_a_dictionary() {
    let batches = [rows(&["A", "B", "C"], [0, 1, 2, 1]), rows(&["A", "B", "C", "D", "E"], [3, 2, 4, 0])];
    assert_snapshot!(messages(&batches, DictionaryPolicy::Delta, bytes), @r"
    dictionary 0, 3 rows
        offsets: [00, 00, 00, 00, 01, 00, 00, 00, 02, 00, 00, 00, 03, 00, 00, 00]
        bytes: [41, 42, 43]
    record batch, 4 rows
        values: [00, 01, 02, 01]
    dictionary delta 0, 2 rows
        offsets: [00, 00, 00, 00, 01, 00, 00, 00, 02, 00, 00, 00]
        bytes: [44, 45]
    record batch, 4 rows
        values: [03, 02, 04, 00]
    ");
}

#[test]
fn a_dictionary_replaces_another() {
    let batches = [rows(&["A", "B", "C"], [0, 1, 2, 1]), rows(&["A", "C", "D", "E"], [2, 1, 3, 0])];
    assert_snapshot!(messages(&batches, DictionaryPolicy::Replace, bytes), @r"
    dictionary 0, 3 rows
        offsets: [00, 00, 00, 00, 01, 00, 00, 00, 02, 00, 00, 00, 03, 00, 00, 00]
        bytes: [41, 42, 43]
    record batch, 4 rows
        values: [00, 01, 02, 01]
    dictionary 0, 4 rows
        offsets: [00, 00, 00, 00, 01, 00, 00, 00, 02, 00, 00, 00, 03, 00, 00, 00, 04, 00, 00, 00]
        bytes: [41, 43, 44, 45]
    record batch, 4 rows
        values: [02, 01, 03, 00]
    ");
}
