//! Checks run ends: they must be positive, increase strictly and not be null. The last run end must not be before the
//! end of the array.

use arrow_buffer::NativeType;
use arrow_schema::RunEndType;

use super::elements;
use crate::{
    array::{ArrayData, positions::run_end_type},
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// Checks child 0 against the length of the array.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    let Some(run_ends) = array.children().first() else { return Ok(()) };
    // No overflow: the structure check has computed this sum.
    let needed = (array.offset() as u64).saturating_add(array.len() as u64);
    let run_end_type = run_end_type(array.data_type())?;
    check_ends(run_ends, run_end_type, needed).map_err(|error| error.in_child(array.data_type(), 0))
}

fn check_ends(run_ends: &ArrayData, run_end_type: RunEndType, needed: u64) -> Result<(), DataError> {
    if run_ends.null_count() > 0 {
        let slot = (0..run_ends.len()).find(|slot| !run_ends.is_valid(*slot)).unwrap_or(0);
        return Err(DataError::from(Kind::NullRunEnd).in_role(Role::Validity).at_slot(slot));
    }
    match run_end_type {
        RunEndType::Int16 => check_width::<i16>(run_ends, needed),
        RunEndType::Int32 => check_width::<i32>(run_ends, needed),
        RunEndType::Int64 => check_width::<i64>(run_ends, needed),
    }
    .map_err(|error| error.in_role(Role::Values))
}

fn check_width<T: NativeType + Ord + Into<i64>>(run_ends: &ArrayData, needed: u64) -> Result<(), DataError> {
    let ends: &[T] = elements(run_ends, 0, run_ends.len())?;
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else { return Ok(()) };
    // Compares the run ends with the same slice from its second element on: the compiler can vectorise this.
    let followers = ends.get(1..).unwrap_or_default();
    let decreases = ends.iter().zip(followers).fold(false, |bad, (end, next)| bad | (next <= end));
    if decreases || (*first).into() < 1 {
        return find(ends);
    }
    let run_end: i64 = (*last).into();
    match u64::try_from(run_end) {
        Ok(end) if end >= needed => Ok(()),
        _ => {
            let slot = run_ends.len().saturating_sub(1);
            Err(DataError::from(Kind::RunsTooShort { run_end, needed }).at_slot(slot))
        }
    }
}

fn find<T: NativeType + Into<i64>>(ends: &[T]) -> Result<(), DataError> {
    let mut previous = 0;
    for (slot, end) in ends.iter().enumerate() {
        let run_end: i64 = (*end).into();
        if run_end <= previous {
            return Err(DataError::from(Kind::RunEndOrder { previous, run_end }).at_slot(slot));
        }
        previous = run_end;
    }
    Ok(())
}
