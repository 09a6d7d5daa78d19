//! Runs the same work for each of many mutants.

use arrow_buffer::Buffer;
use testing_support::Rng;

use crate::{
    check::{Depth, caught, check},
    cost::{Bound, measured},
    mutator::mutate_any,
    seeds::{Mutant, Seeds},
    targets::{SeedSource, Target},
};

/// The work for an input.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// Reads it in every way and, with [`Depth::Use`], uses the result.
    Check(Depth),
    /// Passes it to one target.
    Target(&'static Target),
}

/// Many mutants. Each mutant has a number.
#[derive(Debug)]
pub struct Job {
    seed: u64,
    seeds: MutantSeeds,
}

#[derive(Debug)]
enum MutantSeeds {
    OfCorpus(Seeds),
    OfBytes(Vec<Vec<u8>>),
}

/// The result for a mutant.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The violations that were found, each as a sentence.
    pub findings: Vec<String>,
    /// Whether a reader returned a batch, or found no error. Targets do not set this.
    pub is_readable: bool,
    /// The number of readers that took more memory than 1 MiB plus four times the input, within a documented limit.
    pub n_above_plain: u64,
}

impl Job {
    /// The mutants of a seed.
    ///
    /// # Panics
    /// If the corpus cannot be read.
    pub fn new(work: Work, seed: u64) -> Job {
        let seeds = match work {
            Work::Check(_) => MutantSeeds::OfCorpus(Seeds::of_corpus()),
            Work::Target(target) => match target.seeds {
                SeedSource::Corpus(endings) => MutantSeeds::OfCorpus(Seeds::ending_in(endings)),
                SeedSource::Made(make) => MutantSeeds::OfBytes(make()),
            },
        };
        Job { seed, seeds }
    }

    /// What mutants are made from.
    pub fn seeds(&self) -> impl Iterator<Item = &[u8]> {
        let (files, made) = match &self.seeds {
            MutantSeeds::OfCorpus(seeds) => (Some(seeds.files()), None),
            MutantSeeds::OfBytes(seeds) => (None, Some(seeds.iter().map(Vec::as_slice))),
        };
        files.into_iter().flatten().chain(made.into_iter().flatten())
    }

    /// The mutant with this number. The same seed and number give the same mutant.
    pub fn mutant(&self, number: u64) -> Mutant {
        match &self.seeds {
            MutantSeeds::OfCorpus(seeds) => seeds.mutant(self.seed, number),
            MutantSeeds::OfBytes(seeds) => {
                let mut rng = Rng::new(Rng::new(self.seed).bits() ^ number);
                let (of, other) = (rng.below(seeds.len()), rng.below(seeds.len()));
                let bytes = mutate_any(&seeds[of], &seeds[other], &mut rng);
                Mutant { of: format!("seed {of}"), bytes }
            }
        }
    }
}

impl Work {
    /// Performs the work for an input, within its limits.
    pub fn judge(self, bytes: &[u8]) -> Judgement {
        match self {
            Work::Check(depth) => {
                let verdict = check(&Buffer::copy_from(bytes), depth);
                let (is_readable, n_above_plain) = (verdict.is_readable, verdict.n_above_plain);
                Judgement { findings: verdict.findings, is_readable, n_above_plain }
            }
            Work::Target(target) => {
                // Targets that measure what they do count for themselves.
                let (result, cost) = measured(|| caught(|| (target.run)(bytes)));
                let mut findings: Vec<String> = Vec::new();
                findings.extend(result.err().map(|panic| format!("{}: {panic}", target.name)));
                findings.extend(Bound::TARGET.broken_by(cost, bytes.len() as u64));
                Judgement { findings, ..Judgement::default() }
            }
        }
    }
}
