//! What the format asks of values beyond their types, relaxed by what old writers did not know.

use arrow_data::{ArrayData, DataError, DataErrorKind, Level, RecordBatch, Strict};

use super::Quirks;

/// Checks a batch as strictly as the quirks let.
pub(super) fn check(batch: &RecordBatch, quirks: &Quirks) -> Result<(), DataError> {
    if !batch.columns().iter().any(|column| is_relaxed(column, quirks)) {
        return batch.clone().validate(Level::Strict).map(drop);
    }
    for (position, (field, column)) in batch.schema().fields().iter().zip(batch.columns()).enumerate() {
        let has_nulls = !field.is_nullable() && column.null_count() > 0;
        let checked = if has_nulls { Err(DataErrorKind::NullInRequired.into()) } else { Ok(()) };
        checked
            .and_then(|()| check_array(column, quirks))
            .map_err(|error| error.in_field(position, field.name()))?;
    }
    Ok(())
}

/// Whether a rule is relaxed for the array or for what is in it.
fn is_relaxed(array: &ArrayData, quirks: &Quirks) -> bool {
    let itself = match array.layout().strict() {
        Strict::Precision(_) => quirks.decimals,
        Strict::MultipleOf(_) => quirks.date64,
        Strict::Below(_) => quirks.times,
        Strict::Any | Strict::DenseOrder => false,
    };
    itself
        || array.children().iter().any(|child| is_relaxed(child, quirks))
        || array.dictionary().is_some_and(|values| is_relaxed(values, quirks))
}

/// Checks what is not relaxed.
fn check_array(array: &ArrayData, quirks: &Quirks) -> Result<(), DataError> {
    if !is_relaxed(array, quirks) {
        return array.clone().validate(Level::Strict).map(drop);
    }
    array.check_required_children()?;
    array.children().iter().try_for_each(|child| check_array(child, quirks))?;
    array.dictionary().map_or(Ok(()), |values| check_array(values, quirks))
}
