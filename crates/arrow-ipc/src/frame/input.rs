//! Stores received bytes until they are used. A range inside one received buffer is returned as a slice. Other ranges are
//! copied into one buffer. Long messages are read directly into their final memory.

use std::collections::VecDeque;

use arrow_buffer::{BudgetError, Buffer, BufferMut, MemoryBudget};

use crate::recycled::{MIN_RETAINED_BYTES, RecycledMemory, Reservation};

/// The minimum number of bytes to read at once. Longer messages are read directly into their final memory.
const MIN_CHUNK_BYTES: usize = 8 << 10;
const MAX_CHUNK_BYTES: usize = 256 << 10;

/// More memory than this is reserved only if as many bytes have already arrived.
const FIRST_BYTES: usize = 64 << 10;

/// The received bytes that have not been used.
#[derive(Debug)]
pub(crate) struct UnreadBytes {
    pieces: VecDeque<Buffer>,
    /// The start of a message whose bytes are not in one buffer: an unfinished call of `take`.
    joined: Option<JoinedBytes>,
    /// Memory for bytes of any message.
    chunk: BufferMut,
    /// The memory that `spare` has returned.
    destination: ReadDestination,
    n_reassembled_bytes: u64,
    n_arrived_bytes: usize,
    last_read_bytes: usize,
    /// The source of memory. Memory is charged to `budget`. If the budget refuses memory, `refused` is its error.
    memory: RecycledMemory,
    budget: Option<MemoryBudget>,
    refused: Option<BudgetError>,
}

/// The bytes of a message that were copied or read into its own memory.
#[derive(Debug)]
struct JoinedBytes {
    bytes: BufferMut,
    /// Counts the memory if it is reused and has capacity for bytes that have not arrived.
    _reservation: Option<Reservation>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ReadDestination {
    #[default]
    Nothing,
    Chunk {
        n_bytes: usize,
    },
    Joined {
        n_bytes: usize,
    },
}

impl Default for UnreadBytes {
    /// Makes an input with its own memory, which it does not share with other inputs.
    fn default() -> UnreadBytes {
        UnreadBytes::with_memory(RecycledMemory::default(), None)
    }
}

impl UnreadBytes {
    /// Makes an input that allocates memory under the budget, if there is one. After the budget has refused memory,
    /// [`check`](UnreadBytes::check) returns its error.
    pub(crate) fn with_memory(memory: RecycledMemory, budget: Option<MemoryBudget>) -> UnreadBytes {
        let mut input = UnreadBytes {
            pieces: VecDeque::new(),
            joined: None,
            chunk: BufferMut::new(),
            destination: ReadDestination::Nothing,
            n_reassembled_bytes: 0,
            n_arrived_bytes: 0,
            last_read_bytes: 0,
            memory,
            budget,
            refused: None,
        };
        input.chunk = input.no_bytes();
        input
    }

    /// # Errors
    /// If the budget has refused memory for bytes that have arrived, or for the next read.
    pub(crate) fn check(&self) -> Result<(), BudgetError> {
        self.refused.map_or(Ok(()), Err)
    }

    /// Empty memory that grows under the budget.
    fn no_bytes(&self) -> BufferMut {
        BufferMut::try_with_capacity_in(0, self.budget.as_ref()).unwrap_or_default()
    }

    /// Whether [`take`](UnreadBytes::take) of this number of bytes would copy some that have been received.
    pub(crate) fn must_gather(&self, n_bytes: usize) -> bool {
        let has_joined = self.joined.as_ref().is_some_and(|joined| !joined.bytes.is_empty());
        self.pieces.front().is_some_and(|piece| has_joined || piece.len() < n_bytes)
    }

