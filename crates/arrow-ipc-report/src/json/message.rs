//! Writes messages as JSON objects.

use std::{
    io::{self, Write},
    ops::ControlFlow,
};

use arrow_ipc::{
    BufferDescription, Container,
    file::{Block, Footer},
    message::{Header, Message},
};
use arrow_ipc_tools::{
    InputName, InspectSink,
    inspect::{InspectItem, Length, Listing, MessageView},
};
use serde_json::Value;

use super::{
    JsonItems, LongObject, display, each_pair, object, schema::schema_members, tensor::tensor_members,
};

/// Converts the results of an inspection to JSON objects, and passes each to a function. The member `what` has the
/// kind of the result. JSON.md of the repository lists all members.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::JsonReport;
/// use arrow_ipc_tools::{Input, InspectOptions, inspect};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let mut found = Vec::new();
/// let mut report = JsonReport::new(|object| {
///     found.push(object);
///     ControlFlow::Continue(())
/// });
/// inspect(Input::try_from_buffer("stream", stream.into())?, &InspectOptions::new(), &mut report, &mut ())?;
/// let kinds: Vec<_> = found.iter().filter_map(|object| object["what"].as_str()).collect();
/// assert_eq!(kinds, ["container", "message", "end"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JsonReport<F> {
    give: F,
}

impl<F: FnMut(Value) -> ControlFlow<()>> JsonReport<F> {
    /// Makes a report that calls `give` with each object. [`Break`](ControlFlow::Break) stops the inspection.
    pub fn new(give: F) -> JsonReport<F> {
        JsonReport { give }
    }
}

impl<F: FnMut(Value) -> ControlFlow<()>> InspectSink for JsonReport<F> {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        object_of(item).map_or(ControlFlow::Continue(()), |object| (self.give)(object.into_value()))
    }
}

/// Writes each result of an inspection as a line of JSON, with the members of [`JsonReport`]. Lists of buffers and
/// blocks are written item by item.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::JsonLinesReport;
/// use arrow_ipc_tools::{Input, InspectOptions, inspect};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let mut report = JsonLinesReport::new(Vec::new());
/// inspect(Input::try_from_buffer("stream", stream.into())?, &InspectOptions::new(), &mut report, &mut ())?;
/// assert!(report.finish()?.starts_with(b"{\"what\":\"container\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonLinesReport<W> {
    out: W,
    /// The name of the input, until it is written with the first object; `None` to not write it.
    input: Option<String>,
    /// The first error of the output. It stops the inspection.
    written: io::Result<()>,
}

impl<W: Write> JsonLinesReport<W> {
    /// Makes a report that writes to `out`. `out` should be buffered, because the report makes many short writes.
    pub fn new(out: W) -> JsonLinesReport<W> {
        JsonLinesReport { out, input: None, written: Ok(()) }
    }

