//! Reads the text of values that are not nested.

use crate::parse::{self, Expectation, ValueError};
use crate::{AnyBuilder, DecimalParameters, NativeDecimal, PrimitiveBuilder, PrimitiveType};

/// Reads values that are not nested. Reuses its memory for the next value.
#[derive(Debug, Default)]
pub struct ValueParser {
    /// What happens to digits that a type cannot store.
    pub digits: ExtraDigits,
    /// Which notations are accepted.
    pub notation: ValueNotation,
    /// The bytes of a binary value.
    scratch: Vec<u8>,
}

/// Which notations of a value are accepted. Depends on the extension type of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ValueNotation {
    /// The notations of the storage type.
    #[default]
    Storage,
    /// Integers may also be `true` and `false`.
    Bool8,
    /// JSON inside JSON: a token that is not a string is the value itself.
    Json,
}

/// What happens to numbers with digits that the type cannot store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExtraDigits {
    /// Rounds the number to the nearest floating-point number, and drops a plus sign and leading zeros.
    #[default]
    Round,
    /// Returns an error if inference would choose another type for the number.
    Keep,
    /// Like `Round`, for a column whose type was given while others were inferred. A string may contain a number or boolean,
    /// and a utf8 column accepts numbers and booleans, as in cells of CSV.
    OfText,
}

/// The text of one value that is not nested.
#[derive(Debug, Clone, Copy)]
pub struct SourceText<'a> {
    /// The whole text. In JSON, the token as it is written, with its quotes.
    pub raw: &'a str,
    /// The content of the text as a string. `None` if it is not a string. A cell of CSV counts as a string and also as another
    /// value.
    pub string: Option<&'a str>,
}

/// Reads a value in the notation of CSV cells and JSON strings, and appends it. The builder may be of any type that is not
/// nested. Accepts times of day that are outside of a day, and date64 values that are not whole days. The next `finish` of the
/// builder accepts them, too.
///
/// ```
/// use arrow_array::AnyBuilder;
/// use arrow_schema::DataType;
///
/// let mut days = AnyBuilder::new(&DataType::Date32);
/// arrow_array::append_text(&mut days, "2024-02-29")?;
/// assert!(arrow_array::append_text(&mut days, "2023-02-29").is_err());
/// assert_eq!(days.finish()?.display(0).to_string(), "2024-02-29");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not a value of the type, or if the type is nested. Nothing is appended then.
pub fn append_text(builder: &mut AnyBuilder, text: &str) -> Result<(), ValueError> {
    ValueParser::default().append(builder, SourceText::from_cell(text))
}

