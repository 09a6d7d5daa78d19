//! The version of an object, and conditions of requests for this version.

use super::object_store::{Error, GetOptions, ObjectMeta};
use crate::error::{ObjectErrorKind, Tag};

/// The version of an object, from the first answer.
#[derive(Debug, Clone)]
pub(super) struct Version {
    meta: ObjectMeta,
    tag: Option<Tag>,
}

impl Version {
    /// The tag is the etag, or else the version id, or else the time of modification.
    pub(super) fn new(meta: ObjectMeta) -> Version {
        let tag = match (&meta.e_tag, &meta.version) {
            (Some(_), _) => Some(Tag::ETag),
            (None, Some(_)) => Some(Tag::Version),
            // If a server returns no time, `object_store` returns the start of the epoch.
            (None, None) if meta.last_modified.timestamp() != 0 => Some(Tag::Modified),
            (None, None) => None,
        };
        Version { meta, tag }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.meta.size
    }

    pub(super) fn tag(&self) -> Option<Tag> {
        self.tag
    }

    #[cfg(feature = "dataset")]
    pub(super) fn tag_text(&self) -> Option<String> {
        self.tag.and_then(|tag| tag_of(tag, &self.meta))
    }

    /// Options that restrict a request to this version, if the store supports it.
    pub(super) fn condition(&self) -> GetOptions {
        let mut options = GetOptions::default();
        match (self.tag, &self.meta.e_tag) {
            // As a condition, a weak etag matches no etag (RFC 9110, 13.1.1). So it is only compared with the etag of
            // the answer.
            (Some(Tag::ETag), Some(etag)) if is_strong(etag) => options.if_match = Some(etag.clone()),
            (Some(Tag::Version), _) => options.version.clone_from(&self.meta.version),
            (Some(Tag::Modified), _) => options.if_unmodified_since = Some(self.meta.last_modified),
            _ => {}
        }
        options
    }

    /// Compares the length and the tag of an answer with this version.
    pub(super) fn check(&self, meta: &ObjectMeta) -> Result<(), ObjectErrorKind> {
        if meta.size != self.meta.size {
            return Err(changed(Tag::Length, &self.meta, Some(meta)));
        }
        match self.tag {
            Some(tag) if tag_of(tag, meta) != tag_of(tag, &self.meta) => {
                Err(changed(tag, &self.meta, Some(meta)))
            }
            _ => Ok(()),
        }
    }

    /// The reason why a request with the [`condition`](Version::condition) of this version failed.
    pub(super) fn cause(&self, error: Error) -> ObjectErrorKind {
        match (&error, self.tag) {
            (Error::Precondition { .. } | Error::NotModified { .. }, Some(tag)) => {
                changed(tag, &self.meta, None)
            }
            _ => cause(error),
        }
    }
}

fn is_strong(etag: &str) -> bool {
    !etag.starts_with("W/")
}

fn tag_of(tag: Tag, meta: &ObjectMeta) -> Option<String> {
    match tag {
        Tag::Length => Some(meta.size.to_string()),
        Tag::ETag => meta.e_tag.clone(),
        Tag::Version => meta.version.clone(),
        Tag::Modified => Some(meta.last_modified.to_rfc3339()),
    }
}

fn changed(tag: Tag, before: &ObjectMeta, now: Option<&ObjectMeta>) -> ObjectErrorKind {
    let before = tag_of(tag, before).unwrap_or_default();
    ObjectErrorKind::Changed { tag, before, now: now.and_then(|now| tag_of(tag, now)) }
}

pub(super) fn cause(error: Error) -> ObjectErrorKind {
    if let Error::NotFound { .. } = error {
        ObjectErrorKind::NotFound(Box::new(error))
    } else if let Error::PermissionDenied { .. } | Error::Unauthenticated { .. } = error {
        ObjectErrorKind::NotAllowed(Box::new(error))
    } else {
        ObjectErrorKind::Store(Box::new(error))
    }
}
