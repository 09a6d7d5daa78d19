//! The C interface of DuckDB, as safe types and functions: all `unsafe` of this crate.
//!
//! **Invariant:** a handle in a type of this file is live. Types that are dropped own it; the infos of callbacks live as long as
//! the callback, which passes them on by reference only.

use std::{
    ffi::{CStr, CString, c_char, c_void},
    ptr,
    sync::{Arc, OnceLock},
};

use arrow_c_data::{ArrowArray, ArrowSchema};
use arrow_data::{RecordBatch, Validation};
use arrow_schema::Schema;
use libduckdb_sys as sys;

/// Calls a function of the C interface.
macro_rules! duckdb {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        #[allow(unused_unsafe)] // An argument may be a call, too.
        // SAFETY: `initialize` has loaded the functions before any type of this file was made. Handles are live, by the
        // invariant of this file. Texts end with NUL, and pointers to results point to a place on the stack of the caller.
        unsafe { sys::$function($($argument),*) }
    }};
}

/// The version of the C interface that has all functions used here.
const VERSION: &str = "v1.5.6";

/// Loads the functions of the interface, and returns the database that loads the extension. `None` if this DuckDB lacks them: it
/// then says so itself.
pub(crate) fn initialize(
    info: sys::duckdb_extension_info,
    access: *const sys::duckdb_extension_access,
) -> Option<LoadingDatabase> {
    // SAFETY: DuckDB passes both to the entry point, and they live as long as the call.
    let is_loaded = unsafe { sys::duckdb_rs_extension_api_init(info, access, VERSION) };
    // SAFETY: as above.
    let access = unsafe { access.as_ref() }?;
    let get_database = access.get_database.filter(|_| is_loaded == Ok(true))?;
    // SAFETY: DuckDB's own function, with the `info` of this call.
    let database = unsafe { get_database(info) };
    // SAFETY: null or the database of this call.
    unsafe { database.as_ref() }.map(|database| LoadingDatabase(*database))
}

/// The version of DuckDB, such as `v2.0.1`.
pub(crate) fn library_version() -> String {
    text_at(duckdb!(duckdb_library_version()))
}

/// Says why the extension cannot be loaded.
pub(crate) fn refuse(
    info: sys::duckdb_extension_info,
    access: *const sys::duckdb_extension_access,
    text: &str,
) {
    // SAFETY: DuckDB passes it to the entry point, and it lives as long as the call.
    if let Some(set_error) = unsafe { access.as_ref() }.and_then(|access| access.set_error) {
        // SAFETY: DuckDB's own function, with the `info` of this call and a text that ends with NUL.
        unsafe { set_error(info, c_text(text).as_ptr()) }
    }
}

/// The database that loads the extension, while it does so.
pub(crate) struct LoadingDatabase(sys::duckdb_database);

impl LoadingDatabase {
    pub(crate) fn connect(&self) -> Option<Connection> {
        Connection::new(self.0)
    }

    /// Calls `replace` for names of tables that are not known.
    pub(crate) fn replace_scans(&self, replace: ReplaceScan) {
        duckdb!(duckdb_add_replacement_scan(self.0, Some(replace), ptr::null_mut(), None));
    }
}

pub(crate) type ReplaceScan =
    unsafe extern "C" fn(sys::duckdb_replacement_scan_info, *const c_char, *mut c_void);

/// Reads a table by a table function with one argument.
pub(crate) fn replace_scan(info: sys::duckdb_replacement_scan_info, function: &CStr, argument: &str) {
    duckdb!(duckdb_replacement_scan_set_function_name(info, function.as_ptr()));
    duckdb!(duckdb_replacement_scan_add_parameter(info, Value::text(argument).0));
}

/// A database without tables, whose connections convert between types of Arrow and of DuckDB. It is not closed.
///
/// A connection to the user's database would keep that database open.
struct PrivateDatabase(sys::duckdb_database);

// SAFETY: the functions of DuckDB on databases may be called from any thread.
unsafe impl Send for PrivateDatabase {}

// SAFETY: as for `Send`.
unsafe impl Sync for PrivateDatabase {}

