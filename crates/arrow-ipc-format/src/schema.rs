//! Schemas with dictionary ids, and their conversion from and to flatbuffers.

mod data_type;
mod decode;
mod encode;
mod field_table;
mod ipc_schema;
mod message;
mod metadata;
mod shared_list;

pub use self::ipc_schema::{IpcSchema, UnsupportedColumn};
pub use self::metadata::encode_metadata;
pub use self::{
    data_type::{decode_index_type, decode_type, encode_type},
    decode::decode_schema,
    encode::{SchemaFlatbuffer, SchemaPart, check_readable, metadata_list},
    field_table::SchemaTable,
    metadata::{check_fits, decode_metadata, n_decoded_bytes, n_metadata_bytes},
    shared_list::SharedList,
};
