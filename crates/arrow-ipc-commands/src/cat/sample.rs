//! `sample`: some rows of all inputs, chosen at random.

use std::{
    collections::BTreeMap,
    hash::{BuildHasher, Hasher, RandomState},
    io::Write,
    iter,
};

use arrow_data::RecordBatch;
use arrow_ipc_tools::{
    Part as StreamPart, RowMemory, Rows, Selection, Streams, ToolError, ToolErrorKind, Unit,
};

use super::{
    Style,
    chosen::{each_row, one_row, show_of_file},
    finish,
    later::{Later, OpenedRows, Seen},
    printer::Printer,
    reservoir::Reservoir,
    status_after,
};
use crate::{
    args::{SampleArgs, ShowArgs},
    exit::{Failure, Status},
    import::check_use,
    inputs::{attempt, each},
    names::InputArg,
    output::text_stdout,
    watcher::Watcher,
};

pub(crate) fn sample(args: &SampleArgs) -> Result<Status, Failure> {
    let style = Style::of(&args.show)?;
    check_use(&args.show.files, &args.show.text())?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let (reservoir, inputs, rows) = (Reservoir::new(args.limit, seed), Vec::new(), ChosenRows::default());
    let mut choice = Choice { reservoir, inputs, rows };
    let mut status = each(&args.show.files, |name| choice.pass(name, &args.show))?;
    let out = text_stdout(style.escapes());
    let mut printer = Printer::new(style, out).allowing(Some(args.limit)).with_threads(args.show.threads.n());
    let n_rows = choice.reservoir.n_seen();
    for part in choice.into_parts() {
        if attempt(part.show(&args.show, &mut printer), &mut status).is_break() {
            break;
        }
    }
    finish(printer, status, || Some(n_rows))
}

/// What is chosen so far.
struct Choice {
    reservoir: Reservoir,
    inputs: Vec<Passed>,
    rows: ChosenRows,
}

#[derive(Default)]
struct ChosenRows {
    /// By their places.
    rows: Vec<Chosen>,
    /// Of those with values.
    memory: RowMemory,
}

/// An input, from which rows may be chosen.
struct Passed {
    /// The number of its first row, counted over all inputs.
    first_row: u64,
    rows: PassedRows,
}

enum PassedRows {
    /// It can be read again.
    Later(Later),
    /// A stream that was read as it arrived; its batches took so many bytes.
    Stream { name: arrow_ipc_tools::InputName, empty: RecordBatch, n_bytes: u64, selection: Selection },
}

struct Chosen {
    /// Which input.
    input: usize,
    /// Its number in the input.
    row: u64,
    /// A batch of this row alone, if it cannot be read again.
    values: Option<RecordBatch>,
}

impl Choice {
    fn pass(&mut self, name: &InputArg, show: &ShowArgs) -> Result<Status, Failure> {
        match Seen::of(name, show)? {
            Seen::Later(later, n_rows, status) => {
                self.add(later, n_rows);
                Ok(status)
            }
            Seen::Streams(streams, selection) => self.pass_streams(*streams, selection),
        }
    }

    /// An input whose rows can be read later.
    fn add(&mut self, later: Later, n_rows: u64) {
        let input = self.inputs.len();
        self.inputs.push(Passed { first_row: self.reservoir.n_seen(), rows: PassedRows::Later(later) });
        let chosen = &mut self.rows;
        let passed = self.reservoir.pass(n_rows, |row, place| {
            chosen.put(place, Chosen { input, row, values: None });
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = passed;
    }

    /// Rows of a stream that is read as it arrives are copied.
    fn pass_streams(&mut self, mut streams: Streams, selection: Selection) -> Result<Status, Failure> {
        let name = streams.name().clone();
        let failed = |kind| ToolError::new(name.clone(), kind);
        let empty = super::printer::empty_batch(streams.schema());
        let empty = empty.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Values(error)))?;
        let input = self.inputs.len();
        let first_row = self.reservoir.n_seen();
        let rows = PassedRows::Stream { name: name.clone(), empty, n_bytes: 0, selection };
        self.inputs.push(Passed { first_row, rows });
        let mut watcher = Watcher::default();
        watcher.begin(Unit::Bytes, streams.n_bytes());
        streams.keep_large_batches_apart();
        while let Some(part) = streams.next_part()? {
            watcher.set(streams.n_bytes_consumed());
            let before = self.reservoir.n_seen().saturating_sub(first_row);
            let chosen = &mut self.rows;
            chosen.memory.has_read(streams.n_bytes_consumed());
            // Keeps a copy of the row, in memory of its own.
            let mut keep = |row: u64, place, values: &RecordBatch| {
                let values = values.compact().map_err(|error| failed(ToolErrorKind::Values(error.into())))?;
                chosen.put(place, Chosen { input, row: before.saturating_add(row), values: Some(values) });
                chosen.memory.check().map_err(failed)
            };
            match part {
                StreamPart::Batch(batch, _) => self
                    .reservoir
                    .pass(batch.n_rows() as u64, |row, place| keep(row, place, &one_row(&batch, row)))?,
                StreamPart::Large(batch) => {
                    let (mut rows, mut places) = (Vec::new(), Vec::new());
                    let passed = self.reservoir.pass(batch.n_rows(), |row, place| {
                        rows.push(row);
                        places.push(place);
                        Ok::<(), std::convert::Infallible>(())
                    });
                    let Ok(()) = passed;
                    let mut places = places.into_iter();
                    each_row(
                        batch.reader(),
                        0,
                        &rows,
                        |error| batch.failed(error),
                        |row, values| match places.next() {
                            Some(place) => keep(row, place, &values),
                            None => Ok::<(), ToolError>(()),
                        },
                    )?;
                }
                StreamPart::Dictionary { .. } | StreamPart::Tensor(..) => continue,
            }
            if let Some(Passed { rows: PassedRows::Stream { n_bytes, .. }, .. }) = self.inputs.get_mut(input)
            {
                *n_bytes = streams.n_bytes_consumed();
            }
        }
        drop(watcher);
        self.rows.memory.end_input();
        Ok(status_after(&name, &streams))
    }

