//! An inspection whose bytes the caller fetches finds what one of a whole input finds, and asks for no more than that needs.

use std::{fs, ops::ControlFlow};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, StreamWriter};
use arrow_ipc_report::JsonReport;
use arrow_ipc_tools::{
    Input, InspectOptions, inspect,
    inspect::{InspectPlan, InspectPlanStep},
};
use testing_support::{Hunt, corpus_dir, files_below};

/// The objects of an inspection, and its damage and notes; or its error.
type Inspected = Result<(Vec<String>, Vec<String>), String>;

fn whole(bytes: &[u8], options: &InspectOptions) -> Inspected {
    let input = Input::try_from_buffer("input", bytes.to_vec().into()).map_err(|error| error.to_string())?;
    let mut objects = Vec::new();
    let mut report = JsonReport::new(|object| {
        objects.push(object.to_string());
        ControlFlow::Continue(())
    });
    let inspected = inspect(input, options, &mut report, &mut ()).map_err(|error| error.to_string())?;
    let damage = inspected.damage.iter().map(ToString::to_string);
    let notes = inspected.notes.iter().map(|note| format!("{note:?}"));
    let unused = format!("{} {}", inspected.n_unused_bytes, inspected.has_unused_values);
    Ok((objects, damage.chain(notes).chain([unused]).collect()))
}

/// The same by a plan, the number of bytes that it needs, and the number of its steps.
fn planned(bytes: &[u8], options: &InspectOptions) -> (Inspected, u64, u32) {
    let mut plan = InspectPlan::new("input", bytes.len() as u64, options.clone());
    let (mut n_bytes, mut n_steps) = (0, 0);
    let fetched = loop {
        n_steps += 1;
        match plan.step() {
            Ok(InspectPlanStep::Ready(fetched)) => break fetched,
            Ok(InspectPlanStep::Need(ranges)) => {
                assert!(!ranges.is_empty());
                for range in ranges {
                    n_bytes += range.end - range.start;
                    let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                    plan.provide(range.start as u64, bytes[range].to_vec().into());
                }
            }
            Err(error) => return (Err(error.to_string()), n_bytes, n_steps),
        }
    };
    let mut objects = Vec::new();
    let mut report = JsonReport::new(|object| {
        objects.push(object.to_string());
        ControlFlow::Continue(())
    });
    let inspected = match fetched.inspect(&mut report) {
        Ok((inspected, is_whole)) => {
            if !is_whole {
                return (Err("a part".to_owned()), n_bytes, n_steps);
            }
            let damage = inspected.damage.iter().map(ToString::to_string);
            let notes = inspected.notes.iter().map(|note| format!("{note:?}"));
            let unused = format!("{} {}", inspected.n_unused_bytes, inspected.has_unused_values);
            Ok((objects, damage.chain(notes).chain([unused]).collect()))
        }
        Err(error) => Err(error.to_string()),
    };
    (inspected, n_bytes, n_steps)
}

#[test]
fn a_plan_finds_what_an_inspection_finds() {
    let all_options =
        [InspectOptions::new().with_unused_bytes(), InspectOptions::new().with_buffers().without_bodies()];
    let mut n_files = 0;
    for folder in ["golden", "hostile"] {
        for path in files_below(&corpus_dir().join(folder), "") {
            let bytes = fs::read(&path).unwrap();
            // Larger ones have no other layout, and take long here.
            if bytes.len() > 4 << 20 {
                continue;
            }
            // In a short run, one of both, in turn; cases have four files each.
            for options in Hunt::from_env().some_of(&all_options, 1, n_files + n_files / 4) {
                let expected = whole(&bytes, options);
                let (found, _, n_steps) = planned(&bytes, options);
                assert_eq!(found, expected, "{}", path.display());
                assert!(n_steps < 200, "{}: {n_steps} steps", path.display());
            }
            n_files += 1;
        }
    }
    assert!(n_files > 500, "{n_files}");
}

fn stream(n_batches: usize, n_rows: usize) -> Vec<u8> {
    let ids: Int64Array = (0..n_rows as i64).collect();
    let batch = RecordBatch::try_from_columns([("id", ids.data().clone())]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    (0..n_batches).for_each(|_| writer.write(&batch).unwrap());
    writer.finish().unwrap()
}

#[test]
fn bodies_are_not_fetched() {
    let bytes = stream(20, 1 << 15);
    let (found, n_bytes, _) = planned(&bytes, &InspectOptions::new().with_unused_bytes());
    assert_eq!(found.unwrap().0.len(), 23);
    assert!(n_bytes < 128 << 10, "{n_bytes} of {}", bytes.len());
}

/// The walk of a reader knows where all metadata is, so that it is one step.
#[test]
fn known_positions_are_fetched_together() {
    let bytes = stream(2_000, 1);
    let reader = FileReader::try_from_buffer(bytes.clone().into()).unwrap();
    let plan = InspectPlan::new("input", bytes.len() as u64, InspectOptions::new().with_buffers());
    let mut plan = plan.with_blocks_of(reader.footer());
    let mut n_steps = 0;
    while let InspectPlanStep::Need(ranges) = plan.step().unwrap() {
        n_steps += 1;
        for range in ranges {
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            plan.provide(range.start as u64, bytes[range].to_vec().into());
        }
    }
    assert!(n_steps <= 6, "{n_steps}");
}

/// Without its footer, a stream of more messages than may be in memory is inspected in part.
#[test]
fn too_much_metadata_is_a_part() {
    let metadata = "x".repeat(1 << 19);
    let ids = Int64Array::from_iter([1]);
    let batch = RecordBatch::try_from_columns([("id", ids.data().clone())]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    for _ in 0..200 {
        let of_batch = arrow_schema::Metadata::from_iter([("k", metadata.as_str())]);
        writer.write_with_metadata(&batch, &of_batch).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let mut plan = InspectPlan::new("input", bytes.len() as u64, InspectOptions::new().with_unused_bytes());
    let mut n_fetched = 0;
    let fetched = loop {
        match plan.step().unwrap() {
            InspectPlanStep::Ready(fetched) => break fetched,
            InspectPlanStep::Need(ranges) => {
                for range in ranges {
                    n_fetched += range.end - range.start;
                    let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                    plan.provide(range.start as u64, bytes[range].to_vec().into());
                }
            }
        }
    };
    assert!(n_fetched <= 65 << 20, "{n_fetched}");
    let mut n_objects = 0;
    let mut report = JsonReport::new(|_| {
        n_objects += 1;
        ControlFlow::Continue(())
    });
    let (inspected, is_whole) = fetched.inspect(&mut report).unwrap();
    assert!(!is_whole && inspected.damage.is_empty());
    assert!((100..200).contains(&n_objects), "{n_objects}");
}
