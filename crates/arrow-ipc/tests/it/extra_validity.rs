//! Messages with a validity buffer for columns that have no bitmap, as pyarrow writes them. Folder `as-specified` has the
//! same values, as a version of pyarrow without this fault wrote them.

use std::{fs, path::PathBuf};

use arrow_buffer::Buffer;
use arrow_ipc::{
    BufferMap, FileReader, IpcSchema, Limits, MessageStep, Messages, MetadataVersion, Projection,
    ReadOptions, ReadStats, StreamReader, Validation, WriteOptions, WrittenContainer,
    message::{Header, Message},
};
use arrow_ipc_rewrite::{RewriteError, Transcoder};
use testing_support::{Value, corpus_dir, rows};

fn folder(name: &str) -> PathBuf {
    corpus_dir().join("extra-validity").join(name)
}

/// The streams, each with the stream of the same values.
fn streams() -> Vec<(String, Buffer, Buffer)> {
    let paths = testing_support::files_below(&folder("as-written"), ".arrows");
    let pair = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let specified = fs::read(folder("as-specified").join(&name)).unwrap();
        (name, Buffer::from(fs::read(path).unwrap()), Buffer::from(specified))
    };
    let pairs: Vec<_> = paths.iter().map(pair).collect();
    assert_eq!(pairs.len(), 16);
    pairs
}

/// The rows of all batches.
fn read(stream: &Buffer, options: ReadOptions) -> (Vec<Vec<Value>>, ReadStats) {
    let mut reader = StreamReader::try_new_with(&**stream, options).unwrap();
    let all = reader.by_ref().flat_map(|batch| rows(&batch.unwrap())).collect();
    (all, reader.stats())
}

/// The schema and the other messages.
fn messages(stream: &Buffer) -> (IpcSchema, Vec<Message>) {
    let mut messages = Messages::new(Limits::default());
    messages.feed(stream.clone());
    messages.finish_input();
    let (mut schema, mut all) = (None, Vec::new());
    while let MessageStep::Message(message) = messages.step().unwrap() {
        match message.header(&Limits::default()).unwrap() {
            Header::Schema(found) => schema = Some(found),
            _ => all.push(message),
        }
    }
    (schema.unwrap(), all)
}

#[test]
fn streams_have_the_values_that_were_written() {
    for (name, stream, specified) in streams() {
        let options = ReadOptions::default().with_validation(Validation::Strict);
        let (batches, stats) = read(&stream, options.clone());
        let (expected, others) = read(&specified, options);
        assert!(batches == expected, "{name}");
        assert!(stats.has_extra_validity && !others.has_extra_validity, "{name}");
    }
}

#[test]
fn columns_are_read_alone() {
    for (name, stream, specified) in streams() {
        let (expected, _) = read(&specified, ReadOptions::default());
        for column in 0..expected[0].len() {
            let options = ReadOptions::default().with_projection(Projection::Positions(vec![column]));
            let (found, _) = read(&stream, options);
            let expected: Vec<_> = expected.iter().map(|row| vec![row[column].clone()]).collect();
            assert!(found == expected, "{name}, {column}");
        }
    }
}

#[test]
fn rows_of_files_are_read() {
    let [written, specified] = ["as-written", "as-specified"].map(|name| folder(name).join("many.arrow"));
    let (file, other) = (FileReader::open(written).unwrap(), FileReader::open(specified).unwrap());
    let expected = other.batch(0).unwrap();
    assert_eq!(rows(&file.batch(0).unwrap()), rows(&expected));
    for start in 0..=3 {
        for end in start..=3 {
            let found = file.batch_rows(0, start..end).unwrap();
            let n_rows = usize::try_from(end - start).unwrap();
            let slice = expected.slice(usize::try_from(start).unwrap(), n_rows);
            assert_eq!(rows(&found), rows(&slice), "{start}..{end}");
        }
    }
    assert!(file.stats().has_extra_validity && !other.stats().has_extra_validity);
}

#[test]
fn transcoded_messages_are_as_specified() {
    for (name, stream, specified) in streams() {
        // Outputs of V4 cannot have runs.
        if ["v4-runs.arrows", "v4-many.arrows"].contains(&name.as_str()) {
            continue;
        }
        let (schema, messages) = messages(&stream);
        let (expected, _) = read(&specified, ReadOptions::default());
        let options = WriteOptions::default().with_version(schema.version());
        let transcoder =
            || Transcoder::try_new_with(schema.clone(), WrittenContainer::Stream, options.clone()).unwrap();
        let (mut copier, mut transcoder) = (transcoder(), transcoder());
        let (mut written, mut n_copied) = (Vec::new(), 0);
        for message in &messages {
            let can_copy = transcoder.can_copy(message).unwrap();
            n_copied += u64::from(can_copy);
            match copier.copy(message) {
                Ok(_) => assert!(can_copy, "{name}"),
                Err(error) => {
                    assert!(
                        matches!(
                            RewriteError::from_ipc_error(&error),
                            Some(RewriteError::NeedsDecoding { .. })
                        ),
                        "{name}: {error}"
                    );
                    assert!(!can_copy, "{name}");
                }
            }
            transcoder.transcode(message).unwrap().write_to(&mut written).unwrap();
        }
        transcoder.finish().unwrap().write_to(&mut written).unwrap();
        assert!(n_copied < messages.len() as u64, "{name}");
        let (batches, stats) = read(&Buffer::from(written), ReadOptions::default());
        assert!(batches == expected, "{name}");
        assert!(!stats.has_extra_validity, "{name}");
    }
}

#[test]
fn buffers_are_named() {
    for (name, stream, _) in streams() {
        let (schema, messages) = messages(&stream);
        let map = BufferMap::try_new(&schema).unwrap();
        let mut n_extra = 0;
        for message in messages {
            let version = message.version();
            let (id, batch) = match message.header(&Limits::default()).unwrap() {
                Header::RecordBatch(batch) => (None, batch),
                Header::DictionaryBatch { id, batch, .. } => (Some(id), batch),
                header => panic!("{header:?}"),
            };
            let described = match id {
                None => map.record_batch(&batch, version).unwrap().count(),
                Some(id) => map.dictionary_batch(id, &batch, version).unwrap().count(),
            };
            assert_eq!(described, batch.buffers().len(), "{name}");
            map.check(id, &batch, version, |_, range| Some(range.n_bytes())).unwrap();
            n_extra += u64::from(map.has_extra_validity(id, &batch, version).unwrap());
        }
        assert_eq!(n_extra, 1, "{name}");
        assert_eq!(name.starts_with("v4"), schema.version() == MetadataVersion::V4);
    }
}
