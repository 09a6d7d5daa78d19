//! Dictionaries of a stream or file: those that have been read, and those that have been written.

mod appending;
mod growth;
mod identity;
mod idle;
mod maps;
mod order;
mod policy;
mod pool;
mod replacing;
mod store;
mod tracker;
mod unify;
mod walk;

pub use self::{
    policy::DictionaryPolicy,
    unify::{DictionaryUnifier, UnifiedDictionaries},
};

pub(crate) use self::{
    growth::{Growth, Values},
    maps::IndexMaps,
    pool::Mapping,
    store::DictionaryStore,
    tracker::{DictionaryTracker, PendingDictionary, Place},
};
