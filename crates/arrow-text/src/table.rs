//! Rows as a plain table with aligned columns.

mod cell;
mod rows;
mod widths;

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use arrow_array::{ArrayError, TextCache, TextStyle};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Schema};

pub use self::rows::{BatchTable, TableRow, TableRows};
use self::{
    cell::{Align, CellLayout, CellText, MORE},
    widths::{ColumnWidth, GAP, fit},
};

/// Options for showing rows as a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableOptions {
    max_width: Option<usize>,
    max_rows: Option<usize>,
    max_columns: Option<usize>,
    n_sample_rows: usize,
    text: TextStyle,
}

impl TableOptions {
    /// Options without limits. The first 1,000 rows determine the widths.
    pub const fn new() -> TableOptions {
        let (max_width, max_rows, max_columns) = (None, None, None);
        TableOptions { max_width, max_rows, max_columns, n_sample_rows: 1_000, text: TextStyle::Cell }
    }

    /// Sets the greatest width of a line, in characters. If lines would be wider, cells are cut first, and then columns
    /// at the end are left out. Whole numbers, dates and times are cut last. With a limit, no cell is wider than 4,096
    /// characters.
    ///
    /// Without a limit, no value is cut: a value that is wider than its column shifts the rest of its line. Values widen
    /// a column to at most 200 characters, and its name and type widen it to at most 60, since every row is padded to the
    /// width of its columns. Wider names and types are cut.
    #[must_use]
    pub const fn with_max_width(self, max_width: usize) -> TableOptions {
        TableOptions { max_width: Some(max_width), ..self }
    }

    /// See [`with_max_width`](TableOptions::with_max_width).
    pub const fn max_width(&self) -> Option<usize> {
        self.max_width
    }

    /// Sets the greatest number of rows that are printed. A line below the rows says how many rows are not shown. A
    /// [`TablePrinter`] applies the limit to each batch, since it does not know which batch is the last. Default: all.
    #[must_use]
    pub const fn with_max_rows(self, max_rows: usize) -> TableOptions {
        TableOptions { max_rows: Some(max_rows), ..self }
    }

    /// See [`with_max_rows`](TableOptions::with_max_rows).
    pub const fn max_rows(&self) -> Option<usize> {
        self.max_rows
    }

    /// Sets the greatest number of columns that are shown. If there are more columns, lines end with a mark. Default:
    /// all.
    #[must_use]
    pub const fn with_max_columns(self, max_columns: usize) -> TableOptions {
        TableOptions { max_columns: Some(max_columns), ..self }
    }

    /// See [`with_max_columns`](TableOptions::with_max_columns).
    pub const fn max_columns(&self) -> Option<usize> {
        self.max_columns
    }

    /// Sets the number of rows of the first batch that determine the widths of columns. Default 1,000.
    #[must_use]
    pub const fn with_sample_rows(self, n_sample_rows: usize) -> TableOptions {
        TableOptions { n_sample_rows, ..self }
    }

    /// Sets the style in which utf8 values are written. The default is [`TextStyle::Cell`], which quotes a text such as
    /// `null` to distinguish it from a null. [`TextStyle::Plain`] writes text unchanged; use it for text that was made
    /// from other values.
    #[must_use]
    pub const fn with_text_style(self, text: TextStyle) -> TableOptions {
        TableOptions { text, ..self }
    }

    /// The greatest number of rows that determine the widths of columns.
    fn n_decisive_rows(&self) -> usize {
        self.n_sample_rows.min(self.max_rows.unwrap_or(usize::MAX))
    }
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions::new()
    }
}

