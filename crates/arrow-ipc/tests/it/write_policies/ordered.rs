//! One dictionary for all batches, without values that no batch uses: the order of ordered dictionaries stays.

use std::sync::Arc;

use arrow_array::Utf8ViewArray;
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, FileWriter, IpcError, IpcErrorKind, IpcSchema, UnusedValues, WriteOptions,
};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType};
use testing_support::{Rng, Value, array, ints, rows, values};

use super::harness::{
    CONTAINERS, Container, all_of, batch, encoded, encoded_as, messages, options, read, write,
};

fn column(order: DictionaryOrder, numbers: &[i32], indices: &[i8]) -> ArrayData {
    let data_type = DictionaryType::try_new(IndexType::Int8, DataType::Int32, order).unwrap();
    encoded_as(DataType::Dictionary(Arc::new(data_type)), &Arc::new(ints(numbers.iter().copied())), indices)
}

fn ordered(numbers: &[i32], indices: &[i8]) -> ArrayData {
    column(DictionaryOrder::Ordered, numbers, indices)
}

fn compact() -> WriteOptions {
    WriteOptions::new().with_unused_items(UnusedValues::Remove).with_unused_values(UnusedValues::Remove)
}

/// The unified values of the first dictionary. The batches are written to both containers and read again.
fn unified_values(batches: &[RecordBatch], options: WriteOptions) -> Result<Vec<Value>, IpcError> {
    let schema = IpcSchema::from(batches[0].schema());
    let options = options.with_unified_dictionaries(&schema, batches)?;
    let DictionaryPolicy::Unify(unified) = options.dictionaries() else { panic!("another policy") };
    let found = values(unified.values(0).unwrap());
    for container in CONTAINERS {
        let bytes = write(container, &schema, batches, options.clone()).unwrap();
        assert!(read(container, &bytes).iter().map(rows).eq(batches.iter().map(rows)), "{container:?}");
        assert_eq!(
            messages(container, &bytes).matches(['D', 'd']).count(),
            unified_count(&schema),
            "{container:?}"
        );
    }
    Ok(found)
}

fn unified_count(schema: &IpcSchema) -> usize {
    schema.dictionary_ids().len()
}

#[test]
fn used_values_have_the_order_of_all_dictionaries() {
    // Dictionaries and indices of each batch; the values of the unified dictionary, or the two values of the error.
    type Batches<'a> = &'a [(&'a [i32], &'a [i8])];
    type Case<'a> = (Batches<'a>, WriteOptions, Result<&'a [i32], &'a str>);
    let table: &[Case<'_>] = &[
        (&[(&[7, 8, 9], &[2]), (&[7, 8, 9], &[0, -1])], compact(), Ok(&[7, 9])),
        (&[(&[7, 8, 9], &[2]), (&[7, 8, 9], &[0])], WriteOptions::new(), Ok(&[7, 8, 9])),
        (&[(&[7, 8, 9], &[1, 1])], compact(), Ok(&[8])),
        // The order follows from two dictionaries, by a value that no batch uses.
        (&[(&[9, 5], &[1]), (&[4, 9], &[0])], compact(), Ok(&[4, 5])),
        (&[(&[1, 3], &[0, 1]), (&[1, 2, 3], &[1])], WriteOptions::new(), Ok(&[1, 2, 3])),
        (&[(&[2, 3], &[0, 1]), (&[1, 2], &[1])], WriteOptions::new(), Ok(&[1, 2, 3])),
        (&[(&[1, 2], &[0]), (&[3], &[-1])], WriteOptions::new(), Ok(&[1, 2])),
        (&[(&[1, 2], &[0]), (&[2, 1], &[0])], WriteOptions::new(), Err("1 comes before 2")),
        (&[(&[1, 2], &[0]), (&[2, 1], &[1])], compact(), Ok(&[1])),
        (&[(&[1, 2], &[0, 1]), (&[2, 1, 7], &[2])], compact(), Err("1 comes before 2")),
        (&[(&[1, 2], &[0]), (&[1, 3], &[1])], WriteOptions::new(), Err("which comes first, 2 or 3")),
        (&[(&[1, 2], &[0]), (&[1, 3], &[1])], compact(), Ok(&[1, 3])),
        (&[(&[5], &[0]), (&[6], &[0])], compact(), Err("which comes first, 5 or 6")),
        // Repeated values cost nothing where each dictionary begins the written one.
        (&[(&[5, 6, 5], &[0, 1, 2]), (&[5, 6], &[1])], WriteOptions::new(), Ok(&[5, 6, 5])),
    ];
    for (case, options, expected) in table {
        let batches: Vec<RecordBatch> =
            case.iter().map(|(numbers, indices)| batch([ordered(numbers, indices)])).collect();
        let found = unified_values(&batches, options.clone());
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found, expected.iter().map(|n| Value::Int((*n).into())).collect::<Vec<_>>());
            }
            (Err(error), Err(expected)) => {
                let is_kind = matches!(
                    error.kind(),
                    IpcErrorKind::OppositeOrders { id: 0, .. } | IpcErrorKind::UnknownOrder { id: 0, .. }
                );
                assert!(is_kind && error.to_string().contains(expected), "{error}");
                assert!(error.to_string().starts_with("field `a`"), "{error}");
            }
            (found, expected) => panic!("{case:?}: {found:?}, {expected:?}"),
        }
    }
}

