//! Selects columns and rows of an input.

use std::{collections::BTreeMap, sync::Arc};

use arrow_compute::{BoundPredicate, Matches, Predicate, PredicateErrorKind};
use arrow_ipc::{IpcSchema, file::Footer};
#[cfg(feature = "text")]
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::{DataType, FieldPath, Schema};

use super::{ColumnName, ColumnNames, projected::paths_in_projection, selection::Selection};
use crate::error::ToolErrorKind;

/// The columns of an input that are read, and a condition on its rows. By default, all columns and rows are read.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_compute::Predicate;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::FileWriter;
/// use arrow_ipc_tools::{Input, RowQuery, Rows};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..9).into())])?;
/// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
/// let query = RowQuery::new().with_condition("id >= 7".parse::<Predicate>()?);
/// let (_, selection) = Rows::open_selected(Input::try_from_buffer("file", file)?, &query)?;
/// assert_eq!(selection.apply(batch).map(|batch| batch.n_rows()).ok(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowQuery {
    columns: Option<ColumnNames>,
    condition: Option<Predicate>,
    types: BTreeMap<String, DataType>,
    casts: BTreeMap<String, DataType>,
    trusts_statistics: bool,
    #[cfg(feature = "text")]
    numbers_rows: bool,
}

impl RowQuery {
    /// Selects all columns of all rows.
    pub fn new() -> RowQuery {
        RowQuery::default()
    }

    /// Selects only these columns, and fields inside columns, in this order.
    #[must_use]
    pub fn with_columns(self, columns: ColumnNames) -> RowQuery {
        RowQuery { columns: Some(columns), ..self }
    }

    /// Puts these columns before the columns of the query, even if the query excludes them. A query for all columns does
    /// not change.
    pub(crate) fn with_first(self, first: &ColumnNames) -> RowQuery {
        let columns = self.columns.map(|ColumnNames { mut selected, excluded, .. }| {
            selected.retain(|column| !first.selected.contains(column));
            ColumnNames { first: first.selected.clone(), selected, excluded }
        });
        RowQuery { columns, ..self }
    }

    /// Selects the rows that match this condition. The condition may use columns that the query does not select. With the
    /// feature `time-zones`, constants without an offset are local times of the zone of their column.
    #[must_use]
    pub fn with_condition(self, condition: Predicate) -> RowQuery {
        // Constants of nested types are JSON.
        #[cfg(feature = "text")]
        let condition = condition.with_json_values(|data_type, json| {
            arrow_text::read_json_value(data_type, json).map_err(|error| error.kind().to_string())
        });
        #[cfg(feature = "time-zones")]
        let condition = condition.with_time_zones(arrow_array::TimeZones::database());
        RowQuery { condition: Some(condition), ..self }
    }

    /// Casts the columns with these names to these types if files of a data set, or inputs of [`Input::union_with`], have types of them
    /// without a wider type.
    ///
    /// [`Input::union_with`]: crate::Input::union_with
    #[must_use]
    pub fn with_types(self, types: impl IntoIterator<Item = (String, DataType)>) -> RowQuery {
        RowQuery { types: types.into_iter().collect(), ..self }
    }

    /// Casts the columns with these names to these types in all files of a [data set](crate::InputSet), before rows and columns are
    /// selected. It is an error if a value would change, or if the data set lacks a column.
    #[must_use]
    pub fn with_casts(self, casts: impl IntoIterator<Item = (String, DataType)>) -> RowQuery {
        RowQuery { casts: casts.into_iter().collect(), ..self }
    }

    /// Skips batches of files if the statistics in the footer say that no row matches the condition. If the statistics
    /// are wrong, the result lacks matching rows.
    #[must_use]
    pub fn with_trusted_statistics(self) -> RowQuery {
        RowQuery { trusts_statistics: true, ..self }
    }

    /// Keeps the numbers of rows: [`InputSet::open`](crate::InputSet::open) then leaves out no rows, and whoever reads them
    /// tests the condition.
    #[cfg(feature = "text")]
    #[must_use]
    pub fn with_row_numbers(self) -> RowQuery {
        RowQuery { numbers_rows: true, ..self }
    }

    /// The selected columns; `None` for all.
    pub fn columns(&self) -> Option<&ColumnNames> {
        self.columns.as_ref()
    }

    /// The condition on rows; `None` if all rows are selected.
    pub fn condition(&self) -> Option<&Predicate> {
        self.condition.as_ref()
    }

