//! The functions that the test harness calls.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{fs, ptr};

use arrow_c_data::{ArrowArray, ArrowSchema, Validation};
use integration::{Checks, Document, compare_batch, compare_schema};

use crate::allocated;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// # Safety
/// `json_path` is a string of C; `out` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arrow_c_data_integration_export_schema_from_json(
    json_path: *const c_char,
    out: *mut ArrowSchema,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(json_path) };
    answer(|| {
        let schema = ArrowSchema::try_from_schema(read(path)?.schema().schema())?;
        // SAFETY: the caller's promise.
        unsafe { schema.write_to(out) };
        Ok(())
    })
}

/// # Safety
/// `json_path` is a string of C; `schema` is valid for reads and writes, and keeps the contract of `arrow-c-data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arrow_c_data_integration_import_schema_and_compare_to_json(
    json_path: *const c_char,
    schema: *mut ArrowSchema,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(json_path) };
    // SAFETY: the caller's promise.
    let schema = unsafe { ArrowSchema::from_raw(schema) };
    answer(|| Ok(compare_schema(&read(path)?, &schema.to_schema()?)?))
}

/// # Safety
/// `json_path` is a string of C; `out` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arrow_c_data_integration_export_batch_from_json(
    json_path: *const c_char,
    num_batch: c_int,
    out: *mut ArrowArray,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(json_path) };
    answer(|| {
        let document = read(path)?;
        let batch = usize::try_from(num_batch).ok().and_then(|idx| document.batches().get(idx));
        let batch = batch.ok_or_else(|| format!("there is no batch {num_batch}"))?;
        // SAFETY: the caller's promise.
        unsafe { ArrowArray::try_from_batch(batch)?.write_to(out) };
        Ok(())
    })
}

/// # Safety
/// `json_path` is a string of C; `array` is valid for reads and writes, keeps the contract of `arrow-c-data`, and is a batch of the document's schema.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arrow_c_data_integration_import_batch_and_compare_to_json(
    json_path: *const c_char,
    num_batch: c_int,
    array: *mut ArrowArray,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(json_path) };
    // SAFETY: the caller's promise.
    let array = unsafe { ArrowArray::from_raw(array) };
    answer(|| {
        let document = read(path)?;
        let schema = document.schema().schema().clone();
        // SAFETY: the caller promises that it is a batch of this schema.
        let batch = unsafe { array.import_batch(schema, Validation::Content) }?;
        let idx = usize::try_from(num_batch)?;
        Ok(compare_batch(&document, idx, &batch, &Checks::default())?)
    })
}

/// The number of bytes that the library has allocated and not freed.
#[unsafe(no_mangle)]
pub extern "C" fn arrow_c_data_integration_bytes_allocated() -> i64 {
    allocated::n_bytes()
}

/// # Safety
/// `error` is null, or was returned by a function of this library and not given back yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arrow_c_data_integration_free_error(error: *const c_char) {
    if !error.is_null() {
        // SAFETY: `answer` made it.
        drop(unsafe { CString::from_raw(error.cast_mut()) });
    }
}

/// Defines further names for the same functions.
macro_rules! also_called {
    ($($name:ident = $function:ident($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($parameter: $type),*) -> $result {
                // SAFETY: the promises are the same.
                unsafe { $function($($parameter),*) }
            }
        )*
    };
}

also_called! {
    arrow_rs_cdata_integration_export_schema_from_json =
        arrow_c_data_integration_export_schema_from_json(json_path: *const c_char, out: *mut ArrowSchema) -> *const c_char;
    arrow_rs_cdata_integration_import_schema_and_compare_to_json =
        arrow_c_data_integration_import_schema_and_compare_to_json(json_path: *const c_char, schema: *mut ArrowSchema) -> *const c_char;
    arrow_rs_cdata_integration_export_batch_from_json =
        arrow_c_data_integration_export_batch_from_json(json_path: *const c_char, num_batch: c_int, out: *mut ArrowArray) -> *const c_char;
    arrow_rs_cdata_integration_import_batch_and_compare_to_json =
        arrow_c_data_integration_import_batch_and_compare_to_json(json_path: *const c_char, num_batch: c_int, array: *mut ArrowArray) -> *const c_char;
    arrow_rs_free_error = arrow_c_data_integration_free_error(error: *const c_char) -> ();
}

fn read(path: &CStr) -> Result<Document> {
    let path = path.to_str()?;
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(Document::parse(&text)?)
}

/// Null, or the text of the error. A panic must not unwind into the harness, so its text is returned, too.
fn answer(work: impl FnOnce() -> Result<()>) -> *const c_char {
    let text = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return ptr::null(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the library has panicked".to_owned(),
    };
    // A text of C ends at its first NUL.
    let text: Vec<u8> = text.into_bytes().into_iter().filter(|byte| *byte != 0).collect();
    CString::new(text).map_or(ptr::null(), |text| text.into_raw().cast_const())
}
