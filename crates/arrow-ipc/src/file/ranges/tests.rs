//! Merged ranges, beside all other ways to fetch the same.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

#[test]
fn ranges_that_are_long_enough_end_where_the_next_begins() {
    let ranges = vec![0..10, 10..20, 20..30, 25..40, 40..41, 45..50];
    assert_eq!(join_up_to(ranges.clone(), 5, 20), [0..20, 20..40, 40..50]);
    assert_eq!(join_up_to(ranges.clone(), 3, 15), [0..20, 20..40, 40..41, 45..50]);
    assert_eq!(join_up_to(ranges.clone(), 3, u64::MAX), [0..41, 45..50]);
    assert_eq!(join_up_to(ranges, 0, 1), [0..10, 10..20, 20..40, 40..41, 45..50]);
}

#[test]
fn ranges_are_joined_and_subtracted() {
    let ranges = vec![20..30, 0..5, 5..6, 8..8, 28..40, 43..44];
    assert_eq!(join(ranges.clone(), 0), [0..6, 20..40, 43..44]);
    assert_eq!(join(ranges.clone(), 3), [0..6, 20..44]);
    assert_eq!(join(ranges, u64::MAX), std::slice::from_ref(&(0..44)));
    let others = [2..4, 6..7, 9..20];
    assert_eq!(without(0..10, &others), [0..2, 4..6, 7..9]);
    assert_eq!(without(3..5, &others), std::slice::from_ref(&(4..5)));
    assert_eq!(without(10..12, &others), []);
    assert_eq!(without(30..32, &others), std::slice::from_ref(&(30..32)));
}

/// One request is worth 100 bytes.
fn costs() -> impl Strategy<Value = FetchCost> {
    let cost = FetchCost::new(Duration::from_millis(100), 1_000);
    (1u32..4).prop_map(move |n_in_flight| cost.with_requests_in_flight(n_in_flight))
}

/// Ranges in order, with a gap before each.
fn ranges_of(lengths: &[(u64, u64)], start: u64) -> Vec<Range<u64>> {
    let mut end = start;
    let range = |(gap, n_bytes): &(u64, u64)| {
        let range = end + gap..end + gap + n_bytes;
        end = range.end;
        range
    };
    lengths.iter().map(range).collect()
}

fn needed(required: Vec<Range<u64>>, later: Vec<LaterRanges>) -> NeededRanges {
    NeededRanges { required, later, ..NeededRanges::default() }.settled()
}

/// A block: its metadata, its body, and what is needed of the body.
#[derive(Debug, Clone)]
struct Block {
    metadata: Range<u64>,
    body: Range<u64>,
    ranges: Vec<Range<u64>>,
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let lengths = prop::collection::vec((0..300u64, 1..300u64), 0..5);
    prop::collection::vec((1..200u64, lengths, 0..1_000u64), 1..8).prop_map(|blocks| {
        let mut position = 8;
        let block = |(n_metadata_bytes, lengths, n_trailing): (u64, Vec<(u64, u64)>, u64)| {
            let metadata = position..position + n_metadata_bytes;
            let ranges = ranges_of(&lengths, metadata.end);
            let end = ranges.last().map_or(metadata.end, |range| range.end) + n_trailing;
            position = end;
            Block { body: metadata.end..end, metadata, ranges }
        };
        blocks.into_iter().map(block).collect()
    })
}

/// 5 % more, and what is lost where numbers are rounded.
fn with_tolerance(time: Duration) -> Duration {
    time + time / 20 + Duration::from_nanos(10)
}

proptest! {
    #[test]
    fn no_other_way_to_join_ranges_is_much_cheaper(
        lengths in prop::collection::vec((0..400u64, 1..3_000u64), 1..9),
        cost in costs(),
    ) {
        let ranges = ranges_of(&lengths, 0);
        let merged = needed(ranges.clone(), Vec::new()).merged_for(&cost);
        // All ways: each gap is bridged or not.
        let best = (0..1u32 << (ranges.len() - 1)).map(|bridged| {
            let mut joined: Vec<Range<u64>> = Vec::new();
            for (idx, range) in ranges.iter().enumerate() {
                match joined.last_mut() {
                    Some(last) if bridged >> (idx - 1) & 1 == 1 => last.end = range.end,
                    _ => joined.push(range.clone()),
                }
            }
            cost.time_of(&joined)
        });
        prop_assert!(cost.time_of(&merged) <= with_tolerance(best.min().unwrap()));
        for range in &ranges {
            prop_assert!(merged.iter().any(|one| one.start <= range.start && range.end <= one.end));
        }
        prop_assert!(merged.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn neither_each_range_nor_whole_blocks_are_much_cheaper(blocks in blocks(), cost in costs()) {
        // The metadata first, and what is then known to follow; then what has not come with it.
        let later = |block: &Block| LaterRanges {
            within: block.body.clone(),
            n_ranges: block.ranges.len() as u64,
            n_bytes: block.ranges.iter().map(|range| range.end - range.start).sum(),
        };
        let metadata = blocks.iter().map(|block| block.metadata.clone()).collect();
        let first = needed(metadata, blocks.iter().map(later).collect()).merged_for(&cost);
        let ranges = blocks.iter().flat_map(|block| block.ranges.clone());
        let missing: Vec<_> = ranges.flat_map(|range| without(range, &first)).collect();
        let second = needed(missing, Vec::new()).merged_for(&cost);
        let found = cost.time_of(&[first, second].concat());
        let each: Vec<_> = blocks
            .iter()
            .flat_map(|block| block.ranges.iter().chain([&block.metadata]).cloned())
            .collect();
        let whole: Vec<_> = blocks.iter().map(|block| block.metadata.start..block.body.end).collect();
        prop_assert!(found <= with_tolerance(cost.time_of(&each).min(cost.time_of(&whole))));
    }
}
