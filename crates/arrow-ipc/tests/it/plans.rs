//! The rounds of each plan: which ranges it requests, in how many rounds, and which of several errors it returns. The
//! tables in `snapshots` have them for files and streams with dictionaries, deltas, nested columns and compression.
//!
//! A round is the ranges between two steps. Each plan is also run with steps that nothing was provided for, with half of
//! each range, beside another plan that reads the same, and with other bytes in one round.

use std::{fmt::Write as _, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{
    DictionaryPolicy, FetchCost, FileDecoder, IpcError, Projection, ReadOptions, Result, Source,
    StreamWriter, WriteOptions,
    file::{NeededRanges, PlanStep, ReadPlan},
};
use arrow_schema::{DataType, IndexType};
use testing_support::rows;

use crate::access::golden;

/// The bytes of some ranges.
type Answers = Vec<(Range<u64>, Buffer)>;

/// Runs a plan with other bytes in a round, in the ranges for which the function is true.
type DamagedRun<'a> = dyn Fn(usize, &dyn Fn(usize) -> bool) -> String + 'a;

/// An input, and the options with which it is opened.
struct Input {
    bytes: Buffer,
    options: ReadOptions,
}

impl Input {
    fn new(bytes: Buffer) -> Input {
        let options = ReadOptions::new().with_tail_bytes(0).with_fetch_cost(FetchCost::FREE_REQUESTS);
        Input { bytes, options }
    }

    fn n_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// A decoder that has read nothing but what opening needs.
    fn decoder(&self) -> FileDecoder {
        let mut plan = FileDecoder::plan_open_with(self.n_bytes(), self.options.clone());
        finish(&mut plan, &mut Vec::new(), |ranges| self.required(ranges)).unwrap()
    }

    fn required(&self, ranges: &NeededRanges) -> Answers {
        ranges.required().iter().map(|range| (range.clone(), self.fetch(range))).collect()
    }

    fn fetch(&self, range: &Range<u64>) -> Buffer {
        self.bytes.fetch(range.clone()).unwrap()
    }
}

/// Runs a plan to its end. Adds the requested ranges of each round to `rounds`.
fn finish<T>(
    plan: &mut ReadPlan<T>,
    rounds: &mut Vec<NeededRanges>,
    mut answer: impl FnMut(&NeededRanges) -> Answers,
) -> Result<T> {
    loop {
        match plan.step()? {
            PlanStep::Ready(ready) => return Ok(ready),
            PlanStep::Need(ranges) => {
                for (range, bytes) in answer(&ranges) {
                    plan.provide(range, bytes).unwrap();
                }
                rounds.push(ranges);
                assert!(rounds.len() < 1_000, "the plan does not end");
            }
        }
    }
}

fn required(rounds: &[NeededRanges]) -> Vec<&[Range<u64>]> {
    rounds.iter().map(NeededRanges::required).collect()
}

/// The ranges, or if there are many the first and the last of them, and their sum.
fn ranges_text(ranges: &[Range<u64>]) -> String {
    match ranges {
        [first, second, third, .., last] if ranges.len() > 8 => {
            let n_bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
            let n_ranges = ranges.len();
            format!("[{first:?}, {second:?}, {third:?}, .., {last:?}]: {n_ranges} ranges, {n_bytes} bytes")
        }
        _ => format!("{ranges:?}"),
    }
}

fn error_text(error: &IpcError) -> String {
    let kind = format!("{:?}", error.kind());
    let kind = kind.split([' ', '{']).next().unwrap_or_default().replace('(', " ");
    format!("{kind} at [{}]", error.location())
}

/// The table of one input.
struct Table<'a> {
    input: &'a Input,
    text: String,
}

