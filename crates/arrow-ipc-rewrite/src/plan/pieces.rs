//! Finds the magic, header, buffer, padding or footer that contains a byte of a planned stream or file.

use std::{fmt, ops::Range};

use arrow_data::Role;
use arrow_schema::FieldPath;

use super::{Plan, PlannedMessage};
use arrow_ipc::{Result, error::BlockIndex};
use arrow_ipc_format::{BatchHeaderBuilder, FILE_MAGIC, columns::ExtraValidity};

/// A magic, message header, buffer, padding or footer of a planned stream or file, with its range. [`Plan::at`]
/// returns it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedPiece<'a> {
    /// What the bytes are, such as a magic, a header or a buffer.
    pub part: PlannedPart<'a>,
    /// The range of the whole piece in the stream or file, in bytes.
    pub range: Range<u64>,
}

/// Says what a range of bytes in a planned stream or file contains. `Display` describes the content in words.
///
/// ```
/// use arrow_ipc::WrittenContainer;
/// use arrow_ipc_rewrite::plan::{Plan, PlanBuilder, PlannedPart};
/// use arrow_schema::Schema;
///
/// let plan = PlanBuilder::try_new(Schema::default(), WrittenContainer::Stream)?.finish()?;
/// assert_eq!(plan.at(0)?.part, PlannedPart::Schema);
/// assert_eq!(plan.at(plan.len() - 1)?.part.to_string(), "end of stream");
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannedPart<'a> {
    /// The magic at the start of a file.
    Magic,
    /// The schema message.
    Schema,
    /// The prefix and the metadata of a record batch or dictionary batch.
    Header(BlockIndex),
    /// A buffer of a batch.
    Buffer(PlannedBuffer<'a>),
    /// Zeros between buffers, after the last buffer of a batch, or after the magic. The value is the index of the
    /// batch; `None` for padding after the magic.
    Padding(Option<BlockIndex>),
    /// The marker at the end of the stream.
    EndOfStream,
    /// The footer of a file.
    Footer,
    /// The length of the footer.
    FooterLength,
    /// The magic at the end of a file.
    EndMagic,
}

/// One buffer of a planned batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedBuffer<'a> {
    /// The record batch or dictionary batch that contains the buffer.
    pub block: BlockIndex,
    /// The id of the dictionary; `None` in a record batch.
    pub dictionary_id: Option<i64>,
    /// The path of the field with this buffer.
    pub field: &'a FieldPath,
    /// The index of the field among all fields of the batch in pre-order, including nested fields.
    pub column: usize,
    /// The index of the buffer in the list of buffers of its message.
    pub buffer_idx: usize,
    /// What the buffer contains, such as validity or offsets.
    pub role: Role,
    /// The index of a data buffer of views; `None` for buffers of other roles.
    pub data_buffer_idx: Option<usize>,
    /// The length of the buffer in bytes, without padding.
    pub n_bytes: u64,
}

/// Iterates over the pieces that overlap a range, in order. The first and the last piece may extend beyond the range.
#[derive(Debug)]
pub(super) struct ImagePieces<'a> {
    image: &'a Plan,
    range: Range<u64>,
    /// The message of the last piece; `None` outside of messages.
    open: Option<OpenMessage<'a>>,
}

#[derive(Debug)]
struct OpenMessage<'a> {
    located: PlannedMessage,
    lists: BatchHeaderBuilder,
    pieces: Vec<PlannedPiece<'a>>,
}

