//! Values of every type, dictionaries inside of dictionaries, and shared ones, as our readers read them.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, IpcError, IpcErrorKind, IpcSchema, WriteOptions, dictionary::UnifiedDictionaries,
};
use arrow_schema::{DataType, Field, IndexType, Schema};
use arrow_select::SelectErrorKind;
use testing_support::{Generator, Hunt, Value, all_types, array, ints, values};

use super::harness::{
    Container, all_of, batch, check_read, encoded, is_about_order, messages, options, unified, write,
};

/// Types may have small or ordered dictionaries inside.
fn is_full(error: &IpcError) -> bool {
    is_about_order(error)
        || matches!(error.kind(), IpcErrorKind::Select(error) if matches!(error.kind(), SelectErrorKind::IndexOverflow { .. }))
}

/// Batches of dictionaries with values of every type, those inside of lists too.
fn for_every_type(mut check: impl FnMut(usize, &str, &IpcSchema, &[RecordBatch]) -> Result<(), IpcError>) {
    for (seed, (name, value)) in all_types().into_iter().enumerate() {
        let Ok(data_type) = DataType::dictionary(IndexType::UInt16, value.clone()) else {
            assert!(value.as_dictionary().is_some(), "{name}");
            continue;
        };
        let lists = DataType::list(Field::new("item", data_type.clone()));
        let schema = Schema::new([Field::new("a", data_type), Field::new("b", lists)]);
        let mut batches = Generator::new(seed as u64).batches(&schema, &[9, 15, 0, 20, 1]);
        batches.insert(1, batches[0].slice(3, 5));
        batches.push(batches[4].clone());
        let schema = IpcSchema::from(schema);
        // Where all of them do not fit, some do.
        for n in [7, 3, 2] {
            match check(seed, &name, &schema, &batches[..n]) {
                Ok(()) => break,
                Err(error) => assert!(n > 2 && is_full(&error), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn values_of_every_type() {
    let hunt = Hunt::from_env();
    for_every_type(|case, name, schema, batches| {
        // A short run writes each type by one of the policies, in turn.
        for unifies in hunt.some_of(&[true, false], 1, case) {
            let policy = if *unifies {
                DictionaryPolicy::Unify(UnifiedDictionaries::try_from_batches(schema, batches)?)
            } else {
                DictionaryPolicy::Delta
            };
            check_read(name, schema, batches, policy)?;
        }
        Ok(())
    });
}

fn lists_of(items: ArrayData) -> ArrayData {
    let n_items = items.len();
    let data_type = DataType::list(Field::new("item", items.data_type().clone()));
    let offsets = Buffer::from((0..=n_items as i32).collect::<Vec<_>>());
    array(data_type, n_items, [offsets, Buffer::new()], vec![items])
}

/// Lists of one number each, dictionary-encoded in and out.
fn nested(numbers: &[i32]) -> ArrayData {
    let indices: Vec<i8> = (0..numbers.len() as i8).collect();
    encoded(&Arc::new(lists_of(all_of(numbers))), &indices)
}

#[test]
fn inner_dictionaries_come_first() {
    let five = Arc::new(ints([5]));
    let batches = [
        batch([nested(&[1, 2]), encoded(&five, &[0, 0])]),
        // The inner dictionary grows with what the outer one adds, not with what is there.
        batch([nested(&[2, 3, 1]), encoded(&five, &[0, -1, 0])]),
        batch([nested(&[3, 3]), all_of(&[3, 6])]),
    ];
    let fields = batches[0].schema().clone();
    let own_ids = IpcSchema::from(&fields);
    let shared = IpcSchema::try_with_dictionary_ids(fields, [0, 7, 7]).unwrap();
    for (schema, stream, file) in [
        (&own_ids, "D1:2 D0:2 D2:1 B2 d1:1 d0:1 B3 d2:2 B2", "D1:2 D0:2 D2:1 B2 d1:1 d0:1 B3 d2:2 B2"),
        (&shared, "D7:2 D0:2 d7:1 B2 d7:1 d0:1 B3 d7:1 B2", "D7:2 D0:2 d7:1 B2 d7:1 d0:1 B3 d7:1 B2"),
    ] {
        for (container, expected) in [(Container::Stream, stream), (Container::File, file)] {
            let bytes = write(container, schema, &batches, options(DictionaryPolicy::Delta)).unwrap();
            assert_eq!(messages(container, &bytes), expected, "{container:?}");
        }
        for policy in [DictionaryPolicy::Delta, unified(schema, &batches)] {
            check_read("nested", schema, &batches, policy).unwrap();
        }
    }
}

#[test]
fn fields_that_share_an_id_are_joined() {
    let schema =
        |columns: &RecordBatch| IpcSchema::try_with_dictionary_ids(Arc::clone(columns.schema()), [4, 4]);
    let batches = [
        batch([all_of(&[1, 2]), all_of(&[2, 3])]),
        batch([all_of(&[4, 3]), all_of(&[1, 2, 3, 4, 5]).slice(3, 2)]),
    ];
    let schema = schema(&batches[0]).unwrap();
    let error = write(Container::Stream, &schema, &batches, WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::SharedDictionaryValues { id: 4 }), "{error}");
    let bytes = write(Container::Stream, &schema, &batches, options(DictionaryPolicy::Delta)).unwrap();
    assert_eq!(messages(Container::Stream, &bytes), "D4:2 d4:1 B2 d4:1 d4:1 B2");
    let policy = unified(&schema, &batches);
    let DictionaryPolicy::Unify(unified) = &policy else { panic!("another policy") };
    assert_eq!(values(unified.values(4).unwrap()), [1, 2, 3, 4, 5].map(Value::Int));
    assert!(unified.values(5).is_none());
    for policy in [DictionaryPolicy::Delta, policy] {
        check_read("shared", &schema, &batches, policy).unwrap();
    }
}
