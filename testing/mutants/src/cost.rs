//! Measures the cost of an operation, and limits it.

use std::time::Duration;

use testing_support::CountingAllocator;

use crate::targets::Target;

/// Counts the allocations of every thread. It is the allocator of all programs that link this crate.
#[global_allocator]
pub(crate) static ALLOCATOR: CountingAllocator = CountingAllocator;

/// If more memory is requested, the allocator refuses. This ends the process, unless the code handles it. The number is
/// far above all limits, and low enough for the machine.
const REFUSED_BYTES: i64 = 2 << 30;

/// The cost of an operation on its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// The most bytes in use at one time, above the bytes that were in use before.
    pub peak_bytes: u64,
    /// Processor time.
    pub time: Duration,
}

/// Runs an operation and returns its cost on this thread. Calls cannot be nested.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let begin = clock::now();
    let (result, usage) = ALLOCATOR.measure_within(REFUSED_BYTES, work);
    let time = clock::now().saturating_sub(begin);
    (result, Cost { peak_bytes: usage.peak_bytes.unsigned_abs(), time })
}

/// Like [`measured`], for an operation on `n_bytes` bytes. If it takes more time than allowed, it runs up to two more
/// times, and the shortest time counts, since other programs may slow it down.
pub(crate) fn measured_for<T>(bound: &Bound, n_bytes: u64, mut work: impl FnMut() -> T) -> (T, Cost) {
    let (result, mut cost) = measured(&mut work);
    for _ in 0..2 {
        if cost.time <= bound.max_time(n_bytes) {
            break;
        }
        let (_, again) = measured(&mut work);
        cost.time = cost.time.min(again.time);
    }
    (result, cost)
}

/// The allowed cost of an operation, by the bytes of its input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    base_bytes: u64,
    memory_per_byte: u64,
    base_time: Duration,
    time_per_byte: Duration,
}

/// The factor for builds that are not optimised or that check arithmetic, which are slower.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

impl Bound {
    /// For reading uncompressed bytes: 1 MiB, plus four times the bytes.
    pub const READING: Bound = Bound {
        base_bytes: 1 << 20,
        memory_per_byte: 4,
        base_time: Duration::from_millis(20),
        time_per_byte: Duration::from_micros(1),
    };

    /// For reading with a larger documented limit in `docs/SECURITY.md`: copies of misaligned or shared buffers,
    /// dictionaries that grow, and schemas that expand.
    pub const DOCUMENTED: Bound = Bound { base_bytes: 4 << 20, memory_per_byte: 64, ..Bound::READING };

    /// For bytes that are compressed, or declare compression: twice the default limit for decompressing a message, since
    /// the batch and the dictionary may both reach it.
    pub const COMPRESSED: Bound =
        Bound { base_bytes: 2 * (256 << 20), base_time: Duration::from_millis(1_000), ..Bound::DOCUMENTED };

    /// For one operation on the first rows of a few batches: 64 MiB, since values may expand.
    pub const USING: Bound =
        Bound { base_bytes: 64 << 20, base_time: Duration::from_millis(500), ..Bound::DOCUMENTED };

    /// For a target, which performs several operations with an input.
    pub const TARGET: Bound = Bound { base_time: Duration::from_secs(4), ..Bound::COMPRESSED };

    fn max_time(&self, n_bytes: u64) -> Duration {
        let n_nanos = self.time_per_byte.as_nanos() as u64 * n_bytes;
        (self.base_time + Duration::from_nanos(n_nanos)) * SLOWNESS
    }

    /// Describes the costs that exceed the limits for `n_bytes` bytes; `None` if there are none.
    pub fn broken_by(&self, cost: Cost, n_bytes: u64) -> Option<String> {
        let max_time = self.max_time(n_bytes);
        let slow =
            || format!("{:?} of processor time for {n_bytes} bytes, allowed are {max_time:?}", cost.time);
        self.exceeded_by(cost.peak_bytes, n_bytes).or_else(|| (cost.time > max_time).then(slow))
    }

    /// Describes how much memory exceeds the limit for `n_bytes` bytes; `None` if it does not.
    fn exceeded_by(&self, peak_bytes: u64, n_bytes: u64) -> Option<String> {
        let max_bytes = self.base_bytes + self.memory_per_byte * n_bytes;
        let exceeded =
            || format!("{peak_bytes} bytes of memory for {n_bytes} bytes, allowed are {max_bytes}");
        (peak_bytes > max_bytes).then(exceeded)
    }
}

/// Runs a target. Sanitizers take time, so only its memory is limited.
///
/// # Panics
/// If something is wrong, or it takes more memory than allowed.
pub fn run_in_bound(target: &Target, bytes: &[u8]) {
    // Targets that measure what they do count for themselves.
    let ((), cost) = measured(|| (target.run)(bytes));
    let exceeded = Bound::TARGET.exceeded_by(cost.peak_bytes, bytes.len() as u64);
    assert!(exceeded.is_none(), "{}: {}", target.name, exceeded.unwrap_or_default());
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod clock {
    use std::time::Duration;

    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanos: i64,
    }

    /// The constant `CLOCK_THREAD_CPUTIME_ID` of Linux.
    const THREAD_TIME: i32 = 3;

    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    }

    /// The processor time of this thread.
    pub(super) fn now() -> Duration {
        let mut time = Timespec { seconds: 0, nanos: 0 };
        // SAFETY: the structure is that of 64-bit Linux, and is written to before the call returns.
        unsafe { clock_gettime(THREAD_TIME, &raw mut time) };
        Duration::new(time.seconds.unsigned_abs(), u32::try_from(time.nanos).unwrap_or(0))
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod clock {
    use std::{
        sync::LazyLock,
        time::{Duration, Instant},
    };

    /// On other systems, the elapsed time.
    pub(super) fn now() -> Duration {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGIN.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::caught;

    #[test]
    fn costs_are_counted_and_judged() {
        let (bytes, cost) = measured(|| {
            let begin = clock::now();
            while clock::now() - begin < Duration::from_millis(2) {}
            vec![1_u8; 1_000]
        });
        assert_eq!(cost.peak_bytes, bytes.len() as u64);
        assert!(cost.time >= Duration::from_millis(2), "{cost:?}");
        let fine = Cost { peak_bytes: (1 << 20) + 40, time: Duration::ZERO };
        assert_eq!(Bound::READING.broken_by(fine, 10), None);
        let more = Cost { peak_bytes: (1 << 20) + 41, ..fine };
        let text = Bound::READING.broken_by(more, 10).expect("too much");
        assert_eq!(text, "1048617 bytes of memory for 10 bytes, allowed are 1048616");
        let slow = Cost { time: Duration::from_secs(1_000), ..fine };
        assert!(Bound::READING.broken_by(slow, 10).is_some_and(|text| text.contains("processor time")));
    }

    #[test]
    fn memory_of_a_target_is_limited() {
        let mut target = Target::named("csv");
        target.run = |bytes| drop(Vec::<u8>::with_capacity(bytes.len() << 28));
        run_in_bound(&target, b"1");
        let panic = caught(|| run_in_bound(&target, b"1234")).expect_err("too much");
        assert!(panic.contains("csv: 1073741824 bytes of memory for 4 bytes"), "{panic}");
    }

    #[test]
    fn what_is_refused_is_an_error_of_who_asks() {
        let (result, _) = measured(|| Vec::<u8>::new().try_reserve_exact(REFUSED_BYTES as usize + 1));
        assert!(result.is_err());
    }
}
