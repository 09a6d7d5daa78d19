//! Writes messages as JSON objects.

use std::{
    io::{self, Write},
    ops::ControlFlow,
};

use arrow_ipc::{
    BufferDescription,
    file::{Block, Footer},
    message::{Header, Message},
};
use arrow_ipc_tools::{
    InputName, InspectSink,
    inspect::{InspectItem, Length, Listing, MessageView},
};
use serde_core::ser::SerializeMap;
use serde_json::Value;

use super::{AsText, Items, JsonMembers, JsonObject, Pairs, write_line};
use crate::describe::container_name;

/// Converts the results of an inspection to JSON objects, and passes each to a function. The member `what` has the
/// kind of the result. `JSON.md` of `arrow-ipc-cli` lists all members.
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
        if is_of_footer(item) { ControlFlow::Continue(()) } else { (self.give)(JsonObject(item).to_value()) }
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
        if is_of_footer(item) {
            return ControlFlow::Continue(());
        }
        let object = JsonObject(NamedItem { item, input: self.input.take() });
        self.written = write_line(&mut self.out, &object);
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Whether the item is the schema of the footer, which is written as part of the footer.
fn is_of_footer(item: InspectItem<'_>) -> bool {
    matches!(item, InspectItem::FooterSchema(_))
}

/// A result, and the name of the input if this is the first result.
struct NamedItem<'a> {
    item: InspectItem<'a>,
    input: Option<String>,
}

impl JsonMembers for NamedItem<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        self.item.serialize_members(object)?;
        self.input.iter().try_for_each(|input| object.serialize_entry("input", input))
    }
}

impl JsonMembers for InspectItem<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        match self {
            InspectItem::Container(container, n_bytes) => {
                object.serialize_entry("what", "container")?;
                object.serialize_entry("container", container_name(*container))?;
                object.serialize_entry("n_bytes", n_bytes)
            }
            InspectItem::FooterSchema(schema) => schema.serialize_members(object),
            InspectItem::Message(view) => view.serialize_members(object),
            InspectItem::End { position, is_marked } => {
                object.serialize_entry("what", "end")?;
                object.serialize_entry("position", position)?;
                object.serialize_entry("is_marked", is_marked)
            }
            InspectItem::Footer { footer, n_bytes } => serialize_footer(footer, *n_bytes, object),
        }
    }
}

impl JsonMembers for MessageView<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let message = self.message;
        object.serialize_entry("what", "message")?;
        object.serialize_entry("index", &self.index)?;
        object.serialize_entry("position", &message.position())?;
        object.serialize_entry("kind", &AsText(message.kind()))?;
        object.serialize_entry("version", &AsText(format_args!("{:?}", message.version())))?;
        object.serialize_entry("legacy_framing", &message.has_legacy_framing())?;
        object.serialize_entry("n_metadata_bytes", &message.n_metadata_bytes())?;
        object.serialize_entry("n_body_bytes", &message.n_body_bytes())?;
        object.serialize_entry("n_rows", &self.n_rows())?;
        serialize_header(self, object)?;
        if let Some(compressed) = &self.compression {
            object.serialize_entry("compression", &AsText(compressed.codec))?;
            object.serialize_entry("n_decompressed_bytes", &compressed.n_decompressed_bytes())?;
        }
        match self.listing {
            Listing::NoFooter => {}
            Listing::Block(block_idx) => object.serialize_entry("block", &block_idx)?,
            Listing::Missing => object.serialize_entry("block", &None::<u64>)?,
        }
        serialize_lists(self, object)
    }
}

fn serialize_header<M: SerializeMap>(view: &MessageView<'_>, object: &mut M) -> Result<(), M::Error> {
    match &view.header {
        Ok(Header::Schema(schema)) => object.serialize_entry("schema", &JsonObject(schema)),
        Ok(Header::DictionaryBatch { id, is_delta, .. }) => {
            object.serialize_entry("dictionary_id", id)?;
            object.serialize_entry("is_delta", is_delta)?;
            object.serialize_entry("is_replacement", &view.is_replacement)
        }
        Ok(Header::RecordBatch(_) | Header::Tensor | Header::SparseTensor) => {
            let mut tensor = view.tensor.iter();
            tensor.try_for_each(|tensor| object.serialize_entry("tensor", &JsonObject(tensor)))
        }
        Err(error) => object.serialize_entry("error", &AsText(error)),
    }
}

/// Writes the metadata and the buffers.
fn serialize_lists<M: SerializeMap>(view: &MessageView<'_>, object: &mut M) -> Result<(), M::Error> {
    if let Ok(metadata) = &view.metadata {
        object.serialize_entry("custom_metadata", &Pairs(metadata))?;
    }
    if !matches!(view.buffer_map, Some(Ok(_))) {
        return Ok(());
    }
    let message = view.message;
    let buffer = |(buffer, length)| JsonObject(BufferJson { message, buffer, length });
    object.serialize_entry("buffers", &Items(|| view.buffers().map(buffer)))
}

struct BufferJson<'a> {
    message: &'a Message,
    buffer: BufferDescription,
    length: Option<Length>,
}

impl JsonMembers for BufferJson<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let BufferDescription { path, role, range, .. } = &self.buffer;
        object.serialize_entry("field", &AsText(path))?;
        object.serialize_entry("role", &AsText(role))?;
        object.serialize_entry("position", &self.message.body_position().saturating_add(range.start()))?;
        object.serialize_entry("n_bytes", &range.n_bytes())?;
        let Some(length) = &self.length else { return Ok(()) };
        object.serialize_entry("is_raw", &length.is_raw())?;
        object.serialize_entry("n_decompressed_bytes", &length.n_bytes())
    }
}

fn serialize_footer<M: SerializeMap>(footer: &Footer, n_bytes: u64, object: &mut M) -> Result<(), M::Error> {
    object.serialize_entry("what", "footer")?;
    object.serialize_entry("position", &footer.position())?;
    object.serialize_entry("n_bytes", &n_bytes)?;
    object.serialize_entry("schema", &JsonObject(footer.ipc_schema()))?;
    object.serialize_entry("dictionaries", &Items(|| footer.dictionaries().iter().map(JsonObject)))?;
    object.serialize_entry("record_batches", &Items(|| footer.batches().iter().map(JsonObject)))?;
    object.serialize_entry("custom_metadata", &Pairs(footer.metadata()))
}

impl JsonMembers for Block {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("position", &self.position())?;
        object.serialize_entry("n_metadata_bytes", &self.n_metadata_bytes())?;
        object.serialize_entry("n_body_bytes", &self.n_body_bytes())
    }
}
