//! Writing by a policy, and what came of it.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{
    DictionaryPolicy, Endianness, FileReader, IpcError, IpcErrorKind, IpcSchema, Limits, MessageScan,
    StreamReader, WriteOptions, dictionary::UnifiedDictionaries, message::Header,
};
use arrow_schema::{DataType, IndexType};
use arrow_select::SelectErrorKind;
use testing_support::{Rng, ints, rows};

pub(crate) use crate::containers::{CONTAINERS, Container, Encoder};

/// Everything that is written, or the first refusal.
pub(crate) fn write(
    container: Container,
    schema: &IpcSchema,
    batches: &[RecordBatch],
    options: WriteOptions,
) -> Result<Buffer, IpcError> {
    let mut encoder = Encoder::try_new(container, schema, options)?;
    let mut bytes = Vec::new();
    for batch in batches {
        encoder.encode(batch)?.write_to(&mut bytes).unwrap();
    }
    encoder.finish()?.write_to(&mut bytes).unwrap();
    Ok(Buffer::from(bytes))
}

pub(crate) fn options(policy: DictionaryPolicy) -> WriteOptions {
    WriteOptions::new().with_dictionaries(policy)
}

pub(crate) fn unified(schema: &IpcSchema, batches: &[RecordBatch]) -> DictionaryPolicy {
    DictionaryPolicy::Unify(UnifiedDictionaries::try_from_batches(schema, batches).unwrap())
}

/// The messages after the schema: `B` for a batch, `D` for a dictionary, `d` for a delta, with id and rows.
pub(crate) fn messages(container: Container, bytes: &Buffer) -> String {
    let limits = Limits::default();
    let mut scan = match container {
        Container::Stream => MessageScan::try_new(bytes.clone(), 0..u64::MAX, limits.clone()).unwrap(),
        Container::File => MessageScan::try_from_file(bytes.clone(), limits.clone()).unwrap(),
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

pub(crate) fn dictionary_type(value: &DataType) -> DataType {
    DataType::dictionary(IndexType::Int8, value.clone()).unwrap()
}

/// Values by indices; `-1` is a null.
pub(crate) fn encoded(values: &Arc<ArrayData>, indices: &[i8]) -> ArrayData {
    encoded_as(dictionary_type(values.data_type()), values, indices)
}

pub(crate) fn encoded_as(data_type: DataType, values: &Arc<ArrayData>, indices: &[i8]) -> ArrayData {
    ArrayData::try_new(ArrayParts {
        validity: Some(indices.iter().map(|index| *index >= 0).collect::<Bitmap>()),
        buffers: [Buffer::from(indices.to_vec()), Buffer::new()],
        dictionary: Some(Arc::clone(values)),
        ..ArrayParts::new(data_type, indices.len())
    })
    .unwrap()
}

/// A column by all indices of these values.
pub(crate) fn all_of(numbers: &[i32]) -> ArrayData {
    let indices: Vec<i8> = (0..numbers.len() as i8).collect();
    encoded(&Arc::new(ints(numbers.iter().copied())), &indices)
}

pub(crate) fn batch(columns: impl IntoIterator<Item = ArrayData>) -> RecordBatch {
    let names = ["a", "b", "c"];
    RecordBatch::try_from_columns(names.into_iter().zip(columns)).unwrap()
}

/// The results of this crate's readers.
pub(crate) fn read(container: Container, bytes: &Buffer) -> Vec<RecordBatch> {
    let strict = |batch: Result<RecordBatch, IpcError>| batch.unwrap().validate(Validation::Strict).unwrap();
    match container {
        Container::Stream => {
            crate::streams_at_random::check("written", bytes, &mut Rng::new(bytes.len() as u64));
            StreamReader::try_new(bytes.as_slice()).unwrap().map(strict).collect()
        }
        Container::File => {
            FileReader::try_from_buffer(bytes.clone()).unwrap().batches().map(strict).collect()
        }
    }
}

/// Writes and reads; or gives the refusal of the writer.
pub(crate) fn check_read(
    name: &str,
    schema: &IpcSchema,
    batches: &[RecordBatch],
    policy: DictionaryPolicy,
) -> Result<(), IpcError> {
    let expected: Vec<_> = batches.iter().map(rows).collect();
    for container in CONTAINERS {
        for endianness in [Endianness::Little, Endianness::Big] {
            let options = options(policy.clone()).with_endianness(endianness);
            let bytes = write(container, schema, batches, options)?;
            let read = read(container, &bytes);
            assert!(read.iter().map(rows).eq(expected.iter().cloned()), "{name}, {container:?}");
        }
    }
    Ok(())
}

/// Ordered dictionaries cannot be joined, which is said.
pub(crate) fn is_about_order(error: &IpcError) -> bool {
    match error.kind() {
        IpcErrorKind::OppositeOrders { .. } | IpcErrorKind::UnknownOrder { .. } => true,
        IpcErrorKind::Select(error) => *error.kind() == SelectErrorKind::OrderedDictionaries,
        _ => false,
    }
}