impl PrivateDatabase {
    fn open() -> Option<PrivateDatabase> {
        let mut config = ptr::null_mut();
        duckdb!(duckdb_create_config(&mut config));
        // It runs no query, and so needs no threads of its own.
        duckdb!(duckdb_set_config(config, c"threads".as_ptr(), c"1".as_ptr()));
        let mut database = ptr::null_mut();
        let opened = duckdb!(duckdb_open_ext(ptr::null(), &mut database, config, ptr::null_mut()));
        duckdb!(duckdb_destroy_config(&mut config));
        (opened == sys::DuckDBSuccess).then_some(PrivateDatabase(database))
    }
}

/// A connection that converts types, to a database that all queries share.
pub(crate) fn converting_connection() -> Result<Connection, String> {
    static DATABASE: OnceLock<Option<PrivateDatabase>> = OnceLock::new();
    let database = DATABASE.get_or_init(PrivateDatabase::open).as_ref();
    let connection = database.and_then(|database| Connection::new(database.0));
    connection.ok_or_else(|| "no connection that converts types".to_owned())
}

/// A connection.
pub(crate) struct Connection(sys::duckdb_connection);

// SAFETY: one thread at a time uses it, as DuckDB allows.
unsafe impl Send for Connection {}

impl Connection {
    fn new(database: sys::duckdb_database) -> Option<Connection> {
        let mut connection = ptr::null_mut();
        let connected = duckdb!(duckdb_connect(database, &mut connection));
        (connected == sys::DuckDBSuccess).then_some(Connection(connection))
    }

    pub(crate) fn register_table_function(&self, function: &TableFunction) -> bool {
        duckdb!(duckdb_register_table_function(self.0, function.0)) == sys::DuckDBSuccess
    }

    pub(crate) fn register_copy_function(&self, function: &CopyFunction) -> bool {
        duckdb!(duckdb_register_copy_function(self.0, function.0)) == sys::DuckDBSuccess
    }

    /// What DuckDB makes of a schema.
    pub(crate) fn converted(&self, schema: ArrowSchema) -> Result<ConvertedSchema, String> {
        let mut schema = schema;
        let mut converted = ptr::null_mut();
        let source = (&raw mut schema).cast();
        let error = duckdb!(duckdb_schema_from_arrow(self.0, source, &mut converted));
        checked(error).map(|()| ConvertedSchema(converted))
    }

    /// The rows of a batch, which share its memory where DuckDB has the same form.
    pub(crate) fn chunk(&self, batch: ArrowArray, schema: &ConvertedSchema) -> Result<Chunk, String> {
        // Released when it is dropped, if DuckDB does not take it.
        let mut batch = batch;
        let mut chunk = ptr::null_mut();
        let source = (&raw mut batch).cast();
        let error = duckdb!(duckdb_data_chunk_from_arrow(self.0, source, schema.0, &mut chunk));
        checked(error).map(|()| Chunk(chunk))
    }

    /// How rows of DuckDB become arrays.
    pub(crate) fn into_arrow_options(self) -> Option<ArrowOptions> {
        let mut options = ptr::null_mut();
        duckdb!(duckdb_connection_get_arrow_options(self.0, &mut options));
        (!options.is_null()).then_some(ArrowOptions { options, _connection: self })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        duckdb!(duckdb_disconnect(&mut self.0));
    }
}

/// Takes an error of DuckDB.
fn checked(mut error: sys::duckdb_error_data) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    let message = duckdb!(duckdb_error_data_message(error));
    let text = text_at(message);
    duckdb!(duckdb_destroy_error_data(&mut error));
    Err(message_of(&text))
}

/// The message of an exception, which some functions write as JSON.
fn message_of(text: &str) -> String {
    let Some((_, quoted)) = text.split_once(r#""exception_message":""#) else { return text.to_owned() };
    let mut message = String::new();
    let mut chars = quoted.chars();
    while let Some(char) = chars.next().filter(|char| *char != '"') {
        message.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some(char) => char,
                None => break,
            },
            char => char,
        });
    }
    message
}

/// A copy of a text of DuckDB; empty if there is none.
fn text_at(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: DuckDB's texts end with NUL, and live until the caller frees them or its call returns.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Takes a text that DuckDB has allocated.
fn taken_text(text: *mut c_char) -> String {
    let copy = text_at(text);
    duckdb!(duckdb_free(text.cast()));
    copy
}

/// The argument of a replacement scan.
pub(crate) fn table_name(name: *const c_char) -> String {
    text_at(name)
}

/// A text for DuckDB, up to its first NUL.
pub(crate) fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(text.get(..end).unwrap_or_default()).unwrap_or_default()
}

