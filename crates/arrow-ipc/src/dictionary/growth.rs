//! Appends deltas to the values of a dictionary.

use std::sync::Arc;

use arrow_buffer::{Charge, MemoryBudget};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_select::GrowingArray;

use super::memory::{NestedDictionaries, n_distinct_bytes};
use crate::error::Result;
use arrow_ipc_format::Limits;

/// The values of a dictionary batch, or of one delta, and the length of the message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DictionaryValues<'a> {
    pub(crate) array: &'a ArrayData,
    pub(crate) n_message_bytes: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct GrowthLimits<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Option<&'a MemoryBudget>,
}

impl GrowthLimits<'_> {
    /// Charges values to the memory budget.
    ///
    /// # Errors
    /// If the budget has not enough headroom.
    pub(crate) fn charge(self, values: DictionaryValues<'_>) -> Result<Option<Charge>> {
        let Some(budget) = self.budget else { return Ok(None) };
        Ok(Some(budget.try_charge(n_distinct_bytes(values.array, NestedDictionaries::Apart))?))
    }
}

/// The number of bytes that may be copied even if all deltas are empty.
const BASE_BYTES: u64 = 64 << 10;

/// How many bytes may be copied for each byte of the messages, and for each byte of the values. A compressed message has
/// fewer bytes than its values.
const TIMES_RECEIVED: u64 = 64;
const TIMES_DECOMPRESSED: u64 = 4;

/// The values of a dictionary so far, to which deltas are appended.
///
/// The number of copied bytes is mostly proportional to the received bytes. More bytes may be copied in three cases:
/// bits while batches, or decoders for them, refer to earlier values, replaced dictionaries inside the values, and
/// messages that refer to the same bytes many times. `max_bytes` limits all of these copies.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    grown: GrowingArray,
    max_bytes: u64,
    /// The charges of the values to the memory budget. Batches may share these charges.
    charges: Vec<Arc<Charge>>,
}

impl Growth {
    pub(crate) fn new(value_type: &DataType) -> Growth {
        Growth { grown: GrowingArray::new(value_type), max_bytes: BASE_BYTES, charges: Vec::new() }
    }

    /// Charges values to the memory budget, and appends them.
    ///
    /// # Errors
    /// The errors of [`add_charged`](Growth::add_charged).
    #[cfg(feature = "file")]
    pub(crate) fn add(self, values: DictionaryValues<'_>, limits: GrowthLimits<'_>) -> Result<Growth> {
        let charge = limits.charge(values)?;
        self.add_charged(values, charge, limits)
    }

    /// Appends values that were charged.
    ///
    /// # Errors
    /// If all values together do not fit the type or have more slots than an array may have. If copying them exceeds the
    /// limit or the memory budget.
    pub(crate) fn add_charged(
        self,
        values: DictionaryValues<'_>,
        charge: Option<Charge>,
        limits: GrowthLimits<'_>,
    ) -> Result<Growth> {
        let n_distinct_bytes = n_distinct_bytes(values.array, NestedDictionaries::Apart);
        let n_copies = values.n_message_bytes.saturating_mul(TIMES_RECEIVED);
        let n_copies = n_copies.saturating_add(n_distinct_bytes.saturating_mul(TIMES_DECOMPRESSED));
        let max_bytes = self.max_bytes.saturating_add(n_copies);
        let mut charges = self.charges;
        charges.extend(charge.map(Arc::new));
        let grown = self.grown.append(values.array, max_bytes)?;
        Limits::check("slots", grown.len() as u64, limits.limits.max_slots())?;
        Ok(Growth { grown, max_bytes, charges })
    }

    pub(crate) fn values(&self) -> Arc<ArrayData> {
        Arc::new(self.grown.array())
    }

    /// The length of the buffers of all values in bytes. Each byte counts once.
    #[cfg(feature = "file")]
    pub(crate) fn n_own_bytes(&self) -> u64 {
        n_distinct_bytes(&self.grown.array(), NestedDictionaries::Apart)
    }

    /// The number of bytes that were copied to append values.
    pub(crate) fn n_copied_bytes(&self) -> u64 {
        self.grown.n_bytes_copied()
    }
}
