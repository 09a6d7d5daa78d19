//! Measures plans of files that are not written: 20,000 batches of 100 columns, a terabyte. Run with `cargo bench -p
//! benches --bench plan`.

#![allow(missing_docs)] // what the macros of criterion make

use std::hint::black_box;

use arrow_data::Role;
use arrow_ipc::WrittenContainer;
use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::{DataType, Field, Schema};
use criterion::{Criterion, criterion_group, criterion_main};

criterion_group!(benches, plans, reads);
criterion_main!(benches);

const N_BATCHES: usize = 20_000;

fn schema() -> Schema {
    let column = |idx| {
        let data_type = if idx % 10 == 9 { DataType::Utf8 } else { DataType::Int64 };
        Field::new(format!("column {idx}"), data_type)
    };
    Schema::new((0..100).map(column).collect::<Vec<Field>>())
}

fn shape(n_rows: u64) -> BatchShape {
    (9..100).step_by(10).fold(BatchShape::new(n_rows), |shape, idx| {
        shape.with_column(idx, ColumnShape::bytes(10 * n_rows).with_nulls(n_rows / 7))
    })
}

/// A plan of all batches, which have `n_shapes` different shapes.
fn plan(n_shapes: usize) -> Plan {
    let mut builder = PlanBuilder::try_new(schema(), WrittenContainer::File).unwrap();
    for shape_idx in 0..n_shapes {
        builder.push(&shape(65_536 + shape_idx as u64), N_BATCHES / n_shapes).unwrap();
    }
    builder.finish().unwrap()
}

fn plans(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("20,000 batches of 100 columns");
    group.sample_size(20);
    group.bench_function("equal", |bencher| bencher.iter(|| plan(1).len()));
    group.bench_function("all different", |bencher| bencher.iter(|| plan(N_BATCHES).len()));
    group.finish();
}

fn reads(criterion: &mut Criterion) {
    let plan = plan(1);
    let path = schema().path("column 50").unwrap();
    let provider = |_: &PlannedData<'_>, to: &mut [u8]| {
        to.fill(7);
        Ok(to.len())
    };
    let mut group = criterion.benchmark_group("a terabyte");
    let mut bytes = vec![0; 64 << 10];
    group.bench_function("64 KiB anywhere", |bencher| {
        let mut position = 0;
        bencher.iter(|| {
            position = (position + 999_999_999_989) % (plan.len() - (64 << 10));
            plan.read_into(position, &mut bytes, &provider).unwrap();
        });
    });
    group.bench_function("locate", |bencher| {
        bencher.iter(|| plan.locate(black_box(12_345), &path, Role::Values).unwrap());
    });
    group.bench_function("at", |bencher| bencher.iter(|| plan.at(black_box(plan.len() / 3)).unwrap().range));
    group.finish();
}