    pub(crate) fn feed(&mut self, bytes: Buffer) {
        // Nothing was read into the memory of a message that now arrives in a buffer.
        self.joined.take_if(|joined| joined.bytes.is_empty());
        // Invalidates the memory from `spare`, since the fed bytes come next.
        self.destination = ReadDestination::Nothing;
        self.n_arrived_bytes = self.n_arrived_bytes.saturating_add(bytes.len());
        self.push(bytes);
    }

    fn push(&mut self, bytes: Buffer) {
        if !bytes.is_empty() {
            self.pieces.push_back(bytes);
        }
    }

    /// The number of received bytes that have not been used.
    pub(crate) fn n_bytes(&self) -> u64 {
        let n_joined = self.joined.as_ref().map_or(0, |joined| joined.bytes.len()) as u64;
        self.pieces.iter().fold(n_joined, |n_bytes, piece| n_bytes.saturating_add(piece.len() as u64))
    }

    /// The number of bytes that `take` has copied.
    pub(crate) fn n_reassembled_bytes(&self) -> u64 {
        self.n_reassembled_bytes
    }

    /// Returns the next bytes without using them: at least as many as fit into `buffer`, or all. They are copied to
    /// `buffer` only if they lie in several buffers. No call of `take` may be unfinished.
    pub(crate) fn peek<'a>(&'a self, buffer: &'a mut [u8]) -> &'a [u8] {
        if let Some(first) = self.pieces.front()
            && first.len() >= buffer.len()
        {
            return first;
        }
        let bytes = self.pieces.iter().flat_map(|piece| piece.iter());
        let n_copied = buffer.iter_mut().zip(bytes).map(|(to, byte)| *to = *byte).count();
        buffer.get(..n_copied).unwrap_or_default()
    }

    /// Skips up to `n_bytes` received bytes. Returns the number of skipped bytes. No call of `take` may be unfinished.
    pub(crate) fn skip(&mut self, n_bytes: u64) -> u64 {
        let mut n_skipped: u64 = 0;
        while let Some(piece) = self.pieces.front()
            && n_skipped < n_bytes
        {
            let n_left = usize::try_from(n_bytes.saturating_sub(n_skipped)).unwrap_or(usize::MAX);
            let n_more = piece.len().min(n_left);
            n_skipped = n_skipped.saturating_add(n_more as u64);
            self.advance(n_more);
        }
        n_skipped
    }

    /// Returns up to `n_bytes` of the next bytes, all from one received buffer. Returns `None` if there are no bytes. No
    /// call of `take` may be unfinished.
    pub(crate) fn take_some(&mut self, n_bytes: u64) -> Option<Buffer> {
        let piece = self.pieces.front()?;
        let n_taken = piece.len().min(usize::try_from(n_bytes).unwrap_or(usize::MAX));
        let taken = Some(piece.slice(..n_taken)).filter(|taken| !taken.is_empty());
        self.advance(n_taken);
        taken
    }

    /// Returns the next `n_bytes` bytes: as a slice if they lie in one buffer, otherwise as a copy. Returns `None` if
    /// some of them have not arrived; the next call must then have the same `n_bytes`.
    pub(crate) fn take(&mut self, n_bytes: usize) -> Option<Buffer> {
        if n_bytes == 0 {
            return Some(Buffer::new());
        }
        self.destination = ReadDestination::Nothing;
        if self.joined.is_none() {
            match self.pieces.front() {
                Some(piece) if piece.len() >= n_bytes => {
                    let taken = piece.slice(..n_bytes);
                    self.advance(n_bytes);
                    return Some(taken);
                }
                // A short range probably arrives in one buffer with the next read.
                None if n_bytes < MIN_CHUNK_BYTES => return None,
                Some(_) | None => {}
            }
        }
        let mut joined = self.joined.take().unwrap_or_else(|| self.memory_for(n_bytes));
        let bytes = &mut joined.bytes;
        while let Some(piece) = self.pieces.front()
            && bytes.len() < n_bytes
        {
            let n_left = n_bytes - bytes.len();
            let n_more = match bytes.try_spare(n_left) {
                Ok(spare) => {
                    let n_more = piece.len().min(spare.len());
                    spare[..n_more].copy_from_slice(&piece[..n_more]);
                    n_more
                }
                Err(error) => {
                    self.refused = Some(error);
                    break;
                }
            };
            bytes.filled(n_more);
            self.n_reassembled_bytes = self.n_reassembled_bytes.saturating_add(n_more as u64);
            self.advance(n_more);
        }
        if joined.bytes.len() == n_bytes {
            return Some(self.freeze(joined.bytes));
        }
        self.joined = Some(joined);
        None
    }

