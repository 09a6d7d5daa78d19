//! Decodes dictionaries and runs of any type, at any depth.

use std::sync::Arc;

use arrow_array::AnyArray;
use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Field, Schema};

use super::{Cast, CastError, Digits};

/// Decodes arrays and batches of any type, which need not be known before run time.
///
/// ```
/// use arrow_array::{DictionaryArray, Utf8Array};
/// use arrow_compute::Decode;
///
/// let colors = DictionaryArray::from_iter([Some("red"), None, Some("red")]);
/// let decoded = colors.data().decoded()?;
/// assert_eq!(&decoded, Utf8Array::from([Some("red"), None, Some("red")]).data());
/// # Ok::<(), arrow_compute::CastError>(())
/// ```
pub trait Decode: Sized {
    /// The same values without dictionaries and runs, also inside of lists, structs, maps and unions: with the type that
    /// [`DataType::to_decoded`](arrow_schema::DataType::to_decoded) returns. Shares the memory of what is not encoded.
    ///
    /// The result takes at most 1,024 times the bytes of the input, or 256 MiB if that is more. Without this limit, a small
    /// dictionary of long values could be decoded to any length. For another limit, call
    /// [`decoded_in`](Decode::decoded_in).
    ///
    /// # Errors
    /// If the decoded values exceed the limit or the memory, or do not fit the offsets of their type. If an index is null or a
    /// run selects nothing, and the values are of a type without nulls, such as a union. If unchecked content is invalid.
    fn decoded(&self) -> Result<Self, CastError>;

    /// Like [`decoded`](Decode::decoded), but charges the memory to `budget` before it is allocated. The result stays charged
    /// until its last buffer is dropped.
    ///
    /// # Errors
    /// The errors of [`decoded`](Decode::decoded), with the limit of the budget.
    fn decoded_in(&self, budget: &MemoryBudget) -> Result<Self, CastError>;
}

impl Decode for ArrayData {
    fn decoded(&self) -> Result<ArrayData, CastError> {
        self.decoded_in(&MemoryBudget::new(MemoryBudget::default_limit(self.n_bytes())))
    }

    fn decoded_in(&self, budget: &MemoryBudget) -> Result<ArrayData, CastError> {
        Cast::new(self.data_type().to_decoded(), Digits::Keep).array(self, budget)
    }
}

impl Decode for AnyArray {
    fn decoded(&self) -> Result<AnyArray, CastError> {
        Ok(AnyArray::try_from(self.data().decoded()?)?)
    }

    fn decoded_in(&self, budget: &MemoryBudget) -> Result<AnyArray, CastError> {
        Ok(AnyArray::try_from(self.data().decoded_in(budget)?)?)
    }
}

impl Decode for RecordBatch {
    /// All columns have one limit together. Names, nullability and metadata of the fields stay.
    fn decoded(&self) -> Result<RecordBatch, CastError> {
        self.decoded_in(&MemoryBudget::new(MemoryBudget::default_limit(self.n_bytes())))
    }

    fn decoded_in(&self, budget: &MemoryBudget) -> Result<RecordBatch, CastError> {
        let fields = self.schema().fields();
        let decoded_field = |field: &Field| field.clone().with_data_type(field.data_type().to_decoded());
        let schema = fields.iter().map(decoded_field).collect::<Schema>();
        let schema = schema.with_metadata(self.schema().metadata().clone());
        let columns = fields.iter().zip(self.columns()).enumerate().map(|(position, (field, column))| {
            column.decoded_in(budget).map_err(|error| error.in_child(position, field))
        });
        let columns = columns.collect::<Result<Vec<ArrayData>, CastError>>()?;
        Ok(RecordBatch::try_new_with_rows(Arc::new(schema), columns, self.n_rows())?)
    }
}
