//! `Debug` of arrays, batches and tables: a short description with the first values, for any size.

mod values;

use std::fmt::{self, Write};

use self::values::FirstValues;
use crate::{array::ArrayData, batch::RecordBatch, chunked::ChunkedArray, table::Table};

/// Types are cut after this number of bytes in the output.
const MAX_TYPE_BYTES: usize = 200;
/// The greatest number of columns or buffers that are shown.
const MAX_PARTS: usize = 20;

impl fmt::Debug for ArrayData {
    /// Shows the type, the first values as they are stored, the numbers of slots and of nulls, and the lengths of buffers and
    /// children. Content that is not checked yet is checked as far as it is shown. Typed arrays show dates and decimals
    /// as text, and [`dump`](ArrayData::dump) shows the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<usize> =
            self.layout().data_buffers().iter().enumerate().map(|(k, _)| self.buffer(k).len()).collect();
        let mut parts = f.debug_struct("ArrayData");
        parts.field("data_type", &OneLine(&TextStart(self.data_type())));
        parts.field("values", &OneLine(&TextStart(&FirstValues(self))));
        parts.field("n_slots", &self.len());
        parts.field("null_count", &self.null_count());
        if self.offset() > 0 {
            parts.field("offset", &self.offset());
        }
        parts.field("buffer_bytes", &lengths);
        if !self.variadic().is_empty() {
            parts.field("n_variadic", &self.variadic().len());
        }
        if !self.children().is_empty() {
            parts.field("n_children", &self.children().len());
        }
        if let Some(dictionary) = self.dictionary() {
            parts.field("n_values", &dictionary.len());
        }
        parts.field("checked", &self.checked()).finish()
    }
}

impl fmt::Debug for RecordBatch {
    /// Shows the number of rows, then the columns with their types and first values, as they are stored. At most 20 columns
    /// are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.schema().fields().iter().zip(self.columns());
        let columns = columns
            .map(|(field, column)| format!("{} {}", TextStart(field), TextStart(&FirstValues(column))));
        fmt_columns(f.debug_struct("RecordBatch"), self.n_rows(), columns)
    }
}

impl fmt::Debug for ChunkedArray {
    /// Shows the type, the numbers of slots and of chunks, and the first values of the first chunk.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = f.debug_struct("ChunkedArray");
        parts.field("data_type", &OneLine(&TextStart(self.data_type())));
        parts.field("n_slots", &self.len()).field("n_chunks", &self.n_chunks());
        if let Some(chunk) = self.chunks().first() {
            parts.field("first_chunk", &OneLine(&TextStart(&FirstValues(chunk))));
        }
        parts.finish()
    }
}

impl fmt::Debug for Table {
    /// Shows the number of rows, then the columns with their types and numbers of chunks. At most 20 columns are named.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.schema().fields().iter().zip(self.columns());
        let columns =
            columns.map(|(field, column)| format!("{} ({} chunks)", TextStart(field), column.n_chunks()));
        fmt_columns(f.debug_struct("Table"), self.n_rows(), columns)
    }
}

fn fmt_columns(
    mut parts: fmt::DebugStruct<'_, '_>,
    n_rows: usize,
    mut columns: impl ExactSizeIterator<Item = String>,
) -> fmt::Result {
    let shown: Vec<String> = columns.by_ref().take(MAX_PARTS).collect();
    let shown: Vec<OneLine<'_>> = shown.iter().map(|column| OneLine(column)).collect();
    parts.field("n_rows", &n_rows).field("columns", &shown);
    match columns.len() {
        0 => parts.finish(),
        n_more => parts.field("n_more_columns", &n_more).finish(),
    }
}

/// Prints the same with `{:?}` and `{:#?}`, always on one line.
struct OneLine<'a>(&'a dyn fmt::Display);

impl fmt::Debug for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The first bytes of a formatted value. The rest is not formatted.
struct TextStart<'a, T>(&'a T);

impl<T: fmt::Display> fmt::Display for TextStart<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut beginning = TruncatedText(String::new());
        let is_whole = write!(beginning, "{}", self.0).is_ok();
        f.write_str(&beginning.0)?;
        f.write_str(if is_whole { "" } else { "…" })
    }
}

struct TruncatedText(String);

impl Write for TruncatedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let n_left = MAX_TYPE_BYTES.saturating_sub(self.0.len());
        let end = arrow_buffer::floor_char_boundary(text, n_left);
        self.0.push_str(text.get(..end).unwrap_or_default());
        if end < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}
