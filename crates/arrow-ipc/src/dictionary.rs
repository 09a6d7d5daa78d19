//! Reads and writes the dictionaries of a stream or file.
//!
//! A [`DictionaryPolicy`] sets what a writer does if the dictionary of a column changes between batches. A
//! [`DictionaryUnifier`] collects the values of all batches in one dictionary before the first batch is written.

mod growth;
mod memory;
mod store;
mod write;

pub use self::write::{DictionaryPolicy, DictionaryUnifier, UnifiedDictionaries};

#[cfg(feature = "file")]
pub(crate) use self::growth::Growth;
pub(crate) use self::{
    growth::{DictionaryValues, GrowthLimits},
    memory::DictionaryQuota,
    store::DictionaryStore,
    write::{DictionaryTracker, IndexMaps, Mapping},
};
