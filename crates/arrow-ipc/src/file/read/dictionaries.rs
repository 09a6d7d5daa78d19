//! Reads the dictionaries of a file. Their blocks are found when a column first needs a dictionary. Only needed
//! dictionaries are read.

use std::{collections::HashMap, sync::Arc};

use arrow_data::Validation;
use arrow_schema::Metadata;

use super::{
    dictionary_blocks::{DictionaryBlock, DictionaryBlocks, DictionaryBodies, dictionary_of},
    provided_ranges::ProvidedRanges,
    state::FileState,
};
use crate::{
    error::{Context, IpcErrorKind, Result},
    message_decoder::{FileDictionaryBatch, MessageDecoder},
};
use arrow_ipc_format::{BatchView, DictionaryHeader, columns::DictionaryIdx};

/// The id, the kind and the custom metadata of a dictionary message in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDictionary {
    /// The id, which fields of the schema refer to.
    pub id: i64,
    /// Whether the message is a delta: its values are appended to the values of earlier messages with the same id.
    pub is_delta: bool,
    /// The custom metadata of the message.
    pub metadata: Metadata,
}

type DictionaryBlockMessage = (DictionaryBlock, Arc<BatchView>);

/// Reads the dictionaries that the selected columns need, unless they have been read. Returns whether all of them
/// are loaded.
///
/// If several plans need the same dictionary, each plan reads it, and one result is used. Plans do not wait for each
/// other.
pub(crate) fn load(
    file: &FileState,
    message_decoder: &MessageDecoder,
    bytes: &mut ProvidedRanges,
) -> Result<bool> {
    if are_loaded(file, message_decoder) {
        return Ok(true);
    }
    let Some(blocks) = find_blocks(file, message_decoder, bytes)? else { return Ok(false) };
    let mut loading = DictionaryLoader { file, message_decoder, blocks, is_loaded: HashMap::new() };
    let mut is_complete = true;
    for dictionary in message_decoder.needed_dictionaries() {
        is_complete &= loading.load(dictionary, bytes)?;
    }
    Ok(is_complete)
}

pub(super) fn are_loaded(file: &FileState, message_decoder: &MessageDecoder) -> bool {
    file.footer.dictionary_blocks().is_empty() || message_decoder.has_needed_dictionaries()
}

struct DictionaryLoader<'a> {
    file: &'a FileState,
    message_decoder: &'a MessageDecoder,
    blocks: &'a DictionaryBlocks,
    is_loaded: HashMap<usize, bool>,
}

impl DictionaryLoader<'_> {
    /// Loads the values of a dictionary, and of the dictionaries inside it, if the file has them. Returns whether all are
    /// loaded. There are no cycles, since a schema with a cycle was refused.
    fn load(&mut self, dictionary: DictionaryIdx, bytes: &mut ProvidedRanges) -> Result<bool> {
        if self.message_decoder.has_dictionary(dictionary) {
            return Ok(true);
        }
        if let Some(is_loaded) = self.is_loaded.get(&dictionary.0) {
            return Ok(*is_loaded);
        }
        let mut is_complete = true;
        for inner in self.message_decoder.columns().dictionaries_inside(dictionary) {
            is_complete &= self.load(inner, bytes)?;
        }
        // A dictionary without a block is an error only if an array has a valid index into it.
        if let Some(blocks) = self.blocks.by_dictionary.get(&dictionary.0) {
            is_complete = self.load_blocks(dictionary, blocks, bytes)? && is_complete;
        }
        self.is_loaded.insert(dictionary.0, is_complete);
        Ok(is_complete)
    }

    /// Requests all blocks of a dictionary at once. Decodes them, and the dictionaries inside them, once they have been
    /// provided.
    fn load_blocks(
        &self,
        dictionary: DictionaryIdx,
        blocks: &[DictionaryBlock],
        bytes: &mut ProvidedRanges,
    ) -> Result<bool> {
        let mut batches = Vec::with_capacity(blocks.len());
        for listed in blocks {
            let block = &listed.block;
            let location = (listed.index(), block.position());
            let message = self.file.message(location.0, block, bytes).in_block(location.0, location.1)?;
            let body = bytes.take(block.body_range());
            let found = message.zip(body);
            batches.extend(found.map(|(message, body)| FileDictionaryBatch { message, body, location }));
        }
        let is_ready = |inner: DictionaryIdx| {
            self.message_decoder.has_dictionary(inner) || !self.blocks.by_dictionary.contains_key(&inner.0)
        };
        if batches.len() < blocks.len()
            || !self.message_decoder.columns().dictionaries_inside(dictionary).all(is_ready)
        {
            return Ok(false);
        }
        for (batch, listed) in batches.iter_mut().zip(blocks) {
            let range = listed.block.body_range();
            self.blocks.bodies.detach(&mut batch.body, &range, bytes, self.message_decoder)?;
        }
        // Appending deltas to an outer dictionary reads these values. Their content is checked here, so that it is not
        // checked again for each delta.
        let least = match self.blocks.is_joined.get(dictionary.0) {
            Some(true) => Validation::Content,
            Some(false) | None => Validation::Structure,
        };
        self.message_decoder.load_dictionary(dictionary, &batches, least)?;
        Ok(true)
    }
}

