//! The changes of a conversion besides the encoding: columns, their names and types, and the rows of batches.

use std::{num::NonZero, sync::Arc};

use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, Digits};
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, IpcError, Limits};
use arrow_schema::{DataType, Field, Metadata, Schema};

use crate::{
    ahead::{WantedBatch, n_readers},
    columns::{ColumnNames, Selection},
    error::{ToolError, ToolErrorKind},
    in_order::{Give, in_order},
    input::Input,
    large::SpooledBatch,
    pending::Pending,
    pieces::{CutLimit, waiting},
    row_window::RowWindow,
    rows::Rows,
    source::SharedSource,
};

/// Which columns a conversion writes, with which names and types, and how many rows each batch gets.
///
/// Columns are first selected, then cast by their old names, then renamed.
#[derive(Debug, Clone, Default)]
pub struct Reshaping {
    pub(super) columns: Option<ColumnNames>,
    renames: Vec<(String, String)>,
    casts: Vec<(String, DataType)>,
    digits: Digits,
    max_cast_bytes: Option<u64>,
    n_batch_rows: Option<NonZero<usize>>,
}

impl Reshaping {
    /// Changes nothing.
    pub fn new() -> Reshaping {
        Reshaping::default()
    }

    /// Selects these columns and fields inside columns, in this order.
    #[must_use]
    pub fn with_columns(self, columns: ColumnNames) -> Reshaping {
        Reshaping { columns: Some(columns), ..self }
    }

    /// Renames a column. No other column of the result may have the new name. If several columns have the old name, call
    /// this once for each, in their order.
    #[must_use]
    pub fn renaming(mut self, from: impl Into<String>, to: impl Into<String>) -> Reshaping {
        self.renames.push((from.into(), to.into()));
        self
    }

    /// Casts a column to another type, as [`cast`](arrow_compute::cast()) does.
    #[must_use]
    pub fn casting(mut self, column: impl Into<String>, to: DataType) -> Reshaping {
        self.casts.push((column.into(), to));
        self
    }

    /// Decides about digits that do not fit the new type of a column.
    #[must_use]
    pub fn with_digits(self, digits: Digits) -> Reshaping {
        Reshaping { digits, ..self }
    }

    /// The memory for all columns of a batch that are cast. By default 1,024 times the body of the batch as it was read, which may be
    /// compressed, or 256 MiB if that is more.
    #[must_use]
    pub fn with_max_cast_bytes(self, n_bytes: u64) -> Reshaping {
        Reshaping { max_cast_bytes: Some(n_bytes), ..self }
    }

    /// Writes batches of this many rows; the last may have fewer.
    #[must_use]
    pub fn with_batch_rows(self, n_batch_rows: NonZero<usize>) -> Reshaping {
        Reshaping { n_batch_rows: Some(n_batch_rows), ..self }
    }
}

impl Reshaping {
    /// If each of several columns with the same name is renamed: the position of the next one.
    fn one_of_several(&self, rename_idx: usize, shown: &Schema) -> Option<usize> {
        let (name, _) = self.renames.get(rename_idx)?;
        let mut fields = shown.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
        let n_renames = self.renames.iter().filter(|(from, _)| from == name).count();
        let n_before = self.renames.iter().take(rename_idx).filter(|(from, _)| from == name).count();
        let is_each = n_renames > 1 && n_renames == fields.clone().count();
        if is_each { fields.nth(n_before).map(|(position, _)| position) } else { None }
    }
}

