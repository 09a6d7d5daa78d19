//! The cost of each operation for inputs that are made to be expensive. If the length of the input doubles, the cost
//! grows by a factor of 2.2 at most.
//!
//! The cost is the number of bytes that are allocated, fetched and written, and of slots and bytes that are visited.

mod inputs;
mod sparse_statistics;

use std::{
    fmt::Write as _,
    io::{self, Write},
    ops::{ControlFlow, Range},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_array::{DictionaryArray, Int64Array, NullArray};
use arrow_buffer::{Bitmap, Buffer};
use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, FileWriter, Source, StreamWriter, Validation, WriteOptions, WrittenContainer,
};
use arrow_ipc_report::explain;
use arrow_ipc_report::{ByteMap, JsonLine, JsonLinesReport, JsonObject, SchemaJson, container_name};
use arrow_ipc_tools::{
    ColumnNames, Conversion, ConvertOptions, DiffOptions, Difference, Import, ImportOptions, Input,
    InspectOptions, InspectSink, RecoverOptions, Reshaping, RowQuery, RowWindow, Rows, SummaryOptions,
    ToolError, ValidateOptions, append::AppendTarget, columns::ColumnName, convert, count_rows, diff,
    import::TextFormat, inspect, inspect::InspectItem, recover, summarize, validate,
};
use arrow_schema::work_done;
use arrow_select::{Select, concat_batches};
use arrow_text::JsonRows;
use testing_support::{Hunt, ints};

use self::inputs::INPUTS;
use crate::ALLOCATOR;

/// The greatest factor by which the cost may grow if the input doubles.
const MAX_GROWTH: f64 = 2.2;

