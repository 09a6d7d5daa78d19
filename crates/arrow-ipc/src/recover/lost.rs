//! What is lost of a damaged input, where it was, and why.

use std::{fmt, ops::Range};

use crate::{error::IpcError, file::FooterIrregularity, protocol::MessageKind};

/// A part of a damaged input that cannot be recovered.
///
/// Its text says what is lost, where, and why: `bytes 4096..8192: a record batch is lost: …`
#[derive(Debug)]
pub struct LostPart {
    range: Range<u64>,
    what: LostWhat,
    cause: LostCause,
}

/// What a [`LostPart`] was, as far as that can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostWhat {
    /// One message of this kind.
    Message(MessageKind),
    /// Unknown content: one message, several, or a part of one.
    Bytes,
    /// The footer of a file, with its custom metadata. Batches are found without it.
    Footer,
    /// The schema message. The footer has the schema too.
    SchemaMessage,
    /// The certainty that a message was read as it was written. It counts all the same.
    Certainty {
        /// What it is.
        kind: MessageKind,
        /// Its number in the list of the footer, if there is one.
        number: Option<u64>,
    },
}

/// Why something is lost.
#[derive(Debug)]
#[non_exhaustive]
pub enum LostCause {
    /// It is truncated, malformed, unsupported or over a limit.
    Error(IpcError),
    /// It needs a dictionary that is lost.
    LostDictionary {
        /// The id of the dictionary.
        id: i64,
        /// The damaged bytes that held it, or may have held it.
        range: Range<u64>,
    },
    /// No schema has been found before it, or none since the end of the stream before it.
    NoSchema,
    /// It is the end marker of a stream, and messages of the stream follow it.
    EndMarker,
    /// A stream has no end marker, and another follows it: messages may be missing there.
    NoEndMarker,
    /// It belongs to a stream with another schema than the first stream has.
    OtherSchema,
    /// It has other metadata than the schema of the first stream, and else the same.
    OtherMetadata,
    /// Another schema was given: see [`with_schema`](crate::recover::Recovery::with_schema).
    GivenSchema,
    /// A file has one schema message, the first.
    SecondSchema,
    /// A file has one dictionary of each id, with what is added to it, and another one was found before.
    SecondDictionary {
        /// The id of the dictionary.
        id: i64,
    },
    /// The footer lists it, and no message in the input has its lengths.
    NotFound,
    /// The lengths of metadata and body are probably wrong: after the message is nothing that may follow one.
    Lengths,
    /// So many bytes of it are missing: the next message begins before its end.
    Missing {
        /// The bytes between the next message and the end.
        n_bytes: u64,
    },
    /// So many more bytes than the footer lists, or fewer, lie between its start and the next message, and where they were inserted or
    /// removed cannot be told: its values may be shifted.
    Shifted {
        /// How many bytes more; negative if there are fewer.
        n_surplus: i64,
    },
    /// So many bytes follow it that are no message. They may be the end of its body, if others were inserted into that.
    Unproven {
        /// How many bytes.
        n_bytes: u64,
    },
    /// The footer lists a message of another length here.
    OtherLengths,
    /// The footer lists blocks twice, out of order or inside of each other. Batches are read in its order, each once.
    Irregular(FooterIrregularity),
    /// The footer lists messages at other places than they have, and no bytes are missing.
    OtherPlaces,
    /// The footer lists so many messages less than there are.
    Unlisted {
        /// The dictionaries and batches that it does not list.
        n_messages: usize,
    },
    /// The bytes precede the file or stream, or follow it.
    NoMessage,
    /// The file does not begin with the magic.
    NoMagic,
    /// Zeros are where a message should begin, as in files whose blocks did not reach the disk.
    Zeros,
}

impl LostPart {
    pub(super) fn new(range: Range<u64>, what: LostWhat, cause: LostCause) -> LostPart {
        LostPart { range, what, cause }
    }

    /// Where it was in the input.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// What it was.
    pub fn what(&self) -> LostWhat {
        self.what
    }

    /// Why it is lost.
    pub fn cause(&self) -> &LostCause {
        &self.cause
    }
}

