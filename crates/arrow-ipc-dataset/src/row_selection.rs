//! The rows and columns that are returned of batches, and the columns that are read for them.

use std::{collections::HashMap, sync::Arc};

use arrow_buffer::Bitmap;
use arrow_compute::{BoundPredicate, Predicate};
use arrow_data::RecordBatch;
use arrow_schema::{FieldPath, LookupError, PathStep, Schema};
use arrow_select::Select;

use crate::error::DatasetErrorKind as Kind;

/// The columns to return, the condition on rows, and the columns to read for both. The tasks of a data set use it, and so
/// does code that reads one file itself.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc_dataset::RowSelection;
///
/// let columns = [("id", Int64Array::from_iter(0..3).into()), ("age", Int64Array::from_iter([20, 50, 60]).into())];
/// let batch = RecordBatch::try_from_columns(columns)?;
/// let old = "age > 40".parse()?;
/// let selection = RowSelection::try_new(batch.schema().clone(), Some(&["id".to_owned()]), Some(&old))?;
/// assert_eq!(selection.positions(), [0, 1]);
/// let read = batch.project(selection.positions())?;
/// let rows = selection.filter(read)?.expect("some match");
/// assert_eq!((rows.n_rows(), rows.schema().to_string().as_str()), (2, "id: int64"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RowSelection {
    /// All columns.
    pub(crate) all: Arc<Schema>,
    /// The returned columns, and the columns of the predicate, in the order of all columns.
    pub(crate) read: Arc<Schema>,
    /// The positions of `read` in all columns.
    positions: Vec<usize>,
    /// The predicate, bound to all columns.
    pub(crate) bound: Option<BoundPredicate>,
    /// The predicate, bound to the columns that are read.
    condition: Option<BoundPredicate>,
    /// The positions of the returned columns in `read`.
    shown: Vec<usize>,
    pub(crate) shown_schema: Arc<Schema>,
}

impl RowSelection {
    /// Selects the columns with these names, or all, of those in `all`, and the rows that match.
    ///
    /// # Errors
    /// If a column does not exist, or the predicate does not fit the schema.
    pub fn try_new(
        all: Arc<Schema>,
        columns: Option<&[String]>,
        predicate: Option<&Predicate>,
    ) -> Result<RowSelection, Kind> {
        let wanted = match columns {
            None => (0..all.fields().len()).collect(),
            Some(names) => positions_of(&all, names)?,
        };
        RowSelection::try_from_positions(all, wanted, predicate)
    }

    /// Selects the columns at these positions of those in `all`, and the rows that match. Use this where names of columns may
    /// repeat.
    ///
    /// # Errors
    /// If a column does not exist, or the predicate does not fit the schema.
    pub fn try_from_positions(
        all: Arc<Schema>,
        wanted: Vec<usize>,
        predicate: Option<&Predicate>,
    ) -> Result<RowSelection, Kind> {
        let bound = predicate.map(|predicate| predicate.bind(&all)).transpose()?;
        let mut needed = bound.as_ref().map(BoundPredicate::columns).unwrap_or_default();
        needed.extend(&wanted);
        needed.sort_unstable();
        needed.dedup();
        // All of these positions are in `needed`, so the search succeeds.
        let needed_idx =
            |position: &usize| needed.binary_search(position).unwrap_or_else(|needed_idx| needed_idx);
        let moved = |path: &FieldPath| {
            with_first_position(needed_idx(&first_position(path).unwrap_or_default()), path)
        };
        let condition = bound.as_ref().map(|condition| condition.moved(moved));
        let shown = wanted.iter().map(needed_idx).collect();
        let read = Arc::new(all.project(&needed)?);
        let shown_schema = Arc::new(all.project(&wanted)?);
        Ok(RowSelection { all, read, positions: needed, bound, condition, shown, shown_schema })
    }

    /// The positions of the columns to read, in ascending order: those that are returned, and those of the condition.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// The schema of the returned columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.shown_schema
    }

    /// The condition, bound to all columns.
    pub fn condition(&self) -> Option<&BoundPredicate> {
        self.bound.as_ref()
    }

    /// The rows that match of a batch with the columns at [`positions`](RowSelection::positions), as bits; `None` if there is no
    /// condition.
    ///
    /// # Errors
    /// If the batch has other columns, or there is not enough memory for the result.
    pub fn matching_rows(&self, batch: &RecordBatch) -> Result<Option<Bitmap>, Kind> {
        Ok(self.condition.as_ref().map(|condition| condition.matches(batch)).transpose()?)
    }

    /// The matching rows of a batch with the columns at [`positions`](RowSelection::positions), with the returned columns;
    /// `None` if no row matches.
    ///
    /// # Errors
    /// If the batch has other columns, or there is not enough memory for the result.
    pub fn filter(&self, batch: RecordBatch) -> Result<Option<RecordBatch>, Kind> {
        let matching = self.matching_rows(&batch)?;
        let shown = batch.project(&self.shown)?.with_schema(Arc::clone(&self.shown_schema))?;
        Ok(match matching {
            Some(rows) if rows.count_set() == 0 => None,
            Some(rows) if !rows.all_set() => Some(shown.filter(&rows)?),
            Some(_) | None => Some(shown),
        })
    }
}

/// The positions of the only columns with these names, in time in proportion to the number of all columns.
fn positions_of(all: &Schema, names: &[String]) -> Result<Vec<usize>, LookupError> {
    let by_name = positions_by_name(all);
    let found = |name: &String| match by_name.get(name.as_str()) {
        Some(Some(position)) => Ok(*position),
        // The search returns the error.
        Some(None) | None => all.index_of(name),
    };
    names.iter().map(found).collect()
}

/// The position of each name, or `None` if several fields have the name.
pub(crate) fn positions_by_name(schema: &Schema) -> HashMap<&str, Option<usize>> {
    let mut by_name = HashMap::with_capacity(schema.fields().len());
    for (position, field) in schema.fields().iter().enumerate() {
        by_name.entry(field.name()).and_modify(|known| *known = None).or_insert(Some(position));
    }
    by_name
}

/// The position of the first column on a path.
pub(crate) fn first_position(path: &FieldPath) -> Option<usize> {
    path.positions().next().and_then(|position| usize::try_from(position).ok())
}

/// Replaces the position of the first column on a path.
pub(crate) fn with_first_position(position: usize, path: &FieldPath) -> FieldPath {
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    let steps = path.steps().iter().enumerate().map(|(depth, step)| match step {
        PathStep::Child { name, .. } if depth == 0 => PathStep::Child { position, name: Arc::clone(name) },
        PathStep::Child { .. } | PathStep::Dictionary => step.clone(),
    });
    steps.collect()
}
