//! Writing streams and files to memory that is reused.

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{Compression, DictionaryPolicy, FileWriter, StreamEncoder, StreamWriter, WriteOptions};

use crate::HotPath;
use crate::data::{self, ASCII, N_ROWS, ReusedMemory, one_column};

pub(super) fn streams() -> Vec<HotPath> {
    let plain = WriteOptions::default;
    let small = data::small();
    let schema = data::wide(10_000).schema().clone();
    let sliced = |array: ArrayData| one_column(array.slice(3, N_ROWS - 5));
    let growing = data::growing(100);
    let deltas = plain().with_dictionaries(DictionaryPolicy::Delta);
    vec![
        encode("write a batch of 10 rows × 4 columns", 1, data::small(), plain()),
        HotPath::new("write a stream of a batch of 10 rows × 4 columns, to_buffer", 1, move || {
            StreamWriter::write_to_buffer_with(small.schema(), std::slice::from_ref(&small), plain())
                .expect("it fits")
        }),
        HotPath::new("write a column of a schema of 10,000", 10_000, move || {
            StreamWriter::write_to_buffer_with(&schema, &[], plain()).expect("it fits")
        }),
        encode("write a column of a batch of 10,000", 10_000, data::wide(10_000), plain()),
        encode("write integers", 1, one_column(data::integers()), plain()),
        encode(
            "write text with nulls, a slice inside of a byte",
            1,
            sliced(data::texts_with_nulls()),
            plain(),
        ),
        encode("write lists with nulls, a slice inside of a byte", 1, sliced(data::lists()), plain()),
        encode("write views", 1, one_column(data::views()), plain()),
        HotPath::new("write a delta of 100 words with its batch", 100, move || {
            StreamWriter::write_to_buffer_with(growing[0].schema(), &growing, deltas.clone())
                .expect("it fits")
        }),
        packed("write ASCII text, LZ4", data::texts(ASCII), Compression::lz4()),
        packed("write integers, LZ4", data::integers(), Compression::lz4()),
        packed("write ASCII text, ZSTD", data::texts(ASCII), Compression::zstd()),
    ]
}

pub(super) fn files() -> Vec<HotPath> {
    let small = data::small();
    let mut sink = ReusedMemory::with_bytes(1 << 21);
    vec![HotPath::new("write a file of 1,000 batches of 10 rows × 4 columns, each", 1_000, move || {
        let options = WriteOptions::default();
        let mut writer = FileWriter::try_new_with(sink.again(), small.schema(), options).expect("it starts");
        (0..1_000).for_each(|_| writer.write(&small).expect("it fits"));
        writer.finish().expect("it fits");
    })]
}

fn encode(name: &'static str, n_items: u64, batch: RecordBatch, options: WriteOptions) -> HotPath {
    let mut encoder = StreamEncoder::try_new_with(batch.schema(), options).expect("it starts");
    encoder.start().expect("the first message");
    let mut sink = ReusedMemory::with_bytes(1 << 22);
    HotPath::new(name, n_items, move || {
        encoder.encode(&batch).expect("it is valid").write_to(sink.again()).expect("it fits");
    })
}

fn packed(name: &'static str, array: ArrayData, compression: Compression) -> HotPath {
    encode(name, 1, one_column(array), WriteOptions::default().with_compression(compression))
}
