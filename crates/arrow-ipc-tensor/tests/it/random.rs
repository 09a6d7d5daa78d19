//! Random tensors, against the plainest way to hold one: a map from positions to values.

use std::collections::BTreeMap;

use arrow_buffer::Buffer;
use arrow_ipc_tensor::{
    AnyTensor, CompressedAxis, SparseTensor, SparseTensorIndex, SparseTensorParts, Tensor, TensorDim,
    TensorReader, TensorWriter,
};
use arrow_schema::{DataType, IndexType};
use testing_support::Rng;

/// Position to value; what is not there is 0.
type Cells = BTreeMap<Vec<u64>, u16>;

fn positions(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![vec![]], |prefixes, size| {
        let extend = |prefix: &Vec<u64>| {
            let prefix = prefix.clone();
            (0..*size).map(move |at| [&prefix[..], &[at]].concat())
        };
        prefixes.iter().flat_map(extend).collect()
    })
}

fn shape(rng: &mut Rng, n_dims: usize) -> Vec<u64> {
    (0..n_dims).map(|_| rng.below(5) as u64).collect()
}

fn dims(shape: &[u64]) -> Vec<TensorDim> {
    shape.iter().map(|size| TensorDim::new(*size)).collect()
}

fn round_trip(tensor: &AnyTensor) -> AnyTensor {
    let mut writer = TensorWriter::new(Vec::new());
    writer.write(tensor).unwrap();
    let bytes = Buffer::from(writer.finish().unwrap());
    let mut read: Vec<AnyTensor> = TensorReader::from_buffer(bytes).map(Result::unwrap).collect();
    assert_eq!(read.len(), 1);
    read.remove(0)
}

#[test]
fn dense_elements_are_where_the_strides_say() {
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let n_dims = rng.below(5);
        let shape = shape(&mut rng, n_dims);
        // Strides that grow in a random order of the dimensions, with gaps at random.
        let mut strides = vec![0; shape.len()];
        let mut left: Vec<usize> = (0..shape.len()).collect();
        let mut n_bytes = 2;
        while !left.is_empty() {
            let dim = left.swap_remove(rng.below(left.len()));
            strides[dim] = n_bytes + rng.below(2) as u64 * rng.below(5) as u64;
            n_bytes = strides[dim] * shape[dim].max(1);
        }
        let data: Vec<u8> = (0..n_bytes).map(|_| rng.bits().to_le_bytes()[0]).collect();
        let tensor = Tensor::try_new_strided(
            DataType::UInt16,
            dims(&shape),
            strides.clone(),
            Buffer::from(data.clone()),
        )
        .unwrap();
        let start = |position: &[u64]| {
            position.iter().zip(&strides).map(|(at, stride)| at * stride).sum::<u64>() as usize
        };
        let positions = positions(&shape);
        let expected: Vec<&[u8]> = positions.iter().map(|position| &data[start(position)..][..2]).collect();
        let found: Vec<&[u8]> = positions.iter().map(|position| tensor.element(position).unwrap()).collect();
        assert_eq!(found, expected, "{shape:?} {strides:?}");
        assert_eq!(tensor.elements().collect::<Vec<_>>(), expected, "{shape:?} {strides:?}");
        let rows = tensor.to_row_major(1 << 20).unwrap();
        assert_eq!(rows.elements().collect::<Vec<_>>(), expected, "{shape:?} {strides:?}");
        assert!(rows.is_row_major() && rows.is_contiguous());
        let mut outside = shape.clone();
        assert_eq!(tensor.element(&outside), if shape.is_empty() { Some(&data[..2]) } else { None });
        outside.push(0);
        assert_eq!(tensor.element(&outside), None);
        assert_eq!(round_trip(&tensor.clone().into()), tensor.into(), "{shape:?} {strides:?}");
    }
}

fn numbers(rng: &mut Rng, index_type: IndexType, numbers: &[u64]) -> Buffer {
    let width = index_type.n_bits() as usize / 8;
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()[..width].to_vec());
    // What follows is let go.
    Buffer::from(bytes.chain((0..rng.below(2) * 8).map(|_| 0xff)).collect::<Vec<u8>>())
}

fn values(cells: &Cells, order: impl Fn(&Vec<u64>) -> Vec<u64>) -> (Vec<Vec<u64>>, Buffer) {
    let mut positions: Vec<Vec<u64>> = cells.keys().cloned().collect();
    positions.sort_by_key(order);
    let data: Vec<u16> = positions.iter().map(|position| cells[position]).collect();
    (positions, Buffer::from(data))
}

fn coo(rng: &mut Rng, index_type: IndexType, cells: &Cells) -> (SparseTensorIndex, Vec<Buffer>, Buffer) {
    let (positions, data) = values(cells, Clone::clone);
    let n_dims = positions.first().map_or(1, Vec::len);
    let width = u64::from(index_type.n_bits() / 8);
    let (strides, flat): (_, Vec<u64>) = match rng.below(2) {
        0 => (None, positions.concat()),
        _ => {
            let column = |dim: usize| positions.iter().map(move |position| position[dim]);
            (Some([width, width * positions.len() as u64]), (0..n_dims).flat_map(column).collect())
        }
    };
    let index = SparseTensorIndex::Coo {
        indices_type: index_type,
        indices_strides: strides,
        is_canonical: rng.below(2) == 0,
    };
    (index, vec![numbers(rng, index_type, &flat)], data)
}

