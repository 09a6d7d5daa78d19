//! `convert` reports everything that the output cannot store.

use std::{fs, path::Path};

use arrow_array::{BinaryArray, Int64Array};
use arrow_data::RecordBatch;
use arrow_ipc::{
    Feature, FileWriter, Limits, MessageKind, MessageStep, Messages, StreamWriter, WriteOptions,
    message::Message,
};
use arrow_schema::{DataType, Field, Metadata, Schema};
use bindings::flatbuf as fb;
use planus::ReadAsRoot;

use crate::program::{corpus, run, run_with_input, temporary_folder};

fn messages(stream: &[u8]) -> Vec<Message> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(arrow_buffer::Buffer::copy_from(stream));
    messages.finish_input();
    let mut found = Vec::new();
    while let MessageStep::Message(message) = messages.step().unwrap() {
        found.push(message);
    }
    found
}

/// A stream with different custom metadata in each dictionary message, and a file with the same messages.
fn with_dictionary_metadata(stream: &[u8]) -> [Vec<u8>; 2] {
    let mut file = b"ARROW1\0\0".to_vec();
    let mut footer =
        fb::Footer { dictionaries: Some(vec![]), record_batches: Some(vec![]), ..Default::default() };
    for message in messages(stream) {
        let table = fb::MessageRef::read_as_root(message.metadata_bytes()).unwrap();
        let mut table = fb::Message::try_from(table).unwrap();
        let blocks = match message.kind() {
            MessageKind::DictionaryBatch => {
                let value = Some(format!("and found at {}", file.len()));
                table.custom_metadata = Some(vec![fb::KeyValue { key: Some("lost".to_owned()), value }]);
                footer.dictionaries.as_mut()
            }
            _ => footer.record_batches.as_mut(),
        };
        let mut metadata = planus::Builder::new().finish(&table, None).to_vec();
        metadata.resize(metadata.len().next_multiple_of(8), 0);
        let block = fb::Block {
            offset: file.len() as i64,
            meta_data_length: metadata.len() as i32 + 8,
            body_length: message.n_body_bytes() as i64,
        };
        file.extend([0xff; 4]);
        file.extend((metadata.len() as i32).to_le_bytes());
        file.extend(metadata);
        file.extend_from_slice(message.body());
        match table.header {
            Some(fb::MessageHeader::Schema(schema)) => footer.schema = Some(schema),
            _ => blocks.unwrap().push(block),
        }
    }
    file.extend([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    let stream = file[8..].to_vec();
    footer.version = fb::MetadataVersion::V5;
    let footer = planus::Builder::new().finish(&footer, None).to_vec();
    file.extend(&footer);
    file.extend((footer.len() as i32).to_le_bytes());
    file.extend(b"ARROW1");
    [stream, file]
}

/// The custom metadata of the dictionary messages, in order.
fn metadata_of_dictionaries(file: &Path) -> Vec<serde_json::Value> {
    let outcome = run([Path::new("inspect"), Path::new("--json"), file]);
    let lines = outcome.expect(&[0]).text().lines();
    let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let dictionaries = lines.filter(|line| line["kind"] == "dictionary batch");
    dictionaries.map(|line| line["custom_metadata"].clone()).collect()
}

#[test]
fn metadata_of_dictionaries_is_copied() {
    let folder = temporary_folder();
    for case in ["dictionary-unified", "dictionary-nested"] {
        let golden = corpus().join("golden/pyarrow-26.0.1").join(case);
        let json = fs::read_to_string(golden.with_extension("json")).unwrap();
        let stream = fs::read(golden.with_extension("arrows")).unwrap();
        for bytes in with_dictionary_metadata(&stream) {
            let [input, output] = ["in", "out.arrow"].map(|name| folder.path().join(name));
            fs::write(&input, &bytes).unwrap();
            run([Path::new("validate"), &input]).expect(&[0]);
            for to in ["file", "stream"] {
                let args = ["convert", input.to_str().unwrap(), "-o", output.to_str().unwrap(), "--to", to];
                assert!(run(args).expect(&[0]).stderr.is_empty());
                assert_eq!(run([Path::new("cat"), &output]).expect(&[0]).text(), json);
                assert_eq!(
                    metadata_of_dictionaries(&output),
                    metadata_of_dictionaries(&input),
                    "{case} {to}"
                );
            }
        }
    }
}

#[test]
fn metadata_of_dictionaries_that_are_joined_is_lost_and_that_is_said() {
    let stream = fs::read(corpus().join("golden/pyarrow-26.0.1/dictionary-replaced.arrows")).unwrap();
    let [stream, _] = with_dictionary_metadata(&stream);
    let args = ["convert", "-", "-", "--to", "file", "--dictionaries", "unify"];
    let unified = run_with_input(args, &stream);
    assert!(unified.expect(&[3]).stderr.contains(" dictionary message"), "{unified:?}");
    let replaced = run_with_input(["convert", "-", "-", "--to", "stream"], &stream);
    assert!(replaced.expect(&[0]).stderr.is_empty());
}

/// Two rows of a column with metadata.
fn described(unit: &str, owner: &str) -> RecordBatch {
    let field = Field::new("n", DataType::Int64).with_metadata(Metadata::from_iter([("unit", unit)]));
    let schema = Schema::new([field]).with_metadata(Metadata::from_iter([("owner", owner)]));
    let values = Int64Array::from_iter([1, 2]).into_data();
    RecordBatch::try_new_with_rows(schema, vec![values], 2).unwrap()
}

/// `append` reports what the file cannot store.
#[test]
fn what_append_cannot_keep_is_said() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let (first, other) = (described("m", "ada"), described("km", "grace"));
    let stream_of = |batch: &RecordBatch, options: WriteOptions| {
        let batches = std::slice::from_ref(batch);
        StreamWriter::write_to_buffer_with(batch.schema(), batches, options).unwrap().to_vec()
    };
    let [alone, different] = [&first, &other].map(|batch| stream_of(batch, WriteOptions::new()));
    let message_options = WriteOptions::new().with_file_metadata(Metadata::from_iter([("made", "by hand")]));
    let file = FileWriter::write_to_buffer(first.schema(), std::slice::from_ref(&first)).unwrap();
    let differs = "the metadata of the input differs from that of the output, and is lost";
    for (input, words) in [
        (alone.clone(), None),
        (file.to_vec(), None),
        (different.clone(), Some(differs)),
        (stream_of(&first, message_options), Some(differs)),
        ([alone.clone(), different].concat(), Some("the metadata of a stream after the first differs")),
        ([alone, b"and more".to_vec()].concat(), Some("trailing bytes")),
    ] {
        fs::write(path("grown.arrow"), &file).unwrap();
        fs::write(path("in"), &input).unwrap();
        let appended = run([Path::new("append"), &path("grown.arrow"), &path("in")]);
        match words {
            None => assert!(appended.expect(&[0]).stderr.is_empty(), "{appended:?}"),
            Some(words) => assert!(appended.expect(&[3]).stderr.contains(words), "{words}: {appended:?}"),
        }
    }

    let hostile = corpus().join("hostile/file-footer-schema-differs.arrow_file");
    run([Path::new("convert"), &hostile, Path::new("-o"), &path("grown.arrow")]).expect(&[3]);
    let appended = run([Path::new("append"), &path("grown.arrow"), &hostile]);
    assert!(
        appended.expect(&[3]).stderr.contains("; the batches that the footer lists were written"),
        "{appended:?}"
    );

    let golden = corpus().join("golden/pyarrow-26.0.1/dictionary-nested.arrows");
    let [with_metadata, _] = with_dictionary_metadata(&fs::read(&golden).unwrap());
    fs::write(path("in"), with_metadata).unwrap();
    run([Path::new("convert"), &golden, Path::new("-o"), &path("grown.arrow")]).expect(&[0]);
    // The file already has these dictionaries, so their messages are not written.
    let appended = run([Path::new("append"), &path("grown.arrow"), &path("in")]);
    assert!(appended.expect(&[3]).stderr.contains("dictionary message"), "{appended:?}");
}

/// With the columns of all inputs, `concat` keeps and reports what it keeps and reports without them.
#[test]
fn a_union_loses_no_more_than_its_inputs() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let plain = described("m", "ada");
    let file_of = |batch: &RecordBatch, options: WriteOptions, metadata: &[(&str, &str)]| {
        let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write_with_metadata(batch, &metadata.iter().copied().collect()).unwrap();
        writer.finish().unwrap()
    };
    let stream_of = |batch: &RecordBatch| {
        let batches = std::slice::from_ref(batch);
        StreamWriter::write_to_buffer(batch.schema(), batches).unwrap().to_vec()
    };
    let sound = file_of(&plain, WriteOptions::new(), &[]);
    let from_footer = || WriteOptions::new().with_footer_metadata(Metadata::from_iter([("made", "by hand")]));
    let message_options = || WriteOptions::new().with_file_metadata(Metadata::from_iter([("of", "message")]));
    let two = message_options().with_footer_metadata(Metadata::from_iter([("made", "by hand")]));
    let dictionaries = corpus().join("golden/pyarrow-26.0.1/dictionary-nested.arrows");
    let [with_dictionaries, file_with_dictionaries] =
        with_dictionary_metadata(&fs::read(&dictionaries).unwrap());
    let dictionaries = fs::read(&dictionaries).unwrap();
    let other = "the metadata of the input differs from that of the output, and is lost";
    let expected_metadata = [("owner", "ada"), ("made", "by hand"), ("batch", "one")];
    let with_batch = file_of(&plain, from_footer(), &[("batch", "one")]);
    // The inputs; the words of the note; what the output has.
    type Case<'a> = ([&'a [u8]; 2], Option<&'a str>, &'a [(&'a str, &'a str)]);
    let cases: [Case<'_>; 12] = [
        ([&sound, &sound], None, &expected_metadata[..1]),
        ([&with_batch, &with_batch], None, &expected_metadata),
        ([&with_batch, &sound], Some(other), &expected_metadata),
        ([&sound, &file_of(&plain, from_footer(), &[])], Some(other), &expected_metadata[..1]),
        ([&sound, &file_of(&plain, WriteOptions::new(), &[("batch", "one")])], None, &expected_metadata[2..]),
        (
            [&sound, &file_of(&described("m", "grace"), WriteOptions::new(), &[])],
            Some(other),
            &expected_metadata[..1],
        ),
        (
            [&sound, &file_of(&described("km", "ada"), WriteOptions::new(), &[])],
            Some(other),
            &expected_metadata[..1],
        ),
        (
            [&[stream_of(&plain), b"more".to_vec()].concat(), &sound],
            Some("trailing bytes"),
            &expected_metadata[..1],
        ),
        (
            [&[stream_of(&plain), stream_of(&described("m", "grace"))].concat(), &sound],
            Some("the metadata of a stream after the first differs"),
            &expected_metadata[..1],
        ),
        (
            [&sound.repeat(2), &sound],
            Some("; the batches that the footer lists were written"),
            &expected_metadata[..1],
        ),
        (
            [&sound, &sound.repeat(2)],
            Some("; the batches that the footer lists were written"),
            &expected_metadata[..1],
        ),
        ([&dictionaries, &dictionaries], None, &[]),
    ];
    let concat = |inputs: [&[u8]; 2], options: &[&str]| {
        for (name, bytes) in ["a", "b"].into_iter().zip(inputs) {
            fs::write(path(name), bytes).unwrap();
        }
        let paths = [path("a"), path("b"), "-o".into(), path("out.arrow")];
        run(["concat".into()].into_iter().chain(paths).chain(options.iter().map(Into::into)))
    };
    for (idx, (inputs, words, has)) in cases.into_iter().enumerate() {
        let each = concat(inputs, &[]);
        let union = concat(inputs, &["--union"]);
        assert_eq!((union.status, &union.stderr), (each.status, &each.stderr), "{idx}");
        match words {
            None => assert!(union.expect(&[0]).stderr.is_empty(), "{idx}: {union:?}"),
            Some(words) => assert!(union.expect(&[3]).stderr.contains(words), "{idx}: {union:?}"),
        }
        let inspected = run([Path::new("inspect"), Path::new("--json"), &path("out.arrow")]);
        let text = inspected.expect(&[0]).text();
        for (key, value) in has {
            assert!(text.contains(&format!("[\"{key}\",\"{value}\"]")), "{idx}: {key}: {text}");
        }
    }
    // What only rows cannot have.
    for inputs in [[&with_dictionaries[..], &dictionaries], [&file_with_dictionaries, &dictionaries]] {
        let union = concat(inputs, &["--union"]);
        assert!(union.expect(&[3]).stderr.contains("dictionary messages is lost"), "{union:?}");
    }
    // A message that says other than the footer.
    let union = concat([&file_of(&plain, two, &[]), &sound], &["--union"]);
    assert!(union.expect(&[3]).stderr.contains("of the schema message is not in the footer"), "{union:?}");
    // Metadata of a data set.
    fs::create_dir(path("set")).unwrap();
    fs::write(path("set/a.arrow"), &with_batch).unwrap();
    let args = ["concat".into(), path("set"), path("a"), "-o".into(), path("out.arrow"), "--union".into()];
    fs::write(path("a"), &sound).unwrap();
    let union = run(args);
    assert!(
        union.expect(&[3]).stderr.contains("metadata of some files of the data set is lost"),
        "{union:?}"
    );
}

