//! Casts numbers, booleans, dates and times to text and back, and floating-point numbers to decimals and back. Each value is
//! written as text, and this text is parsed as the new type.

use arrow_array::{
    AnyArray, AnyBuilder, AppendedText, ColumnText, LargeUtf8Array, TextStyle, append_text, with_text,
};
use arrow_buffer::{Buffer, F16, MemoryBudget, Notation, OffsetWidth};
use arrow_data::{ArrayData, ArrayParts, DataError, Validation};
use arrow_schema::{DataType, Field, Uuid};

use super::{
    CastContext, CastErrorKind, Digits,
    bytes::{self, too_long},
    error::CastResult,
    memory, numbers,
};
use crate::long_values::{LongValues, is_long};

/// Casts values by their text form. `None` if there is no cast between these types.
pub(super) fn cast(
    casting: CastContext<'_>,
    array: &AnyArray,
    to: &DataType,
) -> CastResult<Option<ArrayData>> {
    let from = array.data_type();
    let are_numbers =
        from.is_floating_point() && to.is_decimal() || from.is_decimal() && to.is_floating_point();
    let is_uuid = |data_type: &DataType| casting.has_uuids && *data_type == Uuid.storage();
    if from.is_text() && (has_text(to) || is_uuid(to)) {
        return with_text!(array, values => {
            let texts = values.iter();
            let made = values_of(casting, array, texts.clone(), to)?;
            if to.is_floating_point() && casting.digits != Digits::RoundFloats {
                let floats = AnyArray::try_new(&made)?;
                let is_same = |slot, text: &str| Ok(has_digits(numbers::float_at(&floats, slot), text, to));
                check_same(casting, texts, array, to, is_same)?;
            }
            in_range(casting, made).map(Some)
        }, _ => Ok(None));
    }
    if !((has_text(from) || is_uuid(from)) && to.is_text() || are_numbers) {
        return Ok(None);
    }
    let texts = written(casting, array, to)?;
    if texts.data_type() == to {
        return Ok(Some(texts));
    }
    if to.is_text() {
        return bytes::cast(casting, &AnyArray::try_new(&texts)?, to);
    }
    let texts = LargeUtf8Array::try_from(texts)?;
    let made = values_of(casting, array, texts.iter(), to)?;
    if to.is_floating_point() {
        let floats = LargeUtf8Array::try_from(written(casting, &AnyArray::try_new(&made)?, from)?)?;
        let mut decimal = AnyBuilder::new(from);
        let is_same = |slot, text: &str| {
            if is_certain(text, to) {
                return Ok(true);
            }
            let Some(float) = floats.get(slot) else { return Ok(false) };
            // Writes both numbers as decimals of the same scale, to compare them.
            let both = append_text(&mut decimal, float).and_then(|()| append_text(&mut decimal, text));
            let pair = decimal.finish()?;
            Ok(both.is_ok() && pair.display(0).to_string() == pair.display(1).to_string())
        };
        check_same(casting, texts.iter(), array, to, is_same)?;
    }
    Ok(Some(made))
}

/// Checks dates and times of day that were parsed from text. Their text may also be a number or a timestamp, so a `date64` may
/// be inside a day, and a time of day may exceed a day. Both are errors.
fn in_range(casting: CastContext<'_>, made: ArrayData) -> CastResult<ArrayData> {
    let to = made.data_type();
    if !matches!(to, DataType::Date64 | DataType::Time32(_) | DataType::Time64(_)) {
        return Ok(made);
    }
    Ok(numbers::cast(casting, &AnyArray::try_new(&made)?, to)?.unwrap_or(made))
}

/// Whether values of this type can be written as text and parsed again.
fn has_text(data_type: &DataType) -> bool {
    let is_interval = matches!(data_type, DataType::Interval(_));
    data_type.is_numeric() || *data_type == DataType::Boolean || data_type.is_temporal() && !is_interval
}

