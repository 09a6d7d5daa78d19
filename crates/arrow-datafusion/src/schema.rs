//! Schemas of files and of the table that they are together.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arrow_ipc::{Container, IpcError, IpcSchema, ReadOptions, Result, Step, StreamDecoder, file::Footer};
use arrow_ipc_async::AsyncSource;
use arrow_rs_adapter::v59::ToArrowRs;
use arrow_schema::FieldPath;
use datafusion::{
    arrow::{
        datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef},
        error::ArrowError,
    },
    error::DataFusionError,
    object_store::path::Path,
};

use crate::{
    error::{IpcFileError, IpcFileErrorKind},
    fields::path_of,
    nulls::{MAX_NULL_BYTES, null_bytes},
    object::ObjectFile,
};

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
    /// If DataFusion or this library has no type for one of them, or their nulls take too much memory.
    pub(crate) fn try_all(path: &Path, schema: &IpcSchema) -> std::result::Result<FileColumns, IpcFileError> {
        FileColumns::try_needed(path, schema, |_| true)
    }

    /// Those columns that a table has are there. Others may be left out.
    ///
    /// # Errors
    /// If DataFusion or this library has no type for a column that the table has, or nulls of these columns take too much
    /// memory.
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
        let mut n_left = MAX_NULL_BYTES;
        for (position, field) in schema.schema().fields().iter().enumerate() {
            let is_needed = is_needed(field.name());
            match usable(position, field, n_left) {
                Ok((field, n_bytes)) => {
                    fields.push(Arc::new(field));
                    positions.push(position);
                    n_left -= if is_needed { n_bytes } else { 0 };
                }
                Err(kind) if is_needed => return Err(IpcFileError::at(path, kind)),
                Err(_) => {}
            }
        }
        let metadata = HashMap::from(schema.schema().metadata());
        Ok(FileColumns { schema: Arc::new(Schema::new_with_metadata(fields, metadata)), positions })
    }

    /// The path of a column in the file.
    pub(crate) fn path(&self, footer: &Footer, idx: usize) -> Option<FieldPath> {
        let position = *self.positions.get(idx)?;
        Some(path_of(position, footer.schema().field(position)?.name()))
    }
}

/// A field that DataFusion can hold, with the bytes of its null, of which there may be `n_left`.
fn usable(
    position: usize,
    field: &arrow_schema::Field,
    n_left: u64,
) -> std::result::Result<(Field, u64), IpcFileErrorKind> {
    let rs_field = field.to_arrow_rs()?;
    let n_bytes = null_bytes_of(path_of(position, field.name()), rs_field.data_type(), n_left)?;
    Ok((rs_field, n_bytes))
}

/// The bytes of a null of a column, of which there may be `n_left`.
fn null_bytes_of(
    column: FieldPath,
    data_type: &DataType,
    n_left: u64,
) -> std::result::Result<u64, IpcFileErrorKind> {
    match null_bytes(data_type) {
        None => Err(IpcFileErrorKind::NoNull { column }),
        Some(n_bytes) if n_bytes > n_left => {
            Err(IpcFileErrorKind::LargeNull { column, n_bytes, max_bytes: MAX_NULL_BYTES })
        }
        Some(n_bytes) => Ok(n_bytes),
    }
}

/// The schema of a table of these files. Metadata is what all files say alike. A column that a file lacks is nullable, and so is
/// a field of a struct. Maps, unions, dictionaries and runs must be the same inside.
///
/// # Errors
/// If columns of files do not fit, or nulls of all columns take too much memory. The error names the first file with which they do.
pub(crate) fn merged(files: Vec<(Path, SchemaRef)>) -> std::result::Result<SchemaRef, DataFusionError> {
    let mut files = files.into_iter();
    let Some((_, mut last)) = files.next() else { return Ok(Arc::new(Schema::empty())) };
    let mut metadata = last.metadata().clone();
    let mut fields = last.fields().clone();
    for (path, schema) in files {
        // Most files have the schema of the one before.
        if last == schema {
            continue;
        }
        keep_alike(&mut metadata, schema.metadata());
        fields = merged_fields(&fields, schema.fields()).map_err(|error| {
            DataFusionError::from(error).context(format!("{path} has other columns than the files before it"))
        })?;
        check_nulls(&fields).map_err(|kind| IpcFileError::at(&path, kind))?;
        last = schema;
    }
    Ok(Arc::new(Schema::new_with_metadata(fields, metadata)))
}

/// Checks the nulls of the columns of a table. Those of each of its files may take less.
fn check_nulls(fields: &Fields) -> std::result::Result<(), IpcFileErrorKind> {
    let mut n_left = MAX_NULL_BYTES;
    for (position, field) in fields.iter().enumerate() {
        let n_bytes = null_bytes_of(path_of(position, field.name()), field.data_type(), n_left)?;
        n_left = n_left.saturating_sub(n_bytes);
    }
    Ok(())
}

/// Removes the pairs that others do not have.
fn keep_alike(pairs: &mut HashMap<String, String>, others: &HashMap<String, String>) {
    pairs.retain(|key, value| others.get(key) == Some(value));
}

/// The fields of both, by name: first all of `left`. A field that is not in both is nullable.
fn merged_fields(left: &Fields, right: &Fields) -> std::result::Result<Fields, ArrowError> {
    let nullable = |field: &FieldRef| Arc::new(Field::clone(field).with_nullable(true));
    let right_by_name: HashMap<&str, &FieldRef> =
        right.iter().map(|field| (field.name().as_str(), field)).collect();
    let left_names: HashSet<&str> = left.iter().map(|field| field.name().as_str()).collect();
    let both = left.iter().map(|field| match right_by_name.get(field.name().as_str()) {
        Some(other) => merged_field(field, other).map(Arc::new),
        None => Ok(nullable(field)),
    });
    let added = right.iter().filter(|field| !left_names.contains(field.name().as_str()));
    both.chain(added.map(|field| Ok(nullable(field)))).collect()
}

fn merged_field(left: &Field, right: &Field) -> std::result::Result<Field, ArrowError> {
    let item = |left: &FieldRef, right: &FieldRef| merged_field(left, right).map(Arc::new);
    let data_type = match (left.data_type(), right.data_type()) {
        (DataType::Struct(left), DataType::Struct(right)) => DataType::Struct(merged_fields(left, right)?),
        (DataType::List(left), DataType::List(right)) => DataType::List(item(left, right)?),
        (DataType::LargeList(left), DataType::LargeList(right)) => DataType::LargeList(item(left, right)?),
        (DataType::ListView(left), DataType::ListView(right)) => DataType::ListView(item(left, right)?),
        (DataType::LargeListView(left), DataType::LargeListView(right)) => {
            DataType::LargeListView(item(left, right)?)
        }
        (DataType::FixedSizeList(left, n_items), DataType::FixedSizeList(right, other))
            if n_items == other =>
        {
            DataType::FixedSizeList(item(left, right)?, *n_items)
        }
        (left_type, right_type) => {
            let mut both = Field::new(left.name(), left_type.clone(), true);
            both.try_merge(&Field::new(left.name(), right_type.clone(), true))?;
            both.data_type().clone()
        }
    };
    let may_be_null = |field: &Field| field.is_nullable() || *field.data_type() == DataType::Null;
    let mut metadata = left.metadata().clone();
    keep_alike(&mut metadata, right.metadata());
    let is_ordered = left.dict_is_ordered() == Some(true) && right.dict_is_ordered() == Some(true);
    let both = Field::new(left.name(), data_type, may_be_null(left) || may_be_null(right));
    Ok(both.with_metadata(metadata).with_dict_is_ordered(is_ordered))
}
