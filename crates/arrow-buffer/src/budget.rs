//! Memory budgets. A buffer is charged to its budget until its memory is freed.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_error::ErrorClass;

/// A limit on bytes of memory, together with the number of bytes in use.
///
/// Clones share one account, also across threads, and compare as equal. The capacity of memory is charged before the
/// memory is allocated. The charge ends when the last [`Buffer`](crate::Buffer) of the memory is dropped. If the budget
/// refuses, nothing is charged, and the error has the numbers of requested and of used bytes.
///
/// ```
/// use arrow_buffer::{BudgetError, BufferMut, MemoryBudget};
///
/// let budget = MemoryBudget::new(1 << 20);
/// let mut bytes = BufferMut::try_with_capacity_in(1000, Some(&budget))?;
/// bytes.extend_from_slice(b"column");
/// let buffer = bytes.freeze().slice(0..3);
/// assert!(budget.n_bytes_allocated() >= 1000);
///
/// let error = BufferMut::try_with_capacity_in(1 << 20, Some(&budget)).unwrap_err();
/// assert!(matches!(error, BudgetError::Refused { requested: 1_048_576, limit: 1_048_576, .. }));
/// drop(buffer);
/// assert_eq!(budget.n_bytes_allocated(), 0);
/// assert!(budget.n_bytes_peak() >= 1000);
/// # Ok::<(), BudgetError>(())
/// ```
#[derive(Clone)]
pub struct MemoryBudget(Arc<MemoryAccount>);

struct MemoryAccount {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
}

/// A number of bytes that are charged to a [`MemoryBudget`]. The bytes no longer count after the charge is dropped.
#[derive(Debug)]
pub struct Charge {
    budget: MemoryBudget,
    n_bytes: u64,
}

/// The reason why a budget or the system refused memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BudgetError {
    /// The budget refuses. Nothing has been charged.
    Refused {
        /// The number of bytes that were requested.
        requested: u64,
        /// The number of bytes that were charged when the budget refused.
        used: u64,
        /// The number of bytes that may be charged.
        limit: u64,
    },
    /// The system cannot provide the memory.
    OutOfMemory {
        /// The number of bytes that were requested.
        requested: u64,
    },
}

impl BudgetError {
    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        match self {
            BudgetError::Refused { .. } => ErrorClass::LimitExceeded,
            BudgetError::OutOfMemory { .. } => ErrorClass::OutOfMemory,
        }
    }
}

impl MemoryBudget {
    /// Makes a budget of `limit_bytes` bytes. Nothing is charged to it yet.
    pub fn new(limit_bytes: u64) -> MemoryBudget {
        let account = MemoryAccount { limit: limit_bytes, used: AtomicU64::new(0), peak: AtomicU64::new(0) };
        MemoryBudget(Arc::new(account))
    }

    /// Makes a budget that never refuses, and only counts.
    pub fn unlimited() -> MemoryBudget {
        MemoryBudget::new(u64::MAX)
    }

    /// The default memory limit for an input of `n_bytes` bytes: 1,024 times as much, or 256 MiB if that is more.
    /// Without a limit, a few compressed bytes could decompress to gigabytes. The factor allows valid columns of equal
    /// values, which compress to about a thousandth of their size.
    pub const fn default_limit(n_bytes: u64) -> u64 {
        const LEAST: u64 = 256 << 20;
        let limit = n_bytes.saturating_mul(1024);
        if limit > LEAST { limit } else { LEAST }
    }

    /// The maximum number of bytes that may be charged at the same time.
    pub fn limit(&self) -> u64 {
        self.0.limit
    }

    /// The number of bytes that are charged now.
    pub fn n_bytes_allocated(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// The largest number of bytes that were charged at the same time.
    pub fn n_bytes_peak(&self) -> u64 {
        self.0.peak.load(Ordering::Relaxed)
    }

    /// Charges bytes until the returned charge is dropped. Use it for memory that this crate did not allocate;
    /// [`Buffer::with_charge`](crate::Buffer::with_charge) attaches the charge to a buffer.
    ///
    /// # Errors
    ///
    /// If fewer than `n_bytes` bytes are left in the budget. After an error, nothing is charged.
    pub fn try_charge(&self, n_bytes: u64) -> Result<Charge, BudgetError> {
        let add = |used: u64| used.checked_add(n_bytes).filter(|sum| *sum <= self.0.limit || n_bytes == 0);
        match self.0.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(before) => Ok(self.charged(before, n_bytes)),
            Err(used) => Err(BudgetError::Refused { requested: n_bytes, used, limit: self.0.limit }),
        }
    }

    /// Charges bytes even beyond the limit. Use it for memory that is allocated in any case.
    pub(crate) fn charge_anyway(&self, n_bytes: u64) -> Charge {
        let mut charged = 0;
        let add = |used: u64| {
            charged = n_bytes.min(u64::MAX - used);
            Some(used + charged)
        };
        // Never fails: the sum of two counts always fits.
        let (Ok(before) | Err(before)) = self.0.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        self.charged(before, charged)
    }

    fn charged(&self, before: u64, n_bytes: u64) -> Charge {
        self.0.peak.fetch_max(before.saturating_add(n_bytes), Ordering::Relaxed);
        Charge { budget: self.clone(), n_bytes }
    }
}

impl Charge {
    /// The number of bytes that are charged.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The budget to which the bytes are charged.
    pub fn budget(&self) -> &MemoryBudget {
        &self.budget
    }

    /// Takes over the bytes of another charge to the same budget.
    pub(crate) fn merge(&mut self, mut other: Charge) {
        debug_assert!(self.budget == other.budget, "charges to different budgets");
        self.n_bytes = self.n_bytes.saturating_add(std::mem::take(&mut other.n_bytes));
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.0.used.fetch_sub(self.n_bytes, Ordering::Relaxed);
    }
}

impl PartialEq for MemoryBudget {
    /// Whether both are clones of the same budget.
    fn eq(&self, other: &MemoryBudget) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MemoryBudget {}

arrow_error::debug_as_display!(BudgetError);

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BudgetError::Refused { requested, used, limit } => {
                write!(f, "{requested} bytes exceed the memory budget: {used} of {limit} bytes are used")
            }
            BudgetError::OutOfMemory { requested } => {
                write!(f, "the system cannot provide {requested} bytes of memory")
            }
        }
    }
}

impl std::error::Error for BudgetError {}

impl fmt::Debug for MemoryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBudget")
            .field("limit", &self.limit())
            .field("n_bytes_allocated", &self.n_bytes_allocated())
            .field("n_bytes_peak", &self.n_bytes_peak())
            .finish()
    }
}
