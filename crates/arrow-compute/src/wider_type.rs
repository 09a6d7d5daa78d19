//! The type in which the values of two types can be compared.

use arrow_data::ArrayData;
use arrow_schema::{DataType, Precision, Time32Unit, Time64Unit, TimeUnit};

use crate::{Digits, cast, statistics::value_type};

/// The type to which values of both types can be [cast](crate::cast()), so that they can be compared. `None` if there is no
/// such type: such values are never equal. For dictionaries and runs, the types of their values count.
///
/// - Integers and decimals become integers or decimals that hold the values of both. `None` if these would need more than 76
///   digits.
/// - Floating-point numbers become the wider type; together with other numbers, they become `float64`, which is not exact for
///   large integers and for decimals: [`Digits`] says what a cast does with them.
/// - Times, durations and timestamps have the finer unit. Dates become timestamps at the start of the day. Timestamps with time
///   zones are instants; there is no common type with those that have none.
/// - Null together with any type is that type.
/// - Text becomes `large_utf8` and bytes become `large_binary`, if their layouts differ.
///
/// ```
/// use arrow_compute::wider_type;
/// use arrow_schema::DataType;
///
/// assert_eq!(wider_type(&DataType::UInt32, &DataType::Int16), Some(DataType::Int64));
/// assert_eq!(wider_type(&DataType::Int64, &DataType::Utf8), None);
/// ```
pub fn wider_type(left: &DataType, right: &DataType) -> Option<DataType> {
    let (left, right) = (value_type(left), value_type(right));
    if left.same_type(right) {
        return Some(left.clone());
    }
    if let (DataType::Null, other) | (other, DataType::Null) = (left, right) {
        return Some(other.clone());
    }
    let are = |is: fn(&DataType) -> bool| is(left) && is(right);
    if are(DataType::is_text) {
        return Some(DataType::LargeUtf8);
    }
    if are(DataType::is_binary) {
        return Some(DataType::LargeBinary);
    }
    let wider = if are(DataType::is_numeric) { wider_number(left, right) } else { wider_time(left, right) };
    let is_cast =
        |from: &DataType, to: &DataType| cast(&ArrayData::new_empty(from), to, Digits::Drop).is_ok();
    wider.filter(|wider| is_cast(left, wider) && is_cast(right, wider))
}

fn wider_number(left: &DataType, right: &DataType) -> Option<DataType> {
    if left.is_floating_point() && right.is_floating_point() {
        return Some(if left.byte_width() >= right.byte_width() { left.clone() } else { right.clone() });
    }
    if left.is_floating_point() || right.is_floating_point() {
        return Some(DataType::Float64);
    }
    let is_wide = |data_type: &&DataType| {
        [left, right].into_iter().all(|narrow| narrow.is_integer() && holds_integers(data_type, narrow))
    };
    const INTEGERS: [DataType; 8] = [
        DataType::Int8,
        DataType::UInt8,
        DataType::Int16,
        DataType::UInt16,
        DataType::Int32,
        DataType::UInt32,
        DataType::Int64,
        DataType::UInt64,
    ];
    if let Some(integer) = INTEGERS.iter().find(is_wide) {
        return Some(integer.clone());
    }
    let [(left_whole, left_scale), (right_whole, right_scale)] = [digits(left)?, digits(right)?];
    let scale = left_scale.max(right_scale);
    let n_digits = left_whole.max(right_whole).checked_add(scale)?;
    match Precision::try_from(n_digits) {
        Ok(precision) => Some(DataType::Decimal128(precision, scale)),
        Err(_) => Some(DataType::Decimal256(Precision::try_from(n_digits).ok()?, scale)),
    }
}

/// Whether an integer type holds all values of another one.
fn holds_integers(wide: &DataType, narrow: &DataType) -> bool {
    if wide.is_signed_integer() == narrow.is_signed_integer() {
        wide.byte_width() >= narrow.byte_width()
    } else {
        wide.is_signed_integer() && wide.byte_width() > narrow.byte_width()
    }
}

