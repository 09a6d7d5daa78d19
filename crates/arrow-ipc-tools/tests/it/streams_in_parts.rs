//! Large batches of streams, on a disk and through a pipe. Tools return the same results as for files, and use as
//! little memory.

use std::{
    fs,
    io::{Cursor, Read},
    num::NonZero,
};

use arrow_array::{BooleanArray, DictionaryArray, Int32Array, Int64Array, Utf8Array, Utf8ViewArray};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, Endianness, FileReader, FileWriter, Framing, IpcError, MetadataVersion,
    StreamReader, StreamWriter, WriteOptions, WrittenContainer,
};
use arrow_ipc_report::JsonObject;
use arrow_ipc_tools::{
    ConvertOptions, DiffOptions, Input, RowWindow, Summary, SummaryOptions, ToolError, ToolErrorKind,
    ValidateOptions, convert, diff, summarize, validate,
};
use arrow_schema::DataType;
use serde_json::Value;
use testing_support::{ChunkedReader, Hunt};

use crate::{ALLOCATOR, samples::OnDisk};

const N_ROWS: usize = 40_000;

/// Returns a number that compression cannot shorten.
fn scattered(n: usize) -> i64 {
    (n as i64).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed())
}

/// Long values that compression cannot shorten. They are most of the bytes of a large batch with few rows.
fn long_values(n_rows: usize) -> ArrayData {
    let bytes: Vec<i64> = (0..30 * n_rows).map(|n| scattered(n ^ (1 << 25))).collect();
    let data_type = DataType::fixed_size_binary(8 * 30).unwrap();
    let parts = ArrayParts { buffers: [bytes.into(), Buffer::new()], ..ArrayParts::new(data_type, n_rows) };
    ArrayData::try_new(parts).unwrap()
}

/// Rows with words of a dictionary.
fn batch(n_rows: usize, words: &[&str]) -> RecordBatch {
    let numbers = |seed| Int64Array::from_iter((0..n_rows).map(|n| scattered(n ^ seed))).into_data();
    let text = Utf8Array::try_from_iter((0..n_rows).map(|n| (n % 5 > 0).then(|| n.to_string()))).unwrap();
    let indices = Int32Array::from_iter((0..n_rows).map(|n| (n % words.len()) as i32));
    let values = Utf8Array::try_from_iter(words).unwrap();
    RecordBatch::try_from_columns([
        ("a", numbers(0)),
        ("text", text.into_data()),
        ("long", long_values(n_rows)),
        ("words", DictionaryArray::try_new(indices, values).unwrap().into()),
        ("flag", BooleanArray::from_iter((0..n_rows).map(|n| n % 3 == 0)).into_data()),
        ("c", numbers(1 << 30)),
    ])
    .unwrap()
}

