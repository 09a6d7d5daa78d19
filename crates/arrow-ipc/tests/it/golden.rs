//! The golden files: what other libraries wrote is read as their own values say, as a stream and as a file.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_data::{RecordBatch, Validation};
use arrow_ipc::{ErrorClass, FileReader, MetadataVersion, StreamReader, StreamWriter};
use arrow_schema::Schema;
use arrow_text::JsonRows;

use crate::codecs;

/// A row of `cases.tsv`.
struct Case {
    path: PathBuf,
    formats: Vec<String>,
    /// The rows of each batch.
    n_rows: Vec<usize>,
    is_strict: bool,
}

fn cases() -> Vec<Case> {
    let golden = testing_support::corpus_dir().join("golden");
    let mut cases = Vec::new();
    for list in testing_support::files_below(&golden, "cases.tsv") {
        for row in fs::read_to_string(&list).unwrap().lines().skip(1) {
            let [name, formats, n_rows, level, _about] = *row.split('\t').collect::<Vec<_>>() else {
                panic!("{}: a row of other cells: {row}", list.display());
            };
            let counts = n_rows.split(',').filter(|n_rows| *n_rows != "-");
            cases.push(Case {
                path: list.with_file_name(name),
                formats: formats.split(',').map(str::to_owned).collect(),
                n_rows: counts.map(|n_rows| n_rows.parse().unwrap()).collect(),
                is_strict: level == "strict",
            });
        }
    }
    assert!(cases.len() > 150, "{} cases", cases.len());
    let is_built_in = |case: &Case| missing_codec(&case.path).is_none();
    cases.retain(is_built_in);
    cases
}

/// The codec of a case, if it is not built in.
fn missing_codec(path: &Path) -> Option<&'static str> {
    codecs::missing_codec(path.file_name().and_then(|name| name.to_str()).unwrap_or_default())
}

#[test]
fn bodies_of_a_codec_that_is_not_built_in_are_refused_by_name() {
    let golden = testing_support::corpus_dir().join("golden/pyarrow-26.0.1");
    for path in ["compressed-lz4-long.arrows", "compressed-zstd-long.arrows"].map(|name| golden.join(name)) {
        let mut reader = StreamReader::try_new(fs::File::open(&path).unwrap()).unwrap();
        match (reader.find_map(Result::err), missing_codec(&path)) {
            (None, None) => {}
            (Some(error), Some(codec)) => {
                assert_eq!(error.class(), ErrorClass::Unsupported);
                assert!(error.to_string().contains(&format!("the feature `{codec}`")), "{error}");
            }
            (error, missing) => panic!("{}: {error:?}, {missing:?}", path.display()),
        }
    }
}

/// Schema and batches. Files are read one way by position and the other in memory.
fn read(case: &Path, format: &str) -> Vec<(PathBuf, Arc<Schema>, Vec<RecordBatch>)> {
    match format {
        "stream" => {
            let path = case.with_extension("arrows");
            let reader = StreamReader::try_new(fs::File::open(&path).unwrap()).unwrap();
            let schema = Arc::clone(reader.schema());
            let batches = reader.map(Result::unwrap).collect();
            vec![(path, schema, batches)]
        }
        "file" => {
            let path = case.with_extension("arrow");
            let by_position = FileReader::open(&path).unwrap();
            let in_memory = FileReader::try_from_buffer(Buffer::from(fs::read(&path).unwrap())).unwrap();
            let batches = [
                (Arc::clone(by_position.schema()), by_position.batches().map(Result::unwrap).collect()),
                (Arc::clone(in_memory.schema()), in_memory.batches().map(Result::unwrap).collect()),
            ];
            batches.map(|(schema, batches)| (path.clone(), schema, batches)).into()
        }
        _ => panic!("{format} is no format"),
    }
}

#[test]
fn rows_and_schema_are_those_that_were_written() {
    for case in cases() {
        let json = fs::read_to_string(case.path.with_extension("json")).unwrap();
        let text = fs::read_to_string(case.path.with_extension("schema")).unwrap();
        assert!(!case.formats.is_empty());
        for (path, schema, batches) in case.formats.iter().flat_map(|format| read(&case.path, format)) {
            let name = path.display();
            assert_eq!(schema.to_string().trim_end(), text.trim_end(), "{name}");
            let n_rows: Vec<usize> = batches.iter().map(RecordBatch::n_rows).collect();
            assert_eq!(n_rows, case.n_rows, "{name}");
            let mut rows = Vec::new();
            for batch in &batches {
                assert_eq!(batch.schema(), &schema, "{name}");
                JsonRows::try_new(batch).unwrap().write_to(&mut rows).unwrap();
            }
            let rows = String::from_utf8(rows).unwrap();
            for (row, (found, expected)) in rows.lines().zip(json.lines()).enumerate() {
                assert_eq!(found, expected, "{name}: row {row}");
            }
            assert_eq!(rows, json, "{name}: the number of rows");
        }
    }
}

#[test]
fn the_strict_level_accepts_what_its_cases_say() {
    for case in cases() {
        for (path, _, batches) in case.formats.iter().flat_map(|format| read(&case.path, format)) {
            let is_strict = batches.into_iter().all(|batch| batch.validate(Validation::Strict).is_ok());
            assert_eq!(is_strict, case.is_strict, "{}", path.display());
        }
    }
}

#[test]
fn streams_of_v4_are_written_as_v5_with_an_end() {
    for name in ["metadata-v4", "legacy-framing"] {
        let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1").join(name);
        let old = StreamReader::try_new(fs::File::open(path.with_extension("arrows")).unwrap()).unwrap();
        assert_eq!(old.ipc_schema().version(), MetadataVersion::V4);
        let mut writer = StreamWriter::try_new(Vec::new(), old.ipc_schema()).unwrap();
        for batch in old {
            writer.write(&batch.unwrap()).unwrap();
        }
        let stream = writer.finish().unwrap();
        let new = StreamReader::try_new(&*stream).unwrap();
        assert_eq!(new.ipc_schema().version(), MetadataVersion::V5);
        assert!(stream.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    }
}
