//! A plan takes memory for columns and distinct shapes, not for bytes or batches. Parts are read of images that fit on
//! no disk.

use std::{io, thread};

use arrow_data::Role;
use arrow_ipc::{FileReader, WrittenContainer, error::BlockIndex};
use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, PlanBuilder, PlannedData, PlannedPart};
use arrow_schema::{DataType, Field, Schema};

use crate::ALLOCATOR;

const N_BATCHES: usize = 20_000;
const N_COLUMNS: usize = 100;
const MAX_BYTES: i64 = 8 << 20;

fn schema() -> Schema {
    let columns = 0..N_COLUMNS;
    let columns: Vec<Field> = columns
        .map(|idx| {
            let data_type = if idx % 10 == 9 { DataType::Utf8 } else { DataType::Int64 };
            Field::new(format!("column {idx}"), data_type)
        })
        .collect();
    Schema::new(columns)
}

/// A batch of about 50 MB.
fn shape(n_rows: u64) -> BatchShape {
    (9..N_COLUMNS).step_by(10).fold(BatchShape::new(n_rows), |shape, idx| {
        shape.with_column(idx, ColumnShape::bytes(10 * n_rows).with_nulls(n_rows / 7))
    })
}

/// Writes which byte of its buffer each is.
fn ordinals(data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
    to.iter_mut().zip(data.range.start..).for_each(|(to, byte)| *to = (byte % 251) as u8);
    Ok(to.len())
}

#[test]
fn a_terabyte_takes_few_megabytes() {
    let schema = schema();
    let path = schema.path("column 42").unwrap();
    let (plan, usage) = ALLOCATOR.measure(|| {
        let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File).unwrap();
        builder.push(&shape(1 << 16), N_BATCHES).unwrap();
        builder.finish().unwrap()
    });
    assert!(plan.len() > 1_000_000_000_000, "{} bytes", plan.len());
    assert!(usage.peak_bytes < MAX_BYTES, "{usage:?}");
    // The footer is stored, with 24 bytes for each batch.
    assert!(usage.live_bytes < (24 * N_BATCHES + (512 << 10)) as i64, "{usage:?}");
    let (_, usage) = ALLOCATOR.measure(|| {
        for batch_idx in [0, 1, N_BATCHES / 2, N_BATCHES - 1] {
            let range = plan.locate(batch_idx, &path, Role::Values).unwrap();
            let read = plan.read_at(range.start + 100..range.start + 110, &ordinals).unwrap();
            assert_eq!(read, [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
            let PlannedPart::Buffer(buffer) = plan.at(range.end - 1).unwrap().part else { panic!() };
            assert_eq!((buffer.block, buffer.field), (BlockIndex::RecordBatch(batch_idx), &path));
        }
    });
    assert!(usage.peak_bytes < 256 << 10, "{usage:?}");
    let n_parts = plan.parts(5 << 20, 64).inspect(|part| assert_eq!(part.start % 64, 0)).count();
    assert_eq!(n_parts as u64, plan.len().div_ceil(5 << 20));
}

#[test]
fn distinct_shapes_take_few_bytes_each() {
    const N_DISTINCT: usize = 1_000;
    let (plan, usage) = ALLOCATOR.measure(|| {
        let mut builder = PlanBuilder::try_new(schema(), WrittenContainer::File).unwrap();
        for batch_idx in 0..N_DISTINCT {
            builder.push(&shape(65_536 + batch_idx as u64), 1).unwrap();
        }
        builder.finish().unwrap()
    });
    assert_eq!(plan.n_batches(), N_DISTINCT);
    // So that as many as in the other test fit into what is allowed there.
    let allowed = N_DISTINCT as i64 * (MAX_BYTES / N_BATCHES as i64) + (256 << 10);
    assert!(usage.peak_bytes < allowed, "{usage:?}; allowed are {allowed}");
    let total: u64 = plan.message_sizes().map(|size| size.n_bytes()).sum();
    assert_eq!(8 + total, plan.at(plan.footer().unwrap().start - 1).unwrap().range.start);
}

#[test]
fn equal_shapes_are_stored_once() {
    let peak = |n_pushes: usize| {
        let build = || {
            let mut builder = PlanBuilder::try_new(schema(), WrittenContainer::Stream).unwrap();
            for idx in 0..n_pushes {
                builder.push(&shape(1 + idx as u64 % 2), 1).unwrap();
            }
            builder.finish().unwrap()
        };
        let (plan, usage) = ALLOCATOR.measure(build);
        assert_eq!(plan.n_batches(), n_pushes);
        usage.live_bytes
    };
    let (few, many) = (peak(10), peak(1_010));
    // A run for each, since the shapes alternate.
    assert!(many - few < 1_000 * 64, "{few} and {many}");
    let one = |n_batches| {
        let mut builder = PlanBuilder::try_new(schema(), WrittenContainer::Stream).unwrap();
        builder.push(&shape(1), n_batches).unwrap();
        ALLOCATOR.measure(|| builder.finish().unwrap()).1.live_bytes
    };
    assert_eq!(one(10), one(1 << 30));
}

#[test]
fn the_last_batch_of_a_terabyte_is_read() {
    let schema = Schema::new([Field::new("flags", DataType::UInt8), Field::new("id", DataType::Int64)]);
    let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File).unwrap();
    builder.push(&BatchShape::new(1 << 30), 100).unwrap();
    builder.push(&BatchShape::new(3), 1).unwrap();
    let plan = builder.finish().unwrap();
    assert!(plan.len() > 960_000_000_000);
    let file = FileReader::try_new(plan.source(&ordinals)).unwrap();
    assert_eq!(file.n_batches(), 101);
    let batch = file.batch(100).unwrap();
    assert_eq!((batch.n_rows(), &batch.columns()[0].buffer(0)[..]), (3, &[0, 1, 2][..]));
}

#[test]
fn threads_read_at_once() {
    let mut builder = PlanBuilder::try_new(schema(), WrittenContainer::File).unwrap();
    (1..50).for_each(|n_rows| builder.push(&shape(n_rows), 2).unwrap());
    let plan = builder.finish().unwrap();
    let whole = plan.read_at(0..plan.len(), &ordinals).unwrap();
    let parts: Vec<_> = plan.parts(10_000, 64).collect();
    assert!(parts.len() > 100);
    let read = thread::scope(|scope| {
        let halves = parts.chunks(parts.len().div_ceil(2));
        let readers: Vec<_> = halves
            .map(|parts| {
                let read = |part: &std::ops::Range<u64>| plan.read_at(part.clone(), &ordinals).unwrap();
                scope.spawn(move || parts.iter().rev().map(read).collect::<Vec<_>>())
            })
            .collect();
        let read = readers.into_iter().flat_map(|reader| reader.join().unwrap().into_iter().rev());
        read.flatten().collect::<Vec<u8>>()
    });
    assert!(read == whole);
}
