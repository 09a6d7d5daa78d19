//! Limits the work that one message can cause. Several columns may refer to the same bytes of the body, and a small
//! compressed body may decompress to many bytes. Messages of real writers stay within these limits.

use crate::{dictionary::DictionaryQuota, error::Result};
use arrow_buffer::Budget;
use arrow_ipc_format::Limits;

/// The remaining budgets for the buffers of one message. Exhausting one of them is an error.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    /// The sum of the lengths of all buffers, as stored in the body.
    pub(super) referenced: Budget,
    /// The number of bytes that may be copied: `MAX_COPIES` times the length of the body and of the decompressed
    /// buffers.
    pub(super) copied: Budget,
    /// The sum of the lengths of all buffers after decompression.
    decompressed: Budget,
    /// The number of decompressed bytes that the values of a dictionary may still need; `None` for a record batch.
    pub(super) dictionary_quota: Option<DictionaryQuota>,
    /// The number of decompressed bytes that no slot refers to.
    unneeded: Budget,
}

/// How many times each byte of the body, and each decompressed byte, may be copied.
const MAX_COPIES: u64 = 4;

impl Account {
    pub(super) fn new(n_body_bytes: u64, limits: &Limits) -> Account {
        Account {
            referenced: Limits::body_budget(1024, n_body_bytes),
            copied: Limits::body_budget(MAX_COPIES, n_body_bytes),
            decompressed: limits.decompression_budget(n_body_bytes),
            dictionary_quota: None,
            unneeded: Limits::body_budget(4, n_body_bytes),
        }
    }

    /// Charges a buffer of `n_bytes` decompressed bytes, and allows `MAX_COPIES` copies of these bytes.
    pub(super) fn decompress(&mut self, n_bytes: u64) -> Result<()> {
        self.decompressed.spend("bytes of decompressed buffers", n_bytes)?;
        if let Some(quota) = &mut self.dictionary_quota {
            quota.spend(n_bytes)?;
        }
        self.copied.add(n_bytes.saturating_mul(MAX_COPIES));
        Ok(())
    }

    #[cfg(feature = "rayon")]
    pub(super) fn n_decompressed_bytes(&self) -> u64 {
        self.decompressed.n_spent()
    }

    pub(super) fn charge_unneeded(&mut self, n_bytes: u64) -> Result<()> {
        Ok(self.unneeded.spend("bytes of decompressed buffers that no slot needs", n_bytes)?)
    }

    #[cfg(feature = "file")]
    pub(crate) fn charges(&self) -> Charges {
        Charges {
            referenced: self.referenced.n_spent(),
            copied: self.copied.n_spent(),
            decompressed: self.decompressed.n_spent(),
            unneeded: self.unneeded.n_spent(),
        }
    }

    /// Adds the charges for other columns of the same message.
    ///
    /// # Errors
    /// If the message then exceeds a limit.
    #[cfg(feature = "file")]
    pub(crate) fn charge(&mut self, charges: Charges) -> Result<()> {
        self.referenced.spend("bytes of buffers", charges.referenced)?;
        self.decompress(charges.decompressed)?;
        self.charge_unneeded(charges.unneeded)?;
        Ok(self.copied.spend("bytes of copied buffers", charges.copied)?)
    }
}

/// What parts of one message have charged. Files read messages in parts.
#[cfg(feature = "file")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Charges {
    referenced: u64,
    copied: u64,
    decompressed: u64,
    unneeded: u64,
}

#[cfg(feature = "file")]
impl Charges {
    /// Subtracts `before`, which are earlier charges of the same message.
    pub(crate) fn since(self, before: Charges) -> Charges {
        Charges {
            referenced: self.referenced.saturating_sub(before.referenced),
            copied: self.copied.saturating_sub(before.copied),
            decompressed: self.decompressed.saturating_sub(before.decompressed),
            unneeded: self.unneeded.saturating_sub(before.unneeded),
        }
    }

    /// Adds the charges of the next rows of the same columns. Both values count all buffers that were decompressed so
    /// far, so the sum has `decompressed` and `unneeded` of `next`.
    pub(crate) fn and_rows(self, next: Charges) -> Charges {
        Charges {
            referenced: self.referenced.saturating_add(next.referenced),
            copied: self.copied.saturating_add(next.copied),
            ..next
        }
    }
}
