//! Tests which memory is retained and which is reused.

use super::*;

fn frozen(pool: &BufferPool, n_bytes: usize) -> Buffer {
    let mut memory = pool.take(n_bytes, None).unwrap();
    memory.spare(n_bytes);
    memory.filled(n_bytes);
    pool.freeze(memory)
}

fn capacities(pool: &BufferPool) -> Vec<usize> {
    pool.lock().expect("nobody else has it").iter().map(|buffer| buffer.capacity).collect()
}

#[test]
fn memory_that_cannot_be_had_is_no_panic() {
    for n_bytes in [usize::MAX, isize::MAX.cast_unsigned(), 1 << 62] {
        assert!(BufferPool::default().take(n_bytes, None).is_err());
    }
}

#[test]
fn memory_is_used_again_once_nothing_refers_to_it() {
    let pool = BufferPool::default();
    let [first, second] = [1_000, 900].map(|n_bytes| frozen(&pool, n_bytes));
    let at = (first.as_ptr(), second.as_ptr());
    let slice = second.slice(5..);
    drop((first, second));
    // The smallest buffer that fits is reused. A slice keeps the memory of its whole buffer in use.
    assert_eq!(frozen(&pool, 800).as_ptr(), at.0);
    drop(slice);
    assert_eq!(frozen(&pool, 800).as_ptr(), at.1);
    assert_eq!(capacities(&pool).len(), 2);
}

#[test]
fn what_was_used_last_is_used_again_first() {
    let pool = BufferPool::default();
    let all = [640; 3].map(|n_bytes| frozen(&pool, n_bytes));
    let last = all[2].as_ptr();
    drop(all);
    for _ in 0..4 {
        assert_eq!(frozen(&pool, 640).as_ptr(), last);
    }
    assert_eq!(capacities(&pool), [640; 3]);
    // A buffer is also reused if it is a little longer.
    let longer = frozen(&pool, 704);
    let at = longer.as_ptr();
    drop(longer);
    assert_eq!(frozen(&pool, 640).as_ptr(), at);
}

#[test]
fn a_free_pooled_buffer_is_as_large_as_what_was_taken_at_most() {
    let pool = BufferPool::default();
    // Memory that is an eighth longer replaces a buffer that is too short.
    for (n_bytes, n_expected) in [(6_400, 6_400), (7_168, 8_064), (8_064, 8_064), (12_800, 14_400)] {
        drop(frozen(&pool, n_bytes));
        assert_eq!(capacities(&pool), [n_expected]);
    }
    // A buffer of half the length is not replaced.
    drop(frozen(&pool, 640));
    drop(frozen(&pool, 12_800));
    assert_eq!(capacities(&pool), [640, 14_400]);
}

#[test]
fn a_reservation_takes_no_new_memory() {
    let pool = BufferPool::default();
    drop(frozen(&pool, 6_400));
    assert!(pool.fitting(7_168, None).is_none());
    assert_eq!(capacities(&pool), [6_400]);
    assert_eq!(pool.fitting(4_000, None).map(|memory| memory.capacity()), Some(6_400));
}

#[test]
fn streams_that_wait_reserve_no_more_than_the_pool_may_hold() {
    let pool = BufferPool { max_bytes: 10_240, ..BufferPool::default() };
    let reserve = || {
        drop(frozen(&pool, 6_400));
        pool.reserve(6_400, None)
    };
    let first = reserve();
    assert!(first.is_some());
    // A reservation for the same number of bytes is counted already.
    assert!(reserve().is_none());
    assert_eq!(capacities(&pool), [6_400]);
    drop(first);
    assert!(reserve().is_some());
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
    let pool = BufferPool::default();
    drop(frozen(&pool, 640));
    let held = pool.lock();
    assert_eq!(frozen(&pool, 640).len(), 640);
    drop(held);
    assert_eq!(capacities(&pool), [640]);
}

#[test]
fn the_pool_has_a_bound() {
    let pool = BufferPool { max_bytes: 10_240, ..BufferPool::default() };
    let all: Vec<Buffer> = (0..20).map(|_| frozen(&pool, 640)).collect();
    assert_eq!(capacities(&pool), [640; MAX_PIECES]);
    let large = frozen(&pool, 10_240);
    assert_eq!(capacities(&pool), [10_240]);
    drop((frozen(&pool, 10_304), all, large));
    assert_eq!(capacities(&pool), [10_240]);
    let none = BufferPool { max_pieces: 0, ..BufferPool::default() };
    drop(frozen(&none, 640));
    assert_eq!(capacities(&none), [0_usize; 0]);
}

#[test]
fn a_program_that_keeps_more_keeps_more_pieces() {
    for (max_mebibytes, n_expected) in [(1, 16), (64, 16), (192, 48)] {
        let memory = RecycledMemory::with_max_bytes(max_mebibytes << 20);
        let pool = memory.bodies();
        drop((0..50).map(|_| frozen(pool, 640)).collect::<Vec<Buffer>>());
        assert_eq!(capacities(pool).len(), n_expected, "{max_mebibytes} MiB");
    }
    // A search may inspect all retained buffers, so their number is limited.
    assert_eq!(RecycledMemory::with_max_bytes(usize::MAX).bodies().max_pieces, MAX_SEARCHED);
}

#[test]
fn memory_of_another_budget_is_freed() {
    let pool = BufferPool::default();
    let budgets = [MemoryBudget::unlimited(), MemoryBudget::new(800)];
    for budget in &budgets {
        let mut memory = pool.take(640, Some(budget)).unwrap();
        memory.filled(640);
        drop(pool.freeze(memory));
        assert_eq!(budget.n_bytes_allocated(), 640);
    }
    assert_eq!(budgets[0].n_bytes_allocated(), 0);
    // Unused memory is freed.
    assert!(pool.take(256, Some(&budgets[1])).is_ok());
    assert_eq!(capacities(&pool), [0_usize; 0]);
}
