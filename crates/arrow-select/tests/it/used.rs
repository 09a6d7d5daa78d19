//! Compares the used data, and arrays without unused data, with the results of simple code.

use std::{collections::BTreeSet, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};
use arrow_select::{Select, SelectError, UnusedValues, concat, refers_to_at_least};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types, batch_of, ints, rows, values};

/// Bytes without a repeating pattern.
fn data(seed: usize, n_bytes: usize) -> Vec<u8> {
    (0..n_bytes).map(|at| b'a' + (at * 7 + at / 26 * 3 + seed) as u8 % 26).collect()
}

/// A utf8-view array whose slots refer to `ranges` of the data buffers.
fn views(ranges: &[(usize, usize, usize)], data: &[Vec<u8>], validity: Option<Bitmap>) -> ArrayData {
    let view = |(of, start, n): &(usize, usize, usize)| {
        let bytes = &data[*of][*start..start + n];
        View::inline(bytes).unwrap_or_else(|| View::long(bytes, *of as i32, *start as i32).expect("fits"))
    };
    let buffers = [Buffer::from(ranges.iter().map(view).collect::<Vec<View>>()), Buffer::new()];
    let variadic = Some(data.iter().map(|data| Buffer::copy_from(data)).collect());
    let parts = ArrayParts::new(DataType::Utf8View, ranges.len());
    ArrayData::try_new(ArrayParts { buffers, variadic, validity, ..parts }).expect("sound")
}

type Change = dyn Fn(&ArrayData) -> Result<ArrayData, SelectError>;

/// What is below a null of a parent may be invalid, also if nothing has checked it yet.
#[test]
fn invalid_values_below_nulls_are_left_out() {
    let words = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0_i8, -71, 1, 120]), Buffer::new()],
        dictionary: Some(Arc::new(views(&[(0, 0, 20), (0, 40, 20), (0, 20, 20)], &[data(1, 60)], None))),
        ..ArrayParts::new("dictionary<int8, utf8_view>".parse().expect("a type"), 4)
    });
    let texts = ArrayParts {
        buffers: [
            Buffer::from(
                [(0, 20), (9, 20), (0, 40), (0, 59)]
                    .map(|(of, start)| View::long(&[b'x'; 20], of, start).expect("it is long"))
                    .to_vec(),
            ),
            Buffer::new(),
        ],
        variadic: Some([Buffer::from(vec![b'x'; 60])].into()),
        ..ArrayParts::new(DataType::Utf8View, 4)
    };
    for items in [words.expect("sound"), ArrayData::try_new(texts).expect("sound")] {
        items.clone().validate(Validation::Content).unwrap_err();
        let fields = [Field::new("y", items.data_type().clone())];
        let validity: Bitmap = [true, false, true, false].into_iter().collect();
        let parts = ArrayParts::new(DataType::struct_(fields), 4);
        let structs =
            ArrayParts { children: Some([items.clone()].into()), validity: Some(validity.clone()), ..parts };
        let parts = ArrayParts::new(
            DataType::fixed_size_list(Field::new("item", items.data_type().clone()), 1).expect("a size"),
            4,
        );
        let lists = ArrayParts { children: Some([items].into()), validity: Some(validity), ..parts };
        for parts in [structs, lists] {
            let array = ArrayData::try_new(parts).expect("sound");
            let expected = array.clone().validate(Validation::Content).expect("nulls hide what is invalid");
            let changes: [(&str, &Change); 6] = [
                ("zeros", &ArrayData::with_zeroed_nulls),
                ("nulls", &ArrayData::with_unused_nulls),
                ("items", &|array| array.with_used_items(UnusedValues::Remove)),
                ("bounded items", &|array| array.with_used_items(UnusedValues::Bounded)),
                ("values", &|array| array.with_used_values(UnusedValues::Remove)),
                ("compact", &ArrayData::compact),
            ];
            for (name, change) in changes {
                let changed = change(&array).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(values(&changed), values(&expected), "{name}");
            }
        }
    }
}

fn list_views(slots: &[(usize, usize)], items: &ArrayData, validity: Option<Bitmap>) -> ArrayData {
    let (offsets, sizes): (Vec<i32>, Vec<i32>) =
        slots.iter().map(|(offset, size)| (*offset as i32, *size as i32)).unzip();
    let data_type = DataType::list_view(Field::new("item", items.data_type().clone()));
    let parts = ArrayParts::new(data_type, slots.len());
    let (buffers, children) = ([offsets.into(), sizes.into()], Some([items.clone()].into()));
    ArrayData::try_new(ArrayParts { buffers, children, validity, ..parts }).expect("sound")
}

