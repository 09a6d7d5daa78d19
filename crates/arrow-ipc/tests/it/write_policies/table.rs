//! The messages that each policy writes, and their rows, read by hand.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, IpcErrorKind, IpcSchema, Limits, MessageScan,
    message::{BatchHeader, Header},
};
use arrow_schema::{DataType, Field, Schema};
use testing_support::{Value, ints, values};

use super::harness::{Container, all_of, batch, dictionary_type, encoded, messages, options, unified, write};

/// The rows of a single column `dictionary<int8, int32>` with id 0, read by hand: each dictionary message has validity
/// and values, each batch validity and indices, and deltas follow what is there. In files batches come last.
pub(crate) fn rows_by_hand(container: Container, bytes: &Buffer) -> Vec<Option<i32>> {
    let limits = Limits::default();
    let mut scan = match container {
        Container::Stream => MessageScan::try_new(bytes.clone(), 0..u64::MAX, limits.clone()).unwrap(),
        Container::File => MessageScan::try_from_file(bytes.clone(), limits.clone()).unwrap(),
    };
    let (mut dictionary, mut found) = (Vec::new(), Vec::new());
    while let Some(message) = scan.next_message().unwrap() {
        let start = message.body_position() as usize;
        let body = &bytes[start..start + message.n_body_bytes() as usize];
        let slots = |batch: &BatchHeader, width: usize| -> Vec<Option<i32>> {
            let [validity, values] = batch.buffers() else { panic!("two buffers") };
            let validity = &body[validity.start() as usize..validity.end() as usize];
            let values = &body[values.start() as usize..values.end() as usize];
            let is_valid = |slot: usize| validity.is_empty() || validity[slot / 8] >> (slot % 8) & 1 == 1;
            let number = |slot: usize| match values[slot * width..(slot + 1) * width] {
                [byte] => i32::from(byte),
                [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
                _ => panic!("another width"),
            };
            (0..batch.n_rows() as usize).map(|slot| is_valid(slot).then(|| number(slot))).collect()
        };
        match message.header(&limits).unwrap() {
            Header::DictionaryBatch { is_delta, batch, .. } => {
                if !is_delta {
                    dictionary.clear();
                }
                dictionary.extend(slots(&batch, 4));
            }
            Header::RecordBatch(batch) => {
                let values = slots(&batch, 1).into_iter();
                found.extend(values.map(|index| index.and_then(|index| dictionary[index as usize])));
            }
            _ => {}
        }
    }
    found
}

/// The oracle's rows of a single column of numbers.
fn numbers(batches: &[RecordBatch]) -> Vec<Option<i32>> {
    let slots = batches.iter().flat_map(|batch| values(&batch.columns()[0]));
    let number = |value| match value {
        Value::Int(number) => Some(number as i32),
        Value::Null => None,
        other => panic!("{other:?}"),
    };
    slots.map(number).collect()
}

#[test]
fn what_is_written_by_each_policy() {
    // Batches, then what follows the schema of a stream by `Replace`, `Delta` and `Unify`; then of a file by the last two.
    type Row<'a> = (&'a str, Vec<ArrayData>, [&'a str; 5]);
    let shared = Arc::new(ints([1, 2]));
    let with_null = encoded(&Arc::new(ints([7, 8])), &[0, 1]);
    let null_value = ArrayData::try_new(ArrayParts {
        validity: Some(Bitmap::from_iter([true, false])),
        ..ints([7, 0]).into_parts()
    });
    let null_value = Arc::new(null_value.unwrap());
    let nulls = encoded(&Arc::new(ints([90, 91])), &[-1, -1]);
    let table: Vec<Row<'_>> = vec![
        ("nothing", vec![], ["", "", "", "", ""]),
        (
            "the same memory",
            vec![encoded(&shared, &[0, 1]), encoded(&shared, &[1]), encoded(&shared, &[-1, 0])],
            ["D0:2 B2 B1 B2"; 5],
        ),
        ("equal values", vec![all_of(&[1, 2]), all_of(&[1, 2])], ["D0:2 B2 B2"; 5]),
        (
            "a longer one",
            vec![all_of(&[1, 2]), all_of(&[1, 2, 3]), all_of(&[1, 2, 3, 4, 5])],
            [
                "D0:2 B2 D0:3 B3 D0:5 B5",
                "D0:2 B2 d0:1 B3 d0:2 B5",
                "D0:5 B2 B3 B5",
                "D0:2 B2 d0:1 B3 d0:2 B5",
                "D0:5 B2 B3 B5",
            ],
        ),
        (
            "a shorter one",
            vec![all_of(&[1, 2, 3]), all_of(&[1, 2])],
            ["D0:3 B3 D0:2 B2", "D0:3 B3 B2", "D0:3 B3 B2", "D0:3 B3 B2", "D0:3 B3 B2"],
        ),
        (
            "another order",
            vec![all_of(&[1, 2, 3]), all_of(&[3, 1, 2]), all_of(&[2])],
            ["D0:3 B3 D0:3 B3 D0:1 B1", "D0:3 B3 B3 B1", "D0:3 B3 B3 B1", "D0:3 B3 B3 B1", "D0:3 B3 B3 B1"],
        ),
        (
            "some are new",
            vec![all_of(&[1, 2]), all_of(&[9, 2, 8]), all_of(&[8, 1, 2, 9, 7])],
            [
                "D0:2 B2 D0:3 B3 D0:5 B5",
                "D0:2 B2 d0:2 B3 d0:1 B5",
                "D0:5 B2 B3 B5",
                "D0:2 B2 d0:2 B3 d0:1 B5",
                "D0:5 B2 B3 B5",
            ],
        ),
        (
            "repeated values",
            vec![all_of(&[1, 1, 2]), all_of(&[1, 1, 2, 3, 3]), all_of(&[4, 4, 1])],
            [
                "D0:3 B3 D0:5 B5 D0:3 B3",
                "D0:3 B3 d0:2 B5 d0:1 B3",
                "D0:6 B3 B5 B3",
                "D0:3 B3 d0:2 B5 d0:1 B3",
                "D0:6 B3 B5 B3",
            ],
        ),
        (
            "nulls among the values",
            vec![with_null, encoded(&null_value, &[1, 0, -1]), encoded(&null_value, &[0])],
            [
                "D0:2 B2 D0:2 B3 B1",
                "D0:2 B2 d0:1 B3 B1",
                "D0:3 B2 B3 B1",
                "D0:2 B2 d0:1 B3 B1",
                "D0:3 B2 B3 B1",
            ],
        ),
        (
            "no valid index at first",
            vec![nulls.clone(), all_of(&[1, 2]), nulls.clone()],
            ["D0:2 B2 D0:2 B2 B2", "D0:0 B2 d0:2 B2 B2", "D0:2 B2 B2 B2", "B2 D0:2 B2 B2", "D0:2 B2 B2 B2"],
        ),
        ("never a valid index", vec![nulls], ["D0:2 B2", "D0:0 B2", "D0:2 B2", "B2 D0:2", "D0:2 B2"]),
    ];
    for (name, columns, expected) in table {
        let batches: Vec<RecordBatch> = columns.into_iter().map(|column| batch([column])).collect();
        let schema = IpcSchema::from(Schema::new([Field::new("a", dictionary_type(&DataType::Int32))]));
        let unified = || unified(&schema, &batches);
        let [replace, delta, unify, file_delta, file_unify] = expected;
        for (container, policy, expected) in [
            (Container::Stream, DictionaryPolicy::Replace, replace),
            (Container::Stream, DictionaryPolicy::Delta, delta),
            (Container::Stream, unified(), unify),
            (Container::File, DictionaryPolicy::Delta, file_delta),
            (Container::File, unified(), file_unify),
        ] {
            let what = format!("{name}, {container:?}, {policy:?}");
            let bytes = write(container, &schema, &batches, options(policy)).expect(&what);
            assert_eq!(messages(container, &bytes), expected, "{what}");
            assert_eq!(rows_by_hand(container, &bytes), numbers(&batches), "{what}");
        }
        // A change is refused where it would have to be replaced, and where the policy says so.
        let n_replaced = replace.matches('D').count().saturating_sub(1);
        for (container, policy) in [
            (Container::File, DictionaryPolicy::Replace),
            (Container::File, DictionaryPolicy::Error),
            (Container::Stream, DictionaryPolicy::Error),
        ] {
            let is_refused =
                n_replaced > usize::from(name == "no valid index at first" && container == Container::File);
            let written = write(container, &schema, &batches, options(policy.clone()));
            // What goes on is written as deltas, which a file may have.
            if name == "a longer one" && matches!(policy, DictionaryPolicy::Replace) {
                assert_eq!(messages(container, &written.expect(name)), file_delta, "{name}");
                continue;
            }
            assert_eq!(written.is_err(), is_refused, "{name}, {container:?}, {policy:?}");
            let Err(error) = written else { continue };
            let is_known = match (policy, error.kind()) {
                (DictionaryPolicy::Replace, IpcErrorKind::ReplacedDictionary { id: 0 }) => {
                    error.to_string().contains("write deltas, or unify the dictionaries first")
                }
                (DictionaryPolicy::Error, IpcErrorKind::ChangedDictionary { id: 0 }) => true,
                _ => false,
            };
            assert!(is_known && error.to_string().starts_with("field `a`"), "{name}: {error}");
        }
    }
}
