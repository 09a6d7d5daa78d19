//! Writes tensors as nested lists.

use std::fmt;

use super::{NULL, WriteSlot, records::Structs};
use crate::{
    array::{FixedSizeListArray, primitive::Int32Array},
    error::ArrayError,
    form::{MAX_DIMS, TensorAxes, TensorForm, TensorShape},
};

/// Writes tensors that all have the same shape.
pub(super) struct FixedTensors {
    pub(super) lists: Box<dyn WriteSlot>,
    pub(super) axes: Box<TensorAxes>,
}

impl WriteSlot for FixedTensors {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let nested = self.lists.write_tensor(slot, &self.axes, out);
        nested.unwrap_or_else(|| self.lists.write(slot, out))
    }

    fn is_null(&self, slot: usize) -> bool {
        self.lists.is_null(slot)
    }
}

/// Writes tensors that each have their own shape. A tensor is written like its storage if it has no elements, if its shape has
/// nulls, or if the shape does not match the number of elements.
pub(super) struct VariableTensors {
    structs: Structs,
    form: TensorForm,
    /// The index of the column with the lists of elements.
    data: usize,
    shapes: FixedSizeListArray,
    sizes: Int32Array,
}

impl VariableTensors {
    /// Makes the writer of structs. It writes tensors if `form` describes tensors, otherwise plain structs.
    pub(super) fn try_new(
        structs: Structs,
        form: Option<&TensorForm>,
    ) -> Result<Box<dyn WriteSlot>, ArrayError> {
        let Some((form, &TensorShape::OfEach { data, shape })) = form.map(|form| (form, form.shape())) else {
            return Ok(Box::new(structs));
        };
        let column = |position: usize| structs.array.columns().get(position).cloned();
        let shapes = FixedSizeListArray::try_from(column(shape).unwrap_or_default())?;
        let sizes = Int32Array::try_from(shapes.items().clone())?;
        Ok(Box::new(VariableTensors { structs, form: form.clone(), data, shapes, sizes }))
    }

    fn axes(&self, slot: usize) -> Option<TensorAxes> {
        let mut sizes = [0; MAX_DIMS];
        let range = self.shapes.range(slot);
        let n_dims = range.len();
        for (size, item) in sizes.iter_mut().zip(range) {
            *size = usize::try_from(self.sizes.get(item)?).ok()?;
        }
        self.form.axes(sizes.get(..n_dims)?)
    }
}

impl WriteSlot for VariableTensors {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.is_null(slot) {
            return out.write_str(NULL);
        }
        let elements = self.structs.record.columns.get(self.data);
        let nested = self.axes(slot).zip(elements);
        let nested = nested.and_then(|(axes, elements)| elements.writer().write_tensor(slot, &axes, out));
        nested.unwrap_or_else(|| self.structs.write(slot, out))
    }

    fn is_null(&self, slot: usize) -> bool {
        self.structs.is_null(slot)
    }
}
