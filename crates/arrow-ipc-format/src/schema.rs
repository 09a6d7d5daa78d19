//! Schemas with dictionary ids, and their conversion from and to flatbuffers.

mod data_type;
mod decode;
mod encode;
mod ipc_schema;
mod metadata;
mod shared_list;

pub use self::ipc_schema::{IpcSchema, SchemaIrregularity, UnsupportedColumn, check_metadata_utf8};
pub use self::{
    data_type::{TypeTable, decode_index_type, decode_type, write_type},
    decode::decode_schema,
    encode::{SchemaFlatbuffer, SchemaPart, check_readable},
    metadata::{check_fits, decode_metadata, n_metadata_bytes, write_metadata},
    shared_list::SharedList,
};
pub(crate) use self::{encode::metadata_list, metadata::n_decoded_bytes};
