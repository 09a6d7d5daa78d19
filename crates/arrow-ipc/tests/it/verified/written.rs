//! All kinds of output: every type, dictionaries, metadata, wide and deep schemas.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, IpcSchema, Limits, MessageScan, StreamWriter, WriteOptions,
    message::{Header, Message},
};
use arrow_ipc_tensor::{
    AnyTensor, SparseTensor, SparseTensorIndex, SparseTensorParts, Tensor, TensorDim, TensorWriter,
    WriteTensor as _,
};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType, Schema, TimeUnit};
use testing_support::{Generator, Nulls, all_types, schema_of_all_types};

use super::walk::{Counts, check, check_streams, n_ways, n_ways_of_v5, odd_metadata, verified, write};
use crate::containers::Container;

fn assert_counts(counts: &Counts, expected: &[(&str, usize)]) {
    let found: Vec<(&str, usize)> = counts.iter().map(|(kind, n)| (kind.as_str(), *n)).collect();
    assert_eq!(found, expected);
}

/// A batch of a schema, and slices of it.
fn slices(batch: &RecordBatch) -> Vec<RecordBatch> {
    let ranges = [(0, 0), (3, 21), (17, 1), (0, batch.n_rows())];
    ranges.map(|(start, n_rows)| batch.slice(start, n_rows)).into()
}

#[test]
fn every_type() {
    let mut counts = Counts::new();
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Schema::new([Field::new(&*name, data_type)]);
        for nulls in Nulls::ALL {
            let batch = Generator::new(seed as u64).batch(&schema, 40, nulls);
            for (kind, n) in check(&name, schema.clone(), &slices(&batch)) {
                *counts.entry(kind).or_default() += n;
            }
        }
    }
    for kind in ["Schema", "DictionaryBatch", "RecordBatch", "Footer"] {
        assert!(counts.get(kind).is_some_and(|n| *n >= 1_000), "{kind}: {counts:?}");
    }
}

#[test]
fn all_types_in_one_batch() {
    let schema = Arc::new(schema_of_all_types());
    for nulls in Nulls::ALL {
        let batch = Generator::new(7).batch(&schema, 40, nulls);
        check("all types", Arc::clone(&schema), &slices(&batch));
    }
    check("all types, no batches", Arc::clone(&schema), &[]);
    // Dictionaries are replaced.
    check_streams(
        "all types again",
        Arc::clone(&schema),
        &Generator::new(8).batches(&schema, &[10, 0, 20, 30]),
    );
}

#[test]
fn without_columns() {
    let batch = |n_rows| RecordBatch::try_new_with_rows(Schema::default(), vec![], n_rows).unwrap();
    let counts = check("no columns", Schema::default(), &[batch(0), batch(3), batch(1 << 40)]);
    // In each way: six batches, in a stream and in a file.
    let n = n_ways();
    assert_counts(&counts, &[("Footer", n), ("RecordBatch", 12 * n), ("Schema", 2 * n)]);
    assert_counts(&check("nothing", Schema::default(), &[]), &[("Footer", n), ("Schema", 2 * n)]);
}

#[test]
fn dictionaries() {
    let words = |index| DataType::dictionary(index, DataType::Utf8View).unwrap();
    let lists = DataType::list(Field::new("item", words(IndexType::UInt8)).required());
    let lists = DictionaryType::try_new(IndexType::Int64, lists, DictionaryOrder::Ordered).unwrap();
    // In pre-order: `a`, `b`, `c` and the words inside of `c`.
    let fields = [("a", words(IndexType::Int8)), ("b", words(IndexType::Int8)), ("c", DataType::from(lists))];
    let schema = Schema::new(fields.map(|(name, data_type)| Field::new(name, data_type)));
    let batch = Generator::new(5).batch(&schema, 40, Nulls::Some);
    let same = RecordBatch::try_new(
        schema.clone(),
        [batch.columns()[0].clone(), batch.columns()[0].clone(), batch.columns()[2].clone()],
    );
    let same = same.unwrap();
    for (ids, batch, n_dictionaries) in [
        ([0, 1, 2, 3], batch.clone(), 4),
        ([i64::MAX, i64::MIN, -1, 0], batch, 4),
        // `a` and `b` share theirs.
        ([7, 7, 2, 3], same, 3),
    ] {
        let name = format!("{ids:?}");
        let schema = IpcSchema::try_with_dictionary_ids(schema.clone(), ids).unwrap();
        let counts = check(&name, schema.clone(), std::slice::from_ref(&batch));
        // In each way in a stream and in a file, and the words are views, which are younger than V4.
        assert_eq!(counts["DictionaryBatch"], 2 * n_ways_of_v5() * n_dictionaries, "{name}");
        check(&name, schema, &slices(&batch));
    }
}

#[test]
fn deltas() {
    let words = DataType::dictionary(IndexType::Int32, DataType::Utf8View).unwrap();
    let lists = DataType::list(Field::new("item", words.clone()));
    let nested = DataType::dictionary(IndexType::Int32, lists).unwrap();
    let schema = Schema::new([Field::new("words", words), Field::new("nested", nested)]);
    let batches = Generator::new(6).batches(&schema, &[40, 41, 42, 43]);
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let written = write(Container::Stream, &schema.into(), &batches, &options).unwrap();
    let scan = MessageScan::try_new(written.bytes.clone(), 0..u64::MAX, Limits::default()).unwrap();
    let is_delta = |message: &Message| {
        let header = message.header(&Limits::default()).unwrap();
        matches!(header, Header::DictionaryBatch { is_delta: true, .. })
    };
    let n_deltas = verified("deltas", scan).iter().filter(|message| is_delta(message)).count();
    assert!(n_deltas >= 4, "{n_deltas}");
}

