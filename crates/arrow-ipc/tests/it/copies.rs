//! If copies are refused, batches share the memory that the reader was given, or reading is an error that says why.

use std::fs;

use arrow_array::Utf8Array;
use arrow_buffer::{AllocationSet, Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, Copies, DictionaryPolicy, Endianness, FileReader, FileWriter, IpcError, IpcErrorKind,
    ReadOptions, ReadStats, Step, StreamDecoder, StreamReader, StreamWriter, WriteOptions, error::CopyCause,
};
use arrow_schema::DataType;
use testing_support::{Generator, Nulls, all_types, batch_of, ints};

use crate::{ALLOCATOR, codecs};

fn refusing() -> ReadOptions {
    ReadOptions::new().with_copies(Copies::Refused)
}

/// The bytes at an odd address.
fn moved(bytes: &Buffer) -> Buffer {
    Buffer::copy_from(&[&[0], &**bytes].concat()).slice(1..)
}

fn has_copies(stats: &ReadStats) -> bool {
    let copied = [
        stats.n_realigned_bytes,
        stats.n_swapped_bytes,
        stats.n_repaired_bytes,
        stats.n_joined_bytes,
        stats.n_decompressed_bytes,
        stats.n_reassembled_bytes,
    ];
    copied.iter().any(|n_bytes| *n_bytes > 0)
}

type Read = Result<Vec<RecordBatch>, IpcError>;

fn read_file(file: Buffer, options: ReadOptions) -> (Read, ReadStats) {
    match FileReader::try_from_buffer_with(file, options) {
        Ok(reader) => (reader.batches().collect(), reader.stats()),
        Err(error) => (Err(error), ReadStats::default()),
    }
}

fn read_stream(stream: Buffer, options: ReadOptions) -> (Read, ReadStats) {
    match StreamReader::try_from_buffer_with(stream, options) {
        Ok(mut reader) => (reader.by_ref().collect(), reader.stats()),
        Err(error) => (Err(error), ReadStats::default()),
    }
}

/// Reads with and without refusal. Returns the cause of the refusal.
fn check(read: impl Fn(ReadOptions) -> (Read, ReadStats), name: &str) -> Option<CopyCause> {
    let (allowed, stats) = read(ReadOptions::new());
    let Ok(allowed) = allowed else { return None };
    match read(refusing()).0 {
        Ok(refused) => {
            assert!(!has_copies(&stats), "{name}: {stats:?}");
            assert_eq!(refused.len(), allowed.len(), "{name}");
            let pairs = refused.iter().zip(&allowed);
            assert!(pairs.into_iter().all(|(left, right)| left.same_values(right).unwrap()), "{name}");
            None
        }
        Err(error) => {
            let IpcErrorKind::CopyRefused { cause, .. } = error.kind() else { panic!("{name}: {error}") };
            assert!(
                has_copies(&stats) || [CopyCause::UnionNulls, CopyCause::Deltas].contains(cause),
                "{name}: {error}"
            );
            assert!(error.location().field.is_some() || *cause == CopyCause::Scattered, "{name}: {error}");
            Some(*cause)
        }
    }
}

#[test]
fn refusal_is_where_a_copy_would_be() {
    let other = match Endianness::NATIVE {
        Endianness::Little => Endianness::Big,
        Endianness::Big => Endianness::Little,
    };
    let mut found = Vec::new();
    for (name, data_type) in all_types() {
        let array = Generator::new(3).array(&data_type, 200, Nulls::Some);
        let batches = [RecordBatch::try_from_columns([("c", array)]).unwrap()];
        let write = |options: WriteOptions| {
            let file =
                FileWriter::write_to_buffer_with(batches[0].schema(), &batches, options.clone()).unwrap();
            (file, StreamWriter::write_to_buffer_with(batches[0].schema(), &batches, options).unwrap())
        };
        let mut forms = vec![("plain", write(WriteOptions::new()))];
        forms.push(("swapped", write(WriteOptions::new().with_endianness(other))));
        if codecs::is_built_in("zstd") {
            forms.push(("compressed", write(WriteOptions::new().with_compression(Compression::zstd()))));
        }
        let (file, stream) = write(WriteOptions::new());
        forms.push(("moved", (moved(&file), moved(&stream))));
        for (form, (file, stream)) in forms {
            let cause = check(|options| read_file(file.clone(), options), &format!("{name} {form}, file"));
            let again =
                check(|options| read_stream(stream.clone(), options), &format!("{name} {form}, stream"));
            assert_eq!(cause, again, "{name} {form}");
            assert!(form != "plain" || cause.is_none(), "{name}");
            found.extend(cause);
        }
    }
    for cause in [CopyCause::Misaligned, CopyCause::ByteOrder, CopyCause::Compressed] {
        assert!(
            cause == CopyCause::Compressed && !codecs::is_built_in("zstd") || found.contains(&cause),
            "{cause}"
        );
    }
}

