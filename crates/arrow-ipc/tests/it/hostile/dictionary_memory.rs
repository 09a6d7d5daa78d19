//! Dictionaries that stay: what all of them keep together is limited, and nothing is decompressed beyond the limit.

use arrow_buffer::Buffer;
use arrow_ipc::{
    ErrorClass, FileReader, IpcError, IpcErrorKind, Limits, MessageDecoder, MessageStep, Messages,
    ReadOptions, Result, Step, StreamDecoder,
};
use bindings::flatbuf as fb;

use super::wire::{Batch, Message, encoded, field, file, schema, stream};

/// The number of bytes to which each dictionary or delta of a few dozen bytes decompresses.
const N_BYTES: u64 = 100_000;

/// A ZSTD frame that decompresses to `n_bytes` bytes, with blocks that repeat one byte.
fn repeated(n_bytes: u64) -> Vec<u8> {
    const BLOCK_BYTES: u64 = 128 << 10;
    let mut frame =
        [&n_bytes.to_le_bytes()[..], &[0x28, 0xb5, 0x2f, 0xfd, 0xe0], &n_bytes.to_le_bytes()].concat();
    let mut n_left = n_bytes;
    while n_left > 0 {
        let n_block = n_left.min(BLOCK_BYTES);
        n_left -= n_block;
        let block_header = (n_block as u32) << 3 | 2 | u32::from(n_left == 0);
        frame.extend_from_slice(&block_header.to_le_bytes()[..3]);
        frame.push(b'a');
    }
    frame
}

fn int8() -> fb::Type {
    fb::Type::Int(Box::new(fb::Int { bit_width: 8, is_signed: true }))
}

fn values() -> Batch {
    let batch = Batch::new(N_BYTES as i64).node(N_BYTES as i64, 0).buffer(&[]);
    batch.buffer(&repeated(N_BYTES)).compressed(fb::CompressionType::Zstd)
}

fn row(n_columns: usize) -> Message {
    let columns = (0..n_columns).fold(Batch::new(1), |batch, _| batch.node(1, 0).buffer(&[]).i32s(&[0]));
    columns.into_message()
}

fn fields(n_dictionaries: usize) -> fb::Schema {
    schema((0..n_dictionaries).map(|id| encoded(field(&format!("d{id}"), int8(), []), id as i64)))
}

fn dictionaries(n_dictionaries: usize) -> Vec<Message> {
    let messages = (0..n_dictionaries).map(|id| values().into_dictionary(id as i64));
    messages.chain([row(n_dictionaries)]).collect()
}

fn deltas(n_dictionaries: usize) -> Vec<Message> {
    let first = values().into_dictionary(0);
    let others = (1..n_dictionaries).map(|_| values().into_delta(0));
    std::iter::once(first).chain(others).chain([row(1)]).collect()
}

fn options(max_dictionary_bytes: u64) -> ReadOptions {
    ReadOptions::default().with_limits(Limits::default().with_max_dictionary_bytes(max_dictionary_bytes))
}

