//! Iterates over the values of an array, and converts a block of slots at a time.

use pyo3::{prelude::*, types::PyRange};

use super::Array;
use crate::{error::Result, values::ValueFactory};

/// The maximal number of slots in a block.
const MAX_BLOCK: usize = 1_024;
/// The maximal number of values in a block, including nested values.
const MAX_BLOCK_VALUES: u64 = 1 << 20;
/// The approximate number of bytes of the array in a block.
const BLOCK_BYTES: u64 = 1 << 20;

/// An iterator over the values.
pub(super) fn iterate<'py>(this: &Bound<'py, Array>, backwards: bool) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let n_slots = this.get().inner.len();
    let n_bytes_each = this.get().inner.n_bytes() / (n_slots as u64).max(1);
    let n_each = usize::try_from(BLOCK_BYTES / n_bytes_each.max(1)).unwrap_or(MAX_BLOCK).clamp(1, MAX_BLOCK);
    let starts = PyRange::new_with_step(py, 0, this.get().n_slots, n_each.cast_signed())?;
    let repeat = py.import("itertools")?.getattr("repeat")?;
    let blocks = py.import("builtins")?.getattr("map")?.call1((
        this.getattr("_block")?,
        in_order(starts, backwards)?,
        repeat.call1((n_each,))?,
        repeat.call1((backwards,))?,
    ))?;
    py.import("itertools")?.getattr("chain")?.call_method1("from_iterable", (blocks,))
}

/// The values of some slots, as a list, or as an iterator if they have too many nested values for a list.
pub(super) fn block<'py>(
    this: &Bound<'py, Array>,
    start: usize,
    n: usize,
    backwards: bool,
) -> Result<Bound<'py, PyAny>> {
    let py = this.py();
    let array = this.get();
    let end = start.saturating_add(n).min(array.inner.len());
    let making = ValueFactory::with_at_most(py, MAX_BLOCK_VALUES);
    match array.list(&making, start.min(end)..end) {
        Ok(list) => {
            if backwards {
                list.reverse()?;
            }
            Ok(list.into_any())
        }
        Err(_) if making.is_exhausted() => {
            let slots = in_order(PyRange::new(py, start.cast_signed(), end.cast_signed())?, backwards)?;
            let one_by_one = py.import("builtins")?.getattr("map")?;
            Ok(one_by_one.call1((this.getattr("__getitem__")?, slots))?)
        }
        Err(error) => Err(error.into()),
    }
}

/// A range, reversed if `backwards` is set.
fn in_order(range: Bound<'_, PyRange>, backwards: bool) -> PyResult<Bound<'_, PyAny>> {
    if backwards { range.call_method0("__reversed__") } else { Ok(range.into_any()) }
}
