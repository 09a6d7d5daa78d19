//! Compressed bodies: what is written is read back as what it was, damage is harmless, and claims cost nothing until they
//! are found to hold.
#![cfg(all(feature = "lz4", feature = "zstd"))]

use std::panic::AssertUnwindSafe;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{
    Codec, Compression, Endianness, ErrorClass, FileReader, FileWriter, Limits, MessageStep, Messages,
    MetadataVersion, Projection, ReadOptions, RecycledMemory, Result, StreamEncoder, StreamReader,
    StreamWriter, Threads, WriteOptions, message::Header,
};
use arrow_schema::{DataType, Metadata, Schema};
use testing_support::{Generator, Hunt, Nulls, all_types, array, rows, schema_of_all_types};

use crate::ALLOCATOR;

const COMPRESSIONS: [Compression; 4] = [
    Compression::lz4(),
    Compression::zstd(),
    Compression::zstd().with_level(-7),
    // Some buffers are left as they are.
    Compression::lz4().with_min_savings_percent(30),
];

fn options(compression: Compression) -> WriteOptions {
    WriteOptions::default().with_compression(compression)
}

fn stream_of(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn file_of(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn read_options(validation: Validation) -> ReadOptions {
    ReadOptions::default().with_validation(validation)
}

fn read_stream(bytes: &[u8], options: ReadOptions) -> Result<Vec<RecordBatch>> {
    StreamReader::try_new_with(bytes, options)?.collect()
}

fn check_same(name: &str, read: Vec<RecordBatch>, written: &[RecordBatch]) {
    assert_eq!(read.len(), written.len(), "{name}");
    for (read, written) in read.into_iter().zip(written) {
        let read = read.validate(Validation::Strict).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rows(&read), rows(written), "{name}");
    }
}

/// Batches of every type, which are long enough that compression makes them shorter.
fn batches(seed: u64) -> Vec<RecordBatch> {
    let mut batches = Vec::new();
    let mut generator = Generator::new(seed);
    for (name, data_type) in all_types() {
        for nulls in Nulls::ALL {
            for n_slots in [0, 1, 300] {
                for array in [
                    generator.array(&data_type, n_slots, nulls),
                    generator.sliced_array(&data_type, n_slots, nulls),
                ] {
                    batches.push(RecordBatch::try_from_columns([(name.clone(), array)]).unwrap());
                }
            }
        }
    }
    batches
}

#[test]
fn every_type_in_streams_and_files() {
    for (batch, compression) in batches(1).into_iter().zip(COMPRESSIONS.into_iter().cycle()) {
        let name = format!("{} of {compression:?}", batch.schema());
        let batches = [batch];
        let stream = stream_of(&batches, options(compression));
        assert_eq!(
            stream,
            stream_of(&batches, options(compression)),
            "{name}: the same input, the same bytes"
        );
        for validation in [Validation::Content, Validation::Structure, Validation::Strict] {
            let read = read_stream(&stream, read_options(validation));
            check_same(&name, read.unwrap_or_else(|error| panic!("{name}: {error}")), &batches);
        }
        let file =
            FileReader::try_from_buffer(Buffer::from(file_of(&batches, options(compression)))).unwrap();
        check_same(&name, file.batches().collect::<Result<_>>().unwrap(), &batches);
    }
}

#[test]
fn every_type_in_the_other_byte_order() {
    let order = if Endianness::NATIVE == Endianness::Little { Endianness::Big } else { Endianness::Little };
    for (batch, compression) in batches(2).into_iter().zip(COMPRESSIONS.into_iter().cycle()) {
        let name = format!("{} of {compression:?}", batch.schema());
        let batches = [batch];
        let stream = stream_of(&batches, options(compression).with_endianness(order));
        check_same(&name, read_stream(&stream, ReadOptions::default()).unwrap(), &batches);
    }
}

#[test]
fn projections_of_files_decompress_what_they_need() {
    let schema = schema_of_all_types();
    let batches = Generator::new(3).batches(&schema, &[300]);
    for compression in COMPRESSIONS {
        let file = Buffer::from(file_of(&batches, options(compression)));
        let all = FileReader::try_from_buffer(file.clone()).unwrap();
        let whole: Vec<RecordBatch> = all.batches().collect::<Result<_>>().unwrap();
        check_same("all columns", whole, &batches);
        let n_columns = schema.fields().len();
        let positions = vec![n_columns - 1, 3, n_columns / 2, 0];
        let options = ReadOptions::default().with_projection(Projection::Positions(positions.clone()));
        let some = FileReader::try_new_with(file.clone(), options).unwrap();
        for (read, written) in some.batches().zip(&batches) {
            assert_eq!(rows(&read.unwrap()), rows(&written.project(&positions).unwrap()));
        }
        assert!(some.stats().n_decompressed_bytes < all.stats().n_decompressed_bytes / 4);
        assert!(some.stats().n_decompressed_buffers > 0);
    }
}

#[test]
fn messages_name_their_codec_and_lie_where_they_say() {
    let batches = Generator::new(4).batches(&schema_of_all_types(), &[300, 0]);
    for compression in COMPRESSIONS {
        let metadata = Metadata::from_iter([("k", "v")]);
        let mut encoder = StreamEncoder::try_new_with(batches[0].schema(), options(compression)).unwrap();
        let mut stream = encoder.start().unwrap().to_bytes().to_vec();
        for batch in &batches {
            let encoded = encoder.encode_with_metadata(batch, &metadata).unwrap();
            for message in encoded.messages() {
                assert_eq!((message.position() % 64, message.n_bytes() % 64), (0, 0));
            }
            stream.extend_from_slice(&encoded.to_bytes());
        }
        stream.extend_from_slice(&encoder.finish().unwrap().to_bytes());

        let mut messages = Messages::new(Limits::default());
        messages.feed(Buffer::from(stream.clone()));
        messages.finish_input();
        let (mut n_batches, mut n_dictionaries) = (0, 0);
        while let MessageStep::Message(message) = messages.step().unwrap() {
            match message.header(&Limits::default()).unwrap() {
                Header::RecordBatch(batch) => {
                    n_batches += 1;
                    assert_eq!(batch.compression(), Some(compression.codec()));
                    assert_eq!(message.custom_metadata().unwrap(), metadata);
                }
                Header::DictionaryBatch { batch, .. } => {
                    n_dictionaries += 1;
                    assert_eq!(batch.compression(), Some(compression.codec()));
                }
                _ => {}
            }
        }
        assert!(n_batches == 2 && n_dictionaries > 2, "{n_batches}, {n_dictionaries}");
        check_same("with metadata", read_stream(&stream, ReadOptions::default()).unwrap(), &batches);
    }
}

#[test]
fn buffers_that_are_left_as_they_are_are_shared() {
    let mut generator = Generator::new(5);
    let random: Vec<u64> = (0..4096).map(|_| generator.rng().bits()).collect();
    let column = arrow_array::UInt64Array::from_iter(random).into();
    let batch = RecordBatch::try_from_columns([("random", column)]).unwrap();
    for codec in [Codec::Lz4Frame, Codec::Zstd] {
        let file =
            Buffer::from(file_of(std::slice::from_ref(&batch), options(Compression::with_codec(codec))));
        let reader = FileReader::try_from_buffer(file.clone()).unwrap();
        let read = reader.batch(0).unwrap();
        assert_eq!(rows(&read), rows(&batch));
        assert!(file.as_ptr_range().contains(&read.columns()[0].buffer(0).as_ptr()), "{codec}");
        assert_eq!(reader.stats().n_decompressed_buffers, 0, "{codec}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let schema = Schema::new([]);
    let refused = |options: WriteOptions| StreamEncoder::try_new_with(schema.clone(), options).unwrap_err();
    let error = refused(options(Compression::lz4()).with_version(MetadataVersion::V4)).to_string();
    assert!(error.contains("a compressed body"), "{error}");
    let error = refused(options(Compression::lz4().with_level(3)));
    assert_eq!((error.class(), error.to_string().as_str()), (ErrorClass::Misuse, "LZ4 has no level 3"));
    let error = refused(options(Compression::zstd().with_level(99)));
    assert_eq!(error.class(), ErrorClass::Misuse);
}

#[test]
fn limits_count_what_comes_out() {
    let column = arrow_array::Int64Array::from_iter(vec![0; 100_000]).into();
    let batch = RecordBatch::try_from_columns([("zeros", column)]).unwrap();
    for compression in COMPRESSIONS {
        let stream = stream_of(std::slice::from_ref(&batch), options(compression));
        let read = |max: u64| {
            let limits = Limits::default().with_max_decompressed_bytes(max);
            read_stream(&stream, ReadOptions::default().with_limits(limits))
        };
        assert_eq!(read(800_000).unwrap().len(), 1);
        let error = read(799_999).unwrap_err();
        assert_eq!(error.class(), ErrorClass::LimitExceeded);
        let (refused, usage) = ALLOCATOR.measure(|| read(799_999));
        assert!(refused.is_err() && usage.peak_bytes < 100_000, "{usage:?}");
    }
}

/// Each byte of a stream and a file is inverted; in the short form, every 17th byte. There is never a panic, and
/// memory stays in proportion.
#[test]
fn damage_is_harmless() {
    let schema = Schema::new(schema_of_all_types().fields().iter().step_by(5).cloned().collect::<Vec<_>>());
    let hunt = Hunt::from_env();
    let batches = Generator::new(hunt.seed(6)).batches(&schema, &[40]);
    for compression in [Compression::lz4(), Compression::zstd()] {
        let (stream, file) =
            (stream_of(&batches, options(compression)), file_of(&batches, options(compression)));
        let allowed = (stream.len().max(file.len()) * 1024 + (1 << 20)) as i64;
        // Frames are short enough that none is left out.
        let step = hunt.count(17, 1);
        for at in (0..stream.len().max(file.len())).step_by(step) {
            let inverted = |bytes: &[u8]| {
                let mut bytes = bytes.to_vec();
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = !*byte;
                }
                bytes
            };
            let (stream, file) = (inverted(&stream), inverted(&file));
            // Short, the levels take turns.
            for &validation in hunt.some_of(&[Validation::Content, Validation::Structure], 1, at) {
                let read = AssertUnwindSafe(|| {
                    ALLOCATOR.measure(|| {
                        let _ = read_stream(&stream, read_options(validation));
                        let file =
                            FileReader::try_new_with(Buffer::copy_from(&file), read_options(validation));
                        let _ = file.map(|file| file.batches().filter(Result::is_ok).count());
                    })
                });
                let ((), usage) = std::panic::catch_unwind(read).unwrap_or_else(|_| panic!("byte {at}"));
                assert!(usage.peak_bytes < allowed, "byte {at}: {usage:?}");
            }
        }
    }
}

/// Frames of a few KiB decompress to megabytes.
#[test]
fn what_compresses_well_may_be_copied() {
    let order = if Endianness::NATIVE == Endianness::Little { Endianness::Big } else { Endianness::Little };
    let n_slots = 1 << 18;
    let numbers =
        array(DataType::Int64, n_slots, [Buffer::from(vec![7_i64; n_slots]), Buffer::new()], vec![]);
    // Null slots that hold no text are blanked.
    let offsets: Vec<i32> = (0..=n_slots as i32).map(|slot| slot * 8).collect();
    let text = ArrayData::try_new(ArrayParts {
        validity: Some(Bitmap::from_iter((0..n_slots).map(|slot| slot >= 1000))),
        buffers: [
            Buffer::from(offsets),
            Buffer::from([[0xff; 8000].as_slice(), &vec![b'x'; n_slots * 8 - 8000]].concat()),
        ],
        ..ArrayParts::new(DataType::Utf8, n_slots)
    });
    let batch = RecordBatch::try_from_columns([("n", numbers), ("t", text.unwrap())]).unwrap();
    for compression in COMPRESSIONS {
        let stream = stream_of(std::slice::from_ref(&batch), options(compression).with_endianness(order));
        assert!(stream.len() < 2 << 20, "{} bytes", stream.len());
        let read = read_stream(&stream, ReadOptions::default())
            .unwrap_or_else(|error| panic!("{compression:?}: {error}"));
        assert!(read[0].same_values(&batch).unwrap());
    }
}

#[cfg(feature = "rayon")]
#[test]
fn batches_that_threads_read_are_those_read_one_by_one() {
    use rayon::iter::ParallelIterator;
    let schema = schema_of_all_types();
    let batch = Generator::new(12).batch(&schema, 400, Nulls::Some);
    let batches: Vec<RecordBatch> = (0..40).map(|idx| batch.slice(idx * 10, 10)).collect();
    let bytes = file_of(&batches, options(Compression::zstd()));
    let file = FileReader::try_from_buffer(Buffer::from(bytes)).unwrap();
    let expected: Vec<RecordBatch> = file.batches().map(Result::unwrap).collect();
    let found: Vec<RecordBatch> = file.par_batches().map(Result::unwrap).collect();
    assert_eq!((found.len(), expected.len()), (40, 40));
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(rows(found), rows(expected));
    }
}

#[test]
fn memory_is_handed_from_reader_to_reader() {
    let buffers = [Buffer::zeroed(1_600_000), Buffer::new()];
    let zeros =
        ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int64, 200_000) }).unwrap();
    let batch = RecordBatch::try_from_columns([("zeros", zeros)]).unwrap();
    let stream = stream_of(&[batch], options(Compression::lz4()));
    let address_of = |options: ReadOptions| {
        let batch = StreamReader::try_new_with(&*stream, options).unwrap().next().unwrap().unwrap();
        batch.columns()[0].buffer(0).as_ptr().addr()
    };
    for threads in [Threads::Pool, Threads::One] {
        let memory = RecycledMemory::new();
        let options = || ReadOptions::new().with_threads(threads).with_recycled_memory(memory.clone());
        let first = address_of(options());
        // What else takes memory does not get this one.
        let others: Vec<Buffer> = (0..4).map(|_| Buffer::zeroed(1_600_000)).collect();
        assert_eq!(address_of(options()), first);
        drop(others);
    }
}
