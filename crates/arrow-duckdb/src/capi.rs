//! The C interface of DuckDB, as safe types and functions: all `unsafe` of this crate. This file has databases, connections and what
//! they convert; `values` has types, values and rows, and `functions` what DuckDB calls.
//!
//! **Invariant:** a handle in a type of this module is live. Types that are dropped own it; the infos of callbacks live as long as
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
        // SAFETY: `initialize` has loaded the functions before any value of a type of this module existed. Handles are live, by
        // its invariant. Texts end with NUL, and pointers to results point into the stack of the caller.
        unsafe { sys::$function($($argument),*) }
    }};
}

mod functions;
mod values;

pub(crate) use self::{
    functions::{
        CopyBind, CopyCallbacks, CopyEnd, CopyFunction, CopyInit, CopySink, ScalarBind, ScalarCall,
        ScalarCallbacks, ScalarFunction, TableBind, TableCallbacks, TableFunction, TableInit, TableScan,
    },
    values::{Chunk, ChunkRef, LogicalType, Value, max_rows},
};

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

    pub(crate) fn register_scalar_function(&self, function: &ScalarFunction) -> bool {
        duckdb!(duckdb_register_scalar_function(self.0, function.0)) == sys::DuckDBSuccess
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
        let batch = unsafe { array.import_batch(Arc::clone(schema), Validation::Content) };
        batch.map_err(|error| error.to_string())
    }
}

impl Drop for ArrowOptions {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_arrow_options(&mut self.options));
    }
}