/// A file with different metadata in its schema message and its footer.
fn with_two_metadata() -> Vec<u8> {
    let batch = RecordBatch::try_from_columns([("a", Int64Array::from_iter([1, 2]).into_data())]).unwrap();
    let options = WriteOptions::new()
        .with_file_metadata(Metadata::from_iter([("of", "message")]))
        .with_footer_metadata(Metadata::from_iter([("of", "footer")]))
        .with_features([Feature::CompressedBody]);
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap()
}

#[test]
fn metadata_of_message_and_footer_are_two_things() {
    let file = with_two_metadata();
    let converted = run_with_input(["convert", "-", "-", "--to", "file"], &file);
    assert!(converted.expect(&[0]).stderr.is_empty(), "{converted:?}");
    assert!(converted.stdout == file);
    // A stream has only one of the two.
    let stream = run_with_input(["convert", "-", "-", "--to", "stream"], &file);
    assert!(
        stream.expect(&[3]).stderr.contains("\"message\"} of the schema message is not in the footer"),
        "{stream:?}"
    );
    let schema = run_with_input(["schema", "--json", "-"], &stream.stdout);
    let schema: serde_json::Value = serde_json::from_str(schema.expect(&[0]).text()).unwrap();
    assert_eq!(schema["container_metadata"], serde_json::json!([["of", "footer"]]));
    assert_eq!(schema["features"], serde_json::json!(["compressed body"]));
}

