//! The reasons why a message cannot be copied, or a file cannot be planned.

use std::fmt;

use arrow_data::Role;
use arrow_ipc::{IpcError, IpcErrorKind};

use crate::shape_error::ShapeError;

/// The reason why a message cannot be copied as the options ask, or a stream or file cannot be planned or read.
///
/// Functions return it inside an [`IpcError`]; [`from_ipc_error`](RewriteError::from_ipc_error) finds it there.
///
/// ```
/// use arrow_ipc::{Compression, ErrorClass, WriteOptions, WrittenContainer};
/// use arrow_ipc_rewrite::{RewriteError, plan::PlanBuilder};
/// use arrow_schema::Schema;
///
/// let options = WriteOptions::new().with_compression(Compression::zstd());
/// let error = PlanBuilder::try_new_with(Schema::default(), WrittenContainer::File, options).unwrap_err();
/// assert!(matches!(RewriteError::from_ipc_error(&error), Some(RewriteError::NotPlannable { .. })));
/// assert_eq!(error.class(), ErrorClass::Misuse);
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum RewriteError {
    /// This message cannot be copied without decoding its arrays.
    NeedsDecoding { what: &'static str },
    /// The options set another codec than the message has, so its compressed buffers cannot be copied unchanged.
    CannotRelocate,
    /// The shape of a batch contradicts the schema or itself, or is larger than the format can express.
    Shape(ShapeError),
    /// A batch needs a dictionary for which the plan has no shape.
    UnplannedDictionary { id: i64 },
    /// An option makes the lengths of buffers depend on values, but a plan has no values.
    NotPlannable { what: &'static str, why: &'static str },
    /// The requested bytes are not all in the planned file or stream.
    OutOfPlan { start: u64, end: u64, n_bytes: u64 },
    /// The plan has no dictionary batch with the requested index.
    NoSuchDictionaryBatch { dictionary_idx: usize, n_dictionaries: usize },
    /// The field has no buffer of the requested role and index.
    NoSuchBuffer { role: Role, data_buffer_idx: usize },
    /// A provider returned the wrong number of bytes for a buffer.
    ProvidedBytes { start: u64, end: u64, found: u64 },
}

impl RewriteError {
    /// The cause of an error, if it is one of these.
    pub fn from_ipc_error(error: &IpcError) -> Option<&RewriteError> {
        let IpcErrorKind::Other { error, .. } = error.kind() else { return None };
        error.downcast_ref()
    }
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteError::NeedsDecoding { what } => {
                write!(f, "{what} cannot be copied without decoding; read and write the batches")
            }
            RewriteError::CannotRelocate => {
                f.write_str("the body cannot be copied unchanged, since its codec changes; use `transcode`")
            }
            RewriteError::Shape(error) => fmt::Display::fmt(error, f),
            RewriteError::UnplannedDictionary { id } => {
                write!(f, "the dictionary with id {id} has no shape: call `push_dictionary` first")
            }
            RewriteError::NotPlannable { what, why } => write!(f, "cannot plan {what}: {why}"),
            RewriteError::OutOfPlan { start, end, n_bytes } => {
                write!(f, "bytes {start}..{end} are out of bounds; the plan has {n_bytes} bytes")
            }
            RewriteError::NoSuchDictionaryBatch { dictionary_idx, n_dictionaries } => write!(
                f,
                "dictionary batch {dictionary_idx} is out of bounds; there are {n_dictionaries} of them"
            ),
            RewriteError::NoSuchBuffer { role: Role::Variadic, data_buffer_idx } => {
                write!(f, "the field has no data buffer {data_buffer_idx}")
            }
            RewriteError::NoSuchBuffer { role, .. } => write!(f, "the field has no {role} buffer"),
            RewriteError::ProvidedBytes { start, end, found } => {
                write!(f, "the provider gave {found} bytes for the bytes {start}..{end} of the buffer")
            }
        }
    }
}

impl std::error::Error for RewriteError {}

impl From<RewriteError> for IpcError {
    fn from(error: RewriteError) -> IpcError {
        IpcErrorKind::Other { what: "", class: error.class(), error: Box::new(error) }.into()
    }
}

impl From<ShapeError> for IpcError {
    fn from(error: ShapeError) -> IpcError {
        RewriteError::Shape(error).into()
    }
}

arrow_error::debug_as_display!(RewriteError);
arrow_error::error_class! { RewriteError => Misuse, ShapeError => Misuse }
