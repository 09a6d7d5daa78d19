//! Rows that wait until there are as many as a batch has.

use arrow_data::{ArrayData, RecordBatch};

use crate::error::ToolErrorKind;

/// Rows that are joined to a batch, and what they may take: few bytes can be decompressed to any number.
#[derive(Debug)]
pub(super) struct Pending {
    batches: Vec<RecordBatch>,
    n_rows: usize,
    n_bytes: u64,
    max_bytes: u64,
}

impl Pending {
    /// Without a bound, until [`has_read`](Pending::has_read) tells one.
    pub(super) fn new() -> Pending {
        Pending { batches: Vec::new(), n_rows: 0, n_bytes: 0, max_bytes: u64::MAX }
    }

    /// Bounds the rows by the bytes of the input so far, as reading bounds what a body is decompressed to.
    pub(super) fn has_read(&mut self, n_bytes: u64) {
        const LEAST: u64 = 256 << 20;
        const PER_BYTE: u64 = 1024;
        self.max_bytes = n_bytes.saturating_mul(PER_BYTE).max(LEAST);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// # Errors
    /// If all of them take too much. Those of one batch never do: reading has allowed what it takes.
    pub(super) fn push(&mut self, rows: RecordBatch) -> Result<(), ToolErrorKind> {
        let n_bytes = rows.columns().iter().map(bytes_of_rows).fold(self.n_bytes, u64::saturating_add);
        let max_bytes = self.max_bytes;
        if n_bytes > max_bytes && !self.is_empty() {
            return Err(ToolErrorKind::LargeBatch { n_bytes, max_bytes });
        }
        self.n_bytes = n_bytes;
        self.n_rows = self.n_rows.saturating_add(rows.n_rows());
        self.batches.push(rows);
        Ok(())
    }

    pub(super) fn take(&mut self) -> Vec<RecordBatch> {
        (self.n_rows, self.n_bytes) = (0, 0);
        std::mem::take(&mut self.batches)
    }
}

/// The bytes of an array without those of dictionaries, which batches share.
fn bytes_of_rows(array: &ArrayData) -> u64 {
    fn of_dictionaries(array: &ArrayData) -> u64 {
        let own = array.dictionary().map_or(0, |values| values.n_bytes());
        array.children().iter().map(of_dictionaries).fold(own, u64::saturating_add)
    }
    array.n_bytes().saturating_sub(of_dictionaries(array))
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::DataType;

    use super::*;

    /// What is read bounds what is joined, whatever it was before it was decompressed.
    #[test]
    fn rows_that_wait_have_a_bound() {
        const MIB: usize = 1 << 20;
        let buffers = [Buffer::from(vec![0_u8; 64 * MIB]), Buffer::new()];
        let zeros = ArrayParts { buffers, ..ArrayParts::new(DataType::UInt8, 64 * MIB) };
        let zeros = ArrayData::try_new(zeros).unwrap();
        let batch = RecordBatch::try_from_columns([("c", zeros)]).unwrap();
        let mut pending = Pending::new();
        pending.has_read(1_000);
        (0..4).for_each(|_| pending.push(batch.clone()).unwrap());
        let error = pending.push(batch.clone()).unwrap_err();
        let ToolErrorKind::LargeBatch { n_bytes, max_bytes } = error else { panic!("{error:?}") };
        assert_eq!((n_bytes, max_bytes), (320 << 20, 256 << 20));
        // More bytes allow more, and what has been taken does not count.
        pending.has_read(1 << 20);
        pending.push(batch.clone()).unwrap();
        assert_eq!((pending.n_rows(), pending.take().len()), (5 * 64 * MIB, 5));
        pending.has_read(1_000);
        pending.push(batch).unwrap();
    }
}
