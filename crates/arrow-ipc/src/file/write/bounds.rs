//! How long the footer of a file may get while it is written.

use crate::{error::Result, limits::Limits};

/// The bytes that a footer may still take.
#[derive(Debug, Clone, Copy)]
pub(super) struct FooterBounds {
    /// The greatest length of the footer.
    pub(super) n_bytes: u64,
    /// The greatest length of packed layouts. Longer layouts are left out.
    pub(super) n_layout_bytes: u64,
}

impl Default for FooterBounds {
    fn default() -> FooterBounds {
        FooterBounds { n_bytes: Limits::DEFAULT_METADATA_BYTES, n_layout_bytes: 16 << 20 }
    }
}

impl FooterBounds {
    /// # Errors
    /// The error if readers would refuse this length by default.
    pub(super) fn check(&self, n_bytes: u64) -> Result<()> {
        Limits::check("bytes of footer", n_bytes, self.n_bytes)
    }
}
