//! The number types of buffers.

use std::fmt::Debug;

use bytemuck::{Pod, Zeroable};

use crate::number::f16::F16;
use crate::number::i128::I128;
use crate::number::i256::I256;
use crate::number::view::View;
use crate::number::{IntervalDayTime, IntervalMonthDayNano};

mod sealed {
    pub trait Sealed {}
}

/// A number that buffers can contain: plain bytes without padding. Every bit pattern is a valid value.
///
/// These types need an alignment of at most 8, since other writers align buffers only to 8 bytes. Other crates cannot implement this trait.
pub trait NativeType: sealed::Sealed + Pod + Send + Sync + Debug + Default + PartialEq {
    /// The bytes of the number, in the byte order of the machine. Two numbers with equal bytes are the same number, even if
    /// both are NaN.
    fn as_bytes(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }

    /// The bytes of many numbers, in the byte order of the machine.
    fn slice_as_bytes(numbers: &[Self]) -> &[u8] {
        bytemuck::cast_slice(numbers)
    }
}

macro_rules! native {
    ($($number:ty: $n_bytes:literal),* $(,)?) => {$(
        impl sealed::Sealed for $number {}
        impl NativeType for $number {}
        const _: () = assert!(size_of::<$number>() == $n_bytes && align_of::<$number>() <= 8);
    )*};
}

native! {
    i8: 1, i16: 2, i32: 4, i64: 8, u8: 1, u16: 2, u32: 4, u64: 8, f32: 4, f64: 8, F16: 2, I128: 16, I256: 32,
    IntervalDayTime: 8, IntervalMonthDayNano: 16, View: 16, Word: 8,
}

/// Eight bytes with an alignment of 8, which is the largest of a number. Where pointers have 32 bits, that of `u64` may be 4.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(8))]
pub(crate) struct Word(u64);

/// Promises that types are plain bytes: all their fields are plain bytes, without padding between or after them. The compiler
/// checks both.
macro_rules! plain {
    ($($name:ident { $($field:tt: $number:ty),+ })*) => {$(
        const _: () = {
            const fn size_of_pod<T: Pod>() -> usize {
                size_of::<T>()
            }
            assert!(size_of::<$name>() == 0 $(+ size_of_pod::<$number>())+);
            let _: for<'a> fn(&'a $name) -> ($(&'a $number,)+) = |value| {
                let $name { $($field: _),+ } = value;
                ($(&value.$field,)+)
            };
        };

        // SAFETY: every field is `Pod`, so zeros are a value of it: the check above names all fields and their types.
        unsafe impl Zeroable for $name {}

        // SAFETY: every field is `Pod`, and they are as large together as the whole, so there is no padding: checked above. The types
        // are `repr(C)` or `repr(transparent)`.
        unsafe impl Pod for $name {}
    )*};
}

plain! {
    F16 { 0: u16 }
    I128 { 0: [u64; 2] }
    I256 { 0: [u64; 4] }
    IntervalDayTime { days: i32, milliseconds: i32 }
    IntervalMonthDayNano { months: i32, days: i32, nanoseconds: i64 }
    View { n_bytes: i32, rest: [u32; 3] }
    Word { 0: u64 }
}