/// A schema of Arrow as DuckDB keeps it.
pub(crate) struct ConvertedSchema(sys::duckdb_arrow_converted_schema);

// SAFETY: one thread at a time uses it.
unsafe impl Send for ConvertedSchema {}

impl Drop for ConvertedSchema {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_arrow_converted_schema(&mut self.0));
    }
}

/// How rows of DuckDB become arrays.
pub(crate) struct ArrowOptions {
    options: sys::duckdb_arrow_options,
    /// The options refer to it.
    _connection: Connection,
}

// SAFETY: one thread at a time uses it.
unsafe impl Send for ArrowOptions {}

impl ArrowOptions {
    /// The schema of columns.
    pub(crate) fn schema(&self, columns: &[(CString, &LogicalType)]) -> Result<ArrowSchema, String> {
        let mut names: Vec<_> = columns.iter().map(|(name, _)| name.as_ptr()).collect();
        let mut types: Vec<_> = columns.iter().map(|(_, column)| column.0).collect();
        let mut schema = ArrowSchema::empty();
        let (count, target) = (columns.len() as u64, (&raw mut schema).cast());
        let error = duckdb!(duckdb_to_arrow_schema(
            self.options,
            types.as_mut_ptr(),
            names.as_mut_ptr(),
            count,
            target
        ));
        checked(error).map(|()| schema)
    }

    /// The rows of a chunk, whose columns have the types of which [`ArrowOptions::schema`] has made the schema.
    pub(crate) fn batch(&self, chunk: &ChunkRef, schema: &Arc<Schema>) -> Result<RecordBatch, String> {
        let mut array = ArrowArray::empty();
        let error = duckdb!(duckdb_data_chunk_to_arrow(self.options, chunk.0, (&raw mut array).cast()));
        checked(error)?;
        // SAFETY: DuckDB has filled the array, and says that arrays of these types have this schema.
        let batch = unsafe { array.import_batch(Arc::clone(schema), Validation::Strict) };
        batch.map_err(|error| error.to_string())
    }
}

impl Drop for ArrowOptions {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_arrow_options(&mut self.options));
    }
}

/// A type of DuckDB.
pub(crate) struct LogicalType(sys::duckdb_logical_type);

impl LogicalType {
    pub(crate) fn text() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR)))
    }

    pub(crate) fn boolean() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN)))
    }

    pub(crate) fn int64() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_BIGINT)))
    }

    pub(crate) fn any() -> LogicalType {
        LogicalType(duckdb!(duckdb_create_logical_type(sys::DUCKDB_TYPE_DUCKDB_TYPE_ANY)))
    }

    pub(crate) fn map_of(keys: &LogicalType, values: &LogicalType) -> LogicalType {
        LogicalType(duckdb!(duckdb_create_map_type(keys.0, values.0)))
    }

    fn id(&self) -> sys::duckdb_type {
        duckdb!(duckdb_get_type_id(self.0))
    }

    /// The names and types of a struct; `None` for other types.
    pub(crate) fn fields(&self) -> Option<Vec<(String, LogicalType)>> {
        if self.id() != sys::DUCKDB_TYPE_DUCKDB_TYPE_STRUCT {
            return None;
        }
        let n_fields = duckdb!(duckdb_struct_type_child_count(self.0));
        let field = |position| {
            let name = taken_text(duckdb!(duckdb_struct_type_child_name(self.0, position)));
            (name, LogicalType(duckdb!(duckdb_struct_type_child_type(self.0, position))))
        };
        Some((0..n_fields).map(field).collect())
    }

    /// The name of a type, here or inside, whose values DuckDB changes when it makes Arrow data of them.
    pub(crate) fn changed_by_arrow(&self) -> Option<&'static str> {
        match self.id() {
            sys::DUCKDB_TYPE_DUCKDB_TYPE_UHUGEINT => return Some("uhugeint"),
            sys::DUCKDB_TYPE_DUCKDB_TYPE_TIME_TZ => return Some("time with time zone"),
            _ => {}
        }
        let inside = match self.id() {
            sys::DUCKDB_TYPE_DUCKDB_TYPE_LIST => {
                Some(LogicalType(duckdb!(duckdb_list_type_child_type(self.0))))
            }
            sys::DUCKDB_TYPE_DUCKDB_TYPE_ARRAY => {
                Some(LogicalType(duckdb!(duckdb_array_type_child_type(self.0))))
            }
            sys::DUCKDB_TYPE_DUCKDB_TYPE_MAP => {
                Some(LogicalType(duckdb!(duckdb_map_type_value_type(self.0))))
            }
            _ => None,
        };
        let fields = self.fields().unwrap_or_default().into_iter().map(|(_, field)| field);
        fields.chain(inside).find_map(|inside| inside.changed_by_arrow())
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_logical_type(&mut self.0));
    }
}

