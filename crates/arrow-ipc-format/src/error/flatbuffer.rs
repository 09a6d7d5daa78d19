//! Errors in the flatbuffers of metadata and footers.

use std::fmt;

/// An error in the flatbuffer of a message or footer: which table or field breaks the flatbuffer schema of the format,
/// where it is, and why.
///
/// ```
/// use arrow_ipc_format::{FormatErrorKind, IpcSchema, Limits, error::FlatbufferCause};
///
/// let mut message = vec![0xff; 4];
/// message.extend(8i32.to_le_bytes());
/// message.extend([0; 8]);
/// let error = IpcSchema::try_from_message(message, &Limits::default()).unwrap_err();
/// let FormatErrorKind::Flatbuffer(error) = error.kind() else { unreachable!() };
/// assert_eq!((error.table(), error.field()), ("Message", None));
/// assert_eq!(error.cause(), FlatbufferCause::Vtable { n_bytes: 0 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FlatbufferError {
    table: &'static str,
    part: TablePart,
    byte_offset: u64,
    cause: FlatbufferCause,
}

/// The part of a table that an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TablePart {
    /// The root table of the metadata.
    Root,
    Field(&'static str),
    /// An element of a vector of tables of this type.
    Element,
}

/// The reason why a table or field of metadata cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlatbufferCause {
    /// An offset points outside the metadata.
    Offset,
    /// A vector, string or vtable is longer than the rest of the metadata.
    Length,
    /// A table's vtable has an odd number of bytes, or fewer than 4.
    Vtable {
        /// The length that the vtable claims.
        n_bytes: u16,
    },
    /// A string is not UTF-8.
    Utf8 {
        /// The number of bytes at the start of the string that are valid UTF-8.
        n_valid_bytes: usize,
    },
    /// A string does not end with a zero byte.
    Terminator,
    /// A required field is absent.
    Absent,
    /// The vtable has an entry for the tag of a union, but no entry for its value.
    UnionWithoutValue,
    /// A vector of unions has different numbers of tags and values.
    UnionLengths {
        /// The number of tags.
        n_tags: usize,
        /// The number of values.
        n_values: usize,
    },
    /// Another cause. The flatbuffers library does not distinguish these causes.
    Other,
}

impl FlatbufferError {
    /// The name in the flatbuffer schema of the format, for example `Message`.
    pub fn table(&self) -> &'static str {
        self.table
    }

    /// The name in the flatbuffer schema of the format; `None` if the table as a whole is malformed.
    pub fn field(&self) -> Option<&'static str> {
        match self.part {
            TablePart::Field(field) => Some(field),
            TablePart::Root | TablePart::Element => None,
        }
    }

    /// The offset in bytes of the table, or of the vector element, from the start of the metadata.
    pub fn byte_offset(&self) -> u64 {
        self.byte_offset
    }

    /// The reason why the table or field cannot be read.
    pub fn cause(&self) -> FlatbufferCause {
        self.cause
    }
}

impl FlatbufferError {
    pub(super) fn of_planus(error: planus::Error) -> FlatbufferError {
        use planus::errors::ErrorKind;
        let planus::errors::ErrorLocation { type_, method, byte_offset } = error.source_location;
        // The generated accessors call a table `TableRef`, and a vector of tables `[TableRef]`.
        let table = type_.trim_start_matches('[').trim_end_matches(']').trim_end_matches("Ref");
        let part = match method {
            "read_as_root" => TablePart::Root,
            _ if type_.starts_with('[') => TablePart::Element,
            method => TablePart::Field(method.trim_end_matches('_')),
        };
        let cause = match error.error_kind {
            ErrorKind::InvalidOffset => FlatbufferCause::Offset,
            ErrorKind::InvalidLength => FlatbufferCause::Length,
            // A vtable with an even length of at least 4 is reported only if it lacks the value of a union.
            ErrorKind::InvalidVtableLength { length } if length >= 4 && length % 2 == 0 => {
                FlatbufferCause::UnionWithoutValue
            }
            ErrorKind::InvalidVtableLength { length } => FlatbufferCause::Vtable { n_bytes: length },
            ErrorKind::InvalidUtf8 { source } => {
                FlatbufferCause::Utf8 { n_valid_bytes: source.valid_up_to() }
            }
            ErrorKind::MissingNullTerminator => FlatbufferCause::Terminator,
            ErrorKind::MissingRequired => FlatbufferCause::Absent,
            ErrorKind::UnionVectorLengthsMismatched { tags_len, values_len } => {
                FlatbufferCause::UnionLengths { n_tags: tags_len, n_values: values_len }
            }
            ErrorKind::UnknownEnumTag { .. } | ErrorKind::UnknownUnionTag { .. } | _ => {
                FlatbufferCause::Other
            }
        };
        FlatbufferError { table, part, byte_offset: byte_offset as u64, cause }
    }
}

impl fmt::Display for FlatbufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FlatbufferError { table, part, byte_offset, cause } = self;
        match part {
            TablePart::Root => write!(f, "the root table {table} {cause}"),
            TablePart::Field(field) => {
                write!(f, "`{field}` of the {table} at byte {byte_offset} of the metadata {cause}")
            }
            TablePart::Element => {
                write!(f, "the {table} listed at byte {byte_offset} of the metadata {cause}")
            }
        }
    }
}

impl fmt::Display for FlatbufferCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlatbufferCause::Offset => f.write_str("has an offset outside of the metadata"),
            FlatbufferCause::Length => f.write_str("has a length past the end of the metadata"),
            FlatbufferCause::Vtable { n_bytes } => {
                write!(f, "has a vtable of {n_bytes} bytes; its length must be even and at least 4")
            }
            FlatbufferCause::Utf8 { n_valid_bytes } => {
                write!(f, "is not UTF-8 at its byte {n_valid_bytes}")
            }
            FlatbufferCause::Terminator => f.write_str("does not end with a zero byte"),
            FlatbufferCause::Absent => f.write_str("is absent"),
            FlatbufferCause::UnionWithoutValue => {
                f.write_str("has no value: the vtable ends after the union's tag")
            }
            FlatbufferCause::UnionLengths { n_tags, n_values } => {
                write!(f, "lists {n_tags} union tags and {n_values} union values; the numbers must be equal")
            }
            FlatbufferCause::Other => f.write_str("is malformed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::flatbuf as fb;
    use planus::ReadAsRoot;

    use crate::error::{FormatError, WireError};

    fn refused<T>(result: planus::Result<T>) -> FormatError {
        let Err(error) = result else { panic!("an error") };
        WireError::from(error).into()
    }

    /// A `Tensor` whose vtable ends after the tag of its type. The tag is NONE, as in files of writers that store default
    /// values.
    #[test]
    fn a_union_without_value_is_not_a_bad_vtable() {
        let bytes = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
        let tensor = fb::TensorRef::read_as_root(&bytes).expect("a table");
        let error = refused(tensor.type_());
        assert_eq!(
            error.to_string(),
            "malformed metadata: `type` of the Tensor at byte 12 of the metadata has no value: \
             the vtable ends after the union's tag"
        );
    }

    #[test]
    fn a_bad_vtable_says_its_length() {
        let error = refused(fb::FooterRef::read_as_root(&[0; 8]));
        assert_eq!(
            error.to_string(),
            "malformed metadata: the root table Footer has a vtable of 0 bytes; \
             its length must be even and at least 4"
        );
    }
}
