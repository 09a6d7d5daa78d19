//! What is written when dictionaries change, by each policy, and what a reader makes of it.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataErrorKind, Level, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, DictionaryUnifier, Encoded, Endianness, FileEncoder, FileReader, Header, IpcError,
    IpcErrorKind, IpcSchema, Limits, MessageScan, StreamEncoder, StreamReader, UnifiedDictionaries,
    WriteOptions,
};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType, Schema};
use testing_support::{Generator, Value, all_types, array, ints, rows, values};

/// What is written into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Stream,
    File,
}

const PLACES: [Place; 2] = [Place::Stream, Place::File];

enum Encoder {
    Stream(Box<StreamEncoder>),
    File(Box<FileEncoder>),
}

impl Encoder {
    fn new(place: Place, schema: &IpcSchema, options: WriteOptions) -> Encoder {
        match place {
            Place::Stream => Encoder::Stream(Box::new(StreamEncoder::new(schema, options).unwrap())),
            Place::File => Encoder::File(Box::new(FileEncoder::new(schema, options).unwrap())),
        }
    }

    fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>, IpcError> {
        match self {
            Encoder::Stream(encoder) => encoder.encode(batch),
            Encoder::File(encoder) => encoder.encode(batch),
        }
    }

    fn finish(&mut self) -> Encoded<'_> {
        match self {
            Encoder::Stream(encoder) => encoder.finish().unwrap(),
            Encoder::File(encoder) => encoder.finish().unwrap(),
        }
    }
}

/// Everything that is written, or the first refusal.
fn write(
    place: Place,
    schema: &IpcSchema,
    batches: &[RecordBatch],
    options: WriteOptions,
) -> Result<Buffer, IpcError> {
    let mut encoder = Encoder::new(place, schema, options);
    let mut bytes = Vec::new();
    for batch in batches {
        encoder.encode(batch)?.write_to(&mut bytes).unwrap();
    }
    encoder.finish().write_to(&mut bytes).unwrap();
    Ok(Buffer::from(bytes))
}

fn options(policy: DictionaryPolicy) -> WriteOptions {
    WriteOptions::new().with_dictionaries(policy)
}

fn unified(schema: &IpcSchema, batches: &[RecordBatch]) -> DictionaryPolicy {
    DictionaryPolicy::Unify(UnifiedDictionaries::of(schema, batches).unwrap())
}

/// The messages behind the schema: `B` for a batch, `D` for a dictionary, `d` for a delta, with id and rows.
fn messages(place: Place, bytes: &Buffer) -> String {
    let limits = Limits::default();
    let mut scan = match place {
        Place::Stream => MessageScan::new(bytes.clone(), 0..u64::MAX, limits.clone()).unwrap(),
        Place::File => MessageScan::of_file(bytes.clone(), limits.clone()).unwrap(),
    };
    let mut found = Vec::new();
    while let Some(message) = scan.next_message().unwrap() {
        match message.header(&limits).unwrap() {
            Header::DictionaryBatch { id, is_delta, batch } => {
                found.push(format!("{}{id}:{}", if is_delta { 'd' } else { 'D' }, batch.n_rows()));
            }
            Header::RecordBatch(batch) => found.push(format!("B{}", batch.n_rows())),
            _ => {}
        }
    }
    found.join(" ")
}

