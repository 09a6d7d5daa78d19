//! Messages as JSON, one object each.

use std::ops::ControlFlow;

use arrow_ipc::{Block, BufferDescription, Container, Header, Message};
use serde_json::Value;

use super::{Members, display, object, pairs, schema::schema_members, tensor::tensor_members};
use crate::inspect::{End, FooterView, InspectReport, Length, Listing, MessageView};

/// Gives what an inspection finds as JSON objects, in order; the member `what` is their kind. The README of the program
/// describes them.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use arrow_ipc::{StreamWriter, WriteOptions};
/// use arrow_ipc_tools::{InspectOptions, Input, JsonReport, inspect};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema, WriteOptions::new())?.finish()?;
/// let mut found = Vec::new();
/// let mut report = JsonReport::new(|object| {
///     found.push(object);
///     ControlFlow::Continue(())
/// });
/// inspect(Input::try_from_buffer("stream", stream.into())?, &InspectOptions::new(), &mut report)?;
/// let kinds: Vec<_> = found.iter().filter_map(|object| object["what"].as_str()).collect();
/// assert_eq!(kinds, ["container", "message", "end"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JsonReport<F> {
    give: F,
}

impl<F: FnMut(Value) -> ControlFlow<()>> JsonReport<F> {
    /// Gives each object to a function, which may stop the inspection.
    pub fn new(give: F) -> JsonReport<F> {
        JsonReport { give }
    }

    fn give(&mut self, members: Members) -> ControlFlow<()> {
        (self.give)(object(members))
    }
}

impl<F: FnMut(Value) -> ControlFlow<()>> InspectReport for JsonReport<F> {
    fn container(&mut self, container: Container, n_bytes: Option<u64>) -> ControlFlow<()> {
        let kind = if container == Container::File { "file" } else { "stream" };
        self.give(vec![
            ("what", Value::from("container")),
            ("container", Value::from(kind)),
            ("n_bytes", Value::from(n_bytes)),
        ])
    }

    fn message(&mut self, view: &MessageView<'_>) -> ControlFlow<()> {
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
            Ok(header) => members.extend(tensor_members(header).map(|members| ("tensor", members))),
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
        if let Ok(metadata) = &view.metadata {
            members.push(("custom_metadata", pairs(metadata)));
        }
        if let Some(Ok(_)) = &view.buffers {
            let buffers = view.buffers().map(|(buffer, length)| buffer_as_json(message, buffer, length));
            members.push(("buffers", Value::Array(buffers.collect())));
        }
        self.give(members)
    }

    fn end(&mut self, end: End) -> ControlFlow<()> {
        self.give(vec![
            ("what", Value::from("end")),
            ("position", Value::from(end.position)),
            ("is_marked", Value::from(end.is_marked)),
        ])
    }

    fn footer(&mut self, view: FooterView<'_>) -> ControlFlow<()> {
        let footer = view.footer;
        self.give(vec![
            ("what", Value::from("footer")),
            ("position", Value::from(footer.position())),
            ("n_bytes", Value::from(view.n_bytes())),
            ("schema", object(schema_members(footer.schema()))),
            ("dictionaries", blocks_as_json(footer.dictionaries())),
            ("record_batches", blocks_as_json(footer.batches())),
            ("custom_metadata", pairs(footer.metadata())),
        ])
    }
}

fn buffer_as_json(message: &Message, buffer: &BufferDescription, length: Option<Length>) -> Value {
    let position = message.body_position().saturating_add(buffer.range.start());
    let mut members = vec![
        ("field", display(&buffer.path)),
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

fn blocks_as_json(blocks: &[Block]) -> Value {
    let block = |block: &Block| {
        object(vec![
            ("position", Value::from(block.position())),
            ("n_metadata_bytes", Value::from(block.n_metadata_bytes())),
            ("n_body_bytes", Value::from(block.n_body_bytes())),
        ])
    };
    Value::Array(blocks.iter().map(block).collect())
}