fn stream(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

const WORDS: [&str; 3] = ["ada", "grace", "barbara"];

/// Streams with a large batch. Each has a name and a file with the same rows.
fn streams() -> Vec<(&'static str, Vec<u8>, Buffer)> {
    let large = batch(N_ROWS, &WORDS);
    let views = Utf8ViewArray::from_iter((0..N_ROWS).map(|n| format!("{:0250}", scattered(n))));
    let views = RecordBatch::try_from_columns([("views", views.into_data())]).unwrap();
    let options = WriteOptions::new;
    let v4 = || options().with_version(MetadataVersion::V4);
    let more = [&WORDS[..], &["edsger", "donald"]].concat();
    let changing =
        [batch(10, &WORDS[..2]), large.clone(), batch(10, &more), batch(N_ROWS, &more), batch(7, &["other"])];
    let one = std::slice::from_ref(&large);
    let codec = |codec: Compression| options().with_compression(codec);
    let delta = options().with_dictionaries(DictionaryPolicy::Delta);
    let several = [
        stream(&[batch(10, &WORDS)], options()),
        stream(one, codec(Compression::lz4())),
        stream(&[batch(5, &["x"]), large.clone(), batch(5, &["x"])], options()),
    ];
    let in_several = [batch(10, &WORDS), large.clone(), batch(5, &["x"]), large.clone(), batch(5, &["x"])];
    let cases: Vec<(&str, Vec<u8>, &[RecordBatch])> = vec![
        ("plain", stream(one, options()), one),
        ("LZ4", stream(one, codec(Compression::lz4())), one),
        ("ZSTD", stream(one, codec(Compression::zstd())), one),
        ("big-endian", stream(one, options().with_endianness(Endianness::Big)), one),
        ("V4", stream(one, v4()), one),
        ("legacy", stream(one, v4().with_framing(Framing::Legacy)), one),
        ("dictionaries that are replaced", stream(&changing, options()), &changing),
        ("dictionaries that grow", stream(&changing, delta), &changing),
        ("several streams", several.concat(), &in_several),
        ("views", stream(std::slice::from_ref(&views), options()), std::slice::from_ref(&views)),
    ];
    let file = |batches: &[RecordBatch]| {
        let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
        FileWriter::write_to_buffer_with(batches[0].schema(), batches, options).unwrap()
    };
    assert!(cases.iter().all(|(_, stream, _)| stream.len() > 9 << 20), "a batch of each is large");
    cases.into_iter().map(|(name, stream, batches)| (name, stream, file(batches))).collect()
}

fn on_disk(bytes: &Buffer) -> Input {
    Input::try_new("in", OnDisk(bytes.clone())).unwrap()
}

fn in_a_pipe(bytes: &Buffer) -> Input {
    Input::try_from_reader("in", ChunkedReader::new(Cursor::new(bytes.clone()), 100_000)).unwrap()
}

type Open = fn(&Buffer) -> Input;

const WAYS: [(&str, Open); 3] = [
    ("on a disk", on_disk),
    ("in a pipe", in_a_pipe),
    ("in memory", |bytes| Input::try_from_buffer("in", bytes.clone()).unwrap()),
];

/// All values of the summary.
fn said(summary: &Summary) -> Vec<Value> {
    let json = JsonObject(summary).to_value();
    let mut columns = json["columns"].as_array().unwrap().clone();
    for column in columns.iter_mut().filter_map(Value::as_object_mut) {
        for name in ["n_bytes", "n_decompressed_bytes", "share"] {
            column.remove(name);
        }
    }
    columns
}

#[test]
fn tools_say_what_they_say_of_files() {
    let windows = [
        RowWindow::ALL,
        RowWindow::from_rows(5..25),
        RowWindow::from_rows(39_000..40_007),
        RowWindow::from_rows(7..7),
    ];
    for (idx, (name, stream, file)) in streams().into_iter().enumerate() {
        let stream = Buffer::from(stream);
        let validated = validate(on_disk(&file), &ValidateOptions::new(), &mut ()).unwrap();
        let of_file = windows.map(|rows| {
            let summary =
                summarize(on_disk(&file), &SummaryOptions { rows, ..SummaryOptions::new() }, &mut ())
                    .unwrap();
            let options = ConvertOptions { rows, ..ConvertOptions::new(WrittenContainer::Stream) };
            let output = (rows != RowWindow::ALL)
                .then(|| Buffer::from(convert(on_disk(&file), Vec::new(), &options, &mut ()).unwrap().0));
            (summary, output)
        });
        for (way, open) in Hunt::from_env().some_of(&WAYS, 1, idx) {
            for n_threads in [1, 3] {
                let options =
                    ValidateOptions { n_threads: NonZero::new(n_threads).unwrap(), ..ValidateOptions::new() };
                let found = validate(open(&stream), &options, &mut ()).unwrap();
                let counts = (found.n_rows, found.n_batches);
                assert_eq!(counts, (validated.n_rows, validated.n_batches), "{name}, {way}");
            }
            for (rows, (of_file, output_of_file)) in windows.into_iter().zip(&of_file) {
                let options = SummaryOptions { rows, ..SummaryOptions::new() };
                let of_stream = summarize(open(&stream), &options, &mut ()).unwrap();
                let counts = |summary: &Summary| (summary.n_rows, summary.n_batches);
                assert_eq!(counts(&of_stream), counts(of_file), "{name}, {way}, {rows:?}");
                assert_eq!(said(&of_stream), said(of_file), "{name}, {way}, {rows:?}");
                let options = DiffOptions { rows, ..DiffOptions::new() };
                let summary = diff(open(&stream), on_disk(&file), &options, &mut Vec::new()).unwrap();
                assert_eq!(summary.is_same, Some(true), "{name}, {way}, {rows:?}");
                let Some(of_file) = output_of_file else { continue };
                let options = ConvertOptions { rows, ..ConvertOptions::new(WrittenContainer::Stream) };
                let of_stream = convert(open(&stream), Vec::new(), &options, &mut ()).unwrap().0.into();
                let [of_stream, of_file] = [of_stream, of_file.clone()]
                    .map(|output| Input::try_from_buffer("made", output).unwrap());
                let summary = diff(of_stream, of_file, &DiffOptions::new(), &mut Vec::new()).unwrap();
                assert_eq!(summary.is_same, Some(true), "{name}, {way}, {rows:?}");
            }
        }
    }
}

/// Conversions to other batch lengths or with joined dictionaries have the same result for a stream and a file.
#[test]
fn conversions_are_those_of_files() {
    let n_rows = NonZero::new(15_000).unwrap();
    let reshaping =
        || ConvertOptions { n_batch_rows: Some(n_rows), ..ConvertOptions::new(WrittenContainer::File) };
    let unifying =
        || ConvertOptions { unifies_dictionaries: true, ..ConvertOptions::new(WrittenContainer::File) };
    for (idx, (name, stream, file)) in streams().into_iter().enumerate() {
        let stream = Buffer::from(stream);
        for options in
            [reshaping(), ConvertOptions { rows: RowWindow::from_rows(7..30_000), ..reshaping() }, unifying()]
        {
            let converted = |input| {
                let (output, _) = convert(input, Vec::new(), &options, &mut ()).ok()?;
                Some(FileReader::try_from_buffer(output.into()).unwrap())
            };
            let of_file = converted(on_disk(&file));
            for (way, open) in Hunt::from_env().some_of(&WAYS, 2, idx) {
                // Dictionaries are joined in the order of the inputs.
                let (Some(of_stream), Some(of_file)) = (converted(open(&stream)), &of_file) else {
                    assert!(name.contains("dictionaries") || name == "several streams", "{name}, {way}");
                    continue;
                };
                let lengths = |reader: &FileReader<Buffer>| -> Vec<u64> {
                    (0..reader.n_batches()).map(|batch_idx| reader.n_rows_of(batch_idx).unwrap()).collect()
                };
                assert_eq!(lengths(&of_stream), lengths(of_file), "{name}, {way}");
                for batch_idx in 0..of_stream.n_batches() {
                    let [output, expected] = [&of_stream, of_file].map(|of| of.batch(batch_idx).unwrap());
                    assert!(output.same_values(&expected).unwrap(), "{name}, {way}, batch {batch_idx}");
                }
            }
        }
    }
}

/// The first difference in a large batch is reported with its position. Rows that only one side has are counted.
#[test]
fn differences_are_reported() {
    let (one, other) = (batch(N_ROWS, &WORDS), batch(N_ROWS - 3, &WORDS));
    let [a, b] = [&one, &other].map(|batch| {
        Buffer::from(stream(
            std::slice::from_ref(batch),
            WriteOptions::new().with_compression(Compression::lz4()),
        ))
    });
    let expected = [(&a, &b), (&b, &a)].map(|(a, b)| {
        let files = [a, b].map(|bytes| {
            let batches: Result<Vec<RecordBatch>, IpcError> =
                StreamReader::try_new(&**bytes).unwrap().collect();
            let batches = batches.unwrap();
            FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap()
        });
        let mut found = Vec::new();
        diff(on_disk(&files[0]), on_disk(&files[1]), &DiffOptions::new(), &mut found).unwrap();
        assert!(!found.is_empty());
        format!("{found:?}")
    });
    for (way, open) in WAYS {
        for ((a, b), expected) in [(&a, &b), (&b, &a)].into_iter().zip(&expected) {
            let mut found = Vec::new();
            let summary = diff(open(a), open(b), &DiffOptions::new(), &mut found).unwrap();
            assert_eq!((summary.is_same, &format!("{found:?}")), (Some(false), expected), "{way}");
        }
    }
}

/// Text that is invalid UTF-8 after many valid rows.
fn invalid() -> RecordBatch {
    let mut bytes = vec![b'x'; 280 * N_ROWS];
    bytes[280 * 37_500] = 0xff;
    let offsets: Vec<i32> = (0..=N_ROWS as i32).map(|n| n * 280).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(offsets), Buffer::from(bytes)],
        ..ArrayParts::new(DataType::Utf8, N_ROWS)
    };
    let text: ArrayData = ArrayData::try_new(parts).unwrap();
    with_numbers(N_ROWS, text)
}

