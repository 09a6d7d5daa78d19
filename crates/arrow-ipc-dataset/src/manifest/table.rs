//! The content of a manifest: an Arrow file with a row for each part.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use arrow_array::{
    Int64Array, Int64Builder, Items, ListArray, ListBuilder, Scalar, StructArray, TypedBatch, Utf8Array,
    Utf8Builder,
};
use arrow_compute::ColumnBounds;
use arrow_data::{ArrayData, RecordBatch, concat};
use arrow_ipc::{FileReader, FileWriter, Source, WriteOptions};
use arrow_schema::{DataType, Field, FieldPath, Metadata, Schema};

use crate::{
    bounds::{BoundsColumns, BoundsTable, PartBounds},
    error::DatasetErrorKind as Kind,
    file::{DatasetFile, KnownBounds},
    partition::{path_of_part, values_of},
    store::StoreNames,
    stream::BatchExtent,
    version::{FileStamp, FileVersion, id_text, parse_id},
};

/// The maximal number of folders on the path from the data set to a part.
const MAX_FOLDERS: usize = 256;

/// The metadata key of the format version, in the schema of a manifest.
const FORMAT_KEY: &str = "arrow-ipc.manifest";

/// The format version that is written and read.
const FORMAT: &str = "1";

/// The metadata key of the number of partition columns, which are the last columns.
const FOLDERS_KEY: &str = "arrow-ipc.manifest.folders";

/// The metadata key of the number of parts. If a manifest has another number of rows, it is damaged.
const PARTS_KEY: &str = "arrow-ipc.manifest.parts";

const PATH: &str = "path";
const N_BYTES: &str = "n_bytes";
const N_ROWS: &str = "n_rows";
const ID: &str = "id";
const BATCH_ROWS: &str = "batch_rows";
const BATCH_BYTES: &str = "batch_bytes";
const ROWS: &str = "rows";
const N_NULLS: &str = "n_nulls";
const MIN: &str = "min";
const MAX: &str = "max";

/// Encodes the manifest of these parts.
///
/// # Errors
/// If a path is not below the root, or not UTF-8.
pub(crate) fn encode(
    root: &Path,
    schema: &Schema,
    n_folder_columns: usize,
    files: &[DatasetFile],
) -> Result<Vec<u8>, Kind> {
    let (mut paths, mut ids) = (Utf8Builder::new(), Utf8Builder::new());
    let (mut n_bytes, mut n_rows) = (Int64Builder::new(), Int64Builder::new());
    let lists = || ListBuilder::new(Int64Builder::new());
    let (mut batch_rows, mut batch_bytes) = (lists(), lists());
    for file in files {
        paths.append(part_path(root, &file.path)?);
        n_bytes.append(count_of(file.version.n_bytes));
        n_rows.append(count_of(file.n_rows()));
        let id = match file.version.stamp {
            FileStamp::Part(id) => Some(id_text(id)),
            FileStamp::Batches(_) | FileStamp::Modified(_) | FileStamp::Tag(_) => None,
        };
        ids.append(id.as_deref());
        batch_rows.append_iter(file.batches.iter().map(|batch| count_of(batch.n_rows)));
        batch_bytes.append_iter(file.batches.iter().map(|batch| count_of(batch.n_bytes)));
    }
    let rows = DataType::struct_(Arc::clone(schema.shared_fields()));
    let item = Field::new("item", rows).with_metadata(schema.metadata().clone());
    let rows = Scalar::try_new_null(&DataType::list(item))?.to_array(files.len())?;
    let mut columns: Vec<(&str, ArrayData)> = vec![
        (PATH, paths.finish()?.into()),
        (N_BYTES, n_bytes.finish()?.into()),
        (N_ROWS, n_rows.finish()?.into()),
        (ID, ids.finish()?.into()),
        (BATCH_ROWS, batch_rows.finish()?.into()),
        (BATCH_BYTES, batch_bytes.finish()?.into()),
        (ROWS, rows.into_data()),
    ];
    columns.extend(encoded_bounds(files)?);
    let batch = RecordBatch::try_from_columns(columns)?;
    let metadata = [
        (FORMAT_KEY, FORMAT.to_owned()),
        (FOLDERS_KEY, n_folder_columns.to_string()),
        (PARTS_KEY, files.len().to_string()),
    ];
    let schema = Schema::clone(batch.schema()).with_metadata(Metadata::from_iter(metadata));
    let batch = batch.with_schema(schema.clone())?;
    Ok(FileWriter::to_vec(schema, &[batch], WriteOptions::new())?)
}

