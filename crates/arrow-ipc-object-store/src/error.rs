//! The errors that reading and writing of objects return.

use std::{error::Error, fmt, io, ops::Range};

use arrow_ipc::IpcError;

/// The error of reading or writing an object: the path of the object in the store, the requested range, and the cause.
///
/// `AsyncSource` returns this error inside an [`io::Error`]; `io::Error::downcast` extracts it.
#[derive(Debug)]
pub struct ObjectError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    path: String,
    range: Option<Range<u64>>,
    kind: ObjectErrorKind,
}

/// The cause of an [`ObjectError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ObjectErrorKind {
    /// The store failed, and repeating the request did not help.
    Store(Box<dyn Error + Send + Sync>),
    /// There is no such object.
    NotFound(Box<dyn Error + Send + Sync>),
    /// The store denies access.
    NotAllowed(Box<dyn Error + Send + Sync>),
    /// The object has changed since an earlier answer.
    Changed {
        tag: Tag,
        /// The tag of the earlier answer.
        before: String,
        /// The tag of this answer. `None` if the answer has no tag, or if the store refused the request because the
        /// object has changed.
        now: Option<String>,
    },
    /// The store returns no tag, so a change of the object would not be noticed. See
    /// [`ObjectOptions::allowing_untagged`](crate::ObjectOptions::allowing_untagged).
    Untagged,
    /// The length of an answer differs from that of the requested range.
    Length {
        /// The length of the range.
        expected: u64,
        /// The number of bytes that had arrived when the error was noticed.
        found: u64,
    },
    /// The bytes of a plan cannot be made, for example because the provider of its buffers fails.
    Plan(IpcError),
    /// An earlier call of this upload failed.
    UploadFailed,
    /// The answer is for another range.
    OtherRange { found: Range<u64> },
}

/// The kind of tag by which versions of an object are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    Length,
    /// The etag.
    ETag,
    /// The version, in stores that keep several versions.
    Version,
    /// The time of the last modification, with a resolution of a second.
    Modified,
}

impl ObjectError {
    pub(crate) fn new(path: &impl fmt::Display, range: Option<Range<u64>>, kind: ObjectErrorKind) -> Self {
        ObjectError(Box::new(Inner { path: path.to_string(), range, kind }))
    }

    /// The path of the object in the store.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The requested range. `None` if the error is not about a range, or if the end of an object of unknown length was requested.
    pub fn range(&self) -> Option<Range<u64>> {
        self.0.range.clone()
    }

    /// The cause.
    pub fn kind(&self) -> &ObjectErrorKind {
        &self.0.kind
    }
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ObjectErrorKind::*;
        // If the store consists of a single object, the path is empty.
        let place = if self.path().is_empty() {
            "the object".to_owned()
        } else {
            format!("object {:?}", self.path())
        };
        f.write_str(&place)?;
        if let Some(Range { start, end }) = &self.0.range {
            write!(f, ", bytes {start}..{end}")?;
        }
        f.write_str(": ")?;
        match self.kind() {
            Store(error) | NotFound(error) | NotAllowed(error) => error.fmt(f),
            Changed { tag, before, now: Some(now) } => {
                write!(f, "it was changed while it was read: its {tag} was {before}, and is {now}; open it again")
            }
            Changed { tag, before, now: None } => {
                write!(f, "it was changed while it was read: its {tag} is no longer {before}; open it again")
            }
            Untagged => f.write_str(
                "the store returns no etag, version or time of modification, so a change could not be detected",
            ),
            Plan(error) => error.fmt(f),
            UploadFailed => f.write_str("an earlier call of this upload failed; begin a new upload"),
            Length { expected, found } => {
                write!(f, "the answer has {found} bytes; {expected} were requested")
            }
            OtherRange { found } => write!(f, "the answer is for the bytes {}..{}", found.start, found.end),
        }
    }
}

impl Error for ObjectError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.kind() {
            ObjectErrorKind::Store(error)
            | ObjectErrorKind::NotFound(error)
            | ObjectErrorKind::NotAllowed(error) => Some(&**error),
            ObjectErrorKind::Plan(error) => Some(error),
            ObjectErrorKind::Changed { .. }
            | ObjectErrorKind::Untagged
            | ObjectErrorKind::UploadFailed
            | ObjectErrorKind::Length { .. }
            | ObjectErrorKind::OtherRange { .. } => None,
        }
    }
}

impl From<ObjectError> for io::Error {
    fn from(error: ObjectError) -> io::Error {
        let kind = match error.kind() {
            ObjectErrorKind::NotFound(_) => io::ErrorKind::NotFound,
            ObjectErrorKind::NotAllowed(_) => io::ErrorKind::PermissionDenied,
            // If an answer is too short, the object may still have the right length.
            ObjectErrorKind::Store(_)
            | ObjectErrorKind::Changed { .. }
            | ObjectErrorKind::Untagged
            | ObjectErrorKind::UploadFailed
            | ObjectErrorKind::Plan(_)
            | ObjectErrorKind::Length { .. }
            | ObjectErrorKind::OtherRange { .. } => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tag::Length => "length",
            Tag::ETag => "etag",
            Tag::Version => "version",
            Tag::Modified => "time of modification",
        })
    }
}
