//! A batch that a policy refuses leaves no trace.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, DataErrorKind, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, IpcErrorKind, IpcSchema, StreamEncoder,
    dictionary::{DictionaryUnifier, UnifiedDictionaries},
};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType, Schema};
use arrow_select::SelectErrorKind;
use testing_support::{Value, array, ints, values};

use super::harness::{
    CONTAINERS, Encoder, all_of, batch, dictionary_type, encoded, encoded_as, is_about_order, messages,
    options, write,
};
use super::table::rows_by_hand;

#[test]
fn what_does_not_fit_is_refused_and_forgotten() {
    let (first, second): (Vec<i32>, Vec<i32>) = ((0..100).collect(), (50..180).collect());
    let (first, second) = (all_of(&first), encoded(&Arc::new(ints(second)), &[0, 77, 77, 78]));
    let fields = [Field::new("a", first.data_type().clone()), Field::new("text", DataType::Utf8)];
    let schema = IpcSchema::from(Schema::new(fields));
    let batch = |column: &ArrayData, last: i32| {
        let offsets = (0..column.len() as i32).chain([last]).collect::<Vec<_>>();
        let text =
            array(DataType::Utf8, column.len(), [offsets.into(), Buffer::from(vec![b'x'; 300])], vec![]);
        RecordBatch::try_new(Arc::clone(schema.schema()), vec![column.clone(), text]).unwrap()
    };
    for container in CONTAINERS {
        let mut encoder = Encoder::try_new(container, &schema, options(DictionaryPolicy::Delta)).unwrap();
        let mut bytes = Vec::new();
        encoder.encode(&batch(&first, 100)).unwrap().write_to(&mut bytes).unwrap();
        // The value at 78 is the first that 7 bits do not reach.
        let error = encoder.encode(&batch(&second, 4)).unwrap_err();
        let IpcErrorKind::Select(kind) = error.kind() else { panic!("{error}") };
        assert_eq!(
            kind.kind(),
            &SelectErrorKind::IndexOverflow { index_type: DataType::Int8, n_values: 129 },
            "{error}"
        );
        assert!(error.to_string().starts_with("field `a`"), "{error}");
        // So is a batch that is wrong elsewhere, after its dictionary was looked at.
        assert!(encoder.encode(&batch(&all_of(&[7, 1000]), 999)).is_err());
        // Nothing of them is there: the next value is the 101st.
        let third = encoded(&Arc::new(ints([99, -5])), &[1, 0]);
        encoder.encode(&batch(&third, 2)).unwrap().write_to(&mut bytes).unwrap();
        encoder.encode(&batch(&second.slice(0, 1), 1)).unwrap().write_to(&mut bytes).unwrap();
        encoder.finish().unwrap().write_to(&mut bytes).unwrap();
        assert_eq!(messages(container, &bytes.into()), "D0:100 B100 d0:1 B2 d0:80 B1");
    }
}

/// An index that nobody has checked, of a dictionary whose values have other positions in what is written.
#[test]
fn indices_out_of_bounds_are_not_written_as_others() {
    let first = all_of(&[1, 2, 3]);
    for index in [3, 100] {
        let second = encoded(&Arc::new(ints([9, 3, 1])), &[0, index, 2]);
        let schema = IpcSchema::from(batch([first.clone()]).schema());
        for container in CONTAINERS {
            let batches = [batch([first.clone()]), batch([second.clone()])];
            let error = write(container, &schema, &batches, options(DictionaryPolicy::Delta)).unwrap_err();
            let IpcErrorKind::Data(kind) = error.kind() else { panic!("{error}") };
            let expected = DataErrorKind::IndexOutOfRange { index: index.into(), n_values: 3 };
            assert_eq!((kind.kind(), kind.slot()), (&expected, Some(1)), "{error}");
            assert!(error.to_string().starts_with("field `a`"), "{error}");
        }
    }
}

