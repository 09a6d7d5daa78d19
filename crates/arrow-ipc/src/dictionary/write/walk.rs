//! Finds the dictionaries of a schema in the order of writing, and the dictionary-encoded arrays of a batch.

use std::sync::Arc;

use arrow_data::{ArrayData, DataError, DataErrorKind};

use crate::error::{Context, IpcError, Result};
use arrow_ipc_format::columns::{Columns, DictionaryIdx, SchemaColumns};

#[derive(Debug)]
pub(crate) struct WriteOrder {
    /// The indices of the top-level columns that contain a dictionary.
    roots: Vec<usize>,
    /// All dictionaries, inner dictionaries first.
    pub(crate) inner_first: Vec<DictionaryIdx>,
    /// For each dictionary, the dictionaries to which its values directly refer.
    pub(crate) inside: Vec<Vec<DictionaryIdx>>,
}

impl WriteOrder {
    /// The top-level columns that contain dictionaries, each with its array.
    ///
    /// # Errors
    /// An internal error if an array is missing, which the comparison of the schemas excludes.
    pub(super) fn pairs<'a>(
        &self,
        columns: &SchemaColumns,
        arrays: &'a [ArrayData],
    ) -> impl Iterator<Item = Result<(usize, &'a ArrayData)>> {
        self.roots.iter().map(move |root_idx| {
            let found = columns.batch.roots().get(*root_idx).copied().zip(arrays.get(*root_idx));
            found.ok_or_else(|| IpcError::internal("a column with a dictionary has no array"))
        })
    }

    pub(crate) fn new(columns: &SchemaColumns) -> WriteOrder {
        let roots = columns.batch.roots().iter().enumerate();
        let with_dictionary =
            roots.filter(|(_, root)| columns.batch.dictionaries_below(&[**root]).next().is_some());
        let dictionaries = (0..columns.dictionaries.len()).map(DictionaryIdx);
        WriteOrder {
            roots: with_dictionary.map(|(root_idx, _)| root_idx).collect(),
            inner_first: columns.inner_first(),
            inside: dictionaries.map(|idx| columns.dictionaries_inside(idx).collect()).collect(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct EncodedArray<'a> {
    pub(super) dictionary: DictionaryIdx,
    /// The position of the column with the indices.
    pub(super) position: usize,
    pub(super) indices: &'a ArrayData,
    pub(super) values: &'a Arc<ArrayData>,
}

impl EncodedArray<'_> {
    /// Whether no index is valid, so that no value is needed.
    pub(super) fn is_idle(&self) -> bool {
        self.indices.null_count() == self.indices.len()
    }
}

/// Calls `see` for each dictionary-encoded array of a column, except arrays inside dictionaries. Adds the path of the
/// field to errors of `see`.
pub(super) fn for_each_encoded<'a>(
    columns: &Columns,
    position: usize,
    array: &'a ArrayData,
    see: &mut impl FnMut(EncodedArray<'a>) -> Result<()>,
) -> Result<()> {
    let dictionary = columns.at(position).dictionary;
    // Below an empty array, no slot is written, even if its children have slots.
    if array.is_empty() && dictionary.is_none() {
        return Ok(());
    }
    if let Some(dictionary) = dictionary {
        let values = array.dictionary().ok_or(DataError::from(DataErrorKind::MissingDictionary))?;
        let encoded = EncodedArray { dictionary, position, indices: array, values };
        see(encoded).in_field(|| columns.path(position))?;
    }
    let mut children = columns.children(position).zip(array.children());
    children.try_for_each(|(position, child)| for_each_encoded(columns, position, child, see))
}
