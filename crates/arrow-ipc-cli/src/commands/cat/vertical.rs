//! Shows each row as lines of a name and a value. Useful if rows are too wide for a table.

use std::{
    fmt,
    io::{self, BufWriter, Write},
    ops::Range,
};

use arrow_array::{ArrayError, ColumnText, TextCache};
use arrow_data::RecordBatch;
use arrow_ipc_report::CELL_STYLE;
use arrow_ipc_tools::cursor::RowNumbers;
use arrow_schema::QuotedName;
use arrow_text::format::Escaped;

use crate::{context::Context, terminal::color::TextRole};

/// Writes rows with their numbers. Stores what must be known from one batch to the next.
#[derive(Default)]
pub(super) struct Vertical {
    known: TextCache,
    has_rows: bool,
}

/// The maximal width of names, in characters. After a longer name, the value is not aligned.
const MAX_NAME_CHARS: usize = 30;

/// The rows of a batch, ready to be written.
pub(super) struct VerticalRows {
    columns: Vec<ColumnText>,
    /// The names of the columns, padded to the same width.
    names: Vec<String>,
    numbers: RowNumbers,
    /// Whether other rows were written before these.
    follows: bool,
}

impl Vertical {
    /// Prepares the rows of a batch that has at least one row.
    ///
    /// # Errors
    /// If values are not valid.
    pub(super) fn rows(
        &mut self,
        batch: &RecordBatch,
        numbers: RowNumbers,
    ) -> Result<VerticalRows, ArrayError> {
        let columns: Result<Vec<ColumnText>, ArrayError> =
            (0..batch.n_columns()).map(|position| self.known.column(batch, position, CELL_STYLE)).collect();
        let names = batch.schema().fields().iter().map(|field| QuotedName(field.name()).to_string());
        let names: Vec<String> = names.collect();
        let n_chars = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(MAX_NAME_CHARS);
        let names = names.iter().map(|name| format!("  {name:n_chars$}  ")).collect();
        let columns = columns?;
        let follows = std::mem::replace(&mut self.has_rows, true);
        Ok(VerticalRows { columns, names, numbers, follows })
    }
}

impl VerticalRows {
    /// Writes these rows of the batch, in few large writes.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(super) fn write(
        &self,
        context: &Context,
        rows: Range<usize>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        const PIECE_BYTES: usize = 64 << 10;
        let mut out = BufWriter::with_capacity(PIECE_BYTES, out);
        let VerticalRows { columns, names, numbers, follows } = self;
        let is_painted = context.is_stdout_painted();
        for slot in rows {
            let separator = if *follows || slot > 0 { "\n" } else { "" };
            let row = numbers.at(slot);
            if is_painted {
                writeln!(out, "{separator}{}", context.on_stdout(TextRole::Title, format_args!("row {row}")))?
            } else {
                writeln!(out, "{separator}row {row}")?
            }
            for (name, column) in names.iter().zip(columns) {
                out.write_all(name.as_bytes())?;
                EscapingWriter::write(&mut out, |out| column.write(slot, out))?;
                writeln!(out)?;
            }
        }
        out.flush()
    }
}

/// Writes text to `out`, and escapes characters that control a terminal. Collects no text in memory, because values
/// may be very long.
struct EscapingWriter<'a, W> {
    out: &'a mut W,
    failure: io::Result<()>,
}

impl<W: Write> EscapingWriter<'_, W> {
    fn write(out: &mut W, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> io::Result<()> {
        let mut escaped = EscapingWriter { out, failure: Ok(()) };
        match write(&mut escaped) {
            Ok(()) => Ok(()),
            Err(fmt::Error) => escaped.failure.and(Err(io::Error::other("a value cannot be written"))),
        }
    }
}

impl<W: Write> fmt::Write for EscapingWriter<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.failure = write!(self.out, "{}", Escaped(text));
        if self.failure.is_ok() { Ok(()) } else { Err(fmt::Error) }
    }
}
