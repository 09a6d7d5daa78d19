//! Checks that many mutants can be read. Mutants that no reader accepts would only test the first check of the readers.

use std::collections::HashSet;

use mutants::{Depth, Job, Work, mutate, mutate_any};
use testing_support::Rng;

/// At least a third of the mutants are readable, and nearly all differ from each other.
#[test]
fn a_third_can_be_read() {
    const N_MUTANTS: u64 = 240;
    let work = Work::Check(Depth::Read);
    let job = Job::new(work, 5);
    let (mut n_readable, mut all) = (0, HashSet::new());
    for number in 0..N_MUTANTS {
        let mutant = job.mutant(number);
        assert_eq!(mutant.bytes, job.mutant(number).bytes, "a number means one mutant");
        n_readable += u64::from(work.judge(&mutant.bytes).is_readable);
        all.insert(mutant.bytes);
    }
    assert!(3 * n_readable >= N_MUTANTS, "{n_readable} of {N_MUTANTS} can be read");
    assert!(
        2 * n_readable <= 2 * N_MUTANTS - 20,
        "{n_readable} of {N_MUTANTS}: the mutator changes too little"
    );
    assert!(all.len() as u64 > N_MUTANTS - 5, "{} differ", all.len());
}

/// Any bytes have mutants, also very short ones.
#[test]
fn mutants_of_nothing() {
    let mut rng = Rng::new(3);
    for n_bytes in [0, 1, 3, 8, 16, 100] {
        for _ in 0..100 {
            let bytes = rng.bytes(n_bytes);
            assert!(mutate(&bytes, &bytes, &mut rng).len() <= 9 * n_bytes + 600);
            assert!(mutate_any(&bytes, &bytes, &mut rng).len() <= 5 * n_bytes + 200);
        }
    }
}
