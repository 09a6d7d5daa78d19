//! Projection by path: what comes out is the whole batch without what was not requested, and of a file only the needed
//! buffers are read.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex},
};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_ipc::{
    Endianness, ErrorClass, FetchCost, FileReader, FileWriter, IpcErrorKind, Limits, MessageScan, Projection,
    ReadOptions, Source, StreamDecoder, StreamReader, StreamWriter, WriteOptions, message::Header,
};
use arrow_schema::{DataType, Extension, Field, Metadata, Schema};
use testing_support::{Generator, Nulls, rows};

const PATHS: &[(&[&str], &str)] = &[
    (&["id"], "id: int64"),
    (&["person.name"], "person: struct<name: utf8_view>"),
    (
        &["person.tags.item.word", "id"],
        "person: struct<tags: list<item: struct<word: dictionary<int8, utf8>>>>; id: int64",
    ),
    (&["person.born", "person.name"], "person: struct<name: utf8_view, born: date32>"),
    (
        &["person", "person.name"],
        "person: struct<name: utf8_view, born: date32, tags: list<item: struct<word: dictionary<int8, utf8>, n: int32>>>",
    ),
    (&["boxes.item.a"], "boxes: fixed_size_list<item: struct<a: bool>; 2>"),
    (&["views.item.y"], "views: large_list_view<item: struct<y: utf8_view>>"),
    (
        &["wide.item.q", "map", "union"],
        "wide: large_list<item: struct<q: utf8>>; map: map<entries: struct<key: utf8 not null, value: int8> not null>; union: dense_union<0=a: int8, 1=b: utf8_view>",
    ),
    (
        &["person.tags.item.word", "person.tags.item.n"],
        "person: struct<tags: list<item: struct<word: dictionary<int8, utf8>, n: int32>>>",
    ),
    (&[], ""),
];

const SCHEMA: &str = "\
person: struct<name: utf8_view, born: date32, tags: list<item: struct<word: dictionary<int8, utf8>, n: int32>>>
boxes: fixed_size_list<item: struct<a: bool, b: float64>; 2>
id: int64
views: large_list_view<item: struct<x: binary_view, y: utf8_view>>
wide: large_list<item: struct<p: utf8_view, q: utf8>>
map: map<entries: struct<key: utf8 not null, value: int8> not null>
union: dense_union<0=a: int8, 1=b: utf8_view>";

fn schema() -> Schema {
    SCHEMA.parse().unwrap()
}

/// A batch with nulls everywhere.
fn batch(n_rows: usize) -> RecordBatch {
    let (schema, mut generator) = (schema(), Generator::new(7));
    let fields = schema.fields().iter();
    let columns = fields.map(|field| generator.array(field.data_type(), n_rows, Nulls::Some));
    let columns: Vec<ArrayData> = columns.collect();
    RecordBatch::try_new(schema, columns).unwrap()
}

fn batches() -> Vec<RecordBatch> {
    let batch = batch(69);
    vec![batch.slice(0, 60), batch.slice(60, 0), batch.slice(60, 9)]
}

/// The expected result: each column without the children that no path selects, taken from the arrays in memory.
fn pruned(array: &ArrayData, to: &DataType) -> ArrayData {
    if array.data_type() == to {
        return array.clone();
    }
    let mut parts = array.clone().into_parts();
    let fields = array.data_type().children();
    let projected = to.children().iter().map(|wanted| {
        let idx = fields.iter().position(|field| field.name() == wanted.name()).unwrap();
        pruned(&array.children()[idx], wanted.data_type())
    });
    parts.children = Some(projected.collect());
    parts.data_type = to.clone();
    ArrayData::try_new(parts).unwrap()
}

fn check(read: Vec<RecordBatch>, written: &[RecordBatch], what: &str) {
    assert_eq!(read.len(), written.len(), "{what}");
    for (read, written) in read.into_iter().zip(written) {
        let read = read.validate(Validation::Strict).unwrap();
        let columns = read.schema().fields().iter().map(|field| {
            let column = written.column(field.name()).unwrap();
            pruned(column, field.data_type())
        });
        let columns: Vec<ArrayData> = columns.collect();
        let expected =
            RecordBatch::try_new_with_rows(Arc::clone(read.schema()), columns, written.n_rows()).unwrap();
        assert_eq!(rows(&read), rows(&expected), "{what}");
    }
}

