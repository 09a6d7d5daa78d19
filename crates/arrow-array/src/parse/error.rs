//! Why a text is not a value of a type.

use std::fmt;

/// Why a text is not a value of a type: what was expected, and what was found.
#[derive(Clone, PartialEq, Eq)]
pub struct ValueError(Box<UnexpectedText>);

#[derive(Clone, PartialEq, Eq)]
struct UnexpectedText {
    expected: Expectation,
    found: String,
}

/// What was expected of a text. The message of an error contains this.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expectation {
    /// One of the words `true` and `false`.
    Boolean,
    /// A boolean as a word, or the stored integer.
    BooleanOrInteger,
    /// An integer in the range of the type.
    Integer {
        /// The smallest integer of the type.
        min: i64,
        /// The largest integer of the type.
        max: u64,
    },
    /// A floating-point number, NaN or an infinity.
    Float,
    /// A number with the marks that the CSV options set.
    MarkedNumber {
        /// An example of a number with these marks.
        example: String,
    },
    /// A number that is not too large for the floating-point type.
    FiniteFloat {
        /// The width of the type in bits.
        n_bits: u32,
    },
    /// A whole number that float64 stores exactly.
    ExactFloat,
    /// A number without a plus sign or leading zeros.
    ShortNumber,
    /// A decimal number, with or without an exponent.
    Decimal,
    /// A decimal number with no more digits than the type allows.
    DecimalDigits {
        /// The maximum number of digits.
        precision: u8,
        /// The number of digits after the decimal point.
        scale: i32,
    },
    /// A decimal number that the scale of the type expresses exactly.
    DecimalScale {
        /// The maximum number of digits after the decimal point. If negative, the number must end with this many zeros.
        scale: i32,
    },
    /// A date that exists in the calendar.
    Date,
    /// A date or timestamp in the order that the CSV options set.
    OrderedDate {
        /// `date` or `timestamp`.
        what: &'static str,
        /// An example in this order.
        example: String,
    },
    /// A date or a timestamp, for the type `date64`.
    DateOrTimestamp,
    /// A time of day, or the stored number.
    Time {
        /// The smallest number of the type.
        min: i64,
        /// The largest number of the type.
        max: i64,
    },
    /// A time of day, in a column whose type was inferred from others.
    Clock,
    /// A timestamp without a time zone, since the type has none.
    Timestamp,
    /// A timestamp with a time zone, since the type has one.
    ZonedTimestamp,
    /// A timestamp without digits below the unit of the type.
    Fraction {
        /// The number of digits after the decimal point that the unit allows.
        n_digits: usize,
    },
    /// A date or a timestamp in the range of the type.
    TimestampInRange {
        /// The width of the type in bits.
        n_bits: u32,
    },
    /// A JSON object with the integers of an interval.
    Interval {
        /// An example of such an object.
        example: &'static str,
    },
    /// A null, which is the only value of the null type.
    Null,
    /// A JSON string.
    String,
    /// A JSON array, for a list.
    Array,
    /// A JSON object, for a row or a struct.
    Object,
    /// A JSON array of pairs, for a row or a struct whose names repeat.
    Pairs,
    /// The name of the next field in such an array of pairs.
    Name {
        /// The expected name.
        name: String,
    },
    /// A JSON array of pairs, for a map.
    Map,
    /// A JSON array of pairs or a JSON object, for a map with utf8 keys.
    TextMap,
    /// A JSON object with one member, for a union.
    Union,
    /// A pair of type id and value, for a union whose children have repeated names.
    UnionPair,
    /// A type id that the union has.
    TypeId,
    /// Hexadecimal digits for any number of bytes.
    Hex,
    /// Hexadecimal digits for a fixed number of bytes.
    HexOfWidth {
        /// The required number of digits, two for each byte.
        n_digits: usize,
    },
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Boolean => f.write_str("true or false"),
            Expectation::BooleanOrInteger => f.write_str("true, false, or an integer from -128 to 127"),
            Expectation::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            Expectation::Float => f.write_str("a number, NaN, Infinity or -Infinity"),
            Expectation::MarkedNumber { example } => write!(f, "a number such as {example}"),
            Expectation::FiniteFloat { n_bits } => {
                write!(f, "a number that fits into a floating-point number of {n_bits} bits")
            }
            Expectation::ExactFloat => f.write_str("a whole number that float64 represents exactly"),
            Expectation::ShortNumber => f.write_str("a number without a plus sign and leading zeros"),
            Expectation::Decimal => f.write_str("a decimal number"),
            Expectation::DecimalDigits { precision, scale } => {
                write!(f, "a decimal number within precision {precision} and scale {scale}")
            }
            Expectation::DecimalScale { scale } => {
                write!(f, "a decimal number that is exact with the scale {scale}")
            }
            Expectation::Date => f.write_str("a date such as 2024-02-29"),
            Expectation::OrderedDate { what, example } => write!(f, "a {what} such as {example}"),
            Expectation::DateOrTimestamp => {
                f.write_str("a date such as 2024-02-29, or a timestamp such as 2024-02-29T12:34:56.789")
            }
            Expectation::Time { min, max } => {
                write!(f, "a time of day such as 12:34:56, or an integer from {min} to {max}")
            }
            Expectation::Clock => f.write_str("a time of day such as 12:34:56"),
            Expectation::Timestamp => {
                f.write_str("a timestamp such as 2024-02-29T12:34:56, without a time zone")
            }
            Expectation::ZonedTimestamp => {
                f.write_str("a timestamp such as 2024-02-29T12:34:56Z, with Z or an offset from UTC")
            }
            Expectation::Fraction { n_digits } => {
                write!(f, "at most {n_digits} digits after the decimal point of the seconds")
            }
            Expectation::TimestampInRange { n_bits } => write!(f, "a timestamp that fits into {n_bits} bits"),
            Expectation::Interval { example } => {
                write!(f, "an object such as {example}, with integers that fit")
            }
            Expectation::Null => f.write_str("null"),
            Expectation::String => f.write_str("a string"),
            Expectation::Array => f.write_str("an array"),
            Expectation::Object => f.write_str("an object"),
            Expectation::Pairs => f.write_str("an array of pairs, [name, value], for each field in order"),
            Expectation::Name { name } => write!(f, "the name {name:?}"),
            Expectation::Map => f.write_str("an array of pairs, [key, value]"),
            Expectation::TextMap => f.write_str("an array of pairs, [key, value], or an object"),
            Expectation::Union => f.write_str("an object with one member, named after a child of the union"),
            Expectation::UnionPair => f.write_str("a pair, [type id, value]"),
            Expectation::TypeId => f.write_str("a type id of the union"),
            Expectation::Hex => f.write_str("two hexadecimal digits for each byte"),
            Expectation::HexOfWidth { n_digits } => write!(
                f,
                "{n_digits} hexadecimal digits{}",
                if *n_digits == 32 { ", or a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6" } else { "" }
            ),
        }
    }
}

