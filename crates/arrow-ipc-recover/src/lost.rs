//! What a recovery reports as lost.

use std::{fmt, ops::Range};

use arrow_ipc::{IpcError, file::FooterIrregularity};
use arrow_ipc_format::MessageKind;

/// A range of a damaged input that cannot be recovered.
///
/// `Display` shows the range, the content and the cause: `bytes 4096..8192: a record batch is lost: …`
#[derive(Debug)]
pub struct LostPart {
    range: Range<u64>,
    what: LostContent,
    cause: LostCause,
}

/// What was lost in the range of a [`LostPart`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostContent {
    /// One message of this kind.
    Message(MessageKind),
    /// Unknown content: one or several messages, or some bytes of a message.
    Bytes,
    /// The footer of a file, with its custom metadata. The recovery finds batches without it.
    Footer,
    /// The schema message. The recovery uses the schema of the footer.
    SchemaMessage,
    /// Nothing: the recovery returns the message, but its values may differ from the values that were written.
    Certainty {
        /// The kind of the message.
        kind: MessageKind,
        /// The index of the message in the footer's list of this kind; `None` if the footer does not list it, or there
        /// is no footer.
        number: Option<u64>,
    },
}

/// Why a range is lost.
#[derive(Debug)]
#[non_exhaustive]
pub enum LostCause {
    /// The content is truncated, invalid, unsupported or over a limit.
    Error(IpcError),
    /// The message needs a dictionary that is lost or may have been replaced.
    LostDictionary {
        /// The id of the dictionary in the schema.
        id: i64,
        /// The damaged bytes that contained the dictionary, or may have contained it.
        range: Range<u64>,
    },
    /// No schema message precedes the message in its stream.
    NoSchema,
    /// Messages of the same stream follow this end marker, so the marker is wrong.
    EndMarker,
    /// The stream has no end marker, and another stream follows. Messages between the two streams may be lost.
    NoEndMarker,
    /// The message belongs to a stream whose schema differs from the schema of the first stream.
    OtherSchema,
    /// The schema message and the footer differ in the byte order of the numbers, and the messages have the other one.
    OtherByteOrder,
    /// This schema message has the same columns as the schema message of the first stream, but other metadata. The
    /// metadata is lost.
    OtherMetadata,
    /// The schema differs from the schema that the caller passed to
    /// [`with_ipc_schema`](crate::Recovery::with_ipc_schema).
    GivenSchema,
    /// The file has another schema message after the first one. A file has only one.
    SecondSchema,
    /// The file contains two dictionaries with this id, and this is the second one. A file has one dictionary for each
    /// id.
    SecondDictionary {
        /// The id of the dictionary in the schema.
        id: i64,
    },
    /// The footer lists more dictionaries than the schema has, so the writer has replaced a dictionary, although a file
    /// has one dictionary for each id. Messages are read in the order of the file, as in a stream, where a second
    /// dictionary replaces the first.
    Replaced,
    /// The footer lists the message, but the input has no message with the listed lengths.
    NotFound,
    /// The length of the metadata or the body is probably wrong: no message, end marker or padding follows.
    Lengths,
    /// The next message begins before the end of this message, so bytes of this message are missing.
    Missing {
        /// The number of missing bytes.
        n_bytes: u64,
    },
    /// An end marker begins in the last bytes of the last message. Either they are its last values, and the input has no
    /// end marker or a legacy one, or as many bytes of the message are missing.
    EndMarkerInside {
        /// The number of these bytes.
        n_bytes: u64,
    },
    /// The distance to the next message differs from the distance in the footer. Bytes were inserted or removed at an
    /// unknown position, so the values of the message may be shifted.
    Shifted {
        /// The number of surplus bytes; negative if bytes are missing.
        n_surplus: i64,
    },
    /// The bytes after the message belong to no message. They may be the end of its body, if bytes were inserted into
    /// the body.
    Unproven {
        /// The number of bytes that belong to no message.
        n_bytes: u64,
    },
    /// The footer lists a message with another length at this position.
    OtherLengths,
    /// The footer lists blocks twice, out of order, or inside each other. Each batch is returned once, in the order of
    /// the footer.
    Irregular(FooterIrregularity),
    /// A part of the footer cannot be read. The other parts are used. The location of the error names the part.
    FooterPart(IpcError),
    /// The footer lists messages at wrong positions, although no bytes are lost.
    OtherPositions,
    /// The footer does not list all messages.
    Unlisted {
        /// The number of dictionaries and batches that the footer does not list.
        n_messages: usize,
    },
    /// No message begins here, for example in bytes before or after the messages of the file or stream.
    NoMessage,
    /// The file does not begin with the magic.
    NoMagic,
    /// There are zeros instead of a message, for example because a crash kept the file system from writing these bytes.
    Zeros,
}

impl LostPart {
    pub(super) fn new(range: Range<u64>, what: LostContent, cause: LostCause) -> LostPart {
        LostPart { range, what, cause }
    }

    /// The lost range of the input, in bytes.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// What was lost in this range.
    pub fn what(&self) -> LostContent {
        self.what
    }

    /// Why the range is lost.
    pub fn cause(&self) -> &LostCause {
        &self.cause
    }
}

