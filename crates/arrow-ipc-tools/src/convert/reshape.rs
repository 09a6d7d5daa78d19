//! Selects, casts and renames columns.

use std::{collections::BTreeSet, sync::Arc};

use arrow_array::ValueForm;
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, Digits};
use arrow_data::RecordBatch;
use arrow_ipc::{IpcError, IpcSchema};
use arrow_schema::{DataType, Field, LookupError, Schema};

use super::metadata_change::{MetadataChange, changed};
use crate::{
    columns::{RowQuery, Selection},
    error::{InputContext, ToolError, ToolErrorKind, loss::Loss},
    input::Input,
    rows::Rows,
};

/// Which columns a conversion writes, their new names and types, and a condition on rows.
///
/// Columns are first selected, then cast, then renamed, and then their metadata changes. A cast refers to its column by the old name. The condition on
/// rows uses the columns of the input.
#[derive(Debug, Clone, Default)]
pub struct Reshaping {
    query: RowQuery,
    renames: Vec<(String, String)>,
    casts: Vec<(String, Field)>,
    metadata: Vec<MetadataChange>,
    digits: Digits,
    max_cast_bytes: Option<u64>,
}

impl Reshaping {
    /// Changes nothing.
    pub fn new() -> Reshaping {
        Reshaping::default()
    }

    /// Selects columns, and fields inside columns, in the order of the query, and the rows that match its condition.
    /// The condition uses the columns of the input. Ranges of rows then count only matching rows.
    #[must_use]
    pub fn with_query(self, query: RowQuery) -> Reshaping {
        Reshaping { query, ..self }
    }

    /// Renames a column. The new name must be unique in the result. If several columns have the old name, call this
    /// method once for each of these columns, in their order.
    #[must_use]
    pub fn with_rename(mut self, from: impl Into<String>, to: impl Into<String>) -> Reshaping {
        self.renames.push((from.into(), to.into()));
        self
    }

    /// Casts a column to another type, with [`cast`](arrow_compute::cast()). With the feature `time-zones`, timestamps are also
    /// cast between instants and the local times of a zone, as [`Cast::with_time_zones`] says.
    #[must_use]
    pub fn with_cast(self, column: impl Into<String>, to: DataType) -> Reshaping {
        self.with_cast_as(column, Field::new("", to))
    }

    /// Casts a column to the type of a field, and sets the extension type of that field. A cast from utf8 to
    /// `arrow.uuid` parses UUIDs; the opposite cast formats them.
    #[must_use]
    pub fn with_cast_as(mut self, column: impl Into<String>, to: Field) -> Reshaping {
        self.casts.push((column.into(), to));
        self
    }

    /// Changes the metadata of the result, after columns were cast and renamed. Changes are made in order.
    #[must_use]
    pub fn with_metadata(mut self, change: MetadataChange) -> Reshaping {
        self.metadata.push(change);
        self
    }

    /// The positions of the columns of the result whose metadata changes.
    pub(super) fn columns_with_changes(&self, result: &Schema) -> impl Iterator<Item = usize> {
        self.metadata.iter().filter_map(|change| change.position(result))
    }

    /// Whether all columns, values and rows stay as they are.
    pub(super) fn changes_only_metadata(&self) -> bool {
        self.query == RowQuery::new() && self.renames.is_empty() && self.casts.is_empty()
    }

    /// Sets whether digits that the new type of a column cannot store are cut or are an error.
    #[must_use]
    pub fn with_digits(self, digits: Digits) -> Reshaping {
        Reshaping { digits, ..self }
    }

    /// Sets how much memory the cast columns of a batch may take. Default: 1,024 times the length of the body of the
    /// batch in the input, or 256 MiB if that is more.
    #[must_use]
    pub fn with_max_cast_bytes(self, n_bytes: u64) -> Reshaping {
        Reshaping { max_cast_bytes: Some(n_bytes), ..self }
    }

    pub(super) fn has_condition(&self) -> bool {
        self.query.condition().is_some()
    }

    /// Replaces an error about a new name, which columns do not have yet.
    fn with_old_name(&self, error: ToolError) -> ToolError {
        let ToolErrorKind::Columns { error: LookupError::Missing { name }, .. } = error.kind() else {
            return error;
        };
        let Some((old, name)) = self.renames.iter().find(|(_, new)| **new == **name).cloned() else {
            return error;
        };
        ToolError::new(error.input().clone(), ToolErrorKind::NewName { name, old })
    }

    /// The position of the column to rename, if there are several columns with the old name, and as many renames. The
    /// second rename is for the second column. Otherwise `None`.
    fn one_of_several(&self, rename_idx: usize, shown: &Schema) -> Option<usize> {
        let (name, _) = self.renames.get(rename_idx)?;
        let mut fields = shown.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
        let n_renames = self.renames.iter().filter(|(from, _)| from == name).count();
        let n_before = self.renames.iter().take(rename_idx).filter(|(from, _)| from == name).count();
        let is_each = n_renames > 1 && n_renames == fields.clone().count();
        if is_each { fields.nth(n_before).map(|(position, _)| position) } else { None }
    }
}

