//! Constants as a predicate writes them, and as values of the type of a column.

use std::fmt::Display;

use arrow_array::{
    AnyArray, AnyBuilder, BooleanArray, Builder, ColumnText, LocalTime, NativeDecimal, Scalar, TextStyle,
    TimeZones, TimestampArray, append_text, with_bytes, with_ordered,
};
use arrow_buffer::{Buffer, I128, I256, Notation};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, TimeUnit};

use super::{ConstantReading, PredicateError, PredicateErrorKind as Kind, range_set::RelativePosition};

/// A constant as the predicate writes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Constant {
    /// A number, with optional sign, point and exponent.
    Number(String),
    Text(String, QuoteMark),
    /// The hexadecimal digits of bytes.
    Bytes(String),
    Flag(bool),
    Null,
}

/// The quotes around a constant. Double quotes may also mean the name of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuoteMark {
    Single,
    Double,
}

/// A constant as a value of the type of a column. For dictionaries and runs, the type of the decoded values.
#[derive(Debug, Clone)]
pub(super) enum BoundConstant {
    /// For types whose numbers have an order.
    Number(Box<NumberPosition>),
    Flag(bool),
    /// For text and bytes.
    Bytes(Vec<u8>),
    /// For types without an order: the text form of a value.
    Form(String),
}

/// Where a constant is in the order of the numbers of a type. The type need not be able to store the constant.
#[derive(Debug, Clone)]
pub(super) enum NumberPosition {
    /// The constant is this number, in an array of one slot.
    At(ArrayData),
    /// The constant is between this number and the next greater number of the type.
    After(ArrayData),
    /// The constant is between this number and the next smaller number of the type.
    Before(ArrayData),
    /// The constant is less than each number of the type.
    First,
    /// The constant is greater than each number of the type.
    Last,
}

impl NumberPosition {
    /// Where the constant is, and the number beside which it is.
    pub(super) fn relative(&self) -> (RelativePosition, Option<&ArrayData>) {
        match self {
            NumberPosition::At(array) => (RelativePosition::At, Some(array)),
            NumberPosition::After(array) => (RelativePosition::After, Some(array)),
            NumberPosition::Before(array) => (RelativePosition::Before, Some(array)),
            NumberPosition::First => (RelativePosition::First, None),
            NumberPosition::Last => (RelativePosition::Last, None),
        }
    }
}

impl BoundConstant {
    /// Whether the type can store the constant, so that a value can equal it.
    pub(super) fn is_value(&self) -> bool {
        match self {
            BoundConstant::Number(number) => matches!(**number, NumberPosition::At(_)),
            BoundConstant::Flag(_) | BoundConstant::Bytes(_) | BoundConstant::Form(_) => true,
        }
    }

    /// The number in an array of one slot. `None` if the type cannot store the constant.
    pub(super) fn as_value(&self) -> Option<&ArrayData> {
        let BoundConstant::Number(number) = self else { return None };
        if let NumberPosition::At(array) = &**number { Some(array) } else { None }
    }

    pub(super) fn as_form(&self) -> Option<&str> {
        if let BoundConstant::Form(form) = self { Some(form) } else { None }
    }
}

impl Constant {
    /// Converts a value of any type to a constant.
    pub(super) fn from_scalar(scalar: &Scalar) -> Constant {
        if scalar.is_null() {
            return Constant::Null;
        }
        let Ok(value) = scalar.decoded() else { return Constant::Null };
        let array = value.as_array();
        if let Some(flags) = array.downcast_ref::<BooleanArray>() {
            return flags.get(0).map_or(Constant::Null, Constant::Flag);
        }
        let data_type = array.data_type();
        if let Some(text) = array.data().text_as_bytes().and_then(|bytes| AnyArray::try_from(bytes).ok()) {
            let bytes = with_bytes!(&text, values => values.get(0).map(<[u8]>::to_vec), _ => None);
            let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
            return Constant::Text(text, QuoteMark::Single);
        }
        let form = value.to_string();
        match form.strip_prefix(['-', '+']).unwrap_or(&form).starts_with(|c: char| c.is_ascii_digit()) {
            true if has_digits(data_type) => Constant::Number(form),
            _ if data_type.is_binary() => Constant::Bytes(form),
            // NaN and infinities have quotes, too.
            _ => Constant::Text(form, QuoteMark::Single),
        }
    }

