//! `ArrowDeviceArray`: an array and the device whose memory it is in. Only memory of the CPU is read.

mod stream;

use std::ffi::c_void;
use std::ptr;

use crate::ArrowArray;
use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::{Released, movable};

pub use self::stream::ArrowDeviceArrayStream;

/// `ARROW_DEVICE_CPU`.
const CPU: i32 = 1;

/// The number of a CPU among others: there is only one, and other libraries call it so.
const NO_DEVICE_ID: i64 = -1;

/// An [`ArrowArray`] with the device that has the memory, as the C device data interface describes it.
///
/// Of memory of the CPU this is an `ArrowArray` with some constants, and [`into_array`](ArrowDeviceArray::into_array) gives it. Arrays in memory
/// of any other device can be held, handed on and released.
///
/// ```
/// use arrow_c_data::{ArrowArray, ArrowDeviceArray, ImportOptions};
/// use arrow_data::ArrayData;
/// use arrow_schema::DataType;
///
/// let array = ArrowArray::try_from_array(&ArrayData::new_empty(&DataType::Utf8))?;
/// let on_cpu = ArrowDeviceArray::new(array);
/// assert_eq!(on_cpu.device_type(), 1);
/// // SAFETY: it was exported from such an array.
/// let imported = unsafe { on_cpu.into_array()?.import(&DataType::Utf8, &ImportOptions::default()) }?;
/// assert!(imported.is_empty());
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowDeviceArray structure".
#[repr(C)]
pub struct ArrowDeviceArray {
    /// Its release callback is that of the whole.
    array: ArrowArray,
    device_id: i64,
    device_type: i32,
    sync_event: *mut c_void,
    reserved: [i64; 3],
}

impl Released for ArrowDeviceArray {
    fn is_released(&self) -> bool {
        self.array.is_released()
    }

    fn mark_released(&mut self) {
        self.array.mark_released();
    }
}

movable!(
    ArrowDeviceArray,
    ArrowDeviceArray {
        array: ArrowArray::empty(),
        device_id: NO_DEVICE_ID,
        device_type: CPU,
        sync_event: ptr::null_mut(),
        reserved: [0; 3],
    }
);

// SAFETY: the array is `Send`, and the event is only handed on.
unsafe impl Send for ArrowDeviceArray {}

// SAFETY: the array is `Sync`, and nothing else is reached through a shared reference but numbers.
unsafe impl Sync for ArrowDeviceArray {}

impl ArrowDeviceArray {
    /// An array in memory of the CPU.
    pub fn new(array: ArrowArray) -> ArrowDeviceArray {
        ArrowDeviceArray { array, ..ArrowDeviceArray::empty() }
    }

    /// The device type: 1 is the CPU, and the specification lists the others.
    pub fn device_type(&self) -> i32 {
        self.device_type
    }

    /// Which of the devices of this type it is.
    pub fn device_id(&self) -> i64 {
        self.device_id
    }

    /// The array, if it is in memory of the CPU.
    ///
    /// # Errors
    /// If the structure is released, the memory is that of another device, or there is something to wait for. The structure is released
    /// then.
    pub fn into_array(self) -> Result<ArrowArray, CDataError> {
        if self.is_released() {
            return Err(Kind::Released { structure: Structure::ArrowDeviceArray }.into());
        }
        check_device(self.device_type)?;
        if !self.sync_event.is_null() {
            return Err(Kind::SyncEvent.into());
        }
        Ok(self.array)
    }
}

fn check_device(device_type: i32) -> Result<(), CDataError> {
    if device_type == CPU { Ok(()) } else { Err(Kind::Device { device_type }.into()) }
}
