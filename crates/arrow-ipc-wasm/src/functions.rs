//! The functions that JavaScript calls. `js/src/wasm.js` names each of them.
//!
//! A function that can fail returns −1, and `failure_text` and `failure_class` have the error. Handles, lengths and addresses
//! are other numbers. Positions in files are floating-point numbers, which are exact up to 2⁵³.

use std::sync::Arc;

#[cfg(feature = "recover")]
use crate::recovery::{CopyStep, SoundCopy};
use crate::{
    columns::Described,
    failure::{Class, Failure, Result},
    file::File,
    handles::{State, Value, call},
    input::Input,
    plan::Ready,
    rows::Rows,
    schema_json::{fields_as_json, file_as_json},
};
#[cfg(feature = "full")]
use crate::{
    inspection::Inspection,
    statistics::Statistics,
    writer::{Writer, schema_of},
    zones,
};

/// Exports functions under their names.
macro_rules! export {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $type:ty),*) = $run:expr;)*) => {
        $(
            $(#[$about])*
            // SAFETY: no other function of the module has this name.
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $type),*) -> i32 {
                call(|state| ($run)(state $(, $argument)*))
            }
        )*
    };
}

export! {
    /// Memory for bytes that begin at a position of a file.
    fn input_new(n_bytes: u32, position: f64) = new_input;
    /// Where the bytes of an input, an output or columns are.
    fn bytes_address(handle: i32) = |state: &mut State, handle| {
        Ok(state.bytes(handle)?.as_ptr().addr() as i32)
    };
    fn bytes_length(handle: i32) = |state: &mut State, handle| {
        i32::try_from(state.bytes(handle)?.len()).map_err(Failure::from)
    };
    fn value_free(handle: i32) = |state: &mut State, handle| state.take(handle).map(|_| 0);
    /// The text of the last error, as an output.
    fn failure_text() = |state: &mut State| {
        let text = state.failure.as_mut().map(|failure| std::mem::take(&mut failure.text));
        state.keep(Value::Output(text.unwrap_or_default().into_bytes()))
    };
    fn failure_class() = |state: &mut State| {
        Ok(state.failure.as_ref().map_or(0, |failure| failure.class as i32))
    };
    /// Where the numbers of the last result are.
    fn numbers_address() = |state: &mut State| Ok(state.numbers.as_ptr().addr() as i32);
    fn numbers_length() = |state: &mut State| i32::try_from(state.numbers.len()).map_err(Failure::from);

    /// A plan that opens a file of this length, with limits of reading.
    fn plan_open(n_bytes: f64, kind: u32, limits: i32) = |state: &mut State, n_bytes: f64, kind, limits| {
        let limits = state.text(limits)?;
        let plan = File::plan_open(position(n_bytes)?, File::cost_of(kind)?, &limits)?;
        state.keep(Value::Plan(plan))
    };
    /// Continues a plan. The numbers are the start and the end of each range that it needs; none if it is ready.
    fn plan_step(plan: i32) = |state: &mut State, plan| {
        let ranges = state.plan(plan)?.step()?;
        state.numbers = ranges.iter().flat_map(|range| [range.start as f64, range.end as f64]).collect();
        Ok(i32::from(!ranges.is_empty()))
    };
    /// Provides the bytes of an input from a position on.
    fn plan_provide(plan: i32, start: f64, input: i32) = |state: &mut State, plan, start: f64, input| {
        let bytes = state.input(input)?.into_buffer();
        state.plan(plan)?.provide(position(start)?, bytes).map(|()| 0)
    };
    /// The result of a plan: a handle, or 0 and numbers.
    fn plan_finish(plan: i32) = |state: &mut State, plan| {
        let Value::Plan(plan) = state.take(plan)? else {
            return Err(Failure::misuse("the handle is not of a plan"));
        };
        keep_ready(state, plan.finish()?)
    };

    /// What a file says about itself, as JSON.
    fn file_describe(file: i32) = |state: &mut State, file| {
        let json = file_as_json(&state.file(file)?.decoder)?;
        state.keep(Value::Output(json.into_bytes()))
    };
    fn file_batches(file: i32) = |state: &mut State, file| {
        i32::try_from(state.file(file)?.decoder.n_batches()).map_err(Failure::from)
    };
    /// A plan for the numbers of rows of batches.
    fn file_plan_counts(file: i32, start: u32, end: u32) = |state: &mut State, file, start, end| {
        let plan = state.file(file)?.plan_rows_of_each(start as usize, end as usize)?;
        state.keep(Value::Plan(plan))
    };
    /// A plan that fails with the error at which a stream ends.
    fn file_plan_check(file: i32) = |state: &mut State, file| {
        let plan = state.file(file)?.plan_check_end();
        state.keep(Value::Plan(plan))
    };

    /// A plan that finds the bytes before the footer that no block has. The result is where they begin and end, and whether they begin with
    /// a second file; or no number.
    fn file_plan_unreferenced(file: i32) = |state: &mut State, file| {
        let plan = state.file(file)?.plan_unreferenced_bytes();
        state.keep(Value::Plan(plan))
    };

    /// Columns of a file by their positions, or all if there is no such input (−1), and a condition.
    fn rows_new(file: i32, columns: i32, condition: i32) = |state: &mut State, file, columns, condition| {
        let columns = if columns < 0 { None } else { Some(state.positions(columns)?) };
        let condition = state.text(condition)?;
        let rows = Rows::try_new(&*state.file(file)?, columns, &condition)?;
        state.keep(Value::Rows(Arc::new(rows)))
    };
    /// The fields of the selected columns, as JSON.
    fn rows_fields(rows: i32) = |state: &mut State, rows| {
        let json = fields_as_json(state.rows(rows)?.fields());
        state.keep(Value::Output(json.into_bytes()))
    };
    /// A plan that reads rows of a batch; all if there is no end (−1).
    fn rows_plan(rows: i32, batch_idx: u32, start: f64, end: f64) =
        |state: &mut State, rows, batch_idx, start: f64, end: f64| {
            let range = if end < 0.0 { None } else { Some(position(start)?..position(end)?) };
            let plan = state.rows(rows)?.plan_batch(batch_idx as usize, range)?;
            state.keep(Value::Plan(plan))
        };
    fn batch_rows(batch: i32) = |state: &mut State, batch| {
        i32::try_from(state.batch(batch)?.n_rows()).map_err(|_| {
            Failure::misuse("the batch has more than 2³¹ − 1 rows: read a part of them")
        })
    };
    /// The columns of rows of a batch. What values share, and runs, take at most `max_bytes` for the values alone.
    fn batch_columns(batch: i32, start: u32, n_rows: u32, max_bytes: f64) =
        |state: &mut State, batch, start, n_rows, max_bytes: f64| {
            let range = start as usize..(start as usize).saturating_add(n_rows as usize);
            let columns = Described::try_new(&state.batch(batch)?, range, position(max_bytes)?)?;
            state.keep(Value::Columns(columns))
        };
}

