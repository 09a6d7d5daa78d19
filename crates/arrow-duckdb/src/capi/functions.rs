//! Table functions and formats of `COPY`, and the phases in which DuckDB calls them.

use std::{
    ffi::{CStr, c_void},
    ptr,
};

use libduckdb_sys as sys;

use super::{LogicalType, Value, c_text, text_at};

/// The user's connection.
struct Context(sys::duckdb_client_context);

impl Context {
    /// A setting, as text.
    fn setting(&self, name: &CStr) -> Option<String> {
        let value = duckdb!(duckdb_client_context_get_config_option(self.0, name.as_ptr(), ptr::null_mut()));
        Value::new(value).map(|value| value.to_text())
    }

    /// Why local files may not be read and written.
    fn refusal_of_files(&self) -> Option<&'static str> {
        if self.setting(c"enable_external_access").is_none_or(|text| text != "true") {
            return Some("enable_external_access is false");
        }
        // DuckDB does not show this setting.
        self.is_folder_refused().then_some("disabled_filesystems has the local file system")
    }

    /// Whether DuckDB's file system does not permit to open the current folder. If it is not found, or no file, that is permitted.
    fn is_folder_refused(&self) -> bool {
        let mut files = duckdb!(duckdb_client_context_get_file_system(self.0));
        let mut options = duckdb!(duckdb_create_file_open_options());
        let read = sys::duckdb_file_flag_DUCKDB_FILE_FLAG_READ;
        duckdb!(duckdb_file_open_options_set_flag(options, read, true));
        let mut file = ptr::null_mut();
        let opened = duckdb!(duckdb_file_system_open(files, c".".as_ptr(), options, &mut file));
        duckdb!(duckdb_destroy_file_handle(&mut file));
        duckdb!(duckdb_destroy_file_open_options(&mut options));
        let mut error = duckdb!(duckdb_file_system_error_data(files));
        let kind = duckdb!(duckdb_error_data_error_type(error));
        duckdb!(duckdb_destroy_error_data(&mut error));
        duckdb!(duckdb_destroy_file_system(&mut files));
        opened != sys::DuckDBSuccess && kind == sys::duckdb_error_type_DUCKDB_ERROR_PERMISSION
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_client_context(&mut self.0));
    }
}

/// Data that DuckDB owns for the extension, and frees.
fn owned_by_duckdb<T: Send>(data: T) -> (*mut c_void, sys::duckdb_delete_callback_t) {
    (Box::into_raw(Box::new(data)).cast(), Some(free::<T>))
}

