//! Which columns keep all digits of their numbers.

use std::sync::Arc;

use arrow_array::parse::ExtraDigits;

/// The columns in which a number is an error if inference would choose another type for it.
#[derive(Debug, Clone, Default)]
pub(super) enum DigitsOfColumns {
    #[default]
    None,
    All,
    /// In all columns except those with these indices, which are in ascending order.
    AllBut(Arc<[usize]>),
}

impl DigitsOfColumns {
    pub(super) fn all_but(columns: &[usize]) -> DigitsOfColumns {
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        DigitsOfColumns::AllBut(columns.into())
    }

    pub(super) fn at(&self, column: usize) -> ExtraDigits {
        match self {
            DigitsOfColumns::None => ExtraDigits::Round,
            DigitsOfColumns::AllBut(others) if others.binary_search(&column).is_ok() => ExtraDigits::OfText,
            DigitsOfColumns::All | DigitsOfColumns::AllBut(_) => ExtraDigits::Keep,
        }
    }
}
