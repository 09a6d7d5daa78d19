//! Decompresses the buffers of a compressed body before arrays are made. All lengths are checked before any memory is
//! taken, and all buffers share memory and threads.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_data::{BufferSpec, Count, DataError, DataErrorKind, Role};

use super::{super::account::Account, BatchDecoder, DecodeContext};
use crate::{
    body::Body,
    compression::{Opened, decompress_all},
    error::{Context, IpcError, Result},
    protocol::Codec,
};

/// The decompressed buffers, in the order in which a walk over the columns takes them.
#[derive(Debug)]
pub(super) struct Decompressed {
    buffers: std::vec::IntoIter<(usize, Buffer)>,
}

/// The buffers of a compressed body, decompressed once and read several times.
#[derive(Debug)]
pub(crate) struct BodyBuffers {
    /// The buffers by their positions in the list of the message.
    buffers: Box<[(usize, Buffer)]>,
    /// The account of their message.
    account: Account,
}

/// The buffers that have been measured.
#[derive(Default)]
struct MeasuredBuffers {
    places: Vec<BufferPosition>,
    opened: Vec<Opened>,
}

/// The position of a buffer.
#[derive(Clone, Copy)]
struct BufferPosition {
    position: usize,
    buffer_idx: usize,
    role: Role,
}

/// How many bytes of a buffer the slots of a field need.
#[derive(Clone, Copy)]
struct NeededBytes {
    n_slots: u64,
    /// `None` if only the data tell.
    n_bytes: Option<u64>,
}

impl Decompressed {
    /// The next buffer, which must have this number. Buffers before it are skipped.
    pub(super) fn take(&mut self, buffer_idx: usize) -> Result<Buffer> {
        match self.buffers.find(|(found, _)| *found == buffer_idx) {
            Some((_, buffer)) => Ok(buffer),
            // Both walks follow the same columns.
            None => Err(IpcError::internal("a buffer is taken that was not decompressed")),
        }
    }
}

impl BodyBuffers {
    /// The buffer at a position in the list; `None` if it has no bytes.
    ///
    /// # Errors
    /// If the buffer was skipped.
    pub(crate) fn at(&self, buffer_idx: usize) -> Result<Buffer> {
        let found = self.buffers.binary_search_by_key(&buffer_idx, |(idx, _)| *idx).ok();
        let found = found.and_then(|place| self.buffers.get(place));
        let Some((_, buffer)) = found else {
            return Err(IpcError::internal("a buffer is written that was not decompressed"));
        };
        Ok(buffer.clone())
    }
}

impl<'a> BatchDecoder<'a> {
    /// Decompresses the buffers of all columns; `None` if the body is not compressed.
    ///
    /// # Errors
    /// If a buffer cannot be decompressed, or all of them need more memory than allowed.
    pub(crate) fn open_body(
        mut self,
        body: &Body,
        context: DecodeContext<'_>,
    ) -> Result<Option<BodyBuffers>> {
        let Some(codec) = self.lists.compression() else { return Ok(None) };
        let all = 0..self.columns.n_columns();
        let decompressed = self.decompress(codec, [all], body, context)?;
        Ok(Some(BodyBuffers { buffers: decompressed.buffers.collect(), account: self.account }))
    }

    /// Reads buffers from [`open_body`](BatchDecoder::open_body) instead of those of the body.
    pub(crate) fn with_buffers(mut self, opened: &BodyBuffers) -> BatchDecoder<'a> {
        self.decompressed = Some(Decompressed { buffers: opened.buffers.clone().into_vec().into_iter() });
        self.account = opened.account.clone();
        self
    }
}

