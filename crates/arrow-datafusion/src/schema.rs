//! Schemas of files and of the table that they are together.

use std::{collections::HashMap, sync::Arc};

use arrow_ipc::{Container, IpcError, IpcSchema, ReadOptions, Result, Step, StreamDecoder, file::Footer};
use arrow_ipc_async::AsyncSource;
use arrow_rs_adapter::v59::ToArrowRs;
use arrow_schema::FieldPath;
use datafusion::{
    arrow::datatypes::{Field, FieldRef, Schema, SchemaRef},
    error::DataFusionError,
    object_store::path::Path,
};

use crate::{error::IpcFileError, fields::path_of, object::ObjectFile};

/// The number of bytes that are fetched at a time to find the schema message of a stream.
const STEP_BYTES: u64 = 64 << 10;

/// The schema of a stream, whose first bytes are fetched. `None` if they are not those of a stream.
pub(crate) async fn schema_of_stream(file: &ObjectFile, options: ReadOptions) -> Result<Option<IpcSchema>> {
    let file_bytes = file.n_bytes().await?;
    let mut decoder = StreamDecoder::new_with(options);
    let mut position = 0;
    let mut n_needed = STEP_BYTES;
    while position < file_bytes {
        let end = position.saturating_add(n_needed.max(STEP_BYTES)).min(file_bytes);
        let bytes = file.fetch(position..end).await?;
        if position == 0 && Container::detect(&bytes) != Container::Stream {
            return Ok(None);
        }
        position = end;
        decoder.feed(bytes);
        match decoder.step()? {
            Step::Schema(schema) => return Ok(Some(schema)),
            Step::NeedBytes(n_bytes) => n_needed = n_bytes,
            Step::Batch(_) | Step::Dictionary { .. } | Step::LargeBatch(_) | Step::Tensor(_) | Step::End => {
                break;
            }
            _ => break,
        }
    }
    Ok(None)
}

/// The columns of a file that DataFusion can hold, and their positions in the file.
#[derive(Debug)]
pub(crate) struct FileColumns {
    pub(crate) schema: SchemaRef,
    pub(crate) positions: Vec<usize>,
}

impl FileColumns {
    /// All columns.
    ///
    /// # Errors
    /// If DataFusion or this library has no type for one of them.
    pub(crate) fn try_all(path: &Path, schema: &IpcSchema) -> std::result::Result<FileColumns, IpcFileError> {
        FileColumns::try_needed(path, schema, |_| true)
    }

    /// Those columns that a table has are there. Others may be left out.
    ///
    /// # Errors
    /// If DataFusion or this library has no type for a column that the table has.
    pub(crate) fn try_needed(
        path: &Path,
        schema: &IpcSchema,
        is_needed: impl Fn(&str) -> bool,
    ) -> std::result::Result<FileColumns, IpcFileError> {
        let unknown = schema.unsupported_columns().iter().find(|column| is_needed(column.name()));
        if let Some(column) = unknown {
            column.refuse().map_err(|error| IpcFileError::at(path, IpcError::from(error)))?;
        }
        let mut fields: Vec<FieldRef> = Vec::new();
        let mut positions = Vec::new();
        for (position, field) in schema.schema().fields().iter().enumerate() {
            match field.to_arrow_rs() {
                Ok(field) => {
                    fields.push(Arc::new(field));
                    positions.push(position);
                }
                Err(error) if is_needed(field.name()) => return Err(IpcFileError::at(path, error)),
                Err(_) => {}
            }
        }
        let metadata = HashMap::from(schema.schema().metadata());
        Ok(FileColumns { schema: Arc::new(Schema::new_with_metadata(fields, metadata)), positions })
    }

    /// The path of a column in the file.
    pub(crate) fn path(&self, footer: &Footer, idx: usize) -> Option<FieldPath> {
        let position = *self.positions.get(idx)?;
        Some(path_of(position, footer.schema().field(position)?))
    }
}

/// The schema of a table of these files. Its metadata is what all files say alike. A column that a file lacks is nullable.
pub(crate) fn merged(files: Vec<(Path, SchemaRef)>) -> std::result::Result<SchemaRef, DataFusionError> {
    let mut common = files.first().map(|(_, schema)| schema.metadata().clone()).unwrap_or_default();
    for (_, schema) in &files {
        common.retain(|key, value| schema.metadata().get(key) == Some(value));
    }
    let n_files = files.len();
    let mut n_with: HashMap<String, usize> = HashMap::new();
    let mut all: Option<(SchemaRef, Schema)> = None;
    for (path, schema) in files {
        for field in schema.fields() {
            // No overflow: each counts a column of a file.
            *n_with.entry(field.name().clone()).or_default() += 1;
        }
        let before = match all {
            // Most files have the schema of the one before.
            Some((last, before)) if last.fields() == schema.fields() => {
                all = Some((last, before));
                continue;
            }
            Some((_, before)) => before,
            None => Schema::empty(),
        };
        let own = Schema::new(schema.fields().clone());
        let both = Schema::try_merge([before, own]).map_err(|error| {
            DataFusionError::from(error).context(format!("{path} has other columns than the files before it"))
        })?;
        all = Some((schema, both));
    }
    let fields = all.map(|(_, schema)| schema.fields).unwrap_or_default();
    let fields = fields.iter().map(|field| {
        let is_everywhere = n_with.get(field.name()).is_some_and(|n_with| *n_with >= n_files);
        if is_everywhere { Arc::clone(field) } else { Arc::new(Field::clone(field).with_nullable(true)) }
    });
    Ok(Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), common)))
}
