//! `sample`: chooses rows of all inputs at random.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    iter,
    sync::Arc,
};

use arrow_array::ArrayError;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::IpcError;
use arrow_ipc_tools::{
    InputContext, RowQuery, Rows, ToolError, ToolErrorKind,
    count::RowCount,
    cursor::{RowCursor, RowNumbers, WaitingRows},
};
use arrow_select::{Select, concat_batches};

use super::{
    deferred::{ArrivedBatch, ArrivedRows, CountedInput, DeferredInput, PrinterInput, each_arrived},
    numbered_rows::{chosen_of, each_group, numbered, show_of_file},
    printer::{Printer, Style},
    reservoir::Reservoir,
    show::{finish, status_after},
};
use crate::{
    args::{SampleArgs, ShowArgs},
    context::Context,
    exit::{Failure, Status},
    inputs::{attempt, each, import::check_use},
    names::InputArg,
    output::text_stdout,
    terminal::watcher::Watcher,
};

pub(crate) fn sample(context: &Context, args: &SampleArgs) -> Result<Status, Failure> {
    let style = Style::from_args(&args.show)?;
    args.show.check_index()?;
    check_use(context, &args.show.files, &args.show.text())?;
    let query = args.show.query_with(&args.condition)?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let reservoir = Reservoir::new(args.limit, seed);
    let inputs = Vec::new();
    let rows = ChosenRows::default();
    let mut choice = Choice { reservoir, inputs, rows, n_rows: 0 };
    let mut status = each(context, &args.show.files, |name| choice.pass(context, name, &args.show, &query))?;
    let out = text_stdout(style.escapes(context));
    let mut printer =
        Printer::new(context, style, out).with_limit(Some(args.limit)).with_threads(args.show.threads.n());
    let n_rows = choice.n_rows;
    for part in choice.into_parts() {
        if attempt(context, part.show(context, &args.show, &mut printer), &mut status).is_break() {
            break;
        }
    }
    finish(printer, status, || Some(n_rows))
}

/// The choice of rows from the inputs up to now.
struct Choice {
    reservoir: Reservoir,
    inputs: Vec<SampledInput>,
    rows: ChosenRows,
    /// The number of rows in all inputs up to now, including rows that do not match.
    n_rows: u64,
}

/// The chosen rows. Row numbers count over all inputs.
#[derive(Clone, Default)]
struct ChosenRows {
    /// For each slot of the choice, the number of its row.
    slots: Vec<u64>,
    /// Copied values of rows, in order. Other rows may have replaced some of these rows in the choice.
    pieces: Vec<CopiedRows>,
    /// The number of rows in `pieces`.
    n_held: usize,
    memory: WaitingRows,
}

/// Copied rows of an input that cannot be read again.
#[derive(Clone)]
struct CopiedRows {
    input: usize,
    /// The number of each row in `values`.
    rows: Vec<u64>,
    values: RecordBatch,
}

/// An input that was passed, to choose rows from it.
struct SampledInput {
    /// The number of the first row of the input, over all inputs.
    first_row: u64,
    rows: SampledRows,
}

enum SampledRows {
    /// An input that can be read again.
    Later(DeferredInput),
    /// An input that cannot be read again. `n_bytes` bytes of it were read.
    Now { input: PrinterInput, n_bytes: u64 },
}

impl Choice {
    fn pass(
        &mut self,
        context: &Context,
        name: &InputArg,
        show: &ShowArgs,
        query: &RowQuery,
    ) -> Result<Status, Failure> {
        match CountedInput::try_new(context, name, show, query)? {
            CountedInput::Later(later, n_rows, status) => {
                self.add(later, n_rows).in_input(name)?;
                Ok(status)
            }
            CountedInput::Now(mut opened) => {
                // If reading fails, all choices from this input are undone, because inputs that are read later also
                // show none of their rows after an error.
                let before = (self.reservoir.clone(), self.rows.clone(), self.n_rows);
                let passed = self.pass_now(context, &mut opened);
                if passed.is_err() {
                    (self.reservoir, self.rows, self.n_rows) = before;
                }
                Ok(passed?)
            }
        }
    }

