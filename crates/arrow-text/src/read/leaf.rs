//! Reads the text of values that are not nested into their builders.

use std::sync::Arc;

use arrow_array::{AnyBuilder, DecimalNative, DecimalParameters, PrimitiveBuilder, PrimitiveType};

use super::parse::{self, Expected, ValueError, Zone};

/// Memory that is reused from value to value. Nested values do not use it.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    /// Memory for the bytes of a value.
    pub(super) scratch: Vec<u8>,
    pub(super) digits: ExtraDigits,
    pub(super) form: LeafForm,
}

/// The notations of values that are accepted. The extension type of the field decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LeafForm {
    /// The notations of the storage type.
    #[default]
    Storage,
    /// Integers may also be `true` and `false`.
    Bool8,
    /// A token that is not a string is itself the value: JSON inside JSON.
    Json,
}

/// What happens to digits that a number type cannot represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ExtraDigits {
    /// Numbers are rounded to the nearest floating-point number, and lose a plus sign and leading zeros.
    #[default]
    Round,
    /// The number is an error if inference would choose another type for it.
    Keep,
    /// Like `Round`, for a column whose type was given while others were inferred. A string may be the text of a number or boolean,
    /// and a number or boolean may be the value of a utf8 column, like in cells of CSV.
    OfText,
}

/// The columns whose numbers may not lose digits.
#[derive(Debug, Clone, Default)]
pub(super) enum DigitsOfColumns {
    #[default]
    None,
    All,
    /// All columns except those at these positions.
    AllBut(Arc<[usize]>),
}

impl DigitsOfColumns {
    pub(super) fn of(&self, column: usize) -> ExtraDigits {
        match self {
            DigitsOfColumns::None => ExtraDigits::Round,
            DigitsOfColumns::AllBut(others) if others.contains(&column) => ExtraDigits::OfText,
            DigitsOfColumns::All | DigitsOfColumns::AllBut(_) => ExtraDigits::Keep,
        }
    }
}

/// The text of one value.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafText<'a> {
    /// The whole text; for JSON, the token as it is written.
    pub(super) raw: &'a str,
    /// The content of a string. A cell of CSV may be a string or another value.
    pub(super) string: Option<&'a str>,
}

/// Reads a text in the notation of cells of CSV and strings of JSON, and appends the value to a builder of any type that
/// is not nested.
///
/// ```
/// use arrow_array::AnyBuilder;
/// use arrow_schema::DataType;
///
/// let mut days = AnyBuilder::try_new(&DataType::Date32)?;
/// arrow_text::append_text(&mut days, "2024-02-29")?;
/// assert!(arrow_text::append_text(&mut days, "2023-02-29").is_err());
/// assert_eq!(days.finish()?.display(0).to_string(), "2024-02-29");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not a value of the type, or if the type is nested. In this case, nothing is appended.
pub fn append_text(builder: &mut AnyBuilder, text: &str) -> Result<(), ValueError> {
    append(builder, LeafText::of_cell(text), &mut Leaves::default())
}

