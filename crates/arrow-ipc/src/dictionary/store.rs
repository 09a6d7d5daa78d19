//! The values of the dictionaries that have been read.

use std::sync::{Arc, OnceLock};

#[cfg(feature = "file")]
use arrow_data::Physical;
use arrow_data::{ArrayData, ArrayParts, DataError, Validation};
use arrow_schema::DataType;

use super::{
    growth::{DictionaryValues, Growth, GrowthLimits},
    memory::{
        DictionaryMemory, DictionaryQuota, DictionaryReservation, NestedDictionaries, n_distinct_bytes,
    },
};
use crate::error::{IpcError, IpcErrorKind, Result};
use arrow_ipc_format::{
    Limits,
    columns::{DictionaryIdx, SchemaColumns},
};

/// The current values of each dictionary of a schema. Decoded batches do not change when values are replaced.
#[derive(Debug, Clone)]
pub(crate) struct DictionaryStore {
    /// The entries by their positions in the columns of the schema.
    entries: Vec<StoredDictionary>,
    account: Arc<DictionaryMemory>,
}

#[derive(Debug, Clone)]
struct StoredDictionary {
    id: i64,
    state: DictionaryState,
    /// The values that all decoders of a file share. They are set once.
    published: OnceLock<Arc<ArrayData>>,
    value_type: DataType,
    /// An empty array, for indices that are all null before the dictionary has arrived. Made when first needed, and
    /// shared by all batches.
    empty: OnceLock<Arc<ArrayData>>,
    /// The memory of the values, in a stream. Boxed, since a schema may have many dictionaries that do not arrive.
    share: Option<Box<DictionaryShare>>,
}

#[derive(Debug, Clone)]
struct DictionaryShare {
    own: Arc<DictionaryReservation>,
    /// The memory of the dictionaries that the values refer to. It stays counted after these dictionaries were replaced.
    inside: Vec<Arc<DictionaryReservation>>,
}

impl DictionaryShare {
    /// The memory that becomes free when the values are replaced. Values that another dictionary refers to stay.
    fn n_bytes_to_free(&self) -> u64 {
        let all = std::iter::once(&self.own).chain(&self.inside);
        all.filter(|reservation| Arc::strong_count(reservation) == 1)
            .map(|reservation| reservation.n_bytes())
            .sum()
    }
}

#[derive(Debug, Clone)]
enum DictionaryState {
    /// The dictionary has not arrived, or a delta could not be appended.
    Missing,
    /// The dictionary arrived while no selected column needed it.
    Skipped,
    /// The values of one dictionary batch.
    Whole { values: Arc<ArrayData>, n_message_bytes: u64 },
    /// All values as one array, after deltas were appended.
    Grown { growth: Box<Growth>, values: Arc<ArrayData> },
}

impl DictionaryStore {
    /// A store in which no dictionary has arrived.
    pub(crate) fn new(columns: &SchemaColumns, limits: &Limits) -> DictionaryStore {
        let entry = |dictionary: &arrow_ipc_format::columns::DictionaryColumns| StoredDictionary {
            id: dictionary.id,
            state: DictionaryState::Missing,
            published: OnceLock::new(),
            value_type: dictionary.value_type.clone(),
            empty: OnceLock::new(),
            share: None,
        };
        let entries = columns.dictionaries.iter().map(entry).collect();
        DictionaryStore { entries, account: Arc::new(DictionaryMemory::new(limits)) }
    }

    /// A copy of the store with the current values. Later dictionaries do not change it.
    pub(crate) fn snapshot(&self) -> DictionaryStore {
        let entry = |entry: &StoredDictionary| StoredDictionary {
            id: entry.id,
            state: match entry.state {
                DictionaryState::Skipped => DictionaryState::Skipped,
                DictionaryState::Missing | DictionaryState::Whole { .. } | DictionaryState::Grown { .. } => {
                    DictionaryState::Missing
                }
            },
            published: entry.values().cloned().map_or_else(OnceLock::new, OnceLock::from),
            value_type: entry.value_type.clone(),
            empty: entry.empty.clone(),
            share: None,
        };
        DictionaryStore {
            entries: self.entries.iter().map(entry).collect(),
            account: Arc::clone(&self.account),
        }
    }

    /// Adds `n_bytes` to the received bytes, which raise the limit for dictionaries.
    pub(crate) fn receive(&self, n_bytes: u64) {
        if !self.entries.is_empty() {
            self.account.receive(n_bytes);
        }
    }

    /// Subtracts `n_bytes` from the received bytes, since their message could not be decoded and may be passed again.
    pub(crate) fn take_back(&self, n_bytes: u64) {
        if !self.entries.is_empty() {
            self.account.take_back(n_bytes);
        }
    }

    /// The memory that a new dictionary batch may use. The memory of the replaced values counts as free.
    pub(crate) fn quota_to_replace(&self, dictionary: DictionaryIdx) -> DictionaryQuota {
        let StoredDictionary { id, share, .. } = &self.entries[dictionary.0];
        let n_freed = share.as_ref().map_or(0, |share| share.n_bytes_to_free());
        self.account.quota(*id, 0, n_freed)
    }

