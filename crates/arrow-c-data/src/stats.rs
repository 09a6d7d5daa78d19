//! Counts copies.

/// The number of buffers and bytes that an import or export has copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CopyStats {
    n_buffers: u64,
    n_bytes: u64,
}

impl CopyStats {
    /// Makes statistics without copies.
    pub const fn new() -> CopyStats {
        CopyStats { n_buffers: 0, n_bytes: 0 }
    }

    /// The number of buffers that were copied.
    pub const fn n_buffers_copied(&self) -> u64 {
        self.n_buffers
    }

    /// The number of bytes that were copied.
    pub const fn n_bytes_copied(&self) -> u64 {
        self.n_bytes
    }

    pub(crate) fn add(&mut self, n_buffers: u64, n_bytes: u64) {
        self.n_buffers = self.n_buffers.saturating_add(n_buffers);
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
    }
}
