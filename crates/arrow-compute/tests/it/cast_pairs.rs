//! Casts between all pairs of types for which a cast exists, of arrays with nulls. Each value and each null is the same as with
//! code without optimisation, or the cast is an error.

use arrow_array::Int64Array;
use arrow_buffer::F16;
use arrow_compute::{CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, Validation};
use arrow_schema::{DataType, Field, IndexType, IntervalUnit, RunEndType};
use arrow_select::Select;
use testing_support::{Generator, Hunt, Nulls, Value, all_types, values};

/// A type in dictionaries, runs and nested types, which may be nullable.
fn around(inner: &DataType) -> Vec<DataType> {
    let item = |data_type: &DataType| Field::new("item", data_type.clone());
    let runs = |data_type: &DataType| DataType::run_end_encoded(RunEndType::Int32, data_type.clone());
    let dictionary = |data_type: &DataType| DataType::dictionary(IndexType::Int8, data_type.clone()).ok();
    let mut types = vec![inner.clone(), runs(inner)];
    types.extend(dictionary(inner));
    types.extend(dictionary(&runs(inner)));
    types.extend(dictionary(inner).map(|encoded| runs(&encoded)));
    let encoded = types.clone();
    for data_type in [inner].into_iter().chain(encoded.get(1..3).unwrap_or_default()) {
        types.push(DataType::list(item(data_type)));
        types.push(DataType::list_view(item(data_type)));
        types.push(DataType::fixed_size_list(item(data_type), 2).unwrap());
        types.push(DataType::struct_([Field::new("a", data_type.clone())]));
        types.push(DataType::struct_([Field::new("a", data_type.clone()).required()]));
    }
    types
}

/// A decimal number with its scale, or a number of nanoseconds.
fn rational(value: &Value, data_type: &DataType) -> Option<(String, i32)> {
    let nanoseconds: i128 = match (data_type.unit(), data_type) {
        (Some("s"), _) => 1_000_000_000,
        (Some("ms"), _) | (None, DataType::Date64) => 1_000_000,
        (Some("us"), _) => 1_000,
        (None, DataType::Date32) => 86_400_000_000_000,
        _ => 1,
    };
    let (digits, scale) = match value {
        Value::Int(number) => ((number * nanoseconds).to_string(), 0),
        Value::Decimal(digits) => (digits.clone(), data_type.as_decimal()?.1),
        _ => return None,
    };
    let short = digits.trim_end_matches('0');
    let n_zeros = i32::try_from(digits.len() - short.len()).unwrap();
    Some(if short.is_empty() { ("0".to_owned(), 0) } else { (short.to_owned(), scale - n_zeros) })
}

/// Months, days and nanoseconds.
fn interval(value: &Value, data_type: &DataType) -> Option<(i32, i32, i128)> {
    let Value::Interval(months, days, number) = value else { return None };
    let is_milliseconds = *data_type == DataType::Interval(IntervalUnit::DayTime);
    Some((*months, *days, i128::from(*number) * if is_milliseconds { 1_000_000 } else { 1 }))
}

fn float(value: &Value, data_type: &DataType) -> Option<f64> {
    let Value::Float(bits) = value else { return None };
    Some(match data_type.byte_width()? {
        2 => F16::from_bits(*bits as u16).to_f32().into(),
        4 => f32::from_bits(*bits as u32).into(),
        _ => f64::from_bits(*bits),
    })
}

/// A decimal as digits and an exponent.
fn decimal_text(value: &Value, data_type: &DataType) -> String {
    let Value::Decimal(digits) = value else { unreachable!("it is a decimal") };
    format!("{digits}e{}", -data_type.as_decimal().unwrap().1)
}

