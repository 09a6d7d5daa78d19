//! Selects slots of run-end encoded arrays. Consecutive selected slots of one run stay one run.

use std::sync::Arc;

use arrow_buffer::{Buffer, NativeType};
use arrow_data::{
    ArrayData, ArrayParts, DataError, Validation,
    positions::{RunEnds, inside, run_end_type},
};
use arrow_schema::RunEndType;

use super::{
    plan::{Picks, PicksBuilder},
    sources::Sources,
};
use crate::error::{SelectError, SelectErrorKind};

pub(super) struct Runs {
    ends: Vec<usize>,
    picks: Picks,
}

impl Runs {
    pub(super) fn picks(&self) -> &Picks {
        &self.picks
    }
}

/// Finds the runs of the selected slots. Consecutive selected slots of one run become one run.
#[inline(never)]
pub(super) fn plan(sources: &Sources<'_>, picks: &Picks) -> Result<Runs, SelectError> {
    let sources = sources.iter().map(|source| RunEnds::try_new(source));
    let sources = sources.collect::<Result<Vec<RunEnds>, DataError>>()?;
    let mut values = PicksBuilder::default();
    let mut ends: Vec<usize> = Vec::new();
    let mut last = None;
    let mut n_slots = 0;
    picks.for_each_in(&sources, |source, piece| {
        Ok(source.for_each_run(piece.range(), |run, slots| {
            n_slots += slots.len();
            match ends.last_mut() {
                Some(open) if last == Some((piece.source, run)) => *open = n_slots,
                Some(_) | None => {
                    ends.push(n_slots);
                    values.push(piece.source, run..run + 1)?;
                    last = Some((piece.source, run));
                }
            }
            Ok(())
        })?)
    })?;
    Ok(Runs { ends, picks: values.finish() })
}

/// Fills both children: the run ends, in the width of the type, and the values.
#[inline(never)]
pub(super) fn fill(
    sources: &Sources<'_>,
    runs: &Runs,
    values: ArrayData,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let field = inside(parts.data_type.children().first())?;
    let buffer = match run_end_type(&parts.data_type)? {
        RunEndType::Int16 => narrowed::<i16>(sources, &runs.ends)?,
        RunEndType::Int32 => narrowed::<i32>(sources, &runs.ends)?,
        RunEndType::Int64 => narrowed::<i64>(sources, &runs.ends)?,
    };
    let Some(buffer) = buffer else {
        let n_slots = *inside(runs.ends.last())? as u64;
        return Err(
            SelectErrorKind::RunEndOverflow { run_end_type: field.data_type().clone(), n_slots }.into()
        );
    };
    let ends = ArrayParts::new(field.data_type().clone(), runs.ends.len());
    let ends = ArrayData::try_new(ArrayParts { buffers: [buffer, Buffer::new()], ..ends })?;
    parts.children = Some(Arc::new([ends.validate(Validation::Content)?, values]));
    Ok(())
}

fn narrowed<T: NativeType + TryFrom<usize>>(
    sources: &Sources<'_>,
    ends: &[usize],
) -> Result<Option<Buffer>, SelectError> {
    let (mut narrow, capacity) = sources.numbers::<T>(ends.len())?;
    for end in ends {
        let Ok(end) = T::try_from(*end) else { return Ok(None) };
        narrow.push(end);
    }
    Ok(Some(capacity.hold(narrow)))
}
