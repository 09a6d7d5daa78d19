//! Writes rows as JSON lines, CSV and tables. The JSON lines are read back.

use std::fmt::{self, Write};

use arrow_data::{RecordBatch, Validation};
use arrow_text::{CsvRows, JsonReader, JsonRows, RowErrorKind, TableOptions, TablePrinter};

/// The greatest length of a text. A few rows may be long text, since many views may refer to the same bytes.
const MAX_BYTES: usize = 1 << 16;

pub(super) fn write_texts(batch: &RecordBatch) -> Result<(), String> {
    if let Some(text) = json_of(batch) {
        read_back(batch, &text)?;
    }
    if let Ok(rows) = CsvRows::try_new(batch) {
        let mut text = String::new();
        for row in (0..rows.len()).take_while(|row| *row < 3) {
            write!(text, "{}", rows.row(row)).map_err(|_| "a row cannot be written")?;
        }
    }
    let options = TableOptions::new().with_max_width(80);
    if let Ok(table) = TablePrinter::try_new_with(batch.schema(), Some(batch), options) {
        let rows = table.rows(batch).map_err(|error| error.to_string())?;
        (0..rows.len().min(3)).for_each(|row| drop(rows.row(row).to_string()));
        drop(table.header().to_string());
    }
    Ok(())
}

/// All rows as JSON lines; `None` if they are too long, or cannot be written.
pub(crate) fn json_of(batch: &RecordBatch) -> Option<String> {
    let rows = JsonRows::try_new(batch).ok()?;
    let mut text = LimitedText(String::new());
    rows.iter().try_for_each(|row| writeln!(text, "{row}")).ok()?;
    Some(text.0)
}

/// Text with a limited length: the text of a row of a few bytes may be nearly endless.
struct LimitedText(String);

impl Write for LimitedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Reads JSON lines and writes them again: the lines must be the same. It is no finding if reading refuses values that break
/// strict rules, such as decimals that exceed the precision of their type, or nulls with very many slots.
fn read_back(batch: &RecordBatch, text: &str) -> Result<(), String> {
    let Ok(reader) = JsonReader::try_new(text.as_bytes(), batch.schema().clone()) else { return Ok(()) };
    let read = match reader.collect::<Result<Vec<_>, _>>() {
        Ok(read) => read,
        Err(error) if matches!(error.kind(), RowErrorKind::TooManyNulls { .. }) => return Ok(()),
        Err(_) if batch.clone().validate(Validation::Strict).is_err() => return Ok(()),
        Err(error) => return Err(format!("JSON that was written is refused: {error}")),
    };
    let again: Option<String> = read.iter().map(json_of).collect();
    (again.as_deref() == Some(text)).then_some(()).ok_or_else(|| "JSON reads back as other rows".to_owned())
}
