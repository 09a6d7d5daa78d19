//! The number types that buffers hold.

use std::fmt::Debug;

use bytemuck::{Pod, Zeroable};

use crate::number::f16::F16;
use crate::number::i128::I128;
use crate::number::i256::I256;
use crate::number::interval::{IntervalDayTime, IntervalMonthDayNano};
use crate::number::view::View;

mod sealed {
    pub trait Sealed {}
}

/// A number as it lies in a buffer: plain bytes without padding; every bit pattern is a value.
///
/// None needs more than 8-byte alignment: other writers place buffers at multiples of 8 only. The set is closed.
pub trait Native: sealed::Sealed + Pod + Send + Sync + Debug + Default + PartialEq {
    /// The bytes of the number, in the byte order of the machine. Equal bytes are the same number: of floating-point
    /// numbers also where they are not a number.
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
        impl Native for $number {}
        const _: () = assert!(size_of::<$number>() == $n_bytes && align_of::<$number>() <= 8);
    )*};
}

native! {
    i8: 1, i16: 2, i32: 4, i64: 8, u8: 1, u16: 2, u32: 4, u64: 8, f32: 4, f64: 8, F16: 2, I128: 16, I256: 32,
    IntervalDayTime: 8, IntervalMonthDayNano: 16, View: 16,
}

// SAFETY: zero is a valid `u16`, the only field.
unsafe impl Zeroable for F16 {}
// SAFETY: `repr(transparent)` over a `u16`.
unsafe impl Pod for F16 {}
// SAFETY: zeros are valid `u64`s, the only fields.
unsafe impl Zeroable for I128 {}
// SAFETY: `repr(C)` over two `u64`; 16 bytes in all, as asserted above, so there is no padding.
unsafe impl Pod for I128 {}
// SAFETY: zeros are valid `u64`s, the only fields.
unsafe impl Zeroable for I256 {}
// SAFETY: `repr(C)` over four `u64`; 32 bytes in all, as asserted above, so there is no padding.
unsafe impl Pod for I256 {}
// SAFETY: zeros are valid `i32`s, the only fields.
unsafe impl Zeroable for IntervalDayTime {}
// SAFETY: `repr(C)` over two `i32`; 8 bytes in all, as asserted above, so there is no padding.
unsafe impl Pod for IntervalDayTime {}
// SAFETY: zeros are valid `i32`s and `i64`s, the only fields.
unsafe impl Zeroable for IntervalMonthDayNano {}
// SAFETY: `repr(C)` over two `i32` and an `i64`; 16 bytes in all, as asserted above, so there is no padding.
unsafe impl Pod for IntervalMonthDayNano {}
// SAFETY: zeros are a valid `i32` and valid `u32`s, the only fields.
unsafe impl Zeroable for View {}
// SAFETY: `repr(C)` over an `i32` and three `u32`; 16 bytes in all, as asserted above, so there is no padding.
unsafe impl Pod for View {}