/// Converts a count to an int64, as in manifests.
fn count_of(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The path of a part relative to the root, with `/` between names.
///
/// # Errors
/// If the path is not below the root, or not UTF-8.
pub(crate) fn part_path(root: &Path, path: &Path) -> Result<String, Kind> {
    let names = path.strip_prefix(root).ok().and_then(|below| {
        let name = |component: Component<'_>| component.as_os_str().to_str().map(str::to_owned);
        below.components().map(name).collect::<Option<Vec<String>>>()
    });
    let text = names.map(|names| names.join("/")).unwrap_or_default();
    path_below(&text).ok_or_else(|| Kind::PartPath(path.to_string_lossy().into_owned()))?;
    Ok(text)
}

/// The extensions of Arrow files.
const NAME_ENDINGS: [&str; 3] = [".arrow", ".feather", ".ipc"];

/// Whether a file in a folder has the name of an Arrow file.
pub(crate) fn ends_as_taken(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    NAME_ENDINGS.iter().any(|ending| name.ends_with(ending.as_bytes()))
}

/// Parses the path of a part, relative to its data set. `None` if the path does not end like the name of an Arrow
/// file, has too many folders, or leads out of the data set.
pub(crate) fn path_below(text: &str) -> Option<PathBuf> {
    let names = text.split('/').map(|name| {
        let mut components = Path::new(name).components();
        let is_name = matches!(components.next(), Some(Component::Normal(own)) if own == name);
        (is_name && components.next().is_none() && !name.contains('\0')).then_some(name)
    });
    let is_short = text.split('/').nth(MAX_FOLDERS.saturating_add(1)).is_none();
    names.collect::<Option<PathBuf>>().filter(|_| is_short && ends_as_taken(text.as_ref()))
}

/// The bounds of the parts, as columns of a manifest. Empty if no bounds are known.
fn encoded_bounds(files: &[DatasetFile]) -> Result<Vec<(&'static str, ArrayData)>, Kind> {
    let (mut paths, mut known): (Vec<FieldPath>, HashSet<String>) = Default::default();
    // Many files share a table of bounds. The paths of each table are added once.
    let mut tables = HashSet::new();
    for file in files {
        let new: Vec<&FieldPath> = match &file.known {
            KnownBounds::Nothing => Vec::new(),
            KnownBounds::OfBatches(known) => known.columns().collect(),
            KnownBounds::OfPart(PartBounds { table, .. }) if tables.insert(Arc::as_ptr(table)) => {
                table.columns.values().map(|column| &column.path).collect()
            }
            KnownBounds::OfPart(_) => Vec::new(),
        };
        paths.extend(new.into_iter().filter(|path| known.insert(path.to_string())).cloned());
    }
    paths.sort_by_cached_key(|path| path.positions().collect::<Vec<u32>>());
    let mut children: [Vec<(String, ArrayData)>; 3] = Default::default();
    for path in paths {
        let bounds: Vec<ColumnBounds> = files.iter().map(|file| file.bounds_of_all(&path)).collect();
        let n_nulls = bounds.iter().map(|known| known.n_nulls.map(count_of));
        let n_nulls = Int64Array::from_iter(n_nulls).into_data();
        let [of_nulls, of_min, of_max] = &mut children;
        if n_nulls.null_count() < n_nulls.len() {
            of_nulls.push((path.to_string(), n_nulls));
        }
        of_min
            .extend(slots_of(bounds.iter().map(|known| &known.min))?.map(|slots| (path.to_string(), slots)));
        of_max
            .extend(slots_of(bounds.iter().map(|known| &known.max))?.map(|slots| (path.to_string(), slots)));
    }
    let columns = [N_NULLS, MIN, MAX].into_iter().zip(children).filter(|(_, columns)| !columns.is_empty());
    let columns = columns.map(|(name, columns)| {
        let (fields, columns): (Vec<Field>, Vec<ArrayData>) = columns
            .into_iter()
            .map(|(path, column)| (Field::new(path, column.data_type().clone()), column))
            .unzip();
        Ok((name, StructArray::try_new(fields, columns, None)?.into_data()))
    });
    columns.collect()
}

/// An array with the bound of each file. A slot is null if no bound is known, or if it has another type than the
/// first known bound. `None` if no bound is known at all.
fn slots_of<'a>(bounds: impl Iterator<Item = &'a Option<Scalar>> + Clone) -> Result<Option<ArrayData>, Kind> {
    let Some(data_type) = bounds.clone().flatten().next().map(Scalar::data_type) else { return Ok(None) };
    let null = Scalar::try_new_null(data_type)?;
    let of_type = |bound: &'a Option<Scalar>| bound.as_ref().filter(|bound| bound.data_type() == data_type);
    let slots: Vec<ArrayData> =
        bounds.map(|bound| of_type(bound).unwrap_or(&null).as_array().data().clone()).collect();
    Ok(Some(concat(&slots)?))
}

