//! The methods that serde calls for the parts of a sequence, tuple or struct, one after the other.

/// `parts! { SerializeTuple for Type: serialize_element() => item, Type::finish; }` implements a trait with one method
/// for all parts.
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
