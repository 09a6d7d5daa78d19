//! Tensor messages: where their buffers are, what is copied, which messages are beside them in a stream.

use std::fs;

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Endianness, ErrorClass, FormatErrorKind, IpcErrorKind, Limits, MessageKind, MessageStep, Messages,
    MetadataVersion, ReadOptions, Step, StreamDecoder, StreamReader, StreamWriter, Validation, WriteOptions,
    WrittenContainer, error::Context as _, message::Header, segment::Segment,
};
use arrow_ipc_rewrite::Transcoder;
use arrow_ipc_tensor::{
    AnyTensor, SparseTensor, SparseTensorHeader, SparseTensorIndex, SparseTensorParts, Tensor, TensorDim,
    TensorEncoder, TensorHeader, TensorReader, TensorWriter, WriteTensor as _,
};
use arrow_schema::{DataType, IndexType, Metadata, decode_text};

use super::text::text;

fn small() -> Tensor {
    Tensor::try_new(DataType::Int32, [2, 3], Buffer::from(vec![1i32, 2, 3, 4, 5, 6])).unwrap()
}

/// A matrix with one value in each of its rows.
fn diagonal(n: i32, coordinates: Vec<i32>) -> SparseTensor {
    let size = u64::try_from(n).unwrap();
    SparseTensor::try_new(SparseTensorParts {
        data_type: DataType::Float64,
        shape: vec![TensorDim::new(size), TensorDim::new(size).with_name("column")],
        non_zero_length: size,
        index: SparseTensorIndex::csr(IndexType::Int32, IndexType::Int32),
        index_buffers: vec![Buffer::from((0..=n).collect::<Vec<i32>>()), Buffer::from(coordinates)],
        data: Buffer::from((0..n).map(f64::from).collect::<Vec<f64>>()),
    })
    .unwrap()
}

fn metadata() -> Metadata {
    Metadata::from_pairs(vec![(Some("k".into()), Some("v".into())), (Some("k".into()), None)])
}

#[test]
fn buffers_are_aligned_and_shared() {
    let dense = Tensor::try_new(DataType::UInt8, [100, 100], Buffer::zeroed(10_000)).unwrap();
    let sparse = diagonal(2_000, (0..2_000).collect());
    let mut encoder = TensorEncoder::new();
    let encoded = encoder.encode(&dense).unwrap();
    assert!(
        encoded
            .segments()
            .any(|segment| matches!(segment, Segment::Data(data) if data.same_memory(dense.data())))
    );
    assert_eq!(encoded.messages()[0].n_metadata_bytes() % 64, 0);
    let first = encoded.to_bytes();
    let position = encoder.position();
    assert_eq!((position, position % 64), (first.len() as u64, 0));

    let encoded = encoder.encode(&sparse).unwrap();
    assert_eq!(
        (encoded.messages()[0].kind(), encoded.messages()[0].position()),
        (MessageKind::SparseTensor, position)
    );
    let shared: Vec<&Buffer> = sparse.index_buffers().iter().chain([sparse.data()]).collect();
    let data = encoded.segments().filter_map(|segment| match segment {
        Segment::Data(data) => Some(data),
        _ => None,
    });
    assert!(data.zip(&shared).all(|(found, shared)| found.same_memory(shared)));
    let bytes = Buffer::copy_from(&[&first[..], &encoded.to_bytes()].concat());

    // And they are shared again by what is read.
    let read: Vec<AnyTensor> = TensorReader::from_buffer(bytes.clone()).map(Result::unwrap).collect();
    assert_eq!(read, [AnyTensor::from(dense), AnyTensor::from(sparse)]);
    let inside = bytes.as_ptr().addr()..bytes.as_ptr().addr() + bytes.len();
    let buffers = [read[0].as_dense().unwrap().data(), read[1].as_sparse().unwrap().data()];
    for buffer in buffers {
        assert!(inside.contains(&buffer.as_ptr().addr()));
        assert!((buffer.as_ptr().addr() - inside.start).is_multiple_of(64));
    }
}

