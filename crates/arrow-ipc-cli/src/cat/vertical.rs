//! Each row as lines of a name and a value, for rows that are too wide for a table.

use std::{
    fmt,
    io::{self, Write},
};

use arrow_array::{ArrayError, ColumnText, TextCache, TextStyle};
use arrow_data::RecordBatch;
use arrow_ipc_tools::Escaped;
use arrow_schema::QuotedName;

use crate::color::{Look, on_stdout};

/// Writes rows with their numbers; keeps what batches share.
#[derive(Default)]
pub(super) struct Vertical {
    known: TextCache,
    has_rows: bool,
}

/// Longer names push their values aside.
const MAX_NAME_CHARS: usize = 30;

impl Vertical {
    /// Writes the rows of a batch, the first of which has this number.
    ///
    /// # Errors
    /// If values are not valid; the inner error is that of the output.
    pub(super) fn write(
        &mut self,
        batch: &RecordBatch,
        first_row: u64,
        out: &mut impl Write,
    ) -> Result<io::Result<()>, ArrayError> {
        let columns: Result<Vec<ColumnText>, ArrayError> = (0..batch.n_columns())
            .map(|position| self.known.column(batch, position, TextStyle::Cell))
            .collect();
        let names = batch.schema().fields().iter().map(|field| QuotedName(field.name()).to_string());
        let names: Vec<String> = names.collect();
        let n_chars = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(MAX_NAME_CHARS);
        let columns = columns?;
        let mut write = || {
            for slot in 0..batch.n_rows() {
                let separator = if std::mem::replace(&mut self.has_rows, true) { "\n" } else { "" };
                let row = first_row.saturating_add(slot as u64);
                writeln!(out, "{separator}{}", on_stdout(Look::Head, format_args!("row {row}")))?;
                for (name, column) in names.iter().zip(&columns) {
                    write!(out, "  {name:n_chars$}  ")?;
                    EscapedTo::write(out, |out| column.write(slot, out))?;
                    writeln!(out)?;
                }
            }
            Ok(())
        };
        Ok(write())
    }
}

/// Writes text piece by piece, without anything that a terminal would obey. Values may have no end, so none is kept.
struct EscapedTo<'a, W> {
    out: &'a mut W,
    failure: io::Result<()>,
}

impl<W: Write> EscapedTo<'_, W> {
    fn write(out: &mut W, write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) -> io::Result<()> {
        let mut escaped = EscapedTo { out, failure: Ok(()) };
        match write(&mut escaped) {
            Ok(()) => Ok(()),
            Err(fmt::Error) => escaped.failure.and(Err(io::Error::other("a value cannot be written"))),
        }
    }
}

impl<W: Write> fmt::Write for EscapedTo<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.failure = write!(self.out, "{}", Escaped(text));
        if self.failure.is_ok() { Ok(()) } else { Err(fmt::Error) }
    }
}
