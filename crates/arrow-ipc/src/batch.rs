//! Reading and writing record batches and dictionary batches.

mod account;
mod decode;
mod decompressed;
mod encode;
mod rows;
mod select;
mod tally;
mod union_nulls;

pub(crate) use self::{
    account::{Account, Charges},
    decode::{BatchDecoder, DecodeContext},
    decompressed::BodyBuffers,
    encode::{
        CountingSink, EncodeRules, RepeatedBuffers, SegmentSink, ShapedSink, Shaping, Trim, encode,
        n_written_bytes,
    },
    rows::{BodyBytes, ChildSlots, CompressedBuffers, RowBounds, RowSource, RowsFound, TakenRows},
    select::ProjectedSchema,
    tally::RowTally,
};
