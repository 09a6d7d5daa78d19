//! Converts the columns of a batch and their children to typed arrays, once for all rows.

use std::sync::Arc;

use arrow_array::{AnyArray, ArrayError, ColumnText, TextStyle};
use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::PathStep;

use super::budget::n_counted_bytes;

type TypedColumns = Box<[TypedColumn]>;

/// A column or one of its children, at any level.
#[derive(Debug)]
pub(super) struct TypedColumn {
    /// The path step from the parent to this field.
    pub(super) step: PathStep,
    pub(super) array: AnyArray,
    pub(super) validity: Option<Bitmap>,
    /// Whether the type is the null type, which has no bitmap.
    pub(super) is_all_null: bool,
    /// The children of lists, structs and unions; the keys and values of maps; the values of dictionaries and runs.
    pub(super) children: TypedColumns,
    /// How many bytes count in the budget of a row when the names of the children are copied.
    pub(super) n_counted_name_bytes: usize,
    /// The column as text, for types that JSON rows write as strings, except text itself.
    pub(super) text: Option<ColumnText>,
}

impl TypedColumn {
    /// Makes typed arrays of a column and of all its children.
    pub(super) fn try_new(step: PathStep, data: &ArrayData) -> Result<TypedColumn, ArrayError> {
        let (array, below) = parts(data)?;
        TypedColumn::from_step(step, array, columns(&below)?)
    }

    fn from_step(
        step: PathStep,
        array: Box<AnyArray>,
        children: TypedColumns,
    ) -> Result<TypedColumn, ArrayError> {
        let data_type = array.data_type();
        let is_written = data_type.is_binary() || data_type.is_decimal() || data_type.is_temporal();
        let text = is_written.then(|| ColumnText::try_new(array.data(), TextStyle::Plain)).transpose()?;
        let is_all_null = matches!(*array, AnyArray::Null(_));
        let validity = array.data().validity().cloned();
        let counted = children.iter().map(|child| n_counted_bytes(child.name()));
        let n_counted_name_bytes = counted.fold(0, usize::saturating_add);
        Ok(TypedColumn { step, array: *array, validity, is_all_null, children, n_counted_name_bytes, text })
    }

    /// Whether a slot, which must be in bounds, is null. Nulls in the values of dictionaries, runs and unions do not count.
    #[inline]
    pub(super) fn is_null(&self, slot: usize) -> bool {
        match &self.validity {
            Some(validity) => !validity.get(slot).unwrap_or(false),
            None => self.is_all_null,
        }
    }

    /// The name of the column or child. Empty for the values of a dictionary.
    pub(super) fn name(&self) -> &str {
        match &self.step {
            PathStep::Child { position: _, name } => name,
            PathStep::Dictionary => "",
        }
    }

    /// The number of bytes of the names of the column and of its children, at any level. Recurses once for each level.
    pub(super) fn n_name_bytes(&self) -> u64 {
        let below = self.children.iter().map(TypedColumn::n_name_bytes);
        below.fold(self.name().len() as u64, u64::saturating_add)
    }
}

/// Recurses once for each level of nesting. Columns and arrays are not in the stack frame of this function, so it uses little
/// stack, even without optimisation.
fn columns(arrays: &ArraysBelow) -> Result<TypedColumns, ArrayError> {
    let mut typed = Vec::with_capacity(arrays.len());
    for (step, data) in arrays {
        let (array, below) = parts(data)?;
        let below = columns(&below)?;
        push(&mut typed, || TypedColumn::from_step(step.clone(), array, below))?;
    }
    Ok(typed.into())
}

#[inline(never)]
fn push<T>(to: &mut Vec<T>, make: impl FnOnce() -> Result<T, ArrayError>) -> Result<(), ArrayError> {
    to.push(make()?);
    Ok(())
}

/// The children of an array, each with the path step to it.
type ArraysBelow = Vec<(PathStep, ArrayData)>;

/// Makes the typed array. Returns the children with it.
#[inline(never)]
fn parts(data: &ArrayData) -> Result<(Box<AnyArray>, ArraysBelow), ArrayError> {
    let array = Box::new(AnyArray::try_new(data)?);
    // The typed array has validated data, and `data` may not be validated.
    let data = array.data();
    let data_type = data.data_type();
    let below = if let Some(dictionary) = data.dictionary() {
        vec![(PathStep::Dictionary, ArrayData::clone(dictionary))]
    } else if data_type.is_run_end_encoded() {
        children(data).split_off(1)
    } else if let (true, [entries]) = (data_type.is_map(), data.children()) {
        children(entries)
    } else {
        children(data)
    };
    Ok((array, below))
}

fn children(data: &ArrayData) -> ArraysBelow {
    let fields = data.data_type().children().iter().enumerate().zip(data.children());
    let child = |((position, field), child): ((usize, &arrow_schema::Field), &ArrayData)| {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        (PathStep::Child { position, name: Arc::from(field.name()) }, child.clone())
    };
    fields.map(child).collect()
}
