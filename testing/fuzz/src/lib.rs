//! Runs the targets of `mutants` with libFuzzer. The program of each target has one line.

pub use libfuzzer_sys;

pub use mutants::Target;
pub use mutants::run_in_bound;
use mutants::{SeedSource, mutate, mutate_any};
use testing_support::Rng;

/// The program of a target.
#[macro_export]
macro_rules! fuzz {
    ($name:literal) => {
        // A constant, so that the program has the code of this target and no other. After each input, libFuzzer walks the counters of all
        // code of the program.
        const TARGET: $crate::Target = $crate::Target::named($name);

        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::run_in_bound(&TARGET, bytes));

        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate_in(&TARGET, data, size, max_size, seed)
        });
    };
}

/// Half of the mutants are made by our mutator, which keeps the structure of the data. The others are made by libFuzzer,
/// which knows the values that the code compares with.
pub fn mutate_in(target: &Target, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut rng = Rng::new(seed.into());
    if rng.one_in(2) {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let bytes = &data[..size];
    let mutant = match target.seeds {
        SeedSource::Corpus(_) => mutate(bytes, bytes, &mut rng),
        SeedSource::Made(_) => mutate_any(bytes, bytes, &mut rng),
    };
    let n_bytes = mutant.len().min(max_size).min(data.len());
    data[..n_bytes].copy_from_slice(&mutant[..n_bytes]);
    n_bytes
}