    /// Chooses among the matching rows of an input that cannot be read again. Copies the chosen rows.
    fn pass_now(&mut self, context: &Context, opened: &mut RowCursor) -> Result<Status, ToolError> {
        let name = opened.name().clone();
        let first_row = self.n_rows;
        let input = self.inputs.len();
        each_arrived(opened, Watcher::new(context), |arrived| {
            let n_rows = arrived.n_rows();
            let ArrivedBatch { rows, numbers, n_bytes } = arrived;
            let number_of =
                |at: u64| first_row.saturating_add(numbers.at(usize::try_from(at).unwrap_or(usize::MAX)));
            let piece = |rows: &[u64], values: RecordBatch| {
                let rows = rows.iter().copied().map(number_of).collect();
                CopiedRows { input, rows, values }
            };
            self.rows.memory.has_read(n_bytes);
            let chosen = self.choose(n_rows, number_of).in_input(&name)?;
            match rows {
                ArrivedRows::Whole(batch) => {
                    let values = copied(&batch, &chosen).in_input(&name)?;
                    self.rows.keep(piece(&chosen, values)).in_input(&name)?;
                }
                ArrivedRows::Large(batch) => {
                    each_group(
                        batch.reader(),
                        0,
                        &chosen,
                        |error| batch.failed(error),
                        |rows, values| {
                            let values = values.compact();
                            let values = values.map_err(ArrayError::from).in_input(&name)?;
                            self.rows.keep(piece(rows, values)).in_input(&name)
                        },
                    )?;
                }
            }
            Ok::<_, ToolError>(true)
        })?;
        self.n_rows = RowCount::add(first_row, opened.next_row()).in_input(&name)?;
        self.rows.memory.end_input();
        let rows = SampledRows::Now { input: PrinterInput::from_cursor(opened), n_bytes: opened.n_bytes()? };
        self.inputs.push(SampledInput { first_row, rows });
        status_after(context, opened)
    }

