//! A dictionary and its deltas.

use std::sync::Arc;

use arrow_buffer::{Charge, MemoryBudget};
use arrow_data::{ArrayData, GrowingArray};
use arrow_schema::DataType;

use super::kept::{NestedDictionaries, n_distinct_bytes};
use crate::{error::Result, limits::Limits};

/// The values of a dictionary batch, to which deltas can be appended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DictionaryValues<'a> {
    pub(crate) array: &'a ArrayData,
    pub(crate) n_message_bytes: u64,
}

/// Limits on the memory of deltas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GrowthLimits<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Option<&'a MemoryBudget>,
}

/// The number of bytes that may be copied for deltas even if there are no values.
const BASE_BYTES: u64 = 64 << 10;

/// The numbers of bytes that may be copied for each byte of the messages, and for each byte of the values. If a message was compressed, its
/// values have more bytes than the message.
const TIMES_RECEIVED: u64 = 64;
const TIMES_DECOMPRESSED: u64 = 4;

/// The values of a dictionary to which deltas are added. [`values`](Growth::values) returns all values so far.
///
/// The copies are in proportion to the received bytes. There are exceptions: bits may have to be copied while batches with
/// earlier values live, replaced dictionaries inside the values are merged, and one message may refer to its bytes many times.
/// Each dictionary has one account for all of these copies.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    grown: GrowingArray,
    max_bytes: u64,
    /// The charges of the values to the memory budget. Batches may keep these charges longer.
    charges: Vec<Arc<Charge>>,
}

impl Growth {
    pub(crate) fn new(value_type: &DataType) -> Growth {
        Growth { grown: GrowingArray::new(value_type), max_bytes: BASE_BYTES, charges: Vec::new() }
    }

    /// Adds values after the existing ones.
    ///
    /// # Errors
    /// If all values together do not fit the type, have more slots than an array may have, or exceed the account or the memory budget.
    pub(crate) fn add(self, values: DictionaryValues<'_>, limits: GrowthLimits<'_>) -> Result<Growth> {
        let n_distinct_bytes = n_distinct_bytes(values.array, NestedDictionaries::Apart);
        let n_copies = values.n_message_bytes.saturating_mul(TIMES_RECEIVED);
        let n_copies = n_copies.saturating_add(n_distinct_bytes.saturating_mul(TIMES_DECOMPRESSED));
        let max_bytes = self.max_bytes.saturating_add(n_copies);
        let mut charges = self.charges;
        if let Some(budget) = limits.budget {
            charges.push(Arc::new(budget.try_charge(n_distinct_bytes)?));
        }
        let grown = self.grown.append(values.array, max_bytes)?;
        Limits::check("slots", grown.len() as u64, limits.limits.max_slots)?;
        Ok(Growth { grown, max_bytes, charges })
    }

    /// All values so far.
    pub(crate) fn values(&self) -> Arc<ArrayData> {
        Arc::new(self.grown.array())
    }

    /// The bytes of the values.
    pub(crate) fn n_own_bytes(&self) -> u64 {
        n_distinct_bytes(&self.grown.array(), NestedDictionaries::Apart)
    }

    /// The number of bytes that were copied to add values.
    pub(crate) fn n_copied_bytes(&self) -> u64 {
        self.grown.n_bytes_copied()
    }
}
