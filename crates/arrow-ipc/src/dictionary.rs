//! Dictionaries of a stream or file: those that have been read, and those that have been written.

mod store;

pub(crate) use self::store::DictionaryStore;