/// Dense, and sparse with each kind of index, alone and after the schema of a stream.
#[test]
fn tensors() {
    let indices = [
        SparseTensorIndex::coo(IndexType::Int64),
        SparseTensorIndex::Coo {
            indices_type: IndexType::UInt8,
            indices_strides: Some([1, 2]),
            is_canonical: true,
        },
        SparseTensorIndex::csr(IndexType::Int32, IndexType::UInt16),
        SparseTensorIndex::csc(IndexType::UInt32, IndexType::Int8),
        SparseTensorIndex::csf(IndexType::Int16, IndexType::Int64, [1, 0]),
    ];
    let shape = || vec![TensorDim::new(0).with_name("строки"), TensorDim::new(3)];
    // Zeros are the index of no values.
    let sparse = indices.map(|index| {
        let n_index_bytes: &[usize] = match &index {
            SparseTensorIndex::Coo { .. } => &[0],
            SparseTensorIndex::Csx { .. } => &[64, 0],
            SparseTensorIndex::Csf { .. } => &[2, 0, 0],
        };
        let parts = SparseTensorParts {
            data_type: DataType::decimal128(38, 3).unwrap(),
            shape: shape(),
            non_zero_length: 0,
            index,
            index_buffers: n_index_bytes.iter().map(|n_bytes| Buffer::zeroed(*n_bytes)).collect(),
            data: Buffer::new(),
        };
        AnyTensor::from(SparseTensor::try_new(parts).unwrap())
    });
    let data_type = DataType::timestamp_with_zone(TimeUnit::Second, "UTC");
    let dense = Tensor::try_new_strided(data_type, shape(), vec![24, 8], Buffer::zeroed(24)).unwrap();
    let tensors = || [AnyTensor::from(dense.clone())].into_iter().chain(sparse.clone());

    let mut writer = TensorWriter::new(Vec::new());
    let mut stream = StreamWriter::try_new(Vec::new(), Schema::default()).unwrap();
    for tensor in tensors() {
        writer.write(&tensor).unwrap();
        writer.write_with_metadata(&tensor, &odd_metadata()).unwrap();
        stream.write_tensor(&tensor, &odd_metadata()).unwrap();
    }
    for (bytes, n_messages) in [(writer.finish().unwrap(), 12), (stream.finish().unwrap(), 7)] {
        let scan = MessageScan::try_new(Buffer::from(bytes), 0..u64::MAX, Limits::default()).unwrap();
        assert_eq!(verified("tensors", scan).len(), n_messages);
    }
}

/// Strings of all lengths move what is written before and after them.
#[test]
fn strings_of_every_length() {
    for n_bytes in 0..=70 {
        let text = "x".repeat(n_bytes);
        let zoned = DataType::Timestamp(TimeUnit::Nanosecond, Some(text.as_str().into()));
        let metadata = odd_metadata().with(text.as_str(), text.as_str());
        let fields = [
            Field::new(text.as_str(), DataType::Boolean),
            Field::new("t", zoned).with_metadata(metadata.clone()),
            Field::new("ж".repeat(n_bytes), DataType::list(Field::new(text.as_str(), DataType::Int64))),
        ];
        for n_fields in 0..=fields.len() {
            let schema = Schema::new(fields[..n_fields].to_vec()).with_metadata(metadata.clone());
            check(&format!("{n_fields} fields, strings of {n_bytes}"), schema, &[]);
        }
    }
}

#[test]
fn wide_schemas() {
    let types =
        [DataType::Utf8View, DataType::Null, DataType::Int32, DataType::LargeUtf8, DataType::BinaryView];
    for n_columns in [1, 2, 3, 10, 100, 1000, 10_000] {
        let field = |idx: usize| Field::new(format!("column {idx}"), types[idx % types.len()].clone());
        let schema = Schema::new((0..n_columns).map(field).collect::<Vec<_>>());
        let batch = Generator::new(n_columns as u64).batch(&schema, 3, Nulls::Some);
        let counts = check(&format!("{n_columns} columns"), schema, &[batch]);
        let n = n_ways_of_v5();
        assert_counts(&counts, &[("Footer", n), ("RecordBatch", 4 * n), ("Schema", 2 * n)]);
    }
}

#[test]
fn types_as_deep_as_readers_go() {
    let nested =
        |leaf: DataType| (1..64).fold(leaf, |data_type, _| DataType::list(Field::new("item", data_type)));
    let words = DataType::dictionary(IndexType::Int8, nested(DataType::Utf8)).unwrap();
    let inside = nested(DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap());
    for data_type in [nested(DataType::Int32), words, inside] {
        let column = ArrayData::new_empty(&data_type);
        let batch = RecordBatch::try_from_columns([("deep", column)]).unwrap();
        check(&data_type.to_string(), Arc::clone(batch.schema()), &[batch]);
    }
}
