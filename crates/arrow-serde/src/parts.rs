//! Implements the traits whose methods serde calls for each item of a sequence, or each field of a struct.

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