/// Writes the texts of all slots, which are parsed as the type `to`, or are the result if that is `utf8`. Otherwise the result is
/// `large_utf8`. If `to` is not text, whole floating-point numbers have all of their digits.
fn written(casting: CastContext<'_>, array: &AnyArray, to: &DataType) -> CastResult<ArrayData> {
    let field = Field::new("", array.data_type().clone());
    // Bytes only have a text form if they are UUIDs.
    let field = field.clone().with_extension_type(&Uuid).unwrap_or(field);
    let column = ColumnText::try_with_field(array.data(), &field, TextStyle::Plain)?;
    let gets_all_digits = array.data_type().is_floating_point() && !to.is_text();
    let append = |slot, text: &mut Vec<u8>| {
        let start = text.len();
        append(&column, slot, text);
        if gets_all_digits && array.is_valid(slot) {
            with_all_digits(numbers::float_at(array, slot), start, text);
        }
    };
    let (data_type, buffers) = if *to == DataType::Utf8 {
        (DataType::Utf8, appended::<i32>(array.len(), append, casting.budget)?)
    } else {
        (DataType::LargeUtf8, appended::<i64>(array.len(), append, casting.budget)?)
    };
    let validity = array.validity().cloned();
    let parts = ArrayParts { validity, buffers, ..ArrayParts::new(data_type, array.len()) };
    Ok(ArrayData::try_new(parts)?.validate(Validation::Content)?)
}

/// Makes offsets, and a buffer with the texts that `append` writes for the slots.
fn appended<O: OffsetWidth>(
    n_slots: usize,
    append: impl Fn(usize, &mut Vec<u8>),
    budget: &MemoryBudget,
) -> CastResult<[Buffer; 2]> {
    const BLOCK_SLOTS: usize = 1024;
    let n_offset_bytes = (n_slots as u128).saturating_add(1).saturating_mul(size_of::<O>() as u128);
    let mut offsets = memory::bytes(n_offset_bytes, budget)?;
    let mut text = memory::bytes(0, budget)?;
    let mut block = Vec::new();
    offsets.push(O::ZERO);
    for start in (0..n_slots).step_by(BLOCK_SLOTS) {
        let end = n_slots.min(start.saturating_add(BLOCK_SLOTS));
        block.clear();
        for slot in start..end {
            append(slot, &mut block);
            let n_bytes = text.len().saturating_add(block.len());
            offsets.push(O::from_usize(n_bytes).ok_or_else(|| too_long::<O>(n_bytes as u128))?);
        }
        if text.capacity().saturating_sub(text.len()) < block.len() {
            // The texts so far tell the length of all.
            let n_bytes = text.len().saturating_add(block.len());
            let n_left = n_bytes.div_ceil(end).saturating_mul(n_slots.saturating_sub(end));
            text.try_reserve(block.len().saturating_add(n_left)).map_err(DataError::from)?;
        }
        text.extend_from_slice(&block);
    }
    if text.capacity().saturating_sub(text.len()) > text.len() / 4 {
        let mut exact = memory::bytes(text.len() as u128, budget)?;
        exact.extend_from_slice(&text);
        text = exact;
    }
    Ok([offsets.freeze(), text.freeze()])
}

/// Appends the text of a slot. Appends nothing if the slot is null.
fn append(column: &ColumnText, slot: usize, to: &mut Vec<u8>) {
    match column.append(slot, to) {
        AppendedText::Null | AppendedText::Plain | AppendedText::Short => {}
        AppendedText::Text(text) => to.extend_from_slice(text.as_bytes()),
        AppendedText::Long => to.extend_from_slice(column.value(slot).to_string().as_bytes()),
    }
}

/// Replaces the text of a large whole number, from `start` on, by all of its digits. The shortest text may have zeros for the last
/// digits.
fn with_all_digits(float: f64, start: usize, text: &mut Vec<u8>) {
    // Below 2048, the shortest text of a whole number has all digits, whatever the width.
    if float.abs() >= 2048.0 && float.fract() == 0.0 {
        text.truncate(start);
        text.extend_from_slice(format!("{float:.0}").as_bytes());
    }
}

