//! Runs hot paths a few times each, the last time inside [`counted`], and prints the allocations of this last run. `cargo
//! xtask count` runs this program under callgrind, which counts the instructions of [`counted`] and starts again from 0
//! after each call.
#![forbid(unsafe_code)]

mod data;
mod paths;

use std::hint::black_box;

use testing_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// An operation that users perform often.
struct HotPath {
    name: &'static str,
    /// The number of items that are processed, such as batches or columns. Costs are printed for one item.
    n_items: u64,
    work: Box<dyn FnMut()>,
}

impl HotPath {
    fn new<T>(name: &'static str, n_items: u64, mut work: impl FnMut() -> T + 'static) -> HotPath {
        let work = Box::new(move || {
            black_box(work());
        });
        HotPath { name, n_items, work }
    }
}

/// The function whose instructions are counted. It does something after the work, so that the compiler cannot replace the
/// call by a jump.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    black_box(());
}

fn main() {
    for mut path in paths::all() {
        // Memory that is used again, and what is made at the first use.
        (0..2).for_each(|_| (path.work)());
        let ((), usage) = ALLOCATOR.measure(|| counted(&mut path.work));
        println!("{}\t{}\t{}\t{}", path.name, path.n_items, usage.n_allocations, usage.total_bytes);
    }
}