/// The rows of a single column `dictionary<int8, int32>` with id 0, read by hand: each dictionary message has validity
/// and values, each batch validity and indices, and deltas follow what is there. In files batches come last.
fn rows_by_hand(place: Place, bytes: &Buffer) -> Vec<Option<i32>> {
    let limits = Limits::default();
    let mut scan = match place {
        Place::Stream => MessageScan::new(bytes.clone(), 0..u64::MAX, limits.clone()).unwrap(),
        Place::File => MessageScan::of_file(bytes.clone(), limits.clone()).unwrap(),
    };
    let (mut dictionary, mut found) = (Vec::new(), Vec::new());
    while let Some(message) = scan.next_message().unwrap() {
        let start = message.body_position() as usize;
        let body = &bytes[start..start + message.n_body_bytes() as usize];
        let slots = |batch: &arrow_ipc::BatchHeader, width: usize| -> Vec<Option<i32>> {
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

fn dictionary_type(value: &DataType) -> DataType {
    DataType::dictionary(IndexType::Int8, value.clone()).unwrap()
}

/// Values by indices; `-1` is a null.
fn encoded(values: &Arc<ArrayData>, indices: &[i8]) -> ArrayData {
    encoded_as(dictionary_type(values.data_type()), values, indices)
}

fn encoded_as(data_type: DataType, values: &Arc<ArrayData>, indices: &[i8]) -> ArrayData {
    ArrayData::try_new(ArrayParts {
        validity: Some(indices.iter().map(|index| *index >= 0).collect::<Bitmap>()),
        buffers: [Buffer::from(indices.to_vec()), Buffer::new()],
        dictionary: Some(Arc::clone(values)),
        ..ArrayParts::new(data_type, indices.len())
    })
    .unwrap()
}

/// A column by all indices of these values.
fn all_of(numbers: &[i32]) -> ArrayData {
    let indices: Vec<i8> = (0..numbers.len() as i8).collect();
    encoded(&Arc::new(ints(numbers.iter().copied())), &indices)
}

fn batch(columns: impl IntoIterator<Item = ArrayData>) -> RecordBatch {
    let names = ["a", "b", "c"];
    RecordBatch::try_from_columns(names.into_iter().zip(columns)).unwrap()
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
            "values that are there twice",
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
            [
                "D0:2 B2 D0:2 B2 B2",
                "D0:0 B2 d0:2 B2 B2",
                "D0:2 B2 B2 B2",
                "B2 D0:2 B2 B2",
                "D0:2 B2 B2 B2",
            ],
        ),
        (
            "never a valid index",
            vec![nulls],
            ["D0:2 B2", "D0:0 B2", "D0:2 B2", "B2 D0:2", "D0:2 B2"],
        ),
    ];
    for (name, columns, expected) in table {
        let batches: Vec<RecordBatch> = columns.into_iter().map(|column| batch([column])).collect();
        let schema = IpcSchema::from(Schema::new([Field::new("a", dictionary_type(&DataType::Int32))]));
        let unified = || unified(&schema, &batches);
        let [replace, delta, unify, file_delta, file_unify] = expected;
        for (place, policy, expected) in [
            (Place::Stream, DictionaryPolicy::Replace, replace),
            (Place::Stream, DictionaryPolicy::Delta, delta),
            (Place::Stream, unified(), unify),
            (Place::File, DictionaryPolicy::Delta, file_delta),
            (Place::File, unified(), file_unify),
        ] {
            let what = format!("{name}, {place:?}, {policy:?}");
            let bytes = write(place, &schema, &batches, options(policy)).expect(&what);
            assert_eq!(messages(place, &bytes), expected, "{what}");
            assert_eq!(rows_by_hand(place, &bytes), numbers(&batches), "{what}");
        }
        // A change is refused where it would have to be replaced, and where the policy says so.
        let n_replaced = replace.matches('D').count().saturating_sub(1);
        for (place, policy) in [
            (Place::File, DictionaryPolicy::Replace),
            (Place::File, DictionaryPolicy::Error),
            (Place::Stream, DictionaryPolicy::Error),
        ] {
            let is_refused = n_replaced > usize::from(name == "no valid index at first" && place == Place::File);
            let written = write(place, &schema, &batches, options(policy.clone()));
            assert_eq!(written.is_err(), is_refused, "{name}, {place:?}, {policy:?}");
            let Err(error) = written else { continue };
            let is_known = match (policy, error.kind()) {
                (DictionaryPolicy::Replace, IpcErrorKind::ReplacedDictionary { id: 0 }) => {
                    error.to_string().contains("`Delta`") && error.to_string().contains("`Unify`")
                }
                (DictionaryPolicy::Error, IpcErrorKind::ChangedDictionary { id: 0 }) => true,
                _ => false,
            };
            assert!(is_known && error.to_string().starts_with("field `a`"), "{name}: {error}");
        }
    }
}

/// What our own readers make of it.
fn read(place: Place, bytes: &Buffer) -> Vec<RecordBatch> {
    let strict = |batch: Result<RecordBatch, IpcError>| batch.unwrap().validate(Level::Strict).unwrap();
    match place {
        Place::Stream => StreamReader::new(bytes.as_slice()).unwrap().map(strict).collect(),
        Place::File => FileReader::from_buffer(bytes.clone()).unwrap().batches().map(strict).collect(),
    }
}

/// Writes and reads; or gives the refusal of the writer.
fn check_read(
    name: &str,
    schema: &IpcSchema,
    batches: &[RecordBatch],
    policy: DictionaryPolicy,
) -> Result<(), IpcError> {
    for place in PLACES {
        for endianness in [Endianness::Little, Endianness::Big] {
            let options = options(policy.clone()).with_endianness(endianness);
            let bytes = write(place, schema, batches, options)?;
            let read = read(place, &bytes);
            assert!(read.iter().map(rows).eq(batches.iter().map(rows)), "{name}, {place:?}");
        }
    }
    Ok(())
}

/// Ordered dictionaries cannot be joined, which is said.
fn is_about_order(error: &IpcError) -> bool {
    matches!(error.kind(), IpcErrorKind::Data(error) if *error.kind() == DataErrorKind::OrderedDictionaries)
}

/// Types may have small or ordered dictionaries inside.
fn is_full(error: &IpcError) -> bool {
    is_about_order(error)
        || matches!(error.kind(), IpcErrorKind::Data(error) if matches!(error.kind(), DataErrorKind::IndexOverflow { .. }))
}

/// Batches of dictionaries with values of every type, those inside of lists too.
fn of_every_type(mut check: impl FnMut(&str, &IpcSchema, &[RecordBatch]) -> Result<(), IpcError>) {
    for (seed, (name, value)) in all_types().into_iter().enumerate() {
        let Ok(data_type) = DataType::dictionary(IndexType::UInt16, value.clone()) else {
            assert!(value.as_dictionary().is_some(), "{name}");
            continue;
        };
        let lists = DataType::list(Field::new("item", data_type.clone()));
        let schema = Schema::new([Field::new("a", data_type), Field::new("b", lists)]);
        let mut batches = Generator::new(seed as u64).batches(&schema, &[9, 30, 0, 50, 1]);
        batches.insert(1, batches[0].slice(3, 5));
        batches.push(batches[4].clone());
        let schema = IpcSchema::from(schema);
        // Where all of them do not fit, some do.
        let mut n_batches = [7, 3, 2].into_iter();
        while let Some(n) = n_batches.next() {
            match check(&name, &schema, &batches[..n]) {
                Ok(()) => break,
                Err(error) => assert!(n > 2 && is_full(&error), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn values_of_every_type() {
    of_every_type(|name, schema, batches| {
        let unified = UnifiedDictionaries::of(schema, batches)?;
        check_read(name, schema, batches, DictionaryPolicy::Unify(unified))
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
    let shared = IpcSchema::with_dictionary_ids(fields, [0, 7, 7]).unwrap();
    for (schema, stream, file) in [
        (
            &own_ids,
            "D1:2 D0:2 D2:1 B2 d1:1 d0:1 B3 d2:2 B2",
            "D1:2 D0:2 D2:1 B2 d1:1 d0:1 B3 d2:2 B2",
        ),
        (&shared, "D7:2 D0:2 d7:1 B2 d7:1 d0:1 B3 d7:1 B2", "D7:2 D0:2 d7:1 B2 d7:1 d0:1 B3 d7:1 B2"),
    ] {
        for (place, expected) in [(Place::Stream, stream), (Place::File, file)] {
            let bytes = write(place, schema, &batches, options(DictionaryPolicy::Delta)).unwrap();
            assert_eq!(messages(place, &bytes), expected, "{place:?}");
        }
        check_read("nested", schema, &batches, unified(schema, &batches)).unwrap();
    }
}

#[test]
fn fields_that_share_an_id_are_joined() {
    let schema = |columns: &RecordBatch| IpcSchema::with_dictionary_ids(Arc::clone(columns.schema()), [4, 4]);
    let batches =
        [batch([all_of(&[1, 2]), all_of(&[2, 3])]), batch([all_of(&[4, 3]), all_of(&[1, 2, 3, 4, 5]).slice(3, 2)])];
    let schema = schema(&batches[0]).unwrap();
    let error = write(Place::Stream, &schema, &batches, WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::SharedDictionaryValues { id: 4 }), "{error}");
    let bytes = write(Place::Stream, &schema, &batches, options(DictionaryPolicy::Delta)).unwrap();
    assert_eq!(messages(Place::Stream, &bytes), "D4:2 d4:1 B2 d4:1 d4:1 B2");
    let policy = unified(&schema, &batches);
    let DictionaryPolicy::Unify(unified) = &policy else { panic!("another policy") };
    assert_eq!(values(unified.values(4).unwrap()), [1, 2, 3, 4, 5].map(Value::Int));
    assert!(unified.values(5).is_none());
    check_read("shared", &schema, &batches, policy).unwrap();
}

#[test]
fn what_does_not_fit_is_refused_and_forgotten() {
    let (first, second): (Vec<i32>, Vec<i32>) = ((0..100).collect(), (50..180).collect());
    let (first, second) = (all_of(&first), encoded(&Arc::new(ints(second)), &[0, 77, 77, 78]));
    let fields = [Field::new("a", first.data_type().clone()), Field::new("text", DataType::Utf8)];
    let schema = IpcSchema::from(Schema::new(fields));
    let batch = |column: &ArrayData, last: i32| {
        let offsets = (0..column.len() as i32).chain([last]).collect::<Vec<_>>();
        let text = array(DataType::Utf8, column.len(), [offsets.into(), Buffer::from(vec![b'x'; 300])], vec![]);
        RecordBatch::try_new(Arc::clone(schema.schema()), vec![column.clone(), text]).unwrap()
    };
    for place in PLACES {
        let mut encoder = Encoder::new(place, &schema, options(DictionaryPolicy::Delta));
        let mut bytes = Vec::new();
        encoder.encode(&batch(&first, 100)).unwrap().write_to(&mut bytes).unwrap();
        // The value at 78 is the first that 7 bits do not reach.
        let error = encoder.encode(&batch(&second, 4)).unwrap_err();
        let IpcErrorKind::Data(kind) = error.kind() else { panic!("{error}") };
        assert_eq!(
            kind.kind(),
            &DataErrorKind::IndexOverflow { index_type: DataType::Int8, n_values: 129 },
            "{error}"
        );
        assert!(error.to_string().starts_with("field `a`"), "{error}");
        // So is a batch that is wrong elsewhere, after its dictionary was looked at.
        assert!(encoder.encode(&batch(&all_of(&[7, 1000]), 999)).is_err());
        // Nothing of them is there: the next value is the 101st.
        let third = encoded(&Arc::new(ints([99, -5])), &[1, 0]);
        encoder.encode(&batch(&third, 2)).unwrap().write_to(&mut bytes).unwrap();
        encoder.encode(&batch(&second.slice(0, 1), 1)).unwrap().write_to(&mut bytes).unwrap();
        encoder.finish().write_to(&mut bytes).unwrap();
        assert_eq!(messages(place, &bytes.into()), "D0:100 B100 d0:1 B2 d0:80 B1");
    }
}

#[test]
fn orders_that_have_a_meaning_are_kept() {
    let ordered =
        DictionaryType::new(IndexType::Int8, DataType::Int32, DictionaryOrder::Ordered).unwrap();
    let ordered = DataType::Dictionary(Arc::new(ordered));
    let column = |numbers: &[i32]| {
        let indices: Vec<i8> = (0..numbers.len() as i8).collect();
        encoded_as(ordered.clone(), &Arc::new(ints(numbers.iter().copied())), &indices)
    };
    let batches = [[1, 2].as_slice(), &[1, 2, 3], &[1], &[2, 1]].map(|numbers| batch([column(numbers)]));
    let schema = IpcSchema::from(batches[0].schema());
    for place in PLACES {
        let bytes = write(place, &schema, &batches[..3], options(DictionaryPolicy::Delta)).unwrap();
        assert_eq!(messages(place, &bytes), "D0:2 B2 d0:1 B3 B1");
        let error = write(place, &schema, &batches, options(DictionaryPolicy::Delta)).unwrap_err();
        assert!(is_about_order(&error) && error.to_string().starts_with("field `a`"), "{error}");
    }
    let mut unifier = DictionaryUnifier::new(&schema).unwrap();
    for batch in &batches {
        assert_eq!(unifier.look_at(batch).is_err(), rows(batch)[0] == [Value::Int(2)]);
    }
    // What was refused is not there.
    let unified = unifier.finish().unwrap();
    assert_eq!(values(unified.values(0).unwrap()), [1, 2, 3].map(Value::Int));
}

#[test]
fn batches_that_were_not_looked_at_are_refused() {
    let batches = [batch([all_of(&[1, 2])]), batch([all_of(&[2, 3])])];
    let schema = IpcSchema::from(batches[0].schema());
    let only_first = UnifiedDictionaries::of(&schema, &batches[..1]).unwrap();
    for place in PLACES {
        let mut encoder =
            Encoder::new(place, &schema, options(DictionaryPolicy::Unify(only_first.clone())));
        let error = encoder.encode(&batches[1]).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::NotUnified { id: 0 }), "{error}");
        assert!(error.to_string().starts_with("field `a`"), "{error}");
        let mut bytes = Vec::new();
        encoder.encode(&batches[0]).unwrap().write_to(&mut bytes).unwrap();
        encoder.encode(&batch([encoded(&Arc::new(ints([2])), &[0, -1])])).unwrap().write_to(&mut bytes).unwrap();
        encoder.finish().write_to(&mut bytes).unwrap();
        let bytes = Buffer::from(bytes);
        assert_eq!(messages(place, &bytes), "D0:2 B2 B2");
        assert_eq!(rows_by_hand(place, &bytes), [Some(1), Some(2), Some(2), None]);
    }
    // Of another schema.
    let other = IpcSchema::with_dictionary_ids(Arc::clone(schema.schema()), [3]).unwrap();
    let error = StreamEncoder::new(other, options(DictionaryPolicy::Unify(only_first.clone()))).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::NotUnified { id: 3 }), "{error}");
    let text = Schema::new([Field::new("a", dictionary_type(&DataType::Utf8))]);
    assert!(StreamEncoder::new(text, options(DictionaryPolicy::Unify(only_first))).is_err());
    let mut unifier = DictionaryUnifier::new(&schema).unwrap();
    assert!(unifier.look_at(&batch([ints([1])])).is_err());
}

#[test]
fn dictionaries_that_are_the_same_are_not_looked_at() {
    // Looked at for each batch, ten billion values take minutes.
    let large = Arc::new(ints(0..1 << 20).validate(Level::Content).unwrap());
    let other = Arc::new(ints((0..1 << 20).rev()).validate(Level::Content).unwrap());
    let copy = Arc::new(ArrayData::clone(&large));
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).unwrap();
    let batch = |values: &Arc<ArrayData>| {
        let column = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![5_i32]), Buffer::new()],
            dictionary: Some(Arc::clone(values)),
            ..ArrayParts::new(data_type.clone(), 1)
        });
        RecordBatch::try_from_columns([("a", column.unwrap())]).unwrap()
    };
    let (large, other, copy) = (batch(&large), batch(&other), batch(&copy));
    let schema = IpcSchema::from(large.schema());
    let unified = unified(&schema, &[large.clone(), other.clone()]);
    for policy in [DictionaryPolicy::Error, DictionaryPolicy::Replace, DictionaryPolicy::Delta, unified] {
        for place in PLACES {
            let grows = matches!(policy, DictionaryPolicy::Delta | DictionaryPolicy::Unify(_));
            let mut encoder = Encoder::new(place, &schema, options(policy.clone()));
            for n in 0..5000 {
                // Two that are the same, in turns; where others may come, with one of other values.
                let batches = [&large, &copy, if grows { &other } else { &large }];
                let n_dictionaries = encoder.encode(batches[n % 3]).unwrap().messages().len() - 1;
                let n_expected = if n == 0 { 1 } else { 0 };
                assert!(n < 2 && n_dictionaries <= 2 || n_dictionaries == n_expected, "{policy:?} {n}");
            }
        }
    }
}

#[test]
fn a_dictionary_of_dictionaries_is_refused_with_its_reason() {
    let inner = dictionary_type(&DataType::Utf8);
    let error = DataType::dictionary(IndexType::Int8, inner).unwrap_err();
    assert!(error.to_string().contains("dictionary"), "{error}");
}
