//! Methods that return the kind of a type.

use super::table::{Family, Shape};
use crate::DataType;

impl DataType {
    /// The name of the type without its parameters. The [text form](crate#text-form) starts with it.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// Whether the type is a signed or unsigned integer.
    pub fn is_integer(&self) -> bool {
        matches!(self.family(), Family::SignedInteger | Family::UnsignedInteger)
    }

    /// Whether the type is a signed integer.
    pub fn is_signed_integer(&self) -> bool {
        self.family() == Family::SignedInteger
    }

    /// Whether the type is an unsigned integer.
    pub fn is_unsigned_integer(&self) -> bool {
        self.family() == Family::UnsignedInteger
    }

    /// Whether the type is a number: an integer, a floating-point number or a decimal. Booleans and temporal types are not.
    pub fn is_numeric(&self) -> bool {
        self.is_integer() || self.is_floating_point() || self.is_decimal()
    }

    /// Whether the type is a floating-point number.
    pub fn is_floating_point(&self) -> bool {
        self.family() == Family::FloatingPoint
    }

    /// Whether the type is a decimal number of any width.
    pub fn is_decimal(&self) -> bool {
        self.family() == Family::Decimal
    }

    /// Whether the type is a date, a time, a timestamp, a duration or an interval.
    pub fn is_temporal(&self) -> bool {
        self.family() == Family::Temporal
    }

    /// Whether the values of the type are byte strings that need not be UTF-8.
    pub fn is_binary(&self) -> bool {
        self.family() == Family::Binary
    }

    /// Whether the values of the type are UTF-8: `utf8`, `large_utf8` or `utf8_view`.
    pub fn is_text(&self) -> bool {
        self.family() == Family::Text
    }

    /// Whether the values of the type are byte strings, UTF-8 or not, in any layout.
    pub fn is_binary_like(&self) -> bool {
        self.is_binary() || self.is_text()
    }

    /// Whether the type is a list of any kind; a map is not.
    pub fn is_list(&self) -> bool {
        self.family() == Family::List
    }

    /// Whether each slot has any number of items: a list of any kind, or a map.
    pub fn is_list_like(&self) -> bool {
        self.is_list() || self.is_map()
    }

    /// Whether the type is a struct: [`as_struct`](DataType::as_struct) returns its fields.
    pub fn is_struct(&self) -> bool {
        self.family() == Family::Struct
    }

    /// Whether the type is a map: [`as_map`](DataType::as_map) returns its fields.
    pub fn is_map(&self) -> bool {
        self.family() == Family::Map
    }

    /// Whether the type is a union, sparse or dense.
    pub fn is_union(&self) -> bool {
        self.family() == Family::Union
    }

    /// Whether the type is run-end encoded: [`as_run_end_encoded`](DataType::as_run_end_encoded) returns its fields.
    pub fn is_run_end_encoded(&self) -> bool {
        self.family() == Family::RunEndEncoded
    }

    /// Whether the type is dictionary-encoded: [`as_dictionary`](DataType::as_dictionary) returns its parameters.
    pub fn is_dictionary(&self) -> bool {
        self.family() == Family::Dictionary
    }

    /// Whether types of this kind have child fields: lists, structs, maps, unions and run-end encoded types. A dictionary has
    /// no child fields of its own.
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

    /// Whether each slot takes the same number of bits, so that [`bit_width`](DataType::bit_width) is a number.
    pub fn is_fixed_width(&self) -> bool {
        self.bit_width().is_some()
    }

    /// The width in bits of each slot in the buffer of values: 1 for a boolean, and the width of an index for a
    /// dictionary. `None` if the width varies, as for text and lists, or if there is no buffer of values, as for a
    /// struct or a fixed-size list.
    ///
    /// ```
    /// use arrow_schema::{DataType, IndexType};
    ///
    /// assert_eq!((DataType::Int32.bit_width(), DataType::Int32.byte_width()), (Some(32), Some(4)));
    /// assert_eq!((DataType::Boolean.bit_width(), DataType::Boolean.byte_width()), (Some(1), None));
    /// assert_eq!(DataType::fixed_size_binary(3)?.byte_width(), Some(3));
    /// assert_eq!(DataType::dictionary(IndexType::Int8, DataType::Utf8)?.bit_width(), Some(8));
    /// assert_eq!(DataType::Utf8.bit_width(), None);
    /// # Ok::<(), arrow_schema::TypeError>(())
    /// ```
    ///
    /// Specification: columnar format, "Fixed-Size Primitive Layout".
    pub fn bit_width(&self) -> Option<u64> {
        self.row().width
    }

    /// The bytes that each slot takes, if [`bit_width`](DataType::bit_width) is a whole number of bytes.
    pub fn byte_width(&self) -> Option<u64> {
        self.bit_width().filter(|n_bits| n_bits % 8 == 0).map(|n_bits| n_bits / 8)
    }

    /// The precision and the scale of a decimal; `None` for other types.
    pub fn as_decimal(&self) -> Option<(u8, i32)> {
        if let Shape::Decimal(precision, scale) = self.row().shape { Some((precision, scale)) } else { None }
    }

    /// The unit of a time, a timestamp, a duration or an interval, as written in the [text form](crate#text-form).
    ///
    /// ```
    /// use arrow_schema::{DataType, TimeUnit};
    ///
    /// assert_eq!(DataType::time(TimeUnit::Millisecond).unit(), Some("ms"));
    /// assert_eq!(DataType::Date32.unit(), None);
    /// ```
    pub fn unit(&self) -> Option<&'static str> {
        match self.row().shape {
            Shape::Unit(unit) => Some(unit),
            Shape::Timestamp(unit, _) => Some(unit.symbol()),
            Shape::Plain
            | Shape::Decimal(..)
            | Shape::FixedSizeBinary(_)
            | Shape::List(..)
            | Shape::FixedSizeList(..)
            | Shape::Struct(_)
            | Shape::Map(_)
            | Shape::Union(_)
            | Shape::Dictionary(_)
            | Shape::RunEndEncoded(_) => None,
        }
    }

    pub(super) fn family(&self) -> Family {
        self.row().family
    }
}
