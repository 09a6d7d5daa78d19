//! Finds the cheapest requests for some ranges, by the model of [`FetchCost`].

use std::{collections::VecDeque, ops::Range};

use super::{FetchCost, Price};

/// A range that may be requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PricedRange {
    pub(crate) range: Range<u64>,
    /// The price of not fetching the range. `None` if it must be fetched.
    pub(crate) price_without: Option<Price>,
}

/// Returns the indices of the ranges of each request. A request extends from the start of its first range to the
/// greatest end. Ranges in no request are left out. `needed` must be sorted by start.
///
/// The price of a request is the larger of two linear functions of its length: the price for waiting, and the price for
/// receiving bytes. Waiting is more expensive if the first range is near the end of the request, and receiving if the
/// first range is far from the end. So the search has two candidates for the first range: the best near range by the
/// price for waiting, and the best far range by the price for receiving. Both candidates follow from the candidates of
/// the previous range in one step.
pub(crate) fn cheapest(needed: &[PricedRange], cost: &FetchCost) -> Vec<Range<usize>> {
    let (per_waiting_byte, per_received_byte) = cost.prices_of_byte();
    let mut nearby = LatencyBound::new(per_waiting_byte);
    let mut far = BandwidthBound::new(per_received_byte);
    let max_nearby_bytes = cost.n_bytes_until_receiving();
    // `best[n]` is the lowest price of the first `n` ranges. `begins[n]` is the first range of the request that ends with
    // range `n`, or `None` if leaving out range `n` is cheaper.
    let mut best: Vec<Price> = vec![0];
    let mut begins: Vec<Option<usize>> = Vec::with_capacity(needed.len());
    let mut end = 0;
    let mut price_before = 0;
    let mut n_far = 0;
    for (idx, next) in needed.iter().enumerate() {
        end = next.range.end.max(end);
        nearby.push(idx, price_before, next.range.start);
        // For these ranges, receiving bytes decides the price.
        while let (Some(first), Some(before)) = (needed.get(n_far), best.get(n_far))
            && end.saturating_sub(first.range.start) > max_nearby_bytes
        {
            far.push(n_far, *before, first.range.start);
            n_far += 1;
            nearby.forget_before(n_far);
        }
        let nearby =
            nearby.best(end).map(|(price, idx)| (price.saturating_add(cost.price_of_request()), idx));
        let requested = nearby.into_iter().chain(far.best(end)).min();
        let without = next.price_without.map(|price| price_before.saturating_add(price));
        let requested = requested.filter(|(price, _)| without.is_none_or(|without| *price <= without));
        begins.push(requested.map(|(_, begin)| begin));
        // A request for this range alone is possible, so there is a price.
        price_before = requested.map(|(price, _)| price).or(without).unwrap_or(price_before);
        best.push(price_before);
    }
    requests(&begins)
}

/// The indices of the ranges of each request. Follows `begins` from its end.
fn requests(begins: &[Option<usize>]) -> Vec<Range<usize>> {
    let mut requests = Vec::new();
    let mut n_left = begins.len();
    while let Some(last) = n_left.checked_sub(1) {
        n_left = match begins.get(last) {
            Some(Some(begin)) => {
                requests.push(*begin..n_left);
                // A request begins at or before its last range, so this loop ends.
                (*begin).min(last)
            }
            Some(None) | None => last,
        };
    }
    requests.reverse();
    requests
}

/// The price of the requests before a range, minus the price of the bytes before its start. `price_up_to` adds the
/// price of all bytes before an end.
fn price_at_zero(price_before: Price, start: u64, per_byte: Price) -> Price {
    price_before.saturating_sub(per_byte.saturating_mul(start.into()))
}

fn price_up_to(end: u64, at_zero: Price, per_byte: Price) -> Price {
    at_zero.saturating_add(per_byte.saturating_mul(end.into()))
}

/// The first ranges for which waiting decides the price. A range is dropped if a later one is cheaper.
struct LatencyBound {
    per_byte: Price,
    /// Sorted by price and index, the cheapest first.
    firsts: VecDeque<(Price, usize)>,
}

impl LatencyBound {
    fn new(per_byte: Price) -> LatencyBound {
        LatencyBound { per_byte, firsts: VecDeque::new() }
    }

    fn push(&mut self, idx: usize, price_before: Price, start: u64) {
        let price = price_at_zero(price_before, start, self.per_byte);
        while self.firsts.back().is_some_and(|(other, _)| *other > price) {
            self.firsts.pop_back();
        }
        self.firsts.push_back((price, idx));
    }

    fn forget_before(&mut self, n_forgotten: usize) {
        while self.firsts.front().is_some_and(|(_, idx)| *idx < n_forgotten) {
            self.firsts.pop_front();
        }
    }

    fn best(&self, end: u64) -> Option<(Price, usize)> {
        self.firsts.front().map(|(price, idx)| (price_up_to(end, *price, self.per_byte), *idx))
    }
}

/// The cheapest first range for which receiving bytes decides the price.
struct BandwidthBound {
    per_byte: Price,
    first: Option<(Price, usize)>,
}

impl BandwidthBound {
    fn new(per_byte: Price) -> BandwidthBound {
        BandwidthBound { per_byte, first: None }
    }

    fn push(&mut self, idx: usize, price_before: Price, start: u64) {
        let new = (price_at_zero(price_before, start, self.per_byte), idx);
        self.first = Some(self.first.map_or(new, |first| first.min(new)));
    }

    fn best(&self, end: u64) -> Option<(Price, usize)> {
        self.first.map(|(price, idx)| (price_up_to(end, price, self.per_byte), idx))
    }
}
