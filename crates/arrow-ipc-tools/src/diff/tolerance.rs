//! Numbers that are equal within a tolerance.

use std::ops::Range;

use arrow_array::Float64Array;
use arrow_compute::{CastError, Digits, cast};
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// The number of slots that are decoded at once. Few bytes can declare many slots, and a column may be compared with many
/// others, so only the slots after a difference are decoded.
const DECODED_SLOTS: usize = 1 << 12;

/// Compares slots of two columns of floating-point numbers, in any encoding and width.
pub(super) struct CloseNumbers {
    sides: [ArrayData; 2],
    tolerance: f64,
    /// The slots that were decoded last.
    decoded: Option<DecodedSlots>,
}

/// Numbers in consecutive slots of both sides.
struct DecodedSlots {
    /// The first slot on each side.
    start: [usize; 2],
    numbers: [Float64Array; 2],
}

impl CloseNumbers {
    pub(super) fn new(sides: [&ArrayData; 2], tolerance: f64) -> CloseNumbers {
        CloseNumbers { sides: sides.map(ArrayData::clone), tolerance, decoded: None }
    }

    /// How many of the slots `a` of A are close to those of B, which begin at `b`, before the first that is not.
    /// Looks only at some of the slots.
    ///
    /// # Errors
    /// If the numbers cannot be decoded.
    pub(super) fn n_close(&mut self, a: Range<usize>, b: usize) -> Result<usize, CastError> {
        let n_slots = a.len();
        let start = [a.start, b];
        let known = self.decoded.take().filter(|decoded| decoded.position_of(start).is_some());
        let decoded = match known {
            Some(known) => known,
            None => DecodedSlots { start, numbers: self.numbers(start, n_slots.min(DECODED_SLOTS))? },
        };
        let decoded = self.decoded.insert(decoded);
        let from = decoded.position_of(start).unwrap_or(0);
        let [in_a, in_b] = &decoded.numbers;
        let is_close = |slot: &usize| match (in_a.get(*slot), in_b.get(*slot)) {
            (Some(a), Some(b)) => a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= self.tolerance,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        Ok((from..in_a.len()).take(n_slots).take_while(is_close).count())
    }

    fn numbers(&self, [a, b]: [usize; 2], n_slots: usize) -> Result<[Float64Array; 2], CastError> {
        let of = |side: &ArrayData, start: usize| -> Result<Float64Array, CastError> {
            Ok(cast(&side.slice(start, n_slots), &DataType::Float64, Digits::Drop)?.try_into()?)
        };
        let [side_a, side_b] = &self.sides;
        Ok([of(side_a, a)?, of(side_b, b)?])
    }
}

impl DecodedSlots {
    /// The position of a pair of slots; `None` if they were not decoded together.
    fn position_of(&self, [a, b]: [usize; 2]) -> Option<usize> {
        let position = a.checked_sub(self.start[0])?;
        let is_pair = b.checked_sub(self.start[1]) == Some(position);
        (is_pair && position < self.numbers[0].len()).then_some(position)
    }
}
