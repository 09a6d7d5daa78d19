//! Tests that a budget counts the memory of buffers from the allocation until the last buffer is dropped.

use arrow_buffer::{Bitmap, BitmapBuilder, BudgetError, Buffer, BufferMut, MemoryBudget};
use proptest::prelude::*;

fn refused(error: BudgetError) -> (u64, u64, u64) {
    match error {
        BudgetError::Refused { requested, used, limit } => (requested, used, limit),
        BudgetError::OutOfMemory { .. } => panic!("{error}"),
    }
}

#[test]
fn bytes_are_given_back_with_the_last_buffer() {
    let budget = MemoryBudget::new(1000);
    let buffer = Buffer::try_copy_in(&[7; 300], Some(&budget)).expect("there is room");
    // The charge is rounded up to whole cache lines.
    assert_eq!(budget.n_bytes_allocated(), 320);
    let slice = buffer.slice(10..20);
    drop(buffer);
    assert_eq!(budget.n_bytes_allocated(), 320);
    drop(slice);
    assert_eq!((budget.n_bytes_allocated(), budget.n_bytes_peak()), (0, 320));
    // Recycled memory stays charged. Memory of an empty buffer is freed.
    let buffer = Buffer::try_copy_in(&[7; 300], Some(&budget)).expect("there is room");
    let memory = buffer.try_recycle().expect("nobody else refers to it");
    assert_eq!(memory.budget(), Some(&budget));
    assert_eq!(budget.n_bytes_allocated(), 320);
    drop(memory.freeze());
    assert_eq!(budget.n_bytes_allocated(), 0);
    // Without a budget there is no charge.
    assert!(BufferMut::try_with_capacity_in(100, None).expect("little memory").budget().is_none());
}

#[test]
fn a_refused_charge_leaves_nothing_charged() {
    let budget = MemoryBudget::new(1000);
    let held = budget.try_charge(400).expect("there is room");
    assert_eq!(refused(budget.try_charge(601).expect_err("too many")), (601, 400, 1000));
    assert_eq!(refused(budget.try_charge(u64::MAX).expect_err("too many")), (u64::MAX, 400, 1000));
    let error = BufferMut::try_with_capacity_in(601, Some(&budget)).expect_err("too many");
    assert_eq!(refused(error), (640, 400, 1000));
    assert_eq!(error.to_string(), "640 bytes exceed the memory budget: 400 of 1000 bytes are used");
    assert_eq!(budget.n_bytes_allocated(), 400);
    assert_eq!(budget.try_charge(600).map(|charge| charge.n_bytes()), Ok(600));
    drop(held);
    assert_eq!((budget.n_bytes_allocated(), budget.n_bytes_peak()), (0, 1000));

    // Memory that the system refuses is not charged.
    let endless = MemoryBudget::unlimited();
    let error = BufferMut::try_with_capacity_in(usize::MAX, Some(&endless)).expect_err("no system has it");
    assert!(matches!(error, BudgetError::OutOfMemory { .. }), "{error}");
    assert_eq!(endless.n_bytes_allocated(), 0);
}

#[test]
fn growth_is_requested_or_charged_anyway() {
    let budget = MemoryBudget::new(1000);
    let mut bytes = BufferMut::try_with_capacity_in(0, Some(&budget)).expect("no bytes");
    bytes.try_reserve(200).expect("there is room");
    bytes.extend_from_slice(&[1; 200]);
    assert_eq!(budget.n_bytes_allocated(), 256);
    // During the copy, the old and the new memory are both charged.
    bytes.try_reserve(100).expect("there is room");
    assert_eq!((budget.n_bytes_allocated(), budget.n_bytes_peak()), (448, 256 + 448));
    assert_eq!(refused(bytes.try_reserve(700).expect_err("too many")), (960, 448, 1000));
    assert_eq!(refused(bytes.try_spare(100_000).expect_err("too many")), (65_536, 448, 1000));
    assert_eq!((bytes.len(), bytes.as_slice()), (200, &[1; 200][..]));
    assert_eq!(budget.n_bytes_allocated(), 448);
    // Methods that do not ask the budget are charged, too.
    bytes.extend_from_slice(&[2; 5000]);
    assert!(budget.n_bytes_allocated() >= 5200, "{budget:?}");
    assert!(budget.try_charge(1).is_err());
    drop(bytes);
    assert_eq!(budget.n_bytes_allocated(), 0);
    // The clone is not charged to the budget.
    let bytes = BufferMut::try_with_capacity_in(100, Some(&budget)).expect("there is room");
    assert!(bytes.clone().budget().is_none());
}

