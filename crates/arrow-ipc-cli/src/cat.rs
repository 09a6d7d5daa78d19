//! `cat`: rows as a table or as JSON. Reads only the batches and columns that are asked for.

use std::io::{self, Read, Write};

use arrow_array::{JsonWriter, Table, TableOptions};
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, ReadOptions, Source, StreamReader};
use arrow_schema::Schema;

use crate::{
    args::{CatArgs, Format},
    exit::{Failure, Status, note},
    input::{Input, InputName, Rows, StreamSource, n_bytes_behind},
    output::{OutputName, buffered_stdout},
    terminal::{is_stdout_terminal, stdout_width},
};

pub(crate) fn run(args: &CatArgs) -> Result<Status, Failure> {
    let rows = Input::open(&args.file)?.into_rows(ReadOptions::default(), args.columns.as_ref())?;
    let mut printer = Printer::new(&args.file, args.format, buffered_stdout());
    let mut window = Window { offset: args.offset, limit: args.limit.unwrap_or(u64::MAX) };
    match rows {
        Rows::File { reader, .. } => {
            print_file(&reader, &mut window, &mut printer)?;
            printer.finish(reader.schema())?;
        }
        Rows::Stream { mut reader, .. } => {
            print_stream(&mut reader, &mut window, &mut printer)?;
            printer.finish(&reader.schema().clone())?;
            if window.limit > 0 {
                note_bytes_behind(&args.file, *reader);
            }
        }
    }
    Ok(Status::Fine)
}

/// Says that a stream was not all there is, once it has been read to its end.
pub(crate) fn note_bytes_behind(name: &InputName, reader: StreamReader<StreamSource>) -> bool {
    let position = reader.n_bytes_consumed();
    let n_bytes = n_bytes_behind(reader);
    if n_bytes > 0 {
        note_not_read(name, position, n_bytes);
    }
    n_bytes > 0
}

/// Says that there are bytes behind the end of a stream.
pub(crate) fn note_not_read(name: &InputName, position: u64, n_bytes: u64) {
    note(&format!("{name}: the stream ends at byte {position}; the {n_bytes} bytes behind it are not read"));
}

/// The rows that are still wanted.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// How many are left out first.
    offset: u64,
    /// How many are shown at most.
    limit: u64,
}

impl Window {
    /// The part of the next batch that is wanted.
    fn take(&mut self, batch: RecordBatch) -> Option<RecordBatch> {
        let n_rows = batch.n_rows() as u64;
        let start = self.offset.min(n_rows);
        let n_wanted = self.limit.min(n_rows - start);
        self.offset -= start;
        self.limit -= n_wanted;
        match (usize::try_from(start), usize::try_from(n_wanted)) {
            _ if n_wanted == n_rows => Some(batch),
            (Ok(start), Ok(n_wanted)) if n_wanted > 0 => Some(batch.slice(start, n_wanted)),
            // Both are at most `batch.n_rows()`.
            _ => None,
        }
    }
}

/// Batches before the window are known by their metadata; those behind it are not touched.
fn print_file<S: Source>(
    reader: &FileReader<S>,
    window: &mut Window,
    printer: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    for batch_idx in 0..reader.n_batches() {
        if window.limit == 0 {
            break;
        }
        let failed = |error| Failure::Batch { name: printer.name.clone(), batch_idx, error };
        if window.offset > 0 {
            let n_rows = reader.n_rows_of(batch_idx).map_err(failed)?;
            if n_rows <= window.offset {
                window.offset -= n_rows;
                continue;
            }
        }
        let batch = reader.batch(batch_idx).map_err(failed)?;
        if let Some(batch) = window.take(batch) {
            printer.batch(&batch)?;
        }
    }
    Ok(())
}

