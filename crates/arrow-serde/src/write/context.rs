//! What the serializers of all values of a row share.

use std::cell::Cell;

use arrow_schema::DataType;

use super::node::WriteNode;
use crate::error::{Result, SerdeErrorKind};

/// What all values of a row share while the row is written.
#[derive(Debug)]
pub(super) struct WriteContext {
    /// Whether fields that the schema does not contain are skipped. Otherwise they are errors.
    pub(super) ignores_unknown: bool,
    pub(super) max_null_bytes: u64,
    /// The memory of the nulls in the row so far.
    pub(super) null_bytes: Cell<u64>,
    /// The node for the items of a sequence that is written as bytes.
    pub(super) byte: WriteNode,
    pub(super) part: WriteNode,
}

impl WriteContext {
    pub(super) fn new() -> WriteContext {
        WriteContext {
            ignores_unknown: false,
            max_null_bytes: 256 << 20,
            null_bytes: Cell::new(0),
            byte: WriteNode::from_number(DataType::UInt8),
            part: WriteNode::from_number(DataType::Int64),
        }
    }

    /// Charges the memory of nulls. Returns an error if the limit of the row is exceeded.
    pub(super) fn spend(&self, n_bytes: u64) -> Result<()> {
        let n_bytes = self.null_bytes.get().saturating_add(n_bytes);
        self.null_bytes.set(n_bytes);
        if n_bytes <= self.max_null_bytes {
            Ok(())
        } else {
            Err(SerdeErrorKind::TooManyNulls { max_bytes: self.max_null_bytes }.into())
        }
    }

    /// Skips a field that the schema does not contain, or returns an error.
    #[cold]
    pub(super) fn unknown(&self, name: &str) -> Result<()> {
        if self.ignores_unknown {
            Ok(())
        } else {
            Err(SerdeErrorKind::UnknownField { name: start_of(name) }.into())
        }
    }
}

/// The maximum length of a name in an error, in bytes.
const MAX_NAME_BYTES: usize = 64;

pub(super) fn start_of(name: &str) -> Box<str> {
    name.get(..arrow_buffer::floor_char_boundary(name, MAX_NAME_BYTES)).unwrap_or_default().into()
}
