//! The columns of a key on both sides, paired by their names.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};

use arrow_compute::wider_type;
use arrow_schema::{DataType, Field, FieldPath};

use crate::{
    columns::{ColumnName, ColumnNames},
    diff::{fields::numbered, side::SideRows},
    error::{ToolError, ToolErrorKind},
};

/// Opens both inputs again, with only the columns of the key, in the order of A.
///
/// # Errors
/// If an input cannot be read, or if A and B do not have the same columns for the key.
pub(in crate::diff) fn open_keys(
    [a, b]: [&mut SideRows; 2],
    key: &ColumnNames,
) -> Result<[SideRows; 2], ToolError> {
    let keys = [a.columns(key)?, b.columns(key)?];
    let names = keys.each_ref().map(|side| numbered(side.schema().fields()).collect::<Vec<_>>());
    if names[0] == names[1] {
        return Ok(keys);
    }
    let in_other = names.each_ref().map(|names| names.iter().copied().collect::<HashSet<_>>());
    for (side, in_other) in [(0, &in_other[1]), (1, &in_other[0])] {
        let lacking = names[side].iter().zip(keys[side].schema().fields());
        if let Some((_, field)) = lacking.into_iter().find(|(name, _)| !in_other.contains(*name)) {
            let mut types = ["missing", "missing"].map(str::to_owned);
            types[side] = field.data_type().to_string();
            let kind = ToolErrorKind::KeyTypes { column: field.name().to_owned(), types };
            return Err(ToolError::new(b.name(), kind));
        }
    }
    // Patterns find columns in the order of each schema.
    let [keys_a, _] = keys;
    let in_order = keys_a.shown_paths().map(|path| ColumnName::Path(path.to_string())).collect();
    Ok([keys_a, b.columns(&in_order)?])
}

/// Checks that the columns of the key have comparable types in A and B, and compares them in wider types where they differ.
///
/// # Errors
/// If values of a key column in A can never equal values of this column in B.
pub(super) fn widen_keys([a, b]: &mut [SideRows; 2]) -> Result<(), ToolError> {
    let mut wider = Vec::new();
    for (position, (in_a, in_b)) in a.schema().fields().iter().zip(b.schema().fields()).enumerate() {
        let [type_a, type_b] = [in_a.data_type(), in_b.data_type()];
        if type_a.same_values(type_b) {
            continue;
        }
        let Some(same) = wider_type(type_a, type_b) else {
            let types = [type_a, type_b].map(DataType::to_string);
            let kind = ToolErrorKind::KeyTypes { column: in_a.name().to_owned(), types };
            return Err(ToolError::new(b.name(), kind));
        };
        wider.push((position, same));
    }
    for side in [a, b] {
        side.widen(wider.iter().map(|(position, wider)| (*position, wider)));
    }
    Ok(())
}

/// A column of the key.
pub(super) struct KeyPath {
    /// The path in the input, for reports.
    pub(super) path: FieldPath,
    /// The path in the compared columns of each side.
    pub(super) compared: [FieldPath; 2],
}

/// Finds the columns of the key in the compared columns. Adds a column to both sides for each field inside a column that has
/// different types in A and B.
///
/// # Errors
/// If a path does not exist.
pub(super) fn key_paths(
    mut sides: [&mut SideRows; 2],
    keys: &[SideRows; 2],
) -> Result<Vec<KeyPath>, ToolError> {
    let [paths_a, paths_b] = [0, 1].map(|side| compared_paths(&*sides[side], &keys[side]));
    let fields = keys[0].schema().fields();
    let mut found = Vec::with_capacity(fields.len());
    for ((path, field), compared) in keys[0].shown_paths().zip(fields).zip(paths_a?.into_iter().zip(paths_b?))
    {
        let mut compared: [FieldPath; 2] = compared.into();
        let types = [0, 1].map(|side| sides[side].schema().field_by_path(&compared[side]));
        let types = types.map(|field| field.map(Field::data_type));
        if matches!(types, [Some(a), Some(b)] if !a.same_values(b)) {
            for (side, compared) in sides.iter_mut().zip(&mut compared) {
                *compared = side.add_widened(compared.clone(), field);
            }
        }
        found.push(KeyPath { path, compared });
    }
    Ok(found)
}

/// The paths of the key's columns in the compared columns of one side.
fn compared_paths(side: &SideRows, keys: &SideRows) -> Result<Vec<FieldPath>, ToolError> {
    // The columns of the key are columns of their own, unless all columns are compared.
    let mut own: HashMap<String, VecDeque<FieldPath>> = HashMap::new();
    for ((position, field), path) in (0..).zip(side.schema().fields()).zip(side.shown_paths()) {
        let column = FieldPath::root().child(position, field.to_shared_name());
        own.entry(path.to_string()).or_default().push_back(column);
    }
    let path_of = |path: FieldPath| match own.get_mut(&path.to_string()).and_then(VecDeque::pop_front) {
        Some(column) => Ok(column),
        None => side.schema().path(&path.to_string()).map_err(|error| {
            let schema = Arc::clone(side.schema());
            ToolError::new(side.name(), ToolErrorKind::Columns { error, schema })
        }),
    };
    keys.shown_paths().map(path_of).collect()
}
