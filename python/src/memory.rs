//! Uses the buffer protocol to get bytes of Python objects as [`Buffer`]s, and to lend the memory of arrays. The
//! memory of `bytes` is shared; all other memory is copied.

use std::ffi::c_int;
use std::ops::Range;
use std::ptr::NonNull;

use arrow_buffer::Buffer;
use pyo3::{
    exceptions::{PyBufferError, PyTypeError},
    ffi,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyMemoryView},
};

use crate::{array::Array, calls, error::exception, numbers::Numbers};

/// The maximal number of views that are followed to find the owner of memory.
const MAX_OWNERS: usize = 16;

/// Bytes of a Python object. The object cannot free or move them until this value is dropped.
struct BorrowedBuffer {
    /// Boxed, because the exporter may store pointers into the view.
    view: Box<ffi::Py_buffer>,
}

// SAFETY: the view is only read, until it is released with the interpreter's lock.
unsafe impl Send for BorrowedBuffer {}

// SAFETY: as for `Send`; nothing changes through `&self`.
unsafe impl Sync for BorrowedBuffer {}

impl BorrowedBuffer {
    /// Requests the bytes of an object; `None` if the object has no buffer protocol.
    fn try_new(object: &Bound<'_, PyAny>) -> PyResult<Option<BorrowedBuffer>> {
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: the object is alive and the thread attached, which `Bound` shows; `view` is a `Py_buffer`.
        let status = unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, ffi::PyBUF_SIMPLE) };
        if status == 0 {
            return Ok(Some(BorrowedBuffer { view }));
        }
        let error = PyErr::fetch(object.py());
        if error.is_instance_of::<PyTypeError>(object.py()) { Ok(None) } else { Err(error) }
    }

    fn is_read_only(&self) -> bool {
        self.view.readonly != 0
    }

    /// Releases the bytes, unless the interpreter has ended.
    fn release(&mut self) {
        let _ = Python::try_attach(|_| {
            // SAFETY: the view was filled in by `PyObject_GetBuffer` and is released once; the thread is attached.
            unsafe { ffi::PyBuffer_Release(&raw mut *self.view) }
        });
    }

    /// The range of these bytes in `bytes`; `None` if they are not inside.
    fn range_in(&self, bytes: &[u8]) -> Option<Range<usize>> {
        let start = self.view.buf.addr().checked_sub(bytes.as_ptr().addr())?;
        let end = start.checked_add(usize::try_from(self.view.len).ok()?)?;
        (end <= bytes.len()).then_some(start..end)
    }
}

impl AsRef<[u8]> for BorrowedBuffer {
    fn as_ref(&self) -> &[u8] {
        let len = usize::try_from(self.view.len).unwrap_or(0);
        match NonNull::new(self.view.buf.cast::<u8>()) {
            // SAFETY: the exporter lends `len` contiguous bytes at `buf` until the view is released, in `drop`. Nobody
            // writes to them meanwhile: `lend_in_place` is the only one who asks, and its caller promises that.
            Some(bytes) => unsafe { std::slice::from_raw_parts(bytes.as_ptr(), len) },
            None => &[],
        }
    }
}

impl Drop for BorrowedBuffer {
    fn drop(&mut self) {
        calls::outside(|| self.release());
    }
}

/// Shares a `bytes` object, whose content does not change.
struct SharedBytes(Option<PyBackedBytes>);

