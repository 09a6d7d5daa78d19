//! Reads the dictionaries of a stream that is read like a file. Each batch has the dictionaries that a sequential reader
//! has at the batch: its decoder receives the dictionary messages that count for the batch, in the order of the stream.
//!
//! **Invariant:** no lock is held while bytes are fetched, decompressed or decoded. A thread that extends a decoder takes it
//! out of the cache; other threads begin another one.

use std::{
    collections::{BTreeSet, HashMap},
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{
    dictionary_blocks::{DictionaryBlock, DictionaryBodies, dictionary_of},
    provided_ranges::ProvidedRanges,
    state::FileState,
    walk::StreamDictionary,
};
use crate::{
    error::{Context, IpcErrorKind, Result},
    file::footer::Footer,
    frame::Body,
    message_decoder::MessageDecoder,
};
use arrow_ipc_format::columns::DictionaryIdx;

/// The dictionary messages of a stream, and the decoders that have received some of them.
#[derive(Debug)]
pub(super) struct StreamDictionaries {
    /// For each dictionary, by its position in the columns: its messages, in the order of the stream.
    versions: HashMap<usize, Vec<DictionaryVersion>>,
    n_messages: usize,
    bodies: DictionaryBodies,
    /// Shared with the decoders of the same stream when it was shorter, or longer.
    cache: Arc<Mutex<DictionaryCache>>,
}

#[derive(Debug, Default)]
struct DictionaryCache {
    /// The last was used last.
    entries: Vec<CachedDictionaries>,
    /// The messages that could not be received, for lack of memory or for ever. They are received apart from others, so that
    /// the messages before them are decoded once, however often the error occurs.
    failed: BTreeSet<usize>,
    /// Those of them that took the dictionary away from its receiver: deltas that could not be appended.
    ruinous: BTreeSet<usize>,
}

/// A message of a dictionary.
#[derive(Debug, Clone, Copy)]
struct DictionaryVersion {
    block_idx: usize,
    /// The index in the list of versions at which the values of this version begin: the last message that is no delta.
    base: usize,
}

/// The dictionaries of a batch: the number of messages up to the last one that changes a needed dictionary before the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DictionaryState(usize);

/// The dictionaries of a state, for decoders that need them or some of them.
#[derive(Debug)]
struct CachedDictionaries {
    state: DictionaryState,
    /// The decoder for which they were loaded.
    decoder: MessageDecoder,
    /// A decoder for batches of this state; `None` if the message after it failed.
    snapshot: Option<MessageDecoder>,
    /// A decoder that can receive later messages; `None` while a thread extends it, and afterwards.
    receiver: Option<DictionaryReceiver>,
}

/// A decoder that receives dictionary messages in the order of the stream.
#[derive(Debug, Clone)]
pub(super) struct DictionaryReceiver {
    decoder: MessageDecoder,
    /// The end of the bytes that are counted as received. They raise the limit for dictionaries, as in a sequential reader.
    end: u64,
}

/// The least number of decoders in the cache that can receive messages. Threads that read different parts of a stream use
/// different ones, so there is one for each processor.
const MIN_RECEIVERS: usize = 4;

/// The number of states in the cache whose decoders receive no messages.
const MAX_SNAPSHOTS: usize = 4;

impl StreamDictionaries {
    pub(super) fn new(footer: &Footer, messages: &[StreamDictionary]) -> StreamDictionaries {
        let mut versions: HashMap<usize, Vec<DictionaryVersion>> = HashMap::new();
        for (block_idx, message) in messages.iter().enumerate() {
            let Some(dictionary) = message.dictionary else { continue };
            let known = versions.entry(dictionary.0).or_default();
            let base = match known.last() {
                Some(last) if message.is_delta => last.base,
                Some(_) | None => known.len(),
            };
            known.push(DictionaryVersion { block_idx, base });
        }
        let bodies = DictionaryBodies::new(footer.dictionaries());
        StreamDictionaries { versions, n_messages: messages.len(), bodies, cache: Arc::default() }
    }

    /// Uses what was loaded from the same stream before it grew.
    pub(super) fn share_cache_of(&mut self, shorter: &StreamDictionaries) {
        self.cache = Arc::clone(&shorter.cache);
    }

    /// The state of a message at this position.
    pub(super) fn state_at(
        &self,
        file: &FileState,
        decoder: &MessageDecoder,
        position: u64,
    ) -> DictionaryState {
        let blocks = file.footer.dictionaries();
        self.earliest(decoder, blocks.partition_point(|block| block.position() < position))
    }

    /// The earliest state in which the decoder has the same dictionaries as after `n_messages` messages.
    fn earliest(&self, decoder: &MessageDecoder, n_messages: usize) -> DictionaryState {
        let n_until = |dictionary: DictionaryIdx| {
            let versions = self.versions.get(&dictionary.0)?;
            let n_before = versions.partition_point(|version| version.block_idx < n_messages);
            // No overflow: it is the index of a message.
            Some(versions.get(n_before.checked_sub(1)?)?.block_idx + 1)
        };
        DictionaryState(decoder.needed_dictionaries().filter_map(n_until).max().unwrap_or(0))
    }

    /// Returns the decoder with the dictionaries of this state. `None` if bytes are missing.
    ///
    /// # Errors
    /// If a dictionary is malformed, unsupported or over a limit, or a delta has no dictionary to extend.
    pub(super) fn load(
        &self,
        file: &FileState,
        decoder: &MessageDecoder,
        state: DictionaryState,
        bytes: &mut ProvidedRanges,
    ) -> Result<Option<MessageDecoder>> {
        loop {
            let (found, base) = self.cached(decoder, state);
            if let Some(found) = found {
                return Ok(Some(decoder.with_dictionaries_of(&found)));
            }
            let (blocks, next) = self.next_step(decoder, base, state);
            let mut is_complete = true;
            for block_idx in &blocks {
                // All missing bytes are requested at once.
                is_complete &= file.find_dictionary(*block_idx, bytes);
            }
            if !is_complete {
                return Ok(None);
            }
            let receiver = match base {
                None => Some(DictionaryReceiver::new(decoder)),
                Some(base) => self.take_receiver(decoder, base),
            };
            // If another thread has taken it, there may be an earlier one.
            let Some(mut receiver) = receiver else { continue };
            let n_blocks = blocks.len();
            for block_idx in blocks {
                // Otherwise the receiver may lack messages that only count for batches before `state`.
                let is_alone = n_blocks == 1 && next.0 == block_idx + 1;
                let copy = (is_alone && self.is_ruinous(block_idx)).then(|| receiver.clone());
                let had_values = receiver.has_values(file, block_idx);
                match receiver.receive(file, block_idx, &self.bodies, bytes) {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(error) => {
                        let is_ruined = had_values && !receiver.has_values(file, block_idx);
                        self.lock_cache().failed.insert(block_idx);
                        if is_ruined {
                            self.lock_cache().ruinous.insert(block_idx);
                        }
                        let retained = match copy {
                            Some(copy) => Some(DictionaryReceiver { end: receiver.end, ..copy }),
                            None => (!is_ruined).then_some(receiver),
                        };
                        if let Some(retained) = retained.filter(|_| is_alone) {
                            self.keep(decoder, DictionaryState(block_idx), None, retained);
                        }
                        return Err(error);
                    }
                }
            }
            let snapshot = receiver.decoder.snapshot();
            let loaded = decoder.with_dictionaries_of(&snapshot);
            self.keep(decoder, next, Some(snapshot), receiver);
            if next == state {
                return Ok(Some(loaded));
            }
        }
    }

    /// The messages to receive next, and the state after them: `state`, or else the state before a message that has failed,
    /// or after it.
    fn next_step(
        &self,
        decoder: &MessageDecoder,
        base: Option<DictionaryState>,
        state: DictionaryState,
    ) -> (BTreeSet<usize>, DictionaryState) {
        let base = base.unwrap_or(DictionaryState(0));
        let blocks = self.blocks_between(decoder, base, state);
        let failed = {
            let failed = &self.lock_cache().failed;
            if failed.is_empty() { None } else { blocks.iter().copied().find(|block| failed.contains(block)) }
        };
        let Some(failed) = failed else { return (blocks, state) };
        let before = self.blocks_between(decoder, base, DictionaryState(failed));
        if before.is_empty() {
            // No overflow: it is the index of a message.
            return (BTreeSet::from([failed]), DictionaryState(failed + 1));
        }
        (before, DictionaryState(failed))
    }

    /// A cached decoder of this state, or else the latest state before it that can be extended.
    fn cached(
        &self,
        decoder: &MessageDecoder,
        state: DictionaryState,
    ) -> (Option<MessageDecoder>, Option<DictionaryState>) {
        let cache = &mut self.lock_cache().entries;
        let fits = |cached: &CachedDictionaries| cached.decoder.needs_dictionaries_of(decoder);
        // A later state has the same dictionaries if only others have changed.
        let is_state = |cached: DictionaryState| {
            cached == state
                || (cached > state
                    && cached.0 <= self.n_messages
                    && self.earliest(decoder, cached.0) == state)
        };
        let is_found =
            |cached: &CachedDictionaries| cached.snapshot.is_some() && fits(cached) && is_state(cached.state);
        if let Some(idx) = cache.iter().position(is_found) {
            let found = cache.remove(idx);
            let snapshot = found.snapshot.clone();
            cache.push(found);
            return (snapshot, None);
        }
        let before = cache.iter().filter(|cached| cached.receiver.is_some() && cached.state < state);
        (None, before.filter(|cached| fits(cached)).map(|cached| cached.state).max())
    }

    fn is_ruinous(&self, block_idx: usize) -> bool {
        self.lock_cache().ruinous.contains(&block_idx)
    }

    fn take_receiver(&self, decoder: &MessageDecoder, state: DictionaryState) -> Option<DictionaryReceiver> {
        let cache = &mut self.lock_cache().entries;
        let fits = |cached: &CachedDictionaries| {
            cached.state == state
                && cached.receiver.is_some()
                && cached.decoder.needs_dictionaries_of(decoder)
        };
        let idx = cache.iter().position(fits)?;
        let cached = cache.get_mut(idx)?;
        let receiver = cached.receiver.take()?;
        if cached.snapshot.is_none() || receiver.decoder.has_long_bitmaps() {
            // A delta would copy all bits while the snapshot has them.
            cache.remove(idx);
        }
        Some(receiver)
    }

    fn keep(
        &self,
        decoder: &MessageDecoder,
        state: DictionaryState,
        snapshot: Option<MessageDecoder>,
        receiver: DictionaryReceiver,
    ) {
        let decoder = decoder.clone();
        let cache = &mut self.lock_cache().entries;
        let n_receivers = cache.iter().filter(|cached| cached.receiver.is_some()).count();
        if cache.len() - n_receivers >= MAX_SNAPSHOTS {
            remove_oldest(cache, |cached| cached.receiver.is_none());
        }
        let n_processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        if n_receivers >= MIN_RECEIVERS && n_receivers >= n_processors() {
            remove_oldest(cache, |cached| cached.receiver.is_some());
        }
        cache.push(CachedDictionaries { state, decoder, snapshot, receiver: Some(receiver) });
    }

    /// Locks the cache. It is valid even if another thread panicked with the lock.
    fn lock_cache(&self) -> MutexGuard<'_, DictionaryCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The dictionary messages from `base` to `state` that count for a batch of this state, in the order of the stream: for
    /// each dictionary that the decoder needs the last message that is no delta, and the deltas after it; and the same for
    /// the dictionaries inside each of these messages, at the position of the message.
    fn blocks_between(
        &self,
        decoder: &MessageDecoder,
        base: DictionaryState,
        state: DictionaryState,
    ) -> BTreeSet<usize> {
        let mut blocks = BTreeSet::new();
        let mut pending: Vec<(DictionaryIdx, usize)> =
            decoder.needed_dictionaries().map(|dictionary| (dictionary, state.0)).collect();
        while let Some((dictionary, end)) = pending.pop() {
            let Some(versions) = self.versions.get(&dictionary.0) else { continue };
            let n_before = versions.partition_point(|version| version.block_idx < end);
            let Some(last) = n_before.checked_sub(1).and_then(|last| versions.get(last)) else { continue };
            for version in versions.get(last.base..n_before).unwrap_or_default().iter().rev() {
                // If a message is in the set, all messages before it that count are, too.
                if version.block_idx < base.0 || !blocks.insert(version.block_idx) {
                    break;
                }
                let inside = decoder.columns().dictionaries_inside(dictionary);
                pending.extend(inside.map(|inner| (inner, version.block_idx)));
            }
        }
        blocks
    }

    pub(super) fn bodies(&self) -> &DictionaryBodies {
        &self.bodies
    }
}

/// Removes the first of these entries, which was used before the others.
fn remove_oldest(cache: &mut Vec<CachedDictionaries>, is_removed: impl Fn(&CachedDictionaries) -> bool) {
    if let Some(oldest) = cache.iter().position(is_removed) {
        cache.remove(oldest);
    }
}

impl DictionaryReceiver {
    pub(super) fn new(decoder: &MessageDecoder) -> DictionaryReceiver {
        DictionaryReceiver { decoder: decoder.without_dictionaries(), end: 0 }
    }

    /// Receives the next dictionary message. Returns `false` if its bytes are missing.
    ///
    /// # Errors
    /// If the message is malformed, unsupported or over a limit, or is a delta that has no dictionary to extend.
    pub(super) fn receive(
        &mut self,
        file: &FileState,
        block_idx: usize,
        bodies: &DictionaryBodies,
        bytes: &mut ProvidedRanges,
    ) -> Result<bool> {
        let Some(block) = file.footer.dictionary_blocks().get(block_idx) else { return Ok(true) };
        let listed = DictionaryBlock { block_idx, block };
        let mut receive = || -> Result<bool> {
            let message = file.message(listed.index(), &block, bytes)?;
            let Some((message, mut body)) = message.zip(bytes.take(block.body_range())) else {
                return Ok(false);
            };
            bodies.detach(&mut body, &block.body_range(), bytes, &self.decoder)?;
            // Nothing if the message is received again.
            self.decoder.receive(block.end().saturating_sub(self.end));
            self.end = block.end();
            let header = dictionary_of(&message)?;
            if file.stream().is_some_and(|stream| !stream.lists(block_idx, header)) {
                let what = "it lists another dictionary at this position";
                return Err(IpcErrorKind::StreamIndex { what }.into());
            }
            self.decoder.take_dictionary(&message, header, &Body::Whole(body))?;
            Ok(true)
        };
        receive().in_block(listed.index(), block.position())
    }

    /// Whether the dictionary of a message has values.
    fn has_values(&self, file: &FileState, block_idx: usize) -> bool {
        let listed = file.stream().and_then(|stream| stream.dictionaries.get(block_idx));
        let dictionary = listed.and_then(|listed| listed.dictionary);
        dictionary.is_some_and(|dictionary| self.decoder.has_dictionary(dictionary))
    }
}