    /// The inputs with the rows that are chosen from them, in order.
    fn into_parts(self) -> impl Iterator<Item = ChosenPart> {
        let mut parts: Vec<ChosenPart> =
            self.inputs.into_iter().map(|input| ChosenPart { input, rows: BTreeMap::new() }).collect();
        for Chosen { input, row, values } in self.rows.rows {
            if let Some(part) = parts.get_mut(input) {
                part.rows.insert(row, values);
            }
        }
        parts.into_iter()
    }
}

impl ChosenRows {
    fn put(&mut self, place: usize, row: Chosen) {
        row.values.iter().for_each(|values| self.memory.add(values));
        match self.rows.get_mut(place) {
            Some(place) => {
                let replaced = std::mem::replace(place, row);
                replaced.values.iter().for_each(|values| self.memory.remove(values));
            }
            None => self.rows.push(row),
        }
    }
}

/// The rows that are chosen from an input, with the values of those that cannot be read again.
struct ChosenPart {
    input: Passed,
    rows: BTreeMap<u64, Option<RecordBatch>>,
}

impl ChosenPart {
    fn show(self, show: &ShowArgs, printer: &mut Printer<impl Write + Send>) -> Result<Status, Failure> {
        let ChosenPart { input: Passed { first_row, rows: opened }, rows } = self;
        let at = |row: u64| first_row.saturating_add(row);
        match opened {
            PassedRows::Stream { name, empty, n_bytes, selection } => {
                printer.begin(&name, empty.schema(), selection)?;
                printer.set_input_bytes(n_bytes);
                for (row, values) in rows {
                    printer.continue_at(at(row));
                    values.map_or(Ok(()), |values| printer.batch(values))?;
                }
                Ok(Status::Fine)
            }
            PassedRows::Later(later) => {
                let OpenedRows { name, rows: opened, selection } = later.open(show)?;
                printer.begin(&name, opened.schema(), selection)?;
                let wanted: Vec<u64> = rows.into_keys().collect();
                match opened {
                    Rows::File { reader, file } => {
                        show_of_file(&name, &reader, &file, first_row, &wanted, printer)
                    }
                    Rows::Streams(mut streams) => {
                        show_of_streams(&mut streams, first_row, &wanted, printer)?;
                        Ok(Status::Fine)
                    }
                }
            }
        }
    }
}

fn show_of_streams(
    streams: &mut Streams,
    first_row: u64,
    wanted: &[u64],
    printer: &mut Printer<impl Write + Send>,
) -> Result<(), Failure> {
    let mut wanted = wanted.iter().copied().peekable();
    let mut start: u64 = 0;
    let mut watcher = Watcher::of_output();
    watcher.begin(Unit::Bytes, streams.n_bytes());
    streams.keep_large_batches_apart();
    while wanted.peek().is_some() {
        let Some(part) = streams.next_part()? else { break };
        watcher.set(streams.n_bytes_consumed());
        printer.set_input_bytes(streams.n_bytes_consumed());
        let n_rows = match &part {
            StreamPart::Batch(batch, _) => batch.n_rows() as u64,
            StreamPart::Large(batch) => batch.n_rows(),
            StreamPart::Dictionary { .. } | StreamPart::Tensor(..) => continue,
        };
        let end = start.saturating_add(n_rows);
        let rows = iter::from_fn(|| wanted.next_if(|row| *row < end));
        let rows: Vec<u64> = rows.map(|row| row.saturating_sub(start)).collect();
        let mut show = |row: u64, values| {
            printer.continue_at(first_row.saturating_add(start).saturating_add(row));
            printer.batch(values)
        };
        match part {
            StreamPart::Batch(batch, _) => {
                rows.into_iter().try_for_each(|row| show(row, one_row(&batch, row)))?;
            }
            StreamPart::Large(batch) => {
                each_row(batch.reader(), 0, &rows, |error| batch.failed(error), show)?;
            }
            StreamPart::Dictionary { .. } | StreamPart::Tensor(..) => {}
        }
        start = end;
    }
    Ok(())
}