#[test]
fn unselected_columns_are_left_out() {
    let batches = batches();
    let foreign = if Endianness::NATIVE == Endianness::Big { Endianness::Little } else { Endianness::Big };
    for options in [WriteOptions::new(), WriteOptions::new().with_endianness(foreign)] {
        let mut stream =
            StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options.clone()).unwrap();
        let mut file = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
        for batch in &batches {
            stream.write(batch).unwrap();
            file.write(batch).unwrap();
        }
        let (stream, file) = (stream.finish().unwrap(), Buffer::from(file.finish().unwrap()));
        let file = FileReader::try_from_buffer(file).unwrap();
        for (paths, expected) in PATHS {
            let projection = Projection::paths(paths.iter().copied());
            let options = ReadOptions::new().with_projection(projection.clone());
            let reader = StreamReader::try_new_with(&*stream, options).unwrap();
            let shown: Vec<String> = reader.schema().fields().iter().map(Field::to_string).collect();
            assert_eq!(shown.join("; "), *expected);
            check(reader.map(Result::unwrap).collect(), &batches, expected);
            let reader = file.project(&projection).unwrap();
            let shown: Vec<String> = reader.schema().fields().iter().map(Field::to_string).collect();
            assert_eq!(shown.join("; "), *expected);
            check(reader.batches().map(Result::unwrap).collect(), &batches, expected);
        }
    }
}

#[test]
fn paths_into_types_that_are_read_whole_are_refused() {
    let batches = batches();
    let mut file = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    file.write(&batches[0]).unwrap();
    let file = FileReader::try_from_buffer(Buffer::from(file.finish().unwrap())).unwrap();
    for (path, expected) in [
        ("map.entries", "cannot select map.entries inside a map, which can only be selected whole"),
        ("union.a", "cannot select union.a inside a union, which can only be selected whole"),
        ("person.tags.item.word.<dictionary>", "inside a dictionary, which can only be selected whole"),
        ("person.nobody", "in person: no field is named \"nobody\""),
        ("nobody", "no field is named \"nobody\""),
        ("person..name", "expected"),
    ] {
        let error = file.project(&Projection::paths([path])).expect_err(path);
        assert_eq!(error.class(), ErrorClass::Misuse);
        assert!(error.to_string().contains(expected), "{path}: {error}");
    }
    // By positions, which may be anything.
    let far = arrow_schema::FieldPath::root().child(0, "person").child(99, "far");
    let error = file.project(&Projection::FieldPaths(vec![far])).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::Lookup(_)), "{error}");
    let below_a_leaf = arrow_schema::FieldPath::root().child(2, "id").child(0, "x");
    let error = file.project(&Projection::FieldPaths(vec![below_a_leaf])).unwrap_err();
    assert!(error.to_string().contains("a field without children"), "{error}");
}

/// Remembers what was requested.
#[derive(Debug)]
struct Recorder {
    bytes: Buffer,
    requested: Mutex<Vec<Range<u64>>>,
}

impl Source for &Recorder {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.requested.lock().unwrap().push(range.clone());
        self.bytes.fetch(range)
    }
}

#[test]
fn only_the_needed_buffers_of_a_file_are_read() {
    let batch = batch(5_000);
    let mut file = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    file.write(&batch).unwrap();
    let bytes = Buffer::from(file.finish().unwrap());
    let recorder = Recorder { bytes, requested: Mutex::default() };
    let options = ReadOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS).with_tail_bytes(0);
    let file = FileReader::try_new_with(&recorder, options).unwrap();
    let file = file.project(&Projection::paths(["person.born"])).unwrap();
    recorder.requested.lock().unwrap().clear();
    file.batch(0).unwrap();
    let requested = std::mem::take(&mut *recorder.requested.lock().unwrap());
    let n_metadata_bytes = file.footer().batches()[0].n_metadata_bytes();
    let n_body_bytes: u64 =
        requested.iter().map(|range| range.end - range.start).sum::<u64>() - n_metadata_bytes;
    // Two bitmaps and one column of numbers; no dictionary.
    assert_eq!(n_body_bytes, 5_000 * 4 + 2 * 5_000_u64.div_ceil(8), "{requested:?}");
}

#[test]
fn what_is_left_of_an_extension_type_is_none() {
    let fields = [Field::new("a", DataType::Int8), Field::new("b", DataType::Int8)];
    let pair = Field::new("pair", DataType::struct_(fields))
        .with_extension(Extension { name: "example.pair", metadata: None });
    let schema = Schema::new([pair.clone()]);
    let stream = StreamWriter::try_new(Vec::new(), schema).unwrap().finish().unwrap();
    for (paths, expected) in
        [(&["pair.a"][..], None), (&["pair"], pair.extension()), (&["pair.b", "pair.a"], pair.extension())]
    {
        let options = ReadOptions::new().with_projection(Projection::paths(paths.iter().copied()));
        let reader = StreamReader::try_new_with(&*stream, options).unwrap();
        assert_eq!(reader.schema().field(0).unwrap().extension(), expected, "{paths:?}");
    }
}