#[test]
fn headers_say_what_is_in_the_body() {
    let mut messages = Messages::new(Limits::default());
    let mut writer = TensorWriter::new(Vec::new());
    writer.write_with_metadata(&small(), &metadata()).unwrap();
    writer.write(&diagonal(3, vec![0, 1, 2])).unwrap();
    assert_eq!(writer.position() % 64, 0);
    messages.feed(Buffer::from(writer.finish().unwrap()));
    messages.finish_input();

    let MessageStep::Message(message) = messages.step().unwrap() else { panic!("a message") };
    assert_eq!((message.kind(), message.custom_metadata().unwrap()), (MessageKind::Tensor, metadata()));
    assert!(matches!(message.header(&Limits::default()), Ok(Header::Tensor)));
    let header = TensorHeader::try_from_message(&message, &Limits::default()).unwrap();
    assert_eq!(
        (header.data_type(), header.strides(), header.n_elements()),
        (&DataType::Int32, &[12, 4][..], 6)
    );
    assert_eq!((header.is_row_major(), header.is_column_major()), (true, false));
    assert_eq!((header.data().start(), header.data().n_bytes()), (0, 24));
    assert_eq!(AnyTensor::try_from_message(&message, &Limits::default()).unwrap(), small().into());
    // A body that was left out is missed, not read as something else.
    assert_eq!(header.read(&Buffer::new()).unwrap_err().class(), ErrorClass::Truncated);
    let few = Limits::default().with_max_slots(5);
    assert_eq!(AnyTensor::try_from_message(&message, &few).unwrap_err().class(), ErrorClass::LimitExceeded);

    let MessageStep::Message(message) = messages.step().unwrap() else { panic!("a message") };
    assert!(matches!(message.header(&Limits::default()), Ok(Header::SparseTensor)));
    let header = SparseTensorHeader::try_from_message(&message, &Limits::default()).unwrap();
    assert_eq!((header.index().name(), header.non_zero_length()), ("CSR", 3));
    assert_eq!(header.shape()[1].name(), Some("column"));
    assert_eq!(header.index_buffers().iter().map(|range| range.n_bytes()).collect::<Vec<_>>(), [16, 12]);
    assert!(matches!(messages.step().unwrap(), MessageStep::End));
}

