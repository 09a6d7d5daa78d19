//! Files that are only there as far as they are requested, and the account of what was requested.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex},
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{FetchCost, FileEncoder, OwnedEncoded, Source, WriteOptions};
use arrow_schema::{DataType, Field, IndexType, Schema};

/// An encoded file: all of its columns share one buffer of zeros, so that it takes no memory.
#[derive(Debug, Clone)]
pub(super) struct Store {
    pieces: Arc<[(u64, OwnedEncoded)]>,
    n_bytes: u64,
    traffic: Arc<Mutex<Traffic>>,
}

/// The recorded requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    pub(super) n_bytes: u64,
    pub(super) n_requests: usize,
    /// The number of times that the reader waited, for any number of requests.
    pub(super) n_waits: usize,
    /// The number of groups of requests that run at the same time.
    pub(super) n_round_trips: usize,
}

impl Store {
    pub(super) fn new(batches: &[RecordBatch], options: WriteOptions) -> Store {
        let mut encoder = FileEncoder::try_new_with(batches[0].schema(), options).unwrap();
        let mut pieces = vec![(0, encoder.start().unwrap().into_owned())];
        for batch in batches {
            pieces.push((encoder.position(), encoder.encode(batch).unwrap().into_owned()));
        }
        pieces.push((encoder.position(), encoder.finish().unwrap().into_owned()));
        Store { pieces: pieces.into(), n_bytes: encoder.position(), traffic: Arc::default() }
    }

    /// 800 MB in 16 batches of 100 columns.
    pub(super) fn large_batches() -> Store {
        Store::large_batches_with(WriteOptions::default())
    }

    pub(super) fn large_batches_with(options: WriteOptions) -> Store {
        Store::new(&vec![numbers(62_500); 16], options)
    }

    /// 800 MB in 1,000 batches of 100 columns.
    pub(super) fn small_batches() -> Store {
        Store::new(&vec![numbers(1_000); 1_000], WriteOptions::default())
    }

    /// 32 MB in one batch: ids and names.
    pub(super) fn one_batch() -> Store {
        Store::one_batch_with(WriteOptions::default())
    }

    pub(super) fn one_batch_with(options: WriteOptions) -> Store {
        const N_ROWS: usize = 1_000_000;
        let ids = int64s(N_ROWS, &Buffer::zeroed(8 * N_ROWS));
        let offsets = Buffer::from((0..=N_ROWS as i32).map(|row| row * 20).collect::<Vec<_>>());
        let buffers = [offsets, Buffer::zeroed(20 * N_ROWS)];
        let names = ArrayParts { buffers, ..ArrayParts::new(DataType::Utf8, N_ROWS) };
        let names = ArrayData::try_new(names).unwrap();
        let batch = RecordBatch::try_from_columns([("id", ids), ("name", names)]).unwrap();
        Store::new(&[batch], options)
    }

    /// 16 batches of 6 MB, with columns of three dictionaries, each of 1 MB.
    pub(super) fn dictionaries() -> Store {
        const N_ROWS: usize = 80_000;
        let dictionary = |idx: usize| {
            let values = int64s(125_000 + idx, &Buffer::zeroed(8 * (125_000 + idx)));
            let data_type = DataType::dictionary(IndexType::Int32, DataType::Int64).unwrap();
            let buffers = [Buffer::zeroed(4 * N_ROWS), Buffer::new()];
            let dictionary = Some(Arc::new(values));
            let parts = ArrayParts { buffers, dictionary, ..ArrayParts::new(data_type, N_ROWS) };
            (format!("d{idx}"), ArrayData::try_new(parts).unwrap())
        };
        let number = int64s(N_ROWS, &Buffer::zeroed(8 * N_ROWS));
        let numbers = (0..8).map(|idx| (format!("c{idx}"), number.clone()));
        let columns: Vec<_> = (0..3).map(dictionary).chain(numbers).collect();
        let batch = RecordBatch::try_from_columns(columns).unwrap();
        Store::new(&vec![batch; 16], WriteOptions::default())
    }

    pub(super) fn take_traffic(&self) -> Traffic {
        std::mem::take(&mut *self.traffic.lock().unwrap())
    }

    fn read(&self, range: &Range<u64>) -> Buffer {
        let mut bytes = BufferMut::with_capacity((range.end - range.start) as usize);
        let first = self.pieces.partition_point(|(position, _)| *position <= range.start) - 1;
        for (position, encoded) in &self.pieces[first..] {
            let mut position = *position;
            if position >= range.end {
                break;
            }
            for slice in encoded.slices(usize::MAX) {
                let end = position + slice.len() as u64;
                let (from, to) = (range.start.max(position), range.end.min(end));
                if from < to {
                    bytes.extend_from_slice(&slice[(from - position) as usize..(to - position) as usize]);
                }
                position = end;
            }
        }
        assert_eq!(bytes.len() as u64, range.end - range.start);
        bytes.freeze()
    }
}

impl Source for Store {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.n_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(self.fetch_many(std::slice::from_ref(&range))?.remove(0))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let mut traffic = self.traffic.lock().unwrap();
        traffic.n_requests += ranges.len();
        traffic.n_waits += 1;
        let n_in_flight = FetchCost::OBJECT_STORE.requests_in_flight_for(ranges) as usize;
        traffic.n_round_trips += ranges.len().div_ceil(n_in_flight);
        traffic.n_bytes += ranges.iter().map(|range| range.end - range.start).sum::<u64>();
        Ok(ranges.iter().map(|range| self.read(range)).collect())
    }
}

fn int64s(n_slots: usize, zeros: &Buffer) -> ArrayData {
    let buffers = [zeros.clone(), Buffer::new()];
    ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int64, n_slots) }).unwrap()
}

/// 100 columns of zeros.
fn numbers(n_rows: usize) -> RecordBatch {
    let column = int64s(n_rows, &Buffer::zeroed(8 * n_rows));
    let schema =
        Schema::new((0..100).map(|idx| Field::new(format!("c{idx}"), DataType::Int64)).collect::<Vec<_>>());
    RecordBatch::try_new(schema, vec![column; 100]).unwrap()
}
