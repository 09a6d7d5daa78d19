//! Remote files: the number of requests and their duration. Only requests advance the clock.

use std::{
    future::{Future, poll_fn},
    io,
    ops::Range,
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Projection, ReadOptions, WrittenContainer};
use arrow_ipc_async::{AsyncFileReader, AsyncSource, Tail};
use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::{DataType, Field, Schema};

use crate::ALLOCATOR;

/// A planned file in a store. Its requests take as long as the cost model says.
#[derive(Clone)]
struct RemotePlan {
    plan: Arc<Plan>,
    clock: Arc<Mutex<Clock>>,
}

#[derive(Default, Debug)]
struct Clock {
    now: Duration,
    /// The time at which each running request ends, and its number of bytes.
    ends: Vec<(Duration, u64)>,
    max_in_flight: usize,
    n_requests: usize,
    n_bytes: u64,
}

const COST: FetchCost = FetchCost::OBJECT_STORE;

impl RemotePlan {
    /// A file of 800 MB in `n_batches` batches of 100 columns.
    fn new(n_batches: usize) -> RemotePlan {
        let fields = (0..100).map(|idx| Field::new(format!("c{idx}"), DataType::Int64));
        let schema = Schema::new(fields.collect::<Vec<_>>());
        let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File).unwrap();
        builder.push(&BatchShape::new(1_000_000 / n_batches as u64), n_batches).unwrap();
        RemotePlan { plan: Arc::new(builder.finish().unwrap()), clock: Arc::default() }
    }

    async fn wait(&self, n_bytes: u64) {
        let end = {
            let mut clock = self.clock.lock().unwrap();
            clock.n_requests += 1;
            clock.n_bytes += n_bytes;
            let transfer = Duration::from_secs_f64(n_bytes as f64 / COST.bytes_per_second() as f64);
            let end = clock.now + COST.request() + transfer;
            clock.ends.push((end, n_bytes));
            clock.max_in_flight = clock.max_in_flight.max(clock.ends.len());
            end
        };
        poll_fn(|_| if self.clock.lock().unwrap().now < end { Poll::Pending } else { Poll::Ready(()) }).await;
    }

    /// Runs a future. While it waits, the clock advances to the end of the next request.
    fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(ready) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return ready;
            }
            let mut clock = self.clock.lock().unwrap();
            let (end, _) = clock.ends.iter().min().expect("a future that nothing ends");
            clock.now = *end;
            // The shares of all running requests are at most 1 together.
            let part =
                |(_, n_bytes): &(Duration, u64)| f64::from(COST.requests_in_flight_of(*n_bytes)).recip();
            assert!(clock.ends.iter().map(part).sum::<f64>() < 1.001, "{clock:?}");
            let now = clock.now;
            clock.ends.retain(|(end, _)| *end > now);
        }
    }

    fn take_clock(&self) -> Clock {
        std::mem::take(&mut *self.clock.lock().unwrap())
    }

    fn read(&self, range: Range<u64>) -> io::Result<Buffer> {
        // All values are zero.
        let zeros = |_: &PlannedData<'_>, to: &mut [u8]| Ok(to.len());
        self.plan.read_at(range, &zeros).map(Buffer::from).map_err(io::Error::other)
    }

    /// Opens the file, and sets the clock to 0.
    fn open(&self) -> AsyncFileReader<RemotePlan> {
        let file = self.run(AsyncFileReader::try_new(self.clone())).unwrap();
        let clock = self.take_clock();
        assert_eq!(clock.n_requests, 1);
        file
    }

    /// Reads all batches, and drops each batch before the next one. Returns the number of rows, and the clock.
    fn read_all(&self, file: &AsyncFileReader<RemotePlan>) -> (usize, Clock) {
        let (n_rows, usage) = ALLOCATOR.measure(|| {
            let mut batches = file.batches();
            let mut n_rows = 0;
            while let Some(batch) = self.run(batches.next_batch()).unwrap() {
                n_rows += batch.n_rows();
            }
            n_rows
        });
        // Memory contains the bytes that are read ahead, one batch, and metadata and arrays.
        let largest = self.plan.batch(0).unwrap();
        let max_bytes = file.decoder().options().prefetch_bytes() + (largest.end - largest.start) + (2 << 20);
        assert!(usage.peak_bytes as u64 <= max_bytes, "{usage:?}, allowed are {max_bytes}");
        (n_rows, self.take_clock())
    }
}

