//! Why a text is not a value of a type.

use std::fmt;

/// Why a text is not a value of a type: what was expected, and the text that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError(Box<UnexpectedText>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct UnexpectedText {
    expected: Expected,
    found: String,
}

/// What is expected of a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Expected {
    /// `true` or `false`.
    #[error("true or false")]
    Boolean,
    /// `true`, `false` or an integer.
    #[error("true, false, or an integer from -128 to 127")]
    BooleanOrInteger,
    /// An integer that the type can hold.
    #[error("an integer from {min} to {max}")]
    Integer {
        /// The smallest integer.
        min: i64,
        /// The largest integer.
        max: u64,
    },
    /// A floating-point number.
    #[error("a number, NaN, Infinity or -Infinity")]
    Float,
    /// A number in the notation of the CSV options.
    #[error("a number such as {example}")]
    MarkedNumber {
        /// An example of this notation.
        example: String,
    },
    /// A floating-point number that does not round to an infinity.
    #[error("a number that fits into a floating-point number of {n_bits} bits")]
    FiniteFloat {
        /// The number of bits of the type.
        n_bits: u32,
    },
    /// A whole number that floating-point numbers of 64 bits represent exactly.
    #[error("a whole number that float64 represents exactly")]
    ExactFloat,
    /// A number without a plus sign or leading zeros.
    #[error("a number without a plus sign and leading zeros")]
    ShortNumber,
    /// A decimal number.
    #[error("a decimal number")]
    Decimal,
    /// A decimal number that fits the precision of the type.
    #[error("a decimal number within precision {precision} and scale {scale}")]
    DecimalDigits {
        /// The greatest number of digits.
        precision: u8,
        /// The number of digits after the decimal point.
        scale: i32,
    },
    /// A decimal number without digits that the scale of the type would drop.
    #[error("a decimal number that is exact with the scale {scale}")]
    DecimalScale {
        /// The greatest number of digits after the decimal point. If negative, the least number of zeros at the end of
        /// the number.
        scale: i32,
    },
    /// A date of the calendar.
    #[error("a date such as 2024-02-29")]
    Date,
    /// A date or timestamp in the order of the CSV options.
    #[error("a date such as {example}")]
    OrderedDate {
        /// An example of a date in this order.
        example: &'static str,
    },
    /// A date, or a timestamp.
    #[error("a date such as 2024-02-29, or a timestamp such as 2024-02-29T12:34:56.789")]
    DateOrTimestamp,
    /// A time of day.
    #[error("a time of day such as 12:34:56, or an integer from {min} to {max}")]
    Time {
        /// The smallest number that the type can hold.
        min: i64,
        /// The largest number that the type can hold.
        max: i64,
    },
    /// A timestamp of a type without time zone.
    #[error("a timestamp such as 2024-02-29T12:34:56, without a time zone")]
    Timestamp,
    /// A timestamp of a type with a time zone.
    #[error("a timestamp such as 2024-02-29T12:34:56Z, with Z or an offset from UTC")]
    ZonedTimestamp,
    /// A timestamp with no smaller parts of a second than the unit of the type.
    #[error("at most {n_digits} digits after the decimal point of the seconds")]
    Fraction {
        /// The number of decimal digits of the unit.
        n_digits: usize,
    },
    /// A date or a timestamp that the type can hold.
    #[error("a timestamp that fits into {n_bits} bits")]
    TimestampInRange {
        /// The number of bits of the type.
        n_bits: u32,
    },
    /// An interval.
    #[error("an object such as {example}, with integers that fit")]
    Interval {
        /// An example of a value of the type.
        example: &'static str,
    },
    /// No value except null.
    #[error("null")]
    Null,
    /// Text.
    #[error("a string")]
    String,
    /// The items of a list.
    #[error("an array")]
    Array,
    /// A row or struct.
    #[error("an object")]
    Object,
    /// A row or struct whose names repeat.
    #[error("an array of pairs, [name, value], for each field in order")]
    Pairs,
    /// The name of the next field in an array of pairs.
    #[error("the name {name:?}")]
    Name {
        /// The name.
        name: String,
    },
    /// A map.
    #[error("an array of pairs, [key, value]")]
    Map,
    /// A map whose keys are utf8.
    #[error("an array of pairs, [key, value], or an object")]
    TextMap,
    /// A value of a union.
    #[error("an object with one member, named after a child of the union")]
    Union,
    /// A value of a union whose children have repeated names.
    #[error("a pair, [type id, value]")]
    UnionPair,
    /// The type id of a value of a union.
    #[error("a type id of the union")]
    TypeId,
    /// Any number of bytes.
    #[error("two hexadecimal digits for each byte")]
    Hex,
    /// A fixed number of bytes.
    #[error("{n_digits} hexadecimal digits{}", if *n_digits == 32 { ", or a UUID" } else { "" })]
    HexOfWidth {
        /// The number of digits, two for each byte.
        n_digits: usize,
    },
}

/// The number of bytes of the found text that are kept.
const MAX_EXCERPT_BYTES: usize = 64;

impl ValueError {
    pub(crate) fn new(expected: Expected, found: &str) -> ValueError {
        ValueError(Box::new(UnexpectedText { expected, found: excerpt(found) }))
    }

    /// What was expected of the value.
    pub fn expected(&self) -> &Expected {
        &self.0.expected
    }

    /// The text that was found, or the start of a long text, followed by `…`.
    pub fn found(&self) -> &str {
        &self.0.found
    }
}

/// The start of a text, followed by `…` if there is more.
pub(crate) fn excerpt(text: &str) -> String {
    start_of(text, MAX_EXCERPT_BYTES)
}

pub(in crate::read) fn start_of(text: &str, max_bytes: usize) -> String {
    let start = text.get(..text.floor_char_boundary(max_bytes)).unwrap_or_default();
    let cut = if start.len() < text.len() { "…" } else { "" };
    format!("{start}{cut}")
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {:?}", self.0.expected, self.0.found)
    }
}

impl std::error::Error for ValueError {}

pub(super) type ValueResult<T> = std::result::Result<T, ValueError>;