/// Parses texts as values of a type.
fn values_of<'a>(
    casting: CastContext<'_>,
    array: &AnyArray,
    texts: impl Iterator<Item = Option<&'a str>>,
    to: &DataType,
) -> CastResult<ArrayData> {
    let n_bytes = memory::null_bytes(to).saturating_add(1).saturating_mul(array.len() as u128);
    // Builders double their memory to grow, so twice the bytes are charged.
    let _growing = memory::charge(n_bytes, casting.budget)?;
    let charge = memory::charge(n_bytes, casting.budget)?;
    let mut values = AnyBuilder::new(to);
    // Each value is parsed, even if views share it.
    let mut long = LongValues::<(), ()>::new(&[array.data()]);
    for (slot, text) in texts.enumerate() {
        let Some(text) = text else {
            values.append_null();
            continue;
        };
        if is_long(text.as_bytes()) {
            long.read(text.len())?;
        }
        let read = append_text(&mut values, text).or_else(|error| match casting.digits {
            Digits::Keep | Digits::RoundFloats => Err(error),
            Digits::Drop => {
                let Some(cut) = cut(text, to) else { return Err(error) };
                append_text(&mut values, &cut.text)?;
                if cut.loses_digits {
                    casting.cuts();
                }
                Ok(())
            }
        });
        if read.is_err() {
            let shown = memory::start_of(array, slot);
            let value = if array.data_type().is_text() { format!("{shown:?}") } else { shown };
            let is_cut =
                |cut: CutText| cut.loses_digits && append_text(&mut AnyBuilder::new(to), &cut.text).is_ok();
            let is_cut = casting.digits != Digits::Drop && cut(text, to).is_some_and(is_cut);
            return Err(if is_cut {
                CastErrorKind::LostDigits { value, slot, to: to.clone() }
            } else {
                CastErrorKind::OutOfRange { value, slot, to: to.clone() }
            }
            .into());
        }
    }
    let mut parts = values.finish()?.into_data().into_parts();
    let [first, second] = parts.buffers;
    parts.buffers = [first.with_charge(charge), second];
    Ok(ArrayData::try_new(parts)?.validate(Validation::Content)?)
}

/// A text without the digits that a type cannot store.
struct CutText {
    text: String,
    /// Whether a dropped digit is not zero.
    loses_digits: bool,
}

/// Drops the digits that the type cannot store. `None` if the type has no such digits, or the text has none.
fn cut(text: &str, to: &DataType) -> Option<CutText> {
    match to.as_decimal() {
        Some((_, scale)) => cut_number(text, scale),
        None if to.is_integer() || matches!(to, DataType::Duration(_)) => cut_number(text, 0),
        None if *to == DataType::Date64 => cut_day(text),
        None => cut_seconds(text, to.unit()?),
    }
}

/// Drops the digits after the digit of 10<sup>-`scale`</sup>. `None` if the text is not a number, or too large for every type.
fn cut_number(text: &str, scale: i32) -> Option<CutText> {
    /// More digits than any type can store.
    const MAX_DIGITS: i128 = 100;
    let number = Notation::parse(text)?;
    let zero = |loses_digits| CutText { text: "0".to_owned(), loses_digits };
    let Some((digits, power)) = number.significant() else { return Some(zero(false)) };
    let n_retained = power.saturating_add(1).saturating_add(i128::from(scale));
    if n_retained > MAX_DIGITS {
        return None;
    }
    let n_retained = usize::try_from(n_retained).unwrap_or(0);
    let loses_digits = digits.len() > n_retained;
    if n_retained == 0 {
        return Some(zero(loses_digits));
    }
    let retained: String = digits.chain(std::iter::repeat(b'0')).take(n_retained).map(char::from).collect();
    let sign = if number.is_negative() { "-" } else { "" };
    // Integers have no exponent.
    let exponent = if scale == 0 { String::new() } else { format!("e{}", -i64::from(scale)) };
    Some(CutText { text: format!("{sign}{retained}{exponent}"), loses_digits })
}

/// Drops the time of day of a timestamp with digits of seconds after the milliseconds. `None` if there are none, or if the text is
/// no timestamp.
fn cut_day(text: &str) -> Option<CutText> {
    let cut = cut_seconds(text, "ms")?;
    append_text(&mut AnyBuilder::new(&DataType::Date64), &cut.text).ok()?;
    let (day, _) = text.split_once(['T', 't', ' '])?;
    Some(CutText { text: day.to_owned(), loses_digits: true })
}

