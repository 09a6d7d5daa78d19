//! Errors of reading and writing objects.

use std::{error::Error, fmt, io, ops::Range};

use arrow_ipc::IpcError;

/// The error of reading or writing an object, with the path of the object, the requested range, and the cause.
///
/// `AsyncSource` returns this error inside an [`io::Error`]; `io::Error::downcast` extracts it.
pub struct ObjectError(Box<Inner>);

struct Inner {
    path: String,
    range: Option<Range<u64>>,
    kind: ObjectErrorKind,
}

/// Why reading or writing an object failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ObjectErrorKind {
    /// The request failed, and so did any retries by the store.
    Store(Box<dyn Error + Send + Sync>),
    /// There is no such object.
    NotFound(Box<dyn Error + Send + Sync>),
    /// The store denies access.
    NotAllowed(Box<dyn Error + Send + Sync>),
    /// The object has changed since the first answer.
    Changed {
        /// The property that shows the change.
        tag: Tag,
        /// The tag of the first answer.
        before: String,
        /// The tag of the answer that differs. `None` if the answer has no tag, or if the store refused the request
        /// because the object has changed.
        now: Option<String>,
    },
    /// The store returns no tag, so changes of the object could not be noticed.
    /// [`ObjectOptions::with_untagged_objects`](crate::ObjectOptions::with_untagged_objects) also reads such objects.
    Untagged,
    /// The length of the answer differs from the length of the requested range.
    Length {
        /// The length of the requested range.
        expected: u64,
        /// The number of bytes that had arrived when the error was noticed.
        found: u64,
    },
    /// The bytes of a plan could not be computed, for example because its buffer provider failed.
    Plan(IpcError),
    /// An earlier call of the same upload failed.
    UploadFailed,
    /// The answer contains another range than the requested one.
    OtherRange {
        /// The range of the answer.
        found: Range<u64>,
    },
}

/// The property of an object by which a change is noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// The length of the object.
    Length,
    /// The etag, which identifies the content.
    ETag,
    /// The version id, in stores that keep several versions.
    Version,
    /// The time of the last modification, in seconds. Two changes in the same second look the same.
    Modified,
}

impl ObjectError {
    #[cfg(any(feature = "object-store-0-13", feature = "object-store-0-14"))]
    pub(crate) fn new(path: &impl fmt::Display, range: Option<Range<u64>>, kind: ObjectErrorKind) -> Self {
        ObjectError(Box::new(Inner { path: path.to_string(), range, kind }))
    }

    /// The path of the object in the store.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The requested range. `None` if the error concerns the whole object, or the end of an object of unknown length.
    pub fn range(&self) -> Option<Range<u64>> {
        self.0.range.clone()
    }

    /// Why reading or writing failed.
    pub fn kind(&self) -> &ObjectErrorKind {
        &self.0.kind
    }
}

arrow_error::debug_as_display!(ObjectError);

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ObjectErrorKind::*;
        // For a store that is a single object, the path is empty.
        let object = if self.path().is_empty() {
            "the object".to_owned()
        } else {
            format!("object {:?}", self.path())
        };
        f.write_str(&object)?;
        if let Some(Range { start, end }) = &self.0.range {
            write!(f, ", bytes {start}..{end}")?;
        }
        f.write_str(": ")?;
        match self.kind() {
            Store(error) | NotFound(error) | NotAllowed(error) => error.fmt(f),
            Changed { tag, before, now: Some(now) } => {
                write!(f, "changed while being read: its {tag} was {before}, and is {now}; open it again")
            }
            Changed { tag, before, now: None } => {
                write!(f, "changed while being read: its {tag} is no longer {before}; open it again")
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
            // These errors are not `UnexpectedEof`: the object may be long enough even if an answer is too short.
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
