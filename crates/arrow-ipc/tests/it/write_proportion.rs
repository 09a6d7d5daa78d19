//! The output is in proportion to the data to which rows refer, for batches that were sliced, shuffled and joined.

use std::sync::Arc;

use arrow_array::Utf8Array;
use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts, Physical, RecordBatch, Validation, layout};
use arrow_ipc::{FileWriter, StreamEncoder, StreamReader, StreamWriter, UnusedValues, WriteOptions};
use arrow_schema::{DataType, Field, IndexType, UnionMode};
use arrow_select::{Select, concat_batches};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types, batch_of, ints, rows};

use crate::{ALLOCATOR, message_sizes::n_batch_bytes};

/// The bytes to which the slots in `seen` refer, each counted once, and the number of buffers. They are found slot by
/// slot.
fn referred(array: &ArrayData, seen: &[bool]) -> (usize, usize) {
    let slots: Vec<usize> = (0..array.len()).filter(|slot| seen[*slot]).collect();
    let valid = |slot: &&usize| array.validity().is_none_or(|validity| validity.get(**slot) == Some(true));
    let number = |k: usize, slot: usize| -> usize {
        let buffer = array.buffer(k);
        match buffer.len() / array.len().max(1) >= 8 {
            true => buffer.view::<i64>().unwrap()[slot] as usize,
            false => buffer.view::<i32>().unwrap()[slot] as usize,
        }
    };
    let is_wide = |data_type: &DataType| data_type.to_string().starts_with("large");
    let offset = |slot: usize| match is_wide(array.data_type()) {
        true => array.buffer(0).view::<i64>().unwrap()[slot] as usize,
        false => array.buffer(0).view::<i32>().unwrap()[slot] as usize,
    };
    let n_bits = array.layout().data_buffers().iter().map(|spec| spec.bits as usize).sum::<usize>();
    // Slots of an array that is a child have bytes whether something refers to them or not.
    let own = slots.len() * n_bits.div_ceil(8) + slots.len().div_ceil(8);
    let mut below: Vec<Vec<bool>> = array.children().iter().map(|child| vec![false; child.len()]).collect();
    let n_own_buffers = 1 + array.layout().data_buffers().len();
    let mut bytes = 0;
    match layout(array.data_type()).physical() {
        Physical::Views => {
            let mut used: Vec<Vec<bool>> =
                array.variadic().iter().map(|data| vec![false; data.len()]).collect();
            for slot in slots.iter().filter(valid) {
                let view = array.buffer(0).view::<View>().unwrap()[*slot];
                if !view.is_inline() {
                    let start = view.offset() as usize;
                    used[view.buffer_idx() as usize][start..start + view.n_bytes() as usize].fill(true);
                }
            }
            bytes = used.iter().flatten().filter(|used| **used).count();
        }
        Physical::Bytes(_) => {
            bytes = slots.iter().map(|slot| offset(slot + 1) - offset(*slot)).sum();
        }
        Physical::List(_) => {
            slots.iter().for_each(|slot| below[0][offset(*slot)..offset(slot + 1)].fill(true));
        }
        Physical::ListView(_) => {
            let size = |slot: usize| match is_wide(array.data_type()) {
                true => array.buffer(1).view::<i64>().unwrap()[slot] as usize,
                false => array.buffer(1).view::<i32>().unwrap()[slot] as usize,
            };
            let valid = slots.iter().filter(valid);
            valid.for_each(|slot| below[0][offset(*slot)..offset(*slot) + size(*slot)].fill(true));
        }
        Physical::Union(UnionMode::Dense) => {
            let union = array.data_type().as_union().unwrap();
            for slot in &slots {
                let id = array.buffer(0).view::<i8>().unwrap()[*slot];
                let child = union.type_ids().iter().position(|of| *of == id).unwrap();
                below[child][number(1, *slot)] = true;
            }
        }
        Physical::Struct | Physical::Union(UnionMode::Sparse) => {
            below.iter_mut().for_each(|below| below.copy_from_slice(seen));
        }
        Physical::FixedSizeList(size) => {
            let size = size.as_usize();
            slots.iter().for_each(|slot| below[0][slot * size..(slot + 1) * size].fill(true));
        }
        // Run ends and values of runs, and dictionaries, are written as they are.
        Physical::Runs(_) => below.iter_mut().for_each(|below| below.fill(true)),
        Physical::Null | Physical::Bits | Physical::Fixed(_) | Physical::Dictionary(_) => {}
    }
    let children = array.children().iter().zip(&below).map(|(child, below)| referred(child, below));
    let of_children = children.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (own + bytes + of_children.0, n_own_buffers + array.variadic().len() + of_children.1)
}

