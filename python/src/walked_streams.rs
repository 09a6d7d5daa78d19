//! The streams at URLs whose messages this process has found: they are opened again without a walk.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use arrow_ipc::{Container, FileDecoder, file::StreamEnd};

use crate::file::Reader;

/// The maximal number of streams.
const MAX_STREAMS: usize = 64;

/// The maximal number of batches of a stream: each takes some tens of bytes.
const MAX_BATCHES: usize = 100_000;

static STREAMS: Mutex<VecDeque<WalkedStream>> = Mutex::new(VecDeque::new());

struct WalkedStream {
    url: String,
    version: String,
    decoder: FileDecoder,
}

/// The decoder of this version of a stream, if the stream was opened before.
pub(crate) fn find(url: &str, version: &str) -> Option<FileDecoder> {
    let streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = streams.iter().find(|stream| stream.url == url && stream.version == version)?;
    Some(found.decoder.clone())
}

/// Stores what opening a complete stream has found, and no bytes of the stream. Forgets other versions, and the oldest of many streams.
pub(crate) fn store(url: &str, version: &str, reader: &Reader) {
    let is_complete = reader.stream_end() != Some(StreamEnd::Incomplete);
    if reader.container() == Container::File || !is_complete || reader.n_batches() > MAX_BATCHES {
        return;
    }
    let decoder = reader.decoder().without_tail();
    let mut streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    streams.retain(|stream| stream.url != url);
    if streams.len() >= MAX_STREAMS {
        streams.pop_front();
    }
    streams.push_back(WalkedStream { url: url.to_owned(), version: version.to_owned(), decoder });
}
