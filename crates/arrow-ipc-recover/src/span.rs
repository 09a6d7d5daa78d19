//! The ranges of an input: messages, end markers, lost bytes and other bytes.

use std::ops::Range;

use arrow_ipc_format::{DictionaryHeader, MessageKind, MetadataVersion};

use super::{
    footer_blocks::MessageLengths,
    lost::{LostCause, LostContent},
};

/// A range of the input and its content. The next span begins at its end, so the map covers all bytes.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) range: Range<u64>,
    pub(super) content: SpanContent,
    pub(super) is_read: bool,
}

impl Span {
    pub(super) fn message(&self) -> Option<&LocatedMessage> {
        match &self.content {
            SpanContent::Message(located) => Some(located),
            SpanContent::Other | SpanContent::EndMarker | SpanContent::Lost(_) => None,
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        matches!(self.content, SpanContent::Lost(_))
    }
}

#[derive(Debug)]
pub(super) enum SpanContent {
    /// Bytes that are no message: the magic, padding, the footer, or a schema message without a prefix.
    Other,
    EndMarker,
    Message(LocatedMessage),
    Lost(Damage),
}

/// A message. The padding after the message is in this span, or in its own span.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocatedMessage {
    pub(super) kind: MessageKind,
    pub(super) version: MetadataVersion,
    /// For a dictionary batch: its id, and whether it is a delta.
    pub(super) dictionary: Option<DictionaryHeader>,
    /// The index of the message in its stream or file. The schema message has index 0.
    pub(super) index: u64,
    /// The index of the message's block in `FooterBlocks`.
    pub(super) block: Option<usize>,
    /// Whether this dictionary has the same bytes as a dictionary of the footer, and is not listed itself.
    pub(super) is_copy: bool,
    pub(super) follows_damage: bool,
    /// If the body ends with the bytes of an end marker, the number of bytes that it may lack. Otherwise 0.
    pub(super) n_doubtful_bytes: u64,
    /// The lengths of a batch or dictionary, for comparison with a footer; `None` for other messages.
    pub(super) lengths: Option<MessageLengths>,
}

/// Bytes without a readable message.
#[derive(Debug)]
pub(super) struct Damage {
    pub(super) what: LostContent,
    pub(super) cause: LostCause,
    /// The index in `FooterBlocks` of the block that is expected at these bytes.
    pub(super) block: Option<usize>,
    /// The lost dictionary batch, if its metadata is readable.
    pub(super) dictionary: Option<DictionaryHeader>,
}

impl Damage {
    pub(super) fn new(what: LostContent, cause: LostCause) -> Damage {
        Damage { what, cause, block: None, dictionary: None }
    }
}
