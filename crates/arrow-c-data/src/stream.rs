//! `ArrowArrayStream`: a sequence of arrays or record batches. The code also serves the streams of the device
//! interface.

mod export;
mod import;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::{CStructure, Pointer, ReleaseCallback, movable, released, released_inside};
use crate::{ArrowArray, ArrowSchema};

pub use self::import::{ArrayReader, BatchReader};

/// A source of arrays or record batches, as the C stream interface describes it. All arrays of a stream have the same
/// type.
///
/// Every value follows [the contract](crate#the-contract): this crate has made the value, or the caller of
/// [`from_raw`](ArrowArrayStream::from_raw) has promised this. A stream is released when it is dropped; arrays that it
/// has returned stay valid.
///
/// ```
/// use arrow_c_data::ArrowArrayStream;
/// use arrow_data::{ArrayData, DataError, RecordBatch, Validation};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let batches = vec![Ok::<_, DataError>(batch.clone()), Ok(batch.clone())];
/// let stream = ArrowArrayStream::new(batch.schema().clone(), batches);
///
/// let reader = stream.into_batches(Validation::Content)?;
/// assert_eq!(reader.schema(), batch.schema());
/// assert_eq!(reader.collect::<Result<Vec<_>, _>>()?.len(), 2);
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowArrayStream structure".
#[repr(transparent)]
pub struct ArrowArrayStream(pub(crate) Stream<ArrowArray>);

movable!(ArrowArrayStream, ArrowArrayStream(Stream::empty(())));
released_inside!(ArrowArrayStream, 0, Structure::ArrowArrayStream);

/// The items of a stream: arrays, or arrays of a device.
pub(crate) trait Item: CStructure + Default + 'static {
    /// The members that precede the callbacks in the structure of a stream of these items.
    type Head: Send + Sync;

    /// The kind of structure that a stream of these items is.
    const STREAM: Structure;

    fn from_array(array: ArrowArray) -> Self;

    fn into_array(self) -> Result<ArrowArray, CDataError>;
}

impl Item for ArrowArray {
    type Head = ();

    const STREAM: Structure = Structure::ArrowArrayStream;

    fn from_array(array: ArrowArray) -> ArrowArray {
        array
    }

    fn into_array(self) -> Result<ArrowArray, CDataError> {
        Ok(self)
    }
}

/// A stream of the C stream interface or of the C device stream interface.
#[repr(C)]
pub(crate) struct Stream<T: Item> {
    head: T::Head,
    get_schema: Option<Callback<T, ArrowSchema>>,
    get_next: Option<Callback<T, T>>,
    get_last_error: Option<unsafe extern "C" fn(&mut Stream<T>) -> *const c_char>,
    release: Option<ReleaseCallback<Stream<T>>>,
    private_data: Pointer<c_void>,
}

/// A callback that fills the target, or fails with a code.
type Callback<T, U> = unsafe extern "C" fn(&mut Stream<T>, *mut U) -> c_int;

released!({T: Item} Stream<T>, T::STREAM);

impl<T: Item> Stream<T> {
    pub(crate) const fn empty(head: T::Head) -> Stream<T> {
        Stream {
            head,
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: Pointer::null(),
        }
    }

    pub(crate) fn head(&self) -> &T::Head {
        &self.head
    }

    /// The structure that describes the arrays: a schema for batches, a field for other arrays.
    fn schema(&mut self) -> Result<ArrowSchema, CDataError> {
        self.check_not_released()?;
        let get_schema = self.get_schema.ok_or(null::<T>("get_schema"))?;
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream keeps the contract and is not released; the target is a released structure of ours.
        let code = unsafe { get_schema(self, &mut schema) };
        self.answered(code, schema)
    }

    /// The next array; `None` at the end.
    fn next(&mut self) -> Result<Option<ArrowArray>, CDataError> {
        self.check_not_released()?;
        let get_next = self.get_next.ok_or(null::<T>("get_next"))?;
        let mut item = T::default();
        // SAFETY: the stream keeps the contract and is not released; the target is a released structure of ours.
        let code = unsafe { get_next(self, &mut item) };
        let item = self.answered(code, item)?;
        if item.is_released() { Ok(None) } else { item.into_array().map(Some) }
    }

    /// The structure that a callback has filled, or the error that it has returned.
    fn answered<U: CStructure>(&mut self, code: c_int, mut target: U) -> Result<U, CDataError> {
        if code == 0 {
            return Ok(target);
        }
        // If the callback has failed, we must not release what it left in the target.
        target.mark_released();
        let text = match self.get_last_error {
            // SAFETY: the stream keeps the contract and is not released, and its last callback has failed.
            Some(get_last_error) => unsafe { get_last_error(self) },
            None => ptr::null(),
        };
        let text = (!text.is_null()).then(|| {
            // SAFETY: the contract says that the text ends with a NUL, and does not change until another callback is
            // called. No other callback is called: `self` is borrowed, and the text is copied at once.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        });
        Err(Kind::Stream { code, text }.into())
    }
}

fn null<T: Item>(member: &'static str) -> Kind {
    Kind::NullMember { structure: T::STREAM, member }
}