fn csx(
    rng: &mut Rng,
    index_type: IndexType,
    cells: &Cells,
    shape: &[u64],
) -> (SparseTensorIndex, Vec<Buffer>, Buffer) {
    let (axis, major) = [(CompressedAxis::Row, 0), (CompressedAxis::Column, 1)][rng.below(2)];
    let (positions, data) = values(cells, |position| vec![position[major], position[1 - major]]);
    let before = |node: u64| positions.iter().filter(|position| position[major] < node).count() as u64;
    let indptr: Vec<u64> = (0..=shape[major]).map(before).collect();
    let indices: Vec<u64> = positions.iter().map(|position| position[1 - major]).collect();
    let index = SparseTensorIndex::Csx {
        compressed_axis: axis,
        indptr_type: index_type,
        indices_type: IndexType::UInt8,
    };
    (index, vec![numbers(rng, index_type, &indptr), numbers(rng, IndexType::UInt8, &indices)], data)
}

fn csf(
    rng: &mut Rng,
    index_type: IndexType,
    cells: &Cells,
    n_dims: usize,
) -> (SparseTensorIndex, Vec<Buffer>, Buffer) {
    let mut axes: Vec<usize> = (0..n_dims).collect();
    (0..n_dims).for_each(|axis| axes.swap(axis, rng.below(n_dims)));
    let ordered = |position: &Vec<u64>| axes.iter().map(|axis| position[*axis]).collect::<Vec<u64>>();
    let (positions, data) = values(cells, ordered);
    let paths: Vec<Vec<u64>> = positions.iter().map(ordered).collect();
    // The nodes of a level are the different beginnings of paths.
    let level = |n: usize| {
        let mut nodes: Vec<&[u64]> = paths.iter().map(|path| &path[..n]).collect();
        nodes.dedup();
        nodes
    };
    let mut buffers = Vec::new();
    for n in 1..n_dims {
        let children = level(n + 1);
        let starts =
            level(n).into_iter().map(|node| children.partition_point(|child| &child[..n] < node) as u64);
        let indptr: Vec<u64> = starts.chain([children.len() as u64]).collect();
        buffers.push(numbers(rng, IndexType::Int16, &indptr));
    }
    for n in 1..=n_dims {
        let indices: Vec<u64> = level(n).iter().map(|node| node[n - 1]).collect();
        let width = index_type.n_bits() as usize / 8;
        // The length of these says how many nodes there are.
        buffers.push(numbers(rng, index_type, &indices).slice(..indices.len() * width));
    }
    (SparseTensorIndex::csf(IndexType::Int16, index_type, axes), buffers, data)
}

#[test]
fn sparse_values_are_where_the_index_says() {
    let mut rng = Rng::new(2);
    let mut kinds = BTreeMap::new();
    for _ in 0..600 {
        let n_dims = 1 + rng.below(4);
        let shape = shape(&mut rng, n_dims);
        let share = rng.below(5);
        let mut stored = positions(&shape);
        stored.retain(|_| rng.below(4) < share);
        let cells: Cells =
            stored.into_iter().enumerate().map(|(idx, position)| (position, idx as u16 + 1)).collect();
        let index_type = IndexType::ALL[rng.below(8)];
        let (index, index_buffers, data) = match rng.below(3) {
            0 => coo(&mut rng, index_type, &cells),
            1 if n_dims == 2 => csx(&mut rng, index_type, &cells, &shape),
            _ => csf(&mut rng, index_type, &cells, n_dims),
        };
        let what = format!("{index:?} {shape:?} {cells:?}");
        let (data_type, non_zero_length) = (DataType::UInt16, cells.len() as u64);
        let parts =
            SparseTensorParts { data_type, shape: dims(&shape), non_zero_length, index, index_buffers, data };
        let tensor = SparseTensor::try_new(parts).expect(&what);
        tensor.validate().expect(&what);
        let mut found = Cells::new();
        tensor
            .visit(|position, value| {
                found.insert(position.to_vec(), u16::from_ne_bytes(value.try_into().unwrap()));
            })
            .unwrap();
        assert_eq!(found, cells, "{what}");
        let dense = tensor.to_dense(1 << 20).unwrap();
        for position in positions(&shape) {
            let expected = cells.get(&position).copied().unwrap_or_default().to_ne_bytes();
            assert_eq!(dense.element(&position), Some(&expected[..]), "{what}");
        }
        *kinds.entry(tensor.index().name()).or_insert(0) += 1;
        let again = round_trip(&tensor.clone().into());
        let again = again.as_sparse().expect(&what);
        assert_eq!((again.index_buffers(), again.data()), (tensor.index_buffers(), tensor.data()), "{what}");
        assert_eq!(again.to_dense(1 << 20).unwrap(), dense, "{what}");
    }
    assert!(kinds.len() == 4 && kinds.values().all(|n| *n > 20), "{kinds:?}");
}