#[test]
fn refusal_is_where_a_copy_of_golden_data_would_be() {
    let golden = testing_support::corpus_dir().join("golden");
    let (mut n_read, mut n_refused) = (0, 0);
    for path in testing_support::files_below(&golden, "") {
        let name = path.display().to_string();
        let bytes = Buffer::from(fs::read(&path).unwrap()).to_aligned(64);
        let cause = if name.ends_with(".arrow") {
            check(|options| read_file(bytes.clone(), options), &name)
        } else if name.ends_with(".arrows") {
            check(|options| read_stream(bytes.clone(), options), &name)
        } else {
            continue;
        };
        n_read += 1;
        n_refused += usize::from(cause.is_some());
    }
    assert!(n_read > 50 && n_refused > 5, "{n_refused} of {n_read}");
}

/// What reading allocates does not depend on the number of rows, and the batch holds nothing but the file.
#[test]
fn nothing_is_copied() {
    for (name, data_type) in all_types() {
        let mut n_allocated = Vec::new();
        for n_rows in [100, 2_000] {
            let array = Generator::new(3).array(&data_type, n_rows, Nulls::Some);
            let batch = RecordBatch::try_from_columns([("c", array)]).unwrap();
            let schema = batch.schema().clone();
            let file = FileWriter::write_to_buffer(schema, &[batch]).unwrap();
            let reader = FileReader::try_from_buffer_with(file.clone(), refusing()).unwrap();
            let (batch, usage) = ALLOCATOR.measure(|| reader.batch(0).unwrap());
            n_allocated.push(usage.live_bytes);
            let mut allocations = AllocationSet::new();
            allocations.insert(&file);
            let n_file_bytes = allocations.n_bytes();
            batch.add_allocations(&mut allocations);
            assert_eq!(allocations.n_bytes(), n_file_bytes, "{name}");
            // Some rows share the memory, too.
            let rows = reader.batch_rows(0, 10..90).unwrap();
            rows.add_allocations(&mut allocations);
            assert_eq!(allocations.n_bytes(), n_file_bytes, "{name}");
            assert!(rows.same_values(&batch.slice(10, 80)).unwrap(), "{name}");
        }
        assert!(n_allocated[1] <= n_allocated[0] + 200, "{name}: {n_allocated:?}");
    }
}

#[test]
fn null_slots_that_are_not_text_name_their_column() {
    let array = ArrayData::try_new(ArrayParts {
        validity: Some(Bitmap::from_iter([true, false])),
        buffers: [Buffer::from(vec![0, 1, 2]), Buffer::copy_from(b"a\xff")],
        ..ArrayParts::new(DataType::Utf8, 2)
    });
    let outer = DataType::struct_([arrow_schema::Field::new("inner", DataType::Utf8)]);
    let outer = ArrayData::try_new(ArrayParts {
        children: Some([array.unwrap()].into()),
        ..ArrayParts::new(outer, 2)
    });
    let batch = RecordBatch::try_from_columns([("outer", outer.unwrap())]).unwrap();
    let file = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let error = read_file(file, refusing()).0.unwrap_err();
    let IpcErrorKind::CopyRefused { cause: CopyCause::InvalidNulls, n_bytes: 2 } = error.kind() else {
        panic!("{error}")
    };
    assert_eq!(error.location().field.as_ref().unwrap().to_string(), "outer.inner");
    assert_eq!(error.location().buffer.unwrap().1, Some(arrow_data::Role::Bytes));
}

