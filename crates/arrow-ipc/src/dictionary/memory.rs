//! Limits the memory of all dictionaries of a stream or file.
//!
//! A limit on each message does not limit the sum. A dictionary stays in memory until it is replaced, and a few bytes may
//! decompress to many.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_buffer::{Budget, LimitExceeded};
use arrow_data::ArrayData;

use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::Limits;

/// The sum of the memory of all dictionaries of a stream or file.
#[derive(Debug)]
pub(super) struct DictionaryMemory {
    limits: Limits,
    counts: Mutex<MemoryCounts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct MemoryCounts {
    n_received: u64,
    n_retained: u64,
}

/// The memory of one dictionary. It counts until nothing refers to the values. Values of another dictionary may refer to
/// them even after the dictionary was replaced.
#[derive(Debug)]
pub(super) struct DictionaryReservation {
    account: Arc<DictionaryMemory>,
    n_bytes: Mutex<u64>,
}

/// The memory that the next values of a dictionary may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DictionaryQuota {
    id: i64,
    budget: Budget,
}

impl DictionaryMemory {
    pub(super) fn new(limits: &Limits) -> DictionaryMemory {
        DictionaryMemory { limits: limits.clone(), counts: Mutex::default() }
    }

    pub(super) fn receive(&self, n_bytes: u64) {
        let mut counts = self.counts();
        counts.n_received = counts.n_received.saturating_add(n_bytes);
    }

    pub(super) fn take_back(&self, n_bytes: u64) {
        let mut counts = self.counts();
        counts.n_received = counts.n_received.saturating_sub(n_bytes);
    }

    /// The memory left for a dictionary after receiving `n_more_received` more bytes and freeing `n_freed` bytes.
    pub(super) fn quota(&self, id: i64, n_more_received: u64, n_freed: u64) -> DictionaryQuota {
        let MemoryCounts { n_received, n_retained } = *self.counts();
        let limit = self.limits.dictionary_bytes(n_received.saturating_add(n_more_received));
        DictionaryQuota { id, budget: Budget::new(limit).with_spent(n_retained.saturating_sub(n_freed)) }
    }

    /// Counts `n_bytes` permanently and runs `publish`, unless `is_published` returns `true` because another thread was
    /// faster. Only one thread at a time runs `publish`.
    ///
    /// # Errors
    /// If more bytes would be counted than the limit allows.
    #[cfg(feature = "file")]
    pub(super) fn publish(
        &self,
        id: i64,
        n_received: u64,
        n_bytes: u64,
        is_published: impl FnOnce() -> bool,
        publish: impl FnOnce(),
    ) -> Result<()> {
        let mut counts = self.counts();
        if is_published() {
            return Ok(());
        }
        let n_received = counts.n_received.saturating_add(n_received);
        let n_retained = self.checked(id, n_received, counts.n_retained.saturating_add(n_bytes))?;
        *counts = MemoryCounts { n_received, n_retained };
        publish();
        Ok(())
    }

    fn checked(&self, id: i64, n_received: u64, requested: u64) -> Result<u64> {
        let limit = self.limits.dictionary_bytes(n_received);
        if requested <= limit {
            return Ok(requested);
        }
        Err(IpcErrorKind::DictionaryBytes { id, requested, limit }.into())
    }

    /// Locks the counts. They are valid even if another thread panicked with the lock.
    fn counts(&self) -> MutexGuard<'_, MemoryCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DictionaryReservation {
    pub(super) fn new(account: &Arc<DictionaryMemory>) -> DictionaryReservation {
        DictionaryReservation { account: Arc::clone(account), n_bytes: Mutex::new(0) }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        *self.own()
    }

    /// Sets the number of bytes of the values. `n_freed` bytes of replaced values are freed next, so these do not count against
    /// the limit.
    ///
    /// # Errors
    /// If the limit is exceeded. The number then stays the same.
    pub(super) fn set(&self, id: i64, n_bytes: u64, n_freed: u64) -> Result<()> {
        let mut own = self.own();
        let mut counts = self.account.counts();
        let n_others = counts.n_retained.saturating_sub(*own);
        let requested = n_others.saturating_sub(n_freed).saturating_add(n_bytes);
        self.account.checked(id, counts.n_received, requested)?;
        counts.n_retained = n_others.saturating_add(n_bytes);
        *own = n_bytes;
        Ok(())
    }

