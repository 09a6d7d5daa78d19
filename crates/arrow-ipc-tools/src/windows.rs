//! Rows of large batches of files, some after others, so that no more is in memory.

use std::ops::Range;

use arrow_data::layout;
use arrow_ipc::{FileReader, Header, Limits, MessageScan, Source};
use arrow_schema::Field;

/// A longer body is read in windows of rows that have about so many bytes of it; of a compressed one a quarter as many.
pub const WINDOW_BYTES: u64 = 8 << 20;

/// How many rows of a batch are read at once, if it is not all of them.
///
/// They are all if the body is not long, and if rows may share what they refer to: each window could then need the whole body again.
/// `None` too if the message cannot be read; reading the batch says why. [`BatchRows`](arrow_ipc::BatchRows) reads the windows.
pub fn rows_at_once<S: Source + Clone>(
    (reader, file): (&FileReader<S>, &S),
    batch_idx: usize,
    window_bytes: u64,
) -> Option<RowsAtOnce> {
    let block = reader.footer().batch(batch_idx).filter(|block| block.n_body_bytes() > window_bytes)?;
    if !reader.schema().fields().iter().all(has_own_items) {
        return None;
    }
    let range = block.position()..reader.footer().position();
    let message =
        MessageScan::try_new(file.clone(), range, Limits::default()).ok()?.next_message().ok()??;
    let Ok(Header::RecordBatch(header)) = message.header(&Limits::default()) else { return None };
    const COMPRESSED_TIMES: u64 = 4;
    let n_times = if header.compression().is_some() { COMPRESSED_TIMES } else { 1 };
    let n_windows = block.n_body_bytes().saturating_mul(n_times).div_ceil(window_bytes.max(1)).max(1);
    let at_once = header.n_rows().div_ceil(n_windows).max(1);
    Some(RowsAtOnce { n_rows: header.n_rows(), at_once })
}

/// How many rows a batch has, and how many of them are read at once.
#[derive(Debug, Clone, Copy)]
pub struct RowsAtOnce {
    n_rows: u64,
    at_once: u64,
}

impl RowsAtOnce {
    /// All rows of the batch.
    pub fn n_rows(self) -> u64 {
        self.n_rows
    }

    /// These rows in windows; all of the batch if none are given.
    pub fn windows(self, rows: Option<Range<u64>>) -> impl Iterator<Item = Range<u64>> {
        let Range { start, end } = rows.unwrap_or(0..self.n_rows);
        let n_windows = end.saturating_sub(start).div_ceil(self.at_once);
        (0..n_windows).map(move |window| {
            let start = start.saturating_add(window.saturating_mul(self.at_once));
            start..start.saturating_add(self.at_once).min(end)
        })
    }
}

/// Whether no two slots, of the field and of those inside it, refer to the same items or bytes.
fn has_own_items(field: &Field) -> bool {
    layout(field.data_type()).has_own_items() && field.children().iter().all(has_own_items)
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::atomic::{AtomicU64, Ordering},
    };

    use arrow_buffer::Buffer;
    use arrow_data::RecordBatch;
    use arrow_ipc::{FetchCost, FileWriter, ReadOptions, WriteOptions};
    use testing_support::{Generator, Nulls, all_types, rows};

    use super::*;

    /// Tells how many bytes are fetched, and how many at once at most.
    #[derive(Debug, Default)]
    struct Counted {
        bytes: Buffer,
        n_fetched_bytes: AtomicU64,
        n_most_bytes: AtomicU64,
    }

    impl Source for &Counted {
        fn n_bytes(&self) -> io::Result<u64> {
            self.bytes.n_bytes()
        }

        fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
            self.n_fetched_bytes.fetch_add(range.end - range.start, Ordering::Relaxed);
            self.n_most_bytes.fetch_max(range.end - range.start, Ordering::Relaxed);
            self.bytes.fetch(range)
        }
    }

    fn file(batch: &RecordBatch, options: WriteOptions) -> Counted {
        let batches = std::slice::from_ref(batch);
        let bytes = FileWriter::to_buffer(batch.schema(), batches, options).unwrap();
        Counted { bytes, ..Counted::default() }
    }

    /// Of every type, also where the rows of a batch share what they refer to.
    #[test]
    fn windows_have_all_rows() {
        let mut n_in_windows = 0;
        for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
            let array = Generator::new(seed as u64).array(&data_type, 100, Nulls::Garbage);
            let batch = RecordBatch::try_from_columns([("a", array)]).unwrap();
            let file = &file(&batch, WriteOptions::new());
            let reader = FileReader::try_from_source(file, ReadOptions::new()).unwrap();
            let Some(at_once) = rows_at_once((&reader, &file), 0, 64) else { continue };
            n_in_windows += 1;
            for wanted in [None, Some(0..0), Some(17..18), Some(3..99)] {
                let windows: Vec<_> = at_once.windows(wanted.clone()).collect();
                let read = windows.iter().map(|rows| reader.batch_rows(0, rows.clone()).unwrap());
                let read: Vec<RecordBatch> = read.collect();
                let Range { start, end } = wanted.unwrap_or(0..100);
                let expected = batch.slice(start as usize, (end - start) as usize);
                let read: Vec<_> = read.iter().flat_map(rows).collect();
                assert_eq!(read, rows(&expected), "{name}");
            }
        }
        assert!(n_in_windows > 20, "{n_in_windows} types");
    }

    #[test]
    fn little_is_read_at_once_and_nothing_twice() {
        let numbers = arrow_array::Int64Array::from_iter(0..100_000).into_data();
        let texts = (0..100_000).map(|n| n.to_string());
        let texts = arrow_array::Utf8Array::try_from_iter(texts).unwrap().into_data();
        let batch = RecordBatch::try_from_columns([("n", numbers), ("t", texts)]).unwrap();
        let plain = &file(&batch, WriteOptions::new());
        let options = ReadOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS);
        let reader = FileReader::try_from_source(plain, options).unwrap();
        let n_body_bytes = reader.footer().batch(0).unwrap().n_body_bytes();
        let rows = rows_at_once((&reader, &plain), 0, n_body_bytes / 16).unwrap();
        for counter in [&plain.n_fetched_bytes, &plain.n_most_bytes] {
            counter.store(0, Ordering::Relaxed);
        }
        let windows: Vec<_> = rows.windows(None).collect();
        assert_eq!(windows.len(), 16);
        windows.into_iter().for_each(|rows| drop(reader.batch_rows(0, rows).unwrap()));
        let [n_fetched, n_most] =
            [&plain.n_fetched_bytes, &plain.n_most_bytes].map(|counter| counter.load(Ordering::Relaxed));
        assert!(n_fetched < n_body_bytes + n_body_bytes / 20, "{n_fetched} of {n_body_bytes}");
        assert!(n_most < n_body_bytes / 10, "{n_most} of {n_body_bytes}");
    }
}
