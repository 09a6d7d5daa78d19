//! Owners of the memory of buffers. Nothing in this file writes to the memory.

use std::ops::Range;
use std::panic::RefUnwindSafe;
use std::sync::Arc;

use crate::budget::Charge;
use crate::buffer::vec::VecMemory;
use crate::memory::Memory;

/// The owner of memory to which buffers refer. The owner is dropped with the last of these buffers.
pub(super) enum Owner {
    /// Memory that was built by a `BufferMut`.
    Memory(Memory),
    Vec(VecMemory),
    /// A mapped file.
    #[cfg(feature = "mmap")]
    Map(memmap2::Mmap),
    /// An owner that this crate did not make, and that can return its bytes as a slice.
    Foreign(Box<dyn ByteOwner>),
    /// An owner of another variant (`None` for static memory), and the charge for its memory.
    Charged((Option<Arc<Owner>>, Charge)),
    /// An owner that cannot return its bytes; see `foreign.rs`.
    Opaque(#[expect(dead_code, reason = "kept for its drop")] Arc<dyn Send + Sync>),
}

/// Shared memory does not change, so a panic cannot leave it half changed.
impl RefUnwindSafe for Owner {}

impl Owner {
    /// The addresses of the memory that is freed with this owner. `None` if nobody knows them, and an empty range for
    /// static memory.
    pub(super) fn addresses(&self) -> Option<Range<usize>> {
        let mut owner = self;
        while let Owner::Charged((inner, _)) = owner {
            match inner {
                Some(inner) => owner = inner,
                None => return Some(0..0),
            }
        }
        let address_range = |bytes: &[u8]| {
            let start = bytes.as_ptr().addr();
            start..start.saturating_add(bytes.len())
        };
        match owner {
            Owner::Memory(memory) => Some(memory.addresses()),
            Owner::Vec(memory) => Some(memory.addresses()),
            #[cfg(feature = "mmap")]
            Owner::Map(map) => Some(address_range(map)),
            Owner::Foreign(owner) => Some(address_range(owner.bytes())),
            Owner::Opaque(_) | Owner::Charged(_) => None,
        }
    }
}

/// Returns the bytes of an owner that does not move any more.
pub(super) trait ByteOwner: Send + Sync {
    fn bytes(&self) -> &[u8];
}

/// A foreign owner, and the function that selects the bytes of a buffer.
pub(super) struct SelectedBytes<O, F> {
    pub(super) owner: O,
    pub(super) select: F,
}

impl<O: Send + Sync, F: Fn(&O) -> &[u8] + Send + Sync> ByteOwner for SelectedBytes<O, F> {
    fn bytes(&self) -> &[u8] {
        (self.select)(&self.owner)
    }
}