/// A batch with a text column between columns that compression cannot shorten.
fn with_numbers(n_rows: usize, text: ArrayData) -> RecordBatch {
    let numbers = |seed| Int64Array::from_iter((0..n_rows).map(|n| scattered(n ^ seed))).into_data();
    let columns = [("a", numbers(0)), ("b", long_values(n_rows)), ("text", text), ("c", numbers(1 << 30))];
    RecordBatch::try_from_columns(columns).unwrap()
}

/// The error of reading a stream from its start.
fn error_of(bytes: &[u8]) -> String {
    let error = match StreamReader::try_new(bytes) {
        Ok(reader) => reader.filter_map(Result::err).next().expect("an error"),
        Err(error) => error,
    };
    error.to_string()
}

fn refused(check: impl Fn(Input) -> Result<(), ToolError>, input: Input) -> String {
    let error = check(input).unwrap_err();
    match error.kind() {
        ToolErrorKind::Input(error) => error.to_string(),
        ToolErrorKind::LaterStream { position, error } => format!("{position}: {error}"),
        _ => panic!("{error}"),
    }
}

type Check = fn(Input) -> Result<(), ToolError>;

const CHECKS: [(&str, Check); 2] = [
    ("validate", |input| validate(input, &ValidateOptions::new(), &mut ()).map(drop)),
    ("summarize", |input| summarize(input, &SummaryOptions::new(), &mut ()).map(drop)),
];

