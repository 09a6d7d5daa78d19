//! Dictionaries of a stream or file: those that have been read, and those that have been written.

mod store;
mod tracker;

pub(crate) use self::{
    store::DictionaryStore,
    tracker::{DictionaryTracker, PendingDictionary, Replacement},
};
