//! Limits the work that one message can cause. Columns may refer to the same bytes, and decompressed bytes are longer
//! than those of the body, so a small message can cause much work. Messages of real writers stay within these limits.

use crate::{
    dictionary::KeptRoom,
    error::Result,
    limits::{Budget, Limits},
};

/// The budgets that remain for the buffers of one message.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    /// Bytes of all buffers together, as stored in the body.
    pub(super) referenced: Budget,
    /// Bytes that may be copied: `MAX_COPIES` times the length of the body and of the decompressed bytes.
    pub(super) copied: Budget,
    /// Bytes of all decompressed buffers together.
    decompressed: Budget,
    /// The number of bytes that the values of a dictionary may still take.
    pub(super) kept: Option<KeptRoom>,
    /// Decompressed bytes that no slot needs.
    unneeded: Budget,
}

/// How many times the bytes of a body, or decompressed bytes, may be copied.
const MAX_COPIES: u64 = 4;

impl Account {
    pub(super) fn new(n_body_bytes: u64, limits: &Limits) -> Account {
        const BASE_BYTES: u64 = 1 << 20;
        let times = |n: u64| Budget::new(n_body_bytes.saturating_mul(n).saturating_add(BASE_BYTES));
        Account {
            referenced: times(1024),
            copied: times(MAX_COPIES),
            decompressed: limits.decompression_budget(n_body_bytes),
            kept: None,
            unneeded: times(4),
        }
    }

    /// Charges a buffer that will be decompressed. After this its bytes count as those of the body.
    pub(super) fn decompress(&mut self, n_bytes: u64) -> Result<()> {
        self.decompressed.spend("bytes of decompressed buffers", n_bytes)?;
        if let Some(kept) = &mut self.kept {
            kept.spend(n_bytes)?;
        }
        self.copied.add(n_bytes.saturating_mul(MAX_COPIES));
        Ok(())
    }

    /// The charges so far.
    pub(crate) fn charges(&self) -> Charges {
        Charges {
            referenced: self.referenced.n_bytes_spent(),
            copied: self.copied.n_bytes_spent(),
            decompressed: self.decompressed.n_bytes_spent(),
            unneeded: self.unneeded.n_bytes_spent(),
        }
    }

    /// Adds the charges for other columns of the same message.
    ///
    /// # Errors
    /// If the message then exceeds its bounds.
    pub(crate) fn charge(&mut self, charges: Charges) -> Result<()> {
        self.referenced.spend("bytes of buffers", charges.referenced)?;
        self.decompress(charges.decompressed)?;
        self.leave_unneeded(charges.unneeded)?;
        self.copied.spend("bytes of copied buffers", charges.copied)
    }

    /// The number of bytes of all decompressed buffers.
    #[cfg(feature = "rayon")]
    pub(super) fn n_decompressed_bytes(&self) -> u64 {
        self.decompressed.n_bytes_spent()
    }

    /// Charges decompressed bytes that no slot needs.
    pub(super) fn leave_unneeded(&mut self, n_bytes: u64) -> Result<()> {
        self.unneeded.spend("bytes of decompressed buffers that no slot needs", n_bytes)
    }
}

/// The charges of some columns of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Charges {
    referenced: u64,
    copied: u64,
    decompressed: u64,
    unneeded: u64,
}

impl Charges {
    /// These charges without those that were already in `before`.
    pub(crate) fn since(self, before: Charges) -> Charges {
        Charges {
            referenced: self.referenced.saturating_sub(before.referenced),
            copied: self.copied.saturating_sub(before.copied),
            decompressed: self.decompressed.saturating_sub(before.decompressed),
            unneeded: self.unneeded.saturating_sub(before.unneeded),
        }
    }

    /// Adds the charges of the next rows of the same columns. Both sides include all buffers that have been
    /// decompressed so far; these buffers count once.
    pub(crate) fn and_rows(self, next: Charges) -> Charges {
        Charges {
            referenced: self.referenced.saturating_add(next.referenced),
            copied: self.copied.saturating_add(next.copied),
            ..next
        }
    }
}
