//! Written data is read back unchanged: every type, with and without nulls, sliced, empty, in streams and files.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{
    FileReader, FileWriter, IpcSchema, Limits, MessageKind, MessageStep, Messages, StreamEncoder,
    StreamReader, StreamWriter, message::Header,
};
use arrow_schema::{DataType, Field, IndexType, Schema};
use testing_support::{ChunkedReader, Generator, Hunt, Nulls, all_types, rows, schema_of_all_types};

use crate::message_sizes::n_batch_bytes;

fn stream_of(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    for batch in batches {
        let before = writer.position();
        writer.write(batch).unwrap_or_else(|error| panic!("{error}"));
        let n_bytes = writer.position() - before;
        let planned = n_batch_bytes(batch).unwrap();
        // Without dictionaries the batch's message is all there is.
        assert!(planned <= n_bytes && (planned == n_bytes || has_dictionary(batch)));
    }
    writer.finish().unwrap()
}

fn has_dictionary(batch: &RecordBatch) -> bool {
    batch.schema().fields_in_pre_order().any(|field| field.data_type().as_dictionary().is_some())
}

fn file_of(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap_or_else(|error| panic!("{error}")));
    writer.finish().unwrap()
}

fn check_stream(batches: &[RecordBatch], name: &str) {
    let stream = stream_of(batches);
    assert_eq!(stream, stream_of(batches), "{name}: the same input, the same bytes");
    let reader = StreamReader::try_new(ChunkedReader::new(stream.as_slice(), 100)).unwrap();
    assert_eq!(reader.schema(), batches[0].schema());
    let read: Vec<RecordBatch> =
        reader.map(|batch| batch.unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
    check_same(&read, batches, name);
}

fn check_file(batches: &[RecordBatch], name: &str) {
    let file = FileReader::try_from_buffer(Buffer::from(file_of(batches))).unwrap();
    assert_eq!(file.schema(), batches[0].schema());
    let read: Vec<RecordBatch> =
        file.batches().map(|batch| batch.unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
    assert_eq!(file.stats().n_realigned_buffers, 0, "{name}: a buffer was not aligned");
    check_same(&read, batches, name);
}

fn check_same(read: &[RecordBatch], written: &[RecordBatch], name: &str) {
    assert_eq!(read.len(), written.len(), "{name}");
    for (read, written) in read.iter().zip(written) {
        let read =
            read.clone().validate(Validation::Strict).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rows(&read), rows(written), "{name}");
        for (read, written) in read.columns().iter().zip(written.columns()) {
            assert_eq!(read.null_count(), written.null_count(), "{name}");
        }
    }
}

fn batch_of(name: &str, array: ArrayData) -> RecordBatch {
    let schema = Schema::new([Field::new(name, array.data_type().clone())]);
    RecordBatch::try_new(schema, [array]).unwrap()
}

#[test]
fn every_type_in_streams_and_files() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for (idx, nulls) in Nulls::ALL.into_iter().enumerate() {
            let case = seed * Nulls::ALL.len() + idx;
            for &n_slots in Hunt::from_env().some_of(&[0, 1, 8, 63, 200], 2, case) {
                for array in [
                    generator.array(&data_type, n_slots, nulls),
                    generator.sliced_array(&data_type, n_slots, nulls),
                ] {
                    // What has been checked takes shorter ways.
                    let checked = array.clone().validate(Validation::Content).unwrap();
                    for array in [array, checked] {
                        let batch = batch_of(&name, array);
                        check_stream(std::slice::from_ref(&batch), &name);
                        check_file(&[batch], &name);
                    }
                }
            }
        }
    }
}