fn dense_union(offsets: &[i32], items: &ArrayData) -> ArrayData {
    let fields = [(3, Field::new("n", items.data_type().clone())), (5, Field::new("none", DataType::Null))];
    let parts = ArrayParts::new(DataType::union(UnionMode::Dense, fields).expect("ids"), offsets.len());
    let buffers = [Buffer::from(vec![3_i8; offsets.len()]), Buffer::from(offsets.to_vec())];
    let children = Some([items.clone(), ArrayData::new_empty(&DataType::Null)].into());
    ArrayData::try_new(ArrayParts { buffers, children, ..parts }).expect("sound")
}

/// Counts the used bytes or items one by one.
fn naive(array: &ArrayData) -> usize {
    let mut seen = BTreeSet::new();
    let n = |number: i32| number as usize;
    for slot in
        (0..array.len()).filter(|slot| array.is_valid(*slot) || array.data_type().as_union().is_some())
    {
        let number = |k: usize| n(array.buffer(k).view::<i32>().expect("aligned")[slot]);
        let (of, range) = match array.data_type() {
            DataType::Utf8View => {
                let view = array.buffer(0).view::<View>().expect("aligned")[slot];
                let end = if view.is_inline() { view.offset() } else { view.offset() + view.n_bytes() };
                (n(view.buffer_idx()), n(view.offset())..n(end))
            }
            DataType::Union(_) => (0, number(1)..number(1) + 1),
            _ => (0, number(0)..number(0) + number(1)),
        };
        seen.extend(range.map(|at| (of, at)));
    }
    seen.len()
}

/// The number of bytes in data buffers and of slots in children.
fn n_stored(array: &ArrayData) -> usize {
    let children = array.children().iter().map(ArrayData::len).sum::<usize>();
    children + array.variadic().iter().map(|data| data.len()).sum::<usize>()
}

/// Compares `refers_to_at_least`, `with_used_items` and `compact` with the naive count.
fn check(array: &ArrayData) {
    let used = naive(array);
    for n in [0, used.min(1), used / 2, used.saturating_sub(1), used] {
        assert_eq!(refers_to_at_least(array, n), Ok(true), "{n} of {used}");
    }
    assert_eq!(refers_to_at_least(array, used + 1), Ok(false), "{used}");
    let expected = values(array);
    let least = array.with_used_items(UnusedValues::Remove).map(|array| array.validate(Validation::Content));
    let least = least.expect("selected").expect("valid");
    assert_eq!((values(&least), n_stored(&least), naive(&least)), (expected.clone(), used, used));
    let bounded =
        array.with_used_items(UnusedValues::Bounded).map(|array| array.validate(Validation::Content));
    let bounded = bounded.expect("selected").expect("valid");
    assert_eq!((values(&bounded), naive(&bounded)), (expected.clone(), used));
    assert!(n_stored(&bounded) <= 2 * used, "{} of {used}", n_stored(&bounded));
    assert_eq!(n_stored(&array.with_used_items(UnusedValues::Keep).expect("the same")), n_stored(array));
    assert_eq!(values(&array.compact().expect("valid")), expected);
}

/// Offsets of slots into the data, in a random kind of order.
fn offsets(rng: &mut Rng, n_slots: usize, n_all: usize) -> Vec<usize> {
    let (step, kind) = (1 + rng.below(40), rng.below(6));
    let mut offsets: Vec<usize> = (0..n_slots).map(|slot| slot * step % n_all).collect();
    match kind {
        0 => {}
        1 => offsets.sort_unstable(),
        2 => offsets.reverse(),
        3 => offsets.iter_mut().for_each(|offset| *offset = rng.below(n_all)),
        4 => offsets.iter_mut().for_each(|offset| *offset = rng.below(n_all.div_ceil(50))),
        _ => offsets.fill(rng.below(n_all)),
    }
    offsets
}

#[test]
fn what_is_used_is_what_each_slot_refers_to() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(41);
    for case in 0..hunt.count(60, 3000) {
        let n_slots = [0, 1, 5, 300, 2000][case % 5];
        let n_all = [40, 3000, 20_000][rng.below(3)];
        let validity =
            (rng.below(3) == 0).then(|| (0..n_slots).map(|_| rng.below(4) > 0).collect::<Bitmap>());
        let data = [data(1, n_all + 60), data(2, 50 + rng.below(9000)), data(3, 0)];
        let starts = offsets(&mut rng, n_slots, n_all);
        let (least, n_buffers) = (1 + rng.below(30), 1 + rng.below(2));
        let ranges = starts.iter().enumerate().map(|(slot, start)| match slot % n_buffers {
            0 => (0, *start, least + rng.below(20)),
            _ => (1, start % data[1].len().saturating_sub(50).max(1), least + rng.below(20)),
        });
        check(&views(&ranges.collect::<Vec<_>>(), &data, validity.clone()));
        let items = ints(0..n_all as i32 + 9);
        let slots = starts.iter().map(|start| (*start, rng.below(9)));
        check(&list_views(&slots.collect::<Vec<_>>(), &items, validity));
        check(&dense_union(&starts.iter().map(|start| *start as i32).collect::<Vec<_>>(), &items));
    }
}

