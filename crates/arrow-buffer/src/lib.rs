//! Memory of Apache Arrow arrays: shared buffers of bytes, bitmaps, number types, and bytes that are proven to be
//! offsets or text.
//!
//! A [`Buffer`] is an immutable, shared, sliceable range of bytes. The owner of the memory (this crate, a `Vec`, a
//! memory map or any other owner) stays alive as long as a buffer refers to the memory. A [`BufferMut`] grows, and
//! becomes a buffer without a copy. Other types are proofs: their constructors check a rule once, so that no other code
//! checks it again. They are [`Values`] (aligned numbers), [`Offsets`] (in order), [`Bitmap`] (long enough), [`Text`],
//! [`TextSlots`] and [`TextViews`] (UTF-8).
//!
//! ```
//! use arrow_buffer::{Buffer, Text, Values};
//!
//! let numbers = Buffer::from(vec![1_i32, 2, 3]);
//! let tail = numbers.slice(4..);
//! assert_eq!(tail.view::<i32>()?, [2, 3]);
//!
//! let values: Values<i32> = Values::try_new(tail, 2)?;
//! assert_eq!(values.iter().sum::<i32>(), 5);
//!
//! let text = Text::try_new(Buffer::copy_from("grüße".as_bytes()))?;
//! assert_eq!(&*text, "grüße");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`MemoryBudget`] counts the bytes of buffers and refuses memory beyond its limit. The bytes no longer count after
//! the last buffer that shares them is dropped. An [`AllocationSet`] counts the memory that given buffers keep allocated.
//!
//! All `unsafe` code that arrays need is in a few modules of this crate, which the list of `unsafe` code in the repository names.
#![deny(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

#[allow(unsafe_code)] // Shared memory, which may grow while it is shared, and mapped files.
mod buffer;
#[allow(unsafe_code)] // Allocation, and growth of anonymous mappings.
mod memory;

#[allow(unsafe_code)] // Promises that number types are plain bytes.
mod native;
mod number;
#[allow(unsafe_code)] // Reads aligned memory as a slice of numbers.
mod values;

mod allocations;
mod bitmap;
mod budget;
mod bytes;
mod check_views;
mod limit;
mod offsets;
#[allow(unsafe_code)] // Reads proven bytes as `str`.
mod text;
#[allow(unsafe_code)] // Reads proven slots as `str`.
mod text_slots;
#[allow(unsafe_code)] // Reads proven views as `str`.
mod text_views;
mod utf8;
mod view;

pub use crate::allocations::AllocationSet;
pub use crate::bitmap::builder::BitmapBuilder;
pub use crate::bitmap::iter::{BitmapIntoIter, BitmapIter, SetBits, SetRuns, Words};
pub use crate::bitmap::logic::BitmapLengthError;
pub use crate::bitmap::{Bitmap, BitmapError};
pub use crate::budget::{BudgetError, Charge, MemoryBudget};
pub use crate::buffer::foreign::ForeignMemory;
pub use crate::buffer::mutable::BufferMut;
pub use crate::buffer::{Buffer, MisalignedError, SliceError};
pub use crate::limit::{Budget, LimitExceeded};
pub use crate::native::NativeType;
pub use crate::number::decimal::ParseIntegerError;
pub use crate::number::f16::F16;
pub use crate::number::i128::I128;
pub use crate::number::i256::{I256, NarrowError};
pub use crate::number::notation::Notation;
pub use crate::number::view::{MAX_INLINE_BYTES, View};
pub use crate::number::{IntervalDayTime, IntervalMonthDayNano};
pub use crate::offsets::{OffsetOverflow, OffsetWidth, Offsets, OffsetsError};
pub use crate::text::{Text, TextError, TextOffsetsError};
pub use crate::text_slots::builder::TextSlotsBuilder;
pub use crate::text_slots::{TextSlots, TextSlotsError, TextSlotsRef};
pub use crate::text_views::{TextViews, TextViewsError};
pub use crate::values::{Values, ValuesError, ValuesIntoIter};
pub use crate::view::ViewError;

// Plumbing of the crates of this workspace: searches and checks that several of them need, and the memory of
// `arrow_select::GrowingArray`.
#[doc(hidden)]
pub use crate::{
    bitmap::growing::GrowingBitmap,
    buffer::growing::GrowingBuffer,
    bytes::{FindAll, any_byte, ends_of, find_all, find_any, floor_char_boundary},
    check_views::{check_text_views, check_views},
    offsets::check_offsets,
    text_slots::growing::GrowingTextSlots,
    text_views::GrowingTextViews,
    view::GrowingViews,
};

arrow_error::error_class! {
    BitmapError => Misuse,
    BitmapLengthError => Misuse,
    LimitExceeded => LimitExceeded,
    MisalignedError => Misuse,
    NarrowError => Misuse,
    OffsetsError => Malformed,
    ParseIntegerError => Malformed,
    SliceError => Misuse,
    TextError => Malformed,
    TextOffsetsError => Malformed,
    TextSlotsError => Malformed,
    TextViewsError => Malformed,
    ValuesError => Malformed,
    ViewError => Malformed,
}

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
