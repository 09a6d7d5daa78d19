//! Tests which memory is retained and which is reused.

use super::*;

fn frozen(kept: &BufferPool, n_bytes: usize) -> Buffer {
    let mut memory = kept.take(n_bytes, None).unwrap();
    memory.spare(n_bytes);
    memory.filled(n_bytes);
    kept.freeze(memory)
}

fn capacities(kept: &BufferPool) -> Vec<usize> {
    kept.lock().expect("nobody else has it").iter().map(|kept| kept.capacity).collect()
}

#[test]
fn memory_that_cannot_be_had_is_no_panic() {
    for n_bytes in [usize::MAX, isize::MAX.cast_unsigned(), 1 << 62] {
        assert!(BufferPool::default().take(n_bytes, None).is_err());
    }
}

#[test]
fn memory_is_used_again_once_nothing_refers_to_it() {
    let kept = BufferPool::default();
    let [first, second] = [1_000, 900].map(|n_bytes| frozen(&kept, n_bytes));
    let at = (first.as_ptr(), second.as_ptr());
    let slice = second.slice(5..);
    drop((first, second));
    // The smallest buffer that fits is reused. A slice keeps the memory of its whole buffer in use.
    assert_eq!(frozen(&kept, 800).as_ptr(), at.0);
    drop(slice);
    assert_eq!(frozen(&kept, 800).as_ptr(), at.1);
    assert_eq!(capacities(&kept).len(), 2);
}

#[test]
fn what_was_used_last_is_used_again_first() {
    let kept = BufferPool::default();
    let all = [640; 3].map(|n_bytes| frozen(&kept, n_bytes));
    let last = all[2].as_ptr();
    drop(all);
    for _ in 0..4 {
        assert_eq!(frozen(&kept, 640).as_ptr(), last);
    }
    assert_eq!(capacities(&kept), [640; 3]);
    // A buffer is also reused if it is a little longer.
    let longer = frozen(&kept, 704);
    let at = longer.as_ptr();
    drop(longer);
    assert_eq!(frozen(&kept, 640).as_ptr(), at);
}

#[test]
fn what_is_kept_and_free_is_as_large_as_what_is_taken_at_most() {
    let kept = BufferPool::default();
    // Memory with room for an eighth more replaces a buffer that is too short.
    for (n_bytes, n_expected) in [(6_400, 6_400), (7_168, 8_064), (8_064, 8_064), (12_800, 14_400)] {
        drop(frozen(&kept, n_bytes));
        assert_eq!(capacities(&kept), [n_expected]);
    }
    // A buffer of half the length is not replaced.
    drop(frozen(&kept, 640));
    drop(frozen(&kept, 12_800));
    assert_eq!(capacities(&kept), [640, 14_400]);
}

#[test]
fn a_claim_takes_no_new_memory() {
    let kept = BufferPool::default();
    drop(frozen(&kept, 6_400));
    assert!(kept.fitting(7_168, None).is_none());
    assert_eq!(capacities(&kept), [6_400]);
    assert_eq!(kept.fitting(4_000, None).map(|memory| memory.capacity()), Some(6_400));
}

#[test]
fn streams_that_wait_claim_no_more_than_is_kept_in_all() {
    let kept = BufferPool { max_bytes: 10_240, ..BufferPool::default() };
    let claim = || {
        drop(frozen(&kept, 6_400));
        kept.claimed(6_400, None)
    };
    let first = claim();
    assert!(first.is_some());
    // A claim for the same number of bytes is counted already.
    assert!(claim().is_none());
    assert_eq!(capacities(&kept), [6_400]);
    drop(first);
    assert!(claim().is_some());
}

#[test]
fn memory_is_shared_until_it_is_freed() {
    let memory = RecycledMemory::new();
    let same = memory.clone();
    drop(frozen(memory.bodies(), 640));
    assert_eq!(capacities(same.bodies()), [640]);
    same.free();
    assert_eq!(capacities(memory.bodies()), [0_usize; 0]);
}

#[test]
fn nobody_waits_for_another_thread() {
    let kept = BufferPool::default();
    drop(frozen(&kept, 640));
    let held = kept.lock();
    assert_eq!(frozen(&kept, 640).len(), 640);
    drop(held);
    assert_eq!(capacities(&kept), [640]);
}

#[test]
fn what_is_kept_has_a_bound() {
    let kept = BufferPool { max_bytes: 10_240, ..BufferPool::default() };
    let all: Vec<Buffer> = (0..20).map(|_| frozen(&kept, 640)).collect();
    assert_eq!(capacities(&kept), [640; MAX_PIECES]);
    let large = frozen(&kept, 10_240);
    assert_eq!(capacities(&kept), [10_240]);
    drop((frozen(&kept, 10_304), all, large));
    assert_eq!(capacities(&kept), [10_240]);
    let none = BufferPool { max_pieces: 0, ..BufferPool::default() };
    drop(frozen(&none, 640));
    assert_eq!(capacities(&none), [0_usize; 0]);
}

#[test]
fn a_program_that_keeps_more_keeps_more_pieces() {
    for (max_mebibytes, n_expected) in [(1, 16), (64, 16), (192, 48)] {
        let memory = RecycledMemory::with_max_bytes(max_mebibytes << 20);
        let kept = memory.bodies();
        drop((0..50).map(|_| frozen(kept, 640)).collect::<Vec<Buffer>>());
        assert_eq!(capacities(kept).len(), n_expected, "{max_mebibytes} MiB");
    }
    // A search may inspect all retained buffers, so their number is limited.
    assert_eq!(RecycledMemory::with_max_bytes(usize::MAX).bodies().max_pieces, MAX_SEARCHED);
}

#[test]
fn memory_of_another_budget_is_freed() {
    let kept = BufferPool::default();
    let budgets = [MemoryBudget::unlimited(), MemoryBudget::new(800)];
    for budget in &budgets {
        let mut memory = kept.take(640, Some(budget)).unwrap();
        memory.filled(640);
        drop(kept.freeze(memory));
        assert_eq!(budget.n_bytes_allocated(), 640);
    }
    assert_eq!(budgets[0].n_bytes_allocated(), 0);
    // Unused memory is freed.
    assert!(kept.take(256, Some(&budgets[1])).is_ok());
    assert_eq!(capacities(&kept), [0_usize; 0]);
}
