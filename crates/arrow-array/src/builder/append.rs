//! Traits of the values that can be appended to builders.

use std::collections::{BTreeMap, HashMap};

use super::{Builder, children::all_tuples, value_comparer::SlotHasher};

/// A builder to which values of type `V` can be appended.
///
/// Each builder also has `append` and `extend` without the trait, so calls do not need the trait in scope. Use the trait as a
/// bound in code that is generic over builders.
///
/// | builder | values |
/// |---|---|
/// | of numbers, booleans | the number, or an option of the number |
/// | of text, of bytes | [`TextSlot`](crate::TextSlot), [`BytesSlot`](crate::BytesSlot): `&str`, `String`, `&[u8]` …, or an option |
/// | of lists | [`ListSlot`]: `Vec`, arrays, slices …, with values for the builder of the items |
/// | of structs | [`AppendTo`] the columns: a tuple of one value for each, your own type, or an option of these |
/// | of maps | [`ListSlot`] of pairs, such as a map of the standard library |
/// | of unions | [`AppendTo`] the children: a type that appends to one of them |
/// | of dictionaries, of runs | the values that the builder of their values accepts |
pub trait Append<V>: Builder + SlotLookup<V> {
    /// Appends one value. If the builder cannot store it, the slot becomes null and `finish` returns an error.
    fn append(&mut self, value: V);
}

/// The methods of [`Append`] that have a default, for builders that accept values of type `V`.
pub trait SlotLookup<V> {
    /// Appends each value of an iterator.
    fn append_all(&mut self, values: impl IntoIterator<Item = V>)
    where
        Self: Sized + Append<V>,
    {
        values.into_iter().for_each(|value| self.append(value));
    }

    /// Returns whether a value is null, or else its hash. Returns `LookupKey::Append` if the value must be appended to find out.
    fn look(&self, _value: &V, _hasher: &SlotHasher) -> LookupKey {
        LookupKey::Append
    }

    /// Whether a slot has this value. `false` if the value must be appended to find out.
    fn holds(&self, _slot: usize, _value: &V) -> bool {
        false
    }
}

/// What is known about a value that has not been appended yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupKey {
    /// The value is null.
    Null,
    /// The hash of the value.
    Hash(u64),
    /// The value must be appended to find out.
    Append,
}

impl<V, B: Append<V> + ?Sized> Append<V> for Box<B> {
    fn append(&mut self, value: V) {
        (**self).append(value);
    }
}

impl<V, B: SlotLookup<V> + ?Sized> SlotLookup<V> for Box<B> {
    fn look(&self, value: &V, hasher: &SlotHasher) -> LookupKey {
        (**self).look(value, hasher)
    }

    fn holds(&self, slot: usize, value: &V) -> bool {
        (**self).holds(slot, value)
    }
}

/// A value that appends itself to several builders. A struct appends to each of its columns, a union value to one child.
///
/// Tuples with one value for each column implement this trait. Implement it for your own types to append them as structs:
///
/// ```
/// use arrow_array::{AppendTo, Float64Builder, ListBuilder, StructBuilder, Utf8Builder};
///
/// struct Person {
///     name: String,
///     scores: Vec<f64>,
/// }
///
/// type PersonColumns = (Utf8Builder, ListBuilder<Float64Builder>);
///
/// impl AppendTo<PersonColumns> for &Person {
///     fn append_to(self, (name, scores): &mut PersonColumns) {
///         name.append(&self.name);
///         scores.append(self.scores.as_slice());
///     }
/// }
///
/// let people = [
///     Person { name: "ada".into(), scores: vec![1.0, 0.5] },
///     Person { name: "grace".into(), scores: vec![] },
/// ];
/// let mut rows = StructBuilder::new((
///     ("name", Utf8Builder::new()),
///     ("scores", ListBuilder::new(Float64Builder::new())),
/// ));
/// rows.extend(&people);
/// let batch = rows.finish_batch()?;
/// assert_eq!(batch.schema().to_string(), "name: utf8\nscores: list<item: float64>");
/// assert_eq!(batch.n_rows(), 2);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub trait AppendTo<C> {
    /// Appends one value to each column of a struct, or one value to one child of a union.
    fn append_to(self, children: &mut C);

    /// Whether the value is null. If so, the builder appends a null and does not call [`append_to`](Self::append_to).
    fn is_null(&self) -> bool {
        false
    }
}

