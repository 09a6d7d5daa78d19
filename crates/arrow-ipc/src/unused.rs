//! What is left out of arrays before they are written, because no valid slot refers to it.

use arrow_data::{ArrayData, Validation};
use arrow_select::{Select, UnusedValues};

use crate::error::Result;

/// What a writer does with items and dictionary values that no valid slot refers to, before it encodes a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnusedData {
    items: UnusedValues,
    values: UnusedValues,
}

impl UnusedData {
    pub(crate) const KEEP: UnusedData = UnusedData { items: UnusedValues::Keep, values: UnusedValues::Keep };

    pub(crate) fn new(items: UnusedValues, values: UnusedValues) -> UnusedData {
        // `Bounded` needs no work before a batch is encoded, since the walk over the arrays bounds unused items.
        let items = match items {
            UnusedValues::Keep | UnusedValues::Bounded => UnusedValues::Keep,
            UnusedValues::Remove => UnusedValues::Remove,
        };
        UnusedData { items, values }
    }

    /// Whether nothing is left out.
    pub(crate) fn keeps_all(self) -> bool {
        (self.items, self.values) == (UnusedValues::Keep, UnusedValues::Keep)
    }

    /// The array without what is left out.
    ///
    /// # Errors
    /// If the content of the array is invalid. Content that has been checked is not checked again.
    pub(crate) fn remove_from(self, array: &ArrayData) -> Result<ArrayData> {
        // Items are removed first, since only the removed items may use some of the values.
        let used = array.clone().validate(Validation::Content)?.with_used_items(self.items)?;
        Ok(used.with_used_values(self.values)?)
    }
}
