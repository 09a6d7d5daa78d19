//! What `convert` cannot keep, it says.

use std::{fs, path::Path};

use arrow_ipc::{Limits, Message, MessageKind, MessageStep, Messages};
use arrow_ipc_format::flatbuf as fb;
use planus::ReadAsRoot;

use crate::program::{corpus, run, run_with_input, temporary_folder};

/// The messages of a stream.
fn messages(stream: &[u8]) -> Vec<Message> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(arrow_buffer::Buffer::copy_from(stream));
    messages.end_of_input();
    let mut found = Vec::new();
    while let MessageStep::Message(message) = messages.step().unwrap() {
        found.push(message);
    }
    found
}

/// The stream with custom metadata in the message of each dictionary; and a file of the same messages.
fn with_dictionary_metadata(stream: &[u8]) -> [Vec<u8>; 2] {
    let pair = fb::KeyValue { key: Some("lost".to_owned()), value: Some("and found".to_owned()) };
    let mut file = b"ARROW1\0\0".to_vec();
    let mut footer =
        fb::Footer { dictionaries: Some(vec![]), record_batches: Some(vec![]), ..Default::default() };
    for message in messages(stream) {
        let table = fb::MessageRef::read_as_root(message.metadata_bytes()).unwrap();
        let mut table = fb::Message::try_from(table).unwrap();
        let blocks = match message.kind() {
            MessageKind::DictionaryBatch => {
                table.custom_metadata = Some(vec![pair.clone()]);
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

#[test]
fn metadata_of_dictionaries_is_lost_and_that_is_said() {
    let folder = temporary_folder();
    let cases = [
        ("dictionary-unified", "the custom metadata of a dictionary's message is lost"),
        ("dictionary-nested", "the custom metadata of 5 messages of dictionaries is lost"),
    ];
    for (case, words) in cases {
        let golden = corpus().join("golden/pyarrow-26.0.1").join(case);
        let json = fs::read_to_string(golden.with_extension("json")).unwrap();
        let stream = fs::read(golden.with_extension("arrows")).unwrap();
        for bytes in with_dictionary_metadata(&stream) {
            let [input, output] = ["in", "out.arrow"].map(|name| folder.path().join(name));
            fs::write(&input, &bytes).unwrap();
            run([Path::new("validate"), &input]).expect(&[0]);
            for to in ["file", "stream"] {
                let args = ["convert", input.to_str().unwrap(), output.to_str().unwrap(), "--to", to];
                let converted = run(args);
                converted.expect(&[3]);
                assert!(
                    converted.stderr.starts_with("note: ") && converted.stderr.contains(words),
                    "{converted:?}"
                );
                assert_eq!(run([Path::new("cat"), &output]).expect(&[0]).text(), json);
                // What has been lost once is not missed again.
                let again = run([Path::new("convert"), &output, &folder.path().join("again.arrow")]);
                assert!(again.expect(&[0]).stderr.is_empty(), "{again:?}");
            }
            let piped = run_with_input(["convert", "-", "-", "--to", "stream"], &bytes);
            assert!(piped.expect(&[3]).stderr.contains(words), "{piped:?}");
        }
    }
}
