//! Memory that grows: aligned to 64 bytes, initialised from end to end, neither zeroed twice nor, where the system
//! can move pages, copied when it is large.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

#[cfg(feature = "mmap")]
use memmap2::MmapMut;

/// Every memory starts at a multiple of this.
pub(crate) const ALIGNMENT: usize = 64;

/// From this size on, memory is mapped rather than allocated. Huge pages hardly fit into less, and small pages that the
/// system clears one by one, each time, take longer than clearing what an allocator has kept.
#[cfg(feature = "mmap")]
const MIN_MAPPED_BYTES: usize = 4 << 20;

/// An owned range of initialised bytes that starts at a multiple of 64.
pub(crate) struct Memory {
    /// Valid for reads and writes of `capacity` initialised bytes, through `source` only.
    ptr: NonNull<u8>,
    capacity: usize,
    #[allow(dead_code, reason = "kept for its drop; read only where mappings can grow")]
    source: Source,
}

/// Where memory comes from, and what gives it back when dropped.
enum Source {
    /// There is none: `capacity` is 0.
    Nowhere,
    Heap(#[expect(dead_code, reason = "kept for its drop")] Heap),
    #[cfg(feature = "mmap")]
    Map(#[allow(dead_code, reason = "read only where mappings can grow")] MmapMut),
}

// SAFETY: the memory is owned by this value alone, and bytes do not care for threads.
unsafe impl Send for Memory {}

// SAFETY: nothing changes through a shared reference.
unsafe impl Sync for Memory {}

/// Where no bytes are: an address that is a multiple of 64.
pub(crate) const fn nowhere() -> NonNull<u8> {
    #[repr(align(64))]
    struct Aligned;
    const { assert!(align_of::<Aligned>() == ALIGNMENT) };
    NonNull::<Aligned>::dangling().cast::<u8>()
}

impl Memory {
    pub(crate) const fn empty() -> Memory {
        Memory { ptr: nowhere(), capacity: 0, source: Source::Nowhere }
    }

    /// At least `n_bytes` zeros.
    pub(crate) fn zeroed(n_bytes: usize) -> Memory {
        match Memory::try_zeroed(n_bytes) {
            Some(memory) => memory,
            None => match heap_layout(n_bytes) {
                Some(layout) => handle_alloc_error(layout),
                None => too_large(),
            },
        }
    }

    /// The same. `None` if the allocation fails.
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
        Some(Memory { ptr: heap.aligned, capacity: heap.capacity(), source: Source::Heap(heap) })
    }

    /// A fresh anonymous mapping of at least `n_bytes` bytes. `None` if the system refuses.
    #[cfg(feature = "mmap")]
    fn mapped(n_bytes: usize) -> Option<Memory> {
        let capacity = whole_pages(n_bytes)?;
        let mut map = MmapMut::map_anon(capacity).ok()?;
        #[cfg(target_os = "linux")]
        {
            // A hint: memory is as good without it.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        let ptr = NonNull::new(map.as_mut_ptr())?;
        ptr.addr().get().is_multiple_of(ALIGNMENT).then_some(Memory {
            ptr,
            capacity,
            source: Source::Map(map),
        })
    }

    /// Grows to at least `n_bytes`. The first `n_kept` bytes keep their values; the bytes after the old capacity
    /// are zero. Those from `zeros_from` on were zero before; returns from where on they are now.
    pub(crate) fn grow(&mut self, n_bytes: usize, n_kept: usize, zeros_from: usize) -> usize {
        #[cfg(all(feature = "mmap", target_os = "linux"))]
        if self.grow_in_map(n_bytes).is_some() {
            return zeros_from;
        }
        debug_assert!(
            n_kept <= zeros_from,
            "the contents end after the place from which on all bytes are zero"
        );
        let mut grown = Memory::zeroed(n_bytes);
        grown.as_mut_slice()[..n_kept].copy_from_slice(&self.as_slice()[..n_kept]);
        *self = grown;
        n_kept
    }

    /// Has the system make a mapping longer, wherever it finds place: pages move, bytes do not.
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    fn grow_in_map(&mut self, n_bytes: usize) -> Option<()> {
        let Source::Map(map) = &mut self.source else { return None };
        let capacity = whole_pages(n_bytes)?;
        // SAFETY: the map is anonymous and private, not a file that could be too short for the new length. The old
        // pointer is not used any more: this value is borrowed mutably, and gets its new one below.
        unsafe { map.remap(capacity, memmap2::RemapOptions::new().may_move(true)) }.ok()?;
        match NonNull::new(map.as_mut_ptr()) {
            Some(ptr) => (self.ptr, self.capacity) = (ptr, capacity),
            None => {
                // The old place is gone, and nothing lies at address 0.
                *self = Memory::empty();
                too_large()
            }
        }
        Some(())
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn as_ptr(&self) -> NonNull<u8> {
        self.ptr
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: `ptr` is valid for reads of `capacity` initialised bytes as long as `source` is not replaced, that
        // is, while `self` is borrowed: established wherever a `Memory` is made or grown.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.capacity) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`, and `self` owns the memory and is borrowed mutably: nobody else looks at it.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.capacity) }
    }
}

/// An allocation that holds an aligned range.
///
/// Aligned by hand, since allocators clear fresh memory for free only at their own alignment.
struct Heap {
    /// What the allocator gave for `layout`.
    start: NonNull<u8>,
    layout: Layout,
    /// The first multiple of 64 in it.
    aligned: NonNull<u8>,
}

impl Heap {
    /// What common allocators align to anyway.
    const OWN_ALIGNMENT: usize = 16;

    /// Holds at least `n_bytes` zeros at `aligned`. `None` if the allocation fails.
    fn try_zeroed(n_bytes: usize) -> Option<Heap> {
        let layout = heap_layout(n_bytes)?;
        assert!(layout.size() > 0, "an allocation of no bytes");
        // SAFETY: the layout is not of size 0, checked on the line above.
        let start = unsafe { alloc_zeroed(layout) };
        let start = NonNull::new(start)?;
        let n_skipped = start.addr().get().wrapping_neg() % ALIGNMENT;
        // SAFETY: `start` is a multiple of 16, so `n_skipped` is at most 48, and the allocation is longer than that.
        let aligned = unsafe { start.add(n_skipped) };
        Some(Heap { start, layout, aligned })
    }

    /// How many bytes there are from `aligned` on: all but those that aligning may skip.
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

/// The most that is skipped to get to a multiple of 64.
const HEAP_SLACK_BYTES: usize = ALIGNMENT - Heap::OWN_ALIGNMENT;

/// The layout for `n_bytes`, rounded up to a multiple of 64. `None` if no allocation can be so large.
fn heap_layout(n_bytes: usize) -> Option<Layout> {
    let n_bytes = n_bytes.checked_next_multiple_of(ALIGNMENT)?.checked_add(HEAP_SLACK_BYTES)?;
    Layout::from_size_align(n_bytes, Heap::OWN_ALIGNMENT).ok()
}

/// `n_bytes` rounded up to whole pages of the usual size. `None` if no mapping can be so long.
#[cfg(feature = "mmap")]
fn whole_pages(n_bytes: usize) -> Option<usize> {
    n_bytes.checked_next_multiple_of(4096).filter(|&n_bytes| isize::try_from(n_bytes).is_ok())
}

#[cold]
fn too_large() -> ! {
    panic!("more bytes than an address space holds")
}
