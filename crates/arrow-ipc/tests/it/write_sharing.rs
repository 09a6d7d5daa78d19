//! The buffers that are shared with the caller's arrays, and the buffers that must be rebuilt.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Encoded, StreamEncoder,
    segment::{Segment, WriteStats},
};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};
use testing_support::{array, batch_of, ints, list_of_ints};

/// Large arrays of every layout, whole: their buffers are at least 4 KiB.
fn large_arrays() -> Vec<ArrayData> {
    const N: usize = 40_000;
    let n = N as i32;
    let items = || ints(0..2 * n);
    let item = |data_type| Field::new("item", data_type);
    let offsets = || Buffer::from((0..=n).map(|slot| slot * 2).collect::<Vec<_>>());
    let starts = || Buffer::from((0..n).map(|slot| slot * 2).collect::<Vec<_>>());
    let sizes = || Buffer::from(vec![2i32; N]);
    let bits = || Buffer::from(vec![0xb7u8; N / 8]);
    let none = Buffer::new;
    let fields = || [(0, Field::new("a", DataType::Int32)), (1, Field::new("b", DataType::Int32))];
    let half = || ints(0..n / 2);
    let dense_offsets = Buffer::from((0..n).map(|slot| slot / 2).collect::<Vec<_>>());
    let type_ids = || Buffer::from((0..N).map(|slot| (slot % 2) as i8).collect::<Vec<_>>());
    let run_ends = array(DataType::Int32, N, [Buffer::from((1..=n).collect::<Vec<_>>()), none()], vec![]);
    let runs_type = DataType::run_end_encoded(RunEndType::Int32, DataType::Int32);
    let dictionary_type = DataType::dictionary(arrow_schema::IndexType::Int32, DataType::Int32).unwrap();
    let view = |slot: i32| View::long(&[b'x'; 20], slot % 2, slot / 2 % 250 * 20).unwrap();
    let views = Buffer::from((0..n).map(view).collect::<Vec<_>>());
    let mut arrays = vec![
        ints(0..n),
        array(DataType::Boolean, N - 3, [bits(), none()], vec![]),
        array(DataType::Utf8, N, [offsets(), Buffer::from(vec![b'a'; 2 * N])], vec![]),
        array(list_of_ints(), N, [offsets(), none()], vec![items()]),
        array(DataType::list_view(item(DataType::Int32)), N, [starts(), sizes()], vec![items()]),
        array(
            DataType::fixed_size_list(item(DataType::Int32), 2).unwrap(),
            N,
            Default::default(),
            vec![items()],
        ),
        array(
            DataType::union(UnionMode::Dense, fields()).unwrap(),
            N,
            [type_ids(), dense_offsets],
            vec![half(), half()],
        ),
        array(
            DataType::union(UnionMode::Sparse, fields()).unwrap(),
            N,
            [type_ids(), none()],
            vec![ints(0..n), ints(0..n)],
        ),
        array(runs_type, N, Default::default(), vec![run_ends, ints(0..n)]),
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from((0..n).collect::<Vec<_>>()), none()],
            dictionary: Some(Arc::new(ints(0..n))),
            ..ArrayParts::new(dictionary_type, N)
        })
        .unwrap(),
        ArrayData::try_new(ArrayParts {
            buffers: [views, none()],
            variadic: Some(Arc::from([Buffer::from(vec![b'x'; 5000]), Buffer::from(vec![b'x'; 5000])])),
            ..ArrayParts::new(DataType::Utf8View, N)
        })
        .unwrap(),
    ];
    // With nulls, in the last bits too, and garbage after them.
    let validity = Bitmap::try_new(Buffer::from(vec![0xfdu8; N / 8 + 4]), 8, N - 3).unwrap();
    arrays.push(
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from((0..n).collect::<Vec<_>>()), none()],
            validity: Some(validity),
            ..ArrayParts::new(DataType::Int32, N - 3)
        })
        .unwrap(),
    );
    arrays
}

fn addresses(array: &ArrayData) -> Vec<std::ops::Range<usize>> {
    let range = |buffer: &Buffer| buffer.as_ptr().addr()..buffer.as_ptr().addr() + buffer.len();
    let validity = array.validity().map(Bitmap::buffer);
    let own =
        validity.into_iter().chain([array.buffer(0), array.buffer(1)]).chain(array.variadic()).map(range);
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values)).flat_map(addresses);
    own.chain(below).collect()
}

fn check_shared(encoded: Encoded<'_>, arrays: &[ArrayData]) {
    assert_eq!(encoded.stats(), WriteStats::default());
    let owned: Vec<_> = arrays.iter().flat_map(addresses).collect();
    let mut n_shared = 0;
    for segment in encoded.segments() {
        match segment {
            Segment::Data(buffer) => {
                let start = buffer.as_ptr().addr();
                assert!(
                    owned.iter().any(|range| range.contains(&start) && start + buffer.len() <= range.end)
                );
                n_shared += buffer.len();
            }
            Segment::Gathered(bytes) => assert!(bytes.len() < 16 << 10),
            Segment::Zeros(n_bytes) => assert!(n_bytes < 64),
        }
    }
    assert!(n_shared as u64 * 10 > encoded.n_bytes() * 9);
}

#[test]
fn whole_arrays_are_not_copied() {
    for array in large_arrays() {
        let batch = batch_of(array);
        let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
        check_shared(encoder.encode(&batch).unwrap(), batch.columns());
    }
    let columns = large_arrays();
    let columns = columns[2..columns.len() - 1].iter().cloned().enumerate();
    let batch = RecordBatch::try_from_columns(columns.map(|(idx, array)| (idx.to_string(), array))).unwrap();
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    check_shared(encoder.encode(&batch).unwrap(), batch.columns());
    // Values, unlike offsets and bits, are not copied for slices either.
    let ints = ints(0..100_000);
    let batch = batch_of(ints.slice(7, 90_000));
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    check_shared(encoder.encode(&batch).unwrap(), &[ints]);
}

#[test]
fn what_is_rebuilt_is_counted() {
    let expected = [0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 1];
    for (array, n_rebuilt) in large_arrays().into_iter().zip(expected) {
        let batch = batch_of(array.slice(9, array.len() - 11));
        let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
        let stats = encoder.encode(&batch).unwrap().stats();
        assert_eq!(stats.n_rebuilt_buffers, n_rebuilt, "{}", array.data_type());
    }
}