#[test]
fn buffers_that_are_used_are_shared_and_others_copied_together() {
    let data = [data(1, 40_000), data(2, 40_000), data(3, 40_000)];
    let all = (0..1000).map(|slot| (0, slot * 40, 40));
    let some = (0..4).flat_map(|slot| [(1, slot * 10_000, 30), (2, slot * 9_000, 20)]);
    let array = views(&all.chain(some).collect::<Vec<_>>(), &data, None);
    let bounded = array.with_used_items(UnusedValues::Bounded).expect("valid");
    assert_eq!(values(&bounded), values(&array));
    // Buffers that are mostly unused are joined to one buffer.
    let lengths: Vec<usize> = bounded.variadic().iter().map(|data| data.len()).collect();
    assert_eq!(lengths, [40_000, 200]);
    assert!(bounded.variadic()[0].same_memory(&array.variadic()[0]));
    // Most of the buffer is used, so nothing changes.
    let well = views(&(0..2000).map(|slot| (slot % 2, slot / 2 * 40, 40)).collect::<Vec<_>>(), &data, None);
    let same = well.with_used_items(UnusedValues::Bounded).expect("valid");
    assert!(same.buffer(0).same_memory(well.buffer(0)) && same.variadic().len() == 3);
}

/// Slices of one array that are concatenated share the array's data again.
#[test]
fn parts_of_one_array_share_again_what_they_shared() {
    let mut rng = Rng::new(8);
    let items = ints(0..10_000);
    let slots: Vec<(usize, usize)> = (0..2000).map(|_| (rng.below(9_990), 5)).collect();
    let lists = list_views(&slots, &items, None);
    let parts: Vec<ArrayData> = (0..100).map(|part| lists.slice(part * 20, 20)).collect();
    let joined = concat(&parts).expect("valid");
    assert_eq!(values(&joined), values(&lists));
    assert!(joined.children()[0].buffer(0).same_memory(items.buffer(0)));
    // If slices of another array are added, the used items are copied.
    let checked = |array: ArrayData| array.validate(Validation::Content).expect("valid");
    let (lists, other) = (checked(lists), checked(list_views(&[(3, 4)], &ints(0..10_000), None)));
    let some = [lists.slice(0, 2), other.clone(), lists.slice(7, 1)];
    let joined = concat(&some).expect("valid");
    assert_eq!(joined.children()[0].len(), 2 * 5 + 4 + 5);
    assert_eq!(values(&joined), some.iter().flat_map(values).collect::<Vec<_>>());
    let all = concat(&[lists.clone(), other, lists.clone()]).expect("valid");
    assert!(all.children()[0].len() <= 10_000 + 4, "{}", all.children()[0].len());
}

fn lists(offsets: &[i32], items: &ArrayData) -> ArrayData {
    let data_type = DataType::list(Field::new("item", items.data_type().clone()));
    let parts = ArrayParts::new(data_type, offsets.len() - 1);
    let (buffers, children) = ([Buffer::from(offsets.to_vec()), Buffer::new()], Some([items.clone()].into()));
    ArrayData::try_new(ArrayParts { buffers, children, ..parts }).expect("sound")
}

fn runs(ends: Vec<i32>, values: &ArrayData) -> ArrayData {
    let n_slots = ends.last().map_or(0, |end| *end as usize);
    let data_type = DataType::run_end_encoded(RunEndType::Int32, values.data_type().clone());
    let children = Some([ints(ends), values.clone()].into());
    ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(data_type, n_slots) }).expect("sound")
}

/// The number of bytes in data buffers at all levels.
fn n_data_bytes(array: &ArrayData) -> usize {
    let own = array.variadic().iter().map(|data| data.len()).sum::<usize>();
    own + array.children().iter().map(n_data_bytes).sum::<usize>()
}

