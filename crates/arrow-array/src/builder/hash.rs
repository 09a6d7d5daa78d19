//! Hashes of values.

use std::hash::{BuildHasher, Hasher};

use hashbrown::DefaultHashBuilder;

/// Makes hashes of values, with a seed of its own, so that nobody can choose values whose hashes collide.
#[derive(Debug, Clone, Default)]
pub struct SlotHasher(DefaultHashBuilder);

impl SlotHasher {
    /// Of a value that is these bytes.
    #[inline]
    pub(crate) fn bytes(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(bytes);
        hasher.write_u8(0xff);
        hasher.finish()
    }

    /// Of a value that is an integer, such as a length.
    #[inline]
    pub(crate) fn number(&self, number: u64) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write_u64(number);
        hasher.finish()
    }

    /// Of a null.
    #[inline]
    pub(crate) fn null(&self) -> u64 {
        self.number(u64::MAX)
    }

    /// Of several values in this order.
    pub(crate) fn sequence(&self, hashes: impl IntoIterator<Item = u64>) -> u64 {
        let mut hasher = self.0.build_hasher();
        hashes.into_iter().for_each(|hash| hasher.write_u64(hash));
        hasher.finish()
    }
}
