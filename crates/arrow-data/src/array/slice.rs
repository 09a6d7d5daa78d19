//! Slices arrays. It takes time in proportion to the children, and copies no data.

use std::sync::Arc;

use arrow_buffer::Buffer;

use super::{ArrayData, NullCount, Storage};
use crate::{
    error::{DataError, DataErrorKind},
    layout::{BufferSpec, ChildLen, Count, layout},
};

impl ArrayData {
    /// The slots `start..start + n_slots`, sharing all buffers.
    ///
    /// Fixed-width buffers and offsets are narrowed. Children of structs, sparse unions and fixed-size lists are sliced.
    /// Children and data that offsets refer to stay whole.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`; [`try_slice`](ArrayData::try_slice) does not panic.
    #[must_use]
    pub fn slice(&self, start: usize, n_slots: usize) -> ArrayData {
        match self.try_slice(start, n_slots) {
            Ok(slice) => slice,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`slice`](ArrayData::slice), for numbers from outside.
    ///
    /// # Errors
    /// If the range is out of bounds.
    pub fn try_slice(&self, start: usize, n_slots: usize) -> Result<ArrayData, DataError> {
        match start.checked_add(n_slots) {
            Some(end) if end <= self.n_slots => Ok(self.slice_inside(start, n_slots)),
            _ => {
                let (start, end) = (start as u64, start as u128 + n_slots as u128);
                Err(DataErrorKind::SliceOutOfRange { start, end, n_slots: self.n_slots as u64 }.into())
            }
        }
    }

    /// The caller has checked `start + n_slots <= self.len()`.
    fn slice_inside(&self, start: usize, n_slots: usize) -> ArrayData {
        if start == 0 && n_slots == self.n_slots {
            return self.clone();
        }
        let layout = layout(&self.data_type);
        let offset = if layout.slices_by_offset() { self.offset + start } else { 0 };
        let narrow = |k: usize| match layout.data_buffers().get(k) {
            Some(spec) => narrow(self.buffer(k), spec, start, n_slots),
            None => Buffer::new(),
        };
        let storage = match &self.storage {
            Storage::Plain { variadic, .. } => {
                Storage::Plain { buffers: [narrow(0), narrow(1)], variadic: variadic.clone() }
            }
            Storage::Text32(slots) => Storage::Text32(slots.slice(start, n_slots)),
            Storage::Text64(slots) => Storage::Text64(slots.slice(start, n_slots)),
            Storage::Text { text, .. } => Storage::Text { offsets: narrow(0), text: text.clone() },
            Storage::TextViews(views) => Storage::TextViews(views.slice(start, n_slots)),
        };
        ArrayData {
            data_type: self.data_type.clone(),
            n_slots,
            offset,
            null_count: NullCount::new(None),
            validity: self.validity.as_ref().map(|validity| validity.slice(start, n_slots)),
            storage,
            children: self.slice_children(layout.child_len(), start, n_slots),
            dictionary: self.dictionary.clone(),
            checked: self.checked,
        }
    }

    fn slice_children(&self, child_len: ChildLen, start: usize, n_slots: usize) -> Option<Arc<[ArrayData]>> {
        let times = match child_len {
            ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => return self.children.clone(),
            ChildLen::SameAsParent => 1,
            ChildLen::Times(size) => size as usize,
        };
        // The products fit: the structure check has multiplied the whole length.
        let slice = |child: &ArrayData| child.slice_inside(start * times, n_slots * times);
        self.children.as_deref().map(|children| children.iter().map(slice).collect())
    }
}

fn narrow(buffer: &Buffer, spec: &BufferSpec, start: usize, n_slots: usize) -> Buffer {
    let n_elements = match spec.count {
        _ if spec.bits == 1 => return buffer.clone(),
        Count::FromData => return buffer.clone(),
        Count::PerSlot => n_slots,
        // Only an array without slots may come without offsets, and that is not narrowed further.
        Count::PerSlotPlusOne if buffer.is_empty() => return Buffer::new(),
        Count::PerSlotPlusOne => n_slots + 1,
    };
    // In range and without overflow: the structure check has found as many bytes for all slots.
    let element_bytes = spec.element_bytes() as usize;
    buffer.slice(start * element_bytes..(start + n_elements) * element_bytes)
}
