//! Record batches and dictionary batches, in both directions.

mod decode;
mod encode;
mod select;

pub(crate) use self::{
    decode::{BatchDecoder, DecodeContext},
    encode::{CountingSink, SegmentSink, ShapedSink, Shaping, encode},
    select::Selection,
};