impl<'a> Table<'a> {
    /// Adds a plan, whose results are compared as texts.
    fn add<T>(
        &mut self,
        name: &str,
        plan: impl Fn(&FileDecoder) -> ReadPlan<T>,
        text: impl Fn(T) -> Result<String>,
    ) {
        let (input, table) = (self.input, &mut self.text);
        let run = |answer: &mut dyn FnMut(usize, &NeededRanges) -> Answers| {
            let (mut rounds, mut n_rounds) = (Vec::new(), 0);
            let mut plan = plan(&input.decoder());
            let found = finish(&mut plan, &mut rounds, |ranges| {
                n_rounds += 1;
                answer(n_rounds, ranges)
            });
            (found.and_then(&text).map_err(|error| error_text(&error)), rounds)
        };
        let (expected, rounds) = run(&mut |_, ranges| input.required(ranges));
        let suffix = if rounds.is_empty() { ": nothing is requested" } else { "" };
        writeln!(table, "{name}{suffix}").unwrap();
        for (ranges, n) in rounds.iter().zip(1..) {
            let [useful, later] = [!ranges.useful().is_empty(), !ranges.later().is_empty()];
            write!(table, "  {n}. {}", ranges_text(ranges.required())).unwrap();
            if useful {
                write!(table, ", useful {}", ranges_text(ranges.useful())).unwrap();
            }
            if later {
                write!(table, ", later {:?}", ranges.later()).unwrap();
            }
            table.push('\n');
        }
        if let Err(error) = &expected {
            writeln!(table, "  error: {error}").unwrap();
        }
        // What is useful saves rounds, and changes no result.
        let all = |ranges: &NeededRanges| {
            ranges.merged(0).into_iter().map(|range| (range.clone(), input.fetch(&range))).collect()
        };
        let (found, fewer) = run(&mut |_, ranges| all(ranges));
        assert_eq!(found, expected, "{name}, with useful ranges");
        if fewer.len() != rounds.len() {
            writeln!(table, "  with what is useful: {} rounds", fewer.len()).unwrap();
        }
        // Each second step is spurious. It requests the same ranges.
        let (found, twice) =
            run(&mut |n, ranges| if n % 2 == 1 { Vec::new() } else { input.required(ranges) });
        assert_eq!(found, expected, "{name}, with spurious steps");
        for (step, ranges) in twice.iter().enumerate() {
            assert_eq!(Some(ranges.required()), rounds.get(step / 2).map(NeededRanges::required), "{name}");
        }
        // Each second step has all, and the steps between them half of each range. Those halves are not requested again.
        let halves_of = |ranges: &NeededRanges| -> Vec<Range<u64>> {
            ranges.required().iter().map(|range| range.start..range.start.midpoint(range.end)).collect()
        };
        let half = |ranges: &NeededRanges| -> Answers {
            halves_of(ranges).into_iter().map(|range| (range.clone(), input.fetch(&range))).collect()
        };
        let (found, halves) =
            run(&mut |n, ranges| if n % 2 == 1 { half(ranges) } else { input.required(ranges) });
        assert_eq!(found, expected, "{name}, with halves");
        for pair in halves.chunks(2) {
            let [whole, rest] = pair else { continue };
            for half in halves_of(whole) {
                let is_apart = |range: &Range<u64>| range.end <= half.start || half.end <= range.start;
                assert!(rest.required().iter().all(is_apart), "{name}: {half:?}, then {rest:?}");
            }
        }
        self.beside_another(name, &plan, &text, &rounds);
        self.damaged(&run_with(input, &plan, &text), &rounds);
    }

    /// Another plan runs to its end after each round of the first plan, which uses what the other has read.
    fn beside_another<T>(
        &mut self,
        name: &str,
        make: &impl Fn(&FileDecoder) -> ReadPlan<T>,
        text: &impl Fn(T) -> Result<String>,
        rounds: &[NeededRanges],
    ) {
        let input = self.input;
        let decoder = input.decoder();
        let mut shared = Vec::new();
        let found = finish(&mut make(&decoder), &mut shared, |ranges| {
            drop(finish(&mut make(&decoder), &mut Vec::new(), |ranges| input.required(ranges)));
            input.required(ranges)
        });
        let alone = finish(&mut make(&input.decoder()), &mut Vec::new(), |ranges| input.required(ranges));
        let [found, alone] =
            [found, alone].map(|found| found.and_then(text).map_err(|error| error_text(&error)));
        assert_eq!(found, alone, "{name}, beside another plan");
        if required(&shared) != required(rounds) {
            writeln!(self.text, "  beside another:").unwrap();
            for ranges in &shared {
                writeln!(self.text, "  - {}", ranges_text(ranges.required())).unwrap();
            }
        }
    }

