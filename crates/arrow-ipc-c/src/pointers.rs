//! What C passes: texts, lists of options, bytes and user data. A value of these types is the promise of the header about
//! its pointer; nothing in this crate makes one.

use std::{
    ffi::{CStr, c_char, c_void},
    fmt,
    mem::MaybeUninit,
    slice,
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_c_data::{ArrayImporter, ArrowArray};
use arrow_data::RecordBatch;
use arrow_schema::Schema;

use crate::failure::{Failure, Result};

/// A result that is written to memory of the caller, which may be uninitialised; `None` for NULL.
pub(crate) type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// A text that ends with NUL, or NULL.
///
/// **Contract:** the text does not change during the call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct TextPointer(*const c_char);

impl TextPointer {
    /// # Errors
    /// If the pointer is NULL, or the text is not UTF-8.
    pub(crate) fn as_str(&self, name: impl fmt::Display) -> Result<&str> {
        if self.0.is_null() {
            return Err(Failure::null(name));
        }
        // SAFETY: the contract says that the text ends with NUL and does not change during the call; `self` does not outlive it.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map_err(|error| {
            let at = error.valid_up_to();
            Failure::misuse(format!("`{name}` is not UTF-8 at its byte {at}"))
        })
    }
}

/// `struct aipc_option`
#[repr(C)]
pub(crate) struct NamedText {
    pub(crate) key: TextPointer,
    pub(crate) value: TextPointer,
}

/// The start of a list, or NULL.
///
/// **Contract:** the list has as many items as the argument after it says, and they do not change during the call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct ListPointer<T>(*const T);

impl<T> ListPointer<T> {
    /// # Errors
    /// If the pointer is NULL and there are items, or they are more than memory can have.
    pub(crate) fn items(&self, n_items: usize, name: &str) -> Result<&[T]> {
        if n_items == 0 {
            return Ok(&[]);
        }
        if self.0.is_null() {
            return Err(Failure::null(name));
        }
        let n_bytes = n_items.checked_mul(size_of::<T>());
        if n_bytes.is_none_or(|n_bytes| isize::try_from(n_bytes).is_err()) {
            return Err(Failure::misuse(format!(
                "the length of `{name}` is {n_items}, more than memory can have"
            )));
        }
        // SAFETY: the contract says that there are `n_items` items, which do not change during the call; the code above has
        // checked that they are no more than a slice can have.
        Ok(unsafe { slice::from_raw_parts(self.0, n_items) })
    }
}

/// A structure whose first member is its size, which the caller sets: that of the caller's version of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct SizedStructure<T> {
    size: usize,
    members: T,
}

/// Where a [`SizedStructure`] to read is, or NULL.
///
/// **Contract:** there are as many bytes as the size says, and they do not change before a callback is called.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct SizedPointer<T>(*const SizedStructure<T>);

impl<T: Copy> SizedPointer<T> {
    /// Copies what follows the size. `name` is that of the argument, and of the structure after `aipc_`.
    ///
    /// # Errors
    /// If the pointer is NULL, or the size is less than that of the structure.
    pub(crate) fn read(self, name: &str) -> Result<T> {
        if self.0.is_null() {
            return Err(Failure::null(name));
        }
        // SAFETY: the contract says that the structure begins with its size; nothing behind it is touched.
        let size = unsafe { self.0.cast::<usize>().read() };
        let expected = size_of::<SizedStructure<T>>();
        if size < expected {
            return Err(Failure::misuse(format!(
                "`size` of `struct aipc_{name}` is {size}; expected `sizeof`, which is {expected}"
            )));
        }
        // SAFETY: the contract says that there are `size` bytes, which are enough: the code above has compared them.
        let structure = unsafe { self.0.read() };
        Ok(structure.members)
    }
}

/// Where a [`SizedStructure`] to write is, or NULL.
///
/// **Contract:** there are as many bytes as the size says, and nobody else uses them when the call ends.
#[repr(transparent)]
pub(crate) struct SizedTarget<T>(*mut SizedStructure<MaybeUninit<T>>);

