//! Reading and writing record batches and dictionary batches.

mod account;
mod decode;
mod encode;
mod rows;
mod select;
mod union_nulls;
mod walk;
mod whole;

pub(crate) use self::{
    account::{Account, Charges},
    decode::{BatchDecoder, BodyBuffers, DecodeContext, check_lists},
    encode::{EncodeRules, RepeatedBuffers, SegmentSink, ShapedSink, Shaping, Trim, encode, n_written_bytes},
    rows::{BodyBytes, ChildSlots, MeasuredColumn, RowSource, RowState, RowTally, RowsFound, TakenRows},
    select::ProjectedSchema,
};
