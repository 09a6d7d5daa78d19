//! What the metadata of a message says, after all checks.

use super::{BatchHeader, BatchView, DictionaryHeader, Envelope};
use crate::{error::Result, limits::Limits, protocol::MessageKind, schema::IpcSchema};

/// The header of a message: all numbers are checked, except those of tensors.
#[derive(Debug, Clone)]
pub enum Header {
    /// The names and types of the columns.
    Schema(IpcSchema),
    /// The values of a dictionary, or values that are appended to it.
    DictionaryBatch {
        /// The id of the dictionary. Fields of the schema refer to it.
        id: i64,
        /// Whether the values are appended to the dictionary.
        is_delta: bool,
        /// The nodes and buffers of the values.
        batch: BatchHeader,
    },
    /// The nodes and buffers of the columns.
    RecordBatch(BatchHeader),
    /// A dense tensor. `arrow-ipc-tensor` reads its type, shape and strides.
    Tensor,
    /// A sparse tensor. `arrow-ipc-tensor` reads its type, shape and index.
    SparseTensor,
}

impl Header {
    /// Parses and checks the metadata. Accepts a schema with unsupported columns.
    pub(super) fn read(envelope: &Envelope, limits: &Limits) -> Result<Header> {
        Ok(match envelope.kind() {
            MessageKind::Schema => Header::Schema(envelope.schema(limits)?),
            MessageKind::DictionaryBatch | MessageKind::RecordBatch => {
                let message = BatchView::parse(envelope.clone(), limits)?;
                let batch = BatchHeader::try_new(&message)?;
                match message.dictionary() {
                    None => Header::RecordBatch(batch),
                    Some(DictionaryHeader { id, is_delta }) => {
                        Header::DictionaryBatch { id, is_delta, batch }
                    }
                }
            }
            MessageKind::Tensor => Header::Tensor,
            MessageKind::SparseTensor => Header::SparseTensor,
        })
    }
}
