//! Memory that grows. It is aligned to 64 bytes, all its bytes are initialised, and no byte is zeroed twice. If the system can move
//! pages, large memory grows without a copy.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::Range;
use std::ptr::NonNull;

#[cfg(feature = "mmap")]
use memmap2::MmapMut;

use crate::budget::{BudgetError, Charge, MemoryBudget};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemoryPointer(NonNull<u8>);

// SAFETY: a pointer does nothing by itself. Code that uses one proves that the memory may be read, or written to, there. Owners of memory
// are `Send + Sync` apart from their pointers, which the compiler checks.
unsafe impl Send for MemoryPointer {}

// SAFETY: as for `Send`. Through a shared reference, only the address can be read.
unsafe impl Sync for MemoryPointer {}

impl MemoryPointer {
    pub(crate) const fn new(start: NonNull<u8>) -> MemoryPointer {
        MemoryPointer(start)
    }

    pub(crate) const fn to_bytes(bytes: &[u8]) -> MemoryPointer {
        MemoryPointer(NonNull::new(bytes.as_ptr().cast_mut()).expect("slices do not start at null"))
    }

    pub(crate) const fn as_ptr(self) -> *mut u8 {
        self.0.as_ptr()
    }

    pub(crate) fn is_aligned_to(self, n_bytes: usize) -> bool {
        self.0.addr().get().is_multiple_of(n_bytes)
    }
}

/// The alignment of all memory: every memory starts at a multiple of this number.
pub(crate) const ALIGNMENT: usize = 64;

/// The size from which memory is mapped rather than allocated. Smaller memory rarely contains whole huge pages. For
/// small pages, the system clears each page at each mapping, which takes longer than clearing memory that an allocator
/// uses again.
const MIN_MAPPED_BYTES: usize = 4 << 20;

/// An owned range of initialised bytes that starts at a multiple of 64.
pub(crate) struct Memory {
    /// A pointer that is valid for reads and writes of `capacity` initialised bytes, through `source` only.
    ptr: MemoryPointer,
    capacity: usize,
    source: Allocation,
    /// The charge for the memory: at least `capacity` bytes. Fields are dropped in order, so the charge is dropped
    /// after the memory.
    charge: Option<Charge>,
}

/// The source of the memory. Dropping this value frees the memory.
enum Allocation {
    /// There is no memory: `capacity` is 0.
    Nowhere,
    Heap(Heap),
    #[cfg(feature = "mmap")]
    Map(#[allow(dead_code, reason = "read only where mappings can grow")] MmapMut),
}

/// The address of empty memory, a multiple of 64.
pub(crate) const fn nowhere() -> MemoryPointer {
    #[repr(align(64))]
    struct AlignedBlock;
    const { assert!(align_of::<AlignedBlock>() == ALIGNMENT) };
    MemoryPointer(NonNull::<AlignedBlock>::dangling().cast::<u8>())
}

impl Memory {
    pub(crate) const fn empty() -> Memory {
        Memory { ptr: nowhere(), capacity: 0, source: Allocation::Nowhere, charge: None }
    }

    /// Allocates memory with room for at least `n_bytes`, all of them zero.
    pub(crate) fn zeroed(n_bytes: usize) -> Memory {
        Memory::try_zeroed(n_bytes).unwrap_or_else(|| refused(n_bytes))
    }

    /// Like `zeroed`, but returns `None` if the allocation fails.
    pub(crate) fn try_zeroed(n_bytes: usize) -> Option<Memory> {
        if n_bytes == 0 {
            return Some(Memory::empty());
        }
        #[cfg(feature = "mmap")]
        if n_bytes >= MIN_MAPPED_BYTES
            && let Some(memory) = Memory::mapped(n_bytes)
        {
            return Some(memory);
        }
        let heap = Heap::try_zeroed(n_bytes)?;
        Some(Memory {
            ptr: heap.aligned,
            capacity: heap.capacity(),
            source: Allocation::Heap(heap),
            charge: None,
        })
    }

    /// Like `zeroed`, but the memory is charged to a budget as long as it lives. Without a budget, only the system can
    /// refuse the memory.
    pub(crate) fn try_zeroed_in(
        n_bytes: usize,
        budget: Option<&MemoryBudget>,
    ) -> Result<Memory, BudgetError> {
        let charge = budget.map(|budget| budget.try_charge(n_charged(n_bytes))).transpose()?;
        let memory = Memory::try_zeroed(n_bytes);
        let memory = memory.ok_or(BudgetError::OutOfMemory { requested: n_bytes as u64 })?;
        Ok(Memory { charge, ..memory })
    }

