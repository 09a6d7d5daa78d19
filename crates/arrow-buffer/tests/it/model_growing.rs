//! Compares growing buffers, bitmaps, texts and views with vectors of values. Snapshots must not change. For a memory
//! checker, set `PROPTEST_CASES` to a small number.

use std::thread;

use arrow_buffer::{
    Bitmap, Buffer, GrowingBitmap, GrowingBuffer, GrowingTextSlots, GrowingTextViews, GrowingViews,
    TextSlotsBuilder, TextViews, Values, View, ViewError,
};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Extend(Vec<u8>),
    Values(Vec<u64>),
    Truncate(usize),
    /// If `true`, the snapshot lives until the end. Otherwise it is dropped at once.
    Snapshot(bool),
    /// Continues with a clone. If `true`, the original gets more values; otherwise it is dropped.
    Clone(bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(
        prop_oneof![
            3 => prop::collection::vec(any::<u8>(), 0..300).prop_map(Step::Extend),
            1 => prop::collection::vec(any::<u64>(), 0..40).prop_map(Step::Values),
            1 => (0..600_usize).prop_map(Step::Truncate),
            2 => any::<bool>().prop_map(Step::Snapshot),
            1 => any::<bool>().prop_map(Step::Clone),
        ],
        0..40,
    )
}

proptest! {
    #[test]
    fn a_growing_buffer_is_a_vec(steps in steps()) {
        let (mut bytes, mut model) = (GrowingBuffer::new(), Vec::new());
        let mut snapshots: Vec<(Buffer, Vec<u8>)> = Vec::new();
        let mut others: Vec<(GrowingBuffer, Vec<u8>)> = Vec::new();
        for step in steps {
            match step {
                Step::Extend(more) => {
                    bytes.extend_from_slice(&more);
                    model.extend(more);
                }
                Step::Values(numbers) => {
                    bytes.extend_values(&numbers);
                    numbers.iter().for_each(|number| model.extend(number.to_ne_bytes()));
                }
                Step::Truncate(n_bytes) => {
                    let n_copied = bytes.truncate(n_bytes);
                    prop_assert!(n_copied == 0 || n_copied == n_bytes && n_bytes < model.len());
                    model.truncate(n_bytes);
                }
                Step::Snapshot(is_stored) => {
                    let snapshot = bytes.snapshot();
                    prop_assert!(snapshot.is_aligned_to(64));
                    prop_assert!(bytes.is_empty() || snapshot.as_ptr() == bytes.as_ptr());
                    if is_stored {
                        snapshots.push((snapshot, model.clone()));
                    }
                }
                Step::Clone(is_used) => {
                    let clone = bytes.clone();
                    let mut original = std::mem::replace(&mut bytes, clone);
                    if is_used {
                        original.extend_from_slice(b"the original goes on");
                        others.push((original, [&model[..], b"the original goes on"].concat()));
                    }
                }
            }
            prop_assert_eq!(&*bytes, &*model);
        }
        drop(bytes);
        for (other, model) in &others {
            prop_assert_eq!(&**other, &**model);
        }
        drop(others);
        for (snapshot, model) in snapshots {
            prop_assert_eq!(&*snapshot, &*model);
        }
    }

    #[test]
    fn a_growing_bitmap_is_a_vec(parts in prop::collection::vec((prop::collection::vec(prop::bool::weighted(0.8), 0..100), 0..9_usize, 0..3), 0..20)) {
        let (mut bits, mut model) = (GrowingBitmap::new(), Vec::new());
        let mut snapshots: Vec<(Bitmap, Vec<bool>)> = Vec::new();
        for (part, start, kind) in parts {
            let start = start.min(part.len());
            let constant = part.first().copied().unwrap_or(true);
            let n_before = bits.len().div_ceil(8);
            let n_copied = if kind == 0 {
                model.extend(std::iter::repeat_n(constant, part.len()));
                bits.extend_constant(constant, part.len())
            } else {
                model.extend(&part[start..]);
                bits.extend_from_bitmap(&Bitmap::from_iter(part.iter().copied()).slice(start, part.len() - start))
            };
            prop_assert!(n_copied <= n_before);
            prop_assert!(n_copied == 0 || !snapshots.is_empty(), "nobody else refers to the bits");
            prop_assert_eq!((bits.len(), bits.n_unset()), (model.len(), model.iter().filter(|bit| !**bit).count()));
            prop_assert!(bits.snapshot().iter().eq(model.iter().copied()));
            if kind == 1 {
                snapshots.push((bits.snapshot(), model.clone()));
            }
        }
        for (snapshot, model) in snapshots {
            prop_assert!(snapshot.iter().eq(model));
        }
    }

    #[test]
    fn growing_texts_are_a_vec(parts in prop::collection::vec(prop::collection::vec("[a-zäß世🦀]{0,20}", 0..8), 0..12), start in 0..3_usize) {
        let (mut slots, mut views, mut model) = (GrowingTextSlots::<i64>::new(), GrowingTextViews::new(), Vec::new());
        let mut snapshots = Vec::new();
        for (part_idx, part) in parts.into_iter().enumerate() {
            let start = start.min(part.len());
            slots.extend_from_slots(&slots_of(&part).slice(start, part.len() - start)).unwrap();
            views.extend_from_views(&views_of(&part, part_idx % 3).slice(start, part.len() - start)).unwrap();
            model.extend(part.into_iter().skip(start));
            if part_idx % 4 == 1 {
                slots.push("pushed").unwrap();
                views.extend_from_views(&views_of(&["pushed".to_owned()], 0)).unwrap();
                model.push("pushed".to_owned());
            }
            prop_assert_eq!((slots.len(), views.len()), (model.len(), model.len()));
            prop_assert_eq!(slots.n_bytes(), model.iter().map(String::len).sum::<usize>());
            snapshots.push((slots.snapshot(), views.snapshot(), model.clone()));
        }
        drop((slots, views));
        for (slots, views, model) in snapshots {
            prop_assert!(slots.iter().eq(model.iter().map(String::as_str)));
            prop_assert!(views.iter().eq(model.iter().map(String::as_str)));
            prop_assert!(views.data().len() <= 1, "data is joined");
            // The public check accepts the slots, too.
            prop_assert!(arrow_buffer::TextSlots::try_new(slots.offsets().clone(), slots.text().as_buffer().clone()).is_ok());
            let (views, data) = views.into_parts();
            prop_assert!(TextViews::try_new(views, data).is_ok());
        }
    }
}

