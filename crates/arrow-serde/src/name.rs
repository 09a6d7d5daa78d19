//! Converts keys of maps to names of fields.

use std::fmt::{self, Write as _};

use serde_core::ser::Serialize;

use crate::error::{Result, SerdeErrorKind};

/// Replaces `out` by the text of a key. Returns an error unless the key is a string, a number, a boolean or similar.
pub(crate) fn name_of<K: Serialize + ?Sized>(key: &K, out: &mut String) -> Result<()> {
    out.clear();
    let shown = write!(out, "{}", KeyText(key));
    shown.map_err(|_| SerdeErrorKind::KeyIsNoName.into())
}

struct KeyText<'a, K: ?Sized>(&'a K);

impl<K: Serialize + ?Sized> fmt::Display for KeyText<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}