impl BatchDecoder<'_> {
    /// Decompresses the buffers of some columns, given by ranges of positions.
    pub(super) fn decompress(
        &mut self,
        codec: Codec,
        ranges: impl IntoIterator<Item = Range<usize>>,
        body: &Body,
        context: DecodeContext<'_>,
    ) -> Result<Decompressed> {
        let mut found = MeasuredBuffers::default();
        for range in ranges {
            self.open_columns(codec, range, body, &mut found)?;
        }
        let MeasuredBuffers { places, opened } = found;
        let mut frames = Vec::with_capacity(opened.len());
        let mut buffers: Vec<(usize, Buffer)> = Vec::with_capacity(opened.len());
        let mut frame_places = Vec::with_capacity(opened.len());
        for (place, opened) in places.iter().zip(opened) {
            match opened {
                Opened::Raw(bytes) => buffers.push((place.buffer_idx, bytes)),
                Opened::Frame(frame) => {
                    frame_places.push((buffers.len(), *place));
                    buffers.push((place.buffer_idx, Buffer::new()));
                    frames.push(frame);
                }
            }
        }
        let decompressed = match decompress_all(&frames, context.kept, context.threads, context.budget) {
            Ok(decompressed) => decompressed,
            Err((frame_idx, error)) => {
                return match frame_places.get(frame_idx) {
                    Some((_, place)) => self.at(*place, Err(error)),
                    None => Err(error),
                };
            }
        };
        for ((idx, _), bytes) in frame_places.into_iter().zip(decompressed) {
            context.counters.decompressed(bytes.len());
            if let Some((_, buffer)) = buffers.get_mut(idx) {
                *buffer = bytes;
            }
        }
        Ok(Decompressed { buffers: buffers.into_iter() })
    }

    /// Measures the buffers of consecutive columns.
    fn open_columns(
        &mut self,
        codec: Codec,
        range: Range<usize>,
        body: &Body,
        found: &mut MeasuredBuffers,
    ) -> Result<()> {
        let columns = self.columns;
        let mut cursor = self.position_in_lists(range.start)?;
        for position in range {
            let column = columns.at(position);
            let node = self.lists.node(cursor.node).in_field(|| columns.path(position))?;
            cursor.node += 1;
            let n_slots = node.n_slots();
            let mut n_variadic = 0;
            if column.layout.is_variadic() {
                n_variadic = self.lists.variadic_count(cursor.variadic)?;
                cursor.variadic += 1;
            }
            let legacy = column.has_legacy_validity(self.version).then_some((Role::Validity, None));
            let fixed = column.layout.buffers().iter().map(|spec| (spec.role, n_needed(spec, n_slots)));
            for (role, n_bytes) in
                legacy.into_iter().chain(fixed).chain(std::iter::repeat_n((Role::Variadic, None), n_variadic))
            {
                let place = BufferPosition { position, buffer_idx: cursor.buffer, role };
                cursor.buffer += 1;
                let opened = self.open(codec, place, NeededBytes { n_slots, n_bytes }, body);
                if let Some(opened) = self.at(place, opened)? {
                    found.places.push(place);
                    found.opened.push(opened);
                }
            }
        }
        Ok(())
    }

    /// Measures a buffer, and charges its decompressed length; `None` if it has no bytes.
    fn open(
        &mut self,
        codec: Codec,
        place: BufferPosition,
        need: NeededBytes,
        body: &Body,
    ) -> Result<Option<Opened>> {
        let range = self.lists.buffer(place.buffer_idx)?;
        if range.n_bytes() == 0 {
            return Ok(None);
        }
        self.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        let opened = Opened::try_new(codec, body.slice(range)?)?;
        let found = opened.n_bytes() as u64;
        // A buffer that is left out is judged where its array is made.
        if let Some(needed) = need.n_bytes.filter(|needed| found > 0 && found < *needed) {
            let n_slots = need.n_slots;
            return Err(DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into());
        }
        if let Opened::Frame(_) = opened {
            self.account.decompress(found)?;
            let n_unneeded = need.n_bytes.map_or(0, |needed| found.saturating_sub(needed));
            self.account.leave_unneeded(n_unneeded)?;
        }
        Ok(Some(opened))
    }

    /// Adds the position to an error.
    fn at<T>(&self, place: BufferPosition, result: Result<T>) -> Result<T> {
        result.in_buffer(place.buffer_idx, Some(place.role)).in_field(|| self.columns.path(place.position))
    }
}

/// The bytes that slots need of a buffer; `None` if only the data tell.
pub(in crate::batch) fn n_needed(spec: &BufferSpec, n_slots: u64) -> Option<u64> {
    match spec.count {
        Count::PerSlot | Count::PerSlotPlusOne => spec.min_bytes(n_slots),
        Count::FromData => None,
    }
}
