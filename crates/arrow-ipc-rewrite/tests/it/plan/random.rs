//! Random shapes of every type: those that are accepted make files whose structure readers accept, and none panics.

use std::io;

use arrow_buffer::Buffer;
use arrow_data::{Physical, layout};
use arrow_ipc::{FileReader, IpcSchema, ReadOptions, Validation, WrittenContainer};
use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::{DataType, Field, Schema, UnionMode};
use testing_support::{Hunt, Rng, all_types};

/// Larger images are planned, and not read.
const MAX_READ_BYTES: u64 = 1 << 20;

/// Mostly small, sometimes at a limit.
fn number(rng: &mut Rng) -> u64 {
    let limits = [i16::MAX as u64, i32::MAX as u64, u32::MAX.into(), i64::MAX as u64, u64::MAX];
    if !rng.one_in(20) {
        return rng.below(5) as u64;
    }
    let near = rng.below(3) as u64;
    rng.pick(&limits).wrapping_add(near).wrapping_sub(1)
}

/// A shape that mostly is one of the type.
fn column(rng: &mut Rng, data_type: &DataType, n_slots: u64) -> ColumnShape {
    let fields = data_type.children();
    let below = |rng: &mut Rng, n_slots| {
        let shapes = fields.iter().map(|field| column(rng, field.data_type(), n_slots));
        shapes.collect::<Vec<_>>()
    };
    let n = if n_slots == 0 && !rng.one_in(9) { 0 } else { number(rng) };
    let shape = match (rng.below(20), layout(data_type).physical()) {
        (0, _) => ColumnShape::new(),
        (1, _) => ColumnShape::bytes(n),
        (2, _) => ColumnShape::views([n]),
        (3, _) => ColumnShape::nested([ColumnShape::new().with_n_slots(n)]),
        (_, Physical::Bytes(_)) => ColumnShape::bytes(n),
        (_, Physical::Views) => ColumnShape::views((0..n.min(9)).map(|_| 16)),
        (_, Physical::List(_) | Physical::ListView(_)) => {
            ColumnShape::list(n, below(rng, n).pop().unwrap_or_default())
        }
        (_, Physical::Union(UnionMode::Dense)) => {
            ColumnShape::dense_union(below(rng, n).into_iter().map(|child| (n, child)))
        }
        (_, Physical::Runs(_)) => {
            let n_runs = if n_slots == 0 { n } else { n.clamp(1, n_slots) };
            ColumnShape::runs(n_runs, below(rng, n_runs).pop().unwrap_or_default())
        }
        (_, Physical::FixedSizeList(size)) => {
            ColumnShape::nested(below(rng, n_slots.saturating_mul(size.get().into())))
        }
        _ => ColumnShape::nested(below(rng, n_slots)),
    };
    let is_wrong = rng.one_in(20);
    let has_nulls = layout(data_type).has_validity() && rng.one_in(3);
    if has_nulls || is_wrong { shape.with_nulls(number(rng).min(n_slots.max(1))) } else { shape }
}

fn zeros(_: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
    to.fill(0);
    Ok(to.len())
}

/// Whether the shapes were accepted.
fn plan(rng: &mut Rng, schema: &IpcSchema, values: &[(i64, DataType)], name: &str) -> Option<Plan> {
    let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File).unwrap();
    for (id, data_type) in values.iter().rev() {
        let n_values = number(rng);
        let shape = BatchShape::new(n_values).with_columns([column(rng, data_type, n_values)]);
        if let Err(error) = builder.push_dictionary(*id, &shape) {
            assert!(!error.to_string().contains("internal"), "{name}: {error}");
        }
    }
    let mut is_accepted = false;
    for _ in 0..3 {
        let n_rows = number(rng);
        let shape = column(rng, schema.schema().fields()[0].data_type(), n_rows);
        match builder.push(&BatchShape::new(n_rows).with_columns([shape]), 1 + rng.below(3)) {
            Ok(()) => is_accepted = true,
            Err(error) => {
                let text = error.to_string();
                assert!(!text.contains("internal") && text.contains(char::is_numeric), "{name}: {text}");
            }
        }
    }
    let plan = builder.finish().unwrap_or_else(|error| panic!("{name}: {error}"));
    is_accepted.then_some(plan)
}

#[test]
fn shapes_that_are_accepted_are_read() {
    let hunt = Hunt::from_env();
    let options = || ReadOptions::new().with_validation(Validation::Structure);
    let (mut n_accepted, mut n_read) = (0, 0);
    for (case, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut rng = hunt.rng(9000 + case as u64);
        let schema = IpcSchema::from(Schema::new([Field::new("c", data_type.clone())]));
        let mut values = Vec::new();
        add_values(&data_type, &mut values);
        let values: Vec<_> = schema.dictionary_ids().iter().copied().zip(values).collect();
        for _ in 0..hunt.count(8, 400) {
            let Some(plan) = plan(&mut rng, &schema, &values, &name) else { continue };
            n_accepted += 1;
            let last = plan.batch(plan.n_batches() - 1).unwrap();
            assert_eq!(plan.at(last.start).unwrap().range.start, last.start, "{name}");
            if plan.len() > MAX_READ_BYTES {
                continue;
            }
            n_read += 1;
            let image = plan.read_at(0..plan.len(), &zeros).unwrap();
            let file = FileReader::try_new_with(Buffer::from(image), options());
            let file = file.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(file.n_batches(), plan.n_batches());
            for batch in file.batches() {
                batch.unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
    assert!(n_accepted > 200 && n_read > 150, "{n_accepted} accepted, {n_read} read");
}

/// The value types of the dictionaries, in the order of their ids.
fn add_values(data_type: &DataType, found: &mut Vec<DataType>) {
    if let Some(dictionary) = data_type.as_dictionary() {
        found.push(dictionary.value().clone());
        add_values(dictionary.value(), found);
    }
    data_type.children().iter().for_each(|field| add_values(field.data_type(), found));
}
