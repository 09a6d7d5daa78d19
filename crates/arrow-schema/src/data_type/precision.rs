//! The number of digits of a decimal type.

use std::fmt;

use crate::TypeError;

/// The number of decimal digits of a decimal type: 1 to `MAX`.
///
/// ```
/// use arrow_schema::Precision;
///
/// assert_eq!(Precision::<38>::new(10).map(Precision::get), Some(10));
/// assert_eq!(Precision::<38>::new(39), None);
/// assert_eq!(Precision::<38>::new(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Precision<const MAX: u8>(u8);

impl<const MAX: u8> Precision<MAX> {
    /// The greatest precision: `MAX` digits.
    pub const MAX: Self = Self(MAX);

    /// The precision of `n_digits`; `None` if `n_digits` is 0 or above `MAX`.
    pub const fn new(n_digits: u8) -> Option<Self> {
        if n_digits >= 1 && n_digits <= MAX { Some(Self(n_digits)) } else { None }
    }

    /// The number of decimal digits, at least 1.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl<const MAX: u8> TryFrom<i32> for Precision<MAX> {
    type Error = TypeError;

    fn try_from(n_digits: i32) -> Result<Self, TypeError> {
        u8::try_from(n_digits)
            .ok()
            .and_then(Self::new)
            .ok_or(TypeError::PrecisionOutOfRange { found: n_digits, max: MAX })
    }
}

impl<const MAX: u8> fmt::Debug for Precision<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Precision({})", self.0)
    }
}

impl<const MAX: u8> fmt::Display for Precision<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
