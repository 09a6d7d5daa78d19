//! The code that all structures share: pointers, moves from and to foreign memory, and the release.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{CDataErrorKind as Kind, Structure};

/// A pointer in a structure, to memory that [the contract](crate#the-contract) describes.
#[repr(transparent)]
pub(crate) struct Pointer<T>(*mut T);

// SAFETY: a pointer does nothing by itself. Code that follows a pointer proves that the pointer is valid. The contract
// says that the memory of structures may be read, and released, on any thread.
unsafe impl<T> Send for Pointer<T> {}

// SAFETY: as for `Send`. Through a shared reference, only the address can be read.
unsafe impl<T> Sync for Pointer<T> {}

impl<T> Pointer<T> {
    pub(crate) const fn null() -> Pointer<T> {
        Pointer(std::ptr::null_mut())
    }

    pub(crate) const fn get(self) -> *mut T {
        self.0
    }

    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }
}

impl<T> From<*mut T> for Pointer<T> {
    fn from(pointer: *mut T) -> Pointer<T> {
        Pointer(pointer)
    }
}

impl<T> From<*const T> for Pointer<T> {
    fn from(pointer: *const T) -> Pointer<T> {
        Pointer(pointer.cast_mut())
    }
}

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Pointer<T> {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

impl<T> Default for Pointer<T> {
    fn default() -> Pointer<T> {
        Pointer::null()
    }
}

/// A structure of the interfaces. It has a release callback, which is null if the structure is empty.
pub(crate) trait CStructure {
    const STRUCTURE: Structure;

    fn is_released(&self) -> bool;

    /// Marks the structure as empty, without calling the callback.
    fn mark_released(&mut self);

    /// The pointer to the data of the producer.
    fn private_data(&self) -> *mut c_void;

    fn check_not_released(&self) -> Result<(), Kind> {
        if self.is_released() { Err(Kind::Released { structure: Self::STRUCTURE }) } else { Ok(()) }
    }
}

/// Turns a box into the private data of an exported structure, and returns it with the callback that frees it.
pub(crate) fn keep<T: CStructure, P>(private: Box<P>) -> (Pointer<c_void>, Option<ReleaseCallback<T>>) {
    (Pointer(Box::into_raw(private).cast()), Some(release::<T, P>))
}

/// A release callback. The structure must not be released, and no other code may use it during the call.
pub(crate) type ReleaseCallback<T> = unsafe extern "C" fn(&mut T);

/// Releases an exported structure, and the children that have not been moved out of it.
///
/// # Safety
/// The private data is a box of `P` that [`keep`] has taken, and the structure is not released. The structure may have
/// been moved.
unsafe extern "C" fn release<T: CStructure, P>(structure: &mut T) {
    structure.mark_released();
    // SAFETY: only `keep` returns this function, together with private data of the type `P`. The function is called
    // once, since the callback of the structure is null now.
    let private = unsafe { Box::from_raw(structure.private_data().cast::<P>()) };
    // An owner of memory or the source of a stream may panic. The panic must not unwind into C code.
    drop(catch_unwind(AssertUnwindSafe(|| drop(private))));
}

/// Implements `CStructure` for a structure with its own release callback.
macro_rules! released {
    ({$($parameters:tt)*} $name:ty, $structure:expr) => {
        impl<$($parameters)*> $crate::raw::CStructure for $name {
            const STRUCTURE: $crate::error::Structure = $structure;

            fn is_released(&self) -> bool {
                self.release.is_none()
            }

            fn mark_released(&mut self) {
                self.release = None;
            }

            fn private_data(&self) -> *mut std::ffi::c_void {
                self.private_data.get()
            }
        }

        impl<$($parameters)*> Drop for $name {
            /// Calls the release callback, unless the structure is released.
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the structure keeps the contract of the crate and is not released, so the callback may be
                    // called with it, from any thread. The callback is not called again: it sets `release` to null, and
                    // the structure is not used after this call.
                    unsafe { release(self) }
                }
            }
        }
    };
}

/// Implements `CStructure` for a structure that has the release callback of a structure inside it.
macro_rules! released_inside {
    ($name:ty, $member:tt, $structure:expr) => {
        impl $crate::raw::CStructure for $name {
            const STRUCTURE: $crate::error::Structure = $structure;

            fn is_released(&self) -> bool {
                $crate::raw::CStructure::is_released(&self.$member)
            }

            fn mark_released(&mut self) {
                self.$member.mark_released();
            }

            fn private_data(&self) -> *mut std::ffi::c_void {
                self.$member.private_data()
            }
        }
    };
}

