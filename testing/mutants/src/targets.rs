//! What a fuzzer looks at, one part after the other: functions of any bytes.

mod arrays;
mod codecs;
mod containers;
mod dictionaries;
mod metadata;
mod naive_lz4;
mod repairs;
mod sets;
mod texts;
mod tools;

use std::fs;

use testing_support::{Rng, corpus_dir, files_below};

/// A part, and what it is tried with.
#[derive(Debug)]
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    /// Takes any bytes. Panics if something is wrong.
    pub run: fn(&[u8]),
    /// What a fuzzer begins with.
    pub seeds: SeedsOf,
}

/// What a fuzzer begins with.
#[derive(Debug, Clone, Copy)]
pub enum SeedsOf {
    /// Streams and files of the corpus, by how their names end. Their mutants keep their structure.
    Corpus(&'static [&'static str]),
    /// Other bytes, of which any may be changed.
    Made(fn() -> Vec<Vec<u8>>),
}

use SeedsOf::{Corpus, Made};

const STREAMS: SeedsOf = Corpus(&[".arrows", ".stream"]);
const FILES: SeedsOf = Corpus(&[".arrow", ".arrow_file"]);
const BOTH: SeedsOf = Corpus(&[".arrows", ".stream", ".arrow", ".arrow_file"]);

/// All targets.
pub const TARGETS: [Target; 23] = [
    Target { name: "messages", run: metadata::messages, seeds: STREAMS },
    Target { name: "schema", run: metadata::schema, seeds: STREAMS },
    Target { name: "stream", run: containers::stream, seeds: STREAMS },
    Target { name: "file", run: containers::file, seeds: FILES },
    Target { name: "body", run: containers::body, seeds: Made(random) },
    Target { name: "dictionaries", run: dictionaries::sequences, seeds: Made(random) },
    Target { name: "policies", run: dictionaries::policies, seeds: STREAMS },
    Target { name: "codecs", run: codecs::decompress, seeds: Made(codecs::frames) },
    Target { name: "types", run: texts::types, seeds: Made(schemas) },
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
    Target { name: "manifests", run: sets::manifests, seeds: Made(sets::manifest_seeds) },
    Target { name: "statistics", run: sets::statistics, seeds: Made(sets::statistics_seeds) },
];

fn random() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(1);
    (1..60).map(|n_bytes| rng.bytes(n_bytes)).collect()
}

/// Rows of JSON and of what looks like CSV.
fn rows() -> Vec<Vec<u8>> {
    texts::json_rows().into_iter().chain(texts::csv_rows()).collect()
}

/// The texts of the schemas of the corpus.
fn schemas() -> Vec<Vec<u8>> {
    let paths = files_below(&corpus_dir(), ".schema");
    paths.into_iter().filter_map(|path| fs::read(path).ok()).filter(|text| text.len() < 4_000).collect()
}
