//! The allowed content of a tensor, and its interpretation.

use arrow_array::Int16Array;
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_ipc_tensor::{SparseTensor, SparseTensorIndex, SparseTensorParts, Tensor, TensorDim, TensorError};
use arrow_schema::{DataType, IndexType};

fn parts(shape: &[u64], n_values: u64, index: SparseTensorIndex, buffers: &[&[i64]]) -> SparseTensorParts {
    SparseTensorParts {
        data_type: DataType::UInt8,
        shape: shape.iter().map(|size| TensorDim::new(*size)).collect(),
        non_zero_length: n_values,
        index,
        index_buffers: buffers.iter().map(|numbers| Buffer::from(numbers.to_vec())).collect(),
        data: Buffer::copy_from(b"abcdefgh"),
    }
}

const I64: IndexType = IndexType::Int64;

fn canonical() -> SparseTensorIndex {
    SparseTensorIndex::Coo { indices_type: I64, indices_strides: None, is_canonical: true }
}

/// Shape, values, index, its numbers, and the words of the error; none where it is valid.
type Case = (&'static [u64], u64, SparseTensorIndex, &'static [&'static [i64]], &'static str);

#[test]
fn the_numbers_of_an_index_are_checked() {
    let (coo, csr, csc) =
        (SparseTensorIndex::coo(I64), SparseTensorIndex::csr(I64, I64), SparseTensorIndex::csc(I64, I64));
    let csf = |axes: &[usize]| SparseTensorIndex::csf(I64, I64, axes);
    let cases: Vec<Case> = vec![
        (&[2, 3], 2, coo.clone(), &[&[1, 2, 0, 0]], ""),
        (&[2, 3], 2, coo.clone(), &[&[1, 2, 1, 2]], ""),
        (
            &[2, 3],
            2,
            coo.clone(),
            &[&[2, 2, 0, 0]],
            "coordinate 0 of dimension 0 is 2; the size of the dimension is 2",
        ),
        (&[2, 3], 2, coo.clone(), &[&[1, 2, 0, 3]], "coordinate 1 of dimension 1 is 3"),
        (&[2, 3], 2, coo.clone(), &[&[1, -1, 0, 0]], "is -1"),
        (&[2, 0], 1, coo.clone(), &[&[0, 0]], "the size of the dimension is 0"),
        (&[2, 0], 0, coo.clone(), &[&[]], ""),
        (&[2, 3], 2, canonical(), &[&[0, 2, 1, 0]], ""),
        (&[2, 3], 2, canonical(), &[&[1, 0, 0, 2]], "value 1 are not greater"),
        (&[2, 3], 2, canonical(), &[&[1, 0, 1, 0]], "value 1 are not greater"),
        (&[2, 3], 3, csr.clone(), &[&[0, 1, 3], &[1, 0, 2]], ""),
        (&[2, 3], 3, csr.clone(), &[&[0, 3, 3], &[2, 1, 0]], ""),
        (&[2, 3], 3, csr.clone(), &[&[1, 1, 3], &[1, 0, 2]], "pointer 0 of level 0 is 1; allowed: 0 to 0"),
        (&[2, 3], 3, csr.clone(), &[&[0, 1, 2], &[1, 0, 2]], "pointer 2 of level 0 is 2; allowed: 3 to 3"),
        (&[2, 3], 3, csr.clone(), &[&[0, 4, 3], &[1, 0, 2]], "pointer 1 of level 0 is 4"),
        (&[2, 3], 3, csr.clone(), &[&[0, -1, 3], &[1, 0, 2]], "is -1"),
        (&[3, 3], 3, csr.clone(), &[&[0, 2, 1, 3], &[1, 0, 2]], "pointer 2 of level 0 is 1; allowed: 2 to 3"),
        (&[2, 3], 3, csr.clone(), &[&[0, 1, 3], &[1, 0, 3]], "coordinate 2 of dimension 1 is 3"),
        (&[0, 3], 0, csr.clone(), &[&[0], &[]], ""),
        (&[0, 3], 1, csr.clone(), &[&[0], &[0]], "pointer 0"),
        (&[0, 3], 0, csr, &[&[1], &[]], "pointer 0"),
        (&[2, 3], 3, csc.clone(), &[&[0, 1, 1, 3], &[1, 0, 1]], ""),
        (&[2, 3], 3, csc, &[&[0, 1, 1, 3], &[1, 0, 2]], "coordinate 2 of dimension 0 is 2"),
        (&[4], 2, csf(&[0]), &[&[3, 1]], ""),
        (&[4], 2, csf(&[0]), &[&[3, 4]], "is 4"),
        (&[2, 3], 3, csf(&[0, 1]), &[&[0, 1, 3], &[0, 1], &[1, 0, 2]], ""),
        (&[2, 3], 3, csf(&[1, 0]), &[&[0, 1, 3], &[0, 2], &[1, 0, 1]], ""),
        (&[2, 3], 3, csf(&[0, 1]), &[&[0, 0, 3], &[0, 1], &[1, 0, 2]], ""),
        (&[2, 3], 3, csf(&[0, 1]), &[&[0, 1, 2], &[0, 1], &[1, 0, 2]], "pointer 2 of level 0 is 2"),
        (&[2, 3], 3, csf(&[0, 1]), &[&[0, 1, 3], &[0, 2], &[1, 0, 2]], "coordinate 1 of dimension 0 is 2"),
        // Also of a node that no value is below.
        (&[2, 3], 3, csf(&[0, 1]), &[&[0, 0, 3], &[9, 1], &[1, 0, 2]], "coordinate 0 of dimension 0 is 9"),
        (&[2, 3], 3, csf(&[1, 0]), &[&[0, 1, 3], &[0, 2], &[1, 0, 2]], "coordinate 2 of dimension 0 is 2"),
        (&[2, 3], 0, csf(&[0, 1]), &[&[0], &[], &[]], ""),
    ];
    for (shape, n_values, index, buffers, words) in cases {
        let what = format!("{index} {shape:?} {buffers:?}");
        let tensor = SparseTensor::try_new(parts(shape, n_values, index, buffers)).expect(&what);
        let mut n_seen = 0;
        let outcomes =
            [tensor.validate(), tensor.visit(|_, _| n_seen += 1), tensor.to_dense(1 << 10).map(drop)];
        for outcome in outcomes {
            match outcome {
                Ok(()) => assert_eq!(words, "", "{what}"),
                Err(error) => {
                    assert!(!words.is_empty() && error.to_string().contains(words), "{what}: {error}")
                }
            }
        }
        assert!(!words.is_empty() || n_seen == n_values, "{what}");
    }
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    let (coo, csr) = (SparseTensorIndex::coo(I64), SparseTensorIndex::csr(I64, I64));
    let strided = |row, column| SparseTensorIndex::Coo {
        indices_type: I64,
        indices_strides: Some([row, column]),
        is_canonical: false,
    };
    let csf = |axes: &[usize]| SparseTensorIndex::csf(I64, I64, axes);
    const HUGE: u64 = i64::MAX as u64;
    let cases: Vec<Case> = vec![
        (&[], 0, coo.clone(), &[&[]], "at least one dimension"),
        (&[2; 257], 0, coo.clone(), &[&[]], "257 dimensions"),
        (&[u64::MAX], 0, coo.clone(), &[&[]], "2⁶"),
        (&[2, 3], u64::MAX, coo.clone(), &[&[]], "2⁶"),
        (&[2, 3], 9, coo.clone(), &[&[0; 18]], "the data of the tensor needs 9 bytes and has 8"),
        (&[2, 3], 2, coo.clone(), &[&[0; 3]], "needs 32 bytes and has 24"),
        (&[2, 3], 2, coo.clone(), &[], "needs 1 buffers"),
        (&[2, 3], 2, coo, &[&[0; 4], &[]], "there are 2"),
        (&[2, 3], 2, strided(8, 16), &[&[0; 4]], ""),
        (&[2, 3], 2, strided(24, 8), &[&[0; 4]], "needs 40 bytes"),
        (&[2, 3], 2, strided(0, 0), &[&[0; 3]], "needs 32 bytes"),
        (&[2, 3], 2, strided(HUGE, HUGE), &[&[0; 4]], "reach beyond"),
        (&[2, 3], 2, strided(u64::MAX, 8), &[&[0; 4]], "2⁶"),
        (&[2], 1, csr.clone(), &[&[0, 1, 1], &[0]], "the tensor has 1"),
        (&[2, 2, 2], 1, csr.clone(), &[&[0, 1, 1], &[0]], "the tensor has 3"),
        (&[2, 2], 1, csr.clone(), &[&[0, 1], &[0]], "needs 24 bytes and has 16"),
        (&[2, 2], 1, csr.clone(), &[&[0, 1, 1], &[]], "needs 8 bytes and has 0"),
        (&[HUGE, 2], 1, csr.clone(), &[&[0, 1, 1], &[0]], "has 24"),
        (&[2, 2], 1, csr, &[&[0, 1, 1]], "needs 2 buffers"),
        (&[2, 3], 1, csf(&[0]), &[&[0]], "axis order is [0]"),
        (&[2, 3], 1, csf(&[0, 0]), &[&[0, 1], &[0], &[0]], "axis order is [0, 0]"),
        (&[2, 3], 1, csf(&[0, 2]), &[&[0, 1], &[0], &[0]], "axis order is [0, 2]"),
        (&[2, 3], 1, csf(&[0, 1]), &[&[0, 1], &[0]], "needs 3 buffers"),
        (&[2, 3], 1, csf(&[0, 1]), &[&[0], &[0], &[0]], "needs 16 bytes and has 8"),
        (
            &[2, 3],
            2,
            csf(&[0, 1]),
            &[&[0, 1], &[0], &[0]],
            "the last level of the index has 1 nodes; the tensor has 2 values",
        ),
        (
            &[2, 3],
            0,
            csf(&[0, 1]),
            &[&[0, 1], &[0], &[0]],
            "the last level of the index has 1 nodes; the tensor has 0 values",
        ),
    ];
    for (shape, n_values, index, buffers, words) in cases {
        let what = format!("{index} {shape:?} {buffers:?}");
        match SparseTensor::try_new(parts(shape, n_values, index, buffers)) {
            Ok(_) => assert_eq!(words, "", "{what}"),
            Err(error) => assert!(!words.is_empty() && error.to_string().contains(words), "{what}: {error}"),
        }
    }
    let mut odd = parts(&[2], 1, csf(&[0]), &[&[0]]);
    odd.index_buffers[0] = odd.index_buffers[0].slice(..7);
    assert!(matches!(
        SparseTensor::try_new(odd),
        Err(TensorError::PartOfNumber { n_bytes: 7, width: 8, .. })
    ));
}

#[test]
fn elements_are_of_one_width_in_whole_bytes() {
    for (name, data_type) in testing_support::all_types() {
        let layout = arrow_data::layout(&data_type);
        let bits = match (layout.has_validity(), layout.data_buffers()) {
            (true, [values]) if layout.content() == arrow_data::Content::Any => values.bits,
            _ => 0,
        };
        let is_fixed = bits >= 8 && layout.child_len() == arrow_data::ChildLen::NoChildren;
        let tensor = Tensor::try_new(data_type.clone(), [0], Buffer::new());
        assert_eq!(tensor.is_ok(), is_fixed, "{name}");
        if let Err(error) = tensor {
            assert_eq!(error, TensorError::ElementType { found: data_type }, "{name}");
        }
    }
    for (data_type, n_bytes) in [
        (DataType::Int8, Some(1)),
        (DataType::Float16, Some(2)),
        (DataType::decimal256(40, 0).unwrap(), Some(32)),
        (DataType::fixed_size_binary(3).unwrap(), Some(3)),
        (DataType::fixed_size_binary(0).unwrap(), None),
        (DataType::Boolean, None),
        (DataType::Utf8, None),
        (DataType::Utf8View, None),
        (DataType::Null, None),
        (DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap(), None),
    ] {
        let tensor = Tensor::try_new(data_type.clone(), [0], Buffer::new());
        assert_eq!(tensor.ok().map(|tensor| tensor.n_element_bytes()), n_bytes, "{data_type}");
    }
}

#[test]
fn copies_have_a_limit() {
    // Few bytes, many elements.
    let repeated =
        Tensor::try_new_strided(DataType::Int32, [1 << 40, 2], [0, 4], Buffer::from(vec![1i32, 2])).unwrap();
    assert_eq!((repeated.n_elements(), repeated.is_contiguous()), (1 << 41, false));
    assert_eq!(repeated.element(&[(1 << 40) - 1, 1]), Some(&2i32.to_ne_bytes()[..]));
    assert_eq!(repeated.elements().nth(3), Some(&2i32.to_ne_bytes()[..]));
    assert_eq!(
        repeated.to_row_major(1 << 30),
        Err(TensorError::TooLarge { requested: 1 << 43, limit: 1 << 30 })
    );
    assert!(repeated.to_array(1 << 30).is_err());
    let wide = SparseTensorIndex::coo(I64);
    let sparse = SparseTensor::try_new(parts(&[1 << 62, 1 << 62, 1 << 62], 0, wide, &[&[]])).unwrap();
    sparse.validate().unwrap();
    assert!(matches!(sparse.to_dense(u64::MAX), Err(TensorError::TooLarge { .. })));
    // As many bytes as can be counted, and no system has.
    let large =
        SparseTensor::try_new(parts(&[1 << 30, 1 << 29], 0, SparseTensorIndex::coo(I64), &[&[]])).unwrap();
    assert!(matches!(large.to_dense(u64::MAX), Err(TensorError::OutOfMemory { .. })));
    let empty =
        SparseTensor::try_new(parts(&[1 << 62, 0, 1 << 62], 0, SparseTensorIndex::coo(I64), &[&[]])).unwrap();
    assert_eq!(empty.to_dense(0).unwrap().n_elements(), 0);
    // Nothing is copied where rows follow each other already.
    let rows = Tensor::try_new(DataType::Int32, [2], Buffer::from(vec![1i32, 2, 3])).unwrap();
    assert!(rows.to_row_major(0).unwrap().data().same_memory(rows.data()));
    assert_eq!(rows.data().len(), 8);
}

#[test]
fn the_last_of_several_values_at_one_position_counts() {
    let tensor = SparseTensor::try_new(parts(&[3], 3, SparseTensorIndex::coo(I64), &[&[1, 0, 1]])).unwrap();
    assert_eq!(&**tensor.to_dense(3).unwrap().data(), b"bc\0");
}

#[test]
fn arrays_are_tensors_and_tensors_arrays() {
    let array: ArrayData = Int16Array::from_iter([1, 2, 3, 4, 5, 6, 7]).into();
    let sliced = array.slice(1, 6);
    let tensor = Tensor::try_from_array(&sliced, [2, 3]).unwrap();
    assert!(tensor.data().same_memory(sliced.buffer(0)));
    assert_eq!(tensor.element(&[1, 2]), Some(&7i16.to_ne_bytes()[..]));
    assert_eq!(testing_support::values(&tensor.to_array(12).unwrap()), testing_support::values(&sliced));
    let columns = Tensor::try_new_strided(DataType::Int16, [3, 2], [2, 6], tensor.data().clone()).unwrap();
    let expected: ArrayData = Int16Array::from_iter([2, 5, 3, 6, 4, 7]).into();
    assert_eq!(testing_support::values(&columns.to_array(12).unwrap()), testing_support::values(&expected));
    assert!(columns.to_array(11).is_err());
    assert!(matches!(Tensor::try_from_array(&sliced, [7]), Err(TensorError::TooShort { .. })));
    let nulls: ArrayData = Int16Array::from_iter([Some(1), None]).into();
    assert_eq!(Tensor::try_from_array(&nulls, [2]), Err(TensorError::Nulls { null_count: 1 }));
}
