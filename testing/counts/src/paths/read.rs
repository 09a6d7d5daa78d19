//! Reading streams and files in memory.

use std::hint::black_box;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, FileReader, Projection, ReadOptions, Step, StreamDecoder, StreamReader,
    StreamWriter, Validation, WriteOptions,
};

use crate::HotPath;
use crate::data::{self, ASCII, MULTI_BYTE, N_ROWS, file, one_column, stream};

pub(super) fn streams() -> Vec<HotPath> {
    let plain = WriteOptions::default;
    let small = stream(&vec![data::small(); 1_000], plain());
    let small_read = small.clone();
    let deferred = || ReadOptions::new().with_validation(Validation::Structure);
    let column = |array: ArrayData| stream(&[one_column(array)], plain());
    let packed = |array: ArrayData, compression: Compression| {
        stream(&[one_column(array)], plain().with_compression(compression))
    };
    let schema = data::small().schema().clone();
    let empty = StreamWriter::write_to_buffer_with(&schema, &[], plain()).expect("it is written");
    let wide = data::wide(10_000);
    let columns = StreamWriter::write_to_buffer_with(wide.schema(), &[], plain()).expect("it is written");
    let deltas = plain().with_dictionaries(DictionaryPolicy::Delta);
    vec![
        of_stream("read a stream of 4 columns, no batch", 1, empty),
        of_stream("read a batch of 10 rows × 4 columns", 1_000, small.clone()),
        with_options("read a batch of 10 rows × 4 columns, unchecked", 1_000, small, deferred()),
        HotPath::new("read a batch of 10 rows × 4 columns through Read", 1_000, move || {
            let reader = StreamReader::try_new(&*small_read).expect("it starts");
            reader.map(|batch| batch.expect("it is valid").n_rows()).sum::<usize>()
        }),
        of_stream("read a column of a schema of 10,000", 10_000, columns),
        of_stream("read a column of a batch of 10,000, with its schema", 10_000, stream(&[wide], plain())),
        of_stream("read ASCII text", 1, column(data::texts(ASCII))),
        with_options("read ASCII text, unchecked", 1, column(data::texts(ASCII)), deferred()),
        of_stream("read multi-byte text", 1, column(data::texts(MULTI_BYTE))),
        of_stream("read views", 1, column(data::views())),
        of_stream("read lists with nulls", 1, column(data::lists())),
        of_stream("read booleans", 1, column(data::booleans())),
        of_stream("read a delta of 100 words with its batch", 100, stream(&data::growing(100), deltas)),
        of_stream("read ASCII text, LZ4", 1, packed(data::texts(ASCII), Compression::lz4())),
        of_stream("read integers, LZ4", 1, packed(data::integers(), Compression::lz4())),
        of_stream("read ASCII text, ZSTD", 1, packed(data::texts(ASCII), Compression::zstd())),
    ]
}

pub(super) fn files() -> Vec<HotPath> {
    let plain = WriteOptions::default;
    let many = file(&vec![data::small(); 1_000], plain());
    let opened = open(&many);
    let wide = file(&[data::wide(10_000)], plain());
    let wide_opened = open(&wide);
    let projection = || Projection::Positions(vec![5_000]);
    let projected = wide_opened.project(&projection()).expect("the column is there");
    let (many_opened, many_read) = (many.clone(), many);
    vec![
        HotPath::new("open a file of 1,000 batches", 1, move || open(&many_opened)),
        HotPath::new("open a file of 1,000 batches, read one", 1, move || batch(&open(&many_read), 500)),
        HotPath::new("read a batch of 10 rows × 4 columns of an open file", 1, move || batch(&opened, 500)),
        HotPath::new("open a file of 10,000 columns, read one", 1, move || {
            let reader = open(&wide).project(&projection()).expect("the column is there");
            batch(&reader, 0)
        }),
        HotPath::new("read a batch of 10,000 columns of an open file", 1, move || batch(&wide_opened, 0)),
        HotPath::new("read one of 10,000 columns of an open file", 1, move || batch(&projected, 0)),
        rows("read 100 rows of a batch", plain()),
        rows("read 100 rows of a batch, LZ4", plain().with_compression(Compression::lz4())),
        rows("read 100 rows of a batch, ZSTD", plain().with_compression(Compression::zstd())),
    ]
}

fn of_stream(name: &'static str, n_items: u64, stream: Buffer) -> HotPath {
    with_options(name, n_items, stream, ReadOptions::default())
}

fn with_options(name: &'static str, n_items: u64, stream: Buffer, options: ReadOptions) -> HotPath {
    HotPath::new(name, n_items, move || {
        let mut decoder = StreamDecoder::new_with(options.clone());
        decoder.feed(stream.clone());
        decoder.finish_input();
        loop {
            match decoder.step().expect("it is valid") {
                Step::Batch(next) => drop(black_box(next.batch)),
                Step::End => return,
                _ => {}
            }
        }
    })
}

/// Reads some rows in the middle of a batch, so that only a part of its buffers is needed.
fn rows(name: &'static str, options: WriteOptions) -> HotPath {
    let reader = open(&file(&[data::table()], options));
    let start = N_ROWS as u64 / 2;
    HotPath::new(name, 1, move || reader.batch_rows(0, start..start + 100).expect("it is valid"))
}

fn open(file: &Buffer) -> FileReader<Buffer> {
    FileReader::try_from_buffer(file.clone()).expect("it is valid")
}

fn batch(reader: &FileReader<Buffer>, batch_idx: usize) -> RecordBatch {
    reader.batch(batch_idx).expect("it is valid")
}
