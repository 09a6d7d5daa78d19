//! `ArrowArray`: an array or a record batch.

mod buffers;
mod export;
mod import;

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use arrow_data::Role;

use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::structure;

/// The buffers of an array, with its children and dictionary, as the C data interface describes them. A record batch is a
/// struct of its columns.
///
/// A value keeps [the contract](crate#the-contract): it comes from this crate, or the caller of
/// [`from_raw`](ArrowArray::from_raw) has promised it. It is released when it is dropped; what was imported from it keeps it
/// alive.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_c_data::{ArrowArray, ImportOptions};
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_schema::DataType;
///
/// let buffers = [Buffer::from(vec![1_i32, 2, 3]), Buffer::new()];
/// let numbers = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int32, 3) })?;
/// let exported = ArrowArray::try_from_array(&numbers.slice(1, 2))?;
/// // SAFETY: it was exported from such an array.
/// let imported = unsafe { exported.import(&DataType::Int32, &ImportOptions::default()) }?;
/// assert_eq!(imported.buffer(0).as_ptr(), numbers.slice(1, 2).buffer(0).as_ptr());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Specification: "The ArrowArray structure".
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

structure!(
    ArrowArray,
    ArrowArray {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: ptr::null_mut(),
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    }
);

// SAFETY: the contract says that the structure may be released on any thread, and that what it points to does not change.
unsafe impl Send for ArrowArray {}

// SAFETY: nothing is changed through a shared reference, and the contract says that nobody else changes it.
unsafe impl Sync for ArrowArray {}

impl ArrowArray {
    fn check_not_released(&self) -> Result<(), CDataError> {
        match self.release {
            Some(_) => Ok(()),
            None => Err(Kind::Released { structure: Structure::ArrowArray }.into()),
        }
    }

    /// A pointer to a buffer whose position is less than `n_buffers`; `None` where it is null.
    fn buffer(&self, position: usize) -> Result<Option<NonNull<u8>>, Kind> {
        if self.buffers.is_null() {
            return Err(Kind::NullMember { structure: Structure::ArrowArray, member: "buffers" });
        }
        // SAFETY: the contract says that there are `n_buffers` pointers, unless `buffers` is null; the structure is not
        // released, which `import` has looked at.
        let start = unsafe { self.buffers.wrapping_add(position).read() };
        Ok(NonNull::new(start.cast_mut().cast()))
    }

    /// As [`buffer`](ArrowArray::buffer), of one that holds `n_bytes` bytes: one or more.
    fn filled_buffer(&self, position: usize, role: Role, n_bytes: u64) -> Result<NonNull<u8>, Kind> {
        self.buffer(position)?.ok_or(Kind::NullBuffer { role, n_bytes })
    }

    /// A child whose position is less than `n_children`, and that is not released.
    fn child(&self, position: usize) -> Result<&ArrowArray, CDataError> {
        let null = |member| Kind::NullMember { structure: Structure::ArrowArray, member };
        if self.children.is_null() {
            return Err(null("children").into());
        }
        // SAFETY: the contract says that there are `n_children` pointers, unless `children` is null; the structure is not
        // released, which `import` has looked at.
        let child = unsafe { self.children.wrapping_add(position).read() };
        // SAFETY: the contract says that each of them is null or valid, as long as the structure is not released.
        let child = unsafe { child.as_ref() }.ok_or_else(|| null("children[..]"))?;
        child.check_not_released()?;
        Ok(child)
    }

    /// The values of a dictionary, which are not released.
    fn dictionary(&self) -> Result<Option<&ArrowArray>, CDataError> {
        // SAFETY: the contract says that the pointer is null or valid, as long as the structure is not released, which
        // `import` has looked at.
        let dictionary = unsafe { self.dictionary.as_ref() };
        dictionary.map_or(Ok(()), ArrowArray::check_not_released)?;
        Ok(dictionary)
    }
}