extern "C" fn free<T>(data: *mut c_void) {
    // SAFETY: `owned_by_duckdb` made it of a box of this type, and DuckDB calls this once.
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
            pub(crate) fn from_callback(info: $handle) -> $name {
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

mod scalar;

pub(crate) use self::scalar::{ScalarBind, ScalarCall, ScalarCallbacks, ScalarFunction};

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

/// A shared reference to data that [`owned_by_duckdb`] gave to DuckDB.
fn borrow<'a, T: Sync>(data: *mut c_void) -> Option<&'a T> {
    // SAFETY: each phase stores data of one type, and its callers name it. DuckDB keeps it until after the last callback, and
    // callers use it within theirs.
    unsafe { data.cast::<T>().as_ref() }
}

impl TableBind {
    /// The arguments without names.
    pub(crate) fn argument(&self, index: u64) -> Option<Value> {
        Value::new(duckdb!(duckdb_bind_get_parameter(self.0, index)))
    }

    /// The value of a named argument, if it is given.
    ///
    /// # Errors
    /// If it is null, such as a variable that is not set.
    pub(crate) fn named(&self, name: &CStr) -> Result<Option<Value>, String> {
        let value = duckdb!(duckdb_bind_get_named_parameter(self.0, name.as_ptr()));
        if value.is_null() {
            return Ok(None);
        }
        let null = || format!("{} is null", name.to_string_lossy());
        Value::new(value).map(Some).ok_or_else(null)
    }

    /// Whether a named argument is true.
    ///
    /// # Errors
    /// Those of [`TableBind::named`].
    pub(crate) fn is_set(&self, name: &CStr) -> Result<bool, String> {
        Ok(self.named(name)?.is_some_and(|value| value.to_bool()))
    }

    /// The names and types of the table's columns, in `COPY … FROM`.
    pub(crate) fn expected_columns(&self) -> Vec<(String, LogicalType)> {
        let n_columns = duckdb!(duckdb_table_function_bind_get_result_column_count(self.0));
        let column = |index| {
            let name = text_at(duckdb!(duckdb_table_function_bind_get_result_column_name(self.0, index)));
            (name, LogicalType(duckdb!(duckdb_table_function_bind_get_result_column_type(self.0, index))))
        };
        (0..n_columns).map(column).collect()
    }

    pub(crate) fn refusal_of_files(&self) -> Option<&'static str> {
        let mut context = ptr::null_mut();
        duckdb!(duckdb_table_function_get_client_context(self.0, &mut context));
        Context(context).refusal_of_files()
    }

    pub(crate) fn add_column(&self, name: &CStr, column: &LogicalType) {
        duckdb!(duckdb_bind_add_result_column(self.0, name.as_ptr(), column.0));
    }

    pub(crate) fn set_n_rows(&self, n_rows: u64, is_exact: bool) {
        duckdb!(duckdb_bind_set_cardinality(self.0, n_rows, is_exact));
    }

    pub(crate) fn store<T: Send + Sync>(&self, data: T) {
        let (data, free) = owned_by_duckdb(data);
        duckdb!(duckdb_bind_set_bind_data(self.0, data, free));
    }
}

impl TableInit {
    /// The data that the table function [stored](TableBind::store).
    pub(crate) fn bound<T: Sync>(&self) -> Option<&T> {
        borrow(duckdb!(duckdb_init_get_bind_data(self.0)))
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

    pub(crate) fn store<T: Send>(&self, data: T) {
        let (data, free) = owned_by_duckdb(data);
        duckdb!(duckdb_init_set_init_data(self.0, data, free));
    }
}

impl TableScan {
    /// The data that [`TableInit::store`] stored for the scan, and for the thread.
    pub(crate) fn data<S: Sync, T>(&mut self) -> Option<(&S, &mut T)> {
        let shared = borrow(duckdb!(duckdb_function_get_init_data(self.0)))?;
        let own = duckdb!(duckdb_function_get_local_init_data(self.0));
        // SAFETY: as in `borrow`; DuckDB passes the data of a thread to one callback at a time.
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

    pub(crate) fn refusal_of_files(&self) -> Option<&'static str> {
        self.context().refusal_of_files()
    }

    /// The time zone of the user's connection.
    pub(crate) fn time_zone(&self) -> String {
        self.context().setting(c"TimeZone").unwrap_or_else(|| "UTC".to_owned())
    }

    pub(crate) fn store<T: Send + Sync>(&self, data: T) {
        let (data, free) = owned_by_duckdb(data);
        duckdb!(duckdb_copy_function_bind_set_bind_data(self.0, data, free));
    }
}

impl CopyInit {
    pub(crate) fn bound<T: Sync>(&self) -> Option<&T> {
        borrow(duckdb!(duckdb_copy_function_global_init_get_bind_data(self.0)))
    }

    pub(crate) fn path(&self) -> String {
        text_at(duckdb!(duckdb_copy_function_global_init_get_file_path(self.0)))
    }

    pub(crate) fn store<T: Send + Sync>(&self, data: T) {
        let (data, free) = owned_by_duckdb(data);
        duckdb!(duckdb_copy_function_global_init_set_global_state(self.0, data, free));
    }
}

impl CopySink {
    pub(crate) fn shared<T: Sync>(&self) -> Option<&T> {
        borrow(duckdb!(duckdb_copy_function_sink_get_global_state(self.0)))
    }
}

impl CopyEnd {
    pub(crate) fn shared<T: Sync>(&self) -> Option<&T> {
        borrow(duckdb!(duckdb_copy_function_finalize_get_global_state(self.0)))
    }
}

/// A table function that is made.
pub(crate) struct TableFunction(pub(super) sys::duckdb_table_function);

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
pub(crate) struct CopyFunction(pub(super) sys::duckdb_copy_function);

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

    /// The table function that `COPY … FROM` calls.
    #[must_use]
    pub(crate) fn with_source(self, source: &TableFunction) -> CopyFunction {
        duckdb!(duckdb_copy_function_set_copy_from_function(self.0, source.0));
        self
    }
}

impl Drop for CopyFunction {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_copy_function(&mut self.0));
    }
}
