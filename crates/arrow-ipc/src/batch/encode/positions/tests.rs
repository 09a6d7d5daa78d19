use testing_support::Rng;

use super::{referenced_range::BLOCK_SLOTS, *};

/// A length far beyond the items to which slots refer.
const N_ITEMS: usize = usize::MAX;

/// The simplest implementation, slot by slot: the first item, the end of the last item, and the number that is
/// subtracted from offsets.
fn naive(slots: &[(i64, i64)]) -> (usize, usize, Option<i64>) {
    let used = || slots.iter().filter(|(_, size)| *size > 0);
    let start = used().map(|(offset, _)| *offset).min();
    let end = used().map(|(offset, size)| offset + size).max().unwrap_or(0);
    let greatest = slots.iter().map(|(offset, _)| *offset).max().unwrap_or(0);
    match start {
        None if greatest == 0 => (0, 0, None),
        None => (0, 0, Some(0)),
        Some(0) => (0, end.max(greatest) as usize, None),
        Some(start) => (start as usize, end as usize, Some(start)),
    }
}

fn check(slots: &[(i64, i64)]) {
    let expected = naive(slots);
    let (offsets, sizes): (Vec<i64>, Vec<i64>) = slots.iter().copied().unzip();
    let found = Extent::try_new(&offsets, &sizes, N_ITEMS).unwrap();
    assert_eq!((found.start, found.end, found.base), expected, "{slots:?}");
    let narrow =
        |numbers: &[i64]| numbers.iter().map(|number| i32::try_from(*number).unwrap()).collect::<Vec<_>>();
    let found = Extent::try_new(&narrow(&offsets), &narrow(&sizes), N_ITEMS).unwrap();
    assert_eq!((found.start, found.end, found.base.map(i64::from)), expected, "{slots:?}");
    // The search that assumes no order must find the same result for slots that are in order.
    if let Some(reach) = ReferencedRange::from_contiguous(&offsets, &sizes) {
        assert_eq!(reach, ReferencedRange::from_any(&offsets, &sizes), "{slots:?}");
    }
}

/// Consecutive slots, from an item on.
fn contiguous(rng: &mut Rng, n_slots: usize, first: i64, n_empty_in: usize) -> Vec<(i64, i64)> {
    let mut next = first;
    let slot = |_| {
        let size = if rng.one_in(n_empty_in) { 0 } else { rng.within(1..=9) };
        let slot = (next, size);
        next += size;
        slot
    };
    (0..n_slots).map(slot).collect()
}

#[test]
fn extents_are_those_of_looking_at_each_slot() {
    let mut rng = Rng::new(11);
    for n_slots in [0, 1, 2, 3, 7, 8, 9, 60, BLOCK_SLOTS, BLOCK_SLOTS + 1, 3 * BLOCK_SLOTS - 1] {
        for first in [0, 1, 1000] {
            for n_empty_in in [1, 2, 1_000_000] {
                let mut slots = contiguous(&mut rng, n_slots, first, n_empty_in);
                check(&slots);
                if n_slots == 0 {
                    continue;
                }
                // Makes one slot that is out of order, empty or not, anywhere.
                for _ in 0..8 {
                    let idx = rng.below(n_slots);
                    let before = slots.clone();
                    slots[idx] = (rng.within(0..=3000), rng.within(0..=1));
                    check(&slots);
                    slots = before;
                }
                slots.reverse();
                check(&slots);
            }
        }
    }
}

#[test]
fn ends_past_31_bits_are_found() {
    // The child is longer than offsets can express, except for the last slot.
    let offsets = [i32::MAX - 1, i32::MAX];
    let sizes = [1, i32::MAX];
    let expected = Extent {
        start: i32::MAX as usize - 1,
        end: 2 * i32::MAX as usize,
        base: Some(i32::MAX - 1),
        is_contiguous: true,
    };
    assert_eq!(Extent::try_new(&offsets, &sizes, N_ITEMS).unwrap(), expected);
    let expected = Extent { is_contiguous: false, ..expected };
    assert_eq!(Extent::try_new(&[offsets[1], offsets[0]], &[sizes[1], sizes[0]], N_ITEMS).unwrap(), expected);
}

#[test]
fn many_slots_in_no_order_take_the_whole_child_if_little_of_it_is_unused() {
    let mut rng = Rng::new(12);
    for (n_slots, n_items, last, is_whole) in [
        (20_000, 60_000, 60_000, true),
        // If a sixteenth of the child is unused, it is trimmed; if only a hundredth is, it is not.
        (20_000, 60_000, 60_000 * 15 / 16, false),
        (20_000, 60_000, 60_000 * 99 / 100, true),
        // If there are few slots, all of them are looked at.
        (1000, 60_000, 60_000 * 99 / 100, false),
    ] {
        let slots: Vec<(i64, i64)> = (0..n_slots).map(|_| (rng.within(0..=last - 2), 2)).collect();
        let (offsets, sizes): (Vec<i64>, Vec<i64>) = slots.iter().copied().unzip();
        let found = Extent::try_new(&offsets, &sizes, n_items).unwrap();
        if is_whole {
            assert_eq!(found, Extent { start: 0, end: n_items, base: None, is_contiguous: false });
        } else {
            assert_eq!((found.start, found.end, found.base), naive(&slots));
        }
    }
}
