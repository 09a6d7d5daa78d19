//! Batches of a file that several threads read at the same time.

use arrow_ipc::{FileReader, Source, Threads};

/// Bodies of so many bytes are in memory at the same time, if they are of several batches.
const AHEAD_BYTES: u64 = 64 << 20;

/// How many threads read batches of a file: as many as the pool has, and fewer if batches are large. Only one in a thread of a pool.
pub(crate) fn n_readers<S: Source>(reader: &FileReader<S>) -> usize {
    let n_body_bytes = reader.footer().batches().iter().map(|block| block.n_body_bytes()).max();
    let Some(n_body_bytes) = n_body_bytes else { return 1 };
    // One more waits to be written.
    let n_in_memory = AHEAD_BYTES.checked_div(n_body_bytes).unwrap_or(u64::MAX).saturating_sub(1);
    let n_batches = reader.n_batches().min(usize::try_from(n_in_memory).unwrap_or(usize::MAX));
    if n_batches < 2 { 1 } else { Threads::n_available().min(n_batches) }
}

#[cfg(test)]
mod tests {
    use arrow_data::RecordBatch;
    use arrow_ipc::{FileWriter, ReadOptions, WriteOptions};

    use super::*;

    #[test]
    fn few_bytes_are_read_at_the_same_time() {
        let n_available = Threads::n_available();
        for (n_rows, n_batches, n_expected) in [
            (10, 0, 1),
            (10, 1, 1),
            (10, 2, 2),
            (10, 1000, 1000),
            (1 << 21, 5, 3),
            (1 << 22, 2, 1),
            (0, 3, 3),
        ] {
            let column = arrow_array::Int64Array::from_iter(0..n_rows).into_data();
            let batch = RecordBatch::try_from_columns([("n", column)]).unwrap();
            let batches = vec![batch.clone(); n_batches];
            let file = FileWriter::to_buffer(batch.schema(), &batches, WriteOptions::new()).unwrap();
            let reader = FileReader::try_from_source(file, ReadOptions::new()).unwrap();
            assert_eq!(
                n_readers(&reader),
                n_available.min(n_expected),
                "{n_batches} batches of {n_rows} rows"
            );
        }
    }
}
