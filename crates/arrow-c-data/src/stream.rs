//! `ArrowArrayStream`: arrays or record batches, one after the other.

mod export;
mod import;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::structure;
use crate::{ArrowArray, ArrowSchema};

pub(crate) use self::export::{Failure, Producer, Source};
pub use self::import::{ArrayReader, BatchReader};

/// A source of arrays or record batches that all have one type, as the C stream interface describes it.
///
/// A value keeps [the contract](crate#the-contract): it comes from this crate, or the caller of
/// [`from_raw`](ArrowArrayStream::from_raw) has promised it. It is released when it is dropped; what it has given lives on.
///
/// ```
/// use arrow_c_data::{ArrowArrayStream, ImportOptions};
/// use arrow_data::{ArrayData, DataError, RecordBatch};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let batches = vec![Ok::<_, DataError>(batch.clone()), Ok(batch.clone())];
/// let stream = ArrowArrayStream::new(batch.schema().clone(), batches);
///
/// let reader = stream.into_batches(&ImportOptions::default())?;
/// assert_eq!(reader.schema(), batch.schema());
/// assert_eq!(reader.collect::<Result<Vec<_>, _>>()?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Specification: "The ArrowArrayStream structure".
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

structure!(
    ArrowArrayStream,
    ArrowArrayStream {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: ptr::null_mut(),
    }
);

// SAFETY: the contract says that the callbacks may be called on any thread, by one at a time.
unsafe impl Send for ArrowArrayStream {}

impl ArrowArrayStream {
    /// The schema of a struct, or the field of any other array.
    fn schema(&mut self) -> Result<ArrowSchema, CDataError> {
        self.check_not_released()?;
        let get_schema = self.get_schema.ok_or(null("get_schema"))?;
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream keeps the contract and is not released; the target is a released structure of ours.
        let code = unsafe { get_schema(self, &mut schema) };
        self.check_code(code)?;
        Ok(schema)
    }

    /// The next array; `None` at the end.
    fn next(&mut self) -> Result<Option<ArrowArray>, CDataError> {
        self.check_not_released()?;
        let get_next = self.get_next.ok_or(null("get_next"))?;
        let mut array = ArrowArray::empty();
        // SAFETY: the stream keeps the contract and is not released; the target is a released structure of ours.
        let code = unsafe { get_next(self, &mut array) };
        self.check_code(code)?;
        Ok((!array.is_released()).then_some(array))
    }

    fn check_not_released(&self) -> Result<(), CDataError> {
        match self.release {
            Some(_) => Ok(()),
            None => Err(Kind::Released { structure: Structure::ArrowArrayStream }.into()),
        }
    }

    /// An error with its text, unless the code is 0.
    fn check_code(&mut self, code: c_int) -> Result<(), CDataError> {
        if code == 0 {
            return Ok(());
        }
        let text = match self.get_last_error {
            // SAFETY: the stream keeps the contract and is not released, and its last callback has failed.
            Some(get_last_error) => unsafe { get_last_error(self) },
            None => ptr::null(),
        };
        // SAFETY: it was just given.
        Err(unsafe { failure(code, text) })
    }
}

impl Source for ArrowArrayStream {
    fn schema(&mut self) -> Result<ArrowSchema, Failure> {
        Ok(ArrowArrayStream::schema(self)?)
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, Failure> {
        Ok(ArrowArrayStream::next(self)?)
    }
}

/// The error of a callback that has failed with this code and text.
///
/// # Safety
/// The text is null, or ends with a NUL and was given by `get_last_error` since another callback was called.
pub(crate) unsafe fn failure(code: c_int, text: *const c_char) -> CDataError {
    let text = if text.is_null() {
        None
    } else {
        // SAFETY: the caller's promise. It is copied at once.
        let text = unsafe { CStr::from_ptr(text) };
        Some(text.to_string_lossy().into_owned())
    };
    Kind::Stream { code, text }.into()
}

fn null(member: &'static str) -> Kind {
    Kind::NullMember { structure: Structure::ArrowArrayStream, member }
}