/// Opens an input to read its selected columns. Also returns the [`Caster`] that changes its batches, or `None` if no
/// column changes.
///
/// # Errors
/// If the input cannot be read, has only tensors, or lacks a column.
pub(crate) fn open_reshaped(
    input: Input,
    reshaping: Option<&Reshaping>,
) -> Result<(Rows, Option<Caster>), ToolError> {
    let name = input.name().clone();
    let everything = RowQuery::new();
    let query = reshaping.map_or(&everything, |reshaping| &reshaping.query);
    let opened = Rows::open_selected(input, query);
    let (rows, selection) = opened.map_err(|error| match reshaping {
        Some(reshaping) => reshaping.with_old_name(error),
        None => error,
    })?;
    let caster = reshaping.map(|reshaping| Caster::try_new(reshaping, selection, &rows));
    let caster = caster.transpose().in_input(name)?;
    Ok((rows, caster))
}

impl Reshaping {
    /// The cast of a column to the type of `to`, and the field of the result. The field has the name of the column and
    /// the extension type of `to`. If `to` is a dictionary with values of type null, the result is a dictionary with the
    /// values of the column. UUIDs are cast to and from text as in [`Reshaping::with_cast_as`].
    pub fn cast_of(column: &Field, to: &Field, digits: Digits) -> (Field, Cast) {
        let from = column.data_type();
        let to_type = to.data_type();
        let data_type = dictionary_of(from, to_type).unwrap_or_else(|| to_type.clone());
        let is_same_type = from.same_type(&data_type);
        let cast = Cast::new(data_type.clone(), digits);
        #[cfg(feature = "time-zones")]
        let cast = cast.with_time_zones(arrow_array::TimeZones::database());
        let mut field = column.clone().with_data_type(data_type);
        if !is_same_type {
            // The extension type belongs to the old storage type.
            field = field.without_extension();
        }
        if let Some(extension) = to.extension() {
            field = field.with_extension(extension);
        }
        (field, if has_uuids(column) || has_uuids(to) { cast.with_uuids() } else { cast })
    }
}

/// Whether a column has UUIDs, at any depth.
fn has_uuids(field: &Field) -> bool {
    ValueForm::from_field(field) == Some(ValueForm::Uuid)
        || field.data_type().value_children().iter().any(has_uuids)
}

/// The type for `--cast city=dictionary`: if `to` is a dictionary with values of type null, returns a dictionary with
/// the values of the type `from`.
fn dictionary_of(from: &DataType, to: &DataType) -> Option<DataType> {
    let dictionary = to.as_dictionary().filter(|dictionary| *dictionary.value() == DataType::Null)?;
    let runs = from.as_run_end_encoded().map(|runs| runs.values().data_type().clone());
    let values = from.as_dictionary().map(|own| own.value().clone()).or(runs);
    DataType::dictionary(dictionary.index(), values.unwrap_or_else(|| from.clone())).ok()
}

/// Casts and renames the columns of batches. Several threads can share a caster.
#[derive(Debug)]
pub(crate) struct Caster {
    selection: Selection,
    written: IpcSchema,
    /// The cast of each column; `None` if its type does not change.
    casts: Vec<Option<Cast>>,
    max_cast_bytes: Option<u64>,
}

