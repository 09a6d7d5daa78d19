//! Casts numbers, booleans, dates and times to text and back, and floating-point numbers to decimals and back. Each value is
//! written as text, and this text is parsed as the new type.

use arrow_array::{AnyArray, AnyBuilder, Appended, ColumnText, TextStyle, with_bytes};
use arrow_buffer::{BufferMut, Charge, F16};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Uuid};
use arrow_text::{Notation, append_text};

use super::{CastErrorKind, Casting, Digits, Uuids, error::CastResult, memory, numbers};

/// Casts values by their text form. `None` if there is no cast between these types.
pub(super) fn cast(casting: Casting<'_>, array: &AnyArray, to: &DataType) -> CastResult<Option<ArrayData>> {
    let from = array.data_type();
    let are_numbers =
        from.is_floating_point() && to.is_decimal() || from.is_decimal() && to.is_floating_point();
    let is_uuid = |data_type: &DataType| casting.uuids == Uuids::HaveText && *data_type == Uuid.storage();
    if from.is_text() && (has_text(to) || is_uuid(to)) {
        let bytes = array.data().text_as_bytes().map(AnyArray::try_from).transpose()?;
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        return with_bytes!(bytes.as_ref().unwrap_or(array), values => {
            let texts = values.iter().map(|value| value.map(text));
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
    let texts = TextsOfSlots::of(casting, array, to)?;
    if to.is_text() {
        return casting.copied(array, to, texts.iter().map(|text| text.map(str::as_bytes))).map(Some);
    }
    let made = values_of(casting, array, texts.iter(), to)?;
    if to.is_floating_point() {
        let floats = TextsOfSlots::of(casting, &AnyArray::try_new(&made)?, from)?;
        let mut floats = floats.iter().flatten();
        let mut decimal = AnyBuilder::try_new(from)?;
        let is_same = |_, text: &str| {
            let Some(float) = floats.next() else { return Ok(false) };
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
fn in_range(casting: Casting<'_>, made: ArrayData) -> CastResult<ArrayData> {
    let to = made.data_type();
    if !["date64", "time32", "time64"].contains(&to.name()) {
        return Ok(made);
    }
    Ok(casting.numbers(&AnyArray::try_new(&made)?, to)?.unwrap_or(made))
}

/// Whether values of this type can be written as text and parsed again.
fn has_text(data_type: &DataType) -> bool {
    let is_interval = data_type.name().starts_with("interval");
    data_type.is_numeric() || *data_type == DataType::Boolean || data_type.is_temporal() && !is_interval
}

/// The text forms of all slots, one after another.
struct TextsOfSlots {
    text: BufferMut,
    /// The end of the text of each slot. `None` for a null slot.
    ends: Vec<Option<usize>>,
    _charge: Charge,
}

impl TextsOfSlots {
    /// Writes the texts that are parsed as the type `to`. If `to` is not text, whole floating-point numbers have all of their
    /// digits.
    fn of(casting: Casting<'_>, array: &AnyArray, to: &DataType) -> CastResult<TextsOfSlots> {
        let field = Field::new("", array.data_type().clone());
        // Bytes only have a text form if they are UUIDs.
        let field = field.clone().with_extension_type(&Uuid).unwrap_or(field);
        let column = ColumnText::try_with_field(array.data(), &field, TextStyle::Plain)?;
        let gets_all_digits = array.data_type().is_floating_point() && !to.is_text();
        let append = |slot, one: &mut Vec<u8>| {
            let is_valid = append(&column, slot, one);
            if is_valid && gets_all_digits {
                with_all_digits(numbers::float_at(array, slot), one);
            }
            is_valid
        };
        let (mut ends, charge) = memory::list(array.len(), casting.budget)?;
        let mut one = Vec::new();
        // Writes the texts twice: first to measure them, then to store them.
        let mut n_bytes: u128 = 0;
        for slot in 0..array.len() {
            append(slot, &mut one);
            n_bytes = n_bytes.saturating_add(one.len() as u128);
        }
        let mut text = memory::bytes(n_bytes, casting.budget)?;
        for slot in 0..array.len() {
            let is_valid = append(slot, &mut one);
            text.extend_from_slice(&one);
            ends.push(is_valid.then_some(text.len()));
        }
        Ok(TextsOfSlots { text, ends, _charge: charge })
    }

    fn iter(&self) -> impl Iterator<Item = Option<&str>> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let text = self.text.as_slice().get(start..(*end)?)?;
            start = (*end)?;
            std::str::from_utf8(text).ok()
        })
    }
}

/// Replaces the content of `to` by the text of a slot. Returns whether the slot is valid.
fn append(column: &ColumnText, slot: usize, to: &mut Vec<u8>) -> bool {
    to.clear();
    match column.append(slot, to) {
        Appended::Null => return false,
        Appended::Plain | Appended::Short => {}
        Appended::Text(text) => to.extend_from_slice(text.as_bytes()),
        Appended::Long => to.extend_from_slice(column.value(slot).to_string().as_bytes()),
    }
    true
}

/// Replaces the text of a large whole number by all of its digits. The shortest text may have zeros for the last digits.
fn with_all_digits(float: f64, text: &mut Vec<u8>) {
    // Below 2048, the shortest text of a whole number has all digits, whatever the width.
    if float.abs() >= 2048.0 && float.fract() == 0.0 {
        *text = format!("{float:.0}").into_bytes();
    }
}

/// Parses texts as values of a type.
fn values_of<'a>(
    casting: Casting<'_>,
    array: &AnyArray,
    texts: impl Iterator<Item = Option<&'a str>>,
    to: &DataType,
) -> CastResult<ArrayData> {
    let n_bytes = memory::null_bytes(to).saturating_add(1).saturating_mul(array.len() as u128);
    // Builders double their memory to grow, so twice the bytes are charged.
    let _growing = memory::charge(n_bytes, casting.budget)?;
    let charge = memory::charge(n_bytes, casting.budget)?;
    let mut values = AnyBuilder::try_new(to)?;
    for (slot, text) in texts.enumerate() {
        let Some(text) = text else {
            values.append_null();
            continue;
        };
        let read = append_text(&mut values, text).or_else(|error| match casting.digits {
            Digits::Keep | Digits::RoundFloats => Err(error),
            Digits::Drop => {
                let cut = cut(text, to).filter(|_| casting.cuts()).ok_or(error)?;
                append_text(&mut values, &cut)
            }
        });
        if read.is_err() {
            let shown = memory::start_of(array, slot);
            let value = if array.data_type().is_text() { format!("{shown:?}") } else { shown };
            let is_read = |text: String| {
                AnyBuilder::try_new(to).is_ok_and(|mut one| append_text(&mut one, &text).is_ok())
            };
            let is_cut = casting.digits != Digits::Drop && cut(text, to).is_some_and(is_read);
            return Err(match is_cut {
                true => CastErrorKind::LostDigits { value, slot, to: to.clone() },
                false => CastErrorKind::OutOfRange { value, slot, to: to.clone() },
            }
            .into());
        }
    }
    let mut parts = values.finish()?.into_data().into_parts();
    let [first, second] = parts.buffers;
    parts.buffers = [first.with_charge(charge), second];
    Ok(ArrayData::try_new(parts)?.validate(arrow_data::Level::Content)?)
}

/// Drops digits after the point that the type cannot store. `None` if there are none.
fn cut(text: &str, to: &DataType) -> Option<String> {
    let n_kept = match (to.unit(), to.as_decimal()) {
        _ if to.is_integer() || to.name() == "duration" => 0,
        (_, Some((_, scale))) => usize::try_from(scale).ok()?,
        (Some("s"), _) => 0,
        (Some("ms"), _) => 3,
        (Some("us"), _) => 6,
        _ => return None,
    };
    let plain = without_exponent(text);
    let (whole, rest) = plain.as_deref().unwrap_or(text).split_once('.')?;
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at_checked(n_digits)?;
    let digits = digits.get(..n_kept).filter(|_| n_kept < n_digits)?;
    let whole = if matches!(whole, "" | "-" | "+") { "0" } else { whole };
    let point = if digits.is_empty() { "" } else { "." };
    Some(format!("{whole}{point}{digits}{rest}"))
}

/// Writes a number below 1 without its exponent: `1.5e-3` becomes `0.0015`. `None` if there is no negative exponent.
fn without_exponent(text: &str) -> Option<String> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let n_zeros: usize =
        exponent.strip_prefix('-')?.parse().ok().filter(|n_zeros| (1..400).contains(n_zeros))?;
    let unsigned = mantissa.trim_start_matches('-');
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let sign = mantissa.strip_suffix(unsigned).unwrap_or_default();
    let zeros = "0".repeat(n_zeros.saturating_sub(1));
    (whole.len() == 1 && is_digits).then(|| format!("{sign}0.{zeros}{whole}{fraction}"))
}

/// Checks that each floating-point number is the same as the text from which it was cast. `is_same` is called for each slot
/// that is not null, in order.
fn check_same<'a>(
    casting: Casting<'_>,
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
/// the digits of its shortest text. Zeros at the end count as digits only in a text of digits alone.
fn has_digits(float: f64, text: &str, to: &DataType) -> bool {
    /// The greatest number of digits of a floating-point number, without zeros at the end.
    const MAX_DIGITS: usize = 767;
    // A text with so few digits has the digits of the nearest number, if this number is normal.
    let (n_certain, min_normal) = match to.byte_width() {
        Some(2) => (3, 6.103_515_625e-5),
        Some(4) => (6, f64::from(f32::MIN_POSITIVE)),
        _ => (15, f64::MIN_POSITIVE),
    };
    // Numbers that are so short, and have no exponent, are normal or 0.
    let has_exponent = text.contains(['e', 'E']);
    if !has_exponent && text.len() <= n_certain {
        return true;
    }
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
