//! The columns of a batch as typed arrays, with their children. They are made once.

use std::sync::Arc;

use arrow_array::{AnyArray, ArrayError, ColumnText, TextStyle};
use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::PathStep;

type TypedColumns = Box<[TypedColumn]>;

/// A column, or a field below a column.
#[derive(Debug)]
pub(super) struct TypedColumn {
    /// The last step of the column's path.
    pub(super) step: PathStep,
    pub(super) array: AnyArray,
    pub(super) validity: Option<Bitmap>,
    /// Whether all slots are null although there is no bitmap.
    pub(super) is_all_null: bool,
    /// The children: for lists, structs and unions the children of the type; for maps the keys and values; for
    /// dictionaries and runs the values.
    pub(super) children: TypedColumns,
    /// The text of the values, if JSON rows write the values as strings although they are not text.
    pub(super) text: Option<ColumnText>,
}

impl TypedColumn {
    /// Prepares a column, with all fields below it.
    pub(super) fn try_new(step: PathStep, data: &ArrayData) -> Result<TypedColumn, ArrayError> {
        let (array, below) = parts(data)?;
        TypedColumn::of(step, array, columns(&below)?)
    }

    fn of(step: PathStep, array: Box<AnyArray>, children: TypedColumns) -> Result<TypedColumn, ArrayError> {
        let data_type = array.data_type();
        let is_written = data_type.is_binary() || data_type.is_decimal() || data_type.is_temporal();
        let text = is_written.then(|| ColumnText::try_new(array.data(), TextStyle::Plain)).transpose()?;
        let is_all_null = matches!(*array, AnyArray::Null(_));
        let validity = array.data().validity().cloned();
        Ok(TypedColumn { step, array: *array, validity, is_all_null, children, text })
    }

    /// Whether a slot is null or out of bounds. Nulls in the values of dictionaries, runs and unions are not considered.
    #[inline]
    pub(super) fn is_null(&self, slot: usize) -> bool {
        match &self.validity {
            Some(validity) => !validity.get(slot).unwrap_or(false),
            None => self.is_all_null,
        }
    }

    /// The name of the column, field or child.
    pub(super) fn name(&self) -> &str {
        match &self.step {
            PathStep::Child { position: _, name } => name,
            PathStep::Dictionary => "",
        }
    }
}

/// Recurses once for each level of the type. No column and no array is in the stack frame of the function, so each level
/// takes little stack, even without optimisation.
fn columns(arrays: &ArraysBelow) -> Result<TypedColumns, ArrayError> {
    let mut typed = Vec::with_capacity(arrays.len());
    for (step, data) in arrays {
        let (array, below) = parts(data)?;
        let below = columns(&below)?;
        push(&mut typed, || TypedColumn::of(step.clone(), array, below))?;
    }
    Ok(typed.into())
}

#[inline(never)]
fn push<T>(to: &mut Vec<T>, make: impl FnOnce() -> Result<T, ArrayError>) -> Result<(), ArrayError> {
    to.push(make()?);
    Ok(())
}

/// The children of an array, with the steps to them.
type ArraysBelow = Vec<(PathStep, ArrayData)>;

/// Returns the typed array, and its children.
#[inline(never)]
fn parts(data: &ArrayData) -> Result<(Box<AnyArray>, ArraysBelow), ArrayError> {
    let array = Box::new(AnyArray::try_new(data)?);
    // This data has been validated; the given data may not have been.
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
