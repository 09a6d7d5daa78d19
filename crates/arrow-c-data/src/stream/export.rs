//! Exports streams: callbacks that use a schema and an iterator.

use std::ffi::{CString, c_char, c_int};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use arrow_data::{ArrayData, DataErrorKind, RecordBatch};
use arrow_error::ErrorClass;
use arrow_schema::{Field, Schema};

use super::{ArrowArrayStream, Item, Stream};
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::raw::{CStructure, keep};
use crate::{ArrowArray, ArrowSchema};

/// The `errno` codes that callbacks return, as the C stream interface recommends. They are the same on all platforms.
const EIO: c_int = 5;
const ENOMEM: c_int = 12;
const EINVAL: c_int = 22;

impl ArrowArrayStream {
    /// Makes a stream of the record batches of an iterator. The stream ends when the iterator ends. After the first
    /// error of the iterator, each further call fails in the same way. The text of the error becomes the error text of
    /// the stream.
    ///
    /// A batch that does not have the columns of the schema is an error of the stream, and so is a panic of the
    /// iterator. A panic while the iterator is dropped is caught.
    pub fn new<I, E>(schema: impl Into<Arc<Schema>>, batches: I) -> ArrowArrayStream
    where
        I: IntoIterator<Item = Result<RecordBatch, E>>,
        I::IntoIter: Send + 'static,
        E: Display,
    {
        ArrowArrayStream::from_source(BatchSource { schema: schema.into(), batches: batches.into_iter() })
    }

    /// Makes a stream of arrays. Works like [`new`](ArrowArrayStream::new), but with arrays in place of batches. All
    /// arrays must have the type of the field.
    pub fn from_arrays<I, E>(field: Field, arrays: I) -> ArrowArrayStream
    where
        I: IntoIterator<Item = Result<ArrayData, E>>,
        I::IntoIter: Send + 'static,
        E: Display,
    {
        ArrowArrayStream::from_source(Arrays { field, arrays: arrays.into_iter() })
    }

    /// Makes a stream of the arrays that `source` returns.
    pub(crate) fn from_source(source: impl ArraySource + 'static) -> ArrowArrayStream {
        ArrowArrayStream(Stream::export((), source))
    }
}

pub(crate) trait ArraySource: Send {
    /// The structure that describes the arrays: a schema for batches, a field for other arrays.
    fn schema(&mut self) -> Result<ArrowSchema, CallbackFailure>;

    /// The next array; `None` at the end.
    fn next(&mut self) -> Result<Option<ArrowArray>, CallbackFailure>;
}

