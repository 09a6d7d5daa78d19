//! An allocator that counts the allocations of a piece of code, for each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of the thread that measures. All requests are passed to [`System`].
///
/// Memory maps are not counted, since they do not come from the allocator. Large buffers use them if the `mmap` feature
/// of `arrow-buffer` is on.
///
/// ```
/// use testing_support::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator;
///
/// let (vec, usage) = ALLOCATOR.measure(|| Vec::<u8>::with_capacity(1000));
/// assert_eq!((usage.n_allocations, usage.largest_bytes, usage.live_bytes), (1, 1000, 1000));
/// drop(vec);
/// ```
#[derive(Debug, Default, Clone, Copy)]
pub struct CountingAllocator;

/// The memory usage of one thread between the start and the end of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// The number of allocations, including reallocations that grow.
    pub n_allocations: u64,
    /// The sum of all requested bytes.
    pub total_bytes: u64,
    /// The number of bytes of the largest request.
    pub largest_bytes: u64,
    /// The greatest number of bytes in use at one time, relative to the start.
    pub peak_bytes: i64,
    /// The number of bytes in use at the end, relative to the start. It is negative if more bytes were freed than
    /// allocated.
    pub live_bytes: i64,
}

thread_local! {
    /// The greatest number of bytes in use, relative to the start. Further requests are refused.
    static LIMIT: Cell<i64> = const { Cell::new(i64::MAX) };
    static USAGE: Cell<Usage> = const {
        Cell::new(Usage { n_allocations: 0, total_bytes: 0, largest_bytes: 0, peak_bytes: 0, live_bytes: 0 })
    };
}

impl CountingAllocator {
    /// Runs `work` and returns its memory usage on this thread. Measurements cannot be nested.
    ///
    /// All numbers are zero unless this is the global allocator of the program.
    pub fn measure<T>(&self, work: impl FnOnce() -> T) -> (T, Usage) {
        USAGE.set(Usage::default());
        let result = work();
        (result, USAGE.get())
    }

    /// Like [`measure`](CountingAllocator::measure), but refuses requests by which more than `max_bytes` bytes would be
    /// in use at one time on this thread. A refusal ends the process, unless the code handles it.
    pub fn measure_within<T>(&self, max_bytes: i64, work: impl FnOnce() -> T) -> (T, Usage) {
        /// Removes the limit when it is dropped, also after a panic.
        struct LimitGuard;

        impl Drop for LimitGuard {
            fn drop(&mut self) {
                LIMIT.set(i64::MAX);
            }
        }

        let limited = LimitGuard;
        LIMIT.set(max_bytes);
        let measured = self.measure(work);
        drop(limited);
        measured
    }
}

/// Whether `n_bytes` more bytes are within the limit.
fn is_allowed(n_bytes: usize) -> bool {
    let limit = LIMIT.try_with(Cell::get).unwrap_or(i64::MAX);
    limit == i64::MAX
        || USAGE.try_with(|usage| usage.get().live_bytes + n_bytes as i64 <= limit).unwrap_or(true)
}

fn count(n_requested: usize, n_freed: usize) {
    // Allocations while the thread ends are not counted.
    let _ = USAGE.try_with(|cell| {
        let mut usage = cell.get();
        if n_requested > 0 {
            usage.n_allocations += 1;
            usage.total_bytes = usage.total_bytes.saturating_add(n_requested as u64);
            usage.largest_bytes = usage.largest_bytes.max(n_requested as u64);
        }
        usage.live_bytes += n_requested as i64 - n_freed as i64;
        usage.peak_bytes = usage.peak_bytes.max(usage.live_bytes);
        cell.set(usage);
    });
}

/// Counts a request by its result. If the system has refused it, no bytes are in use or freed.
fn count_result(ptr: *mut u8, n_requested: usize, n_freed: usize) {
    count(n_requested, if ptr.is_null() { n_requested } else { n_freed });
}

// SAFETY: every call is passed on to `System` as it is, which keeps the contract, or refused, as the contract allows; counting
// neither allocates nor panics.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_allowed(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are passed on.
        let ptr = unsafe { System.alloc(layout) };
        count_result(ptr, layout.size(), 0);
        ptr
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_allowed(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are passed on.
        let ptr = unsafe { System.alloc_zeroed(layout) };
        count_result(ptr, layout.size(), 0);
        ptr
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !is_allowed(new_size.saturating_sub(layout.size())) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { System.realloc(ptr, layout, new_size) };
        count_result(moved, new_size, layout.size());
        moved
    }
}
