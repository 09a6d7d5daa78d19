//! Names, time zones and custom metadata that are not UTF-8. No value needs them, so readers return all rows, and escaped
//! text that stands for the same bytes; strict readers refuse them.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    FileReader, FileWriter, FormatErrorKind, IpcErrorKind, ReadOptions, StreamReader, StreamWriter,
    Validation, WriteOptions, file::Footer,
};
use arrow_schema::{DataType, EXTENSION_NAME_KEY, Field, IndexType, Metadata, Schema, TimeUnit, decode_text};
use testing_support::{Generator, Nulls, rows};

/// Bytes that occur nowhere else in these inputs.
const BYTES: &[u8] = b"\xfe\\\x80\x04\xffpickle";

/// A key that is exchanged for that of statistics, which writers make themselves.
const NO_STATISTICS: &str = "arrow-ipc.statisticX";

/// What a writer is given.
#[derive(Default)]
struct Input {
    schema: Metadata,
    footer: Metadata,
    batch: Metadata,
    dictionary: Metadata,
    columns: Vec<Field>,
}

fn input(columns: Vec<Field>) -> Input {
    Input { columns, ..Input::default() }
}

/// The inputs, each with the text in another part.
fn inputs() -> Vec<(&'static str, Input)> {
    let text = decode_text(BYTES);
    let pair = || Metadata::from([("k", &*text)]);
    let words = || DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let zone = DataType::timestamp_with_zone(TimeUnit::Second, &*text);
    let inner = Field::new(&*text, zone.clone());
    let values = DataType::dictionary(IndexType::Int8, DataType::Struct([inner].into())).unwrap();
    vec![
        ("schema", Input { schema: pair(), ..Input::default() }),
        ("key", Input { schema: Metadata::from([(&*text, "v")]), ..Input::default() }),
        ("footer", Input { footer: pair(), ..Input::default() }),
        ("statistics", Input { footer: Metadata::from([(NO_STATISTICS, &*text)]), ..Input::default() }),
        ("batch", Input { batch: pair(), ..Input::default() }),
        (
            "dictionary",
            Input { dictionary: pair(), columns: vec![Field::new("d", words())], ..Input::default() },
        ),
        ("field", input(vec![Field::new("a", DataType::Utf8).with_metadata(pair())])),
        (
            "extension",
            input(vec![
                Field::new("a", words()).with_metadata(Metadata::from([(EXTENSION_NAME_KEY, &*text)])),
            ]),
        ),
        ("name", input(vec![Field::new(&*text, DataType::Int8)])),
        (
            "names",
            input(vec![
                Field::new("x", DataType::Int8),
                Field::new(&*text, DataType::Int8),
                Field::new("y", DataType::Int8),
            ]),
        ),
        ("zone", input(vec![Field::new("t", zone)])),
        ("values", input(vec![Field::new("d", values)])),
    ]
}

fn written(input: &Input, batch: &RecordBatch) -> [Vec<u8>; 2] {
    let options = WriteOptions::new().with_footer_metadata(input.footer.clone());
    let mut stream = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    let mut file = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    if !input.dictionary.is_empty() {
        stream.set_dictionary_metadata(0, input.dictionary.clone()).unwrap();
        file.set_dictionary_metadata(0, input.dictionary.clone()).unwrap();
    }
    stream.write_with_metadata(batch, &input.batch).unwrap();
    file.write_with_metadata(batch, &input.batch).unwrap();
    [stream.finish().unwrap(), file.finish().unwrap()]
}

fn is_refused(error: &arrow_ipc::IpcError) -> bool {
    matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::NotUtf8 { .. }))
}

