//! The values of a field inside a column.

use std::sync::Arc;

use arrow_buffer::Bitmap;
use arrow_schema::{Field, FieldPath, LookupError, Nullability, PathStep};

use crate::{
    array::{ArrayData, NullCount},
    error::{DataError, DataErrorKind as Kind},
    layout::{Nulls, Physical},
};

/// The result of [`ArrayData::at_path`].
pub(super) fn in_array(array: &ArrayData, path: &FieldPath) -> Result<ArrayData, DataError> {
    let column = Field::new("", array.data_type().clone());
    Ok(below(&column, array.clone(), path.steps())?.1)
}

/// The values at `path` in columns and their fields. The first step of the path names the column.
pub(crate) fn in_columns(
    fields: &[Field],
    columns: &[ArrayData],
    path: &FieldPath,
) -> Result<ArrayData, DataError> {
    let Some((first, rest)) = path.steps().split_first() else { return Err(Kind::NoPath.into()) };
    let position = position(first, columns.len())?;
    let (Some(field), Some(column)) = (fields.get(position), columns.get(position)) else {
        return Err(missing(position, columns.len()));
    };
    below(field, column.clone(), rest)
        .map(|(_, values)| values)
        .map_err(|error| error.in_field(position, field.name()))
}

/// The values at the path below a field, and the field at the end of the path. The returned field is nullable if any
/// field of the path is nullable.
fn below(field: &Field, array: ArrayData, steps: &[PathStep]) -> Result<(Field, ArrayData), DataError> {
    let Some((step, rest)) = steps.split_first() else { return Ok((field.clone(), array)) };
    let (position, child_field) = enter(&array, step)?;
    let is_struct = array.layout().physical() == Physical::Struct;
    let child = if is_struct { member(&array, position, rest) } else { item(&array, position) };
    let in_child = |error: DataError| error.in_child(array.data_type(), position);
    let (found, values) = child.and_then(|child| below(&child_field, child, rest)).map_err(in_child)?;
    if !is_struct {
        return list_of(field, &array, found.with_name(child_field.to_shared_name()), values);
    }
    let is_nullable = field.is_nullable() || found.is_nullable();
    let nullability = if is_nullable { Nullability::Nullable } else { Nullability::Required };
    Ok((found.with_nullability(nullability), values))
}

/// Finds the child that `step` names. Returns an error if paths cannot lead into arrays of this type.
#[inline(never)]
fn enter(array: &ArrayData, step: &PathStep) -> Result<(usize, Field), DataError> {
    let data_type = array.data_type();
    // For types without children, the code below returns the error, since it finds no child at this position.
    let leads_on =
        array.layout().has_validity() && data_type.as_map().is_none() && data_type.as_dictionary().is_none();
    if !leads_on {
        return Err(Kind::PathInto { data_type: array.data_type().clone() }.into());
    }
    let fields = array.data_type().children();
    let position = position(step, fields.len())?;
    match fields.get(position) {
        Some(field) => Ok((position, field.clone())),
        None => Err(missing(position, fields.len())),
    }
}

fn position(step: &PathStep, n_fields: usize) -> Result<usize, DataError> {
    match step {
        PathStep::Child { position, name: _ } => Ok(usize::try_from(*position).unwrap_or(usize::MAX)),
        PathStep::Dictionary => Err(missing(0, n_fields)),
    }
}

fn missing(position: usize, n_fields: usize) -> DataError {
    LookupError::OutOfRange { position, n_fields }.into()
}

fn item(list: &ArrayData, position: usize) -> Result<ArrayData, DataError> {
    let item = list.children().get(position);
    item.cloned().ok_or_else(|| missing(position, list.children().len()))
}

/// Returns the values at `rest` below a child of a struct. They are also null where the struct is null.
#[inline(never)]
fn member(parent: &ArrayData, position: usize, rest: &[PathStep]) -> Result<ArrayData, DataError> {
    let child = item(parent, position)?;
    let above = parent.validity().filter(|validity| !validity.all_set());
    let Some(above) = above else { return Ok(child) };
    match child.layout().nulls() {
        Nulls::All => Ok(child),
        Nulls::Bitmap => with_nulls(child, above),
        // If the path has more steps, a later step returns a better error.
        Nulls::InChildren if !rest.is_empty() => Ok(child),
        Nulls::InChildren => Err(Kind::NullsAbove { data_type: child.data_type().clone() }.into()),
    }
}

/// Sets to null the slots whose bit in `above` is not set. The content stays checked, since no slot becomes valid.
fn with_nulls(array: ArrayData, above: &Bitmap) -> Result<ArrayData, DataError> {
    let joined = match array.validity() {
        None => above.clone(),
        Some(own) => own.and(above).map_err(|error| {
            let (expected, found) = (error.left as u64, error.right as u64);
            DataError::from(Kind::BitmapLength { expected, found })
        })?,
    };
    Ok(ArrayData { validity: Some(joined), null_count: NullCount::new(None), ..array })
}

/// Replaces the items of an array of lists by the same number of other items.
#[inline(never)]
fn list_of(
    field: &Field,
    list: &ArrayData,
    item: Field,
    items: ArrayData,
) -> Result<(Field, ArrayData), DataError> {
    // A list of any kind has one child, so this does not fail. If it did, the error would name the type.
    let data_type = list.data_type().with_children(vec![item]);
    let data_type = data_type.map_err(|_| Kind::PathInto { data_type: list.data_type().clone() })?;
    let checked = list.checked.min(items.checked);
    let list = ArrayData {
        data_type: data_type.clone(),
        children: Some(Arc::new([items])),
        checked,
        ..list.clone()
    };
    Ok((field.clone().with_data_type(data_type), list))
}