/// Lists of ordered numbers, dictionary-encoded; the lists that no batch uses have values that no batch uses.
#[test]
fn dictionaries_inside_of_dictionaries_keep_their_order() {
    let lists = |numbers: &[i32], indices: &[i8]| {
        let items = ordered(numbers, &(0..numbers.len() as i8).collect::<Vec<i8>>());
        let data_type = DataType::list(Field::new("item", items.data_type().clone()));
        let offsets = Buffer::from((0..=items.len() as i32).collect::<Vec<_>>());
        encoded(&Arc::new(array(data_type, items.len(), [offsets, Buffer::new()], vec![items])), indices)
    };
    let batches = [batch([lists(&[3, 5, 8], &[2])]), batch([lists(&[3, 5, 8], &[0])])];
    let schema = IpcSchema::from(batches[0].schema());
    for options in [WriteOptions::new(), compact()] {
        let options = options.with_unified_dictionaries(&schema, &batches).unwrap();
        for container in CONTAINERS {
            let bytes = write(container, &schema, &batches, options.clone()).unwrap();
            assert!(read(container, &bytes).iter().map(rows).eq(batches.iter().map(rows)));
        }
        let DictionaryPolicy::Unify(unified) = options.dictionaries() else { panic!("another policy") };
        let of = |id| unified.values(id).unwrap();
        let inner = (0..2).map(of).find(|of| *of.data_type() == DataType::Int32).unwrap();
        let numbers: Vec<i32> = inner.buffer(0).view::<i32>().unwrap()[..inner.len()].to_vec();
        assert!(numbers.is_sorted() && numbers.contains(&3) && numbers.contains(&8), "{numbers:?}");
    }
}

/// The number of values of the first ordered dictionary in the values of dictionaries.
fn n_ordered_values(array: &ArrayData) -> usize {
    let values = array.dictionary().map(|values| &**values);
    match (array.data_type().as_dictionary(), values) {
        (Some(dictionary), Some(values)) if dictionary.is_ordered() => values.len(),
        (_, values) => values.or(array.children().first()).map_or(0, n_ordered_values),
    }
}

/// Inside the values of a dictionary, what is beside an ordered dictionary or around it may be left out. The ordered
/// dictionary keeps all values, so that it agrees with that of the other batch.
#[test]
fn ordered_dictionaries_inside_of_dictionaries_keep_all_values() {
    let items = |order| column(order, &[10, 20, 30, 40], &[0, 3, 1, 2]);
    let [in_order, others] = [DictionaryOrder::Ordered, DictionaryOrder::Unordered].map(items);
    let texts = ["a text of its own", "b", "another long text", "d"].map(Some);
    let texts = Utf8ViewArray::from_iter(texts).into_data();
    let structs = |beside: Vec<ArrayData>| {
        let fields: Vec<Field> =
            beside.iter().map(|items| Field::new("a", items.data_type().clone())).collect();
        array(DataType::struct_(fields), 4, [Buffer::new(), Buffer::new()], beside)
    };
    let all_items = [
        in_order.clone(),
        structs(vec![in_order.clone()]),
        structs(vec![in_order.clone(), others]),
        structs(vec![in_order, texts]),
    ];
    for items in all_items {
        let item = Field::new("item", items.data_type().clone());
        let offsets = Buffer::from(vec![0_i32, 1, 2, 3, 4]);
        let sizes = Buffer::from(vec![1_i32; 4]);
        for (list_type, sizes) in
            [(DataType::list(item.clone()), Buffer::new()), (DataType::list_view(item), sizes)]
        {
            let lists = array(list_type, 4, [offsets.clone(), sizes], vec![items.clone()]);
            let (all, half) = (Arc::new(lists.clone()), Arc::new(lists.slice(0, 2)));
            for batches in [
                [batch([encoded(&half, &[0, 1])]), batch([encoded(&all, &[0, 1, 2, 3])])],
                [batch([encoded(&all, &[2])]), batch([encoded(&all, &[0])])],
                [batch([encoded(&all, &[0, 2])]), batch([encoded(&all, &[1, 3])])],
            ] {
                let schema = IpcSchema::from(batches[0].schema());
                let unified = compact().with_unified_dictionaries(&schema, &batches).unwrap();
                let delta = compact().with_dictionaries(DictionaryPolicy::Delta);
                for (options, container) in [(unified, Container::File), (delta, Container::Stream)] {
                    let bytes = write(container, &schema, &batches, options).unwrap();
                    let found = read(container, &bytes);
                    assert!(found.iter().map(rows).eq(batches.iter().map(rows)));
                    assert!(
                        found.iter().all(|batch| n_ordered_values(&batch.columns()[0]) == 4),
                        "{container:?}"
                    );
                }
            }
        }
    }
}

