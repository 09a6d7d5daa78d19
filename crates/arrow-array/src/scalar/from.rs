//! Conversions from Rust values whose type determines the Arrow type, and back.

use arrow_buffer::F16;

use super::Scalar;
use crate::{
    array::{
        BinaryArray, BinaryViewArray, BooleanArray, FixedSizeBinaryArray, LargeBinaryArray, LargeUtf8Array,
        Utf8Array, Utf8ViewArray, primitive::*,
    },
    dispatch::AnyArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Implements `From<T>` and `From<Option<T>>` for `Scalar`, for each pair of a value type and its array type.
macro_rules! from_values {
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

from_values! {
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
macro_rules! from_strings {
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

from_strings! {
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

/// Implements `TryFrom<&Scalar>` for a Rust type and for options of it. The arrays are the types from which the value is read.
macro_rules! to_values {
    ($($value:ty: $expected:literal, $($array:ident)|+, $convert:expr;)*) => {$(
        impl TryFrom<&Scalar> for Option<$value> {
            type Error = ArrayError;

            /// The value; `None` if it is null. Dictionaries and runs are decoded.
            ///
            /// # Errors
            /// If the scalar has another type.
            fn try_from(scalar: &Scalar) -> Result<Option<$value>, ArrayError> {
                let decoded = scalar.decoded()?;
                $(if let Some(array) = decoded.array.downcast_ref::<$array>() {
                    return Ok(array.get(0).map($convert));
                })+
                Err(ArrayError::type_mismatch($expected, decoded.data_type()))
            }
        }

        impl TryFrom<&Scalar> for $value {
            type Error = ArrayError;

            /// The value. Dictionaries and runs are decoded.
            ///
            /// # Errors
            /// If the scalar has another type, or is null; an option becomes `None` then.
            fn try_from(scalar: &Scalar) -> Result<$value, ArrayError> {
                Option::<$value>::try_from(scalar)?.ok_or_else(|| ArrayErrorKind::NullScalar.into())
            }
        }
    )*};
}

to_values! {
    bool: "bool", BooleanArray, |value| value;
    i8: "int8", Int8Array, |value| value;
    i16: "int16", Int16Array, |value| value;
    i32: "int32", Int32Array, |value| value;
    i64: "int64", Int64Array, |value| value;
    u8: "uint8", UInt8Array, |value| value;
    u16: "uint16", UInt16Array, |value| value;
    u32: "uint32", UInt32Array, |value| value;
    u64: "uint64", UInt64Array, |value| value;
    F16: "float16", Float16Array, |value| value;
    f32: "float32", Float32Array, |value| value;
    f64: "float64", Float64Array, |value| value;
    String: "utf8", Utf8Array | LargeUtf8Array | Utf8ViewArray, str::to_owned;
    Vec<u8>: "binary", BinaryArray | LargeBinaryArray | BinaryViewArray | FixedSizeBinaryArray, <[u8]>::to_vec;
}

impl<'a> TryFrom<&'a Scalar> for &'a str {
    type Error = ArrayError;

    /// The text of a scalar of any utf8 type, without a copy.
    ///
    /// # Errors
    /// If the scalar has another type, also if it is dictionary-encoded: [`Scalar::decoded`] decodes it. If it is null.
    ///
    /// ```
    /// use arrow_array::Scalar;
    ///
    /// let (name, age) = (Scalar::from("ada"), Scalar::from(Some(36)));
    /// assert_eq!(<&str>::try_from(&name)?, "ada");
    /// assert_eq!(i32::try_from(&age)?, 36);
    /// assert_eq!(Option::<i32>::try_from(&Scalar::from(None::<i32>))?, None);
    /// assert_eq!(i64::try_from(&age).unwrap_err().to_string(), "expected int64, found int32");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    fn try_from(scalar: &'a Scalar) -> Result<&'a str, ArrayError> {
        let array = &scalar.array;
        let text = if let Some(array) = array.downcast_ref::<Utf8Array>() {
            array.get(0)
        } else if let Some(array) = array.downcast_ref::<LargeUtf8Array>() {
            array.get(0)
        } else if let Some(array) = array.downcast_ref::<Utf8ViewArray>() {
            array.get(0)
        } else {
            return Err(ArrayError::type_mismatch("utf8", scalar.data_type()));
        };
        text.ok_or_else(|| ArrayErrorKind::NullScalar.into())
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::IndexType;

    use super::*;
    use crate::builder::{DictionaryBuilder, Utf8Builder};

    #[test]
    fn scalars_become_the_values_that_they_were_made_of() {
        macro_rules! check {
            ($($value:expr => $type:ty;)*) => {$(
                let value: $type = $value;
                assert_eq!(<$type>::try_from(&Scalar::from(value.clone())), Ok(value.clone()));
                assert_eq!(Option::<$type>::try_from(&Scalar::from(Some(value))), Ok(Some($value)));
                let null = Scalar::from(None::<$type>);
                assert_eq!(Option::<$type>::try_from(&null), Ok(None));
                let error = <$type>::try_from(&null).expect_err("it is null");
                assert_eq!(error.kind(), &ArrayErrorKind::NullScalar);
            )*};
        }
        check! {
            true => bool;
            -1 => i8;
            -1 => i16;
            -1 => i32;
            -1 => i64;
            255 => u8;
            255 => u16;
            255 => u32;
            255 => u64;
            F16::from_bits(0x3C00) => F16;
            0.5 => f32;
            0.5 => f64;
            "ada".to_owned() => String;
            vec![7] => Vec<u8>;
        }
        let words = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).expect("text");
        let word = Scalar::try_build(words, "ada").expect("text");
        assert_eq!(String::try_from(&word).as_deref(), Ok("ada"));
        assert!(<&str>::try_from(&word).is_err() && i32::try_from(&word).is_err());
    }
}
