//! The values of dictionaries that have been cast, for arrays that share them.

use std::{collections::HashMap, sync::Mutex};

use arrow_data::{ArrayData, GrowingArray};
use arrow_schema::DataType;

/// The last dictionary that was cast at each place of a type.
#[derive(Debug, Default)]
pub(super) struct KnownDictionaries(pub(super) Mutex<HashMap<u64, Known>>);

/// A dictionary before and after a cast.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) old: ArrayData,
    pub(super) new: ArrayData,
    /// The cast dictionary, once it has grown.
    pub(super) growing: Option<GrowingArray>,
}

impl Known {
    pub(super) fn is_continued_by(&self, values: &ArrayData, to: &DataType) -> bool {
        self.new.data_type() == to
            && self.old.data_type() == values.data_type()
            && values.continues_memory(&self.old)
    }
}