    /// Passes an input whose rows can be read later.
    ///
    /// # Errors
    /// If there are too many rows to count.
    fn add(&mut self, later: DeferredInput, n_rows: u64) -> Result<(), IpcError> {
        let first_row = self.n_rows;
        self.n_rows = RowCount::add(first_row, n_rows)?;
        self.inputs.push(SampledInput { first_row, rows: SampledRows::Later(later) });
        let chosen = &mut self.rows;
        let passed = self.reservoir.pass(n_rows, |row, slot| {
            chosen.put(slot, first_row.saturating_add(row));
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = passed;
        Ok(())
    }

    /// Chooses among `n_rows` rows that cannot be read again. Returns the chosen rows in ascending order, counted
    /// from the first of these rows. `number_of` converts this count to a number over all inputs.
    ///
    /// # Errors
    /// If the chosen rows and the rows in memory take too much memory.
    fn choose(
        &mut self,
        n_rows: u64,
        number_of: impl Fn(u64) -> u64 + Copy,
    ) -> Result<Vec<u64>, ToolErrorKind> {
        let chosen = &mut self.rows;
        let mut rows = Vec::new();
        self.reservoir.pass(n_rows, |row, slot| {
            chosen.put(slot, number_of(row));
            rows.push((row, slot));
            chosen.memory.add_bytes(ROW_BYTES);
            if rows.len() > chosen.slots.len().saturating_mul(2) {
                chosen.drop_replaced(&mut rows, number_of);
            }
            if chosen.memory.check().is_err() { chosen.release() } else { Ok(()) }?;
            chosen.memory.check()
        })?;
        chosen.drop_replaced(&mut rows, number_of);
        chosen.memory.remove_bytes(ROW_BYTES.saturating_mul(rows.len() as u64));
        Ok(rows.into_iter().map(|(row, _)| row).collect())
    }

    /// The inputs in order, each with its chosen rows.
    fn into_parts(self) -> impl Iterator<Item = ChosenPart> {
        let ChosenRows { mut slots, pieces, .. } = self.rows;
        slots.sort_unstable();
        let mut rows = slots.into_iter().peekable();
        let mut pieces = pieces.into_iter().peekable();
        let mut inputs = self.inputs.into_iter().enumerate().peekable();
        iter::from_fn(move || {
            let (at, input) = inputs.next()?;
            let end = inputs.peek().map_or(u64::MAX, |(_, next)| next.first_row);
            let rows = iter::from_fn(|| rows.next_if(|row| *row < end)).collect();
            let pieces = iter::from_fn(|| pieces.next_if(|piece| piece.input == at)).collect();
            Some(ChosenPart { input, rows, pieces })
        })
    }
}

/// The memory of a chosen row beyond its values, in bytes: its number in two lists, and temporary memory.
const ROW_BYTES: u64 = 32;

impl ChosenRows {
    fn put(&mut self, slot: usize, row: u64) {
        match self.slots.get_mut(slot) {
            Some(slot) => *slot = row,
            None => self.slots.push(row),
        }
    }

    /// Drops rows that later rows have replaced in the choice.
    fn drop_replaced(&mut self, rows: &mut Vec<(u64, usize)>, number_of: impl Fn(u64) -> u64) {
        let n_before = rows.len();
        rows.retain(|(row, slot)| self.slots.get(*slot) == Some(&number_of(*row)));
        self.memory.remove_bytes(ROW_BYTES.saturating_mul((n_before - rows.len()) as u64));
    }

    /// Adds copied rows, which come after all earlier ones. If too many rows in memory have been replaced, drops these.
    ///
    /// # Errors
    /// If all rows in memory together take too much memory.
    fn keep(&mut self, piece: CopiedRows) -> Result<(), ToolErrorKind> {
        self.push(piece)?;
        if self.n_held > self.slots.len().saturating_mul(2) || self.memory.check().is_err() {
            self.release()?;
        }
        self.memory.check()
    }

    /// Drops copied rows that were replaced in the choice.
    fn release(&mut self) -> Result<(), ToolErrorKind> {
        let mut chosen = self.slots.clone();
        chosen.sort_unstable();
        for mut piece in std::mem::take(&mut self.pieces) {
            self.uncount(&piece);
            let is_chosen = |(_, row): &(usize, &u64)| chosen.binary_search(row).is_ok();
            let chosen_rows: Vec<u64> =
                piece.rows.iter().enumerate().filter(is_chosen).map(|(at, _)| at as u64).collect();
            if chosen_rows.len() < piece.rows.len() {
                piece.values = copied(&piece.values, &chosen_rows)?;
                piece.rows.retain(|row| chosen.binary_search(row).is_ok());
            }
            self.push(piece)?;
        }
        Ok(())
    }

    /// Adds copied rows. Joins a few rows with earlier ones, because each `CopiedRows` takes as much memory as many rows.
    fn push(&mut self, mut piece: CopiedRows) -> Result<(), ToolErrorKind> {
        if piece.rows.is_empty() {
            return Ok(());
        }
        while let Some(last) = self.pieces.pop_if(|last| last.joins(&piece)) {
            self.uncount(&last);
            piece = last.with(piece)?;
        }
        self.n_held = self.n_held.saturating_add(piece.rows.len());
        self.memory.add(&piece.values);
        self.memory.add_bytes(piece.n_bytes_of_numbers());
        self.pieces.push(piece);
        Ok(())
    }

    fn uncount(&mut self, piece: &CopiedRows) {
        self.n_held = self.n_held.saturating_sub(piece.rows.len());
        self.memory.remove(&piece.values);
        self.memory.remove_bytes(piece.n_bytes_of_numbers());
    }
}

impl CopiedRows {
    fn n_bytes_of_numbers(&self) -> u64 {
        ROW_BYTES.saturating_mul(self.rows.len() as u64)
    }

    /// Whether to join the next rows to these. Both must be small, and there must be at least half as many next rows
    /// as these, so that no row is copied often.
    fn joins(&self, next: &CopiedRows) -> bool {
        const MAX_ROWS: usize = 1024;
        const MAX_BYTES: u64 = 1 << 20;
        let is_small =
            |it: &CopiedRows| it.rows.len() < MAX_ROWS && WaitingRows::bytes_of_rows(&it.values) < MAX_BYTES;
        self.input == next.input
            && self.rows.len() / 2 <= next.rows.len()
            && [self, next].into_iter().all(is_small)
            && have_same_dictionaries(self.values.columns(), next.values.columns())
    }

    /// Joins these rows and the next rows.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn with(mut self, next: CopiedRows) -> Result<CopiedRows, ToolErrorKind> {
        let values = concat_batches(Arc::clone(self.values.schema()), &[self.values, next.values]);
        let values = values.map_err(ArrayError::from)?;
        self.rows.extend(next.rows);
        Ok(CopiedRows { values, ..self })
    }
}

fn have_same_dictionaries(one: &[ArrayData], other: &[ArrayData]) -> bool {
    one.iter().zip(other).all(|(one, other)| {
        one.dictionary().map(Arc::as_ptr) == other.dictionary().map(Arc::as_ptr)
            && have_same_dictionaries(one.children(), other.children())
    })
}

/// Copies these rows, without sharing the memory of the batch.
fn copied(batch: &RecordBatch, rows: &[u64]) -> Result<RecordBatch, ToolErrorKind> {
    let copied = batch.take(rows).and_then(|rows| rows.compact());
    copied.map_err(|error| ToolErrorKind::Values(error.into()))
}

/// The rows chosen from one input, and their values if the input cannot be read again.
struct ChosenPart {
    input: SampledInput,
    /// The numbers of the rows in ascending order, over all inputs.
    rows: Vec<u64>,
    pieces: Vec<CopiedRows>,
}

impl ChosenPart {
    fn show(self, context: &Context, show: &ShowArgs, printer: &mut Printer<'_>) -> Result<Status, Failure> {
        let ChosenPart { input: SampledInput { first_row, rows: opened }, rows: mut row_numbers, pieces } =
            self;
        match opened {
            SampledRows::Now { input: PrinterInput { name, schema, selection }, n_bytes } => {
                printer.begin(&name, &schema, selection)?;
                printer.set_input_bytes(n_bytes);
                let mut row_numbers = row_numbers.into_iter().peekable();
                for CopiedRows { rows, values, .. } in pieces {
                    let rows = (0..).zip(rows).filter(|(_, row)| row_numbers.next_if_eq(row).is_some());
                    let (at, numbers): (Vec<u64>, Vec<u64>) = rows.unzip();
                    let rows = chosen_of(values, &at).map_err(ArrayError::from).in_input(&name)?;
                    printer.rows((rows, RowNumbers::Each(numbers)))?;
                }
                Ok(Status::Fine)
            }
            SampledRows::Later(later) => {
                let mut opened = later.open(context, show)?;
                printer.begin(opened.name(), opened.rows().schema(), opened.selection().clone())?;
                row_numbers.iter_mut().for_each(|row| *row = row.saturating_sub(first_row));
                if let Rows::File { reader } = opened.rows() {
                    return show_of_file(context, opened.name(), reader, first_row, &row_numbers, printer);
                }
                show_of_streams(context, &mut opened, first_row, &row_numbers, printer)?;
                Ok(Status::Fine)
            }
        }
    }
}

fn show_of_streams(
    context: &Context,
    opened: &mut RowCursor,
    first_row: u64,
    row_numbers: &[u64],
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let mut row_numbers = row_numbers.iter().copied().peekable();
    if row_numbers.peek().is_none() {
        return Ok(());
    }
    let name = opened.name().clone();
    let mut start: u64 = 0;
    each_arrived(opened, Watcher::for_stdout(context), |batch| {
        printer.set_input_bytes(batch.n_bytes);
        let end = start.saturating_add(batch.n_rows());
        let rows = iter::from_fn(|| row_numbers.next_if(|row| *row < end));
        let rows: Vec<u64> = rows.map(|row| row.saturating_sub(start)).collect();
        let first = first_row.saturating_add(start);
        let mut show = |rows: &[u64], values| printer.rows(numbered(values, rows, first));
        match batch.rows {
            ArrivedRows::Whole(batch) => {
                show(&rows, chosen_of(batch, &rows).map_err(ArrayError::from).in_input(&name)?)?;
            }
            ArrivedRows::Large(batch) => {
                each_group(batch.reader(), 0, &rows, |error| batch.failed(error), show)?;
            }
        }
        start = end;
        Ok::<_, Failure>(row_numbers.peek().is_some())
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use arrow_array::Utf8ViewArray;

    use super::*;

    /// The rows chosen from batches with these numbers of rows, and their text.
    fn chosen(n_chosen: u64, n_rows: &[u64]) -> Vec<(u64, String)> {
        let mut choice = Choice {
            reservoir: Reservoir::new(n_chosen, 7),
            inputs: Vec::new(),
            rows: Default::default(),
            n_rows: 0,
        };
        let mut start = 0;
        for n_rows in n_rows {
            let texts = (start..start + n_rows).map(|row| Some(format!("the long text of row {row}")));
            let batch = Utf8ViewArray::from_iter(texts).into_data();
            let batch = RecordBatch::try_from_columns([("text", batch)]).unwrap();
            choice.rows.memory.has_read(1);
            let rows = choice.choose(*n_rows, |row| start + row).unwrap();
            let values = copied(&batch, &rows).unwrap();
            let rows = rows.iter().map(|row| start + row).collect();
            choice.rows.keep(CopiedRows { input: 0, rows, values }).unwrap();
            let held = choice.rows.n_held;
            let slots = choice.rows.slots.len();
            assert!(held <= 2 * slots && choice.rows.pieces.len() <= 16 + held / 256, "{held} of {slots}");
            start += n_rows;
        }
        choice.rows.release().unwrap();
        let rows: Vec<_> = choice.rows.pieces.iter().flat_map(|piece| piece.rows.iter().copied()).collect();
        choice.rows.slots.sort_unstable();
        assert_eq!(rows, choice.rows.slots);
        let texts = choice.rows.pieces.iter().flat_map(|piece| {
            let texts = Utf8ViewArray::try_from(piece.values.columns()[0].clone()).unwrap();
            texts.iter().map(|text| text.unwrap().to_owned()).collect::<Vec<_>>()
        });
        let chosen = rows.iter().copied().zip(texts).collect();
        let pieces = std::mem::take(&mut choice.rows.pieces);
        pieces.iter().for_each(|piece| choice.rows.uncount(piece));
        choice.rows.memory.check().unwrap();
        assert_eq!(choice.rows.n_held, 0);
        chosen
    }

    #[test]
    fn held_rows_are_few_pieces() {
        for n_chosen in [1, 10, 3000] {
            let whole = chosen(n_chosen, &[20_000]);
            assert!(whole.len() as u64 == n_chosen);
            assert!(whole.iter().all(|(row, text)| *text == format!("the long text of row {row}")));
            assert_eq!(chosen(n_chosen, &[1; 20_000][..]), whole);
            let sizes = [3, 0, 1100, 1, 1, 4000, 1000, 10, 885, 13_000];
            assert_eq!(chosen(n_chosen, &sizes), whole);
        }
    }
}