fn has(data_type: &DataType, is_such: fn(Physical) -> bool) -> bool {
    is_such(layout(data_type).physical())
        || data_type.children().iter().any(|child| has(child.data_type(), is_such))
        || data_type.as_dictionary().is_some_and(|dictionary| has(dictionary.value(), is_such))
}

/// The batch is written in proportion, by all writers, and read as it was.
fn check(array: &ArrayData, name: &str) -> RecordBatch {
    let batch = batch_of(array.clone());
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    let n_start_bytes = encoder.start().unwrap().n_bytes();
    let encoded = encoder.encode(&batch).unwrap();
    let n_bytes = encoded.n_bytes() as usize;
    if array.dictionary().is_none() && !has(array.data_type(), |of| matches!(of, Physical::Dictionary(_))) {
        assert_eq!(n_batch_bytes(&batch).unwrap(), n_bytes as u64, "{name}");
        let (n_referred, n_buffers) = referred(array, &vec![true; array.len()]);
        // Each level may keep as much as it uses; each buffer is padded and listed.
        let limit = 4 * n_referred + 256 * n_buffers + 512;
        assert!(
            n_bytes <= limit,
            "{name}: {n_bytes} bytes are written for {n_referred} in {n_buffers} buffers"
        );
    }
    let stream = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let twice = [batch.clone(), batch.clone()];
    // Two are counted before they are written.
    let both = StreamWriter::write_to_buffer(batch.schema(), &twice).unwrap();
    assert!(both.len() < 2 * stream.len() && both.len() as u64 > n_start_bytes, "{name}");
    let mut file = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    file.write(&batch).unwrap();
    let options = WriteOptions::new().with_unused_items(UnusedValues::Keep);
    let with_unused =
        StreamWriter::write_to_vec_with(batch.schema(), std::slice::from_ref(&batch), options).unwrap();
    for bytes in [&stream, &with_unused, &both.to_vec()] {
        for read in StreamReader::try_new(&**bytes).unwrap() {
            assert_eq!(rows(&read.unwrap()), rows(&batch), "{name}");
        }
    }
    StreamReader::try_new(&*stream).unwrap().next().unwrap().unwrap()
}

#[test]
fn every_type_is_written_in_proportion() {
    let hunt = Hunt::from_env();
    let types = all_types();
    for round in 0..hunt.count(1, 40) {
        for (seed, (name, data_type)) in types.iter().enumerate() {
            let nulls = Nulls::ALL[(seed + round) % 4];
            let mut generator = Generator::new(hunt.seed(seed as u64 + 1000 * round as u64));
            let array = generator.sliced_array(data_type, 300, nulls);
            let rng = generator.rng();
            let mut shuffled: Vec<u32> = (0..array.len() as u32).collect();
            (1..shuffled.len()).for_each(|last| shuffled.swap(last, rng.below(last + 1)));
            let some: Bitmap = (0..array.len()).map(|_| rng.below(9) == 0).collect();
            let (again, start) = (vec![rng.below(300) as u32; 200], rng.below(290));
            for part in [
                array.slice(start, 10),
                array.take(&shuffled).unwrap(),
                array.take(&shuffled).unwrap().slice(start, 7),
                array.filter(&some).unwrap(),
                array.take(&again).unwrap(),
                array.slice(start, 1),
            ] {
                check(&part, name);
            }
        }
    }
}

