//! The messages that a page shows. If there are too many, adjacent messages are joined.

use arrow_ipc::{Codec, MessageKind, message::Header};

use arrow_ipc_tools::inspect::{Listing, MessageView};

/// All messages, in groups of consecutive messages. If there are too many groups, pairs of adjacent groups are joined.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    all: Vec<Group>,
    /// Each group has 2^`level` messages. The last group may have fewer.
    level: u32,
    n_messages: u64,
}

/// One message, or several consecutive messages.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) n_messages: u64,
    /// The index of the first message in its stream; `None` if only the footer refers to it.
    pub(crate) index: Option<u64>,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The kind of all messages in the group; `None` if the kinds differ.
    pub(crate) kind: Option<MessageKind>,
    pub(crate) n_metadata_bytes: u64,
    /// The total length of the bodies. Missing bytes do not count.
    pub(crate) n_body_bytes: u64,
    pub(crate) n_missing_bytes: u64,
    pub(crate) n_rows: u64,
    pub(crate) codec: Option<Codec>,
    /// The total decompressed length of the bodies; `None` if one is unknown. A body that is not compressed counts with its
    /// length.
    pub(crate) n_decompressed_bytes: Option<u64>,
    /// The note about the first message in the group that has one.
    pub(crate) note: String,
}

impl Groups {
    const MAX: usize = 4_096;
    const MAX_LEVEL: u32 = 63;

    pub(crate) fn push(&mut self, message: Group) {
        let is_continued = self.n_messages & ((1u64 << self.level) - 1) != 0;
        self.n_messages = self.n_messages.saturating_add(1);
        match self.all.last_mut() {
            Some(last) if is_continued => last.append(message),
            Some(_) | None => self.all.push(message),
        }
        if self.all.len() > Groups::MAX && self.level < Groups::MAX_LEVEL {
            self.level += 1;
            let mut halved: Vec<Group> = Vec::with_capacity(self.all.len() / 2 + 1);
            for (group, idx) in std::mem::take(&mut self.all).into_iter().zip(0u64..) {
                match halved.last_mut() {
                    Some(last) if idx % 2 == 1 => last.append(group),
                    Some(_) | None => halved.push(group),
                }
            }
            self.all = halved;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Group> + Clone {
        self.all.iter()
    }

    /// The number of the last message, counted over all streams from 0.
    pub(crate) fn last_message(&self) -> u64 {
        self.n_messages.saturating_sub(1)
    }

    pub(crate) fn group_of(&self, message: u64) -> u64 {
        message >> self.level
    }
}

impl Group {
    pub(crate) fn new(view: &MessageView<'_>) -> Group {
        let message = view.message;
        Group {
            n_messages: 1,
            index: view.index,
            start: message.position(),
            end: message.body_position().saturating_add(view.n_body_bytes()),
            kind: Some(message.kind()),
            n_metadata_bytes: message.n_metadata_bytes(),
            n_body_bytes: view.n_body_bytes(),
            n_missing_bytes: view.n_missing_bytes,
            n_rows: view.n_rows().unwrap_or_default(),
            codec: view.compression.as_ref().map(|body| body.codec),
            n_decompressed_bytes: view.n_decompressed_bytes(),
            note: note(view),
        }
    }

    fn append(&mut self, next: Group) {
        self.n_messages = self.n_messages.saturating_add(next.n_messages);
        self.start = self.start.min(next.start);
        self.end = self.end.max(next.end);
        self.kind = self.kind.filter(|kind| next.kind == Some(*kind));
        self.n_metadata_bytes = self.n_metadata_bytes.saturating_add(next.n_metadata_bytes);
        self.n_body_bytes = self.n_body_bytes.saturating_add(next.n_body_bytes);
        self.n_missing_bytes = self.n_missing_bytes.saturating_add(next.n_missing_bytes);
        self.n_rows = self.n_rows.saturating_add(next.n_rows);
        self.codec = self.codec.or(next.codec);
        let decompressed = self.n_decompressed_bytes.zip(next.n_decompressed_bytes);
        self.n_decompressed_bytes = decompressed.map(|(n_bytes, more)| n_bytes.saturating_add(more));
        if self.note.is_empty() {
            self.note = next.note;
        }
    }
}

fn note(view: &MessageView<'_>) -> String {
    const MAX_CHARS: usize = 300;
    let mut notes = Vec::new();
    match &view.header {
        Ok(Header::DictionaryBatch { id, is_delta: true, .. }) => {
            notes.push(format!("delta of dictionary {id}"))
        }
        Ok(Header::DictionaryBatch { id, .. }) => notes.push(format!("dictionary {id}")),
        Ok(_) => {}
        Err(error) => notes.push(error.to_string()),
    }
    if view.n_missing_bytes > 0 {
        notes.push("truncated".to_owned());
    }
    if view.is_replacement {
        notes.push("replaces the one before".to_owned());
    }
    notes.extend(view.framing_note().map(str::to_owned));
    if view.listing == Listing::Missing {
        notes.push("not in the footer".to_owned());
    }
    if let Some(Err(error)) = &view.buffer_map {
        notes.push(error.to_string());
    }
    notes.join("; ").chars().take(MAX_CHARS).collect()
}