/// A value: an argument or an option.
pub(crate) struct Value(sys::duckdb_value);

impl Value {
    /// `None` for no value, and for null.
    fn new(value: sys::duckdb_value) -> Option<Value> {
        if value.is_null() {
            return None;
        }
        let value = Value(value);
        (!duckdb!(duckdb_is_null_value(value.0))).then_some(value)
    }

    pub(crate) fn text(text: &str) -> Value {
        Value(duckdb!(duckdb_create_varchar_length(text.as_ptr().cast(), text.len() as u64)))
    }

    pub(crate) fn int64(number: i64) -> Value {
        Value(duckdb!(duckdb_create_int64(number)))
    }

    pub(crate) fn null() -> Value {
        Value(duckdb!(duckdb_create_null_value()))
    }

    pub(crate) fn to_text(&self) -> String {
        taken_text(duckdb!(duckdb_get_varchar(self.0)))
    }

    pub(crate) fn to_bool(&self) -> bool {
        duckdb!(duckdb_get_bool(self.0))
    }

    /// The type, which lives as long as the value.
    fn id(&self) -> sys::duckdb_type {
        duckdb!(duckdb_get_type_id(duckdb!(duckdb_get_value_type(self.0))))
    }

    pub(crate) fn is_text(&self) -> bool {
        self.id() == sys::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR
    }

    /// The items of a list, or the value itself.
    pub(crate) fn items(self) -> Vec<Option<Value>> {
        if self.id() != sys::DUCKDB_TYPE_DUCKDB_TYPE_LIST {
            return vec![Some(self)];
        }
        let n_items = duckdb!(duckdb_get_list_size(self.0));
        (0..n_items).map(|index| Value::new(duckdb!(duckdb_get_list_child(self.0, index)))).collect()
    }

    /// The keys and values of a map.
    pub(crate) fn entries(&self) -> Vec<(Option<Value>, Option<Value>)> {
        let n_entries = duckdb!(duckdb_get_map_size(self.0));
        let entry = |index| {
            let key = Value::new(duckdb!(duckdb_get_map_key(self.0, index)));
            (key, Value::new(duckdb!(duckdb_get_map_value(self.0, index))))
        };
        (0..n_entries).map(entry).collect()
    }

    /// The names and values of a struct.
    pub(crate) fn fields(&self) -> Vec<(String, Option<Value>)> {
        if self.id() != sys::DUCKDB_TYPE_DUCKDB_TYPE_STRUCT {
            return Vec::new();
        }
        // Lives as long as the value.
        let own = duckdb!(duckdb_get_value_type(self.0));
        let n_fields = duckdb!(duckdb_struct_type_child_count(own));
        let field = |position| {
            let name = taken_text(duckdb!(duckdb_struct_type_child_name(own, position)));
            (name, Value::new(duckdb!(duckdb_get_struct_child(self.0, position))))
        };
        (0..n_fields).map(field).collect()
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_value(&mut self.0));
    }
}

/// Rows of DuckDB that a callback fills or reads.
pub(crate) struct ChunkRef(sys::duckdb_data_chunk);

impl ChunkRef {
    /// The argument of a callback.
    pub(crate) fn of_callback(chunk: sys::duckdb_data_chunk) -> ChunkRef {
        ChunkRef(chunk)
    }

    pub(crate) fn set_n_rows(&self, n_rows: usize) {
        duckdb!(duckdb_data_chunk_set_size(self.0, n_rows as u64));
    }