/// Appends the value of the text.
#[inline(never)]
pub(super) fn append(
    builder: &mut AnyBuilder,
    text: LeafText<'_>,
    leaves: &mut Leaves,
) -> Result<(), ValueError> {
    if leaves.digits == ExtraDigits::Keep {
        check_digits(builder, text.raw)?;
    }
    let scratch = &mut leaves.scratch;
    match builder {
        AnyBuilder::Null(_) => return Err(ValueError::new(Expected::Null, text.raw)),
        AnyBuilder::Boolean(flags) => flags.append(parse::boolean(text.raw)?),
        AnyBuilder::Int8(numbers) if leaves.form == LeafForm::Bool8 => {
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
        // Only a JSON string can be a date, a timestamp or a time of day.
        AnyBuilder::Date32(dates) => push(dates, parse::date32(text.string_or_raw()))?,
        AnyBuilder::Date64(dates) => push(dates, parse::date64(text.string_or_raw()))?,
        AnyBuilder::Time32(times) => push(times, parse::time32(text.clock_or_number(), times.parameters()))?,
        AnyBuilder::Time64(times) => push(times, parse::time64(text.clock_or_number(), times.parameters()))?,
        AnyBuilder::Timestamp(timestamps) => {
            let zone = timestamps.data_type().as_timestamp().and_then(|(_, zone)| zone);
            let zone = if zone.is_some() { Zone::Some } else { Zone::None };
            push(timestamps, parse::timestamp(text.string_or_raw(), timestamps.parameters(), zone))?;
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
            parse::hex_of_width(text.of(Expected::HexOfWidth { n_digits })?, values.value_bytes(), scratch)?;
            values.append(scratch.as_slice());
        }
        AnyBuilder::Binary(values) => values.append(text.bytes(scratch)?),
        AnyBuilder::LargeBinary(values) => values.append(text.bytes(scratch)?),
        AnyBuilder::BinaryView(values) => values.append(text.bytes(scratch)?),
        AnyBuilder::Utf8(texts) => texts.append(text.of(Expected::String)?),
        AnyBuilder::LargeUtf8(texts) => texts.append(text.of(Expected::String)?),
        AnyBuilder::Utf8View(texts) => texts.append(text.of(Expected::String)?),
        AnyBuilder::List(_)
        | AnyBuilder::LargeList(_)
        | AnyBuilder::ListView(_)
        | AnyBuilder::LargeListView(_)
        | AnyBuilder::FixedSizeList(_)
        | AnyBuilder::Map(_) => return Err(ValueError::new(Expected::Array, text.raw)),
        AnyBuilder::Struct(_)
        | AnyBuilder::Union(_)
        | AnyBuilder::Dictionary(_)
        | AnyBuilder::RunEndEncoded(_) => return Err(ValueError::new(Expected::Object, text.raw)),
    }
    scratch.clear();
    Ok(())
}

/// Checks that inference would choose this type for a number.
fn check_digits(builder: &AnyBuilder, text: &str) -> Result<(), ValueError> {
    let is_float = matches!(builder, AnyBuilder::Float64(_));
    let is_exact = matches!(
        builder,
        AnyBuilder::Int64(_) | AnyBuilder::UInt64(_) | AnyBuilder::Decimal128(_) | AnyBuilder::Decimal256(_)
    );
    if (is_float || is_exact) && parse::has_needless_digits(text) {
        return Err(ValueError::new(Expected::ShortNumber, text));
    }
    if is_float && !parse::is_exact_in_float(text) {
        return Err(ValueError::new(Expected::ExactFloat, text));
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

fn push_decimal<T>(builder: &mut PrimitiveBuilder<T>, text: LeafText<'_>) -> Result<(), ValueError>
where
    T: PrimitiveType<Native: DecimalNative, Parameters = DecimalParameters>,
{
    let DecimalParameters { precision, scale } = builder.parameters();
    push(builder, parse::decimal(text.string_or_raw(), precision, scale))
}

impl<'a> LeafText<'a> {
    /// The text of a cell, which may be a string or another value.
    pub(super) fn of_cell(text: &'a str) -> LeafText<'a> {
        LeafText { raw: text, string: Some(text) }
    }

    /// The text of a string. Other values are an error.
    fn of(self, expected: Expected) -> Result<&'a str, ValueError> {
        self.string.ok_or_else(|| ValueError::new(expected, self.raw))
    }

    fn string_or_raw(self) -> &'a str {
        self.string.unwrap_or(self.raw)
    }

    /// The text of a word or a number. Only words for values without digits, such as `NaN`, may be strings.
    fn word_or_number(self) -> &'a str {
        self.string.filter(|word| ["NaN", "Infinity", "-Infinity"].contains(word)).unwrap_or(self.raw)
    }

    /// The text of a time of day or a number. Only times of day may be strings.
    fn clock_or_number(self) -> &'a str {
        self.string.filter(|clock| clock.contains(':')).unwrap_or(self.raw)
    }

    fn bytes(self, scratch: &mut Vec<u8>) -> Result<&[u8], ValueError> {
        parse::hex(self.of(Expected::Hex)?, scratch)?;
        Ok(scratch)
    }
}
