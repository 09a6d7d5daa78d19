//! Iteration over maps whose keys and values have types.

use std::{fmt, iter::FusedIterator, ops::Range};

use super::{Array, Pairs, TypedMaps};

/// The maps of a [`TypedMaps`] in order, from either end; `None` for null slots.
pub struct TypedMapsIter<'a, K, V> {
    maps: &'a TypedMaps<K, V>,
    slots: Range<usize>,
}

impl<'a, K: Array, V: Array> TypedMapsIter<'a, K, V> {
    #[inline]
    pub(super) fn new(maps: &'a TypedMaps<K, V>) -> TypedMapsIter<'a, K, V> {
        TypedMapsIter { maps, slots: 0..maps.len() }
    }
}

impl<'a, K: Array, V: Array> IntoIterator for &'a TypedMaps<K, V> {
    type Item = Option<Pairs<'a, K, V>>;
    type IntoIter = TypedMapsIter<'a, K, V>;

    #[inline]
    fn into_iter(self) -> TypedMapsIter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K: Array, V: Array> Iterator for TypedMapsIter<'a, K, V> {
    type Item = Option<Pairs<'a, K, V>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.slots.next().map(|slot| self.maps.get(slot))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.slots.nth(n).map(|slot| self.maps.get(slot))
    }

    fn count(self) -> usize {
        self.slots.len()
    }

    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }
}

impl<K: Array, V: Array> DoubleEndedIterator for TypedMapsIter<'_, K, V> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.slots.next_back().map(|slot| self.maps.get(slot))
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.slots.nth_back(n).map(|slot| self.maps.get(slot))
    }
}

impl<K: Array, V: Array> ExactSizeIterator for TypedMapsIter<'_, K, V> {}

impl<K: Array, V: Array> FusedIterator for TypedMapsIter<'_, K, V> {}

impl<K, V> Clone for TypedMapsIter<'_, K, V> {
    fn clone(&self) -> Self {
        TypedMapsIter { maps: self.maps, slots: self.slots.clone() }
    }
}

impl<K, V> fmt::Debug for TypedMapsIter<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedMapsIter").field("maps", self.maps).field("slots", &self.slots).finish()
    }
}
