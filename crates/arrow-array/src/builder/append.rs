//! The values that can be appended to builders.

use std::collections::{BTreeMap, HashMap};

use super::{Builder, same::SlotHasher, tuples::all_tuples};

/// A builder that takes values of type `V`.
///
/// Each builder also has `append` and `extend` without the trait, so the trait need not be in scope to call them. The
/// trait is for code that is generic over builders, such as the builders of nested arrays.
///
/// | builder | values |
/// |---|---|
/// | of numbers, booleans | the number, or an option of the number |
/// | of text, of bytes | what is a [`TextSlot`](crate::TextSlot) or [`BytesSlot`](crate::BytesSlot): `&str`, `String`, `&[u8]` …, or an option of it |
/// | of lists | what is a [`ListSlot`]: `Vec`, arrays, slices …, of values that the items take |
/// | of structs | what is [`AppendTo`] its columns: a tuple of one value for each, your own type, an option of those |
/// | of maps | a [`ListSlot`] of pairs, maps of the standard library among them |
/// | of unions | what is [`AppendTo`] its children, for one of them |
/// | of dictionaries, of runs | what their values take |
pub trait Append<V>: Builder + SlotsOf<V> {
    /// Appends one value.
    fn append(&mut self, value: V);
}

/// The methods of a builder that takes values of type `V`, except for [`append`](Append::append).
pub trait SlotsOf<V> {
    /// Appends one value after the other.
    fn append_all(&mut self, values: impl IntoIterator<Item = V>)
    where
        Self: Sized + Append<V>,
    {
        values.into_iter().for_each(|value| self.append(value));
    }

    /// Whether a value is null, or its hash, if this can be found before the value is appended.
    fn look(&self, _value: &V, _hasher: &SlotHasher) -> Look {
        Look::Append
    }

    /// Whether a slot has this value. `false` if this cannot be found out before the value is appended.
    fn holds(&self, _slot: usize, _value: &V) -> bool {
        false
    }
}

/// Whether a value is null, or its hash, if this can be found before the value is appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The value is null.
    Null,
    /// The hash of the value.
    Hash(u64),
    /// Nothing is known about the value before it is appended.
    Append,
}

impl<V, B: Append<V> + ?Sized> Append<V> for Box<B> {
    fn append(&mut self, value: V) {
        (**self).append(value);
    }
}

impl<V, B: SlotsOf<V> + ?Sized> SlotsOf<V> for Box<B> {
    fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
        (**self).look(value, hasher)
    }

    fn holds(&self, slot: usize, value: &V) -> bool {
        (**self).holds(slot, value)
    }
}

/// A value that appends itself to several builders: a struct to the builders of its columns, a value of a union to the
/// builder of one child.
///
/// Tuples with a value for each column implement this trait. Implement the trait for your own types to build columns from
/// their values:
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
    /// Appends one value to each of the columns of a struct, or to one child of a union.
    fn append_to(self, children: &mut C);

    /// Whether the value is null. For a null value, the builder appends a null and does not call
    /// [`append_to`](Self::append_to).
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
/// to slices. Maps are lists of pairs. For other iterators, the builders of lists have `append_iter`.
pub trait ListSlot {
    /// The type of an item.
    type Item;
    /// The items.
    type Items: IntoIterator<Item = Self::Item>;

    /// The items; `None` for null.
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

/// Implements the trait for references to collections; their items are references, too.
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