/// Long texts, in any order, as one shuffles the rows of a table.
fn shuffled_views(n_slots: usize) -> ArrayData {
    let text = |slot: usize| format!("customer-{slot:012}-{:02}", slot % 97);
    let data = (0..n_slots).flat_map(|slot| text(slot).into_bytes()).collect::<Vec<u8>>();
    let n_bytes = text(0).len();
    let mut views: Vec<View> = (0..n_slots)
        .map(|slot| View::long(text(slot).as_bytes(), 0, (slot * n_bytes) as i32).unwrap())
        .collect();
    let mut rng = Rng::new(1);
    (1..n_slots).for_each(|last| views.swap(last, rng.below(last + 1)));
    let parts = ArrayParts::new(DataType::Utf8View, n_slots);
    let (buffers, variadic) = ([Buffer::from(views), Buffer::new()], Some([Buffer::from(data)].into()));
    ArrayData::try_new(ArrayParts { buffers, variadic, ..parts }).unwrap()
}

fn shuffled_lists(n_slots: usize) -> ArrayData {
    let mut rng = Rng::new(2);
    let mut offsets: Vec<i32> = (0..n_slots as i32).map(|slot| slot * 3).collect();
    (1..n_slots).for_each(|last| offsets.swap(last, rng.below(last + 1)));
    let data_type = DataType::list_view(Field::new("item", DataType::Int32));
    let (buffers, items) = ([offsets.into(), vec![3_i32; n_slots].into()], ints(0..3 * n_slots as i32));
    let children = Some([items].into());
    ArrayData::try_new(ArrayParts { buffers, children, ..ArrayParts::new(data_type, n_slots) }).unwrap()
}

fn shuffled_union(n_slots: usize) -> ArrayData {
    let mut rng = Rng::new(3);
    let mut offsets: Vec<i32> = (0..n_slots as i32).collect();
    (1..n_slots).for_each(|last| offsets.swap(last, rng.below(last + 1)));
    let data_type = DataType::union(UnionMode::Dense, [(0, Field::new("n", DataType::Int32))]).unwrap();
    let buffers = [Buffer::from(vec![0_i8; n_slots]), Buffer::from(offsets)];
    let children = Some([ints(0..n_slots as i32)].into());
    ArrayData::try_new(ArrayParts { buffers, children, ..ArrayParts::new(data_type, n_slots) }).unwrap()
}

/// All parts of a shuffled array together take at most as many bytes as the array, and it is written without a copy.
#[test]
fn parts_of_what_was_shuffled_take_no_more_than_the_whole() {
    const N: usize = 20_000;
    for (whole, n_slot_bytes) in [(shuffled_views(N), 40), (shuffled_lists(N), 20), (shuffled_union(N), 9)] {
        let name = whole.data_type().to_string();
        let batch = batch_of(whole.clone());
        let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
        let encoded = encoder.encode(&batch).unwrap();
        assert_eq!((encoded.stats().n_rebuilt_buffers, encoded.stats().n_rebuilt_bytes), (0, 0), "{name}");
        let n_whole = encoded.n_bytes();
        for n_rows in [1000, 100] {
            let parts: Vec<RecordBatch> =
                (0..N / n_rows).map(|part| batch.slice(part * n_rows, n_rows)).collect();
            let stream = StreamWriter::write_to_buffer(batch.schema(), &parts).unwrap();
            let limit = n_whole as usize + parts.len() * 600;
            assert!(stream.len() <= limit, "{name}: {} of {limit}", stream.len());
            let sizes = parts.iter().map(|part| n_batch_bytes(part).unwrap());
            assert!(sizes.max().unwrap() <= (n_rows * n_slot_bytes + 1200) as u64, "{name}");
            // Joined again, they share what they shared.
            let (joined, usage) =
                ALLOCATOR.measure(|| concat_batches(Arc::clone(batch.schema()), &parts).unwrap());
            assert_eq!(rows(&joined.slice(N / 2, 5)), rows(&batch.slice(N / 2, 5)), "{name}");
            // Most for dense unions, of which each value is looked up.
            let limit = 12 * n_whole as i64 + (parts.len() as i64) * 400;
            assert!(usage.peak_bytes <= limit, "{name}: {usage:?} of {limit}");
            let again = n_batch_bytes(&joined).unwrap();
            assert!(again <= n_whole + 4096, "{name}: {again} of {n_whole}");
        }
        // As they are, if that is wanted.
        let options = WriteOptions::new().with_unused_items(UnusedValues::Keep);
        let mut encoder = StreamEncoder::try_new_with(batch.schema(), options).unwrap();
        let n_with_unused = encoder.encode(&batch.slice(0, 100)).unwrap().n_bytes();
        assert!(n_with_unused > n_whole / 3, "{name}: {n_with_unused} of {n_whole}");
    }
}

