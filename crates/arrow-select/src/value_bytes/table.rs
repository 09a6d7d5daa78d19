//! Finds values by their bytes.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use arrow_buffer::{BudgetError, ends_of};
use arrow_data::{ArrayData, DataErrorKind as Kind};

use super::{ValueBytes, ValueHasher, writer::too_long};
use crate::error::{SelectError, SelectErrorKind};

/// A list of values that can be searched. Each value is stored as bytes, and equal values have equal bytes.
///
/// A table does not keep arrays in memory. Each value takes its own bytes and about 50 bytes more. Arrays can share a
/// table if they have the same type, or types that [`same_values`](ArrayData::same_values) compares.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_select::{Insertion, ValueReader, ValueTable};
/// use arrow_schema::DataType;
///
/// let parts = ArrayParts::new(DataType::Int32, 3);
/// let numbers =
///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(vec![5, 6, 5]), Buffer::new()], ..parts })?;
/// let mut reader = ValueReader::try_new(&numbers)?;
/// let mut table = ValueTable::default();
/// assert_eq!(table.insert(&mut reader, 0)?, Insertion::New(0));
/// assert_eq!(table.insert(&mut reader, 1)?, Insertion::New(1));
/// assert_eq!(table.insert(&mut reader, 2)?, Insertion::Known(0));
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ValueTable {
    /// The bytes of all values, and the end of each.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    hashes: Vec<u64>,
    /// The last value with each hash, and for each value the previous one with the same hash.
    newest: HashMap<u64, usize, BuildHasherDefault<IdentityHasher>>,
    before: Vec<Option<usize>>,
    hasher: ValueHasher,
    /// The last value that was found again, for some bits of its [`ends_of`]. Values that repeat are found here, without a hash
    /// of all of their bytes. What is found is compared, since it may also be another value.
    recent: Vec<u32>,
    /// The number of bytes of values that were compared because their hashes are equal.
    #[cfg(test)]
    n_bytes_compared: std::cell::Cell<usize>,
}

/// The position of a value in a [`ValueTable`], and whether the value was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Insertion {
    /// The table already had the value.
    Known(usize),
    /// The value has been added at the end.
    New(usize),
}

/// The memory for each value in addition to its bytes.
const VALUE_BYTES: usize = 48;

/// Values of at most this number of bytes are written into memory that has been reserved.
const SPARE_BYTES: usize = 4096;

/// The greatest length of the list of recent values.
const MAX_RECENT: usize = 1 << 14;

impl ValueTable {
    /// The number of values that have been added.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the table has no values.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Reserves memory for `n_values` more values, or for fewer if the limit of the reader is lower.
    pub fn reserve(&mut self, n_values: usize, reader: &ValueReader) {
        let n_values = n_values.min(reader.n_left / VALUE_BYTES);
        // If the system refuses memory now, it may provide it when the values are added.
        drop(self.try_reserve(n_values));
    }

    fn try_reserve(&mut self, n_values: usize) -> Result<(), SelectError> {
        let reserved = self.ends.try_reserve(n_values);
        let reserved = reserved.and_then(|()| self.hashes.try_reserve(n_values));
        let reserved = reserved.and_then(|()| self.before.try_reserve(n_values));
        let is_there = reserved.is_ok() && self.newest.try_reserve(n_values).is_ok();
        let n_values = self.len().saturating_add(n_values);
        if is_there { Ok(()) } else { Err(out_of_memory(n_values.saturating_mul(VALUE_BYTES))) }
    }

    /// Finds the value of a slot, or adds it.
    ///
    /// # Errors
    /// If the limit of the reader is exceeded, if the slot is out of bounds, or if the system refuses memory. The table
    /// then stays unchanged.
    pub fn insert(&mut self, reader: &mut ValueReader, slot: usize) -> Result<Insertion, SelectError> {
        self.write(reader, slot)?;
        let recent_idx = self.recent_idx();
        if let Some(known) = self.find_recent(recent_idx) {
            return Ok(Insertion::Known(known));
        }
        let hash = self.hasher.written(self.written());
        let Some(known) = self.find(hash) else { return Ok(Insertion::New(self.keep(hash)?)) };
        self.grow_recent();
        if let (Some(recent), Ok(position)) = (self.recent.get_mut(recent_idx), u32::try_from(known)) {
            *recent = position;
        }
        Ok(Insertion::Known(known))
    }

