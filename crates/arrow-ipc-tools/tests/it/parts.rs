//! Large batches of files are checked, summarized and converted in parts.

use std::{fs::File, num::NonZero};

use arrow_array::{Int32Array, Int64Array, Utf8Array, Utf8ViewArray};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{Compression, FileReader, FileWriter, WriteOptions, WrittenContainer};
use arrow_ipc_report::JsonObject;
use arrow_ipc_tools::{
    Conversion, ConvertOptions, DiffOptions, Input, SummaryOptions, ToolError, ToolErrorKind,
    ValidateOptions, convert, diff, summarize, validate,
};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};
use arrow_select::concat_batches;
use testing_support::Hunt;

use crate::{ALLOCATOR, samples::OnDisk};

fn on_disk(bytes: &Buffer) -> Input {
    Input::try_new("disk", OnDisk(bytes.clone())).unwrap()
}

const N_ROWS: usize = 120_000;

/// Returns a number that compression cannot shorten.
fn scattered(n: i64) -> i64 {
    n.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed())
}

/// 24 columns, each with a megabyte of numbers, and a column of text. The last column has few different numbers.
fn batch(text: ArrayData, number: fn(i64) -> i64) -> RecordBatch {
    let numbers = |idx: i64| {
        let number = |n: i64| if idx == 23 { n / 1000 } else { number(n + idx) };
        Int64Array::from_iter((0..N_ROWS as i64).map(number)).into_data()
    };
    let mut columns: Vec<(String, ArrayData)> =
        (0..24).map(|idx| (format!("n{idx}"), numbers(idx))).collect();
    columns.insert(5, ("text".to_owned(), text));
    RecordBatch::try_from_columns(columns).unwrap()
}

fn text() -> ArrayData {
    Utf8Array::try_from_iter((0..N_ROWS).map(|n| (n % 100).to_string())).unwrap().into_data()
}

/// Text that is not UTF-8.
fn invalid_text() -> ArrayData {
    let bytes = vec![0xff; N_ROWS];
    let offsets: Vec<i32> = (0..=N_ROWS as i32).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(offsets), Buffer::from(bytes)],
        ..ArrayParts::new(DataType::Utf8, N_ROWS)
    };
    ArrayData::try_new(parts).unwrap()
}

fn file(batch: &RecordBatch, compression: Option<Compression>) -> Buffer {
    let options = WriteOptions::new().with_compression(compression);
    let bytes =
        FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), options).unwrap();
    assert!(bytes.len() > 20 << 20, "the batch is large");
    bytes
}

const CODECS: [Option<Compression>; 3] = [None, Some(Compression::lz4()), Some(Compression::zstd())];

#[test]
fn memory_is_that_of_a_few_rows() {
    const N_LONG: i64 = 1_400_000;
    let long =
        Utf8Array::try_from_iter((0..N_LONG).map(|n| format!("{:016x}{:016x}", scattered(n), scattered(!n))))
            .unwrap();
    let long = RecordBatch::try_from_columns([("text", long.into_data())]).unwrap();
    type Check = fn(Input) -> Result<u64, ToolError>;
    let checks: [Check; 2] = [
        |input| validate(input, &ValidateOptions::new(), &mut ()).map(|found| found.n_rows),
        |input| summarize(input, &SummaryOptions::new(), &mut ()).map(|found| found.n_rows),
    ];
    for (idx, compression) in CODECS.into_iter().enumerate() {
        let bytes = file(&long, compression);
        for check in Hunt::from_env().some_of(&checks, 1, idx) {
            let (n_rows, usage) = ALLOCATOR.measure(|| check(on_disk(&bytes)));
            assert_eq!(n_rows.unwrap(), N_LONG as u64);
            assert!(usage.peak_bytes < 20 << 20, "{compression:?}: {} bytes", usage.peak_bytes);
        }
    }
    let batch_of_numbers = batch(text(), scattered);
    for compression in CODECS {
        let bytes = file(&batch_of_numbers, compression);
        let (validated, usage) =
            ALLOCATOR.measure(|| validate(on_disk(&bytes), &ValidateOptions::new(), &mut ()));
        assert_eq!(validated.unwrap().n_rows, N_ROWS as u64);
        assert!(usage.peak_bytes < 14 << 20, "validate, {compression:?}: {} bytes", usage.peak_bytes);
    }
    // A summary needs little memory for few different values.
    let bytes = file(&batch(text(), |n| n % 100), None);
    let (summary, usage) =
        ALLOCATOR.measure(|| summarize(on_disk(&bytes), &SummaryOptions::new(), &mut ()).unwrap());
    assert!(usage.peak_bytes < 14 << 20, "stats: {} bytes", usage.peak_bytes);
    let threads = SummaryOptions { n_threads: NonZero::new(3).unwrap(), ..SummaryOptions::new() };
    let [one, several] = [summary, summarize(on_disk(&bytes), &threads, &mut ()).unwrap()];
    assert_eq!((one.n_rows, one.n_batches, one.columns.len()), (N_ROWS as u64, 1, 25));
    let said = |summary| JsonObject(summary).to_value().to_string();
    assert_eq!(said(&one), said(&several));
}