impl<T: Item> ArraySource for Stream<T> {
    fn schema(&mut self) -> Result<ArrowSchema, CallbackFailure> {
        Ok(Stream::schema(self)?)
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, CallbackFailure> {
        Ok(Stream::next(self)?)
    }
}

struct BatchSource<I> {
    schema: Arc<Schema>,
    batches: I,
}

impl<I: Iterator<Item = Result<RecordBatch, E>> + Send, E: Display> ArraySource for BatchSource<I> {
    fn schema(&mut self) -> Result<ArrowSchema, CallbackFailure> {
        Ok(ArrowSchema::try_from_schema(&self.schema)?)
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, CallbackFailure> {
        let batch = self.batches.next().transpose().map_err(|error| CallbackFailure::from_source(&error))?;
        Ok(batch.map(|batch| export_batch(&self.schema, &batch)).transpose()?)
    }
}

struct Arrays<I> {
    field: Field,
    arrays: I,
}

impl<I: Iterator<Item = Result<ArrayData, E>> + Send, E: Display> ArraySource for Arrays<I> {
    fn schema(&mut self) -> Result<ArrowSchema, CallbackFailure> {
        Ok(ArrowSchema::try_from_field(&self.field)?)
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, CallbackFailure> {
        let array = self.arrays.next().transpose().map_err(|error| CallbackFailure::from_source(&error))?;
        Ok(array.map(|array| export_array(&self.field, &array)).transpose()?)
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

#[derive(Clone)]
pub(crate) struct CallbackFailure {
    code: c_int,
    text: Option<String>,
}

impl CallbackFailure {
    fn from_source(error: &impl Display) -> CallbackFailure {
        CallbackFailure { code: EIO, text: Some(error.to_string()) }
    }
}

impl From<CDataError> for CallbackFailure {
    /// If an imported stream is exported again, its error code and text are passed on.
    fn from(error: CDataError) -> CallbackFailure {
        if let Kind::Stream { code, text } = error.kind() {
            return CallbackFailure { code: *code, text: text.clone() };
        }
        let code = if error.class() == ErrorClass::OutOfMemory { ENOMEM } else { EINVAL };
        CallbackFailure { code, text: Some(error.to_string()) }
    }
}

struct Producer {
    source: Box<dyn ArraySource>,
    is_ended: bool,
    /// The error that ended the stream. Later calls return it again, so that callers do not take the stream for
    /// complete.
    failure: Option<CallbackFailure>,
    last_error: Option<CString>,
}

impl Producer {
    /// The schema, or an error code.
    fn schema(&mut self) -> Result<ArrowSchema, c_int> {
        let schema = caught(|| self.source.schema());
        self.finish(schema)
    }

    /// Returns the next array, or a released array at the end. Returns an error code if the iterator fails, or has
    /// failed before.
    fn next(&mut self) -> Result<ArrowArray, c_int> {
        if self.is_ended {
            let end = self.failure.clone().map_or_else(|| Ok(ArrowArray::empty()), Err);
            return self.finish(end);
        }
        // The stream counts as ended until the iterator has returned an item, so an iterator that has panicked is not
        // used again.
        self.is_ended = true;
        let next = caught(|| self.source.next());
        self.is_ended = !matches!(next, Ok(Some(_)));
        self.failure = next.as_ref().err().cloned();
        self.finish(next.map(Option::unwrap_or_default))
    }

    /// The text of the last failure, or null.
    fn last_error(&self) -> *const c_char {
        self.last_error.as_ref().map_or(ptr::null(), |text| text.as_ptr())
    }

    /// Stores the text of a failure, and returns its code.
    fn finish<T>(&mut self, result: Result<T, CallbackFailure>) -> Result<T, c_int> {
        self.last_error = None;
        result.map_err(|failure| {
            // A C string ends at its first NUL, so NULs are removed.
            let without_nul =
                |text: String| text.into_bytes().into_iter().filter(|byte| *byte != 0).collect::<Vec<_>>();
            self.last_error = failure.text.and_then(|text| CString::new(without_nul(text)).ok());
            failure.code
        })
    }
}

/// Calls a source. A panic, which must not unwind into C code, is a failure.
fn caught<T>(call: impl FnOnce() -> Result<T, CallbackFailure>) -> Result<T, CallbackFailure> {
    let panicked = |_| {
        Err(CallbackFailure { code: EIO, text: Some("the source of the stream has panicked".to_owned()) })
    };
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(panicked)
}

impl<T: Item> Stream<T> {
    pub(crate) fn export(head: T::Head, source: impl ArraySource + 'static) -> Stream<T> {
        let producer =
            Producer { source: Box::new(source), is_ended: false, failure: None, last_error: None };
        let (private_data, release) = keep(Box::new(producer));
        Stream {
            head,
            get_schema: Some(get::<T, ArrowSchema>),
            get_next: Some(get::<T, T>),
            get_last_error: Some(get_last_error),
            release,
            private_data,
        }
    }
}

/// The methods of a producer that callbacks need.
trait Answer: Default {
    fn ask(producer: &mut Producer) -> Result<Self, c_int>;
}

impl Answer for ArrowSchema {
    fn ask(producer: &mut Producer) -> Result<ArrowSchema, c_int> {
        producer.schema()
    }
}

impl<T: Item> Answer for T {
    fn ask(producer: &mut Producer) -> Result<T, c_int> {
        producer.next().map(T::from_array)
    }
}

/// # Safety
/// [`Stream::export`] made the stream, which may have been moved and is not released; no other code uses it during the
/// call. `out` is valid for writes, and aligned.
unsafe extern "C" fn get<T: Item, U: Answer>(stream: &mut Stream<T>, out: *mut U) -> c_int {
    // SAFETY: `export` has set `private_data` to the box that `keep` has turned into a pointer. The box lives until the
    // stream is released.
    let producer = unsafe { &mut *stream.private_data().cast::<Producer>() };
    let answer = U::ask(producer);
    let code = answer.as_ref().err().copied().unwrap_or_default();
    // After an error, the target is a released structure, so that consumers may release it in any case.
    let answer = answer.unwrap_or_default();
    // SAFETY: the contract of the callback says that `out` is valid for writes, and aligned.
    unsafe { out.write(answer) };
    code
}

/// # Safety
/// [`Stream::export`] made the stream, which may have been moved and is not released; no other code uses it during the
/// call.
unsafe extern "C" fn get_last_error<T: Item>(stream: &mut Stream<T>) -> *const c_char {
    // SAFETY: `export` has set `private_data` to the box that `keep` has turned into a pointer. The box lives until the
    // stream is released.
    let producer = unsafe { &*stream.private_data().cast::<Producer>() };
    producer.last_error()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Panics;

    impl ArraySource for Panics {
        fn schema(&mut self) -> Result<ArrowSchema, CallbackFailure> {
            std::panic::resume_unwind(Box::new("on purpose"))
        }

        fn next(&mut self) -> Result<Option<ArrowArray>, CallbackFailure> {
            Ok(None)
        }
    }

    #[test]
    fn a_panic_for_a_schema_is_a_failure() {
        let stream = ArrowArrayStream::from_source(Panics);
        let error = stream.into_batches(arrow_data::Validation::Content).unwrap_err();
        let text = Some("the source of the stream has panicked".to_owned());
        assert_eq!(error.kind(), &Kind::Stream { code: EIO, text });
    }
}
