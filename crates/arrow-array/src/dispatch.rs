//! `AnyArray`, an enum of all typed arrays, generated from the list of kinds; and the macros that match on it.

use arrow_data::ArrayData;

use crate::{
    array::{primitive::*, *},
    error::ArrayError,
    kind::{Kind, each_type, kind},
};

#[macro_use]
mod with;

/// Generates `AnyArray` and its conversions from the rows of `each_type`.
macro_rules! any_array {
    ($($group:ident {
        $($variant:ident $(($parameters:ty: $value:expr))? = $types:pat => $array:ident, $builder:ty, $what:literal;)*
    })*) => {
        /// A typed array of any type, for an exhaustive `match`.
        ///
        /// ```
        /// use arrow_array::{AnyArray, Int64Array};
        /// use arrow_data::ArrayData;
        ///
        /// let column = ArrayData::from(Int64Array::from_iter([Some(1), None, Some(3)]));
        /// let what = match AnyArray::try_new(&column)? {
        ///     AnyArray::Int64(numbers) => format!("the sum is {}", numbers.iter().flatten().sum::<i64>()),
        ///     AnyArray::Boolean(flags) => format!("{} bits are set", flags.values().count_set()),
        ///     other => format!("{} has no sum", other.data().data_type()),
        /// };
        /// assert_eq!(what, "the sum is 4");
        /// # Ok::<(), arrow_array::ArrayError>(())
        /// ```
        #[derive(Clone)]
        pub enum AnyArray {
            $($(#[doc = $what] $variant($array),)*)*
        }

        impl AnyArray {
            /// Makes the typed array for the type of `data`, without a copy. Validates the content, unless it has been
            /// validated before.
            ///
            /// # Errors
            /// If the content of `data` is invalid.
            pub fn try_new(data: &ArrayData) -> Result<AnyArray, ArrayError> {
                AnyArray::try_from(data.clone())
            }
        }

        impl TryFrom<ArrayData> for AnyArray {
            type Error = ArrayError;

            fn try_from(data: ArrayData) -> Result<AnyArray, ArrayError> {
                match kind(data.data_type()) {
                    $($(Kind::$variant { .. } => $array::try_from(data).map(AnyArray::$variant),)*)*
                }
            }
        }

        $($(impl From<$array> for AnyArray {
            fn from(array: $array) -> AnyArray {
                AnyArray::$variant(array)
            }
        })*)*

        with_macros!(($) $([$($variant)*])*);
    };
}

each_type!(any_array);

mod access;

impl TryFrom<&ArrayData> for AnyArray {
    type Error = ArrayError;

    fn try_from(data: &ArrayData) -> Result<AnyArray, ArrayError> {
        AnyArray::try_new(data)
    }
}