/// Prints tables for people. The names and types of columns are above the rows, numbers are aligned to the right, and text to the left.
///
/// The first batch determines the widths, so the rows of any number of batches can be written as they arrive. Dictionaries that
/// batches share are prepared once. A [`BatchTable`] prints one batch, or a [`Table`](arrow_data::Table) that is in memory.
///
/// Cells hold the [JSON form](crate::JsonRows) of values, strings without quotes and escapes; nested values are
/// JSON. Durations have their unit. A null is `null`; a text that reads as `null` or begins with a quote is written in
/// quotes.
///
/// In cells and names, line breaks, control characters, and characters that change the direction of text are escaped (`\n`,
/// `\t`, `\u{1b}`), so no byte of the data can control a terminal. `…` marks a cut: at the end of a value or type, or in the
/// middle of a name.
///
/// ```
/// use arrow_array::{Int64Array, Utf8ViewArray};
/// use arrow_data::RecordBatch;
/// use arrow_text::{TableOptions, TablePrinter};
///
/// let batch = RecordBatch::try_from_columns([
///     ("id", Int64Array::from_iter([1, 200]).into()),
///     ("name", Utf8ViewArray::from_iter([Some("ada"), None]).into()),
/// ])?;
/// let printer = TablePrinter::try_new(batch.schema(), &TableOptions::new(), Some(&batch))?;
/// let text = format!("{}{}", printer.header(), printer.rows(&batch)?);
/// let lines = [
///     "   id  name",
///     "int64  utf8_view",
///     "-----  ---------",
///     "    1  ada",
///     "  200  null",
/// ];
/// assert!(text.lines().eq(lines));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TablePrinter {
    columns: Vec<TableColumn>,
    n_columns: usize,
    too_wide: TooWide,
    max_rows: usize,
    /// The greatest width of the line below the rows.
    max_width: usize,
    text: TextStyle,
    memory: KnownBatches,
}

/// The text of the dictionaries of earlier batches. A clone is empty.
#[derive(Default)]
struct KnownBatches(Mutex<TextCache>);

impl KnownBatches {
    fn lock(&self) -> MutexGuard<'_, TextCache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for KnownBatches {
    fn clone(&self) -> KnownBatches {
        KnownBatches::default()
    }
}

impl fmt::Debug for KnownBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownBatches").finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
struct TableColumn {
    /// The visible part of the name.
    name: String,
    /// The visible part of the type.
    data_type: String,
    align: Align,
    width: usize,
}

/// What happens to a value that is wider than its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TooWide {
    Cut,
    PushAside,
}

/// In a limited table, the greatest width to which a type widens its column; longer types are cut.
const MAX_TYPE_WIDTH: usize = 24;
/// In a limited table, the greatest width of a cell, so that no cell needs much memory.
const MAX_CUT_WIDTH: usize = 4_096;
/// In an unlimited table, the greatest width to which a name or type widens its column; longer ones are cut.
const MAX_HEAD_WIDTH: usize = 60;
/// In an unlimited table, the greatest width to which values widen their column, since all rows are padded to it.
const MAX_VALUE_WIDTH: usize = 200;
impl TablePrinter {
    /// A table of the columns of `schema`. The batch `first` determines their widths; without a batch, names and types
    /// determine them.
    ///
    /// # Errors
    /// If the content of `first` is invalid.
    pub fn try_new(
        schema: &Schema,
        options: &TableOptions,
        first: Option<&RecordBatch>,
    ) -> Result<TablePrinter, ArrayError> {
        let n_rows = options.n_decisive_rows();
        let sample = first.map(|first| first.slice(0, n_rows.min(first.n_rows())));
        TablePrinter::try_with_sample(schema, options, sample.as_slice())
    }

    /// A table whose widths are determined by all rows of these batches.
    fn try_with_sample(
        schema: &Schema,
        options: &TableOptions,
        sample: &[RecordBatch],
    ) -> Result<TablePrinter, ArrayError> {
        // The greatest widths that the name, the type and the values of a column give it.
        let [for_name, for_type, for_values] = match options.max_width.map(|width| width.min(MAX_CUT_WIDTH)) {
            Some(width) => [width, width.min(MAX_TYPE_WIDTH), width],
            None => [MAX_HEAD_WIDTH, MAX_HEAD_WIDTH, MAX_VALUE_WIDTH],
        };
        let mut known = TextCache::new();
        let n_columns = schema.fields().len();
        let max_columns = options.max_columns.unwrap_or(usize::MAX);
        let mut columns: Vec<TableColumn> = Vec::with_capacity(n_columns.min(max_columns));
        let mut wanted = Vec::new();
        let mut cell = CellText::new();
        for (position, field) in schema.fields().iter().enumerate().take(max_columns) {
            let mut width = 1;
            // If values need more room, more of a name or type can be shown.
            cell.set(for_name, |out| out.write_str(field.name()));
            width = width.max(cell.width());
            let name = cell::shortened(field.name(), for_values.max(for_name));
            cell.set(for_type, |out| write!(out, "{}", field.data_type()));
            width = width.max(cell.width());
            cell.set(for_values.max(for_type), |out| write!(out, "{}", field.data_type()));
            let data_type = cell.text().to_owned();
            let mut values_width = 0;
            for sample in sample.iter().filter(|sample| position < sample.n_columns()) {
                let values = known.column(sample, position, options.text)?;
                for slot in 0..values.len() {
                    cell.set(for_values, |out| values.write(slot, out));
                    values_width = values_width.max(cell.width());
                }
            }
            width = width.max(values_width);
            wanted.push(ColumnWidth::new(width, is_whole(field.data_type()).then_some(values_width)));
            columns.push(TableColumn { name, data_type, align: align(field.data_type()), width });
        }
        if let Some(max_width) = options.max_width {
            let widths = fit(&wanted, n_columns, max_width);
            columns.truncate(widths.len());
            for (column, width) in columns.iter_mut().zip(widths) {
                column.width = width;
            }
        }
        let too_wide = if options.max_width.is_some() { TooWide::Cut } else { TooWide::PushAside };
        let max_rows = options.max_rows.unwrap_or(usize::MAX);
        let max_width = options.max_width.unwrap_or(usize::MAX);
        Ok(TablePrinter {
            columns,
            n_columns,
            too_wide,
            max_rows,
            max_width,
            text: options.text,
            memory: KnownBatches(Mutex::new(known)),
        })
    }

