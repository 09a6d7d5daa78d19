//! Converts lists, structs and maps, and values that unions, dictionaries and runs refer to.

use arrow_array::{Lists, MapArray, Positions, StructArray, UnionArray};
use arrow_data::ArrayData;
use arrow_schema::{Field, FieldPath};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};

use super::{PyValue, ValueFactory, ValuePath, Values, values, values_with};
use crate::error::misuse;

pub(super) fn lists<A: Lists>(py: Python<'_>, array: A, path: &ValuePath<'_>) -> PyResult<Values> {
    let items = values(py, Lists::items(&array), &child(array.data(), 0, path))?;
    Ok(values_with(move |making, slot| {
        if array.is_null(slot) {
            return Ok(making.none());
        }
        Ok(items.list(making, Lists::range(&array, slot))?.into_any())
    }))
}

pub(super) fn structs(py: Python<'_>, array: StructArray, path: &ValuePath<'_>) -> PyResult<Values> {
    let records = Records::try_new(py, array.fields(), array.columns(), &path.path)?;
    Ok(values_with(
        move |making, slot| {
            if array.is_null(slot) { Ok(making.none()) } else { records.dict(making, slot) }
        },
    ))
}

/// Converts rows to dicts.
pub(crate) struct Records {
    columns: Vec<(Py<PyString>, Values)>,
    /// A name of two columns. Their values do not fit a dict.
    repeated: Option<String>,
}

impl Records {
    /// Makes the converters of all columns below a path.
    pub(crate) fn try_new(
        py: Python<'_>,
        fields: &[Field],
        columns: &[ArrayData],
        parent: &FieldPath,
    ) -> PyResult<Records> {
        let mut names: Vec<&str> = fields.iter().map(Field::name).collect();
        names.sort_unstable();
        let pair = names.windows(2).find(|pair| pair.first() == pair.last());
        let repeated = pair.and_then(|pair| pair.first()).map(|name| (*name).to_owned());
        let column = |(position, (field, column)): (usize, (&Field, &ArrayData))| {
            let path = ValuePath::from_field(Some(field), position, parent);
            Ok((PyString::intern(py, field.name()).unbind(), values(py, column, &path)?))
        };
        let columns = fields.iter().zip(columns).enumerate();
        Ok(Records { columns: columns.map(column).collect::<PyResult<_>>()?, repeated })
    }

    fn check_names(&self) -> PyResult<()> {
        let Some(name) = &self.repeated else { return Ok(()) };
        let text = format!(
            "several fields are called {name:?}, so their values do not fit a dict: select one of them"
        );
        Err(misuse("RepeatedName", text))
    }

    /// A row as a dict.
    ///
    /// # Errors
    /// If two columns have the same name.
    pub(crate) fn dict<'py>(&self, making: &ValueFactory<'py>, slot: usize) -> PyResult<PyValue<'py>> {
        self.check_names()?;
        making.spend(self.columns.len())?;
        let dict = PyDict::new(making.py);
        for (name, values) in &self.columns {
            dict.set_item(name.bind(making.py), values.value(making, slot)?)?;
        }
        Ok(dict.into_any())
    }

    /// The values of each column, as lists in a dict.
    ///
    /// # Errors
    /// If two columns have the same name.
    pub(crate) fn lists<'py>(
        &self,
        making: &ValueFactory<'py>,
        n_rows: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.check_names()?;
        let dict = PyDict::new(making.py);
        for (name, values) in &self.columns {
            dict.set_item(name.bind(making.py), values.list(making, 0..n_rows)?)?;
        }
        Ok(dict)
    }
}

pub(super) fn maps(py: Python<'_>, array: MapArray, path: &ValuePath<'_>) -> PyResult<Values> {
    let entries = child(array.data(), 0, path);
    let field = |position| entries.field.and_then(|entries| entries.children().get(position));
    let of = |position| ValuePath::from_field(field(position), position, &entries.path);
    let keys = values(py, array.keys(), &of(0))?;
    let items = values(py, array.values(), &of(1))?;
    Ok(values_with(move |making, slot| {
        if array.is_null(slot) {
            return Ok(making.none());
        }
        let entries = array.range(slot);
        making.check(entries.len())?;
        let list = PyList::empty(making.py);
        for entry in entries {
            making.spend(3)?;
            let pair = [keys.value(making, entry)?, items.value(making, entry)?];
            list.append(PyTuple::new(making.py, pair)?)?;
        }
        Ok(list.into_any())
    }))
}

pub(super) fn unions(py: Python<'_>, array: UnionArray, path: &ValuePath<'_>) -> PyResult<Values> {
    let children: Vec<Values> = array
        .fields()
        .iter()
        .zip(array.children())
        .enumerate()
        .map(|(position, (field, child))| {
            values(py, child, &ValuePath::from_field(Some(field), position, &path.path))
        })
        .collect::<PyResult<_>>()?;
    Ok(values_with(move |making, slot| {
        let selected = array.get(slot);
        let child = selected.and_then(|selected| Some((children.get(selected.child_idx)?, selected.slot)));
        child.map_or_else(|| Ok(making.none()), |(child, slot)| child.value(making, slot))
    }))
}

/// The converter for dictionaries and runs. The field also applies to the values that they refer to.
pub(super) fn encoded<A: Positions + Send + Sync>(
    py: Python<'_>,
    array: A,
    path: &ValuePath<'_>,
) -> PyResult<Values> {
    let selected = values(py, array.encoded_values(), path)?;
    Ok(values_with(move |making, slot| match array.get(slot) {
        Some(position) => selected.value(making, position),
        None => Ok(making.none()),
    }))
}

fn child<'a>(data: &'a ArrayData, position: usize, path: &ValuePath<'_>) -> ValuePath<'a> {
    ValuePath::from_field(data.data_type().children().get(position), position, &path.path)
}
