//! The memory that the library has allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

static N_BYTES: AtomicI64 = AtomicI64::new(0);

/// The number of bytes that all threads have allocated and not freed.
pub(crate) fn n_bytes() -> i64 {
    N_BYTES.load(Ordering::SeqCst)
}

struct CountingAllocator;

fn count(layout: Layout, sign: i64) {
    N_BYTES.fetch_add(sign * layout.size() as i64, Ordering::SeqCst);
}

// SAFETY: every call is passed on to `System` as it is, which keeps the contract; counting neither allocates nor panics.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout, 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(layout, -1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(ptr, layout) }
    }
}
