//! Dictionaries of a stream or file: those that have been read (`store`, `growth`, `kept`), and those that are written (`write`).

mod growth;
mod kept;
mod store;
mod write;

pub use self::write::{DictionaryPolicy, DictionaryUnifier, UnifiedDictionaries};

pub(crate) use self::{
    growth::{Growth, GrowthLimits, Values},
    kept::KeptRoom,
    store::DictionaryStore,
    write::{
        DictionaryLinks, DictionaryOrder, DictionaryTracker, IndexMaps, Mapping, PendingDictionary, Place,
        Replacement,
    },
};