    /// Other bytes in one round: in all of its ranges, then in each of them. The table has the errors of all, and of those
    /// ranges whose error is another one.
    fn damaged(&mut self, run: &DamagedRun<'_>, rounds: &[NeededRanges]) {
        for (ranges, n) in rounds.iter().zip(1..) {
            let all_damaged = run(n, &|_| true);
            writeln!(self.text, "  {n} damaged: {all_damaged}").unwrap();
            let mut last = all_damaged;
            for idx in 0..ranges.required().len().min(8) {
                let found = run(n, &|other| other == idx);
                if found != last {
                    writeln!(self.text, "  {n}, its range {idx} damaged: {found}").unwrap();
                    last = found;
                }
            }
        }
    }
}

/// Runs a plan, with other bytes in some ranges of a round. Returns the result as a text: the round of an error, and where
/// the error is.
fn run_with<'a, T>(
    input: &'a Input,
    plan: &'a impl Fn(&FileDecoder) -> ReadPlan<T>,
    text: &'a impl Fn(T) -> Result<String>,
) -> impl Fn(usize, &dyn Fn(usize) -> bool) -> String + 'a {
    move |damaged_round, is_damaged| {
        let mut n_rounds = 0;
        let found = finish(&mut plan(&input.decoder()), &mut Vec::new(), |ranges| {
            n_rounds += 1;
            let mut answers = input.required(ranges);
            if n_rounds == damaged_round {
                for (_, (_, bytes)) in answers.iter_mut().enumerate().filter(|(idx, _)| is_damaged(*idx)) {
                    *bytes = Buffer::from(bytes.iter().map(|byte| !byte).collect::<Vec<u8>>());
                }
            }
            answers
        });
        match found.and_then(text) {
            Ok(_) => "no error".to_owned(),
            Err(error) => format!("after round {n_rounds}, {}", error_text(&error)),
        }
    }
}

fn batch_text(batch: &arrow_ipc::BatchWithMetadata) -> String {
    format!("{:?} {:?}", rows(&batch.batch), batch.metadata)
}

