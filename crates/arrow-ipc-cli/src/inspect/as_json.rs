//! Messages as JSON, one object per line, for other programs.

use std::io::{self, Write};

use arrow_ipc::{Block, BufferDescription, Container, Footer, Header, Message};

use super::{
    as_text::footer_bytes,
    lengths::Length,
    view::{End, Listing, MessageView, Report},
};
use crate::{
    json::Json,
    schema::schema_members,
    tensors::{dense_members, sparse_members},
};

/// Writes lines; the member `what` of each says what it is.
pub(super) struct JsonReport<W> {
    out: W,
}

type Members = Vec<(&'static str, Json)>;

impl<W: Write> JsonReport<W> {
    pub(super) fn new(out: W) -> JsonReport<W> {
        JsonReport { out }
    }

    fn line(&mut self, members: Members) -> io::Result<()> {
        writeln!(self.out, "{}", Json::Object(members))
    }
}

impl<W: Write> Report for JsonReport<W> {
    fn container(&mut self, container: Container, n_bytes: Option<u64>) -> io::Result<()> {
        let kind = if container == Container::File { "file" } else { "stream" };
        self.line(vec![
            ("what", Json::from("container")),
            ("container", Json::from(kind)),
            ("n_bytes", Json::from(n_bytes)),
        ])
    }

    fn message(&mut self, view: &MessageView<'_>) -> io::Result<()> {
        let message = view.message;
        let mut members = vec![
            ("what", Json::from("message")),
            ("index", Json::from(view.index)),
            ("position", Json::from(message.position())),
            ("kind", Json::display(message.kind())),
            ("version", Json::Text(format!("{:?}", message.version()))),
            ("legacy_framing", Json::from(message.has_legacy_framing())),
            ("n_metadata_bytes", Json::from(message.n_metadata_bytes())),
            ("n_body_bytes", Json::from(message.n_body_bytes())),
            ("n_rows", Json::from(view.n_rows())),
        ];
        match &view.header {
            Ok(Header::Schema(schema)) => members.push(("schema", Json::Object(schema_members(schema)))),
            Ok(Header::DictionaryBatch { id, is_delta, .. }) => {
                members.push(("dictionary_id", Json::from(*id)));
                members.push(("is_delta", Json::from(*is_delta)));
                members.push(("is_replacement", Json::from(view.is_replacement)));
            }
            Ok(Header::Tensor(tensor)) => members.push(("tensor", dense_members(tensor))),
            Ok(Header::SparseTensor(tensor)) => members.push(("tensor", sparse_members(tensor))),
            Ok(_) => {}
            Err(error) => members.push(("error", Json::display(error))),
        }
        if let Some(compressed) = &view.compression {
            members.push(("compression", Json::display(compressed.codec)));
            members.push(("n_decompressed_bytes", Json::from(compressed.n_decompressed_bytes())));
        }
        match view.listing {
            Listing::NoFooter => {}
            Listing::Block(block_idx) => members.push(("block", Json::from(block_idx as u64))),
            Listing::Missing => members.push(("block", Json::Null)),
        }
        if let Ok(metadata) = &view.metadata {
            members.push(("custom_metadata", Json::pairs(metadata)));
        }
        if let Some(Ok(_)) = &view.buffers {
            let buffers = view.buffers().map(|(buffer, length)| buffer_as_json(message, buffer, length));
            members.push(("buffers", Json::List(buffers.collect())));
        }
        self.line(members)
    }

    fn end(&mut self, end: End) -> io::Result<()> {
        self.line(vec![
            ("what", Json::from("end")),
            ("position", Json::from(end.position)),
            ("is_marked", Json::from(end.is_marked)),
        ])
    }

    fn footer(&mut self, footer: &Footer, file_bytes: u64) -> io::Result<()> {
        self.line(vec![
            ("what", Json::from("footer")),
            ("position", Json::from(footer.position())),
            ("n_bytes", Json::from(footer_bytes(footer, file_bytes))),
            ("schema", Json::Object(schema_members(footer.schema()))),
            ("dictionaries", blocks_as_json(footer.dictionaries())),
            ("record_batches", blocks_as_json(footer.batches())),
            ("custom_metadata", Json::pairs(footer.metadata())),
        ])
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn buffer_as_json(message: &Message, buffer: &BufferDescription, length: Option<Length>) -> Json {
    let position = message.body_position().saturating_add(buffer.range.start());
    let mut members = vec![
        ("field", Json::display(&buffer.path)),
        ("role", Json::display(buffer.role)),
        ("position", Json::from(position)),
        ("n_bytes", Json::from(buffer.range.n_bytes())),
    ];
    if let Some(length) = length {
        members.push(("is_raw", Json::from(length.is_raw())));
        members.push(("n_decompressed_bytes", Json::from(length.n_bytes())));
    }
    Json::Object(members)
}

fn blocks_as_json(blocks: &[Block]) -> Json {
    let block = |block: &Block| {
        Json::Object(vec![
            ("position", Json::from(block.position())),
            ("n_metadata_bytes", Json::from(block.n_metadata_bytes())),
            ("n_body_bytes", Json::from(block.n_body_bytes())),
        ])
    };
    Json::List(blocks.iter().map(block).collect())
}