#[test]
fn deltas_are_refused() {
    let batch = |words: &[&str]| {
        let mut column = arrow_array::DictionaryBuilder::try_new(
            arrow_schema::IndexType::Int8,
            arrow_array::Utf8Builder::new(),
        );
        let column = column.as_mut().unwrap();
        words.iter().for_each(|word| column.append(word));
        RecordBatch::try_from_columns([("word", column.finish().unwrap().into())]).unwrap()
    };
    let batches = [batch(&["a"]), batch(&["a", "b"])];
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let file = FileWriter::write_to_buffer_with(batches[0].schema(), &batches, options.clone()).unwrap();
    assert_eq!(check(|options| read_file(file.clone(), options), "file"), Some(CopyCause::Deltas));
    let stream = StreamWriter::write_to_buffer_with(batches[0].schema(), &batches, options).unwrap();
    assert_eq!(check(|options| read_stream(stream.clone(), options), "stream"), Some(CopyCause::Deltas));
}

/// A body that arrives in two buffers is refused, and one that arrives alone is shared.
#[test]
fn scattered_bodies_are_refused() {
    let batch = batch_of(ints(0..100_000));
    let stream = StreamWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let n_body_bytes = 400_000;
    let end = stream.len() - 8;
    for (cuts, is_refused) in [
        (vec![], false),
        (vec![end - n_body_bytes], false),
        (vec![end - n_body_bytes, end], false),
        (vec![100, end - n_body_bytes], false),
        (vec![end - 64], true),
        (vec![end - n_body_bytes, end - 64], true),
    ] {
        let mut decoder = StreamDecoder::new_with(refusing());
        let mut pieces = Vec::new();
        let mut start = 0;
        for cut in cuts.iter().copied().chain([stream.len()]) {
            // Buffers of their own, aligned to 64 bytes.
            pieces.push(Buffer::copy_from(&stream[start..cut]));
            start = cut;
        }
        let mut pieces = pieces.into_iter();
        let found = loop {
            match decoder.step() {
                Ok(Step::NeedBytes(_)) => decoder.feed(pieces.next().expect("the stream has a batch")),
                Ok(Step::Batch(found)) => break Ok(found.batch),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        match found {
            Ok(found) => assert!(!is_refused && found.same_values(&batch).unwrap(), "{cuts:?}"),
            Err(error) => {
                let IpcErrorKind::CopyRefused { cause: CopyCause::Scattered, .. } = error.kind() else {
                    panic!("{error}")
                };
                assert!(is_refused && error.location().message == Some(1), "{cuts:?}: {error}");
            }
        }
    }
    // A file that is not in memory as a whole: its ranges are fetched again rather than joined.
    let path = std::env::temp_dir().join(format!("arrow-ipc-copies-{}.arrow", std::process::id()));
    let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone(), batch.clone()]).unwrap();
    fs::write(&path, &*file).unwrap();
    let reader = FileReader::open_with(&path, refusing()).unwrap();
    let read: Vec<RecordBatch> = reader.batches().map(Result::unwrap).collect();
    fs::remove_file(&path).unwrap();
    assert!(read.len() == 2 && read.iter().all(|read| read.same_values(&batch).unwrap()));
}

/// The message says what to do.
#[test]
fn errors_name_a_remedy() {
    if !codecs::is_built_in("lz4") {
        return;
    }
    let texts = Utf8Array::try_from_iter(vec!["a text"; 100]).unwrap();
    let batch = RecordBatch::try_from_columns([("text", texts.into())]).unwrap();
    let options = WriteOptions::new().with_compression(Compression::lz4());
    let file =
        FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(&batch), options).unwrap();
    let error = read_file(file, refusing()).0.unwrap_err().to_string();
    assert!(error.contains("text") && error.contains("`arrow-ipc convert`"), "{error}");
}