/// Finds the blocks of each dictionary. Requests the metadata of all dictionary batches at once.
fn find_blocks<'a>(
    file: &'a FileState,
    message_decoder: &MessageDecoder,
    bytes: &mut ProvidedRanges,
) -> Result<Option<&'a DictionaryBlocks>> {
    if let Some(blocks) = file.dictionary_blocks.get() {
        return Ok(Some(blocks));
    }
    let Some(messages) = all_messages(file, bytes)? else { return Ok(None) };
    let mut by_dictionary: HashMap<usize, Vec<DictionaryBlock>> = HashMap::new();
    for (listed, message) in messages {
        let mut find = || -> Result<()> {
            let DictionaryHeader { id, is_delta } = dictionary_of(&message)?;
            let Some(idx) = message_decoder.columns().dictionary_to_read(id)? else { return Ok(()) };
            let known = by_dictionary.entry(idx.0).or_default();
            match (known.is_empty(), is_delta) {
                (true, false) | (false, true) => known.push(listed),
                // A delta before its dictionary is refused, because readers that follow the order of the footer would
                // decode other values.
                (true, true) => return Err(IpcErrorKind::DeltaOfMissing { id }.into()),
                (false, false) => return Err(IpcErrorKind::SecondDictionary { id }.into()),
            }
            Ok(())
        };
        find().in_block(listed.index(), listed.block.position())?;
    }
    let mut is_joined = vec![false; message_decoder.columns().dictionaries.len()];
    for idx in by_dictionary.iter().filter(|(_, blocks)| blocks.len() > 1).map(|(idx, _)| *idx) {
        for inner in message_decoder.columns().dictionaries_inside(DictionaryIdx(idx)) {
            if let Some(is_joined) = is_joined.get_mut(inner.0) {
                *is_joined = true;
            }
        }
    }
    let bodies = DictionaryBodies::new(file.footer.dictionaries());
    let found = DictionaryBlocks { by_dictionary, is_joined, bodies };
    Ok(Some(file.dictionary_blocks.get_or_init(|| found)))
}

/// The messages of all dictionary blocks, in the order of the footer. `None` if bytes are missing.
fn all_messages(file: &FileState, bytes: &mut ProvidedRanges) -> Result<Option<Vec<DictionaryBlockMessage>>> {
    let listed = file.footer.dictionaries();
    let mut messages = Vec::with_capacity(listed.len());
    for (block_idx, block) in listed.iter().enumerate() {
        let listed = DictionaryBlock { block_idx, block: *block };
        let message =
            file.message(listed.index(), block, bytes).in_block(listed.index(), block.position())?;
        messages.extend(message.map(|message| (listed, message)));
    }
    Ok(Some(messages).filter(|messages| messages.len() == listed.len()))
}

/// Reads the dictionaries that the selected columns need, and the metadata of all other dictionaries. Returns
/// whether all have been read.
pub(super) fn check(
    file: &FileState,
    message_decoder: &MessageDecoder,
    bytes: &mut ProvidedRanges,
) -> Result<bool> {
    if !file.footer.dictionary_blocks().is_empty() && find_blocks(file, message_decoder, bytes)?.is_none() {
        return Ok(false);
    }
    load(file, message_decoder, bytes)
}

/// Reads the id, the kind and the custom metadata of each dictionary message.
pub(super) fn list(file: &FileState, bytes: &mut ProvidedRanges) -> Result<Option<Vec<FileDictionary>>> {
    let Some(messages) = all_messages(file, bytes)? else { return Ok(None) };
    let describe = |(listed, message): DictionaryBlockMessage| {
        let found = dictionary_of(&message).in_block(listed.index(), listed.block.position());
        let DictionaryHeader { id, is_delta } = found?;
        Ok(FileDictionary { id, is_delta, metadata: message.custom_metadata().clone() })
    };
    messages.into_iter().map(describe).collect::<Result<_>>().map(Some)
}