    fn column(&self, position: usize) -> sys::duckdb_vector {
        duckdb!(duckdb_data_chunk_get_vector(self.0, position as u64))
    }

    /// Makes a column share the memory of one of another chunk, which must have its type.
    pub(crate) fn share(&self, position: usize, from: &Chunk, source: usize) {
        let source = duckdb!(duckdb_data_chunk_get_vector(from.0, source as u64));
        duckdb!(duckdb_vector_reference_vector(self.column(position), source));
    }

    /// Gives a column the same value in all rows.
    pub(crate) fn fill(&self, position: usize, value: &Value) {
        duckdb!(duckdb_vector_reference_value(self.column(position), value.0));
    }
}

/// Rows that were converted.
pub(crate) struct Chunk(sys::duckdb_data_chunk);

impl Chunk {
    pub(crate) fn column_type(&self, position: usize) -> LogicalType {
        let column = duckdb!(duckdb_data_chunk_get_vector(self.0, position as u64));
        LogicalType(duckdb!(duckdb_vector_get_column_type(column)))
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_data_chunk(&mut self.0));
    }
}

/// The number of rows that a chunk may have.
pub(crate) fn max_rows() -> usize {
    usize::try_from(duckdb!(duckdb_vector_size())).unwrap_or(1).max(1)
}

/// A setting of the user's connection, as text.
struct Context(sys::duckdb_client_context);

impl Context {
    fn setting(&self, name: &CStr) -> Option<String> {
        let value = duckdb!(duckdb_client_context_get_config_option(self.0, name.as_ptr(), ptr::null_mut()));
        Value::new(value).map(|value| value.to_text())
    }

    /// Whether DuckDB may read and write files.
    fn allows_files(&self) -> bool {
        self.setting(c"enable_external_access").is_some_and(|text| text == "true")
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_client_context(&mut self.0));
    }
}

/// Data that DuckDB keeps for the extension, and frees.
fn kept<T: Send>(data: T) -> (*mut c_void, sys::duckdb_delete_callback_t) {
    (Box::into_raw(Box::new(data)).cast(), Some(free::<T>))
}

extern "C" fn free<T>(data: *mut c_void) {
    // SAFETY: `kept` made it of a box of this type, and DuckDB calls this once.
    let data = unsafe { Box::from_raw(data.cast::<T>()) };
    crate::border::end_panics(|| drop(data));
}

