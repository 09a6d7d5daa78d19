//! Scalar functions with one constant argument, which are called when a query is planned.

use std::{
    ffi::{CStr, c_void},
    ptr,
};

use libduckdb_sys as sys;

use super::super::{LogicalType, Value, checked};
use super::{Context, borrow, c_text, owned_by_duckdb};

phase!(
    /// A scalar function is called with an argument.
    ScalarBind, sys::duckdb_bind_info, duckdb_scalar_function_bind_set_error
);
phase!(
    /// A scalar function returns values.
    ScalarCall, sys::duckdb_function_info, duckdb_scalar_function_set_error
);

impl ScalarBind {
    fn context(&self) -> Context {
        let mut context = ptr::null_mut();
        duckdb!(duckdb_scalar_function_get_client_context(self.0, &mut context));
        Context(context)
    }

    pub(crate) fn refusal_of_files(&self) -> Option<&'static str> {
        self.context().refusal_of_files()
    }

    /// The value of the argument; `None` for null, and if it is not constant.
    ///
    /// # Errors
    /// If the argument cannot be evaluated.
    pub(crate) fn constant(&self) -> Result<Option<Value>, String> {
        let context = self.context();
        let mut argument = duckdb!(duckdb_scalar_function_bind_get_argument(self.0, 0));
        let mut value = ptr::null_mut();
        let error = duckdb!(duckdb_expression_fold(context.0, argument, &mut value));
        duckdb!(duckdb_destroy_expression(&mut argument));
        checked(error).map(|()| Value::new(value))
    }

    /// Stores the text that the function returns.
    pub(crate) fn store(&self, text: String) {
        let (data, free) = owned_by_duckdb(text);
        duckdb!(duckdb_scalar_function_set_bind_data(self.0, data, free));
        duckdb!(duckdb_scalar_function_set_bind_data_copy(self.0, Some(copy)));
    }
}

/// Copies the data of [`ScalarBind::store`].
extern "C" fn copy(data: *mut c_void) -> *mut c_void {
    let mut copied = ptr::null_mut();
    crate::border::end_panics(|| {
        if let Some(text) = borrow::<String>(data) {
            copied = owned_by_duckdb(text.clone()).0;
        }
    });
    copied
}

impl ScalarCall {
    /// Gives all rows the text that [`ScalarBind::store`] stored.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn fill(&self, rows: sys::duckdb_vector) -> Result<(), String> {
        let text: &String =
            borrow(duckdb!(duckdb_scalar_function_get_bind_data(self.0))).ok_or("the call has no data")?;
        duckdb!(duckdb_vector_reference_value(rows, Value::text(text).0));
        Ok(())
    }
}

/// A scalar function that is made.
pub(crate) struct ScalarFunction(pub(in super::super) sys::duckdb_scalar_function);

/// The callbacks of a scalar function, in the order in which DuckDB calls them.
pub(crate) struct ScalarCallbacks {
    pub(crate) bind: extern "C" fn(sys::duckdb_bind_info),
    pub(crate) call: extern "C" fn(sys::duckdb_function_info, sys::duckdb_data_chunk, sys::duckdb_vector),
}

impl ScalarFunction {
    /// A function that makes a text of one argument.
    pub(crate) fn new(name: &CStr, argument: &LogicalType, callbacks: &ScalarCallbacks) -> ScalarFunction {
        let function = duckdb!(duckdb_create_scalar_function());
        duckdb!(duckdb_scalar_function_set_name(function, name.as_ptr()));
        duckdb!(duckdb_scalar_function_add_parameter(function, argument.0));
        duckdb!(duckdb_scalar_function_set_return_type(function, LogicalType::text().0));
        duckdb!(duckdb_scalar_function_set_bind(function, Some(callbacks.bind)));
        duckdb!(duckdb_scalar_function_set_function(function, Some(callbacks.call)));
        ScalarFunction(function)
    }
}

impl Drop for ScalarFunction {
    fn drop(&mut self) {
        duckdb!(duckdb_destroy_scalar_function(&mut self.0));
    }
}
