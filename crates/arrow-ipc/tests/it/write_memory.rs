//! The cost of writing: allocations, copied bytes, calls of the sink. Also streams and files whose memory is allocated
//! once.

use std::{
    io::{self, IoSlice, Write},
    sync::Arc,
};

use arrow_array::{Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, Endianness, FileEncoder, FileReader, FileWriter, FormatErrorKind, Framing,
    IpcErrorKind, MetadataVersion, NullSlots, RowCounts, SharedBuffers, StreamEncoder, StreamWriter,
    WriteOptions,
};
use arrow_schema::{DataType, Field, Metadata, Schema};
use testing_support::{Generator, Nulls, all_types, batch_of, ints};

use crate::ALLOCATOR;

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

fn options() -> Vec<WriteOptions> {
    let new = WriteOptions::new;
    let mut options = vec![
        new(),
        new().with_alignment(4096).with_file_metadata(Metadata::from_iter([("k", "v")])),
        new().with_endianness(FOREIGN),
        new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy),
        new().with_null_slots(NullSlots::Zeros).with_dictionaries(DictionaryPolicy::Delta),
        new().with_row_counts(RowCounts::Written),
        new().with_row_counts(RowCounts::Written),
        new().with_shared_buffers(SharedBuffers::Once),
    ];
    if cfg!(feature = "lz4") {
        options.push(new().with_compression(Compression::lz4()));
    }
    options
}

#[test]
fn to_memory_is_as_to_any_sink() {
    let mut n_exact = 0;
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Arc::new(Schema::new([Field::new("column", data_type)]));
        let mut generator = Generator::new(seed as u64);
        let batches = [40, 0, 7].map(|n_rows| generator.batch(&schema, n_rows, Nulls::Some));
        for options in options() {
            let is_known =
                options.compression().is_none() && options.shared_buffers() == SharedBuffers::Repeated;
            let name = format!("{name}, {options:?}");
            let written =
                StreamWriter::try_new_with(Vec::new(), &schema, options.clone()).and_then(|mut writer| {
                    batches.iter().try_for_each(|batch| writer.write(batch))?;
                    writer.finish()
                });
            let vec = StreamWriter::write_to_vec_with(&schema, &batches, options.clone());
            let buffer = StreamWriter::write_to_buffer_with(&schema, &batches, options.clone());
            let Ok(written) = written else {
                let found = [vec.map(Buffer::from), buffer].map(|found| found.unwrap_err().to_string());
                assert_eq!(found, [written.unwrap_err().to_string(), found[0].clone()], "{name}");
                continue;
            };
            let (vec, buffer) = (vec.unwrap(), buffer.unwrap());
            assert_eq!((&vec, &*buffer), (&written, &*written), "{name}");
            assert!(buffer.is_aligned_to(64), "{name}");
            if is_known {
                assert_eq!(vec.capacity(), vec.len(), "{name}");
                n_exact += 1;
            }

            // All batches are there, so a file has one dictionary.
            let of_file = match options.dictionaries() {
                DictionaryPolicy::Replace => options.clone().with_unified_dictionaries(&schema, &batches),
                _ => Ok(options.clone()),
            };
            let written = of_file.and_then(|of_file| {
                let mut writer = FileWriter::try_new_with(Vec::new(), &schema, of_file)?;
                batches.iter().try_for_each(|batch| writer.write(batch))?;
                writer.finish()
            });
            let vec = FileWriter::write_to_vec_with(&schema, &batches, options.clone());
            let Ok(written) = written else {
                assert_eq!(vec.unwrap_err().to_string(), written.unwrap_err().to_string(), "{name}");
                continue;
            };
            let vec = vec.unwrap();
            assert_eq!(vec, written, "{name}");
            assert_eq!(
                *FileWriter::write_to_buffer_with(&schema, &batches, options).unwrap(),
                *written,
                "{name}"
            );
            assert!(!is_known || vec.capacity() == vec.len(), "{name}");
        }
    }
    assert!(n_exact > 200, "{n_exact}");
}

#[test]
fn nothing_but_a_schema_can_be_written_to_memory() {
    let schema = Arc::new(Schema::new([Field::new("column", DataType::Int32)]));
    let file = FileWriter::write_to_buffer(&schema, &[]).unwrap();
    assert_eq!(FileReader::try_from_buffer(file).unwrap().n_batches(), 0);
    let other = RecordBatch::try_from_columns([("column", Int64Array::from_iter([1]).into())]).unwrap();
    let refused = StreamWriter::write_to_buffer(&schema, &[other]).unwrap_err();
    assert!(refused.to_string().contains("int64"), "{refused}");
}

/// Texts of about 13 bytes.
fn texts(n_slots: usize) -> ArrayData {
    let texts: Vec<String> = (0..n_slots).map(|slot| format!("text {slot:8}")).collect();
    Utf8Array::try_from_iter(texts.iter().map(String::as_str)).unwrap().into()
}

#[test]
fn memory_is_taken_once() {
    let batches: Vec<RecordBatch> = (0..20).map(|idx| batch_of(texts(2_000).slice(idx, 1_900))).collect();
    let schema = batches[0].schema();
    let (buffer, usage) = ALLOCATOR.measure(|| StreamWriter::write_to_buffer(schema, &batches).unwrap());
    let n_bytes = buffer.len() as i64;
    // Above the output, no more than what is rebuilt of a batch.
    let n_batch_bytes = n_bytes / 20;
    assert!(usage.peak_bytes < n_bytes + n_batch_bytes + 20_000, "{n_bytes}: {usage:?}");
    assert!(usage.live_bytes < n_bytes + 1_000, "{n_bytes}: {usage:?}");
}

