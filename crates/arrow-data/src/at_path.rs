//! The values of a field inside a column.

use std::sync::Arc;

use arrow_buffer::Bitmap;
use arrow_schema::{Field, FieldPath, LookupError, Nullability, PathStep};

use crate::{
    array::{ArrayData, NullCount},
    batch::RecordBatch,
    error::{DataError, DataErrorKind as Kind},
    layout::{Nulls, Physical},
};

impl ArrayData {
    /// Returns the values of the field at `path`, one for each slot. A value is also null if one of its parents is
    /// null.
    ///
    /// The path may lead through structs and lists of all kinds. Below a list, the result is the same list. Its items
    /// are the values at the rest of the path, and the item field keeps its name. No values are copied. If both a
    /// parent and the values have nulls, a new bitmap is made. The result is [checked](ArrayData::checked) up to the
    /// level of this array.
    ///
    /// # Errors
    /// If a step names no child, or a child of a map, a union, runs or a dictionary: such children cannot be selected
    /// alone. If the values are a union or runs, which have no validity bitmap, and a parent has nulls.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::{DataType, Field, FieldPath};
    ///
    /// let zip = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![101, 102]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 2)
    /// })?;
    /// let address = ArrayData::try_new(ArrayParts {
    ///     validity: Some(Bitmap::from_iter([true, false])),
    ///     children: Some(Arc::new([zip])),
    ///     ..ArrayParts::new(DataType::struct_([Field::new("zip", DataType::Int32)]), 2)
    /// })?;
    /// let zip = address.at_path(&FieldPath::root().child(0, "zip"))?;
    /// assert_eq!((zip.data_type(), zip.null_count()), (&DataType::Int32, 1));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn at_path(&self, path: &FieldPath) -> Result<ArrayData, DataError> {
        let column = Field::new("", self.data_type().clone());
        Ok(below(&column, self.clone(), path.steps())?.1)
    }
}

impl RecordBatch {
    /// Returns the values of the field at `path`; the first step names the column. [`ArrayData::at_path`] describes the
    /// rest.
    ///
    /// # Errors
    /// If the path has no steps, or its first step names no column. The other errors are those of
    /// [`ArrayData::at_path`].
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::{DataType, FieldPath};
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// assert!(batch.at_path(&FieldPath::root().child(0, "id"))?.is_empty());
    /// let error = batch.at_path(&FieldPath::root().child(7, "zip")).unwrap_err();
    /// assert_eq!(error.to_string(), "field 7 is out of bounds; there are 1 fields, counted from 0");
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn at_path(&self, path: &FieldPath) -> Result<ArrayData, DataError> {
        let Some((first, rest)) = path.steps().split_first() else { return Err(Kind::NoPath.into()) };
        let position = position(first, self.n_columns())?;
        let fields = self.schema().fields();
        let (Some(field), Some(column)) = (fields.get(position), self.column_at(position)) else {
            return Err(missing(position, self.n_columns()));
        };
        below(field, column.clone(), rest)
            .map(|(_, values)| values)
            .map_err(|error| error.in_field(position, field.name()))
    }

    /// Returns a batch of the columns with these names, in the given order.
    ///
    /// # Errors
    /// If no column has one of the names, or several columns have it.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::DataType;
    ///
    /// let columns = ["id", "name"].map(|name| (name, ArrayData::new_empty(&DataType::Utf8)));
    /// let batch = RecordBatch::try_from_columns(columns)?;
    /// assert_eq!(batch.select(&["name"])?.schema().to_string(), "name: utf8");
    /// assert!(batch.select(&["zip"]).is_err());
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn select<N: AsRef<str>>(&self, names: &[N]) -> Result<RecordBatch, LookupError> {
        let positions = names.iter().map(|name| self.schema().index_of(name.as_ref()));
        self.project(&positions.collect::<Result<Vec<usize>, LookupError>>()?)
    }
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
