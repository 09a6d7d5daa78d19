//! Estimates what requests cost from the requests that a source has made.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use arrow_ipc_format::length_of;

use super::FetchCost;

/// Estimates the [`FetchCost`] of a source from the time that its requests took. Sources of one server can share an
/// estimator: each reports its requests with [`observe`](FetchCostEstimator::observe), and returns
/// [`cost`](FetchCostEstimator::cost) as its [`fetch_cost`](crate::Source::fetch_cost).
///
/// The estimate compares the median time of the shorter half of the last 64 observations with that of the longer half.
/// The difference is the time of the additional bytes, and what is left of the median is the time until the first byte.
/// So what delays all requests counts as waiting for the first byte, and single slow requests change nothing. The number of
/// requests in flight is not estimated. Until there are 16 observations, and as long as all requests have about the
/// same length, the cost is the initial cost. Time and bytes per second stay between an eighth and eight times of the
/// initial cost.
///
/// ```
/// use std::time::Duration;
/// use arrow_ipc::{FetchCost, FetchCostEstimator};
///
/// let estimator = FetchCostEstimator::new(FetchCost::OBJECT_STORE);
/// for _ in 0..8 {
///     // 20 ms until the first byte, and 100 MB/s.
///     estimator.observe(&[0..100_000], Duration::from_millis(21));
///     estimator.observe(&[0..5_000_000], Duration::from_millis(70));
/// }
/// assert_eq!(estimator.cost().request(), Duration::from_millis(20));
/// assert_eq!(estimator.cost().bytes_per_second(), 100_000_000);
/// ```
#[derive(Debug)]
pub struct FetchCostEstimator {
    initial: FetchCost,
    state: Mutex<EstimatorState>,
}

#[derive(Debug)]
struct EstimatorState {
    cost: FetchCost,
    observed: VecDeque<Observation>,
}

/// The average length and the time of some requests that ran at the same time.
#[derive(Debug, Clone, Copy)]
struct Observation {
    n_bytes: u64,
    duration: Duration,
}

/// The number of observations that are retained.
const MAX_OBSERVED: usize = 64;

const MIN_OBSERVED: usize = 16;

/// How many times the estimate may be less or more than the initial cost.
const MAX_FACTOR: u32 = 8;

/// The halves are compared if the longer requests have at least this number of additional bytes. With fewer, their time
/// says more about other delays.
const MIN_DIFFERENCE_BYTES: u64 = 32 << 10;

impl FetchCostEstimator {
    /// An estimator without observations.
    pub fn new(initial: FetchCost) -> FetchCostEstimator {
        let state = EstimatorState { cost: initial, observed: VecDeque::new() };
        FetchCostEstimator { initial, state: Mutex::new(state) }
    }

    /// The estimated cost.
    pub fn cost(&self) -> FetchCost {
        self.locked().cost
    }

    /// Reports that requests for these ranges took this time together, of which as many ran at the same time as
    /// [`cost`](FetchCostEstimator::cost) [allows](FetchCost::requests_in_flight_for). Do not report ranges that needed
    /// no request, or failed.
    pub fn observe(&self, ranges: &[Range<u64>], duration: Duration) {
        let n_bytes = ranges.iter().map(length_of).fold(0, u64::saturating_add);
        let Some(n_bytes) = n_bytes.checked_div(ranges.len() as u64) else { return };
        let mut state = self.locked();
        let n_in_flight = u64::from(state.cost.requests_in_flight_for(ranges));
        let n_rounds = u32::try_from((ranges.len() as u64).div_ceil(n_in_flight)).unwrap_or(u32::MAX);
        state.observed.push_back(Observation { n_bytes, duration: duration / n_rounds });
        if state.observed.len() > MAX_OBSERVED {
            state.observed.pop_front();
        }
        if state.observed.len() >= MIN_OBSERVED {
            let observed = state.observed.iter().copied().collect();
            state.cost = estimate(observed, state.cost, self.initial);
        }
    }

    fn locked(&self) -> MutexGuard<'_, EstimatorState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn estimate(mut observed: Vec<Observation>, before: FetchCost, initial: FetchCost) -> FetchCost {
    observed.sort_unstable_by_key(|observation| observation.n_bytes);
    let (short, long) = observed.split_at(observed.len() / 2);
    let short = median(short);
    let long = median(long);
    let n_more_bytes = long.n_bytes.saturating_sub(short.n_bytes);
    if n_more_bytes < MIN_DIFFERENCE_BYTES {
        return before;
    }
    let more_time = long.duration.saturating_sub(short.duration);
    let max_speed = initial.bytes_per_second().saturating_mul(MAX_FACTOR.into());
    let min_speed = initial.bytes_per_second() / u64::from(MAX_FACTOR);
    let speed = quotient(n_more_bytes, more_time.as_nanos()).clamp(min_speed.max(1), max_speed);
    let transfer = Duration::from_nanos(quotient(short.n_bytes, speed.into()));
    let max_request = initial.request().saturating_mul(MAX_FACTOR);
    let request = short.duration.saturating_sub(transfer).clamp(initial.request() / MAX_FACTOR, max_request);
    FetchCost::new(request, speed)
        .with_requests_in_flight(initial.requests_in_flight())
        .with_small_requests_in_flight(initial.small_requests_in_flight())
}