    /// Adds the type of the column at fault to `types`, if an error is about a column without a wider type, and the query has one.
    /// Returns whether it was added.
    #[cfg(feature = "text")]
    pub(crate) fn settle(&self, error: &DatasetErrorKind, types: &mut BTreeMap<String, DataType>) -> bool {
        let given = error.conflicting_column().and_then(|(name, _)| self.type_of_conflicting(name));
        given.is_some_and(|(name, data_type)| types.insert(name, data_type).is_none())
    }

    /// The types to which columns are cast, by the names of the columns.
    #[cfg(feature = "text")]
    pub(crate) fn casts(&self) -> &BTreeMap<String, DataType> {
        &self.casts
    }

    /// The type for a column without a wider type.
    #[cfg(feature = "text")]
    pub(crate) fn type_of_conflicting(&self, name: &str) -> Option<(String, DataType)> {
        let (name, data_type) = self.types.get_key_value(name)?;
        Some((name.clone(), data_type.clone()))
    }

    /// Whether rows that do not match are read, too.
    #[cfg(feature = "text")]
    pub(crate) fn numbers_rows(&self) -> bool {
        self.numbers_rows
    }

    /// Whether the statistics of files are trusted to evaluate the condition.
    pub(crate) fn trusts_statistics(&self) -> bool {
        self.trusts_statistics
    }

    /// The columns and rows that the query selects from an input with this schema.
    ///
    /// # Errors
    /// If the schema does not have exactly one column or field for a name, if the type of that column is unknown, or if
    /// a constant of the condition does not fit the type of its column.
    pub(crate) fn select(&self, schema: &IpcSchema) -> Result<Selection, ToolErrorKind> {
        if let Some(columns) = &self.columns {
            columns.check_supported(schema)?;
        }
        let columns = self.columns.as_ref().map(|columns| columns.known_types(schema));
        let fields = schema.schema();
        let Some(condition) = self.condition() else {
            let columns = columns.map(|columns| columns.select(fields));
            return Ok(columns.transpose()?.unwrap_or_default());
        };
        let names: ColumnNames = condition.columns().into_iter().map(ColumnName::from).collect();
        names.check_supported(schema)?;
        let condition = bound(condition, fields)?;
        let Some(columns) = columns else { return Ok(Selection::default().with_condition(condition)) };
        let shown = columns.paths_in(fields)?;
        let read: Vec<FieldPath> = shown.iter().chain(condition.paths()).cloned().collect();
        // The shown columns come first; the columns of the condition come after them.
        let mut paths = paths_in_projection(&read).into_iter();
        let inside = paths.by_ref().take(shown.len()).collect();
        let condition = condition.moved(|path| paths.next().unwrap_or_else(|| path.clone()));
        Ok(Selection::from_paths(fields, [read, shown], inside)?.with_condition(condition))
    }

    /// Like [`select`](RowQuery::select), for a file. If the statistics are trusted, batches without matching rows are
    /// skipped.
    ///
    /// # Errors
    /// The errors of [`select`](RowQuery::select).
    pub(crate) fn select_of_file(&self, footer: &Footer) -> Result<Selection, ToolErrorKind> {
        let selection = self.select(footer.ipc_schema())?;
        let Some(condition) = &self.condition else { return Ok(selection) };
        if !self.trusts_statistics() {
            return Ok(selection);
        }
        let Some(known) = FileStatistics::from_footer(footer) else { return Ok(selection) };
        let condition = bound(condition, footer.schema())?;
        let skipped = |batch_idx| match known.matches(batch_idx, &condition) {
            Matches::None => known.n_rows(batch_idx),
            Matches::Some | Matches::All => None,
        };
        Ok(selection.with_skipped((0..known.n_batches()).map(skipped).collect()))
    }

    /// Like [`select`](RowQuery::select), for batches that already have all columns.
    ///
    /// # Errors
    /// The errors of [`select`](RowQuery::select).
    pub(crate) fn select_of_narrowed(&self, schema: &Arc<Schema>) -> Result<Selection, ToolErrorKind> {
        let columns = self.columns.as_ref().map(|columns| columns.select_of_narrowed(schema)).transpose()?;
        let selection = columns.unwrap_or_default();
        let condition = self.condition().map(|condition| bound(condition, schema)).transpose()?;
        Ok(condition.into_iter().fold(selection, Selection::with_condition))
    }
}

fn bound(condition: &Predicate, schema: &Arc<Schema>) -> Result<BoundPredicate, ToolErrorKind> {
    condition.bind(schema).map_err(|error| {
        if let PredicateErrorKind::Lookup(error) = error.kind() {
            return ToolErrorKind::Columns { error: error.clone(), schema: Arc::clone(schema) };
        }
        ToolErrorKind::Condition(error)
    })
}
