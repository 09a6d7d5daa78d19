//! The entry point, which registers the functions, and what DuckDB calls then.

use std::{
    ffi::{CStr, c_char, c_void},
    path::Path,
};

use arrow_ipc::WrittenContainer;
use libduckdb_sys as sys;

use crate::{
    bind, border,
    capi::{self, ChunkRef, LogicalType, TableCallbacks, TableFunction},
    capi::{CopyBind, CopyCallbacks, CopyEnd, CopyFunction, CopyInit, CopySink},
    capi::{ScalarBind, ScalarCall, ScalarCallbacks, ScalarFunction},
    capi::{TableBind, TableInit, TableScan},
    copy, copy_from, folders, metadata, scan,
};

const READ: &CStr = c"read_arrow";
const QUERY_OF_FOLDERS: &CStr = c"read_arrow_query";
const METADATA: &CStr = c"arrow_file_metadata";

/// The formats of `COPY`: DuckDB takes the end of a file's name for one.
const FORMATS: [&CStr; 4] = [c"arrow", c"arrows", c"feather", c"ipc"];

/// The format whose files are streams, if their names do not say what they are.
const STREAM: &CStr = c"arrows";

/// The entry point. Its name is that of the extension.
// SAFETY: no other code has this name.
#[unsafe(no_mangle)]
extern "C" fn arrow_ipc_init_c_api(
    info: sys::duckdb_extension_info,
    access: *const sys::duckdb_extension_access,
) -> bool {
    let mut is_registered = false;
    border::end_panics(|| match register(info, access) {
        Some(Ok(())) => is_registered = true,
        Some(Err(text)) => capi::refuse(info, access, text),
        None => {}
    });
    is_registered
}

fn register(
    info: sys::duckdb_extension_info,
    access: *const sys::duckdb_extension_access,
) -> Option<Result<(), &'static str>> {
    let database = capi::initialize(info, access)?;
    // DuckDB 1.5 has the interface, and takes null indices of dictionaries for valid ones.
    if capi::library_version().starts_with("v1.") {
        return Some(Err("arrow_ipc needs DuckDB 2 or later"));
    }
    let Some(connection) = database.connect() else { return Some(Err("no connection to the database")) };
    let functions = [read_arrow(), file_metadata()];
    if !functions.iter().all(|function| connection.register_table_function(function)) {
        return Some(Err(
            "cannot register read_arrow or arrow_file_metadata: perhaps another extension has such a function",
        ));
    }
    if !connection.register_scalar_function(&query_of_folders()) {
        return Some(Err("cannot register read_arrow_query: perhaps another extension has such a function"));
    }
    if !FORMATS.into_iter().all(|format| connection.register_copy_function(&copy_function(format))) {
        return Some(Err(
            "cannot register COPY with FORMAT arrow: perhaps another extension has this format",
        ));
    }
    database.replace_scans(replace_scan);
    Some(Ok(()))
}

fn read_arrow() -> TableFunction {
    let callbacks = TableCallbacks {
        bind: bind_table,
        init: init_scan,
        init_thread: init_scan_thread,
        scan: continue_scan,
    };
    // A text, or a list of texts: of two functions with the same name, DuckDB would keep one.
    with_arguments(TableFunction::new(READ, &callbacks).with_argument(&LogicalType::any()))
        .with_named(bind::FILENAME, &LogicalType::boolean())
        .with_named(bind::FILE_ROW_NUMBER, &LogicalType::boolean())
}

/// The arguments that do not add columns.
fn with_arguments(function: TableFunction) -> TableFunction {
    let (text, boolean) = (LogicalType::text(), LogicalType::boolean());
    let function = function
        .with_named(bind::HIVE_PARTITIONING, &boolean)
        .with_named(bind::HIVE_TYPES, &LogicalType::any())
        .with_named(bind::UNION_BY_NAME, &boolean)
        .with_named(bind::CONDITION, &text)
        .with_named(bind::TRUST_STATISTICS, &boolean)
        .with_named(bind::FIRST_FILE_ONLY, &boolean)
        .with_named(bind::TYPES, &LogicalType::map_of(&text, &text));
    let number = LogicalType::int64();
    let function = function.with_named(bind::MAX_SLOTS_WITHOUT_BYTES, &number);
    bind::limits().fold(function, |function, name| function.with_named(&capi::c_text(name), &number))
}