/// Whether a text is the text form of a value, by a reading without optimisation.
fn is_text_of(text: &str, (value, data_type): (&Value, &DataType)) -> bool {
    match value {
        Value::Str(other) => text == other,
        Value::Bool(flag) => text.to_ascii_lowercase().parse() == Ok(*flag),
        Value::Float(_) => {
            let (found, expected) = (text.parse::<f64>().unwrap(), float(value, data_type).unwrap());
            let is_near = match data_type.byte_width() {
                Some(2) => F16::from_f64(found) == F16::from_f64(expected),
                Some(4) => text.parse::<f32>().unwrap() == expected as f32,
                _ => found == expected,
            };
            is_near || found.is_nan() && expected.is_nan()
        }
        Value::Decimal(_) => {
            let (digits, scale) = rational(value, data_type).unwrap();
            let exact = |text: &str| {
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                let all = format!("{whole}{fraction}");
                let short = all.trim_end_matches('0');
                let n_zeros = i32::try_from(all.len() - short.len()).unwrap();
                let sign = if short.starts_with('-') { "-" } else { "" };
                let digits = short.trim_start_matches(['-', '+']).trim_start_matches('0');
                (format!("{sign}{digits}"), i32::try_from(fraction.len()).unwrap() - n_zeros)
            };
            digits == "0" || text.contains('e') || exact(text) == (digits, scale)
        }
        Value::Int(number) if data_type.is_integer() || data_type.name() == "duration" => {
            text.parse() == Ok(*number)
        }
        // `texts_of_days_and_times_are_those_of_a_calendar` compares dates and times.
        Value::Int(_) => true,
        _ => false,
    }
}

/// The year, month and day of a number of days, found by counting.
fn civil(days: i64) -> (i64, i64, i64) {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut left) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left >= length {
            (left, year) = (left - length, year + 1);
        } else if left < 0 {
            year -= 1;
            left += if is_leap(year) { 366 } else { 365 };
        } else {
            break;
        }
    }
    let mut month = 1;
    for length in [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        (left, month) = (left - length, month + 1);
    }
    (year, month, left + 1)
}

#[test]
fn texts_of_days_and_times_are_those_of_a_calendar() {
    let mut generator = Generator::new(Hunt::from_env().seed(17));
    let seconds: Vec<i64> = (0..500)
        .map(|_| generator.rng().within(-60_000_000_000..=200_000_000_000))
        .chain([0, -1, 951_782_400])
        .collect();
    let timestamps = Int64Array::from_iter(seconds.iter().copied()).into_data();
    let timestamps = cast(&timestamps, &"timestamp(s)".parse().unwrap(), Digits::Keep).unwrap();
    let texts = cast(&timestamps, &DataType::Utf8, Digits::Keep).unwrap();
    for (seconds, text) in seconds.iter().zip(values(&texts)) {
        let (year, month, day) = civil(seconds.div_euclid(86_400));
        let clock = seconds.rem_euclid(86_400);
        let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
        let expected = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        assert_eq!(text, Value::Str(expected), "{seconds}");
    }
    let back = cast(&texts, &"timestamp(s)".parse().unwrap(), Digits::Keep).unwrap();
    assert_eq!(values(&back), values(&timestamps));
}

/// For each type that has a text form, values are read back from their text.
#[test]
fn texts_are_read_back() {
    let mut generator = Generator::new(Hunt::from_env().seed(18));
    let mut n_types = 0;
    for (_, data_type) in all_types() {
        let is_plain = !(data_type.is_text()
            || data_type.is_binary()
            || data_type.is_dictionary()
            || data_type.is_run_end_encoded());
        if !is_plain || data_type == DataType::Null || !is_accepted(&data_type, &DataType::Utf8) {
            continue;
        }
        n_types += 1;
        for nulls in Nulls::ALL {
            let array = generator.sliced_array(&data_type, 50, nulls);
            let Ok(text) = cast(&array, &DataType::Utf8View, Digits::Keep) else { continue };
            let back =
                cast(&text, &data_type, Digits::Keep).unwrap_or_else(|error| panic!("{data_type}: {error}"));
            for (slot, (before, after)) in values(&array).iter().zip(&values(&back)).enumerate() {
                assert!(
                    is_same((before, &data_type), (after, &data_type)),
                    "{data_type}, slot {slot}: {before:?} {after:?}"
                );
            }
        }
    }
    assert!(n_types > 20, "{n_types}");
}

