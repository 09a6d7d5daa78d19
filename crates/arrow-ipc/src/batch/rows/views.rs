//! Views, and the bytes that those of valid slots name: of each data buffer the range from the first to the last.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, MAX_INLINE_BYTES, View};
use arrow_data::Role;

use super::{RowsDecoder, Target, Waiting, bytes::Place};
use crate::error::IpcError;

type Views = (Buffer, Option<Arc<[Buffer]>>);

impl RowsDecoder<'_, '_> {
    /// The views of a window and the data buffers, which are shortened. A view that is wrong stays wrong: it named bytes
    /// after the end of its buffer, which has not become longer.
    pub(super) fn views(&mut self, target: &Target<'_>, validity: Option<&Bitmap>) -> Waiting<Views> {
        let n_data = self.decoder.lists.variadic_count(target.cursor.variadic)?;
        let Some(buffer) = self.elements(target, 0)? else { return Ok(None) };
        let views: &[View] = buffer.view().map_err(|_| IpcError::internal("views are not aligned"))?;
        // Data buffers follow the views.
        let first = target.cursor.buffer.saturating_add(1);
        let place = |data_idx: usize| Place {
            buffer_idx: first.saturating_add(data_idx),
            role: Role::Variadic,
            window: 0..0,
            n_slots: 0,
            needed: None,
            share: (0, 0),
        };
        let mut named: Vec<Option<Range<u64>>> = vec![None; n_data];
        // How long the buffers are that are named: outside nothing for those that are not; inside for those that wait.
        let mut lengths: Vec<Option<Option<u64>>> = vec![None; n_data];
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
                *named = Some(match named.take() {
                    Some(named) => named.start.min(range.start)..named.end.max(range.end),
                    None => range,
                });
            }
        }
        let mut data = Vec::with_capacity(n_data);
        for (data_idx, named) in named.iter().enumerate() {
            let bytes = match named {
                Some(range) => self.bytes(&place(data_idx), 0, range.clone())?,
                None => Some(Buffer::new()),
            };
            data.extend(bytes);
        }
        if lengths.contains(&Some(None)) || data.len() < n_data {
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

/// The data buffer and the bytes of it that a view names; nothing for one that holds its value, or names none.
fn named_by(view: &View) -> Option<(usize, Range<u64>)> {
    let n_bytes = usize::try_from(view.n_bytes()).ok().filter(|n_bytes| *n_bytes > MAX_INLINE_BYTES)?;
    let (data_idx, start) = (usize::try_from(view.buffer_idx()).ok()?, u64::try_from(view.offset()).ok()?);
    Some((data_idx, start..start.checked_add(n_bytes as u64)?))
}