/// Opens an input for its selected columns. Also returns the change of its batches, if any.
///
/// # Errors
/// If the input cannot be read, has only tensors, or does not have a column.
pub(crate) fn open_reshaped(
    input: Input,
    reshaping: Option<&Reshaping>,
    limits: &Limits,
) -> Result<(Rows, Option<Box<Reshaper>>), ToolError> {
    let name = input.name().clone();
    let columns = reshaping.and_then(|reshaping| reshaping.columns.as_ref());
    let (rows, selection) = Rows::open_within(input, columns, limits)?;
    let Some(reshaping) = reshaping else { return Ok((rows, None)) };
    let reshaper = Reshaper::try_new(reshaping, selection, rows.schema());
    let mut reshaper = Box::new(reshaper.map_err(|kind| ToolError::new(name, kind))?);
    if let Rows::File { reader, .. } = &rows {
        reshaper.has_read(reader.footer().position());
    }
    Ok((rows, Some(reshaper)))
}

/// Makes the final columns of a batch. Several threads can share it.
#[derive(Debug)]
pub(crate) struct Caster {
    selection: Selection,
    schema: Arc<Schema>,
    /// For each column.
    casts: Vec<Option<Cast>>,
    max_cast_bytes: Option<u64>,
}

/// Changes batches to another schema.
#[derive(Debug)]
pub(crate) struct Reshaper {
    caster: Arc<Caster>,
    n_batch_rows: Option<NonZero<usize>>,
    pending: Pending,
    pieces: CutLimit,
}

/// A batch of the output, with the metadata of its message.
pub(crate) type Reshaped = (RecordBatch, Metadata);

impl Reshaper {
    /// # Errors
    /// If a column to rename or cast does not exist, or occurs several times. If its new name belongs to another column.
    pub(super) fn try_new(
        reshaping: &Reshaping,
        selection: Selection,
        read: &Arc<Schema>,
    ) -> Result<Reshaper, ToolErrorKind> {
        let shown = selection.schema(read);
        let position = |name: &str| {
            let failed = |error| ToolErrorKind::Columns { error, schema: Arc::clone(shown) };
            shown.index_of(name).map_err(failed)
        };
        let mut fields = shown.fields().to_vec();
        let mut casts: Vec<Option<Cast>> = fields.iter().map(|_| None).collect();
        for (name, data_type) in &reshaping.casts {
            let position = position(name)?;
            if let (Some(cast), Some(field)) = (casts.get_mut(position), fields.get_mut(position)) {
                *cast = Some(Cast::new(data_type.clone(), reshaping.digits));
                // An extension type is about the storage that it had.
                let plain = if field.data_type().same_type(data_type) {
                    field.clone()
                } else {
                    field.clone().without_extension()
                };
                *field = Field::new(plain.to_shared_name(), data_type.clone())
                    .with_nullability(plain.nullability())
                    .with_metadata(plain.metadata().clone());
            }
        }
        for (rename_idx, (from, to)) in reshaping.renames.iter().enumerate() {
            let position = match reshaping.one_of_several(rename_idx, shown) {
                Some(position) => position,
                None => position(from)?,
            };
            if let Some(field) = fields.get_mut(position) {
                *field = Field::new(to.as_str(), field.data_type().clone())
                    .with_nullability(field.nullability())
                    .with_metadata(field.metadata().clone());
            }
        }
        // Names that are repeated in the input stay so.
        let n_named =
            |fields: &[Field], name: &str| fields.iter().filter(|field| field.name() == name).count();
        let is_repeated = |name: &str| n_named(&fields, name) > n_named(shown.fields(), name).max(1);
        if let Some((_, name)) = reshaping.renames.iter().find(|(_, name)| is_repeated(name)) {
            return Err(ToolErrorKind::RepeatedName { name: name.clone() });
        }
        let schema = Arc::new(Schema::new(fields).with_metadata(shown.metadata().clone()));
        let Reshaping { max_cast_bytes, n_batch_rows, .. } = *reshaping;
        let caster = Arc::new(Caster { selection, schema, casts, max_cast_bytes });
        Ok(Reshaper { caster, n_batch_rows, pending: Pending::default(), pieces: CutLimit::new() })
    }