/// A batch, a tensor, a batch, a sparse tensor, the end.
fn stream(sparse: &SparseTensor, options: WriteOptions) -> Vec<u8> {
    let ids =
        |ids: [i64; 2]| RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into())]).unwrap();
    let mut writer = StreamWriter::try_new_with(Vec::new(), ids([1, 2]).schema(), options).unwrap();
    writer.write(&ids([1, 2])).unwrap();
    writer.write_tensor(&small(), &metadata()).unwrap();
    writer.write(&ids([3, 4])).unwrap();
    writer.write_tensor(sparse, &Metadata::new()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn tensors_are_found_between_batches() {
    let sparse = diagonal(3, vec![2, 1, 0]);
    let bytes = stream(&sparse, WriteOptions::default());
    let mut decoder = StreamDecoder::new();
    decoder.feed(Buffer::copy_from(&bytes));
    let mut steps = Vec::new();
    loop {
        match decoder.step().unwrap() {
            Step::Schema(_) => steps.push("schema".to_owned()),
            Step::Batch(next) => steps.push(format!("{} rows", next.batch.n_rows())),
            Step::Tensor(message) => {
                match AnyTensor::try_from_message(&message, &Limits::default()).unwrap() {
                    AnyTensor::Dense(tensor) => {
                        assert_eq!((tensor, message.custom_metadata().unwrap()), (small(), metadata()));
                        steps.push("dense".to_owned());
                    }
                    AnyTensor::Sparse(tensor) => {
                        assert_eq!(tensor, sparse);
                        steps.push("sparse".to_owned());
                    }
                }
            }
            Step::End => break,
            step => panic!("{step:?}"),
        }
    }
    assert_eq!(steps, ["schema", "2 rows", "dense", "2 rows", "sparse"]);
    assert_eq!(decoder.n_bytes_consumed(), bytes.len() as u64);
}

#[test]
fn tensors_are_in_the_byte_order_of_their_stream() {
    let coordinates = Buffer::from(vec![1i16, 2, 0, 0]);
    let parts = |index, index_buffers| SparseTensorParts {
        data_type: DataType::UInt32,
        shape: vec![TensorDim::new(2), TensorDim::new(3)],
        non_zero_length: 2,
        index,
        index_buffers,
        data: Buffer::from(vec![0x0102_0304u32, 5]),
    };
    let coo = |strides| SparseTensorIndex::Coo {
        indices_type: IndexType::Int16,
        indices_strides: strides,
        is_canonical: false,
    };
    let csf = SparseTensorIndex::csf(IndexType::Int32, IndexType::Int16, [0, 1]);
    let csf_buffers =
        vec![Buffer::from(vec![0i32, 1, 2]), Buffer::from(vec![0i16, 1]), Buffer::from(vec![2i16, 0])];
    let tensors: Vec<AnyTensor> = vec![
        small().into(),
        // Elements at odd places, with gaps.
        Tensor::try_new_strided(DataType::UInt16, [2, 2], [7, 3], Buffer::from((0..12).collect::<Vec<u8>>()))
            .unwrap()
            .into(),
        Tensor::try_new_strided(DataType::UInt16, [9, 2], [0, 2], Buffer::from(vec![1u16, 2]))
            .unwrap()
            .into(),
        diagonal(3, vec![2, 1, 0]).into(),
        SparseTensor::try_new(parts(coo(None), vec![coordinates.clone()])).unwrap().into(),
        // Transposed: columns of two rows each, (1, 0) and (0, 0) are both inside.
        SparseTensor::try_new(parts(coo(Some([2, 4])), vec![Buffer::from(vec![1i16, 0, 2, 0])]))
            .unwrap()
            .into(),
        SparseTensor::try_new(parts(csf, csf_buffers)).unwrap().into(),
    ];
    let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1]).into())]).unwrap();
    for endianness in [Endianness::Little, Endianness::Big] {
        let options = WriteOptions::default().with_endianness(endianness);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        tensors.iter().for_each(|tensor| writer.write_tensor(tensor, &Metadata::new()).unwrap());
        let bytes = writer.finish().unwrap();
        let first =
            [1i32, 2].map(if endianness == Endianness::Big { i32::to_be_bytes } else { i32::to_le_bytes });
        assert!(bytes.windows(8).any(|window| window == first.concat()), "{endianness:?}");
        let mut reader = StreamReader::try_new(&*bytes).unwrap();
        let mut found = Vec::new();
        loop {
            match reader.next_step().unwrap() {
                Step::Tensor(message) => {
                    let options = ReadOptions::default();
                    found.push(text(
                        &AnyTensor::try_from_message_with(&message, endianness, options.clone()).unwrap(),
                    ));
                }
                Step::End => break,
                _ => {}
            }
        }
        let without_strides = |text: String| text.replace(",\"strides\":[7,3]", ",\"strides\":[4,2]");
        let expected: Vec<String> = tensors.iter().map(text).collect();
        let expected = match endianness == Endianness::NATIVE {
            true => expected,
            false => expected.into_iter().map(without_strides).collect(),
        };
        assert_eq!(found, expected, "{endianness:?}");
    }
    // Elements that share bytes have no other byte order.
    let shared = Tensor::try_new_strided(DataType::UInt32, [9], [1], Buffer::zeroed(12)).unwrap();
    assert!(shared.to_other_byte_order().is_err());
}

