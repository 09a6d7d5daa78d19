//! The lists of a batch, read in place. Each entry is checked when it is taken, so a reader of one column of ten thousand reads
//! only the entries of that column.

use crate::{
    body::BodyRange,
    error::{Context, IpcErrorKind, Result},
    flatbuffer::{not_negative, two_numbers},
    limits::Limits,
    protocol::{Codec, MetadataVersion},
};

/// The lists in the metadata of a batch, and the state to read them. Their bounds were checked when
/// [`OpenBatch::lists`](super::OpenBatch::lists) found them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeaderLists<'a> {
    pub(crate) n_rows: u64,
    /// The length and the number of nulls of each field.
    pub(crate) nodes: &'a [[u8; 16]],
    /// The offset and the length of each buffer.
    pub(crate) buffers: &'a [[u8; 16]],
    pub(crate) variadic_counts: &'a [[u8; 8]],
    pub(crate) compression: Option<Codec>,
    pub(crate) version: MetadataVersion,
    pub(crate) n_body_bytes: u64,
    pub(crate) limits: &'a Limits,
}

/// The number of slots and nulls of a field, as the message claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    n_slots: u64,
    n_nulls: Option<u64>,
}

impl HeaderLists<'_> {
    /// A field node.
    #[inline]
    pub(crate) fn node(&self, idx: usize) -> Result<Node> {
        match self.nodes.get(idx) {
            Some(node) => Node::parse(node, self.limits),
            None => {
                Err(IpcErrorKind::NodeCount { expected: idx as u64 + 1, found: self.nodes.len() as u64 }
                    .into())
            }
        }
    }

    /// The range of a buffer, which lies inside the body.
    #[inline]
    pub(crate) fn buffer(&self, idx: usize) -> Result<BodyRange> {
        let numbers = self.buffers.get(idx).map(two_numbers);
        let range = numbers.and_then(|(start, n_bytes)| BodyRange::within(start, n_bytes, self.n_body_bytes));
        range.map_or_else(|| self.refuse_buffer(idx), Ok)
    }

    /// Makes the error for a buffer.
    #[cold]
    #[inline(never)]
    fn refuse_buffer(&self, idx: usize) -> Result<BodyRange> {
        match self.buffers.get(idx).map(two_numbers) {
            Some((start, n_bytes)) => {
                BodyRange::parse(start, n_bytes, self.n_body_bytes).in_buffer(idx, None)
            }
            None => {
                let (expected, found) = (idx as u64 + 1, self.buffers.len() as u64);
                Err(IpcErrorKind::BufferCount { expected, found }.into())
            }
        }
    }

    /// The number of data buffers of a view field, at most the number of buffers.
    pub(crate) fn variadic_count(&self, idx: usize) -> Result<usize> {
        let Some(count) = self.variadic_counts.get(idx) else {
            let (expected, found) = (idx as u64 + 1, self.variadic_counts.len() as u64);
            return Err(IpcErrorKind::VariadicCount { expected, found }.into());
        };
        let count = not_negative(i64::from_le_bytes(*count), "a variadic buffer count")?;
        match usize::try_from(count) {
            Ok(count) if count <= self.buffers.len() => Ok(count),
            _ => Err(IpcErrorKind::VariadicBuffers { count, n_buffers: self.buffers.len() as u64 }.into()),
        }
    }

    /// The sum of the first `n_counts` variadic counts. It may exceed the number of buffers.
    pub(crate) fn n_variadic_buffers(&self, n_counts: usize) -> Result<usize> {
        (0..n_counts).try_fold(0usize, |sum, idx| Ok(sum.saturating_add(self.variadic_count(idx)?)))
    }
}

impl Node {
    #[inline]
    fn parse(node: &[u8; 16], limits: &Limits) -> Result<Node> {
        let (n_slots, n_nulls) = two_numbers(node);
        let n_slots = not_negative(n_slots, "the length of a field")?;
        Limits::check("slots", n_slots, limits.max_slots)?;
        // −1 means "not counted" in memory; some producers write it.
        let n_nulls = match n_nulls {
            -1 => None,
            n_nulls => Some(not_negative(n_nulls, "the null count of a field")?),
        };
        Ok(Node { n_slots, n_nulls })
    }

    /// The number of slots.
    pub fn n_slots(&self) -> u64 {
        self.n_slots
    }

    /// The number of nulls; `None` if the producer did not count the nulls.
    pub fn n_nulls(&self) -> Option<u64> {
        self.n_nulls
    }
}
