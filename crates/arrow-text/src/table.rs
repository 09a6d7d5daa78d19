//! Prints rows as a plain table with aligned columns.

mod cell;
mod rows;
mod widths;

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use arrow_array::{ArrayError, TextCache, TextStyle};
use arrow_data::RecordBatch;
use arrow_schema::{DataType, Schema};

pub use self::rows::{BatchTable, TableRow, TableRows};
use self::{
    cell::{Align, CellLayout, CellText, MORE},
    widths::{ColumnWidth, GAP, fit},
};

/// The limits and the style of a printed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableOptions {
    max_width: Option<usize>,
    max_rows: Option<usize>,
    max_columns: Option<usize>,
    n_sample_rows: usize,
    text: TextStyle,
}

impl TableOptions {
    /// Options without limits. The first 1,000 rows determine the widths of columns.
    pub const fn new() -> TableOptions {
        let max_width = None;
        let max_rows = None;
        let max_columns = None;
        TableOptions { max_width, max_rows, max_columns, n_sample_rows: 1_000, text: TextStyle::Cell }
    }

    /// Sets the maximum width of a line in characters. If lines would be wider, cells are cut first, and then columns at the
    /// end are left out. Whole numbers, dates and times are cut last. With a maximum, no cell is wider than 4,096 characters.
    ///
    /// Without a maximum, no value is cut: a value that is wider than its column shifts the rest of its line. Values widen a
    /// column to at most 200 characters, and its name and type widen it to at most 60, since every row is padded to the width
    /// of its columns. Wider names and types are cut.
    #[must_use]
    pub const fn with_max_width(self, max_width: usize) -> TableOptions {
        TableOptions { max_width: Some(max_width), ..self }
    }

    /// The maximum width of a line, as set by [`with_max_width`](TableOptions::with_max_width).
    pub const fn max_width(&self) -> Option<usize> {
        self.max_width
    }

    /// Sets the maximum number of rows that are printed. A line below the rows says how many more there are. A [`TablePrinter`]
    /// applies the maximum to each batch, since it does not know which batch is the last. Default: all.
    #[must_use]
    pub const fn with_max_rows(self, max_rows: usize) -> TableOptions {
        TableOptions { max_rows: Some(max_rows), ..self }
    }

    /// The maximum number of rows, as set by [`with_max_rows`](TableOptions::with_max_rows).
    pub const fn max_rows(&self) -> Option<usize> {
        self.max_rows
    }

    /// Sets the maximum number of columns that are printed. If there are more columns, lines end with `…`. Default: all.
    #[must_use]
    pub const fn with_max_columns(self, max_columns: usize) -> TableOptions {
        TableOptions { max_columns: Some(max_columns), ..self }
    }

    /// The maximum number of columns, as set by [`with_max_columns`](TableOptions::with_max_columns).
    pub const fn max_columns(&self) -> Option<usize> {
        self.max_columns
    }

    /// Sets how many rows of the first batch determine the widths of columns. Default: 1,000.
    #[must_use]
    pub const fn with_sample_rows(self, n_sample_rows: usize) -> TableOptions {
        TableOptions { n_sample_rows, ..self }
    }

    /// Sets the style of text. The default is [`TextStyle::Cell`], which quotes a text such as `null` to distinguish it from a
    /// null. [`TextStyle::Plain`] writes text unchanged; use it if the text was made from values of other types.
    #[must_use]
    pub const fn with_text_style(self, text: TextStyle) -> TableOptions {
        TableOptions { text, ..self }
    }

    /// The maximum number of rows that determine the widths of columns.
    fn n_decisive_rows(&self) -> usize {
        self.n_sample_rows.min(self.max_rows.unwrap_or(usize::MAX))
    }
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions::new()
    }
}

