//! The lists of a record batch or dictionary batch, checked. Follows "RecordBatch message" and "Variadic buffers" of
//! the specification.

use arrow_ipc_format::flatbuf as fb;

use super::{HeaderLists, not_negative};
use crate::{
    error::{IpcErrorKind, Result, WireResult},
    limits::Limits,
    protocol::Codec,
};

/// The flat lists of one batch, all numbers checked by themselves and against the size of the body.
#[derive(Debug, Clone, Default)]
pub struct BatchHeader {
    pub(crate) n_rows: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) buffers: Vec<BodyRange>,
    pub(crate) variadic_counts: Vec<usize>,
    pub(crate) compression: Option<Codec>,
}

/// The slots of one field, as declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    n_slots: u64,
    n_nulls: Option<u64>,
}

/// A range of bytes inside of a message's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyRange {
    start: u64,
    n_bytes: u64,
}

impl BatchHeader {
    /// The number of rows of the batch, or of values of the dictionary.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// One for each field, in pre-order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The buffers of the fields, in pre-order.
    pub fn buffers(&self) -> &[BodyRange] {
        &self.buffers
    }

    /// The number of data buffers of each view field, in pre-order.
    pub fn variadic_counts(&self) -> &[usize] {
        &self.variadic_counts
    }

    /// How the body is compressed.
    pub fn compression(&self) -> Option<Codec> {
        self.compression
    }

    /// Checks and copies all lists.
    pub(crate) fn try_new(lists: &HeaderLists<'_>) -> Result<BatchHeader> {
        Ok(BatchHeader {
            n_rows: lists.n_rows(),
            nodes: (0..lists.n_nodes()).map(|idx| lists.node(idx)).collect::<Result<_>>()?,
            buffers: (0..lists.n_buffers()).map(|idx| lists.buffer(idx)).collect::<Result<_>>()?,
            variadic_counts: (0..lists.n_variadic_counts())
                .map(|idx| lists.variadic_count(idx))
                .collect::<Result<_>>()?,
            compression: lists.compression(),
        })
    }
}

impl Node {
    pub(super) fn parse(node: fb::FieldNodeRef<'_>, limits: &Limits) -> Result<Node> {
        let n_slots = not_negative(node.length(), "the length of a field")?;
        Limits::check("slots", n_slots, limits.max_slots)?;
        // −1 means "not counted" in memory; some producers let it out.
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

    /// The number of nulls; absent where the producer did not count.
    pub fn n_nulls(&self) -> Option<u64> {
        self.n_nulls
    }
}

impl BodyRange {
    pub(super) fn parse(start: i64, n_bytes: i64, body_bytes: u64) -> Result<BodyRange> {
        let range = u64::try_from(start).ok().zip(u64::try_from(n_bytes).ok());
        let inside =
            range.filter(|(start, n_bytes)| start.checked_add(*n_bytes).is_some_and(|end| end <= body_bytes));
        match inside {
            Some((start, n_bytes)) => Ok(BodyRange { start, n_bytes }),
            None => Err(IpcErrorKind::BufferOutOfBody { start, n_bytes, body_bytes }.into()),
        }
    }

    pub(crate) fn parse_ref(buffer: fb::BufferRef<'_>, body_bytes: u64) -> Result<BodyRange> {
        BodyRange::parse(buffer.offset(), buffer.length(), body_bytes)
    }

    /// Its first bytes.
    pub(crate) fn shortened(&self, n_bytes: u64) -> BodyRange {
        BodyRange { n_bytes: n_bytes.min(self.n_bytes), ..*self }
    }

    /// As many times its bytes from where it begins; `None` where the body has fewer.
    pub(crate) fn widened(&self, n_times: u64, body_bytes: u64) -> Option<BodyRange> {
        let n_bytes = self.n_bytes.checked_mul(n_times)?;
        let end = self.start.checked_add(n_bytes).filter(|end| *end <= body_bytes);
        end.map(|_| BodyRange { n_bytes, ..*self })
    }

    /// Where it begins in the body.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Its length.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Where it ends in the body.
    pub fn end(&self) -> u64 {
        // No overflow: `parse` has added the same numbers.
        self.start + self.n_bytes
    }
}

pub(super) fn parse_codec(compression: fb::BodyCompressionRef<'_>) -> WireResult<Codec> {
    match compression.method()? {
        fb::BodyCompressionMethod::Buffer => {}
    }
    Ok(match compression.codec()? {
        fb::CompressionType::Lz4Frame => Codec::Lz4Frame,
        fb::CompressionType::Zstd => Codec::Zstd,
    })
}
