//! Shows an inspection as an HTML page: one file that loads no other files.

mod document;
mod overview;
mod rows;
#[cfg(test)]
mod tests;

use std::{
    io::{self, Write},
    ops::ControlFlow,
};

use arrow_ipc_tools::{InputName, InspectReport, InspectSink, ToolError, inspect::InspectItem};

pub use self::rows::FirstRows;
use crate::byte_map::ByteMap;

/// Collects the results of an inspection, and writes them as a page. The page begins with the bytes of each column, with what
/// [`explain`](crate::explain()) finds and the commands that mend it, and with the first rows. Then follow a strip that shows the bytes of the
/// input to scale, and tables of messages, fields and buffers. Inspect
/// [`with_unused_bytes`](arrow_ipc_tools::InspectOptions::with_unused_bytes) for all findings; to show buffers,
/// [`with_buffers`](arrow_ipc_tools::InspectOptions::with_buffers) is enough.
///
/// Names and values from the input are data in the page, never markup. A policy in the page forbids the browser to
/// load other files or run other scripts.
///
/// The memory and the length of the page are limited. If there are more than 20,000 buffers or 4,096 messages,
/// adjacent ones are joined, the smallest first. The totals of fields stay exact. After 20,000 fields, or 2 MiB of
/// names and types, all further fields are joined into one. The first 20 columns by their bytes are listed, and
/// [`FirstRows`] are few and short. The page says what it leaves out.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::HtmlReport;
/// use arrow_ipc_tools::{Input, InspectOptions, inspect};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let input = Input::try_from_buffer("stream", stream.into())?;
/// let mut report = HtmlReport::new(input.name());
/// let inspected = inspect(input, &InspectOptions::new().with_buffers(), &mut report, &mut ())?;
/// let mut page = Vec::new();
/// report.write_to(&inspected, &mut page)?;
/// assert!(page.starts_with(b"<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HtmlReport {
    map: ByteMap,
    /// The first rows, or why they are not shown.
    rows: Result<FirstRows, String>,
}

impl HtmlReport {
    /// Makes an empty page. Its title is the name of the input.
    pub fn new(name: &InputName) -> HtmlReport {
        HtmlReport {
            map: ByteMap::new(name),
            rows: Err(
                "The rows are not shown, because the input was read only once, as a pipe is.".to_owned()
            ),
        }
    }

    /// Shows the first rows. Instead of rows that could not be read, shows the error.
    #[must_use]
    pub fn with_rows(self, rows: Result<FirstRows, ToolError>) -> HtmlReport {
        HtmlReport { rows: rows.map_err(|error| error.to_string()), ..self }
    }

    /// Writes the page, with the damage and the notes of the inspection.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub fn write_to(mut self, inspected: &InspectReport, out: &mut impl Write) -> io::Result<()> {
        let explanation = self.map.explained(inspected);
        document::write(&self, &explanation, inspected, out)
    }
}

impl InspectSink for HtmlReport {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        self.map.item(item)
    }
}