/// The digits of an integer or a decimal before the point, and after it.
fn digits(data_type: &DataType) -> Option<(i32, i32)> {
    if let Some((precision, scale)) = data_type.as_decimal() {
        return Some((i32::from(precision).checked_sub(scale)?, scale));
    }
    let n_whole = match data_type.byte_width()? {
        1 => 3,
        2 => 5,
        4 => 10,
        _ if data_type.is_signed_integer() => 19,
        _ => 20,
    };
    Some((n_whole, 0))
}

fn wider_time(left: &DataType, right: &DataType) -> Option<DataType> {
    let is_date = |data_type: &DataType| matches!(data_type, DataType::Date32 | DataType::Date64);
    let has_zone = |data_type: &DataType| matches!(data_type.as_timestamp(), Some((_, Some(_))));
    match (left, right) {
        (DataType::Duration(left), DataType::Duration(right)) => Some(DataType::Duration(*left.max(right))),
        (DataType::Time32(_), DataType::Time32(_)) => Some(DataType::Time32(Time32Unit::Millisecond)),
        (DataType::Time64(_), DataType::Time64(_)) => Some(DataType::Time64(Time64Unit::Nanosecond)),
        (DataType::Time32(_), DataType::Time64(unit)) | (DataType::Time64(unit), DataType::Time32(_)) => {
            Some(DataType::Time64(*unit))
        }
        (DataType::Timestamp(unit, zone), DataType::Timestamp(other, _))
            if has_zone(left) == has_zone(right) =>
        {
            Some(DataType::Timestamp(*unit.max(other), zone.clone()))
        }
        (date, timestamp @ DataType::Timestamp(unit, _))
        | (timestamp @ DataType::Timestamp(unit, _), date)
            if is_date(date) && !has_zone(timestamp) =>
        {
            Some(DataType::Timestamp(*unit.max(&TimeUnit::Millisecond), None))
        }
        (left, right) if is_date(left) && is_date(right) => Some(DataType::Date64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_both_types_fit() {
        let table = [
            ("int8", "uint8", Some("int16")),
            ("uint64", "int8", Some("decimal128(20, 0)")),
            ("uint8", "uint32", Some("uint32")),
            ("int64", "float32", Some("float64")),
            ("float16", "float32", Some("float32")),
            ("int64", "decimal32(9, 2)", Some("decimal128(21, 2)")),
            ("decimal32(9, -2)", "decimal64(18, 4)", Some("decimal128(18, 4)")),
            ("decimal128(38, 0)", "decimal128(38, 30)", Some("decimal256(68, 30)")),
            ("decimal256(76, 0)", "decimal128(38, 30)", None),
            ("utf8", "dictionary<int8, utf8_view>", Some("large_utf8")),
            ("binary_view", "fixed_size_binary(4)", Some("large_binary")),
            ("utf8", "binary", None),
            ("date32", "timestamp(s)", Some("timestamp(ms)")),
            ("date32", "date64", Some("date64")),
            ("timestamp(s, \"UTC\")", "timestamp(us, \"Europe/Oslo\")", Some("timestamp(us, \"UTC\")")),
            ("timestamp(s, \"UTC\")", "timestamp(us)", None),
            ("time32(s)", "time64(ns)", Some("time64(ns)")),
            ("duration(s)", "duration(ms)", Some("duration(ms)")),
            ("null", "list<item: int8>", Some("list<item: int8>")),
            ("date32", "int32", None),
            ("list<item: int8>", "list<item: int16>", None),
        ];
        for (left, right, wider) in table {
            let parsed = |text: &str| text.parse::<DataType>().expect("a type");
            let wider = wider.map(parsed);
            assert_eq!(wider_type(&parsed(left), &parsed(right)), wider, "{left}, {right}");
            let flipped = wider_type(&parsed(right), &parsed(left));
            let is_zoned = left.contains("UTC");
            assert!(is_zoned || flipped == wider, "{right}, {left}");
        }
    }
}
