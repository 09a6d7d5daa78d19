//! Converts streams of other libraries to files with the same rows, also if their dictionaries grow or are replaced.

use std::{collections::BTreeSet, fs, path::Path};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, StreamReader};
use arrow_text::JsonRows;
use integration::{Checks, Document, Failure, stream_to_file, validate};
use testing_support::{corpus_dir, files_below};

/// The libraries whose streams have dictionaries that change.
const CHANGING: [&str; 3] = ["apache-arrow-js-21.2.0", "arrow-rs-60.1.0", "pyarrow-26.0.1"];

/// Streams with an ordered dictionary that is replaced by one that does not extend it.
const REFUSED: [&str; 1] = ["apache-arrow-js-21.2.0/built-dictionary-replaced.arrows"];

fn json(batches: &[RecordBatch]) -> String {
    let mut text = Vec::new();
    for batch in batches {
        JsonRows::try_new(batch).unwrap().write_to(&mut text).unwrap();
    }
    String::from_utf8(text).unwrap()
}

/// Compares the file that is made from a stream with the rows of the stream; or returns the error.
fn check(stream: &Path) -> Result<(), Failure> {
    let name = stream.display();
    let bytes = fs::read(stream).unwrap();
    let file = Buffer::from(stream_to_file(&*bytes, Vec::new())?);
    let reader = FileReader::try_from_buffer(file.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let batches: Vec<RecordBatch> = reader.batches().collect::<Result<_, _>>().unwrap();
    assert_eq!(json(&batches), fs::read_to_string(stream.with_extension("json")).unwrap(), "{name}");
    let mut from_stream = StreamReader::try_new(&*bytes).unwrap();
    let expected = from_stream.ipc_schema().clone();
    assert_eq!(reader.ipc_schema().schema(), expected.schema(), "{name}");
    assert_eq!(reader.ipc_schema().dictionary_ids(), expected.dictionary_ids(), "{name}");
    assert_eq!(reader.ipc_schema().version(), expected.version(), "{name}");
    for batch_idx in 0..reader.n_batches() {
        let next = from_stream.next_batch().unwrap().unwrap();
        assert_eq!(reader.batch_with_metadata(batch_idx).unwrap().metadata, next.metadata, "{name}");
    }
    // As the harness compares it.
    let text =
        Document::write(reader.ipc_schema(), &batches).unwrap_or_else(|error| panic!("{name}: {error}"));
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let is_loose = name.to_string().contains("loose-values");
    let checks = if is_loose { Checks::default() } else { Checks::all() };
    validate(&document, file, &checks).unwrap_or_else(|error| panic!("{name}: {error}"));
    Ok(())
}

#[test]
fn golden_streams_become_files() {
    let golden = corpus_dir().join("golden");
    let streams = files_below(&golden, ".arrows");
    let mut refused = Vec::new();
    for stream in &streams {
        let Err(error) = check(stream) else { continue };
        let error = error.to_string();
        assert!(error.contains("cannot merge ordered dictionaries"), "{}: {error}", stream.display());
        refused.push(stream.strip_prefix(&golden).unwrap().to_str().unwrap());
    }
    assert_eq!(refused, REFUSED);
    assert!(streams.len() > 250, "{} streams", streams.len());
    let has = |library: &str, word: &str| {
        let is_it =
            |path: &Path| path.starts_with(golden.join(library)) && path.display().to_string().contains(word);
        streams.iter().any(|path| is_it(path))
    };
    for word in ["dictionary-replaced", "dictionary-deltas"] {
        let found: BTreeSet<&str> = CHANGING.into_iter().filter(|library| has(library, word)).collect();
        assert_eq!(found, BTreeSet::from(CHANGING), "{word}");
    }
}
