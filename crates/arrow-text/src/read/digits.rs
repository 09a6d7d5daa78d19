//! Which columns keep all digits of their numbers.

use std::sync::Arc;

use arrow_array::parse::ExtraDigits;

/// The columns in which a number is an error if inference would choose another type for it.
#[derive(Debug, Clone, Default)]
pub(super) enum DigitsOfColumns {
    #[default]
    None,
    All,
    /// In all columns except those with these indices.
    AllBut(Arc<[usize]>),
}

impl DigitsOfColumns {
    pub(super) fn of(&self, column: usize) -> ExtraDigits {
        match self {
            DigitsOfColumns::None => ExtraDigits::Round,
            DigitsOfColumns::AllBut(others) if others.contains(&column) => ExtraDigits::OfText,
            DigitsOfColumns::All | DigitsOfColumns::AllBut(_) => ExtraDigits::Keep,
        }
    }
}
