//! `Debug` of arrays, batches and tables: a short description without values, for any size.

use std::fmt::{self, Write};

use crate::{array::ArrayData, batch::RecordBatch, chunked::ChunkedArray, layout::Nulls, table::Table};

/// Types are cut after this number of bytes in the output.
const MAX_TYPE_BYTES: usize = 200;
/// The greatest number of columns or buffers that are shown.
const MAX_PARTS: usize = 20;

impl fmt::Debug for ArrayData {
    /// Shows the type, the numbers of slots and of nulls (`?` if they have not been counted), and the lengths of buffers and children.
    /// [`dump`](ArrayData::dump) shows the bytes, typed arrays show values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<usize> =
            self.layout().data_buffers().iter().enumerate().map(|(k, _)| self.buffer(k).len()).collect();
        let mut parts = f.debug_struct("ArrayData");
        parts.field("data_type", &OneLine(&TextStart(self.data_type())));
        parts.field("n_slots", &self.len());
        parts.field("null_count", &OneLine(&ShownNulls(self)));
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
    /// Shows the number of rows, then the columns with their types and numbers of nulls (`?` if these have not been counted).
    /// At most 20 columns are named.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.schema().fields().iter().zip(self.columns());
        let columns =
            columns.map(|(field, column)| format!("{} ({} nulls)", TextStart(field), ShownNulls(column)));
        fmt_columns(f.debug_struct("RecordBatch"), self.n_rows(), columns)
    }
}

impl fmt::Debug for ChunkedArray {
    /// Shows the type, and the numbers of slots and of chunks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkedArray")
            .field("data_type", &OneLine(&TextStart(self.data_type())))
            .field("n_slots", &self.len())
            .field("n_chunks", &self.n_chunks())
            .finish()
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

struct ShownNulls<'a>(&'a ArrayData);

impl fmt::Display for ShownNulls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let array = self.0;
        let is_known = array.validity().is_none()
            || array.layout().nulls() != Nulls::Bitmap
            || array.null_count.is_counted();
        if is_known { write!(f, "{}", array.null_count()) } else { f.write_str("?") }
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
        let end = text.floor_char_boundary(n_left);
        self.0.push_str(text.get(..end).unwrap_or_default());
        if end < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}