fn slots_of(texts: &[String]) -> arrow_buffer::TextSlots<i64> {
    let mut builder = TextSlotsBuilder::new();
    texts.iter().for_each(|text| builder.push(text).unwrap());
    builder.finish()
}

/// Views of the texts, each in a data buffer of its own, after some bytes that are not UTF-8.
fn views_of(texts: &[String], n_before: usize) -> TextViews {
    let data = texts.iter().map(|text| Buffer::copy_from(&[&vec![0xff; n_before], text.as_bytes()].concat()));
    let view = |(idx, text): (usize, &String)| match View::inline(text.as_bytes()) {
        Some(view) => view,
        None => View::long(text.as_bytes(), idx as i32, n_before as i32).unwrap(),
    };
    let views: Vec<View> = texts.iter().enumerate().map(view).collect();
    TextViews::try_new(Values::from(views), Some(data.collect())).unwrap()
}

/// This test also runs in `cargo xtask hunt thread`.
#[test]
fn threads_read_snapshots_while_more_is_appended() {
    let (mut bytes, mut bits) = (GrowingBuffer::new(), GrowingBitmap::new());
    let (mut slots, mut views) = (GrowingTextSlots::<i32>::new(), GrowingTextViews::new());
    let text = |round: usize| format!("text of round {round}");
    thread::scope(|scope| {
        for round in 0..200_usize {
            bytes.extend_from_slice(&[round as u8; 37]);
            bits.extend_constant(!round.is_multiple_of(5), 3);
            slots.push(&text(round)).unwrap();
            views.extend_from_views(&views_of(&[text(round)], 0)).unwrap();
            let (snapshot, flags) = (bytes.snapshot(), bits.snapshot());
            let (slots, views) = (slots.snapshot(), views.snapshot());
            scope.spawn(move || {
                assert_eq!(snapshot.len(), (round + 1) * 37);
                assert!(snapshot.iter().enumerate().all(|(at, byte)| *byte == (at / 37) as u8));
                assert!(flags.iter().enumerate().all(|(at, flag)| flag != (at / 3).is_multiple_of(5)));
                assert_eq!((slots.len(), views.len()), (round + 1, round + 1));
                assert!(
                    slots
                        .iter()
                        .zip(views.iter())
                        .enumerate()
                        .all(|(at, (slot, view))| { slot == view && slot == text(at) })
                );
            });
        }
    });
}

#[test]
fn what_is_copied_is_in_proportion() {
    let mut bytes = GrowingBuffer::new();
    let mut snapshots = Vec::new();
    let mut n_moves = 0;
    for _ in 0..10_000 {
        let before = bytes.as_ptr();
        bytes.extend_from_slice(&[7; 16]);
        n_moves += usize::from(bytes.as_ptr() != before);
        snapshots.push(bytes.snapshot());
    }
    assert!(n_moves <= 13, "{n_moves} times for 160,000 bytes");
    // Only unset bits cause a copy, and only if a snapshot still refers to the last byte.
    let mut bits = GrowingBitmap::new();
    let mut snapshots = Vec::new();
    for _ in 0..10_001 {
        assert_eq!(bits.extend_constant(true, 3), 0);
        snapshots.push(bits.snapshot());
    }
    assert_eq!(bits.extend_constant(false, 1), 30_003 / 8);
    drop(snapshots);
    for _ in 0..100 {
        assert_eq!(bits.extend_constant(false, 3), 0);
        drop(bits.snapshot());
    }
}

#[test]
fn offsets_and_views_that_do_not_fit() {
    let data = [Buffer::from_static(b"nothing but forty bytes, or hardly more.")];
    let (inline, long) = (View::inline(b"a").unwrap(), View::long(&data[0], 0, 0).unwrap());
    let mut views = GrowingViews::new();
    for buffer_idx in [3, -1] {
        let wrong = View::from_parts(20, *b"abcd", buffer_idx, 0);
        let error = ViewError::BufferIndex { buffer_idx, n_buffers: 1 };
        assert_eq!(views.extend([inline, long, wrong], &data), Err((2, error)));
    }
    assert!(views.views().is_empty() && views.data().is_none());
    assert_eq!(views.extend([inline, long], &data), Ok(()));
    // The bytes would follow those of the first call.
    let wrong = View::from_parts(20, *b"noth", 0, i32::MAX);
    assert!(matches!(
        views.extend([inline, wrong], &data),
        Err((1, ViewError::OutOfBuffer { buffer_idx: 0, .. }))
    ));
    assert_eq!(views.views().view::<View>(), Ok(&[inline, long][..]));
    assert_eq!(views.data().as_deref(), Some(&data[..]));
    let mut slots = GrowingTextSlots::<i32>::new();
    slots.push("ab").unwrap();
    assert_eq!((slots.len(), slots.is_empty(), slots.snapshot().get(0)), (1, false, Some("ab")));
}
