//! The files from which mutants are made: the corpus.

use std::{fs, path::PathBuf};

use testing_support::{Rng, corpus_dir, files_below};

use crate::mutator::mutate;

/// The greatest length of a file. Longer files take more time and find nothing more.
const MAX_BYTES: u64 = 40_000;

/// One of this number of mutants is made from a file that is already damaged.
const ONE_HOSTILE_IN: usize = 12;

/// Files of the corpus.
#[derive(Debug)]
pub struct Seeds {
    golden: Vec<(PathBuf, Vec<u8>)>,
    hostile: Vec<(PathBuf, Vec<u8>)>,
}

/// A mutant, and the file from which it was made.
#[derive(Debug)]
pub struct Mutant {
    /// The name of the file.
    pub of: String,
    /// The bytes of the mutant.
    pub bytes: Vec<u8>,
}

impl Seeds {
    /// The streams, files and tensors of the corpus.
    ///
    /// # Panics
    /// If the corpus cannot be read.
    pub fn of_corpus() -> Seeds {
        Seeds::ending_in(&[".arrows", ".arrow", ".stream", ".arrow_file", ".tensor", ".file"])
    }

    /// The files of the corpus whose names have one of these endings.
    ///
    /// # Panics
    /// If a file cannot be read.
    pub fn ending_in(endings: &[&str]) -> Seeds {
        let paths = endings.iter().flat_map(|ending| files_below(&corpus_dir(), ending));
        let short = paths.filter(|path| fs::metadata(path).is_ok_and(|found| found.len() <= MAX_BYTES));
        let read = |path: PathBuf| {
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, bytes)
        };
        let files: Vec<_> = short.map(read).filter(|(_, bytes)| !bytes.is_empty()).collect();
        let (hostile, golden) = files
            .into_iter()
            .partition(|(path, _)| path.components().any(|part| part.as_os_str() == "hostile"));
        Seeds { golden, hostile }
    }

    /// The bytes of each file.
    pub(crate) fn files(&self) -> impl Iterator<Item = &[u8]> {
        self.golden.iter().chain(&self.hostile).map(|(_, bytes)| bytes.as_slice())
    }

    /// A random file.
    ///
    /// # Panics
    /// If there are no files.
    pub fn pick(&self, rng: &mut Rng) -> &(PathBuf, Vec<u8>) {
        let is_hostile = !self.hostile.is_empty() && rng.one_in(ONE_HOSTILE_IN);
        rng.pick(if is_hostile || self.golden.is_empty() { &self.hostile } else { &self.golden })
    }

    /// The mutant with this number. The same seed and number make the same mutant, unless the corpus changes.
    pub fn mutant(&self, seed: u64, number: u64) -> Mutant {
        let mut rng = Rng::new(Rng::new(seed).bits() ^ number);
        let (path, bytes) = self.pick(&mut rng);
        let (_, other) = self.pick(&mut rng);
        let path = path.strip_prefix(corpus_dir()).unwrap_or(path);
        Mutant { of: path.display().to_string(), bytes: mutate(bytes, other, &mut rng) }
    }
}