    /// Memory for `n_bytes` bytes, some of which have not arrived. Reused memory has capacity for all of them. New memory has
    /// capacity for all of them only if as many bytes have arrived before.
    fn memory_for(&self, n_bytes: usize) -> JoinedBytes {
        let bodies = self.memory.bodies();
        let budget = self.budget.as_ref();
        if n_bytes >= MIN_RETAINED_BYTES {
            let (recycled, reservation) = if n_bytes <= self.n_arrived_bytes {
                (bodies.recycled(n_bytes, budget), None)
            } else {
                bodies.reserve(n_bytes, budget).unzip()
            };
            if let Some(bytes) = recycled {
                return JoinedBytes { bytes, _reservation: reservation };
            }
        }
        let n_first_bytes = n_bytes.min(self.n_arrived_bytes.max(FIRST_BYTES));
        // If the budget refuses memory here, later growth may still succeed for the bytes that arrive.
        let bytes = bodies.fresh(n_first_bytes, budget).unwrap_or_else(|_| self.no_bytes());
        JoinedBytes { bytes, _reservation: None }
    }

    /// Converts the bytes to a buffer. Large memory is reused after the buffer was dropped.
    fn freeze(&self, bytes: BufferMut) -> Buffer {
        if bytes.capacity() < MIN_RETAINED_BYTES {
            bytes.freeze()
        } else {
            self.memory.bodies().freeze(bytes)
        }
    }

    /// Provides at least one byte of memory to read into. `n_needed` is the number of bytes for which the current call of
    /// `take` waits.
    ///
    /// Long messages are read into their final memory, which grows with the received bytes. Short messages are read in
    /// chunks, whose length depends on how many bytes the source returns at once.
    pub(crate) fn spare(&mut self, n_needed: usize) -> &mut [u8] {
        if let Some(joined) = &mut self.joined
            && n_needed >= MIN_CHUNK_BYTES
        {
            match joined.bytes.try_spare(n_needed) {
                Ok(spare) => self.destination = ReadDestination::Joined { n_bytes: spare.len() },
                Err(error) => return self.least(error),
            }
            // The memory now has capacity for more bytes.
            return self.joined.as_mut().map_or(&mut [], |joined| joined.bytes.spare(n_needed));
        }
        let n_requested = self.last_read_bytes.saturating_mul(2).clamp(MIN_CHUNK_BYTES, MAX_CHUNK_BYTES);
        if self.chunk.is_empty() && self.chunk.capacity() < n_requested && n_requested >= MIN_RETAINED_BYTES {
            match self.memory.bodies().take(n_requested, self.budget.as_ref()) {
                Ok(chunk) => self.chunk = chunk,
                Err(error) => return self.least(error),
            }
        }
        if let Err(error) = self.chunk.try_reserve(n_requested) {
            return self.least(error);
        }
        let spare = self.chunk.spare(n_requested);
        self.destination = ReadDestination::Chunk { n_bytes: spare.len() };
        spare
    }

    /// Provides one byte after the budget has refused more memory. The next step returns the error, but no received byte
    /// is lost.
    fn least(&mut self, error: BudgetError) -> &mut [u8] {
        self.refused = Some(error);
        let spare = self.chunk.spare(1);
        self.destination = ReadDestination::Chunk { n_bytes: spare.len() };
        spare
    }