/// A phase of a function, whose callbacks report errors and find the data of earlier phases.
macro_rules! phase {
    ($(#[$doc:meta])* $name:ident, $handle:ty, $set_error:ident) => {
        $(#[$doc])*
        pub(crate) struct $name($handle);

        impl $name {
            /// The argument of a callback.
            pub(crate) fn of_callback(info: $handle) -> $name {
                $name(info)
            }
        }

        impl crate::border::Reports for $name {
            fn report(&self, text: &str) {
                duckdb!($set_error(self.0, c_text(text).as_ptr()));
            }
        }
    };
}

phase!(
    /// A table function is called with arguments.
    TableBind, sys::duckdb_bind_info, duckdb_bind_set_error
);
phase!(
    /// A scan begins, or a thread of it.
    TableInit, sys::duckdb_init_info, duckdb_init_set_error
);
phase!(
    /// A thread of a scan needs rows.
    TableScan, sys::duckdb_function_info, duckdb_function_set_error
);
phase!(
    /// A `COPY … TO` is planned.
    CopyBind, sys::duckdb_copy_function_bind_info, duckdb_copy_function_bind_set_error
);
phase!(
    /// A `COPY … TO` begins.
    CopyInit, sys::duckdb_copy_function_global_init_info, duckdb_copy_function_global_init_set_error
);
phase!(
    /// A `COPY … TO` has rows.
    CopySink, sys::duckdb_copy_function_sink_info, duckdb_copy_function_sink_set_error
);
phase!(
    /// A `COPY … TO` has no more rows.
    CopyEnd, sys::duckdb_copy_function_finalize_info, duckdb_copy_function_finalize_set_error
);

/// A shared reference to data that [`kept`] gave to DuckDB.
fn lent<'a, T: Sync>(data: *mut c_void) -> Option<&'a T> {
    // SAFETY: each phase keeps data of one type, and its callers name it. DuckDB keeps it until after the last callback, and
    // callers use it within theirs.
    unsafe { data.cast::<T>().as_ref() }
}

impl TableBind {
    /// The arguments without names.
    pub(crate) fn argument(&self, index: u64) -> Option<Value> {
        Value::new(duckdb!(duckdb_bind_get_parameter(self.0, index)))
    }

    pub(crate) fn named(&self, name: &CStr) -> Option<Value> {
        Value::new(duckdb!(duckdb_bind_get_named_parameter(self.0, name.as_ptr())))
    }

    pub(crate) fn allows_files(&self) -> bool {
        let mut context = ptr::null_mut();
        duckdb!(duckdb_table_function_get_client_context(self.0, &mut context));
        Context(context).allows_files()
    }

    pub(crate) fn add_column(&self, name: &CStr, column: &LogicalType) {
        duckdb!(duckdb_bind_add_result_column(self.0, name.as_ptr(), column.0));
    }

    pub(crate) fn set_n_rows(&self, n_rows: u64, is_exact: bool) {
        duckdb!(duckdb_bind_set_cardinality(self.0, n_rows, is_exact));
    }

    pub(crate) fn keep<T: Send + Sync>(&self, data: T) {
        let (data, free) = kept(data);
        duckdb!(duckdb_bind_set_bind_data(self.0, data, free));
    }
}

impl TableInit {
    /// What the table function has [kept](TableBind::keep).
    pub(crate) fn bound<T: Sync>(&self) -> Option<&T> {
        lent(duckdb!(duckdb_init_get_bind_data(self.0)))
    }

    /// The positions of the columns that a query reads; those that are no columns of the function are out of bounds.
    pub(crate) fn columns(&self) -> Vec<Option<usize>> {
        let n_columns = duckdb!(duckdb_init_get_column_count(self.0));
        let column = |index| usize::try_from(duckdb!(duckdb_init_get_column_index(self.0, index))).ok();
        (0..n_columns).map(column).collect()
    }

    pub(crate) fn set_max_threads(&self, n_threads: usize) {
        duckdb!(duckdb_init_set_max_threads(self.0, n_threads as u64));
    }

    pub(crate) fn keep<T: Send>(&self, data: T) {
        let (data, free) = kept(data);
        duckdb!(duckdb_init_set_init_data(self.0, data, free));
    }
}

impl TableScan {
    /// What [`TableInit::keep`] has kept for the scan, and for the thread.
    pub(crate) fn kept<S: Sync, T>(&mut self) -> Option<(&S, &mut T)> {
        let shared = lent(duckdb!(duckdb_function_get_init_data(self.0)))?;
        let own = duckdb!(duckdb_function_get_local_init_data(self.0));
        // SAFETY: as in `lent`; DuckDB passes the data of a thread to one callback at a time.
        let own = unsafe { own.cast::<T>().as_mut() }?;
        Some((shared, own))
    }
}

impl CopyBind {
    pub(crate) fn column_types(&self) -> Vec<LogicalType> {
        let n_columns = duckdb!(duckdb_copy_function_bind_get_column_count(self.0));
        let column = |index| LogicalType(duckdb!(duckdb_copy_function_bind_get_column_type(self.0, index)));
        (0..n_columns).map(column).collect()
    }

    /// The options with their names, which are in capital letters.
    pub(crate) fn options(&self) -> Vec<(String, Option<Value>)> {
        let options = Value::new(duckdb!(duckdb_copy_function_bind_get_options(self.0)));
        options.map(|options| options.fields()).unwrap_or_default()
    }

    fn context(&self) -> Context {
        Context(duckdb!(duckdb_copy_function_bind_get_client_context(self.0)))
    }

    pub(crate) fn allows_files(&self) -> bool {
        self.context().allows_files()
    }

    /// The time zone of the user's connection.
    pub(crate) fn time_zone(&self) -> String {
        self.context().setting(c"TimeZone").unwrap_or_else(|| "UTC".to_owned())
    }

    pub(crate) fn keep<T: Send + Sync>(&self, data: T) {
        let (data, free) = kept(data);
        duckdb!(duckdb_copy_function_bind_set_bind_data(self.0, data, free));
    }
}

impl CopyInit {
    pub(crate) fn bound<T: Sync>(&self) -> Option<&T> {
        lent(duckdb!(duckdb_copy_function_global_init_get_bind_data(self.0)))
    }

    pub(crate) fn path(&self) -> String {
        text_at(duckdb!(duckdb_copy_function_global_init_get_file_path(self.0)))
    }

    pub(crate) fn keep<T: Send + Sync>(&self, data: T) {
        let (data, free) = kept(data);
        duckdb!(duckdb_copy_function_global_init_set_global_state(self.0, data, free));
    }
}

impl CopySink {
    pub(crate) fn shared<T: Sync>(&self) -> Option<&T> {
        lent(duckdb!(duckdb_copy_function_sink_get_global_state(self.0)))
    }
}

impl CopyEnd {
    pub(crate) fn shared<T: Sync>(&self) -> Option<&T> {
        lent(duckdb!(duckdb_copy_function_finalize_get_global_state(self.0)))
    }
}

/// A table function that is made.
pub(crate) struct TableFunction(sys::duckdb_table_function);

/// The callbacks of a table function, in the order in which DuckDB calls them.
pub(crate) struct TableCallbacks {
    pub(crate) bind: extern "C" fn(sys::duckdb_bind_info),
    pub(crate) init: extern "C" fn(sys::duckdb_init_info),
    pub(crate) init_thread: extern "C" fn(sys::duckdb_init_info),
    pub(crate) scan: extern "C" fn(sys::duckdb_function_info, sys::duckdb_data_chunk),
}

impl TableFunction {
    pub(crate) fn new(name: &CStr, callbacks: &TableCallbacks) -> TableFunction {
        let function = duckdb!(duckdb_create_table_function());
        duckdb!(duckdb_table_function_set_name(function, name.as_ptr()));
        duckdb!(duckdb_table_function_set_bind(function, Some(callbacks.bind)));
        duckdb!(duckdb_table_function_set_init(function, Some(callbacks.init)));
        duckdb!(duckdb_table_function_set_local_init(function, Some(callbacks.init_thread)));
        duckdb!(duckdb_table_function_set_function(function, Some(callbacks.scan)));
        duckdb!(duckdb_table_function_supports_projection_pushdown(function, true));
        TableFunction(function)
    }

    #[must_use]
    pub(crate) fn with_argument(self, argument: &LogicalType) -> TableFunction {
        duckdb!(duckdb_table_function_add_parameter(self.0, argument.0));
        self
    }

    #[must_use]
    pub(crate) fn with_named(self, name: &CStr, argument: &LogicalType) -> TableFunction {
        duckdb!(duckdb_table_function_add_named_parameter(self.0, name.as_ptr(), argument.0));
        self
    }
}

impl Drop for TableFunction {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_table_function(&mut self.0));
    }
}

