//! Messages as JSON, one object per line, for other programs.

use std::io::{self, Write};

use arrow_ipc::{Block, BufferDescription, Container, Footer, Header, Message};

use serde_json::Value;

use super::{
    as_text::footer_bytes,
    lengths::Length,
    view::{End, Listing, MessageView, Report},
};
use crate::{
    json::{Line, Members, display, object, pairs},
    schema_json::schema_members,
    tensors::{dense_members, sparse_members},
};

/// Writes one object per line; its member `what` is its kind.
pub(super) struct JsonReport<W> {
    out: W,
}

impl<W: Write> JsonReport<W> {
    pub(super) fn new(out: W) -> JsonReport<W> {
        JsonReport { out }
    }

    fn line(&mut self, members: Members) -> io::Result<()> {
        writeln!(self.out, "{}", Line(&object(members)))
    }
}

impl<W: Write> Report for JsonReport<W> {
    fn container(&mut self, container: Container, n_bytes: Option<u64>) -> io::Result<()> {
        let kind = if container == Container::File { "file" } else { "stream" };
        self.line(vec![
            ("what", Value::from("container")),
            ("container", Value::from(kind)),
            ("n_bytes", Value::from(n_bytes)),
        ])
    }

    fn message(&mut self, view: &MessageView<'_>) -> io::Result<()> {
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
            Ok(Header::Tensor(tensor)) => members.push(("tensor", dense_members(tensor))),
            Ok(Header::SparseTensor(tensor)) => members.push(("tensor", sparse_members(tensor))),
            Ok(_) => {}
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
        self.line(members)
    }

    fn end(&mut self, end: End) -> io::Result<()> {
        self.line(vec![
            ("what", Value::from("end")),
            ("position", Value::from(end.position)),
            ("is_marked", Value::from(end.is_marked)),
        ])
    }

    fn footer(&mut self, footer: &Footer, file_bytes: u64) -> io::Result<()> {
        self.line(vec![
            ("what", Value::from("footer")),
            ("position", Value::from(footer.position())),
            ("n_bytes", Value::from(footer_bytes(footer, file_bytes))),
            ("schema", object(schema_members(footer.schema()))),
            ("dictionaries", blocks_as_json(footer.dictionaries())),
            ("record_batches", blocks_as_json(footer.batches())),
            ("custom_metadata", pairs(footer.metadata())),
        ])
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
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
