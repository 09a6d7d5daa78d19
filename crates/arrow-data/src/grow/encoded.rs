//! Arrays that refer to values elsewhere: runs, and indices of dictionaries. A dictionary that continues the other
//! replaces it. Others are merged.

use std::sync::Arc;

use arrow_buffer::{Buffer, Native};
use arrow_schema::RunEndType;

use super::{
    CopyAccount,
    moved::append_numbers,
    node::{ChildRange, Growing, Grown},
};
use crate::{
    array::{ArrayData, NullCount, Storage},
    compare::continues,
    error::{DataError, DataErrorKind as Kind},
    level::Level,
    positions::{RunEnds, inside, run_end_type},
    select::{common_dictionary, concat},
};

/// Appends run ends, counted from the first slot of the whole array. They increase, and the last is the number of slots.
/// Returns their values.
#[inline(never)]
pub(super) fn append_runs(
    node: &mut Grown,
    part: &ArrayData,
    account: &mut CopyAccount,
) -> Result<ChildRange, DataError> {
    let own = RunEnds::of(part)?;
    // There is a slot, so there is a run.
    let (start, last) = inside(own.run_of(0).zip(own.run_of(part.len().saturating_sub(1))))?;
    let n_runs = inside(last.checked_sub(start))?.saturating_add(1);
    account.spend(n_runs.saturating_mul(size_of::<i64>()))?;
    let n_before = node.n_slots;
    let mut ends: Vec<usize> = Vec::with_capacity(n_runs);
    own.for_each_run(0..part.len(), |_, slots| {
        // No more than the slots of all parts, which have been counted.
        ends.push(n_before + slots.end);
        Ok(())
    })?;
    let run_end_type = run_end_type(&node.data_type)?;
    let appended = match run_end_type {
        RunEndType::Int16 => append_ends::<i16>(node, &ends)?,
        RunEndType::Int32 => append_ends::<i32>(node, &ends)?,
        RunEndType::Int64 => append_ends::<i64>(node, &ends)?,
    };
    if appended.is_none() {
        let n_slots = n_before.saturating_add(part.len()) as u64;
        return Err(Kind::RunEndOverflow { run_end_type: run_end_type.into(), n_slots }.into());
    }
    Ok(ChildRange::Range { start, n_slots: ends.len() })
}

/// `None` if an end does not fit the type.
fn append_ends<T: Native + TryFrom<usize>>(
    node: &mut Grown,
    ends: &[usize],
) -> Result<Option<()>, DataError> {
    let ends: Option<Vec<T>> = ends.iter().map(|end| T::try_from(*end).ok()).collect();
    ends.map(|ends| append_numbers(node, 0, &ends)).transpose()
}

/// The ends of all runs so far. They hold no nulls.
#[inline(never)]
pub(super) fn run_ends(node: &Grown) -> ArrayData {
    let (Growing::Buffers([ends, _]), [field, _], [values]) =
        (&node.storage, node.data_type.children(), node.children.as_slice())
    else {
        unreachable!("a run-end encoded node has two fields, a buffer of ends and the values");
    };
    ArrayData {
        data_type: field.data_type().clone(),
        n_slots: values.len(),
        offset: 0,
        null_count: NullCount::counted(0),
        validity: None,
        storage: Storage::Plain { buffers: [ends.snapshot(), Buffer::new()], variadic: None },
        children: None,
        dictionary: None,
        checked: Level::Strict,
    }
}

/// Whether the indices of the old slots and of the part select the same values in the longer dictionary.
#[inline(never)]
pub(super) fn fits(node: &Grown, part: &ArrayData, account: &mut CopyAccount) -> Result<bool, DataError> {
    let (known, values) = inside(node.dictionary.as_ref().zip(part.dictionary()))?;
    let (shorter, longer) = if known.len() <= values.len() { (known, values) } else { (values, known) };
    if Arc::ptr_eq(known, values) || continues(shorter, longer) {
        return Ok(true);
    }
    account.spend(weight(shorter))?;
    Ok(common_dictionary(&[known, values])?.is_some())
}

/// Joins the old slots and the part with a merged dictionary, and continues with the result.
#[inline(never)]
pub(super) fn merge(node: &mut Grown, part: &ArrayData, account: &mut CopyAccount) -> Result<(), DataError> {
    let level = node.level().min(part.checked());
    let so_far = node.array();
    account.spend(weight(&so_far).saturating_add(weight(part)))?;
    let merged = concat(&[so_far, part.clone()])?.validate(level)?;
    *node = Grown::new(&node.data_type);
    node.append(&merged, account)
}

/// The cost of reading an array: its bytes and its slots, which may have no bytes.
fn weight(array: &ArrayData) -> usize {
    let own = usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
    own.saturating_add(n_slots(array))
}

fn n_slots(array: &ArrayData) -> usize {
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.map(n_slots).fold(array.len(), usize::saturating_add)
}
