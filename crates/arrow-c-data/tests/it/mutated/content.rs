//! Imports arrays with valid numbers and random errors in their buffers. The buffers have the minimum length of the
//! contract, and no error may cause a read out of bounds: AddressSanitizer checks this. `cargo xtask hunt random` runs a
//! million cases.

use arrow_data::{OffsetType, Physical, Validation, layout};
use arrow_schema::DataType;
use testing_support::{Hunt, Rng, values};

use super::sound_sketch;
use crate::foreign::{Ledger, Sketch};
use crate::types;

/// The maximum length of the data if the last offset is wrong.
const MAX_BYTES: i64 = 4 << 10;

/// Damages the buffers of a sketch, its children and its dictionary, and shortens all buffers to the minimum length.
fn spoil(sketch: &mut Sketch, data_type: &DataType, rng: &mut Rng) {
    let layout = layout(data_type);
    let n_slots = (sketch.offset + sketch.length) as u64;
    for (buffer, spec) in sketch.buffers.iter_mut().zip(layout.buffers()) {
        let Some(buffer) = buffer else { continue };
        // Without slots, a buffer of offsets may be absent, but here it stays.
        let needed = spec.min_bytes(n_slots).expect("few slots") as usize;
        if needed > 0 {
            buffer.truncate(needed);
        }
        if rng.one_in(2) {
            change(buffer, rng);
        }
    }
    match layout.physical() {
        Physical::Bytes(OffsetType::Int32) => fit_data::<4>(sketch, |bytes| i32::from_ne_bytes(bytes).into()),
        Physical::Bytes(OffsetType::Int64) => fit_data::<8>(sketch, i64::from_ne_bytes),
        _ => (),
    }
    for (child, field) in sketch.children.iter_mut().flatten().zip(data_type.children()) {
        spoil(child, field.data_type(), rng);
    }
    if let (Some(values), Some(dictionary)) = (&mut sketch.dictionary, data_type.as_dictionary()) {
        spoil(values, dictionary.value(), rng);
    }
}

/// Changes bytes, or numbers of 32 or 64 bits.
fn change(buffer: &mut [u8], rng: &mut Rng) {
    for _ in 0..1 + rng.below(3) {
        let number = *rng.pick(&[-1, 0, 1, 2, 7, 13, 100, 1 << 20, i64::MAX, i64::MIN]);
        let bytes = number.to_ne_bytes();
        let n_bytes = *rng.pick(&[1, 4, 8]);
        if let Some(max_offset) = buffer.len().checked_sub(n_bytes) {
            let offset = rng.below(max_offset + 1) / n_bytes * n_bytes;
            buffer[offset..offset + n_bytes].copy_from_slice(&bytes[..n_bytes]);
        }
    }
}

/// Sets the length of the data to the last offset.
fn fit_data<const N: usize>(sketch: &mut Sketch, number: impl Fn([u8; N]) -> i64) {
    let [_, Some(offsets), Some(data)] = &mut sketch.buffers[..] else { return };
    let Some(last) = offsets.last_chunk_mut::<N>() else { return };
    if number(*last) > MAX_BYTES {
        *last = [0; N];
    }
    data.resize(usize::try_from(number(*last)).unwrap_or(0), b'x');
}

#[test]
fn mutated_content_is_read_within_its_bounds() {
    let hunt = Hunt::from_env();
    let types = types();
    let n_cases = hunt.count(3_000, 1_000_000);
    let mut n_accepted = 0;
    for case in 0..n_cases {
        let (name, data_type) = &types[case % types.len()];
        let (mut sketch, mut rng) = sound_sketch(hunt, case, data_type);
        spoil(&mut sketch, data_type, &mut rng);
        let ledger = Ledger::default();
        let validation = *rng.pick(&[Validation::Content, Validation::Structure, Validation::Strict]);
        let imported = sketch.import(&ledger, data_type, validation);
        if let Ok(array) = imported.and_then(|array| Ok(array.validate(Validation::Content)?)) {
            n_accepted += 1;
            assert_eq!(values(&array).len(), array.len(), "{name}, case {case}");
        }
        ledger.check_all_released();
    }
    assert!(n_accepted > n_cases / 20 && n_accepted < n_cases, "{n_accepted} of {n_cases} are accepted");
}
