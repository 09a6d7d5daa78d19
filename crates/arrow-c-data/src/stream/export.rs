//! Streams for others: callbacks that ask a schema and an iterator.

use std::ffi::{CString, c_char, c_int};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use arrow_data::{ArrayData, DataErrorKind, RecordBatch};
use arrow_schema::{Field, Schema};

use super::ArrowArrayStream;
use crate::error::CDataError;
use crate::{ArrowArray, ArrowSchema};

/// The numbers of `errno` that callbacks return: those that the C stream interface recommends, which are the same on all platforms.
const EIO: c_int = 5;
const EINVAL: c_int = 22;

impl ArrowArrayStream {
    /// A stream of the record batches that an iterator gives. It ends with the iterator, or after its first error, whose text is that of the
    /// stream's error.
    ///
    /// Batches must have the columns of the schema; one that has not is an error of the stream. So is a panic of the
    /// iterator.
    pub fn new<I, E>(schema: impl Into<Arc<Schema>>, batches: I) -> ArrowArrayStream
    where
        I: IntoIterator<Item = Result<RecordBatch, E>>,
        I::IntoIter: Send + 'static,
        E: Display,
    {
        let schema: Arc<Schema> = schema.into();
        let mut batches = batches.into_iter();
        let described = Arc::clone(&schema);
        export(Producer {
            schema: Box::new(move || ArrowSchema::try_from_schema(&described)),
            next: Box::new(move || {
                let batch = match batches.next()? {
                    Ok(batch) => batch,
                    Err(error) => return Some(Err(Failure::of_source(&error))),
                };
                Some(export_batch(&schema, &batch).map_err(|error| Failure::invalid(&error)))
            }),
            state: State::default(),
        })
    }

    /// A stream of arrays, as [`new`](ArrowArrayStream::new) of batches. All arrays are of the type of the field.
    pub fn from_arrays<I, E>(field: Field, arrays: I) -> ArrowArrayStream
    where
        I: IntoIterator<Item = Result<ArrayData, E>>,
        I::IntoIter: Send + 'static,
        E: Display,
    {
        let mut arrays = arrays.into_iter();
        let described = field.clone();
        export(Producer {
            schema: Box::new(move || ArrowSchema::try_from_field(&described)),
            next: Box::new(move || {
                let array = match arrays.next()? {
                    Ok(array) => array,
                    Err(error) => return Some(Err(Failure::of_source(&error))),
                };
                Some(export_array(&field, &array).map_err(|error| Failure::invalid(&error)))
            }),
            state: State::default(),
        })
    }
}

fn export_batch(schema: &Arc<Schema>, batch: &RecordBatch) -> Result<ArrowArray, CDataError> {
    if !Arc::ptr_eq(schema, batch.schema()) {
        schema.check_same_columns(batch.schema()).map_err(DataErrorKind::Schema)?;
    }
    ArrowArray::try_from_batch(batch)
}

fn export_array(field: &Field, array: &ArrayData) -> Result<ArrowArray, CDataError> {
    if !field.data_type().same_type(array.data_type()) {
        let (expected, found) = (field.data_type().clone(), array.data_type().clone());
        return Err(DataErrorKind::TypeMismatch { expected, found }.into());
    }
    ArrowArray::try_from_array(array)
}

/// What an exported stream points to.
struct Producer {
    schema: Box<dyn Fn() -> Result<ArrowSchema, CDataError> + Send>,
    next: Box<dyn FnMut() -> Option<Result<ArrowArray, Failure>> + Send>,
    state: State,
}

#[derive(Default)]
struct State {
    is_ended: bool,
    last_error: Option<CString>,
}

/// Why a callback failed.
struct Failure {
    code: c_int,
    text: String,
}

impl Failure {
    fn of_source(error: &impl Display) -> Failure {
        Failure { code: EIO, text: error.to_string() }
    }

    fn invalid(error: &CDataError) -> Failure {
        Failure { code: EINVAL, text: error.to_string() }
    }
}

impl Producer {
    fn schema(&mut self) -> Result<ArrowSchema, Failure> {
        (self.schema)().map_err(|error| Failure::invalid(&error))
    }

    /// The next array, or a released one at the end.
    fn next(&mut self) -> Result<ArrowArray, Failure> {
        if self.state.is_ended {
            return Ok(ArrowArray::empty());
        }
        // Until it is known that more follows: an iterator that has panicked is not asked again.
        self.state.is_ended = true;
        let panicked =
            |_| Some(Err(Failure { code: EIO, text: "the source of the stream has panicked".to_owned() }));
        match catch_unwind(AssertUnwindSafe(&mut self.next)).unwrap_or_else(panicked) {
            Some(Ok(array)) => {
                self.state.is_ended = false;
                Ok(array)
            }
            Some(Err(failure)) => Err(failure),
            None => Ok(ArrowArray::empty()),
        }
    }

    /// Keeps the text of a failure, and gives its code.
    fn finish<T>(&mut self, result: Result<T, Failure>) -> Result<T, c_int> {
        self.state.last_error = None;
        result.map_err(|failure| {
            // A text of C ends at its first NUL.
            let text: Vec<u8> = failure.text.into_bytes().into_iter().filter(|byte| *byte != 0).collect();
            self.state.last_error = CString::new(text).ok();
            failure.code
        })
    }
}

fn export(producer: Producer) -> ArrowArrayStream {
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(Box::new(producer)).cast(),
    }
}

/// The producer of an exported stream.
///
/// # Safety
/// `stream` is one that [`export`] made, wherever it was moved to, and is not released; nobody else uses it meanwhile.
unsafe fn producer<'a>(stream: *mut ArrowArrayStream) -> &'a mut Producer {
    // SAFETY: the caller's promise.
    let private_data = unsafe { &*stream }.private_data;
    // SAFETY: `export` set it to what `Box::into_raw` gave, and it lives until the stream is released.
    unsafe { &mut *private_data.cast::<Producer>() }
}

/// # Safety
/// As [`producer`]; `out` is valid for writes.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the contract of the callback.
    let producer = unsafe { producer(stream) };
    let schema = producer.schema();
    match producer.finish(schema) {
        Ok(schema) => {
            // SAFETY: the contract of the callback.
            unsafe { schema.write_to(out) };
            0
        }
        Err(code) => code,
    }
}

/// # Safety
/// As [`producer`]; `out` is valid for writes.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the contract of the callback.
    let producer = unsafe { producer(stream) };
    let array = producer.next();
    match producer.finish(array) {
        Ok(array) => {
            // SAFETY: the contract of the callback.
            unsafe { array.write_to(out) };
            0
        }
        Err(code) => code,
    }
}

/// # Safety
/// As [`producer`].
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the contract of the callback.
    let producer = unsafe { producer(stream) };
    producer.state.last_error.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

/// # Safety
/// `stream` is one that [`export`] made, wherever it was moved to, and is not released.
unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the contract of the callback.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: `export` set it to what `Box::into_raw` gave, and this is called once, since `release` is null now.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<Producer>()) });
}