/// Parts are read in another order, but the error equals the error for the whole batch.
#[test]
fn errors_are_those_of_the_batch() {
    let batch = batch(invalid_text(), scattered);
    for compression in CODECS {
        let bytes = file(&batch, compression);
        let mut damaged = bytes.to_vec();
        // Damages the last frame, which is after the text. Frames are checked before any text.
        let magic = match compression.map(|compression| compression.codec().to_string()).as_deref() {
            Some("LZ4") => 0x184D_2204_u32.to_le_bytes(),
            _ => 0xFD2F_B528_u32.to_le_bytes(),
        };
        if let Some(offset) = damaged.windows(4).rposition(|word| word == magic) {
            damaged[offset] ^= 0xff;
        }
        for bytes in [bytes, damaged.into()] {
            let expected = FileReader::try_from_buffer(bytes.clone()).unwrap().batch(0).unwrap_err();
            for error in [
                validate(on_disk(&bytes), &ValidateOptions::new(), &mut ()).map(drop).unwrap_err(),
                summarize(on_disk(&bytes), &SummaryOptions::new(), &mut ()).map(drop).unwrap_err(),
            ] {
                let ToolErrorKind::Batch { batch_idx: 0, error } = error.kind() else { panic!("{error}") };
                assert_eq!(error.to_string(), expected.to_string(), "{compression:?}");
            }
        }
    }
}

/// Converts from each codec to each other codec, to a file on a disk.
#[test]
fn large_batches_are_converted_in_the_memory_of_a_few_pieces() {
    let batch = batch(text(), scattered);
    for (idx, from) in CODECS.into_iter().enumerate() {
        let bytes = file(&batch, from);
        for &to in Hunt::from_env().some_of(&CODECS, 2, idx) {
            let writing = WriteOptions::new().with_compression(to);
            for options in [
                ConvertOptions {
                    writing: Some(writing.clone()),
                    ..ConvertOptions::new(WrittenContainer::File)
                },
                ConvertOptions {
                    writing: Some(writing),
                    checks_values: false,
                    ..ConvertOptions::new(WrittenContainer::Stream)
                },
            ] {
                let out = tempfile::NamedTempFile::new().unwrap();
                let sink = File::create(out.path()).unwrap();
                let (made, usage) = ALLOCATOR.measure(|| convert(on_disk(&bytes), sink, &options, &mut ()));
                made.map(drop).unwrap();
                assert!(usage.peak_bytes < 16 << 20, "{from:?} to {to:?}: {} bytes", usage.peak_bytes);
                let made = Input::open(out.path()).unwrap();
                let options = DiffOptions::new();
                assert_eq!(
                    diff(on_disk(&bytes), made, &options, &mut Vec::new()).unwrap().is_same,
                    Some(true)
                );
            }
        }
    }
}

/// The conversion of an invalid input fails, and the output is not completed.
#[test]
fn large_batches_that_are_invalid_are_not_converted() {
    let batch = batch(invalid_text(), scattered);
    for from in CODECS {
        let bytes = file(&batch, from);
        let expected = FileReader::try_from_buffer(bytes.clone()).unwrap().batch(0).unwrap_err();
        for to in CODECS {
            let options = ConvertOptions {
                writing: Some(WriteOptions::new().with_compression(to)),
                ..ConvertOptions::new(WrittenContainer::File)
            };
            let mut out = Vec::new();
            let error = convert(on_disk(&bytes), &mut out, &options, &mut ()).map(drop).unwrap_err();
            let ToolErrorKind::Batch { batch_idx: 0, error } = error.kind() else { panic!("{error}") };
            assert_eq!(error.to_string(), expected.to_string());
            assert!(out.len() < 100_000, "{} bytes", out.len());
        }
    }
}

