//! The size of the values of fixed-size types.

use std::fmt;

use crate::TypeError;

/// The number of bytes of a fixed-size binary, or of items of a fixed-size list: 0 to `i32::MAX`.
///
/// ```
/// use arrow_schema::FixedSize;
///
/// assert_eq!(FixedSize::from(16).get(), 16);
/// assert_eq!(FixedSize::new(u32::MAX), None);
/// assert!(FixedSize::try_from(-1).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixedSize(i32);

impl FixedSize {
    /// The largest size that the format can state.
    pub const MAX: Self = Self(i32::MAX);

    /// The size of `n`; `None` if `n` is above `i32::MAX`.
    pub const fn new(n: u32) -> Option<Self> {
        if n <= i32::MAX.unsigned_abs() { Some(Self(n.cast_signed())) } else { None }
    }

    /// The size as an unsigned number.
    pub const fn get(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// The size as the signed number that the format stores; never negative.
    pub const fn as_i32(self) -> i32 {
        self.0
    }

    /// The size as a length in memory.
    pub const fn as_usize(self) -> usize {
        self.0.unsigned_abs() as usize
    }
}

impl From<u16> for FixedSize {
    fn from(n: u16) -> Self {
        Self(i32::from(n))
    }
}

impl TryFrom<i32> for FixedSize {
    type Error = TypeError;

    fn try_from(n: i32) -> Result<Self, TypeError> {
        if n >= 0 { Ok(Self(n)) } else { Err(TypeError::SizeOutOfRange { found: i64::from(n) }) }
    }
}

impl fmt::Debug for FixedSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FixedSize({})", self.0)
    }
}

impl fmt::Display for FixedSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
