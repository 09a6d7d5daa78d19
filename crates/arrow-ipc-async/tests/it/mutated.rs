//! Damaged bytes cause the same errors as in the blocking readers.

use arrow_buffer::Buffer;
use testing_support::{Hunt, Rng};

use crate::{files, streams, support::corpus};

/// Numbers that often break the checks of lengths, offsets and tags.
const WORDS: [u32; 7] = [0, 1, 0x40, 0x4000_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

fn mutate(bytes: &mut [u8], rng: &mut Rng) {
    let position = rng.below(bytes.len());
    match rng.below(3) {
        0 => bytes[position] ^= 1 << rng.below(8),
        1 => bytes[position] = rng.bits().to_le_bytes()[0],
        _ => {
            let word = rng.pick(&WORDS).to_le_bytes();
            bytes[position..].iter_mut().zip(word).for_each(|(to, from)| *to = from);
        }
    }
}

/// Changes some bytes in files of other producers, and compares the readers.
fn hunt(suffix: &str, (base, max_mutations): (u64, usize), mut compare: impl FnMut(&str, &[u8])) {
    let hunt = Hunt::from_env();
    let files: Vec<_> = corpus(suffix).into_iter().filter(|(_, bytes)| bytes.len() < 20_000).collect();
    for case in 0..hunt.count(300, 100_000) {
        let mut rng = hunt.rng(base + case as u64);
        let (path, bytes) = rng.pick(&files);
        let mut bytes = bytes.to_vec();
        (0..=rng.below(max_mutations)).for_each(|_| mutate(&mut bytes, &mut rng));
        compare(&format!("{}, case {case}", path.display()), &bytes);
    }
}

#[test]
fn damaged_streams_give_the_same_errors() {
    hunt(".arrows", (0, 3), |name, bytes| {
        streams::compare(name, bytes, 300);
    });
}

#[test]
fn damaged_files_give_the_same_errors() {
    // Changes only one place: with several errors, the readers might find different ones first.
    hunt(".arrow", (1_000_000, 1), |name, bytes| {
        files::compare(name, &Buffer::copy_from(bytes));
    });
}