/// Texts, lists and runs with references in the order of the rows: 24 MB of each, in few and long items.
fn in_order() -> [(&'static str, ArrayData); 4] {
    const N: usize = 160_000;
    let hex = |n: i64| (0..8).map(|k| format!("{:016x}", scattered(8 * n + k))).collect::<String>();
    let texts: Vec<String> = (0..N as i64).map(hex).collect();
    let views = Utf8ViewArray::from_iter(&texts).into_data();
    let numbers = Int64Array::from_iter((0..N as i64).map(|n| scattered(n) >> 30)).into_data();
    let offsets: Vec<i32> = (0..N as i32).map(|row| 7 * row).collect();
    let of = |data_type, n_slots, buffers, children: &[&ArrayData]| {
        let children: Vec<ArrayData> = children.iter().map(|child| (*child).clone()).collect();
        let parts =
            ArrayParts { buffers, children: Some(children.into()), ..ArrayParts::new(data_type, n_slots) };
        ArrayData::try_new(parts).unwrap()
    };
    let item = DataType::fixed_size_binary(16).unwrap();
    let bytes: Vec<i64> = (0..2 * 7 * N as i64).map(scattered).collect();
    let items = of(item.clone(), 7 * N, [bytes.into(), Buffer::new()], &[]);
    let lists = DataType::list_view(Field::new("item", item));
    let lists = of(lists, N, [offsets.into(), vec![7i32; N].into()], &[&items]);
    let texts = Utf8Array::try_from_iter(&texts).unwrap().into_data();
    let fields = [&numbers, &texts].map(|child| Field::new("child", child.data_type().clone()));
    let unions = DataType::union(UnionMode::Dense, (0..).zip(fields)).unwrap();
    let type_ids: Vec<u8> = (0..2 * N).map(|row| u8::from(row % 2 > 0)).collect();
    let offsets: Vec<i32> = (0..2 * N as i32).map(|row| row / 2).collect();
    let unions = of(unions, 2 * N, [type_ids.into(), offsets.into()], &[&numbers, &texts]);
    let ends = Int32Array::from_iter((1..=N as i32).map(|run| 3 * run)).into_data();
    let runs = DataType::run_end_encoded(RunEndType::Int32, DataType::Utf8);
    let runs = of(runs, 3 * N, [Buffer::new(), Buffer::new()], &[&ends, &texts]);
    [("views", views), ("lists", lists), ("unions", unions), ("runs", runs)]
}

/// Columns may refer to any data. If the references are in the order of the rows, a conversion takes the memory of a
/// few rows.
#[test]
fn large_batches_that_share_items_are_read_in_the_memory_of_a_few_rows() {
    for (idx, (name, column)) in in_order().into_iter().enumerate() {
        let batch = RecordBatch::try_from_columns([("a", column)]).unwrap();
        for &compression in Hunt::from_env().some_of(&CODECS, 1, idx) {
            let options = WriteOptions::new().with_compression(compression);
            let bytes =
                FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(&batch), options)
                    .unwrap();
            let least = if compression.is_none() { 18 << 20 } else { 8 << 20 };
            assert!(bytes.len() > least, "{name}: {} bytes", bytes.len());
            let cut = ConvertOptions {
                n_batch_rows: Some(NonZero::new(10_000).unwrap()),
                ..ConvertOptions::new(WrittenContainer::Stream)
            };
            let n_rows = batch.n_rows() as u64;
            let joined = ConvertOptions {
                n_batch_rows: Some(NonZero::new(10_000).unwrap()),
                ..ConvertOptions::copying(WrittenContainer::Stream)
            };
            let works: [(&str, &dyn Fn()); 5] = [
                ("validate", &|| {
                    let found = validate(on_disk(&bytes), &ValidateOptions::new(), &mut ()).unwrap();
                    assert_eq!(found.n_rows, n_rows);
                }),
                ("summarize", &|| {
                    let found = summarize(on_disk(&bytes), &SummaryOptions::new(), &mut ()).unwrap();
                    assert_eq!(found.n_rows, n_rows);
                }),
                ("diff", &|| {
                    let found = diff(on_disk(&bytes), on_disk(&bytes), &DiffOptions::new(), &mut Vec::new());
                    assert_eq!(found.unwrap().is_same, Some(true));
                }),
                ("convert", &|| drop(convert(on_disk(&bytes), std::io::sink(), &cut, &mut ()).unwrap())),
                ("assemble", &|| {
                    let conversion = Conversion::open(vec![on_disk(&bytes)], &joined, &mut ()).unwrap();
                    drop(conversion.write_to(std::io::sink(), &mut ()).unwrap());
                }),
            ];
            for (work, run) in works {
                let ((), usage) = ALLOCATOR.measure(run);
                let most = if work == "diff" { 40 << 20 } else { 24 << 20 };
                assert!(
                    usage.peak_bytes < most,
                    "{work}, {name}, {compression:?}: {} bytes",
                    usage.peak_bytes
                );
            }
            // The selected rows equal the same rows of the complete output.
            let (mut converted, mut assembled) = (Vec::new(), Vec::new());
            convert(on_disk(&bytes), &mut converted, &cut, &mut ()).unwrap();
            let inputs = vec![on_disk(&bytes), on_disk(&bytes)];
            Conversion::open(inputs, &joined, &mut ()).unwrap().write_to(&mut assembled, &mut ()).unwrap();
            let twice = [batch.clone(), batch.clone()];
            for (made, expected) in [(converted, &twice[1..]), (assembled, &twice)] {
                let expected = concat_batches(batch.schema().clone(), expected).unwrap();
                let mut n_rows = 0;
                for made in arrow_ipc::StreamReader::try_new(&made[..]).unwrap() {
                    let made = made.unwrap();
                    let n_expected = 10_000.min(expected.n_rows() - n_rows);
                    assert!(made.same_values(&expected.slice(n_rows, n_expected)).unwrap());
                    n_rows += n_expected;
                }
                assert_eq!(n_rows, expected.n_rows());
            }
        }
    }
}
