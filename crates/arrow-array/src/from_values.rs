//! Arrays made with `From` and `TryFrom`: of vectors, Rust arrays, numbers in buffers, and bitmaps; and the values of
//! arrays that are taken by value.

use std::{iter::FusedIterator, ops::Range};

use arrow_buffer::{Bitmap, Buffer, F16, IntervalDayTime, IntervalMonthDayNano, Values, ValuesError};
use arrow_schema::{IndexType, RunEndType};

use crate::{
    array::{
        BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, GenericListArray, GenericListViewArray,
        LargeBinaryArray, LargeUtf8Array, PrimitiveArray, RunEndEncodedArray, Utf8Array, Utf8ViewArray,
        Width,
    },
    builder::{
        Append, BoolSlot, Builder, BytesSlot, DictionaryBuilder, GenericListBuilder, GenericListViewBuilder,
        RunEndEncodedBuilder, TextSlot, Utf8Builder,
    },
    error::ArrayError,
    types::*,
};

impl<T: PlainType, V: PlainNumberSlot<T>, const N: usize> From<[V; N]> for PrimitiveArray<T> {
    /// Makes an array from numbers, or from options of numbers, where `None` becomes a null.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    ///
    /// let ids = Int64Array::from([Some(1), None]);
    /// assert_eq!(ids, Int64Array::from(vec![Some(1), None]));
    /// assert_eq!(ids.into_iter().collect::<Vec<Option<i64>>>(), [Some(1), None]);
    /// ```
    fn from(values: [V; N]) -> PrimitiveArray<T> {
        values.into_iter().collect()
    }
}

/// Implements `From` of a vector of options for each type without parameters. It cannot be generic, since the compiler does not
/// know that no number is an option.
macro_rules! from_options {
    ($($marker:ident: $array:ident, $builder:ident, $what:literal { $($row:tt)* })*) => {
        $(from_options!(@one $marker { $($row)* });)*
    };
    (@one $marker:ident { $native:ty, $kind:ident, $name:literal, $data_type:expr }) => {
        impl From<Vec<Option<$native>>> for PrimitiveArray<$marker> {
            /// Makes an array in which `None` is a null.
            fn from(values: Vec<Option<$native>>) -> PrimitiveArray<$marker> {
                values.into_iter().collect()
            }
        }
    };
    (@one $marker:ident { $($with_parameters:tt)* }) => {};
}

each_primitive!(from_options);

impl<T: PlainType> From<Values<T::Native>> for PrimitiveArray<T> {
    /// Makes an array without nulls that shares these numbers.
    fn from(values: Values<T::Native>) -> PrimitiveArray<T> {
        PrimitiveArray::try_new(T::DATA_TYPE, values, None)
            .expect("the numbers are of the type, none is null")
    }
}

impl<T: PlainType> TryFrom<Buffer> for PrimitiveArray<T> {
    type Error = ValuesError;

    /// Makes an array without nulls of all numbers in a buffer, and shares its memory.
    ///
    /// ```
    /// use arrow_array::Int16Array;
    /// use arrow_buffer::Buffer;
    ///
    /// let numbers = Int16Array::try_from(Buffer::from([5_i16, 6]))?;
    /// assert_eq!(numbers.values(), [5, 6]);
    /// # Ok::<(), arrow_buffer::ValuesError>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes are not a whole number of values, or are not aligned for them; [`Buffer::to_aligned`] makes an aligned copy.
    fn try_from(buffer: Buffer) -> Result<PrimitiveArray<T>, ValuesError> {
        Values::try_from(buffer).map(PrimitiveArray::from)
    }
}

impl From<Bitmap> for BooleanArray {
    /// Makes an array without nulls that shares these bits.
    fn from(values: Bitmap) -> BooleanArray {
        BooleanArray::try_new(values, None).expect("without validity, its length cannot differ")
    }
}

impl<V: BoolSlot, const N: usize> From<[V; N]> for BooleanArray {
    /// Makes an array from booleans, or from options of booleans, where `None` becomes a null.
    fn from(values: [V; N]) -> BooleanArray {
        values.into_iter().collect()
    }
}

/// Implements `FromIterator` for text and bytes with offsets of 32 bits.
macro_rules! from_short_values {
    ($($array:ident: $slot:ident;)*) => {$(
        impl<V: $slot> FromIterator<V> for $array {
            /// Makes an array from values, or from options of values, where `None` becomes a null.
            ///
            /// # Panics
            /// If all values together are longer than offsets of 32 bits can express, 2 GiB. `try_from_iter` returns an error
            /// instead.
            fn from_iter<I: IntoIterator<Item = V>>(values: I) -> $array {
                // `expect` would add the `Debug` code of all errors to each program.
                let Ok(array) = $array::try_from_iter(values) else { panic!("the values are longer than 2 GiB") };
                array
            }
        }
    )*};
}

