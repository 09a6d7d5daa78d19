//! Arrays of structs, and their conversion from and to record batches.

use std::sync::Arc;

use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, LookupError, Schema, field_index};

use super::{
    IndexedSlots,
    methods::array_methods,
    proven::{assemble, part, proven_as},
    sealed::Slots,
};
use crate::{
    error::{ArrayError, ArrayErrorKind},
    kind::Kind,
};

/// Structs: columns of equal length, and a validity bitmap for the structs.
///
/// A column also has a slot for each null struct. The values of these slots have no meaning.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, StructBuilder};
///
/// let columns = (("x", Int32Builder::new()), ("y", Int32Builder::new()));
/// let points = StructBuilder::new(columns).with_values([(1, 3), (2, 4)]).finish()?;
/// let y = points.column_as::<Int32Array>("y")?;
/// assert_eq!(y.get(1), Some(4));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Struct Layout" of the specification.
#[derive(Clone)]
pub struct StructArray {
    data: ArrayData,
}

/// One struct of a [`StructArray`]: a view of one slot in all columns. The struct of a null slot has no columns.
///
/// ```
/// use arrow_array::{Int64Array, StructArray, Utf8ViewArray};
/// use arrow_schema::{DataType, Field};
///
/// let fields = [Field::new("id", DataType::Int64), Field::new("name", DataType::Utf8View)];
/// let columns = [Int64Array::from_iter([1, 2]).into(), Utf8ViewArray::from_iter(["ada", "grace"]).into()];
/// let people = StructArray::try_new(fields, columns, None)?;
/// let grace = people.value(1);
/// assert_eq!(grace.value_as::<Utf8ViewArray>("name")?.value(0), "grace");
/// assert_eq!(format!("{grace:?}"), r#"{"id":2,"name":"grace"}"#);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Clone, Copy)]
pub struct StructValue<'a> {
    /// The array of structs; `None` if this struct is null.
    structs: Option<&'a ArrayData>,
    slot: usize,
}

impl StructArray {
    /// Makes an array of structs that shares these columns, one for each field. A struct is null if its bit in
    /// `validity` is not set; without `validity`, all structs are valid. If there are no columns, `validity` determines
    /// the number of structs.
    ///
    /// ```
    /// use arrow_array::{Int32Array, StructArray};
    /// use arrow_schema::{DataType, Field};
    ///
    /// let fields = ["x", "y"].map(|name| Field::new(name, DataType::Int32));
    /// let columns = [[1, 2], [3, 4]].map(|numbers| Int32Array::from_iter(numbers).into());
    /// let points = StructArray::try_new(fields, columns, None)?;
    /// assert_eq!(format!("{:?}", points.value(1)), r#"{"x":2,"y":4}"#);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the number of columns is not the number of fields, or a column has another type than its field. If columns
    /// and `validity` differ in length. If a column has nulls although its field is not nullable, or if its content is
    /// invalid.
    pub fn try_new(
        fields: impl Into<Arc<[Field]>>,
        columns: impl Into<Arc<[ArrayData]>>,
        validity: Option<Bitmap>,
    ) -> Result<StructArray, ArrayError> {
        let columns = columns.into();
        let n_slots = match columns.first() {
            Some(column) => column.len(),
            None => validity.as_ref().map_or(0, Bitmap::len),
        };
        let parts = ArrayParts::new(DataType::struct_(fields), n_slots);
        StructArray::try_from(assemble(ArrayParts { validity, children: Some(columns), ..parts })?)
    }

    /// The fields of the struct type, with the name and the type of each column.
    pub fn fields(&self) -> &[Field] {
        self.data.data_type().children()
    }

    /// All columns, in the order of the fields. Each has as many slots as the array.
    pub fn columns(&self) -> &[ArrayData] {
        self.data.children()
    }

    /// The column at a position; `None` if out of bounds.
    pub fn column_at(&self, position: usize) -> Option<&ArrayData> {
        self.columns().get(position)
    }

    /// The column with this name.
    ///
    /// # Errors
    /// If no column has the name, or several columns have it.
    pub fn column(&self, name: &str) -> Result<&ArrayData, LookupError> {
        let position = field_index(self.fields(), name)?;
        let n_fields = self.fields().len();
        self.column_at(position).ok_or(LookupError::OutOfRange { position, n_fields })
    }

    /// The column with this name, as an array of type `A`.
    ///
    /// # Errors
    /// If no column or more than one has the name, or if the column is not of the type `A`. The error names the column.
    pub fn column_as<A: TryFrom<ArrayData, Error = ArrayError>>(&self, name: &str) -> Result<A, ArrayError> {
        self.column_at_as(field_index(self.fields(), name).map_err(ArrayErrorKind::Lookup)?)
    }

    /// The column at a position, as an array of type `A`.
    ///
    /// # Errors
    /// If `position` is out of bounds, or if the column is not of the type `A`. The error names the column.
    pub fn column_at_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        position: usize,
    ) -> Result<A, ArrayError> {
        let n_fields = self.fields().len();
        let column = self.column_at(position).ok_or(LookupError::OutOfRange { position, n_fields });
        let column = column.map_err(ArrayErrorKind::Lookup)?.clone();
        A::try_from(column).map_err(|error| error.in_child(self.data_type(), position))
    }
}

