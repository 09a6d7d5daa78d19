//! Batches that are read once, to be checked and written.

use std::{fs, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::{
    FileReader, IpcErrorKind, MessageKind, Projection, ReadOptions, Threads, Validation, WriteOptions,
    WrittenContainer,
};
use arrow_ipc_rewrite::Transcoder;
use testing_support::{Generator, Hunt, Nulls, corpus_dir, files_below, rows, schema_of_all_types};

use super::{
    inputs::transcoded,
    remade::{forms, schema_and_messages, written},
};

/// Opened batches are written as their messages are, and decoded as the reader does; what they decompress is decompressed once.
#[test]
fn opened_batches_are_what_their_messages_are() {
    let hunt = Hunt::from_env();
    let schema = Arc::new(schema_of_all_types());
    let forms = forms();
    let batch = Generator::new(hunt.seed(29)).batch(&schema, hunt.count(60, 700), Nulls::Some);
    let batches = [batch.slice(5, 20), batch.slice(0, 0), batch];
    for (from_name, from) in &forms {
        let input = written(WrittenContainer::File, &batches, from);
        let (schema, messages) = schema_and_messages(WrittenContainer::File, &input);
        for (to_name, to) in &forms {
            let reader = FileReader::try_from_buffer(input.clone()).unwrap();
            reader.load_dictionaries().unwrap();
            let n_before = reader.stats().n_decompressed_bytes;
            let mut batch_idx = 0;
            let output = transcoded(
                (WrittenContainer::File, &schema, to.clone()),
                &messages,
                |transcoder, message| {
                    if message.kind() != MessageKind::RecordBatch {
                        return transcoder.transcode(message);
                    }
                    let opened = reader.fetch(batch_idx)?.decompress()?;
                    assert_eq!(opened.batch_idx(), batch_idx);
                    let decoded = opened.decode()?;
                    assert_eq!(rows(&decoded.batch), rows(&batches[batch_idx]));
                    assert_eq!(decoded.metadata, message.custom_metadata()?);
                    batch_idx += 1;
                    transcoder.transcode_decompressed(&opened)
                },
            );
            let expected =
                transcoded((WrittenContainer::File, &schema, to.clone()), &messages, Transcoder::transcode);
            assert!(output.unwrap() == expected.unwrap(), "from {from_name} to {to_name}");
            let n_once = reader.stats().n_decompressed_bytes - n_before;
            let reader = FileReader::try_from_buffer(input.clone()).unwrap();
            reader.load_dictionaries().unwrap();
            let n_before = reader.stats().n_decompressed_bytes;
            reader.batches().for_each(|batch| drop(batch.unwrap()));
            assert_eq!(n_once, reader.stats().n_decompressed_bytes - n_before, "from {from_name}");
        }
    }
}

/// For each fault of a batch, the error equals the error of the reader.
#[test]
fn opened_batches_fail_as_batches_that_are_read() {
    let (mut n_wrong, mut n_right) = (0, 0);
    for path in files_below(&corpus_dir().join("hostile"), ".arrow_file") {
        let bytes = Buffer::from(fs::read(&path).unwrap());
        let Ok(reader) = FileReader::try_from_buffer(bytes) else { continue };
        for batch_idx in 0..reader.n_batches().min(20) {
            let opened = reader.fetch(batch_idx).and_then(|fetched| fetched.decompress());
            let decoded = opened.and_then(|opened| opened.decode());
            match (decoded, reader.batch(batch_idx)) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(rows(&found.batch), rows(&expected));
                    n_right += 1;
                }
                (found, expected) => {
                    let [found, expected] =
                        [found.err(), expected.err()].map(|error| error.map(|e| e.to_string()));
                    assert_eq!(found, expected, "{}", path.display());
                    n_wrong += 1;
                }
            }
        }
    }
    assert!(n_wrong > 10 && n_right > 10, "{n_wrong}, {n_right}");
}

#[test]
fn batches_of_some_columns_are_not_opened() {
    let schema = Arc::new(schema_of_all_types());
    let batch = Generator::new(1).batch(&schema, 10, Nulls::Some);
    let reader =
        FileReader::try_from_buffer(written(WrittenContainer::File, &[batch], &WriteOptions::new())).unwrap();
    let error =
        reader.project(&Projection::Positions(vec![0])).unwrap().fetch(0).unwrap().decompress().unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::NotAllColumns), "{error}");
    assert!(reader.fetch(1).is_err());
}

/// Threads check columns, and the error is the same as with one thread: the error of the first invalid column.
#[test]
fn columns_are_checked_by_threads_as_by_one() {
    let text = |byte: u8| vec![byte; 2 << 20];
    let column = |byte: u8| {
        let offsets: Vec<i32> = (0..=16).map(|slot| slot << 17).collect();
        let parts = arrow_data::ArrayParts {
            buffers: [Buffer::from(offsets), Buffer::from(text(byte))],
            ..arrow_data::ArrayParts::new(arrow_schema::DataType::Utf8, 16)
        };
        arrow_data::ArrayData::try_new(parts).unwrap()
    };
    let columns = [("a", column(b'a')), ("b", column(b'b')), ("c", column(b'c'))];
    let batch = arrow_data::RecordBatch::try_from_columns(columns).unwrap();
    let bytes = written(WrittenContainer::File, &[batch], &WriteOptions::new()).to_vec();
    for wrong in 0..8 {
        let mut bytes = bytes.clone();
        for (number, byte) in (b'a'..=b'c').enumerate().filter(|(number, _)| wrong >> number & 1 == 1) {
            let start = bytes.windows(64).position(|window| window == [byte; 64]).unwrap();
            bytes[start + (number << 17) + 5] = 0xff;
        }
        let bytes = Buffer::from(bytes);
        let read = |threads, validation| {
            let options = ReadOptions::new().with_threads(threads).with_validation(validation);
            let batch = FileReader::try_new_with(bytes.clone(), options).unwrap().batch(0);
            batch.map(|batch| batch.columns()[0].checked()).map_err(|error| error.to_string())
        };
        for validation in [Validation::Content, Validation::Strict, Validation::Structure] {
            assert_eq!(read(Threads::Pool, validation), read(Threads::One, validation), "{wrong}");
        }
        assert_eq!(read(Threads::Pool, Validation::Content).is_err(), wrong > 0);
    }
}
