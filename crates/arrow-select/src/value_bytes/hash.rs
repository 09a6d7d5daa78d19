//! Hashes values.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
};

use arrow_schema::visit;

use super::writer::{LONG, NULL, VALID, split_first};

/// Hashes all bytes of a value, with a random key for each hasher.
///
/// With the hash function of the standard library, which [`ValueTable`](crate::ValueTable) uses, nobody can choose
/// colliding values without the key. With another `S`, this depends on its hash function.
///
/// ```
/// use arrow_select::{ValueHasher, ValueWriter};
///
/// let hasher = ValueHasher::<std::hash::RandomState>::default();
/// let mut bytes = Vec::new();
/// ValueWriter::new(&mut bytes, 1000).sized(b"ada")?;
/// // A value without children need not be written first.
/// assert_eq!(hasher.sized(b"ada"), hasher.written(&bytes));
/// assert_ne!(hasher.sized(b"ada"), hasher.sized(b"grace"));
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ValueHasher<S = RandomState>(S);

impl<S: BuildHasher> ValueHasher<S> {
    /// The hash of a whole value from [`ValueBytes`](crate::ValueBytes) or [`ValueWriter`](crate::ValueWriter).
    #[inline]
    pub fn written(&self, value: &[u8]) -> u64 {
        let (first, rest) = split_first(value).unwrap_or((u64::MAX, value));
        self.parts(first, rest)
    }

    /// The hash of a null, as from [`ValueWriter::null`](crate::ValueWriter::null).
    #[inline]
    pub fn null(&self) -> u64 {
        self.parts(u64::from(NULL), &[])
    }

    /// The hash of a value from [`ValueWriter::fixed`](crate::ValueWriter::fixed).
    #[inline]
    pub fn fixed(&self, value: &[u8]) -> u64 {
        self.parts(u64::from(VALID), value)
    }

    /// The hash of a value from [`ValueWriter::sized`](crate::ValueWriter::sized).
    #[inline]
    pub fn sized(&self, value: &[u8]) -> u64 {
        let n_bytes = value.len();
        self.parts(if n_bytes < LONG { n_bytes as u64 + 1 } else { n_bytes as u64 }, value)
    }

    /// The hash of the first bytes of a value, followed by all other bytes.
    #[inline]
    fn parts(&self, first: u64, rest: &[u8]) -> u64 {
        visit(rest.len());
        let mut hasher = self.0.build_hasher();
        hasher.write_u64(first);
        hasher.write(rest);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::ValueWriter, *};

    #[test]
    fn values_without_children_are_hashed_as_they_are_written() {
        let hasher = ValueHasher::<RandomState>::default();
        let bytes = vec![7; 70_000];
        for n_bytes in [0, 1, 7, 8, 253, 254, 255, 256, 70_000] {
            let value = &bytes[..n_bytes];
            let mut sized = Vec::new();
            let mut fixed = Vec::new();
            ValueWriter::new(&mut sized, usize::MAX).sized(value).unwrap();
            ValueWriter::new(&mut fixed, usize::MAX).fixed(value).unwrap();
            assert_eq!(hasher.written(&sized), hasher.sized(value), "{n_bytes}");
            assert_eq!(hasher.written(&fixed), hasher.fixed(value), "{n_bytes}");
        }
        let mut null = Vec::new();
        ValueWriter::new(&mut null, usize::MAX).null().unwrap();
        assert_eq!(hasher.written(&null), hasher.null());
    }

    #[test]
    fn every_hasher_has_its_own_key() {
        let [one, other] = [(); 2].map(|()| ValueHasher::<RandomState>::default());
        assert!((0..64_u64).any(|n| one.fixed(&n.to_le_bytes()) != other.fixed(&n.to_le_bytes())));
    }

    #[test]
    fn all_bytes_count() {
        let hasher = ValueHasher::<RandomState>::default();
        let mut value = vec![0; 10_000];
        let before = hasher.sized(&value);
        value[9_999] = 1;
        assert_ne!(hasher.sized(&value), before);
    }
}