    /// The number of columns that are shown.
    pub fn n_shown(&self) -> usize {
        self.columns.len()
    }

    /// The number of columns that are left out at the end, because lines would be too wide or because the options limit the
    /// number of columns.
    pub fn n_left_out(&self) -> usize {
        self.n_columns - self.columns.len()
    }

    /// The names, the types and a rule, each on its own line. Empty if the table has no columns.
    pub fn header(&self) -> TableHeader<'_> {
        TableHeader { table: self }
    }

    /// Writes one line of cells, each written by `write`, and the mark for columns that are left out.
    fn write_line(
        &self,
        cell: &mut CellText,
        out: &mut dyn fmt::Write,
        too_wide: TooWide,
        write: impl Fn(usize, &TableColumn, &mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        let last = self.columns.len().checked_sub(1);
        for (position, column) in self.columns.iter().enumerate() {
            if position > 0 {
                cell::spaces(GAP, out)?;
            }
            let is_last = Some(position) == last && self.n_left_out() == 0;
            let place = CellLayout { width: column.width, align: column.align, is_last };
            match too_wide {
                TooWide::Cut => {
                    cell.set(column.width, |out| write(position, column, out));
                    cell.pad(place, out)?;
                }
                TooWide::PushAside => cell.write_whole(place, out, |out| write(position, column, out))?,
            }
        }
        if self.n_left_out() > 0 {
            cell::spaces(if self.columns.is_empty() { 0 } else { GAP }, out)?;
            out.write_str(MORE)?;
        }
        Ok(())
    }
}

/// The type of the values inside dictionaries and runs.
fn decoded(data_type: &DataType) -> &DataType {
    let mut data_type = data_type.value_type();
    while let Some(runs) = data_type.as_run_end_encoded() {
        data_type = runs.values().data_type().value_type();
    }
    data_type
}

/// Whether values of a type should stay whole, since their start has little information: whole numbers, dates and
/// times. A cut date might only show its year.
fn is_whole(data_type: &DataType) -> bool {
    let data_type = decoded(data_type);
    data_type.is_integer() || data_type.is_temporal()
}

/// The alignment of a type. Numbers are aligned to the right, so that their digits line up. Encoded values are aligned
/// like the values themselves.
fn align(data_type: &DataType) -> Align {
    let data_type = decoded(data_type);
    let is_number = data_type.is_integer() || data_type.is_floating_point() || data_type.is_decimal();
    if is_number || data_type.name() == "duration" { Align::Right } else { Align::Left }
}

/// The lines above the rows of a table, with the names and types of columns.
#[derive(Debug, Clone, Copy)]
pub struct TableHeader<'a> {
    table: &'a TablePrinter,
}

impl fmt::Display for TableHeader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table } = self;
        if table.n_columns == 0 {
            return Ok(());
        }
        let mut cell = CellText::new();
        table.write_line(&mut cell, f, TooWide::Cut, |_, column, out| {
            out.write_str(&cell::shortened(&column.name, column.width))
        })?;
        f.write_str("\n")?;
        table.write_line(&mut cell, f, TooWide::Cut, |_, column, out| out.write_str(&column.data_type))?;
        f.write_str("\n")?;
        table.write_line(&mut cell, f, TooWide::Cut, |_, column, out| {
            cell::repeat("--------------------------------", column.width, out)
        })?;
        f.write_str("\n")
    }
}
