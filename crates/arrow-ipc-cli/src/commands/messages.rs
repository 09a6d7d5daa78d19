//! Shows messages as aligned lines.

use std::{
    fmt,
    io::{self, Write},
    ops::ControlFlow,
    sync::Arc,
};

use arrow_ipc::{
    Container, Endianness, ErrorClass, IpcSchema, MessageKind, MetadataVersion,
    file::{Block, Footer},
    message::Header,
};
use arrow_ipc_report::{feature_name, ratio_of, tensor_note};
use arrow_ipc_tools::{
    InspectSink,
    inspect::{CompressedBody, InspectItem, Length, Listing, MessageView},
};
use arrow_schema::{Metadata, Schema};
use arrow_text::format::{Counted, Escaped};

use crate::{
    commands::schema::metadata_of_fields,
    context::Context,
    terminal::{color::TextRole, fitting},
};

/// Writes each message as a line as soon as it has been read. Columns therefore have fixed widths.
pub(crate) struct TextReport<'a, W> {
    context: &'a Context,
    out: W,
    /// The first error of the output. It stops the inspection.
    written: io::Result<()>,
    has_title: bool,
    /// The metadata version of the previous message.
    version: Option<MetadataVersion>,
    /// The last schema whose metadata was shown.
    schema: Option<Arc<Schema>>,
    /// A note that the schema comes from the footer. Empty if there was a schema message.
    footer_note: &'static str,
}

impl<'a, W: Write> TextReport<'a, W> {
    pub(crate) fn new(context: &'a Context, out: W) -> TextReport<'a, W> {
        TextReport {
            context,
            out,
            written: Ok(()),
            has_title: false,
            version: None,
            schema: None,
            footer_note: "",
        }
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// If a line could not be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.written?;
        self.out.flush()
    }

    fn metadata(&mut self, of: impl fmt::Display, metadata: &Metadata) -> io::Result<()> {
        if metadata.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "{}", fitting(&format!("{:9}{of}: {metadata}", "")))
    }

    /// Shows the metadata of a schema and of its fields, unless it was already shown.
    fn metadata_of_schema(&mut self, schema: &Arc<Schema>) -> io::Result<()> {
        if self.schema.as_ref() == Some(schema) {
            return Ok(());
        }
        self.metadata("metadata of the schema", schema.metadata())?;
        for (path, metadata) in metadata_of_fields(schema.fields()) {
            self.metadata(format_args!("metadata of field {}", path.brief()), metadata)?;
        }
        self.schema = Some(Arc::clone(schema));
        Ok(())
    }

    fn blocks(&mut self, kind: MessageKind, blocks: &[Block]) -> io::Result<()> {
        for (block_idx, block) in blocks.iter().enumerate() {
            let (position, metadata, body) =
                (block.position(), block.n_metadata_bytes(), block.n_body_bytes());
            let kind = kind.to_string();
            writeln!(self.out, "{block_idx:>7}  {position:>10}  {kind:<16}  {metadata:>8}  {body:>11}")?;
        }
        Ok(())
    }
}

