//! `Debug` of typed arrays: the type and the first values, each cut where it is long.

use std::fmt;

use arrow_data::ArrayData;

use crate::display::{
    ColumnText, TextStyle,
    cut::{DEBUG_BYTES, write_cut},
};

/// How many values are written.
const MAX_VALUES: usize = 20;

pub(super) fn write(data: &ArrayData, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let n_values = data.len().min(MAX_VALUES);
    let column = ColumnText::try_new(data, TextStyle::Json).map_err(|_| fmt::Error)?;
    write_cut(f, DEBUG_BYTES, |out| write!(out, "{}", data.data_type()))?;
    f.write_str(" [")?;
    for slot in 0..n_values {
        let separator = if slot == 0 { "" } else { ", " };
        f.write_str(separator)?;
        write_cut(f, DEBUG_BYTES, |out| write!(out, "{}", column.value(slot)))?;
    }
    match data.len() - n_values {
        0 => f.write_str("]"),
        n_more => write!(f, ", … {n_more} more]"),
    }
}

/// The value of one slot, in its JSON form.
pub(super) fn write_value(data: &ArrayData, slot: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let one = data.try_slice(slot, 1).map_err(|_| fmt::Error)?;
    let column = ColumnText::try_new(&one, TextStyle::Json).map_err(|_| fmt::Error)?;
    write_cut(f, DEBUG_BYTES, |out| write!(out, "{}", column.value(0)))
}
