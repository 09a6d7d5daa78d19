//! Makes `ArrowArray` structures as another library does.

use std::ffi::c_void;
use std::ptr;

use arrow_buffer::Bitmap;
use arrow_c_data::{ArrowArray, CDataError};
use arrow_data::{ArrayData, Physical, Role, Validation};
use arrow_schema::DataType;
use arrow_select::Select;
use testing_support::Generator;

use super::Ledger;

/// `struct ArrowArray`, as the specification declares it.
#[repr(C)]
pub(crate) struct CArray {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut CArray,
    pub(crate) dictionary: *mut CArray,
    pub(crate) release: Option<unsafe extern "C" fn(*mut CArray)>,
    pub(crate) private_data: *mut c_void,
}

const _: () = assert!(size_of::<CArray>() == size_of::<ArrowArray>());

/// The content of a structure, which may be invalid.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sketch {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    /// `None` writes the actual number.
    pub(crate) n_buffers: Option<i64>,
    /// `None` writes the actual number.
    pub(crate) n_children: Option<i64>,
    /// `None` writes a null pointer.
    pub(crate) buffers: Vec<Option<Vec<u8>>>,
    /// `None` writes a null pointer.
    pub(crate) children: Vec<Option<Sketch>>,
    pub(crate) dictionary: Option<Box<Sketch>>,
    /// The distance in bytes of each buffer from an aligned address.
    pub(crate) shift: usize,
    /// Whether the members `buffers` and `children` are null.
    pub(crate) has_null_lists: bool,
    pub(crate) is_released: bool,
    /// Whether each buffer has the lengths of other buffers.
    pub(crate) are_lengths: Vec<bool>,
}

/// The memory to which the structure points.
struct PrivateData {
    _memory: Vec<Vec<u8>>,
    _buffers: Vec<*const c_void>,
    _children: Vec<*mut CArray>,
    ledger: Ledger,
}

impl Sketch {
    /// Fills a structure, its children and its dictionary.
    pub(crate) fn build(&self, ledger: &Ledger) -> CArray {
        let memory: Vec<Vec<u8>> = self
            .buffers
            .iter()
            .map(|bytes| {
                let bytes = bytes.as_deref().unwrap_or_default();
                let mut shifted = vec![0xaa; self.shift];
                shifted.extend_from_slice(bytes);
                // The allocation has no spare bytes, so sanitizers detect reads past the end.
                shifted.into_boxed_slice().into_vec()
            })
            .collect();
        let mut buffers: Vec<*const c_void> = memory
            .iter()
            .zip(&self.buffers)
            .map(|(memory, bytes)| match bytes {
                Some(_) => memory[self.shift..].as_ptr().cast(),
                None => ptr::null(),
            })
            .collect();
        let boxed = |sketch: &Sketch| Box::into_raw(Box::new(sketch.build(ledger)));
        let mut children: Vec<*mut CArray> =
            self.children.iter().map(|child| child.as_ref().map_or(ptr::null_mut(), boxed)).collect();
        ledger.made();
        let array = CArray {
            length: self.length,
            null_count: self.null_count,
            offset: self.offset,
            n_buffers: self.n_buffers.unwrap_or(buffers.len() as i64),
            n_children: self.n_children.unwrap_or(children.len() as i64),
            buffers: if self.has_null_lists { ptr::null_mut() } else { buffers.as_mut_ptr() },
            children: if self.has_null_lists { ptr::null_mut() } else { children.as_mut_ptr() },
            dictionary: self.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
            release: Some(release),
            private_data: ptr::null_mut(),
        };
        let private =
            PrivateData { _memory: memory, _buffers: buffers, _children: children, ledger: ledger.clone() };
        let mut array = CArray { private_data: Box::into_raw(Box::new(private)).cast(), ..array };
        if self.is_released {
            // SAFETY: it was just made.
            unsafe { release(&mut array) };
        }
        array
    }

