//! Updates the statistics in the footer of a file to which batches are appended.

use arrow_data::RecordBatch;
use arrow_ipc::{IpcError, IpcSchema, Limits, Source, file::Footer};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::Metadata;

use super::appended::AppendOutput;
use crate::observer::LostStatistics;

/// Appends batches with `fill`, and adds their statistics to those in the footer of `source`, if it has any. The old
/// statistics are not compared with the old batches. Returns the result of `fill`, and why statistics were lost, or
/// `None` if none were lost.
///
/// # Errors
/// The errors of `fill`.
pub fn continue_statistics<T, E>(
    source: &impl Source,
    to: &mut dyn AppendOutput,
    fill: impl FnOnce(&mut dyn AppendOutput) -> Result<T, E>,
) -> Result<(T, Option<LostStatistics>), E> {
    let footer = Footer::read_last(source, &Limits::default()).ok();
    let Some(footer) = footer.filter(|footer| footer.statistics().is_some()) else {
        return Ok((fill(to)?, None));
    };
    let statistics = StatisticsBuilder::continuing(&footer).ok().flatten();
    drop(footer);
    let mut end = EndWithStatistics { to, statistics };
    let filled = fill(&mut end)?;
    let EndWithStatistics { to, statistics } = end;
    let lost = match statistics.map(|statistics| statistics.finish_for(to.position())) {
        Some(Ok(Some(stream))) if to.set_statistics(&stream).is_ok() => None,
        Some(Ok(_)) => Some(LostStatistics::NoRoom),
        Some(Err(_)) | None => Some(LostStatistics::Unreadable),
    };
    Ok((filled, lost))
}

/// A sink that appends batches to a file and collects their statistics. `statistics` becomes `None` after a batch
/// without statistics.
struct EndWithStatistics<'a> {
    to: &'a mut dyn AppendOutput,
    statistics: Option<StatisticsBuilder>,
}

impl AppendOutput for EndWithStatistics<'_> {
    fn columns(&self) -> &IpcSchema {
        self.to.columns()
    }

    fn metadata(&self) -> &Metadata {
        self.to.metadata()
    }

    fn position(&self) -> u64 {
        self.to.position()
    }

    fn set_statistics(&mut self, stream: &[u8]) -> Result<(), IpcError> {
        self.to.set_statistics(stream)
    }

    fn append(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError> {
        self.to.append(batch, metadata)?;
        self.statistics.take_if(|statistics| statistics.add(batch).is_err());
        Ok(())
    }

    fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>, IpcError> {
        self.to.set_dictionary_metadata(id, metadata)
    }
}
