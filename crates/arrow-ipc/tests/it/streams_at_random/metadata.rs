//! What the walk over the metadata of messages requests and keeps, and streams that grow, change or have long bodies.

use super::*;

/// A stream of equal batches, of which only one is in memory.
#[derive(Debug, Clone)]
pub(super) struct Repeated {
    schema: Buffer,
    batch: Buffer,
    n_batches: u64,
    requests: Arc<Mutex<Vec<Vec<Range<u64>>>>>,
    cost: FetchCost,
}

impl Repeated {
    pub(super) fn new(n_batches: u64, n_batch_rows: i32, cost: FetchCost) -> Repeated {
        let batch = RecordBatch::try_from_columns([("a", ints(0..n_batch_rows))]).unwrap();
        let stream = Buffer::from(written(&[batch], DictionaryPolicy::Error).to_vec());
        let block = FileReader::try_from_buffer(stream.clone()).unwrap().footer().batch(0).unwrap().range();
        let (start, end) = (usize::try_from(block.start).unwrap(), usize::try_from(block.end).unwrap());
        let batch = stream.slice(start..end);
        Repeated { schema: stream.slice(..start), batch, n_batches, requests: Arc::default(), cost }
    }

    pub(super) fn take_requests(&self) -> Vec<Vec<Range<u64>>> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }

    pub(super) fn take_bytes(&self) -> u64 {
        self.take_requests().iter().flatten().map(|range| range.end - range.start).sum()
    }

    fn copy(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut position = range.start;
        while position < range.end {
            let n_schema = self.schema.len() as u64;
            let n_batch = self.batch.len() as u64;
            let (part, start) = match position.checked_sub(n_schema) {
                None => (&self.schema, position),
                Some(after) => (&self.batch, after % n_batch),
            };
            let start = usize::try_from(start).unwrap();
            let n_bytes = (part.len() - start).min(usize::try_from(range.end - position).unwrap());
            bytes.extend_from_slice(&part[start..start + n_bytes]);
            position += n_bytes as u64;
        }
        bytes
    }
}

impl Source for Repeated {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.schema.len() as u64 + self.batch.len() as u64 * self.n_batches)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(self.fetch_many(&[range])?.remove(0))
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.requests.lock().unwrap().push(ranges.to_vec());
        Ok(ranges.iter().map(|range| Buffer::from(self.copy(range.clone()))).collect())
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost
    }
}

#[test]
fn the_walk_reads_metadata_and_no_bodies() {
    // 1,000 batches of 1 MB.
    let source = Repeated::new(1_000, 250_000, FetchCost::DISK);
    let n_bytes = source.n_bytes().unwrap();
    let reader = FileReader::try_new(source.clone()).unwrap();
    assert_eq!((reader.n_batches(), reader.n_rows().unwrap()), (1_000, 250_000_000));
    assert_eq!(reader.stream_end(), Some(StreamEnd::Input));
    let requests = source.take_requests();
    let n_read: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
    assert!(
        n_read <= n_bytes / 100 && requests.len() <= 1_010,
        "{n_read} bytes in {} requests",
        requests.len()
    );
    let n_batch_bytes = source.batch.len() as u64;
    assert_eq!(reader.batch(700).unwrap().n_rows(), 250_000);
    let n_read = source.take_bytes();
    assert!(n_read <= n_batch_bytes + n_batch_bytes / 100, "{n_read} bytes of {n_batch_bytes}");
    // By parallel requests, at positions where the metadata probably is: few round trips.
    let source = Repeated { cost: FetchCost::OBJECT_STORE, ..source };
    let reader = FileReader::try_new(source.clone()).unwrap();
    assert_eq!(reader.n_batches(), 1_000);
    let requests = source.take_requests();
    let n_read: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
    assert!(requests.len() <= 30 && n_read <= n_bytes / 100, "{n_read} bytes in {} requests", requests.len());
}

#[test]
fn short_messages_are_read_through() {
    // 10,000 batches of some hundred bytes.
    for (cost, max_requests) in [(FetchCost::DISK, 200), (FetchCost::OBJECT_STORE, 10)] {
        let source = Repeated::new(10_000, 30, cost);
        let reader = FileReader::try_new(source.clone()).unwrap();
        assert_eq!(reader.n_rows().unwrap(), 300_000);
        let requests = source.take_requests();
        let n_read: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
        let n_bytes = source.n_bytes().unwrap();
        assert!(requests.len() <= max_requests, "{} requests", requests.len());
        assert!(n_read <= n_bytes + n_bytes / 10, "{n_read} of {n_bytes} bytes");
    }
}

