//! Checks arrays whose buffers have random bytes: no check panics, and arrays that pass the checks can be read.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, Role, Validation};
use arrow_schema::DataType;
use arrow_select::{Select, concat};
use testing_support::{Generator, Nulls, Rng, Value, all_types, value, values};

/// Replaces some bytes of one buffer, at any depth. The structure stays valid.
fn corrupt(array: &ArrayData, rng: &mut Rng) -> ArrayData {
    let mut parts = array.clone().into_parts();
    let n_children = array.children().len();
    match (array.dictionary(), rng.below(n_children + 2)) {
        (Some(dictionary), 0) => parts.dictionary = Some(Arc::new(corrupt(dictionary, rng))),
        (_, position) if position < n_children => {
            let mut children = array.children().to_vec();
            children[position] = corrupt(&children[position], rng);
            parts.children = Some(children.into());
        }
        (_, position) => match &parts.variadic {
            Some(variadic) if position == n_children && !variadic.is_empty() => {
                let mut variadic = variadic.to_vec();
                let idx = rng.below(variadic.len());
                variadic[idx] = replace_bytes(&variadic[idx], rng);
                parts.variadic = Some(variadic.into());
            }
            _ => {
                let k = usize::from(!parts.buffers[1].is_empty() && rng.one_in(2));
                parts.buffers[k] = replace_bytes(&parts.buffers[k], rng);
            }
        },
    }
    ArrayData::try_new(parts).expect("structure does not look into buffers")
}

fn replace_bytes(buffer: &Buffer, rng: &mut Rng) -> Buffer {
    let mut bytes = buffer.to_vec();
    if !bytes.is_empty() {
        for _ in 0..=rng.below(2) {
            let at = rng.below(bytes.len());
            bytes[at] = match rng.below(4) {
                0 => 0x00,
                1 => 0x80,
                2 => bytes[at].wrapping_add(1),
                _ => rng.bits().to_le_bytes()[0],
            };
        }
    }
    Buffer::copy_from(&bytes)
}

#[test]
fn what_passes_can_be_read() {
    let (mut n_refused, mut n_accepted) = (0, 0);
    for seed in 0..60 {
        let mut generator = Generator::new(seed);
        let mut rng = Rng::new(seed + 1000);
        for (_, data_type) in all_types() {
            let nulls = *rng.pick(&Nulls::ALL);
            let array = corrupt(&generator.array(&data_type, 40, nulls), &mut rng);
            match array.clone().validate(Validation::Content) {
                Err(error) => {
                    n_refused += 1;
                    assert!(error.slot().is_some(), "{error}\n{}", array.dump());
                    assert!(error.to_string().len() > 20);
                    // A slice may leave out the invalid slot, so its check may succeed. It must not panic.
                    let _ = array.slice(0, 7).validate(Validation::Strict);
                }
                Ok(checked) => {
                    n_accepted += 1;
                    assert_eq!(values(&checked).len(), 40);
                    assert_eq!(values(&checked.slice(3, 30)), values(&checked)[3..33]);
                    let _ = checked.validate(Validation::Strict);
                }
            }
        }
    }
    assert!(n_refused > 1000 && n_accepted > 1000, "{n_refused} refused, {n_accepted} accepted");
}

/// An error in a flat type names the first invalid slot: the slots before it are valid.
#[test]
fn the_slot_is_the_first_bad_one() {
    let mut n_refused = 0;
    for seed in 0..300 {
        let mut generator = Generator::new(seed);
        let mut rng = Rng::new(seed + 1000);
        for data_type in
            [DataType::Binary, DataType::Utf8, DataType::LargeUtf8, DataType::BinaryView, DataType::Utf8View]
        {
            let array = corrupt(&generator.array(&data_type, 40, Nulls::Some), &mut rng);
            let Err(error) = array.clone().validate(Validation::Content) else { continue };
            n_refused += 1;
            let slot = error.slot().and_then(|slot| usize::try_from(slot).ok()).expect("a slot is named");
            // All offsets are checked before any text.
            if error.role() == Some(Role::Offsets) && data_type != DataType::Binary {
                continue;
            }
            assert!(array.slice(0, slot).validate(Validation::Content).is_ok(), "{error}\n{}", array.dump());
            assert!(
                array.slice(0, slot + 1).validate(Validation::Content).is_err(),
                "{error}\n{}",
                array.dump()
            );
            (0..slot).for_each(|slot| drop(value(&array, slot)));
        }
    }
    assert!(n_refused > 100, "{n_refused}");
}

/// Code that reads content refuses the same arrays as a check of the content.
#[test]
fn what_fails_is_neither_compared_nor_selected() {
    let (mut n_refused, mut n_accepted) = (0, 0);
    for seed in 0..20 {
        let mut generator = Generator::new(seed);
        let mut rng = Rng::new(seed + 2000);
        for (name, data_type) in all_types() {
            let nulls = *rng.pick(&Nulls::ALL);
            let good = generator.array(&data_type, 40, nulls);
            let array = corrupt(&good, &mut rng);
            let indices: Vec<usize> = (0..20).map(|_| rng.below(40)).collect();
            let mask: Bitmap = (0..40).map(|_| rng.one_in(3)).collect();
            let taken = array.take(&indices);
            let filtered = array.filter(&mask);
            let joined = concat(&[good.clone(), array.clone()]);
            let compared = array.same_values(&good);
            if array.clone().validate(Validation::Content).is_err() {
                n_refused += 1;
                assert!(
                    taken.is_err() && filtered.is_err() && joined.is_err() && compared.is_err(),
                    "{name}"
                );
                continue;
            }
            n_accepted += 1;
            let all = values(&array);
            let expected: Vec<Value> = indices.iter().map(|index| all[*index].clone()).collect();
            assert_eq!(taken.map(|taken| values(&taken)), Ok(expected), "{name}");
            let expected: Vec<Value> = mask.iter_set().map(|index| all[index].clone()).collect();
            assert_eq!(filtered.map(|filtered| values(&filtered)), Ok(expected), "{name}");
            assert_eq!(compared, Ok(all == values(&good)), "{name}");
            if let Ok(joined) = joined {
                assert_eq!(values(&joined), [values(&good), all].concat(), "{name}");
            }
        }
    }
    assert!(n_refused > 400 && n_accepted > 400, "{n_refused} refused, {n_accepted} accepted");
}