impl fmt::Display for LostPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LostPart { range: Range { start, end }, what, cause } = self;
        write!(f, "bytes {start}..{end}: ")?;
        match what {
            LostContent::Message(kind) => write!(f, "a {kind} is lost: {cause}"),
            LostContent::Bytes => write!(f, "unknown content is lost: {cause}"),
            LostContent::Certainty { kind, number: None } => {
                write!(f, "a {kind} may hold shifted values: {cause}")
            }
            LostContent::Certainty { kind: MessageKind::RecordBatch, number: Some(number) } => {
                write!(f, "batch {number} of the footer may hold shifted values: {cause}")
            }
            LostContent::Certainty { kind, number: Some(number) } => {
                write!(f, "{kind} {number} of the footer may hold shifted values: {cause}")
            }
            LostContent::Footer
                if matches!(
                    cause,
                    LostCause::Irregular(_)
                        | LostCause::FooterPart(_)
                        | LostCause::OtherPositions
                        | LostCause::Unlisted { .. }
                        | LostCause::Replaced
                ) =>
            {
                write!(f, "the footer is damaged: {cause}")
            }
            LostContent::Footer if matches!(cause, LostCause::OtherSchema) => {
                f.write_str("the footer is damaged: its schema is not that of the messages")
            }
            LostContent::Footer if matches!(cause, LostCause::OtherByteOrder) => {
                f.write_str("the footer is damaged: its byte order is not that of the messages")
            }
            LostContent::Footer if matches!(cause, LostCause::GivenSchema) => {
                f.write_str("the schema of the footer is not used: it differs from the given one")
            }
            LostContent::Footer if matches!(cause, LostCause::OtherLengths) => {
                f.write_str("the footer is damaged: it lists a message with another length than it has")
            }
            LostContent::Footer => write!(f, "the footer is lost: {cause}"),
            LostContent::SchemaMessage => {
                write!(f, "the schema message is lost; the schema of the footer is used: {cause}")
            }
        }
    }
}

impl fmt::Display for LostCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LostCause::Error(error) | LostCause::FooterPart(error) => fmt::Display::fmt(error, f),
            LostCause::LostDictionary { id, range: Range { start, end } } => write!(
                f,
                "the dictionary with id {id}, which the message needs, was or may have been in the damaged bytes {start}..{end}"
            ),
            LostCause::NoSchema => f.write_str("no schema message precedes the message in its stream"),
            LostCause::EndMarker => f.write_str("an end marker precedes messages of the same stream"),
            LostCause::NoEndMarker => {
                f.write_str("a stream ends here without an end marker, and another begins")
            }
            LostCause::OtherSchema => f.write_str("the stream has another schema than the first stream"),
            LostCause::OtherByteOrder => f.write_str("its byte order is another"),
            LostCause::OtherMetadata => f.write_str("the metadata differs from that of the first stream"),
            LostCause::GivenSchema => f.write_str("the schema differs from the given one"),
            LostCause::SecondDictionary { id } => {
                write!(f, "a dictionary with id {id} was found before it; a file allows only one")
            }
            LostCause::Replaced => f.write_str(
                "a dictionary is replaced, as only streams allow; messages are read in their order",
            ),
            LostCause::NotFound => f.write_str("the footer lists a message that was not found"),
            LostCause::SecondSchema => f.write_str("a schema message precedes it; a file allows only one"),
            LostCause::Lengths => {
                f.write_str("the lengths of the message are wrong, or the bytes after it are damaged")
            }
            LostCause::Missing { n_bytes: 1 } => f.write_str("a byte of the message is missing"),
            LostCause::Missing { n_bytes } => write!(f, "{n_bytes} bytes of the message are missing"),
            LostCause::EndMarkerInside { n_bytes } => write!(
                f,
                "an end marker begins {n_bytes} bytes before its end: these bytes are values, or {n_bytes} bytes are missing"
            ),
            LostCause::Shifted { n_surplus } => {
                let n_bytes = n_surplus.unsigned_abs();
                let than = if *n_surplus < 0 { "fewer" } else { "more" };
                let bytes = if n_bytes == 1 { "byte" } else { "bytes" };
                write!(
                    f,
                    "from the start of the message to the next, there are {n_bytes} {bytes} {than} than the footer lists"
                )
            }
            LostCause::Unproven { n_bytes: 1 } => f.write_str("the byte after it belongs to no message"),
            LostCause::Unproven { n_bytes } => {
                write!(f, "{n_bytes} bytes after it belong to no message")
            }
            LostCause::OtherLengths => f.write_str("the footer lists a message of another length here"),
            LostCause::Irregular(what) => what.fmt(f),
            LostCause::OtherPositions => f.write_str("messages are listed at wrong positions"),
            LostCause::Unlisted { n_messages: 1 } => f.write_str("a message is not listed"),
            LostCause::Unlisted { n_messages } => {
                write!(f, "{n_messages} messages are not listed")
            }
            LostCause::NoMagic => f.write_str("the file does not begin with its magic"),
            LostCause::NoMessage => f.write_str("no message begins here"),
            LostCause::Zeros => f.write_str("the bytes begin with zeros"),
        }
    }
}
