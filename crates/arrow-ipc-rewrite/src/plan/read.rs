//! Reads ranges of a planned stream or file. A provider supplies the content of buffers.

use std::{fmt, io, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{FormatErrorKind, IpcError, Result, Source, error::Context};
use arrow_ipc_format::length_of;

use super::{
    Plan,
    pieces::{ImagePieces, PlannedBuffer, PlannedPart, PlannedPiece},
};
use crate::error::RewriteError;

/// Supplies the content of buffers of a plan. A reader may request any range of any buffer, in any order, from several
/// threads.
///
/// The bytes must be those that a writer would write: in the byte order of the plan, with zeros after the last bit of a
/// bitmap, and with offsets that begin at 0. The plan does not check the bytes.
///
/// A closure with the signature of [`read_buffer`](BufferProvider::read_buffer) is a `BufferProvider`.
///
/// ```
/// use arrow_ipc::{FileReader, WrittenContainer};
/// use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder, PlannedData};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::UInt8)]);
/// let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File)?;
/// plan.push(&BatchShape::new(100), 1_000)?;
/// let plan = plan.finish()?;
///
/// // Each value is the number of its row.
/// let provider = |data: &PlannedData<'_>, to: &mut [u8]| {
///     to.iter_mut().zip(data.range.start..).for_each(|(to, row)| *to = row as u8);
///     Ok(to.len())
/// };
/// let file = plan.read_at(0..plan.len(), &provider)?;
/// let file = FileReader::try_from_buffer(file.into())?;
/// assert_eq!(file.batch(999)?.columns()[0].buffer(0)[98..], [98, 99]);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub trait BufferProvider: Sync {
    /// Copies the bytes `data.range` of the buffer `data.buffer` to `to`, which has the length of the range. Returns
    /// the number of bytes copied. Reading fails if this number is not the length of `to`.
    ///
    /// # Errors
    /// If the provider cannot supply the bytes. Reading then fails with [`IpcErrorKind::Io`](arrow_ipc::IpcErrorKind::Io).
    fn read_buffer(&self, data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize>;
}

impl<F: Fn(&PlannedData<'_>, &mut [u8]) -> io::Result<usize> + Sync> BufferProvider for F {
    fn read_buffer(&self, data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
        self(data, to)
    }
}

/// Some bytes of a planned stream or file: computed by the plan, zeros, or content of a buffer.
///
/// ```
/// use arrow_ipc::WrittenContainer;
/// use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder, PlanSegment};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::Int64)]);
/// let mut plan = PlanBuilder::try_new(schema, WrittenContainer::Stream)?;
/// plan.push(&BatchShape::new(100), 2)?;
/// let plan = plan.finish()?;
/// let mut n_data_bytes = 0;
/// for segment in plan.segments(0..plan.len())? {
///     if let PlanSegment::Data(data) = segment? {
///         n_data_bytes += data.range.end - data.range.start;
///     }
/// }
/// assert_eq!(n_data_bytes, 2 * 800);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone)]
pub enum PlanSegment<'a> {
    /// Bytes that the plan computes: magics, the schema message, headers, the end of the stream, and the footer.
    Bytes(Buffer),
    /// This number of zero bytes.
    Zeros(u64),
    /// Bytes of a buffer. The plan does not have them.
    Data(PlannedData<'a>),
}

/// A range of bytes in one buffer of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedData<'a> {
    /// The buffer that contains the bytes.
    pub buffer: PlannedBuffer<'a>,
    /// The range in bytes, counted from the start of the buffer.
    pub range: Range<u64>,
}

impl PlanSegment<'_> {
    /// The length of the segment in bytes.
    pub fn n_bytes(&self) -> u64 {
        match self {
            PlanSegment::Bytes(bytes) => bytes.len() as u64,
            PlanSegment::Zeros(n_bytes) => *n_bytes,
            PlanSegment::Data(data) => length_of(&data.range),
        }
    }
}

impl Plan {
    /// Computes the bytes of a range. `provider` supplies the content of buffers; all other bytes come from the plan.
    ///
    /// # Errors
    /// If the range reaches past the end, or is too long for memory. If the provider fails, or returns the wrong number
    /// of bytes; this error names batch, field and buffer.
    pub fn read_at(&self, range: Range<u64>, provider: &(impl BufferProvider + ?Sized)) -> Result<Vec<u8>> {
        self.check_range(&range)?;
        let requested = length_of(&range);
        let mut bytes = Vec::new();
        let n_bytes = usize::try_from(requested).ok();
        match n_bytes.filter(|n_bytes| bytes.try_reserve_exact(*n_bytes).is_ok()) {
            Some(n_bytes) => bytes.resize(n_bytes, 0),
            None => {
                let limit = usize::MAX as u64;
                return Err(FormatErrorKind::LimitExceeded { what: "bytes at once", requested, limit }.into());
            }
        }
        self.read_into(range.start, &mut bytes, provider)?;
        Ok(bytes)
    }

