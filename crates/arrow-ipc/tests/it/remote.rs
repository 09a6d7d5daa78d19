//! What is requested of a remote file: requests, bytes and round trips of each kind of reading. The table in
//! docs/PERFORMANCE.md has these numbers.

use arrow_ipc::{FetchCost, FileReader, Projection, ReadOptions};

use crate::store::{Store, Traffic};

fn options() -> ReadOptions {
    ReadOptions::new().with_fetch_cost(FetchCost::OBJECT_STORE)
}

fn open(store: &Store) -> FileReader<Store> {
    FileReader::try_from_source(store.clone(), options()).unwrap()
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
    for (store, n_bytes) in [(Store::large_batches(), 65_598), (Store::small_batches(), 65_598)] {
        open(&store);
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
    assert_eq!(store.take_traffic(), traffic(24_078_848, 64, 2, 5));
    // The last column of a batch, the metadata of the next and its first column come together.
    let reader = opened(&store).project(&Projection::Positions(vec![0, 50, 99])).unwrap();
    assert!(reader.batches().all(|batch| batch.is_ok()));
    assert_eq!(store.take_traffic(), traffic(24_153_248, 49, 2, 5));
}

#[test]
fn columns_of_small_batches_are_read_whole() {
    let store = Store::small_batches();
    let reader = opened(&store).project(&three()).unwrap();
    assert_eq!(reader.batches().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 1_000 * 1_000);
    assert_eq!(store.take_traffic(), traffic(804_928_000, 61, 13, 13));
}

#[test]
fn rows_of_many_batches_are_read_ahead() {
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
    // The first and the last batch are read in parts, by themselves.
    assert!(
        found.n_waits <= whole.n_waits + 4 && found.n_requests <= whole.n_requests + 4,
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
    assert_eq!(store.take_traffic(), traffic(27_621_120, 37, 2, 3));
}
