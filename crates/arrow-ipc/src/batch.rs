//! Record batches and dictionary batches, in both directions.

mod decode;
mod select;

pub(crate) use self::{
    decode::{BatchDecoder, DecodeContext},
    select::Selection,
};