/// Drops digits of the seconds of a time or timestamp of this unit. `None` if there are none.
fn cut_seconds(text: &str, unit: &str) -> Option<CutText> {
    let n_retained = match unit {
        "s" => 0,
        "ms" => 3,
        "us" => 6,
        _ => return None,
    };
    let (whole, rest) = text.split_once('.')?;
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at_checked(n_digits)?;
    if n_retained >= n_digits {
        return None;
    }
    let digits = digits.get(..n_retained)?;
    let whole = if matches!(whole, "" | "-" | "+") { "0" } else { whole };
    let point = if digits.is_empty() { "" } else { "." };
    Some(CutText { text: format!("{whole}{point}{digits}{rest}"), loses_digits: true })
}

/// Checks that each floating-point number is the same as the text from which it was cast. `is_same` is called for each slot
/// that is not null, in order.
fn check_same<'a>(
    casting: CastContext<'_>,
    texts: impl Iterator<Item = Option<&'a str>>,
    array: &AnyArray,
    to: &DataType,
    mut is_same: impl FnMut(usize, &str) -> CastResult<bool>,
) -> CastResult<()> {
    for (slot, text) in texts.enumerate() {
        let Some(text) = text else { continue };
        if !is_same(slot, text)? && !casting.cuts() {
            let value = memory::start_of(array, slot);
            let value = if array.data_type().is_text() { format!("{value:?}") } else { value };
            return Err(CastErrorKind::LostDigits { value, slot, to: to.clone() }.into());
        }
    }
    Ok(())
}

/// Whether a floating-point number of the type `to` is the number of `text`, when it is rounded to as many digits, or when it has
/// the digits of its shortest text, as the standard library prints it. Zeros at the end count as digits only in a text of digits
/// alone.
fn has_digits(float: f64, text: &str, to: &DataType) -> bool {
    /// The greatest number of digits of a floating-point number, without zeros at the end.
    const MAX_DIGITS: usize = 767;
    if is_certain(text, to) {
        return true;
    }
    let (n_certain, min_normal) = certain(to);
    let has_exponent = text.contains(['e', 'E']);
    // What is not a number is NaN or infinite. Zero has no digits.
    let Some((digits, power)) = Notation::parse(text).as_ref().and_then(Notation::significant) else {
        return true;
    };
    let is_whole = !has_exponent && !text.contains('.');
    let n_whole = usize::try_from(power.saturating_add(1)).unwrap_or_default();
    let n_digits = if is_whole { n_whole } else { digits.len() };
    if n_digits <= n_certain && float.abs() >= min_normal {
        return true;
    }
    if n_digits > MAX_DIGITS {
        return false;
    }
    let is_written = |number: &str| {
        Notation::parse(number)
            .as_ref()
            .and_then(Notation::significant)
            .is_some_and(|(written, at)| at == power && written.eq(digits.clone()))
    };
    let shortest = || match to.byte_width() {
        Some(2) => F16::from_f64(float).to_string(),
        Some(4) => format!("{:e}", float as f32),
        _ => format!("{float:e}"),
    };
    is_written(&format!("{:.*e}", n_digits.saturating_sub(1), float)) || !is_whole && is_written(&shortest())
}

/// A text with so few digits has the digits of the nearest number of a type, if this number is not less than the least normal one.
fn certain(to: &DataType) -> (usize, f64) {
    match to.byte_width() {
        Some(2) => (3, 6.103_515_625e-5),
        Some(4) => (6, f64::from(f32::MIN_POSITIVE)),
        _ => (15, f64::MIN_POSITIVE),
    }
}

/// Whether a text certainly has the digits of the nearest number of a type, since it is so short. Without an exponent, this number
/// is normal or 0.
fn is_certain(text: &str, to: &DataType) -> bool {
    text.len() <= certain(to).0 && !text.bytes().any(|byte| matches!(byte, b'e' | b'E'))
}
