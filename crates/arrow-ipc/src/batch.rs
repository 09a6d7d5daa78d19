//! Reading and writing record batches and dictionary batches.

mod account;
mod decode;
mod encode;
mod layout;
#[cfg(feature = "file")]
mod rows;
mod select;
mod stats;
mod union_nulls;

use arrow_data::RecordBatch;
use arrow_schema::Metadata;

#[cfg(feature = "file")]
pub(crate) use self::{
    account::{Account, Charges},
    decode::BodyBuffers,
    rows::{BodyBytes, BoundedRows, ChildSlots, DecodedRows, MeasuredColumn, RowSource, RowState, RowTally},
};
pub(crate) use self::{
    decode::{BatchDecoder, DecodeContext},
    encode::{
        BodyTransform, CompressionBound, EncodeRules, RepeatedBuffers, SegmentSink, TransformSink, encode,
        has_dictionary, zero_nulls,
    },
    select::ProjectedSchema,
    stats::Counters,
};
pub use self::{layout::BatchLayout, stats::ReadStats};

/// A record batch with the custom metadata of its message.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BatchWithMetadata {
    /// The rows, with their schema.
    pub batch: RecordBatch,
    /// The custom metadata of the message; empty if there is none.
    pub metadata: Metadata,
}

impl BatchWithMetadata {
    /// Pairs a batch with its metadata, for readers that drive a decoder.
    pub fn new(batch: RecordBatch, metadata: Metadata) -> BatchWithMetadata {
        BatchWithMetadata { batch, metadata }
    }
}