/// Decodes a manifest: the schema, the number of partition columns, and the files.
///
/// # Errors
/// If the file is not a manifest, or has a later format version.
pub(super) fn decode<S: Source>(
    reader: &FileReader<S>,
    root: &Path,
    names: StoreNames,
) -> Result<(Arc<Schema>, usize, Vec<DatasetFile>), Kind> {
    let metadata = reader.schema().metadata();
    if metadata.get(FORMAT_KEY) != Some(FORMAT) {
        return Err(Kind::NoManifest { format: metadata.get(FORMAT_KEY).map(str::to_owned) });
    }
    let schema = schema_of(reader.schema())?;
    let number = |key: &'static str| metadata.get(key).and_then(|text| text.parse::<usize>().ok());
    let n_folder_columns = number(FOLDERS_KEY);
    let n_own =
        n_folder_columns.and_then(|n_folder_columns| schema.fields().len().checked_sub(n_folder_columns));
    let (Some(n_folder_columns), Some(n_own)) = (n_folder_columns, n_own) else {
        return Err(Kind::ManifestColumn(FOLDERS_KEY));
    };
    let own: Vec<usize> = (0..n_own).collect();
    let mut decoding = Decoding {
        root,
        names,
        schema: Arc::new(schema.project(&own)?),
        known: HashSet::new(),
        files: Vec::new(),
    };
    for batch in reader.batches() {
        decoding.add(&batch?)?;
    }
    let (n_parts, found) = (number(PARTS_KEY).ok_or(Kind::ManifestColumn(PARTS_KEY))?, decoding.files.len());
    if n_parts != found {
        return Err(Kind::ManifestParts { n_parts, found });
    }
    Ok((Arc::new(schema), n_folder_columns, decoding.files))
}

/// The schema of the data set, which is the type of the items in the column `rows`.
fn schema_of(manifest: &Schema) -> Result<Schema, Kind> {
    let wrong = || Kind::ManifestColumn(ROWS);
    let field = manifest.field(manifest.index_of(ROWS)?).ok_or_else(wrong)?;
    let [item] = field.children() else { return Err(wrong()) };
    if !item.data_type().is_struct() {
        return Err(wrong());
    }
    Ok(Schema::new(item.children().to_vec()).with_metadata(item.metadata().clone()))
}