/// Reads a stream; gives what was decompressed, and the error.
fn read_stream(bytes: Vec<u8>, options: ReadOptions) -> (u64, Result<usize>) {
    let mut decoder = StreamDecoder::new_with(options);
    decoder.feed(Buffer::from(bytes));
    decoder.finish_input();
    let mut n_rows = 0;
    let read = loop {
        match decoder.step() {
            Ok(Step::Batch(next)) => n_rows += next.batch.n_rows(),
            Ok(Step::End) => break Ok(n_rows),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    (decoder.stats().n_decompressed_bytes, read)
}

fn read_file(bytes: Vec<u8>, options: ReadOptions) -> (u64, Result<usize>) {
    let reader = FileReader::try_new_with(Buffer::from(bytes), options).unwrap();
    let read = reader.batch(0).map(|batch| batch.n_rows());
    (reader.stats().n_decompressed_bytes, read)
}

fn check_refused(error: &IpcError, id: i64, limit: u64) {
    assert_eq!(error.class(), ErrorClass::LimitExceeded, "{error}");
    let IpcErrorKind::DictionaryBytes { id: found, requested, limit: found_limit } = error.kind() else {
        panic!("{error}")
    };
    assert_eq!((*found, *found_limit), (id, limit), "{error}");
    assert!(*requested > limit && error.to_string().contains(&format!("with dictionary {id}, ")), "{error}");
}

#[test]
fn all_dictionaries_together_are_limited() {
    for n_allowed in [1, 3, 7] {
        let limit = n_allowed * N_BYTES + N_BYTES / 2;
        for n_dictionaries in [n_allowed, n_allowed + 1, 8] {
            let n = n_dictionaries as usize;
            let of = |fields: fb::Schema, messages: Vec<Message>| {
                stream(std::iter::once(Message::schema(fields)).chain(messages))
            };
            let read = [
                (n_allowed as i64, read_stream(of(fields(n), dictionaries(n)), options(limit))),
                (0, read_stream(of(fields(1), deltas(n)), options(limit))),
                (n_allowed as i64, read_file(file(fields(n), dictionaries(n), 0), options(limit))),
                (0, read_file(file(fields(1), deltas(n), 0), options(limit))),
            ];
            for (id, (n_decompressed, read)) in read {
                assert_eq!(n_decompressed, n_allowed.min(n_dictionaries) * N_BYTES);
                match read {
                    Ok(n_rows) => assert_eq!((n_rows, n_dictionaries), (1, n_allowed)),
                    Err(error) => {
                        assert!(n_dictionaries > n_allowed, "{error}");
                        check_refused(&error, id, limit);
                    }
                }
            }
        }
    }
}

/// A dictionary that is replaced gives back what it kept, before the new one is decompressed, however often.
#[test]
fn replaced_dictionaries_do_not_count() {
    let again = || (0..5).flat_map(|_| [values().into_dictionary(0), values().into_delta(0), row(1)]);
    let bytes = stream(std::iter::once(Message::schema(fields(1))).chain(again()));
    let (_, read) = read_stream(bytes.clone(), options(2 * N_BYTES));
    assert_eq!(read.unwrap(), 5);
    let (n_decompressed, read) = read_stream(bytes, options(2 * N_BYTES - 1));
    check_refused(&read.unwrap_err(), 0, 2 * N_BYTES - 1);
    assert_eq!(n_decompressed, N_BYTES);
}

/// A replacement that is refused leaves the values that were there.
#[test]
fn a_replacement_over_the_limit_changes_nothing() {
    let of = |n_values: usize| {
        let batch = Batch::new(n_values as i64).node(n_values as i64, 0).buffer(&[]);
        batch.buffer(&vec![7; n_values]).into_dictionary(0)
    };
    let messages = [Message::schema(fields(1)), of(64), row(1), of(256), row(1), of(128), row(1)];
    let bytes = Buffer::from(stream(messages));
    let mut source = Messages::new(Limits::default());
    source.feed(bytes);
    source.finish_input();
    let mut next = || match source.step().unwrap() {
        MessageStep::Message(message) => Some(message),
        _ => None,
    };
    let mut decoder = MessageDecoder::try_from_schema_message_with(&next().unwrap(), options(128)).unwrap();
    let mut outcomes = Vec::new();
    while let Some(message) = next() {
        outcomes.push(match decoder.decode(&message) {
            Ok(batch) => batch.map_or(0, |batch| batch.batch.n_rows()),
            Err(error) => {
                check_refused(&error, 0, 128);
                9
            }
        });
    }
    assert_eq!(outcomes, [0, 1, 9, 1, 0, 1]);
}

/// An outer dictionary has the values that the inner one had when it came. They count until it is replaced too.
#[test]
fn replaced_dictionaries_inside_of_others_count() {
    let outer = |id: i64| {
        let data_type = fb::Type::List(Box::default());
        encoded(field(&format!("l{id}"), data_type, [encoded(field("item", int8(), []), 0)]), id)
    };
    let lists = |id: i64| {
        let lists = Batch::new(1).node(1, 0).buffer(&[]).i32s(&[0, 1]);
        lists.node(1, 0).buffer(&[]).i32s(&[0]).into_dictionary(id)
    };
    let read = |ids: &[i64], n_allowed: u64| {
        let messages = ids.iter().flat_map(|id| [values().into_dictionary(0), lists(*id)]);
        let schema = Message::schema(schema([outer(1), outer(2), outer(3)]));
        // Indices and offsets too.
        read_stream(stream(std::iter::once(schema).chain(messages)), options(n_allowed * N_BYTES + 100)).1
    };
    for (ids, n_retained) in [(&[1, 1, 1, 1][..], 2), (&[1, 2, 1, 2], 3), (&[1, 2, 3], 3)] {
        read(ids, n_retained).unwrap();
        check_refused(&read(ids, n_retained - 1).unwrap_err(), 0, (n_retained - 1) * N_BYTES + 100);
    }
}

/// A dictionary that is refused does not raise the limit, which grows with the received bytes, for the next attempt.
#[test]
fn a_refused_dictionary_does_not_raise_the_limit() {
    // It has 5 MiB, so that 64 times these bytes are more than the smallest limit, and claims more than that.
    const N_VALUES: u64 = 1 << 30;
    let large = || {
        let batch = Batch::new(N_VALUES as i64).node(N_VALUES as i64, 0).buffer(&[]);
        let batch = batch.buffer(&repeated(N_VALUES)).compressed(fb::CompressionType::Zstd);
        batch.into_dictionary(0).longer(5 << 20)
    };
    let bytes = Buffer::from(stream([Message::schema(fields(1)), large(), row(1)]));
    let limit_of = |error: IpcError| match error.kind() {
        IpcErrorKind::DictionaryBytes { limit, .. } => *limit,
        _ => panic!("{error}"),
    };
    let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
    let of_file = [0; 4].map(|_| limit_of(reader.batch(0).unwrap_err()));
    let mut source = Messages::new(Limits::default());
    source.feed(bytes);
    let mut next = || match source.step().unwrap() {
        MessageStep::Message(message) => message,
        _ => panic!("no message"),
    };
    let mut decoder = MessageDecoder::try_from_schema_message(&next()).unwrap();
    let refused = next();
    let of_messages = [0; 4].map(|_| limit_of(decoder.decode(&refused).unwrap_err()));
    for limits in [of_file, of_messages] {
        assert!(limits[0] > 64 * (5 << 20) && limits[0] < 64 * (6 << 20), "{limits:?}");
        assert!(limits.iter().all(|limit| *limit == limits[0]), "{limits:?}");
    }
}
