//! Views that are kept, with the parts of data buffers that they refer to and nothing else.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, BufferMut, View};

use crate::{array::ArrayData, error::DataError, positions::numbers};

/// No offset in a data buffer is larger than what 32 bits can hold.
const MAX_BUFFER_BYTES: usize = i32::MAX as usize;

/// A part of a data buffer that views refer to, all or a piece of it, and where it is now.
struct Part {
    buffer_idx: i32,
    start: usize,
    end: usize,
    place: (usize, usize),
}

/// The views of kept slots, into data buffers that hold nothing else. Bytes that many views refer to are there once.
pub(super) fn kept(array: &ArrayData, keep: &Bitmap) -> Result<(Buffer, Arc<[Buffer]>), DataError> {
    let views = numbers::<View>(array.buffer(0), array.len())?;
    let long = views.iter().zip(keep.iter()).filter(|(view, keep)| *keep && !view.is_inline());
    let mut parts = parts(long.map(|(view, _)| view));
    let data = copy(&mut parts, array.variadic())?;
    let mut kept = BufferMut::with_capacity(array.len().saturating_mul(size_of::<View>()));
    for (view, keep) in views.iter().zip(keep.iter()) {
        kept.push(match keep {
            false => View::default(),
            true if view.is_inline() => *view,
            true => moved(view, &parts).ok_or_else(not_there)?,
        });
    }
    Ok((kept.freeze(), data))
}

/// What views refer to, in the order of the data, without gaps and overlaps.
fn parts<'a>(views: impl Iterator<Item = &'a View>) -> Vec<Part> {
    let part = |view: &View| {
        let start = usize::try_from(view.offset()).ok()?;
        let end = start.checked_add(usize::try_from(view.n_bytes()).ok()?)?;
        Some(Part { buffer_idx: view.buffer_idx(), start, end, place: (0, 0) })
    };
    let mut parts: Vec<Part> = views.filter_map(part).collect();
    // Mostly they are in order.
    parts.sort_by_key(|part| (part.buffer_idx, part.start));
    parts.dedup_by(|next, part| {
        let overlaps = next.buffer_idx == part.buffer_idx && next.start < part.end;
        if overlaps {
            part.end = part.end.max(next.end);
        }
        overlaps
    });
    parts
}

/// Copies the parts to buffers, and tells each where it is.
fn copy(parts: &mut [Part], data: &[Buffer]) -> Result<Arc<[Buffer]>, DataError> {
    let (mut full, mut last) = (Vec::new(), BufferMut::new());
    for part in parts {
        let buffer = usize::try_from(part.buffer_idx).ok().and_then(|idx| data.get(idx));
        let bytes = buffer.and_then(|buffer| buffer.get(part.start..part.end)).ok_or_else(not_there)?;
        if last.len().saturating_add(bytes.len()) > MAX_BUFFER_BYTES && !last.is_empty() {
            full.push(std::mem::take(&mut last).freeze());
        }
        part.place = (full.len(), last.len());
        last.extend_from_slice(bytes);
    }
    if !last.is_empty() {
        full.push(last.freeze());
    }
    Ok(full.into())
}

fn not_there() -> DataError {
    DataError::internal("a checked view refers to bytes that are not there")
}

/// The view of the same value where its part is now.
fn moved(view: &View, parts: &[Part]) -> Option<View> {
    let start = usize::try_from(view.offset()).ok()?;
    let after = parts.partition_point(|part| (part.buffer_idx, part.start) <= (view.buffer_idx(), start));
    let part = parts.get(after.checked_sub(1)?)?;
    let (buffer_idx, offset) = part.place;
    let offset = offset.checked_add(start.checked_sub(part.start)?)?;
    let (buffer_idx, offset) = (i32::try_from(buffer_idx).ok()?, i32::try_from(offset).ok()?);
    Some(View::from_parts(view.n_bytes(), view.prefix(), buffer_idx, offset))
}