    /// Adds the first `n_filled` bytes of the memory that `spare` has returned.
    pub(crate) fn filled(&mut self, n_filled: usize) {
        match (std::mem::take(&mut self.destination), &mut self.joined) {
            (ReadDestination::Nothing, _) | (ReadDestination::Joined { .. }, None) => {}
            (ReadDestination::Joined { n_bytes }, Some(joined)) => {
                let n_filled = n_filled.min(n_bytes);
                joined.bytes.filled(n_filled);
                self.n_arrived_bytes = self.n_arrived_bytes.saturating_add(n_filled);
                if n_bytes >= MIN_RETAINED_BYTES {
                    // The next message is probably long, too, so its bytes in this chunk would be copied.
                    self.last_read_bytes = 0;
                }
            }
            (ReadDestination::Chunk { n_bytes: n_spare }, _) => {
                let n_bytes = n_filled.min(n_spare);
                self.last_read_bytes = n_bytes;
                self.n_arrived_bytes = self.n_arrived_bytes.saturating_add(n_bytes);
                self.feed_chunk(n_bytes, n_spare);
            }
        }
    }

    /// Adds the `n_bytes` bytes that were read into a chunk of `n_spare` bytes. If they fill less than a quarter of the
    /// chunk, they are copied and the chunk is reused, so that batches do not keep unused memory.
    fn feed_chunk(&mut self, n_bytes: usize, n_spare: usize) {
        self.chunk.filled(n_bytes);
        if n_bytes < n_spare / 4 {
            let Ok(bytes) = Buffer::try_copy_in(&self.chunk, self.budget.as_ref()) else {
                let whole = std::mem::take(&mut self.chunk);
                return self.push(whole.freeze());
            };
            self.n_reassembled_bytes = self.n_reassembled_bytes.saturating_add(n_bytes as u64);
            self.chunk.clear();
            self.push(bytes);
        } else {
            let next = self.no_bytes();
            let chunk = std::mem::replace(&mut self.chunk, next);
            let chunk = self.freeze(chunk);
            self.push(chunk);
        }
    }

    pub(crate) fn into_rest(mut self) -> Vec<Buffer> {
        let joined = self.joined.take().map(|joined| joined.bytes.freeze());
        joined.into_iter().filter(|bytes| !bytes.is_empty()).chain(self.pieces).collect()
    }

    /// Skips bytes in the first buffer.
    fn advance(&mut self, n_bytes: usize) {
        if let Some(piece) = self.pieces.front_mut() {
            if piece.len() > n_bytes {
                piece.advance(n_bytes);
            } else {
                self.pieces.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_slices_of_one_piece_and_gathers_over_several() {
        let whole = Buffer::copy_from(b"abcdefgh");
        let mut input = UnreadBytes::default();
        input.feed(whole.clone());
        let taken = input.take(4).unwrap();
        assert!(taken.same_memory(&whole.slice(..4)));
        assert_eq!(input.take(6), None);
        assert_eq!(input.n_bytes(), 4);
        input.feed(Buffer::copy_from(b"ijkl"));
        assert_eq!(&*input.take(6).unwrap(), b"efghij");
        assert_eq!(input.into_rest(), [Buffer::copy_from(b"kl")]);
    }

    #[test]
    fn long_needs_are_read_into_their_final_memory() {
        let mut input = UnreadBytes::default();
        assert_eq!(input.take(100_000), None);
        let mut n_left = 100_000;
        while n_left > 0 {
            let spare = input.spare(n_left);
            assert!(!spare.is_empty() && spare.len() <= n_left);
            let n_bytes = spare.len().min(30_000);
            spare[..n_bytes].fill(7);
            input.filled(n_bytes);
            n_left -= n_bytes;
        }
        let taken = input.take(100_000).unwrap();
        assert!(taken.iter().all(|byte| *byte == 7) && taken.is_aligned_to(64));
    }
}
