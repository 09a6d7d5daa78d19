//! Casts between all pairs of types that have one, of arrays with all kinds of nulls: each value and each null stays what
//! the plainest reading gives, or there is an error.

use arrow_buffer::F16;
use arrow_compute::{CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, Level};
use arrow_schema::{DataType, Field, IndexType, RunEndType};
use testing_support::{Generator, Hunt, Nulls, Value, all_types, values};

/// The types around one: encodings, and parents that hide it, with and without nulls.
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

/// A number with as many digits after the point as its type says, or of nanoseconds.
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

fn float(value: &Value, data_type: &DataType) -> Option<f64> {
    let Value::Float(bits) = value else { return None };
    Some(match data_type.byte_width()? {
        2 => F16::from_bits(*bits as u16).to_f32().into(),
        4 => f32::from_bits(*bits as u32).into(),
        _ => f64::from_bits(*bits),
    })
}

/// The type without encodings around it.
fn plain(data_type: &DataType) -> &DataType {
    match data_type.as_run_end_encoded() {
        Some(runs) => plain(runs.values().data_type()),
        None if data_type.is_dictionary() => plain(data_type.value_type()),
        None => data_type,
    }
}

/// Whether two values of two types are the same, each read in the plainest way.
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
        (Value::Int(_) | Value::Decimal(_), Value::Int(_) | Value::Decimal(_)) => {
            rational(value, of) == rational(other, to)
        }
        _ => value == other,
    }
}

/// Whether there is such a cast at all.
fn is_accepted(from: &DataType, to: &DataType) -> bool {
    match cast(&ArrayData::new_empty(from), to, Digits::Keep) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), CastErrorKind::Unsupported { .. }),
    }
}

/// Whether the cast was done.
fn check(array: &ArrayData, to: &DataType) -> bool {
    let from = array.data_type();
    let Ok(found) = cast(array, to, Digits::Keep) else { return false };
    assert_eq!((found.data_type(), found.len()), (to, array.len()));
    let found = found.validate(Level::Content).unwrap();
    for (slot, (before, after)) in values(array).iter().zip(&values(&found)).enumerate() {
        let is_same = is_same((before, from), (after, to));
        assert!(is_same, "{from} to {to}, slot {slot}: {before:?} became {after:?}\n{}", array.dump());
    }
    true
}

/// Arrays with all kinds of nulls: many are slices, have empty dictionaries, empty lists, and garbage in null slots.
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

/// Pairs of types that differ inside of encodings and parents that differ, too.
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
