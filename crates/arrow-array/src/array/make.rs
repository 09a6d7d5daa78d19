//! Makes arrays from existing buffers, bitmaps and arrays.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, Offsets};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType};

use super::{BooleanArray, DictionaryArray, GenericListArray, RunEndEncodedArray, StructArray, Width};
use crate::{
    Int16Array, Int32Array, Int64Array,
    error::{ArrayError, ArrayErrorKind},
};

impl BooleanArray {
    /// Makes an array that shares these bits. A slot is null if its bit in `validity` is not set; without `validity`, all slots are valid.
    ///
    /// ```
    /// use arrow_array::BooleanArray;
    /// use arrow_buffer::Bitmap;
    ///
    /// let [values, validity] = [[true, true, false], [true, false, true]].map(Bitmap::from_iter);
    /// let flags = BooleanArray::try_new(values, Some(validity))?;
    /// assert_eq!(flags, BooleanArray::from_iter([Some(true), None, Some(false)]));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `validity` does not have a bit for each value.
    pub fn try_new(values: Bitmap, validity: Option<Bitmap>) -> Result<BooleanArray, ArrayError> {
        let parts = ArrayParts::new(DataType::Boolean, values.len());
        let offset = values.bit_offset();
        let buffers = [values.buffer().clone(), Buffer::new()];
        BooleanArray::try_from(ArrayData::try_new(ArrayParts { validity, buffers, offset, ..parts })?)
    }
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
}

impl DictionaryArray {
    /// Makes an array from indices into `values`. The indices are integers of any type. A null index makes a null slot.
    /// Copies nothing. The type declares no order of the values.
    ///
    /// ```
    /// use arrow_array::{DictionaryArray, UInt16Array, Utf8ViewArray};
    ///
    /// let indices = UInt16Array::from_iter([Some(1), None, Some(0)]);
    /// let colors = DictionaryArray::try_new(indices, Utf8ViewArray::from_iter(["red", "blue"]))?;
    /// let decoded = colors.decoded::<Utf8ViewArray>()?;
    /// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some("blue"), None, Some("red")]);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `indices` are not integers. If a valid index is out of bounds. If `values` are dictionary-encoded themselves,
    /// or their content is invalid.
    pub fn try_new(
        indices: impl Into<ArrayData>,
        values: impl Into<ArrayData>,
    ) -> Result<DictionaryArray, ArrayError> {
        let (indices, values) = (indices.into(), values.into());
        let index = IndexType::ALL.into_iter().find(|index| DataType::from(*index) == *indices.data_type());
        let index = index.ok_or_else(|| ArrayError::type_mismatch("an integer", indices.data_type()))?;
        DictionaryArray::try_from(ArrayData::try_new(ArrayParts {
            data_type: DataType::dictionary(index, values.data_type().clone())?,
            dictionary: Some(values.into()),
            ..indices.into_parts()
        })?)
    }
}

impl RunEndEncodedArray {
    /// Makes an array of runs: each run has the value with the same index in `values`, and ends before the slot that
    /// `run_ends` says. Run ends are int16, int32 or int64. The last one is the number of slots. Copies nothing.
    ///
    /// ```
    /// use arrow_array::{BooleanArray, Int32Array, RunEndEncodedArray};
    ///
    /// let run_ends = Int32Array::from_iter([2, 5]);
    /// let runs = RunEndEncodedArray::try_new(run_ends, BooleanArray::from_iter([Some(true), None]))?;
    /// let decoded = runs.decoded::<BooleanArray>()?;
    /// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some(true), Some(true), None, None, None]);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `run_ends` have another type or nulls, do not ascend, or begin below 1. If there are fewer values than run
    /// ends. If the content of `values` is invalid.
    pub fn try_new(
        run_ends: impl Into<ArrayData>,
        values: impl Into<ArrayData>,
    ) -> Result<RunEndEncodedArray, ArrayError> {
        let (run_ends, values) = (run_ends.into(), values.into());
        let run_end_type = RunEndType::try_from(run_ends.data_type());
        let run_end = run_end_type
            .map_err(|_| ArrayError::type_mismatch("int16, int32 or int64", run_ends.data_type()))?;
        let last = match run_end {
            RunEndType::Int16 => {
                Int16Array::try_from(run_ends.clone())?.values().last().map(|end| i64::from(*end))
            }
            RunEndType::Int32 => {
                Int32Array::try_from(run_ends.clone())?.values().last().map(|end| i64::from(*end))
            }
            RunEndType::Int64 => Int64Array::try_from(run_ends.clone())?.values().last().copied(),
        };
        // The content check refuses run ends below 1. A greater one may be too large for a target of 32 bits.
        let n_slots = u64::try_from(last.unwrap_or(0)).unwrap_or(0);
        let n_slots = usize::try_from(n_slots).map_err(|_| ArrayErrorKind::RunEndOverflow {
            run_ends: run_end,
            n_slots,
            max: usize::MAX as u64,
        })?;
        let data_type = DataType::run_end_encoded(run_end, values.data_type().clone());
        let children = Some([run_ends, values].into());
        RunEndEncodedArray::try_from(assemble(ArrayParts {
            children,
            ..ArrayParts::new(data_type, n_slots)
        })?)
    }
}

impl<O: Width> GenericListArray<O> {
    /// Makes an array of lists with items of the field `item`. Each list has the items from its offset to the next
    /// offset. Copies nothing. A list is null if its bit in `validity` is not set; without `validity`, all lists are
    /// valid.
    ///
    /// ```
    /// use arrow_array::{Int32Array, ListArray};
    /// use arrow_buffer::Offsets;
    /// use arrow_schema::{DataType, Field};
    ///
    /// let item = Field::new("item", DataType::Int32);
    /// let sizes = Offsets::try_from_sizes([2, 0, 1])?;
    /// let lists = ListArray::try_new(item, sizes, Int32Array::from_iter([1, 2, 3]), None)?;
    /// assert_eq!(lists.items_as::<Int32Array>()?.value(0).values(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the items do not have the type of `item`, have nulls although `item` is not nullable, or have invalid
    /// content. If the offsets exceed the number of items. If `validity` does not have a bit for each list.
    pub fn try_new(
        item: Field,
        offsets: Offsets<O>,
        items: impl Into<ArrayData>,
        validity: Option<Bitmap>,
    ) -> Result<GenericListArray<O>, ArrayError> {
        let data_type = if size_of::<O>() == 4 { DataType::list(item) } else { DataType::large_list(item) };
        let parts = ArrayParts::new(data_type, offsets.n_slots());
        GenericListArray::try_from(assemble(ArrayParts {
            validity,
            buffers: [offsets.into_values().into_buffer(), Buffer::new()],
            children: Some([items.into()].into()),
            ..parts
        })?)
    }
}

/// Makes an array and checks its content. A null in a field that is not nullable is an error.
pub(crate) fn assemble(parts: ArrayParts) -> Result<ArrayData, ArrayError> {
    let array = ArrayData::try_new(parts)?.validate(Validation::Content)?;
    array.check_required_children()?;
    Ok(array)
}
