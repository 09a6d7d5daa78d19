//! Merged ranges, compared with all other ways to fetch the same bytes.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::source::{cheapest, join_up_to};

fn without(range: Range<u64>, others: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut left = Vec::new();
    add_without(&mut left, range, others);
    left
}

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

/// Both lists may be long: for many batches, required metadata and useful bodies alternate.
#[test]
fn very_many_ranges_are_distinguished() {
    const N: u64 = 400_000;
    let ranges = |first: u64| (0..N).map(|idx| first + 4 * idx..first + 4 * idx + 1).collect::<Vec<_>>();
    let required = ranges(0);
    let useful = ranges(2);
    let normalized =
        NeededRanges { required: required.clone(), useful: useful.clone(), ..NeededRanges::default() }
            .normalized();
    assert!(normalized.required == required && normalized.useful == useful);
}

proptest! {
    /// The obvious way, byte by byte: a byte is useful if it was hinted at and is not required.
    #[test]
    fn useful_ranges_have_no_required_byte(
        required in prop::collection::vec((0u64..40, 0u64..8), 0..6),
        useful in prop::collection::vec((0u64..40, 0u64..8), 0..6),
    ) {
        let ranges = |list: &[(u64, u64)]| list.iter().map(|(start, n)| *start..start + n).collect::<Vec<_>>();
        let has = |list: &[Range<u64>], byte: u64| list.iter().any(|range| range.contains(&byte));
        let required = ranges(&required);
        let useful = ranges(&useful);
        let normalized =
            NeededRanges { required: required.clone(), useful: useful.clone(), ..NeededRanges::default() }.normalized();
        for byte in 0..60 {
            prop_assert_eq!(has(&normalized.required, byte), has(&required, byte));
            prop_assert_eq!(has(&normalized.useful, byte), has(&useful, byte) && !has(&required, byte));
        }
    }
}

/// A short gap between large ranges is fetched.
#[test]
fn large_ranges_are_one_request_if_little_lies_between() {
    let cost = FetchCost::OBJECT_STORE;
    let bodies = |gap: u64| (0..20).map(|idx| idx * 1_000_000 + gap..(idx + 1) * 1_000_000).collect();
    let requests = |gap| needed(bodies(gap), Vec::new()).merged_for(&cost);
    // A gap is fetched up to twenty times the bytes that cost as much as a request.
    assert_eq!(requests(5_000), [5_000..15_000_000 + 1_000_000, 16_005_000..20_000_000]);
    assert_eq!(requests(60_000).len(), 20);
    let bodies: Vec<Range<u64>> = bodies(5_000);
    assert_eq!(needed(bodies.clone(), Vec::new()).merged_for(&FetchCost::FREE_REQUESTS), bodies);
}

/// A request costs as much as 100 bytes. The number of small requests at the same time is either the greatest possible one, or
/// they have up to forty times as many bytes.
fn costs() -> impl Strategy<Value = FetchCost> {
    let cost = FetchCost::new(Duration::from_millis(100), 1_000);
    let small = prop_oneof![Just(0u32), 1..9u32, 9..120u32];
    (1u32..4, small).prop_map(move |(n_in_flight, n_small)| {
        cost.with_requests_in_flight(n_in_flight).with_small_requests_in_flight(n_small)
    })
}

/// Ranges in order, with a gap before each range.
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
    NeededRanges { required, later, ..NeededRanges::default() }.normalized()
}

/// A block: its metadata, its body, and the needed ranges of the body.
#[derive(Debug, Clone)]
struct Block {
    metadata: Range<u64>,
    body: Range<u64>,
    ranges: Vec<Range<u64>>,
}

impl Block {
    /// What is known about the ranges of a body before its metadata is read.
    fn later(&self) -> LaterRanges {
        let n_bytes = self.ranges.iter().map(|range| range.end - range.start).sum();
        LaterRanges { within: self.body.clone(), n_ranges: self.ranges.len() as u64, n_bytes }
    }
}

/// The length of the metadata; the needed ranges, with a gap before each; and the bytes after the last range.
type BlockShape = (u64, Vec<(u64, u64)>, u64);

fn blocks_of(shapes: Vec<BlockShape>) -> Vec<Block> {
    let mut position = 8;
    let block = |(n_metadata_bytes, lengths, n_trailing): BlockShape| {
        let metadata = position..position + n_metadata_bytes;
        let ranges = ranges_of(&lengths, metadata.end);
        let end = ranges.last().map_or(metadata.end, |range| range.end) + n_trailing;
        position = end;
        Block { body: metadata.end..end, metadata, ranges }
    };
    shapes.into_iter().map(block).collect()
}

/// One request for both ranges would be too long, if requests run in parallel.
#[test]
fn long_ranges_side_by_side_stay_two_requests() {
    let mut ranges = NeededRanges::default();
    ranges.require(0..16_000_000);
    ranges.hint(16_000_000..32_000_000);
    assert_eq!(ranges.merged_for(&FetchCost::OBJECT_STORE), [0..16_000_000, 16_000_000..32_000_000]);
    assert_eq!(ranges.merged_for(&FetchCost::DISK), std::slice::from_ref(&(0..32_000_000)));
}

