//! The cost of reading schemas, footers and batches in counts: allocations and bytes are in proportion to the size of
//! the metadata, for any number of columns or batches.

use std::io;

use arrow_array::{Float64Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    FileReader, FileWriter, IpcSchema, Limits, Projection, ReadOptions, RecycledMemory, SeekSource, Step,
    StreamDecoder, StreamWriter, file::Footer,
};
use arrow_schema::{DataType, Field, IndexType, Metadata, Schema, TimeUnit};
use testing_support::Usage;

use crate::ALLOCATOR;

fn wide(n_columns: usize) -> RecordBatch {
    let column = |idx: usize| (format!("column_{idx}"), ArrayData::from(Int64Array::from_iter([idx as i64])));
    RecordBatch::try_from_columns((0..n_columns).map(column)).unwrap()
}

/// Ten rows of four columns.
fn small() -> RecordBatch {
    let words: Vec<String> = (0..10).map(|row| format!("value {row}")).collect();
    let words = Utf8Array::try_from_iter(words.iter().map(String::as_str)).unwrap();
    RecordBatch::try_from_columns([
        ("id", ArrayData::from(Int64Array::from_iter(0..10))),
        ("price", ArrayData::from(Float64Array::from_iter((0..10).map(f64::from)))),
        ("name", ArrayData::from(words)),
        ("count", ArrayData::from(Int64Array::from_iter((0..10).map(|row| (row % 3 > 0).then_some(row))))),
    ])
    .unwrap()
}

fn stream(batch: &RecordBatch, n_batches: usize) -> Buffer {
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    (0..n_batches).for_each(|_| writer.write(batch).unwrap());
    Buffer::from(writer.finish().unwrap()).to_aligned(64)
}

fn file(batch: &RecordBatch, n_batches: usize) -> Buffer {
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    (0..n_batches).for_each(|_| writer.write(batch).unwrap());
    Buffer::from(writer.finish().unwrap()).to_aligned(64)
}

/// The cost of the second batch, since the first batch may include preparations.
fn second_batch(batch: &RecordBatch) -> Usage {
    let mut decoder = StreamDecoder::new();
    decoder.feed(stream(batch, 2));
    decoder.finish_input();
    let mut next = || {
        loop {
            match decoder.step().unwrap() {
                Step::Batch(next) => return next.batch,
                Step::End => panic!("no batch"),
                _ => {}
            }
        }
    };
    next();
    let (read, usage) = ALLOCATOR.measure(next);
    assert_eq!(testing_support::rows(&read), testing_support::rows(batch));
    usage
}

#[test]
fn a_batch_takes_few_allocations() {
    let tiny = second_batch(&small());
    assert!(tiny.n_allocations <= 4, "{tiny:?}");
    let wide = second_batch(&wide(10_000));
    assert!(wide.n_allocations <= 8, "{wide:?}");
}

/// Small streams and files are all that some programs send: what each of them costs is what such a program costs.
#[test]
fn a_small_stream_or_file_takes_few_allocations() {
    let (stream, file) = (stream(&small(), 1), file(&small(), 1));
    let read_stream = || {
        let mut decoder = StreamDecoder::new();
        decoder.feed(stream.clone());
        decoder.finish_input();
        while !matches!(decoder.step().unwrap(), Step::End) {}
    };
    let read_file = || drop(FileReader::try_new(file.clone()).unwrap().batch(0));
    let written = small();
    let batches = std::slice::from_ref(&written);
    let write_stream = || drop(StreamWriter::write_to_buffer(written.schema(), batches).unwrap());
    let write_file = || drop(FileWriter::write_to_buffer(written.schema(), batches).unwrap());
    let works: [(&str, &dyn Fn(), u64); 4] = [
        ("read a stream", &read_stream, 22),
        ("read a file", &read_file, 31),
        ("write a stream", &write_stream, 29),
        ("write a file", &write_file, 34),
    ];
    for (name, work, most) in works {
        // The first one prepares what all use.
        work();
        let usage = ALLOCATOR.measure(work).1;
        assert!(usage.n_allocations <= most, "{name}: {usage:?}");
    }
}

