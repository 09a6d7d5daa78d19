//! What sort of type it is.

use super::table::Family;
use crate::DataType;

impl DataType {
    /// The name of the type without its parameters, as the [text form](crate#text-form) begins.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// Whether it is a signed or unsigned integer.
    pub fn is_integer(&self) -> bool {
        matches!(self.family(), Family::SignedInteger | Family::UnsignedInteger)
    }

    /// Whether it is a signed integer.
    pub fn is_signed_integer(&self) -> bool {
        self.family() == Family::SignedInteger
    }

    /// Whether it is a floating-point number.
    pub fn is_floating_point(&self) -> bool {
        self.family() == Family::FloatingPoint
    }

    /// Whether it is a decimal number of any width.
    pub fn is_decimal(&self) -> bool {
        self.family() == Family::Decimal
    }

    /// Whether it is a date, a time, a timestamp, a duration or an interval.
    pub fn is_temporal(&self) -> bool {
        self.family() == Family::Temporal
    }

    /// Whether it holds strings of bytes that need not be UTF-8.
    pub fn is_binary(&self) -> bool {
        self.family() == Family::Binary
    }

    /// Whether it holds UTF-8: `utf8`, `large_utf8` or `utf8_view`.
    pub fn is_text(&self) -> bool {
        self.family() == Family::Text
    }

    /// Whether it is a list of any kind; a map is not.
    pub fn is_list(&self) -> bool {
        self.family() == Family::List
    }

    /// Whether it is dictionary-encoded.
    pub fn is_dictionary(&self) -> bool {
        self.family() == Family::Dictionary
    }

    /// Whether it has child fields by its kind: a list, a struct, a map, a union or a run-end encoded type.
    /// A dictionary has none of its own.
    pub fn is_nested(&self) -> bool {
        match self.family() {
            Family::List | Family::Struct | Family::Map | Family::Union | Family::RunEndEncoded => true,
            Family::Null
            | Family::Boolean
            | Family::SignedInteger
            | Family::UnsignedInteger
            | Family::FloatingPoint
            | Family::Decimal
            | Family::Temporal
            | Family::Binary
            | Family::Text
            | Family::Dictionary => false,
        }
    }

    pub(super) fn family(&self) -> Family {
        self.row().family
    }
}
