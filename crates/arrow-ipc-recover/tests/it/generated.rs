//! Generated damages of any kind, judged by where each byte came from.
//!
//! **What the bytes still determine**, so that it has to be found: a batch of which no byte was touched, if
//! - the schema is known: its message or the footer is untouched and where it belongs, or it is given;
//! - the dictionaries that it needs are known: untouched, and nothing was touched from the first of them to the batch, since other
//!   bytes may have replaced them or added to them. In a file whose footer is untouched, that lists all: there it is enough that
//!   its dictionaries are untouched. Values that are added to a dictionary are not distinguished from others of the same lengths once
//!   any bytes were copied or moved, or some removed and others inserted, which looks like that;
//! - it stands out: the bytes before it or after it, as many as a prefix has, are untouched too, and no message that is damaged declares its
//!   bytes;
//! - it is of the stream: no end marker is before it, copied, moved or what is left of a prefix, unless a message follows that at once. As many
//!   bytes between the two as a message has may have been the schema message of another stream. So may a damaged copy of the schema message. A value
//!   that looks like an end marker where a message ends is one, and what is left of a file without its magic and its footer is a stream;
//! - no valid batch has it inside of its body, where it is a value, nor one that nobody can check, since its dictionary is lost;
//! - no changed dictionary is valid, or another one has the same id: it is not distinguished from the right one;
//! - in legacy framing without a footer, nothing before it was touched: four zeros end such a stream.
//!
//! **What must not be there:** a batch of untouched bytes with other values than it had, or from bytes that were inside of a value.
//!
//! **No loss without a word:** if nothing is lost, all batches are there. Without a footer, that is so as far as a reader can tell.

mod damage;
mod inputs;
mod oracle;

use arrow_ipc::Result;
use arrow_ipc_recover::Recovery;
use testing_support::{Hunt, Rng};

use self::{
    damage::{Damaged, damage},
    inputs::{Sound, sound_inputs},
};
use super::harness::{RecoveryResult, run};

/// Whether the schema is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Schema {
    Given,
    Own,
}

fn recovered(sound: &Sound, damaged: &Damaged, schema: Schema) -> Result<RecoveryResult> {
    let recovery = Recovery::new(damaged.bytes.len() as u64);
    let recovery = match schema {
        Schema::Given => recovery.with_ipc_schema(sound.schema.clone()),
        Schema::Own => recovery,
    };
    run(recovery, &damaged.bytes)
}

/// One damage of an input, by the seed of its random numbers.
fn check(sound: &Sound, seed: u64) -> oracle::Verdict {
    let rng = &mut Rng::new(seed);
    let damaged = damage(sound, rng);
    let schema = if rng.one_in(3) { Schema::Given } else { Schema::Own };
    let verdict = oracle::check(sound, &damaged, (schema, recovered(sound, &damaged, schema)));
    // As `ARROW_HUNT_CASES` takes it.
    let (name, damages) = (&sound.name, &damaged.text);
    verdict.map_err(|error| format!("{name}|{seed}: {schema:?}, {damages}{error}; {}", damaged.pieces()))
}

#[test]
fn generated_damages_lose_what_they_touch() {
    let hunt = Hunt::from_env();
    let inputs = sound_inputs();
    let n_cases = hunt.count(25, 4_400);
    let cases = inputs.iter().enumerate().flat_map(|(input_idx, sound)| {
        let seed = move |case| hunt.seed((input_idx * 1_000_000 + case) as u64);
        (0..n_cases).map(move |case| (sound, seed(case)))
    });
    let (mut n_required, mut n_found, mut n_damages, mut wrong) = (0, 0, 0, Vec::new());
    for (sound, seed) in cases {
        n_damages += 1;
        match check(sound, seed) {
            Ok((required, found)) => (n_required, n_found) = (n_required + required, n_found + found),
            Err(error) => wrong.push(error),
        }
    }
    println!("{n_damages} damages: {n_required} batches had to be found, {n_found} were");
    let first: Vec<&String> = wrong.iter().take(100).collect();
    assert!(wrong.is_empty(), "{} of {n_damages}: {first:#?}", wrong.len());
    assert!(n_required * 4 > n_damages && n_found >= n_required, "{n_required}, {n_found} of {n_damages}");
}

