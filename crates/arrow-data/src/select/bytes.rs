//! The bytes of text and binary values.

use arrow_buffer::BufferMut;

use super::plan::Picks;
use crate::array::{ArrayData, ArrayParts};

/// Buffer 1, of the picked ranges of bytes.
pub(super) fn fill(sources: &[&ArrayData], bytes: &Picks, parts: &mut ArrayParts) {
    let Picks::Ranges { pieces, n_slots: n_bytes } = bytes else { return };
    let mut copy = BufferMut::with_capacity(*n_bytes);
    for piece in pieces {
        let bytes = sources.get(piece.source).and_then(|source| source.buffer(1).get(piece.range()));
        copy.extend_from_slice(bytes.unwrap_or_default());
    }
    let [_, place] = &mut parts.buffers;
    *place = copy.freeze();
}
