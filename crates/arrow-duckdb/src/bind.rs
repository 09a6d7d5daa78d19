//! A call of `read_arrow`: its arguments, the files that they name, and the columns of these.

use std::{
    ffi::CStr,
    path::PathBuf,
    slice,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_c_data::{ArrowArray, ArrowSchema};
use arrow_compute::{CastError, CastErrorKind, Predicate};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    ErrorClass, Limits, ReadOptions,
    file::{UnreferencedBytes, UnreferencedKind},
};
use arrow_ipc_dataset::{Dataset, DatasetError, DatasetErrorKind, DatasetFile, DatasetOptions, ReadTask};
use arrow_schema::{DataType, Field, QuotedText, Schema};

use crate::{
    capi::{Connection, LogicalType, TableBind, Value, c_text, converting_connection},
    fit::FittedColumn,
    hive_types,
};

/// The names of named arguments.
pub(crate) const FILENAME: &CStr = c"filename";
pub(crate) const HIVE_PARTITIONING: &CStr = c"hive_partitioning";
pub(crate) const CONDITION: &CStr = c"condition";
pub(crate) const TRUST_STATISTICS: &CStr = c"trust_statistics";
pub(crate) const TYPES: &CStr = c"types";
pub(crate) const FILE_ROW_NUMBER: &CStr = c"file_row_number";
pub(crate) const UNION_BY_NAME: &CStr = c"union_by_name";
pub(crate) const HIVE_TYPES: &CStr = c"hive_types";
pub(crate) const FIRST_FILE_ONLY: &CStr = c"first_file_only";
pub(crate) const MAX_SLOTS_WITHOUT_BYTES: &CStr = c"max_slots_without_bytes";

/// The named arguments that are limits of reading.
pub(crate) fn limits() -> impl Iterator<Item = &'static str> {
    let is_limit = |name: &&str| name.starts_with("max_") && *name != "max_memory_bytes";
    ReadOptions::NAMES.into_iter().filter(is_limit)
}

/// How many slots an array may have by default, and all slots of a call without bytes. DuckDB visits each, of which a small file can have
/// 2⁶³ − 1.
pub(crate) const MAX_SLOTS: u64 = i32::MAX as u64;

/// What a query reads.
pub(crate) struct Bound {
    /// All rows and columns.
    pub(crate) all: Dataset,
    /// With the condition, and all columns.
    pub(crate) set: Dataset,
    pub(crate) condition: Option<Predicate>,
    /// The columns of the table function, in order.
    pub(crate) columns: Vec<BoundColumn>,
    pub(crate) max_slots_without_bytes: u64,
}

/// A column of the table function.
pub(crate) enum BoundColumn {
    /// A column of files, or of names of folders.
    Data(Arc<FittedColumn>),
    /// The path of the file.
    Filename,
    /// The position of the row in the file.
    RowNumber,
}

/// # Errors
/// The text of an error in the arguments or the files.
pub(crate) fn bind(call: &mut TableBind) -> Result<(), String> {
    let arguments = Call::new(call)?;
    let all = arguments.open(call, Vec::new())?;
    let (mut bound, types) = arguments.bound(call, all)?;
    let schema = Arc::clone(bound.set.schema());
    for (field, logical) in schema.fields().iter().zip(&types) {
        add(call, field.name(), logical)?;
    }
    add_file_columns(call, &schema, &mut bound.columns)?;
    if bound.columns.is_empty() {
        return Err("the files have no columns, and tables of DuckDB have at least one".to_owned());
    }
    call.store(bound);
    Ok(())
}

/// Adds the columns with the path of a file and the position in it, if the call asks for them.
fn add_file_columns(call: &TableBind, schema: &Schema, columns: &mut Vec<BoundColumn>) -> Result<(), String> {
    for (argument, logical, column) in [
        (FILENAME, LogicalType::text(), BoundColumn::Filename),
        (FILE_ROW_NUMBER, LogicalType::int64(), BoundColumn::RowNumber),
    ] {
        if !call.is_set(argument)? {
            continue;
        }
        let name = argument.to_string_lossy();
        if schema.index_of(&name).is_ok() {
            return Err(format!("the files have a column {name}, which `{name}` adds, too"));
        }
        add(call, &name, &logical)?;
        columns.push(column);
    }
    Ok(())
}