#[cfg(feature = "full")]
export! {
    /// Whether a batch may have rows that match.
    fn rows_may_match(rows: i32, batch_idx: u32) = |state: &mut State, rows, batch_idx| {
        let rows = state.rows(rows)?;
        Ok(rows.condition.as_ref().is_none_or(|condition| condition.may_match(batch_idx as usize)).into())
    };
    /// The rows of a batch that match, which replace the batch.
    fn rows_matching(rows: i32, batch: i32) = |state: &mut State, rows, batch| {
        let Value::Batch(read) = state.take(batch)? else {
            return Err(Failure::misuse("the handle is not of a batch"));
        };
        let matching = match &state.rows(rows)?.condition {
            Some(condition) => condition.matching(read)?,
            None => read,
        };
        state.keep(Value::Batch(matching))
    };

    /// The rows of a batch that match, as numbers. The batch stays.
    fn rows_matching_at(rows: i32, batch: i32) = |state: &mut State, rows, batch| {
        let batch = state.batch(batch)?;
        let rows = state.rows(rows)?;
        state.numbers = match &rows.condition {
            Some(condition) => condition.matching_at(&batch)?,
            None => (0..batch.n_rows()).map(|row| row as f64).collect(),
        };
        Ok(0)
    };
    /// The positions of the columns that a condition reads, as numbers.
    fn rows_condition_columns(rows: i32) = |state: &mut State, rows| {
        let rows = state.rows(rows)?;
        let columns = rows.condition.as_ref().map(|condition| condition.columns()).unwrap_or_default();
        state.numbers = columns.into_iter().map(|position| position as f64).collect();
        Ok(0)
    };
    /// The name of the time zone that the last condition needed and that is not known, as an output.
    fn zone_wanted() = |state: &mut State| state.keep(Value::Output(zones::take_wanted().into_bytes()));
    /// Adds the rules of a time zone to those that are known.
    fn zone_add(name: i32, numbers: i32) = |state: &mut State, name, numbers| {
        let name = state.text(name)?;
        zones::add(name, state.input(numbers)?.as_slice()).map(|()| 0)
    };

    /// An inspection of an input of this name and length, perhaps of a file that is open (−1 if not).
    fn inspection_new(name: i32, n_bytes: f64, reads_bodies: u32, file: i32) =
        |state: &mut State, name, n_bytes: f64, reads_bodies, file| {
            let name = state.text(name)?;
            let file = if file < 0 { None } else { Some(state.file(file)?) };
            let inspection = Inspection::new(name, position(n_bytes)?, reads_bodies != 0, file.as_deref());
            state.keep(Value::Inspection(Box::new(inspection)))
        };
    /// Continues an inspection, as `plan_step` continues a plan.
    fn inspection_step(inspection: i32) = |state: &mut State, inspection| {
        let ranges = state.inspection(inspection)?.step()?;
        state.numbers = ranges.iter().flat_map(|range| [range.start as f64, range.end as f64]).collect();
        Ok(i32::from(!ranges.is_empty()))
    };
    fn inspection_provide(inspection: i32, start: f64, input: i32) =
        |state: &mut State, inspection, start: f64, input| {
            let bytes = state.input(input)?.into_buffer();
            state.inspection(inspection)?.provide(position(start)?, bytes);
            Ok(0)
        };
    /// What was found, as JSON.
    fn inspection_finish(inspection: i32) = |state: &mut State, inspection| {
        let Value::Inspection(inspection) = state.take(inspection)? else {
            return Err(Failure::misuse("the handle is not of an inspection"));
        };
        let json = inspection.finish()?;
        state.keep(Value::Output(json.into_bytes()))
    };

    /// What the footer says of the columns, as JSON.
    fn file_statistics(file: i32) = |state: &mut State, file| {
        let json = Statistics::new(&state.file(file)?.decoder).as_json();
        state.keep(Value::Output(json.into_bytes()))
    };
    /// The least values of the columns by the footer (0), or the greatest (1): a batch of one row.
    fn file_bounds(file: i32, is_max: u32) = |state: &mut State, file, is_max| {
        let statistics = Statistics::new(&state.file(file)?.decoder);
        let bounds = match is_max {
            0 => statistics.bounds(|bounds| bounds.min.as_ref())?,
            _ => statistics.bounds(|bounds| bounds.max.as_ref())?,
        };
        state.keep(Value::Batch(bounds))
    };

    /// A writer of the selected columns in the types that other JavaScript libraries read.
    fn writer_of_rows(rows: i32, file: i32) = |state: &mut State, rows, file| {
        let file = state.file(file)?;
        let metadata = file.decoder.ipc_schema().schema().metadata();
        let writer = Writer::legacy(state.rows(rows)?.fields(), metadata)?;
        state.keep(Value::Writer(Box::new(writer)))
    };
    /// The fields of a schema in its text form, as JSON.
    fn schema_fields(schema: i32) = |state: &mut State, schema| {
        let schema = schema_of(&state.text(schema)?)?;
        state.keep(Value::Output(fields_as_json(schema.fields()).into_bytes()))
    };
    /// A writer of columns of JavaScript.
    fn writer_new(schema: i32, metadata: i32, of_fields: i32, options: i32, is_file: u32) =
        |state: &mut State, schema, metadata, of_fields, options, is_file| {
            let schema = state.text(schema)?;
            let metadata = state.text(metadata)?;
            let of_fields = state.text(of_fields)?;
            let options = state.text(options)?;
            let writer = Writer::try_new(&schema, &metadata, &of_fields, &options, is_file != 0)?;
            state.keep(Value::Writer(Box::new(writer)))
        };
    /// The bytes before the first batch, as an output.
    fn writer_start(writer: i32) = |state: &mut State, writer| {
        let bytes = state.writer(writer)?.start()?;
        state.keep(Value::Output(bytes))
    };
    /// The bytes of a batch.
    fn writer_batch(writer: i32, batch: i32, max_bytes: f64) = |state: &mut State, writer, batch, max_bytes: f64| {
        let batch = state.batch(batch)?;
        let bytes = state.writer(writer)?.batch(&batch, position(max_bytes)?)?;
        state.keep(Value::Output(bytes))
    };
    /// Adds the next column: numbers, and bits that are set where there is a value (−1 if there is one everywhere).
    fn writer_numbers(writer: i32, numbers: i32, validity: i32, n_rows: u32) =
        |state: &mut State, writer, numbers, validity, n_rows| {
            let numbers = state.input(numbers)?.into_buffer();
            let validity = if validity < 0 { None } else { Some(state.input(validity)?.into_buffer()) };
            state.writer(writer)?.push_numbers(numbers, validity, n_rows as usize).map(|()| 0)
        };
    /// Adds the next column: a line of JSON for each row.
    fn writer_json(writer: i32, lines: i32) = |state: &mut State, writer, lines| {
        let lines = state.text(lines)?;
        state.writer(writer)?.push_json(&lines).map(|()| 0)
    };
    fn writer_clear(writer: i32) = |state: &mut State, writer| {
        state.writer(writer)?.clear();
        Ok(0)
    };
    /// The bytes of a batch of the columns that were added.
    fn writer_rows(writer: i32, n_rows: u32) = |state: &mut State, writer, n_rows| {
        let bytes = state.writer(writer)?.rows(n_rows as usize)?;
        state.keep(Value::Output(bytes))
    };
    /// The bytes after the last batch.
    fn writer_finish(writer: i32) = |state: &mut State, writer| {
        let bytes = state.writer(writer)?.finish()?;
        state.keep(Value::Output(bytes))
    };
}