    /// The memory that a delta of a dictionary may use, after receiving `n_more_received` more bytes.
    pub(crate) fn quota_to_add(&self, dictionary: DictionaryIdx, n_more_received: u64) -> DictionaryQuota {
        self.account.quota(self.entries[dictionary.0].id, n_more_received, 0)
    }

    #[cfg(feature = "file")]
    pub(crate) fn is_defined(&self, dictionary: DictionaryIdx) -> bool {
        self.values(dictionary).is_some()
    }

    /// Whether the values of a dictionary to which deltas were appended are many booleans, or nulls are among many values, so
    /// that the next delta copies more than its own bytes allow if another store has the values.
    #[cfg(feature = "file")]
    pub(crate) fn has_long_bitmaps(&self) -> bool {
        const LONG_BYTES: usize = 8 << 10;
        self.entries.iter().any(|entry| match &entry.state {
            DictionaryState::Grown { values, .. } => has_bitmap_over(values, LONG_BYTES),
            DictionaryState::Missing | DictionaryState::Skipped | DictionaryState::Whole { .. } => false,
        })
    }

    /// Sets the values of a dictionary. `n_message_bytes` is the length of the message. `inside` are the dictionaries to
    /// which the values refer.
    ///
    /// # Errors
    /// If all dictionaries together would exceed the limit. The dictionary then has the values that it had before.
    pub(crate) fn define(
        &mut self,
        dictionary: DictionaryIdx,
        values: Arc<ArrayData>,
        n_message_bytes: u64,
        inside: &[DictionaryIdx],
    ) -> Result<()> {
        let own = Arc::new(DictionaryReservation::new(&self.account));
        let share = Some(Box::new(DictionaryShare { own, inside: Vec::new() }));
        let before = std::mem::replace(&mut self.entries[dictionary.0].share, share);
        let n_freed = before.as_ref().map_or(0, |before| before.n_bytes_to_free());
        if let Err(error) = self.keep(dictionary, &values, inside, n_freed) {
            self.entries[dictionary.0].share = before;
            return Err(error);
        }
        self.entries[dictionary.0].state = DictionaryState::Whole { values, n_message_bytes };
        Ok(())
    }

    /// Sets the values of a dictionary for all decoders that share the store. Does nothing if they are set already.
    /// `n_received` is the length of the messages of the dictionary.
    ///
    /// # Errors
    /// If all dictionaries together would exceed the limit.
    #[cfg(feature = "file")]
    pub(crate) fn publish(
        &self,
        dictionary: DictionaryIdx,
        values: Arc<ArrayData>,
        n_received: u64,
        inside: &[DictionaryIdx],
    ) -> Result<()> {
        let StoredDictionary { id, published, .. } = &self.entries[dictionary.0];
        let n_bytes = n_distinct_bytes(&values, NestedDictionaries::Known(&self.addresses(inside)));
        let is_published = || published.get().is_some();
        self.account.publish(*id, n_received, n_bytes, is_published, || {
            published.get_or_init(|| values);
        })
    }

    /// Records that the dictionary has arrived, but its values were not read.
    pub(crate) fn skip(&mut self, dictionary: DictionaryIdx) {
        let entry = &mut self.entries[dictionary.0];
        entry.state = DictionaryState::Skipped;
        entry.share = None;
    }

    /// Counts the memory of the values. `n_freed` bytes of replaced values are freed next, so these do not count against the
    /// limit.
    fn keep(
        &mut self,
        dictionary: DictionaryIdx,
        values: &ArrayData,
        inside: &[DictionaryIdx],
        n_freed: u64,
    ) -> Result<()> {
        let n_bytes = n_distinct_bytes(values, NestedDictionaries::Known(&self.addresses(inside)));
        let mut below: Vec<Arc<DictionaryReservation>> = Vec::new();
        for inner in inside {
            if let Some(DictionaryShare { own, inside }) = self.entries[inner.0].share.as_deref() {
                below.extend(std::iter::once(own).chain(inside).map(Arc::clone));
            }
        }
        below.sort_unstable_by_key(|reservation| Arc::as_ptr(reservation).addr());
        below.dedup_by(|one, other| Arc::ptr_eq(one, other));
        let entry = &mut self.entries[dictionary.0];
        match &mut entry.share {
            Some(share) => {
                share.inside = below;
                share.own.set(entry.id, n_bytes, n_freed)
            }
            None => Err(IpcError::internal("an undefined dictionary was charged")),
        }
    }

    /// The addresses of the values of these dictionaries, sorted.
    fn addresses(&self, dictionaries: &[DictionaryIdx]) -> Vec<*const ArrayData> {
        let values = dictionaries.iter().filter_map(|dictionary| self.values(*dictionary));
        let mut addresses: Vec<*const ArrayData> = values.map(Arc::as_ptr).collect();
        addresses.sort_unstable();
        addresses
    }

