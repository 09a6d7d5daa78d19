//! Tensor messages that no library writes, put together by hand: alone, and in a stream after a schema.

use arrow_buffer::Buffer;
use arrow_ipc::{
    Endianness, ErrorClass, IpcError, ReadOptions, Result, Step, StreamDecoder, StreamReader,
    error::Context as _,
};
use arrow_ipc_tensor::{AnyTensor, TensorReader};
use bindings::flatbuf as fb;

use super::{
    readers::class_name,
    wire::{Message, field, int32, le_bytes, schema, stream, utf8},
};

/// A name, as `docs/FORMAT.md` cites it; the message; its class and a part of its words, if it is refused.
type Case = (&'static str, fn() -> Message, Option<(ErrorClass, &'static str)>);

const MALFORMED: ErrorClass = ErrorClass::Malformed;
const LIMIT: ErrorClass = ErrorClass::LimitExceeded;
const UNSUPPORTED: ErrorClass = ErrorClass::Unsupported;

const HUGE: i64 = i64::MAX;

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("tensor", || dense(|_| {}), None),
    ("tensor without strides", || dense(|t| t.strides = None), None),
    ("tensor with strides of columns", || dense(|t| t.strides = Some(vec![4, 8])), None),
    ("tensor with strides of 0", || dense(|t| { t.shape[0].size = 1 << 40; t.strides = Some(vec![0, 4]); }), None),
    ("tensor of V4", || dense(|_| {}).version(fb::MetadataVersion::V4), None),
    ("tensor of V3", || dense(|_| {}).version(fb::MetadataVersion::V3), Some((UNSUPPORTED, "V3"))),
    ("tensor without dimensions", || dense(|t| { t.shape = vec![]; t.strides = None; }), None),
    ("tensor without elements", || dense(|t| t.shape[1].size = 0), None),
    ("tensor with an empty list of strides", || dense(|t| t.strides = Some(vec![])), Some((MALFORMED, "0 strides for 2"))),
    ("tensor with a stride too many", || dense(|t| t.strides = Some(vec![12, 4, 4])), Some((MALFORMED, "3 strides for 2"))),
    ("tensor with a negative stride", || dense(|t| t.strides = Some(vec![12, -4])), Some((MALFORMED, "a stride is -4"))),
    ("tensor with strides past its data", || dense(|t| t.strides = Some(vec![13, 4])), Some((MALFORMED, "needs 25 bytes and has 24"))),
    ("tensor with strides beyond all memory", || dense(|t| t.strides = Some(vec![HUGE, HUGE])), Some((MALFORMED, "reach beyond"))),
    ("tensor with a negative size", || dense(|t| t.shape[0].size = -1), Some((MALFORMED, "the size of a dimension is -1"))),
    ("tensor with more elements than bytes", || dense(|t| { t.shape[0].size = 1 << 20; t.strides = None; }), Some((MALFORMED, "needs 12582912 bytes and has 24"))),
    ("tensor with elements beyond numbers", || dense(|t| { t.shape[0].size = HUGE; t.shape[1].size = HUGE; t.strides = None; }), Some((MALFORMED, "[9223372036854775807, 9223372036854775807]"))),
    ("tensor with elements beyond numbers by strides of 0", || dense(|t| { t.shape[0].size = HUGE; t.strides = Some(vec![0, 4]); }), Some((MALFORMED, "more than 2⁶³ − 1 bytes"))),
    ("tensor with few dimensions too many", || dense(|t| { t.shape = vec![dim(1); 257]; t.strides = None; }), Some((LIMIT, "257 dimensions"))),
    ("tensor with data past its body", || dense(|t| t.data.length = 32), Some((MALFORMED, "out of bounds of the body"))),
    ("tensor with data before its body", || dense(|t| t.data.offset = -8), Some((MALFORMED, "out of bounds of the body"))),
    ("tensor with data of negative length", || dense(|t| t.data.length = -1), Some((MALFORMED, "out of bounds of the body"))),
    ("tensor with data whose end wraps", || dense(|t| t.data.offset = HUGE), Some((MALFORMED, "out of bounds of the body"))),
    ("tensor of text", || dense(|t| t.type_ = utf8()), Some((MALFORMED, "utf8"))),
    ("tensor of bits", || dense(|t| t.type_ = fb::Type::Bool(Box::default())), Some((MALFORMED, "bool"))),
    ("tensor of nothing", || dense(|t| t.type_ = fb::Type::Null(Box::default())), Some((MALFORMED, "null"))),
    ("tensor of lists", || dense(|t| t.type_ = fb::Type::List(Box::default())), Some((MALFORMED, "child"))),
    ("tensor of structs", || dense(|t| t.type_ = fb::Type::Struct(Box::default())), Some((MALFORMED, "struct"))),
    ("tensor of no bytes", || dense(|t| t.type_ = fb::Type::FixedSizeBinary(Box::default())), Some((MALFORMED, "fixed_size_binary(0)"))),
    ("tensor of integers of 24 bits", || dense(|t| t.type_ = fb::Type::Int(Box::new(int(24)))), Some((MALFORMED, "24"))),
    ("tensor without type", || dense(|_| {}).without_header_field(0), Some((MALFORMED, "`type`"))),
    ("tensor without shape", || dense(|_| {}).without_header_field(2), Some((MALFORMED, "`shape`"))),
    ("tensor without data", || dense(|_| {}).without_header_field(4), Some((MALFORMED, "`data`"))),

    ("coordinates", || coo(|_, _| {}), None),
    ("coordinates without strides", || coo(|_, i| i.indices_strides = None), None),
    ("coordinates in columns", || coo(|_, i| i.indices_strides = Some(vec![4, 8])), None),
    ("coordinates with a stride too few", || coo(|_, i| i.indices_strides = Some(vec![4])), Some((MALFORMED, "1 strides for 2"))),
    ("coordinates with a negative stride", || coo(|_, i| i.indices_strides = Some(vec![-8, 4])), Some((MALFORMED, "a stride is -8"))),
    ("coordinates with strides past the buffer", || coo(|_, i| i.indices_strides = Some(vec![16, 4])), Some((MALFORMED, "needs 24 bytes and has 16"))),
    ("coordinates with strides beyond all memory", || coo(|_, i| i.indices_strides = Some(vec![HUGE, HUGE])), Some((MALFORMED, "reach beyond"))),
    ("coordinates that share bytes", || coo(|_, i| { i.indices_strides = Some(vec![0, 0]); i.indices_buffer.length = 8; }), Some((MALFORMED, "needs 16 bytes and has 8"))),
    ("coordinates outside", || coo(|t, _| t.shape[1].size = 2), Some((MALFORMED, "coordinate 0 of dimension 1 is 2; the size of the dimension is 2"))),
    ("coordinates said to be in order", || coo(|_, i| i.is_canonical = true), Some((MALFORMED, "canonical"))),
    ("coordinates of 24 bits", || coo(|_, i| *i.indices_type = int(24)), Some((MALFORMED, "24"))),
    ("coordinates past the body", || coo(|_, i| i.indices_buffer.length = 40), Some((MALFORMED, "out of bounds of the body"))),
    ("more values than data", || coo(|t, _| t.non_zero_length = 17), Some((MALFORMED, "the data of the tensor needs 17 bytes and has 2"))),
    ("a negative number of values", || coo(|t, _| t.non_zero_length = -1), Some((MALFORMED, "the number of values is -1"))),
    ("the greatest number of values", || coo(|t, _| t.non_zero_length = HUGE), Some((MALFORMED, "needs 9223372036854775807 bytes"))),
    ("sparse tensor with a negative size", || coo(|t, _| t.shape[0].size = -2), Some((MALFORMED, "is -2"))),
    ("sparse tensor without dimensions", || coo(|t, _| t.shape = vec![]), Some((MALFORMED, "at least one dimension"))),
    ("sparse tensor with many dimensions", || coo(|t, _| t.shape = vec![dim(1); 300]), Some((LIMIT, "300 dimensions"))),
    ("sparse tensor larger than numbers", || coo(|t, _| { t.shape[0].size = HUGE; t.shape[1].size = HUGE; }), None),
    ("sparse tensor of text", || coo(|t, _| t.type_ = utf8()), Some((MALFORMED, "utf8"))),
    ("sparse tensor without type", || coo(|_, _| {}).without_header_field(0), Some((MALFORMED, "`type`"))),
    ("sparse tensor without shape", || coo(|_, _| {}).without_header_field(2), Some((MALFORMED, "`shape`"))),
    ("sparse tensor without index", || coo(|_, _| {}).without_header_field(4), Some((MALFORMED, "`sparseIndex`"))),
    ("sparse tensor without data", || coo(|_, _| {}).without_header_field(6), Some((MALFORMED, "`data`"))),

    ("rows", || csr(|_, _| {}), None),
    ("rows of three dimensions", || csr(|t, _| t.shape.push(dim(1))), Some((MALFORMED, "the tensor has 3"))),
    ("more rows than pointers", || csr(|t, _| t.shape[0].size = 3), Some((MALFORMED, "the buffer of pointers needs 16 bytes and has 12"))),
    ("the greatest number of rows", || csr(|t, _| t.shape[0].size = HUGE), Some((MALFORMED, "the buffer of pointers needs"))),
    ("fewer coordinates than values", || csr(|_, i| i.indices_buffer.length = 4), Some((MALFORMED, "the buffer of coordinates needs 8 bytes and has 4"))),
    ("rows as columns", || csr(|_, i| i.compressed_axis = fb::SparseMatrixCompressedAxis::Column), Some((MALFORMED, "pointers needs 16"))),
    ("pointers of 128 bits", || csr(|_, i| *i.indptr_type = int(128)), Some((MALFORMED, "128"))),
    ("pointers past the body", || csr(|_, i| i.indptr_buffer.offset = 100), Some((MALFORMED, "out of bounds of the body"))),
    ("pointers that are no pointers", || csr(|_, i| i.indptr_buffer.offset = 4), Some((MALFORMED, "pointer 0 of level 0 is 1"))),

    ("fibres", || csf(|_, _| {}), None),
    ("fibres with lengths in numbers", || csf(|_, i| in_numbers(i)), None),
    ("fibres with some lengths in numbers", || csf(|_, i| { in_numbers(i); i.indptr_buffers[0].length = 2; }), Some((MALFORMED, "a buffer of pointers needs 4 bytes"))),
    ("fibres with lengths in numbers past the body", || csf(|_, i| { in_numbers(i); i.indices_buffers[1].offset = 36; }), Some((MALFORMED, "a buffer of pointers needs 4 bytes"))),
    ("fibres without a buffer of pointers", || csf(|_, i| i.indptr_buffers.clear()), Some((MALFORMED, "needs 1 buffers of pointers; there are 0"))),
    ("fibres with a buffer of pointers too many", || csf(|_, i| i.indptr_buffers.push(i.indptr_buffers[0])), Some((MALFORMED, "there are 2"))),
    ("fibres without a buffer of coordinates", || csf(|_, i| i.indices_buffers.truncate(1)), Some((MALFORMED, "needs 2 buffers of coordinates; there are 1"))),
    ("fibres whose axes are no order", || csf(|_, i| i.axis_order = vec![0, 0]), Some((MALFORMED, "[0, 0]"))),
    ("fibres with a negative axis", || csf(|_, i| i.axis_order = vec![0, -1]), Some((MALFORMED, "[0, -1]"))),
    ("fibres with few axes", || csf(|_, i| { i.axis_order = vec![0]; i.indptr_buffers.clear(); i.indices_buffers.truncate(1); }), Some((MALFORMED, "each of the 2 axes"))),
    ("fibres with very many axes", || csf(|_, i| i.axis_order = (0..1000).collect()), Some((LIMIT, "1000 dimensions"))),
    ("fibres with fewer values than leaves", || csf(|t, _| t.non_zero_length = 1), Some((MALFORMED, "the last level of the index has 2 nodes; the tensor has 1 values"))),
    ("fibres with fewer pointers than nodes", || csf(|_, i| i.indptr_buffers[0].length = 8), Some((MALFORMED, "needs 12 bytes and has 8"))),
    ("fibres with half a number", || csf(|_, i| i.indices_buffers[0].length = 7), Some((MALFORMED, "not a multiple"))),
    ("fibres outside", || csf(|t, _| t.shape[1].size = 2), Some((MALFORMED, "coordinate 0 of dimension 1 is 2"))),
];