/// Prints batches as a table for people. Names and types of columns are above the rows. Numbers are aligned to the right, and
/// text to the left.
///
/// The first batch determines the widths of columns, so batches can be printed as they arrive. A dictionary that several
/// batches share is prepared once. To print one batch, or a [`Table`](arrow_data::Table) in memory, use a [`BatchTable`].
///
/// Cells contain the [JSON form](crate::JsonRows) of values, but strings have no quotes unless they are nested.
/// Durations have their unit. A null prints as `null`. A text is quoted if it is `null` or begins with a quote.
///
/// In cells and names, line breaks, control characters, and characters that change the direction of text are escaped (`\n`,
/// `\t`, `\u{1b}`), so no byte of the data can control a terminal. `…` marks where a value or type was cut at its end, or a
/// name in its middle.
///
/// ```
/// use arrow_array::{Int64Array, Utf8ViewArray};
/// use arrow_data::RecordBatch;
/// use arrow_text::TablePrinter;
///
/// let batch = RecordBatch::try_from_columns([
///     ("id", Int64Array::from_iter([1, 200]).into()),
///     ("name", Utf8ViewArray::from_iter([Some("ada"), None]).into()),
/// ])?;
/// let printer = TablePrinter::try_new(batch.schema(), Some(&batch))?;
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
    overflow: OverflowRule,
    max_rows: usize,
    /// The maximum width of the line below the rows.
    max_width: usize,
    text: TextStyle,
    /// Reuses the text of dictionaries of earlier batches. Clones share it.
    memory: Arc<Mutex<TextCache>>,
}

#[derive(Debug, Clone)]
struct TableColumn {
    /// The name as it is printed, cut if it is too long.
    name: String,
    /// The type as it is printed, cut if it is too long.
    data_type: String,
    align: Align,
    width: usize,
}

/// What happens to a value that is wider than its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OverflowRule {
    Cut,
    PushAside,
}

/// With a maximum width: how far a type can widen its column. Longer types are cut.
const MAX_TYPE_WIDTH: usize = 24;
/// With a maximum width: how wide a cell can be, which bounds its memory.
const MAX_CUT_WIDTH: usize = 4_096;
/// Without a maximum width: how far a name or type can widen its column. Longer ones are cut.
const MAX_HEADER_WIDTH: usize = 60;
/// Without a maximum width: how far values can widen their column. All rows are padded to the width.
const MAX_VALUE_WIDTH: usize = 200;
impl TablePrinter {
    /// Makes a table of the columns of `schema`. The rows of `first` determine the widths of columns; without it, only names
    /// and types do.
    ///
    /// # Errors
    /// If the content of `first` is invalid. The error names the column.
    pub fn try_new(schema: &Schema, first: Option<&RecordBatch>) -> Result<TablePrinter, ArrayError> {
        TablePrinter::try_new_with(schema, first, TableOptions::new())
    }

    /// Like [`try_new`](TablePrinter::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](TablePrinter::try_new).
    pub fn try_new_with(
        schema: &Schema,
        first: Option<&RecordBatch>,
        options: TableOptions,
    ) -> Result<TablePrinter, ArrayError> {
        let n_rows = options.n_decisive_rows();
        let sample = first.map(|first| first.slice(0, n_rows.min(first.n_rows())));
        TablePrinter::from_sample(schema, sample.as_slice(), options)
    }

