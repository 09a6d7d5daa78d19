//! Device arrays and streams: data of the CPU is read, and all structures are released.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use arrow_c_data::{ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, CDataError};
use arrow_data::{DataError, RecordBatch, Validation};
use arrow_schema::DataType;
use testing_support::{batch_of, ints};

use crate::foreign::{Ledger, Sketch};

/// `struct ArrowDeviceArray`, as the specification declares it.
#[repr(C)]
struct CDeviceArray {
    array: ArrowArray,
    device_id: i64,
    device_type: i32,
    sync_event: *mut c_void,
    reserved: [i64; 3],
}

const _: () = assert!(size_of::<CDeviceArray>() == 128 && size_of::<ArrowDeviceArray>() == 128);

fn bytes() -> Sketch {
    Sketch { length: 3, buffers: vec![None, Some(vec![1, 2, 3])], ..Sketch::default() }
}

fn given(ledger: &Ledger, device_type: i32, sync_event: *mut c_void) -> ArrowDeviceArray {
    let array = bytes().give(ledger);
    let mut given = CDeviceArray { array, device_id: 0, device_type, sync_event, reserved: [0; 3] };
    // SAFETY: it has the same members.
    let taken = unsafe { ArrowDeviceArray::from_raw((&raw mut given).cast()) };
    assert!(given.array.is_released(), "the source is marked as released");
    taken
}

#[test]
fn arrays_of_the_cpu_are_read() {
    let ledger = Ledger::default();
    let array = given(&ledger, 1, ptr::null_mut());
    assert_eq!((array.device_type(), array.device_id()), (1, 0));
    let array = array.into_array().and_then(|array| {
        // SAFETY: it has bytes.
        unsafe { array.import(&DataType::UInt8, Validation::Content) }
    });
    assert_eq!(array.map(|array| array.buffer(0).to_vec()), Ok(vec![1, 2, 3]));
    ledger.check_all_released();
    assert!(ArrowDeviceArray::empty().is_released());
    let on_cpu = ArrowDeviceArray::new(bytes().give(&ledger));
    assert_eq!((on_cpu.device_type(), on_cpu.device_id()), (1, -1));
    drop(on_cpu);
    ledger.check_all_released();
}

#[test]
fn arrays_of_other_devices_are_refused() {
    let event = ptr::without_provenance_mut(8);
    let cases = [
        (2, ptr::null_mut(), "the device type is 2 (CUDA); only memory of the CPU, type 1, is read"),
        (11, event, "the device type is 11 (ROCm host); only memory of the CPU, type 1, is read"),
        (0, ptr::null_mut(), "the device type is 0; only memory of the CPU, type 1, is read"),
        (-7, ptr::null_mut(), "the device type is -7; only memory of the CPU, type 1, is read"),
        (1, event, "`sync_event` is set, but memory of the CPU has no events"),
    ];
    for (device_type, sync_event, text) in cases {
        let ledger = Ledger::default();
        let array = given(&ledger, device_type, sync_event);
        assert_eq!(array.into_array().unwrap_err().to_string(), text);
        ledger.check_all_released();
    }
    let error = ArrowDeviceArray::empty().into_array().unwrap_err();
    assert_eq!(error.to_string(), "the ArrowDeviceArray is released");
}

fn read(stream: ArrowDeviceArrayStream) -> Vec<Result<usize, String>> {
    let read = stream.into_stream().and_then(|stream| stream.into_batches(Validation::Content));
    match read {
        Ok(reader) => {
            reader.map(|batch| batch.map(|batch| batch.n_rows()).map_err(|error| error.to_string())).collect()
        }
        Err(error) => vec![Err(error.to_string())],
    }
}

#[test]
fn streams_go_both_ways() {
    let batch = batch_of(ints(0..4));
    let results = vec![Ok(batch.clone()), Ok(batch.slice(1, 2)), Err("no more")];
    let stream = ArrowArrayStream::new(batch.schema().clone(), results);
    let on_cpu = ArrowDeviceArrayStream::from(stream);
    assert_eq!(on_cpu.device_type(), 1);
    let failed = Err("the stream failed with the error number 5: no more".to_owned());
    assert_eq!(read(on_cpu), [Ok(4), Ok(2), failed]);

    let stream = ArrowArrayStream::new(batch.schema().clone(), [Ok::<RecordBatch, DataError>(batch.clone())]);
    let raw = ArrowDeviceArrayStream::from(stream).into_raw();
    // SAFETY: it comes from `into_raw`.
    let back = unsafe { ArrowDeviceArrayStream::take_box(raw) };
    assert_eq!(read(back), [Ok(4)]);
}

