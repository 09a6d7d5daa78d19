//! Reads a file without I/O: the decoder requests the ranges that it needs, and the program fetches them.
//!
//! `FileDecoder` does no I/O. The loop below counts requests as a store of objects would charge for them; with an
//! asynchronous client it is the same loop, with an `await` where the ranges are fetched.
//!
//! `cargo run -p fletching-arrow --example file_without_io`

use std::{cell::Cell, io, ops::Range};

use arrow::{
    Buffer, FileWriter, Int64Array, Projection, RecordBatch, TypedBatch, Utf8Array,
    ipc::{
        FetchCost, FileDecoder,
        file::{PlanStep, ReadPlan},
    },
};

/// Something that answers for ranges, many of them with one request.
struct Store {
    object: Vec<u8>,
    n_requests: Cell<usize>,
    n_bytes: Cell<usize>,
}

impl Store {
    fn get_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        self.n_requests.set(self.n_requests.get() + 1);
        let get = |range: &Range<u64>| {
            let (Ok(start), Ok(end)) = (usize::try_from(range.start), usize::try_from(range.end)) else {
                return Err(io::ErrorKind::InvalidInput.into());
            };
            let bytes = self.object.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?;
            self.n_bytes.set(self.n_bytes.get() + bytes.len());
            Ok(Buffer::copy_from(bytes))
        };
        ranges.iter().map(get).collect()
    }

    /// The loop is the same for all plans.
    fn run<T>(&self, mut plan: ReadPlan<T>) -> arrow::Result<T> {
        loop {
            match plan.step()? {
                PlanStep::Ready(ready) => return Ok(ready),
                PlanStep::Need(needed) => {
                    // Ranges that are near to each other are cheaper to get at once.
                    let ranges = needed.merged_for(&FetchCost::OBJECT_STORE);
                    let found = self.get_ranges(&ranges)?;
                    for (range, bytes) in ranges.into_iter().zip(found) {
                        plan.provide(range, bytes)?;
                    }
                }
            }
        }
    }
}

fn main() -> arrow::Result<()> {
    let store = Store { object: large_file()?, n_requests: Cell::new(0), n_bytes: Cell::new(0) };

    let n_bytes = store.object.len() as u64;
    let file = store.run(FileDecoder::plan_open(n_bytes))?;
    println!("{}: opened with {} request", file.schema(), store.n_requests.take());
    let n_rows = store.run(file.plan_n_rows())?;

    // One row out of the middle of a batch.
    let names = file.project(&Projection::names(["name"]))?;
    store.n_bytes.set(0);
    let row = store.run(names.plan_batch_rows(1, 70_000..70_001)?)?.batch;
    assert_eq!(row.column_as::<Utf8Array>("name")?.get(0), Some("name 70000"));
    println!("one row of {n_rows}: {} bytes", store.n_bytes.get());
    assert!(store.n_bytes.get() < 100_000);

    // One column of all batches. Any number of plans may be worked on side by side, here one after the other.
    let ids = file.project(&Projection::names(["id"]))?;
    let mut sum = 0;
    for batch_idx in 0..ids.n_batches() {
        let batch = store.run(ids.plan_batch(batch_idx)?)?.batch;
        sum += batch.column_as::<Int64Array>("id")?.iter().flatten().sum::<i64>();
    }
    assert_eq!(sum, 2 * (0..100_000).sum::<i64>());
    Ok(())
}

fn large_file() -> arrow::Result<Vec<u8>> {
    let ids = Int64Array::from_iter(0..100_000);
    let names = Utf8Array::try_from_iter((0..100_000).map(|row| Some(format!("name {row}"))))?;
    let batch = RecordBatch::try_from_columns([("id", ids.into()), ("name", names.into())])?;
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
    for _ in 0..2 {
        writer.write(&batch)?;
    }
    Ok(writer.finish()?)
}

#[test]
fn runs() {
    main().unwrap();
}