    /// Whether batches are cut and joined, so that it does not matter how many rows arrive at once.
    pub(super) fn pieces(&self) -> ReadInPieces {
        if self.n_batch_rows.is_some() { ReadInPieces::Large } else { ReadInPieces::None }
    }

    /// Bounds joined rows by the bytes of the input so far.
    pub(super) fn has_read(&mut self, n_bytes: u64) {
        self.pending.memory.has_read(n_bytes);
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.caster.schema
    }

    /// The change of columns, before batches are cut and joined.
    pub(crate) fn caster(&self) -> &Arc<Caster> {
        &self.caster
    }

    /// Reads and casts a batch, and calls `put` with each output batch as soon as it is complete. Returns whether
    /// metadata of the batch is lost: an output batch has the metadata of the batch with its first row.
    ///
    /// # Errors
    /// If rows cannot be joined. The first error of `put`.
    pub(super) fn batch(
        &mut self,
        batch: RecordBatch,
        metadata: Metadata,
        mut put: impl FnMut(Reshaped) -> Result<(), ToolErrorKind>,
    ) -> Result<bool, ToolErrorKind> {
        let Some(n_batch_rows) = self.n_batch_rows else {
            put((batch, metadata))?;
            return Ok(false);
        };
        self.pieces.take(&batch, batch.n_rows() as u64, n_batch_rows.get() as u64)?;
        let mut is_kept = metadata.is_empty() || self.pending.metadata() == Some(&metadata);
        let mut start = 0_usize;
        while start < batch.n_rows() {
            is_kept |= self.pending.is_empty();
            let n_wanted = n_batch_rows.get().saturating_sub(self.pending.n_rows());
            let n_taken = n_wanted.min(batch.n_rows().saturating_sub(start));
            let rows = batch.slice(start, n_taken);
            let rows = if n_taken < n_batch_rows.get() { waiting(&rows)? } else { rows };
            self.pending.push(rows, &metadata)?;
            start = start.saturating_add(n_taken);
            if self.pending.n_rows() >= n_batch_rows.get() {
                self.rest()?.map_or(Ok(()), &mut put)?;
            }
        }
        Ok(!is_kept)
    }

    /// What is left at the end.
    pub(super) fn rest(&mut self) -> Result<Option<Reshaped>, ToolErrorKind> {
        self.pending.take(&self.caster.schema)
    }
}

impl Caster {
    /// The memory for what a message of so many bytes is cast to: all columns and rows have it together.
    fn budget(&self, n_bytes: u64) -> MemoryBudget {
        let default = MemoryBudget::default_limit(n_bytes);
        MemoryBudget::new(self.max_cast_bytes.unwrap_or(default))
    }

    /// The selected columns with their new types and names.
    ///
    /// # Errors
    /// If a column cannot be cast.
    fn cast(&self, batch: RecordBatch, budget: &MemoryBudget) -> Result<RecordBatch, ToolErrorKind> {
        let batch = self.selection.apply(batch).map_err(ToolErrorKind::Path)?;
        let mut columns = Vec::with_capacity(batch.n_columns());
        for ((column, cast), field) in batch.columns().iter().zip(&self.casts).zip(batch.schema().fields()) {
            columns.push(match cast {
                None => column.clone(),
                Some(cast) => cast
                    .array(column, budget)
                    .map_err(|error| ToolErrorKind::Cast { column: field.name().to_owned(), error })?,
            });
        }
        let made = RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, batch.n_rows());
        made.map_err(|error| ToolErrorKind::Values(error.into()))
    }
}

/// The batch, whose message has so many bytes, cast if that is requested.
///
/// # Errors
/// If a column cannot be cast.
pub(crate) fn cast_by(
    caster: Option<&Caster>,
    (batch, n_bytes): (RecordBatch, u64),
) -> Result<RecordBatch, ToolErrorKind> {
    match caster {
        None => Ok(batch),
        Some(caster) => caster.cast(batch, &caster.budget(n_bytes)),
    }
}