#[test]
fn slices_of_every_type() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(1000 + seed as u64);
        for nulls in [Nulls::None, Nulls::Garbage] {
            let batch = batch_of(&name, generator.array(&data_type, 300, nulls));
            let mut slices = Vec::new();
            let mut start = 0;
            for n_rows in [0, 1, 7, 8, 64, 100, 0, 65, 55] {
                slices.push(batch.slice(start, n_rows));
                start += n_rows;
            }
            // Slices of slices.
            slices
                .extend([batch.slice(3, 200).slice(5, 100), batch.slice(3, 200).slice(190, 10).slice(2, 3)]);
            check_stream(&slices, &name);
            check_file(&slices, &name);
        }
    }
}

#[test]
fn all_types_in_one_batch() {
    let schema = schema_of_all_types();
    for seed in 0..20 {
        let batch = Generator::new(seed).batch(&schema, 100, Nulls::ALL[seed as usize % 4]);
        let slices = [batch.clone(), batch.slice(10, 0), batch.slice(10, 50), batch.slice(99, 1)];
        check_stream(&slices, "all types");
        check_file(&slices, "all types");
    }
}

#[test]
fn streams_replace_dictionaries() {
    let schema = schema_of_all_types();
    let batches = Generator::new(3).batches(&schema, &[10, 0, 20, 30]);
    check_stream(&batches, "replaced dictionaries");
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    writer.write(&batches[0]).unwrap();
    let position = writer.position();
    let error = writer.write(&batches[2]).unwrap_err();
    assert!(error.to_string().contains("a file allows only one"), "{error}");
    // Nothing of the batch that was refused is there.
    assert_eq!(writer.position(), position);
    writer.write(&batches[0].slice(2, 5)).unwrap();
    let file = FileReader::try_from_buffer(Buffer::from(writer.finish().unwrap())).unwrap();
    assert_eq!(rows(&file.batch(1).unwrap()), rows(&batches[0].slice(2, 5)));
    assert_eq!(file.n_batches(), 2);
}

#[test]
fn no_columns_no_batches() {
    let empty = RecordBatch::try_new_with_rows(Schema::default(), Vec::<ArrayData>::new(), 7).unwrap();
    for batches in [vec![], vec![empty.clone()], vec![empty.clone(), empty.clone()]] {
        let mut writer = StreamWriter::try_new(Vec::new(), Schema::default()).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        let stream = writer.finish().unwrap();
        let reader = StreamReader::try_new(stream.as_slice()).unwrap();
        let n_rows: Vec<usize> = reader.map(|batch| batch.unwrap().n_rows()).collect();
        assert_eq!(n_rows, vec![7; batches.len()]);
    }
    let schema = Arc::new(schema_of_all_types());
    let file = FileWriter::try_new(Vec::new(), &schema).unwrap().finish().unwrap();
    let file = FileReader::try_from_buffer(Buffer::from(file)).unwrap();
    assert_eq!((file.n_batches(), file.schema()), (0, &schema));
    let stream = StreamWriter::try_new(Vec::new(), &schema).unwrap().finish().unwrap();
    assert_eq!(StreamReader::try_new(stream.as_slice()).unwrap().count(), 0);
}

