//! Arrays in the memory of a device, and streams of these arrays. Only memory of the CPU is read.

use std::ffi::c_void;

use crate::ArrowArray;
use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::{CStructure, Pointer, movable, released_inside};
use crate::stream::{ArrowArrayStream, Item, Stream};

/// The device type of the CPU: `ARROW_DEVICE_CPU`.
const CPU: i32 = 1;

/// The device id that other libraries use for the CPU. There is only one CPU.
const NO_DEVICE_ID: i64 = -1;

/// An [`ArrowArray`] with the device that its memory belongs to, as the C device data interface describes it.
///
/// If the memory belongs to the CPU, [`into_array`](ArrowDeviceArray::into_array) returns the `ArrowArray`. Arrays in
/// the memory of other devices can only be stored, passed on and released.
///
/// ```
/// use arrow_c_data::{ArrowArray, ArrowDeviceArray};
/// use arrow_data::{ArrayData, Validation};
/// use arrow_schema::DataType;
///
/// let array = ArrowArray::try_from_array(&ArrayData::new_empty(&DataType::Utf8))?;
/// let on_cpu = ArrowDeviceArray::new(array);
/// assert_eq!(on_cpu.device_type(), 1);
/// // SAFETY: it was exported from such an array.
/// let imported = unsafe { on_cpu.into_array()?.import(&DataType::Utf8, Validation::Content) }?;
/// assert!(imported.is_empty());
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowDeviceArray structure".
#[repr(C)]
pub struct ArrowDeviceArray {
    /// The array. Its release callback releases the whole structure.
    array: ArrowArray,
    device_id: i64,
    device_type: i32,
    sync_event: Pointer<c_void>,
    reserved: [i64; 3],
}

movable!(
    ArrowDeviceArray,
    ArrowDeviceArray {
        array: ArrowArray::empty(),
        device_id: NO_DEVICE_ID,
        device_type: CPU,
        sync_event: Pointer::null(),
        reserved: [0; 3],
    }
);

released_inside!(ArrowDeviceArray, array, Structure::ArrowDeviceArray);

impl ArrowDeviceArray {
    /// Makes a device array from an array in memory of the CPU.
    pub fn new(array: ArrowArray) -> ArrowDeviceArray {
        ArrowDeviceArray { array, ..ArrowDeviceArray::empty() }
    }

    /// The device type: 1 is the CPU; the specification lists the other types.
    pub fn device_type(&self) -> i32 {
        self.device_type
    }

    /// The id of the device among the devices of this type.
    pub fn device_id(&self) -> i64 {
        self.device_id
    }

    /// The array, which must be in memory of the CPU.
    ///
    /// # Errors
    /// If the structure is released, if the memory belongs to another device, or if there is an event to wait for. The
    /// structure is then released.
    pub fn into_array(self) -> Result<ArrowArray, CDataError> {
        self.check_not_released()?;
        check_device(self.device_type)?;
        if !self.sync_event.is_null() {
            return Err(Kind::SyncEvent.into());
        }
        Ok(self.array)
    }
}

/// A source of [`ArrowDeviceArray`]s, as the C device data interface describes it. All arrays have the same type and
/// are in memory of the same type of device.
///
/// ```
/// use arrow_c_data::{ArrowArrayStream, ArrowDeviceArrayStream};
/// use arrow_data::{ArrayData, DataError, RecordBatch, Validation};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let stream = ArrowArrayStream::new(batch.schema().clone(), [Ok::<_, DataError>(batch)]);
/// let on_cpu = ArrowDeviceArrayStream::from(stream);
/// let batches = on_cpu.into_stream()?.into_batches(Validation::Content)?;
/// assert_eq!(batches.count(), 1);
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowDeviceArrayStream structure".
#[repr(transparent)]
pub struct ArrowDeviceArrayStream(Stream<ArrowDeviceArray>);

movable!(ArrowDeviceArrayStream, ArrowDeviceArrayStream(Stream::empty(CPU)));
released_inside!(ArrowDeviceArrayStream, 0, Structure::ArrowDeviceArrayStream);

impl Item for ArrowDeviceArray {
    type Head = i32;

    const STREAM: Structure = Structure::ArrowDeviceArrayStream;

    fn from_array(array: ArrowArray) -> ArrowDeviceArray {
        ArrowDeviceArray::new(array)
    }

    fn into_array(self) -> Result<ArrowArray, CDataError> {
        ArrowDeviceArray::into_array(self)
    }
}

impl ArrowDeviceArrayStream {
    /// The device type of all arrays: 1 is the CPU.
    pub fn device_type(&self) -> i32 {
        *self.0.head()
    }

    /// The stream of arrays, which must be in memory of the CPU. An array in other memory is an error of the returned
    /// stream.
    ///
    /// # Errors
    /// If the structure is released, or names another device. The stream is then released.
    pub fn into_stream(self) -> Result<ArrowArrayStream, CDataError> {
        self.check_not_released()?;
        check_device(self.device_type())?;
        Ok(ArrowArrayStream::from_source(self.0))
    }
}

impl From<ArrowArrayStream> for ArrowDeviceArrayStream {
    /// Makes a device stream whose arrays are in memory of the CPU.
    fn from(stream: ArrowArrayStream) -> ArrowDeviceArrayStream {
        ArrowDeviceArrayStream(Stream::export(CPU, stream.0))
    }
}

fn check_device(device_type: i32) -> Result<(), CDataError> {
    if device_type == CPU { Ok(()) } else { Err(Kind::Device { device_type }.into()) }
}