impl Caster {
    /// Prepares the casts and the new names of the columns that `selection` shows.
    ///
    /// # Errors
    /// If a column to rename or cast does not exist, or occurs several times. If a column is cast twice. If the new name of a column belongs to
    /// another column.
    fn try_new(reshaping: &Reshaping, selection: Selection, rows: &Rows) -> Result<Caster, ToolErrorKind> {
        let shown = selection.schema(rows.schema());
        let position = |name: &str| {
            let failed = |error| ToolErrorKind::Columns { error, schema: Arc::clone(shown) };
            shown.index_of(name).map_err(failed)
        };
        let mut fields = shown.fields().to_vec();
        let mut casts: Vec<Option<Cast>> = fields.iter().map(|_| None).collect();
        for (name, to) in &reshaping.casts {
            // The name may be the new name of a column, even if it is still the old name of another renamed column.
            let renamed = reshaping.renames.iter().find(|(_, to)| to == name);
            let position =
                position(name).or_else(|error| renamed.map_or(Err(error), |(from, _)| position(from)))?;
            if let (Some(cast), Some(field)) = (casts.get_mut(position), fields.get_mut(position)) {
                if cast.is_some() {
                    return Err(ToolErrorKind::CastTwice { name: field.name().to_owned() });
                }
                let (changed, batch) = Reshaping::cast_of(field, to, reshaping.digits);
                (*field, *cast) = (changed, Some(batch));
            }
        }
        let mut renamed = BTreeSet::new();
        for (rename_idx, (from, to)) in reshaping.renames.iter().enumerate() {
            let position = match reshaping.one_of_several(rename_idx, shown) {
                Some(position) => position,
                None => position(from)?,
            };
            if !renamed.insert(position) {
                return Err(ToolErrorKind::RenamedTwice { name: from.clone() });
            }
            if let Some(field) = fields.get_mut(position) {
                *field = Field::new(to.as_str(), field.data_type().clone())
                    .with_nullability(field.nullability())
                    .with_metadata(field.metadata().clone());
            }
        }
        // If several columns of the input have the same name, the output may have as many columns of this name.
        let n_named =
            |fields: &[Field], name: &str| fields.iter().filter(|field| field.name() == name).count();
        let is_repeated = |name: &str| n_named(&fields, name) > n_named(shown.fields(), name).max(1);
        if let Some((_, name)) = reshaping.renames.iter().find(|(_, name)| is_repeated(name)) {
            return Err(ToolErrorKind::RepeatedName { name: name.clone() });
        }
        let schema = Schema::new(fields).with_metadata(shown.metadata().clone());
        let changed = changed(schema.clone(), &reshaping.metadata)?;
        let positions =
            casts.iter_mut().zip(shown.fields()).zip(schema.fields().iter().zip(changed.fields()));
        for ((cast, shown), (old, new)) in positions {
            // The metadata of fields inside a column is a part of its type.
            if old.data_type() != new.data_type() {
                *cast = Some(Reshaping::cast_of(shown, new, reshaping.digits).1);
            }
        }
        let written = if reshaping.changes_only_metadata() {
            // The messages stay the same, so do the ids of dictionaries.
            let read = rows.ipc_schema();
            read.try_with_columns(changed, read.dictionary_ids()).map_err(IpcError::from)?
        } else {
            changed.into()
        };
        Ok(Caster { selection, written, casts, max_cast_bytes: reshaping.max_cast_bytes })
    }

    /// The columns in which values lost digits.
    pub(crate) fn lost_digits(&self) -> impl Iterator<Item = Loss> {
        let casts = self.casts.iter().zip(self.written.schema().fields());
        let from_cast_error = |(cast, field): (&Cast, &Field)| Loss::Digits {
            column: field.name().to_owned(),
            n_values: cast.n_cut(),
            n_in_dictionaries: cast.n_cut_in_dictionaries(),
        };
        let casts = casts.filter_map(|(cast, field)| Some((cast.as_ref()?, field)));
        casts.filter(|(cast, _)| cast.n_cut() > 0).map(from_cast_error)
    }

    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    pub(crate) fn has_condition(&self) -> bool {
        self.selection.has_condition()
    }

    /// The schema of the changed batches. It keeps the dictionary ids of the input if only metadata changes.
    pub(crate) fn written(&self) -> &IpcSchema {
        &self.written
    }

    /// The memory budget for casting the columns of a message of `n_bytes` bytes.
    pub(super) fn budget(&self, n_bytes: u64) -> MemoryBudget {
        let default = MemoryBudget::default_limit(n_bytes);
        MemoryBudget::new(self.max_cast_bytes.unwrap_or(default))
    }

    /// Selects columns, casts and renames them.
    ///
    /// # Errors
    /// If a column cannot be cast.
    pub(super) fn cast(
        &self,
        batch: RecordBatch,
        budget: &MemoryBudget,
    ) -> Result<RecordBatch, ToolErrorKind> {
        let batch = self.selection.apply(batch)?;
        let mut columns = Vec::with_capacity(batch.n_columns());
        for ((column, cast), field) in batch.columns().iter().zip(&self.casts).zip(batch.schema().fields()) {
            columns.push(match cast {
                None => column.clone(),
                Some(cast) => cast.array(column, budget).map_err(|error| ToolErrorKind::Cast {
                    batch_idx: None,
                    column: field.name().to_owned(),
                    error,
                })?,
            });
        }
        let batch =
            RecordBatch::try_new_with_rows(Arc::clone(self.written.schema()), columns, batch.n_rows());
        batch.map_err(|error| ToolErrorKind::Values(error.into()))
    }
}

/// Casts the columns of a batch if there is a caster. `n_bytes` is the length of the batch's message.
///
/// # Errors
/// If a column cannot be cast.
pub(crate) fn cast_by(
    caster: Option<&Caster>,
    batch: RecordBatch,
    n_bytes: u64,
) -> Result<RecordBatch, ToolErrorKind> {
    match caster {
        None => Ok(batch),
        Some(caster) => caster.cast(batch, &caster.budget(n_bytes)),
    }
}
