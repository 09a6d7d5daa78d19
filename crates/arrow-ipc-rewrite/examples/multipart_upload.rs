//! Makes the parts of an upload on several threads, each by itself and in any order, before the file is there.
//!
//! Object stores take large files in parts of 5 MiB or more. A plan knows the content of each part, so no part waits
//! for another, and a failed part can be made again.
//!
//! `cargo run -p fletching-arrow-ipc-rewrite --example multipart_upload`

use std::{
    error::Error,
    io,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use arrow_array::{Int64Array, TypedBatch};
use arrow_data::Role;
use arrow_ipc::{FileReader, WrittenContainer, error::BlockIndex};
use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::Schema;

type Failure = Box<dyn Error + Send + Sync>;

const N_ROWS: u64 = 100_000;
const N_THREADS: usize = 3;
const MIN_PART_BYTES: u64 = 5 << 20;

fn main() -> Result<(), Failure> {
    let schema: Schema = "id: int64 not null\ntag: binary not null".parse()?;
    let shape = BatchShape::new(N_ROWS).with_column(1, ColumnShape::bytes(8 * N_ROWS));
    let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File)?;
    builder.push(&shape, 12)?;
    let plan = builder.finish()?;

    // Parts begin at multiples of 64 bytes, as buffers do.
    let parts: Vec<Range<u64>> = plan.parts(MIN_PART_BYTES, 64).collect();
    println!("{} bytes in {} parts", plan.len(), parts.len());
    let bodies = make_parts(&plan, &parts)?;

    let object = bodies.concat();
    assert_eq!(object, plan.read_at(0..plan.len(), &values)?);
    let file = FileReader::try_from_buffer(object.into())?;
    let ids = file.batch(11)?.column_as::<Int64Array>("id")?;
    assert_eq!((ids.get(0), ids.get(99_999)), (Some(1_100_000), Some(1_199_999)));
    Ok(())
}

/// The bytes of all parts. Each thread takes the last part that nobody has taken.
fn make_parts(plan: &Plan, parts: &[Range<u64>]) -> Result<Vec<Vec<u8>>, Failure> {
    let n_left = AtomicUsize::new(parts.len());
    let take = || {
        let taken = n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n_left| n_left.checked_sub(1));
        taken.ok().map(|n_left| n_left - 1)
    };
    let work = || -> Result<Vec<(usize, Vec<u8>)>, Failure> {
        let made = std::iter::from_fn(take).map(|part| {
            // Here it would be sent, with its number.
            Ok((part, plan.read_at(parts[part].clone(), &values)?))
        });
        made.collect()
    };
    let mut made = thread::scope(|scope| {
        let threads: Vec<_> = (0..N_THREADS).map(|_| scope.spawn(work)).collect();
        let mut made = Vec::with_capacity(parts.len());
        for thread in threads {
            made.extend(thread.join().map_err(|_| "a thread panicked")??);
        }
        Ok::<_, Failure>(made)
    })?;
    made.sort_by_key(|(part, _)| *part);
    Ok(made.into_iter().map(|(_, bytes)| bytes).collect())
}

/// The bytes of buffers: ids count all rows, and each tag has the 8 bytes of its id.
fn values(data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
    let BlockIndex::RecordBatch(batch_idx) = data.buffer.block else {
        return Err(io::Error::other("there are no dictionaries"));
    };
    let first_row = batch_idx as u64 * N_ROWS;
    for (to, byte) in to.iter_mut().zip(data.range.clone()) {
        *to = match data.buffer.role {
            Role::Offsets => (8 * (byte / 4) as u32).to_ne_bytes()[byte as usize % 4],
            Role::Values | Role::Bytes => (first_row + byte / 8).to_ne_bytes()[byte as usize % 8],
            _ => return Err(io::Error::other("there is no such buffer")),
        };
    }
    Ok(to.len())
}

#[test]
fn runs() {
    main().unwrap();
}
