//! The least and the greatest value of columns in each file, as columns of a manifest.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{Int64Array, Scalar};
use arrow_compute::{ColumnBounds, has_order};
use arrow_data::ArrayData;
use arrow_schema::FieldPath;

/// The bounds of several files of a manifest, as arrays with one slot per file.
#[derive(Debug, Default)]
pub(crate) struct BoundsTable {
    /// The bounds of each field, by the text of its path.
    pub(crate) columns: HashMap<String, BoundsColumns>,
}

/// The bounds of one field: a column, or a field inside structs.
#[derive(Debug)]
pub(crate) struct BoundsColumns {
    pub(crate) path: FieldPath,
    pub(crate) n_nulls: Option<Int64Array>,
    pub(crate) min: Option<ArrayData>,
    pub(crate) max: Option<ArrayData>,
}

/// The bounds of a single file: one row of a table.
#[derive(Debug, Clone)]
pub(crate) struct PartBounds {
    pub(crate) table: Arc<BoundsTable>,
    pub(crate) row: usize,
}

impl BoundsColumns {
    /// Makes an entry without bounds for this field.
    pub(crate) fn of(path: FieldPath) -> BoundsColumns {
        BoundsColumns { path, n_nulls: None, min: None, max: None }
    }
}

impl PartBounds {
    /// The bounds of a field over all `n_rows` rows of the file.
    pub(crate) fn bounds(&self, path: &FieldPath, n_rows: u64) -> ColumnBounds {
        let Some(known) = self.table.columns.get(&path.to_string()) else { return ColumnBounds::default() };
        let bound = |values: &Option<ArrayData>| {
            let value = Scalar::try_from_slot(values.as_ref()?, self.row).ok()?;
            // Manifests of others may have bounds of types without an order, which say nothing.
            (!value.is_null() && has_order(value.data_type())).then_some(value)
        };
        let n_nulls = known.n_nulls.as_ref().and_then(|n_nulls| n_nulls.get(self.row));
        ColumnBounds {
            n_rows: Some(n_rows),
            n_nulls: n_nulls.and_then(|n_nulls| u64::try_from(n_nulls).ok()),
            min: bound(&known.min),
            max: bound(&known.max),
            // A manifest does not say whether its bounds are exact.
            is_min_exact: false,
            is_max_exact: false,
        }
    }
}