    fn sort(&self) -> &'static str {
        match self {
            Constant::Number(_) => "a number",
            Constant::Text(..) => "text",
            Constant::Bytes(_) => "bytes",
            Constant::Flag(_) => "true or false",
            Constant::Null => "null",
        }
    }

    /// Converts the constant to a value of this type, which is not a dictionary or run-end encoded type.
    pub(super) fn bind(
        &self,
        data_type: &DataType,
        reading: ConstantReading,
    ) -> Result<BoundConstant, PredicateError> {
        let other_sort = |expected| {
            let (data_type, found) = (data_type.clone(), self.sort());
            Err(Kind::OtherSort { data_type, found, expected }.into())
        };
        if *self == Constant::Null {
            return Err(Kind::NullConstant.into());
        }
        let sample = AnyArray::try_from(ArrayData::new_empty(data_type))?;
        let is_uuid = |text: &str| data_type.byte_width() == Some(16) && text.contains('-');
        let is_boolean = *data_type == DataType::Boolean;
        let is_ordered = with_ordered!(&sample, _numbers => true, _ => false);
        match self {
            Constant::Flag(flag) if is_boolean => Ok(BoundConstant::Flag(*flag)),
            _ if is_boolean => other_sort("true or false"),
            Constant::Text(text, _) if data_type.is_text() => {
                Ok(BoundConstant::Bytes(text.clone().into_bytes()))
            }
            _ if data_type.is_text() => other_sort("text in quotes"),
            Constant::Bytes(digits) if data_type.is_binary() => bytes(&DataType::Binary, digits),
            Constant::Text(uuid, _) if data_type.is_binary() && is_uuid(uuid) => bytes(data_type, uuid),
            _ if data_type.is_binary() => other_sort("bytes, such as x'6f6b' for the text ok"),
            Constant::Number(text) | Constant::Text(text, _) if is_ordered => {
                let begins_as_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
                let is_number =
                    matches!(self, Constant::Number(_)) || (has_digits(data_type) && begins_as_number);
                let time = || {
                    read_time(data_type, text, reading.zones)
                        .or_else(|error| position_beyond(data_type, text, reading.zones).ok_or(error))
                };
                let number = if is_number { number(data_type, text) } else { time() };
                Ok(BoundConstant::Number(Box::new(number?)))
            }
            Constant::Flag(_) | Constant::Bytes(_) if is_ordered => other_sort("a number or text in quotes"),
            Constant::Text(text, _) if data_type.is_nested() && text.trim_start().starts_with(['[', '{']) => {
                nested(data_type, text, reading)
            }
            _ if data_type.is_nested() => other_sort("JSON in quotes, such as [1,2]"),
            // No comparison with a null holds.
            _ if *data_type == DataType::Null => Ok(BoundConstant::Form(self.to_string())),
            Constant::Text(text, _) => {
                let value = AnyArray::try_from(read(data_type, text)?)?;
                Ok(BoundConstant::Form(value.display(0).to_string()))
            }
            Constant::Number(_) | Constant::Bytes(_) | Constant::Flag(_) | Constant::Null => {
                other_sort("text in quotes")
            }
        }
    }
}

/// Parses a value of a nested type, which is compared by its text form.
fn nested(
    data_type: &DataType,
    json: &str,
    reader: ConstantReading,
) -> Result<BoundConstant, PredicateError> {
    let Some(read) = reader.json else {
        return Err(not_a_value(data_type, &"this needs `Predicate::with_json_values`").into());
    };
    let array = read(data_type, json).map_err(|reason| not_a_value(data_type, &reason))?;
    let value = AnyArray::try_from(array)?;
    Ok(BoundConstant::Form(value.display(0).to_string()))
}

/// Whether the values of a type are written as decimal digits without quotes.
fn has_digits(data_type: &DataType) -> bool {
    data_type.is_integer() || data_type.is_floating_point() || data_type.as_decimal().is_some()
}

/// Parses hexadecimal digits, or a UUID with hyphens. Fewer digits than a fixed-size type has are a prefix of bytes, which also
/// has a position in their order.
fn bytes(data_type: &DataType, text: &str) -> Result<BoundConstant, PredicateError> {
    let value = AnyArray::try_from(read(data_type, text)?)?;
    let bytes = with_bytes!(&value, values => values.get(0).map(<[u8]>::to_vec), _ => None);
    Ok(BoundConstant::Bytes(bytes.unwrap_or_default()))
}

