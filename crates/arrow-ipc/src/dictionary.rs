//! Dictionaries of a stream or file: those that have been read (`store`, `growth`), and those that are written (`write`).

mod growth;
mod store;
mod write;

pub use self::write::{DictionaryPolicy, DictionaryUnifier, UnifiedDictionaries};

pub(crate) use self::{
    growth::{Growth, GrowthLimits, Values},
    store::DictionaryStore,
    write::{DictionaryTracker, IndexMaps, Mapping, PendingDictionary, Place, Replacement, inner_first},
};