    fn own(&self) -> MutexGuard<'_, u64> {
        self.n_bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DictionaryReservation {
    fn drop(&mut self) {
        let own = self.own();
        let mut counts = self.account.counts();
        counts.n_retained = counts.n_retained.saturating_sub(*own);
    }
}

impl DictionaryQuota {
    /// Subtracts `n_bytes` from the memory that is left.
    ///
    /// # Errors
    /// If fewer bytes are left. Nothing is subtracted then.
    pub(crate) fn spend(&mut self, n_bytes: u64) -> Result<()> {
        let refused = |LimitExceeded { requested, limit, .. }| {
            IpcErrorKind::DictionaryBytes { id: self.id, requested, limit }.into()
        };
        self.budget.spend("bytes of dictionaries", n_bytes).map_err(refused)
    }
}

/// Which dictionaries inside an array do not count as part of the array.
#[derive(Debug, Clone, Copy)]
pub(super) enum NestedDictionaries<'a> {
    /// All dictionaries.
    Apart,
    /// The dictionaries at these addresses, which are sorted.
    Known(&'a [*const ArrayData]),
}

/// The length of all buffers of an array in bytes. Each byte of memory counts once. If the message was compressed, this
/// is more than the length of the message.
pub(super) fn n_distinct_bytes(array: &ArrayData, inside: NestedDictionaries<'_>) -> u64 {
    let mut ranges = Vec::new();
    add_ranges(array, inside, &mut ranges);
    ranges.sort_unstable();
    let mut n_bytes = 0_usize;
    let mut counted_to = 0_usize;
    for (start, end) in ranges {
        n_bytes += end.saturating_sub(start.max(counted_to));
        counted_to = counted_to.max(end);
    }
    n_bytes as u64
}

fn add_ranges(array: &ArrayData, inside: NestedDictionaries<'_>, ranges: &mut Vec<(usize, usize)>) {
    let validity = array.validity().map(|validity| validity.buffer());
    let buffers = validity.into_iter().chain([array.buffer(0), array.buffer(1)]).chain(array.variadic());
    ranges.extend(buffers.map(|buffer| {
        let start = buffer.as_ptr().addr();
        (start, start + buffer.len())
    }));
    array.children().iter().for_each(|child| add_ranges(child, inside, ranges));
    if let (Some(values), NestedDictionaries::Known(known)) = (array.dictionary(), inside)
        && known.binary_search(&Arc::as_ptr(values)).is_err()
    {
        add_ranges(values, inside, ranges);
    }
}

#[cfg(test)]
mod tests {
    use arrow_buffer::{Bitmap, Buffer};
    use arrow_data::ArrayParts;
    use arrow_schema::{DataType, Field};

    use super::*;

    #[test]
    fn freed_memory_can_be_reserved_again() {
        let account = Arc::new(DictionaryMemory::new(&Limits::default().with_max_dictionary_bytes(100)));
        let reservation = DictionaryReservation::new(&account);
        reservation.set(1, 60, 0).unwrap();
        let other = DictionaryReservation::new(&account);
        let error = other.set(2, 41, 0).unwrap_err();
        assert!(
            matches!(error.kind(), IpcErrorKind::DictionaryBytes { id: 2, requested: 101, limit: 100 }),
            "{error}"
        );
        other.set(2, 40, 0).unwrap();
        reservation.set(1, 61, 0).unwrap_err();
        reservation.set(1, 50, 0).unwrap();
        drop(other);
        let mut quota = account.quota(3, 0, 10);
        quota.spend(60).unwrap();
        quota.spend(1).unwrap_err();
        account.publish(3, 0, 50, || false, || ()).unwrap();
        // Another thread has published the values, so `publish` does nothing.
        account.publish(3, 0, 50, || true, || unreachable!("it is there")).unwrap();
        account.publish(4, 0, 1, || false, || ()).unwrap_err();
    }

    #[test]
    fn the_limit_grows_with_what_was_received() {
        let account = Arc::new(DictionaryMemory::new(&Limits::default()));
        let reservation = DictionaryReservation::new(&account);
        reservation.set(1, 256 << 20, 0).unwrap();
        reservation.set(1, (256 << 20) + 64, 0).unwrap_err();
        account.receive((4 << 20) + 1);
        reservation.set(1, (256 << 20) + 64, 0).unwrap();
        reservation.set(1, (256 << 20) + 65, 0).unwrap_err();
    }

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
            assert_eq!(n_distinct_bytes(&array, NestedDictionaries::Apart), expected);
        }
    }
}