    pub(crate) fn is_skipped(&self, dictionary: DictionaryIdx) -> bool {
        matches!(self.entries[dictionary.0].state, DictionaryState::Skipped)
    }

    /// Appends a delta to a dictionary. Returns the number of bytes that were copied.
    ///
    /// # Errors
    /// If the dictionary has no values, or all values together do not fit their type. If too many bytes would be copied.
    /// If all dictionaries together would exceed the limit.
    pub(crate) fn add(
        &mut self,
        dictionary: DictionaryIdx,
        delta: DictionaryValues<'_>,
        limits: GrowthLimits<'_>,
        inside: &[DictionaryIdx],
    ) -> Result<u64> {
        let entry = &mut self.entries[dictionary.0];
        // The budget may allow later what it refuses now, so the dictionary then stays as it is.
        let base_charge = match &entry.state {
            DictionaryState::Whole { values, n_message_bytes } => {
                limits.charge(DictionaryValues { array: values, n_message_bytes: *n_message_bytes })?
            }
            DictionaryState::Missing | DictionaryState::Skipped | DictionaryState::Grown { .. } => None,
        };
        let charge = limits.charge(delta)?;
        let (growth, n_before) = match std::mem::replace(&mut entry.state, DictionaryState::Missing) {
            DictionaryState::Missing | DictionaryState::Skipped => {
                return Err(IpcErrorKind::DeltaOfMissing { id: entry.id }.into());
            }
            DictionaryState::Whole { values, n_message_bytes } => {
                let base = DictionaryValues { array: &values, n_message_bytes };
                (Box::new(Growth::new(&entry.value_type).add_charged(base, base_charge, limits)?), 0)
            }
            DictionaryState::Grown { growth, values } => {
                // Dropped, because bits are copied while another array refers to their last byte.
                drop(values);
                let n_before = growth.n_copied_bytes();
                (growth, n_before)
            }
        };
        let growth = Box::new(growth.add_charged(delta, charge, limits)?);
        let n_copied = growth.n_copied_bytes().saturating_sub(n_before);
        let values = growth.values();
        self.keep(dictionary, &values, inside, 0)?;
        self.entries[dictionary.0].state = DictionaryState::Grown { growth, values };
        Ok(n_copied)
    }

    /// Checks the values of a dictionary once, so that no batch checks them again.
    ///
    /// # Errors
    /// If the values are invalid.
    pub(crate) fn prove(&mut self, dictionary: DictionaryIdx) -> std::result::Result<(), DataError> {
        if let DictionaryState::Whole { values, .. } = &mut self.entries[dictionary.0].state
            && values.checked() < Validation::Content
        {
            *values = Arc::new(ArrayData::clone(values).validate(Validation::Content)?);
        }
        Ok(())
    }

    /// Returns the values for an array of indices.
    ///
    /// # Errors
    /// If the dictionary has not arrived, and an index is valid. Without valid indices, an empty array is enough:
    /// producers may send the dictionary later.
    pub(crate) fn values_for(
        &self,
        dictionary: DictionaryIdx,
        indices: &ArrayParts,
    ) -> Result<Arc<ArrayData>> {
        if let Some(values) = self.values(dictionary) {
            return Ok(Arc::clone(values));
        }
        let entry = &self.entries[dictionary.0];
        if has_no_valid_slot(indices) {
            return Ok(Arc::clone(entry.empty.get_or_init(|| entry.no_values())));
        }
        Err(IpcErrorKind::MissingDictionary { id: entry.id }.into())
    }

    pub(crate) fn values(&self, dictionary: DictionaryIdx) -> Option<&Arc<ArrayData>> {
        self.entries[dictionary.0].values()
    }
}

impl StoredDictionary {
    fn values(&self) -> Option<&Arc<ArrayData>> {
        match &self.state {
            DictionaryState::Missing | DictionaryState::Skipped => self.published.get(),
            DictionaryState::Whole { values, .. } | DictionaryState::Grown { values, .. } => Some(values),
        }
    }

    /// An empty array of values. It counts as checked, so no batch checks it.
    fn no_values(&self) -> Arc<ArrayData> {
        let empty = ArrayData::new_empty(&self.value_type);
        Arc::new(empty.clone().validate(Validation::Strict).unwrap_or(empty))
    }
}

/// Whether an array or one of its children has booleans or a validity bitmap of more than `n_bytes` bytes.
#[cfg(feature = "file")]
fn has_bitmap_over(array: &ArrayData, n_bytes: usize) -> bool {
    let has_bits = array.layout().physical() == Physical::Bits || array.validity().is_some();
    (has_bits && array.len().div_ceil(8) > n_bytes)
        || array.children().iter().any(|child| has_bitmap_over(child, n_bytes))
}

fn has_no_valid_slot(indices: &ArrayParts) -> bool {
    match &indices.validity {
        None => indices.n_slots == 0,
        Some(validity) => validity.count_set() == 0,
    }
}