/// The name of an operation, and its function. If the function fails, the work before the error counts.
type Operation = (&'static str, fn(&Bytes, &mut Sink) -> Result<(), ToolError>);

const OPERATIONS: &[Operation] = &[
    ("read", |bytes, _| each_batch(bytes, |_| {})),
    ("validate", |bytes, _| validate(bytes.input(), &ValidateOptions::new(), &mut ()).map(drop)),
    ("validate strictly", |bytes, _| {
        validate(
            bytes.input(),
            &ValidateOptions { validation: Validation::Strict, ..ValidateOptions::new() },
            &mut (),
        )
        .map(drop)
    }),
    ("inspect", |bytes, sink| {
        let options = InspectOptions::new().with_buffers();
        inspect(bytes.input(), &options, &mut JsonLinesReport::new(sink), &mut ()).map(drop)
    }),
    ("count", |bytes, _| count_rows(bytes.input(), &mut ()).map(drop)),
    ("schema", |bytes, sink| {
        let rows = Rows::open_schema(bytes.input())?;
        let container = container_name(bytes.input().container());
        let schema = SchemaJson { container, schema: rows.ipc_schema(), metadata: rows.metadata() };
        write!(sink, "{}", JsonLine(JsonObject(schema))).expect("a sink takes all");
        Ok(())
    }),
    ("compare", |bytes, _| {
        let mut found: Vec<Difference> = Vec::new();
        // The copy has another address. Otherwise, equal addresses would show that the data is equal.
        let copy = bytes.copy();
        diff(bytes.input(), copy.input(), &DiffOptions::new(), &mut found).map(drop)
    }),
    ("a column", |bytes, _| {
        let columns = ColumnNames::from_iter([ColumnName::from("column 0")]);
        Rows::open_selected(bytes.input(), &RowQuery::new().with_columns(columns)).map(drop)
    }),
    ("stats", |bytes, _| summarize(bytes.input(), &SummaryOptions::new(), &mut ()).map(drop)),
    ("stats of fields", |bytes, _| {
        let fields = ColumnNames::from_iter([ColumnName::Pattern("*.*".to_owned())]);
        summarize(
            bytes.input(),
            &SummaryOptions { query: RowQuery::new().with_columns(fields), ..SummaryOptions::new() },
            &mut (),
        )
        .map(drop)
    }),
    ("a condition of two columns", |bytes, _| each_pair(bytes, &["a = b", "not a != b"])),
    ("a condition with a constant", |bytes, _| {
        each_pair(
            bytes,
            &["a is null", "a like '%a_b%'", "a ilike '%ab'", "a = '[1]'", "a = '{\"a\": 1}'", "a != 1"],
        )
    }),
    ("explain", |bytes, _| explain(bytes.input(), None, &mut ()).map(drop)),
    ("a map of bytes", |bytes, sink| {
        let input = bytes.input();
        let mut map = ByteMap::new(input.name());
        let inspected = inspect(input, &InspectOptions::new().with_unused_bytes(), &mut map, &mut ())?;
        write!(sink, "{}", map.into_json(&inspected)).expect("a sink takes all");
        Ok(())
    }),
    ("select", |bytes, _| {
        each_batch(bytes, |batch| {
            let n_rows = batch.n_rows().min(1 << 16) as u32;
            let backwards: Vec<u32> = (0..n_rows).rev().collect();
            let some: Bitmap = (0..batch.n_rows().min(1 << 16)).map(|row| row % 3 > 0).collect();
            let short = batch.slice(0, n_rows as usize);
            let parts = [short.take(&backwards), short.filter(&some)].map(|part| part.expect("valid"));
            // The joined dictionary may have more values than the index type can count.
            let _ = concat_batches(Arc::clone(batch.schema()), &parts);
        })
    }),
    ("convert, replacing", |bytes, sink| {
        converted(bytes, sink, (WrittenContainer::Stream, DictionaryPolicy::Replace))
    }),
    ("convert, by deltas", |bytes, sink| {
        converted(bytes, sink, (WrittenContainer::File, DictionaryPolicy::Delta))
    }),
    ("convert, casting", |bytes, sink| {
        // Columns of other types return an error.
        let to = "dictionary<int32, int64>".parse().expect("a type");
        let options =
            ConvertOptions { checks_values: false, ..ConvertOptions::new(WrittenContainer::Stream) };
        let options = ConvertOptions { reshaping: Some(Reshaping::new().with_cast("c", to)), ..options };
        let options = ConvertOptions {
            writing: Some(WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta)),
            ..options
        };
        convert(bytes.input(), sink, &options, &mut ()).map(drop)
    }),
    ("convert, copying", |bytes, sink| {
        convert(
            bytes.input(),
            sink,
            &ConvertOptions { checks_values: false, ..ConvertOptions::new(WrittenContainer::Stream) },
            &mut (),
        )
        .map(drop)
    }),
    ("concat", |bytes, sink| {
        let inputs = vec![bytes.input(), bytes.copy().input()];
        assembled(inputs, &ConvertOptions::copying(WrittenContainer::Stream), sink)
    }),
    ("split", |bytes, sink| {
        assembled(
            vec![bytes.input()],
            &ConvertOptions {
                rows: RowWindow::from_rows(1..1 << 16),
                ..ConvertOptions::copying(WrittenContainer::Stream)
            },
            sink,
        )
    }),
    ("append", |bytes, sink| {
        let schema = Rows::open(bytes.input())?.schema().clone();
        let mut file = FileWriter::try_new(sink, schema).expect("a sink takes all");
        AppendTarget::new(&mut file)
            .append_input(bytes.input(), None, &mut { RowWindow::ALL }, &mut ())
            .map(drop)
    }),
    ("recover", |bytes, sink| {
        let input = Input::from_damaged("input", bytes.clone());
        recover(input, sink, &RecoverOptions::new(WrittenContainer::Stream), &mut ()).map(drop)
    }),
    ("convert, unifying", |bytes, sink| {
        let options = ConvertOptions {
            checks_values: false,
            unifies_dictionaries: true,
            ..ConvertOptions::new(WrittenContainer::File)
        };
        convert(bytes.input(), sink, &options, &mut ()).map(drop)
    }),
    ("print", |bytes, sink| {
        each_batch(bytes, |batch| {
            JsonRows::try_new(batch).expect("valid").write_to(sink).expect("a sink takes all");
        })
    }),
    ("print and import", |bytes, sink| {
        let mut text = Vec::new();
        each_batch(bytes, |batch| {
            JsonRows::try_new(batch).expect("valid").write_to(&mut text).expect("memory takes all");
        })?;
        let options =
            ImportOptions { infer_rows: usize::MAX.into(), ..ImportOptions::new(TextFormat::JsonLines) };
        let import = Import::open("text", Box::new(io::Cursor::new(text)), &options)?;
        convert(import.into_input(), sink, &ConvertOptions::new(WrittenContainer::Stream), &mut ()).map(drop)
    }),
];