fn read_schema(message: &Buffer) -> Usage {
    let message = message.clone();
    let read = || IpcSchema::try_from_message(message, &Limits::default()).unwrap();
    ALLOCATOR.measure(read).1
}

#[test]
fn a_field_takes_no_allocation_of_its_own() {
    let mut counts = Vec::new();
    for n_columns in [100, 10_000, 100_000] {
        let message = IpcSchema::from(wide(n_columns).schema()).to_message(&Metadata::new()).unwrap();
        let usage = read_schema(&message);
        // A field has 64 bytes; its name lies among the others'.
        let n_names = n_columns * format!("column_{n_columns}").len();
        assert!(usage.live_bytes <= (n_columns * 64 + n_names + 1_000) as i64, "{n_columns}: {usage:?}");
        // The text of the names grows by doubling, so there is another allocation for twice as many.
        counts.push(usage.n_allocations);
    }
    assert!(counts[0] <= 25 && counts[2] <= counts[0] + 12, "{counts:?}");
}

#[test]
fn a_file_of_many_columns_is_opened_with_few_allocations() {
    let mut counts = Vec::new();
    for n_columns in [100, 10_000] {
        let (file, name) = (file(&wide(n_columns), 1), "column_77");
        let options = ReadOptions::new().with_projection(Projection::names([name]));
        let open = || {
            let reader = FileReader::try_new_with(file.clone(), options.clone()).unwrap();
            reader.batch(0).unwrap()
        };
        let (batch, usage) = ALLOCATOR.measure(open);
        assert_eq!(batch.schema().fields().iter().map(Field::name).collect::<Vec<_>>(), [name]);
        counts.push(usage.n_allocations);
        // Of each column: the field, its column, where it begins.
        let n_bytes = n_columns as i64 * 220 + 8_000;
        assert!(usage.peak_bytes <= n_bytes, "{n_columns}: {usage:?}");
    }
    assert!(counts[0] <= 80 && counts[1] <= counts[0] + 10, "{counts:?}");
}

#[test]
fn a_file_of_many_batches_is_opened_with_few_allocations() {
    let mut counts = Vec::new();
    for n_batches in [10, 10_000] {
        let file = file(&small(), n_batches);
        let (reader, usage) = ALLOCATOR.measure(|| FileReader::try_new(file.clone()).unwrap());
        assert_eq!(reader.n_batches(), n_batches);
        counts.push(usage.n_allocations);
        // Position and lengths of each batch stay where they are in the file.
        assert!(usage.peak_bytes <= 10_000, "{n_batches}: {usage:?}");
        let (batch, usage) = ALLOCATOR.measure(|| reader.batch(n_batches / 2).unwrap());
        assert_eq!(batch.n_rows(), 10);
        assert!(usage.peak_bytes <= 4_000, "{n_batches}: {usage:?}");
    }
    // A short list is copied.
    assert!(counts[1] <= counts[0], "{counts:?}");
}

#[test]
fn a_long_footer_is_read_into_its_final_memory() {
    let file = file(&small(), 10_000);
    let n_footer_bytes = file.len() as u64 - Footer::read(&file, &Limits::default()).unwrap().position();
    let options = ReadOptions::new().with_recycled_memory(RecycledMemory::with_max_bytes(0));
    let n_tail_bytes = options.tail_bytes() + 64;
    assert!(n_footer_bytes > 3 * n_tail_bytes);
    let source = SeekSource::new(io::Cursor::new(file.clone()));
    let (reader, usage) = ALLOCATOR.measure(|| FileReader::try_new_with(source, options).unwrap());
    assert_eq!(reader.footer().batches(), Footer::read(&file, &Limits::default()).unwrap().batches());
    // Only the end, which is read first, is copied; there is no memory for a second copy of the rest.
    assert!(reader.stats().n_reassembled_bytes <= n_tail_bytes, "{:?}", reader.stats());
    assert!(usage.peak_bytes <= (n_footer_bytes + n_tail_bytes + 20_000) as i64, "{usage:?}");
}

