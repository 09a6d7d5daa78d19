//! Joins ranges to requests with the lowest cost, by the model of [`FetchCost`].

use std::{collections::VecDeque, ops::Range};

use super::{FetchCost, Price};

/// A range that may be requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PricedRange {
    pub(crate) range: Range<u64>,
    /// The price of leaving the range out. `None` if it must be fetched.
    pub(crate) price_without: Option<Price>,
}

/// The indices of the ranges of each request. A request reaches from the start of its first range to the largest end. Ranges in
/// no request are left out. The ranges must be in the order of their starts.
///
/// The price of a request is the larger of two linear functions of its length: one for waiting, one for receiving bytes. For
/// a request with a given end, the first function is larger if its first range is near, and the second if its first range is
/// far. So the best first range is the best of the near ranges by the first function, or the best of the far ranges by the
/// second. The best choice for each function follows from the previous range, so the search takes one step for each range.
pub(crate) fn cheapest(wanted: &[PricedRange], cost: &FetchCost) -> Vec<Range<usize>> {
    let (per_waiting_byte, per_received_byte) = cost.prices_of_byte();
    let (mut nearby, mut far) = (Nearby::new(per_waiting_byte), Far::new(per_received_byte));
    let max_nearby_bytes = cost.n_bytes_until_receiving();
    // For each prefix of the ranges: the lowest price, and where the last request begins, if the last range of the prefix is in
    // a request.
    let mut best: Vec<Price> = vec![0];
    let mut begins: Vec<Option<usize>> = Vec::with_capacity(wanted.len());
    let (mut end, mut price_before, mut n_far) = (0, 0, 0);
    for (idx, next) in wanted.iter().enumerate() {
        end = next.range.end.max(end);
        nearby.push(idx, price_before, next.range.start);
        // These ranges begin so far before the end that the bytes decide the price.
        while let (Some(first), Some(before)) = (wanted.get(n_far), best.get(n_far))
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
        // There is a price: at least a request for this range alone is possible.
        price_before = requested.map(|(price, _)| price).or(without).unwrap_or(price_before);
        best.push(price_before);
    }
    requests(&begins)
}

/// The indices of the ranges of each request, by going from the last request to the first.
fn requests(begins: &[Option<usize>]) -> Vec<Range<usize>> {
    let mut requests = Vec::new();
    let mut n_left = begins.len();
    while let Some(last) = n_left.checked_sub(1) {
        n_left = match begins.get(last) {
            Some(Some(begin)) => {
                requests.push(*begin..n_left);
                // The request begins at or before its last range, so this loop ends.
                (*begin).min(last)
            }
            Some(None) | None => last,
        };
    }
    requests.reverse();
    requests
}

/// The price of all requests before a range, minus the price of the bytes before its start. The sum of this and the
/// price of the bytes up to an end is the price of everything up to that end.
fn price_at_zero(price_before: Price, start: u64, per_byte: Price) -> Price {
    price_before.saturating_sub(per_byte.saturating_mul(start.into()))
}

fn price_up_to(end: u64, at_zero: Price, per_byte: Price) -> Price {
    at_zero.saturating_add(per_byte.saturating_mul(end.into()))
}

/// The possible first ranges of a request that are so near its end that waiting decides its price. If one of two ranges
/// is more expensive and also becomes too far earlier, it is dropped.
struct Nearby {
    per_byte: Price,
    /// The ranges, the cheapest first.
    firsts: VecDeque<(Price, usize)>,
}

impl Nearby {
    fn new(per_byte: Price) -> Nearby {
        Nearby { per_byte, firsts: VecDeque::new() }
    }

    fn push(&mut self, idx: usize, price_before: Price, start: u64) {
        let price = price_at_zero(price_before, start, self.per_byte);
        while self.firsts.pop_back_if(|(other, _)| *other > price).is_some() {}
        self.firsts.push_back((price, idx));
    }

    fn forget_before(&mut self, n_forgotten: usize) {
        while self.firsts.pop_front_if(|(_, idx)| *idx < n_forgotten).is_some() {}
    }

    fn best(&self, end: u64) -> Option<(Price, usize)> {
        self.firsts.front().map(|(price, idx)| (price_up_to(end, *price, self.per_byte), *idx))
    }
}

/// The best first range among those so far away that the bytes decide the price of the request.
struct Far {
    per_byte: Price,
    first: Option<(Price, usize)>,
}

impl Far {
    fn new(per_byte: Price) -> Far {
        Far { per_byte, first: None }
    }

    fn push(&mut self, idx: usize, price_before: Price, start: u64) {
        let new = (price_at_zero(price_before, start, self.per_byte), idx);
        self.first = Some(self.first.map_or(new, |first| first.min(new)));
    }

    fn best(&self, end: u64) -> Option<(Price, usize)> {
        self.first.map(|(price, idx)| (price_up_to(end, price, self.per_byte), idx))
    }
}
