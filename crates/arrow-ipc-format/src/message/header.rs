//! What the metadata of a message says, after all checks: see "RecordBatch message" and "Variadic buffers" of the specification.

use super::{BatchView, DictionaryHeader, Envelope, FieldNode, VectorLengths};
use crate::{
    body_range::BodyRange,
    error::Result,
    limits::Limits,
    protocol::{Codec, MessageKind, MetadataVersion},
    schema::IpcSchema,
};

/// The header of a message: all numbers are checked, except those of tensors.
#[derive(Debug, Clone)]
pub enum Header {
    /// The names and types of the columns.
    Schema(IpcSchema),
    /// The values of a dictionary, or values that are appended to it.
    DictionaryBatch {
        /// The id of the dictionary. Fields of the schema refer to it.
        id: i64,
        /// Whether the values are appended to the dictionary.
        is_delta: bool,
        /// The nodes and buffers of the values.
        batch: BatchHeader,
    },
    /// The nodes and buffers of the columns.
    RecordBatch(BatchHeader),
    /// A dense tensor. `arrow-ipc-tensor` reads its type, shape and strides.
    Tensor,
    /// A sparse tensor. `arrow-ipc-tensor` reads its type, shape and index.
    SparseTensor,
}

impl Header {
    /// Parses and checks the metadata. Accepts a schema with unsupported columns.
    pub(super) fn read(envelope: &Envelope, limits: &Limits) -> Result<Header> {
        Ok(match envelope.kind() {
            MessageKind::Schema => Header::Schema(envelope.schema(limits)?),
            MessageKind::DictionaryBatch | MessageKind::RecordBatch => {
                let message = BatchView::parse(envelope.clone(), limits)?;
                let batch = BatchHeader::try_new(&message)?;
                match message.dictionary() {
                    None => Header::RecordBatch(batch),
                    Some(DictionaryHeader { id, is_delta }) => {
                        Header::DictionaryBatch { id, is_delta, batch }
                    }
                }
            }
            MessageKind::Tensor => Header::Tensor,
            MessageKind::SparseTensor => Header::SparseTensor,
        })
    }
}

/// The nodes, buffers and variadic counts of a batch. All numbers are checked, and all buffers are inside the body.
#[derive(Debug, Clone, Default)]
pub struct BatchHeader {
    /// The number of rows of the batch, or of values of the dictionary.
    pub(crate) n_rows: u64,
    /// The lengths and null counts of the fields, in pre-order.
    pub(crate) nodes: Vec<FieldNode>,
    /// The ranges of the buffers in the body.
    pub(crate) buffers: Vec<BodyRange>,
    /// The number of data buffers of each view field.
    pub(crate) variadic_counts: Vec<usize>,
    /// The codec of the body.
    pub(crate) compression: Option<Codec>,
}

impl BatchHeader {
    /// The number of rows of the batch, or of values of the dictionary.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The lengths and null counts of the fields, in pre-order.
    pub fn nodes(&self) -> &[FieldNode] {
        &self.nodes
    }

    /// The ranges of the buffers in the body, field by field in pre-order.
    pub fn buffers(&self) -> &[BodyRange] {
        &self.buffers
    }

    /// The number of data buffers of each view field, in pre-order.
    pub fn variadic_counts(&self) -> &[usize] {
        &self.variadic_counts
    }

    /// The codec of the body; `None` if it is not compressed.
    pub fn compression(&self) -> Option<Codec> {
        self.compression
    }

    /// The lengths of the vectors.
    pub fn list_lengths(&self, version: MetadataVersion) -> VectorLengths {
        let n_variadic_buffers = self.variadic_counts.iter().fold(0, |sum: usize, n| sum.saturating_add(*n));
        VectorLengths {
            version,
            n_nodes: self.nodes.len(),
            n_buffers: self.buffers.len(),
            n_variadic_counts: self.variadic_counts.len(),
            n_variadic_buffers: Ok(n_variadic_buffers),
        }
    }

    pub(super) fn try_new(message: &BatchView) -> Result<BatchHeader> {
        Ok(BatchHeader {
            n_rows: message.n_rows(),
            nodes: all_of(message.n_nodes(), |idx| message.node(idx))?,
            buffers: all_of(message.n_buffers(), |idx| message.buffer(idx))?,
            variadic_counts: all_of(message.n_variadic_counts(), |idx| message.variadic_count(idx))?,
            compression: message.compression(),
        })
    }
}

/// Collects all items of a list. The length of the metadata bounds the length of the list.
fn all_of<T>(n_items: usize, item: impl Fn(usize) -> Result<T>) -> Result<Vec<T>> {
    let mut items = Vec::with_capacity(n_items);
    for idx in 0..n_items {
        items.push(item(idx)?);
    }
    Ok(items)
}
