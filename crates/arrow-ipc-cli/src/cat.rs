//! `cat`: rows as a table, JSON or CSV. Reads only the batches and columns that are asked for.

mod printer;

use std::io::{Read, Write};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, Source, StreamReader};

use self::printer::{Printer, Style};
use crate::{
    args::CatArgs,
    exit::{Failure, Status, note},
    input::{Input, InputName, Rows, StreamSource, n_bytes_behind},
    output::buffered_stdout,
};

pub(crate) fn run(args: &CatArgs) -> Result<Status, Failure> {
    let style = Style::of(args)?;
    let (rows, selection) = Input::open(&args.file)?.into_selected_rows(args.columns.as_ref())?;
    let mut printer = Printer::new(&args.file, style, buffered_stdout()).selecting(selection);
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
            printer.batch(batch)?;
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
            printer.batch(batch)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