/// The arguments that decide which files and rows are read.
pub(crate) struct Call {
    paths: Vec<PathBuf>,
    condition: Option<Predicate>,
}

impl Call {
    /// # Errors
    /// The text of an error in the arguments.
    pub(crate) fn new(call: &TableBind) -> Result<Call, String> {
        let paths = paths(call)?;
        if call.named(UNION_BY_NAME)?.is_some_and(|value| !value.to_bool()) {
            return Err(
                "union_by_name is false, but columns of files are always matched by their names".to_owned()
            );
        }
        let condition = condition(call)?;
        if condition.is_some() && call.is_set(FILE_ROW_NUMBER)? {
            return Err("file_row_number and a condition exclude each other: use WHERE".to_owned());
        }
        Ok(Call { paths, condition })
    }

    /// The files, with the types and limits of the call, and `casts`. Only those are opened of which rows can match, according to the
    /// names of folders.
    ///
    /// # Errors
    /// The text of an error in the arguments or the files.
    pub(crate) fn open(&self, call: &TableBind, casts: Vec<(String, DataType)>) -> Result<Dataset, String> {
        let hive_types = call.named(HIVE_TYPES)?.map(|types| hive_types::given(&types)).transpose()?;
        let hive_types = hive_types.unwrap_or_default();
        let types = call.named(TYPES)?.map(|types| given_types(&types)).transpose()?.unwrap_or_default();
        let types = casts.into_iter().chain(hive_types.clone()).chain(types);
        let mut options = options(call)?.with_types(types);
        if let Some(condition) = &self.condition {
            options = options.with_pruning(condition.clone());
        }
        let set = Dataset::open_with(&self.paths, options).map_err(|error| {
            // A name of which no file is at fault.
            if let (DatasetErrorKind::Column(lookup), None) = (error.kind(), error.path()) {
                return format!(
                    "{}: {lookup}",
                    if hive_types.is_empty() { "types" } else { "types or hive_types" }
                );
            }
            text_of(&error)
        })?;
        let folders = set.files().first().map(DatasetFile::partition).unwrap_or_default();
        match hive_types.iter().find(|(name, _)| folders.iter().all(|folder| *folder.name != **name)) {
            Some((name, _)) => Err(format!("hive_types: {} is no name of folders", QuotedText(name))),
            None => Ok(set),
        }
    }

    /// What the query reads of these files, and the types of the columns in DuckDB.
    ///
    /// # Errors
    /// The text of an error in the condition, the files or the types.
    pub(crate) fn bound(self, call: &TableBind, all: Dataset) -> Result<(Bound, Vec<LogicalType>), String> {
        let Call { condition, .. } = self;
        let set = match condition.clone() {
            Some(condition) => all.clone().with_predicate(condition),
            None => Ok(all.clone()),
        };
        let set = set.map_err(|error| format!("condition: {error}"))?;
        if !call.is_set(FIRST_FILE_ONLY)? {
            refuse_unreferenced_bytes(&set)?;
        }
        let (columns, types) = data_columns(set.schema())?;
        call.set_n_rows(n_rows(&set).map_err(|error| text_of(&error))?, condition.is_none());
        let max_slots_without_bytes = max_slots_without_bytes(call)?;
        Ok((Bound { all, set, condition, columns, max_slots_without_bytes }, types))
    }
}

/// The columns of files and folders, and the types that DuckDB gives them.
fn data_columns(schema: &Schema) -> Result<(Vec<BoundColumn>, Vec<LogicalType>), String> {
    let fitted = schema.fields().iter().map(|field| {
        let fitted = FittedColumn::try_new(field);
        fitted.map(Arc::new).map_err(|error| unfit(field, &error.to_string()))
    });
    let fitted = fitted.collect::<Result<Vec<Arc<FittedColumn>>, String>>()?;
    let fields: Vec<Field> = fitted.iter().map(|fitted| fitted.field().clone()).collect();
    let types = logical_types(&fields).map_err(|error| {
        let own = |(fitted, field)| {
            let error = logical_types(slice::from_ref(fitted)).err()?;
            Some(unfit(field, &error))
        };
        fields.iter().zip(schema.fields()).find_map(own).unwrap_or(error)
    })?;
    Ok((fitted.into_iter().map(BoundColumn::Data).collect(), types))
}