    /// Makes a table in which all rows of `sample` determine the widths.
    fn from_sample(
        schema: &Schema,
        sample: &[RecordBatch],
        options: TableOptions,
    ) -> Result<TablePrinter, ArrayError> {
        // How far the name, the type and the values can widen a column.
        let [for_name, for_type, for_values] = match options.max_width.map(|width| width.min(MAX_CUT_WIDTH)) {
            Some(width) => [width, width.min(MAX_TYPE_WIDTH), width],
            None => [MAX_HEADER_WIDTH, MAX_HEADER_WIDTH, MAX_VALUE_WIDTH],
        };
        let mut known = TextCache::new();
        let n_columns = schema.fields().len();
        let max_columns = options.max_columns.unwrap_or(usize::MAX);
        let mut columns: Vec<TableColumn> = Vec::with_capacity(n_columns.min(max_columns));
        let mut wanted = Vec::new();
        let mut cell = CellText::new();
        for (position, field) in schema.fields().iter().enumerate().take(max_columns) {
            let mut width = 1;
            // If values widen the column, more of a name or type is printed.
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
        let overflow = if options.max_width.is_some() { OverflowRule::Cut } else { OverflowRule::PushAside };
        let max_rows = options.max_rows.unwrap_or(usize::MAX);
        let max_width = options.max_width.unwrap_or(usize::MAX);
        Ok(TablePrinter {
            columns,
            n_columns,
            overflow,
            max_rows,
            max_width,
            text: options.text,
            memory: Arc::new(Mutex::new(known)),
        })
    }

    /// The number of columns that are printed.
    pub fn n_shown(&self) -> usize {
        self.columns.len()
    }

    /// The number of columns at the end that are not printed, since lines would be too wide or the options limit their number.
    pub fn n_omitted(&self) -> usize {
        self.n_columns - self.columns.len()
    }

    /// The lines above the rows: names, types and a rule. Empty if the table has no columns.
    pub fn header(&self) -> TableHeader<'_> {
        TableHeader { table: self }
    }

    /// Writes one line, and `…` if columns are left out. `write` writes the text of each cell.
    fn write_line(
        &self,
        cell: &mut CellText,
        out: &mut dyn fmt::Write,
        overflow: OverflowRule,
        write: impl Fn(usize, &TableColumn, &mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        let last = self.columns.len().checked_sub(1);
        for (position, column) in self.columns.iter().enumerate() {
            if position > 0 {
                cell::spaces(GAP, out)?;
            }
            let is_last = Some(position) == last && self.n_omitted() == 0;
            let layout = CellLayout { width: column.width, align: column.align, is_last };
            match overflow {
                OverflowRule::Cut => {
                    cell.set(column.width, |out| write(position, column, out));
                    cell.pad(layout, out)?;
                }
                OverflowRule::PushAside => {
                    cell.write_whole(layout, out, |out| write(position, column, out))?
                }
            }
        }
        if self.n_omitted() > 0 {
            cell::spaces(if self.columns.is_empty() { 0 } else { GAP }, out)?;
            out.write_str(MORE)?;
        }
        Ok(())
    }
}

/// The type of the values of dictionaries and runs, and otherwise the type itself.
fn decoded(data_type: &DataType) -> &DataType {
    let mut data_type = data_type.value_type();
    while let Some(runs) = data_type.as_run_end_encoded() {
        data_type = runs.values().data_type().value_type();
    }
    data_type
}

/// Whether values should not be cut: whole numbers, dates and times. The start of such a value says little; a cut date may only
/// show its year.
fn is_whole(data_type: &DataType) -> bool {
    let data_type = decoded(data_type);
    data_type.is_integer() || data_type.is_temporal()
}

/// How a column is aligned. Numbers are aligned to the right, so that units stand below units and tens below tens. For
/// dictionaries and runs, the type of the values decides.
fn align(data_type: &DataType) -> Align {
    let data_type = decoded(data_type);
    let is_number = data_type.is_integer() || data_type.is_floating_point() || data_type.is_decimal();
    if is_number || matches!(data_type, DataType::Duration(_)) { Align::Right } else { Align::Left }
}

/// The lines above the rows of a table: names, types and a rule.
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
        table.write_line(&mut cell, f, OverflowRule::Cut, |_, column, out| {
            out.write_str(&cell::shortened(&column.name, column.width))
        })?;
        f.write_str("\n")?;
        table
            .write_line(&mut cell, f, OverflowRule::Cut, |_, column, out| out.write_str(&column.data_type))?;
        f.write_str("\n")?;
        table.write_line(&mut cell, f, OverflowRule::Cut, |_, column, out| {
            cell::repeat("--------------------------------", column.width, out)
        })?;
        f.write_str("\n")
    }
}