fn assembled(inputs: Vec<Input>, options: &ConvertOptions, sink: &mut Sink) -> Result<(), ToolError> {
    Conversion::open(inputs, options, &mut ())?.write_to(sink, &mut ()).map(drop)
}

fn converted(
    bytes: &Bytes,
    sink: &mut Sink,
    (container, policy): (WrittenContainer, DictionaryPolicy),
) -> Result<(), ToolError> {
    // Checks may run on other threads, whose work is not counted. Another operation measures the checks.
    let options = ConvertOptions { checks_values: false, ..ConvertOptions::new(container) };
    let options = ConvertOptions { writing: Some(WriteOptions::new().with_dictionaries(policy)), ..options };
    convert(bytes.input(), sink, &options, &mut ()).map(drop)
}

/// Visits all batches that can be read.
fn each_batch(bytes: &Bytes, mut visit: impl FnMut(&RecordBatch)) -> Result<(), ToolError> {
    match Rows::open(bytes.input())? {
        Rows::Streams(mut streams) => {
            while let Some(batch) = streams.next_batch()? {
                visit(&batch);
            }
        }
        Rows::File { reader } => reader.batches().flatten().for_each(|batch| visit(&batch)),
    }
    Ok(())
}

/// Tests the first column of each batch, and a copy of it, by these conditions. Columns of other types return an error.
fn each_pair(bytes: &Bytes, conditions: &[&str]) -> Result<(), ToolError> {
    let mut copies = Vec::new();
    // The copy has another address. Otherwise, equal addresses would show that the data is equal.
    each_batch(&bytes.copy(), |batch| copies.extend(batch.columns().first().cloned()))?;
    let mut copies = copies.into_iter();
    each_batch(bytes, |batch| {
        let columns = batch.columns().first().cloned().into_iter().chain(copies.next());
        let Ok(pair) = RecordBatch::try_from_columns(["a", "b"].into_iter().zip(columns)) else { return };
        for condition in conditions {
            let predicate: Predicate = condition.parse().expect("a condition");
            let predicate = predicate.with_json_values(|data_type, json| {
                arrow_text::read_json_value(data_type, json).map_err(|error| error.to_string())
            });
            // Columns of other types cannot be compared.
            let _ = predicate.bind(pair.schema()).and_then(|bound| bound.matches(&pair));
        }
    })
}

/// An input that counts the bytes that are fetched.
#[derive(Clone)]
struct Bytes {
    bytes: Buffer,
    n_fetched: Arc<AtomicU64>,
}

impl Bytes {
    fn new(bytes: Vec<u8>) -> Bytes {
        Bytes { bytes: bytes.into(), n_fetched: Arc::default() }
    }

    fn copy(&self) -> Bytes {
        Bytes { bytes: Buffer::copy_from(&self.bytes), ..self.clone() }
    }

    fn input(&self) -> Input {
        Input::try_new("input", self.clone()).expect("a stream or file")
    }
}

impl Source for Bytes {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetched.fetch_add(range.end.saturating_sub(range.start), Ordering::Relaxed);
        self.bytes.fetch(range)
    }
}