/// The names of all cases.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|(name, ..)| *name)
}

fn dim(size: i64) -> fb::TensorDim {
    fb::TensorDim { size, name: None }
}

fn int(bit_width: i32) -> fb::Int {
    fb::Int { bit_width, is_signed: true }
}

fn buffer(offset: i64, length: i64) -> fb::Buffer {
    fb::Buffer { offset, length }
}

/// `[[1, 2, 3], [4, 5, 6]]` of int32.
fn dense(change: fn(&mut fb::Tensor)) -> Message {
    let (shape, strides) = (vec![dim(2), dim(3)], Some(vec![12, 4]));
    let mut tensor = fb::Tensor { type_: int32(), shape, strides, data: buffer(0, 24) };
    change(&mut tensor);
    Message::new(fb::MessageHeader::Tensor(Box::new(tensor)), le_bytes(&[1, 2, 3, 4, 5, 6]))
}

/// A matrix of two rows and three columns with two values of int8, after some numbers of int32.
fn sparse(index: fb::SparseTensorIndex, numbers: &[i32]) -> (fb::SparseTensor, Vec<u8>) {
    let mut body = le_bytes(numbers);
    let data = buffer(body.len() as i64, 2);
    body.extend([7, 8, 0, 0, 0, 0, 0, 0]);
    let (type_, shape) = (fb::Type::Int(Box::new(int(8))), vec![dim(2), dim(3)]);
    (fb::SparseTensor { type_, shape, non_zero_length: 2, sparse_index: index, data }, body)
}

