//! Inspects Python values before arrays are constructed: their types and zones, and rows as columns.

use std::collections::HashSet;

use pyo3::{
    intern,
    prelude::*,
    types::{PyDict, PyList, PyString},
};

use crate::options::Items;

/// The types of values, in the order of their first values.
#[pyfunction]
pub(crate) fn _types_of<'py>(values: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyList>> {
    distinct(values, |value| Ok(Some(value.get_type().into_any())))
}

/// The time zones of values, which may be `None`; none for a value that is `None` itself. Equal zones are listed
/// several times if they are different objects.
#[pyfunction]
pub(crate) fn _zones_of<'py>(values: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyList>> {
    let name = intern!(values.py(), "tzinfo");
    distinct(values, |value| if value.is_none() { Ok(None) } else { value.getattr(name).map(Some) })
}

/// The different objects that `of` finds.
fn distinct<'py>(
    values: &Bound<'py, PyList>,
    of: impl Fn(&Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut found: Vec<Bound<'py, PyAny>> = Vec::new();
    let mut seen = HashSet::new();
    let mut last = std::ptr::null_mut();
    for value in values.iter() {
        if let Some(object) = of(&value)?
            && object.as_ptr() != last
        {
            last = object.as_ptr();
            if seen.insert(last) {
                found.push(object);
            }
        }
    }
    PyList::new(values.py(), found)
}

/// Converts rows to columns: the values of each key, `None` for rows without it. A row may be `None`. The columns in
/// `first` come first.
#[pyfunction]
pub(crate) fn _columns_of<'py>(
    rows: &Bound<'py, PyList>,
    first: Items<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = rows.py();
    let mut columns = Columns { all: Vec::new(), positions: PyDict::new(py) };
    for name in first.0 {
        columns.position(&name)?;
    }
    let n_rows = rows.len();
    for (row, value) in rows.iter().enumerate().filter(|(_, value)| !value.is_none()) {
        columns.push_row(row, &value)?;
    }
    let columns_of_names = PyDict::new(py);
    for mut column in columns.all {
        column.values.resize_with(n_rows, || py.None().into_bound(py));
        columns_of_names.set_item(column.name, PyList::new(py, column.values)?)?;
    }
    Ok(columns_of_names)
}

struct Column<'py> {
    name: Bound<'py, PyAny>,
    values: Vec<Bound<'py, PyAny>>,
}

impl<'py> Column<'py> {
    /// Sets the value of a row. The rows between the last one and this one have none.
    fn push(&mut self, row: usize, value: Bound<'py, PyAny>) {
        self.values.resize_with(row, || value.py().None().into_bound(value.py()));
        self.values.push(value);
    }

    /// Whether this is the column of a key. Runs no code of Python.
    fn is_of(&self, key: &Bound<'py, PyAny>) -> bool {
        let text = |object: &Bound<'py, PyAny>| object.cast_exact::<PyString>().is_ok();
        self.name.is(key) || (text(&self.name) && text(key) && self.name.eq(key).unwrap_or(false))
    }
}

/// Columns, and their positions by name.
struct Columns<'py> {
    all: Vec<Column<'py>>,
    positions: Bound<'py, PyDict>,
}

impl<'py> Columns<'py> {
    /// The position of the column of a key, which is added if it is new.
    fn position(&mut self, key: &Bound<'py, PyAny>) -> PyResult<usize> {
        if let Some(position) = self.positions.get_item(key)? {
            return position.extract();
        }
        self.positions.set_item(key, self.all.len())?;
        self.all.push(Column { name: key.clone(), values: Vec::new() });
        Ok(self.all.len() - 1)
    }

    fn push_row(&mut self, row: usize, value: &Bound<'py, PyAny>) -> PyResult<()> {
        // Only a `dict` itself has the order of its keys for sure.
        let dict = match value.cast_exact::<PyDict>() {
            Ok(dict) => dict.clone(),
            Err(_) => value.py().get_type::<PyDict>().call1((value,))?.cast_into()?,
        };
        // Most rows have the same keys in the same order.
        let mut n_pushed = 0;
        for ((key, value), column) in dict.iter().zip(&mut self.all) {
            if !column.is_of(&key) {
                break;
            }
            column.push(row, value);
            n_pushed += 1;
        }
        if n_pushed == dict.len() {
            return Ok(());
        }
        // Other keys may run code of Python, which may change the dict, but not its list of items.
        for item in dict.items().iter().skip(n_pushed) {
            let (key, value) = item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
            let position = self.position(&key)?;
            if let Some(column) = self.all.get_mut(position) {
                column.push(row, value);
            }
        }
        Ok(())
    }
}
