//! The rows that match a condition.

use std::{ops::Range, sync::Arc, vec};

use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError, Projection, Source, file::FilePrefetcher};
use arrow_ipc_dataset::{DatasetErrorKind, RowSelection};
use arrow_ipc_statistics::FileStatistics;

use crate::{
    failure::{Code, Failure, Result},
    options::Selection,
};

/// The matching rows of each batch that has some.
pub(crate) struct MatchingBatches<S> {
    prefetcher: FilePrefetcher<S>,
    /// The batches that are read, in runs.
    runs: vec::IntoIter<Range<usize>>,
    run: Range<usize>,
    selection: RowSelection,
    /// Whether the end of a stream is checked after the last batch.
    checks_end: bool,
}

impl<S: Source> MatchingBatches<S> {
    /// Reads the statistics, if these are trusted, and no batch.
    ///
    /// # Errors
    /// If the condition cannot be read, or there is no such column.
    pub(crate) fn try_new(
        reader: &FileReader<S>,
        condition: &str,
        wanted: &Selection,
        batches: Option<Range<usize>>,
    ) -> Result<MatchingBatches<S>> {
        let predicate: Predicate =
            condition.parse().map_err(|error| Failure::misuse(format!("condition: {error}")))?;
        let columns = (!wanted.columns.is_empty()).then_some(&*wanted.columns);
        let all = Arc::clone(reader.ipc_schema().schema());
        let selection = RowSelection::try_new(all, columns, Some(&predicate));
        let selection = selection.map_err(|kind| Failure::misuse(kind.to_string()))?;
        let read = reader.project(&Projection::Positions(selection.positions().to_vec()))?;
        let checks_end = wanted.reaches_past(reader.n_batches());
        let range = batches.unwrap_or(0..reader.n_batches());
        let statistics =
            wanted.trusts_statistics.then(|| FileStatistics::from_footer(reader.footer())).flatten();
        let runs = match (statistics, selection.condition()) {
            (Some(statistics), Some(bound)) => {
                runs(statistics.batches_matching(bound).filter(|batch_idx| range.contains(batch_idx)))
            }
            _ => vec![range],
        };
        Ok(MatchingBatches {
            prefetcher: read.prefetcher(),
            runs: runs.into_iter(),
            run: 0..0,
            selection,
            checks_end,
        })
    }

    fn try_next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let end = self.run.end;
            if let Some(batch_idx) = self.run.next() {
                let batch = self.prefetcher.next_of(batch_idx..end).read()?.batch;
                let matching = self.selection.filter(batch).map_err(unmatched);
                if let Some(rows) = matching.map_err(|failure| failure.in_batch(batch_idx))? {
                    return Ok(Some(rows));
                }
            } else if let Some(run) = self.runs.next() {
                self.run = run;
            } else {
                if self.checks_end {
                    self.prefetcher.reader().check_end()?;
                }
                return Ok(None);
            }
        }
    }
}

/// The failure of a batch whose rows cannot be selected.
fn unmatched(kind: DatasetErrorKind) -> Failure {
    if let DatasetErrorKind::Batch(error) = kind {
        // Out of memory, or over a limit, or malformed.
        return IpcError::from(error).into();
    }
    Failure { code: Code::Malformed, text: kind.to_string() }
}

impl<S: Source> Iterator for MatchingBatches<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.try_next().transpose()
    }
}

/// Joins indices that follow each other.
fn runs(indices: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for index in indices {
        let next = index.saturating_add(1);
        match runs.last_mut() {
            Some(run) if run.end == index => run.end = next,
            Some(_) | None => runs.push(index..next),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_what_follows_each_other() {
        assert_eq!(runs([0, 1, 2, 5, 7, 8].into_iter()), [0..3, 5..6, 7..9]);
        assert!(runs(std::iter::empty()).is_empty());
    }
}
