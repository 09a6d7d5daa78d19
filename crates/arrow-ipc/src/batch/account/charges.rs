//! What parts of one message have charged, for files, which read messages in parts.

use super::Account;
use crate::error::Result;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Charges {
    referenced: u64,
    copied: u64,
    decompressed: u64,
    unneeded: u64,
}

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

impl Account {
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
    pub(crate) fn charge(&mut self, charges: Charges) -> Result<()> {
        self.referenced.spend("bytes of buffers", charges.referenced)?;
        self.decompress(charges.decompressed)?;
        self.charge_unneeded(charges.unneeded)?;
        Ok(self.copied.spend("bytes of copied buffers", charges.copied)?)
    }
}