/// The children and the dictionary of a structure, which are structures of the same kind.
macro_rules! tree {
    ($name:ident) => {
        impl $name {
            /// The child at a position. Returns an error if there is no such child, or if it is null or released.
            fn child(&self, position: usize) -> Result<&$name, $crate::error::CDataError> {
                self.check_not_released()?;
                let null = |member| Kind::NullMember { structure: $name::STRUCTURE, member };
                if self.children.is_null() {
                    return Err(null("children").into());
                }
                if !usize::try_from(self.n_children).is_ok_and(|n_children| position < n_children) {
                    let expected = position.saturating_add(1);
                    return Err(Kind::ChildCount { expected, found: self.n_children }.into());
                }
                // An optional reference has the layout of a pointer that may be null.
                let children = self.children.get().cast::<Option<&$name>>();
                // SAFETY: the contract says that `children`, unless it is null, points to `n_children` pointers, and
                // that each of these is null or valid as long as the structure is not released. The code above has
                // checked `children`, `position` and the release. `self` is borrowed as long as the child is.
                let child = unsafe { children.wrapping_add(position).read() };
                let child = child.ok_or_else(|| null("children[..]"))?;
                child.check_not_released()?;
                Ok(child)
            }

            /// The dictionary; `None` if the pointer is null. Returns an error if the dictionary is released.
            fn dictionary(&self) -> Result<Option<&$name>, $crate::error::CDataError> {
                self.check_not_released()?;
                // SAFETY: the contract says that the pointer is null or valid as long as the structure is not released,
                // which the code above has checked. `self` is borrowed as long as the dictionary is.
                let dictionary = unsafe { self.dictionary.get().as_ref() };
                dictionary.map_or(Ok(()), $name::check_not_released)?;
                Ok(dictionary)
            }
        }
    };
}

/// Implements moving a structure from and to foreign memory.
macro_rules! movable {
    ($name:ident, $released:expr) => {
        impl $name {
            /// A released structure, for another library to fill.
            pub const fn empty() -> $name {
                $released
            }

            /// Whether the structure is empty: released, moved, or never filled.
            pub fn is_released(&self) -> bool {
                $crate::raw::CStructure::is_released(self)
            }

            /// Moves the structure out of foreign memory, and leaves a released structure there. The memory at `source`
            /// still belongs to the other library.
            ///
            /// # Safety
            ///
            /// `source` is valid for reads and writes, and its structure keeps [the contract](crate#the-contract), now
            /// and as long as the result lives.
            pub unsafe fn from_raw(source: *mut $name) -> $name {
                // SAFETY: the caller promises that `source` is valid. A released structure stays there, so there is still one structure.
                unsafe { source.replace($name::empty()) }
            }

            /// Moves the structure out of a box that [`into_raw`](Self::into_raw) made, and frees the box.
            ///
            /// # Safety
            ///
            /// `source` comes from [`into_raw`](Self::into_raw), and nobody uses it any more. The structure at `source`
            /// keeps [the contract](crate#the-contract).
            pub unsafe fn take_box(source: *mut $name) -> $name {
                // SAFETY: the caller promises that `source` comes from `into_raw`, and that nobody uses it any more.
                *unsafe { Box::from_raw(source) }
            }

            /// Moves the structure into a box for another library. Two things must be freed: the structure, by its
            /// release callback or by moving it out, and the box, by [`take_box`](Self::take_box).
            pub fn into_raw(self) -> *mut $name {
                Box::into_raw(Box::new(self))
            }

            /// Moves the structure into foreign memory. The structure that was there is overwritten and not released.
            ///
            /// # Safety
            ///
            /// `target` is valid for writes, and aligned.
            pub unsafe fn write_to(self, target: *mut $name) {
                // SAFETY: the caller promises that `target` is valid for writes, and aligned.
                unsafe { target.write(self) }
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::empty()
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("is_released", &self.is_released())
                    .finish_non_exhaustive()
            }
        }

        // The contract says that pointers of a structure may be followed, and callbacks called, on any thread.
        const _: () = {
            const fn is_send_and_sync<T: Send + Sync>() {}
            is_send_and_sync::<$name>();
        };
    };
}

pub(crate) use {movable, released, released_inside, tree};
