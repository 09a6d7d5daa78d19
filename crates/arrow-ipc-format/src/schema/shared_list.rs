//! A shared slice for lists that are often empty.

use std::{fmt, ops::Deref, sync::Arc};

/// A list that shares its memory with its clones. An empty list has no reference count, because threads that make and
/// drop many empty lists would compete for it.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedList<T>(Option<Arc<[T]>>);

impl<T> SharedList<T> {
    /// The elements.
    pub fn into_shared(self) -> Arc<[T]> {
        self.0.unwrap_or_default()
    }
}

impl<T> Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().unwrap_or(&[])
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(items: Vec<T>) -> SharedList<T> {
        SharedList(if items.is_empty() { None } else { Some(items.into()) })
    }
}

impl<T> From<Arc<[T]>> for SharedList<T> {
    fn from(items: Arc<[T]>) -> SharedList<T> {
        SharedList(Some(items).filter(|items| !items.is_empty()))
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> SharedList<T> {
        SharedList(None)
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