impl SharedBytes {
    fn buffer(bytes: &Bound<'_, PyBytes>) -> Buffer {
        Buffer::from_owner(SharedBytes(Some(PyBackedBytes::from(bytes.clone()))))
    }
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl Drop for SharedBytes {
    fn drop(&mut self) {
        // Releases the object now. pyo3 would wait until a thread next has the interpreter's lock.
        calls::outside(|| {
            let _ = Python::try_attach(|_| drop(self.0.take()));
        });
    }
}

/// The bytes of an object with the buffer protocol; `None` for other objects.
///
/// Shares the bytes of `bytes` and of our arrays, even through a view such as a `memoryview`, a `pickle.PickleBuffer`
/// or a NumPy array. Copies all other bytes. These may change even if the object says they are read-only: it may be a
/// view of a `bytearray`, or an array that becomes writable again.
pub(crate) fn lend(object: &Bound<'_, PyAny>) -> PyResult<Option<Buffer>> {
    if let Ok(bytes) = object.cast_exact::<PyBytes>() {
        return Ok(Some(SharedBytes::buffer(bytes)));
    }
    let Some(lent) = BorrowedBuffer::try_new(object)? else { return Ok(None) };
    let view = PyMemoryView::from(object)?;
    for owner in owners(&view)? {
        // The owner may be wrong, but bytes in this range of a `bytes` object do not change.
        if let Ok(bytes) = owner.cast_exact::<PyBytes>()
            && let Some(range) = lent.range_in(bytes.as_bytes())
        {
            return Ok(Some(SharedBytes::buffer(bytes).slice(range)));
        }
        if let Ok(array) = owner.cast_exact::<Array>()
            && let Some(range) = lent.range_in(array.get().memory())
        {
            return Ok(Some(array.get().memory().slice(range)));
        }
    }
    let copied = view.call_method0("tobytes")?;
    Ok(Some(SharedBytes::buffer(copied.cast_exact().map_err(PyErr::from)?)))
}

/// The bytes of any object, without a copy; `None` if it has no buffer protocol.
///
/// The caller of `open(…, memory_map=True)` promises that the bytes do not change. Writable memory is refused.
pub(crate) fn lend_in_place(object: &Bound<'_, PyAny>) -> PyResult<Option<Buffer>> {
    let Some(lent) = BorrowedBuffer::try_new(object)? else { return Ok(None) };
    if !lent.is_read_only() {
        let found = object.get_type();
        return Err(exception::<PyBufferError>(format!(
            "memory_map needs read-only bytes, but those of {found} are writable"
        )));
    }
    Ok(Some(Buffer::from_owner(lent)))
}

/// Fills a view with the memory of an array, for the buffer protocol.
///
/// # Safety
/// `view` is a view that must be filled, as the interpreter passes it to `__getbuffer__`.
pub(crate) unsafe fn fill(array: Bound<'_, Array>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
    let numbers = array.get().numbers();
    let refused = |error: PyErr| exception::<PyBufferError>(error.value(array.py()).to_string());
    let Numbers { bytes, n_slots, width, format } = numbers.map_err(refused)?;
    let start = bytes.as_ptr().cast_mut().cast();
    let len = bytes.len().cast_signed();
    // SAFETY: `view` is one to fill in. The bytes stay where they are, and nobody writes to them, as long as the array lives, which
    // the view keeps alive; a view to write to is refused.
    let status = unsafe { ffi::PyBuffer_FillInfo(view, array.as_ptr(), start, len, 1, flags) };
    if status != 0 {
        return Err(PyErr::fetch(array.py()));
    }
    // SAFETY: it was filled in, and belongs to the caller.
    let view = unsafe { &mut *view };
    view.itemsize = width;
    if !view.shape.is_null() {
        view.shape = std::ptr::from_ref(n_slots).cast_mut();
    }
    if !view.format.is_null() {
        view.format = format.as_ptr().cast_mut();
    }
    Ok(())
}

/// A view of the bytes of an `mmap`, or of a view of an `mmap`; `None` for other objects.
pub(crate) fn map_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
    let py = object.py();
    let Ok(view) = PyMemoryView::from(object) else { return Ok(None) };
    let map = py.import("mmap")?.getattr("mmap")?;
    for owner in owners(&view)? {
        if owner.is_instance(&map)? {
            // Views of other formats become views of bytes, unless the format does not allow this.
            let bytes = view.call_method1("cast", ("B",)).ok();
            return Ok(bytes.and_then(|bytes| bytes.cast_into().ok()));
        }
    }
    Ok(None)
}

/// Follows `obj` and `base` from a view to the object that owns the memory. Returns all objects on the way.
fn owners<'py>(view: &Bound<'py, PyMemoryView>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut owners = vec![view.clone().into_any()];
    while owners.len() <= MAX_OWNERS
        && let Some(last) = owners.last()
    {
        let mut owner = None;
        for name in ["obj", "base"] {
            owner = owner.or(last.getattr_opt(name)?.filter(|owner| !owner.is_none()));
        }
        match owner {
            Some(owner) => owners.push(owner),
            None => break,
        }
    }
    Ok(owners)
}
