//! `COPY … TO` a file or stream: the options, the columns, and the rows that DuckDB passes on.

use std::{
    fs, io, mem,
    ops::Range,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{AtomicFile, ContainerEncoder, Encoded, OptionError, WriteOptions, WrittenContainer};
use arrow_schema::{DataType, Field, QuotedText, Schema, TypeError};
use arrow_select::{Select, concat_batches};

use crate::{
    capi::{
        ArrowOptions, ChunkRef, CopyBind, CopyEnd, CopyInit, CopySink, LogicalType, Value, c_text,
        converting_connection,
    },
    folders::quoted,
    location,
    trust::Trusts,
};

/// The options of this format; all others are those of [`WriteOptions`].
const NAMES: [&str; 3] = ["batch_rows", "container", "names"];

/// The number of rows of a batch, as DuckDB has it for Parquet. Its option there, `row_group_size`, is not passed on.
const BATCH_ROWS: usize = 122_880;

/// The number of bytes of a batch, unless a single chunk of DuckDB has more. Limits what waits in memory, and keeps offsets of 32 bits
/// from overflow: DuckDB passes on chunks that do not overflow them.
const BATCH_BYTES: u64 = 128 << 20;

/// What a `COPY` writes.
pub(crate) struct BoundCopy {
    /// `None` if their names are not known.
    columns: Option<Columns>,
    n_columns: usize,
    /// The options as they were given.
    given: Vec<(String, String)>,
    options: WriteOptions,
    container: Option<WrittenContainer>,
    /// The container of names that do not say what it is.
    default_container: WrittenContainer,
    batch_rows: usize,
}

/// The columns as DuckDB passes them on, and as they are written.
#[derive(Clone)]
struct Columns {
    passed: Arc<Schema>,
    /// The fields of the only column, if it is a struct of all columns.
    unnested: Option<Arc<Schema>>,
}

/// # Errors
/// The text of an error in the options or types.
pub(crate) fn bind(call: &mut CopyBind, default_container: WrittenContainer) -> Result<(), String> {
    if let Some(refusal) = call.refusal_of_files() {
        return Err(format!("FORMAT arrow writes files itself, and {refusal}"));
    }
    let mut names = None;
    let mut bound = BoundCopy {
        columns: None,
        n_columns: 0,
        given: Vec::new(),
        options: WriteOptions::new(),
        container: None,
        default_container,
        batch_rows: BATCH_ROWS,
    };
    for (name, value) in call.options() {
        let name = name.to_lowercase();
        let Some(value) = value else { return Err(format!("{name} needs a value")) };
        bound.given.push((name.clone(), value.to_text()));
        match name.as_str() {
            "names" => names = Some(texts(value)?),
            "container" => bound.container = Some(container(&value.to_text())?),
            "batch_rows" => bound.batch_rows = batch_rows(&value.to_text())?,
            _ if WriteOptions::NAMES.contains(&name.as_str()) => {
                let set = bound.options.with_named(&name, &value.to_text().to_lowercase());
                bound.options = set.map_err(|error| error.to_string())?;
            }
            _ => {
                let known = NAMES.into_iter().chain(WriteOptions::NAMES);
                return Err(OptionError::unknown(&name, known).to_string());
            }
        }
    }
    let types = call.column_types();
    bound.n_columns = types.len();
    bound.columns = columns(&types, names, &call.time_zone())?;
    if let Some(columns) = &bound.columns {
        let container = bound.container.unwrap_or(default_container);
        let checked = ContainerEncoder::try_new_with(columns.written(), container, bound.options.clone());
        drop(checked.map_err(|error| error.to_string())?);
    }
    call.store(bound);
    Ok(())
}

fn texts(value: Value) -> Result<Vec<String>, String> {
    let text = |item: Option<Value>| item.map(|item| item.to_text()).ok_or("a name is null".to_owned());
    value.items().into_iter().map(text).collect()
}

fn container(text: &str) -> Result<WrittenContainer, String> {
    match text.to_lowercase().as_str() {
        "file" => Ok(WrittenContainer::File),
        "stream" => Ok(WrittenContainer::Stream),
        _ => {
            let (found, allowed) = (text.to_owned(), "'file' or 'stream'".to_owned());
            Err(OptionError::Value { name: "container", found, allowed }.to_string())
        }
    }
}

fn batch_rows(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n_rows| *n_rows > 0).ok_or_else(|| {
        let (found, allowed) = (text.to_owned(), "a whole number from 1".to_owned());
        OptionError::Value { name: "batch_rows", found, allowed }.to_string()
    })
}

