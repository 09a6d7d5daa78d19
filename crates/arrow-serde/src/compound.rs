//! What writers and tracers of sequences, structs and maps share: the implementation of serde's traits, and the names that keys
//! of maps stand for.

use std::fmt::{self, Write as _};

use serde_core::ser::Serialize;

use crate::error::{Result, SerdeErrorKind};

/// `parts! { SerializeTuple for Type: serialize_element() => item, Type::finish; }` implements a trait whose one method is
/// called for each item or field.
macro_rules! parts {
    ($($serialize:ident for $of:ident: $method:ident($($name:ident)?) => $take:ident, $end:expr;)*) => {$(
        impl serde_core::ser::$serialize for $of<'_> {
            type Ok = ();
            type Error = $crate::error::SerdeError;

            #[inline]
            fn $method<T: serde_core::ser::Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> $crate::error::Result<()> {
                self.$take($($name,)? value)
            }

            fn end(self) -> $crate::error::Result<()> {
                $end(self)
            }
        }
    )*};
}

pub(crate) use parts;

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