    /// Where the written value is in the list of recent values, if it is there.
    fn recent_idx(&self) -> usize {
        // The length is a power of two, or 0.
        ends_of(self.written()) as usize & self.recent.len().saturating_sub(1)
    }

    fn find_recent(&self, recent_idx: usize) -> Option<usize> {
        let known = *self.recent.get(recent_idx)? as usize;
        let is_same = known < self.len() && self.value(known) == self.written();
        #[cfg(test)]
        self.n_bytes_compared.set(self.n_bytes_compared.get() + usize::from(is_same) * self.written().len());
        is_same.then_some(known)
    }

    /// Makes the list of recent values longer if there are many values.
    fn grow_recent(&mut self) {
        if self.recent.len() < self.len().saturating_mul(4).min(MAX_RECENT) {
            let n_recent = self.len().saturating_mul(16).next_power_of_two();
            self.recent = vec![0; n_recent.min(MAX_RECENT)];
        }
    }

    /// The bytes of a value, as [`ValueBytes`] writes them; `None` if out of bounds.
    pub fn bytes(&self, position: usize) -> Option<&[u8]> {
        (position < self.len()).then(|| self.value(position))
    }

    /// Adds the value of a slot, even if the table has it already, and returns its position.
    ///
    /// # Errors
    /// The errors of [`insert`](ValueTable::insert).
    pub fn push(&mut self, reader: &mut ValueReader, slot: usize) -> Result<usize, SelectError> {
        self.write(reader, slot)?;
        self.keep(self.hasher.written(self.written()))
    }

    /// Counts the values at the start of `reader` that equal the values of the table at the same positions.
    ///
    /// # Errors
    /// The errors of [`insert`](ValueTable::insert).
    pub fn n_same(&self, reader: &mut ValueReader) -> Result<usize, SelectError> {
        let mut value = Vec::new();
        for slot in 0..reader.n_slots().min(self.len()) {
            value.clear();
            reader.append(slot, &mut value)?;
            if value != self.value(slot) {
                return Ok(slot);
            }
        }
        Ok(reader.n_slots().min(self.len()))
    }

    /// Removes all values after the first `n_values`.
    pub fn truncate(&mut self, n_values: usize) {
        while self.len() > n_values {
            let hash = self.hashes.pop();
            let before = self.before.pop().flatten();
            self.ends.pop();
            if let Some(hash) = hash {
                match before {
                    Some(before) => self.newest.insert(hash, before),
                    None => self.newest.remove(&hash),
                };
            }
        }
        self.bytes.truncate(self.end());
    }

    fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn value(&self, position: usize) -> &[u8] {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[position]]
    }

    /// The bytes after all values. They are a value that was written but not added to the table, or empty.
    fn written(&self) -> &[u8] {
        &self.bytes[self.end()..]
    }

    /// Writes the value of a slot after all values.
    fn write(&mut self, reader: &mut ValueReader, slot: usize) -> Result<(), SelectError> {
        self.bytes.truncate(self.end());
        if self.bytes.capacity() - self.bytes.len() < SPARE_BYTES {
            let n_more = self.bytes.len().max(SPARE_BYTES);
            self.bytes
                .try_reserve(n_more)
                .map_err(|_| out_of_memory(self.bytes.len().saturating_add(n_more)))?;
        }
        reader.append(slot, &mut self.bytes)
    }

    /// Adds the written value, and returns its position.
    fn keep(&mut self, hash: u64) -> Result<usize, SelectError> {
        self.try_reserve(1)?;
        let position = self.len();
        self.ends.push(self.bytes.len());
        self.hashes.push(hash);
        self.before.push(self.newest.insert(hash, position));
        Ok(position)
    }

    /// The position of a value that equals the written value.
    fn find(&self, hash: u64) -> Option<usize> {
        let before = |position: &usize| self.before.get(*position).copied().flatten();
        std::iter::successors(self.newest.get(&hash).copied(), before).find(|known| {
            #[cfg(test)]
            self.n_bytes_compared.set(self.n_bytes_compared.get() + self.written().len());
            self.value(*known) == self.written()
        })
    }
}

#[cold]
fn out_of_memory(n_bytes: usize) -> SelectError {
    Kind::Memory(BudgetError::OutOfMemory { requested: n_bytes as u64 }).into()
}

