//! Rows that match a condition.

use std::sync::{Arc, OnceLock};

use arrow_compute::{BoundPredicate, Matches, Predicate};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::FileDecoder;
use arrow_ipc_dataset::RowSelection;
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::Schema;

use crate::{
    failure::{Failure, Result},
    zones::given_zones,
};

/// A condition, the columns that are returned, and those that are read for both.
pub(crate) struct Condition {
    selection: RowSelection,
    /// The file, for the statistics in its footer, which are read when a batch could be left out.
    file: FileDecoder,
    statistics: OnceLock<Option<FileStatistics>>,
}

impl Condition {
    /// Selects columns by their positions, or all.
    pub(crate) fn try_new(
        decoder: &FileDecoder,
        columns: Option<Vec<usize>>,
        condition: &str,
    ) -> Result<Condition> {
        let all = Arc::clone(decoder.ipc_schema().schema());
        let columns = columns.unwrap_or_else(|| (0..all.fields().len()).collect());
        let predicate: Predicate =
            condition.parse().map_err(|error| Failure::misuse(format!("where: {error}")))?;
        let predicate = predicate.with_time_zones(given_zones());
        let selection = RowSelection::try_from_positions(all, columns, Some(&predicate));
        let selection = selection.map_err(|error| Failure::misuse(format!("where: {error}")))?;
        Ok(Condition { selection, file: decoder.clone(), statistics: OnceLock::new() })
    }

    /// The positions of the columns that are read.
    pub(crate) fn positions(&self) -> &[usize] {
        self.selection.positions()
    }

    /// The schema of the returned columns.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        self.selection.schema()
    }

    /// Whether a batch may have rows that match, by the statistics in the footer.
    pub(crate) fn may_match(&self, batch_idx: usize) -> bool {
        let statistics = self.statistics.get_or_init(|| FileStatistics::from_footer(self.file.footer()));
        let (Some(statistics), Some(condition)) = (statistics, self.selection.condition()) else {
            return true;
        };
        batch_idx >= statistics.n_batches() || statistics.matches(batch_idx, condition) != Matches::None
    }

    /// The positions of the columns that the condition reads.
    pub(crate) fn columns(&self) -> Vec<usize> {
        self.selection.condition().map(BoundPredicate::columns).unwrap_or_default()
    }

    /// The rows of a batch that match.
    pub(crate) fn matching_at(&self, batch: &RecordBatch) -> Result<Vec<f64>> {
        let Some(matching) = self.selection.matching_rows(batch)? else {
            return Ok((0..batch.n_rows()).map(|row| row as f64).collect());
        };
        Ok(matching.iter_set().map(|row| row as f64).collect())
    }

    /// The rows of a batch that match, with the returned columns.
    pub(crate) fn matching(&self, batch: RecordBatch) -> Result<RecordBatch> {
        if let Some(rows) = self.selection.filter(batch)? {
            return Ok(rows);
        }
        let schema = Arc::clone(self.selection.schema());
        let fields = schema.fields().iter();
        let columns: Vec<ArrayData> = fields.map(|field| ArrayData::new_empty(field.data_type())).collect();
        Ok(RecordBatch::try_new_with_rows(schema, columns, 0)?)
    }
}
