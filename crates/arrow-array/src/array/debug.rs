//! `Debug` of typed arrays: the type and the first values.

use std::fmt;

use arrow_data::ArrayData;

use crate::display::JsonColumn;

/// How many values are written.
const MAX_VALUES: usize = 20;

pub(super) fn write(data: &ArrayData, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let n_values = data.len().min(MAX_VALUES);
    let column = JsonColumn::try_new(data).map_err(|_| fmt::Error)?;
    write!(f, "{} [", data.data_type())?;
    for slot in 0..n_values {
        let separator = if slot == 0 { "" } else { ", " };
        write!(f, "{separator}{}", column.value(slot))?;
    }
    match data.len() - n_values {
        0 => f.write_str("]"),
        n_more => write!(f, ", … {n_more} more]"),
    }
}