    /// Like `try_zeroed_in`, for memory that is filled soon: the system provides all of its pages in one step, and gets
    /// them back when the memory is dropped.
    pub(crate) fn try_pages_in(n_bytes: usize, budget: Option<&MemoryBudget>) -> Result<Memory, BudgetError> {
        #[cfg(all(feature = "mmap", target_os = "linux"))]
        if let Some(n_bytes) = whole_pages(n_bytes).filter(|n_bytes| *n_bytes > 0) {
            let charge = budget.map(|budget| budget.try_charge(n_bytes as u64)).transpose()?;
            if let Some(memory) = Memory::mapped(n_bytes) {
                if let Allocation::Map(map) = &memory.source {
                    // This is a hint: the memory is valid without it.
                    let _ = map.advise(memmap2::Advice::PopulateWrite);
                }
                return Ok(Memory { charge, ..memory });
            }
        }
        Memory::try_zeroed_in(n_bytes, budget)
    }

    /// Makes an anonymous mapping of at least `n_bytes` bytes. `None` if the system refuses.
    #[cfg(feature = "mmap")]
    fn mapped(n_bytes: usize) -> Option<Memory> {
        let capacity = whole_pages(n_bytes)?;
        let mut map = MmapMut::map_anon(capacity).ok()?;
        #[cfg(target_os = "linux")]
        {
            // This is a hint: the memory is valid without it.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        let ptr = MemoryPointer(NonNull::new(map.as_mut_ptr())?);
        ptr.is_aligned_to(ALIGNMENT).then_some(Memory {
            ptr,
            capacity,
            source: Allocation::Map(map),
            charge: None,
        })
    }

    /// Grows to at least `n_bytes`. The first `n_used` bytes keep their values; the bytes after the old capacity are
    /// zero. Before the call, all bytes from `zeros_from` on are zero. Returns the position from which all bytes are
    /// zero after the call.
    ///
    /// The growth is charged to the budget even beyond its limit. Call [`try_charge_growth`](Memory::try_charge_growth) first to respect
    /// the limit.
    pub(crate) fn grow(&mut self, n_bytes: usize, n_used: usize, zeros_from: usize) -> usize {
        let charge = self.budget().map(|budget| budget.charge_anyway(self.n_charged_to_grow(n_bytes)));
        match self.try_grow(n_bytes, (n_used, zeros_from), charge) {
            Ok(zeros_from) => zeros_from,
            Err(_) => refused(n_bytes),
        }
    }

    /// Charges the bytes that are needed to grow to at least `n_bytes`, if the memory is under a budget.
    pub(crate) fn try_charge_growth(&self, n_bytes: usize) -> Result<Option<Charge>, BudgetError> {
        self.budget().map(|budget| budget.try_charge(self.n_charged_to_grow(n_bytes))).transpose()
    }

    /// The number of bytes that are charged in addition when the memory grows. While bytes are copied, the old and the new memory both
    /// exist.
    fn n_charged_to_grow(&self, n_bytes: usize) -> u64 {
        if self.grows_in_place() {
            rounded(n_bytes, PAGE_BYTES).saturating_sub(self.capacity as u64)
        } else {
            n_charged(n_bytes)
        }
    }

    /// Whether the memory can grow without a copy.
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    pub(crate) fn grows_in_place(&self) -> bool {
        matches!(self.source, Allocation::Map(_))
    }

    #[cfg(not(all(feature = "mmap", target_os = "linux")))]
    pub(crate) fn grows_in_place(&self) -> bool {
        false
    }

    /// Like [`grow`](Memory::grow), but takes the charge from [`try_charge_growth`](Memory::try_charge_growth). If the
    /// system refuses, the result is an error, nothing changes, and the charge is dropped.
    pub(crate) fn try_grow(
        &mut self,
        n_bytes: usize,
        (n_used, zeros_from): (usize, usize),
        charge: Option<Charge>,
    ) -> Result<usize, BudgetError> {
        #[cfg(all(feature = "mmap", target_os = "linux"))]
        if self.grow_in_map(n_bytes).is_some() {
            if let (Some(charge), Some(more)) = (&mut self.charge, charge) {
                charge.merge(more);
            }
            return Ok(zeros_from);
        }
        debug_assert!(
            n_used <= zeros_from,
            "the contents end after the position from which on all bytes are zero"
        );
        let grown = Memory::try_zeroed(n_bytes);
        let mut grown = grown.ok_or(BudgetError::OutOfMemory { requested: n_bytes as u64 })?;
        grown.as_mut_slice()[..n_used].copy_from_slice(&self.as_slice()[..n_used]);
        grown.charge = charge;
        if self.grows_in_place() {
            // A mapping that could not grow was charged only for the difference in length.
            match (&mut grown.charge, self.charge.take()) {
                (Some(charge), Some(before)) => charge.merge(before),
                (charge, before) => *charge = before,
            }
        }
        *self = grown;
        Ok(n_used)
    }

    /// Asks the system to make a mapping longer. The mapping may move to another address. The system moves pages and copies
    /// no bytes.
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    fn grow_in_map(&mut self, n_bytes: usize) -> Option<()> {
        let Allocation::Map(map) = &mut self.source else { return None };
        let capacity = whole_pages(n_bytes)?;
        // SAFETY: the map is anonymous and private, not a file that could be too short for the new length. The old
        // pointer is not used any more: this value is borrowed mutably, and gets its new one below.
        unsafe { map.remap(capacity, memmap2::RemapOptions::new().may_move(true)) }.ok()?;
        match NonNull::new(map.as_mut_ptr()) {
            Some(ptr) => (self.ptr, self.capacity) = (MemoryPointer(ptr), capacity),
            None => {
                // The old mapping is gone, and nothing is mapped at address 0.
                *self = Memory::empty();
                too_large()
            }
        }
        Some(())
    }

    /// The budget to which the memory is charged.
    pub(crate) fn budget(&self) -> Option<&MemoryBudget> {
        self.charge.as_ref().map(Charge::budget)
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn as_ptr(&self) -> MemoryPointer {
        self.ptr
    }

    /// The addresses of the whole allocation, including bytes before the first multiple of 64.
    pub(crate) fn addresses(&self) -> Range<usize> {
        let (start, n_bytes) = match &self.source {
            Allocation::Nowhere => (self.ptr, 0),
            Allocation::Heap(heap) => (heap.start, heap.layout.size()),
            #[cfg(feature = "mmap")]
            Allocation::Map(_) => (self.ptr, self.capacity),
        };
        let start = start.as_ptr().addr();
        start..start.saturating_add(n_bytes)
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: `ptr` is valid for reads of `capacity` initialised bytes as long as `source` is not replaced, that
        // is, while `self` is borrowed: established wherever a `Memory` is made or grown. Bytes may be read on any
        // thread.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.capacity) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`. `self` owns the memory and is borrowed mutably, so there is no other reference to it.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.capacity) }
    }
}

/// An allocation that contains an aligned range.
///
/// This type aligns the range itself. An allocator that must provide a larger alignment than
/// [`OWN_ALIGNMENT`](Heap::OWN_ALIGNMENT) clears memory that the system has already cleared.
struct Heap {
    /// The pointer that the allocator returned for `layout`.
    start: MemoryPointer,
    layout: Layout,
    /// The first multiple of 64 in the allocation.
    aligned: MemoryPointer,
}

impl Heap {
    /// The alignment that common allocators always provide.
    const OWN_ALIGNMENT: usize = 16;

    /// Allocates at least `n_bytes` zeros at `aligned`. `None` if the allocation fails.
    fn try_zeroed(n_bytes: usize) -> Option<Heap> {
        let layout = heap_layout(n_bytes)?;
        assert!(layout.size() > 0, "an allocation of no bytes");
        // SAFETY: the layout is not of size 0, checked on the line above.
        let start = unsafe { alloc_zeroed(layout) };
        let start = NonNull::new(start)?;
        let n_skipped = start.addr().get().wrapping_neg() % ALIGNMENT;
        // `start` is a multiple of 16, so `n_skipped` is at most 48, and the allocation is longer than that.
        let aligned = NonNull::new(start.as_ptr().wrapping_add(n_skipped))?;
        Some(Heap { start: MemoryPointer(start), layout, aligned: MemoryPointer(aligned) })
    }

    /// The number of bytes from `aligned` on. The bytes before `aligned` are not used.
    fn capacity(&self) -> usize {
        self.layout.size() - HEAP_SLACK_BYTES
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: `start` was allocated with `layout` in `Heap::try_zeroed`, the only constructor, and is freed here only.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// The greatest number of bytes that are skipped to get to a multiple of 64.
const HEAP_SLACK_BYTES: usize = ALIGNMENT - Heap::OWN_ALIGNMENT;

/// The layout for `n_bytes`, rounded up to a multiple of 64. `None` if no allocation can be so large.
fn heap_layout(n_bytes: usize) -> Option<Layout> {
    let n_bytes = n_bytes.checked_next_multiple_of(ALIGNMENT)?.checked_add(HEAP_SLACK_BYTES)?;
    Layout::from_size_align(n_bytes, Heap::OWN_ALIGNMENT).ok()
}

/// The number of bytes that are charged for memory of `n_bytes`: the whole pages or cache lines that it takes, and at least its capacity.
fn n_charged(n_bytes: usize) -> u64 {
    let is_mapped = cfg!(feature = "mmap") && n_bytes >= MIN_MAPPED_BYTES;
    rounded(n_bytes, if is_mapped { PAGE_BYTES } else { ALIGNMENT })
}

fn rounded(n_bytes: usize, unit: usize) -> u64 {
    (n_bytes as u64).checked_next_multiple_of(unit as u64).unwrap_or(u64::MAX)
}

/// Mappings take whole pages of this size.
const PAGE_BYTES: usize = 4096;

/// `n_bytes` rounded up to whole pages of the usual size. `None` if no mapping can be so long.
#[cfg(feature = "mmap")]
fn whole_pages(n_bytes: usize) -> Option<usize> {
    n_bytes.checked_next_multiple_of(PAGE_BYTES).filter(|&n_bytes| isize::try_from(n_bytes).is_ok())
}

/// Ends the program because there is no memory, as a `Vec` does.
#[cold]
fn refused(n_bytes: usize) -> ! {
    match heap_layout(n_bytes) {
        Some(layout) => handle_alloc_error(layout),
        None => too_large(),
    }
}

#[cold]
fn too_large() -> ! {
    panic!("more bytes than an address space holds")
}