/// The type of the decoded values.
fn plain(data_type: &DataType) -> &DataType {
    match data_type.as_run_end_encoded() {
        Some(runs) => plain(runs.values().data_type()),
        None if data_type.is_dictionary() => plain(data_type.value_type()),
        None => data_type,
    }
}

/// Whether two values of two types are equal, by a reading without optimisation.
fn is_same((value, of): (&Value, &DataType), (other, to): (&Value, &DataType)) -> bool {
    let (of, to) = (plain(of), plain(to));
    let child = |data_type: &DataType, idx: usize| data_type.children()[idx].data_type().clone();
    match (value, other) {
        (Value::Null, Value::Null) => true,
        (Value::Bytes(bytes), Value::Str(text)) | (Value::Str(text), Value::Bytes(bytes)) => {
            bytes == text.as_bytes()
        }
        (Value::Float(_), Value::Float(_)) => {
            let (one, other) = (float(value, of).unwrap(), float(other, to).unwrap());
            one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
        }
        (Value::Int(number), Value::Float(_)) => float(other, to).unwrap() as i128 == *number,
        (Value::Float(_), Value::Int(number)) => {
            let float = float(value, of).unwrap();
            float.fract() == 0.0 && float as i128 == *number
        }
        (Value::List(items), Value::List(others)) => {
            let (of, to) = (child(of, 0), child(to, 0));
            let mut pairs = items.iter().zip(others);
            items.len() == others.len() && pairs.all(|(item, other)| is_same((item, &of), (other, &to)))
        }
        (Value::Struct(fields), Value::Struct(others)) => {
            let mut pairs = fields.iter().zip(others).enumerate();
            fields.len() == others.len()
                && pairs.all(|(idx, (one, other))| is_same((one, &child(of, idx)), (other, &child(to, idx))))
        }
        (Value::Map(pairs), Value::Map(others)) => {
            let [of, to] = [of, to].map(|map| child(map, 0));
            let is_same_pair = |(one, other): (&(Value, Value), &(Value, Value))| {
                is_same((&one.0, &child(&of, 0)), (&other.0, &child(&to, 0)))
                    && is_same((&one.1, &child(&of, 1)), (&other.1, &child(&to, 1)))
            };
            pairs.len() == others.len() && pairs.iter().zip(others).all(is_same_pair)
        }
        (Value::Union(id, value), Value::Union(other_id, other)) => {
            let type_of = |data_type: &DataType, id: i8| {
                let union = data_type.as_union().unwrap();
                child(data_type, union.child_of(id).unwrap())
            };
            id == other_id && is_same((value, &type_of(of, *id)), (other, &type_of(to, *id)))
        }
        (Value::Int(one), Value::Int(other)) if of.is_integer() != to.is_integer() => one == other,
        (value, Value::Str(text)) => is_text_of(text, (value, of)),
        (Value::Str(text), value) => is_text_of(text, (value, to)),
        (Value::Bool(flag), Value::Int(number)) => to.is_integer() && *number == i128::from(*flag),
        (Value::Float(_), Value::Decimal(_)) => is_text_of(&decimal_text(other, to), (value, of)),
        (Value::Decimal(_), Value::Float(_)) => is_text_of(&decimal_text(value, of), (other, to)),
        (Value::Int(_) | Value::Decimal(_), Value::Int(_) | Value::Decimal(_)) => {
            rational(value, of) == rational(other, to)
        }
        (Value::Interval(..), Value::Interval(..)) => interval(value, of) == interval(other, to),
        _ => value == other,
    }
}

/// Whether a cast between the types exists.
fn is_accepted(from: &DataType, to: &DataType) -> bool {
    match cast(&ArrayData::new_empty(from), to, Digits::Keep) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), CastErrorKind::Unsupported { .. }),
    }
}

/// Whether the value of each valid slot can be cast.
fn fit_alone(array: &ArrayData, to: &DataType) -> bool {
    let mut valid = (0..array.len()).filter(|slot| array.is_valid(*slot));
    valid.all(|slot| cast(&array.take(&[slot]).unwrap(), to, Digits::Keep).is_ok())
}

