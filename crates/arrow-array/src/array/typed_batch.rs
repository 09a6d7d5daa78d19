//! Methods of batches that return columns as typed arrays.

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Field, LookupError};
use arrow_select::Select;

use super::BooleanArray;
use crate::error::{ArrayError, ArrayErrorKind};

mod sealed {
    pub trait Sealed {}

    impl Sealed for arrow_data::RecordBatch {}
}

/// Columns of a [`RecordBatch`] as typed arrays.
///
/// ```
/// use arrow_array::{AnyArray, BooleanArray, Int64Array, TypedBatch, Utf8Array};
/// use arrow_data::RecordBatch;
///
/// let batch = RecordBatch::try_from_columns([
///     ("id", Int64Array::from_iter([1, 2, 3]).into()),
///     ("is_open", BooleanArray::from_iter([Some(true), Some(false), None]).into()),
/// ])?;
/// let open = batch.filter_by(&batch.column_as("is_open")?)?;
/// assert_eq!(open.column_as::<Int64Array>("id")?.values(), [1]);
/// assert!(matches!(batch.column_as::<AnyArray>("id")?, AnyArray::Int64(_)));
///
/// let error = batch.column_as::<Utf8Array>("id").unwrap_err();
/// assert_eq!(error.to_string(), "field `id`: expected utf8, found int64");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub trait TypedBatch: sealed::Sealed {
    /// The column with this name, as an array of type `A`, which may be [`AnyArray`](crate::AnyArray). Validates the content of
    /// the column, unless it has been validated before.
    ///
    /// # Errors
    /// If no column or more than one has the name. If the column is not of the type `A`. If its content is invalid. The error
    /// names the column.
    fn column_as<A: TryFrom<ArrayData, Error = ArrayError>>(&self, name: &str) -> Result<A, ArrayError>;

    /// The column at a position, as an array of type `A`.
    ///
    /// # Errors
    /// If `position` is out of bounds. If the column is not of the type `A`. If its content is invalid. The error names the
    /// column.
    fn column_at_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        position: usize,
    ) -> Result<A, ArrayError>;

    /// The values at a path that is written as text, such as `address.zip`, as an array of type `A`. See
    /// [`RecordBatch::column_by_path`].
    ///
    /// # Errors
    /// If no field has this path. If the values are not of the type `A`. If their content is invalid. The error names the path.
    ///
    /// ```
    /// use arrow_array::{Int64Array, StructArray, TypedBatch};
    /// use arrow_data::RecordBatch;
    ///
    /// let zips = RecordBatch::try_from_columns([("zip", Int64Array::from_iter([Some(7), None]).into())])?;
    /// let addresses = StructArray::try_from(&zips)?;
    /// let batch = RecordBatch::try_from_columns([("address", addresses.into())])?;
    /// assert_eq!(batch.column_by_path_as::<Int64Array>("address.zip")?.get(0), Some(7));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    fn column_by_path_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        path: &str,
    ) -> Result<A, ArrayError>;

    /// Returns the rows whose slot in `mask` is true. Drops rows whose slot is false or null.
    ///
    /// # Errors
    /// If the mask does not have the length of the batch, or if the content of a column is invalid.
    fn filter_by(&self, mask: &BooleanArray) -> Result<RecordBatch, ArrayError>;
}

impl TypedBatch for RecordBatch {
    fn column_as<A: TryFrom<ArrayData, Error = ArrayError>>(&self, name: &str) -> Result<A, ArrayError> {
        self.column_at_as(self.schema().index_of(name).map_err(ArrayErrorKind::Lookup)?)
    }

    fn column_at_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        position: usize,
    ) -> Result<A, ArrayError> {
        let n_fields = self.n_columns();
        let column = self.column_at(position).ok_or(LookupError::OutOfRange { position, n_fields });
        let column = column.map_err(ArrayErrorKind::Lookup)?.clone();
        A::try_from(column).map_err(|error| {
            let name = self.schema().field(position).map_or("", Field::name);
            error.in_field(position, name)
        })
    }

    fn column_by_path_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        path: &str,
    ) -> Result<A, ArrayError> {
        let path = self.schema().path(path).map_err(ArrayErrorKind::Lookup)?;
        A::try_from(self.at_path(&path)?).map_err(|error| error.below(&path))
    }

    fn filter_by(&self, mask: &BooleanArray) -> Result<RecordBatch, ArrayError> {
        Ok(self.filter(&mask.to_mask())?)
    }
}
