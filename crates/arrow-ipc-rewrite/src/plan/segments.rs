//! Divides a range of an image into segments: bytes that the plan computes, zeros, and bytes of buffers.

use std::ops::Range;

use arrow_buffer::Buffer;

use super::{
    image::Plan,
    pieces::{ImagePieces, PlannedBuffer, PlannedPart, PlannedPiece},
};
use arrow_ipc::{IpcError, Result};
use arrow_ipc_format::length_of;

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

fn bytes<'a>(all: &Buffer, start: u64, n_bytes: u64) -> Result<PlanSegment<'a>> {
    Ok(PlanSegment::Bytes(all.try_slice(start, n_bytes)?))
}
