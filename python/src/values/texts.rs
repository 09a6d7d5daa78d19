//! Texts with offsets. Those of ASCII are cut from one text of many slots: the interpreter need not look at the bytes of each again.

use std::ops::Range;

use arrow_array::{Utf8ArrayOf, Width};
use pyo3::{
    prelude::*,
    types::{PyList, PyString},
};

use super::{BYTES_PER_VALUE, Convert, Later, Made, Making, Values, filled, n_at_once};
use crate::calls;

/// So many slots are cut from one text.
const SLOTS_AT_ONCE: usize = 512;
/// Which has at most so many bytes, so that it stays in the caches; longer texts are worth a look each.
const MAX_BYTES: usize = 32 << 10;

struct Texts<O: Width> {
    array: Utf8ArrayOf<O>,
    n_at_once: usize,
}

pub(super) fn texts<O: Width>(array: Utf8ArrayOf<O>) -> Values {
    let n_at_once = n_at_once(array.data());
    Box::new(Texts { array, n_at_once })
}

impl<O: Width> Texts<O> {
    fn text<'py>(&self, making: &Making<'py>, slot: usize) -> PyResult<Option<Made<'py>>> {
        let Some(value) = self.array.get(slot) else { return Ok(None) };
        making.pay(value.len() / BYTES_PER_VALUE)?;
        Ok(Some(PyString::new(making.py, value).into_any()))
    }

    /// Where the text of a slot is. Offsets were validated with the array.
    fn offset(&self, slot: usize) -> usize {
        self.array.offsets().get(slot).and_then(|offset| offset.to_usize()).unwrap_or_default()
    }

    /// The text of the next slots, if it is ASCII and not long.
    fn part<'py>(&self, py: Python<'py>, slots: Range<usize>) -> Part<'py> {
        let (start, end) = (self.offset(slots.start), self.offset(slots.end));
        let is_short = end.saturating_sub(start) <= MAX_BYTES;
        let text = self.array.text().get(start..end).filter(|text| is_short && text.is_ascii());
        Part { text: text.map(|text| PyString::new(py, text)), start, end: slots.end }
    }
}

/// The text of some slots.
struct Part<'py> {
    text: Option<Bound<'py, PyString>>,
    /// Where it begins.
    start: usize,
    /// The slot after its last.
    end: usize,
}

impl<O: Width> Convert for Texts<O> {
    fn value<'py>(&self, making: &Making<'py>, slot: usize) -> PyResult<Made<'py>> {
        Ok(self.text(making, slot)?.unwrap_or_else(|| making.none()))
    }

    fn list<'py>(&self, making: &Making<'py>, slots: Range<usize>) -> PyResult<Bound<'py, PyList>> {
        if slots.len() > self.n_at_once {
            return filled(making, slots, |slot| self.text(making, slot));
        }
        making.spend(slots.len())?;
        let has_nulls = self.array.null_count() > 0;
        let mut part = Part { text: None, start: 0, end: slots.start };
        let end = slots.end;
        let texts = slots.map(|slot| {
            if slot >= part.end {
                part = self.part(making.py, slot..end.min(slot.saturating_add(SLOTS_AT_ONCE)));
            }
            let Some(text) = part.text.as_ref().filter(|_| !(has_nulls && self.array.is_null(slot))) else {
                return self.text(making, slot);
            };
            let (start, end) = (self.offset(slot), self.offset(slot + 1));
            making.pay(end.saturating_sub(start) / BYTES_PER_VALUE)?;
            let range = start.saturating_sub(part.start)..end.saturating_sub(part.start);
            calls::substring(text, range).map(Some)
        });
        PyList::new(making.py, texts.map(|made| Later(|| made)))
    }
}
