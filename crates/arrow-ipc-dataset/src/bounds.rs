//! The least and the greatest values of columns in each file of a data set. A manifest stores them as columns.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{Int64Array, Scalar};
use arrow_compute::ColumnBounds;
use arrow_data::ArrayData;
use arrow_schema::FieldPath;

/// The bounds of the files in a manifest: arrays with a slot for each file.
#[derive(Debug, Default)]
pub(crate) struct BoundsTable {
    /// The bounds of each field, by the path of the field.
    pub(crate) columns: HashMap<String, BoundsColumns>,
}

/// The bounds of a column, or of a field inside structs.
#[derive(Debug)]
pub(crate) struct BoundsColumns {
    pub(crate) path: FieldPath,
    pub(crate) n_nulls: Option<Int64Array>,
    pub(crate) min: Option<ArrayData>,
    pub(crate) max: Option<ArrayData>,
}

/// The bounds of one file in a manifest.
#[derive(Debug, Clone)]
pub(crate) struct PartBounds {
    pub(crate) table: Arc<BoundsTable>,
    pub(crate) row: usize,
}

impl BoundsColumns {
    /// No known bounds for this field.
    pub(crate) fn of(path: FieldPath) -> BoundsColumns {
        BoundsColumns { path, n_nulls: None, min: None, max: None }
    }
}

impl PartBounds {
    /// The bounds of a field in all rows of a file.
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
            // A manifest does not store whether its bounds are exact.
            is_min_exact: false,
            is_max_exact: false,
        }
    }
}