impl ValueParser {
    /// Appends the value to a builder of its type.
    ///
    /// # Errors
    /// If the text is not a value of the type, or if the type is nested. Nothing is appended then.
    #[inline(never)]
    pub fn append(&mut self, builder: &mut AnyBuilder, text: SourceText<'_>) -> Result<(), ValueError> {
        if self.digits == ExtraDigits::Keep {
            check_digits(builder, text.raw)?;
        }
        let scratch = &mut self.scratch;
        scratch.clear();
        match builder {
            AnyBuilder::Null(_) => return Err(ValueError::new(Expectation::Null, text.raw)),
            AnyBuilder::Boolean(flags) => flags.append(parse::boolean(text.raw)?),
            AnyBuilder::Int8(numbers) if self.notation == ValueNotation::Bool8 => {
                push(numbers, parse::boolean_or_integer(text.raw))?;
            }
            AnyBuilder::Int8(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::Int16(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::Int32(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::Int64(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::UInt8(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::UInt16(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::UInt32(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::UInt64(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::Float16(numbers) => push(numbers, parse::float(text.word_or_number()))?,
            AnyBuilder::Float32(numbers) => push(numbers, parse::float(text.word_or_number()))?,
            AnyBuilder::Float64(numbers) => push(numbers, parse::float(text.word_or_number()))?,
            AnyBuilder::Decimal32(numbers) => push_decimal(numbers, text)?,
            AnyBuilder::Decimal64(numbers) => push_decimal(numbers, text)?,
            AnyBuilder::Decimal128(numbers) => push_decimal(numbers, text)?,
            AnyBuilder::Decimal256(numbers) => push_decimal(numbers, text)?,
            // In JSON, only a string can be a date, a timestamp or a time of day.
            AnyBuilder::Date32(dates) => push(dates, parse::date32(text.string_or_raw()))?,
            AnyBuilder::Date64(dates) => push_loose(dates, parse::date64(text.string_or_raw()))?,
            AnyBuilder::Time32(times) => {
                push_loose(times, parse::time32(text.clock_or_number(), times.parameters()))?
            }
            AnyBuilder::Time64(times) => {
                push_loose(times, parse::time64(text.clock_or_number(), times.parameters()))?
            }
            AnyBuilder::Timestamp(timestamps) => {
                let zone = timestamps.data_type().as_timestamp().and_then(|(_, zone)| zone);
                let parse = if zone.is_some() { parse::timestamp_with_zone } else { parse::timestamp };
                push(timestamps, parse(text.string_or_raw(), timestamps.parameters()))?;
            }
            AnyBuilder::Duration(numbers) => push(numbers, parse::integer(text.raw))?,
            AnyBuilder::IntervalYearMonth(intervals) => {
                push(intervals, parse::interval_year_month(text.raw))?;
            }
            AnyBuilder::IntervalDayTime(intervals) => push(intervals, parse::interval_day_time(text.raw))?,
            AnyBuilder::IntervalMonthDayNano(intervals) => {
                push(intervals, parse::interval_month_day_nano(text.raw))?;
            }
            AnyBuilder::FixedSizeBinary(values) => {
                let n_digits = values.value_bytes().saturating_mul(2);
                parse::hex_of_width(
                    text.expect_text(Expectation::HexOfWidth { n_digits })?,
                    values.value_bytes(),
                    scratch,
                )?;
                values.append(scratch.as_slice());
            }
            AnyBuilder::Binary(values) => values.append(text.bytes(scratch)?),
            AnyBuilder::LargeBinary(values) => values.append(text.bytes(scratch)?),
            AnyBuilder::BinaryView(values) => values.append(text.bytes(scratch)?),
            AnyBuilder::Utf8(texts) => texts.append(text.expect_text(Expectation::String)?),
            AnyBuilder::LargeUtf8(texts) => texts.append(text.expect_text(Expectation::String)?),
            AnyBuilder::Utf8View(texts) => texts.append(text.expect_text(Expectation::String)?),
            AnyBuilder::List(_)
            | AnyBuilder::LargeList(_)
            | AnyBuilder::ListView(_)
            | AnyBuilder::LargeListView(_)
            | AnyBuilder::FixedSizeList(_)
            | AnyBuilder::Map(_) => return Err(ValueError::new(Expectation::Array, text.raw)),
            AnyBuilder::Struct(_)
            | AnyBuilder::Union(_)
            | AnyBuilder::Dictionary(_)
            | AnyBuilder::RunEndEncoded(_) => return Err(ValueError::new(Expectation::Object, text.raw)),
        }
        Ok(())
    }
}

/// Returns an error if inference would choose another type for a number.
fn check_digits(builder: &AnyBuilder, text: &str) -> Result<(), ValueError> {
    let is_float = matches!(builder, AnyBuilder::Float64(_));
    let is_exact = matches!(
        builder,
        AnyBuilder::Int64(_) | AnyBuilder::UInt64(_) | AnyBuilder::Decimal128(_) | AnyBuilder::Decimal256(_)
    );
    if (is_float || is_exact) && parse::has_needless_digits(text) {
        return Err(ValueError::new(Expectation::ShortNumber, text));
    }
    if matches!(builder, AnyBuilder::Time32(_) | AnyBuilder::Time64(_)) && !text.contains(':') {
        return Err(ValueError::new(Expectation::Clock, text));
    }
    if is_float && !parse::is_exact_in_float(text) {
        return Err(ValueError::new(Expectation::ExactFloat, text));
    }
    Ok(())
}

fn push<T: PrimitiveType>(
    builder: &mut PrimitiveBuilder<T>,
    number: Result<T::Native, ValueError>,
) -> Result<(), ValueError> {
    builder.append(number?);
    Ok(())
}

/// Appends a time of day, which may be outside of a day, or a date64 value, which need not be a whole day: see `NOTATION.md` of `arrow-text`.
fn push_loose<T: PrimitiveType>(
    builder: &mut PrimitiveBuilder<T>,
    number: Result<T::Native, ValueError>,
) -> Result<(), ValueError> {
    let number = number?;
    builder.skip_range_check();
    builder.append(number);
    Ok(())
}

fn push_decimal<T>(builder: &mut PrimitiveBuilder<T>, text: SourceText<'_>) -> Result<(), ValueError>
where
    T: PrimitiveType<Native: NativeDecimal, Parameters = DecimalParameters>,
{
    let DecimalParameters { precision, scale } = builder.parameters();
    push(builder, parse::decimal(text.string_or_raw(), precision, scale))
}

impl<'a> SourceText<'a> {
    /// The text of a CSV cell, which may be a string or another value.
    pub fn from_cell(text: &'a str) -> SourceText<'a> {
        SourceText { raw: text, string: Some(text) }
    }

    /// The content of a string. An error for other values.
    fn expect_text(self, expected: Expectation) -> Result<&'a str, ValueError> {
        self.string.ok_or_else(|| ValueError::new(expected, self.raw))
    }

    fn string_or_raw(self) -> &'a str {
        self.string.unwrap_or(self.raw)
    }

    /// The text of a word or a number. Only words without digits, such as `NaN`, may be strings.
    fn word_or_number(self) -> &'a str {
        self.string.filter(|word| ["NaN", "Infinity", "-Infinity"].contains(word)).unwrap_or(self.raw)
    }

    /// The text of a time of day or a number. Only a time of day may be a string.
    fn clock_or_number(self) -> &'a str {
        self.string.filter(|clock| clock.contains(':')).unwrap_or(self.raw)
    }

    fn bytes(self, scratch: &mut Vec<u8>) -> Result<&[u8], ValueError> {
        parse::hex(self.expect_text(Expectation::Hex)?, scratch)?;
        Ok(scratch)
    }
}