/// An output that counts the bytes that are written.
#[derive(Default)]
struct Sink {
    n_bytes: u64,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.n_bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The cost of an operation, and whether it succeeds.
fn cost(run: fn(&Bytes, &mut Sink) -> Result<(), ToolError>, bytes: Vec<u8>) -> (u64, bool) {
    let (bytes, mut sink, before) = (Bytes::new(bytes), Sink::default(), work_done());
    let (result, usage) = ALLOCATOR.measure(|| run(&bytes, &mut sink));
    let fetched = bytes.n_fetched.load(Ordering::Relaxed);
    (usage.total_bytes + (work_done() - before) + fetched + sink.n_bytes, result.is_ok())
}

/// Returns whether the costs of inputs of size n, 2n and 4n grow in proportion. The first request for a file may
/// include all of a small input. In that case, only the difference between the costs must grow in proportion.
fn is_in_proportion(costs: [u64; 3]) -> bool {
    let [n, two, four] = costs.map(|cost| cost as f64);
    let is_small = two <= MAX_GROWTH * n && four <= MAX_GROWTH * two;
    is_small || (two > n && four - two <= MAX_GROWTH * (two - n))
}

#[test]
fn costs_grow_with_their_input() {
    let mut broken = String::new();
    let [mut n_cases, mut n_fine] = [0; 2];
    let hunt = Hunt::from_env();
    // A long run has larger inputs, which show more.
    let factor = hunt.count(1, 4);
    for (idx, input) in INPUTS.iter().enumerate() {
        let sizes = [1, 2, 4].map(|times| (input.make)(input.n * factor * times));
        // In a short run, each input has half of the operations, in turn.
        for (operation, run) in hunt.some_of(OPERATIONS, OPERATIONS.len() / 2, idx) {
            n_cases += 1;
            if input.without.iter().any(|(without, _)| operation.starts_with(without)) {
                continue;
            }
            // Other tests, which run at the same time, can change the memory that readers use. One good result of
            // three is enough.
            let mut costs = sizes.clone().map(|bytes| cost(*run, bytes));
            for _ in 0..2 {
                if !is_in_proportion(costs.map(|(cost, _)| cost)) {
                    costs = sizes.clone().map(|bytes| cost(*run, bytes));
                }
            }
            if !is_in_proportion(costs.map(|(cost, _)| cost)) {
                writeln!(broken, "{operation} of {}: {costs:?}", input.name).unwrap();
            }
            n_fine += usize::from(costs.iter().all(|(_, is_fine)| *is_fine));
        }
    }
    assert!(broken.is_empty(), "these grow faster than their input:\n{broken}");
    assert!(n_cases >= INPUTS.len() * OPERATIONS.len() / 2, "{n_cases}");
    assert!(n_fine > n_cases / 2, "{n_fine} of {n_cases} operations succeed");
}

/// Each buffer is reported when it is found. Stored JSON values would take a hundred times the length of the message,
/// because the path of each field may be long.
#[test]
fn buffers_are_shown_without_being_cached() {
    const BASE_BYTES: i64 = 64 << 10;
    for n_buffers in [2_000, 20_000] {
        let input = Bytes::new(inputs::many_buffers(n_buffers)).input();
        let options = InspectOptions::new().with_buffers();
        let mut sink = Sink::default();
        let mut report = JsonLinesReport::new(&mut sink);
        let (inspected, usage) =
            ALLOCATOR.measure(|| inspect(input, &options, &mut report, &mut ()).unwrap());
        assert!(inspected.damage.is_empty(), "{inspected:?}");
        assert!(sink.n_bytes > n_buffers as u64 * 200, "{} bytes are written", sink.n_bytes);
        let n_metadata_bytes = n_buffers as i64 * 16;
        assert!(usage.peak_bytes <= BASE_BYTES + 6 * n_metadata_bytes, "{n_buffers}: {usage:?}");
    }
}

/// Buffers may be anywhere in a body. If more bytes were fetched around each buffer, the body would be fetched many
/// times.
#[test]
fn buffers_far_apart_are_fetched_by_themselves() {
    let bytes = Bytes::new(inputs::scattered_buffers(1_000));
    let options = ConvertOptions {
        checks_values: false,
        writing: Some(WriteOptions::new()),
        ..ConvertOptions::new(WrittenContainer::Stream)
    };
    let (converted, losses) = convert(bytes.input(), Vec::new(), &options, &mut ()).unwrap();
    assert!(losses.is_empty());
    assert_times(&bytes, 4);
    // The converted rows equal the rows of the input.
    let mut found: Vec<Difference> = Vec::new();
    let converted = Bytes::new(converted);
    diff(bytes.input(), converted.input(), &DiffOptions::new(), &mut found).unwrap();
    assert!(found.is_empty(), "{found:?}");
}

/// Checks that the fetched bytes are at most `times` as many as the bytes of the input.
fn assert_times(bytes: &Bytes, times: u64) {
    let (n_fetched, n_bytes) = (bytes.n_fetched.load(Ordering::Relaxed), bytes.bytes.len() as u64);
    assert!(n_fetched <= times * n_bytes, "{n_fetched} of {n_bytes}");
}

/// A few indices may refer to distant values of many dictionaries.
#[test]
fn indices_take_no_memory_for_values_between_them() {
    let values = NullArray::new(1 << 23).into_data();
    let indices = Int64Array::from_iter([(1 << 23) - 1, 0]);
    let words = DictionaryArray::try_new(indices, values).unwrap().into_data();
    let columns = (0..200).map(|idx| (format!("column {idx}"), words.clone()));
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let stream = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let input = Bytes::new(stream).input();
    let (explained, usage) = ALLOCATOR.measure(|| explain(input, None, &mut ()).unwrap());
    assert_eq!(explained.0.n_dictionary_batches, 200);
    assert!(usage.peak_bytes < 4 << 20, "{usage:?}");
}

/// Each of 20,000 messages is damaged.
#[test]
fn damage_is_counted_and_only_the_first_is_reported() {
    const N_MESSAGES: usize = 20_000;
    let stream = |n_columns: usize, n_batches: usize| {
        let columns = (0..n_columns).map(|idx| (format!("column {idx}"), ints([1])));
        let batch = RecordBatch::try_from_columns(columns).unwrap();
        let batches = vec![batch.clone(); n_batches];
        let bytes = StreamWriter::write_to_vec(batch.schema(), &batches).unwrap();
        // Removes the end marker.
        bytes[..bytes.len() - 8].to_vec()
    };
    // The schema has one column, and the batches have two.
    let bytes = [stream(1, 0), stream(2, N_MESSAGES)[stream(2, 0).len()..].to_vec()].concat();
    let input = Bytes::new(bytes).input();
    let options = InspectOptions::new().with_buffers();
    let (inspected, usage) = ALLOCATOR.measure(|| inspect(input, &options, &mut Ignoring, &mut ()).unwrap());
    assert_eq!((inspected.n_damage, inspected.damage.len()), (N_MESSAGES as u64, 1_000));
    assert!(usage.peak_bytes < 1 << 20, "{usage:?}");
}

/// A report that ignores everything.
struct Ignoring;

impl InspectSink for Ignoring {
    fn item(&mut self, _: InspectItem<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn what_grows_too_fast_is_found() {
    let costs = |of: fn(u64) -> u64| [100, 200, 400].map(of);
    for in_proportion in
        [costs(|_| 7), costs(|n| 5 * n + 9), costs(|n| 10 * n - 500), costs(|n| n * n / 1_000 + 2 * n)]
    {
        assert!(is_in_proportion(in_proportion), "{in_proportion:?}");
    }
    for too_fast in
        [costs(|n| n * n), costs(|n| n * n / 50 + n), costs(|n| 900 + n * n), costs(|n| 4_000 * (n / 400))]
    {
        assert!(!is_in_proportion(too_fast), "{too_fast:?}");
    }
    // Checks the counter itself.
    let bytes = Bytes::new(vec![0; 100]);
    assert!((0..50).all(|end| bytes.fetch(0..end).is_ok()));
    assert_eq!(bytes.n_fetched.load(Ordering::Relaxed), 49 * 50 / 2);
}