/// A file whose footer lists the blocks that `change` returns.
fn with_blocks(change: impl FnOnce(&mut Vec<fb::Block>)) -> Vec<u8> {
    let batch = RecordBatch::try_from_columns([("a", Int64Array::from_iter([1, 2]).into_data())]).unwrap();
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    with_blocks_of(writer.finish().unwrap(), change)
}

/// Changes the blocks of batches in the footer of a file.
fn with_blocks_of(mut file: Vec<u8>, change: impl FnOnce(&mut Vec<fb::Block>)) -> Vec<u8> {
    let length_at = file.len() - 10;
    let n_footer_bytes = u32::from_le_bytes(file[length_at..length_at + 4].try_into().unwrap()) as usize;
    let start = length_at - n_footer_bytes;
    let footer = fb::FooterRef::read_as_root(&file[start..length_at]).unwrap();
    let mut footer = fb::Footer::try_from(footer).unwrap();
    change(footer.record_batches.as_mut().unwrap());
    let footer = planus::Builder::new().finish(&footer, None).to_vec();
    file.truncate(start);
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(b"ARROW1");
    file
}

#[test]
fn a_footer_that_lists_other_batches_than_there_are_is_reported() {
    type Change = fn(&mut Vec<fb::Block>);
    let cases: [(Change, &str, usize); 3] = [
        (|blocks| blocks.truncate(1), "a record batch, is in no block of the footer", 2),
        (|blocks| blocks[1] = blocks[0], "the footer lists record batch 0 again as record batch 1", 4),
        (|blocks| blocks.reverse(), "record batch 1 after record batch 0, but the file has it before", 4),
    ];
    for (change, words, n_rows) in cases {
        let file = with_blocks(change);
        let checked = run_with_input(["validate", "-"], &file);
        assert!(checked.expect(&[1]).stderr.contains(words), "{checked:?}");
        let converted = run_with_input(["convert", "-", "-", "--to", "stream"], &file);
        assert!(converted.expect(&[3]).stderr.contains(words), "{converted:?}");
        let rows = run_with_input(["cat", "-"], &converted.stdout);
        assert_eq!(rows.expect(&[0]).text().lines().count(), n_rows);
    }
    run_with_input(["validate", "-"], &with_blocks(|_| {})).expect(&[0]);
}

