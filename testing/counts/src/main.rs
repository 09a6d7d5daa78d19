//! Hot paths, each run a few times, the last time inside [`counted`]. Prints what that time allocated; `cargo xtask count`
//! runs this under callgrind, which counts the instructions of [`counted`] and begins again after each call.
#![forbid(unsafe_code)]

mod data;
mod paths;

use std::hint::black_box;

use testing_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A piece of work that users do often.
struct HotPath {
    name: &'static str,
    /// How many items the work has: batches, columns. Costs are told for one.
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

/// The function whose instructions are counted. It does something after the work, so that it is left only then.
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
