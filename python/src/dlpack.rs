//! DLPack: numbers in memory as a tensor of one dimension, which other libraries can read. The structures are those
//! of DLPack 1, which can mark memory as read-only. Readers of older versions may write to it.

use std::{
    ffi::{CStr, c_void},
    ptr::{NonNull, null_mut},
};

use arrow_buffer::Buffer;
use pyo3::{exceptions::PyBufferError, ffi, prelude::*, types::PyCapsule};

use crate::{error::exception, numbers::Numbers};

const NAME: &CStr = c"dltensor_versioned";
/// The DLPack type and id of the CPU.
pub(crate) const DEVICE: (i32, i32) = (1, 0);
const READ_ONLY: u64 = 1;

#[repr(C)]
struct Number {
    code: u8,
    n_bits: u8,
    n_lanes: u16,
}

#[repr(C)]
struct Tensor {
    start: *mut c_void,
    device: [i32; 2],
    n_dimensions: i32,
    number: Number,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct ManagedTensor {
    version: [u32; 2],
    context: *mut c_void,
    delete: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
    flags: u64,
    tensor: Tensor,
}

/// A tensor and its shape. The reader has a pointer to `managed`, the first field.
#[repr(C)]
struct TensorOwner {
    managed: ManagedTensor,
    shape: [i64; 1],
    strides: [i64; 1],
    memory: Buffer,
}

/// The arguments of a call of `__dlpack__`.
pub(crate) struct Request {
    pub(crate) max_version: Option<(u32, u32)>,
    pub(crate) device: Option<(i32, i32)>,
    pub(crate) copy: Option<bool>,
}

impl Request {
    /// # Errors
    /// If the request is not supported: only the memory of the CPU is, without a copy.
    fn check(&self) -> PyResult<()> {
        let refused = |text: &str| Err(exception::<PyBufferError>(text));
        if self.max_version.is_none_or(|(major, _)| major < 1) {
            return refused(
                "the memory is read-only, and DLPack before version 1 cannot say so: pass on \
                 `array.to_numpy().copy()`",
            );
        }
        if self.device.is_some_and(|device| device != DEVICE) {
            return refused("the memory belongs to the CPU: expected device (1, 0)");
        }
        if self.copy == Some(true) {
            return refused("DLPack shares the memory: `array.to_numpy().copy()` copies it");
        }
        Ok(())
    }
}

/// Makes a capsule with a tensor of these numbers. It shares ownership of the memory.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    numbers: &Numbers<'_>,
    memory: &Buffer,
    request: &Request,
) -> PyResult<Bound<'py, PyCapsule>> {
    request.check()?;
    let n_slots = *numbers.n_slots as i64;
    let n_bits = numbers.width.saturating_mul(8);
    let code = match numbers.format.to_bytes() {
        [b'e' | b'f' | b'd'] => 2,
        [letter] if letter.is_ascii_uppercase() => 1,
        _ => 0,
    };
    let start = if n_slots == 0 { null_mut() } else { numbers.bytes.as_ptr().cast_mut().cast() };
    let owner = Box::new(TensorOwner {
        managed: ManagedTensor {
            version: [1, 0],
            context: null_mut(),
            delete: Some(delete),
            flags: READ_ONLY,
            tensor: Tensor {
                start,
                device: [DEVICE.0, DEVICE.1],
                n_dimensions: 1,
                number: Number { code, n_bits: u8::try_from(n_bits).unwrap_or(0), n_lanes: 1 },
                shape: null_mut(),
                strides: null_mut(),
                byte_offset: 0,
            },
        },
        shape: [n_slots],
        strides: [1],
        memory: memory.clone(),
    });
    let owner = Box::into_raw(owner);
    // SAFETY: it was in a box just now, and nobody else has it; the array stays where it is.
    let shape = unsafe { &raw mut (*owner).shape };
    // SAFETY: as before.
    let strides = unsafe { &raw mut (*owner).strides };
    // SAFETY: as before.
    let tensor = unsafe { &mut (*owner).managed.tensor };
    tensor.shape = shape.cast();
    tensor.strides = strides.cast();
    let pointer =
        NonNull::new(owner.cast::<c_void>()).ok_or_else(|| exception::<PyBufferError>("no memory"))?;
    // SAFETY: the pointer is to what `release` takes back, unless a reader has taken it first and renamed the capsule.
    let made = unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, NAME, Some(release)) };
    if made.is_err() {
        // SAFETY: there is no capsule that has it.
        unsafe { delete(owner.cast()) };
    }
    made
}

/// Called when a reader no longer needs the tensor. This can be on any thread, with or without the interpreter's lock.
unsafe extern "C" fn delete(managed: *mut ManagedTensor) {
    // SAFETY: the pointer is the one that `capsule` made of a box, and it is called once.
    drop(unsafe { Box::from_raw(managed.cast::<TensorOwner>()) });
}

/// Called when a capsule is destroyed.
unsafe extern "C" fn release(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls this with the capsule. Readers that take the tensor rename the capsule, as DLPack says.
    if unsafe { ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) } == 0 {
        return;
    }
    // SAFETY: it has this name.
    let managed = unsafe { ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()) };
    // SAFETY: nobody has taken it.
    unsafe { delete(managed.cast()) };
}