fn table_of(input: &Input) -> String {
    let mut table = Table { input, text: String::new() };
    let (n_bytes, decoder) = (input.n_bytes(), input.decoder());
    let options = || input.options.clone();
    let last = decoder.n_batches() - 1;
    let n_columns = decoder.schema().fields().len();
    let opened = |decoder: FileDecoder| {
        Ok(format!("{:?} {:?} {:?}", decoder.footer(), decoder.schema(), decoder.stream_end()))
    };
    let debug = |found: &dyn std::fmt::Debug| Ok(format!("{found:?}"));
    table.add("open", |_| FileDecoder::plan_open_with(n_bytes, options()), opened);
    table.add("index", |decoder| decoder.plan_index(), |index| Ok(format!("{:?}", index.to_buffer())));
    if let Ok(index) = finish(&mut decoder.plan_index(), &mut Vec::new(), |ranges| input.required(ranges)) {
        table.add(
            "open indexed",
            |_| FileDecoder::plan_open_indexed_with(n_bytes, &index, options()),
            opened,
        );
    }
    table.add("refresh", |decoder| decoder.plan_refresh(n_bytes).unwrap(), opened);
    table.add("check start", |decoder| decoder.plan_check_start(), |()| Ok(String::new()));
    table.add("check end", |decoder| decoder.plan_check_end(), |()| Ok(String::new()));
    table.add("unreferenced bytes", |decoder| decoder.plan_unreferenced_bytes(), |found| debug(&found));
    table.add("rows", |decoder| decoder.plan_n_rows(), |found| debug(&found));
    table.add("rows of the last", |decoder| decoder.plan_n_rows_of(last).unwrap(), |found| debug(&found));
    table.add(
        "rows of each",
        |decoder| decoder.plan_n_rows_of_each(0..last + 1).unwrap(),
        |found| debug(&found),
    );
    table.add("batches of rows", |decoder| decoder.plan_batches_of_rows(0..2), |found| debug(&found));
    table.add("dictionaries", |decoder| decoder.plan_dictionaries(), |found| debug(&found));
    table.add("load dictionaries", |decoder| decoder.plan_load_dictionaries(), |()| Ok(String::new()));
    table.add("check dictionaries", |decoder| decoder.plan_check_dictionaries(), |()| Ok(String::new()));
    table.add("schema metadata", |decoder| decoder.plan_schema_message_metadata(), |found| debug(&found));
    table.add("first batch", |decoder| decoder.plan_batch(0).unwrap(), |found| Ok(batch_text(&found)));
    table.add("last batch", |decoder| decoder.plan_batch(last).unwrap(), |found| Ok(batch_text(&found)));
    table.add(
        "fetch the last",
        |decoder| decoder.plan_fetch(last).unwrap(),
        |found| Ok(batch_text(&found.decode()?)),
    );
    let column =
        |decoder: &FileDecoder| decoder.project(&Projection::Positions(vec![n_columns - 1])).unwrap();
    table.add(
        "a column",
        |decoder| column(decoder).plan_batch(last).unwrap(),
        |found| Ok(batch_text(&found)),
    );
    table.add(
        "a row",
        |decoder| decoder.plan_batch_rows(last, 1..2).unwrap(),
        |found| Ok(batch_text(&found)),
    );
    let parts = [(0, 0..1), (last, 1..2)];
    table.add(
        "rows of two batches",
        |decoder| decoder.plan_rows_of_each(&parts).unwrap(),
        |found| Ok(found.iter().map(batch_text).collect()),
    );
    table.add(
        "continue writing",
        |decoder| decoder.plan_continue_writing(WriteOptions::new()),
        |encoder| debug(&encoder.position()),
    );
    table.text
}

/// A stream of batches of 80 kB with growing dictionaries.
fn long_stream() -> Buffer {
    use testing_support::{ints, make};
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).unwrap();
    let batch = |n: i32| {
        let indices: Vec<i64> = (0..20_000).map(|row| row % i64::from(n)).collect();
        let column = make::dictionary(&data_type, &indices, ints(0..n));
        arrow_data::RecordBatch::try_from_columns([("n", ints(n..n + 20_000)), ("d", column)]).unwrap()
    };
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch(1).schema(), options).unwrap();
    (2..8).for_each(|n| writer.write(&batch(n)).unwrap());
    writer.finish().unwrap().into()
}

fn check(name: &str, input: &Input) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("plans-{name}"), table_of(input));
    });
}

#[test]
fn plans_of_files_have_these_rounds_and_errors() {
    for name in ["dictionary-nested", "dictionary-deltas", "many-batches", "nested-full", "compressed-zstd"] {
        if name != "compressed-zstd" || cfg!(feature = "zstd") {
            let name = format!("{name}.arrow");
            check(&name, &Input::new(golden(&format!("pyarrow-26.0.1/{name}"))));
        }
    }
}

#[test]
fn plans_of_two_files_have_these_rounds_and_errors() {
    let [first, second] =
        ["dictionary-nested", "many-batches"].map(|name| golden(&format!("pyarrow-26.0.1/{name}.arrow")));
    check("two-files.arrow", &Input::new(Buffer::from([&first[..], &second[..]].concat())));
}

#[test]
fn plans_of_streams_have_these_rounds_and_errors() {
    for name in ["dictionary-nested", "dictionary-deltas", "dictionary-deltas-and-replaced", "many-batches"] {
        let name = format!("{name}.arrows");
        check(&name, &Input::new(golden(&format!("pyarrow-26.0.1/{name}"))));
    }
    let bytes = long_stream();
    // It is cut inside the last batch.
    check("cut-stream", &Input::new(bytes.slice(..bytes.len() - 1_000)));
    check("long-stream", &Input::new(bytes));
}