/// Names the columns, of which the interface of DuckDB tells only the types. `None` if nothing does.
fn columns(
    types: &[LogicalType],
    names: Option<Vec<String>>,
    time_zone: &str,
) -> Result<Option<Columns>, String> {
    if let Some(name) = types.iter().find_map(LogicalType::changed_by_arrow) {
        return Err(format!(
            "DuckDB changes values of {name} when it makes Arrow data of them: cast them, such as to varchar"
        ));
    }
    let options = converting_connection()?.into_arrow_options().ok_or("no options of Arrow")?;
    let fields = match (types, &names) {
        ([only], None) => only.fields(),
        _ => None,
    };
    let schema_of = |names: &[String], types: &[&LogicalType]| -> Result<Arc<Schema>, String> {
        if let Some(name) = names.iter().find(|name| name.contains('\0')) {
            return Err(format!("column {}: names of DuckDB have no NUL", QuotedText(name)));
        }
        let columns: Vec<_> = names.iter().map(|name| c_text(name)).zip(types.iter().copied()).collect();
        let schema = options.schema(&columns)?.to_schema().map_err(|error| error.to_string())?;
        let fields = schema.fields().iter().map(|field| in_zone(field, time_zone));
        let fields = fields.collect::<Result<Vec<Field>, TypeError>>().map_err(|error| error.to_string())?;
        Ok(Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone())))
    };
    let types: Vec<&LogicalType> = types.iter().collect();
    if let Some(fields) = fields {
        let passed = schema_of(&["row".to_owned()], &types)?;
        let (names, types): (Vec<String>, Vec<&LogicalType>) =
            fields.iter().map(|(name, own)| (name.clone(), own)).unzip();
        return Ok(Some(Columns { passed, unnested: Some(schema_of(&names, &types)?) }));
    }
    let Some(names) = names else { return Ok(None) };
    if names.len() != types.len() {
        return Err(format!("names has {} names, and there are {} columns", names.len(), types.len()));
    }
    Ok(Some(Columns { passed: schema_of(&names, &types)?, unnested: None }))
}

/// The field with the time zone of the user's connection, instead of that of the connection that converts. The values are the same
/// instants. Recurses once for each level.
fn in_zone(field: &Field, time_zone: &str) -> Result<Field, TypeError> {
    let data_type = match field.data_type().as_timestamp() {
        Some((unit, Some(_))) => DataType::timestamp_with_zone(unit, time_zone),
        Some((_, None)) | None => {
            let children = field.data_type().children().iter().map(|child| in_zone(child, time_zone));
            field.data_type().with_children(children.collect::<Result<Vec<Field>, TypeError>>()?)?
        }
    };
    Ok(field.clone().with_data_type(data_type))
}

impl Columns {
    fn written(&self) -> &Arc<Schema> {
        self.unnested.as_ref().unwrap_or(&self.passed)
    }

    fn batch(&self, options: &ArrowOptions, chunk: &ChunkRef) -> Result<RecordBatch, String> {
        let passed = options.batch(chunk, &self.passed)?;
        let Some(schema) = &self.unnested else { return Ok(passed) };
        let rows = passed.column_at(0).filter(|rows| rows.null_count() == 0);
        let rows = rows.ok_or("a row is null; FORMAT arrow writes the fields of structs as columns")?;
        let columns: Vec<ArrayData> = rows.children().to_vec();
        RecordBatch::try_new_with_rows(Arc::clone(schema), columns, rows.len())
            .map_err(|error| error.to_string())
    }

