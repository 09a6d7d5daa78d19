//! Chunked arrays give the same results as one array of all their slots, for any division into chunks.

use arrow_data::{ArrayData, ChunkedArray, DataErrorKind as Kind, Validation};
use arrow_schema::{DataType, Field, Metadata};
use arrow_select::combine_chunks;
use proptest::prelude::*;
use testing_support::{Generator, Nulls, all_types, values};

use testing_support::make::{array, binary, int32, nulls};

/// Divides the array into chunks that end at these slots. The ends may be in any order.
fn cut(array: &ArrayData, ends: &[usize]) -> ChunkedArray {
    let mut ends: Vec<usize> = ends.iter().map(|end| end % (array.len() + 1)).collect();
    ends.sort_unstable();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let ends = ends.iter().copied().chain([array.len()]);
    let chunks = starts.zip(ends).map(|(start, end)| array.slice(start, end - start));
    ChunkedArray::try_new(array.data_type().clone(), chunks.collect::<Vec<_>>()).expect("one type")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn agrees_with_one_array(seed: u64, n_slots in 0..40_usize, ends in prop::collection::vec(0..1000_usize, 0..5)) {
        let mut generator = Generator::new(seed);
        for (name, data_type) in all_types() {
            let nulls = *generator.rng().pick(&Nulls::ALL);
            let whole = generator.sliced_array(&data_type, n_slots, nulls);
            let column = cut(&whole, &ends);
            prop_assert_eq!((column.len(), column.n_chunks()), (n_slots, ends.len() + 1));
            prop_assert_eq!(column.null_count(), whole.null_count());
            prop_assert_eq!(column.logical_null_count(), whole.logical_null_count());
            for slot in 0..n_slots + 2 {
                prop_assert_eq!(column.is_valid(slot), whole.is_valid(slot), "{}", &name);
            }
            // The naive search.
            let all = (0..).zip(column.chunks());
            let all: Vec<_> = all.flat_map(|(idx, chunk)| (0..chunk.len()).map(move |slot| (idx, slot))).collect();
            prop_assert_eq!((0..n_slots).map(|slot| column.locate(slot)).collect::<Option<Vec<_>>>(), Some(all));
            prop_assert_eq!(column.locate(n_slots), None);

            prop_assert_eq!(combine_chunks(&column).map(|array| values(&array)), Ok(values(&whole)), "{}", &name);
            let start = generator.rng().below(n_slots + 1);
            let n = generator.rng().below(n_slots - start + 1);
            let slice = column.slice(start, n);
            prop_assert!(slice.chunks().iter().all(|chunk| !chunk.is_empty()));
            prop_assert_eq!(combine_chunks(&slice).map(|array| values(&array)), Ok(values(&whole.slice(start, n))));

            let parts = [column.slice(0, start), column.slice(start, n_slots - start)];
            let joined = ChunkedArray::concat(&parts).expect("one type");
            prop_assert_eq!(joined.same_values(&column), Ok(true), "{}", &name);
            let other = ChunkedArray::from(generator.array(&data_type, n_slots, nulls));
            let expected = whole.same_values(&other.chunks()[0]);
            prop_assert_eq!(joined.same_values(&other), expected, "{}", &name);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let error = ChunkedArray::try_new(DataType::Int32, [int32(&[1]), ArrayData::new_empty(&DataType::Int8)]);
    assert_eq!(error.expect_err("two types").to_string(), "expected int32, found int8");
    let ids = ChunkedArray::from(int32(&[1, 2]));
    let error = ids.try_slice(1, 2).expect_err("two slots");
    assert_eq!(error.to_string(), "slots 1..3 are out of bounds; the array has 2 slots");
    assert!(ids.try_slice(usize::MAX, 2).is_err());
    assert_eq!(ids.try_slice(2, 0).map(|slice| (slice.len(), slice.n_chunks())), Ok((0, 0)));
    let error = ChunkedArray::concat(&[]).expect_err("no type");
    assert_eq!(error.kind(), &Kind::NothingToConcat);
    let bytes = ChunkedArray::new_empty(DataType::Int8);
    let error = ChunkedArray::concat(&[ids.clone(), bytes.clone()]).expect_err("two types");
    assert_eq!(error.to_string(), "expected int32, found int8");
    // Types that cannot have the same values differ, even without slots.
    let texts = ChunkedArray::new_empty(DataType::Utf8);
    assert_eq!(texts.same_values(&bytes), Ok(false));
    assert_eq!(texts.same_values(&ChunkedArray::new_empty(DataType::Utf8View)), Ok(true));
    assert_eq!(
        format!("{ids:?}"),
        "ChunkedArray { data_type: int32, n_slots: 2, n_chunks: 1, first_chunk: [1, 2] }"
    );
}

/// The number of slots that take no memory may exceed a `usize`.
#[test]
fn lengths_do_not_overflow() {
    let many = array(arrow_data::ArrayParts::new(DataType::Null, usize::MAX));
    let one = ChunkedArray::try_new(DataType::Null, [many.clone()]).expect("they can be counted");
    assert_eq!((one.len(), one.null_count()), (usize::MAX, usize::MAX));
    assert_eq!(one.locate(usize::MAX - 1), Some((0, usize::MAX - 1)));
    assert_eq!(one.locate(usize::MAX), None);
    let error = ChunkedArray::try_new(DataType::Null, [many.slice(0, 1), many]).expect_err("too many");
    assert_eq!(error.kind(), &Kind::SizeOverflow { n_slots: usize::MAX as u64 });
    let error = ChunkedArray::concat(&[one.clone(), one.slice(0, 1)]).expect_err("too many");
    assert_eq!(error.kind(), &Kind::SizeOverflow { n_slots: 1 });
}

#[test]
fn data_is_shared() {
    let numbers = int32(&[1, 2, 3, 4]);
    let column = ChunkedArray::try_new(DataType::Int32, [numbers.clone(), int32(&[])]).expect("one type");
    let slice = column.slice(1, 2);
    assert!(slice.chunks()[0].buffer(0).same_memory(&numbers.buffer(0).slice(4..12)));
    let array = combine_chunks(&column).expect("one chunk has slots");
    assert!(array.buffer(0).same_memory(numbers.buffer(0)));
    assert_eq!(array.checked(), Validation::Strict.min(array.checked()));
}

/// Methods that read content check it first. Types are equal even if metadata of nested fields differs.
#[test]
fn content_is_checked_when_it_is_read() {
    let broken = binary(&DataType::Utf8, &[0, 2], b"\xff\xff");
    let good = binary(&DataType::Utf8, &[0, 2], b"ab");
    let column = ChunkedArray::try_new(DataType::Utf8, [good.clone(), broken]).expect("one type");
    let same = column.same_values(&column.clone());
    assert_eq!(
        same.expect_err("not text").to_string(),
        "bytes, slot 0: the value is not UTF-8 at its byte 0"
    );
    assert!(combine_chunks(&column).is_err() && column.clone().validate(Validation::Content).is_err());
    let good = column.slice(0, 1).validate(Validation::Strict).expect("it is text");
    assert_eq!(good.chunks()[0].checked(), Validation::Strict);

    let noted = Field::new("x", DataType::Int32).with_metadata(Metadata::from_iter([("unit", "mm")]));
    let plain =
        testing_support::make::struct_(vec![(Field::new("x", DataType::Int32), nulls(int32(&[1, 2]), "10"))]);
    let column = ChunkedArray::try_new(DataType::struct_([noted]), [plain]).expect("metadata may differ");
    assert_eq!(combine_chunks(&column).map(|array| array.len()), Ok(2));
}
