//! The flatbuffers verifier gives the same results with our table descriptions in `testing-support` as with those that
//! the official compiler made for arrow-rs. Messages of all kinds are tested, also with damage at every position. Our
//! descriptions may only be stricter where this is intended.

use arrow_buffer::Buffer;
use arrow_ipc::{Limits, MessageScan, file::Footer};
use arrow_schema::{Field, Metadata, Schema};
use flatbuffers::{FlatBufferBuilder, InvalidFlatbuffer, UnionWIPOffset, WIPOffset};
use peers::format::Format;
use peers::ours;
use rs_ipc::{self as fb, SparseTensorIndex as Index};
use std::sync::Arc;
use testing_support::{Generator, Nulls, all_types, verify_footer, verify_message};

type Verdict = Result<(), InvalidFlatbuffer>;

/// A message or a footer, with its results by our descriptions and by theirs.
struct Case {
    name: String,
    metadata: Vec<u8>,
    ours: fn(&[u8]) -> Verdict,
    theirs: fn(&[u8]) -> Verdict,
}

#[test]
fn descriptions_agree() {
    let mut n_refused = 0;
    let mut n_stricter = 0;
    for Case { name, metadata, ours, theirs } in cases() {
        assert_eq!((ours(&metadata), theirs(&metadata)), (Ok(()), Ok(())), "{name}");
        for position in 0..metadata.len() {
            for damage in [|byte| byte ^ 0xff, |byte: u8| byte.wrapping_add(4), |_| 0] {
                let mut damaged = metadata.clone();
                damaged[position] = damage(damaged[position]);
                match (ours(&damaged), theirs(&damaged)) {
                    (Ok(()), Ok(())) => {}
                    (Err(ours), Ok(())) => {
                        assert!(is_stricter(&ours), "{name}, byte {position}: only ours: {ours}");
                        n_stricter += 1;
                    }
                    (Err(_), Err(_)) => n_refused += 1,
                    (Ok(()), Err(theirs)) => panic!("{name}, byte {position}: only theirs: {theirs}"),
                }
            }
        }
    }
    assert!(n_refused > 100_000 && n_stricter > 10_000, "{n_refused} refused by both, {n_stricter} by ours");
}

/// The checks that only our descriptions have: numbers that are no member of an enum, fields that overlap or exceed their
/// table, and structs that are not aligned.
fn is_stricter(error: &InvalidFlatbuffer) -> bool {
    match error {
        InvalidFlatbuffer::MissingRequiredField { required, .. } => required.starts_with("a known member of"),
        InvalidFlatbuffer::Unaligned { unaligned_type, .. } => unaligned_type.contains("generated::"),
        InvalidFlatbuffer::RangeOutOfBounds { .. } => true,
        _ => false,
    }
}

/// The messages and footers of a file for each type, and of tensors.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let metadata: Metadata = [("key", "value"), ("", "")].into_iter().collect();
        let field = Field::new(&*name, data_type).with_metadata(metadata.clone());
        let schema = Arc::new(Schema::new([field]));
        let batch = Generator::new(seed as u64).batch(&schema, 9, Nulls::Some);
        let file = ours::write_with_metadata(&schema, &[batch], &metadata, Format::File).unwrap();
        let file = Buffer::from(file);
        let mut scan = MessageScan::try_from_file(file.clone(), Limits::default()).unwrap();
        while let Some(found) = scan.next_message().unwrap() {
            cases.push(message(format!("{name}: {:?}", found.kind()), found.metadata_bytes()));
        }
        let start = Footer::read(&file, &Limits::default()).unwrap().position() as usize;
        cases.push(Case {
            name: format!("{name}: footer"),
            metadata: file[start..file.len() - 10].to_vec(),
            ours: verify_footer,
            theirs: |bytes| fb::root_as_footer(bytes).map(drop),
        });
    }
    cases.push(message("tensor".to_owned(), &tensor()));
    for index in [Index::SparseTensorIndexCOO, Index::SparseMatrixIndexCSX, Index::SparseTensorIndexCSF] {
        cases.push(message(format!("{index:?}"), &sparse_tensor(index)));
    }
    cases
}

