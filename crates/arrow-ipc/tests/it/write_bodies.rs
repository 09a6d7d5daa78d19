//! The positions of the buffers of a body: their alignment, and buffers that several columns share.

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{
    Compression, Endianness, ErrorClass, FileReader, FileWriter, FormatErrorKind, IpcErrorKind, Limits,
    MessageScan, NullSlots, SharedBuffers, StreamReader, StreamWriter, WriteOptions,
    message::{BatchHeader, Header},
};
use arrow_schema::{DataType, Field, UnionMode};
use testing_support::{Generator, Nulls, all_types, ints, rows};

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

fn file_of(batch: &RecordBatch, options: &WriteOptions) -> Buffer {
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options.clone()).unwrap();
    (0..2).for_each(|_| writer.write(batch).unwrap());
    Buffer::from(writer.finish().unwrap())
}

/// For each batch and dictionary in a file: the start of its body, the bytes of the body, and its lists.
fn bodies_of(file: &Buffer) -> Vec<(u64, u64, BatchHeader)> {
    let limits = Limits::default();
    let mut scan = MessageScan::try_from_file(file.clone(), limits.clone()).unwrap();
    let mut bodies = Vec::new();
    while let Some(message) = scan.next_message().unwrap() {
        if let Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. } =
            message.header(&limits).unwrap()
        {
            bodies.push((message.body_position(), message.n_body_bytes(), batch));
        }
    }
    bodies
}

fn check_read(file: &Buffer, batch: &RecordBatch, what: &str) {
    let reader = FileReader::try_from_buffer(file.clone()).unwrap();
    for read in reader.batches() {
        let read = read.and_then(|read| Ok(read.validate(Validation::Strict)?));
        assert_eq!(rows(&read.unwrap_or_else(|error| panic!("{what}: {error}"))), rows(batch), "{what}");
    }
}

/// Every type, in buffers short and long.
fn every_type() -> RecordBatch {
    let mut generator = Generator::new(5);
    let columns = all_types().into_iter().map(|(name, data_type)| {
        let array = generator.array(&data_type, 900, Nulls::Some);
        (name, array)
    });
    RecordBatch::try_from_columns(columns.collect::<Vec<_>>()).unwrap()
}

#[test]
fn bodies_have_the_requested_alignment() {
    let batch = every_type();
    for n_bytes in [8, 32, 64, 4096, 65_536] {
        let options = WriteOptions::new().with_alignment(n_bytes as usize);
        let file = file_of(&batch, &options);
        check_read(&file, &batch, &n_bytes.to_string());
        let mut n_aligned = 0;
        for (start, n_body_bytes, header) in bodies_of(&file) {
            assert_eq!((start % n_bytes, n_body_bytes % n_bytes), (0, 0), "{n_bytes}");
            for buffer in header.buffers() {
                let least = match buffer.n_bytes() {
                    len if len >= n_bytes => n_bytes,
                    len if len >= 64 && n_bytes > 64 => 64,
                    _ => 8,
                };
                assert_eq!(buffer.start() % least, 0, "{n_bytes}: {buffer:?}");
                n_aligned += u64::from(least == n_bytes);
            }
        }
        assert!(n_aligned > 0 || n_bytes == 65_536);
        let stream =
            StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap().finish().unwrap();
        assert_eq!(StreamReader::try_new(&*stream).unwrap().count(), 0);
    }
    // Less padding makes a smaller file.
    let sizes =
        [8, 64, 4096].map(|n_bytes| file_of(&batch, &WriteOptions::new().with_alignment(n_bytes)).len());
    assert!(sizes.is_sorted() && sizes[0] < sizes[2], "{sizes:?}");
    assert_eq!(
        file_of(&batch, &WriteOptions::new()),
        file_of(&batch, &WriteOptions::new().with_alignment(64))
    );
}

#[test]
fn other_alignments_are_refused() {
    let batch = every_type();
    for refused in [0, 1, 4, 24, 100, 1 << 17, usize::MAX] {
        let options = WriteOptions::new().with_alignment(refused);
        let error = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::Alignment { .. })), "{error}");
        assert_eq!(error.class(), ErrorClass::Misuse);
    }
    let options = WriteOptions::new().with_alignment(12);
    assert_eq!(
        FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap_err().to_string(),
        "bodies cannot be aligned to 12 bytes; powers of two from 8 to 65536 are allowed"
    );
}

/// Columns that partly share memory, one of them as another type.
fn sharing() -> RecordBatch {
    let mut generator = Generator::new(9);
    let [numbers, text, lists] =
        [DataType::Int32, DataType::Utf8, DataType::list(Field::new("item", DataType::Int64))]
            .map(|data_type| generator.array(&data_type, 700, Nulls::Some));
    let as_bytes = ArrayData::try_new(ArrayParts {
        validity: numbers.validity().cloned(),
        buffers: [numbers.buffer(0).clone(), Buffer::new()],
        ..ArrayParts::new(DataType::fixed_size_binary(4).unwrap(), 700)
    });
    let shifted = ArrayData::try_new(ArrayParts {
        validity: Some(Bitmap::from_iter((0..703).map(|idx| idx % 3 > 0)).slice(3, 700)),
        buffers: [numbers.buffer(0).clone(), Buffer::new()],
        ..ArrayParts::new(DataType::Int32, 700)
    })
    .unwrap();
    RecordBatch::try_from_columns([
        ("numbers", numbers.clone()),
        ("again", numbers),
        ("bytes", as_bytes.unwrap()),
        ("shifted", shifted.clone()),
        ("shifted again", shifted),
        ("text", text.clone()),
        ("text again", text),
        ("lists", lists.clone()),
        ("lists again", lists),
    ])
    .unwrap()
}

