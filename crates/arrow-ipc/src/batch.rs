//! Record batches and dictionary batches, in both directions.

mod decode;
mod encode;
mod select;
mod union_nulls;

pub(crate) use self::{
    decode::{BatchDecoder, DecodeContext},
    encode::{CountingSink, EncodeRules, SegmentSink, ShapedSink, Shaping, encode},
    select::Selection,
};
