//! Generated damages of any kind, judged by where each byte came from.
//!
//! **What the bytes still determine**, so that it has to be found: a batch of which no byte was touched, if
//! - the schema is known: its message or the footer is untouched and where it belongs, or it is given;
//! - the dictionaries that it needs are known: untouched, and nothing was touched from the first of them to the batch, since other
//!   bytes may have replaced them or added to them. In a file whose footer is untouched, that lists all: there it is enough that
//!   its dictionaries are untouched. Values that are added to a dictionary are not told from others of the same lengths once
//!   any bytes were copied or moved;
//! - it stands out: the bytes before it or after it, as many as a prefix has, are untouched too, and no message that is damaged claims its
//!   bytes;
//! - it is of the stream: no end marker is before it, copied, moved or what is left of a prefix, unless a message follows that at once. As many
//!   bytes between the two as a message has may have been the schema message of another stream. So may a damaged copy of the schema message;
//! - no valid batch has it inside of its body, where it is a value; and no changed dictionary is valid, which is not told from the right one;
//! - in legacy framing without a footer, nothing before it was touched: four zeros end such a stream.
//!
//! **What must not be there:** a batch of untouched bytes with other values than it had, or from bytes that were inside of a value.
//!
//! **No loss without a word:** if nothing is lost, all batches are there. Without a footer, that is so as far as a reader can tell.

mod damage;
mod inputs;
mod oracle;

use arrow_ipc::{ReadOptions, Result, recover::Recovery};
use testing_support::{Hunt, Rng};

use self::{
    damage::{Damaged, damage},
    inputs::{Sound, sound_inputs},
};
use super::harness::{Recovered, run};

/// Whether the schema is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Schema {
    Given,
    Own,
}

fn recovered(sound: &Sound, damaged: &Damaged, schema: Schema) -> Result<Recovered> {
    let recovery = Recovery::new(damaged.bytes.len() as u64, ReadOptions::new());
    let recovery = match schema {
        Schema::Given => recovery.with_schema(sound.schema.clone()),
        Schema::Own => recovery,
    };
    run(recovery, &damaged.bytes)
}

#[test]
fn generated_damages_lose_what_they_touch() {
    let hunt = Hunt::from_env();
    let inputs = sound_inputs();
    let n_cases = hunt.count(25, 4_400);
    let (mut n_required, mut n_found, mut n_damages, mut wrong) = (0, 0, 0, Vec::new());
    for (input_idx, sound) in inputs.iter().enumerate() {
        for case in 0..n_cases {
            let seed = hunt.seed((input_idx * 1_000_000 + case) as u64);
            let rng = &mut Rng::new(seed);
            let damaged = damage(sound, rng);
            let schema = if rng.one_in(3) { Schema::Given } else { Schema::Own };
            n_damages += 1;
            match oracle::check(sound, &damaged, (schema, recovered(sound, &damaged, schema))) {
                Ok((required, found)) => (n_required, n_found) = (n_required + required, n_found + found),
                Err(error) => {
                    wrong.push(format!("{}, seed {seed}, {schema:?}: {}{error}", sound.name, damaged.text));
                }
            }
        }
    }
    println!("{n_damages} damages: {n_required} batches had to be found, {n_found} were");
    let first: Vec<&String> = wrong.iter().take(10).collect();
    assert!(wrong.is_empty(), "{} of {n_damages}: {first:#?}", wrong.len());
    assert!(n_required * 4 > n_damages && n_found >= n_required, "{n_required}, {n_found} of {n_damages}");
}