/// Shows each batch as it comes, and stops reading when enough has been shown.
fn print_stream<R: Read>(
    reader: &mut StreamReader<R>,
    window: &mut Window,
    printer: &mut Printer<impl Write>,
) -> Result<(), Failure> {
    while window.limit > 0 {
        let next = reader.next_batch();
        let next = next.map_err(|error| Failure::Input { name: printer.name.clone(), error })?;
        let Some(next) = next else { break };
        if let Some(batch) = window.take(next.batch) {
            printer.batch(&batch)?;
        }
    }
    Ok(())
}

/// Writes batches in one of the formats.
struct Printer<W> {
    /// Of the input, for errors about its values.
    name: InputName,
    out: W,
    style: Style,
}

enum Style {
    Json(JsonWriter),
    /// The table, once its widths are known.
    Table(Option<Table>),
    /// A table of no columns: how many rows it has had.
    NoColumns {
        n_rows: u64,
    },
}

impl<W: Write> Printer<W> {
    fn new(name: &InputName, format: Option<Format>, out: W) -> Printer<W> {
        let default = if is_stdout_terminal() { Format::Table } else { Format::Json };
        let style = match format.unwrap_or(default) {
            Format::Json => Style::Json(JsonWriter::new()),
            Format::Table => Style::Table(None),
        };
        Printer { name: name.clone(), out, style }
    }

    /// Writes the rows of a batch, all the way to whoever waits for them.
    fn batch(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        if batch.n_rows() == 0 {
            return Ok(());
        }
        let values = |error| Failure::Values { name: self.name.clone(), error };
        if let (Style::Table(None), 0) = (&self.style, batch.n_columns()) {
            self.style = Style::NoColumns { n_rows: 0 };
        }
        let written = match &mut self.style {
            Style::NoColumns { n_rows } => {
                *n_rows = n_rows.saturating_add(batch.n_rows() as u64);
                Ok(())
            }
            Style::Json(writer) => writer.rows(batch).map_err(values)?.write_to(&mut self.out),
            Style::Table(table) => {
                if table.is_none() {
                    let new = new_table(batch.schema(), Some(batch)).map_err(values)?;
                    write!(self.out, "{}", new.header()).map_err(not_written)?;
                    *table = Some(new);
                }
                match table {
                    Some(table) => table.rows(batch).map_err(values)?.write_to(&mut self.out),
                    None => Ok(()),
                }
            }
        };
        written.and_then(|()| self.out.flush()).map_err(not_written)
    }

    /// A table without rows still has its head; one without columns has a number of rows.
    fn finish(mut self, schema: &Schema) -> Result<(), Failure> {
        if let (Style::Table(None), []) = (&self.style, schema.fields()) {
            self.style = Style::NoColumns { n_rows: 0 };
        }
        match &self.style {
            Style::Json(_) => {}
            Style::NoColumns { n_rows } => {
                let rows = if *n_rows == 1 { "row" } else { "rows" };
                writeln!(self.out, "(no columns)\n{n_rows} {rows}").map_err(not_written)?;
            }
            Style::Table(Some(table)) => note_columns_left_out(table),
            Style::Table(None) => {
                let values = |error| Failure::Values { name: self.name.clone(), error };
                let table = new_table(schema, None).map_err(values)?;
                write!(self.out, "{}", table.header()).map_err(not_written)?;
                note_columns_left_out(&table);
            }
        }
        self.out.flush().map_err(not_written)
    }
}

fn new_table(schema: &Schema, first: Option<&RecordBatch>) -> Result<Table, arrow_array::ArrayError> {
    let options = TableOptions::new();
    let options = match stdout_width() {
        Some(width) => options.with_max_width(width),
        None => options,
    };
    Table::try_new(schema, &options, first)
}

fn note_columns_left_out(table: &Table) {
    let n_left_out = table.n_left_out();
    if n_left_out > 0 {
        let what = if n_left_out == 1 { "column does" } else { "columns do" };
        note(&format!("{n_left_out} {what} not fit; choose with --columns, or see all with --format json"));
    }
}

fn not_written(error: io::Error) -> Failure {
    Failure::Write { name: OutputName::Stdout, error }
}

#[cfg(test)]
mod tests;