fn shared_variants() -> Vec<(&'static str, WriteOptions)> {
    let new = WriteOptions::new;
    let mut variants = vec![
        ("defaults", new()),
        ("the other byte order", new().with_endianness(FOREIGN)),
        ("alignment", new().with_alignment(8)),
        ("zeros", new().with_null_slots(NullSlots::Zeros)),
    ];
    if cfg!(feature = "lz4") {
        variants.push(("LZ4", new().with_compression(Compression::lz4())));
        let both = new().with_compression(Compression::lz4()).with_endianness(FOREIGN);
        variants.push(("LZ4 of the other byte order", both));
    }
    variants
}

#[test]
fn shared_buffers_are_written_once_on_request() {
    let batch = sharing();
    for (what, options) in shared_variants() {
        let repeated = file_of(&batch, &options);
        let once = file_of(&batch, &options.with_shared_buffers(SharedBuffers::Once));
        check_read(&repeated, &batch, what);
        check_read(&once, &batch, what);
        let n_body_bytes = |file: &Buffer| bodies_of(file)[0].1;
        let (few, many) = (n_body_bytes(&once), n_body_bytes(&repeated));
        // What zeros are written into is memory of each column.
        if what == "zeros" {
            assert!(few <= many, "{what}: {few} of {many}");
        } else {
            assert!(few * 10 < many * 7, "{what}: {few} of {many}");
        }
        let buffers: Vec<(u64, u64)> =
            bodies_of(&once)[0].2.buffers().iter().map(|buffer| (buffer.start(), buffer.n_bytes())).collect();
        assert_eq!(buffers.len(), bodies_of(&repeated)[0].2.buffers().len());
        if what == "defaults" {
            // Validity and values of the first two columns and of the bytes; values of the shifted ones.
            assert_eq!((buffers[0], buffers[1]), (buffers[2], buffers[3]));
            assert_eq!((buffers[0], buffers[1]), (buffers[4], buffers[5]));
            assert_eq!((buffers[6], buffers[7]), (buffers[8], buffers[9]));
            assert_eq!(buffers[7], buffers[1]);
        }
        if what == "the other byte order" {
            // Bytes are not swapped, so they are other ones.
            assert_eq!(buffers[3], buffers[1]);
            assert_ne!(buffers[5], buffers[1]);
        }
    }
}

#[test]
fn messages_share_nothing_with_each_other() {
    let batch = sharing();
    let options = WriteOptions::new().with_shared_buffers(SharedBuffers::Once);
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    (0..3).for_each(|_| writer.write(&batch).unwrap());
    let stream = writer.finish().unwrap();
    for read in StreamReader::try_new(&*stream).unwrap() {
        assert_eq!(rows(&read.unwrap()), rows(&batch));
    }
}

/// Columns of list views, views and dense unions of which the writer leaves out more than half.
fn mostly_unused() -> RecordBatch {
    let list_views = |step: i32, size: i32| {
        let starts = (0..100).map(|slot| slot * step).collect::<Vec<i32>>();
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(starts), Buffer::from(vec![size; 100])],
            children: Some([ints(0..100 * step)].into()),
            ..ArrayParts::new(DataType::list_view(Field::new("item", DataType::Int32)), 100)
        })
    };
    let views = |step: usize, first: u8| {
        let text = (0..100 * step).map(|at| first + (at % 13) as u8).collect::<Vec<u8>>();
        let view = |slot: usize| View::long(&text[slot * step..][..20], 0, (slot * step) as i32).unwrap();
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from((0..100).map(view).collect::<Vec<View>>()), Buffer::new()],
            variadic: Some([Buffer::from(text.clone())].into()),
            ..ArrayParts::new(DataType::Utf8View, 100)
        })
    };
    let unions = |step: i32| {
        let offsets = (0..200).map(|slot| slot * step).collect::<Vec<i32>>();
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![0_i8; 200]), Buffer::from(offsets)],
            children: Some([ints(0..200 * step)].into()),
            ..ArrayParts::new(
                DataType::union(UnionMode::Dense, [(0, Field::new("a", DataType::Int32))]).unwrap(),
                200,
            )
        })
        .map(|array| array.slice(0, 100))
    };
    let columns = [
        ("lists", list_views(3, 1)),
        ("other lists", list_views(5, 2)),
        ("views", views(50, b'a')),
        ("other views", views(60, b'n')),
        ("unions", unions(3)),
        ("other unions", unions(4)),
    ];
    let checked =
        |array: Result<ArrayData, _>| array.and_then(|array| array.validate(Validation::Strict)).unwrap();
    RecordBatch::try_from_columns(columns.map(|(name, array)| (name, checked(array)))).unwrap()
}

/// The arrays that have only what is used are dropped before the message is complete, and others get their memory.
#[test]
fn buffers_that_are_made_for_a_message_are_not_taken_for_each_other() {
    let batch = mostly_unused();
    for (what, options) in shared_variants() {
        let file = file_of(&batch, &options.with_shared_buffers(SharedBuffers::Once));
        check_read(&file, &batch, what);
        for (_, _, header) in bodies_of(&file) {
            let long = header.buffers().iter().filter(|buffer| buffer.n_bytes() > 0);
            let mut starts = long.map(|buffer| buffer.start()).collect::<Vec<u64>>();
            let n_long = starts.len();
            starts.sort();
            starts.dedup();
            // All unions have the same type, but not in the same memory.
            assert_eq!(starts.len(), n_long, "{what}");
        }
    }
}
