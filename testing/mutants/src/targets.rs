//! The functions that a fuzzer tests. Each accepts any bytes.

mod arrays;
mod codecs;
mod containers;
mod dictionaries;
mod differential;
mod metadata;
mod naive_lz4;
mod repairs;
mod statistics;
mod texts;
mod tools;

use testing_support::Rng;

/// A function to test, and the inputs with which a fuzzer begins.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name of the target.
    pub name: &'static str,
    /// Runs the target with any bytes. Panics if something is wrong.
    pub run: fn(&[u8]),
    /// The inputs with which a fuzzer begins.
    pub seeds: SeedSource,
}

/// The inputs with which a fuzzer begins.
#[derive(Debug, Clone, Copy)]
pub enum SeedSource {
    /// Streams and files of the corpus whose names have these endings. Their mutants keep their structure.
    Corpus(&'static [&'static str]),
    /// Other inputs, in which any byte may be changed.
    Made(fn() -> Vec<Vec<u8>>),
}

use SeedSource::{Corpus, Made};

const STREAMS: SeedSource = Corpus(&[".arrows", ".stream"]);
const FILES: SeedSource = Corpus(&[".arrow", ".arrow_file"]);
const BOTH: SeedSource = Corpus(&[".arrows", ".stream", ".arrow", ".arrow_file"]);

/// All targets.
pub const TARGETS: [Target; 27] = [
    Target { name: "messages", run: metadata::messages, seeds: STREAMS },
    Target { name: "schema", run: metadata::schema, seeds: STREAMS },
    Target { name: "stream", run: containers::stream, seeds: STREAMS },
    Target { name: "file", run: containers::file, seeds: FILES },
    Target { name: "body", run: containers::body, seeds: Made(random) },
    Target { name: "dictionaries", run: dictionaries::sequences, seeds: Made(random) },
    Target { name: "policies", run: dictionaries::policies, seeds: STREAMS },
    Target { name: "codecs", run: codecs::decompress, seeds: Made(codecs::frames) },
    Target { name: "types", run: texts::types, seeds: Made(texts::schemas) },
    Target { name: "json", run: texts::json, seeds: Made(texts::json_rows) },
    Target { name: "csv", run: texts::csv, seeds: Made(texts::csv_rows) },
    Target { name: "documents", run: texts::documents, seeds: Made(texts::generated_documents) },
    Target { name: "tensors", run: arrays::tensors, seeds: Corpus(&[".tensor"]) },
    Target { name: "arrays", run: arrays::operations, seeds: BOTH },
    Target { name: "recover", run: repairs::recover, seeds: BOTH },
    Target { name: "append", run: repairs::append, seeds: FILES },
    Target { name: "transcode", run: repairs::transcode, seeds: STREAMS },
    Target { name: "describe", run: tools::describe, seeds: BOTH },
    Target { name: "assemble", run: tools::assemble, seeds: BOTH },
    Target { name: "convert", run: tools::convert, seeds: BOTH },
    Target { name: "import", run: tools::import, seeds: Made(rows) },
    Target { name: "statistics", run: statistics::statistics, seeds: Made(statistics::statistics_seeds) },
    Target { name: "file_and_stream", run: differential::file_and_stream, seeds: BOTH },
    Target { name: "random_stream", run: differential::random_stream, seeds: STREAMS },
    Target { name: "rows", run: differential::rows, seeds: BOTH },
    Target { name: "bounds", run: differential::bounds, seeds: BOTH },
    Target { name: "recovered", run: differential::recovered, seeds: BOTH },
];

impl Target {
    /// The target with a name. In a constant, it refers to the code of this target only.
    ///
    /// # Panics
    /// If there is no target with this name.
    pub const fn named(name: &str) -> Target {
        let mut idx = 0;
        while idx < TARGETS.len() {
            if is_same(TARGETS[idx].name.as_bytes(), name.as_bytes()) {
                return TARGETS[idx];
            }
            idx += 1;
        }
        panic!("there is no target with this name")
    }
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    let mut idx = 0;
    while idx < left.len() && idx < right.len() && left[idx] == right[idx] {
        idx += 1;
    }
    idx == left.len() && idx == right.len()
}

fn random() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(1);
    (1..60).map(|n_bytes| rng.bytes(n_bytes)).collect()
}

/// Rows of JSON, and rows that look like CSV.
fn rows() -> Vec<Vec<u8>> {
    texts::json_rows().into_iter().chain(texts::csv_rows()).collect()
}