#[test]
fn the_index_takes_a_few_dozen_bytes_for_each_message() {
    for cost in [FetchCost::DISK, FetchCost::OBJECT_STORE] {
        let source = Repeated::new(50_000, 3, cost);
        let (reader, usage) = CountingAllocator.measure(|| FileReader::try_new(source.clone()).unwrap());
        assert_eq!(reader.n_batches(), 50_000);
        // Vectors grow by doubling, and a window is in memory beside them.
        assert!(usage.live_bytes < 50_000 * 80 + (1 << 20), "{usage:?}");
        assert!(usage.peak_bytes < 50_000 * 120 + (16 << 20), "{usage:?}");
    }
}

#[test]
fn a_stream_that_grows_is_walked_from_where_it_ended() {
    let batches = growing(40);
    let bytes = written(&batches, DictionaryPolicy::Delta);
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let ends: Vec<u64> = reader.footer().batches().iter().map(|block| block.range().end).collect();
    let until = |n_bytes: u64| bytes.slice(..usize::try_from(n_bytes).unwrap());
    let source = Recorder::new(until(ends[9] + 5), FetchCost::FREE_REQUESTS);
    let first = FileReader::try_new_with(source.clone(), ReadOptions::new().with_tail_bytes(0)).unwrap();
    // The eleventh message is cut after 5 bytes.
    assert_eq!((first.n_batches(), first.stream_end()), (10, Some(StreamEnd::Incomplete)));
    assert!(first.check_end().is_err() && first.n_rows().is_err());
    assert_eq!(first.batches().filter(Result::is_err).count(), 1);
    assert_eq!(first.batch(9).unwrap(), batches[9]);
    source.take_bytes();
    *source.bytes.lock().unwrap() = until(ends[19]);
    let second = first.refresh().unwrap();
    assert!(source.take_requests().iter().flatten().all(|range| range.start >= ends[9]));
    assert_eq!((second.n_batches(), second.stream_end()), (20, Some(StreamEnd::Input)));
    // The dictionaries that were read stay in memory.
    assert_eq!(second.batch(10).unwrap(), batches[10]);
    assert!(source.take_requests().iter().flatten().all(|range| range.start >= ends[9]));
    assert!(second.batches().map(Result::unwrap).eq(batches[..20].iter().cloned()));
    *source.bytes.lock().unwrap() = bytes.clone();
    let third = second.refresh().unwrap();
    assert_eq!((third.n_batches(), third.stream_end()), (40, Some(StreamEnd::Marker)));
    assert!(third.batches().map(Result::unwrap).eq(batches.iter().cloned()));
    // After the end marker, nothing is read.
    source.take_bytes();
    assert_eq!(third.refresh().unwrap().n_batches(), 40);
    assert_eq!(source.take_bytes(), 0);
    // The readers that were opened before still read what they found; and a stream that shrinks is an error.
    assert_eq!(first.batch(9).unwrap(), batches[9]);
    *source.bytes.lock().unwrap() = until(ends[5]);
    assert!(second.refresh().is_err());
}

#[test]
fn what_is_opened_again_has_the_same_columns() {
    let columns = |ids: [i32; 2]| {
        let ids = ints(ids);
        RecordBatch::try_from_columns([("a", ids.clone()), ("b", ids)]).unwrap()
    };
    let batches = [columns([1, 2]), columns([3, 4])];
    let schema = batches[0].schema();
    for [short, long] in [
        [1, 2].map(|n| FileWriter::write_to_buffer(schema, &batches[..n]).unwrap()),
        [1, 2].map(|n| {
            let stream = StreamWriter::write_to_buffer(schema, &batches[..n]).unwrap();
            stream.slice(..stream.len() - 8)
        }),
    ] {
        let source = Recorder::new(short, FetchCost::FREE_REQUESTS);
        let first = FileReader::try_new(source.clone()).unwrap();
        let some = first.project(&Projection::from(["b"])).unwrap();
        *source.bytes.lock().unwrap() = long;
        for (reader, n_columns) in [(first, 2), (some, 1)] {
            let again = reader.refresh().unwrap().refresh().unwrap();
            assert_eq!((again.n_batches(), again.batch(1).unwrap().columns().len()), (2, n_columns));
            assert_eq!(again.schema(), reader.schema());
        }
    }
}

