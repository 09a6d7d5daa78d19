//! Whether a dictionary is the one that has been written: by where it is, else by a hash that is kept, and only then by
//! its bytes.

use std::sync::{Arc, Weak};

use arrow_data::{ArrayData, Layout};

/// What is known of the dictionaries that were compared with the one that has been written.
#[derive(Debug, Clone, Default)]
pub(super) struct Identity {
    /// The last ones, as long as they are anywhere.
    seen: Vec<Seen>,
    /// The hash of the one that has been written, once it was needed.
    written_hash: Option<u64>,
}

#[derive(Debug, Clone)]
struct Seen {
    values: Weak<ArrayData>,
    hash: u64,
    /// Whether all of its bytes are those of what has been written.
    is_written: bool,
}

/// More than the dictionaries that some sources of batches take turns with.
const N_SEEN: usize = 8;

impl Identity {
    /// Other values have been written.
    pub(super) fn forget_written(&mut self) {
        self.written_hash = None;
        self.seen.iter_mut().for_each(|seen| seen.is_written = false);
    }

    /// Whether these are the values that have been written, or consist of the same bytes. Arrays that differ may still
    /// hold equal values. The bytes of an array are hashed once, and compared once with what has been written.
    pub(super) fn same_as_written(&mut self, written: &Arc<ArrayData>, values: &Arc<ArrayData>) -> bool {
        if Arc::ptr_eq(written, values) {
            return true;
        }
        if written.len() != values.len() || !written.data_type().same_type(values.data_type()) {
            return false;
        }
        let seen = self.seen.iter().position(|seen| seen.values.as_ptr() == Arc::as_ptr(values));
        if seen.is_none() && written.same_memory(values) {
            return true;
        }
        let seen = seen.unwrap_or_else(|| self.see(values));
        let written_hash = *self.written_hash.get_or_insert_with(|| hash(written));
        let seen = &mut self.seen[seen];
        if !seen.is_written && seen.hash == written_hash {
            seen.is_written = same_bytes(written, values);
        }
        seen.is_written
    }

    fn see(&mut self, values: &Arc<ArrayData>) -> usize {
        self.seen.retain(|seen| seen.values.strong_count() > 0);
        if self.seen.len() == N_SEEN {
            self.seen.remove(0);
        }
        let (hash, values) = (hash(values), Arc::downgrade(values));
        self.seen.push(Seen { values, hash, is_written: false });
        self.seen.len() - 1
    }
}

/// Whether two arrays are the same or consist of equal bytes. Arrays that differ may still hold equal values.
pub(super) fn same_values(left: &Arc<ArrayData>, right: &Arc<ArrayData>) -> bool {
    Arc::ptr_eq(left, right)
        || left.data_type().same_type(right.data_type())
            && (left.same_memory(right) || same_bytes(left, right))
}

/// The same for arrays of one type, with their children and dictionaries.
fn same_bytes(left: &ArrayData, right: &ArrayData) -> bool {
    let all_valid = left.null_count() == 0 && right.null_count() == 0;
    left.len() == right.len()
        && left.offset() == right.offset()
        && (all_valid || left.validity() == right.validity())
        && same_buffers(&left.layout(), left, right)
        && left.variadic() == right.variadic()
        && left.children().len() == right.children().len()
        && left.children().iter().zip(right.children()).all(|(left, right)| same_bytes(left, right))
        && match (left.dictionary(), right.dictionary()) {
            (Some(left), Some(right)) => same_values(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
}

/// Compares what slots need of each buffer: it may be longer.
fn same_buffers(layout: &Layout, left: &ArrayData, right: &ArrayData) -> bool {
    (0..layout.data_buffers().len()).all(|k| {
        left.buffer(k).same_memory(right.buffer(k))
            || compared_bytes(layout, left, k) == compared_bytes(layout, right, k)
    })
}

/// What slots need of the `k`-th buffer, or all of it where the layout does not tell.
fn compared_bytes<'a>(layout: &Layout, array: &'a ArrayData, k: usize) -> Option<&'a [u8]> {
    let n_elements = array.len().saturating_add(array.offset()) as u64;
    let spec = layout.data_buffers().get(k).filter(|spec| spec.bits > 1);
    let needed = spec.and_then(|spec| spec.min_bytes(n_elements));
    let needed = needed.and_then(|n_bytes| usize::try_from(n_bytes).ok()).filter(|needed| *needed > 0);
    let bytes = array.buffer(k).as_slice();
    needed.map_or(Some(bytes), |needed| bytes.get(..needed))
}

/// Arrays that [`same_bytes`] calls the same have the same hash.
fn hash(array: &ArrayData) -> u64 {
    let layout = array.layout();
    let buffers = (0..layout.data_buffers().len()).filter_map(|k| compared_bytes(&layout, array, k));
    let variadic = array.variadic().iter().map(|data| data.as_slice());
    let own = buffers.chain(variadic).fold(array.len() as u64, |hash, bytes| mix(hash, hash_bytes(bytes)));
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.fold(own, |sum, array| mix(sum, hash(array)))
}

/// An odd number without a pattern: the fractional part of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR)
}

/// Four hashes side by side, so that none waits for the other. Who makes two dictionaries of one hash on purpose has
/// them compared, no more.
fn hash_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let (blocks, last_words) = words.as_chunks::<4>();
    let mut lanes = [1, 2, 3, 4_u64];
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let sum = lanes.into_iter().fold(bytes.len() as u64, mix);
    let sum = last_words.iter().fold(sum, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}
