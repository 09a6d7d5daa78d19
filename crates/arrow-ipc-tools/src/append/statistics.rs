//! Updates the statistics in the footer of a file to which batches are appended.

use arrow_ipc::{Limits, Source, file::Footer};
use arrow_ipc_statistics::StatisticsBuilder;

use super::rows::{AppendOutput, AppendTarget};
use crate::observer::StatisticsLoss;

impl AppendTarget<'_> {
    /// Appends batches with `fill`, and adds their statistics to those in the footer of `source`, if it has any. The old
    /// statistics are not compared with the old batches. Returns the result of `fill`, and why statistics were lost, or
    /// `None` if none were lost.
    ///
    /// # Errors
    /// The errors of `fill`.
    pub fn continue_statistics<T, E>(
        source: &impl Source,
        to: &mut dyn AppendOutput,
        fill: impl FnOnce(&mut AppendTarget<'_>) -> Result<T, E>,
    ) -> Result<(T, Option<StatisticsLoss>), E> {
        let mut end = AppendTarget::new(to);
        let footer = Footer::read_last(source, &Limits::default().with_max_fields(u64::MAX)).ok();
        let Some(footer) = footer.filter(|footer| footer.statistics().is_some()) else {
            return Ok((fill(&mut end)?, None));
        };
        end.statistics = StatisticsBuilder::continuing(&footer).ok().flatten();
        drop(footer);
        let filled = fill(&mut end)?;
        let AppendTarget { to, statistics, .. } = end;
        let lost = match statistics.map(|statistics| statistics.finish_for(to.position())) {
            Some(Ok(Some(stream))) if matches!(to.set_statistics(&stream), Ok(true)) => None,
            Some(Ok(_)) => Some(StatisticsLoss::TooLarge),
            Some(Err(_)) | None => Some(StatisticsLoss::Unreadable),
        };
        Ok((filled, lost))
    }
}