fn message((tensor, body): (fb::SparseTensor, Vec<u8>)) -> Message {
    Message::new(fb::MessageHeader::SparseTensor(Box::new(tensor)), body)
}

/// Values at (1, 2) and (0, 0), or in columns at (1, 0) and (2, 0), if that were inside.
fn coo(change: fn(&mut fb::SparseTensor, &mut fb::SparseTensorIndexCoo)) -> Message {
    let mut index = fb::SparseTensorIndexCoo {
        indices_type: Box::new(int(32)),
        indices_strides: Some(vec![8, 4]),
        indices_buffer: buffer(0, 16),
        is_canonical: false,
    };
    let (mut tensor, body) =
        sparse(fb::SparseTensorIndex::SparseTensorIndexCoo(Box::default()), &[1, 2, 0, 0]);
    change(&mut tensor, &mut index);
    tensor.sparse_index = fb::SparseTensorIndex::SparseTensorIndexCoo(Box::new(index));
    if tensor.shape.len() == 2
        && matches!(&tensor.sparse_index, fb::SparseTensorIndex::SparseTensorIndexCoo(index) if index.indices_strides == Some(vec![4, 8]))
    {
        tensor.shape[0].size = 3;
    }
    message((tensor, body))
}

/// A value in each row.
fn csr(change: fn(&mut fb::SparseTensor, &mut fb::SparseMatrixIndexCsx)) -> Message {
    let mut index = fb::SparseMatrixIndexCsx {
        compressed_axis: fb::SparseMatrixCompressedAxis::Row,
        indptr_type: Box::new(int(32)),
        indptr_buffer: buffer(0, 12),
        indices_type: Box::new(int(32)),
        indices_buffer: buffer(16, 8),
    };
    let (mut tensor, body) =
        sparse(fb::SparseTensorIndex::SparseTensorIndexCoo(Box::default()), &[0, 1, 2, 0, 2, 0]);
    change(&mut tensor, &mut index);
    tensor.sparse_index = fb::SparseTensorIndex::SparseMatrixIndexCsx(Box::new(index));
    message((tensor, body))
}