#[test]
fn readers_of_batches_refuse_tensors_by_name_or_give_them_as_steps() {
    let bytes = stream(&diagonal(3, vec![2, 1, 0]), WriteOptions::default());
    let mut reader = StreamReader::try_new(&*bytes).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().n_rows(), 2);
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(error.class(), ErrorClass::Unsupported);
    assert!(error.to_string().contains("tensor") && error.location().message == Some(2), "{error}");
    assert!(reader.next().is_none());

    let mut reader = StreamReader::try_new(&*bytes).unwrap();
    let mut n_tensors = 0;
    loop {
        match reader.next_step().unwrap() {
            Step::Tensor(..) => n_tensors += 1,
            Step::End => break,
            _ => {}
        }
    }
    assert_eq!(n_tensors, 2);
}

#[test]
fn a_transcoded_tensor_has_the_version_of_its_stream() {
    let sparse = diagonal(3, vec![2, 1, 0]);
    let options = |version| WriteOptions::default().with_version(version);
    let bytes = stream(&sparse, options(MetadataVersion::V4));
    let mut messages = Messages::new(Limits::default());
    messages.feed(Buffer::from(bytes));
    messages.finish_input();
    let MessageStep::Message(schema) = messages.step().unwrap() else { panic!("the schema") };
    let Header::Schema(schema) = schema.header(&Limits::default()).unwrap() else { panic!("a schema") };
    let mut transcoder =
        Transcoder::try_new_with(schema, WrittenContainer::Stream, options(MetadataVersion::V5)).unwrap();
    let mut output = transcoder.start().unwrap().to_bytes().to_vec();
    while let MessageStep::Message(message) = messages.step().unwrap() {
        assert_eq!(message.version(), MetadataVersion::V4);
        output.extend_from_slice(&transcoder.transcode(&message).unwrap().to_bytes());
    }
    output.extend_from_slice(&transcoder.finish().unwrap().to_bytes());
    assert!(output == stream(&sparse, options(MetadataVersion::V5)));
}

#[test]
fn a_writer_keeps_no_tensor() {
    let data = Buffer::from(vec![0.5f64; 1000]);
    let tensor = Tensor::try_new(DataType::Float64, [1000], data.clone()).unwrap();
    let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1]).into())]).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write_tensor(&tensor, &Metadata::new()).unwrap();
    drop(tensor);
    assert_eq!(data.into_vec::<f64>().unwrap().len(), 1000);
    writer.finish().unwrap();
}

#[test]
fn content_is_checked_unless_that_is_deferred() {
    let bytes = stream(&diagonal(3, vec![0, 1, 3]), WriteOptions::default());
    let error = |bytes: &[u8], validation| -> Option<arrow_ipc::IpcError> {
        let options = ReadOptions::default().with_validation(validation);
        let mut reader = StreamReader::try_new_with(bytes, options.clone()).unwrap();
        loop {
            match reader.next_step().unwrap() {
                Step::End => return None,
                Step::Tensor(message) => {
                    let tensor =
                        AnyTensor::try_from_message_with(&message, Endianness::NATIVE, options.clone());
                    if let Err(error) = tensor.at_message(&message) {
                        return Some(error);
                    }
                }
                _ => {}
            }
        }
    };
    assert!(error(&bytes, Validation::Structure).is_none());
    for validation in [Validation::Content, Validation::Strict] {
        let error = error(&bytes, validation).unwrap();
        assert_eq!((error.class(), error.location().message), (ErrorClass::Malformed, Some(4)), "{error}");
    }
}

