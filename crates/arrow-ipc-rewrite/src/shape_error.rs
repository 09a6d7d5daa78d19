//! Errors in the shapes of planned batches.

use std::fmt;

/// The reason why the shape of a batch is refused: it contradicts the schema or itself, or is too large. The
/// [`Location`](arrow_ipc::error::Location) of the error has the field.
///
/// ```
/// use arrow_ipc::WrittenContainer;
/// use arrow_ipc_rewrite::{RewriteError, ShapeError, plan::{BatchShape, ColumnShape, PlanBuilder}};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::Int64)]);
/// let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File)?;
/// let shape = BatchShape::new(10).with_columns([ColumnShape::new().with_nulls(11)]);
/// let error = plan.push(&shape, 1).unwrap_err();
/// let cause = RewriteError::from_ipc_error(&error);
/// assert!(matches!(cause, Some(RewriteError::Shape(ShapeError::TooMany { found: 11, max: 10, .. }))));
/// assert_eq!(error.to_string(), "field `id`: the shape has 11 nulls; at most 10 are possible");
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages name them
pub enum ShapeError {
    /// A number in the shape differs from the number that the schema or the rest of the shape requires.
    Differs { what: &'static str, expected: u64, found: u64 },
    /// A number in the shape is too small.
    TooFew { what: &'static str, found: u64, min: u64 },
    /// A number in the shape is too large.
    TooMany { what: &'static str, found: u64, max: u64 },
    /// The shape sets a number that fields of this type do not have.
    NotInType { what: &'static str, found: u64 },
    /// A number of bytes, or of slots, is larger than the format can express.
    Overflow { what: &'static str, n_slots: u64 },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Differs { what, expected, found } => {
                write!(f, "the shape has {found} {what}, not {expected}")
            }
            ShapeError::TooFew { what, found, min } => {
                write!(f, "the shape has {found} {what}; at least {min} are needed")
            }
            ShapeError::TooMany { what, found, max } => {
                write!(f, "the shape has {found} {what}; at most {max} are possible")
            }
            ShapeError::NotInType { what, found } => {
                write!(f, "the shape has {found} {what}, which the type does not have")
            }
            ShapeError::Overflow { what, n_slots } => {
                write!(f, "{n_slots} slots have more {what} than the format can express")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

arrow_error::debug_as_display!(ShapeError);
