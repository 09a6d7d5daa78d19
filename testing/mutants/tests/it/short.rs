//! The short form of `cargo xtask hunt mutants`.

use std::{
    io::Write,
    time::{SystemTime, UNIX_EPOCH},
};

use mutants::{Depth, Job, Work};
use testing_support::Hunt;

/// Passes mutants to all readers and all operations.
fn observe(seed: u64, n_read: u64, n_used: u64) {
    for (depth, n_mutants) in [(Depth::Read, n_read), (Depth::Use, n_used)] {
        let work = Work::Check(depth);
        let job = Job::new(work, seed);
        for number in 0..n_mutants {
            let mutant = job.mutant(number);
            let judged = work.judge(&mutant.bytes);
            let deep = if depth == Depth::Use { " --deep" } else { "" };
            assert!(
                judged.findings.is_empty(),
                "mutant {number} of {}: {}\nTo see all: cargo xtask hunt mutants --seed {seed} --n {}{deep}",
                mutant.of,
                judged.findings.join("\n"),
                number + 1,
            );
        }
    }
}

#[test]
fn mutants_that_stay_the_same() {
    let hunt = Hunt::from_env();
    observe(hunt.seed(13), hunt.count(300, 20_000) as u64, hunt.count(60, 4_000) as u64);
}

/// The seed is printed, since a mutant that ends the process cannot print it.
#[test]
fn mutants_of_today() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    let _ = writeln!(std::io::stderr(), "mutants of seed {now}");
    observe(u64::from(now), 300, 60);
}
