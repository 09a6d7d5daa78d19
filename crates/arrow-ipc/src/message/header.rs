//! What the metadata of a message says, after all checks.

use super::{BatchHeader, DictionaryMessage, Head, OpenBatch, SparseTensorHeader, TensorHeader};
use crate::{error::WireResult, limits::Limits, protocol::MessageKind, schema::IpcSchema};

/// The header of a message: all numbers are checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
    /// The type, shape and strides of a dense tensor.
    Tensor(TensorHeader),
    /// The type, shape and index of a sparse tensor.
    SparseTensor(SparseTensorHeader),
}

impl Header {
    /// Parses and checks the metadata. Accepts a schema with unsupported columns.
    pub(super) fn read(head: &Head, limits: &Limits) -> WireResult<Header> {
        let (n_body_bytes, budget) = (head.n_body_bytes, limits.schema_budget(head.metadata.len()));
        Ok(match head.kind {
            MessageKind::Schema => Header::Schema(head.schema(limits)?),
            MessageKind::DictionaryBatch | MessageKind::RecordBatch => {
                let message = OpenBatch::parse(head.clone(), limits)?;
                let batch = BatchHeader::try_new(&message)?;
                match message.dictionary {
                    None => Header::RecordBatch(batch),
                    Some(DictionaryMessage { id, is_delta }) => {
                        Header::DictionaryBatch { id, is_delta, batch }
                    }
                }
            }
            MessageKind::Tensor => {
                Header::Tensor(TensorHeader::parse(head.header()?, n_body_bytes, limits, budget)?)
            }
            MessageKind::SparseTensor => {
                Header::SparseTensor(SparseTensorHeader::parse(head.header()?, n_body_bytes, limits, budget)?)
            }
        })
    }
}