impl<W: Write> InspectSink for TextReport<'_, W> {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        self.written = match item {
            InspectItem::Container(container, n_bytes) => self.write_container(container, n_bytes),
            InspectItem::FooterSchema(_) => {
                self.footer_note = ", without a schema message before the batches";
                Ok(())
            }
            InspectItem::Message(view) => self.write_message(view),
            InspectItem::End { position, is_marked } => {
                write!(self.out, "\nthe messages end at byte {position}, where ").and_then(|()| {
                    if is_marked {
                        return writeln!(self.out, "the end is marked");
                    }
                    writeln!(self.out, "{}", self.context.on_stdout(TextRole::Problem, "no end is marked"))
                })
            }
            InspectItem::Footer { footer, n_bytes } => self.write_footer(footer, n_bytes),
        };
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl<W: Write> TextReport<'_, W> {
    fn write_container(&mut self, container: Container, n_bytes: Option<u64>) -> io::Result<()> {
        write!(self.out, "{container}")?;
        match n_bytes {
            Some(n_bytes) => writeln!(self.out, " of {}", Counted(n_bytes, "byte")),
            None => writeln!(self.out),
        }
    }

    fn write_message(&mut self, view: &MessageView<'_>) -> io::Result<()> {
        if !self.has_title {
            let title = ("message", "position", "kind", "metadata", "body", "rows");
            let (message, position, kind, metadata, body, rows) = title;
            let title = format!(
                "{message:>7}  {position:>10}  {kind:<13}  {metadata:>8}  {body:>11}  {rows:>10}  notes"
            );
            writeln!(self.out, "\n{}", self.context.on_stdout(TextRole::Title, title))?;
            self.has_title = true;
        }
        let message = view.message;
        let index = view.index.map_or_else(|| "-".to_owned(), |index| index.to_string());
        let rows = view.n_rows().map_or_else(|| "-".to_owned(), |n_rows| n_rows.to_string());
        let position = message.position();
        let kind = kind(view);
        let metadata = message.n_metadata_bytes();
        let body = message.n_body_bytes();
        let notes = notes(view, self.version);
        let notes: Vec<String> = notes.iter().map(|note| note.shown(self.context)).collect();
        let notes = notes.join(", ");
        self.version = Some(message.version());
        writeln!(
            self.out,
            "{}",
            format!("{index:>7}  {position:>10}  {kind:<13}  {metadata:>8}  {body:>11}  {rows:>10}  {notes}")
                .trim_end()
        )?;
        if let Ok(metadata) = &view.metadata {
            self.metadata("custom metadata", metadata)?;
        }
        if let Ok(Header::Schema(schema)) = &view.header {
            self.metadata_of_schema(schema.schema())?;
        }
        for (buffer, length) in view.buffers() {
            let start = message.body_position().saturating_add(buffer.range.start());
            let role = buffer.role.to_string();
            let n_bytes = buffer.range.n_bytes();
            let role = self.context.on_stdout(TextRole::Type, format!("{role:<21}"));
            let path = self.context.on_stdout(TextRole::Title, buffer.path);
            write!(self.out, "{:7}  {start:>10}    {role}  {n_bytes:>11}{:12}  {path}", "", "")?;
            match length {
                Some(Length::Frame(n_bytes)) => writeln!(self.out, ", from {}", Counted(n_bytes, "byte"))?,
                Some(Length::Raw(n_bytes)) if n_bytes > 0 => writeln!(self.out, ", not compressed")?,
                _ => writeln!(self.out)?,
            }
        }
        Ok(())
    }

    fn write_footer(&mut self, footer: &Footer, n_bytes: u64) -> io::Result<()> {
        let position = footer.position();
        let schema = footer.ipc_schema();
        let notes = (schema_note(schema), self.footer_note);
        let n_bytes = Counted(n_bytes, "byte");
        writeln!(self.out, "\nfooter at byte {position} with {n_bytes}, {}{}", notes.0, notes.1)?;
        self.metadata("custom metadata", &without_base64(footer.metadata()))?;
        self.metadata_of_schema(schema.schema())?;
        if footer.dictionaries().is_empty() && footer.batches().is_empty() {
            return Ok(());
        }
        let title = ("block", "position", "kind", "metadata", "body");
        let (block, position, kind, metadata, body) = title;
        let title = format!("{block:>7}  {position:>10}  {kind:<16}  {metadata:>8}  {body:>11}");
        writeln!(self.out, "{}", self.context.on_stdout(TextRole::Title, title))?;
        self.blocks(MessageKind::DictionaryBatch, footer.dictionaries())?;
        self.blocks(MessageKind::RecordBatch, footer.batches())
    }
}