#[cfg(feature = "recover")]
export! {
    /// A copy of what is sound in an input of this length.
    fn recovery_new(n_bytes: f64) = |state: &mut State, n_bytes: f64| {
        let copy = SoundCopy::new(position(n_bytes)?);
        state.keep(Value::SoundCopy(Box::new(copy)))
    };
    /// Continues. The result is 1 if a range is needed, which is in the numbers; 2 if there are bytes, whose
    /// addresses and lengths are in the numbers until the next step; 0 at the end.
    fn recovery_step(copy: i32) = |state: &mut State, copy| {
        let copy = state.sound_copy(copy)?;
        let (numbers, result) = match copy.step()? {
            CopyStep::Need(range) => (vec![range.start as f64, range.end as f64], 1),
            CopyStep::Piece => (copy.piece(), 2),
            CopyStep::End => (Vec::new(), 0),
        };
        state.numbers = numbers;
        Ok(result)
    };
    /// Provides the bytes of an input from a position on.
    fn recovery_provide(copy: i32, start: f64, input: i32) = |state: &mut State, copy, start: f64, input| {
        let bytes = state.input(input)?.into_buffer();
        state.sound_copy(copy)?.provide(position(start)?, bytes).map(|()| 0)
    };
    /// What was copied and what was lost, as JSON.
    fn recovery_report(copy: i32) = |state: &mut State, copy| {
        let report = state.sound_copy(copy)?.report();
        state.keep(Value::Output(report.into_bytes()))
    };
}

