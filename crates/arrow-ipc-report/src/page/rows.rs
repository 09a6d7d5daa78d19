//! The first rows of an input, as the page shows them.

use std::fmt;

use arrow_array::{ArrayError, ColumnText};
use arrow_data::RecordBatch;
use arrow_ipc_tools::{Input, InputContext, RowQuery, RowWindow, ToolError, cursor::RowCursor};
use arrow_text::format::LimitedText;

use crate::cell_style::CELL_STYLE;

/// The first rows of an input, as text: at most 10 rows of at most 30 columns, and of each value at most 200 characters.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::FirstRows;
/// use arrow_ipc_tools::Input;
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let rows = FirstRows::read(Input::try_from_buffer("stream", stream.into())?)?;
/// assert_eq!((rows.n_rows(), rows.n_columns()), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FirstRows {
    /// The name and type of each column that is shown.
    pub(super) columns: Vec<[String; 2]>,
    /// The values of each row.
    pub(super) rows: Vec<Vec<String>>,
    n_columns: usize,
}

impl FirstRows {
    const MAX_ROWS: u64 = 10;
    const MAX_COLUMNS: usize = 30;
    const MAX_CHARS: usize = 200;

    /// Reads the first rows. Later rows are not read.
    ///
    /// # Errors
    /// If the rows cannot be read.
    pub fn read(input: Input) -> Result<FirstRows, ToolError> {
        let name = input.name().clone();
        let window = RowWindow::of(0..FirstRows::MAX_ROWS);
        let mut cursor = RowCursor::open_by_position(input, &RowQuery::new(), window)?;
        let schema = cursor.rows().schema();
        let shown = schema.fields().iter().take(FirstRows::MAX_COLUMNS);
        let columns = shown.map(|field| [limited(field.name()), limited(field.data_type())]);
        let mut first =
            FirstRows { columns: columns.collect(), rows: Vec::new(), n_columns: schema.fields().len() };
        while cursor.next_batch()? {
            while let Some((batch, _)) = cursor.next_rows()? {
                first.add(&batch).in_input(&name)?;
            }
        }
        Ok(first)
    }

    /// The number of rows that are shown.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The number of columns of the input, also of those that are not shown.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrayError> {
        let columns = batch.columns().iter().zip(batch.schema().fields()).take(FirstRows::MAX_COLUMNS);
        let texts = columns.map(|(column, field)| ColumnText::try_with_field(column, field, CELL_STYLE));
        let texts = texts.collect::<Result<Vec<ColumnText>, ArrayError>>()?;
        let rows = (0..batch.n_rows()).map(|row| texts.iter().map(|text| limited(text.value(row))).collect());
        self.rows.extend(rows);
        Ok(())
    }
}

/// The first characters of a text. What follows is not formatted.
pub(super) fn limited(text: impl fmt::Display) -> String {
    limited_to(FirstRows::MAX_CHARS, text)
}

/// The first `max_chars` characters of a text. What follows is not formatted.
pub(super) fn limited_to(max_chars: usize, text: impl fmt::Display) -> String {
    // The longest character has four bytes. One more character says that the text is longer.
    let start = LimitedText::of(text, max_chars.saturating_add(1).saturating_mul(4));
    start.shortened(0, max_chars).to_string()
}
