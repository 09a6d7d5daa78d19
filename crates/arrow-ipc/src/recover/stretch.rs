//! What the bytes of an input are: one stretch after the other, with nothing between them.

use std::ops::Range;

use super::{
    listed::MessageLengths,
    lost::{LostCause, LostWhat},
};
use crate::{
    message::DictionaryMessage,
    protocol::{MessageKind, MetadataVersion},
};

/// Bytes of an input, and what they are. The next stretch begins where this one ends, so that all bytes are accounted for.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) range: Range<u64>,
    pub(super) content: StretchContent,
    /// Whether it has been read, and what it is has been told.
    pub(super) is_read: bool,
}

impl Stretch {
    /// The message that it is.
    pub(super) fn message(&self) -> Option<&Located> {
        match &self.content {
            StretchContent::Message(located) => Some(located),
            StretchContent::Other | StretchContent::EndMarker | StretchContent::Lost(_) => None,
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        matches!(self.content, StretchContent::Lost(_))
    }
}

#[derive(Debug)]
pub(super) enum StretchContent {
    /// The magic, zeros that have no meaning, the footer, and a schema message without its prefix, which has been read.
    Other,
    EndMarker,
    Message(Located),
    Lost(Damage),
}

/// A message. Padding that follows it may be a part of it, or a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Located {
    pub(super) kind: MessageKind,
    pub(super) version: MetadataVersion,
    /// The dictionary that it is of.
    pub(super) dictionary: Option<DictionaryMessage>,
    /// Its number: messages are counted from the schema on.
    pub(super) index: u64,
    /// The block of the footer that it is.
    pub(super) block: Option<usize>,
    /// Whether it is a dictionary that the footer does not list, with the bytes of one that it does.
    pub(super) is_copy: bool,
    /// Whether damaged bytes precede it.
    pub(super) follows_damage: bool,
    /// How the footer would list it, if it is a batch or a dictionary.
    pub(super) lengths: Option<MessageLengths>,
}

/// Bytes without a message that could be read.
#[derive(Debug)]
pub(super) struct Damage {
    pub(super) what: LostWhat,
    pub(super) cause: LostCause,
    /// The block of the footer that should be here.
    pub(super) block: Option<usize>,
    /// The dictionary that is lost, if its metadata can be read.
    pub(super) dictionary: Option<DictionaryMessage>,
}

impl Damage {
    pub(super) fn new(what: LostWhat, cause: LostCause) -> Damage {
        Damage { what, cause, block: None, dictionary: None }
    }
}
