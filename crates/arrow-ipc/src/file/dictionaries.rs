//! The dictionaries of a file: found when a column first needs one, and only the needed ones are read.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use super::block::Block;
use crate::{
    batch::{BatchDecoder, DecodeContext},
    body::Body,
    columns::{DictionaryIdx, SchemaColumns},
    dictionary::DictionaryStore,
    error::{BlockIndex, Context, IpcErrorKind, Result, Unsupported},
    message::BatchMessage,
};

use super::reader::{Fetched, FileShared};
use crate::source::Source;

/// What has been read so far.
#[derive(Debug)]
pub(super) struct FileDictionaries {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Grows; batches take a copy of it, which shares the values.
    store: DictionaryStore,
    /// The block of each dictionary, once the metadata of all has been read.
    blocks: Option<HashMap<usize, (usize, Block)>>,
}

impl FileDictionaries {
    pub(super) fn new(columns: &SchemaColumns) -> FileDictionaries {
        let state = State { store: DictionaryStore::new(columns), blocks: None };
        FileDictionaries { state: Mutex::new(state) }
    }

    /// A store in which all of these dictionaries, and those inside of them, have their values, as far as the file
    /// has them.
    pub(super) fn with<S: Source>(
        &self,
        needed: &[DictionaryIdx],
        file: &FileShared<S>,
    ) -> Result<DictionaryStore> {
        let mut state = self.lock();
        for dictionary in needed {
            load(&mut state, *dictionary, file)?;
        }
        Ok(state.store.clone())
    }

    /// Reads the metadata of all dictionary batches, unless that has been done.
    pub(super) fn check_blocks<S: Source>(&self, file: &FileShared<S>) -> Result<()> {
        let mut state = self.lock();
        if state.blocks.is_none() {
            state.blocks = Some(find_blocks(file)?);
        }
        Ok(())
    }

    /// What is inside is valid after a panic elsewhere: entries are only ever added whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Reads a dictionary unless it has been read. Those inside of it come first; there are no cycles, since the columns
/// were made without one.
fn load<S: Source>(state: &mut State, dictionary: DictionaryIdx, file: &FileShared<S>) -> Result<()> {
    if state.store.is_defined(dictionary) {
        return Ok(());
    }
    let columns = &file.columns.dictionaries[dictionary.0].columns;
    for inner in columns.dictionaries_below(columns.roots()) {
        load(state, inner, file)?;
    }
    if state.blocks.is_none() {
        state.blocks = Some(find_blocks(file)?);
    }
    let block = state.blocks.as_ref().and_then(|blocks| blocks.get(&dictionary.0)).copied();
    // Nothing to read: an error only if a valid index asks for it.
    let Some((block_idx, block)) = block else { return Ok(()) };
    let read = || {
        let fetched = file.fetch_block(&block)?;
        let options = &file.options;
        let message = BatchMessage::parse(&fetched.metadata, block.n_body_bytes(), &options.limits)?;
        let body = Body::Whole(fetched.body.unwrap_or_default());
        let context = DecodeContext {
            dictionaries: &state.store,
            level: options.validation.level(),
            endianness: file.footer.schema().endianness(),
            counters: &file.counters,
        };
        let decoder = BatchDecoder::try_new(columns, message.lists, fetched.head.version)?;
        decoder.dictionary_values(&body, context)
    };
    let values = read().in_block(BlockIndex::Dictionary(block_idx), block.position())?;
    state.store.define(dictionary, Arc::new(values));
    Ok(())
}

/// Reads the metadata of all dictionary batches, to know which is which.
fn find_blocks<S: Source>(file: &FileShared<S>) -> Result<HashMap<usize, (usize, Block)>> {
    let mut blocks = HashMap::new();
    for (block_idx, block) in file.footer.dictionaries().iter().enumerate() {
        let mut find = || -> Result<()> {
            let Fetched { metadata, .. } = file.fetch_metadata(block)?;
            let message = BatchMessage::parse(&metadata, block.n_body_bytes(), &file.options.limits)?;
            let Some(dictionary) = message.dictionary else {
                let (expected, found) = ("a dictionary batch", crate::message::MessageKind::RecordBatch);
                return Err(IpcErrorKind::UnexpectedMessage { expected, found }.into());
            };
            let id = dictionary.id;
            let idx = file.columns.dictionary(id).ok_or(IpcErrorKind::UnknownDictionary { id })?;
            if dictionary.is_delta {
                let what = Unsupported::Part("a delta dictionary");
                return Err(IpcErrorKind::Unsupported { what }.into());
            }
            match blocks.insert(idx.0, (block_idx, *block)) {
                None => Ok(()),
                Some(_) => Err(IpcErrorKind::SecondDictionary { id }.into()),
            }
        };
        find().in_block(BlockIndex::Dictionary(block_idx), block.position())?;
    }
    Ok(blocks)
}
