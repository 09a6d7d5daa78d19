//! Compares `check_positions` with `validate`, on arrays with a few damaged bytes.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, Content, Validation};
use testing_support::{Generator, Nulls, all_types};

/// The same array with up to three changed bytes in its own buffers. Buffers of children are unchanged.
fn damaged(array: &ArrayData, generator: &mut Generator) -> ArrayData {
    let mut parts = array.clone().into_parts();
    for buffer in &mut parts.buffers {
        let mut bytes = buffer.to_vec();
        for _ in 0..3 {
            if !bytes.is_empty() && generator.rng().one_in(3) {
                let at = generator.rng().below(bytes.len());
                bytes[at] = generator.rng().bits() as u8;
            }
        }
        *buffer = Buffer::copy_from(&bytes);
    }
    ArrayData::try_new(parts).unwrap()
}

#[test]
fn positions_are_what_content_says_of_them() {
    let mut n_wrong = 0;
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for nulls in Nulls::ALL {
            for _ in 0..30 {
                let sound = generator.array(&data_type, 20, nulls);
                assert_eq!(sound.check_positions(), Ok(()), "{name}");
                let array = damaged(&sound, &mut generator);
                let (positions, content) =
                    (array.check_positions(), array.validate(Validation::Content).map(drop));
                n_wrong += usize::from(positions.is_err());
                match sound.layout().content() {
                    // `validate` checks more rules, and may report a broken rule before the wrong position.
                    Content::Text | Content::TextViews => {
                        assert!(positions.is_ok() || content.is_err(), "{name}")
                    }
                    _ => assert_eq!(positions, content, "{name}"),
                }
            }
        }
    }
    assert!(n_wrong > 200, "{n_wrong} arrays were wrong");
}

#[test]
fn what_has_been_checked_is_not_looked_at_again() {
    for (name, data_type) in all_types() {
        let checked =
            Generator::new(1).array(&data_type, 30, Nulls::Garbage).validate(Validation::Content).unwrap();
        assert_eq!(checked.slice(3, 20).check_positions(), Ok(()), "{name}");
    }
}