#[test]
fn orders_that_have_a_meaning_stay() {
    let ordered =
        DictionaryType::try_new(IndexType::Int8, DataType::Int32, DictionaryOrder::Ordered).unwrap();
    let ordered = DataType::Dictionary(Arc::new(ordered));
    let column = |numbers: &[i32]| {
        let indices: Vec<i8> = (0..numbers.len() as i8).collect();
        encoded_as(ordered.clone(), &Arc::new(ints(numbers.iter().copied())), &indices)
    };
    let batches = [[1, 2].as_slice(), &[1, 2, 3], &[1], &[2, 1]].map(|numbers| batch([column(numbers)]));
    let schema = IpcSchema::from(batches[0].schema());
    for container in CONTAINERS {
        let bytes = write(container, &schema, &batches[..3], options(DictionaryPolicy::Delta)).unwrap();
        assert_eq!(messages(container, &bytes), "D0:2 B2 d0:1 B3 B1");
        let error = write(container, &schema, &batches, options(DictionaryPolicy::Delta)).unwrap_err();
        assert!(is_about_order(&error) && error.to_string().starts_with("field `a`"), "{error}");
    }
    let error = UnifiedDictionaries::try_from_batches(&schema, &batches).unwrap_err();
    assert!(is_about_order(&error) && error.to_string().starts_with("field `a`"), "{error}");
    let mut unifier = DictionaryUnifier::try_new(&schema).unwrap();
    for batch in &batches[..3] {
        unifier.observe(batch).unwrap();
    }
    // What was refused is not there.
    assert!(unifier.observe(&batch([all_of(&[2, 1])])).is_err());
    let unified = unifier.finish().unwrap();
    assert_eq!(values(unified.values(0).unwrap()), [1, 2, 3].map(Value::Int));
}

#[test]
fn batches_that_were_not_looked_at_are_refused() {
    let batches = [batch([all_of(&[1, 2])]), batch([all_of(&[2, 3])])];
    let schema = IpcSchema::from(batches[0].schema());
    let only_first = UnifiedDictionaries::try_from_batches(&schema, &batches[..1]).unwrap();
    for container in CONTAINERS {
        let mut encoder =
            Encoder::try_new(container, &schema, options(DictionaryPolicy::Unify(only_first.clone())))
                .unwrap();
        let error = encoder.encode(&batches[1]).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::NotUnified { id: 0 }), "{error}");
        assert!(error.to_string().starts_with("field `a`"), "{error}");
        let mut bytes = Vec::new();
        encoder.encode(&batches[0]).unwrap().write_to(&mut bytes).unwrap();
        encoder
            .encode(&batch([encoded(&Arc::new(ints([2])), &[0, -1])]))
            .unwrap()
            .write_to(&mut bytes)
            .unwrap();
        encoder.finish().unwrap().write_to(&mut bytes).unwrap();
        let bytes = Buffer::from(bytes);
        assert_eq!(messages(container, &bytes), "D0:2 B2 B2");
        assert_eq!(rows_by_hand(container, &bytes), [Some(1), Some(2), Some(2), None]);
    }
    // Of another schema.
    let other = IpcSchema::try_with_dictionary_ids(Arc::clone(schema.schema()), [3]).unwrap();
    let error =
        StreamEncoder::try_new_with(other, options(DictionaryPolicy::Unify(only_first.clone()))).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::NotUnified { id: 3 }), "{error}");
    let text = Schema::new([Field::new("a", dictionary_type(&DataType::Utf8))]);
    assert!(StreamEncoder::try_new_with(text, options(DictionaryPolicy::Unify(only_first))).is_err());
    let mut unifier = DictionaryUnifier::try_new(&schema).unwrap();
    assert!(unifier.observe(&batch([ints([1])])).is_err());
}

#[test]
fn a_dictionary_of_dictionaries_is_refused_with_its_reason() {
    let inner = dictionary_type(&DataType::Utf8);
    let error = DataType::dictionary(IndexType::Int8, inner).unwrap_err();
    assert!(error.to_string().contains("cannot be a dictionary itself"), "{error}");
}
