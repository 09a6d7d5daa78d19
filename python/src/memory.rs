//! Bytes of Python objects as [`Buffer`]s, by the buffer protocol and without a copy where nobody can write to them.
//!
//! The limited API has the buffer protocol from Python 3.11 on. The interpreter of 3.10 exports the same two functions with
//! the same struct, and no release of 3.10 can change that any more; so they are declared here, and one wheel serves all.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{self, NonNull};

use arrow_buffer::Buffer;
use pyo3::{exceptions::PyBufferError, exceptions::PyTypeError, ffi, prelude::*};

/// `Py_buffer` of the C API.
#[repr(C)]
struct RawView {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: ffi::Py_ssize_t,
    itemsize: ffi::Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut ffi::Py_ssize_t,
    strides: *mut ffi::Py_ssize_t,
    suboffsets: *mut ffi::Py_ssize_t,
    internal: *mut c_void,
}

/// Contiguous bytes, written to or not.
const SIMPLE: c_int = 0;

/// How often a view may be one of another object, until it is taken for writable.
const MAX_OWNERS: usize = 16;

// SAFETY: the signatures are those of the C API.
unsafe extern "C" {
    fn PyObject_GetBuffer(object: *mut ffi::PyObject, view: *mut RawView, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut RawView);
}

/// Bytes that a Python object lends; the object cannot free or move them until this is dropped.
struct Lent {
    /// Where the exporter filled it in: it may have pointers into itself.
    view: Box<RawView>,
}

// SAFETY: the view is only read, until it is released with the interpreter's lock.
unsafe impl Send for Lent {}

// SAFETY: as for `Send`; nothing changes through `&self`.
unsafe impl Sync for Lent {}

impl Lent {
    /// Asks an object for its bytes; `None` if it has none to lend.
    fn try_new(object: &Bound<'_, PyAny>) -> PyResult<Option<Lent>> {
        let mut view = Box::new(RawView {
            buf: ptr::null_mut(),
            obj: ptr::null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: ptr::null_mut(),
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        });
        // SAFETY: the object is alive and the thread attached, which `Bound` shows; `view` is a `Py_buffer`.
        let status = unsafe { PyObject_GetBuffer(object.as_ptr(), &raw mut *view, SIMPLE) };
        if status == 0 {
            return Ok(Some(Lent { view }));
        }
        let error = PyErr::fetch(object.py());
        if error.is_instance_of::<PyTypeError>(object.py()) { Ok(None) } else { Err(error) }
    }

    fn is_read_only(&self) -> bool {
        self.view.readonly != 0
    }
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        let len = usize::try_from(self.view.len).unwrap_or(0);
        match NonNull::new(self.view.buf.cast::<u8>()) {
            // SAFETY: the exporter lends `len` contiguous bytes at `buf` until the view is released, in `drop`. Nobody
            // writes to them while this slice lives: `lend` keeps only what is read-only, as its documentation says, and
            // copies all else at once.
            Some(bytes) => unsafe { std::slice::from_raw_parts(bytes.as_ptr(), len) },
            None => &[],
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // When the interpreter has ended there is nothing to give the bytes back to.
        let _ = Python::try_attach(|_| {
            // SAFETY: the view was filled in by `PyObject_GetBuffer` and is released once; the thread is attached.
            unsafe { PyBuffer_Release(&raw mut *self.view) }
        });
    }
}

/// The bytes of an object that supports the buffer protocol; `None` if it does not.
///
/// Read-only bytes are shared: those of `bytes`, of a read-only `mmap`, and views of them. An object that lends bytes as
/// read-only says that they do not change. All others are copied: `bytearray`, writable arrays, and read-only views of these.
pub(crate) fn lend(object: &Bound<'_, PyAny>) -> PyResult<Option<Buffer>> {
    let Some(lent) = Lent::try_new(object)? else { return Ok(None) };
    if lent.is_read_only() && !is_view_of_writable(object)? {
        return Ok(Some(Buffer::from_owner(lent)));
    }
    Ok(Some(Buffer::copy_from(lent.as_ref())))
}

/// Whether an object is a view of one whose bytes can be written: `obj` of a `memoryview`, `base` of an array.
fn is_view_of_writable(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let mut viewed = object.clone();
    for _ in 0..MAX_OWNERS {
        let mut owner = None;
        for name in ["obj", "base"] {
            owner = owner.or(viewed.getattr_opt(name)?.filter(|owner| !owner.is_none()));
        }
        let Some(owner) = owner else { return Ok(false) };
        match Lent::try_new(&owner) {
            Ok(Some(lent)) if !lent.is_read_only() => return Ok(true),
            Ok(Some(_)) => viewed = owner,
            // Not bytes: an attribute that only happens to have this name.
            Ok(None) => return Ok(false),
            // Bytes that are not contiguous; whether they can be written is not known.
            Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => return Ok(true),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