impl<'a> ImagePieces<'a> {
    /// `range` must lie inside the image.
    pub(super) fn new(image: &'a Plan, range: Range<u64>) -> ImagePieces<'a> {
        ImagePieces { image, range, open: None }
    }

    /// The header of the message of the last piece; `None` outside of messages.
    pub(super) fn header(&self) -> Option<Result<arrow_buffer::Buffer>> {
        let open = self.open.as_ref()?;
        Some(self.image.header(open.located.shape_idx, &open.lists))
    }

    fn piece(&mut self) -> Result<Option<PlannedPiece<'a>>> {
        let image = self.image;
        let byte = self.range.start;
        if byte < image.start.len() as u64 {
            return Ok(piece_at(&image.start_pieces(), byte));
        }
        if byte >= image.end_position {
            return Ok(piece_at(&image.end_pieces(), byte));
        }
        if let Some(piece) = self.open.as_ref().and_then(|open| piece_at(&open.pieces, byte)) {
            return Ok(Some(piece));
        }
        let Some(located) = image.located_at(byte) else { return Ok(None) };
        // Consecutive messages often have the same shape, so their lists are the same.
        let lists = match self.open.take() {
            Some(open) if open.located.shape_idx == located.shape_idx => open.lists,
            _ => image.lists(located.shape_idx)?,
        };
        let pieces = image.message_pieces(&located, &lists);
        let piece = piece_at(&pieces, byte);
        self.open = Some(OpenMessage { located, lists, pieces });
        Ok(piece)
    }
}

impl<'a> Iterator for ImagePieces<'a> {
    type Item = Result<PlannedPiece<'a>>;

    fn next(&mut self) -> Option<Result<PlannedPiece<'a>>> {
        if self.range.is_empty() {
            return None;
        }
        let piece = self.piece().transpose()?;
        self.range.start = match &piece {
            Ok(piece) => piece.range.end,
            Err(_) => self.range.end,
        };
        Some(piece)
    }
}

fn piece_at<'a>(pieces: &[PlannedPiece<'a>], byte: u64) -> Option<PlannedPiece<'a>> {
    let idx = pieces.partition_point(|piece| piece.range.end <= byte);
    pieces.get(idx).filter(|piece| piece.range.contains(&byte)).cloned()
}