impl<'a> StructValue<'a> {
    /// The slot of this struct in the columns.
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// The columns of the whole array, in which this struct is the slot [`slot`](StructValue::slot). Empty if the struct is
    /// null.
    pub fn columns(&self) -> &'a [ArrayData] {
        self.structs.map_or(&[], |structs| structs.children())
    }

    /// The fields of the struct type, with the name and the type of each column. Empty if the struct is null.
    pub fn fields(&self) -> &'a [Field] {
        self.structs.map_or(&[], |structs| structs.data_type().children())
    }

    /// The value of this struct in the column with this name, as an array of one slot.
    ///
    /// # Errors
    /// If no column or more than one has the name. A null struct has no columns, so each name is an error.
    pub fn value(&self, name: &str) -> Result<ArrayData, LookupError> {
        let position = field_index(self.fields(), name)?;
        let n_fields = self.fields().len();
        self.value_at(position).ok_or(LookupError::OutOfRange { position, n_fields })
    }

    /// The value of this struct in the column with this name, as an array of type `A` with one slot.
    ///
    /// # Errors
    /// If no column or more than one has the name, or if the column is not of the type `A`. The error names the column. A null
    /// struct has no columns, so each name is an error.
    pub fn value_as<A: TryFrom<ArrayData, Error = ArrayError>>(&self, name: &str) -> Result<A, ArrayError> {
        let position = field_index(self.fields(), name).map_err(ArrayErrorKind::Lookup)?;
        let value = self.value(name).map_err(ArrayErrorKind::Lookup)?;
        A::try_from(value).map_err(|error| error.in_field(position, name))
    }

    /// The value of this struct in the column with the index `position`, as an array of one slot. `None` if the index is out of
    /// bounds or the struct is null.
    pub fn value_at(&self, position: usize) -> Option<ArrayData> {
        self.columns().get(position).map(|column| part(column, self.slot..self.slot.saturating_add(1)))
    }

    /// The array that contains this struct, and its slot. `None` if the struct is null.
    pub(crate) fn array_and_slot(&self) -> Option<(&ArrayData, usize)> {
        self.structs.map(|structs| (structs, self.slot))
    }
}

impl PartialEq for StructValue<'_> {
    /// Whether both structs have columns of the same types in the same order, with equal values. Names are not compared.
    /// A null struct equals only a null struct.
    fn eq(&self, other: &StructValue<'_>) -> bool {
        fn values(value: &StructValue<'_>) -> Vec<ArrayData> {
            (0..).map_while(|position| value.value_at(position)).collect()
        }
        self.structs.is_some() == other.structs.is_some() && values(self) == values(other)
    }
}

impl Slots for StructArray {
    type Item<'a> = StructValue<'a>;
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<StructArray, ArrayError> {
        Ok(StructArray { data: proven_as(data, Kind::Struct, "struct")? })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> StructValue<'_> {
        StructValue { structs: Some(&self.data), slot }
    }

    fn zero_value(&self) -> StructValue<'_> {
        StructValue { structs: None, slot: 0 }
    }
}

array_methods!([] StructArray, StructValue<'_>);

impl TryFrom<&StructArray> for RecordBatch {
    type Error = ArrayError;

    /// Makes a batch of the columns. Copies nothing. The schema has no metadata of its own.
    ///
    /// # Errors
    /// If a struct is null, since rows of a batch cannot be null.
    fn try_from(structs: &StructArray) -> Result<RecordBatch, ArrayError> {
        let null_count = structs.null_count();
        if null_count > 0 {
            return Err(ArrayErrorKind::NullStructs { null_count: null_count as u64 }.into());
        }
        let schema = Schema::new(structs.fields().to_vec());
        Ok(RecordBatch::try_new_with_rows(schema, structs.columns().to_vec(), structs.len())?)
    }
}

impl TryFrom<StructArray> for RecordBatch {
    type Error = ArrayError;

    /// Does the same as the conversion of a `&StructArray`, with the same errors.
    fn try_from(structs: StructArray) -> Result<RecordBatch, ArrayError> {
        RecordBatch::try_from(&structs)
    }
}

impl TryFrom<&RecordBatch> for StructArray {
    type Error = ArrayError;

    /// Makes one struct for each row. No struct is null. Copies nothing. Drops the metadata of the schema.
    ///
    /// # Errors
    /// If the content of a column is invalid.
    fn try_from(batch: &RecordBatch) -> Result<StructArray, ArrayError> {
        StructArray::try_from(ArrayData::try_new(ArrayParts {
            children: Some(batch.columns().into()),
            ..ArrayParts::new(DataType::struct_(batch.schema().fields().to_vec()), batch.n_rows())
        })?)
    }
}

impl TryFrom<RecordBatch> for StructArray {
    type Error = ArrayError;

    /// Does the same as the conversion of a `&RecordBatch`, with the same errors.
    fn try_from(batch: RecordBatch) -> Result<StructArray, ArrayError> {
        StructArray::try_from(&batch)
    }
}