    /// The same rows, if `read_arrow` can read all values. `n_before` is the number of rows before them.
    fn checked(&self, batch: &RecordBatch, n_before: u64) -> Result<RecordBatch, String> {
        let fields = self.written().fields();
        let columns = fields.iter().zip(batch.columns()).map(|(field, array)| {
            let check = |array: &ArrayData| Trusts::from_field(field).checked(field, array);
            check(array).map_err(|error| {
                let check = |rows: Range<usize>| check(&array.slice(rows.start, rows.len()));
                let (row, error) = match location::first_failing(array.len(), check) {
                    Some((row, error)) => (Some(n_before.saturating_add(row as u64)), error),
                    None => (None, error),
                };
                format!("{}{error}", location::prefix(field.name(), row))
            })
        });
        let columns = columns.collect::<Result<Vec<ArrayData>, String>>()?;
        RecordBatch::try_new_with_rows(Arc::clone(self.written()), columns, batch.n_rows())
            .map_err(|error| error.to_string())
    }
}

/// A `COPY` that has begun.
pub(crate) struct Copy(Mutex<CopyState>);

struct CopyState {
    arrow: ArrowOptions,
    columns: Columns,
    encoder: ContainerEncoder,
    file: AtomicFile,
    path: String,
    batch_rows: usize,
    /// How many rows DuckDB has passed on.
    n_rows: u64,
    /// Rows that are not written yet.
    waiting: Vec<RecordBatch>,
    n_waiting: usize,
    n_waiting_bytes: u64,
}

/// # Errors
/// The text of an error of the file system.
pub(crate) fn init(call: &mut CopyInit) -> Result<(), String> {
    let mut path = call.path();
    let bound: &BoundCopy = call.bound().ok_or("the call has no data")?;
    let Some(columns) = &bound.columns else { return Err(bound.without_names(&path)) };
    let named = WrittenContainer::from_file_name(Path::new(&path));
    let container = bound.container.or(named).unwrap_or(bound.default_container);
    if path.ends_with('.') {
        // DuckDB names files in a folder, and does not know how names of this format end.
        path.push_str(match container {
            WrittenContainer::File => "arrow",
            WrittenContainer::Stream => "arrows",
        });
    }
    let encoder = ContainerEncoder::try_new_with(columns.written(), container, bound.options.clone());
    let encoder = encoder.map_err(|error| error.to_string())?;
    let file = created(Path::new(&path)).map_err(|error| format!("{}: {error}", QuotedText(&path)))?;
    let mut state = CopyState {
        arrow: converting_connection()?.into_arrow_options().ok_or("no options of Arrow")?,
        columns: columns.clone(),
        encoder,
        file,
        path,
        batch_rows: bound.batch_rows,
        n_rows: 0,
        waiting: Vec::new(),
        n_waiting: 0,
        n_waiting_bytes: 0,
    };
    state.put(ContainerEncoder::start)?;
    call.store(Copy(Mutex::new(state)));
    Ok(())
}

impl BoundCopy {
    /// The error of columns without names: the statements that write them.
    fn without_names(&self, path: &str) -> String {
        let folder = path.rsplit_once('/').is_some_and(|(folder, _)| folder.contains('='));
        let given = self.given.iter().map(|(name, text)| format!(", {name} {}", quoted(text)));
        let given: String = given.collect();
        let names: Vec<String> =
            (1..=self.n_columns).map(|number| quoted(&format!("column{number}"))).collect();
        let names = names.join(", ");
        let without = "DuckDB does not pass the names of columns to extensions";
        if folder {
            return format!(
                "{without}: add NAMES [{names}], with the names of the columns that are in the files"
            );
        }
        let path = quoted(&without_tmp(path));
        format!(
            "{without}. Copy the rows of a table t as structs: COPY (SELECT t FROM t) TO {path} (FORMAT arrow{given}). Or add NAMES [{names}]"
        )
    }
}