/// `struct ArrowDeviceArrayStream`, as the specification declares it.
#[repr(C)]
struct CDeviceStream {
    device_type: i32,
    get_schema: Option<unsafe extern "C" fn(*mut CDeviceStream, *mut c_void) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut CDeviceStream, *mut CDeviceArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut CDeviceStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut CDeviceStream)>,
    /// The ledger.
    private_data: *mut c_void,
}

const _: () = assert!(size_of::<CDeviceStream>() == size_of::<ArrowDeviceArrayStream>());

unsafe extern "C" fn get_schema(_: *mut CDeviceStream, out: *mut c_void) -> c_int {
    let schema = arrow_c_data::ArrowSchema::try_from_data_type(&DataType::UInt8).expect("no names");
    // SAFETY: the caller's promise.
    unsafe { schema.write_to(out.cast()) };
    0
}

type GetNext = unsafe extern "C" fn(*mut CDeviceStream, *mut CDeviceArray) -> c_int;

/// Returns an array of another device than the stream's device.
unsafe extern "C" fn get_next(stream: *mut CDeviceStream, out: *mut CDeviceArray) -> c_int {
    // SAFETY: the caller's promise.
    let stream = unsafe { &*stream };
    // SAFETY: the test put it there.
    let ledger = unsafe { &*stream.private_data.cast::<Ledger>() };
    let (array, sync_event) = (bytes().give(ledger), ptr::null_mut());
    let array = CDeviceArray { array, device_id: 0, device_type: 8, sync_event, reserved: [0; 3] };
    // SAFETY: the caller's promise.
    unsafe { out.write(array) };
    0
}

/// Fills the target with invalid bytes, and fails.
unsafe extern "C" fn get_garbage(_: *mut CDeviceStream, out: *mut CDeviceArray) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { out.write_bytes(0x5a, 1) };
    5
}

unsafe extern "C" fn release(stream: *mut CDeviceStream) {
    // SAFETY: the caller's promise.
    unsafe { &mut *stream }.release = None;
}

#[test]
fn streams_of_other_devices_are_refused() {
    let ledger = Ledger::default();
    let stream = |device_type, get_next: Option<GetNext>| {
        let private_data = (&raw const ledger).cast_mut().cast();
        let (get_schema, release) = (Some(get_schema as _), Some(release as _));
        let mut stream =
            CDeviceStream { device_type, get_schema, get_next, get_last_error: None, release, private_data };
        // SAFETY: it has the same members, and the ledger lives until the stream is released.
        unsafe { ArrowDeviceArrayStream::from_raw((&raw mut stream).cast()) }
    };
    let arrays = |stream: ArrowDeviceArrayStream| -> Result<usize, CDataError> {
        let mut reader = stream.into_stream()?.into_arrays(Validation::Content)?;
        reader.next().transpose().map(|array| array.map_or(0, |array| array.len()))
    };
    let error = arrays(stream(2, Some(get_next))).unwrap_err();
    assert_eq!(error.to_string(), "the device type is 2 (CUDA); only memory of the CPU, type 1, is read");
    let error = arrays(stream(1, Some(get_next))).unwrap_err();
    let text = "the stream failed with the error number 22: the device type is 8 (Metal); only memory of the CPU, type 1, is read";
    assert_eq!(error.to_string(), text);
    ledger.check_all_released();
    let error = arrays(stream(1, Some(get_garbage))).unwrap_err();
    assert_eq!(error.to_string(), "the stream failed with the error number 5");
    let error = arrays(stream(1, None)).unwrap_err();
    let text = "the stream failed with the error number 22: `get_next` of the ArrowDeviceArrayStream is null";
    assert_eq!(error.to_string(), text);
    let error = ArrowDeviceArrayStream::empty().into_stream().unwrap_err();
    assert_eq!(error.to_string(), "the ArrowDeviceArrayStream is released");
}
