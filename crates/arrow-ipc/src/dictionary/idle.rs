//! Values that came with arrays without a valid index: of use only where a reader has to be given some, and there are no
//! others.

use std::sync::Arc;

use arrow_data::ArrayData;

use crate::columns::DictionaryColumns;

/// The first such values of one dictionary. Once others have been written, they are of no use.
#[derive(Debug, Clone, Default)]
pub(super) struct Idle {
    first: Option<Arc<ArrayData>>,
    /// The same of the batch that is looked at.
    in_batch: Option<Arc<ArrayData>>,
}

impl Idle {
    /// The batch has these.
    pub(super) fn see(&mut self, values: &Arc<ArrayData>) {
        self.in_batch.get_or_insert_with(|| Arc::clone(values));
    }

    /// The batch counts.
    pub(super) fn commit(&mut self) {
        self.first = self.first.take().or_else(|| self.in_batch.take());
        self.in_batch = None;
    }

    /// The batch does not count.
    pub(super) fn forget(&mut self) {
        self.in_batch = None;
    }

    /// Values for a reader that needs none: those that came along, so that they need not be replaced if others are
    /// never needed. Not if they have dictionaries inside of them, which might be in the way of what is needed there.
    pub(super) fn stand_in(&self, dictionary: &DictionaryColumns) -> Arc<ArrayData> {
        let DictionaryColumns { columns, value_type, .. } = dictionary;
        let is_flat = columns.dictionaries_below(columns.roots()).next().is_none();
        let idle = self.first.as_ref().or(self.in_batch.as_ref());
        match idle.filter(|_| is_flat) {
            Some(values) => Arc::clone(values),
            None => Arc::new(ArrayData::empty(value_type)),
        }
    }
}
