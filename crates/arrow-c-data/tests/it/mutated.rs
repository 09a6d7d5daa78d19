//! Imports structures with random errors: the result is an error, or an array that can be read. `cargo xtask hunt random` runs
//! a million cases.
//!
//! Pointers stay valid. Lengths of buffers, which the structures do not contain, also stay valid: each buffer is long
//! enough that a small or absurd number either stays inside the buffer or is refused.

mod content;
mod schemas;

use arrow_data::Validation;
use arrow_schema::DataType;
use testing_support::{Generator, Hunt, Nulls, Rng, values};

use crate::foreign::{Ledger, Sketch, sketch};
use crate::types;

/// The additional length of each buffer. It allows an offset of 64 and a length of 64 with elements of 32 bytes, and
/// any offset value up to this number.
const MORE_BYTES: usize = 4 << 10;

/// Lengths, offsets and counts that are absurd or small.
fn number(rng: &mut Rng) -> i64 {
    match rng.below(3) {
        0 => *rng.pick(&[-1, -2, i64::MIN, i64::MAX, i64::MAX - 1, i64::MAX / 2, 1 << 60]),
        _ => rng.below(64) as i64,
    }
}

fn pad(sketch: &mut Sketch) {
    for buffer in sketch.buffers.iter_mut().flatten() {
        let n_bytes = buffer.len() + MORE_BYTES;
        buffer.resize(n_bytes, 0);
    }
    sketch.children.iter_mut().flatten().for_each(pad);
    sketch.dictionary.iter_mut().for_each(|values| pad(values));
}

fn mutate(sketch: &mut Sketch, rng: &mut Rng) {
    let n_children = sketch.children.len();
    let below = rng.below(n_children + 1 + usize::from(sketch.dictionary.is_some()));
    if below < n_children
        && let Some(child) = &mut sketch.children[below]
        && !rng.one_in(4)
    {
        return mutate(child, rng);
    }
    if below > n_children
        && let Some(values) = &mut sketch.dictionary
        && !rng.one_in(4)
    {
        return mutate(values, rng);
    }
    match rng.below(14) {
        0 => sketch.length = number(rng),
        1 => sketch.offset = number(rng),
        2 => sketch.null_count = number(rng),
        // The structure never states more buffers than it has.
        3 => sketch.n_buffers = Some(*rng.pick(&[-1, 0, 1, 2, i64::MIN]).min(&(sketch.buffers.len() as i64))),
        4 if sketch.n_children.is_none() => {
            sketch.n_children = Some(*rng.pick(&[-1, 0, 1, i64::MIN]).min(&(n_children as i64)));
        }
        5 if sketch.n_children.is_none() => sketch.children.truncate(n_children.saturating_sub(1)),
        6 if n_children > 0 => sketch.children[rng.below(n_children)] = None,
        7 => sketch.children.rotate_left(usize::from(n_children > 1)),
        8 => sketch.dictionary = None,
        9 => sketch.is_released = rng.one_in(2),
        10 if !sketch.buffers.is_empty() => {
            let position = rng.below(sketch.buffers.len());
            sketch.buffers[position] = None;
        }
        _ => content(sketch, rng),
    }
}

/// Changes the bytes of a buffer.
fn content(sketch: &mut Sketch, rng: &mut Rng) {
    let Some(position) = (!sketch.buffers.is_empty()).then(|| rng.below(sketch.buffers.len())) else {
        return;
    };
    let are_lengths = sketch.are_lengths.get(position) != Some(&false);
    let Some(buffer) = &mut sketch.buffers[position] else { return };
    let n_changes = 1 + rng.below(3);
    for _ in 0..n_changes {
        if are_lengths {
            // Numbers of 32 or 64 bits that are negative, or inside of the buffers.
            let number = *rng.pick(&[-1, i64::MIN, 0, 1, 5, 17, MORE_BYTES as i64]);
            let offset = rng.below(40) * 8;
            buffer[offset..offset + 8].copy_from_slice(&number.to_ne_bytes());
        } else {
            let offset = rng.below(600);
            buffer[offset] = *rng.pick(&[0, 1, 2, 0x7f, 0x80, 0xff]);
        }
    }
}

/// A valid array of a type, and random numbers for the changes.
fn sound_sketch(hunt: Hunt, case: usize, data_type: &DataType) -> (Sketch, Rng) {
    let mut rng = hunt.rng(case as u64);
    let mut generator = Generator::new(rng.bits());
    let nulls = *rng.pick(&Nulls::ALL);
    let array = generator.array(data_type, rng.below(20), nulls);
    let array = array.validate(Validation::Content).expect("generated");
    (sketch(&array, &mut generator), rng)
}

#[test]
fn mutated_arrays_are_refused_or_readable() {
    let hunt = Hunt::from_env();
    let types = types();
    let n_cases = hunt.count(3_000, 1_000_000);
    let mut n_accepted = 0;
    for case in 0..n_cases {
        let (name, data_type) = &types[case % types.len()];
        let (mut sketch, mut rng) = sound_sketch(hunt, case, data_type);
        pad(&mut sketch);
        (0..1 + rng.below(3)).for_each(|_| mutate(&mut sketch, &mut rng));
        let ledger = Ledger::default();
        let validation = *rng.pick(&[Validation::Content, Validation::Structure, Validation::Strict]);
        let imported = sketch.import(&ledger, data_type, validation);
        if let Ok(array) = imported.and_then(|array| Ok(array.validate(Validation::Content)?)) {
            n_accepted += 1;
            // Nulls and lists of nothing may have any length.
            if array.len() < 1_000 {
                assert_eq!(values(&array).len(), array.len(), "{name}, case {case}");
            }
        }
        ledger.check_all_released();
    }
    assert!(n_accepted > n_cases / 20 && n_accepted < n_cases, "{n_accepted} of {n_cases} are accepted");
}