from_short_values! {
    Utf8Array: TextSlot;
    BinaryArray: BytesSlot;
}

/// Implements `From` of vectors and Rust arrays for arrays of text and bytes.
macro_rules! from_lists_of_values {
    ($($array:ident: $slot:ident;)*) => {$(
        impl<V: $slot> From<Vec<V>> for $array {
            /// Makes an array from values, or from options of values, where `None` becomes a null.
            ///
            /// # Panics
            /// If the values are longer than the type can express, as in `from_iter`.
            fn from(values: Vec<V>) -> $array {
                values.into_iter().collect()
            }
        }

        impl<V: $slot, const N: usize> From<[V; N]> for $array {
            /// Makes an array from values, or from options of values, where `None` becomes a null.
            ///
            /// # Panics
            /// If the values are longer than the type can express, as in `from_iter`.
            fn from(values: [V; N]) -> $array {
                values.into_iter().collect()
            }
        }
    )*};
}

from_lists_of_values! {
    Utf8Array: TextSlot;
    LargeUtf8Array: TextSlot;
    Utf8ViewArray: TextSlot;
    BinaryArray: BytesSlot;
    LargeBinaryArray: BytesSlot;
    BinaryViewArray: BytesSlot;
}

impl DictionaryArray {
    /// Makes an array from values that the builder `values` accepts. Each distinct value is in the dictionary once, in order of
    /// first occurrence. Removes values that are already in the builder.
    ///
    /// ```
    /// use arrow_array::{DictionaryArray, Int64Builder};
    /// use arrow_schema::{IndexType, RunEndType};
    ///
    /// let codes = DictionaryArray::try_from_iter(IndexType::Int8, Int64Builder::new(), [Some(7), None, Some(7)])?;
    /// assert_eq!((codes.len(), codes.values().len()), (3, 1));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the builder makes dictionary-encoded values, or cannot store a value. If there are more distinct values than indices.
    pub fn try_from_iter<V, B>(
        index: IndexType,
        values: B,
        iter: impl IntoIterator<Item = V>,
    ) -> Result<DictionaryArray, ArrayError>
    where
        B: Builder,
        DictionaryBuilder<B>: Append<V>,
    {
        DictionaryBuilder::try_new(index, values)?.with_values(iter).finish()
    }
}

impl<V> FromIterator<V> for DictionaryArray
where
    DictionaryBuilder<Utf8Builder>: Append<V>,
{
    /// Makes an array of text with indices of type `int32`. Each distinct text is in the dictionary once, in order of first
    /// occurrence. `None` becomes a null.
    ///
    /// ```
    /// use arrow_array::{DictionaryArray, Utf8Array};
    ///
    /// let colors = DictionaryArray::from_iter([Some("red"), None, Some("blue"), Some("red")]);
    /// assert_eq!(colors.iter().collect::<Vec<_>>(), [Some(0), None, Some(1), Some(0)]);
    /// assert_eq!(Utf8Array::try_from(colors.values())?, Utf8Array::from(["red", "blue"]));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Panics
    /// If the distinct texts together are longer than 2 GiB. [`try_from_iter`](DictionaryArray::try_from_iter) returns an error
    /// instead.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> DictionaryArray {
        let array = DictionaryArray::try_from_iter(IndexType::Int32, Utf8Builder::new(), values);
        let Ok(array) = array else { panic!("the distinct texts are longer than 2 GiB") };
        array
    }
}

impl RunEndEncodedArray {
    /// Makes an array from values that the builder `values` accepts. Equal values that follow each other become one run. Removes
    /// values that are already in the builder.
    ///
    /// ```
    /// use arrow_array::{RunEndEncodedArray, Utf8Builder};
    /// use arrow_schema::RunEndType;
    ///
    /// let states = RunEndEncodedArray::try_from_iter(RunEndType::Int32, Utf8Builder::new(), ["on", "on", "off"])?;
    /// assert_eq!((states.len(), states.values().len()), (3, 2));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the builder cannot store a value, or there are more slots than the run ends can express.
    pub fn try_from_iter<V, B>(
        run_end_type: RunEndType,
        values: B,
        iter: impl IntoIterator<Item = V>,
    ) -> Result<RunEndEncodedArray, ArrayError>
    where
        B: Builder,
        RunEndEncodedBuilder<B>: Append<V>,
    {
        RunEndEncodedBuilder::new(run_end_type, values).with_values(iter).finish()
    }
}