/// The path that a statement names. For a file that exists, DuckDB passes another one, and renames it at the end.
fn without_tmp(path: &str) -> String {
    let (folder, name) = path.rfind('/').map_or(("", path), |end| path.split_at(end.saturating_add(1)));
    let own = name.strip_prefix("tmp_").map(|name| format!("{folder}{name}"));
    own.filter(|own| Path::new(own).exists()).unwrap_or_else(|| path.to_owned())
}

/// A file that gets its name when it is complete. Replaces the target of a symbolic link, not the link.
fn created(path: &Path) -> io::Result<AtomicFile> {
    let target = AtomicFile::target_of(path);
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    AtomicFile::create(&target)
}

/// # Errors
/// The text of an error.
pub(crate) fn sink(call: &mut CopySink, chunk: &ChunkRef) -> Result<(), String> {
    let copy: &Copy = call.shared().ok_or("the call has no data")?;
    let mut state = copy.0.lock().unwrap_or_else(PoisonError::into_inner);
    let batch = state.columns.batch(&state.arrow, chunk)?;
    let batch = state.columns.checked(&batch, state.n_rows);
    let batch = batch.map_err(|error| format!("{}: {error}", QuotedText(&state.path)))?;
    state.n_rows = state.n_rows.saturating_add(batch.n_rows() as u64);
    let n_bytes = batch.n_bytes();
    if state.n_waiting > 0 && state.n_waiting_bytes.saturating_add(n_bytes) > BATCH_BYTES {
        state.write_waiting(1)?;
    }
    state.n_waiting = state.n_waiting.saturating_add(batch.n_rows());
    state.n_waiting_bytes = state.n_waiting_bytes.saturating_add(n_bytes);
    state.waiting.push(batch);
    let min_rows = state.batch_rows;
    if state.n_waiting >= min_rows { state.write_waiting(min_rows) } else { Ok(()) }
}

/// # Errors
/// The text of an error.
pub(crate) fn end(call: &mut CopyEnd) -> Result<(), String> {
    let copy: &Copy = call.shared().ok_or("the call has no data")?;
    let mut state = copy.0.lock().unwrap_or_else(PoisonError::into_inner);
    if state.n_waiting > 0 {
        state.write_waiting(1)?;
    }
    state.put(ContainerEncoder::finish)?;
    let committed = state.file.commit();
    committed.map_err(|error| format!("{}: {error}", QuotedText(&state.path)))
}

impl CopyState {
    /// Writes batches of the wanted number of rows. The rest waits, unless it has at least `min_rows` rows.
    fn write_waiting(&mut self, min_rows: usize) -> Result<(), String> {
        let waiting = mem::take(&mut self.waiting);
        let batch = concat_batches(Arc::clone(self.columns.written()), &waiting);
        let mut rest = batch.map_err(|error| error.to_string())?;
        while rest.n_rows() >= min_rows {
            let n_rows = rest.n_rows().min(self.batch_rows);
            let first = rest.slice(0, n_rows);
            self.put(|encoder| encoder.encode(&first))?;
            rest = rest.slice(n_rows, rest.n_rows().saturating_sub(n_rows));
        }
        self.n_waiting = rest.n_rows();
        self.n_waiting_bytes = 0;
        if self.n_waiting > 0 {
            // A slice counts the bytes of text and the items that only the batches before it have.
            rest = rest.compact().map_err(|error| error.to_string())?;
            self.n_waiting_bytes = rest.n_bytes();
            self.waiting.push(rest);
        }
        Ok(())
    }

    fn put(
        &mut self,
        encode: impl FnOnce(&mut ContainerEncoder) -> arrow_ipc::Result<Encoded<'_>>,
    ) -> Result<(), String> {
        let encoded = encode(&mut self.encoder).map_err(|error| error.to_string())?;
        let written = encoded.write_to(&mut self.file);
        // Drops the references to the buffers of a batch.
        self.encoder.clear();
        written.map_err(|error| format!("{}: {error}", QuotedText(&self.path)))
    }
}
