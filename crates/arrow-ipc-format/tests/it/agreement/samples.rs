//! Metadata with every table and field of the format.

use super::fb;

pub(super) fn messages() -> Vec<fb::Message> {
    let message = |header, custom_metadata| fb::Message {
        version: fb::MetadataVersion::V5,
        header,
        body_length: 640,
        custom_metadata,
    };
    let batch = fb::RecordBatch {
        length: 3,
        nodes: Some(vec![
            fb::FieldNode { length: 3, null_count: 1 },
            fb::FieldNode { length: 3, null_count: -1 },
        ]),
        buffers: Some(vec![buffer(0), buffer(64), buffer(128)]),
        compression: Some(Box::new(fb::BodyCompression {
            codec: fb::CompressionType::Zstd,
            method: fb::BodyCompressionMethod::Buffer,
        })),
        variadic_buffer_counts: Some(vec![2, 0]),
    };
    let dictionary = fb::DictionaryBatch { id: 7, data: Some(Box::new(batch.clone())), is_delta: true };
    let shape =
        vec![fb::TensorDim { size: 3, name: Some("x".to_owned()) }, fb::TensorDim { size: 4, name: None }];
    let int = || Box::new(fb::Int { bit_width: 64, is_signed: true });
    let tensor = fb::Tensor {
        type_: fb::Type::Int(int()),
        shape: shape.clone(),
        strides: Some(vec![32, 8]),
        data: buffer(0),
    };
    let coo = fb::SparseTensorIndexCoo {
        indices_type: int(),
        indices_strides: Some(vec![16, 8]),
        indices_buffer: buffer(8),
        is_canonical: true,
    };
    let csx = fb::SparseMatrixIndexCsx {
        compressed_axis: fb::SparseMatrixCompressedAxis::Column,
        indptr_type: int(),
        indptr_buffer: buffer(0),
        indices_type: int(),
        indices_buffer: buffer(8),
    };
    let csf = fb::SparseTensorIndexCsf {
        indptr_type: int(),
        indptr_buffers: vec![buffer(0)],
        indices_type: int(),
        indices_buffers: vec![buffer(8), buffer(16)],
        axis_order: vec![1, 0],
    };
    let sparse = |sparse_index| {
        fb::MessageHeader::SparseTensor(Box::new(fb::SparseTensor {
            type_: fb::Type::FloatingPoint(Box::new(fb::FloatingPoint { precision: fb::Precision::Double })),
            shape: shape.clone(),
            non_zero_length: 2,
            sparse_index,
            data: buffer(64),
        }))
    };
    let headers = [
        fb::MessageHeader::Schema(Box::new(schema())),
        fb::MessageHeader::RecordBatch(Box::new(batch)),
        fb::MessageHeader::DictionaryBatch(Box::new(dictionary)),
        fb::MessageHeader::Tensor(Box::new(tensor)),
        sparse(fb::SparseTensorIndex::SparseTensorIndexCoo(Box::new(coo))),
        sparse(fb::SparseTensorIndex::SparseMatrixIndexCsx(Box::new(csx))),
        sparse(fb::SparseTensorIndex::SparseTensorIndexCsf(Box::new(csf))),
    ];
    let with_headers = headers.into_iter().map(|header| message(Some(header), metadata()));
    with_headers.chain([message(None, None), fb::Message::default()]).collect()
}

pub(super) fn footers() -> Vec<fb::Footer> {
    let block = |offset| fb::Block { offset, meta_data_length: 128, body_length: 640 };
    let footer = fb::Footer {
        version: fb::MetadataVersion::V4,
        schema: Some(Box::new(schema())),
        dictionaries: Some(vec![block(8)]),
        record_batches: Some(vec![block(776), block(1544)]),
        custom_metadata: metadata(),
    };
    vec![footer, fb::Footer::default()]
}

fn metadata() -> Option<Vec<fb::KeyValue>> {
    let pair = |key: Option<&str>, value: Option<&str>| fb::KeyValue {
        key: key.map(str::to_owned),
        value: value.map(str::to_owned),
    };
    Some(vec![pair(Some("key"), Some("größe")), pair(None, Some("")), pair(Some("k"), None)])
}

fn buffer(offset: i64) -> fb::Buffer {
    fb::Buffer { offset, length: 60 }
}

/// A field of each type, the last one with a dictionary and children.
fn schema() -> fb::Schema {
    let field = |type_| fb::Field {
        name: Some("name".to_owned()),
        nullable: true,
        type_: Some(type_),
        dictionary: None,
        children: Some(Vec::new()),
        custom_metadata: None,
    };
    let mut fields: Vec<fb::Field> = types().into_iter().map(field).collect();
    let children = Some(fields.clone().into_iter().take(2).collect());
    fields.push(fb::Field {
        dictionary: Some(Box::new(fb::DictionaryEncoding {
            id: 7,
            index_type: Some(Box::new(fb::Int { bit_width: 16, is_signed: false })),
            is_ordered: true,
            dictionary_kind: fb::DictionaryKind::DenseArray,
        })),
        children,
        custom_metadata: metadata(),
        ..field(fb::Type::Struct(Box::new(fb::Struct {})))
    });
    fb::Schema {
        endianness: fb::Endianness::Big,
        fields: Some(fields),
        custom_metadata: metadata(),
        features: Some(vec![fb::Feature::DictionaryReplacement, fb::Feature::CompressedBody]),
    }
}

fn types() -> Vec<fb::Type> {
    macro_rules! types {
        ($($name:ident $fields:tt)*) => { vec![$(fb::Type::$name(Box::new(fb::$name $fields))),*] };
    }
    types! {
        Null {} Binary {} Utf8 {} Bool {} List {} Struct {} LargeBinary {} LargeUtf8 {} LargeList {} RunEndEncoded {}
        BinaryView {} Utf8View {} ListView {} LargeListView {}
        Int { bit_width: 32, is_signed: true }
        FloatingPoint { precision: fb::Precision::Single }
        Decimal { precision: 20, scale: -3, bit_width: 256 }
        Date { unit: fb::DateUnit::Day }
        Time { unit: fb::TimeUnit::Nanosecond, bit_width: 64 }
        Timestamp { unit: fb::TimeUnit::Microsecond, timezone: Some("UTC".to_owned()) }
        Interval { unit: fb::IntervalUnit::MonthDayNano }
        Duration { unit: fb::TimeUnit::Second }
        Union { mode: fb::UnionMode::Dense, type_ids: Some(vec![5, 1]) }
        FixedSizeBinary { byte_width: 16 }
        FixedSizeList { list_size: 3 }
        Map { keys_sorted: true }
    }
}
