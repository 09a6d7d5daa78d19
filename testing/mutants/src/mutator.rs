//! Makes mutants of streams and files, using their known structure.

use testing_support::Rng;

use crate::{
    edits::{Change, EDITS, Edit},
    wire::Map,
};

/// A mutant of `bytes`, usually with one change and rarely with more than three. `other` is an input whose messages may
/// be copied into the mutant. The same random numbers make the same mutant.
///
/// Most changes leave framing and flatbuffers valid, so that readers do not stop at the first check.
pub fn mutate(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    let n_changes = *rng.pick(&[1, 1, 1, 1, 2, 2, 3, 8]);
    for _ in 0..n_changes {
        let map = Map::of(&mutant);
        // Not every edit has something to change in every input.
        for _ in 0..8 {
            let mut edit = Edit { bytes: &mut mutant, map: &map, rng, other };
            let chosen = choose(edit.rng);
            if chosen(&mut edit).is_some() {
                break;
            }
        }
    }
    mutant
}

fn choose(rng: &mut Rng) -> Change {
    let n_shares = EDITS.iter().map(|(shares, _)| shares).sum();
    let mut rest = rng.below(n_shares);
    for (shares, edit) in EDITS {
        match rest.checked_sub(*shares) {
            Some(left) => rest = left,
            None => return *edit,
        }
    }
    unreachable!("the number is below the sum of the shares")
}

/// A mutant of bytes that are neither a stream nor a file, such as text. It may contain parts of `other`.
pub fn mutate_any(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(mutant.len() + 1);
        let end = at + rng.below((mutant.len() - at).min(20) + 1);
        let changed: Vec<u8> = match rng.below(7) {
            0 => Vec::new(),
            1 => mutant[at..end].repeat(2),
            2 => mutant[at..end].iter().map(|byte| byte ^ 1 << rng.below(8)).collect(),
            3 => rng.bits().to_le_bytes()[..1 + rng.below(4)].to_vec(),
            // Digits, signs and brackets of text.
            4 => vec![*rng.pick(b"0123456789-+.eE\"'\\{}[]<>(),:;\n \0")],
            5 => vec![*rng.pick(&[0, 1, 0x7f, 0x80, 0xff]); 1 + rng.below(4)],
            _ => {
                let from = rng.below(other.len() + 1);
                other[from..from + rng.below((other.len() - from).min(40) + 1)].to_vec()
            }
        };
        mutant.splice(at..end, changed);
    }
    mutant
}
