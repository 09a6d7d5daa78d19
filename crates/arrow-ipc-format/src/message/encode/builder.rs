//! The nodes and buffers of a batch that is written. The lengths of the buffers determine their positions in the body.

use crate::{
    alignment::{Alignment, SMALL_ALIGNMENT, round_up},
    error::{FormatError, Result},
    limits::Limits,
};

/// The lists of a batch message, with signed numbers as in the flatbuffer. [`begin`](BatchHeaderBuilder::begin) reuses the
/// memory of the lists.
#[derive(Debug, Default)]
pub struct BatchHeaderBuilder {
    alignment: Alignment,
    n_rows: u64,
    /// The length and null count of each field.
    nodes: Vec<[i64; 2]>,
    /// The offset and length of each buffer.
    buffers: Vec<[i64; 2]>,
    variadic_counts: Vec<i64>,
    n_body_bytes: u64,
    max_slots: usize,
}

impl BatchHeaderBuilder {
    /// Empty vectors, for bodies with this alignment.
    pub fn new(alignment: Alignment) -> BatchHeaderBuilder {
        BatchHeaderBuilder { alignment, ..BatchHeaderBuilder::default() }
    }

    /// Clears the lists for the next batch.
    pub fn begin(&mut self, n_rows: u64) {
        self.n_rows = n_rows;
        self.max_slots = usize::try_from(n_rows).unwrap_or(usize::MAX);
        self.nodes.clear();
        self.buffers.clear();
        self.variadic_counts.clear();
        self.n_body_bytes = 0;
    }

    #[inline]
    /// Adds a node with this length and null count.
    pub fn add_node(&mut self, n_slots: usize, null_count: usize) {
        self.max_slots = self.max_slots.max(n_slots);
        self.nodes.push([wire(n_slots as u64), wire(null_count as u64)]);
    }

    /// Adds a node that was read from another message. `None` is written as −1, which means an unknown null count.
    pub fn add_read_node(&mut self, n_slots: u64, null_count: Option<u64>) {
        self.max_slots = self.max_slots.max(usize::try_from(n_slots).unwrap_or(usize::MAX));
        self.nodes.push([wire(n_slots), null_count.map_or(-1, wire)]);
    }

    /// Adds the number of data buffers of a view field.
    pub fn add_variadic_count(&mut self, n_buffers: usize) {
        self.variadic_counts.push(wire(n_buffers as u64));
    }

    /// Adds a buffer at the next aligned position of the body. Returns the number of zeros before it.
    #[inline]
    pub fn add_buffer(&mut self, n_bytes: usize) -> usize {
        let n_bytes = n_bytes as u64;
        let start = self.alignment.buffer_start(self.n_body_bytes, n_bytes);
        self.buffers.push([wire(start), wire(n_bytes)]);
        if n_bytes == 0 {
            return 0;
        }
        let n_padding = start.saturating_sub(self.n_body_bytes);
        self.n_body_bytes = start.saturating_add(n_bytes);
        // The padding is shorter than the alignment, so the number fits.
        n_padding as usize
    }

    /// The number of zeros before a buffer that [`add_packed_buffer`](BatchHeaderBuilder::add_packed_buffer) adds.
    pub fn n_packed_padding(&self) -> usize {
        // The padding is shorter than 8 bytes, so the number fits.
        round_up(self.n_body_bytes, SMALL_ALIGNMENT).saturating_sub(self.n_body_bytes) as usize
    }

    /// Adds a buffer of this length at the next multiple of 8.
    pub fn add_packed_buffer(&mut self, n_bytes: u64) {
        let start = round_up(self.n_body_bytes, SMALL_ALIGNMENT);
        self.buffers.push([wire(start), wire(n_bytes)]);
        if n_bytes > 0 {
            self.n_body_bytes = start.saturating_add(n_bytes);
        }
    }

    /// Adds a buffer with the offset and length of an earlier buffer, so the message contains these bytes once.
    ///
    /// # Errors
    /// An internal error if `earlier` is out of bounds. In this case, no buffer is added.
    pub fn repeat_buffer(&mut self, earlier: usize) -> Result<()> {
        let range = self.buffers.get(earlier).copied();
        self.buffers.push(range.ok_or_else(|| FormatError::internal("a repeated buffer does not exist"))?);
        Ok(())
    }

