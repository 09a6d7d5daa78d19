//! How structures come from pointers and go to them: the same for all of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A structure of the interfaces: it has a release callback, by which one knows whether there is anything in it.
pub(crate) trait Released {
    fn is_released(&self) -> bool;

    /// Says that there is nothing in it any more, without calling the callback.
    fn mark_released(&mut self);
}

/// Moves the structure out of `source`, which is released from then on.
///
/// # Safety
/// `source` is valid for reads and writes and aligned, and the structure keeps the contract of the crate.
pub(crate) unsafe fn take<T: Released>(source: *mut T) -> T {
    // SAFETY: the caller's promise. What stays there is marked as released, so that there is one structure after the copy.
    let taken = unsafe { source.read() };
    // SAFETY: as before; what was there has just been moved out, and nobody else refers to it.
    unsafe { &mut *source }.mark_released();
    taken
}

/// Drops what an exported structure points to. Where an owner of memory or the source of a stream panics, that does not unwind into C,
/// which has no place for it.
pub(crate) fn drop_without_unwinding<T>(private: Box<T>) {
    drop(catch_unwind(AssertUnwindSafe(|| drop(private))));
}

/// A structure that has a release callback itself.
macro_rules! structure {
    ($name:ident, $released:expr) => {
        impl $crate::raw::Released for $name {
            fn is_released(&self) -> bool {
                self.release.is_none()
            }

            fn mark_released(&mut self) {
                self.release = None;
            }
        }

        $crate::raw::movable!($name, $released);

        impl Drop for $name {
            /// Calls the release callback, unless the structure is released.
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the structure keeps the contract of the crate and is not released, so the callback may be called with
                    // it, from any thread. It is not called again: the callback sets it to null, and this is the last use.
                    unsafe { release(self) }
                }
            }
        }
    };
}

/// How a structure comes from pointers and goes to them.
macro_rules! movable {
    ($name:ident, $released:expr) => {
        impl $name {
            /// A released structure, for others to fill.
            pub const fn empty() -> $name {
                $released
            }

            /// Whether there is nothing in it: it was released, moved, or never filled.
            pub fn is_released(&self) -> bool {
                $crate::raw::Released::is_released(self)
            }

            /// Moves the structure out of memory of others, which is marked as released and stays theirs.
            ///
            /// # Safety
            ///
            /// `source` is valid for reads and writes, and what is there keeps [the contract](crate#the-contract), now and as long
            /// as the result lives.
            pub unsafe fn from_raw(source: *mut $name) -> $name {
                // SAFETY: the caller's promise.
                unsafe { $crate::raw::take(source) }
            }

            /// Moves the structure out of a box, as [`into_raw`](Self::into_raw) makes them, and frees the box.
            ///
            /// # Safety
            ///
            /// `source` comes from [`into_raw`](Self::into_raw), and nobody uses it any more. What is there keeps
            /// [the contract](crate#the-contract).
            pub unsafe fn take_box(source: *mut $name) -> $name {
                // SAFETY: the caller's promise.
                *unsafe { Box::from_raw(source) }
            }

            /// Moves the structure into a box, for others to take it from there. Both have to be given back:
            /// the structure by its release callback, or by moving it out; the box by
            /// [`take_box`](Self::take_box).
            pub fn into_raw(self) -> *mut $name {
                Box::into_raw(Box::new(self))
            }

            /// Moves the structure into memory of others. What was there is overwritten and not released.
            ///
            /// # Safety
            ///
            /// `target` is valid for writes, and aligned.
            pub unsafe fn write_to(self, target: *mut $name) {
                // SAFETY: the caller's promise.
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
    };
}

pub(crate) use {movable, structure};
