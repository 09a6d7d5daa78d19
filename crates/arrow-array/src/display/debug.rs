//! Implements `Debug` of typed arrays: prints the type and the first values, and cuts long values.

use std::fmt;

use arrow_data::ArrayData;

use super::{
    ColumnText, TextStyle,
    truncation::{DEBUG_BYTES, write_cut},
};
use crate::{
    array::{
        Array, BinaryViewArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray, GenericBinaryArray,
        GenericUtf8Array, ItemRanges, ListsArray, MapArray, NullArray, PrimitiveArray, RunEndEncodedArray,
        StructArray, StructValue, UnionArray, Utf8ViewArray, Width,
    },
    types::PrimitiveType,
};

/// Implements `Debug` for arrays, each with its generic parameters in brackets.
macro_rules! debug {
    ($([$($generics:tt)*] $array:ty;)*) => {$(
        impl<$($generics)*> fmt::Debug for $array {
            /// Prints the type, then the first 20 values as JSON. Cuts each value after 1 KiB and ends it with `…`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(Array::data(self), f)
            }
        }
    )*};
}

debug! {
    [] NullArray;
    [] BooleanArray;
    [T: PrimitiveType] PrimitiveArray<T>;
    [] FixedSizeBinaryArray;
    [O: Width] GenericBinaryArray<O>;
    [] BinaryViewArray;
    [O: Width] GenericUtf8Array<O>;
    [] Utf8ViewArray;
    [P: ItemRanges] ListsArray<P>;
    [] StructArray;
    [] MapArray;
    [] UnionArray;
    [] DictionaryArray;
    [] RunEndEncodedArray;
}

impl fmt::Debug for StructValue<'_> {
    /// Prints the struct as JSON, or `null` for the struct of a null slot. Cuts the text after 1 KiB and ends it with `…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.array_and_slot() {
            Some((structs, slot)) => write_value(structs, slot, f),
            None => f.write_str("null"),
        }
    }
}

/// The maximum number of values that are printed.
const MAX_VALUES: usize = 20;

fn write(data: &ArrayData, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let n_values = data.len().min(MAX_VALUES);
    let column = ColumnText::try_new(data, TextStyle::Json).map_err(|_| fmt::Error)?;
    write_cut(f, DEBUG_BYTES, |out| write!(out, "{}", data.data_type()))?;
    f.write_str(" [")?;
    for slot in 0..n_values {
        let separator = if slot == 0 { "" } else { ", " };
        f.write_str(separator)?;
        write_cut(f, DEBUG_BYTES, |out| write!(out, "{}", column.value(slot)))?;
    }
    match data.len() - n_values {
        0 => f.write_str("]"),
        n_more => write!(f, ", … {n_more} more]"),
    }
}

fn write_value(data: &ArrayData, slot: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let one = data.try_slice(slot, 1).map_err(|_| fmt::Error)?;
    let column = ColumnText::try_new(&one, TextStyle::Json).map_err(|_| fmt::Error)?;
    write_cut(f, DEBUG_BYTES, |out| write!(out, "{}", column.value(0)))
}