/// Reads the values of an array as bytes, for a [`ValueTable`]. The number of bytes is limited.
///
/// List views, dense unions and views may refer to the same items many times, so the written bytes of a small array may
/// not fit in memory. By default, the limit is 64 times the bytes of the array plus 16 MiB. Each value counts its bytes
/// and 48 bytes more.
#[derive(Debug)]
pub struct ValueReader {
    values: ValueBytes,
    max_bytes: usize,
    n_left: usize,
}

impl ValueReader {
    /// Prepares to read the values of this array. Copies no data. Unchecked content is checked.
    ///
    /// # Errors
    /// If the content is invalid.
    pub fn try_new(array: &ArrayData) -> Result<ValueReader, SelectError> {
        const LEAST: usize = 16 << 20;
        const PER_BYTE: usize = 64;
        let n_bytes = usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
        let max_bytes = n_bytes.saturating_mul(PER_BYTE).saturating_add(LEAST);
        Ok(ValueReader { values: ValueBytes::try_new(array)?, max_bytes, n_left: max_bytes })
    }

    /// The limit on the number of bytes that may be read in total.
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Sets the limit on the number of bytes that may be read in total.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> ValueReader {
        ValueReader { max_bytes, n_left: max_bytes, ..self }
    }

    /// The number of slots that the array has.
    pub fn n_slots(&self) -> usize {
        self.values.n_slots()
    }

    /// The number of bytes that have been read: those of the values, and 48 more for each value.
    pub fn n_bytes_read(&self) -> usize {
        self.max_bytes - self.n_left
    }

    /// All values as numbers, as [`ValueBytes::words`] returns them. The bytes of these values are not added
    /// to the number of bytes that have been read.
    pub fn words(&self) -> Option<Vec<u64>> {
        self.values.words()
    }

    /// Appends the bytes of a slot, as [`ValueBytes::append`] does.
    ///
    /// # Errors
    /// If the limit on bytes is exceeded, or the slot is out of bounds.
    #[inline]
    pub fn append(&mut self, slot: usize, to: &mut Vec<u8>) -> Result<(), SelectError> {
        let n_before = to.len();
        let capacity = n_before.saturating_add(self.n_left);
        self.values.append(slot, to, capacity).map_err(|error| {
            // The error names the limit of the reader, and not the number of bytes that were left.
            if matches!(error.kind(), SelectErrorKind::ValueBytes { .. }) {
                too_long(self.max_bytes)
            } else {
                error
            }
        })?;
        // Each value counts 48 bytes more, since very many values with few or no bytes could also exceed memory.
        let n_bytes = (to.len() - n_before).saturating_add(VALUE_BYTES);
        self.n_left = self.n_left.checked_sub(n_bytes).ok_or_else(|| too_long(self.max_bytes))?;
        Ok(())
    }
}