/// The metadata of a footer, with the length of the statistics instead of their base64 text.
fn without_base64(metadata: &Metadata) -> Metadata {
    const KEY: &str = Footer::STATISTICS_KEY;
    let length = metadata.get(KEY).map(|value| format!("... {} bytes", value.len()));
    length.map_or_else(|| metadata.clone(), |length| metadata.without(KEY).with(KEY, length))
}

fn kind(view: &MessageView<'_>) -> String {
    match &view.header {
        Ok(Header::DictionaryBatch { id, is_delta: true, .. }) => format!("delta of dictionary {id}"),
        Ok(Header::DictionaryBatch { id, .. }) => format!("dictionary {id}"),
        _ => view.message.kind().to_string(),
    }
}

fn schema_note(schema: &IpcSchema) -> String {
    let n_unsupported = schema.unsupported_columns().len();
    let n_columns = schema.schema().fields().len() + n_unsupported;
    let columns = if n_columns == 1 { "column" } else { "columns" };
    let unsupported =
        if n_unsupported > 0 { format!(", {n_unsupported} unsupported") } else { String::new() };
    let order = if schema.endianness() == Endianness::Big { ", big-endian" } else { "" };
    let features = schema.features().iter().map(|feature| format!(", needs {}", feature_name(*feature)));
    format!("{n_columns} {columns}{unsupported}{order}{}", features.collect::<String>())
}

/// The word that replaces the kind of a message with an unreadable header.
fn word_for(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Unsupported => "unsupported",
        ErrorClass::LimitExceeded => "over a limit",
        ErrorClass::OutOfMemory => "out of memory",
        _ => "malformed",
    }
}

/// A note about a message.
enum Note {
    Fact(String),
    Problem(String),
}

impl Note {
    /// The note without control characters, with a colour if it is a problem and standard output has colours.
    fn shown(&self, context: &Context) -> String {
        match self {
            Note::Fact(text) => Escaped(text).to_string(),
            Note::Problem(text) => context.on_stdout(TextRole::Problem, Escaped(text)).to_string(),
        }
    }
}

/// The notes about a message. If its metadata version differs from `known`, the version of the previous message, the
/// version is also a note.
fn notes(view: &MessageView<'_>, known: Option<MetadataVersion>) -> Vec<Note> {
    let version = view.message.version();
    let mut notes = Vec::new();
    if known.is_none_or(|known| known != version) {
        notes.push(Note::Fact(format!("{version:?}")));
    }
    match &view.header {
        Ok(Header::Schema(schema)) => notes.push(Note::Fact(schema_note(schema))),
        Ok(_) => {}
        Err(error) => notes.push(Note::Problem(format!("{}: {error}", word_for(error.class())))),
    }
    notes.extend(view.tensor.as_ref().map(tensor_note).map(Note::Fact));
    notes.extend(view.framing_note().map(str::to_owned).map(Note::Fact));
    if view.is_replacement {
        notes.push(Note::Fact("replaces the one before".to_owned()));
    }
    let compression = |body| Note::Fact(compression_note(body, view.message.n_body_bytes()));
    notes.extend(view.compression.as_ref().map(compression));
    match view.listing {
        Listing::NoFooter => {}
        Listing::Block(block_idx) => notes.push(Note::Fact(format!("block {block_idx}"))),
        Listing::Missing => notes.push(Note::Problem("not in the footer".to_owned())),
    }
    notes
}

/// Describes the codec of a body, its decompressed length, and the ratio.
fn compression_note(body: &CompressedBody, n_body_bytes: u64) -> String {
    let codec = body.codec;
    match body.n_decompressed_bytes() {
        Some(n_bytes) if n_bytes > 0 && n_body_bytes > 0 => {
            let ratio = ratio_of(n_bytes, n_body_bytes);
            format!("compressed with {codec} from {}, {ratio}", Counted(n_bytes, "byte"))
        }
        _ => format!("compressed with {codec}"),
    }
}