impl Plan {
    /// The magic, header, buffer, padding or footer that contains a byte.
    ///
    /// # Errors
    /// If the byte is past the end.
    pub fn at(&self, byte: u64) -> Result<PlannedPiece<'_>> {
        self.check_range(&(byte..byte.saturating_add(1)))?;
        let end = byte.saturating_add(1);
        ImagePieces::new(self, byte..end).next().unwrap_or_else(|| Err(self.outside(&(byte..end)).into()))
    }

    /// The range of the footer in bytes; `None` in streams. It ends before the length of the footer.
    pub fn footer(&self) -> Option<Range<u64>> {
        self.end_pieces()
            .into_iter()
            .find(|piece| matches!(piece.part, PlannedPart::Footer))
            .map(|it| it.range)
    }

    /// The pieces before the first batch: the magic, its padding and the schema message.
    fn start_pieces(&self) -> Vec<PlannedPiece<'static>> {
        let n_magic_bytes = self.n_magic_bytes();
        let magic_end = (FILE_MAGIC.len() as u64).min(n_magic_bytes);
        let mut pieces = Vec::with_capacity(3);
        push(&mut pieces, PlannedPart::Magic, 0..magic_end);
        push(&mut pieces, PlannedPart::Padding(None), magic_end..n_magic_bytes);
        push(&mut pieces, PlannedPart::Schema, n_magic_bytes..self.start.len() as u64);
        pieces
    }

    /// The pieces after the last batch: the end of the stream and, in a file, the footer, its length and the magic.
    pub(super) fn end_pieces(&self) -> Vec<PlannedPiece<'static>> {
        let stream_end = self.end_position.saturating_add(self.format.end_of_stream().len() as u64);
        let magic_start = self.len().saturating_sub(FILE_MAGIC.len() as u64).max(stream_end);
        let footer_end = magic_start.saturating_sub(size_of::<u32>() as u64).max(stream_end);
        let mut pieces = Vec::with_capacity(4);
        push(&mut pieces, PlannedPart::EndOfStream, self.end_position..stream_end);
        if self.len() > stream_end {
            push(&mut pieces, PlannedPart::Footer, stream_end..footer_end);
            push(&mut pieces, PlannedPart::FooterLength, footer_end..magic_start);
            push(&mut pieces, PlannedPart::EndMagic, magic_start..self.len());
        }
        pieces
    }

    /// The pieces of one message: header, buffers and padding.
    fn message_pieces(&self, located: &PlannedMessage, lists: &BatchHeaderBuilder) -> Vec<PlannedPiece<'_>> {
        let mut pieces = Vec::with_capacity(lists.buffers().len().saturating_mul(2).saturating_add(2));
        let body = located.position.saturating_add(located.size.n_metadata_bytes());
        push(&mut pieces, PlannedPart::Header(located.block), located.position..body);
        let padding = PlannedPart::Padding(Some(located.block));
        let mut end = body;
        for (buffer, range) in self.buffers(located, lists).filter(|(_, range)| !range.is_empty()) {
            push(&mut pieces, padding, end..range.start);
            end = range.end;
            push(&mut pieces, PlannedPart::Buffer(buffer), range);
        }
        push(&mut pieces, padding, end..body.saturating_add(located.size.n_body_bytes()));
        pieces
    }

    /// The buffers of a message and their ranges in the image, in the order of the message's list.
    pub(super) fn buffers<'a>(
        &'a self,
        located: &PlannedMessage,
        lists: &BatchHeaderBuilder,
    ) -> impl Iterator<Item = (PlannedBuffer<'a>, Range<u64>)> {
        let PlannedMessage { block, shape_idx, position, size, .. } = *located;
        let (columns, paths) = self.columns_of(shape_idx);
        let (extra, dictionary_id) =
            (ExtraValidity::specified(self.format.version), self.dictionary_id(shape_idx));
        let mut counts = lists.variadic_counts().iter();
        let roles = paths.iter().enumerate().flat_map(move |(column, field)| {
            let mut n_variadic = 0;
            if columns.at(column).layout.is_variadic() {
                n_variadic = counts.next().and_then(|count| usize::try_from(*count).ok()).unwrap_or(0);
            }
            let mut n_data_buffers = 0;
            columns.at(column).buffers(extra, n_variadic).map(move |(role, _)| {
                let data_buffer_idx = (role == Role::Variadic).then_some(n_data_buffers);
                n_data_buffers += usize::from(role == Role::Variadic);
                (role, data_buffer_idx, field, column)
            })
        });
        let body = position.saturating_add(size.n_metadata_bytes());
        roles.zip(lists.buffers()).enumerate().map(move |(buffer_idx, (named, [start, n_bytes]))| {
            let (role, data_buffer_idx, field, column) = named;
            // Offset and length are not negative, since the length of the body was checked.
            let start = start.cast_unsigned();
            let n_bytes = n_bytes.cast_unsigned();
            let start = body.saturating_add(start);
            let buffer = PlannedBuffer {
                block,
                dictionary_id,
                field,
                column,
                buffer_idx,
                role,
                data_buffer_idx,
                n_bytes,
            };
            (buffer, start..start.saturating_add(n_bytes))
        })
    }
}

fn push<'a>(pieces: &mut Vec<PlannedPiece<'a>>, part: PlannedPart<'a>, range: Range<u64>) {
    if !range.is_empty() {
        pieces.push(PlannedPiece { part, range });
    }
}

impl fmt::Display for PlannedPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlannedPart::Magic => f.write_str("magic"),
            PlannedPart::Schema => f.write_str("schema message"),
            PlannedPart::Header(block) => write!(f, "header of {block}"),
            PlannedPart::Buffer(buffer) => fmt::Display::fmt(buffer, f),
            PlannedPart::Padding(None) => f.write_str("padding of the magic"),
            PlannedPart::Padding(Some(block)) => write!(f, "padding in {block}"),
            PlannedPart::EndOfStream => f.write_str("end of stream"),
            PlannedPart::Footer => f.write_str("footer"),
            PlannedPart::FooterLength => f.write_str("length of the footer"),
            PlannedPart::EndMagic => f.write_str("magic at the end"),
        }
    }
}

impl fmt::Display for PlannedBuffer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.role)?;
        if let Some(idx) = self.data_buffer_idx {
            write!(f, " {idx}")?;
        }
        write!(f, " of `{}` in {}", self.field, self.block)
    }
}

impl fmt::Display for PlannedPiece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, bytes {}..{}", self.part, self.range.start, self.range.end)
    }
}
