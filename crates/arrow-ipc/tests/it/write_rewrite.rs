//! Output of other libraries is written again with the same meaning: values, schema, metadata and dictionary ids.

use std::fs;

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, IpcSchema, Result, StreamReader, StreamWriter};
use testing_support::{corpus_dir, files_below, rows};

use crate::codecs::is_built_in;

type Content = (IpcSchema, Vec<RecordBatch>);

fn read_stream(bytes: &[u8]) -> Result<Content> {
    let reader = StreamReader::try_new(bytes)?;
    let schema = reader.ipc_schema().clone();
    Ok((schema, reader.collect::<Result<_>>()?))
}

fn read_file(bytes: &[u8]) -> Result<Content> {
    let reader = FileReader::try_from_buffer(arrow_buffer::Buffer::copy_from(bytes))?;
    let schema = reader.ipc_schema().clone();
    let batches = reader.batches().collect::<Result<_>>()?;
    Ok((schema, batches))
}

fn check_same((schema, batches): &Content, (expected_schema, expected): &Content, name: &str) {
    assert_eq!(schema.schema(), expected_schema.schema(), "{name}");
    assert_eq!(schema.dictionary_ids(), expected_schema.dictionary_ids(), "{name}");
    assert_eq!(batches.len(), expected.len(), "{name}");
    for (batch, expected) in batches.iter().zip(expected) {
        assert_eq!(rows(batch), rows(expected), "{name}");
    }
}

#[test]
fn golden_files_survive_a_rewrite() {
    let folder = corpus_dir().join("golden");
    let mut n_files = 0;
    for (suffix, read) in
        [(".arrows", read_stream as fn(&[u8]) -> Result<Content>), (".arrow", read_file as fn(&[u8]) -> _)]
    {
        for path in files_below(&folder, suffix) {
            let name = path.display().to_string();
            if !is_built_in(&name) {
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            // All that is in the folder can be read; what cannot is in that of hostile files.
            let content = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            n_files += 1;
            let (schema, batches) = &content;
            let mut stream = StreamWriter::try_new(Vec::new(), schema).unwrap();
            for batch in batches {
                stream.write(batch).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            let stream = stream.finish().unwrap();
            check_same(&read_stream(&stream).unwrap(), &content, &name);
            // The dictionaries of a stream may be replaced, those of a file are the same for all batches.
            if suffix == ".arrow" {
                let mut file = FileWriter::try_new(Vec::new(), schema).unwrap();
                for batch in batches {
                    file.write(batch).unwrap_or_else(|error| panic!("{name}: {error}"));
                }
                check_same(&read_file(&file.finish().unwrap()).unwrap(), &content, &name);
            }
        }
    }
    assert!(n_files > 100, "only {n_files} files were found in {}", folder.display());
}
