//! Imports arrays whose structures all have offsets, at unaligned addresses. Each structure must be released once.

use crate::types;
use arrow_c_data::{ArrayImporter, CopyStats};
use arrow_data::{ArrayData, Validation};
use arrow_schema::DataType;
use testing_support::{Generator, Hunt, Nulls};

use crate::foreign::{Ledger, Sketch, sketch};

fn import(sketch: &Sketch, ledger: &Ledger, data_type: &DataType) -> (ArrayData, CopyStats) {
    let mut importer = ArrayImporter::new(Validation::Content);
    // SAFETY: the sketch is one of an array of this type.
    let array = unsafe { importer.import(sketch.give(ledger), data_type) };
    (array.unwrap_or_else(|error| panic!("{data_type}: {error}\n{sketch:?}")), importer.stats())
}

#[test]
fn offsets_become_slices() {
    let hunt = Hunt::from_env();
    for round in 0..hunt.count(2, 200) {
        for (case, (name, data_type)) in types().into_iter().enumerate() {
            let mut generator = Generator::new(hunt.seed((round * 1_000 + case) as u64));
            for n_slots in [0, 1, 8, 33] {
                let nulls = *generator.rng().pick(&Nulls::ALL);
                let wanted = generator
                    .array(&data_type, n_slots, nulls)
                    .validate(Validation::Content)
                    .expect("generated");
                let (ledger, sketch) = (Ledger::default(), sketch(&wanted, &mut generator));
                let (imported, stats) = import(&sketch, &ledger, &data_type);
                assert_eq!(imported.same_values(&wanted), Ok(true), "{name}, {n_slots} slots, {nulls:?}");
                // All is aligned. Only offsets that begin at another item or byte are copied.
                assert!(stats.n_bytes_copied() <= wanted.n_bytes(), "{name}, {n_slots} slots: {stats:?}");
                assert!(ledger.n_alive() > 0 || imported.n_bytes() == 0, "{name}: the memory is in use");
                drop(imported);
                ledger.check_all_released();
            }
        }
    }
}

/// Buffers of numbers at odd addresses are copied, all others are not.
#[test]
fn misaligned_numbers_are_copied() {
    for (case, (name, data_type)) in types().into_iter().enumerate() {
        let mut generator = Generator::new(case as u64);
        let wanted =
            generator.array(&data_type, 20, Nulls::Some).validate(Validation::Content).expect("generated");
        let (ledger, mut sketch) = (Ledger::default(), sketch(&wanted, &mut generator));
        shift(&mut sketch);
        let (imported, stats) = import(&sketch, &ledger, &data_type);
        assert_eq!(imported.same_values(&wanted), Ok(true), "{name}");
        let needs = imported.layout().data_buffers().iter().any(|spec| spec.alignment_bytes() > 1);
        assert!(!needs || stats.n_buffers_copied() > 0, "{name}");
        drop(imported);
        ledger.check_all_released();
    }
}

fn shift(sketch: &mut Sketch) {
    sketch.shift = 1;
    sketch.children.iter_mut().flatten().for_each(shift);
    sketch.dictionary.iter_mut().for_each(|values| shift(values));
}

/// A slice of one buffer keeps all memory alive. Dropping the last buffer releases the memory, on any thread.
#[test]
fn the_last_buffer_releases() {
    let ledger = Ledger::default();
    let mut generator = Generator::new(1);
    let data_type: DataType = "struct<a: int64, b: utf8_view>".parse().expect("a type");
    let wanted =
        generator.array(&data_type, 50, Nulls::None).validate(Validation::Content).expect("generated");
    let (imported, _) = import(&sketch(&wanted, &mut generator), &ledger, &data_type);
    let n_alive = ledger.n_alive();
    let slice = imported.children()[0].buffer(0).slice(8..16);
    drop(imported);
    assert_eq!(ledger.n_alive(), n_alive, "all structures live as long as one slice");
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let slice = slice.clone();
            std::thread::spawn(move || drop(slice))
        })
        .collect();
    drop(slice);
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    ledger.check_all_released();
}

/// Foreign memory cannot be recycled.
#[test]
fn foreign_memory_is_not_recycled() {
    let ledger = Ledger::default();
    let numbers = Sketch { length: 3, buffers: vec![None, Some(vec![1, 2, 3])], ..Sketch::default() };
    let (imported, _) = import(&numbers, &ledger, &DataType::UInt8);
    let buffer = imported.buffer(0).clone();
    drop(imported);
    let buffer = buffer.try_recycle().expect_err("not ours");
    let buffer = buffer.into_vec::<u8>().expect_err("no vector");
    assert_eq!(&*buffer, [1, 2, 3]);
    drop(buffer);
    ledger.check_all_released();
}
