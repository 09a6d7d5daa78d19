//! The total memory of all dictionaries of a stream or file.
//!
//! A dictionary stays in memory until it is replaced, and a few bytes may decompress to many. So a limit on each message does
//! not bound the sum.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_data::ArrayData;

use crate::{
    error::{IpcErrorKind, Result},
    limits::Limits,
};

/// The account of the memory that all dictionaries of a stream or file keep.
#[derive(Debug)]
pub(super) struct KeptBytes {
    limits: Limits,
    counts: Mutex<KeptCounts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct KeptCounts {
    n_received: u64,
    n_kept: u64,
}

/// The memory that one dictionary keeps. The memory is given back to the account when nothing refers to the values of the dictionary.
/// Values of another dictionary may refer to these values even after the dictionary was replaced.
#[derive(Debug)]
pub(super) struct KeptDictionary {
    account: Arc<KeptBytes>,
    n_bytes: Mutex<u64>,
}

/// The memory that the next values of a dictionary may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptRoom {
    id: i64,
    n_left: u64,
    limit: u64,
}

impl KeptBytes {
    pub(super) fn new(limits: &Limits) -> KeptBytes {
        KeptBytes { limits: limits.clone(), counts: Mutex::default() }
    }

    pub(super) fn receive(&self, n_bytes: u64) {
        let mut counts = self.counts();
        counts.n_received = counts.n_received.saturating_add(n_bytes);
    }

    /// The remaining memory for a dictionary after receiving `n_more_received` bytes and freeing `n_freed` bytes.
    pub(super) fn room(&self, id: i64, n_more_received: u64, n_freed: u64) -> KeptRoom {
        let KeptCounts { n_received, n_kept } = *self.counts();
        let limit = self.limits.dictionary_bytes(n_received.saturating_add(n_more_received));
        KeptRoom { id, n_left: limit.saturating_sub(n_kept.saturating_sub(n_freed)), limit }
    }

    /// Runs `publish`, and counts `n_bytes` as kept for good. If `is_published` returns `true`, because another thread
    /// was faster, does nothing. No two threads run `publish` at the same time.
    ///
    /// # Errors
    /// If the limit is exceeded.
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
        let n_kept = self.checked(id, n_received, counts.n_kept.saturating_add(n_bytes))?;
        *counts = KeptCounts { n_received, n_kept };
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

    /// Locks the counts. They are valid even if a thread with the lock has panicked.
    fn counts(&self) -> MutexGuard<'_, KeptCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeptDictionary {
    /// A dictionary that keeps nothing yet.
    pub(super) fn new(account: &Arc<KeptBytes>) -> KeptDictionary {
        KeptDictionary { account: Arc::clone(account), n_bytes: Mutex::new(0) }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        *self.own()
    }

    /// Sets how many bytes the dictionary keeps.
    ///
    /// # Errors
    /// If the limit is exceeded. Nothing changes then.
    pub(super) fn set(&self, id: i64, n_bytes: u64) -> Result<()> {
        let (mut own, mut counts) = (self.own(), self.account.counts());
        let n_others = counts.n_kept.saturating_sub(*own);
        counts.n_kept = self.account.checked(id, counts.n_received, n_others.saturating_add(n_bytes))?;
        *own = n_bytes;
        Ok(())
    }

    fn own(&self) -> MutexGuard<'_, u64> {
        self.n_bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for KeptDictionary {
    fn drop(&mut self) {
        let (own, mut counts) = (self.own(), self.account.counts());
        counts.n_kept = counts.n_kept.saturating_sub(*own);
    }
}

impl KeptRoom {
    /// Takes `n_bytes` bytes of the room.
    ///
    /// # Errors
    /// If fewer bytes are left. Nothing is taken then.
    pub(crate) fn spend(&mut self, n_bytes: u64) -> Result<()> {
        match self.n_left.checked_sub(n_bytes) {
            Some(n_left) => {
                self.n_left = n_left;
                Ok(())
            }
            None => {
                let (id, limit) = (self.id, self.limit);
                let requested = (limit - self.n_left).saturating_add(n_bytes);
                Err(IpcErrorKind::DictionaryBytes { id, requested, limit }.into())
            }
        }
    }
}

/// Which dictionaries inside an array are not counted with it.
#[derive(Debug, Clone, Copy)]
pub(super) enum NestedDictionaries<'a> {
    /// All dictionaries.
    Apart,
    /// The dictionaries at these addresses, which are in order. They are counted elsewhere.
    Known(&'a [*const ArrayData]),
}

/// The length of the memory of the buffers of an array, each counted once. This is more than the length of the message if the
/// message was compressed.
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
    fn what_is_given_back_can_be_kept_again() {
        let account = Arc::new(KeptBytes::new(&Limits::default().with_max_dictionary_bytes(100)));
        let kept = KeptDictionary::new(&account);
        kept.set(1, 60).unwrap();
        let other = KeptDictionary::new(&account);
        let error = other.set(2, 41).unwrap_err();
        assert!(
            matches!(error.kind(), IpcErrorKind::DictionaryBytes { id: 2, requested: 101, limit: 100 }),
            "{error}"
        );
        other.set(2, 40).unwrap();
        kept.set(1, 61).unwrap_err();
        kept.set(1, 50).unwrap();
        drop(other);
        let mut room = account.room(3, 0, 10);
        room.spend(60).unwrap();
        room.spend(1).unwrap_err();
        account.publish(3, 0, 50, || false, || ()).unwrap();
        // Another thread has published the values, so `publish` does nothing.
        account.publish(3, 0, 50, || true, || unreachable!("it is there")).unwrap();
        account.publish(4, 0, 1, || false, || ()).unwrap_err();
    }

    #[test]
    fn the_limit_grows_with_what_was_received() {
        let account = Arc::new(KeptBytes::new(&Limits::default()));
        let kept = KeptDictionary::new(&account);
        kept.set(1, 256 << 20).unwrap();
        kept.set(1, (256 << 20) + 64).unwrap_err();
        account.receive((4 << 20) + 1);
        kept.set(1, (256 << 20) + 64).unwrap();
        kept.set(1, (256 << 20) + 65).unwrap_err();
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
