//! The dictionary-encoded arrays in a column, wherever they are.

use std::sync::Arc;

use arrow_data::ArrayData;

use crate::{
    columns::{Columns, DictionaryIdx},
    error::{Context, Result},
};

/// A dictionary-encoded array that will be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoded<'a> {
    pub(super) dictionary: DictionaryIdx,
    /// The column of the indices.
    pub(super) position: usize,
    pub(super) indices: &'a ArrayData,
    pub(super) values: &'a Arc<ArrayData>,
}

impl Encoded<'_> {
    /// Whether no index is valid, so that the values are not needed.
    pub(super) fn is_idle(&self) -> bool {
        self.indices.null_count() == self.indices.len()
    }
}

/// Shows each dictionary-encoded array of a column, not those inside of dictionaries. Errors get the path of its field.
pub(super) fn for_each_encoded<'a>(
    columns: &Columns,
    position: usize,
    array: &'a ArrayData,
    see: &mut impl FnMut(Encoded<'a>) -> Result<()>,
) -> Result<()> {
    let dictionary = columns.at(position).dictionary;
    // Nothing below an empty array is written, whatever its children hold.
    if array.is_empty() && dictionary.is_none() {
        return Ok(());
    }
    if let (Some(dictionary), Some(values)) = (dictionary, array.dictionary()) {
        let encoded = Encoded { dictionary, position, indices: array, values };
        see(encoded).in_field(|| columns.path(position))?;
    }
    let mut children = columns.children(position).zip(array.children());
    children.try_for_each(|(position, child)| for_each_encoded(columns, position, child, see))
}