impl<T> SizedTarget<T> {
    /// The members after the size; `None` for NULL, or if the size is less than that of the structure. For the end of a call: callbacks
    /// may pass the same structure to other calls.
    pub(crate) fn members_mut(&mut self) -> Option<&mut MaybeUninit<T>> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the contract says that the structure begins with its size; nothing behind it is touched.
        let size = unsafe { self.0.cast::<usize>().read() };
        if size < size_of::<SizedStructure<T>>() {
            return None;
        }
        // SAFETY: the contract says that there are `size` bytes that nobody else uses; the code above has found them to be enough.
        let structure = unsafe { &mut *self.0 };
        Some(&mut structure.members)
    }
}

/// Where a structure of the C data interface is that is moved to this library, or NULL.
///
/// **Contract:** the structure keeps to that interface, now and after it was moved.
#[repr(transparent)]
pub(crate) struct MovedPointer<T>(*mut T);

impl<T: Default> MovedPointer<T> {
    /// Moves the structure out, and leaves a released one.
    ///
    /// # Errors
    /// If the pointer is NULL.
    pub(crate) fn take(self, name: &str) -> Result<T> {
        self.take_if_any().ok_or_else(|| Failure::null(name))
    }

    /// Like [`take`](MovedPointer::take); `None` for NULL.
    pub(crate) fn take_if_any(self) -> Option<T> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the contract says that a structure is there; the default, which stays, is a released one.
        Some(unsafe { self.0.replace(T::default()) })
    }
}

/// The data of callbacks, which only these use.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct UserData(*mut c_void);

// SAFETY: the address is only passed back to the callbacks of the caller. The header says that these may be called on any thread.
unsafe impl Send for UserData {}

// SAFETY: as for `Send`; the header says which callbacks may be called by several threads at once.
unsafe impl Sync for UserData {}

/// A callback that frees user data; NULL if there is nothing to free.
pub(crate) type ReleaseCallback = Option<extern "C" fn(UserData)>;

/// `struct aipc_memory` after its size
///
/// **Contract:** there are `n_bytes` bytes, which do not change, and stay valid until `release` is called.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Memory {
    bytes: ListPointer<u8>,
    n_bytes: usize,
    release: ReleaseCallback,
    user: UserData,
}

/// Memory of the caller, which is released when it is dropped.
struct LentMemory(Memory);

// SAFETY: the contract says that the bytes do not change, so that any thread may read them; `release` is called once.
unsafe impl Send for LentMemory {}

// SAFETY: as for `Send`.
unsafe impl Sync for LentMemory {}

impl Drop for LentMemory {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            release(self.0.user);
        }
    }
}

impl Memory {
    /// A buffer of the memory, which is released with the last buffer over it, and also after an error.
    ///
    /// # Errors
    /// The errors of [`ListPointer::items`].
    pub(crate) fn to_buffer(self) -> Result<Buffer> {
        let lent = LentMemory(self);
        lent.0.bytes.items(self.n_bytes, "bytes")?;
        // The items were checked above, so that there are as many.
        Ok(Buffer::from_owner_with(lent, |lent| {
            lent.0.bytes.items(lent.0.n_bytes, "bytes").unwrap_or_default()
        }))
    }
}

/// Reads an array of C as a batch with this schema. The importer is that of all batches of the handle.
///
/// # Errors
/// If the structure cannot be such a batch, or its content is invalid.
pub(crate) fn import(
    importer: &mut ArrayImporter,
    array: ArrowArray,
    schema: &Arc<Schema>,
) -> Result<RecordBatch> {
    // SAFETY: the header says that the array is a batch of the schema that the caller gave, and keeps to the C data interface.
    Ok(unsafe { importer.import_batch(array, Arc::clone(schema)) }?)
}

/// What C passes, for tests.
#[cfg(test)]
mod passed {
    use std::mem::MaybeUninit;

    use super::{SizedStructure, SizedTarget};

    impl<T> SizedStructure<T> {
        pub(crate) fn new(members: T) -> SizedStructure<T> {
            SizedStructure { size: size_of::<SizedStructure<T>>(), members }
        }
    }

    impl<T> SizedTarget<T> {
        pub(crate) fn from_structure(structure: *mut SizedStructure<MaybeUninit<T>>) -> SizedTarget<T> {
            SizedTarget(structure)
        }
    }
}