/// A few slots that reach over a few items refer to little, even if the items between them are large.
#[test]
fn few_items_may_be_many_bytes() {
    let text = |n: usize| Utf8Array::try_from_iter((0..n).map(|_| "x".repeat(2000))).unwrap().into_data();
    let wide = |n: usize| {
        let parts = ArrayParts::new(DataType::fixed_size_binary(4000).unwrap(), n);
        ArrayData::try_new(ArrayParts { buffers: [vec![7_u8; 4000 * n].into(), Buffer::new()], ..parts })
            .unwrap()
    };
    let lists = |n: usize| {
        let item = Field::new("item", DataType::Int32);
        let children = Some([ints(0..500 * n as i32)].into());
        let parts = ArrayParts::new(DataType::fixed_size_list(item, 500).unwrap(), n);
        ArrayData::try_new(ArrayParts { children, ..parts }).unwrap()
    };
    let makers: [&dyn Fn(usize) -> ArrayData; 3] = [&text, &wide, &lists];
    for items in makers.map(|make| make(101)) {
        let offsets: Vec<i32> = vec![100, 5];
        let of_items = Field::new("item", items.data_type().clone());
        let views = ArrayParts {
            buffers: [offsets.clone().into(), vec![1_i32; 2].into()],
            children: Some([items.clone()].into()),
            ..ArrayParts::new(DataType::list_view(of_items.clone()), 2)
        };
        let union = ArrayParts {
            buffers: [vec![0_i8; 2].into(), offsets.into()],
            children: Some([items].into()),
            ..ArrayParts::new(DataType::union(UnionMode::Dense, [(0, of_items)]).unwrap(), 2)
        };
        for parts in [views, union] {
            let name = parts.data_type.to_string();
            check(&ArrayData::try_new(parts).unwrap(), &name);
        }
    }
}

/// List views with dictionaries that are written unchanged, because they have not been checked, do not affect other
/// columns.
#[test]
fn unchecked_views_are_bounded_beside_dictionaries() {
    let views = shuffled_views(10_000);
    let data_type = DataType::dictionary(IndexType::Int32, DataType::Int32).unwrap();
    let (buffers, dictionary) =
        ([vec![0_i32; views.len()].into(), Buffer::new()], Some(Arc::new(ints(0..3))));
    let parts = ArrayParts { buffers, dictionary, ..ArrayParts::new(data_type, views.len()) };
    let indices = ArrayData::try_new(parts).unwrap();
    assert!(views.checked() < Validation::Content && indices.checked() < Validation::Content);
    let batch = RecordBatch::try_from_columns([("v", views), ("d", indices)]).unwrap();
    let n_bytes = n_batch_bytes(&batch.slice(0, 100)).unwrap();
    assert!(n_bytes < 100 * 50 + 1200, "{n_bytes}");
}

/// Slots that overlap refer to their bytes once, and memory follows the slots.
#[test]
fn views_that_overlap_are_written_once() {
    let data: Vec<u8> = (0..1 << 20).map(|at: usize| b'a' + (at % 26) as u8).collect();
    let cost = |n_slots: usize| {
        let view = |slot: usize| {
            let range = slot % 1000..slot % 1000 + 400_000 - slot % 777;
            View::long(&data[range.clone()], 0, range.start as i32).unwrap()
        };
        let views = (0..n_slots).map(view).collect::<Vec<View>>();
        let variadic = Some([Buffer::from(data.clone()), Buffer::from(data.clone())].into());
        let parts = ArrayParts::new(DataType::BinaryView, n_slots);
        let buffers = [Buffer::from(views), Buffer::new()];
        let batch = batch_of(ArrayData::try_new(ArrayParts { buffers, variadic, ..parts }).unwrap());
        let (n_bytes, usage) = ALLOCATOR.measure(|| n_batch_bytes(&batch).unwrap());
        assert!(n_bytes <= 402_000 + 16 * n_slots as u64, "{n_bytes}");
        assert!(usage.peak_bytes <= 1_000_000 + 200 * n_slots as i64, "{usage:?}");
    };
    [1, 1000, 4000].into_iter().for_each(cost);
}
