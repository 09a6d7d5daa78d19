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
        CountingSink, EncodeRules, Repeats, SegmentSink, ShapedSink, Shaping, Trim, encode, n_written_bytes,
    },
    rows::{BodyBytes, CompressedBuffers, RowBounds, RowSource, RowsFound, Slots, TakenRows},
    select::Selection,
    tally::Tally,
};