fn columns(n_columns: usize, column: impl Fn(usize) -> ArrayData) -> RecordBatch {
    RecordBatch::try_from_columns((0..n_columns).map(|idx| (format!("column {idx}"), column(idx)))).unwrap()
}

/// The allocations for the third batch, by an encoder that is cleared after each batch.
fn n_allocations(batch: &RecordBatch) -> u64 {
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    let mut encode = || {
        encoder.encode(batch).unwrap().write_to(&mut io::sink()).unwrap();
        encoder.clear();
    };
    (0..2).for_each(|_| encode());
    ALLOCATOR.measure(encode).1.n_allocations
}

#[test]
fn batches_after_the_second_allocate_nothing() {
    for n_columns in [1, 100, 2_000] {
        assert_eq!(n_allocations(&columns(n_columns, |_| ints(0..10))), 0, "{n_columns}");
        assert_eq!(n_allocations(&columns(n_columns, |_| ints(0..2_000))), 0, "{n_columns}");
        assert_eq!(n_allocations(&columns(n_columns, |_| texts(12).slice(3, 7))), 0, "{n_columns}");
    }
    // Rebuilt buffers of 4 KiB or more count their references.
    assert_eq!(n_allocations(&columns(50, |_| texts(2_000).slice(3, 1_900))), 50);
}

#[test]
fn the_first_batch_allocates_as_often_for_any_number_of_columns() {
    let n_allocations = |n_columns| {
        let batch = columns(n_columns, |_| ints(0..10));
        let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
        encoder.start().unwrap();
        ALLOCATOR.measure(|| encoder.encode(&batch).unwrap().n_bytes()).1.n_allocations
    };
    // Vectors that double: of nodes, buffers, gathered bytes.
    let [few, many] = [100, 10_000].map(n_allocations);
    assert!(many <= few + 3 * 7, "{few}, {many}");
}

#[test]
fn metadata_that_no_message_can_hold_is_refused_before_it_is_put_together() {
    // The pairs share one text; written, they are 2.4 GB.
    let text: Arc<str> = "m".repeat(12 << 20).into();
    let metadata = Metadata::from_pairs(vec![(None, Some(text)); 200]);
    let schema = Schema::new([]).with_metadata(metadata);
    let start = || StreamEncoder::try_new(schema.clone()).unwrap().start().map(drop);
    let (started, usage) = ALLOCATOR.measure(start);
    assert!(matches!(
        started.unwrap_err().kind(),
        IpcErrorKind::Format(FormatErrorKind::LimitExceeded { .. })
    ));
    assert!(usage.peak_bytes < 1 << 20, "{usage:?}");
    let end = || FileEncoder::try_new(schema.clone()).unwrap().finish().map(drop);
    let (ended, usage) = ALLOCATOR.measure(end);
    assert!(matches!(ended.unwrap_err().kind(), IpcErrorKind::Format(FormatErrorKind::LimitExceeded { .. })));
    assert!(usage.peak_bytes < 1 << 20, "{usage:?}");
}

/// Counts calls.
#[derive(Debug, Default)]
struct Calls {
    n_writes: usize,
    n_vectored: usize,
}

impl Write for Calls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.n_writes += 1;
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        self.n_vectored += 1;
        Ok(slices.iter().map(|slice| slice.len()).sum())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_batch_is_one_call_of_the_sink() {
    let small = RecordBatch::try_from_columns([("id", ints(0..10)), ("name", texts(10))]).unwrap();
    let large = RecordBatch::try_from_columns([("id", ints(0..5_000)), ("name", texts(5_000))]).unwrap();
    for (batch, expected) in [(small, (10, 0)), (large, (0, 10))] {
        let mut writer = StreamWriter::try_new(Calls::default(), batch.schema()).unwrap();
        // The length of metadata is known from the second batch on.
        writer.write(&batch).unwrap();
        let before = (writer.sink().n_writes, writer.sink().n_vectored);
        (0..10).for_each(|_| writer.write(&batch).unwrap());
        let Calls { n_writes, n_vectored } = *writer.sink();
        assert_eq!((n_writes - before.0, n_vectored - before.1), expected);
    }
}

#[test]
fn memory_that_was_used_before_leaves_no_trace() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        let whole = generator.array(&data_type, 5_000, Nulls::Some);
        let slices =
            [(3, 4_901), (9, 4_901), (17, 4_000), (1, 30)].map(|(start, n)| batch_of(whole.slice(start, n)));
        let mut encoder = StreamEncoder::try_new(slices[0].schema()).unwrap();
        for batch in &slices {
            // The message of the batch: schemas and dictionaries that were written before are not written again.
            let last = |encoder: &mut StreamEncoder| {
                let encoded = encoder.encode(batch).unwrap();
                let n_bytes = encoded.messages().last().unwrap().n_bytes() as usize;
                let bytes = encoded.to_bytes();
                encoder.clear();
                bytes[bytes.len() - n_bytes..].to_vec()
            };
            let mut fresh = StreamEncoder::try_new(batch.schema()).unwrap();
            assert_eq!(last(&mut encoder), last(&mut fresh), "{name}");
        }
    }
}