#[test]
fn ids_and_shared_dictionaries_survive() {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let fields = ["a", "b", "c"].map(|name| Field::new(name, words.clone()));
    let schema = IpcSchema::try_with_dictionary_ids(Schema::new(fields), [-7, i64::MAX, -7]).unwrap();
    let mut generator = Generator::new(9);
    let [a, b] = [(); 2].map(|()| generator.array(&words, 30, Nulls::Some));
    let batch =
        RecordBatch::try_new(Arc::clone(schema.schema()), [a.clone(), b.clone(), a.slice(0, 30)]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    writer.write(&batch).unwrap();
    let differs = RecordBatch::try_new(Arc::clone(schema.schema()), [a.clone(), a, b]).unwrap();
    let error = writer.write(&differs).unwrap_err();
    assert!(error.to_string().contains("`c`") && error.to_string().contains("-7"), "{error}");
    let stream = writer.finish().unwrap();
    let mut reader = StreamReader::try_new(stream.as_slice()).unwrap();
    assert_eq!(reader.ipc_schema(), &schema);
    let read = reader.next().unwrap().unwrap();
    assert_eq!(rows(&read), rows(&batch));
    let dictionaries: Vec<_> = read.columns().iter().filter_map(ArrayData::dictionary).collect();
    assert!(Arc::ptr_eq(dictionaries[0], dictionaries[2]) && !Arc::ptr_eq(dictionaries[0], dictionaries[1]));
}

#[test]
fn dictionaries_are_written_when_they_are_new_or_change() {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let item = Field::new("item", words.clone());
    let outer = DataType::dictionary(IndexType::Int16, DataType::list(item)).unwrap();
    let fields = [Field::new("words", words.clone()), Field::new("outer", outer.clone())];
    let schema = Arc::new(Schema::new(fields));
    let mut generator = Generator::new(12);
    let mut array = |data_type: &DataType, n_slots| generator.array(data_type, n_slots, Nulls::None);
    let (a, b, c, d) = (array(&words, 30), array(&outer, 30), array(&words, 30), array(&outer, 30));
    let nulls = Bitmap::new_unset(30);
    let null = ArrayData::try_new(ArrayParts { validity: Some(nulls), ..c.clone().into_parts() }).unwrap();
    let empty = ArrayData::new_empty(&words);
    let batches = [
        // Inner ones come before outer ones; ids are in pre-order.
        (vec![a.clone(), b.clone()], vec![0, 2, 1]),
        (vec![a.clone(), b.clone()], vec![]),
        (vec![a.slice(3, 20), b.slice(3, 20)], vec![]),
        // Other memory, the same bytes.
        (vec![copied(&a), copied(&b)], vec![]),
        // Nothing refers to the values.
        (vec![null, b.clone()], vec![]),
        (vec![empty, b.slice(0, 0)], vec![]),
        (vec![c, b.clone()], vec![0]),
        (vec![a.clone(), d], vec![0, 2, 1]),
        (vec![a, b], vec![2, 1]),
    ];
    let mut encoder = StreamEncoder::try_new(&schema).unwrap();
    let mut stream = encoder.start().unwrap().to_bytes();
    let mut written = Vec::new();
    for (columns, expected) in batches {
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
        let encoded = encoder.encode(&batch).unwrap();
        let mut message = encoded.to_bytes();
        let kinds: Vec<MessageKind> = encoded.messages().iter().map(|message| message.kind()).collect();
        let mut expected_kinds = vec![MessageKind::DictionaryBatch; expected.len()];
        expected_kinds.push(MessageKind::RecordBatch);
        assert_eq!(kinds, expected_kinds);
        assert_eq!(ids_of(&message), expected);
        stream.extend_from_slice(message.as_mut_slice());
        written.push(batch);
    }
    stream.extend_from_slice(&encoder.finish().unwrap().to_bytes());
    let read: Vec<_> = StreamReader::try_new(&*stream).unwrap().map(|batch| batch.unwrap()).collect();
    check_same(&read, &written, "replaced");
}

/// The ids of the dictionary batches among some messages.
fn ids_of(bytes: &[u8]) -> Vec<i64> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(Buffer::copy_from(bytes));
    messages.finish_input();
    let mut ids = Vec::new();
    while let MessageStep::Message(message) = messages.step().unwrap() {
        if let Header::DictionaryBatch { id, .. } = message.header(&Limits::default()).unwrap() {
            ids.push(id);
        }
    }
    ids
}

/// The same array in other memory.
fn copied(array: &ArrayData) -> ArrayData {
    let mut parts = array.clone().into_parts();
    parts.buffers = parts.buffers.map(|buffer| Buffer::copy_from(&buffer));
    parts.children = parts.children.map(|children| children.iter().map(copied).collect());
    parts.dictionary = parts.dictionary.map(|values| Arc::new(copied(&values)));
    ArrayData::try_new(parts).unwrap()
}