    /// Adds the name of the input to the first object, as its member `input`. An output about several inputs then
    /// shows where each begins.
    #[must_use]
    pub fn with_input(self, input: &InputName) -> JsonLinesReport<W> {
        JsonLinesReport { input: Some(input.to_string()), ..self }
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    /// If a line could not be written. The inspection then ended with [`Stopped`](arrow_ipc_tools::ToolErrorKind::Stopped).
    pub fn finish(mut self) -> io::Result<W> {
        self.written?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> InspectSink for JsonLinesReport<W> {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        let Some(mut object) = object_of(item) else { return ControlFlow::Continue(()) };
        object.members.extend(self.input.take().map(|input| ("input", Value::from(input))));
        self.written = object.write_line(&mut self.out);
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The JSON object for a result. `None` for the schema of the footer, which is written as part of the footer.
fn object_of(item: InspectItem<'_>) -> Option<LongObject<'_>> {
    match item {
        InspectItem::Container(container, n_bytes) => Some(of_container(container, n_bytes)),
        InspectItem::FooterSchema(_) => None,
        InspectItem::Message(view) => Some(of_message(view)),
        InspectItem::End { position, is_marked } => {
            let members = vec![
                ("what", Value::from("end")),
                ("position", Value::from(position)),
                ("is_marked", Value::from(is_marked)),
            ];
            Some(LongObject { members, lists: Vec::new() })
        }
        InspectItem::Footer { footer, n_bytes } => Some(of_footer(footer, n_bytes)),
    }
}

fn of_container(container: Container, n_bytes: Option<u64>) -> LongObject<'static> {
    let kind = if container == Container::File { "file" } else { "stream" };
    let members = vec![
        ("what", Value::from("container")),
        ("container", Value::from(kind)),
        ("n_bytes", Value::from(n_bytes)),
    ];
    LongObject { members, lists: Vec::new() }
}

fn of_message<'a>(view: &'a MessageView<'a>) -> LongObject<'a> {
    let message = view.message;
    let mut members = vec![
        ("what", Value::from("message")),
        ("index", Value::from(view.index)),
        ("position", Value::from(message.position())),
        ("kind", display(message.kind())),
        ("version", Value::String(format!("{:?}", message.version()))),
        ("legacy_framing", Value::from(message.has_legacy_framing())),
        ("n_metadata_bytes", Value::from(message.n_metadata_bytes())),
        ("n_body_bytes", Value::from(message.n_body_bytes())),
        ("n_rows", Value::from(view.n_rows())),
    ];
    match &view.header {
        Ok(Header::Schema(schema)) => members.push(("schema", object(schema_members(schema)))),
        Ok(Header::DictionaryBatch { id, is_delta, .. }) => {
            members.push(("dictionary_id", Value::from(*id)));
            members.push(("is_delta", Value::from(*is_delta)));
            members.push(("is_replacement", Value::from(view.is_replacement)));
        }
        Ok(Header::RecordBatch(_) | Header::Tensor | Header::SparseTensor) => {
            members.extend(view.tensor.as_ref().map(|tensor| ("tensor", tensor_members(tensor))));
        }
        Err(error) => members.push(("error", display(error))),
    }
    if let Some(compressed) = &view.compression {
        members.push(("compression", display(compressed.codec)));
        members.push(("n_decompressed_bytes", Value::from(compressed.n_decompressed_bytes())));
    }
    match view.listing {
        Listing::NoFooter => {}
        Listing::Block(block_idx) => members.push(("block", Value::from(block_idx as u64))),
        Listing::Missing => members.push(("block", Value::Null)),
    }
    let mut lists: Vec<(&'static str, JsonItems<'a>)> = Vec::new();
    if let Ok(metadata) = &view.metadata {
        lists.push(("custom_metadata", Box::new(each_pair(metadata))));
    }
    if let Some(Ok(_)) = &view.buffer_map {
        let buffers = view.buffers().map(|(buffer, length)| buffer_as_json(message, &buffer, length));
        lists.push(("buffers", Box::new(buffers)));
    }
    LongObject { members, lists }
}

fn of_footer(footer: &Footer, n_bytes: u64) -> LongObject<'_> {
    let members = vec![
        ("what", Value::from("footer")),
        ("position", Value::from(footer.position())),
        ("n_bytes", Value::from(n_bytes)),
        ("schema", object(schema_members(footer.ipc_schema()))),
    ];
    let lists: Vec<(&'static str, JsonItems<'_>)> = vec![
        ("dictionaries", Box::new(footer.dictionaries().iter().map(block_as_json))),
        ("record_batches", Box::new(footer.batches().iter().map(block_as_json))),
        ("custom_metadata", Box::new(each_pair(footer.metadata()))),
    ];
    LongObject { members, lists }
}

fn buffer_as_json(message: &Message, buffer: &BufferDescription, length: Option<Length>) -> Value {
    let position = message.body_position().saturating_add(buffer.range.start());
    let mut members = vec![
        ("field", display(&*buffer.path)),
        ("role", display(buffer.role)),
        ("position", Value::from(position)),
        ("n_bytes", Value::from(buffer.range.n_bytes())),
    ];
    if let Some(length) = length {
        members.push(("is_raw", Value::from(length.is_raw())));
        members.push(("n_decompressed_bytes", Value::from(length.n_bytes())));
    }
    object(members)
}

fn block_as_json(block: &Block) -> Value {
    object(vec![
        ("position", Value::from(block.position())),
        ("n_metadata_bytes", Value::from(block.n_metadata_bytes())),
        ("n_body_bytes", Value::from(block.n_body_bytes())),
    ])
}
