//! Decimals of 256 bits.

use arrow_array::{AnyArray, Decimal, Decimal256Array};
use arrow_buffer::{Buffer, I256};
use arrow_schema::DataType;

use super::{Number, Problem, buffer, for_each_valid};
use crate::cast::Digits;

/// Casts to or from decimals of 256 bits, number by number.
pub(super) fn cast(
    (array, scale): (&AnyArray, i32),
    to: &DataType,
    digits: Digits,
    note: &mut impl FnMut(Problem, usize),
) -> Buffer {
    let (precision, new_scale) = to.as_decimal().unwrap_or((u8::MAX, 0));
    let max = I256::checked_pow10(precision.into());
    let mut numbers = vec![I256::default(); array.len()];
    let mut step = |slot: usize, number: I256| {
        let number = Decimal::new(number, scale);
        let cast = number.rescaled(new_scale).or_else(|| cut(number, new_scale, digits));
        let Some(cast) = cast.map(|number| number.unscaled()) else {
            // With fewer digits it cannot be too large.
            return note(if new_scale < scale { Problem::Digits } else { Problem::Range }, slot);
        };
        let fits = max.is_none_or(|max| cast < max && cast.checked_neg().is_some_and(|number| number < max));
        match numbers.get_mut(slot) {
            Some(place) if fits => *place = cast,
            _ => note(Problem::Range, slot),
        }
    };
    match array.downcast_ref::<Decimal256Array>() {
        Some(wide) => wide.iter().enumerate().for_each(|(slot, number)| {
            if let Some(number) = number {
                step(slot, number);
            }
        }),
        None => {
            let mut narrow = i128::all(array);
            for_each_valid(array, &mut narrow, |slot, number| step(slot, I256::from(*number)));
        }
    }
    if to.byte_width() == Some(32) {
        return Buffer::from(numbers);
    }
    let mut narrow = Vec::with_capacity(numbers.len());
    for (slot, number) in numbers.into_iter().enumerate() {
        narrow.push(i128::try_from(number).unwrap_or_else(|_| {
            note(Problem::Range, slot);
            0
        }));
    }
    buffer(to, &narrow).unwrap_or_else(|slot| {
        note(Problem::Range, slot);
        Buffer::new()
    })
}

/// The number without the digits after those that the scale keeps, by its text.
fn cut(number: Decimal<I256>, scale: i32, digits: Digits) -> Option<Decimal<I256>> {
    if digits == Digits::Keep || scale >= number.scale() {
        return None;
    }
    let n_cut = usize::try_from(number.scale().checked_sub(scale)?).ok()?;
    let text = number.unscaled().to_string();
    let kept = text.len().checked_sub(n_cut).and_then(|n_kept| text.get(..n_kept)).unwrap_or_default();
    let kept = if matches!(kept, "" | "-") { "0" } else { kept };
    Some(Decimal::new(kept.parse().ok()?, scale))
}