/// What the long form found once stays right; `ARROW_HUNT_CASES` adds others.
#[test]
fn cases_that_were_wrong_are_right() {
    const ONCE_WRONG: &[(&str, u64)] = &[
        ("file, deltas", 10338947024273157630),
        ("file, deltas", 1380236534997235768),
        ("file, deltas", 13072317322847367234),
        ("file, deltas", 11769879980620291943),
        ("file, deltas", 17510344446244623176),
        ("file, deltas", 6177625340009750079),
        ("file, deltas", 1912361080982761992),
        ("file, deltas", 10093980380098617047),
        ("file, deltas", 14453708418676415169),
        ("file, deltas", 4186938817710466760),
        ("file, deltas", 18434793673337505878),
        ("file, deltas", 12606743759922433216),
        ("file, deltas", 5078577745401551071),
        ("file, deltas", 4366644227512194275),
        ("file, deltas", 12019371155909795616),
        ("file, deltas", 17080206973434857652),
        ("file, deltas", 10209268099103359926),
        ("file, deltas", 9628721725169079164),
        ("file, deltas", 11634590347509016212),
        ("file, deltas", 13144550670768106528),
        ("file, deltas", 4522898379474536271),
        ("file, deltas", 9936586955157909106),
        ("file, dictionary", 13755967340976635300),
        ("file, legacy", 10933988282846532402),
        ("file, legacy", 5639425857955532212),
        ("file, legacy", 13864945023011440476),
        ("file, legacy", 16974502010220473556),
        ("file, legacy", 5871385922036582946),
        ("file, legacy", 7375555049331323269),
        ("file, lz4", 4157624162665731579),
        ("file, lz4", 15532700795497426756),
        ("file, lz4", 5216503635567983499),
        ("file, lz4", 18433799213522056779),
        ("file, plain, 8 bytes", 15554648034029737317),
        ("file, plain, 8 bytes", 1941168554912205307),
        ("file, two dictionaries", 4043563200530087830),
        ("file, zstd", 1742887911024245669),
        ("file, zstd", 7681058771235207717),
        ("file, zstd", 8827986062916808049),
        ("stream, deltas", 11238762495612275134),
        ("stream, deltas", 17274414169420276410),
        ("stream, deltas", 18255189082732010876),
        ("stream, deltas", 9680910265029549776),
        ("stream, dictionary, uniform", 17127128550148762207),
        ("stream, legacy", 15808075867347966583),
        ("stream, legacy", 7325537284736840981),
        ("stream, lz4", 1799312227166328520),
        ("stream, lz4", 5271564493106632295),
        ("stream, lz4", 16018531809763559893),
        ("stream, lz4", 2355202695670825563),
        ("stream, lz4", 14261566445881380394),
        ("stream, lz4", 11716413458866491982),
        ("stream, lz4", 12001124876106830933),
        ("stream, lz4", 12129720497356385175),
        ("stream, lz4", 8648116944420969864),
        ("stream, many", 4523655268904657075),
        ("stream, many", 16419864485251730472),
        ("stream, many", 15595212793071359419),
        ("stream, many", 6137096335907013362),
        ("stream, many", 10420262615877992539),
        ("stream, many", 1860465925061098227),
        ("stream, many", 3724894854363528540),
        ("stream, plain, 8 bytes", 2165207572156444926),
        ("stream, plain", 17231471230826995982),
        ("stream, plain", 6177306147038195404),
        ("stream, plain", 9674992127307162071),
        ("stream, replaced dictionaries", 15410241503654152418),
        ("stream, replaced dictionaries", 367940124200927186),
        ("stream, replaced dictionaries", 766727197727905897),
        ("stream, replaced dictionaries", 9910650878743215722),
        ("stream, two dictionaries", 13995279326238087742),
        ("file, many", 697109667637182791),
        ("file, deltas", 432394010726272982),
        ("file, one batch", 12707837886152190116),
        ("file, zstd", 8174879161698853752),
        ("stream, zstd", 2219084908068556510),
        ("stream, zstd", 14952734374394405785),
        ("file, deltas", 13535955612593962026),
        ("file, many", 1264772062647156384),
        ("stream, many", 8664925939414362944),
        ("file, lz4", 17289427164769359801),
        ("file, lz4", 10573737669800252193),
        ("stream, lz4", 13737406459532979961),
        ("stream, lz4", 4336903843689921542),
        ("stream, lz4", 4640311145977668139),
        ("stream, lz4", 10476400631273675383),
        ("stream, lz4", 14964931585408853558),
        ("stream, lz4", 11872487593390210299),
        ("stream, replaced dictionaries", 7423567507429908786),
        ("stream, replaced dictionaries", 9153878423876220562),
        ("file, deltas", 15666093651399631669),
        ("file, deltas", 8155798760702624170),
        ("file, zstd", 9305778359812924243),
        ("stream, lz4", 16035268540443482870),
    ];
    let inputs = sound_inputs();
    let mut cases = Hunt::cases();
    if cases.is_empty() {
        cases.extend(ONCE_WRONG.iter().map(|(name, seed)| ((*name).to_owned(), *seed)));
    }
    let wrong = cases.iter().filter_map(|(name, seed)| {
        let sound = inputs.iter().find(|sound| sound.name == *name);
        check(sound.unwrap_or_else(|| panic!("no input is called {name}")), *seed).err()
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