/// Casts and compares. Returns whether the cast succeeded.
fn check(array: &ArrayData, to: &DataType) -> bool {
    let from = array.data_type();
    let found = match cast(array, to, Digits::Keep) {
        Ok(found) => found,
        Err(error) => {
            let is_of_value =
                matches!(error.kind(), CastErrorKind::OutOfRange { .. } | CastErrorKind::LostDigits { .. });
            // What no slot shows is no reason to refuse the others.
            // Runs below a null of a fixed-size list are cast with the others, and fields that become required have no nulls, even
            // below a null.
            let [old, new] = [from, to].map(|of| of.children().first());
            let hides_runs = from.name() == "fixed_size_list"
                && old.is_some_and(|item| item.data_type().is_run_end_encoded());
            let requires = old.is_some_and(Field::is_nullable) && new.is_some_and(|new| !new.is_nullable());
            let is_clear = (hides_runs || requires) && array.null_count() > 0;
            assert!(
                !is_of_value || is_clear || !fit_alone(array, to),
                "{from} to {to}: {error}\n{}",
                array.dump()
            );
            return false;
        }
    };
    assert_eq!((found.data_type(), found.len()), (to, array.len()));
    let found = found.validate(Validation::Content).unwrap();
    for (slot, (before, after)) in values(array).iter().zip(&values(&found)).enumerate() {
        let is_same = is_same((before, from), (after, to));
        assert!(is_same, "{from} to {to}, slot {slot}: {before:?} became {after:?}\n{}", array.dump());
    }
    true
}

/// Tests arrays with nulls. Many are slices, have empty dictionaries or lists, or have arbitrary bytes in null slots.
fn check_pair(from: &DataType, to: &DataType, generator: &mut Generator) -> usize {
    let lengths = [0, 1, 7];
    let arrays = Nulls::ALL.into_iter().flat_map(|nulls| lengths.map(|n_slots| (nulls, n_slots)));
    arrays.filter(|(nulls, n_slots)| check(&generator.sliced_array(from, *n_slots, *nulls), to)).count()
}

#[test]
fn every_value_and_null_stays_between_all_types() {
    let mut generator = Generator::new(Hunt::from_env().seed(11));
    let types = all_types();
    let (mut n_pairs, mut n_done) = (0, 0);
    for (_, from) in &types {
        for (_, to) in &types {
            if is_accepted(from, to) {
                n_pairs += 1;
                n_done += check_pair(from, to, &mut generator);
            }
        }
    }
    assert!(n_pairs > 500 && n_done > 5_000, "{n_pairs} pairs, {n_done} casts");
}

#[test]
fn every_value_and_null_stays_between_all_encodings() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(12));
    let (mut n_pairs, mut n_done) = (0, 0);
    for (case, (_, inner)) in all_types().into_iter().enumerate() {
        let types = around(&inner);
        for from in &types {
            for to in hunt.some_of(&types, 3, case) {
                if is_accepted(from, to) {
                    n_pairs += 1;
                    n_done += check_pair(from, to, &mut generator);
                }
            }
        }
    }
    assert!(n_pairs > 1_000 && n_done > 10_000, "{n_pairs} pairs, {n_done} casts");
}

/// Pairs of types whose encodings and parents differ, too.
#[test]
fn every_value_and_null_stays_between_types_in_encodings() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(13));
    let types = all_types();
    let mut n_done = 0;
    for _ in 0..hunt.count(400, 40_000) {
        let mut pick = |types: &[DataType]| generator.rng().pick(types).clone();
        let inner: Vec<DataType> = types.iter().map(|(_, data_type)| data_type.clone()).collect();
        let (from, to) = (pick(&inner), pick(&inner));
        if is_accepted(&from, &to) {
            let (from, to) = (pick(&around(&from)), pick(&around(&to)));
            n_done += check_pair(&from, &to, &mut generator);
        }
    }
    assert!(n_done > 50, "{n_done} casts");
}
