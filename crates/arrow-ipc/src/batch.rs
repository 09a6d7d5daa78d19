//! Reading and writing record batches and dictionary batches.

mod account;
mod decode;
mod encode;
mod rows;
mod select;
mod union_nulls;

pub(crate) use self::{
    account::{Account, Charges},
    decode::{BatchDecoder, BodyBuffers, DecodeContext},
    encode::{
        CountingSink, EncodeRules, RepeatedBuffers, SegmentSink, ShapedSink, Shaping, Trim, encode,
        n_written_bytes,
    },
    rows::{BodyBytes, ChildSlots, ColumnSize, RowSource, RowState, RowTally, RowsFound, TakenRows},
    select::ProjectedSchema,
};
