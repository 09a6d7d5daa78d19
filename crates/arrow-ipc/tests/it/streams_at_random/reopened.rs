//! Streams that are opened with low limits, at which they seem to end, and then read with greater ones.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use arrow_ipc::{
    Container, ErrorClass, FileDecoder, Result, Source,
    file::{PlanStep, ReadPlan},
};
use arrow_schema::Metadata;

use super::*;

/// Three batches, of which the last has longer metadata and a longer body.
fn with_a_large_message() -> Buffer {
    let batch = |n_rows: i32| RecordBatch::try_from_columns([("n", ints(0..n_rows))]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch(0).schema()).unwrap();
    writer.write(&batch(3)).unwrap();
    writer.write(&batch(4)).unwrap();
    let metadata = Metadata::from_iter([("note", "long ".repeat(1_000))]);
    writer.write_with_metadata(&batch(5_000), &metadata).unwrap();
    writer.finish().unwrap().into()
}

/// Runs a plan of an input that is in memory.
fn run<T>(mut plan: ReadPlan<T>) -> Result<T> {
    match plan.step()? {
        PlanStep::Ready(ready) => Ok(ready),
        PlanStep::Need(ranges) => panic!("{ranges:?}"),
    }
}

#[test]
fn a_stream_that_ended_at_a_limit_does_not_end_there_without_an_error() {
    let bytes = with_a_large_message();
    for limits in [Limits::new().with_max_metadata_bytes(1_000), Limits::new().with_max_body_bytes(1_000)] {
        let low = ReadOptions::new().with_limits(limits);
        let first = FileReader::try_from_buffer_with(bytes.clone(), low.clone()).unwrap();
        assert_eq!((first.n_batches(), first.stream_end()), (2, Some(StreamEnd::Incomplete)));
        let check = |decoder: &FileDecoder, is_expected: fn(&IpcError) -> bool| {
            let end = run(decoder.plan_check_end()).unwrap_err();
            let n_rows = run(decoder.plan_n_rows()).unwrap_err();
            for error in [end, n_rows] {
                assert!(is_expected(&error), "{error}");
                assert_eq!(error.location().message, Some(3), "{error}");
            }
        };
        check(first.decoder(), |error| error.class() == ErrorClass::LimitExceeded);
        check(&first.decoder().reopen_with(low).unwrap(), |error| error.class() == ErrorClass::LimitExceeded);
        let reopened = first.decoder().reopen_with(ReadOptions::new()).unwrap();
        assert_eq!(reopened.n_batches(), 2);
        check(&reopened, |error| matches!(error.kind(), IpcErrorKind::StreamContinues));
        let refreshed = run(reopened.plan_refresh(bytes.len() as u64).unwrap()).unwrap();
        assert_eq!((refreshed.n_batches(), refreshed.stream_end()), (3, Some(StreamEnd::Marker)));
        assert_eq!(run(refreshed.plan_n_rows()).unwrap(), 5_007);
        run(refreshed.plan_check_end()).unwrap();
    }
}

#[test]
fn a_decoder_reopens_its_input_without_a_walk() {
    let bytes = with_a_large_message();
    let decoder = FileReader::try_from_buffer(bytes.clone()).unwrap().decoder().without_tail();
    let source = Requests { bytes: bytes.clone(), n_requests: Arc::default() };
    let reader = FileReader::try_from_decoder(source.clone(), decoder.clone()).unwrap();
    assert_eq!((reader.n_batches(), reader.container()), (3, Container::Stream));
    assert_eq!(source.n_requests.load(Ordering::Relaxed), 0);
    assert_eq!(reader.batch(2).unwrap().n_rows(), 5_000);
    // A source of another length is another input.
    for other in [bytes.slice(0..bytes.len() - 8), [&bytes[..], &[0; 8]].concat().into()] {
        assert!(FileReader::try_from_decoder(other, decoder.clone()).is_err());
    }
}

/// Counts requests.
#[derive(Debug, Clone)]
struct Requests {
    bytes: Buffer,
    n_requests: Arc<AtomicUsize>,
}

impl Source for Requests {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch(range)
    }
}
