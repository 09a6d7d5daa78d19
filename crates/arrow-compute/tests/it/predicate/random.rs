//! Compares the rows of random predicates, over arrays of every type, with those of the plainest reading.

use std::cmp::Ordering;

use arrow_array::{AnyArray, Scalar};
use arrow_buffer::{F16, I256};
use arrow_compute::{ColumnBounds, ComparisonOperator, Matches, Predicate, Statistics};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::DataType;
use testing_support::{Generator, Hunt, Nulls, Rng, Value, all_types, values};

use super::{parsed, with_json_values};

/// Compares two values of a type without optimisation. `None` if the type has no order.
fn order(left: &Value, right: &Value, data_type: &DataType) -> Option<Ordering> {
    let float = |bits: &u64| match data_type.byte_width() {
        Some(2) => F16::from_bits(*bits as u16).to_f32().into(),
        Some(4) => f64::from(f32::from_bits(*bits as u32)),
        _ => f64::from_bits(*bits),
    };
    Some(match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        (Value::Bytes(left), Value::Bytes(right)) => left.cmp(right),
        (Value::Str(left), Value::Str(right)) => left.cmp(right),
        (Value::Decimal(left), Value::Decimal(right)) => {
            left.parse::<I256>().unwrap().partial_cmp(&right.parse::<I256>().unwrap())?
        }
        (Value::Float(left), Value::Float(right)) => {
            let (left, right) = (float(left), float(right));
            match (left.is_nan(), right.is_nan()) {
                (false, false) => left.partial_cmp(&right)?,
                (left, right) => left.cmp(&right),
            }
        }
        _ => return None,
    })
}

/// The type of the decoded values.
fn plain(data_type: &DataType) -> &DataType {
    match data_type.as_run_end_encoded() {
        Some(runs) => plain(runs.values().data_type()),
        None if data_type.is_dictionary() => plain(data_type.value_type()),
        None => data_type,
    }
}

fn is_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Union(_, value) => is_null(value),
        _ => false,
    }
}

fn holds(comparison: ComparisonOperator, order: Ordering) -> bool {
    match comparison {
        ComparisonOperator::Equal => order.is_eq(),
        ComparisonOperator::NotEqual => order.is_ne(),
        ComparisonOperator::Less => order.is_lt(),
        ComparisonOperator::LessOrEqual => order.is_le(),
        ComparisonOperator::Greater => order.is_gt(),
        ComparisonOperator::GreaterOrEqual => order.is_ge(),
    }
}

/// A condition, and its truth value for each row by a reading without optimisation.
struct Condition {
    predicate: Predicate,
    truths: Vec<Option<bool>>,
}

/// A random test of the column `c`, with a constant from the column.
fn question(rng: &mut Rng, array: &ArrayData, all: &[Value]) -> Option<Condition> {
    let data_type = plain(array.data_type());
    let truths = |truth: &dyn Fn(usize) -> bool| {
        let truth = |slot| (!is_null(&all[slot])).then(|| truth(slot));
        (0..all.len()).map(truth).collect()
    };
    let valid: Vec<usize> = (0..all.len()).filter(|slot| !is_null(&all[*slot])).collect();
    if valid.is_empty() || rng.below(8) == 0 {
        let truths = all.iter().map(|value| Some(is_null(value))).collect();
        return Some(Condition { predicate: Predicate::is_null("c"), truths });
    }
    let mut pick = || valid[rng.below(valid.len())];
    let picked: Vec<usize> = (0..3).map(|_| pick()).collect();
    let scalar = |slot: usize| Scalar::try_from_slot(array, slot).unwrap();
    let is_ordered = order(&all[picked[0]], &all[picked[0]], data_type).is_some();
    let text = AnyArray::try_new(array).unwrap();
    let same = |slot: usize, other: usize| match order(&all[slot], &all[other], data_type) {
        Some(order) => order.is_eq(),
        None => text.display(slot).to_string() == text.display(other).to_string(),
    };
    if rng.below(4) == 0 {
        let predicate = Predicate::one_of("c", picked.iter().map(|slot| scalar(*slot)));
        return Some(Condition { predicate, truths: truths(&|slot| picked.iter().any(|p| same(slot, *p))) });
    }
    let comparison = ComparisonOperator::ALL[rng.below(if is_ordered { 6 } else { 2 })];
    let predicate = Predicate::compare("c", comparison, scalar(picked[0]));
    let truth = |slot: usize| match order(&all[slot], &all[picked[0]], data_type) {
        Some(order) => holds(comparison, order),
        None => same(slot, picked[0]) == (comparison == ComparisonOperator::Equal),
    };
    Some(Condition { predicate, truths: truths(&truth) })
}