/// Random subsequences of one order, some values unused: the order always stays, or two values have none.
#[test]
fn random_dictionaries_keep_their_order() {
    let mut n_unified = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let some = |rng: &mut Rng| -> Vec<i32> {
            {
                let mut numbers: Vec<i32> = (0..20).collect();
                numbers.retain(|_| rng.below(3) > 0);
                numbers
            }
        };
        let batches: Vec<RecordBatch> = (0..1 + rng.below(5))
            .map(|_| {
                let numbers = some(&mut rng);
                let n = numbers.len().max(1);
                let indices: Vec<i8> = (0..rng.below(6)).map(|_| rng.below(n) as i8).collect();
                batch([ordered(&numbers, if numbers.is_empty() { &[] } else { &indices })])
            })
            .collect();
        let options = if rng.one_in(2) { compact() } else { WriteOptions::new() };
        match unified_values(&batches, options) {
            Ok(found) => {
                let numbers = found.iter().map(|value| match value {
                    Value::Int(number) => *number,
                    other => panic!("{other:?}"),
                });
                assert!(numbers.is_sorted_by(|a, b| a < b), "{seed}: {found:?}");
                n_unified += 1;
            }
            Err(error) => assert!(matches!(error.kind(), IpcErrorKind::UnknownOrder { .. }), "{error}"),
        }
    }
    assert!(n_unified > 200, "{n_unified}");
}

#[test]
fn values_that_no_batch_uses_are_left_out() {
    let thousand: Vec<i32> = (0..100).collect();
    for order in [DictionaryOrder::Ordered, DictionaryOrder::Unordered] {
        let batches = [&[70][..], &[3, -1]].map(|indices| batch([column(order, &thousand, indices)]));
        let expected = match order {
            DictionaryOrder::Ordered => [3, 70],
            DictionaryOrder::Unordered => [70, 3],
        };
        assert_eq!(unified_values(&batches, compact()).unwrap(), expected.map(Value::Int));
        assert_eq!(unified_values(&batches[..1], compact()).unwrap(), [Value::Int(70)]);
        let bounded = WriteOptions::new().with_unused_values(UnusedValues::Bounded);
        assert_eq!(unified_values(&batches, bounded).unwrap().len(), 2);
    }
}

/// A file of batches in memory has one dictionary, unless a policy says something else.
#[test]
fn files_in_memory_have_one_dictionary() {
    let two = [batch([all_of(&[1, 2])]), batch([all_of(&[9, 2, 8])])];
    let growing = [batch([all_of(&[1, 2])]), batch([all_of(&[1, 2, 3])])];
    for (batches, expected) in [(&two, "D0:4 B2 B3"), (&growing, "D0:3 B2 B3")] {
        let schema = batches[0].schema();
        let file = FileWriter::write_to_buffer(schema, batches).unwrap();
        assert_eq!(messages(Container::File, &file), expected);
        assert_eq!(FileWriter::write_to_vec(schema, batches).unwrap(), *file);
        assert!(read(Container::File, &file).iter().map(rows).eq(batches.iter().map(rows)));
        let compacted = FileWriter::write_to_buffer_with(schema, batches, compact()).unwrap();
        assert_eq!(messages(Container::File, &compacted), expected);
        let refused = FileWriter::write_to_buffer_with(schema, batches, options(DictionaryPolicy::Error));
        assert!(matches!(refused.unwrap_err().kind(), IpcErrorKind::ChangedDictionary { id: 0 }));
    }
    let deltas =
        FileWriter::write_to_buffer_with(two[0].schema(), &two, options(DictionaryPolicy::Delta)).unwrap();
    assert_eq!(messages(Container::File, &deltas), "D0:2 B2 d0:2 B3");
    // Fields that share an id.
    let columns = batch([all_of(&[1, 2]), all_of(&[2, 3])]);
    let shared = IpcSchema::try_with_dictionary_ids(Arc::clone(columns.schema()), [4, 4]).unwrap();
    let file = FileWriter::write_to_buffer(&shared, &[columns]).unwrap();
    assert_eq!(messages(Container::File, &file), "D4:3 B2");
    // Indices that do not fit are an error, and the file is not written with others.
    let many =
        [batch([all_of(&(0..100).collect::<Vec<_>>())]), batch([all_of(&(50..150).collect::<Vec<_>>())])];
    assert!(FileWriter::write_to_buffer(many[0].schema(), &many).is_err());
}