/// Parses a text as a value of this type, in an array of one slot.
fn read(data_type: &DataType, text: &str) -> Result<ArrayData, PredicateError> {
    let mut builder = AnyBuilder::new(data_type);
    append_text(&mut builder, text).map_err(|error| not_a_value(data_type, &error))?;
    Ok(builder.finish_data()?)
}

fn not_a_value(data_type: &DataType, reason: &dyn Display) -> Kind {
    Kind::Constant { data_type: data_type.clone(), reason: reason.to_string() }
}

/// The position of a time that the unit of its type cannot express: it has more digits than the unit, or is out of its range. `None` if the
/// text is not a time of this type, or if the unit can express it.
fn position_beyond(data_type: &DataType, text: &str, zones: Option<TimeZones>) -> Option<NumberPosition> {
    if let DataType::Duration(_) = data_type {
        let written = without_unit(data_type, text).unwrap_or(text);
        return if is_number(written) { number(data_type, written).ok() } else { None };
    }
    if let DataType::Time32(unit) = data_type {
        return time_of_day_beyond(data_type, (*unit).into(), text);
    }
    if let DataType::Time64(unit) = data_type {
        return time_of_day_beyond(data_type, (*unit).into(), text);
    }
    timestamp_beyond(data_type, text, zones)
}

/// The number before the unit of the type. `None` if the text does not end with it.
fn without_unit<'a>(data_type: &DataType, text: &'a str) -> Option<&'a str> {
    let (number, unit) = text.split_once(' ')?;
    (data_type.unit() == Some(unit)).then_some(number)
}

/// The number of digits after the decimal point of seconds.
fn n_digits(unit: TimeUnit) -> Option<usize> {
    Some(unit.per_second().checked_ilog10()? as usize)
}

fn time_of_day_beyond(data_type: &DataType, unit: TimeUnit, text: &str) -> Option<NumberPosition> {
    let (whole, digits) = split_fraction(text);
    let (retained, cut) = digits.split_at_checked(n_digits(unit)?)?;
    let point = if retained.is_empty() { "" } else { "." };
    let array = read(data_type, &format!("{whole}{point}{retained}")).ok()?;
    Some(if cut.bytes().all(|digit| digit == b'0') {
        NumberPosition::At(array)
    } else {
        NumberPosition::After(array)
    })
}

fn timestamp_beyond(data_type: &DataType, text: &str, zones: Option<TimeZones>) -> Option<NumberPosition> {
    let (unit, zone) = data_type.as_timestamp()?;
    let (whole, digits) = split_fraction(text);
    if unit == TimeUnit::Second && digits.is_empty() {
        return None;
    }
    let in_seconds = match zone {
        Some(zone) => DataType::timestamp_with_zone(TimeUnit::Second, zone),
        None => DataType::Timestamp(TimeUnit::Second, None),
    };
    let (found, is_before) = match read_time(&in_seconds, &whole, zones).ok()? {
        NumberPosition::At(found) => (found, false),
        // A local time that the clocks skipped is before the first second after it, whatever its digits are.
        NumberPosition::Before(found) => (found, true),
        other @ (NumberPosition::After(_) | NumberPosition::First | NumberPosition::Last) => {
            return Some(other);
        }
    };
    let seconds = TimestampArray::try_from(found).ok()?.get(0)?;
    let n_retained = n_digits(unit)?;
    let retained = digits.bytes().chain(std::iter::repeat(b'0')).take(n_retained);
    let fraction = retained.fold(0, |ticks, digit| ticks * 10 + i128::from(digit - b'0'));
    let fraction = if is_before { 0 } else { fraction };
    let is_cut = digits.bytes().skip(n_retained).any(|digit| digit != b'0');
    // The start of the first second may be out of the range of 64 bits, although a fraction of this second is not.
    let ticks = i128::from(seconds) * i128::from(unit.per_second()) + fraction;
    let Ok(ticks) = i64::try_from(ticks) else {
        return Some(if seconds < 0 { NumberPosition::First } else { NumberPosition::Last });
    };
    let array = TimestampArray::try_from_iter(data_type.clone(), [ticks]).ok()?.into_data();
    Some(match (is_before, is_cut) {
        (true, _) => NumberPosition::Before(array),
        (false, true) => NumberPosition::After(array),
        (false, false) => NumberPosition::At(array),
    })
}

