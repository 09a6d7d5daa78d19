//! Shows an inspection as an HTML page: one file that loads no other files.

mod buffers;
mod document;
mod messages;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    io::{self, Write},
    ops::ControlFlow,
};

use arrow_array::{ColumnText, Scalar, TextStyle};
use arrow_ipc::{
    Container, IpcSchema,
    file::Footer,
    message::{BatchHeader, Header},
};
use arrow_ipc_statistics::FileStatistics;
use arrow_ipc_tools::{
    InputName, InspectReport, InspectSink,
    inspect::{InspectItem, MessageView},
};
use arrow_schema::Metadata;
use serde_json::Value;

use self::{
    buffers::Buffers,
    messages::{Group, Groups},
};
use crate::totals::{BatchTotals, BufferFields, BufferSpan};

/// Collects the results of an inspection, and writes them as a page. The page has a strip that shows the bytes of the
/// input to scale, and tables of messages, fields and buffers. To show buffers, inspect
/// [`with_buffers`](arrow_ipc_tools::InspectOptions::with_buffers).
///
/// Names and values from the input are data in the page, never markup. A policy in the page forbids the browser to
/// load other files or run other scripts.
///
/// The memory and the length of the page are limited. If there are more than 20,000 buffers or 4,096 messages,
/// adjacent ones are joined, the smallest first. The totals of fields stay exact. After 20,000 fields, or 2 MiB of
/// names and types, all further fields are joined into one.
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
#[derive(Debug, Default)]
pub struct HtmlReport {
    name: String,
    container: Option<Container>,
    n_bytes: Option<u64>,
    schema: Option<Value>,
    messages: Groups,
    counts: BatchTotals,
    fields: BufferFields,
    buffers: Buffers,
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
        HtmlReport { name: name.to_string(), ..HtmlReport::default() }
    }

    /// Writes the page, with the damage and the notes of the inspection.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub fn write_to(mut self, inspected: &InspectReport, out: &mut impl Write) -> io::Result<()> {
        self.buffers.merge(&self.messages);
        document::write(&self, inspected, out)
    }

    /// Adds the first schema of the input to the page; ignores all others. `whole` is the metadata of the schema
    /// message.
    fn schema(&mut self, schema: &IpcSchema, whole: Option<&Metadata>) {
        self.fields.begin_schema();
        self.schema.get_or_insert_with(|| document::of_schema(schema, whole));
    }

    fn message(&mut self, view: &MessageView<'_>) {
        self.counts.add(view);
        self.messages.push(Group::of(view));
        match &view.header {
            Ok(Header::Schema(schema)) => self.schema(schema, view.metadata.as_ref().ok()),
            Ok(Header::RecordBatch(batch)) => self.batch(view, batch, None),
            Ok(Header::DictionaryBatch { id, batch, .. }) => self.batch(view, batch, Some(*id)),
            Ok(_) | Err(_) => self.whole_body(view),
        }
    }

    /// Adds the buffers of a batch.
    fn batch(&mut self, view: &MessageView<'_>, batch: &BatchHeader, dictionary: Option<i64>) {
        let Some(Ok(map)) = &view.buffer_map else { return self.whole_body(view) };
        let buffers = &mut self.buffers;
        let messages = &self.messages;
        self.fields.each_span(view, map, batch, dictionary, |span| buffers.push(span, messages));
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
            Some(ColumnText::try_with_field(&array, field, TextStyle::Cell).ok()?.value(0).to_string())
        };
        Some((path.to_string(), [text(bounds.min), text(bounds.max)]))
    });
    texts.filter(|(_, bounds)| bounds.iter().any(Option::is_some)).collect()
}

impl InspectSink for HtmlReport {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
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
