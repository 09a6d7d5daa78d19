//! Why an object could not be read or written.

use std::{error::Error, fmt, io, ops::Range};

use arrow_ipc::IpcError;

/// Why an object could not be read or written: its path in the store, the range that was requested, and a cause.
///
/// `AsyncSource` gives it inside of an [`io::Error`]; `io::Error::downcast` takes it out.
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
    /// The store failed, after it has tried as often as it does.
    Store(Box<dyn Error + Send + Sync>),
    /// There is no such object.
    NotFound(Box<dyn Error + Send + Sync>),
    /// The store denies access.
    NotAllowed(Box<dyn Error + Send + Sync>),
    /// The object is not the one that was read before.
    Changed {
        /// What tells the two apart.
        tag: Tag,
        /// That of what was read before.
        before: String,
        /// That of the answer; `None` if there was none, or the store refused the request for that reason.
        now: Option<String>,
    },
    /// The store tells nothing by which a change of the object could be noticed. See
    /// [`ObjectOptions::allowing_untagged`](crate::ObjectOptions::allowing_untagged).
    Untagged,
    /// The answer has another length than its range.
    Length {
        /// That of the range.
        expected: u64,
        /// As many bytes arrived, or more.
        found: u64,
    },
    /// The image of a plan cannot be made: the provider of its buffers fails.
    Plan(IpcError),
    /// An earlier call of this upload failed.
    UploadFailed,
    /// The answer is for another range.
    OtherRange {
        /// This one.
        found: Range<u64>,
    },
}

/// By what two versions of an object are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// Its length.
    Length,
    /// Its etag.
    ETag,
    /// Its version, of stores that keep several.
    Version,
    /// When it was modified, which stores tell in seconds.
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

    /// The range that was requested; `None` if none was, or the end of an object of unknown length.
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
        // A store that is one object has no name for it.
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
                write!(f, "it was changed while it was read: its {tag} was {before}, and is {now}")
            }
            Changed { tag, before, now: None } => {
                write!(f, "it was changed while it was read: its {tag} is no longer {before}")
            }
            Untagged => f.write_str(
                "the store tells neither etag nor version nor time of modification, so a change could not be noticed",
            ),
            Plan(error) => error.fmt(f),
            UploadFailed => f.write_str("an earlier call of this upload failed; begin a new upload"),
            Length { expected, found } => {
                write!(f, "the answer has {found} bytes, and {expected} were requested")
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
            // An answer that is too short does not mean that the object is.
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
