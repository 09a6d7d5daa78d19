//! The dictionaries of a file: found when a column first needs one, and only the needed ones are read.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use arrow_data::ArrayData;

use super::block::Block;
use crate::{
    batch::{BatchDecoder, DecodeContext},
    body::Body,
    columns::{Columns, DictionaryIdx, SchemaColumns},
    compression::KeptMemory,
    dictionary::{DictionaryStore, Growth, Values},
    error::{BlockIndex, Context, IpcErrorKind, Result},
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
    /// The blocks of each dictionary, once the metadata of all has been read.
    blocks: Option<HashMap<usize, DictionaryBlocks>>,
}

/// Where the values of one dictionary are.
#[derive(Debug)]
struct DictionaryBlocks {
    base: ListedBlock,
    /// What is added to them, in the order of the footer.
    deltas: Vec<ListedBlock>,
}

/// A block, and where it stands in the footer.
#[derive(Debug, Clone, Copy)]
struct ListedBlock {
    block_idx: usize,
    block: Block,
}

impl ListedBlock {
    fn index(&self) -> BlockIndex {
        BlockIndex::Dictionary(self.block_idx)
    }
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
    let blocks = state.blocks.as_ref().and_then(|blocks| blocks.get(&dictionary.0));
    // Nothing to read: an error only if a valid index asks for it.
    let Some(DictionaryBlocks { base, deltas }) = blocks else { return Ok(()) };
    if !deltas.is_empty() {
        // Joining looks at contents, so those of the dictionaries inside are checked once, and not with each delta.
        for inner in columns.dictionaries_below(columns.roots()) {
            let inner_columns = &file.columns.dictionaries[inner.0].columns;
            state.store.prove(inner).in_field(|| inner_columns.values_path())?;
        }
    }
    let reader = ValuesReader { file, columns, store: &state.store };
    let (base, n_base_bytes) = reader.read(base)?;
    let mut values = Arc::new(base);
    if !deltas.is_empty() {
        let base = Values { array: &values, n_message_bytes: n_base_bytes };
        let growth = reader.locate(Growth::new(values.data_type()).add(base, &file.options.limits))?;
        let growth = deltas.iter().try_fold(growth, |growth, delta| {
            let (array, n_message_bytes) = reader.read(delta)?;
            let growth = growth.add(Values { array: &array, n_message_bytes }, &file.options.limits);
            let growth = reader.locate(growth);
            growth.in_block(delta.index(), delta.block.position())
        })?;
        file.counters.joined(growth.n_copied_bytes());
        values = growth.values();
    }
    state.store.define(dictionary, values, n_base_bytes);
    Ok(())
}

/// Reads the batches of one dictionary.
struct ValuesReader<'a, S> {
    file: &'a FileShared<S>,
    columns: &'a Columns,
    store: &'a DictionaryStore,
}

impl<S: Source> ValuesReader<'_, S> {
    /// The values of a block, and the bytes of its message.
    fn read(&self, listed: &ListedBlock) -> Result<(ArrayData, u64)> {
        let ListedBlock { block, .. } = listed;
        let read = || {
            let fetched = self.file.fetch_block(block)?;
            let options = &self.file.options;
            let message = fetched.head.batch(&options.limits)?;
            let body = Body::Whole(fetched.body.unwrap_or_default());
            let context = DecodeContext {
                dictionaries: self.store,
                level: options.validation.level(),
                endianness: self.file.footer.schema().endianness(),
                counters: &self.file.counters,
                // What dictionaries are read into stays in use.
                kept: &KeptMemory::default(),
            };
            let decoder = BatchDecoder::try_new(self.columns, message.lists, message.version)?;
            decoder.dictionary_values(&body, context)
        };
        let values = read().in_block(listed.index(), block.position())?;
        Ok((values, block.n_metadata_bytes().saturating_add(block.n_body_bytes())))
    }

    /// Says which field's dictionary could not grow.
    fn locate(&self, growth: Result<Growth>) -> Result<Growth> {
        growth.in_field(|| self.columns.values_path())
    }
}

/// Reads the metadata of all dictionary batches, to know which is which.
fn find_blocks<S: Source>(file: &FileShared<S>) -> Result<HashMap<usize, DictionaryBlocks>> {
    let mut blocks: HashMap<usize, DictionaryBlocks> = HashMap::new();
    for (block_idx, block) in file.footer.dictionaries().iter().enumerate() {
        let listed = ListedBlock { block_idx, block: *block };
        let mut find = || -> Result<()> {
            let Fetched { head, .. } = file.fetch_metadata(block)?;
            let message = head.batch(&file.options.limits)?;
            let Some(dictionary) = message.dictionary else {
                let (expected, found) = ("a dictionary batch", crate::message::MessageKind::RecordBatch);
                return Err(IpcErrorKind::UnexpectedMessage { expected, found }.into());
            };
            let id = dictionary.id;
            let idx = file.columns.dictionary(id).ok_or(IpcErrorKind::UnknownDictionary { id })?;
            match (blocks.get_mut(&idx.0), dictionary.is_delta) {
                (Some(known), true) => known.deltas.push(listed),
                // Readers that go by the order of the footer would take them for something else.
                (None, true) => return Err(IpcErrorKind::DeltaOfMissing { id }.into()),
                (None, false) => {
                    blocks.insert(idx.0, DictionaryBlocks { base: listed, deltas: Vec::new() });
                }
                (Some(_), false) => return Err(IpcErrorKind::SecondDictionary { id }.into()),
            }
            Ok(())
        };
        find().in_block(listed.index(), block.position())?;
    }
    Ok(blocks)
}
