//! Flatbuffers to [`Schema`](arrow_schema::Schema) and back, with dictionary ids beside it.

mod data_type;
mod decode;
mod metadata;

pub(crate) use self::{
    decode::decode_schema,
    metadata::{decode_metadata, encode_metadata},
};