/// Bytes per second for a number of nanoseconds, and nanoseconds for a number of bytes per second.
fn quotient(n_bytes: u64, divisor: u128) -> u64 {
    const NANOS_PER_SECOND: u128 = 1_000_000_000;
    // No overflow, since both factors have fewer than 64 bits.
    let quotient = (u128::from(n_bytes) * NANOS_PER_SECOND).checked_div(divisor);
    quotient.and_then(|quotient| u64::try_from(quotient).ok()).unwrap_or(u64::MAX)
}

/// The median length, and the median time. `observed` must be sorted by length.
fn median(observed: &[Observation]) -> Observation {
    let mut durations: Vec<Duration> = observed.iter().map(|observation| observation.duration).collect();
    durations.sort_unstable();
    let middle = observed.len() / 2;
    Observation {
        n_bytes: observed.get(middle).map_or(0, |observation| observation.n_bytes),
        duration: durations.get(middle).copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIAL: FetchCost = FetchCost::OBJECT_STORE;

    fn ranges(n: u64, n_bytes: u64) -> Vec<Range<u64>> {
        (0..n).map(|idx| idx * 10_000_000..idx * 10_000_000 + n_bytes).collect()
    }

    /// A server whose requests take `ms` until the first byte, then `speed` bytes per second.
    fn observe(estimator: &FetchCostEstimator, ms: u64, speed: u64, n_bytes: u64) {
        let time = Duration::from_millis(ms) + Duration::from_micros(n_bytes * 1_000_000 / speed);
        estimator.observe(&ranges(4, n_bytes), time);
    }

    #[test]
    fn the_estimate_is_what_the_server_does() {
        for (ms, speed) in [(30, 25_000_000), (5, 400_000_000), (200, 2_000_000), (60, 100_000_000)] {
            let estimator = FetchCostEstimator::new(INITIAL);
            for idx in 0..200 {
                observe(&estimator, ms, speed, [1_000, 80_000, 1_000_000, 4_000_000][idx % 4]);
                // One request in twenty hangs for a minute.
                if idx % 20 == 7 {
                    estimator.observe(&ranges(1, 1_000), Duration::from_secs(60));
                }
            }
            let cost = estimator.cost();
            let ratio = cost.bytes_per_second() as f64 / speed as f64;
            assert!((0.5..2.0).contains(&ratio), "{cost:?}, {speed}");
            let ratio = cost.request().as_secs_f64() / (ms as f64 / 1_000.0);
            assert!((0.5..2.0).contains(&ratio), "{cost:?}, {ms}");
            assert_eq!(cost.requests_in_flight(), INITIAL.requests_in_flight());
            assert_eq!(cost.small_requests_in_flight(), INITIAL.small_requests_in_flight());
        }
    }

    #[test]
    fn the_estimate_follows_a_server_that_changes() {
        let estimator = FetchCostEstimator::new(INITIAL);
        for speed in [10_000_000, 200_000_000, 10_000_000] {
            (0..100).for_each(|idx| observe(&estimator, 10, speed, [1_000, 2_000_000][idx % 2]));
            assert_eq!(estimator.cost().bytes_per_second() / 1_000_000, speed / 1_000_000);
        }
    }

    #[test]
    fn too_little_is_no_estimate() {
        let few = FetchCostEstimator::new(INITIAL);
        (0..15).for_each(|idx| observe(&few, 1, 1_000_000_000, [1_000, 2_000_000][idx % 2]));
        assert_eq!(few.cost(), INITIAL);
        let equal = FetchCostEstimator::new(INITIAL);
        (0..100).for_each(|idx| observe(&equal, 1, 1_000_000_000, [1_000, 8_000][idx % 2]));
        assert_eq!(equal.cost(), INITIAL);
        equal.observe(&[], Duration::MAX);
        assert_eq!(equal.cost(), INITIAL);
    }

    #[test]
    fn the_estimate_has_limits() {
        let times = [Duration::ZERO, Duration::from_nanos(1), Duration::from_secs(1), Duration::MAX];
        for initial in
            [INITIAL, FetchCost::DISK, FetchCost::FREE_REQUESTS, FetchCost::new(Duration::MAX, u64::MAX)]
        {
            for short in times {
                for long in times {
                    let estimator = FetchCostEstimator::new(initial);
                    for _ in 0..20 {
                        estimator.observe(&ranges(1, 10), short);
                        estimator.observe(&[0..u64::MAX, 5..u64::MAX], long);
                    }
                    let cost = estimator.cost();
                    assert!(
                        cost.bytes_per_second()
                            >= (initial.bytes_per_second() / u64::from(MAX_FACTOR)).max(1)
                    );
                    assert!(
                        cost.bytes_per_second()
                            <= initial.bytes_per_second().saturating_mul(MAX_FACTOR.into())
                    );
                    assert!(cost.request() >= initial.request() / MAX_FACTOR);
                    assert!(cost.request() <= initial.request().saturating_mul(MAX_FACTOR));
                }
            }
        }
    }

    /// A call with more requests than may run at the same time takes several times as long.
    #[test]
    fn requests_that_wait_for_others_are_rounds() {
        let estimator = FetchCostEstimator::new(INITIAL.with_small_requests_in_flight(10));
        for _ in 0..20 {
            estimator.observe(&ranges(30, 1_000), Duration::from_millis(60));
            estimator.observe(&ranges(10, 1_000_000), Duration::from_millis(40));
        }
        let cost = estimator.cost();
        assert_eq!(cost.request().as_millis(), 19);
        assert_eq!(cost.bytes_per_second() / 1_000_000, 49);
    }
}