/// The lengths of the ranges of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lengths {
    Equal,
    Any,
}

fn blocks(kind: Lengths) -> impl Strategy<Value = Vec<Block>> {
    let lengths = prop::collection::vec((0..300u64, 1..300u64), 0..5);
    let shape = (1..200u64, lengths, 0..1_000u64).prop_map(move |(metadata, mut lengths, trailing)| {
        let first = lengths.first().map_or(0, |(_, n_bytes)| *n_bytes);
        if kind == Lengths::Equal {
            lengths.iter_mut().for_each(|(_, n_bytes)| *n_bytes = first);
        }
        (metadata, lengths, trailing)
    });
    prop::collection::vec(shape, 1..8).prop_map(blocks_of)
}

/// The first requests, which fetch the metadata, and then the requests for the ranges that the first ones do not
/// contain.
fn fetched(blocks: &[Block], cost: &FetchCost) -> Vec<Range<u64>> {
    let metadata = blocks.iter().map(|block| block.metadata.clone()).collect();
    let first = needed(metadata, blocks.iter().map(Block::later).collect()).merged_for(cost);
    let ranges = blocks.iter().flat_map(|block| block.ranges.clone());
    let missing: Vec<_> = ranges.flat_map(|range| without(range, &first)).collect();
    let second = needed(missing, Vec::new()).merged_for(cost);
    [first, second].concat()
}

/// The cost of the cheaper of two simple ways: each range by itself; or whole blocks, each by a request, or all by one.
fn simple(blocks: &[Block], cost: &FetchCost) -> Duration {
    let each = blocks.iter().flat_map(|block| block.ranges.iter().chain([&block.metadata]).cloned());
    let each: Vec<_> = each.collect();
    let whole: Vec<_> = blocks.iter().map(|block| block.metadata.start..block.body.end).collect();
    let all = whole[0].start..whole[whole.len() - 1].end;
    cost.time_of(&each).min(cost.time_of(&whole)).min(cost.time_of(&[all]))
}

/// Allows 5 % more, and the error of rounding.
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
        // Tries all ways: each gap is fetched or not.
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
    fn neither_each_range_nor_whole_blocks_are_much_cheaper(blocks in blocks(Lengths::Equal), cost in costs()) {
        let found = cost.time_of(&fetched(&blocks, &cost));
        prop_assert!(found <= with_tolerance(simple(&blocks, &cost)));
    }

    /// If some ranges are much longer than others, each of the others may be charged its share of the waiting in vain.
    #[test]
    fn ranges_of_any_length_cost_at_most_a_small_request_more(blocks in blocks(Lengths::Any), cost in costs()) {
        let found = cost.time_of(&fetched(&blocks, &cost));
        let n_ranges: usize = blocks.iter().map(|block| block.ranges.len().saturating_sub(1)).sum();
        let in_vain = cost.request() * n_ranges as u32 / cost.small_requests_in_flight();
        prop_assert!(found <= with_tolerance(simple(&blocks, &cost)) + in_vain);
    }

    /// The algorithm that takes one step for each range finds the same result as trying all ways.
    #[test]
    fn the_cheapest_way_is_found(
        items in prop::collection::vec((0..400u64, 0..600u64, prop::option::of(0..400_000i128)), 1..8),
        cost in costs(),
    ) {
        let lengths: Vec<_> = items.iter().map(|(gap, n_bytes, _)| (*gap, *n_bytes)).collect();
        let needed: Vec<PricedRange> = ranges_of(&lengths, 0)
            .into_iter()
            .zip(&items)
            .map(|(range, (_, _, price_without))| PricedRange { range, price_without: *price_without })
            .collect();
        let price = |ways: &[Range<usize>]| {
            let requests = ways.iter().map(|way| {
                cost.price_of(1, needed[way.end - 1].range.end - needed[way.start].range.start)
            });
            let left_out = needed.iter().enumerate().filter(|(idx, _)| !ways.iter().any(|way| way.contains(idx)));
            // A required range has to be fetched, so leaving it out has no price.
            let left_out = left_out.map(|(_, needed)| needed.price_without);
            left_out.sum::<Option<i128>>().map(|left_out| left_out + requests.sum::<i128>())
        };
        let found = price(&cheapest(&needed, &cost));
        prop_assert!(found.is_some());
        // Each range is left out, begins a request, or continues the previous request.
        let best = (0..3usize.pow(needed.len() as u32)).filter_map(|mut choices| {
            let mut ways: Vec<Range<usize>> = Vec::new();
            for idx in 0..needed.len() {
                match (choices % 3, ways.last_mut()) {
                    (0, _) => {}
                    (1, Some(last)) => last.end = idx + 1,
                    _ => ways.push(idx..idx + 1),
                }
                choices /= 3;
            }
            price(&ways)
        });
        prop_assert_eq!(found, best.min());
    }
}