#[test]
fn the_magic_of_a_file_at_the_end_of_a_stream_is_no_footer() {
    // The last bytes of the last body look like the end of a file.
    let mut bytes = b"\x20\0\0\0ARROW1".to_vec();
    bytes.splice(0..0, [0; 14]);
    let words = bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word));
    let batch = RecordBatch::try_from_columns([("a", ints(words))]).unwrap();
    let stream = written(std::slice::from_ref(&batch), DictionaryPolicy::Error);
    let end = stream.windows(6).rposition(|bytes| bytes == b"ARROW1").unwrap() + 6;
    // Whatever padding follows is cut off.
    let block = FileReader::try_from_buffer(stream.clone()).unwrap().footer().batch(0).unwrap();
    let cut = stream.slice(..end);
    let expected = sequential(&cut, &ReadOptions::new()).unwrap();
    assert!(expected.error.is_some() == (block.range().end > cut.len() as u64));
    check("magic at the end", &cut, &mut Rng::new(2));
}

/// Bytes after which zeros follow.
#[derive(Debug)]
struct WithZeros {
    bytes: Buffer,
    n_bytes: u64,
}

impl Source for WithZeros {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.n_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let n_bytes = usize::try_from(range.end - range.start).unwrap();
        let start = self.bytes.len().min(usize::try_from(range.start).unwrap());
        let mut bytes = self.bytes[start..self.bytes.len().min(start + n_bytes)].to_vec();
        bytes.resize(n_bytes, 0);
        Ok(bytes.into())
    }
}

#[test]
fn bodies_beyond_two_gibibytes_are_skipped() {
    let batch = RecordBatch::try_from_columns([("a", ints(0..1_000))]).unwrap();
    let stream = written(std::slice::from_ref(&batch), DictionaryPolicy::Error);
    let block = FileReader::try_from_buffer(stream.clone()).unwrap().footer().batch(0).unwrap();
    // The metadata states a longer body, of which the column needs only the start.
    let metadata = usize::try_from(block.position()).unwrap()..usize::try_from(block.range().end).unwrap();
    let stated = block.n_body_bytes().to_le_bytes();
    let position = stream[metadata].windows(8).position(|bytes| *bytes == stated).unwrap();
    let position = position + usize::try_from(block.position()).unwrap();
    for (n_body_bytes, n_bytes) in [((1 << 31) - 8, 1 << 32), (1 << 33, 1 << 40), (1 << 50, 1 << 55)] {
        let mut bytes = stream.to_vec();
        bytes[position..position + 8].copy_from_slice(&u64::to_le_bytes(n_body_bytes));
        let source = WithZeros { bytes: bytes.into(), n_bytes };
        let options = ReadOptions::new().with_tail_bytes(0).with_fetch_cost(FetchCost::FREE_REQUESTS);
        let reader = FileReader::try_new_with(source, options).unwrap();
        // Zeros are the end marker of legacy framing.
        assert_eq!((reader.n_batches(), reader.stream_end()), (1, Some(StreamEnd::Marker)));
        assert_eq!(reader.footer().batch(0).unwrap().n_body_bytes(), n_body_bytes);
        assert_eq!(reader.batch_rows(0, 7..9).unwrap(), batch.slice(7, 2));
    }
}

#[test]
fn a_stream_that_changes_while_it_is_open_is_an_error_where_it_has_changed() {
    let batches = growing(10);
    let bytes = written(&batches, DictionaryPolicy::Replace);
    let source = Recorder::new(bytes.clone(), FetchCost::FREE_REQUESTS);
    let options = ReadOptions::new().with_tail_bytes(0).with_metadata_cache_bytes(0);
    let reader = FileReader::try_new_with(source.clone(), options).unwrap();
    let block = reader.footer().batch(5).unwrap();
    let start = usize::try_from(block.position()).unwrap();
    let end = usize::try_from(block.position() + block.n_metadata_bytes()).unwrap();
    for position in start..end {
        let mut changed = bytes.to_vec();
        changed[position] ^= 0x40;
        *source.bytes.lock().unwrap() = changed.into();
        // Some bytes are padding, or say what is not compared: the batch is then as before or refused.
        if let Ok(found) = reader.batch(5) {
            assert_eq!(found.n_rows(), batches[5].n_rows(), "byte {position}");
        }
        assert!(reader.batch(4).unwrap() == batches[4], "byte {position}");
    }
    // Another batch, of another length, at the position of the sixth.
    let mut moved = bytes.to_vec();
    moved.copy_within(..bytes.len() - start, start);
    *source.bytes.lock().unwrap() = moved.into();
    assert!(reader.batch(5).is_err() && reader.batch(4).is_ok());
}
