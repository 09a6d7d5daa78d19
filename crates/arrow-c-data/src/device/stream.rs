//! `ArrowDeviceArrayStream`: a stream of arrays in memory of one device. For the CPU it is a stream like any other, in another structure: each
//! of the two can be made of the other.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use super::{ArrowDeviceArray, CPU, check_device};
use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::{drop_without_unwinding, structure};
use crate::stream::{ArrowArrayStream, Failure, Producer, Source, failure};
use crate::{ArrowArray, ArrowSchema};

/// A source of [`ArrowDeviceArray`]s that all have one type and are in memory of one type of device, as the C device data interface
/// describes it.
///
/// ```
/// use arrow_c_data::{ArrowArrayStream, ArrowDeviceArrayStream, ImportOptions};
/// use arrow_data::{ArrayData, DataError, RecordBatch};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let stream = ArrowArrayStream::new(batch.schema().clone(), [Ok::<_, DataError>(batch)]);
/// let on_cpu = ArrowDeviceArrayStream::from(stream);
/// let batches = on_cpu.into_stream()?.into_batches(&ImportOptions::default())?;
/// assert_eq!(batches.count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Specification: "The ArrowDeviceArrayStream structure".
#[repr(C)]
pub struct ArrowDeviceArrayStream {
    device_type: i32,
    get_schema: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream, *mut ArrowDeviceArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream)>,
    private_data: *mut c_void,
}

structure!(
    ArrowDeviceArrayStream,
    ArrowDeviceArrayStream {
        device_type: CPU,
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: ptr::null_mut(),
    }
);

// SAFETY: the contract says that the callbacks may be called on any thread, by one at a time.
unsafe impl Send for ArrowDeviceArrayStream {}

impl ArrowDeviceArrayStream {
    /// The device type of all arrays: 1 is the CPU.
    pub fn device_type(&self) -> i32 {
        self.device_type
    }

    /// The stream of arrays, if they are in memory of the CPU. An array that is not is an error of that stream.
    ///
    /// # Errors
    /// If the structure is released, or says another device. It is released then.
    pub fn into_stream(self) -> Result<ArrowArrayStream, CDataError> {
        self.check_not_released()?;
        check_device(self.device_type)?;
        Ok(ArrowArrayStream::from_source(self))
    }

    fn check_not_released(&self) -> Result<(), CDataError> {
        match self.release {
            Some(_) => Ok(()),
            None => Err(Kind::Released { structure: STRUCTURE }.into()),
        }
    }

    fn schema(&mut self) -> Result<ArrowSchema, CDataError> {
        self.check_not_released()?;
        let get_schema = self.get_schema.ok_or(null("get_schema"))?;
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream keeps the contract and is not released; the target is a released structure of ours.
        let code = unsafe { get_schema(self, &mut schema) };
        self.check_code(code)?;
        Ok(schema)
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, CDataError> {
        self.check_not_released()?;
        let get_next = self.get_next.ok_or(null("get_next"))?;
        let mut array = ArrowDeviceArray::empty();
        // SAFETY: the stream keeps the contract and is not released; the target is a released structure of ours.
        let code = unsafe { get_next(self, &mut array) };
        self.check_code(code)?;
        if array.is_released() { Ok(None) } else { array.into_array().map(Some) }
    }

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

const STRUCTURE: Structure = Structure::ArrowDeviceArrayStream;

fn null(member: &'static str) -> Kind {
    Kind::NullMember { structure: STRUCTURE, member }
}

impl Source for ArrowDeviceArrayStream {
    fn schema(&mut self) -> Result<ArrowSchema, Failure> {
        Ok(ArrowDeviceArrayStream::schema(self)?)
    }

    fn next(&mut self) -> Result<Option<ArrowArray>, Failure> {
        Ok(ArrowDeviceArrayStream::next(self)?)
    }
}

impl From<ArrowArrayStream> for ArrowDeviceArrayStream {
    /// The same arrays, in memory of the CPU.
    fn from(stream: ArrowArrayStream) -> ArrowDeviceArrayStream {
        ArrowDeviceArrayStream {
            device_type: CPU,
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private_data: Box::into_raw(Box::new(Producer::new(stream))).cast(),
        }
    }
}

/// The producer of an exported stream.
///
/// # Safety
/// `stream` is one that `from` made, wherever it was moved to, and is not released; nobody else uses it meanwhile.
unsafe fn producer<'a>(stream: *mut ArrowDeviceArrayStream) -> &'a mut Producer {
    // SAFETY: the caller's promise.
    let private_data = unsafe { &*stream }.private_data;
    // SAFETY: `from` set it to what `Box::into_raw` gave, and it lives until the stream is released.
    unsafe { &mut *private_data.cast::<Producer>() }
}

/// # Safety
/// As [`producer`]; `out` is valid for writes.
unsafe extern "C" fn get_schema(stream: *mut ArrowDeviceArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the contract of the callback.
    let producer = unsafe { producer(stream) };
    match producer.schema() {
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
unsafe extern "C" fn get_next(stream: *mut ArrowDeviceArrayStream, out: *mut ArrowDeviceArray) -> c_int {
    // SAFETY: the contract of the callback.
    let producer = unsafe { producer(stream) };
    match producer.next() {
        Ok(array) => {
            // SAFETY: the contract of the callback.
            unsafe { ArrowDeviceArray::new(array).write_to(out) };
            0
        }
        Err(code) => code,
    }
}

/// # Safety
/// As [`producer`].
unsafe extern "C" fn get_last_error(stream: *mut ArrowDeviceArrayStream) -> *const c_char {
    // SAFETY: the contract of the callback.
    let producer = unsafe { producer(stream) };
    producer.last_error()
}

/// # Safety
/// `stream` is one that `from` made, wherever it was moved to, and is not released.
unsafe extern "C" fn release(stream: *mut ArrowDeviceArrayStream) {
    // SAFETY: the contract of the callback.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: `from` set it to what `Box::into_raw` gave, and this is called once, since `release` is null now.
    drop_without_unwinding(unsafe { Box::from_raw(stream.private_data.cast::<Producer>()) });
}
