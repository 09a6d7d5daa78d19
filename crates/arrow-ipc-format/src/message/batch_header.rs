//! The checked lists of a record batch or dictionary batch, as in "RecordBatch message" and "Variadic buffers" of the
//! specification.

use super::{BatchView, FieldNode, VectorLengths};
use crate::{
    body_range::BodyRange,
    error::Result,
    protocol::{Codec, MetadataVersion},
};

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