/// A message with a schema by hand: a list whose entries all lead to one field.
fn shared_field(n_entries: u32, field: &Field) -> Buffer {
    let schema = Schema::new([field.clone(), field.clone()]);
    let message = IpcSchema::from(schema).to_message(&Metadata::new()).unwrap();
    // The list is the two entries after their number, which are replaced by many at the end.
    let is_list = |offset: &usize| {
        let word = |offset: usize| u32::from_le_bytes(message[offset..offset + 4].try_into().unwrap());
        word(*offset) == 2 && {
            let leads = |entry: usize| entry + word(entry) as usize;
            let to = [leads(*offset + 4), leads(*offset + 8)];
            to.iter().all(|to| (*offset + 12..message.len()).contains(to))
        }
    };
    let list = (8..message.len() - 12).step_by(4).find(is_list).expect("a list of two fields");
    // What refers to the list.
    let refers = |offset: &usize| {
        let word = u32::from_le_bytes(message[*offset..*offset + 4].try_into().unwrap());
        offset + word as usize == list && *offset >= 8
    };
    // The last one: a number before it may look like one.
    let reference = (8..list).step_by(4).rfind(refers).expect("a reference to the list");
    let field_at = list + 4 + u32::from_le_bytes(message[list + 4..list + 8].try_into().unwrap()) as usize;
    let mut bytes = message.to_vec();
    // Tables are found after the references to them only, so a copy of the rest of the message follows the long list.
    let n_list_bytes = 4 + 4 * n_entries as usize;
    let new_list = bytes.len().next_multiple_of(8);
    let copy = new_list + n_list_bytes.next_multiple_of(8);
    bytes.resize(new_list, 0);
    bytes[reference..reference + 4].copy_from_slice(&((new_list - reference) as u32).to_le_bytes());
    bytes.extend(n_entries.to_le_bytes());
    let rest = &message[list..];
    for entry in 0..n_entries as usize {
        let offset = new_list + 4 + entry * 4;
        bytes.extend(((copy + field_at - list - offset) as u32).to_le_bytes());
    }
    bytes.resize(copy, 0);
    bytes.extend_from_slice(rest);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let n_metadata_bytes = (bytes.len() - 8) as u32;
    bytes[4..8].copy_from_slice(&n_metadata_bytes.to_le_bytes());
    Buffer::from(bytes).to_aligned(64)
}

fn open_stream(bytes: &Buffer) -> arrow_ipc::Result<StreamDecoder> {
    let mut decoder = StreamDecoder::new();
    decoder.feed(bytes.clone());
    decoder.finish_input();
    decoder.step()?;
    Ok(decoder)
}

/// The most that reading a stream with this schema has in memory at one time, for each byte of it.
fn cost(bytes: &Buffer) -> (bool, f64) {
    const BASE_BYTES: i64 = 80 << 10;
    let (read, usage) = ALLOCATOR.measure(|| open_stream(bytes));
    (read.is_ok(), (usage.peak_bytes - BASE_BYTES).max(0) as f64 / bytes.len() as f64)
}