/// Large memory is mapped, and grows without a copy where the system can do that.
#[test]
fn large_memory_is_charged_by_pages() {
    let budget = MemoryBudget::new(20 << 20);
    let mut bytes = BufferMut::try_with_capacity_in(5 << 20, Some(&budget)).expect("there is room");
    assert_eq!(budget.n_bytes_allocated(), 5 << 20);
    bytes.extend_zeros(5 << 20);
    bytes.try_reserve(1).expect("there is room for both");
    assert!(budget.n_bytes_allocated() >= bytes.capacity() as u64, "{budget:?}");
    assert!(budget.n_bytes_allocated() <= 10 << 20, "{budget:?}");
    assert!(bytes.try_reserve(16 << 20).is_err());
    drop(bytes);
    assert_eq!(budget.n_bytes_allocated(), 0);
}

/// Memory from `try_with_pages_in` begins with zeros, has the requested capacity, and grows like other memory.
#[test]
fn pages_are_like_other_memory() {
    let budget = MemoryBudget::new(16 << 20);
    for n_bytes in [0, 1, 4096, 300_001, 5 << 20] {
        let mut bytes = BufferMut::try_with_pages_in(n_bytes, Some(&budget)).expect("there is room");
        assert!(bytes.is_empty() && bytes.capacity() >= n_bytes);
        assert!(bytes.spare(n_bytes).iter().all(|byte| *byte == 0));
        bytes.spare(n_bytes).fill(7);
        bytes.filled(n_bytes);
        bytes.try_extend_zeros(100).expect("there is room");
        assert!(budget.n_bytes_allocated() >= bytes.capacity() as u64, "{budget:?}");
        let buffer = bytes.freeze();
        assert!(buffer[..n_bytes].iter().all(|byte| *byte == 7) && buffer[n_bytes..] == [0; 100]);
        drop(buffer);
        assert_eq!(budget.n_bytes_allocated(), 0);
    }
    assert_eq!(
        refused(BufferMut::try_with_pages_in(17 << 20, Some(&budget)).unwrap_err()),
        (17 << 20, 0, 16 << 20)
    );
}

#[test]
fn charges_of_other_owners() {
    let budget = MemoryBudget::new(100);
    for buffer in [Buffer::from(vec![1_u8; 50]), Buffer::from_static(&[1; 50]), Buffer::new()] {
        let n_bytes = buffer.len() as u64;
        let charged = buffer.clone().with_charge(budget.try_charge(n_bytes).expect("there is room"));
        assert_eq!(charged, buffer);
        let slice = charged.slice(..charged.len() / 2);
        drop((charged, buffer));
        assert_eq!(budget.n_bytes_allocated(), n_bytes);
        assert!(slice.into_vec::<u8>().is_err(), "the charge would be lost");
        assert_eq!(budget.n_bytes_allocated(), 0);
    }
}

