//! A dictionary with the deltas that were added to it.

use std::sync::Arc;

use arrow_buffer::{Charge, MemoryBudget};
use arrow_data::{ArrayData, GrowingArray};
use arrow_schema::DataType;

use crate::{error::Result, limits::Limits};

/// The values of a dictionary batch, as far as they may be joined with others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) array: &'a ArrayData,
    /// The bytes of their message.
    pub(crate) n_message_bytes: u64,
}

/// How much deltas may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GrowthLimits<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Option<&'a MemoryBudget>,
}

/// Values to which more are added, and which can be taken after each addition.
///
/// What that copies is in proportion to what was received: bits may have to be copied while batches with earlier values
/// live, dictionaries inside of the values that have been replaced are merged, and one message may refer to its bytes many
/// times. All of that is charged to one account for each dictionary.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    grown: GrowingArray,
    n_received_bytes: u64,
    /// What the values are charged to the memory budget. Batches may have them longer.
    charges: Vec<Arc<Charge>>,
}

impl Growth {
    /// No values.
    pub(crate) fn new(value_type: &DataType) -> Growth {
        Growth { grown: GrowingArray::new(value_type), n_received_bytes: 0, charges: Vec::new() }
    }

    /// Adds values after those that are there.
    ///
    /// # Errors
    /// If all together do not fit the type or are more slots than an array may have, or the account or the memory budget does not suffice.
    pub(crate) fn add(self, values: Values<'_>, limits: GrowthLimits<'_>) -> Result<Growth> {
        const BASE_BYTES: u64 = 64 << 10;
        const TIMES: u64 = 64;
        let n_distinct_bytes = n_distinct_bytes(values.array);
        let n_bytes = values.n_message_bytes.max(n_distinct_bytes);
        let n_received_bytes = self.n_received_bytes.saturating_add(n_bytes);
        let max_bytes = n_received_bytes.saturating_mul(TIMES).saturating_add(BASE_BYTES);
        let mut charges = self.charges;
        if let Some(budget) = limits.budget {
            charges.push(Arc::new(budget.try_charge(n_distinct_bytes)?));
        }
        let grown = self.grown.append(values.array, max_bytes)?;
        Limits::check("slots", grown.len() as u64, limits.limits.max_slots)?;
        Ok(Growth { grown, n_received_bytes, charges })
    }

    /// All values so far.
    pub(crate) fn values(&self) -> Arc<ArrayData> {
        Arc::new(self.grown.array())
    }

    /// What adding has copied.
    pub(crate) fn n_copied_bytes(&self) -> u64 {
        self.grown.n_bytes_copied()
    }
}

/// How many bytes the buffers of an array lie in, each counted once; more than its message has where these were
/// compressed.
fn n_distinct_bytes(array: &ArrayData) -> u64 {
    let mut ranges = Vec::new();
    add_ranges(array, &mut ranges);
    ranges.sort_unstable();
    let mut n_bytes = 0_usize;
    let mut counted_to = 0_usize;
    for (start, end) in ranges {
        n_bytes = n_bytes.saturating_add(end.saturating_sub(start.max(counted_to)));
        counted_to = counted_to.max(end);
    }
    n_bytes as u64
}

fn add_ranges(array: &ArrayData, ranges: &mut Vec<(usize, usize)>) {
    let validity = array.validity().map(|validity| validity.buffer());
    let buffers = validity.into_iter().chain([array.buffer(0), array.buffer(1)]).chain(array.variadic());
    ranges.extend(buffers.map(|buffer| {
        let start = buffer.as_ptr().addr();
        (start, start.saturating_add(buffer.len()))
    }));
    array.children().iter().for_each(|child| add_ranges(child, ranges));
}

#[cfg(test)]
mod tests {
    use arrow_buffer::{Bitmap, Buffer};
    use arrow_data::ArrayParts;
    use arrow_schema::Field;

    use super::*;

    #[test]
    fn shared_bytes_count_once() {
        let bytes = Buffer::zeroed(100);
        let ints = |start: usize, n_slots: usize| {
            let buffers = [bytes.slice(start..start + n_slots * 4), Buffer::new()];
            ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int32, n_slots) }).unwrap()
        };
        let struct_of = |children: Vec<ArrayData>, validity: Option<Bitmap>| {
            let fields = children.iter().map(|_| Field::new("n", DataType::Int32));
            let data_type = DataType::struct_(fields.collect::<Vec<Field>>());
            let parts = ArrayParts::new(data_type, 5);
            ArrayData::try_new(ArrayParts { children: Some(children.into()), validity, ..parts }).unwrap()
        };
        let elsewhere = Bitmap::new_set(5);
        for (array, expected) in [
            (ints(0, 5), 20),
            (struct_of(vec![ints(0, 5), ints(0, 5)], None), 20),
            (struct_of(vec![ints(8, 5), ints(0, 5), ints(4, 5)], None), 28),
            (struct_of(vec![ints(80, 5), ints(0, 5)], Some(elsewhere)), 41),
            (struct_of(vec![ints(40, 5)], Some(Bitmap::try_new(bytes.clone(), 0, 5).unwrap())), 100),
        ] {
            assert_eq!(n_distinct_bytes(&array), expected);
        }
    }
}
