//! The parts of the format that this library does not support.

use std::fmt;

/// A part of the format that this library does not support.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnsupportedPart {
    /// A metadata version before V4 or after V5.
    MetadataVersion {
        /// The number in the metadata: 0 is V1.
        found: i64,
    },
    /// A type that this version of the format does not define.
    TypeTag {
        /// The number in the metadata.
        found: i64,
    },
    /// An integer of 128 bits. Polars writes it with a bit width that the format does not define.
    WideInteger {
        /// Whether the integer is signed.
        is_signed: bool,
    },
    /// A column has an unsupported type, and the caller reads all columns.
    Column {
        /// The unsupported part of the column's type.
        what: Box<UnsupportedPart>,
        /// The number of other columns, which can be read.
        n_readable: usize,
    },
    /// A message kind that this version of the format does not define.
    MessageTag {
        /// The number in the metadata.
        found: i64,
    },
    /// An unknown value of an enumeration, such as a unit, precision, codec or byte order.
    EnumValue {
        /// The name of the field in the metadata.
        what: &'static str,
        /// The number in the metadata.
        found: i64,
    },
    /// Unknown flags in the `features` of the schema.
    Feature {
        /// The number in the metadata.
        found: i64,
    },
    /// Another unsupported part of the format, described in words.
    Part(&'static str),
}

impl fmt::Display for UnsupportedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnsupportedPart::MetadataVersion { found } if *found < 0 => {
                write!(f, "metadata version number {found}; V4 and V5 are supported")
            }
            UnsupportedPart::MetadataVersion { found } => {
                write!(f, "metadata version V{}; V4 and V5 are supported", found.saturating_add(1))
            }
            UnsupportedPart::TypeTag { found } => write!(f, "type {found} in the metadata"),
            UnsupportedPart::WideInteger { is_signed } => {
                let name = if *is_signed { "int128" } else { "uint128" };
                write!(f, "type {name}, which polars writes and the format does not have")
            }
            UnsupportedPart::Column { what, n_readable: 0 } => {
                write!(f, "{what}; no other column can be read")
            }
            UnsupportedPart::Column { what, n_readable: 1 } => {
                write!(f, "{what}; select the other column to read it")
            }
            UnsupportedPart::Column { what, n_readable } => {
                write!(f, "{what}; select the {n_readable} other columns to read them")
            }
            UnsupportedPart::MessageTag { found } => write!(f, "message header type {found}"),
            UnsupportedPart::EnumValue { what, found } => {
                write!(f, "value {found} of `{what}` in the metadata")
            }
            UnsupportedPart::Feature { found } => write!(f, "schema feature number {found}"),
            UnsupportedPart::Part(words) => f.write_str(words),
        }
    }
}