fn copy_function(format: &CStr) -> CopyFunction {
    let callbacks = CopyCallbacks {
        bind: if format == STREAM { bind_copy_stream } else { bind_copy },
        init: init_copy,
        sink: sink_copy,
        end: end_copy,
    };
    let source = TableCallbacks {
        bind: bind_copy_from,
        init: init_scan,
        init_thread: init_scan_thread,
        scan: continue_scan,
    };
    let source = TableFunction::new(format, &source).with_argument(&LogicalType::text());
    CopyFunction::new(format, &callbacks).with_source(&with_arguments(source))
}

fn file_metadata() -> TableFunction {
    let callbacks = TableCallbacks {
        bind: bind_metadata,
        init: init_metadata,
        init_thread: init_metadata_thread,
        scan: continue_metadata,
    };
    TableFunction::new(METADATA, &callbacks).with_argument(&LogicalType::any())
}

fn query_of_folders() -> ScalarFunction {
    let callbacks = ScalarCallbacks { bind: bind_query, call: return_query };
    ScalarFunction::new(QUERY_OF_FOLDERS, &LogicalType::text(), &callbacks)
}

extern "C" fn bind_query(info: sys::duckdb_bind_info) {
    border::answer(ScalarBind::from_callback(info), folders::bind);
}

extern "C" fn return_query(
    info: sys::duckdb_function_info,
    _rows: sys::duckdb_data_chunk,
    result: sys::duckdb_vector,
) {
    border::answer(ScalarCall::from_callback(info), |call| call.fill(result));
}

extern "C" fn bind_metadata(info: sys::duckdb_bind_info) {
    border::answer(TableBind::from_callback(info), metadata::bind);
}

extern "C" fn init_metadata(info: sys::duckdb_init_info) {
    border::answer(TableInit::from_callback(info), metadata::init);
}

extern "C" fn init_metadata_thread(info: sys::duckdb_init_info) {
    border::answer(TableInit::from_callback(info), metadata::init_thread);
}

extern "C" fn continue_metadata(info: sys::duckdb_function_info, chunk: sys::duckdb_data_chunk) {
    let chunk = ChunkRef::from_callback(chunk);
    border::answer(TableScan::from_callback(info), |call| metadata::scan(call, &chunk));
}

extern "C" fn bind_table(info: sys::duckdb_bind_info) {
    border::answer(TableBind::from_callback(info), bind::bind);
}

extern "C" fn init_scan(info: sys::duckdb_init_info) {
    border::answer(TableInit::from_callback(info), scan::init);
}

extern "C" fn init_scan_thread(info: sys::duckdb_init_info) {
    border::answer(TableInit::from_callback(info), scan::init_thread);
}

extern "C" fn continue_scan(info: sys::duckdb_function_info, chunk: sys::duckdb_data_chunk) {
    let chunk = ChunkRef::from_callback(chunk);
    border::answer(TableScan::from_callback(info), |call| scan::scan(call, &chunk));
}

extern "C" fn bind_copy(info: sys::duckdb_copy_function_bind_info) {
    border::answer(CopyBind::from_callback(info), |call| copy::bind(call, WrittenContainer::File));
}

extern "C" fn bind_copy_stream(info: sys::duckdb_copy_function_bind_info) {
    border::answer(CopyBind::from_callback(info), |call| copy::bind(call, WrittenContainer::Stream));
}

extern "C" fn bind_copy_from(info: sys::duckdb_bind_info) {
    border::answer(TableBind::from_callback(info), copy_from::bind);
}

extern "C" fn init_copy(info: sys::duckdb_copy_function_global_init_info) {
    border::answer(CopyInit::from_callback(info), copy::init);
}

extern "C" fn sink_copy(info: sys::duckdb_copy_function_sink_info, chunk: sys::duckdb_data_chunk) {
    let chunk = ChunkRef::from_callback(chunk);
    border::answer(CopySink::from_callback(info), |call| copy::sink(call, &chunk));
}

extern "C" fn end_copy(info: sys::duckdb_copy_function_finalize_info) {
    border::answer(CopyEnd::from_callback(info), copy::end);
}

/// Reads tables whose names are those of Arrow files.
extern "C" fn replace_scan(info: sys::duckdb_replacement_scan_info, name: *const c_char, _data: *mut c_void) {
    border::end_panics(|| {
        let name = capi::table_name(name);
        if WrittenContainer::from_file_name(Path::new(&name)).is_none() {
            return;
        }
        if name.contains(['*', '?', '[']) {
            // DuckDB's own function `query`. The inner one knows the settings of the connection.
            let path = folders::quoted(&name);
            capi::replace_scan(info, c"query", &format!("FROM query(read_arrow_query({path}))"));
        } else {
            capi::replace_scan(info, READ, &name);
        }
    });
}