/// A format of `COPY` that is made.
pub(crate) struct CopyFunction(sys::duckdb_copy_function);

/// The callbacks of `COPY … TO`, in the order in which DuckDB calls them.
pub(crate) struct CopyCallbacks {
    pub(crate) bind: extern "C" fn(sys::duckdb_copy_function_bind_info),
    pub(crate) init: extern "C" fn(sys::duckdb_copy_function_global_init_info),
    pub(crate) sink: extern "C" fn(sys::duckdb_copy_function_sink_info, sys::duckdb_data_chunk),
    pub(crate) end: extern "C" fn(sys::duckdb_copy_function_finalize_info),
}

impl CopyFunction {
    pub(crate) fn new(name: &CStr, callbacks: &CopyCallbacks) -> CopyFunction {
        let function = duckdb!(duckdb_create_copy_function());
        duckdb!(duckdb_copy_function_set_name(function, name.as_ptr()));
        duckdb!(duckdb_copy_function_set_bind(function, Some(callbacks.bind)));
        duckdb!(duckdb_copy_function_set_global_init(function, Some(callbacks.init)));
        duckdb!(duckdb_copy_function_set_sink(function, Some(callbacks.sink)));
        duckdb!(duckdb_copy_function_set_finalize(function, Some(callbacks.end)));
        CopyFunction(function)
    }
}

impl Drop for CopyFunction {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_copy_function(&mut self.0));
    }
}
