//! Reads runs: the run ends from the first run that a window may have to the last, then the values of these runs.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Buffer, Native};
use arrow_data::{ArrayData, DataErrorKind};
use arrow_schema::RunEndType;

use super::{ColumnWalk, RowsDecoder, Waiting, WalkColumn, offsets::numbers};
use crate::{
    alignment::{length_of, share_of},
    batch::{rows::ChildSlots, select::SelectedColumn},
    compression::Then,
    error::{Context, IpcError, Result},
};

impl RowsDecoder<'_, '_> {
    /// The run ends and values of the runs in the window. The ends count from the beginning of the column, and the array gets
    /// an offset. Invalid run ends stay out of order, or do not reach the end of the window.
    pub(super) fn runs(
        &mut self,
        target: &WalkColumn<'_>,
        run_end_type: RunEndType,
    ) -> Waiting<Arc<[ArrayData]>> {
        let children: Vec<SelectedColumn> = target.selected.children(self.decoder.columns).collect();
        let [ends, values] = &*children else {
            return Err(IpcError::internal("runs have other children than run ends and values"));
        };
        let (n_runs, n_values) =
            (self.node(ends.position())?.n_slots(), self.node(values.position())?.n_slots());
        if n_values < n_runs {
            let kind = DataErrorKind::RunCount { n_runs, n_values };
            return self.decoder.locate(target.selected, kind.into());
        }
        let is_shared = std::mem::replace(&mut self.is_shared, true);
        let columns = self.decoder.columns;
        let runs = self.runs_of(target, ends, run_end_type, n_runs);
        let Some(runs) = runs.in_field(|| columns.path(ends.position()))? else {
            self.is_shared = is_shared;
            return Ok(None);
        };
        // If there are values after the last run, they are read with it.
        let is_to_end = runs.end == n_runs && self.source.slots == ChildSlots::All;
        let values_end = if is_to_end { n_values } else { runs.end };
        let mut arrays = Vec::with_capacity(2);
        self.column(ends, Some(runs.clone()), &mut arrays)?;
        self.column(values, Some(runs.start..values_end), &mut arrays)?;
        self.is_shared = is_shared;
        Ok((arrays.len() == 2).then(|| arrays.into()))
    }

    /// The runs in a window. It first reads as many run ends as the window should have, from the last known run before it or
    /// shortly before it. It reads more if they do not reach the end of the window.
    fn runs_of(
        &mut self,
        target: &WalkColumn<'_>,
        ends: &SelectedColumn,
        run_end_type: RunEndType,
        n_runs: u64,
    ) -> Waiting<Range<u64>> {
        let before = &self.source.state.tally;
        let (start, last) = (target.window.start, target.window.end.saturating_sub(1));
        let is_after = before.end_of(target.position()) > 0 && start >= before.end_of(target.position());
        let (first, few) = match is_after {
            true => (before.end_of(ends.position()).saturating_sub(1).min(n_runs), FEW),
            // No run is shorter than one slot.
            false => {
                let until = start.saturating_add(1).min(n_runs);
                let Some(first) = self.first_run(ends, run_end_type, until, start)? else {
                    return Ok(None);
                };
                (first, self.n_ends_at_once())
            }
        };
        let n_slots = target.window.end.saturating_sub(start);
        let n_likely =
            share_of(n_runs.saturating_sub(first), n_slots, target.n_slots().saturating_sub(start));
        let mut n_looked_at = n_likely.saturating_add(n_likely / 4).saturating_add(few);
        loop {
            let window = first..first.saturating_add(n_looked_at).min(n_runs);
            let Some(bytes) = self.run_ends(ends, window.clone())? else { return Ok(None) };
            let (n_before, n_to_last) = places_of(run_end_type, &bytes, (start, last))?;
            let is_last = window.end == n_runs;
            if !is_last && first.saturating_add(n_to_last) >= window.end {
                n_looked_at = n_looked_at.saturating_mul(2);
                continue;
            }
            let is_to_end = target.reaches_end() && self.source.slots == ChildSlots::All;
            let end = match is_to_end {
                true => n_runs,
                false => first.saturating_add(n_to_last).saturating_add(1).min(n_runs),
            };
            return Ok(Some(first.saturating_add(n_before).min(end)..end));
        }
    }

    /// The run with a slot, or one shortly before it. Compressed run ends are read from the start or from a known position.
    /// Uncompressed ones are found by binary search.
    fn first_run(
        &mut self,
        ends: &SelectedColumn,
        run_end_type: RunEndType,
        mut until: u64,
        slot: u64,
    ) -> Waiting<u64> {
        let is_compressed = self.decoder.lists.compression.is_some();
        let mut first = self.source.state.run_before(ends.position(), slot).min(until);
        while until.saturating_sub(first) > self.n_ends_at_once() {
            let window = match is_compressed {
                true => first..first.saturating_add(self.n_ends_at_once()),
                false => {
                    let middle = first.midpoint(until);
                    middle..middle.saturating_add(1)
                }
            };
            let Some(bytes) = self.run_ends(ends, window.clone())? else { return Ok(None) };
            let (n_before, _) = places_of(run_end_type, &bytes, (slot, slot))?;
            if n_before == length_of(&window) {
                first = window.end;
                self.source.state.pass_runs(ends.position(), (slot, first));
            } else if is_compressed {
                break;
            } else {
                until = window.end;
            }
        }
        Ok(Some(first))
    }

    /// How many run ends are read together during a search.
    fn n_ends_at_once(&self) -> u64 {
        const DECOMPRESSED: u64 = 1 << 16;
        if self.decoder.lists.compression.is_some() { DECOMPRESSED } else { FEW }
    }

    /// The numbers of some run ends. They do not count as taken bytes, since those that are kept are taken again.
    fn run_ends(&mut self, ends: &SelectedColumn, window: Range<u64>) -> Waiting<Buffer> {
        if window.is_empty() {
            return Ok(Some(Buffer::new()));
        }
        let position = ends.position();
        let (mut cursor, node) = self.entries_of(position)?;
        cursor.buffer = cursor.buffer.saturating_add(1);
        let column = self.decoder.columns.at(position);
        let target = WalkColumn { selected: ends, column, node, cursor, window };
        let n_bytes = self.n_bytes;
        let max_bytes = self.source.max_bytes.take();
        // The other run ends are looked at next.
        let then = std::mem::replace(&mut self.source.then, Then::GoOn);
        let found = self.elements(&target, 0);
        self.source.then = then;
        (self.n_bytes, self.source.max_bytes) = (n_bytes, max_bytes);
        found
    }
}

/// How many run ends are read in addition to the expected number.
const FEW: u64 = 1024;

/// How many run ends are not after each of two slots, if they are in order.
fn places_of(run_end_type: RunEndType, bytes: &Buffer, slots: (u64, u64)) -> Result<(u64, u64)> {
    match run_end_type {
        RunEndType::Int16 => places::<i16>(bytes, slots),
        RunEndType::Int32 => places::<i32>(bytes, slots),
        RunEndType::Int64 => places::<i64>(bytes, slots),
    }
}

fn places<T: Native + Into<i64>>(bytes: &Buffer, (start, last): (u64, u64)) -> Result<(u64, u64)> {
    let numbers = numbers::<T>(bytes)?;
    let ends_before = |slot: u64| {
        numbers.partition_point(|end| u64::try_from((*end).into()).is_ok_and(|end: u64| end <= slot)) as u64
    };
    Ok((ends_before(start), ends_before(last)))
}