impl<C, V: AppendTo<C>> AppendTo<C> for Option<V> {
    fn append_to(self, children: &mut C) {
        if let Some(value) = self {
            value.append_to(children);
        }
    }

    fn is_null(&self) -> bool {
        self.as_ref().is_none_or(V::is_null)
    }
}

macro_rules! tuples {
    ($(($($builder:ident $value:ident $position:tt),+))*) => {$(
        impl<$($value, $builder: Append<$value>),+> AppendTo<($($builder,)+)> for ($($value,)+) {
            fn append_to(self, children: &mut ($($builder,)+)) {
                $(children.$position.append(self.$position);)+
            }
        }
    )*};
}

all_tuples!(tuples);

/// A value for a slot of a list: a collection of items, or an option of a collection, where `None` is null.
///
/// Implemented for [`Vec`], boxed slices, arrays, [`BTreeMap`] and [`HashMap`], by value and by reference, and for references
/// to slices. A map is a list of pairs. To append the items of any other iterator, call `append_iter` of the builder.
pub trait ListSlot {
    /// The type of an item, which the builder of the items must accept.
    type Item;
    /// The iterable collection of the items.
    type Items: IntoIterator<Item = Self::Item>;

    /// The items of the list. `None` if the list is null.
    fn into_items(self) -> Option<Self::Items>;
}

macro_rules! list_slots {
    ($([$($generics:tt)*] $collection:ty => $item:ty;)*) => {$(
        impl<$($generics)*> ListSlot for $collection {
            type Item = $item;
            type Items = $collection;

            fn into_items(self) -> Option<$collection> {
                Some(self)
            }
        }
    )*};
}

list_slots! {
    [T] Vec<T> => T;
    [T] Box<[T]> => T;
    [T, const N: usize] [T; N] => T;
    [K, V] BTreeMap<K, V> => (K, V);
    [K, V, S] HashMap<K, V, S> => (K, V);
}

/// Implements `ListSlot` for references to collections. The items are references, too.
macro_rules! list_references {
    ($([$($generics:tt)*] $collection:ty => $item:ty, $items:ty;)*) => {$(
        impl<'a, $($generics)*> ListSlot for &'a $collection {
            type Item = $item;
            type Items = $items;

            fn into_items(self) -> Option<$items> {
                Some(self.iter())
            }
        }
    )*};
}

list_references! {
    [T] [T] => &'a T, std::slice::Iter<'a, T>;
    [T] Vec<T> => &'a T, std::slice::Iter<'a, T>;
    [T] Box<[T]> => &'a T, std::slice::Iter<'a, T>;
    [T, const N: usize] [T; N] => &'a T, std::slice::Iter<'a, T>;
    [K, V] BTreeMap<K, V> => (&'a K, &'a V), std::collections::btree_map::Iter<'a, K, V>;
    [K, V, S] HashMap<K, V, S> => (&'a K, &'a V), std::collections::hash_map::Iter<'a, K, V>;
}

impl<'a, L> ListSlot for &'a Option<L>
where
    &'a L: ListSlot,
{
    type Item = <&'a L as ListSlot>::Item;
    type Items = <&'a L as ListSlot>::Items;

    fn into_items(self) -> Option<Self::Items> {
        self.as_ref().and_then(ListSlot::into_items)
    }
}

impl<L: ListSlot> ListSlot for Option<L> {
    type Item = L::Item;
    type Items = L::Items;

    fn into_items(self) -> Option<L::Items> {
        self.and_then(L::into_items)
    }
}