/// A random condition made of tests.
fn condition(rng: &mut Rng, array: &ArrayData, all: &[Value]) -> Option<Condition> {
    let mut condition = question(rng, array, all)?;
    for _ in 0..rng.below(4) {
        if rng.below(3) == 0 {
            condition.predicate = condition.predicate.not();
            condition.truths.iter_mut().for_each(|truth| *truth = truth.map(|truth| !truth));
            continue;
        }
        let other = question(rng, array, all)?;
        let is_and = rng.below(2) == 0;
        let decided = !is_and;
        let join = |(left, right): (&Option<bool>, &Option<bool>)| match (left, right) {
            (Some(truth), _) | (_, Some(truth)) if *truth == decided => Some(decided),
            (Some(_), Some(_)) => Some(!decided),
            _ => None,
        };
        condition.truths = condition.truths.iter().zip(&other.truths).map(join).collect();
        condition.predicate = match is_and {
            true => condition.predicate.and(other.predicate),
            false => condition.predicate.or(other.predicate),
        };
    }
    Some(condition)
}

/// The bounds of an array, from its statistics.
fn bounds(array: &ArrayData) -> ColumnBounds {
    let mut statistics = Statistics::new(array.data_type().clone());
    statistics.add(array).unwrap();
    let all = values(array);
    let has_nan = plain(array.data_type()).is_floating_point()
        && all
            .iter()
            .any(|value| order(value, &Value::Float(f64::NAN.to_bits()), &DataType::Float64).is_some());
    let max = statistics.max().filter(|max| !max.is_cut() && !has_nan);
    ColumnBounds {
        n_rows: Some(statistics.n_rows()),
        null_count: Some(statistics.null_count()),
        min: statistics.min().map(|min| min.value().clone()),
        max: max.map(|max| max.value().clone()),
        ..ColumnBounds::default()
    }
}

#[test]
fn rows_are_those_of_the_plainest_reading() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(17));
    let (mut n_none, mut n_all, mut n_true) = (0, 0, 0);
    for _ in 0..hunt.count(1, 100) {
        for (name, data_type) in all_types() {
            for nulls in Nulls::ALL {
                let n_slots = [1, 3, 70, 130][generator.rng().below(4)];
                let array = generator.sliced_array(&data_type, n_slots, nulls);
                let batch = RecordBatch::try_from_columns([("c", array.clone())]).unwrap();
                let max_bytes = generator.rng().below(12);
                let (all, known) = (values(&array), ColumnBounds::from_array(&array, max_bytes).unwrap());
                assert_eq!(known.null_count, bounds(&array).null_count, "{name}");
                for _ in 0..4 {
                    let Some(condition) = condition(generator.rng(), &array, &all) else { continue };
                    let Condition { predicate, truths } = condition;
                    assert_eq!(parsed(&predicate.to_string()), predicate, "{name}");
                    let bound = with_json_values(predicate.clone()).bind(batch.schema());
                    let bound = bound.unwrap_or_else(|error| panic!("{name}: {predicate}: {error}"));
                    assert_eq!(bound.columns(), [0]);
                    let rows = bound.matches(&batch).unwrap_or_else(|error| panic!("{name}: {error}"));
                    let expected: Vec<bool> = truths.iter().map(|truth| *truth == Some(true)).collect();
                    assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{name}: {predicate}\n{all:?}");
                    let n_rows = rows.count_set();
                    let matches = bound.can_match(|_| known.clone());
                    assert!(matches != Matches::None || n_rows == 0, "{name}: {predicate}: {known:?}");
                    assert!(
                        matches != Matches::All || n_rows == truths.len(),
                        "{name}: {predicate}: {known:?}"
                    );
                    assert_ne!(
                        bound.can_match(|_| ColumnBounds::default()),
                        Matches::All,
                        "{name}: {predicate}"
                    );
                    n_none += usize::from(matches == Matches::None);
                    n_all += usize::from(matches == Matches::All);
                    n_true += n_rows;
                }
            }
        }
    }
    assert!(n_none > 20 && n_all > 20 && n_true > 500, "{n_none} {n_all} {n_true}");
}