/// The number of rows in the batches that may have matching rows.
fn n_rows(set: &Dataset) -> Result<u64, DatasetError> {
    set.load_row_counts()?;
    let tasks = set.split(u64::MAX)?;
    Ok(tasks.iter().filter_map(ReadTask::n_rows).fold(0, u64::saturating_add))
}

/// DuckDB's stable interface has no warnings. So rows that are not read are an error, unless the call says that it knows.
fn refuse_unreferenced_bytes(set: &Dataset) -> Result<(), String> {
    let found = set
        .files_that_match()
        .find_map(|file| Some((file.path(), file.known_contents()?.unreferenced_bytes()?)));
    let Some((path, UnreferencedBytes { kind, range })) = found else { return Ok(()) };
    let (path, start, name) = (path.display(), range.start, FIRST_FILE_ONLY.to_string_lossy());
    Err(match kind {
        UnreferencedKind::SecondFile => format!(
            "{path}: a second file begins at byte {start}, and only batches of the first can be read: {name} := true reads these; `arrow-ipc recover` \
             saves all"
        ),
        UnreferencedKind::AfterLastBlock => format!(
            "{path}: {} bytes from byte {start} to the footer are in none of its blocks, and may hold batches: {name} := true reads the blocks; \
             `arrow-ipc recover` saves all",
            range.end.saturating_sub(start)
        ),
    })
}

fn unfit(field: &Field, why: &str) -> String {
    format!("column {}: {why}. {}", QuotedText(field.name()), advice(field))
}

/// How a column can be read that DuckDB does not have.
fn advice(field: &Field) -> String {
    cast_advice(field.name(), if field.data_type().is_decimal() { "utf8" } else { "…" })
}

fn cast_advice(name: &str, to: &str) -> String {
    let name = name.replace('\'', "''");
    format!(
        "Cast it: read_arrow(…, types := map {{'{name}': '{to}'}}) with a type of Arrow, or `arrow-ipc convert --cast`"
    )
}

/// The files of a call that has no other arguments.
///
/// # Errors
/// The text of an error in the paths or the files.
pub(crate) fn opened_files(call: &TableBind) -> Result<Dataset, String> {
    // The files need no common columns.
    let options = DatasetOptions::new().without_partition_columns().with_schema(Schema::default());
    Dataset::open_with(paths(call)?, options).map_err(|error| error.to_string())
}

fn paths(call: &TableBind) -> Result<Vec<PathBuf>, String> {
    if let Some(refusal) = call.refusal_of_files() {
        return Err(format!("this opens files, and {refusal}"));
    }
    let items = call.argument(0).map(Value::items).unwrap_or_default();
    let path = |item: Option<Value>| {
        let item = item.ok_or("a path is null")?;
        if !item.is_text() {
            return Err("paths are a text, or a list of texts".to_owned());
        }
        path_of(&item.to_text())
    };
    let paths = items.into_iter().map(path).collect::<Result<Vec<PathBuf>, String>>()?;
    if paths.is_empty() { Err("needs a path, or a list of paths".to_owned()) } else { Ok(paths) }
}

/// # Errors
/// If the path is not that of a local file.
pub(crate) fn path_of(text: &str) -> Result<PathBuf, String> {
    if text.contains("://") {
        return Err(format!("{}: only local files are read", QuotedText(text)));
    }
    let home = text.strip_prefix("~/").zip(std::env::home_dir());
    Ok(home.map_or_else(|| PathBuf::from(text), |(rest, home)| home.join(rest)))
}

/// How the arguments without names of columns let files be read.
fn options(call: &TableBind) -> Result<DatasetOptions, String> {
    let mut reading = ReadOptions::new().with_limits(Limits::new().with_max_slots(MAX_SLOTS));
    for name in limits() {
        if let Some(limit) = call.named(&c_text(name))? {
            reading = reading.with_named(name, &limit.to_text()).map_err(|error| error.to_string())?;
        }
    }
    let mut options = DatasetOptions::new().with_limits(reading.limits().clone());
    if call.is_set(TRUST_STATISTICS)? {
        options = options.with_trusted_statistics();
    }
    if call.named(HIVE_PARTITIONING)?.is_some_and(|value| !value.to_bool()) {
        options = options.without_partition_columns();
    }
    Ok(options)
}