/// A value in the first batch contains the second batch. Another batch, which is not listed, makes the file as long
/// as its blocks.
#[test]
fn a_footer_that_lists_a_batch_inside_of_another_is_reported() {
    let file_of = |values: &[&[u8]]| {
        let batch_of = |value: &[u8]| {
            let values = BinaryArray::try_from_iter([value]).unwrap().into_data();
            RecordBatch::try_from_columns([("a", values)]).unwrap()
        };
        let schema = batch_of(b"").schema().clone();
        let mut writer = FileWriter::try_new(Vec::new(), schema).unwrap();
        values.iter().for_each(|value| writer.write(&batch_of(value)).unwrap());
        writer.finish().unwrap()
    };
    let inner = file_of(&[b"in"]);
    let mut block = None;
    let inner = with_blocks_of(inner, |blocks| block = blocks.first().cloned());
    let mut block = block.unwrap();
    let start = block.offset as usize;
    let message = &inner[start..][..block.meta_data_length as usize + block.body_length as usize];
    let outer = file_of(&[message, &[0; 1024]]);
    block.offset = outer.windows(message.len()).position(|bytes| bytes == message).unwrap() as i64;
    let file = with_blocks_of(outer, |blocks| blocks[1] = block);
    let words = "the footer lists record batch 1 inside the bytes of record batch 0";
    let checked = run_with_input(["validate", "-"], &file);
    assert!(checked.expect(&[1]).stderr.contains(words), "{checked:?}");
    let converted = run_with_input(["convert", "-", "-", "--to", "stream"], &file);
    assert!(converted.expect(&[3]).stderr.contains(words), "{converted:?}");
    let rows = run_with_input(["cat", "-"], &converted.stdout);
    assert_eq!(rows.expect(&[0]).text().lines().count(), 2);
}

#[test]
fn what_a_malformed_schema_message_says_is_lost() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrow", "out.arrow"].map(|name| folder.path().join(name));
    let batch = RecordBatch::try_from_columns([("n", Int64Array::from_iter([1, 2]).into())]).unwrap();
    let options = WriteOptions::new().with_file_metadata(Metadata::from_iter([("a", "b")]));
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let mut bytes = writer.finish().unwrap();
    // Damages the root of the flatbuffer, after magic and prefix.
    bytes[16..20].fill(0xff);
    fs::write(&input, bytes).unwrap();
    let outcome = run([Path::new("convert"), &input, &output]);
    assert!(outcome.expect(&[3]).stderr.contains("the stream inside the file cannot be read"), "{outcome:?}");
    // The footer has the metadata, the schema message does not.
    let checked = run([Path::new("validate"), &output]);
    let notes = &checked.expect(&[0]).stderr;
    assert!(notes.contains("only the footer has the custom metadata \"a\":"), "{notes}");
    assert_eq!(run([Path::new("cat"), &output]).expect(&[0]).text(), "{\"n\":1}\n{\"n\":2}\n");
}