impl fmt::Display for LostPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LostPart { range: Range { start, end }, what, cause } = self;
        write!(f, "bytes {start}..{end}: ")?;
        match what {
            LostWhat::Message(kind) => write!(f, "a {kind} is lost: {cause}"),
            LostWhat::Bytes => write!(f, "unknown content is lost: {cause}"),
            LostWhat::Certainty { kind, number: None } => {
                write!(f, "a {kind} may hold shifted values: {cause}")
            }
            LostWhat::Certainty { kind: MessageKind::RecordBatch, number: Some(number) } => {
                write!(f, "batch {number} of the footer may hold shifted values: {cause}")
            }
            LostWhat::Certainty { kind, number: Some(number) } => {
                write!(f, "{kind} {number} of the footer may hold shifted values: {cause}")
            }
            LostWhat::Footer
                if matches!(
                    cause,
                    LostCause::Irregular(_) | LostCause::OtherPlaces | LostCause::Unlisted { .. }
                ) =>
            {
                write!(f, "the footer is damaged: {cause}")
            }
            LostWhat::Footer if matches!(cause, LostCause::OtherSchema) => {
                f.write_str("the footer is damaged: its schema is not that of the messages")
            }
            LostWhat::Footer if matches!(cause, LostCause::OtherLengths) => {
                f.write_str("the footer is damaged: it lists a message with another length than it has")
            }
            LostWhat::Footer => write!(f, "the footer is lost: {cause}"),
            LostWhat::SchemaMessage => {
                write!(f, "the schema message is lost; the schema of the footer is used: {cause}")
            }
        }
    }
}

impl fmt::Display for LostCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LostCause::Error(error) => fmt::Display::fmt(error, f),
            LostCause::LostDictionary { id, range: Range { start, end } } => write!(
                f,
                "it needs the dictionary with id {id}, which was or may have been in the damaged bytes {start}..{end}"
            ),
            LostCause::NoSchema => {
                f.write_str("no schema was found before it, or since the last stream ended")
            }
            LostCause::EndMarker => {
                f.write_str("an end marker is there, and messages of the stream follow it")
            }
            LostCause::NoEndMarker => {
                f.write_str("a stream ends here without an end marker, and another begins")
            }
            LostCause::OtherSchema => f.write_str("it is of a stream with another schema than the first"),
            LostCause::OtherMetadata => {
                f.write_str("its metadata is not that of the first stream, which all batches get")
            }
            LostCause::GivenSchema => f.write_str("another schema was given"),
            LostCause::SecondDictionary { id } => {
                write!(f, "a file has one dictionary with id {id}, and another one was found")
            }
            LostCause::NotFound => {
                f.write_str("the footer lists it, and no message of its lengths was found")
            }
            LostCause::SecondSchema => f.write_str("a file has one schema message, the first"),
            LostCause::Lengths => {
                f.write_str("the lengths of the message are wrong, or the bytes after it are damaged")
            }
            LostCause::Missing { n_bytes: 1 } => f.write_str("a byte of it is missing"),
            LostCause::Missing { n_bytes } => write!(f, "{n_bytes} bytes of it are missing"),
            LostCause::Shifted { n_surplus } => {
                let (n_bytes, than) =
                    (n_surplus.unsigned_abs(), if *n_surplus < 0 { "fewer" } else { "more" });
                let bytes = if n_bytes == 1 { "byte" } else { "bytes" };
                write!(
                    f,
                    "{n_bytes} {bytes} {than} than the footer lists lie between its start and what follows"
                )
            }
            LostCause::Unproven { n_bytes: 1 } => f.write_str("a byte follows it that is no message"),
            LostCause::Unproven { n_bytes } => write!(f, "{n_bytes} bytes follow it that are no message"),
            LostCause::OtherLengths => f.write_str("the footer lists a message of another length here"),
            LostCause::Irregular(what) => what.fmt(f),
            LostCause::OtherPlaces => f.write_str("it lists messages at other places than they have"),
            LostCause::Unlisted { n_messages: 1 } => f.write_str("it does not list a message that is there"),
            LostCause::Unlisted { n_messages } => {
                write!(f, "it does not list {n_messages} messages that are there")
            }
            LostCause::NoMagic => f.write_str("the file does not begin with its magic"),
            LostCause::NoMessage => f.write_str("no message begins here"),
            LostCause::Zeros => f.write_str("it begins with zeros"),
        }
    }
}
