//! Many threads over one file: none waits for another, so that a pool of few threads cannot stop.

use std::{
    collections::HashSet,
    io,
    ops::Range,
    process::Command,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{Compression, FileReader, FileWriter, Source, WriteOptions};
use arrow_schema::{DataType, IndexType};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

const N_BATCHES: usize = 60;
const N_VALUES: usize = 400_000;

/// Batches that share one dictionary of several large buffers.
fn file() -> Option<Buffer> {
    let values = (0..N_VALUES as i64).collect::<Vec<_>>();
    let ints = || {
        let parts = ArrayParts {
            buffers: [Buffer::from(values.clone()), Buffer::new()],
            ..ArrayParts::new(DataType::Int64, N_VALUES)
        };
        ArrayData::try_new(parts).unwrap()
    };
    let fields = ["a", "b", "c"].map(|name| arrow_schema::Field::new(name, DataType::Int64));
    let parts = ArrayParts::new(DataType::struct_(fields.to_vec()), N_VALUES);
    let values =
        ArrayData::try_new(ArrayParts { children: Some([ints(), ints(), ints()].into()), ..parts }).unwrap();
    let data_type = DataType::dictionary(IndexType::Int32, values.data_type().clone()).unwrap();
    let indices = Buffer::from((0..1_000i32).map(|row| row * 399).collect::<Vec<_>>());
    let parts = ArrayParts::new(data_type, 1_000);
    let parts = ArrayParts { buffers: [indices, Buffer::new()], dictionary: Some(values.into()), ..parts };
    let batch = RecordBatch::try_from_columns([("d", ArrayData::try_new(parts).unwrap())]).unwrap();
    let options = WriteOptions::new().with_compression(Compression::lz4());
    // Without the codec there is nothing to decompress.
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).ok()?;
    for _ in 0..N_BATCHES {
        writer.write(&batch).ok()?;
    }
    Some(Buffer::from(writer.finish().ok()?))
}

/// Counts what is fetched, and gives other threads time to reach the same step.
struct SlowSource {
    bytes: Buffer,
    n_fetched: AtomicUsize,
}

impl Source for &SlowSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_fetched.fetch_add(1, Ordering::Relaxed);
        thread::yield_now();
        self.bytes.fetch(range)
    }
}

/// A source that waits until two threads have sent requests, and then answers at once. The number counts the threads.
struct BarrierSource {
    bytes: Buffer,
    n_there: Mutex<usize>,
    all_there: Condvar,
}

impl Source for &BarrierSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let mut n_there = self.n_there.lock().unwrap();
        *n_there += 1;
        self.all_there.notify_all();
        let wait = self.all_there.wait_timeout_while(n_there, Duration::from_secs(60), |n| *n < 2);
        let (n_there, waited) = wait.unwrap();
        drop(n_there);
        if waited.timed_out() { Err(io::ErrorKind::TimedOut.into()) } else { self.bytes.fetch(range) }
    }
}

/// A reader that held a lock while it fetches would let the second thread wait until the first one has its bytes.
#[test]
fn threads_fetch_at_the_same_time() {
    let plain = testing_support::batch_of(testing_support::ints(0..100_000));
    let plain = FileWriter::write_to_buffer(plain.schema(), &[plain.clone(), plain.clone()]);
    for bytes in [Some(plain.unwrap()), file()].into_iter().flatten() {
        let source = BarrierSource { bytes, n_there: Mutex::new(2), all_there: Condvar::new() };
        let reader = FileReader::try_new(&source).unwrap();
        *source.n_there.lock().unwrap() = 0;
        thread::scope(|threads| {
            let read = |batch_idx| {
                threads.spawn({
                    let reader = &reader;
                    move || reader.batch(batch_idx).map(|batch| batch.n_rows())
                })
            };
            let both = [0, 1].map(read);
            both.into_iter().for_each(|thread| assert!(thread.join().unwrap().unwrap() > 0));
        });
        assert!(*source.n_there.lock().unwrap() >= 2);
    }
}

/// Fails if the work does not end, as threads do not that wait for each other.
fn in_finite_time(work: fn()) {
    let (done, finished) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        // Nobody waits for it any more after the time is over.
        let _ = done.send(());
    });
    let found = finished.recv_timeout(Duration::from_secs(120));
    assert_ne!(found, Err(RecvTimeoutError::Timeout), "the threads wait for each other");
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn a_pool_of_three_threads_reads_batches_that_share_a_dictionary() {
    in_finite_time(read_with_three_threads);
}

fn read_with_three_threads() {
    let Some(bytes) = file() else { return };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for _ in 0..5 {
        let source = SlowSource { bytes: bytes.clone(), n_fetched: AtomicUsize::new(0) };
        let reader = FileReader::try_new(&source).unwrap();
        let read = |batch_idx| reader.batch(batch_idx).unwrap();
        let batches: Vec<RecordBatch> = pool.install(|| (0..N_BATCHES).into_par_iter().map(read).collect());
        // Threads that began together may each have read it; one result was kept, and batches from then on have that.
        let dictionary =
            |batch: &RecordBatch| batch.columns()[0].dictionary().unwrap().children()[0].buffer(0).as_ptr();
        let dictionaries: HashSet<_> = batches.iter().map(dictionary).collect();
        assert_eq!(dictionaries.len(), 1, "each batch has the dictionary that was published");
        assert!(batches.iter().all(|batch| batch.n_rows() == 1_000));
    }
}

#[test]
fn batches_in_parallel_read_dictionaries_first() {
    in_finite_time(read_all_in_parallel);
}

fn read_all_in_parallel() {
    let Some(bytes) = file() else { return };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let source: &'static SlowSource =
        Box::leak(Box::new(SlowSource { bytes, n_fetched: AtomicUsize::new(0) }));
    let reader = FileReader::try_new(source).unwrap();
    let n_opening = source.n_fetched.swap(0, Ordering::Relaxed);
    assert!(n_opening > 0);
    let n_rows: usize = pool.install(|| reader.par_batches().map(|batch| batch.unwrap().n_rows()).sum());
    assert_eq!(n_rows, N_BATCHES * 1_000);
    // The metadata and the body of the dictionary, each once, and a block for each batch that is not in the file's end.
    assert!(source.n_fetched.load(Ordering::Relaxed) <= N_BATCHES + 2);
}

/// Runs in a process that cannot start any thread.
#[test]
fn batches_in_parallel_need_no_other_thread() {
    const IS_CHILD: &str = "ARROW_IPC_WITHOUT_THREADS";
    let Some(bytes) = file() else { return };
    if std::env::var_os(IS_CHILD).is_some() {
        assert!(thread::Builder::new().spawn(|| ()).is_err(), "a thread started");
        let reader = FileReader::try_from_buffer(bytes).unwrap();
        for _ in 0..2 {
            let all: Vec<_> = reader.par_batches().map(|batch| batch.unwrap().n_rows()).collect();
            assert_eq!(all, [1_000; N_BATCHES]);
            let last =
                reader.par_batches().enumerate().rev().map(|(batch_idx, _)| batch_idx).find_first(|_| true);
            assert_eq!(last, Some(N_BATCHES - 1));
        }
        return;
    }
    // No system has a stack of so many bytes.
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "parallel::batches_in_parallel_need_no_other_thread", "--test-threads=1"])
        .envs([(IS_CHILD, "1"), ("RUST_MIN_STACK", "1152921504606846976")])
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}
