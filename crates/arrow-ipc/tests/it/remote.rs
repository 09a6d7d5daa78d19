//! The requests for a remote file: requests, bytes and round trips of each kind of reading. The table in
//! testing/remote/RESULTS.md has these numbers.

use arrow_ipc::{FetchCost, FileReader, Projection, ReadOptions};

use crate::store::{Store, Traffic};

fn options() -> ReadOptions {
    ReadOptions::new().with_fetch_cost(FetchCost::OBJECT_STORE)
}

fn open(store: &Store) -> FileReader<Store> {
    FileReader::try_new_with(store.clone(), options()).unwrap()
}

/// An open file that has read nothing else.
fn opened(store: &Store) -> FileReader<Store> {
    let reader = open(store);
    store.take_traffic();
    reader
}

fn traffic(n_bytes: u64, n_requests: usize, n_waits: usize, n_round_trips: usize) -> Traffic {
    Traffic { n_bytes, n_requests, n_waits, n_round_trips }
}

/// Three columns that are far from each other.
fn three() -> Projection {
    Projection::Positions(vec![10, 50, 90])
}

#[test]
fn a_file_is_opened_with_one_request() {
    for (store, n_bytes) in [(Store::large_batches(), 65_538), (Store::small_batches(), 65_538)] {
        drop(open(&store));
        assert_eq!(store.take_traffic(), traffic(n_bytes, 1, 1, 1));
    }
}

#[test]
fn rows_are_counted_by_metadata() {
    let store = Store::large_batches();
    assert_eq!(opened(&store).n_rows().unwrap(), 16 * 62_500);
    assert_eq!(store.take_traffic(), traffic(78_848, 16, 1, 1));
    let store = Store::small_batches();
    assert_eq!(opened(&store).n_rows().unwrap(), 1_000 * 1_000);
    assert_eq!(store.take_traffic(), traffic(4_928_000, 1_000, 1, 5));
}

#[test]
fn columns_of_large_batches_are_read_by_ranges() {
    let store = Store::large_batches();
    let reader = opened(&store).project(&three()).unwrap();
    assert_eq!(reader.batches().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 16 * 62_500);
    assert_eq!(store.take_traffic(), traffic(24_078_848, 64, 2, 3));
    // The last column of a batch, the metadata of the next and its first column come together.
    let reader = opened(&store).project(&Projection::Positions(vec![0, 50, 99])).unwrap();
    assert!(reader.batches().all(|batch| batch.is_ok()));
    assert_eq!(store.take_traffic(), traffic(24_153_248, 49, 2, 3));
}

#[test]
fn columns_of_small_batches_are_read_by_small_requests() {
    let store = Store::small_batches();
    let reader = opened(&store).project(&three()).unwrap();
    assert_eq!(reader.batches().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 1_000 * 1_000);
    assert_eq!(store.take_traffic(), traffic(28_928_000, 4_000, 2, 20));
}

/// The case that at most ten requests run at the same time.
#[test]
fn columns_of_small_batches_are_read_whole_by_few_requests() {
    let store = Store::small_batches();
    let options = options().with_fetch_cost(FetchCost::OBJECT_STORE.with_requests_in_flight(10));
    let reader = FileReader::try_new_with(store.clone(), options).unwrap();
    store.take_traffic();
    let reader = reader.project(&three()).unwrap();
    assert_eq!(reader.batches().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 1_000 * 1_000);
    let Traffic { n_bytes, n_requests, n_waits, .. } = store.take_traffic();
    // 61 ranges of about 13 MB, the longer ones in two pieces.
    assert_eq!((n_bytes, n_requests, n_waits), (804_928_000, 109, 13));
}

