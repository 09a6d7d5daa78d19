//! Batches that were read from a stream with deltas, written with the default policy: the output and its length.

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{DictionaryPolicy, IpcSchema, MessageKind, StreamEncoder, StreamReader, WriteOptions};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::GrowingArray;
use testing_support::{Generator, Nulls, all_types, ints, rows};

use super::harness::{
    CONTAINERS, Container, all_of, batch, dictionary_type, encoded, messages, options, read, write,
};

fn schema(value: &DataType) -> IpcSchema {
    IpcSchema::from(Schema::new([Field::new("a", dictionary_type(value))]))
}

/// A stream of batches, each with one value more, written with deltas, and read.
fn with_deltas(n_batches: usize) -> (usize, Vec<RecordBatch>) {
    let mut growing = GrowingArray::new(&DataType::Int32);
    let batches = (0..n_batches).map(|k| {
        growing = growing.clone().append(&ints([k as i32]), u64::MAX).unwrap();
        batch([encoded(&growing.array().into(), &[(k % 100) as i8])])
    });
    let batches: Vec<RecordBatch> = batches.collect();
    let bytes =
        write(Container::Stream, &schema(&DataType::Int32), &batches, options(DictionaryPolicy::Delta));
    let bytes = bytes.unwrap();
    let read = StreamReader::try_new(bytes.as_slice()).unwrap().map(|batch| batch.unwrap()).collect();
    (bytes.len(), read)
}

/// However long it gets: what is written is in proportion to what was read.
#[test]
fn a_dictionary_that_grew_is_written_once() {
    let mut n_bytes_before = CONTAINERS.map(|_| None);
    for n_batches in [50, 100, 200] {
        let (n_read, batches) = with_deltas(n_batches);
        let expected: Vec<_> = batches.iter().map(rows).collect();
        for (container, before) in CONTAINERS.into_iter().zip(&mut n_bytes_before) {
            let bytes = write(container, &schema(&DataType::Int32), &batches, WriteOptions::new()).unwrap();
            assert!(read(container, &bytes).iter().map(rows).eq(expected.iter().cloned()), "{container:?}");
            assert!(bytes.len() < 2 * n_read, "{container:?}: {} of {n_read}", bytes.len());
            if let Some(before) = before.replace(bytes.len()) {
                assert!(bytes.len() * 10 <= before * 22, "{container:?}: {before}, {}", bytes.len());
            }
            let found = messages(container, &bytes);
            // The reader moved the first value to memory that can grow.
            let n_whole = if container == Container::Stream { 2 } else { 1 };
            assert_eq!(found.matches('D').count(), n_whole, "{container:?}: {found}");
            assert_eq!(found.matches('d').count(), n_batches - n_whole, "{container:?}: {found}");
        }
    }
}

/// Values of every type that grow in place: the default policy writes what is new.
#[test]
fn values_of_every_type_go_on() {
    // Those with dictionaries inside may have to be merged.
    let is_flat = |value: &DataType| !value.is_dictionary() && schema(value).dictionary_ids().len() == 1;
    let types = all_types().into_iter().filter(|(_, value)| is_flat(value));
    for (seed, (_, value)) in types.enumerate() {
        let mut generator = Generator::new(seed as u64);
        let mut growing = GrowingArray::new(&value);
        let mut batches = Vec::new();
        for _ in 0..3 {
            let part = generator.array(&value, 5, Nulls::None);
            let Ok(grown) = growing.clone().append(&part, u64::MAX) else { break };
            growing = grown;
            let last = (growing.len() - 1) as i8;
            batches.push(batch([encoded(&growing.array().into(), &[0, last])]));
        }
        for container in CONTAINERS {
            let bytes = write(container, &schema(&value), &batches, WriteOptions::new());
            let bytes = bytes.unwrap_or_else(|error| panic!("{value}, {container:?}: {error}"));
            let found = read(container, &bytes);
            assert!(found.iter().map(rows).eq(batches.iter().map(rows)), "{value}, {container:?}");
            if container == Container::File {
                assert_eq!(messages(container, &bytes).matches('D').count(), 1, "{value}");
            }
        }
    }
}

/// In a stream, values in other memory are a new dictionary, even if they begin alike, unless the dictionary has grown: then
/// it has moved to larger memory.
#[test]
fn what_moved_goes_on_only_after_a_delta() {
    let growing = GrowingArray::new(&DataType::Int32).append(&ints([1, 2, 3]), u64::MAX).unwrap();
    let whole = growing.array();
    let in_place = |n_values: usize| encoded(&whole.slice(0, n_values).into(), &[0, n_values as i8 - 1]);
    let check = |columns: Vec<ArrayData>, in_stream: &str, in_file: Option<&str>| {
        let batches: Vec<RecordBatch> = columns.into_iter().map(|column| batch([column])).collect();
        for (container, expected) in [(Container::Stream, Some(in_stream)), (Container::File, in_file)] {
            let bytes = write(container, &schema(&DataType::Int32), &batches, WriteOptions::new());
            assert_eq!(bytes.is_ok(), expected.is_some(), "{container:?}");
            let (Ok(bytes), Some(expected)) = (bytes, expected) else { continue };
            assert_eq!(messages(container, &bytes), expected, "{container:?}");
            assert!(read(container, &bytes).iter().map(rows).eq(batches.iter().map(rows)), "{container:?}");
        }
        let refused =
            write(Container::Stream, &schema(&DataType::Int32), &batches, options(DictionaryPolicy::Error));
        assert!(refused.is_err(), "{in_stream}");
    };
    check(vec![in_place(1), in_place(3)], "D0:1 B2 d0:2 B2", Some("D0:1 B2 d0:2 B2"));
    check(vec![in_place(1), all_of(&[1, 2])], "D0:1 B2 D0:2 B2", Some("D0:1 B2 d0:1 B2"));
    check(
        vec![in_place(1), in_place(2), all_of(&[1, 2, 3, 4]), in_place(3)],
        "D0:1 B2 d0:1 B2 d0:2 B4 D0:3 B2",
        None,
    );
    check(vec![in_place(1), in_place(2), all_of(&[1, 9, 3])], "D0:1 B2 d0:1 B2 D0:3 B3", None);
}

/// While a builder grows in place, neither policy looks at what has been written: the encoder hands out the delta alone.
#[test]
fn only_new_values_are_handed_out() {
    for policy in [DictionaryPolicy::Delta, DictionaryPolicy::Replace] {
        let mut encoder = StreamEncoder::try_new_with(schema(&DataType::Int32), options(policy)).unwrap();
        encoder.start().unwrap();
        let mut growing = GrowingArray::new(&DataType::Int32).append(&ints(0..100), u64::MAX).unwrap();
        let mut n_bytes = Vec::new();
        for k in 0..50 {
            growing = growing.append(&ints([k]), u64::MAX).unwrap();
            let column = encoded(&growing.array().into(), &[0]);
            let encoded = encoder.encode(&batch([column])).unwrap();
            let kinds: Vec<MessageKind> = encoded.messages().iter().map(|message| message.kind()).collect();
            assert_eq!(kinds, [MessageKind::DictionaryBatch, MessageKind::RecordBatch]);
            n_bytes.push(encoded.n_bytes());
        }
        assert!(n_bytes[1..].iter().all(|n| *n == n_bytes[1]), "{n_bytes:?}");
    }
}
