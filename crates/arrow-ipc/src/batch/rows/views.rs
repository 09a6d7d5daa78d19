//! Reads views, and for each data buffer the bytes from the first to the last that valid slots refer to.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, MAX_INLINE_BYTES, View};
use arrow_data::Role;

use super::{RowsDecoder, Waiting, WalkColumn, WantedBuffer};
use crate::{alignment::length_of, batch::decode::EntryBuffer, compression::Then, error::IpcError};

type Views = (Buffer, Option<Arc<[Buffer]>>);

impl RowsDecoder<'_, '_> {
    /// The views of a window, and the shortened data buffers. An invalid view stays invalid: it refers to bytes past the end of
    /// its buffer, which has not become longer.
    pub(super) fn views(&mut self, target: &WalkColumn<'_>, validity: Option<&Bitmap>) -> Waiting<Views> {
        let n_data = self.decoder.lists.variadic_count(target.cursor.variadic)?;
        let Some(buffer) = self.elements(target, 0)? else { return Ok(None) };
        let views: &[View] = buffer.view().map_err(|_| IpcError::internal("views are not aligned"))?;
        // Data buffers follow the views.
        let first = target.cursor.buffer.saturating_add(1);
        let place = |data_idx: usize| {
            let idx = first.saturating_add(data_idx);
            let buffer = EntryBuffer { idx, role: Role::Variadic, n_slots: 0, needed: None };
            WantedBuffer { buffer, share: (0, 0) }
        };
        let mut named: Vec<Option<Range<u64>>> = vec![None; n_data];
        // The known lengths of buffers. Outer `None`: no view refers to the buffer. Inner `None`: its length is not known yet.
        let mut lengths: Vec<Option<Option<u64>>> = vec![None; n_data];
        let mut n_named_bytes: u64 = 0;
        for (slot, view) in views.iter().enumerate() {
            let is_valid = validity.is_none_or(|validity| validity.get(slot) == Some(true));
            let Some((data_idx, range)) = Some(view).filter(|_| is_valid).and_then(named_by) else {
                continue;
            };
            let Some((named, length)) = named.get_mut(data_idx).zip(lengths.get_mut(data_idx)) else {
                continue;
            };
            let known = match length {
                Some(known) => *known,
                None => *length.insert(self.n_bytes(&place(data_idx))?),
            };
            let Some(n_bytes) = known else { continue };
            if range.end <= n_bytes {
                n_named_bytes = n_named_bytes.saturating_add(length_of(&range));
                *named = Some(match named.take() {
                    Some(named) => named.start.min(range.start)..named.end.max(range.end),
                    None => range,
                });
            }
        }
        let ranges = named.iter().flatten().map(length_of);
        self.refer(n_named_bytes, ranges.fold(0, u64::saturating_add));
        let Some(data) = self.named_data(&named, place)? else { return Ok(None) };
        if lengths.contains(&Some(None)) {
            return Ok(None);
        }
        let start_of = |data_idx: usize| named.get(data_idx)?.as_ref().map(|range| range.start);
        let data = Some(Arc::from(data)).filter(|_| n_data > 0);
        if (0..n_data).all(|data_idx| start_of(data_idx).unwrap_or(0) == 0) {
            return Ok(Some((buffer, data)));
        }
        self.decoder.account.copied.spend("bytes of views that are moved", buffer.len() as u64)?;
        let moved = |view: &View| {
            let (data_idx, _) = named_by(view)?;
            let start = i32::try_from(start_of(data_idx)?).ok()?;
            let offset = view.offset().checked_sub(start).filter(|offset| *offset >= 0)?;
            Some(View::from_parts(view.n_bytes(), view.prefix(), view.buffer_idx(), offset))
        };
        let views: Vec<View> = views.iter().map(|view| moved(view).unwrap_or(*view)).collect();
        Ok(Some((self.charged(Buffer::from(views))?, data)))
    }
}

impl RowsDecoder<'_, '_> {
    /// The bytes of each data buffer that views refer to.
    fn named_data(
        &mut self,
        named: &[Option<Range<u64>>],
        place: impl Fn(usize) -> WantedBuffer,
    ) -> Waiting<Vec<Buffer>> {
        let is_shared = std::mem::replace(&mut self.is_shared, true);
        let last_named = named.iter().rposition(Option::is_some).unwrap_or(0);
        let mut data = Vec::with_capacity(named.len());
        for (data_idx, range) in named.iter().enumerate() {
            let place = place(data_idx);
            match range {
                Some(range) => data.extend(self.bytes(&place, 0, range.clone())?),
                // If views are in order, later rows continue at the last used byte.
                None if data_idx > last_named && self.source.then != Then::Finish => data.push(Buffer::new()),
                None => data.extend(self.pass_by(&place)?.map(|()| Buffer::new())),
            }
        }
        self.is_shared = is_shared;
        Ok(Some(data).filter(|data| data.len() == named.len()))
    }
}

/// The data buffer and the bytes of it that a view refers to; `None` if the view holds its value.
fn named_by(view: &View) -> Option<(usize, Range<u64>)> {
    let n_bytes = usize::try_from(view.n_bytes()).ok().filter(|n_bytes| *n_bytes > MAX_INLINE_BYTES)?;
    let (data_idx, start) = (usize::try_from(view.buffer_idx()).ok()?, u64::try_from(view.offset()).ok()?);
    Some((data_idx, start..start.checked_add(n_bytes as u64)?))
}
