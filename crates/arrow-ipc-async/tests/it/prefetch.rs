//! Reading ahead returns the same batches as serial reading, and does not wait without a running request.

use std::{
    io,
    ops::Range,
    sync::mpsc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_ipc::{FetchCost, FileReader, FileWriter, ReadOptions};
use arrow_ipc_async::{AsyncFileReader, AsyncSource};
use arrow_schema::Schema;
use testing_support::{Generator, Hunt, Rng, rows};

use crate::support::{PendingPolls, drive, file_options, next_item};

/// A source that answers late, and fails for one request.
#[derive(Clone)]
struct LateSource {
    bytes: Buffer,
    n_before: Arc<AtomicUsize>,
}

impl AsyncSource for LateSource {
    async fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        PendingPolls((range.start / 8 % 5) as usize).await;
        match self.n_before.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(io::Error::other("not this time")),
            _ => self.bytes.fetch(range).await,
        }
    }
}

fn file(rng: &mut Rng) -> Buffer {
    let schema =
        ["d: dictionary<int32, utf8>\nx: int64", "d: dictionary<int32, list<item: dictionary<int32, utf8>>>"];
    let schema: Schema = rng.pick(&schema).parse().unwrap();
    let n_rows: Vec<usize> = (0..rng.below(14)).map(|_| rng.below(150)).collect();
    let batches = Generator::new(rng.bits()).batches(&schema, &n_rows);
    FileWriter::write_to_buffer_with(Arc::new(schema), &batches, file_options()).unwrap()
}

fn case(mut rng: Rng) {
    let bytes = file(&mut rng);
    let serial = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let expected: Vec<_> = serial.batches().map(|batch| rows(&batch.unwrap())).collect();
    let few = FetchCost::new(Duration::from_millis(1), 1_000_000).with_requests_in_flight(3);
    let cost = *rng.pick(&[FetchCost::OBJECT_STORE, FetchCost::DISK, FetchCost::FREE_REQUESTS, few]);
    let budget = MemoryBudget::new(*rng.pick(&[u64::MAX, 1 << 22]));
    let options = ReadOptions::new()
        .with_fetch_cost(cost)
        .with_tail_bytes(0)
        .with_memory_budget(budget)
        .with_prefetch_bytes(*rng.pick(&[0, 300, 2_000, 16_000, 1 << 20]));
    let source = LateSource { bytes, n_before: Arc::new(AtomicUsize::new(usize::MAX)) };
    let reader = drive(AsyncFileReader::try_new_with(source.clone(), options)).unwrap();
    let n_failures = rng.below(2);
    source.n_before.store(if n_failures == 0 { usize::MAX } else { rng.below(12) }, Ordering::Relaxed);
    let (mut found, mut n_failed) = (Vec::from_iter(expected.iter().map(|_| None)), 0);
    let mut put = |batch_idx: usize, read: arrow_ipc::Result<arrow_data::RecordBatch>| {
        n_failed += usize::from(read.is_err());
        // A batch with an error counts as found.
        let read = read.map_or_else(|_| expected[batch_idx].clone(), |batch| rows(&batch));
        assert!(found[batch_idx].replace(read).is_none(), "given twice");
    };
    // All batches, or some of them.
    let selected_bits = if rng.one_in(3) { rng.bits() } else { u64::MAX };
    let is_selected = |batch_idx: &usize| selected_bits >> (batch_idx % 64) & 1 == 1;
    let selected = (0..expected.len()).filter(is_selected);
    let read = || {
        if selected_bits == u64::MAX { reader.batches() } else { reader.batches_of(selected.clone().rev()) }
    };
    drive(async {
        if rng.one_in(2) {
            let (mut batches, mut selected) = (read(), selected.clone());
            while let Some(read) = batches.next_batch().await.transpose() {
                put(selected.next().unwrap(), read);
            }
        } else {
            let mut batches = read().unordered();
            while let Some((batch_idx, read)) = next_item(&mut batches).await {
                put(batch_idx, read);
            }
        }
    });
    assert!(n_failed <= n_failures, "{n_failed} batches have an error of {n_failures} failures");
    for (batch_idx, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert_eq!(found, is_selected(&batch_idx).then_some(expected), "batch {batch_idx}");
    }
}

#[test]
fn streams_give_what_serial_reading_gives() {
    let hunt = Hunt::from_env();
    let (done, is_done) = mpsc::channel();
    // If a poll blocks in the other thread, this thread notices.
    let cases = thread::spawn(move || {
        for case_idx in 0..hunt.count(200, 10_000) as u64 {
            case(hunt.rng(3_000_000 + case_idx));
            done.send(case_idx).unwrap();
        }
    });
    loop {
        match is_done.recv_timeout(Duration::from_secs(60)) {
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("a stream goes on for ever"),
        }
    }
    cases.join().unwrap();
}