impl AsyncSource for RemotePlan {
    async fn n_bytes(&self) -> io::Result<u64> {
        self.wait(0).await;
        Ok(self.plan.len())
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.wait(range.end - range.start).await;
        self.read(range)
    }

    async fn fetch_tail(&self, max_bytes: u64) -> io::Result<Tail> {
        let file_bytes = self.plan.len();
        let start = file_bytes.saturating_sub(max_bytes);
        self.wait(file_bytes - start).await;
        Ok(Tail { file_bytes, bytes: self.read(start..file_bytes)? })
    }
}

/// The time for these bytes if all connections are busy, without latency.
fn transfer(n_bytes: u64) -> Duration {
    let n_bytes_per_second = COST.bytes_per_second() * u64::from(COST.requests_in_flight());
    Duration::from_secs_f64(n_bytes as f64 / n_bytes_per_second as f64)
}

/// 4,000 requests for 29 MB take a fifth of the time that all 805 MB take.
#[test]
fn three_columns_of_small_batches_are_read_by_small_requests() {
    let far = RemotePlan::new(1_000);
    let file = far.open().project(&Projection::Positions(vec![10, 50, 90])).unwrap();
    let (n_rows, clock) = far.read_all(&file);
    assert_eq!(n_rows, 1_000_000);
    assert_eq!((clock.n_requests, clock.max_in_flight), (4_000, 200), "{clock:?}");
    assert!(clock.n_bytes < 29_000_000, "{clock:?}");
    // 20 round trips of 200 requests.
    assert!(clock.now < 25 * COST.request(), "{clock:?}");
    assert!(clock.now < transfer(805_000_000) / 4, "{clock:?}");
}

/// If the store allows no more small requests than large ones, reading whole blocks is cheaper.
#[test]
fn three_columns_of_small_batches_are_read_whole_by_ten_requests() {
    let far = RemotePlan::new(1_000);
    let options = ReadOptions::new().with_fetch_cost(COST.with_requests_in_flight(10));
    let file = far.run(AsyncFileReader::try_new_with(far.clone(), options)).unwrap();
    far.take_clock();
    let file = file.project(&Projection::Positions(vec![10, 50, 90])).unwrap();
    let (n_rows, clock) = far.read_all(&file);
    assert_eq!(n_rows, 1_000_000);
    // With ten requests at a time, this is at most twenty round trips.
    assert!(clock.n_requests <= 200, "{clock:?}");
    assert!(clock.now < transfer(clock.n_bytes).mul_f64(1.2), "{clock:?}");
}

#[test]
fn three_columns_of_large_batches_are_read_by_ranges() {
    let far = RemotePlan::new(16);
    let file = far.open().project(&Projection::Positions(vec![10, 50, 90])).unwrap();
    let (n_rows, clock) = far.read_all(&file);
    assert_eq!(n_rows, 1_000_000);
    assert!(clock.n_bytes < 24_200_000, "{clock:?}");
    assert!(clock.n_requests <= 64, "{clock:?}");
    assert!(clock.now < Duration::from_millis(500), "{clock:?}");
}

#[test]
fn rows_of_small_batches_are_counted_in_few_round_trips() {
    let far = RemotePlan::new(1_000);
    let file = far.open();
    assert_eq!(far.run(file.n_rows()).unwrap(), 1_000_000);
    let clock = far.take_clock();
    assert_eq!((clock.n_requests, clock.max_in_flight), (1_000, 200));
    assert!(clock.now < 6 * COST.request(), "{clock:?}");
}

/// Several requests at the same time read each batch of 50 MB.
#[test]
fn long_ranges_keep_all_connections_busy() {
    let far = RemotePlan::new(16);
    let (n_rows, clock) = far.read_all(&far.open());
    assert_eq!(n_rows, 1_000_000);
    assert!(clock.n_requests <= 16 * 8, "{clock:?}");
    assert!(clock.now < transfer(clock.n_bytes).mul_f64(1.6), "{clock:?}");
}

#[test]
fn all_columns_keep_all_connections_busy() {
    let far = RemotePlan::new(160);
    let (n_rows, clock) = far.read_all(&far.open());
    assert_eq!(n_rows, 1_000_000);
    assert!(clock.now < transfer(clock.n_bytes).mul_f64(1.3), "{clock:?}");
}