#[test]
fn errors_are_those_of_the_stream() {
    for codec in [None, Some(Compression::lz4()), Some(Compression::zstd())] {
        let options = WriteOptions::new().with_compression(codec);
        let small = with_numbers(1, Utf8Array::try_from_iter(["a"]).unwrap().into_data());
        let first = stream(std::slice::from_ref(&small), options.clone());
        let bytes = Buffer::from(stream(&[small, invalid()], options));
        // Numbers do not become shorter by compression, so each cut is inside the long body.
        let n_bytes = bytes.len();
        let cuts = [n_bytes, n_bytes - 9, n_bytes - 1000, n_bytes / 2, first.len() + 2_000];
        for (idx, cut) in cuts.into_iter().enumerate() {
            let cut = bytes.slice(..cut);
            let expected = error_of(&cut);
            let all =
                WAYS.iter().flat_map(|way| CHECKS.iter().map(move |check| (way, check))).collect::<Vec<_>>();
            for ((way, open), (tool, check)) in Hunt::from_env().some_of(&all, 5, idx) {
                let what = format!("{tool}, {codec:?}, {way}, {} of {n_bytes}", cut.len());
                assert_eq!(refused(check, open(&cut)), expected, "{what}");
                let later = Buffer::from([&first[..], &cut].concat());
                let expected = format!("{}: {expected}", first.len());
                assert_eq!(refused(check, open(&later)), expected, "{what}, after another stream");
            }
        }
    }
}

/// A message declares a body of gigabytes. Its reader allocates neither memory nor a file of that length.
#[test]
fn declared_bodies_cost_nothing() {
    let hostile = testing_support::corpus_dir().join("hostile");
    for name in ["framing-bodylen-2e31.stream", "framing-bodylen-2e62.stream", "framing-bodylen-max.stream"] {
        let start = fs::read(hostile.join(name)).unwrap();
        for n_more in [0, 1, 3 << 20] {
            let mut bytes = start.clone();
            std::io::repeat(0).take(n_more).read_to_end(&mut bytes).unwrap();
            let (expected, bytes) = (error_of(&bytes), Buffer::from(bytes));
            for ((way, open), (tool, check)) in
                WAYS.iter().flat_map(|way| CHECKS.iter().map(move |tool| (way, tool)))
            {
                let (error, usage) = ALLOCATOR.measure(|| refused(check, open(&bytes)));
                assert_eq!(error, expected, "{tool}, {way}, {name}");
                assert!(usage.peak_bytes < 2 << 20, "{tool}, {way}, {name}: {} bytes", usage.peak_bytes);
            }
        }
    }
}

