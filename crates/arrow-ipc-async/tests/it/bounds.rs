//! Bounds on the bytes that are requested at the same time, and on the number of requests.

use std::{sync::atomic::Ordering, time::Duration};

use arrow_buffer::{Buffer, MemoryBudget};
use arrow_ipc::{
    Compression, ErrorClass, FetchCost, FileReader, FileWriter, Projection, ReadOptions, WriteOptions,
    file::Block,
};
use arrow_ipc_async::AsyncFileReader;
use testing_support::rows;

use crate::support::{Store, apart, drive, file_of, poll_once};

fn open(store: &Store, options: ReadOptions) -> AsyncFileReader<Store> {
    let file = drive(AsyncFileReader::try_new_with(store.clone(), options)).unwrap();
    store.take_requests();
    file
}

fn n_bytes(ranges: &[std::ops::Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

#[test]
fn no_more_requests_than_allowed_are_under_way() {
    let store = Store::new(file_of("a: int32\nb: utf8\nc: int64\nd: utf8", &[100; 40]));
    for max_requests in [1, 2, 7, 1_000] {
        let file = open(&store, apart(max_requests as u32));
        let some = file.project(&Projection::names(["a", "c"])).unwrap();
        for file in [file, some] {
            store.counts.max_under_way.store(0, Ordering::Relaxed);
            let mut batches = file.batches();
            let mut n_batches = 0;
            while let Some(batch) = drive(batches.next_batch()).unwrap() {
                assert_eq!(batch.n_rows(), 100);
                n_batches += 1;
            }
            assert_eq!(n_batches, 40);
            let max_under_way = store.counts.max_under_way.load(Ordering::Relaxed);
            assert!(max_under_way <= max_requests, "{max_under_way} of {max_requests}");
            assert!(
                max_under_way == max_requests.min(40) || max_requests > 40,
                "{max_under_way} of {max_requests}"
            );
            store.counts.max_under_way.store(0, Ordering::Relaxed);
            assert_eq!(drive(file.n_rows()).unwrap(), 4_000);
            assert!(store.counts.max_under_way.load(Ordering::Relaxed) <= max_requests);
        }
    }
}

#[test]
fn no_more_bytes_than_allowed_are_held() {
    let bytes = file_of("a: int64\nb: utf8", &[200; 50]);
    let largest = {
        let file = FileReader::try_from_buffer(Buffer::from(bytes.clone())).unwrap();
        let n_bytes = |block: &Block| block.n_metadata_bytes() + block.n_body_bytes();
        file.footer().batches().iter().map(n_bytes).max().unwrap()
    };
    let store = Store::new(bytes);
    for max_bytes in [0, 1, largest, 4 * largest, 17 * largest] {
        let file = open(&store, apart(100).with_prefetch_bytes(max_bytes));
        let mut batches = file.batches();
        let mut most = 0;
        let (mut n_given, mut n_batches) = (0, 0);
        let mut n_requested = 0;
        loop {
            let next = poll_once(batches.next_batch());
            n_requested += n_bytes(&store.take_requests());
            // Bytes that were requested but not returned, without the batch that was just returned.
            most = most.max(n_requested - n_given);
            match next.map(Result::unwrap) {
                None => {}
                Some(None) => break,
                Some(Some(_)) => {
                    let block = file.footer().batches()[n_batches];
                    n_given += block.n_metadata_bytes() + block.n_body_bytes();
                    n_batches += 1;
                }
            }
        }
        assert_eq!(n_batches, 50);
        // The next batch may always be requested, and one more batch has just been returned.
        assert!(most <= max_bytes + 2 * largest, "{most} of {max_bytes}, {largest} a batch");
        assert!(
            most + 2 * largest >= max_bytes.min(n_requested),
            "{most} of {max_bytes}: it could have read ahead"
        );
    }
}

#[test]
fn neighbours_are_requested_together() {
    let store = Store::new(file_of("a: int32", &[100; 100]));
    let requests = |n_bytes| {
        // A request costs as much as `n_bytes` bytes.
        let cost = FetchCost::new(Duration::from_secs(1), n_bytes).with_requests_in_flight(4);
        let mut batches = open(&store, apart(4).with_fetch_cost(cost)).batches();
        while drive(batches.next_batch()).unwrap().is_some() {}
        store.take_requests()
    };
    let (apart, joined) = (requests(1), requests(500));
    // There is a request for each batch, with its metadata.
    assert_eq!(apart.len(), 100);
    assert!(joined.len() <= 20, "{}", joined.len());
    assert_eq!(n_bytes(&apart), n_bytes(&joined));
    // A joined range is at most twenty times as long as a request costs, plus one batch.
    assert!(joined.iter().all(|range| range.end - range.start <= 10_000 + 1_000));
}

#[test]
fn dictionaries_are_read_once() {
    let store = Store::new(file_of("a: dictionary<int32, utf8>\nb: int32", &[100; 30]));
    let n_dictionary_bytes = |file: &AsyncFileReader<Store>, requests: &[std::ops::Range<u64>]| {
        let start = |block: &Block| block.position() + block.n_metadata_bytes();
        let blocks = file.footer().dictionaries().iter();
        let dictionaries = blocks.map(|block| start(block)..start(block) + block.n_body_bytes());
        let common = |a: &std::ops::Range<u64>, b: &std::ops::Range<u64>| {
            a.end.min(b.end).saturating_sub(a.start.max(b.start))
        };
        dictionaries
            .map(|block| requests.iter().map(|range| common(&block, range)).sum::<u64>())
            .collect::<Vec<_>>()
    };
    let file = open(&store, apart(10));
    let mut batches = file.batches();
    let mut n_batches = 0;
    while let Some(batch) = drive(batches.next_batch()).unwrap() {
        assert_eq!(batch.n_rows(), 100);
        n_batches += 1;
    }
    assert_eq!(n_batches, 30);
    let sizes: Vec<u64> = file.footer().dictionaries().iter().map(|block| block.n_body_bytes()).collect();
    assert!(sizes.iter().sum::<u64>() > 0);
    assert_eq!(n_dictionary_bytes(&file, &store.take_requests()), sizes);
    // Projected columns without dictionaries do not wait for dictionaries: many batches are requested at once.
    let file = open(&store, apart(10)).project(&Projection::names(["b"])).unwrap();
    let mut batches = file.batches();
    assert!(poll_once(batches.next_batch()).is_none());
    let requests = store.take_requests();
    assert_eq!(requests.len(), 10);
    assert_eq!(n_dictionary_bytes(&file, &requests).iter().sum::<u64>(), 0);
}

#[test]
fn prefetched_bytes_take_no_memory_from_the_batch_that_is_read() {
    let bytes = file_of("a: int64", &[1_000; 20]);
    let store = Store::new(bytes);
    let expected: Vec<_> = FileReader::try_from_buffer(store.bytes.clone())
        .unwrap()
        .batches()
        .map(|b| rows(&b.unwrap()))
        .collect();
    // A batch has a bit more than 8,000 bytes, so the budget is enough for one, two or all batches.
    for n_bytes in [10_000, 20_000, 1 << 20] {
        let budget = MemoryBudget::new(n_bytes);
        let file = open(&store, apart(10).with_memory_budget(budget.clone()));
        for is_ordered in [true, false] {
            let mut found = Vec::new();
            let mut batches = file.batches();
            let mut unordered = file.batches().unordered();
            loop {
                let next = if is_ordered {
                    drive(batches.next_batch()).unwrap().map(|batch| (found.len(), batch))
                } else {
                    drive(unordered.next_batch()).unwrap()
                };
                let Some((batch_idx, batch)) = next else { break };
                found.push((batch_idx, rows(&batch)));
            }
            found.sort_by_key(|(batch_idx, _)| *batch_idx);
            assert!(found.into_iter().map(|(_, rows)| rows).eq(expected.iter().cloned()), "{n_bytes}");
            drop((batches, unordered));
        }
        drop(file);
        assert_eq!(budget.n_bytes_allocated(), 0);
    }
    let budget = MemoryBudget::new(5_000);
    let mut batches = open(&store, apart(10).with_memory_budget(budget)).batches();
    for _ in 0..20 {
        let error = drive(batches.next_batch()).unwrap_err();
        assert_eq!(error.class(), ErrorClass::LimitExceeded);
    }
    assert!(drive(batches.next_batch()).unwrap().is_none());
}

#[test]
fn compressed_batches_wait_compressed() {
    // Each batch has 800 KB, and a few KB when compressed.
    let batch = testing_support::batch_of(testing_support::ints(vec![7; 200_000]));
    let options = WriteOptions::new().with_compression(Compression::lz4());
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    (0..30).for_each(|_| writer.write(&batch).unwrap());
    let store = Store::new(writer.finish().unwrap());
    let budget = MemoryBudget::new(1_000_000);
    let file = open(&store, apart(10).with_memory_budget(budget));
    let mut batches = file.batches();
    assert!(poll_once(batches.next_batch()).is_none());
    let mut n_rows = 0;
    while let Some(batch) = drive(batches.next_batch()).unwrap() {
        n_rows += batch.n_rows();
    }
    assert_eq!(n_rows, 30 * 200_000);
    // Nothing was read twice. With several decompressed batches at the same time, memory would have been too short, and
    // batches would have been read again.
    let blocks = file.footer().batches().iter();
    assert_eq!(
        n_bytes(&store.take_requests()),
        blocks.map(|block| block.n_metadata_bytes() + block.n_body_bytes()).sum::<u64>()
    );
}
