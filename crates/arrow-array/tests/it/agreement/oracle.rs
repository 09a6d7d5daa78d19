//! The JSON form of values, written without optimisation from a plain reading of an array.

use arrow_buffer::F16;
use arrow_schema::{DataType, Field, IntervalUnit, Time32Unit, Time64Unit, TimeUnit};
use testing_support::{Value, shortest_text};

/// The JSON form of a value of this type, as `NOTATION.md` of `arrow-text` defines it.
pub(crate) fn json(value: &Value, data_type: &DataType) -> String {
    if let Some(dictionary) = data_type.as_dictionary() {
        return json(value, dictionary.value());
    }
    if let Some(runs) = data_type.as_run_end_encoded() {
        return json(value, runs.values().data_type());
    }
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(bit) => bit.to_string(),
        Value::Int(number) => integer(*number, data_type),
        Value::Float(bits) => float(*bits, data_type),
        Value::Decimal(digits) => decimal(digits, scale(data_type)),
        Value::Interval(months, days, rest) => match data_type {
            DataType::Interval(IntervalUnit::YearMonth) => format!("{{\"months\":{months}}}"),
            DataType::Interval(IntervalUnit::DayTime) => {
                format!("{{\"days\":{days},\"milliseconds\":{rest}}}")
            }
            _ => format!("{{\"months\":{months},\"days\":{days},\"nanoseconds\":{rest}}}"),
        },
        Value::Bytes(bytes) => {
            quoted(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat())
        }
        Value::Str(text) => string(text),
        Value::List(items) => {
            let item_type = data_type.children()[0].data_type();
            array(items.iter().map(|item| json(item, item_type)))
        }
        Value::Struct(values) => record(data_type.children(), values),
        Value::Map(pairs) => {
            let map = data_type.as_map().expect("a map");
            let (key, item) = (map.key().data_type(), map.value().data_type());
            array(pairs.iter().map(|(k, v)| array([json(k, key), json(v, item)])))
        }
        Value::Union(type_id, value) => {
            let union = data_type.as_union().expect("a union");
            let field = &union.fields()[union.child_of(*type_id).expect("a known type id")];
            let value = json(value, field.data_type());
            if repeats(union.fields()) {
                format!("[{type_id},{value}]")
            } else {
                format!("{{{}:{value}}}", string(field.name()))
            }
        }
    }
}

/// The JSON form of a row or a struct.
pub(crate) fn record(fields: &[Field], values: &[Value]) -> String {
    let members = fields.iter().zip(values).map(|(field, value)| {
        let (name, value) = (string(field.name()), json(value, field.data_type()));
        if repeats(fields) { format!("[{name},{value}]") } else { format!("{name}:{value}") }
    });
    let members = members.collect::<Vec<_>>().join(",");
    if repeats(fields) { format!("[{members}]") } else { format!("{{{members}}}") }
}

fn repeats(fields: &[Field]) -> bool {
    fields.iter().any(|field| fields.iter().filter(|other| other.name() == field.name()).count() > 1)
}

fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

fn quoted(plain: &str) -> String {
    format!("\"{plain}\"")
}

fn string(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|char| match char {
            '"' | '\\' => format!("\\{char}"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", u32::from(char)),
            _ => char.to_string(),
        })
        .collect();
    quoted(&escaped)
}

fn float(bits: u64, data_type: &DataType) -> String {
    let (value, text) = match data_type {
        DataType::Float16 => {
            let value = F16::from_bits(bits as u16);
            (f64::from(value), format!("{value:?}"))
        }
        DataType::Float32 => {
            let value = f32::from_bits(bits as u32);
            (f64::from(value), shortest_text(value))
        }
        _ => (f64::from_bits(bits), shortest_text(f64::from_bits(bits))),
    };
    match (value.is_nan(), value.is_infinite(), value > 0.0) {
        (true, _, _) => quoted("NaN"),
        (_, true, true) => quoted("Infinity"),
        (_, true, false) => quoted("-Infinity"),
        _ => text,
    }
}

fn scale(data_type: &DataType) -> i32 {
    match data_type {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => *scale,
        other => panic!("{other} has no scale"),
    }
}

fn decimal(unscaled: &str, scale: i32) -> String {
    let (sign, digits) = unscaled.strip_prefix('-').map_or(("", unscaled), |digits| ("-", digits));
    let text = if scale <= 0 {
        let zeros = if digits == "0" { String::new() } else { "0".repeat(scale.unsigned_abs() as usize) };
        format!("{digits}{zeros}")
    } else {
        let digits = format!("{digits:0>width$}", width = scale as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
        format!("{whole}.{fraction}")
    };
    quoted(&format!("{sign}{text}"))
}

fn integer(number: i128, data_type: &DataType) -> String {
    let day = |unit: TimeUnit| 86_400 * i128::from(unit.per_second());
    let time = |unit: TimeUnit| {
        if (0..day(unit)).contains(&number) { quoted(&clock(number, unit)) } else { number.to_string() }
    };
    let timestamp = |unit: TimeUnit| {
        format!("{}T{}", date(number.div_euclid(day(unit))), clock(number.rem_euclid(day(unit)), unit))
    };
    match data_type {
        DataType::Date32 => quoted(&date(number)),
        DataType::Date64 if number.rem_euclid(day(TimeUnit::Millisecond)) == 0 => {
            quoted(&date(number.div_euclid(day(TimeUnit::Millisecond))))
        }
        DataType::Date64 => quoted(&timestamp(TimeUnit::Millisecond)),
        DataType::Time32(Time32Unit::Second) => time(TimeUnit::Second),
        DataType::Time32(Time32Unit::Millisecond) => time(TimeUnit::Millisecond),
        DataType::Time64(Time64Unit::Microsecond) => time(TimeUnit::Microsecond),
        DataType::Time64(Time64Unit::Nanosecond) => time(TimeUnit::Nanosecond),
        DataType::Timestamp(unit, zone) if zone.as_deref().is_none_or(str::is_empty) => {
            quoted(&timestamp(*unit))
        }
        DataType::Timestamp(unit, Some(_)) => quoted(&format!("{}Z", timestamp(*unit))),
        DataType::Interval(IntervalUnit::YearMonth) => format!("{{\"months\":{number}}}"),
        _ => number.to_string(),
    }
}

fn clock(ticks: i128, unit: TimeUnit) -> String {
    let per_second = i128::from(unit.per_second());
    let (seconds, fraction) = (ticks / per_second, ticks % per_second);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match unit {
        TimeUnit::Second => time,
        TimeUnit::Millisecond => format!("{time}.{fraction:03}"),
        TimeUnit::Microsecond => format!("{time}.{fraction:06}"),
        TimeUnit::Nanosecond => format!("{time}.{fraction:09}"),
    }
}

/// Finds the date by counting years and months from 1970-01-01 or a multiple of 400 years before or after it.
fn date(days: i128) -> String {
    let mut year = 1970 + 400 * days.div_euclid(146_097);
    let mut left = days.rem_euclid(146_097);
    let is_leap = |year: i128| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while left >= 365 + i128::from(is_leap(year)) {
        left -= 365 + i128::from(is_leap(year));
        year += 1;
    }
    let mut month = 0;
    let lengths = [31, 28 + i128::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    format!("{year}-{:02}-{:02}", month + 1, left + 1)
}