/// Conversions that copy all messages, except messages that are divided.
fn cuts() -> [(&'static str, ConvertOptions); 2] {
    let copying = || ConvertOptions::copying(WrittenContainer::Stream);
    let n_rows = NonZero::new(1 << 14).unwrap();
    [
        ("rows", ConvertOptions { rows: RowWindow::from_rows(300_000..300_100), ..copying() }),
        ("batches", ConvertOptions { n_batch_rows: Some(n_rows), ..copying() }),
    ]
}

/// Only divided messages are decoded. Their errors equal the errors of decoding all messages.
#[test]
fn errors_of_cut_batches_are_those_of_the_stream() {
    for codec in [None, Some(Compression::lz4()), Some(Compression::zstd())] {
        let small = with_numbers(3, Utf8Array::try_from_iter(["a", "b", "c"]).unwrap().into_data());
        let bytes = Buffer::from(stream(&[small, invalid()], WriteOptions::new().with_compression(codec)));
        let expected = error_of(&bytes);
        for (way, open) in WAYS {
            // The text is invalid UTF-8 in only some of the rows.
            for (rows, is_invalid) in [(5..37_000, false), (1..39_000, true), (37_000..38_000, true)] {
                let options = ConvertOptions {
                    rows: RowWindow::from_rows(rows),
                    ..ConvertOptions::copying(WrittenContainer::Stream)
                };
                let cut = |input| convert(input, Vec::new(), &options, &mut ()).map(drop);
                let what = format!("{codec:?}, {way}");
                if is_invalid {
                    let found = refused(cut, open(&bytes));
                    assert!(found.starts_with("message 2 at byte "), "{what}: {found}");
                    // The slot number counts only the rows that were read.
                    let [location, other] = [&found, &expected].map(|error| error.split(", slot").next());
                    assert_eq!(location, other, "{what}: {found}");
                } else {
                    cut(open(&bytes)).unwrap_or_else(|error| panic!("{what}: {error}"));
                }
            }
        }
    }
}

#[test]
fn memory_is_that_of_a_few_rows() {
    const N_LONG: usize = 500_000;
    let four = |n: usize| [n, !n, n ^ (1 << 40), !n ^ (1 << 40)].map(scattered);
    let hex = |[a, b, c, d]: [i64; 4]| format!("{a:016x}{b:016x}{c:016x}{d:016x}");
    let long = Utf8Array::try_from_iter((0..N_LONG).map(|n| hex(four(n)))).unwrap().into_data();
    let long = RecordBatch::try_from_columns([("text", long)]).unwrap();
    let codecs = [None, Some(Compression::lz4()), Some(Compression::zstd())];
    for (idx, codec) in codecs.into_iter().enumerate() {
        let bytes =
            Buffer::from(stream(std::slice::from_ref(&long), WriteOptions::new().with_compression(codec)));
        for (way, open) in Hunt::from_env().some_of(&WAYS[..2], 1, idx) {
            for (tool, check) in &CHECKS {
                let (done, usage) = ALLOCATOR.measure(|| check(open(&bytes)));
                done.unwrap();
                assert!(usage.peak_bytes < 20 << 20, "{tool}, {codec:?}, {way}: {} bytes", usage.peak_bytes);
            }
            for (form, options) in cuts() {
                let convert = || convert(open(&bytes), std::io::sink(), &options, &mut ()).unwrap();
                let ((_, losses), usage) = ALLOCATOR.measure(convert);
                assert!(losses.is_empty());
                let peak_bytes = usage.peak_bytes;
                assert!(peak_bytes < 24 << 20, "{form}, {codec:?}, {way}: {peak_bytes} bytes");
            }
            let (summary, usage) = ALLOCATOR
                .measure(|| diff(open(&bytes), open(&bytes), &DiffOptions::new(), &mut Vec::new()).unwrap());
            assert_eq!(summary.is_same, Some(true));
            assert!(usage.peak_bytes < 64 << 20, "diff, {codec:?}, {way}: {} bytes", usage.peak_bytes);
        }
    }
}
