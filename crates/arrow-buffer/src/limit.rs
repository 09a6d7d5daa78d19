//! A limit on work: bytes, copies, values or rows that an input may cost.

use std::{error::Error, fmt};

/// How much of something may be used, and how much is used. It is charged before the work is done or the memory is
/// allocated, so an input cannot cost more than the limit. A [`MemoryBudget`](crate::MemoryBudget) counts memory until it is
/// freed; a `Budget` counts what one thread spends.
///
/// ```
/// use arrow_buffer::Budget;
///
/// let mut budget = Budget::new(100);
/// budget.spend("bytes of names", 60)?;
/// let error = budget.spend("bytes of names", 60).unwrap_err();
/// assert_eq!(error.to_string(), "120 bytes of names exceed the limit of 100");
/// assert_eq!(budget.n_left(), 40);
/// # Ok::<(), arrow_buffer::LimitExceeded>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    limit: u64,
    n_spent: u64,
}

/// More was requested than a [`Budget`] allows. Nothing was charged.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// What is limited, such as `bytes of metadata`.
    pub what: &'static str,
    /// What was spent and what was requested, together.
    pub requested: u64,
    /// What may be spent.
    pub limit: u64,
}

impl Budget {
    /// A budget of which nothing is spent.
    pub const fn new(limit: u64) -> Budget {
        Budget { limit, n_spent: 0 }
    }

    /// The same limit, of which `n` are spent.
    #[must_use]
    pub const fn with_spent(self, n: u64) -> Budget {
        Budget { n_spent: n, ..self }
    }

    /// The same budget with a limit of at most `n`.
    #[must_use]
    pub const fn with_limit_at_most(self, n: u64) -> Budget {
        Budget { limit: if n < self.limit { n } else { self.limit }, ..self }
    }

    /// Raises the limit.
    pub const fn add(&mut self, n: u64) {
        self.limit = self.limit.saturating_add(n);
    }

    /// Takes back a charge.
    pub const fn refund(&mut self, n: u64) {
        self.n_spent = self.n_spent.saturating_sub(n);
    }

    /// What may be spent in total.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// What is spent.
    #[inline]
    pub const fn n_spent(&self) -> u64 {
        self.n_spent
    }

    /// What may still be spent.
    #[inline]
    pub const fn n_left(&self) -> u64 {
        self.limit.saturating_sub(self.n_spent)
    }

    /// Charges `n`. `what` is its name in errors, in the plural.
    ///
    /// # Errors
    /// If less than `n` is left. Then nothing is charged.
    #[inline]
    pub const fn spend(&mut self, what: &'static str, n: u64) -> Result<(), LimitExceeded> {
        let requested = self.n_spent.saturating_add(n);
        if requested > self.limit {
            return Err(LimitExceeded { what, requested, limit: self.limit });
        }
        self.n_spent = requested;
        Ok(())
    }
}

arrow_error::debug_as_display!(LimitExceeded);

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LimitExceeded { what, requested, limit } = self;
        write!(f, "{requested} {what} exceed the limit of {limit}")
    }
}

impl Error for LimitExceeded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_charged_beyond_the_limit() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.spend("rows", 10), Ok(()));
        assert_eq!(budget.spend("rows", 0), Ok(()));
        let error = LimitExceeded { what: "rows", requested: u64::MAX, limit: 10 };
        assert_eq!(budget.spend("rows", u64::MAX), Err(error));
        assert_eq!((budget.n_spent(), budget.n_left()), (10, 0));
        budget.add(5);
        budget.refund(3);
        assert_eq!((budget.n_spent(), budget.n_left(), budget.limit()), (7, 8, 15));
        budget.refund(100);
        assert_eq!(budget.n_spent(), 0);
        let spent = budget.with_spent(20);
        assert_eq!(spent.n_left(), 0);
        assert!({ spent }.spend("rows", 0).is_err(), "it is over its limit");
        assert_eq!(budget.with_limit_at_most(3).limit(), 3);
        assert_eq!(budget.with_limit_at_most(30).limit(), 15);
    }
}
