//! The bytes of utf8 and binary slots, with offsets or with views.

use std::sync::Arc;

use arrow_buffer::{Buffer, Values, View};

use crate::{
    array::ArrayData,
    error::DataError,
    positions::{Ranges, numbers},
};

/// The utf8 or binary values of an array.
#[derive(Debug)]
pub(crate) enum SlotBytes {
    Offsets(Ranges, Buffer),
    Views(Values<View>, Arc<[Buffer]>),
}

impl SlotBytes {
    pub(crate) fn try_of(array: &ArrayData) -> Result<SlotBytes, DataError> {
        if !array.layout().is_variadic() {
            return Ok(SlotBytes::Offsets(Ranges::try_new(array)?, array.buffer(1).clone()));
        }
        let data = array.shared_variadic().cloned().unwrap_or_default();
        Ok(SlotBytes::Views(numbers(array.buffer(0), array.len())?, data))
    }

    pub(crate) fn n_bytes(&self) -> usize {
        match self {
            SlotBytes::Offsets(_, bytes) => bytes.len(),
            SlotBytes::Views(_, data) => data.iter().fold(0, |n, bytes| n.saturating_add(bytes.len())),
        }
    }

    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&[u8]> {
        match self {
            SlotBytes::Offsets(ranges, bytes) => bytes.as_slice().get(ranges.get(slot)?),
            SlotBytes::Views(views, data) => {
                let view = views.get(slot)?;
                view.inline_bytes().or_else(|| long(view, data))
            }
        }
    }
}

fn long<'a>(view: &View, data: &'a [Buffer]) -> Option<&'a [u8]> {
    let buffer = data.get(usize::try_from(view.buffer_idx()).ok()?)?;
    let start = usize::try_from(view.offset()).ok()?;
    buffer.as_slice().get(start..start.checked_add(usize::try_from(view.n_bytes()).ok()?)?)
}
