//! Runs: those of a part that its slots lie in, behind the ones before.

use arrow_buffer::{Buffer, Native};
use arrow_schema::RunEndType;

use super::{
    Account,
    moved::append_numbers,
    node::{Growing, Items, Node},
};
use crate::{
    array::{ArrayData, NullCount, Storage},
    error::{DataError, DataErrorKind as Kind},
    positions::{RunEnds, run_end_type},
    validate::Level,
};

/// Where the runs end, counted from the first slot of all: each behind the one before, the last where the slots end.
/// Gives the values that they have.
#[inline(never)]
pub(super) fn append(node: &mut Node, part: &ArrayData, account: &mut Account) -> Result<Items, DataError> {
    let own = RunEnds::of(part)?;
    // There is a slot, so there is a run.
    let start = own.run_of(0);
    let n_runs = own.run_of(part.len().saturating_sub(1)).saturating_add(1).saturating_sub(start);
    account.spend(n_runs.saturating_mul(size_of::<i64>()))?;
    let n_before = node.n_slots;
    let ends = (start..start.saturating_add(n_runs)).map(|run| n_before.saturating_add(own.end_of(run)));
    let is_appended = match run_end_type(&node.data_type)? {
        RunEndType::Int16 => append_ends::<i16>(node, ends),
        RunEndType::Int32 => append_ends::<i32>(node, ends),
        RunEndType::Int64 => append_ends::<i64>(node, ends),
    };
    match (is_appended, part.data_type().children().first()) {
        (None, Some(field)) => {
            let n_slots = n_before.saturating_add(part.len()) as u64;
            Err(Kind::RunEndOverflow { run_end_type: field.data_type().clone(), n_slots }.into())
        }
        (Some(()) | None, _) => Ok(Items::Range { start, n_slots: n_runs }),
    }
}

fn append_ends<T: Native + TryFrom<usize>>(node: &mut Node, ends: impl Iterator<Item = usize>) -> Option<()> {
    let ends: Vec<T> = ends.map(|end| T::try_from(end).ok()).collect::<Option<_>>()?;
    append_numbers(node, 0, &ends);
    Some(())
}

/// The ends of all runs so far. They hold no nulls.
#[inline(never)]
pub(super) fn ends(node: &Node) -> ArrayData {
    let Growing::Buffers([ends, _]) = &node.storage else { return ArrayData::default() };
    let Some(field) = node.data_type.children().first() else { return ArrayData::default() };
    ArrayData {
        data_type: field.data_type().clone(),
        n_slots: node.children.first().map_or(0, Node::len),
        offset: 0,
        null_count: NullCount::counted(0),
        validity: None,
        storage: Storage::Plain { buffers: [ends.snapshot(), Buffer::new()], variadic: None },
        children: None,
        dictionary: None,
        checked: Level::Strict,
    }
}