#[test]
fn all_rows_are_read_and_all_bytes_are_written() {
    let has_bytes = |bytes: &[u8]| bytes.windows(BYTES.len()).any(|window| window == BYTES);
    let strict = || ReadOptions::new().with_validation(Validation::Strict);
    for (part, input) in inputs() {
        let id = Field::new("id", DataType::Int32).required();
        let fields = [&[id][..], &input.columns].concat();
        let schema = Arc::new(Schema::new(fields).with_metadata(input.schema.clone()));
        let batch = Generator::new(1).batch(&schema, 20, Nulls::Some);
        let [stream, mut file] = written(&input, &batch);
        let (from, to) = (NO_STATISTICS.as_bytes(), Footer::STATISTICS_KEY.as_bytes());
        let key = file.windows(from.len()).position(|window| window == from);
        key.into_iter().for_each(|key| file[key..key + to.len()].copy_from_slice(to));
        let is_in_footer = matches!(part, "footer" | "statistics");
        assert_eq!((has_bytes(&stream), has_bytes(&file)), (!is_in_footer, true), "{part}");

        let mut reader = StreamReader::try_new(&stream[..]).unwrap();
        let read = reader.next_batch().unwrap().unwrap();
        assert_eq!((rows(&read.batch), &read.metadata), (rows(&batch), &input.batch), "{part}");
        assert_eq!(read.batch.schema(), &schema, "{part}");
        assert!(reader.next().is_none());
        assert_eq!(reader.stats().has_text_not_utf8, !is_in_footer, "{part}");

        let file = Buffer::from(file);
        let reader = FileReader::try_from_buffer(file.clone()).unwrap();
        let read = reader.batch_with_metadata(0).unwrap();
        assert_eq!((rows(&read.batch), &read.metadata), (rows(&batch), &input.batch), "{part}");
        assert_eq!(read.batch.schema(), &schema, "{part}");
        assert_eq!(reader.footer_metadata().get("k"), input.footer.get("k"));
        assert!(reader.stats().has_text_not_utf8, "{part}");

        // By position, with and without an index.
        let stream = Buffer::from(stream);
        let walked = FileReader::try_from_buffer(stream.clone()).unwrap();
        let indexed = FileReader::try_new_indexed(stream.clone(), &walked.index().unwrap()).unwrap();
        for reader in [walked, indexed] {
            assert_eq!(rows(&reader.batch(0).unwrap()), rows(&batch), "{part}");
            assert_eq!(reader.stats().has_text_not_utf8, !is_in_footer, "{part}");
        }

        // Strict readers refuse what they read.
        let refused =
            |result: Result<RecordBatch, arrow_ipc::IpcError>| result.is_err_and(|error| is_refused(&error));
        let first = |stream: &Buffer| {
            StreamReader::try_new_with(&**stream, strict()).and_then(|mut reader| reader.next().unwrap())
        };
        let nth = |bytes: &Buffer| FileReader::try_from_buffer_with(bytes.clone(), strict())?.batch(0);
        assert_eq!(refused(first(&stream)), !is_in_footer, "{part}");
        assert_eq!(refused(nth(&stream)), !is_in_footer, "{part}");
        assert!(refused(nth(&file)), "{part}");
    }
}

#[test]
fn text_without_escapes_is_not_taken_for_bytes() {
    let schema = "a: int8".parse::<Schema>().unwrap();
    let schema = schema.with_metadata(Metadata::from([("not UTF-8: ", "not UTF-8: é"), ("b", "\\xff")]));
    let stream = StreamWriter::try_new(Vec::new(), schema.clone()).unwrap().finish().unwrap();
    let read =
        StreamReader::try_new_with(&stream[..], ReadOptions::new().with_validation(Validation::Strict));
    // UTF-8 that begins as escaped text does is escaped, too, so that it is not the text of other bytes.
    let metadata = Metadata::from([("not UTF-8: not UTF-8: ", "not UTF-8: not UTF-8: é"), ("b", "\\xff")]);
    assert_eq!(read.unwrap().schema().metadata(), &metadata);
    let again = StreamWriter::try_new(Vec::new(), schema.with_metadata(metadata)).unwrap().finish().unwrap();
    assert_eq!(again, stream);
}