/// The maximum length of the found text in an error, in bytes.
const MAX_EXCERPT_BYTES: usize = 64;

impl ValueError {
    /// The error for this text. A long text is cut.
    pub fn new(expected: Expectation, found: &str) -> ValueError {
        ValueError(Box::new(UnexpectedText { expected, found: excerpt(found) }))
    }

    /// What was expected instead of the text.
    pub fn expected(&self) -> &Expectation {
        &self.0.expected
    }

    /// The text that is not a value. A long text is cut and ends with `…`.
    pub fn found(&self) -> &str {
        &self.0.found
    }
}

/// The start of a text. Ends with `…` if the text was cut.
pub fn excerpt(text: &str) -> String {
    start_of(text, MAX_EXCERPT_BYTES)
}

/// The first bytes of a text, at most `max_bytes`. Ends with `…` if the text was cut.
pub fn start_of(text: &str, max_bytes: usize) -> String {
    let start = text.get(..arrow_buffer::floor_char_boundary(text, max_bytes)).unwrap_or_default();
    let cut = if start.len() < text.len() { "…" } else { "" };
    format!("{start}{cut}")
}

arrow_error::debug_as_display!(ValueError);

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {:?}", self.0.expected, self.0.found)
    }
}

impl std::error::Error for ValueError {}

pub(super) type ValueResult<T> = std::result::Result<T, ValueError>;
