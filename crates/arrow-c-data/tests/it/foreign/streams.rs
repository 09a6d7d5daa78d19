//! Makes `ArrowArrayStream` structures as another library does.

use std::collections::VecDeque;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_c_data::ArrowArrayStream;

use super::arrays::CArray;
use super::schemas::CSchema;
use super::{Ledger, SchemaSketch, Sketch};

/// `struct ArrowArrayStream`, as the specification declares it.
#[repr(C)]
pub(crate) struct CStream {
    pub(crate) get_schema: Option<unsafe extern "C" fn(*mut CStream, *mut CSchema) -> c_int>,
    pub(crate) get_next: Option<unsafe extern "C" fn(*mut CStream, *mut CArray) -> c_int>,
    pub(crate) get_last_error: Option<unsafe extern "C" fn(*mut CStream) -> *const c_char>,
    pub(crate) release: Option<unsafe extern "C" fn(*mut CStream)>,
    pub(crate) private_data: *mut c_void,
}

const _: () = assert!(size_of::<CStream>() == size_of::<ArrowArrayStream>());

/// What a callback does.
#[derive(Debug, Clone)]
pub(crate) enum Answer<T> {
    /// Writes a structure to the target, and returns 0.
    Filled(T),
    /// Leaves the released structure in the target, and returns 0.
    Nothing,
    /// Returns this error code; `get_last_error` returns this text.
    Failure(c_int, Option<&'static [u8]>),
    /// Writes invalid bytes to the target, and returns this error code. The member `release` of the target points to
    /// [`release_garbage`].
    Garbage(c_int),
}

/// The number of calls of [`release_garbage`].
static N_GARBAGE_RELEASED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn release_garbage<T>(_: *mut T) {
    N_GARBAGE_RELEASED.fetch_add(1, Ordering::SeqCst);
}

/// Whether no test has released invalid bytes so far.
pub(crate) fn is_garbage_left_alone() -> bool {
    N_GARBAGE_RELEASED.load(Ordering::SeqCst) == 0
}

/// Fills the target with bytes that are not a valid structure.
unsafe fn litter<T>(out: *mut T) {
    // SAFETY: the caller's promise: the target is valid for writes.
    unsafe { out.write_bytes(0x5a, 1) };
}

/// The behaviour of a stream.
#[derive(Debug, Clone)]
pub(crate) struct StreamSketch {
    pub(crate) schema: Answer<SchemaSketch>,
    /// The results of `get_next`; after them, the stream ends.
    pub(crate) arrays: Vec<Answer<Sketch>>,
    pub(crate) has_callbacks: bool,
    pub(crate) has_last_error: bool,
}

struct PrivateData {
    schema: Answer<SchemaSketch>,
    arrays: VecDeque<Answer<Sketch>>,
    last_error: Option<CString>,
    ledger: Ledger,
}

impl StreamSketch {
    /// Makes the structure, and moves it into this crate's type.
    pub(crate) fn give(&self, ledger: &Ledger) -> ArrowArrayStream {
        ledger.made();
        let private = PrivateData {
            schema: self.schema.clone(),
            arrays: self.arrays.iter().cloned().collect(),
            last_error: None,
            ledger: ledger.clone(),
        };
        let mut stream = CStream {
            get_schema: self.has_callbacks.then_some(get_schema),
            get_next: self.has_callbacks.then_some(get_next),
            get_last_error: self.has_last_error.then_some(get_last_error),
            release: Some(release),
            private_data: Box::into_raw(Box::new(private)).cast(),
        };
        // SAFETY: it is as large, and what it points to lives until it is released.
        let given = unsafe { ArrowArrayStream::from_raw((&raw mut stream).cast()) };
        assert!(stream.release.is_none(), "the source is marked as released");
        given
    }
}

/// The private data of a stream.
unsafe fn private<'a>(stream: *mut CStream) -> &'a mut PrivateData {
    // SAFETY: the caller's promise.
    let stream = unsafe { &*stream };
    // SAFETY: `give` made it, and it lives until the stream is released.
    unsafe { &mut *stream.private_data.cast::<PrivateData>() }
}

fn fail(private: &mut PrivateData, code: c_int, text: Option<&'static [u8]>) -> c_int {
    private.last_error = text.map(|text| CString::new(text).expect("no NUL"));
    code
}

unsafe extern "C" fn get_schema(stream: *mut CStream, out: *mut CSchema) -> c_int {
    // SAFETY: the caller's promise.
    let private = unsafe { private(stream) };
    match private.schema.clone() {
        Answer::Filled(schema) => {
            let schema = schema.build(&private.ledger);
            // SAFETY: the caller's promise.
            unsafe { out.write(schema) };
            0
        }
        Answer::Nothing => 0,
        Answer::Failure(code, text) => fail(private, code, text),
        Answer::Garbage(code) => {
            // SAFETY: the caller's promise.
            unsafe { litter(out) };
            // SAFETY: as before; any bytes are pointers and numbers.
            unsafe { &mut *out }.release = Some(release_garbage);
            fail(private, code, Some(b"half done"))
        }
    }
}

unsafe extern "C" fn get_next(stream: *mut CStream, out: *mut CArray) -> c_int {
    // SAFETY: the caller's promise.
    let private = unsafe { private(stream) };
    match private.arrays.pop_front() {
        Some(Answer::Filled(array)) => {
            let array = array.build(&private.ledger);
            // SAFETY: the caller's promise.
            unsafe { out.write(array) };
            0
        }
        Some(Answer::Nothing) | None => 0,
        Some(Answer::Failure(code, text)) => fail(private, code, text),
        Some(Answer::Garbage(code)) => {
            // SAFETY: the caller's promise.
            unsafe { litter(out) };
            // SAFETY: as before; any bytes are pointers and numbers.
            unsafe { &mut *out }.release = Some(release_garbage);
            fail(private, code, Some(b"half done"))
        }
    }
}

unsafe extern "C" fn get_last_error(stream: *mut CStream) -> *const c_char {
    // SAFETY: the caller's promise.
    let private = unsafe { private(stream) };
    private.last_error.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

unsafe extern "C" fn release(stream: *mut CStream) {
    // SAFETY: the caller's promise.
    let stream = unsafe { &mut *stream };
    // SAFETY: `give` made it, and it is released once.
    let private = unsafe { Box::from_raw(stream.private_data.cast::<PrivateData>()) };
    private.ledger.released();
    stream.release = None;
}