/// The text of an error of a data set. If a limit is exceeded, it says how to raise it; if files have types of a column without a common
/// one, or a value that the common one does not have, how to give it one.
pub(crate) fn text_of(error: &DatasetError) -> String {
    let lost = if let DatasetErrorKind::Cast { column, error, .. } = error.kind() {
        type_of_lost(error).map(|to| (&**column, to))
    } else {
        None
    };
    if let Some((name, to)) = error.conflicting_column().or(lost) {
        let to = to.map_or_else(|| "…".to_owned(), |to| to.to_string());
        return format!("{error}. {}", cast_advice(name, &to));
    }
    let is_limit =
        matches!(error.kind(), DatasetErrorKind::Ipc(error) if error.class() == ErrorClass::LimitExceeded);
    let hint = if is_limit { ". Limits are arguments, such as max_slots" } else { "" };
    format!("{error}{hint}")
}

/// A type for a column of which a cast would change a value: `Some(None)` if it is not known, and `None` if no value is at fault.
fn type_of_lost(error: &CastError) -> Option<Option<DataType>> {
    use CastErrorKind as K;
    let kind = error.kind();
    let has_text = matches!(
        kind,
        K::OutOfRange { .. } | K::LostDigits { .. } | K::LostPart { .. } | K::LocalTime { .. }
    );
    let to = if has_text { DataType::Utf8 } else { DataType::Binary };
    (has_text || matches!(kind, K::NotUtf8 { .. })).then(|| error.path().is_root().then_some(to))
}

fn max_slots_without_bytes(call: &TableBind) -> Result<u64, String> {
    let Some(number) = call.named(MAX_SLOTS_WITHOUT_BYTES)? else { return Ok(MAX_SLOTS) };
    let (name, number) = (MAX_SLOTS_WITHOUT_BYTES.to_string_lossy(), number.to_text());
    number.parse().map_err(|_| format!("{name} is {}; allowed: 0 or more", QuotedText(&number)))
}

fn condition(call: &TableBind) -> Result<Option<Predicate>, String> {
    let Some(condition) = call.named(CONDITION)? else { return Ok(None) };
    condition.to_text().parse().map(Some).map_err(|error| format!("condition: {error}"))
}

/// The types of Arrow that a map has for some columns.
fn given_types(types: &Value) -> Result<Vec<(String, DataType)>, String> {
    let given = |(name, data_type): (Option<Value>, Option<Value>)| -> Result<_, String> {
        let name = name.ok_or("types: a name is null")?.to_text();
        let data_type = data_type.ok_or("types: a type is null")?.to_text();
        Ok((name, data_type.parse::<DataType>().map_err(|error| format!("types: {error}"))?))
    };
    types.entries().into_iter().map(given).collect()
}

/// The types that DuckDB gives columns.
fn logical_types(fields: &[Field]) -> Result<Vec<LogicalType>, String> {
    // A connection takes longer than what it is for, and a query can have hundreds of calls.
    static CONNECTION: Mutex<Option<Connection>> = Mutex::new(None);
    let mut connection = CONNECTION.lock().unwrap_or_else(PoisonError::into_inner);
    let connection = match &mut *connection {
        Some(connection) => connection,
        none @ None => none.insert(converting_connection()?),
    };
    let schema = Schema::new(fields.to_vec());
    let exported = ArrowSchema::try_from_schema(&schema).map_err(|error| error.to_string())?;
    let converted = connection.converted(exported)?;
    let columns: Vec<ArrayData> =
        fields.iter().map(|field| ArrayData::new_empty(field.data_type())).collect();
    let batch =
        RecordBatch::try_new_with_rows(Arc::new(schema), columns, 0).map_err(|error| error.to_string())?;
    let batch = ArrowArray::try_from_batch(&batch).map_err(|error| error.to_string())?;
    let chunk = connection.chunk(batch, &converted)?;
    Ok((0..fields.len()).map(|position| chunk.column_type(position)).collect())
}

fn add(call: &TableBind, name: &str, logical: &LogicalType) -> Result<(), String> {
    if name.contains('\0') {
        return Err(format!("column {}: names of DuckDB have no NUL", QuotedText(name)));
    }
    call.add_column(&c_text(name), logical);
    Ok(())
}
