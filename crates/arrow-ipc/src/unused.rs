//! What is left out of arrays before they are written, because no valid slot refers to it.

use arrow_data::{ArrayData, Validation};
use arrow_select::{Select, Unused};

use crate::error::Result;

/// What a writer does with items and dictionary values that no valid slot refers to, before it encodes a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnusedData {
    items: Unused,
    values: Unused,
}

impl UnusedData {
    pub(crate) const KEPT: UnusedData = UnusedData { items: Unused::Kept, values: Unused::Kept };

    pub(crate) fn new(items: Unused, values: Unused) -> UnusedData {
        // `Bounded` needs no work before a batch is encoded, since the walk over the arrays bounds unused items.
        let items = match items {
            Unused::Kept | Unused::Bounded => Unused::Kept,
            Unused::LeftOut => Unused::LeftOut,
        };
        UnusedData { items, values }
    }

    /// Whether nothing is left out.
    pub(crate) fn is_kept(self) -> bool {
        (self.items, self.values) == (Unused::Kept, Unused::Kept)
    }

    /// The array without what is left out.
    ///
    /// # Errors
    /// If the content of the array is invalid. Content that has been checked is not checked again.
    pub(crate) fn left_out_of(self, array: &ArrayData) -> Result<ArrayData> {
        // Items are removed first, since only the removed items may use some of the values.
        let used = array.clone().validate(Validation::Content)?.with_used_items(self.items)?;
        Ok(used.with_used_values(self.values)?)
    }
}