#[test]
fn rows_of_many_batches_are_prefetched() {
    let store = Store::small_batches();
    let reader = opened(&store);
    reader.n_rows().unwrap();
    store.take_traffic();
    let n_rows = reader.rows(500..999_500).unwrap().map(|batch| batch.unwrap().n_rows()).sum::<usize>();
    assert_eq!(n_rows, 999_000);
    let found = store.take_traffic();
    let whole = {
        let reader = opened(&store);
        reader.n_rows().unwrap();
        store.take_traffic();
        reader.batches().for_each(|batch| assert!(batch.is_ok()));
        store.take_traffic()
    };
    // The first and the last batch are read in parts, by themselves: half of each column, several by one request.
    assert!(
        found.n_waits <= whole.n_waits + 4 && found.n_requests <= whole.n_requests + 40,
        "{found:?}, {whole:?}"
    );
    assert!(found.n_bytes <= whole.n_bytes, "{found:?}, {whole:?}");
    assert!(whole.n_waits <= 20, "{whole:?}");
}

#[test]
fn one_batch_is_one_request() {
    let store = Store::small_batches();
    let reader = opened(&store);
    reader.batch(700).unwrap();
    assert_eq!(store.take_traffic(), traffic(804_928, 1, 1, 1));
}

#[test]
fn first_rows_need_few_bytes() {
    let store = Store::one_batch();
    let reader = opened(&store);
    assert_eq!(reader.batch_rows(0, 0..10).unwrap().n_rows(), 10);
    assert_eq!(store.take_traffic(), traffic(580, 4, 3, 3));
}

#[test]
fn dictionaries_come_with_the_metadata_of_all_batches() {
    let store = Store::dictionaries();
    let reader = opened(&store).project(&Projection::names(["d0", "d2", "c7"])).unwrap();
    assert!(reader.batches().all(|batch| batch.is_ok()));
    assert_eq!(store.take_traffic(), traffic(22_501_120, 53, 2, 3));
}

/// By the model, in tenths of seconds; testing/remote/RESULTS.md has them, too.
#[test]
fn the_cheaper_of_ranges_and_whole_blocks_is_known() {
    let each = |n_bytes: u64| (0..1_000).map(move |idx| idx * 800_000..idx * 800_000 + n_bytes);
    let ranges: Vec<_> = each(4_928).chain((0..3).flat_map(|_| each(8_000))).collect();
    let whole: Vec<_> = (0..61).map(|idx| idx * 13_195_541..(idx + 1) * 13_195_541).collect();
    let many = FetchCost::OBJECT_STORE;
    let ten = many.with_requests_in_flight(10);
    let tenths = |cost: FetchCost, ranges| (cost.time_of(ranges).as_secs_f64() * 10.0).round() as u64;
    assert_eq!([tenths(many, &*ranges), tenths(many, &whole)], [6, 32]);
    assert_eq!([tenths(ten, &*ranges), tenths(ten, &whole)], [121, 34]);
}

/// Threads read ahead in their parts of the file; parts that are divided have fewer batches to fetch together.
#[cfg(feature = "rayon")]
#[test]
fn par_batches_are_prefetched() {
    use rayon::iter::ParallelIterator;

    let store = Store::small_batches();
    let reader = opened(&store).project(&three()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let n_rows: usize = pool.install(|| reader.par_batches().map(|batch| batch.unwrap().n_rows()).sum());
    assert_eq!(n_rows, 1_000 * 1_000);
    let found = store.take_traffic();
    // No part has fewer batches than half of what is read ahead: 41 of them. A batch by itself would be two waits.
    assert!(found.n_waits <= 2 * 1_000_usize.div_ceil(41), "{found:?}");
    assert_eq!((found.n_bytes, found.n_requests), (28_928_000, 4_000));
}

#[test]
fn rows_of_several_batches_are_read_together() {
    let store = Store::small_batches();
    let reader = opened(&store).project(&three()).unwrap();
    let parts: Vec<_> = (0..100).map(|idx| (idx * 10, 7..9)).collect();
    let read = reader.rows_of_each(&parts).unwrap();
    assert!(read.len() == 100 && read.iter().all(|rows| rows.n_rows() == 2));
    // The metadata of each, then its three columns.
    let Traffic { n_requests, n_waits, n_round_trips, .. } = store.take_traffic();
    assert_eq!((n_requests, n_waits, n_round_trips), (400, 2, 3));
}