/// Implements `try_from_iter` for lists with offsets and for list views.
macro_rules! lists_from_iter {
    ($($array:ident, $builder:ident, $alias:literal;)*) => {$(
        impl<O: Width> $array<O> {
            /// Makes an array from lists of values that the builder `items` accepts, or from options of lists, where `None`
            /// becomes a null. Removes values that are already in the builder.
            ///
            /// ```
            #[doc = concat!("use arrow_array::{Int64Builder, ", $alias, "};")]
            ///
            #[doc = concat!("let lists = ", $alias, "::try_from_iter(Int64Builder::new(), [Some(vec![1, 2]), None])?;")]
            /// assert_eq!((lists.len(), lists.null_count(), lists.items().len()), (2, 1, 2));
            /// # Ok::<(), arrow_array::ArrayError>(())
            /// ```
            ///
            /// # Errors
            /// If the builder cannot store a value, or there are more items than the offsets can express.
            pub fn try_from_iter<V, B>(items: B, lists: impl IntoIterator<Item = V>) -> Result<Self, ArrayError>
            where
                B: Builder,
                $builder<O, B>: Append<V>,
            {
                $builder::new(items).with_values(lists).finish()
            }
        }
    )*};
}

lists_from_iter! {
    GenericListArray, GenericListBuilder, "ListArray";
    GenericListViewArray, GenericListViewBuilder, "ListViewArray";
}

/// Implements `IntoIterator` for arrays whose values are copied, each with its generic parameters in brackets.
macro_rules! into_iter {
    ($([$($generics:tt)*] $array:ty, $item:ty;)*) => {$(
        impl<$($generics)*> IntoIterator for $array {
            type Item = Option<$item>;
            type IntoIter = ArrayIntoIter<$array>;

            fn into_iter(self) -> ArrayIntoIter<$array> {
                ArrayIntoIter { slots: 0..self.len(), array: self }
            }
        }

        impl<$($generics)*> Iterator for ArrayIntoIter<$array> {
            type Item = Option<$item>;

            #[inline]
            fn next(&mut self) -> Option<Option<$item>> {
                self.slots.next().map(|slot| self.array.get(slot))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.slots.size_hint()
            }
        }

        impl<$($generics)*> DoubleEndedIterator for ArrayIntoIter<$array> {
            #[inline]
            fn next_back(&mut self) -> Option<Option<$item>> {
                self.slots.next_back().map(|slot| self.array.get(slot))
            }
        }

        impl<$($generics)*> ExactSizeIterator for ArrayIntoIter<$array> {}
        impl<$($generics)*> FusedIterator for ArrayIntoIter<$array> {}
    )*};
}

into_iter! {
    [T: PrimitiveType] PrimitiveArray<T>, T::Native;
    [] BooleanArray, bool;
}

/// The values of an array of numbers or booleans, in order, with the memory that they are in. `None` for null slots.
#[derive(Debug, Clone)]
pub struct ArrayIntoIter<A> {
    array: A,
    slots: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Int32Array;

    #[test]
    fn each_way_to_make_an_array_makes_the_same() {
        let numbers = [Some(1), None, Some(-3)];
        let expected = Int32Array::from_iter(numbers);
        for made in [
            Int32Array::from(numbers),
            Int32Array::from(numbers.to_vec()),
            expected.clone().into_iter().collect(),
        ] {
            assert_eq!(made, expected);
        }
        let whole = Int32Array::from([1, 2]);
        assert_eq!(whole, Int32Array::from(Values::from([1, 2])));
        assert_eq!(Ok(whole), Int32Array::try_from(Buffer::from([1, 2])));
        assert!(Int32Array::try_from(Buffer::from([1_u8, 2])).is_err());
        assert!(expected.into_iter().rev().eq(numbers.into_iter().rev()));

        let bits = [Some(true), None, Some(false)];
        assert_eq!(BooleanArray::from(bits).into_iter().collect::<Vec<_>>(), bits);
        assert_eq!(BooleanArray::from(Bitmap::from([true, false])), BooleanArray::from([true, false]));
    }

    #[test]
    fn texts_and_bytes_are_made_of_lists() {
        macro_rules! check {
            ($($array:ident),*) => {$(
                let texts = [Some("a"), None, Some("")];
                let expected = $array::from_iter(texts);
                assert_eq!((expected.len(), expected.null_count()), (3, 1));
                assert_eq!($array::from(texts), expected);
                assert_eq!($array::from(texts.to_vec()), expected);
                assert_eq!($array::from(vec!["b"]), $array::from(["b"]));
            )*};
        }
        check!(Utf8Array, LargeUtf8Array, Utf8ViewArray);
        let bytes = [Some(&b"a"[..]), None];
        assert_eq!(BinaryArray::from(bytes).iter().collect::<Vec<_>>(), bytes);
        assert_eq!(LargeBinaryArray::from(bytes.to_vec()).iter().collect::<Vec<_>>(), bytes);
        assert_eq!(BinaryViewArray::from(bytes).iter().collect::<Vec<_>>(), bytes);
    }
}