fn message(name: String, metadata: &[u8]) -> Case {
    let theirs = |bytes: &[u8]| fb::root_as_message(bytes).map(drop);
    Case { name, metadata: metadata.to_vec(), ours: verify_message, theirs }
}

fn tensor() -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let type_ = fb::FloatingPoint::create(&mut fbb, &fb::FloatingPointArgs::default());
    let name = fbb.create_string("x");
    let dim = fb::TensorDim::create(&mut fbb, &fb::TensorDimArgs { size: 3, name: Some(name) });
    let args = fb::TensorArgs {
        type_type: fb::Type::FloatingPoint,
        type_: Some(type_.as_union_value()),
        shape: Some(fbb.create_vector(&[dim])),
        strides: Some(fbb.create_vector(&[8i64])),
        data: Some(&fb::Buffer::new(0, 24)),
    };
    let tensor = fb::Tensor::create(&mut fbb, &args).as_union_value();
    finished(fbb, fb::MessageHeader::Tensor, tensor)
}

fn sparse_tensor(index: Index) -> Vec<u8> {
    let mut fbb = FlatBufferBuilder::new();
    let buffer = fb::Buffer::new(0, 24);
    let int = fb::IntArgs { bitWidth: 32, is_signed: true };
    let type_ = fb::Int::create(&mut fbb, &int);
    let index_type = fb::Int::create(&mut fbb, &int);
    let dim = fb::TensorDim::create(&mut fbb, &fb::TensorDimArgs { size: 3, name: None });
    let sparse_index = match index {
        Index::SparseTensorIndexCOO => {
            let args = fb::SparseTensorIndexCOOArgs {
                indicesType: Some(index_type),
                indicesStrides: Some(fbb.create_vector(&[8i64])),
                indicesBuffer: Some(&buffer),
                isCanonical: true,
            };
            fb::SparseTensorIndexCOO::create(&mut fbb, &args).as_union_value()
        }
        Index::SparseMatrixIndexCSX => {
            let args = fb::SparseMatrixIndexCSXArgs {
                compressedAxis: fb::SparseMatrixCompressedAxis::Column,
                indptrType: Some(index_type),
                indptrBuffer: Some(&buffer),
                indicesType: Some(index_type),
                indicesBuffer: Some(&buffer),
            };
            fb::SparseMatrixIndexCSX::create(&mut fbb, &args).as_union_value()
        }
        _ => {
            let args = fb::SparseTensorIndexCSFArgs {
                indptrType: Some(index_type),
                indptrBuffers: Some(fbb.create_vector(&[buffer])),
                indicesType: Some(index_type),
                indicesBuffers: Some(fbb.create_vector(&[buffer, buffer])),
                axisOrder: Some(fbb.create_vector(&[0i32, 1])),
            };
            fb::SparseTensorIndexCSF::create(&mut fbb, &args).as_union_value()
        }
    };
    let args = fb::SparseTensorArgs {
        type_type: fb::Type::Int,
        type_: Some(type_.as_union_value()),
        shape: Some(fbb.create_vector(&[dim, dim])),
        non_zero_length: 3,
        sparseIndex_type: index,
        sparseIndex: Some(sparse_index),
        data: Some(&buffer),
    };
    let tensor = fb::SparseTensor::create(&mut fbb, &args).as_union_value();
    finished(fbb, fb::MessageHeader::SparseTensor, tensor)
}

fn finished(
    mut fbb: FlatBufferBuilder<'_>,
    header_type: fb::MessageHeader,
    header: WIPOffset<UnionWIPOffset>,
) -> Vec<u8> {
    let args = fb::MessageArgs {
        version: fb::MetadataVersion::V5,
        header_type,
        header: Some(header),
        bodyLength: 64,
        custom_metadata: None,
    };
    let message = fb::Message::create(&mut fbb, &args);
    fbb.finish(message, None);
    fbb.finished_data().to_vec()
}
