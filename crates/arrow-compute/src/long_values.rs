//! Bounds the work on long values, to which any number of views may refer.

use std::{collections::HashMap, hash::Hash};

use arrow_data::ArrayData;
use arrow_select::{SelectError, SelectErrorKind};

use crate::statistics::n_unfolded_bytes;

/// Values up to this length are read for each slot. They take at most 256 times as many bytes as the views that refer to them.
pub(crate) const MAX_SHORT_BYTES: usize = 4096;

/// Whether a value is so long that slots which share it may multiply the work.
#[inline]
pub(crate) fn is_long(value: &[u8]) -> bool {
    value.len() > MAX_SHORT_BYTES
}

/// Identifies the bytes of a value by their address and length.
pub(crate) fn identity(value: &[u8]) -> (usize, usize) {
    (value.as_ptr().addr(), value.len())
}

/// Answers about long values, each of which is found once, even if many slots refer to the value. Values may also overlap, so
/// the number of bytes that are read is limited.
pub(crate) struct LongValues<K, A> {
    known: HashMap<K, A>,
    limit: usize,
    n_left: usize,
}

impl<K: Eq + Hash, A: Copy> LongValues<K, A> {
    /// For the values of these arrays. The limit is the one of statistics.
    pub(crate) fn new(arrays: &[&ArrayData]) -> LongValues<K, A> {
        let limit = arrays.iter().map(|array| n_unfolded_bytes(array)).fold(0, usize::saturating_add);
        LongValues { known: HashMap::new(), limit, n_left: limit }
    }

    /// The known answer for `key`, which identifies bytes in memory, or the result of `find`, which reads `n_bytes` bytes.
    ///
    /// # Errors
    /// If more bytes would be read than the limit allows.
    pub(crate) fn answer(
        &mut self,
        key: K,
        n_bytes: usize,
        find: impl FnOnce() -> A,
    ) -> Result<A, SelectError> {
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        self.read(n_bytes)?;
        let found = find();
        self.known.insert(key, found);
        Ok(found)
    }

    /// Counts bytes that are read.
    ///
    /// # Errors
    /// If these are more bytes than the limit allows.
    pub(crate) fn read(&mut self, n_bytes: usize) -> Result<(), SelectError> {
        let too_many = || SelectErrorKind::ValueBytes { limit: self.limit as u64 };
        self.n_left = self.n_left.checked_sub(n_bytes).ok_or_else(too_many)?;
        Ok(())
    }
}