#[test]
fn threads_share_an_account() {
    const N: u64 = 2_000;
    let budget = MemoryBudget::new(640);
    let work = || {
        for _ in 0..N {
            let charged = Buffer::try_copy_in(&[1; 200], Some(&budget));
            assert!(budget.n_bytes_allocated() <= 640);
            drop(charged);
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
    assert_eq!(budget.n_bytes_allocated(), 0);
    assert!(budget.n_bytes_peak() <= 640, "{budget:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// After any steps, the charged bytes equal the capacity, and at the end no byte is charged.
    #[test]
    fn all_capacity_is_charged(steps in prop::collection::vec((0..5_usize, 0..3_000_usize), 0..40), limit in 0..20_000_u64) {
        let budget = MemoryBudget::new(limit);
        let mut all: Vec<BufferMut> = Vec::new();
        let mut frozen: Vec<Buffer> = Vec::new();
        let mut is_over = false;
        for (step, n_bytes) in steps {
            let before = budget.n_bytes_allocated();
            let result = match (step, all.last_mut()) {
                (1, Some(bytes)) => bytes.try_reserve(n_bytes),
                (2, Some(bytes)) => bytes.try_spare(n_bytes).map(|spare| spare.len()).map(|n| bytes.filled(n / 2)),
                (3, Some(_)) => {
                    frozen.extend(all.pop().map(BufferMut::freeze));
                    Ok(())
                }
                (4, _) => BufferMut::try_with_pages_in(n_bytes, Some(&budget)).map(|bytes| all.push(bytes)),
                _ => BufferMut::try_with_capacity_in(n_bytes, Some(&budget)).map(|bytes| all.push(bytes)),
            };
            if let Err(error) = result {
                is_over = true;
                prop_assert_eq!(refused(error).1, before);
                prop_assert_eq!(budget.n_bytes_allocated(), before);
            }
            let capacity: usize = all.iter().map(BufferMut::capacity).sum();
            let bytes: usize = frozen.iter().map(Buffer::len).sum();
            prop_assert!(budget.n_bytes_allocated() >= (capacity + bytes) as u64);
            prop_assert!(budget.n_bytes_peak() <= limit);
            prop_assert!(is_over || budget.n_bytes_peak() >= budget.n_bytes_allocated());
        }
        drop((all, frozen));
        prop_assert_eq!(budget.n_bytes_allocated(), 0);
    }
}

/// Each constructor that takes memory for a number of bytes has a fallible variant. A target of 32 bits has as much memory as
/// it can address.
#[cfg(target_pointer_width = "64")]
#[test]
fn memory_that_cannot_be_had_is_an_error() {
    let is_refused = |error: BudgetError, n_bytes: u64| {
        assert_eq!(error, BudgetError::OutOfMemory { requested: n_bytes });
    };
    for n_bytes in [usize::MAX, isize::MAX.cast_unsigned(), 1 << 62] {
        let requested = n_bytes as u64;
        is_refused(Buffer::try_zeroed_in(n_bytes, None).unwrap_err(), requested);
        is_refused(BufferMut::try_with_capacity_in(n_bytes, None).unwrap_err(), requested);
        is_refused(BufferMut::try_with_pages_in(n_bytes, None).unwrap_err(), requested);
        assert!(BufferMut::try_with_capacity(n_bytes).is_none());
        // Here `n_bytes` is a number of bits.
        is_refused(Bitmap::try_new_set_in(n_bytes, None).unwrap_err(), requested.div_ceil(8));
        is_refused(Bitmap::try_new_unset_in(n_bytes, None).unwrap_err(), requested.div_ceil(8));
        assert!(BitmapBuilder::try_with_capacity_in(n_bytes, None).is_err());
        let mut bytes = BufferMut::from(&b"kept"[..]);
        assert!(bytes.try_reserve(n_bytes).is_err() && bytes.try_extend_zeros(n_bytes).is_err());
        assert_eq!(&*bytes, b"kept");
    }
}

#[test]
fn twins_that_fail_give_the_same() {
    let budget = MemoryBudget::unlimited();
    for n in [0, 1, 7, 8, 9, 64, 1_000] {
        for budget in [None, Some(&budget)] {
            assert_eq!(Buffer::try_zeroed_in(n, budget), Ok(Buffer::zeroed(n)));
            assert_eq!(Bitmap::try_new_set_in(n, budget), Ok(Bitmap::new_set(n)));
            assert_eq!(Bitmap::try_new_unset_in(n, budget), Ok(Bitmap::new_unset(n)));
            let whole: Buffer = (0..n).map(|byte| byte as u8).collect();
            for start in 0..n.min(9) {
                let part = whole.slice(start..);
                let aligned = part.try_to_aligned_in(8, budget).unwrap();
                assert!(aligned.is_aligned_to(8));
                assert_eq!(aligned, part.to_aligned(8));
                assert_eq!(aligned.same_memory(&part), part.is_aligned_to(8));
            }
            let mut bytes = BufferMut::try_with_capacity_in(0, budget).unwrap();
            bytes.try_extend_from_slice(&whole).unwrap();
            bytes.try_extend_zeros(n).unwrap();
            assert_eq!((&bytes[..n], &bytes[n..]), (&*whole, &*Buffer::zeroed(n)));
        }
    }
    assert_eq!(budget.n_bytes_allocated(), 0);
}