/// A hasher for keys that are hashes already.
#[derive(Debug, Clone, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_buffer::Buffer;
    use arrow_schema::{DataType, Field};

    use super::*;
    use arrow_data::ArrayParts;

    const N_VALUES: usize = 1000;
    const N_ITEMS: usize = 300;

    /// Different values that begin with the same `N_ITEMS - 4` bytes.
    fn long_bytes(data_type: DataType, n_values: usize) -> ArrayData {
        let offsets: Vec<i32> = (0..=n_values).map(|slot| (slot * N_ITEMS) as i32).collect();
        let mut bytes = vec![b'a'; n_values * N_ITEMS];
        for (slot, value) in bytes.chunks_exact_mut(N_ITEMS).enumerate() {
            value[N_ITEMS - 4..].copy_from_slice(format!("{:04}", slot % N_VALUES).as_bytes());
        }
        let buffers = [Buffer::from(offsets), Buffer::from(bytes)];
        ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(data_type, n_values) }).unwrap()
    }

    /// Makes lists whose items are the same bytes.
    fn long_lists() -> ArrayData {
        let bytes = long_bytes(DataType::Binary, N_VALUES);
        let items = ArrayParts::new(DataType::UInt8, N_VALUES * N_ITEMS);
        let items = ArrayParts { buffers: [bytes.buffer(1).clone(), Buffer::new()], ..items };
        let parts = ArrayParts::new(DataType::list(Field::new("item", DataType::UInt8)), N_VALUES);
        let children: Option<Arc<[ArrayData]>> = Some(Arc::new([ArrayData::try_new(items).unwrap()]));
        let buffers = [bytes.buffer(0).clone(), Buffer::new()];
        ArrayData::try_new(ArrayParts { buffers, children, ..parts }).unwrap()
    }

    fn insert_all(array: &ArrayData) -> (ValueTable, ValueReader) {
        let mut table = ValueTable::default();
        let mut reader = ValueReader::try_new(array).unwrap();
        for slot in 0..array.len() {
            table.insert(&mut reader, slot).unwrap();
        }
        (table, reader)
    }

    #[test]
    fn long_values_that_begin_alike_are_read_once() {
        for (array, n_value_bytes) in
            [(long_bytes(DataType::Utf8, N_VALUES), 9 + N_ITEMS), (long_lists(), 9 + 2 * N_ITEMS)]
        {
            let (table, reader) = insert_all(&array);
            assert_eq!(table.len(), N_VALUES);
            assert_eq!(reader.n_bytes_read(), N_VALUES * (n_value_bytes + VALUE_BYTES));
            // Hashes are computed over all bytes and have 64 bits, so they do not collide.
            assert_eq!(table.n_bytes_compared.get(), 0);
        }
        // A value in the table is compared with one other value.
        let (table, reader) = insert_all(&long_bytes(DataType::Binary, 3 * N_VALUES));
        assert_eq!(table.len(), N_VALUES);
        assert_eq!(reader.n_bytes_read(), 3 * N_VALUES * (9 + N_ITEMS + VALUE_BYTES));
        assert_eq!(table.n_bytes_compared.get(), 2 * N_VALUES * (9 + N_ITEMS));
    }

    /// Values that repeat, of which many have the same length and ends, as in a list that is searched from the start. Values that
    /// were removed are added again.
    #[test]
    fn values_that_repeat_are_found() {
        let value = |number: usize| match number % 3 {
            0 => vec![b'x'; number % 40],
            1 => format!("the same {number:05} the same").into_bytes(),
            _ => number.to_string().into_bytes(),
        };
        for n_values in [1, 2, 40, 700, 6000] {
            let numbers = (0..4 * n_values).map(|slot| slot * slot % 1_000_003 % n_values);
            let values: Vec<Vec<u8>> = numbers.map(value).collect();
            let ends = values.iter().scan(0, |end, value| {
                *end += value.len() as i32;
                Some(*end)
            });
            let buffers = [
                Buffer::from([0].into_iter().chain(ends).collect::<Vec<i32>>()),
                Buffer::from(values.concat()),
            ];
            let parts = ArrayParts::new(DataType::Binary, values.len());
            let array = ArrayData::try_new(ArrayParts { buffers, ..parts }).unwrap();
            let mut table = ValueTable::default();
            let mut reader = ValueReader::try_new(&array).unwrap();
            let mut naive: HashMap<&[u8], usize> = HashMap::new();
            for (slot, value) in values.iter().enumerate() {
                let n_known = naive.len();
                let expected = match *naive.entry(value).or_insert(n_known) {
                    position if position == n_known => Insertion::New(position),
                    position => Insertion::Known(position),
                };
                assert_eq!(table.insert(&mut reader, slot).unwrap(), expected);
                if slot == 3 * n_values {
                    table.truncate(n_known / 2);
                    naive.retain(|_, position| *position < n_known / 2);
                }
            }
        }
    }

    #[test]
    fn too_many_bytes_are_refused() {
        let array = long_bytes(DataType::Binary, 10);
        let enough = 10 * (9 + N_ITEMS + VALUE_BYTES);
        for max_bytes in [0, VALUE_BYTES, enough - 1, enough] {
            let mut reader = ValueReader::try_new(&array).unwrap().with_max_bytes(max_bytes);
            let mut table = ValueTable::default();
            let result = (0..10).try_for_each(|slot| table.insert(&mut reader, slot).map(drop));
            assert_eq!(result.is_ok(), max_bytes == enough, "{max_bytes}");
            if let Err(error) = result {
                assert_eq!(error.kind(), &SelectErrorKind::ValueBytes { limit: max_bytes as u64 });
            }
        }
    }
}
