//! Dictionaries of a stream or file: those that have been read, and those that have been written.

mod growth;
mod store;
mod tracker;

pub(crate) use self::{
    growth::{Growth, Values},
    store::DictionaryStore,
    tracker::{DictionaryTracker, PendingDictionary, Replacement},
};
