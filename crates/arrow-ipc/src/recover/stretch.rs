//! The map of an input, as a list of ranges without gaps between them. For each range, the list says what its bytes are.

use std::ops::Range;

use super::{
    listed::MessageLengths,
    lost::{LostCause, LostWhat},
};
use crate::{
    message::DictionaryMessage,
    protocol::{MessageKind, MetadataVersion},
};

/// A range of bytes of an input, and their content. The next stretch begins at the end of this stretch, so the map
/// covers all bytes.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) range: Range<u64>,
    pub(super) content: StretchContent,
    /// Whether the stretch has been read and reported.
    pub(super) is_read: bool,
}

impl Stretch {
    /// The message, if the bytes are a message.
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
    /// Bytes that are no message: the magic, zeros without a meaning, the footer, or a schema message without its
    /// prefix that has been read.
    Other,
    EndMarker,
    Message(Located),
    Lost(Damage),
}

/// A message. Padding after the message may be part of this stretch, or a separate stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Located {
    pub(super) kind: MessageKind,
    pub(super) version: MetadataVersion,
    /// The id and kind of a dictionary.
    pub(super) dictionary: Option<DictionaryMessage>,
    /// The index of the message in its stream or file; the schema message has index 0.
    pub(super) index: u64,
    /// The block of the message in the footer.
    pub(super) block: Option<usize>,
    /// Whether the message is a dictionary that the footer does not list, and has the same bytes as a listed dictionary.
    pub(super) is_copy: bool,
    /// Whether damaged bytes precede the message.
    pub(super) follows_damage: bool,
    /// The lengths of a batch or a dictionary, as a footer would list them.
    pub(super) lengths: Option<MessageLengths>,
}

/// Bytes without a readable message.
#[derive(Debug)]
pub(super) struct Damage {
    pub(super) what: LostWhat,
    pub(super) cause: LostCause,
    /// The block of the footer that is expected here.
    pub(super) block: Option<usize>,
    /// The lost dictionary, if the metadata of its message is readable.
    pub(super) dictionary: Option<DictionaryMessage>,
}

impl Damage {
    pub(super) fn new(what: LostWhat, cause: LostCause) -> Damage {
        Damage { what, cause, block: None, dictionary: None }
    }
}
