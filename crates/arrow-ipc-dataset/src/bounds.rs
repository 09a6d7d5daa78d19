//! The least and the greatest values of parts, stored as columns of a manifest.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{Int64Array, Scalar};
use arrow_compute::ColumnBounds;
use arrow_data::{ArrayData, concat};
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::FieldPath;

/// What a manifest knows about the values of its parts: arrays with a slot for each part.
#[derive(Debug, Default)]
pub(crate) struct BoundsTable {
    /// The bounds of each field, by its path.
    pub(crate) columns: HashMap<String, BoundsColumns>,
}

/// What is known about a column, or a field inside structs.
#[derive(Debug)]
pub(crate) struct BoundsColumns {
    pub(crate) path: FieldPath,
    pub(crate) n_nulls: Option<Int64Array>,
    pub(crate) min: Option<ArrayData>,
    pub(crate) max: Option<ArrayData>,
}

/// What a manifest knows about the values of one part.
#[derive(Debug, Clone)]
pub(crate) struct PartBounds {
    pub(crate) table: Arc<BoundsTable>,
    pub(crate) row: usize,
}

impl BoundsColumns {
    /// Knows nothing.
    pub(crate) fn of(path: FieldPath) -> BoundsColumns {
        BoundsColumns { path, n_nulls: None, min: None, max: None }
    }
}

impl PartBounds {
    /// What is known about a field in the rows of a part.
    pub(crate) fn bounds(&self, path: &FieldPath, n_rows: u64) -> ColumnBounds {
        let Some(known) = self.table.columns.get(&path.to_string()) else { return ColumnBounds::default() };
        let bound = |values: &Option<ArrayData>| {
            let value = Scalar::try_from_slot(values.as_ref()?, self.row).ok()?;
            (!value.is_null()).then_some(value)
        };
        let n_nulls = known.n_nulls.as_ref().and_then(|n_nulls| n_nulls.get(self.row));
        ColumnBounds {
            n_rows: Some(n_rows),
            n_nulls: n_nulls.and_then(|n_nulls| u64::try_from(n_nulls).ok()),
            min: bound(&known.min),
            max: bound(&known.max),
            // It is not stored which rows are null.
            is_min_exact: false,
            is_max_exact: false,
        }
    }
}

/// What is known about a field in all batches of a file.
pub(crate) fn bounds_of_all(known: &FileStatistics, path: &FieldPath) -> ColumnBounds {
    let of_batches: Vec<ColumnBounds> =
        (0..known.n_batches()).map(|batch_idx| known.bounds(batch_idx, path)).collect();
    let sum = |count: fn(&ColumnBounds) -> Option<u64>| {
        of_batches.iter().try_fold(0u64, |sum, of_batch| sum.checked_add(count(of_batch)?))
    };
    // Batches without values have no bounds, and need none.
    let with_values =
        || of_batches.iter().filter(|known| known.n_rows.is_none() || known.n_rows != known.n_nulls);
    let joined = |bound: fn(&ColumnBounds) -> &Option<Scalar>| {
        let slots = with_values().map(|known| Some(bound(known).as_ref()?.as_array().data().clone()));
        let slots = slots.collect::<Option<Vec<ArrayData>>>().filter(|slots| !slots.is_empty())?;
        ColumnBounds::of(&concat(&slots).ok()?, usize::MAX).ok()
    };
    ColumnBounds {
        n_rows: sum(|known| known.n_rows),
        n_nulls: sum(|known| known.n_nulls),
        min: joined(|known| &known.min).and_then(|known| known.min),
        max: joined(|known| &known.max).and_then(|known| known.max),
        is_min_exact: false,
        is_max_exact: false,
    }
}