fn keep_ready(state: &mut State, ready: Ready) -> Result<i32> {
    match ready {
        Ready::File(decoder, cost) => state.keep(Value::File(Arc::new(File::new(decoder, cost)))),
        Ready::Batch(read) => state.keep(Value::Batch(read.batch)),
        Ready::Numbers(numbers) => {
            if let Some(number) = numbers.iter().find(|number| **number >= EXACT) {
                let text =
                    format!("a batch has {number} rows; at most 2⁵³ − 1 are exact numbers of JavaScript");
                return Err(Failure { text, class: Class::Input });
            }
            state.numbers = numbers.into_iter().map(|number| number as f64).collect();
            Ok(0)
        }
        Ready::Nothing => Ok(0),
    }
}

fn new_input(state: &mut State, n_bytes: u32, at: f64) -> Result<i32> {
    let input = Input::try_new(n_bytes as usize, position(at)?)?;
    state.keep(Value::Input(input))
}

/// 2⁵³: floating-point numbers from here on are not exact.
const EXACT: u64 = 1 << 53;

/// A position in a file.
fn position(number: f64) -> Result<u64> {
    if number.fract() == 0.0 && (0.0..EXACT as f64).contains(&number) {
        // Exact, since it is whole and in the range.
        return Ok(number as u64);
    }
    Err(Failure::misuse("a position in a file is a whole number from 0 to 2⁵³"))
}
