//! Conversions from Rust values whose type determines the Arrow type.

use arrow_buffer::F16;

use super::Scalar;
use crate::{
    array::{BinaryArray, BooleanArray, Utf8Array, primitive::*},
    dispatch::AnyArray,
};

/// Implements `From<T>` and `From<Option<T>>` for `Scalar`, for each pair of a value type and its array type.
macro_rules! of_values {
    ($($value:ty => $array:ident;)*) => {$(
        impl From<$value> for Scalar {
            fn from(value: $value) -> Scalar {
                Scalar::from(Some(value))
            }
        }

        impl From<Option<$value>> for Scalar {
            /// Makes a scalar; `None` becomes a null.
            fn from(value: Option<$value>) -> Scalar {
                Scalar { array: $array::from_iter([value]).into() }
            }
        }
    )*};
}

of_values! {
    bool => BooleanArray;
    i8 => Int8Array;
    i16 => Int16Array;
    i32 => Int32Array;
    i64 => Int64Array;
    u8 => UInt8Array;
    u16 => UInt16Array;
    u32 => UInt32Array;
    u64 => UInt64Array;
    F16 => Float16Array;
    f32 => Float32Array;
    f64 => Float64Array;
}

/// Implements `From<T>` and `From<Option<T>>` for text and bytes, which panic if the value is too long for the type.
macro_rules! of_strings {
    ($($value:ty => $array:ident;)*) => {$(
        impl From<$value> for Scalar {
            /// # Panics
            /// If the value is longer than 2 GiB, which offsets of 32 bits cannot express. [`Scalar::try_build`] returns an
            /// error instead.
            fn from(value: $value) -> Scalar {
                Scalar::from(Some(value))
            }
        }

        impl From<Option<$value>> for Scalar {
            /// Makes a scalar; `None` becomes a null.
            ///
            /// # Panics
            /// If the value is longer than 2 GiB, which offsets of 32 bits cannot express. [`Scalar::try_build`] returns an
            /// error instead.
            fn from(value: Option<$value>) -> Scalar {
                // `expect` would add the `Debug` code of all errors to each program.
                let Ok(array) = $array::try_from_iter([value]) else { panic!("values are shorter than 2 GiB") };
                Scalar { array: array.into() }
            }
        }
    )*};
}

of_strings! {
    &str => Utf8Array;
    String => Utf8Array;
    &[u8] => BinaryArray;
    Vec<u8> => BinaryArray;
}

impl TryFrom<AnyArray> for Scalar {
    type Error = AnyArray;

    /// Makes a scalar of an array of one slot.
    ///
    /// # Errors
    /// Returns the array if it does not have exactly one slot.
    fn try_from(array: AnyArray) -> Result<Scalar, AnyArray> {
        if array.len() == 1 { Ok(Scalar { array }) } else { Err(array) }
    }
}