#[test]
fn dictionaries_that_no_selected_column_needs_are_skipped() {
    let nested = "dictionary<int8, list<item: dictionary<int16, utf8>>>";
    let text = format!("plain: int8\nwords: dictionary<int32, utf8>\nnested: {nested}");
    let schema: Schema = text.parse().unwrap();
    let mut generator = Generator::new(5);
    let fields = schema.fields().iter();
    let columns = fields.map(|field| generator.array(field.data_type(), 20, Nulls::None)).collect::<Vec<_>>();
    let batch = RecordBatch::try_new(schema, columns).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let stream = writer.finish().unwrap();
    for (paths, needed) in [(&["plain"][..], &[][..]), (&["words"], &[0]), (&["nested", "plain"], &[1, 2])] {
        let mut n_broken = 0;
        for id in 0..3 {
            let options = ReadOptions::new().with_projection(Projection::paths(paths.iter().copied()));
            let broken = with_broken_dictionary(&stream, id);
            let reader = StreamReader::try_new_with(&*broken, options).unwrap();
            let outcome: Result<Vec<RecordBatch>, _> = reader.collect();
            assert_eq!(outcome.is_err(), needed.contains(&id), "{paths:?}, dictionary {id}");
            n_broken += usize::from(outcome.is_err());
        }
        assert_eq!(n_broken, needed.len());
    }
}

/// The stream in which the last offset of a dictionary is past the end of its data.
fn with_broken_dictionary(stream: &[u8], broken: i64) -> Vec<u8> {
    let limits = Limits::default();
    let bytes = Buffer::copy_from(stream);
    let mut scan = MessageScan::try_new(bytes, 0..u64::MAX, limits.clone()).unwrap();
    let mut changed = stream.to_vec();
    while let Some(message) = scan.next_message().unwrap() {
        let header = message.header(&limits).unwrap();
        if let Header::DictionaryBatch { id, batch, .. } = header
            && id == broken
        {
            let offsets = batch.buffers()[1];
            let end = usize::try_from(message.body_position() + offsets.end()).unwrap();
            changed[end - 4..end].copy_from_slice(&i32::MAX.to_le_bytes());
        }
    }
    changed
}

/// A stream of two batches of columns with a dictionary each, and its dictionaries before the first.
fn stream_with_dictionaries() -> (Vec<RecordBatch>, Vec<u8>) {
    let text = "plain: int8\nwords: dictionary<int32, utf8>\nothers: dictionary<int8, utf8>";
    let schema: Schema = text.parse().unwrap();
    let mut generator = Generator::new(5);
    let fields = schema.fields().iter();
    let columns = fields.map(|field| generator.array(field.data_type(), 20, Nulls::None)).collect::<Vec<_>>();
    let batch = RecordBatch::try_new(schema, columns).unwrap();
    let metadata = Metadata::from_iter([("of", "the stream")]);
    let options = WriteOptions::new().with_file_metadata(metadata);
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    let batches = vec![batch.slice(0, 12), batch.slice(12, 8)];
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    (batches, writer.finish().unwrap())
}

#[test]
fn columns_of_a_stream_are_selected_when_its_schema_is_known() {
    let (batches, stream) = stream_with_dictionaries();
    for paths in [&["words"][..], &["plain", "others"], &[]] {
        let mut reader = StreamReader::try_new(&*stream).unwrap();
        assert_eq!(reader.schema_message_metadata().get("of"), Some("the stream"));
        assert_eq!(reader.schema().fields().len(), 3);
        reader.project(&Projection::paths(paths.iter().copied())).unwrap();
        assert_eq!(reader.schema().fields().len(), paths.len());
        assert_eq!(reader.ipc_schema().schema().fields().len(), 3);
        check(reader.map(Result::unwrap).collect(), &batches, &paths.join(", "));
    }
    let mut reader = StreamReader::try_new(&*stream).unwrap();
    let error = reader.project(&Projection::paths(["nobody"])).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Misuse);
    check(reader.map(Result::unwrap).collect(), &batches, "after an error");
    let mut decoder = StreamDecoder::new();
    let error = decoder.project(&Projection::All).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Misuse);
    assert_eq!(error.to_string(), "a projection needs the schema, which has not been read yet");
}

#[test]
fn columns_may_change_between_batches_unless_a_dictionary_was_skipped() {
    let (batches, stream) = stream_with_dictionaries();
    let first_of = |paths: &[&str]| {
        let mut reader = StreamReader::try_new(&*stream).unwrap();
        reader.project(&Projection::paths(paths.iter().copied())).unwrap();
        check(vec![reader.next_batch().unwrap().unwrap().batch], &batches[..1], &paths.join(", "));
        reader
    };
    let mut reader = first_of(&["plain", "words"]);
    reader.project(&Projection::paths(["words"])).unwrap();
    check(reader.map(Result::unwrap).collect(), &batches[1..], "fewer");
    let mut reader = first_of(&["plain", "words"]);
    let error = reader.project(&Projection::All).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::SkippedDictionary { id: 1 }), "{error}");
    check(reader.map(Result::unwrap).collect(), &batches[1..], "as before");
}
