//! Joins arrays whose values are together too many for the indices of their dictionaries, or whose slots are for their run ends.

use arrow_compute::{Digits, cast};
use arrow_data::ArrayData;
use arrow_schema::{DataType, DictionaryType, Field, IndexType};
use arrow_select::{SelectError, SelectErrorKind, concat};

/// Joins arrays of one type. If they have too many values for the indices of a dictionary, or too many slots for run ends, the result
/// has wider ones.
///
/// # Errors
/// If they do not fit one array.
pub(crate) fn concat_wider(arrays: &[ArrayData]) -> Result<ArrayData, SelectError> {
    let error = match concat(arrays) {
        Ok(joined) => return Ok(joined),
        Err(error) => error,
    };
    let is_too_narrow = matches!(
        error.kind(),
        SelectErrorKind::IndexOverflow { .. } | SelectErrorKind::RunEndOverflow { .. }
    );
    let Some(wider) =
        arrays.first().map(|first| with_wide_indices(first.data_type())).filter(|_| is_too_narrow)
    else {
        return Err(error);
    };
    let wider = arrays.iter().map(|array| cast(array, &wider, Digits::Keep));
    let wider = wider.collect::<Result<Vec<_>, _>>().map_err(|_| error)?;
    concat(&wider)
}

/// The type of the same values with indices of at least 32 bits and run ends of 64 bits, at any depth.
fn with_wide_indices(data_type: &DataType) -> DataType {
    if let Some(dictionary) = data_type.as_dictionary() {
        let index = match dictionary.index() {
            IndexType::Int8 | IndexType::Int16 | IndexType::UInt8 | IndexType::UInt16 => IndexType::Int32,
            IndexType::Int32 | IndexType::UInt32 | IndexType::Int64 | IndexType::UInt64 => IndexType::Int64,
        };
        let value = with_wide_indices(dictionary.value());
        let wider = DictionaryType::try_new(index, value, dictionary.order());
        return wider.map_or_else(|_| data_type.clone(), DataType::from);
    }
    let is_run_ends = |position| position == 0 && data_type.as_run_end_encoded().is_some();
    let child = |(position, field): (usize, &Field)| {
        let wider =
            if is_run_ends(position) { DataType::Int64 } else { with_wide_indices(field.data_type()) };
        field.clone().with_data_type(wider)
    };
    let children = data_type.children().iter().enumerate().map(child).collect();
    data_type.with_children(children).unwrap_or_else(|_| data_type.clone())
}

/// Whether a type has run ends of fewer than 64 bits, at any depth.
pub(crate) fn has_runs(data_type: &DataType) -> bool {
    let is_narrow =
        data_type.as_run_end_encoded().is_some_and(|runs| *runs.run_ends().data_type() != DataType::Int64);
    is_narrow
        || data_type.as_dictionary().is_some_and(|dictionary| has_runs(dictionary.value()))
        || data_type.children().iter().any(|field| has_runs(field.data_type()))
}