/// The text without the fraction of the seconds, and the digits of the fraction. Only a text with seconds has a fraction.
fn split_fraction(text: &str) -> (String, &str) {
    let Some((before, after)) = text.split_once('.') else { return (text.to_owned(), "") };
    let n_digits = after.bytes().take_while(u8::is_ascii_digit).count();
    match after.split_at_checked(n_digits) {
        Some((digits, rest)) if n_digits > 0 && before.bytes().filter(|byte| *byte == b':').count() == 2 => {
            ([before, rest].concat(), digits)
        }
        _ => (text.to_owned(), ""),
    }
}

/// The error for a local time of a zone that is not known; for other text, the error of reading it.
fn without_zone(
    error: PredicateError,
    data_type: &DataType,
    (zone, text): (&str, &str),
    zones: Option<TimeZones>,
) -> PredicateError {
    let starts = [format!("{text}Z"), format!("{text}T00:00:00Z")];
    let with_offset = starts.into_iter().find(|text| zones.is_some() && read(data_type, text).is_ok());
    with_offset.map_or(error, |with_offset| Kind::UnknownZone { zone: zone.to_owned(), with_offset }.into())
}

/// Like [`read`], with more notations. A timestamp may be a date, which means the start of the day, or have a space before the
/// time. If its type has one of the zones, it may be a local time. A duration may have its unit after the number, as in tables.
fn read_time(
    data_type: &DataType,
    text: &str,
    zones: Option<TimeZones>,
) -> Result<NumberPosition, PredicateError> {
    let Some((unit, zone)) = data_type.as_timestamp() else {
        let found = read(data_type, text);
        let found = match without_unit(data_type, text) {
            Some(number) => found.or_else(|error| read(data_type, number).map_err(|_| error)),
            None => found,
        };
        return found.map(NumberPosition::At);
    };
    let start_of_day = format!("{text}T00:00:00");
    let read_local = |data_type: &DataType| {
        let found = read(data_type, text).map(|value| (value, false));
        found.or_else(|error| read(data_type, &start_of_day).map(|value| (value, true)).map_err(|_| error))
    };
    let (error, zone, rules) = match (read_local(data_type), zone) {
        (Ok((value, _)), _) => return Ok(NumberPosition::At(value)),
        (Err(error), Some(zone)) => match zones.and_then(|zones| zones.find(zone)) {
            Some(rules) => (error, zone, rules),
            None => return Err(without_zone(error, data_type, (zone, text), zones)),
        },
        (Err(error), None) => return Err(error),
    };
    let Ok((local, is_day)) = read_local(&DataType::Timestamp(unit, None)) else { return Err(error) };
    let local = TimestampArray::try_from(local)?.value(0);
    let per_second = unit.per_second();
    let made = |tick: Option<i64>| -> Result<ArrayData, PredicateError> {
        let tick = tick.ok_or_else(|| error.clone())?;
        Ok(TimestampArray::try_from_iter(data_type.clone(), [tick])?.into_data())
    };
    let at_offset = |offset: i32| {
        made(i64::from(offset).checked_mul(per_second).and_then(|ticks| local.checked_sub(ticks)))
    };
    match rules.local_time(local.div_euclid(per_second)) {
        LocalTime::Once { offset } => at_offset(offset).map(NumberPosition::At),
        // The day begins with the change.
        LocalTime::Skipped { at, .. } if is_day => made(at.checked_mul(per_second)).map(NumberPosition::At),
        LocalTime::Skipped { at, .. } => made(at.checked_mul(per_second)).map(NumberPosition::Before),
        LocalTime::Repeated { first, .. } if is_day => at_offset(first).map(NumberPosition::At),
        LocalTime::Repeated { first, second } => {
            let written = |offset: i32| -> Result<String, PredicateError> {
                let zones = TextStyle::LocalCell(zones.unwrap_or_default());
                let instant = ColumnText::try_new(&at_offset(offset)?, zones)?;
                Ok(format!("'{}'", instant.value(0)))
            };
            let (first, second) = (written(first)?, written(second)?);
            let (text, zone) = (text.to_owned(), zone.to_owned());
            Err(Kind::RepeatedLocalTime { text, zone, first, second }.into())
        }
    }
}

