//! Each target with a few mutants. `testing/fuzz` gives the same targets to libFuzzer.

use mutants::{Job, TARGETS, Work};
use testing_support::Hunt;

#[test]
fn targets_take_any_bytes() {
    let hunt = Hunt::from_env();
    for target in &TARGETS {
        let work = Work::Target(target);
        let job = Job::new(work, hunt.seed(7));
        for number in 0..hunt.count(25, 2_000) as u64 {
            let mutant = job.mutant(number);
            let findings = work.judge(&mutant.bytes).findings;
            assert!(findings.is_empty(), "{}, mutant {number} of {}: {findings:?}", target.name, mutant.of);
        }
    }
}

/// Targets have different names, and their seeds give other results than empty input.
#[test]
fn targets_have_names_and_seeds() {
    let mut names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TARGETS.len());
    for target in &TARGETS {
        let job = Job::new(Work::Target(target), 1);
        let n_bytes: usize = (0..10).map(|number| job.mutant(number).bytes.len()).sum();
        assert!(n_bytes > 100, "{}: {n_bytes} bytes in ten mutants", target.name);
        (target.run)(b"");
    }
}
