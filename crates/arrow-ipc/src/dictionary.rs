//! Dictionaries of a stream or file, for reading and for writing.
//!
//! A [`DictionaryPolicy`] is the behaviour of a writer when the values of a column change. A [`DictionaryUnifier`]
//! makes one dictionary of all values that the batches of several inputs have.

mod growth;
mod kept;
mod store;
mod write;

pub use self::write::{DictionaryPolicy, DictionaryUnifier, UnifiedDictionaries};

pub(crate) use self::{
    growth::{DictionaryValues, Growth, GrowthLimits},
    kept::KeptRoom,
    store::DictionaryStore,
    write::{DictionaryTracker, IndexMaps, Mapping, Replacement, WriteOrder},
};
