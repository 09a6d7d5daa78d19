//! Runs: all run ends, then the values of the runs that a window lies in.

use std::sync::Arc;

use arrow_data::{ArrayData, DataErrorKind};
use arrow_schema::RunEndType;

use super::{RowsDecoder, Target, Waiting, offsets::widened};
use crate::error::{Context, IpcError};

impl RowsDecoder<'_, '_> {
    /// Run ends and values of the runs that the window lies in. The ends count from the beginning of the column, as an
    /// array's offset does. If they are out of order, so are those that are left, or they do not reach the window's end.
    pub(super) fn runs(
        &mut self,
        target: &Target<'_>,
        run_end_type: RunEndType,
    ) -> Waiting<Arc<[ArrayData]>> {
        let children = self.children(target.selected);
        let [ends, values] = &*children else {
            return Err(IpcError::internal("runs have other children than run ends and values"));
        };
        let (n_runs, n_values) =
            (self.node(ends.position())?.n_slots(), self.node(values.position())?.n_slots());
        if n_values < n_runs {
            let kind = DataErrorKind::RunCount { n_runs, n_values };
            return self.decoder.locate(target.selected, kind.into());
        }
        let Some(ends) = self.column(ends, 0..n_runs)? else { return Ok(None) };
        let numbers = match run_end_type {
            RunEndType::Int16 => widened::<i16>(ends.buffer(0))?,
            RunEndType::Int32 => widened::<i32>(ends.buffer(0))?,
            RunEndType::Int64 => widened::<i64>(ends.buffer(0))?,
        };
        let ends_before =
            |slot: u64| numbers.partition_point(|end| u64::try_from(*end).is_ok_and(|end| end <= slot));
        let first = ends_before(target.window.start);
        let last = ends_before(target.window.end.saturating_sub(1));
        let end = last.saturating_add(1).min(numbers.len());
        let first = first.min(end);
        let Some(values) = self.column(values, first as u64..end as u64)? else { return Ok(None) };
        let columns = self.decoder.columns;
        let ends =
            ends.try_slice(first, end.saturating_sub(first)).in_field(|| columns.path(target.position))?;
        Ok(Some([ends, values].into()))
    }
}