/// Finds where a number is in the order of the numbers of a type. `text` has decimal digits.
fn number(data_type: &DataType, text: &str) -> Result<NumberPosition, PredicateError> {
    let scale = match data_type.as_decimal() {
        Some((_, scale)) => scale,
        None if data_type.is_integer() || matches!(data_type, DataType::Duration(_)) => 0,
        None => return inexact(data_type, text),
    };
    // The text is not a number. Parsing it returns the error that says why.
    let Some(written) = Notation::parse(text) else { return read(data_type, text).map(NumberPosition::At) };
    let beyond = if written.is_negative() { NumberPosition::First } else { NumberPosition::Last };
    let Some(retained) = digits_at(&written, scale) else { return Ok(beyond) };
    let sign = if written.is_negative() && retained.digits != "0" { "-" } else { "" };
    let stored = format!("{sign}{}", retained.digits);
    let found = match data_type.as_decimal() {
        Some(_) => decimal(data_type, &stored),
        None => read(data_type, &stored).ok(),
    };
    Ok(match (found, retained.is_cut, written.is_negative()) {
        (None, ..) => beyond,
        (Some(array), false, _) => NumberPosition::At(array),
        (Some(array), true, false) => NumberPosition::After(array),
        (Some(array), true, true) => NumberPosition::Before(array),
    })
}

/// A decimal of this type, of the digits of the integer that stores it. `None` if the integer has too few bits. Its number of
/// digits is not limited, because arrays that violate the strict rules may have more than any precision allows.
fn decimal(data_type: &DataType, digits: &str) -> Option<ArrayData> {
    fn stored<N: NativeDecimal>(digits: &str) -> Option<Buffer> {
        Some([digits.parse::<N>().ok()?].into())
    }
    let number = match data_type.byte_width() {
        Some(4) => stored::<i32>(digits),
        Some(8) => stored::<i64>(digits),
        Some(16) => stored::<I128>(digits),
        _ => stored::<I256>(digits),
    };
    let buffers = [number?, Buffer::new()];
    ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(data_type.clone(), 1) }).ok()
}

/// Finds the floating-point number nearest to a number. A number that is too large for the type, such as 1e400, is between the
/// greatest finite number and infinity, and -1e400 is between negative infinity and the least finite number.
fn inexact(data_type: &DataType, text: &str) -> Result<NumberPosition, PredicateError> {
    let found = read(data_type, text);
    let is_beyond = data_type.is_floating_point() && Notation::parse(text).is_some();
    match found {
        Ok(array) => Ok(NumberPosition::At(array)),
        Err(_) if is_beyond && text.starts_with('-') => {
            read(data_type, "-Infinity").map(NumberPosition::After)
        }
        Err(_) if is_beyond => read(data_type, "Infinity").map(NumberPosition::Before),
        Err(error) => Err(error),
    }
}

/// Whether a text is a number, with optional sign, point and exponent.
pub(super) fn is_number(text: &str) -> bool {
    Notation::parse(text).is_some()
}

/// The digits of a number up to a certain digit after the point.
struct NumberPrefix {
    /// At least one digit, without leading zeros.
    digits: String,
    /// Whether a dropped digit is not zero.
    is_cut: bool,
}

/// More digits than any type can store.
const MAX_DIGITS: i128 = 100;

/// The digits up to the `scale`th digit after the point. `None` if no type can store so many digits.
fn digits_at(number: &Notation<'_>, scale: i32) -> Option<NumberPrefix> {
    let Some((digits, power)) = number.significant() else {
        return Some(NumberPrefix { digits: "0".to_owned(), is_cut: false });
    };
    let n_retained = power.saturating_add(1).saturating_add(i128::from(scale));
    if n_retained > MAX_DIGITS {
        return None;
    }
    let n_retained = usize::try_from(n_retained).unwrap_or(0);
    let is_cut = digits.len() > n_retained;
    let retained: String = digits.chain(std::iter::repeat(b'0')).take(n_retained).map(char::from).collect();
    Some(NumberPrefix { digits: if retained.is_empty() { "0".to_owned() } else { retained }, is_cut })
}
