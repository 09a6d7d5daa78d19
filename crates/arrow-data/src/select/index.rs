//! The numbers that say which slots to take.

mod sealed {
    pub trait Sealed {}
}

/// An integer that selects a slot: `usize`, `u32`, `u64`, `i32` or `i64`. The set is closed.
pub trait SlotIndex: sealed::Sealed + Copy {
    /// The slot; none if it is negative or more than this machine addresses.
    fn to_slot(self) -> Option<usize>;

    /// The number itself, for messages.
    fn to_number(self) -> i128;
}

macro_rules! slot_index {
    ($($number:ty),*) => {$(
        impl sealed::Sealed for $number {}
        impl SlotIndex for $number {
            #[inline]
            fn to_slot(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            fn to_number(self) -> i128 {
                self as i128
            }
        }
    )*};
}

slot_index!(usize, u32, u64, i32, i64);