    /// Pads the body to the alignment. Returns the number of zeros at its end.
    pub fn end_body(&mut self) -> usize {
        let end = round_up(self.n_body_bytes, self.alignment.n_bytes());
        let n_padding = end.saturating_sub(self.n_body_bytes);
        self.n_body_bytes = end.max(self.n_body_bytes);
        n_padding as usize
    }

    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The number of rows as a signed number for the flatbuffer.
    pub(super) fn wire_rows(&self) -> i64 {
        wire(self.n_rows)
    }

    /// The nodes, as lengths and null counts.
    pub fn nodes(&self) -> &[[i64; 2]] {
        &self.nodes
    }

    /// The buffers, as offsets and lengths.
    pub fn buffers(&self) -> &[[i64; 2]] {
        &self.buffers
    }

    /// The variadic counts.
    pub fn variadic_counts(&self) -> &[i64] {
        &self.variadic_counts
    }

    /// The length of the body so far.
    pub fn n_body_bytes(&self) -> u64 {
        self.n_body_bytes
    }

    /// The length of the body as a signed number for the flatbuffer.
    ///
    /// # Errors
    /// If the length of the body, or the number of slots of a field, does not fit the format. In this case, buffer
    /// offsets may not fit either, so call this function before you write any bytes.
    pub fn wire_body_bytes(&self) -> Result<i64> {
        Limits::check("slots", self.max_slots as u64, Limits::MAX_I64)?;
        Limits::fit("bytes of body", self.n_body_bytes, Limits::MAX_I64)
    }
}

/// Converts a number to the signed type of the flatbuffer. Greater numbers become `i64::MAX`;
/// [`wire_body_bytes`](BatchHeaderBuilder::wire_body_bytes) refuses them.
#[inline]
fn wire(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_large_buffers_at_64_and_small_ones_at_8() {
        let mut lists = BatchHeaderBuilder::default();
        lists.begin(3);
        let n_padding = [3, 0, 63, 64, 0, 1, 65, 8].map(|n_bytes| lists.add_buffer(n_bytes));
        assert_eq!(n_padding, [0, 0, 5, 57, 0, 0, 63, 7]);
        let expected: [[i64; 2]; 8] =
            [[0, 3], [8, 0], [8, 63], [128, 64], [192, 0], [192, 1], [256, 65], [328, 8]];
        assert_eq!(lists.buffers(), expected);
        assert_eq!((lists.n_body_bytes(), lists.end_body(), lists.n_body_bytes()), (336, 48, 384));
        lists.begin(0);
        assert_eq!((lists.end_body(), lists.n_body_bytes()), (0, 0));
    }

    #[test]
    fn aligns_buffers_as_requested() {
        let sizes = [1, 8, 16, 64, 4096, 3, 0, 5000];
        for (n_bytes, expected, end) in [
            (8, [0, 8, 16, 32, 96, 4192, 4200, 4200], 9200),
            (16, [0, 8, 16, 32, 96, 4192, 4200, 4208], 9216),
            (4096, [0, 8, 16, 64, 4096, 8192, 8200, 12_288], 20_480),
        ] {
            let mut lists = BatchHeaderBuilder::new(Alignment::try_new(n_bytes).unwrap());
            lists.begin(0);
            for n_bytes in sizes {
                lists.add_buffer(n_bytes);
            }
            lists.end_body();
            let starts: Vec<i64> = lists.buffers().iter().map(|[start, _]| *start).collect();
            assert_eq!((starts, lists.n_body_bytes()), (expected.to_vec(), end), "{n_bytes}");
        }
        for refused in [0, 1, 4, 12, 100, 128 << 10, usize::MAX] {
            assert!(Alignment::try_new(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn refuses_bodies_that_the_wire_cannot_express() {
        let mut lists = BatchHeaderBuilder::default();
        lists.begin(0);
        for _ in 0..4 {
            lists.add_buffer(usize::MAX / 2);
        }
        assert!(lists.wire_body_bytes().is_err());
    }
}
