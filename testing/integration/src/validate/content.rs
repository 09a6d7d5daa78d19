//! Checks the rules of the format for values, except for the ranges that were not selected.

use arrow_data::{ArrayData, DataError, DataErrorKind, RecordBatch, StrictRule, Validation};
use arrow_schema::Field;

use super::Checks;

/// Checks a batch with the selected checks.
pub(super) fn check(batch: &RecordBatch, checks: &Checks) -> Result<(), DataError> {
    for (position, (field, column)) in batch.schema().fields().iter().zip(batch.columns()).enumerate() {
        let has_nulls = !field.is_nullable() && column.null_count() > 0;
        let checked = if has_nulls { Err(DataErrorKind::NullInRequired.into()) } else { Ok(()) };
        checked
            .and_then(|()| check_array(column, checks))
            .map_err(|error| error.in_field(position, field.name()))?;
    }
    Ok(())
}

/// Whether an error breaks a rule that was not selected, in the array or in its children. Gold files have unions with
/// nulls in fields that are not nullable, which strict validation refuses.
fn is_relaxed(array: &ArrayData, checks: &Checks) -> bool {
    let itself = match array.layout().strict() {
        StrictRule::Precision(_) => !checks.decimals,
        StrictRule::MultipleOf(_) => !checks.date64,
        StrictRule::Below(_) => !checks.times,
        StrictRule::Any | StrictRule::DenseOrder => false,
    };
    let is_union = |child: &Field| child.data_type().as_union().is_some();
    itself
        || array.data_type().children().iter().any(|child| !child.is_nullable() && is_union(child))
        || array.children().iter().any(|child| is_relaxed(child, checks))
        || array.dictionary().is_some_and(|values| is_relaxed(values, checks))
}

/// Checks all rules that are not relaxed.
fn check_array(array: &ArrayData, checks: &Checks) -> Result<(), DataError> {
    if !is_relaxed(array, checks) {
        return array.clone().validate(Validation::Strict).map(drop);
    }
    array.check_required_children()?;
    array.children().iter().try_for_each(|child| check_array(child, checks))?;
    array.dictionary().map_or(Ok(()), |values| check_array(values, checks))
}
