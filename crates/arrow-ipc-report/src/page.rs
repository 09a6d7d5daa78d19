//! Shows an inspection as an HTML page: one file that loads no other files.

mod buffers;
mod document;
mod messages;
mod overview;
mod rows;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    io::{self, Write},
    ops::ControlFlow,
};

use arrow_array::{ColumnText, Scalar};
use arrow_ipc::{Container, IpcSchema, file::Footer, message::Header};
use arrow_ipc_statistics::FileStatistics;
use arrow_ipc_tools::{
    InputName, InspectReport, InspectSink, ToolError,
    inspect::{InspectItem, MessageView},
};
use arrow_schema::Metadata;
use serde_json::Value;

pub use self::rows::FirstRows;
use self::{
    buffers::Buffers,
    messages::{Group, Groups},
};
use crate::{cell_style::CELL_STYLE, explain::Facts, totals::BufferSpan};

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
    name: InputName,
    container: Option<Container>,
    n_bytes: Option<u64>,
    schema: Option<Value>,
    messages: Groups,
    /// What `explain` finds, and the totals of fields and batches.
    facts: Facts,
    buffers: Buffers,
    /// The first rows, or why they are not shown.
    rows: Result<FirstRows, String>,
    /// The position of each end of a stream, and whether it is marked.
    ends: Vec<(u64, bool)>,
    footer: Option<Value>,
    bounds: BoundTexts,
}

/// The least and the greatest value of columns, and of fields inside structs, from the statistics in the footer. The
/// key is the path.
type BoundTexts = HashMap<String, [Option<String>; 2]>;

/// The maximal number of stream ends that are shown.
const MAX_ENDS: usize = 1_000;

impl HtmlReport {
    /// Makes an empty page. Its title is the name of the input.
    pub fn new(name: &InputName) -> HtmlReport {
        HtmlReport {
            name: name.clone(),
            container: None,
            n_bytes: None,
            schema: None,
            messages: Groups::default(),
            facts: Facts::default(),
            buffers: Buffers::default(),
            rows: Err(
                "The rows are not shown, because the input was read only once, as a pipe is.".to_owned()
            ),
            ends: Vec::new(),
            footer: None,
            bounds: BoundTexts::new(),
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
        self.buffers.merge(&self.messages);
        let explanation = self.facts.explained(inspected);
        document::write(&self, &explanation, inspected, out)
    }

    /// Adds the first schema of the input to the page; ignores all others. `whole` is the metadata of the schema
    /// message.
    fn schema(&mut self, schema: &IpcSchema, whole: Option<&Metadata>) {
        self.schema.get_or_insert_with(|| document::of_schema(schema, whole));
    }

    fn message(&mut self, view: &MessageView<'_>) {
        self.messages.push(Group::of(view));
        let (buffers, messages) = (&mut self.buffers, &self.messages);
        self.facts.add(InspectItem::Message(view), &mut |span| buffers.push(span, messages));
        match &view.header {
            Ok(Header::Schema(schema)) => self.schema(schema, view.metadata.as_ref().ok()),
            Ok(Header::RecordBatch(_) | Header::DictionaryBatch { .. })
                if matches!(view.buffer_map, Some(Ok(_))) => {}
            Ok(_) | Err(_) => self.whole_body(view),
        }
    }

    /// Adds a body whose buffers are unknown, as a single item.
    fn whole_body(&mut self, view: &MessageView<'_>) {
        let start = view.message.body_position();
        let n_bytes = view.message.n_body_bytes();
        if n_bytes > 0 {
            let mut span = BufferSpan::whole_body(start, n_bytes);
            span.cut_at(start.saturating_add(view.n_body_bytes()));
            self.buffers.push(span, &self.messages);
        }
    }
}

fn bounds_in(footer: &Footer) -> BoundTexts {
    let Some(known) = FileStatistics::of_footer(footer) else { return BoundTexts::new() };
    let texts = known.columns().filter_map(|path| {
        let field = footer.schema().field_by_path(path)?;
        let bounds = known.bounds_of_all(path);
        let text = |bound: Option<Scalar>| {
            let array = bound?.as_array().data().clone();
            Some(ColumnText::try_with_field(&array, field, CELL_STYLE).ok()?.value(0).to_string())
        };
        Some((path.to_string(), [text(bounds.min), text(bounds.max)]))
    });
    texts.filter(|(_, bounds)| bounds.iter().any(Option::is_some)).collect()
}

impl InspectSink for HtmlReport {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        if !matches!(item, InspectItem::Message(_)) {
            self.facts.add(item, &mut |_| ());
        }
        match item {
            InspectItem::Container(container, n_bytes) => {
                self.container = Some(container);
                self.n_bytes = n_bytes;
            }
            InspectItem::FooterSchema(schema) => self.schema(schema, None),
            InspectItem::Message(view) => self.message(view),
            InspectItem::End { position, is_marked } => {
                if self.ends.len() < MAX_ENDS {
                    self.ends.push((position, is_marked));
                }
            }
            InspectItem::Footer { footer, n_bytes } => {
                self.footer = Some(document::of_footer(footer, n_bytes));
                self.bounds = bounds_in(footer);
            }
        }
        ControlFlow::Continue(())
    }
}