/// A slice of lists or runs keeps its children whole, but uses only a part of them.
#[test]
fn slices_use_what_their_slots_reach_in_children() {
    let items =
        views(&(0..60).map(|slot| (0, (slot * 7 % 60) * 20, 20)).collect::<Vec<_>>(), &[data(1, 1200)], None);
    let ends = |step: i32| (1..=60 / step).map(|run| run * step).collect::<Vec<i32>>();
    let offsets = |step: i32| [vec![0], ends(step)].concat();
    let struct_ = {
        let data_type = DataType::struct_([Field::new("views", DataType::Utf8View)]);
        let children = Some([items.clone()].into());
        ArrayData::try_new(ArrayParts { children, ..ArrayParts::new(data_type, 60) }).expect("sound")
    };
    let arrays = [
        lists(&offsets(3), &items),
        lists(&offsets(2)[..16], &lists(&offsets(2), &items)),
        lists(&offsets(3), &struct_),
        lists(&offsets(4), &runs(ends(1), &items)),
        runs(ends(1), &items),
    ];
    for array in arrays {
        for is_checked in [false, true] {
            let level = if is_checked { Validation::Content } else { array.checked() };
            let array = array.clone().validate(level).expect("valid");
            for (start, n_slots) in [(0, 0), (0, 1), (1, 3), (array.len() - 2, 2), (0, array.len())] {
                let slice = array.slice(start, n_slots);
                let used = slice.with_used_items(UnusedValues::Remove).expect("valid");
                let name = format!("{}, {start} + {n_slots}", array.data_type());
                assert_eq!(values(&used), values(&slice), "{name}");
                assert_eq!(n_data_bytes(&used), n_data_bytes(&slice.compact().expect("valid")), "{name}");
                assert_eq!(used.checked(), level, "{name}");
            }
        }
    }
    // Where nothing can be removed, children stay whole.
    let plain = lists(&offsets(3), &ints(0..60)).slice(1, 2);
    assert!(plain.with_used_items(UnusedValues::Remove).expect("valid").same_memory(&plain));
}

/// A compact slice refers only to its own data.
#[test]
fn compact_arrays_have_memory_of_their_own() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        for nulls in Nulls::ALL {
            let array = Generator::new(seed as u64).sliced_array(&data_type, 60, nulls);
            let array = array.validate(Validation::Content).expect("valid");
            for part in [array.clone(), array.slice(20, 3), array.slice(0, 0)] {
                let compact = part.compact().unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(values(&compact), values(&part), "{name}");
                assert_eq!(compact.checked(), Validation::Content, "{name}");
                assert_no_shared(&compact, &array, &name);
            }
        }
    }
    let batch = batch_of(views(&[(0, 5_000, 20)], &[data(1, 100_000)], None));
    let compact: RecordBatch = batch.compact().expect("valid");
    assert_eq!((rows(&compact), compact.columns()[0].variadic()[0].len()), (rows(&batch), 20));
    let used = batch.with_used_items(UnusedValues::Bounded).expect("valid");
    assert_eq!(used.columns()[0].variadic()[0].len(), 20);
}

fn assert_no_shared(compact: &ArrayData, array: &ArrayData, name: &str) {
    let ranges = |array: &ArrayData| -> Vec<std::ops::Range<usize>> {
        let own = [array.buffer(0), array.buffer(1)].into_iter().chain(array.variadic());
        let own = own.filter(|buffer| !buffer.is_empty()).map(|buffer| {
            let start = buffer.as_ptr().addr();
            start..start + buffer.len()
        });
        own.collect()
    };
    for own in ranges(compact) {
        let shared = ranges(array).into_iter().find(|other| own.start < other.end && other.start < own.end);
        assert_eq!(shared, None, "{name}");
    }
    let shares = compact.dictionary().zip(array.dictionary()).map(|(own, other)| Arc::ptr_eq(own, other));
    assert!(shares != Some(false) || compact.is_empty(), "{name}");
    for (compact, array) in compact.children().iter().zip(array.children()) {
        assert_no_shared(compact, array, name);
    }
}

#[test]
fn wrong_numbers_are_an_error() {
    let wrong = View::from_parts(30, *b"abcd", 0, 20);
    let parts = ArrayParts::new(DataType::BinaryView, 1);
    let (buffers, variadic) = ([Buffer::from(vec![wrong]), Buffer::new()], Some([Buffer::zeroed(40)].into()));
    let array = ArrayData::try_new(ArrayParts { buffers, variadic, ..parts }).expect("sound");
    assert!(array.with_used_items(UnusedValues::Remove).is_err() && array.compact().is_err());
    assert!(refers_to_at_least(&array, 1).is_ok());
    let lists = list_views(&[(5, 9)], &ints(0..9), None);
    assert!(lists.with_used_items(UnusedValues::Remove).is_err() && lists.compact().is_err());
    let union = dense_union(&[9], &ints(0..9));
    assert!(union.with_used_items(UnusedValues::Remove).is_err() && union.compact().is_err());
    for array in [array, lists, union] {
        for n in [1, 1 << 40] {
            assert!(refers_to_at_least(&array, n).is_ok());
        }
    }
}

/// Offsets of views increase, but a later view refers to an earlier buffer again.
#[test]
fn views_that_return_to_a_buffer() {
    let data = [vec![b'a'; 100], vec![b'b'; 100]];
    check(&views(&[(0, 0, 100), (1, 0, 20), (0, 20, 80)], &data, None));
    check(&views(&[(1, 0, 20), (0, 20, 80), (1, 10, 90)], &data, None));
}