/// The same as a tree.
fn csf(change: fn(&mut fb::SparseTensor, &mut fb::SparseTensorIndexCsf)) -> Message {
    let mut index = fb::SparseTensorIndexCsf {
        indptr_type: Box::new(int(32)),
        indptr_buffers: vec![buffer(0, 12)],
        indices_type: Box::new(int(32)),
        indices_buffers: vec![buffer(16, 8), buffer(24, 8)],
        axis_order: vec![0, 1],
    };
    let (mut tensor, body) =
        sparse(fb::SparseTensorIndex::SparseTensorIndexCoo(Box::default()), &[0, 1, 2, 0, 0, 1, 2, 0]);
    change(&mut tensor, &mut index);
    tensor.sparse_index = fb::SparseTensorIndex::SparseTensorIndexCsf(Box::new(index));
    message((tensor, body))
}

/// Writes the index in the form of Arrow C++.
fn in_numbers(index: &mut fb::SparseTensorIndexCsf) {
    index.indptr_buffers.iter_mut().chain(&mut index.indices_buffers).for_each(|buffer| buffer.length /= 4);
}

/// The results of all methods that read the message.
fn read(message: fn() -> Message) -> [(&'static str, Result<AnyTensor>); 4] {
    let alone = stream([message()]);
    let in_stream = stream([Message::schema(schema([field("a", int32(), [])])), message()]);
    let in_steps = |mut next: Box<dyn FnMut() -> Result<Step>>| loop {
        match next() {
            Ok(Step::Tensor(message)) => {
                let options = ReadOptions::default();
                let tensor = AnyTensor::try_from_message_with(&message, Endianness::NATIVE, options.clone());
                return tensor.at_message(&message);
            }
            Ok(Step::End) => panic!("the tensor is lost"),
            Ok(_) => {}
            Err(error) => return Err(error),
        }
    };
    let mut reader = StreamReader::try_new(std::io::Cursor::new(in_stream.clone())).unwrap();
    let mut decoder = StreamDecoder::new();
    let mut rest = in_stream.into_iter();
    let by_byte = move || match decoder.step() {
        Ok(Step::NeedBytes(_)) => {
            match rest.next() {
                Some(byte) => decoder.feed(Buffer::copy_from(&[byte])),
                None => decoder.finish_input(),
            }
            Ok(Step::NeedBytes(1))
        }
        step => step,
    };
    [
        ("memory", TensorReader::from_buffer(Buffer::copy_from(&alone)).next().expect("a tensor")),
        ("reader", TensorReader::new(&*alone).next().expect("a tensor")),
        ("stream", in_steps(Box::new(move || reader.next_step()))),
        ("bytes", in_steps(Box::new(by_byte))),
    ]
}

#[test]
fn crafted_tensors_are_judged_as_listed() {
    let mut failures = Vec::new();
    for (name, message, expect) in CASES {
        let mut causes = Vec::new();
        for (way, outcome) in read(*message) {
            let failure = match (&outcome, expect) {
                (Ok(_), None) => None,
                (Err(error), Some((class, words))) => wrong(error, *class, words),
                (Ok(tensor), Some(_)) => Some(format!("read: {tensor:?}")),
                (Err(error), None) => Some(error.to_string()),
            };
            failures.extend(failure.map(|failure| format!("{name} ({way}): {failure}")));
            causes.push(outcome.map_err(|error| error.kind().to_string()));
        }
        if causes.windows(2).any(|pair| pair[0] != pair[1]) {
            failures.push(format!("{name}: the ways of reading disagree: {causes:?}"));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn wrong(error: &IpcError, class: ErrorClass, words: &str) -> Option<String> {
    let is_right =
        error.class() == class && error.to_string().contains(words) && error.location().message.is_some();
    (!is_right).then(|| format!("{}: {error}", class_name(error.class())))
}
