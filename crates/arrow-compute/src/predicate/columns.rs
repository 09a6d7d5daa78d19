//! Compares the values of two columns in the same row.

use std::cmp::Ordering;

use arrow_array::{AnyArray, BooleanArray, PrimitiveArray, PrimitiveType, with_bytes, with_ordered};
use arrow_buffer::{Bitmap, BitmapBuilder, MemoryBudget};
use arrow_data::{ArrayData, Comparer};
use arrow_schema::DataType;
use arrow_select::SelectError;

use super::{
    ComparisonOperator, PredicateError,
    answers::{Answers, same_len},
    range_set::is_nan,
};
use crate::{
    Cast, Digits,
    long_values::{LongValues, MAX_SHORT_BYTES, identity},
    statistics::value_type,
};

/// Compares two arrays of the same length, slot by slot. `values` is the type in which their values are compared; floating-point
/// numbers round others, as they round constants.
pub(super) fn compared(
    [left, right]: [&ArrayData; 2],
    comparison: ComparisonOperator,
    values: &DataType,
    budget: &MemoryBudget,
) -> Result<Answers, PredicateError> {
    let has_no_values = |array: &ArrayData| *value_type(array.data_type()) == DataType::Null;
    if has_no_values(left) || has_no_values(right) {
        return Ok(Answers::open(left.len()));
    }
    let cast = |array: &ArrayData| -> Result<AnyArray, PredicateError> {
        let cast = Cast::new(values.clone(), Digits::Drop).array(array, budget)?;
        Ok(AnyArray::try_from(cast)?)
    };
    let left = cast(left)?;
    let right = cast(right)?;
    let holds = holds([&left, &right], comparison)?;
    let mut validity: Option<Bitmap> = None;
    for side in [&left, &right] {
        validity = match (validity, side.data().logical_validity()?) {
            (Some(left), Some(right)) => Some(same_len(left.and(&right))),
            (left, right) => left.or(right),
        };
    }
    Ok(Answers::new(holds, validity.as_ref()))
}

/// The slots for which the comparison is true. The bits of null slots have no meaning.
fn holds([left, right]: [&AnyArray; 2], comparison: ComparisonOperator) -> Result<Bitmap, PredicateError> {
    if let (Some(left), Some(right)) =
        (left.downcast_ref::<BooleanArray>(), right.downcast_ref::<BooleanArray>())
    {
        return Ok(left
            .values()
            .iter()
            .zip(right.values())
            .map(|(left, right)| admits(comparison, left.cmp(&right)))
            .collect());
    }
    let numbers = with_ordered!(left, numbers => numbers_hold(numbers, right, comparison), _ => None);
    if let Some(holds) = numbers {
        return Ok(holds);
    }
    let bytes =
        |array: &AnyArray| array.data().text_as_bytes().map_or_else(|| Ok(array.clone()), AnyArray::try_from);
    let left_bytes = bytes(left)?;
    let right_bytes = bytes(right)?;
    if let (Some(left_slots), Some(right_slots)) = (slots(&left_bytes), slots(&right_bytes)) {
        let long = LongValues::new(&[left.data(), right.data()]);
        return Ok(bytes_hold(&left_slots, &right_slots, comparison, long)?);
    }
    forms_hold([left.data(), right.data()], comparison)
}

/// Identifies two values.
type PairIdentity = [(usize, usize); 2];

fn bytes_hold(
    left: &[&[u8]],
    right: &[&[u8]],
    comparison: ComparisonOperator,
    mut long: LongValues<PairIdentity, Ordering>,
) -> Result<Bitmap, SelectError> {
    let mut order = |left: &[u8], right: &[u8]| {
        let (Some((start, _)), Some((other_start, _))) =
            (left.split_at_checked(MAX_SHORT_BYTES), right.split_at_checked(MAX_SHORT_BYTES))
        else {
            return Ok(left.cmp(right));
        };
        match start.cmp(other_start) {
            Ordering::Equal => {
                let n_bytes = left.len().min(right.len());
                long.answer([identity(left), identity(right)], n_bytes, || left.cmp(right))
            }
            order @ (Ordering::Less | Ordering::Greater) => Ok(order),
        }
    };
    let orders = left.iter().zip(right).map(|(left, right)| order(left, right));
    orders.map(|order| order.map(|order| admits(comparison, order))).collect()
}

/// Compares values without an order by their bits. Values that share items are compared once.
fn forms_hold(
    [left, right]: [&ArrayData; 2],
    comparison: ComparisonOperator,
) -> Result<Bitmap, PredicateError> {
    let n_slots = left.len();
    let is_other = comparison == ComparisonOperator::NotEqual;
    let mut comparer = Comparer::try_new(left, right)?;
    let mut holds = BitmapBuilder::with_capacity(n_slots);
    let mut start = 0;
    while start < n_slots {
        let n_same = comparer.first_mismatch(start..n_slots, start)?;
        holds.extend_constant(!is_other, n_same.unwrap_or(n_slots - start));
        if n_same.is_some() {
            holds.push(is_other);
        }
        start = holds.len();
    }
    Ok(holds.finish())
}

fn numbers_hold<T: PrimitiveType<Native: PartialOrd>>(
    left: &PrimitiveArray<T>,
    right: &AnyArray,
    comparison: ComparisonOperator,
) -> Option<Bitmap> {
    let right = right.downcast_ref::<PrimitiveArray<T>>()?;
    Some(values_hold(left.values(), right.values(), comparison))
}

/// Types with the same Rust type share the compiled code.
#[inline(never)]
fn values_hold<N: PartialOrd>(left: &[N], right: &[N], comparison: ComparisonOperator) -> Bitmap {
    left.iter().zip(right).map(|(left, right)| admits(comparison, order(left, right))).collect()
}

/// NaN equals NaN, and is greater than all other numbers.
fn order<N: PartialOrd>(left: &N, right: &N) -> Ordering {
    left.partial_cmp(right).unwrap_or_else(|| is_nan(left).cmp(&is_nan(right)))
}

/// The bytes of each slot. `None` if the values are not bytes.
fn slots(array: &AnyArray) -> Option<Vec<&[u8]>> {
    with_bytes!(array, values => Some((0..values.len()).map(|slot| values.value(slot)).collect()), _ => None)
}

fn admits(comparison: ComparisonOperator, order: Ordering) -> bool {
    match comparison {
        ComparisonOperator::Equal => order.is_eq(),
        ComparisonOperator::NotEqual => order.is_ne(),
        ComparisonOperator::Less => order.is_lt(),
        ComparisonOperator::LessOrEqual => order.is_le(),
        ComparisonOperator::Greater => order.is_gt(),
        ComparisonOperator::GreaterOrEqual => order.is_ge(),
    }
}