#[test]
fn a_schema_costs_at_most_eight_times_its_bytes() {
    let int8 = || Field::new("", DataType::Int8);
    let dictionary = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let shared = [
        int8(),
        Field::new("a name of some bytes", DataType::Utf8),
        Field::new("", DataType::struct_([int8(), int8()])),
        Field::new("", DataType::list(Field::new("", DataType::list(int8())))),
        Field::new("", dictionary.clone()),
        int8().with_metadata(Metadata::from_iter([("", "")])),
    ];
    for field in shared {
        // Up to a few bytes more than is allowed, and much more.
        for n_entries in [100, 390, 1_000, 100_000] {
            let (_, cost) = cost(&shared_field(n_entries, &field));
            assert!(cost <= 8.0, "{field}, {n_entries} times: {cost}");
        }
        let (is_read, _) = cost(&shared_field(100, &field));
        assert!(is_read, "{field}");
        let (is_read, _) = cost(&shared_field(100_000, &field));
        assert!(!is_read, "{field}");
    }
    // The shortest that are written.
    for field in [int8(), Field::new("", dictionary), Field::new("", DataType::list(int8()))] {
        let schema: Schema = (0..20_000).map(|_| field.clone()).collect();
        let message = IpcSchema::from(schema).to_message(&Metadata::new()).unwrap();
        let (is_read, cost) = cost(&message);
        assert!(is_read && cost <= 12.0, "{field}: {cost}");
    }
}

#[test]
fn a_column_that_was_selected_does_not_keep_the_names_of_all() {
    let file = file(&wide(10_000), 1);
    for projection in [Projection::names(["column_77"]), Projection::paths(["column_77"])] {
        let read = || {
            let options = ReadOptions::new().with_projection(projection.clone());
            FileReader::try_new_with(file.clone(), options).unwrap().batch(0).unwrap()
        };
        let (batch, usage) = ALLOCATOR.measure(read);
        assert_eq!(batch.n_rows(), 1);
        assert!(usage.live_bytes < 2_000, "{usage:?}");
    }
}

/// Writers check no budget, so each schema that they write must be within the budget of readers.
#[test]
fn a_schema_that_was_written_can_be_read() {
    let words = || DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let columns = |n: usize, data_type: &dyn Fn(usize) -> DataType| -> Schema {
        (0..n).map(|column| Field::new("abc", data_type(column))).collect()
    };
    let nested = |n_levels: usize| {
        (0..n_levels / 2).fold(words(), |inner, _| {
            let list = DataType::list(Field::new("abc", inner));
            DataType::dictionary(IndexType::Int8, list).unwrap()
        })
    };
    let zone = |number: usize| DataType::Timestamp(TimeUnit::Second, Some(format!("{number:070}").into()));
    let cases = [
        ("one time zone", columns(6_000, &|_| zone(0))),
        ("time zones in turn", columns(6_000, &|column| zone(column % 20))),
        ("lists of dictionaries", columns(20_000, &|_| DataType::list(Field::new("abc", words())))),
        ("dictionaries of lists", columns(60, &|_| nested(60))),
        ("structs", columns(20_000, &|_| DataType::struct_([Field::new("abc", words())]))),
    ];
    for (name, schema) in cases {
        for names in ["abc", ""] {
            let schema: Schema = schema.fields().iter().map(|field| field.clone().with_name(names)).collect();
            let message = IpcSchema::from(schema).to_message(&Metadata::new()).unwrap();
            let (is_read, cost) = cost(&message);
            assert!(is_read && cost <= 16.0, "{name}: {cost}");
        }
    }
    for pair in [(None, None), (Some("".into()), None), (Some("".into()), Some("".into()))] {
        let metadata = Metadata::from_pairs(vec![pair; 3_000]);
        let message = IpcSchema::from(small().schema()).to_message(&metadata).unwrap();
        assert!(IpcSchema::try_from_message(message, &Limits::default()).is_ok());
    }
}

/// If each dictionary had a path with names, this would take 2 GB.
#[test]
fn dictionaries_do_not_copy_the_names_around_them() {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let inner: Vec<Field> = (0..5_000).map(|_| Field::new("d", words.clone())).collect();
    let long = Field::new("x".repeat(400_000), DataType::struct_(inner));
    let schema = Schema::new([long, Field::new("b", DataType::Int8)]);
    let message = IpcSchema::from(schema).to_message(&Metadata::new()).unwrap();
    let (is_read, cost) = cost(&message);
    assert!(is_read && cost <= 12.0, "{cost}");
}