/// Decodes the parts of a manifest, batch by batch.
struct Decoding<'a> {
    root: &'a Path,
    names: StoreNames,
    schema: Arc<Schema>,
    /// The paths that were decoded, to detect repetitions.
    known: HashSet<PathBuf>,
    files: Vec<DatasetFile>,
}

impl Decoding<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<(), Kind> {
        let paths = batch.column_as::<Utf8Array>(PATH)?;
        let ids = batch.column_as::<Utf8Array>(ID)?;
        let numbers = |name| batch.column_as::<Int64Array>(name);
        let (n_bytes, n_rows) = (numbers(N_BYTES)?, numbers(N_ROWS)?);
        let lists = |name| batch.column_as::<ListArray>(name)?.items_as::<Int64Array>();
        let (batch_rows, batch_bytes) = (lists(BATCH_ROWS)?, lists(BATCH_BYTES)?);
        let table = Arc::new(self.bounds_of(batch));
        for row in 0..batch.n_rows() {
            let wrong = |what| move || Kind::ManifestRow { row, what };
            let count = |counts: &Int64Array, what| {
                counts.get(row).and_then(|n| u64::try_from(n).ok()).ok_or_else(wrong(what))
            };
            let text = paths.get(row).ok_or_else(wrong(PATH))?;
            let below = path_below(text).ok_or_else(|| Kind::PartPath(text.to_owned()))?;
            let path = path_of_part(self.root, &below, self.names);
            if !self.known.insert(path.clone()) {
                return Err(Kind::RepeatedPart(text.to_owned()));
            }
            let counts = |items: Option<Items<'_, Int64Array>>, what| {
                let counts = items.ok_or_else(wrong(what))?;
                let counts = counts.iter().map(|n| u64::try_from(n?).ok()).collect::<Option<Vec<u64>>>();
                counts.ok_or_else(wrong(what))
            };
            let of_rows = counts(batch_rows.get(row), BATCH_ROWS)?;
            let of_bytes = counts(batch_bytes.get(row), BATCH_BYTES)?;
            let stamp = match ids.get(row) {
                Some(id) => FileStamp::Part(parse_id(id).ok_or_else(wrong(ID))?),
                None => FileStamp::of_batches(of_bytes.iter().copied()),
            };
            if of_rows.len() != of_bytes.len() {
                return Err(wrong(BATCH_BYTES)());
            }
            let extents = of_rows.into_iter().zip(of_bytes);
            let file = DatasetFile {
                partition: values_of(&path, self.names)?.into(),
                path,
                version: FileVersion { n_bytes: count(&n_bytes, N_BYTES)?, stamp },
                schema: Arc::clone(&self.schema),
                batches: extents.map(|(n_rows, n_bytes)| BatchExtent { n_rows, n_bytes }).collect(),
                is_stream: false,
                n_batches_before: 0,
                known: KnownBounds::OfPart(PartBounds { table: Arc::clone(&table), row }),
            };
            if file.n_rows() != count(&n_rows, N_ROWS)? {
                return Err(wrong(N_ROWS)());
            }
            self.files.push(file);
        }
        Ok(())
    }

    /// The bounds in a batch of the manifest. Ignores columns of a wrong type.
    fn bounds_of(&self, batch: &RecordBatch) -> BoundsTable {
        let mut columns: HashMap<String, BoundsColumns> = HashMap::new();
        for name in [N_NULLS, MIN, MAX] {
            let Ok(values) = batch.column_as::<StructArray>(name) else { continue };
            for (field, values) in values.fields().iter().zip(values.columns()) {
                let Ok(path) = self.schema.path(field.name()) else { continue };
                let known = columns.entry(path.to_string()).or_insert_with(|| BoundsColumns::of(path));
                match name {
                    N_NULLS => known.n_nulls = Int64Array::try_from(values.clone()).ok(),
                    MIN => known.min = Some(values.clone()),
                    _ => known.max = Some(values.clone()),
                }
            }
        }
        BoundsTable { columns }
    }
}