    /// Makes the structure, and moves it into this crate's type.
    pub(crate) fn give(&self, ledger: &Ledger) -> ArrowArray {
        let mut array = self.build(ledger);
        // SAFETY: it is as large, and what it points to lives until it is released.
        let given = unsafe { ArrowArray::from_raw((&raw mut array).cast()) };
        assert!(array.release.is_none(), "the source is marked as released");
        given
    }

    /// Imports the structure as an array of this type. Its buffers are as long as its numbers require, or the import
    /// must fail before it reads them.
    pub(crate) fn import(
        &self,
        ledger: &Ledger,
        data_type: &DataType,
        validation: Validation,
    ) -> Result<ArrayData, CDataError> {
        // SAFETY: the sketches of the tests keep this promise.
        unsafe { self.give(ledger).import(data_type, validation) }
    }
}

/// Releases a structure, its children and its dictionary.
unsafe extern "C" fn release(array: *mut CArray) {
    // SAFETY: the caller's promise.
    let array = unsafe { &mut *array };
    // SAFETY: it was made by `build`, and is released once.
    let private = unsafe { Box::from_raw(array.private_data.cast::<PrivateData>()) };
    let children = private._children.iter().copied().chain([array.dictionary]);
    for child in children.filter(|child| !child.is_null()) {
        // SAFETY: `build` made a box of it.
        let mut child = unsafe { Box::from_raw(child) };
        if let Some(release) = child.release {
            // SAFETY: it is not released.
            unsafe { release(&mut *child) };
        }
    }
    private.ledger.released();
    array.release = None;
}

/// Makes a sketch of an array with the same values. All structures have more slots before and after the used slots, so
/// they have offsets.
pub(crate) fn sketch(array: &ArrayData, generator: &mut Generator) -> Sketch {
    let n_before = if array.is_empty() { 0 } else { generator.rng().below(12) };
    let n_after = if array.is_empty() { 0 } else { generator.rng().below(3) };
    let mut slots: Vec<u32> = (0..n_before).map(|_| generator.rng().below(array.len()) as u32).collect();
    slots.extend(0..array.len() as u32);
    slots.extend((0..n_after).map(|_| generator.rng().below(array.len()) as u32));
    let whole = array.take(&slots).unwrap_or_else(|error| panic!("{error}"));
    let layout = whole.layout();
    let bits = |bits: &Bitmap| bits.to_packed().to_vec();
    let (mut buffers, mut are_lengths) = (Vec::new(), Vec::new());
    if layout.has_validity() {
        buffers.push(whole.validity().map(bits));
        are_lengths.push(false);
    }
    for (k, spec) in layout.data_buffers().iter().enumerate() {
        are_lengths.push(spec.role == Role::Offsets);
        buffers.push(Some(match spec.role {
            Role::Values if spec.bits == 1 => {
                bits(&Bitmap::try_new(whole.buffer(k).clone(), whole.offset(), whole.len()).expect("sound"))
            }
            // In C, an array without slots still has one offset.
            Role::Offsets if whole.buffer(k).is_empty() => vec![0; 8],
            _ => whole.buffer(k).to_vec(),
        }));
    }
    if layout.is_variadic() {
        let lengths = whole.variadic().iter().flat_map(|data| (data.len() as i64).to_ne_bytes()).collect();
        buffers.extend(whole.variadic().iter().map(|data| Some(data.to_vec())));
        buffers.push(Some(lengths));
        are_lengths.resize(buffers.len() - 1, false);
        are_lengths.push(true);
    }
    let runs_offset = if matches!(layout.physical(), Physical::Runs(_)) { whole.offset() } else { 0 };
    let null_count = match generator.rng().one_in(2) || whole.validity().is_none() {
        true => array.null_count() as i64,
        false => -1,
    };
    Sketch {
        length: array.len() as i64,
        null_count,
        offset: (n_before + runs_offset) as i64,
        buffers,
        children: whole.children().iter().map(|child| Some(sketch(child, generator))).collect(),
        dictionary: whole.dictionary().map(|values| Box::new(sketch(values, generator))),
        are_lengths,
        ..Sketch::default()
    }
}