    /// Fills `to` with the bytes that begin at `position`.
    ///
    /// # Errors
    /// The errors of [`read_at`](Plan::read_at). After an error, the content of `to` is unspecified.
    pub fn read_into(
        &self,
        position: u64,
        to: &mut [u8],
        provider: &(impl BufferProvider + ?Sized),
    ) -> Result<()> {
        let range = position..position.saturating_add(to.len() as u64);
        let mut rest = to;
        for segment in self.segments(range)? {
            let segment = segment?;
            // The segment is at most as long as `to`, so its length fits into a `usize`.
            let n_bytes = usize::try_from(segment.n_bytes()).unwrap_or(usize::MAX);
            let (target, after) = std::mem::take(&mut rest).split_at_mut_checked(n_bytes).unwrap_or_default();
            rest = after;
            match segment {
                PlanSegment::Bytes(bytes) if bytes.len() == target.len() => target.copy_from_slice(&bytes),
                PlanSegment::Zeros(_) if target.len() == n_bytes => target.fill(0),
                PlanSegment::Data(data) if target.len() == n_bytes => {
                    let block = data.buffer.block;
                    provide(&data, target, provider).in_block(block, self.message(block)?.position())?;
                }
                PlanSegment::Bytes(_) | PlanSegment::Zeros(_) | PlanSegment::Data(_) => {
                    return Err(IpcError::internal("the segments are longer than the range"));
                }
            }
        }
        if rest.is_empty() {
            return Ok(());
        }
        Err(IpcError::internal("the segments are shorter than the range"))
    }

    /// Returns a source for readers. `provider` supplies the content of buffers.
    pub fn source<'a, P: BufferProvider + ?Sized>(&'a self, provider: &'a P) -> PlannedSource<'a, P> {
        PlannedSource { image: self, provider }
    }

    /// The segments of a range, in order; none is empty. The iterator computes each segment when you call `next`. If an
    /// item is an error, this library has a bug.
    ///
    /// # Errors
    /// If the range reaches past the end.
    pub fn segments(&self, range: Range<u64>) -> Result<impl Iterator<Item = Result<PlanSegment<'_>>>> {
        self.check_range(&range)?;
        let mut pieces = ImagePieces::new(self, range.clone());
        Ok(std::iter::from_fn(move || {
            let piece = pieces.next()?;
            Some(piece.and_then(|piece| self.segment(&piece, &range, || pieces.header())))
        }))
    }

    /// The part of `piece` that is inside `range`.
    fn segment<'a>(
        &'a self,
        piece: &PlannedPiece<'a>,
        range: &Range<u64>,
        header: impl FnOnce() -> Option<Result<Buffer>>,
    ) -> Result<PlanSegment<'a>> {
        let start = range.start.max(piece.range.start);
        let n_bytes = range.end.min(piece.range.end).saturating_sub(start);
        // The offset of `start` in the piece.
        let inside = start.saturating_sub(piece.range.start);
        match piece.part {
            PlannedPart::Magic | PlannedPart::Schema => bytes(&self.start, start, n_bytes),
            PlannedPart::Header(_) => {
                let header = header()
                    .ok_or_else(|| IpcError::internal("a header was requested without a message"))??;
                bytes(&header, inside, n_bytes)
            }
            PlannedPart::Padding(_) => Ok(PlanSegment::Zeros(n_bytes)),
            PlannedPart::Buffer(buffer) => {
                Ok(PlanSegment::Data(PlannedData { buffer, range: inside..inside.saturating_add(n_bytes) }))
            }
            PlannedPart::EndOfStream
            | PlannedPart::Footer
            | PlannedPart::FooterLength
            | PlannedPart::EndMagic => bytes(&self.end, start.saturating_sub(self.end_position), n_bytes),
        }
    }
}

/// A planned stream or file as a [`Source`] for [`FileReader`](arrow_ipc::FileReader). [`Plan::source`] returns it.
///
/// ```
/// use arrow_ipc::{FileReader, WrittenContainer};
/// use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder, PlannedData};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::UInt8)]);
/// let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File)?;
/// plan.push(&BatchShape::new(1 << 30), 1_000)?;
/// plan.push(&BatchShape::new(3), 1)?;
/// let plan = plan.finish()?;
/// let provider = |_: &PlannedData<'_>, to: &mut [u8]| {
///     to.fill(7);
///     Ok(to.len())
/// };
/// let file = FileReader::try_new(plan.source(&provider))?;
/// assert_eq!(file.batch(1_000)?.columns()[0].buffer(0)[..], [7, 7, 7]);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub struct PlannedSource<'a, P: ?Sized> {
    image: &'a Plan,
    provider: &'a P,
}

impl<P: BufferProvider + ?Sized> Source for PlannedSource<'_, P> {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.image.len())
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.image.read_at(range, self.provider).map(Buffer::from).map_err(io::Error::other)
    }
}

impl<P: ?Sized> fmt::Debug for PlannedSource<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedSource").field("n_bytes", &self.image.len()).finish_non_exhaustive()
    }
}

fn bytes<'a>(all: &Buffer, start: u64, n_bytes: u64) -> Result<PlanSegment<'a>> {
    Ok(PlanSegment::Bytes(all.try_slice(start, n_bytes)?))
}

fn provide(data: &PlannedData<'_>, to: &mut [u8], provider: &(impl BufferProvider + ?Sized)) -> Result<()> {
    let n_requested = to.len();
    let provided = provider.read_buffer(data, to).map_err(IpcError::from).and_then(|n_provided| {
        if n_provided == n_requested {
            return Ok(());
        }
        let Range { start, end } = data.range;
        Err(RewriteError::ProvidedBytes { start, end, found: n_provided as u64 }.into())
    });
    let PlannedBuffer { buffer_idx, role, field, .. } = data.buffer;
    provided.in_buffer(buffer_idx, Some(role)).in_field(|| field.clone())
}