#[test]
fn text_that_is_not_utf8_is_preserved_unless_reading_is_strict() {
    let text = decode_text(b"caf\xe9");
    let dim = |name: &str| [TensorDim::new(1).with_name(name)];
    let tensor = |name: &str| Tensor::try_new(DataType::Int8, dim(name), Buffer::from(vec![7i8])).unwrap();
    let pair = |value: &str| Metadata::from([("k", value)]);
    for (tensor, metadata) in [(tensor(&text), Metadata::new()), (tensor("x"), pair(&text))] {
        let mut writer = TensorWriter::new(Vec::new());
        writer.write_with_metadata(&tensor, &metadata).unwrap();
        let bytes = writer.finish().unwrap();
        assert!(bytes.windows(4).any(|window| window == b"caf\xe9"));
        let read = TensorReader::new(&*bytes).next_tensor().unwrap().unwrap();
        assert_eq!((read.tensor, read.metadata), (tensor.into(), metadata));
        let strict = ReadOptions::new().with_validation(Validation::Strict);
        let error = TensorReader::new_with(&*bytes, strict).next_tensor().unwrap_err();
        let is_refused = matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::NotUtf8 { .. }));
        assert!(is_refused && error.location().message == Some(0), "{error}");
    }
}

#[test]
fn tensors_alone_are_not_batches_and_the_other_way_round() {
    let mut writer = TensorWriter::new(Vec::new());
    writer.write(&small()).unwrap();
    let tensor = writer.finish().unwrap();
    let error = StreamReader::try_new(&*tensor).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            IpcErrorKind::Format(FormatErrorKind::UnexpectedMessage { found: MessageKind::Tensor, .. })
        ),
        "{error}"
    );
    let stream = stream(&diagonal(1, vec![0]), WriteOptions::default());
    let mut reader = TensorReader::new(&*stream);
    let error = reader.next().unwrap().unwrap_err();
    assert!(
        matches!(
            error.kind(),
            IpcErrorKind::Format(FormatErrorKind::UnexpectedMessage { found: MessageKind::Schema, .. })
        ),
        "{error}"
    );
    assert!(reader.next().is_none());
    // What follows the end is the caller's.
    let marked = [&tensor[..], &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], b"rest"].concat();
    let mut reader = TensorReader::new(&*marked);
    assert_eq!(reader.by_ref().count(), 1);
    assert_eq!(reader.n_bytes_consumed(), tensor.len() as u64 + 8);
    let (_, rest) = reader.into_inner();
    assert_eq!(rest, [Buffer::copy_from(b"rest")]);
}

/// Each byte of the metadata is inverted, each bit flipped, and the metadata is cut at every length. The result is an
/// error, or a tensor whose elements can be read.
#[test]
fn damaged_tensors_are_refused_or_valid() {
    let folder = testing_support::corpus_dir().join("tensors/pyarrow-26.0.1");
    for name in ["dense-steps", "sparse-coo-16", "sparse-csc-32", "sparse-csf-cube"] {
        let bytes = fs::read(folder.join(format!("{name}.tensor"))).unwrap();
        for (position, mask) in
            (0..bytes.len()).flat_map(|at| [0xff, 1, 2, 4, 8, 16, 32, 64, 128].map(|mask| (at, mask)))
        {
            let mut damaged = bytes.clone();
            damaged[position] ^= mask;
            walk(&damaged);
        }
        for n_bytes in 1..bytes.len() {
            let cut: arrow_ipc::Result<Vec<AnyTensor>> = TensorReader::new(&bytes[..n_bytes]).collect();
            assert_eq!(cut.unwrap_err().class(), ErrorClass::Truncated, "{name} cut at {n_bytes}");
        }
    }
}

fn walk(bytes: &[u8]) {
    for tensor in TensorReader::new(bytes).flatten() {
        match tensor {
            AnyTensor::Dense(tensor) => {
                assert_eq!(tensor.elements().take(500).count() as u64, tensor.n_elements().min(500));
                if let Ok(array) = tensor.to_array(10_000) {
                    array.validate(arrow_data::Validation::Content).unwrap();
                }
            }
            AnyTensor::Sparse(tensor) => {
                let mut n_values = 0;
                tensor
                    .visit(|position, value| {
                        n_values += u64::from(position.len() == tensor.shape().len() && !value.is_empty())
                    })
                    .unwrap();
                assert_eq!(n_values, tensor.non_zero_length());
                let _ = tensor.to_dense(100_000);
            }
        }
    }
}
