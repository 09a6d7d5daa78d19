//! Converts batches of a file to the columns of a data set.

use std::{collections::HashSet, sync::Arc};

use arrow_array::Scalar;
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, CastError, Digits};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Field, Schema};
use arrow_select::Selector;

use crate::{error::DatasetErrorKind as Kind, partition::PartitionValue, row_selection::positions_by_name};

/// Adds, casts and reorders the columns of a file, so that its batches have the schema of the data set. A column that has its type is
/// not copied.
#[derive(Debug)]
pub struct FileColumns {
    /// The positions in the file of the columns that are read.
    positions: Vec<usize>,
    sources: Vec<ColumnSource>,
    /// The names of the columns that may be null in the file, and may not be null in the data set.
    required: HashSet<Arc<str>>,
    schema: Arc<Schema>,
}

/// Where the values of a column come from.
#[derive(Debug)]
enum ColumnSource {
    /// The next column that was read from the file, unchanged.
    Read,
    Cast(Box<Cast>),
    /// A constant. Stores the longest array of it so far, for all batches that are not longer.
    Constant(Box<(Scalar, ArrayData)>),
}

impl FileColumns {
    /// Prepares the conversion of a file with the schema `file`. Columns are found by name. A column that the file lacks has the value
    /// of `partition`, or is null in all rows.
    ///
    /// # Errors
    /// If a column is not nullable, and is missing or null in the name of its folder. If the type of a column in the file has no
    /// cast to the type in the schema.
    pub fn try_new(
        schema: &Arc<Schema>,
        file: &Schema,
        partition: &[PartitionValue],
    ) -> Result<FileColumns, Kind> {
        let by_name = positions_by_name(file);
        let mut positions = Vec::new();
        let mut sources = Vec::new();
        let mut required = HashSet::new();
        for field in schema.fields() {
            let constant =
                |value| ColumnSource::Constant(Box::new((value, ArrayData::new_empty(field.data_type()))));
            if let Some(value) = partition.iter().find(|value| *value.name == *field.name()) {
                let value = value.to_scalar()?;
                if value.is_null() && !field.is_nullable() {
                    return Err(Kind::Nulls { batch_idx: None, column: field.name().to_owned() });
                }
                sources.push(constant(value));
                continue;
            }
            match by_name.get(field.name()).copied() {
                Some(Some(position)) => {
                    let found = file.field(position);
                    sources.push(source_of(field, found)?);
                    if !field.is_nullable() && found.is_some_and(Field::is_nullable) {
                        required.insert(field.to_shared_name());
                    }
                    positions.push(position);
                }
                Some(None) => {
                    return Err(file
                        .index_of(field.name())
                        .expect_err("several fields have the name")
                        .into());
                }
                None if field.is_nullable() => {
                    sources.push(constant(Scalar::try_new_null(field.data_type())?));
                }
                None => return Err(Kind::MissingColumn(field.name().to_owned())),
            }
        }
        Ok(FileColumns { positions, sources, required, schema: Arc::clone(schema) })
    }

    /// The positions of the columns to read, in the order of their columns in the data set.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// Converts the batch at `batch_idx`, which has the columns at [`positions`](FileColumns::positions) of the file. Errors name the
    /// index, if it is known. `n_stored_bytes` is the length of the whole batch in the file. New columns take at most 1,024 times the larger of it and the bytes of
    /// `batch`, or 256 MiB if that is more.
    ///
    /// # Errors
    /// If a value does not fit its new type.
    pub fn batch(
        &mut self,
        batch_idx: Option<u64>,
        batch: &RecordBatch,
        n_stored_bytes: u64,
    ) -> Result<RecordBatch, Kind> {
        let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
        let budget = MemoryBudget::new(MemoryBudget::default_limit(n_bytes.max(n_stored_bytes)));
        let mut read = batch.columns().iter();
        let n_rows = batch.n_rows();
        let mut columns = Vec::with_capacity(self.sources.len());
        for (source, field) in self.sources.iter_mut().zip(self.schema.fields()) {
            columns.extend(match source {
                ColumnSource::Read => read.next().cloned(),
                ColumnSource::Cast(cast) => {
                    let cast = read.next().map(|column| cast.array(column, &budget));
                    cast.transpose().map_err(|error| Kind::Cast {
                        batch_idx,
                        column: field.name().to_owned(),
                        error,
                    })?
                }
                ColumnSource::Constant(constant) => {
                    let (value, made) = &mut **constant;
                    if made.len() < n_rows {
                        let selector = Selector::new().with_memory_budget(budget.clone());
                        let values = value.to_array_with(n_rows, &selector)?.into_data();
                        *made = encoded(&values, field, &budget).map_err(|error| Kind::Cast {
                            batch_idx,
                            column: field.name().to_owned(),
                            error,
                        })?;
                    }
                    Some(made.try_slice(0, n_rows)?)
                }
            });
        }
        Ok(RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, n_rows)?)
    }

    /// Checks `batch`, which has the selected columns and the matching rows of the batch at `batch_idx`.
    ///
    /// # Errors
    /// If a column that may not be null has nulls.
    pub(crate) fn check_nulls(&self, batch_idx: Option<u64>, batch: &RecordBatch) -> Result<(), Kind> {
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            if self.required.contains(field.name()) && column.logical_null_count()? > 0 {
                return Err(Kind::Nulls { batch_idx, column: field.name().to_owned() });
            }
        }
        Ok(())
    }
}

/// The values of a constant, in a dictionary if the column has one.
fn encoded(values: &ArrayData, field: &Field, budget: &MemoryBudget) -> Result<ArrayData, CastError> {
    if values.data_type() == field.data_type() {
        Ok(values.clone())
    } else {
        Cast::new(field.data_type().clone(), Digits::Keep).array(values, budget)
    }
}

fn source_of(field: &Field, found: Option<&Field>) -> Result<ColumnSource, Kind> {
    let to = field.data_type();
    let from = found.unwrap_or(field).data_type();
    if from == to {
        return Ok(ColumnSource::Read);
    }
    let cast = Cast::new(to.clone(), Digits::Keep).with_same_names();
    // The cast of an empty array fails if these types cannot be cast.
    let tried = cast.array(&ArrayData::new_empty(from), &MemoryBudget::new(MemoryBudget::default_limit(0)));
    tried.map_err(|error| Kind::Cast { batch_idx: None, column: field.name().to_owned(), error })?;
    Ok(ColumnSource::Cast(Box::new(cast)))
}
