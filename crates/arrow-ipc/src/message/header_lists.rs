//! The lists of a batch, read in place. Each entry is checked when it is taken, so a reader of one column of ten thousand reads
//! only the entries of that column.

use arrow_ipc_format::flatbuf as fb;
use planus::Vector;

use crate::{
    body::BodyRange,
    error::{Context, IpcErrorKind, Result},
    flatbuffer::not_negative,
    limits::Limits,
    protocol::{Codec, MetadataVersion},
};

/// The lists in the metadata of a batch, and the state to read them. Their bounds were checked when
/// [`OpenBatch::lists`](super::OpenBatch::lists) found them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeaderLists<'a> {
    pub(super) n_rows: u64,
    pub(super) nodes: Vector<'a, fb::FieldNodeRef<'a>>,
    pub(super) buffers: Vector<'a, fb::BufferRef<'a>>,
    pub(super) variadic_counts: Vector<'a, i64>,
    pub(super) compression: Option<Codec>,
    pub(super) version: MetadataVersion,
    pub(super) n_body_bytes: u64,
    pub(super) limits: &'a Limits,
}

/// The number of slots and nulls of a field, as the message claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    n_slots: u64,
    n_nulls: Option<u64>,
}

impl HeaderLists<'_> {
    pub(crate) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    pub(crate) fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    pub(crate) fn compression(&self) -> Option<Codec> {
        self.compression
    }

    pub(crate) fn version(&self) -> MetadataVersion {
        self.version
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.limits
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn n_buffers(&self) -> usize {
        self.buffers.len()
    }

    pub(crate) fn n_variadic_counts(&self) -> usize {
        self.variadic_counts.len()
    }

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
        let buffer = self.buffers.get(idx);
        let range =
            buffer.and_then(|buffer| BodyRange::within(buffer.offset(), buffer.length(), self.n_body_bytes));
        range.map_or_else(|| self.refuse_buffer(idx), Ok)
    }

    /// Makes the error for a buffer.
    #[cold]
    #[inline(never)]
    fn refuse_buffer(&self, idx: usize) -> Result<BodyRange> {
        match self.buffers.get(idx) {
            Some(buffer) => BodyRange::parse_ref(buffer, self.n_body_bytes).in_buffer(idx, None),
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
        let count = not_negative(count, "a variadic buffer count")?;
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
    fn parse(node: fb::FieldNodeRef<'_>, limits: &Limits) -> Result<Node> {
        let n_slots = not_negative(node.length(), "the length of a field")?;
        Limits::check("slots", n_slots, limits.max_slots)?;
        // −1 means "not counted" in memory; some producers write it.
        let n_nulls = match node.null_count() {
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