/// A batch, or some of its rows, with the final columns.
pub(crate) struct CastRows {
    pub(crate) rows: Reshaped,
    /// Whether these are the last rows of the batch.
    pub(crate) is_last: bool,
}

/// Which batches are read in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadInPieces {
    None,
    /// Those that are [large](InWindows).
    Large,
}

/// Passes the selected rows of all batches of a file to `take`, in order, with the final columns. Several threads read
/// and cast them.
///
/// # Errors
/// The first of `take`.
pub(crate) fn each_cast(
    reader: &FileReader<SharedSource>,
    (caster, window, pieces): (Option<&Caster>, &mut RowWindow, ReadInPieces),
    take: impl FnMut(Result<CastRows, ToolErrorKind>) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let mut wanted = window.of_file(reader);
    let read = |wanted: Result<WantedBatch, (usize, IpcError)>, give: Give<'_, _>| match wanted {
        Ok(batch) => read_cast(batch, (caster, pieces), give),
        Err((batch_idx, error)) => {
            give(Err(ToolErrorKind::Batch { batch_idx, error }));
        }
    };
    in_order(n_readers(reader), wanted.by_ref(), read, take)?;
    *window = wanted.window();
    Ok(())
}

/// Passes the selected rows of a large batch of a stream to `take`, with the final columns.
///
/// # Errors
/// If they cannot be read, or a column cannot be cast. The first error of `take`.
pub(crate) fn cast_large(
    batch: &SpooledBatch,
    (caster, window, pieces): (Option<&Caster>, &mut RowWindow, ReadInPieces),
    mut take: impl FnMut(CastRows) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let wanted = (!window.is_everything()).then(|| window.advance(batch.n_rows()));
    let mut taken = Ok(());
    if wanted.as_ref().is_none_or(|rows| !rows.is_empty()) {
        let wanted = WantedBatch::new(batch.reader(), 0, wanted);
        read_cast(wanted, (caster, pieces), &mut |rows| {
            taken = rows.map_err(|kind| batch.refused(kind)).and_then(&mut take);
            taken.is_ok()
        });
    }
    taken
}

/// Passes on a batch of a file, or some of its rows, with the final columns; or the error of reading or casting it.
pub(crate) fn read_cast(
    wanted: WantedBatch,
    (caster, pieces): (Option<&Caster>, ReadInPieces),
    give: Give<'_, Result<CastRows, ToolErrorKind>>,
) {
    let (reader, batch_idx) = (wanted.reader().clone(), wanted.batch_idx());
    let failed = |error| ToolErrorKind::Batch { batch_idx, error };
    let n_bytes = reader.footer().batch(batch_idx).map_or(0, |block| block.n_body_bytes());
    let budget = caster.map(|caster| (caster, caster.budget(n_bytes)));
    let cast = |batch, metadata| match &budget {
        None => Ok((batch, metadata)),
        Some((caster, budget)) => Ok((caster.cast(batch, budget)?, metadata)),
    };
    let windows = if pieces == ReadInPieces::Large { wanted.if_large() } else { Err(wanted) };
    let mut windows = match windows {
        Ok(windows) => windows,
        Err(wanted) => {
            let rows = wanted.read().map_err(failed).and_then(|read| cast(read.batch, read.metadata));
            give(rows.map(|rows| CastRows { rows, is_last: true }));
            return;
        }
    };
    let metadata = match reader.batch_rows_with_metadata(batch_idx, 0..0) {
        Ok(no_rows) => no_rows.metadata,
        Err(error) => {
            give(Err(failed(error)));
            return;
        }
    };
    while let Some(read) = windows.next() {
        let rows = read.map_err(failed).and_then(|batch| cast(batch, metadata.clone()));
        let is_last = windows.n_rows_left() == 0;
        let goes_on = rows.is_ok() && !is_last;
        if !give(rows.map(|rows| CastRows { rows, is_last })) || !goes_on {
            return;
        }
    }
}
