//! Arrays of lists made with `FromIterator` and `From`, if the type of the items follows from their Rust type.

use arrow_buffer::F16;

use crate::{
    array::{GenericListArray, GenericListViewArray, Width},
    builder::{
        Append, BooleanBuilder, Builder, GenericListBuilder, GenericListViewBuilder, ListBuilder, ListSlot,
        PrimitiveBuilder, Utf8Builder,
    },
    types::*,
};

/// An item of a list whose Rust type says which array the items make: `i32` makes `int32`, `String` and `&str` make
/// `utf8`, and a vector makes lists. An option makes the same array as its value, with `None` as null.
///
/// `Vec<u8>` is a list of numbers here; for lists of byte strings, take `try_from_iter` with a `BinaryBuilder`.
pub trait ListItem: Sized {
    /// The builder of the items.
    type Builder: Builder + Append<Self>;

    /// Makes an empty builder.
    fn builder() -> Self::Builder;
}

macro_rules! items {
    ($($item:ty: $builder:ty;)*) => {$(
        impl ListItem for $item {
            type Builder = $builder;

            fn builder() -> $builder {
                <$builder>::new()
            }
        }
    )*};
}

items! {
    i8: PrimitiveBuilder<Int8Type>;
    i16: PrimitiveBuilder<Int16Type>;
    i32: PrimitiveBuilder<Int32Type>;
    i64: PrimitiveBuilder<Int64Type>;
    u8: PrimitiveBuilder<UInt8Type>;
    u16: PrimitiveBuilder<UInt16Type>;
    u32: PrimitiveBuilder<UInt32Type>;
    u64: PrimitiveBuilder<UInt64Type>;
    F16: PrimitiveBuilder<Float16Type>;
    f32: PrimitiveBuilder<Float32Type>;
    f64: PrimitiveBuilder<Float64Type>;
    bool: BooleanBuilder;
    &str: Utf8Builder;
    String: Utf8Builder;
}

impl<T: ListItem> ListItem for Option<T>
where
    T::Builder: Append<Option<T>>,
{
    type Builder = T::Builder;

    fn builder() -> T::Builder {
        T::builder()
    }
}

impl<T: ListItem> ListItem for Vec<T> {
    type Builder = ListBuilder<T::Builder>;

    fn builder() -> ListBuilder<T::Builder> {
        ListBuilder::new(T::builder())
    }
}

/// Implements `FromIterator` and `From` for lists with offsets and for list views.
macro_rules! from_lists {
    ($($array:ident, $builder:ident, $alias:literal;)*) => {$(
        impl<O: Width, L> FromIterator<L> for $array<O>
        where
            L: ListSlot<Item: ListItem>,
            $builder<O, <L::Item as ListItem>::Builder>: Append<L>,
        {
            /// Makes an array from lists, or from options of lists, where `None` becomes a null. The Rust type of the
            /// items says which type the items have: see [`ListItem`].
            ///
            /// ```
            #[doc = concat!("use arrow_array::", $alias, ";")]
            ///
            #[doc = concat!("let lists = ", $alias, "::from_iter([Some(vec![Some(1), None]), None, Some(vec![])]);")]
            /// assert_eq!((lists.len(), lists.null_count(), lists.items().len()), (3, 1, 2));
            /// ```
            ///
            /// # Panics
            /// If there are more items than the offsets can express, or texts are longer than 2 GiB together.
            /// `try_from_iter` returns an error instead.
            fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
                let array = $array::try_from_iter(<L::Item as ListItem>::builder(), lists);
                let Ok(array) = array else { panic!("the lists are longer than offsets can express") };
                array
            }
        }

        impl<O: Width, L> From<Vec<L>> for $array<O>
        where
            $array<O>: FromIterator<L>,
        {
            /// Makes an array from lists, as `from_iter` does.
            ///
            /// # Panics
            /// If the lists are longer than the type can express, as in `from_iter`.
            fn from(lists: Vec<L>) -> Self {
                lists.into_iter().collect()
            }
        }
    )*};
}

from_lists! {
    GenericListArray, GenericListBuilder, "ListArray";
    GenericListViewArray, GenericListViewBuilder, "ListViewArray";
}

#[cfg(test)]
mod tests {
    use arrow_data::ArrayData;

    use crate::{Int32Builder, LargeListArray, ListArray, ListViewArray, Utf8Builder};

    #[test]
    fn lists_are_those_of_a_builder() {
        let lists = vec![Some(vec![Some(1), None]), None, Some(vec![])];
        let expected = ListArray::try_from_iter(Int32Builder::new(), lists.clone()).unwrap();
        assert_eq!(ListArray::from(lists.clone()), expected);
        assert_eq!(lists.clone().into_iter().collect::<ListArray>(), expected);
        assert_eq!(ListViewArray::from(lists.clone()).len(), 3);
        let large: LargeListArray = lists.clone().into_iter().collect();
        assert_eq!(large, LargeListArray::try_from_iter(Int32Builder::new(), lists).unwrap());

        let words = [vec!["ada", "grace"], vec![]];
        let expected = ListArray::try_from_iter(Utf8Builder::new(), words.clone()).unwrap();
        assert_eq!(ListArray::from_iter(words), expected);
        assert_eq!(ListArray::from_iter([[true, false]]).items().len(), 2);

        let nested = ListArray::from_iter([vec![Some(vec![1.5]), None], vec![Some(vec![])]]);
        assert_eq!(ArrayData::from(nested).children()[0].null_count(), 1);
    }
}
