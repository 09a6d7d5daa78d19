//! Writes the indices of dictionary-encoded arrays. They are rebuilt if the values have other positions in the dictionary
//! of the reader.

use arrow_buffer::Native;
use arrow_data::{ArrayData, DataErrorKind, Role};
use arrow_schema::{DataType, IndexType};

use super::{ArrayWalk, Sink, words::try_write};
use crate::{
    columns::Column,
    dictionary::Mapping,
    error::{Context, IpcError, Result},
};

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn indices(&mut self, column: &Column, array: &ArrayData, index: IndexType) -> Result<()> {
        let known = column.dictionary.zip(array.dictionary());
        let maps = self.rules.maps;
        let mapping = known.and_then(|(dictionary, values)| maps.get(dictionary, values));
        // Unchanged indices would select other values, so this fails if a dictionary has not been looked at.
        if mapping.is_none() && !maps.is_empty() && array.null_count() < array.len() {
            return Err(IpcError::internal("a dictionary was not looked at before its indices are written"));
        }
        let Some(table) = mapping.and_then(Mapping::table) else { return self.plain(column, array) };
        self.check_positions(column.layout.data_buffers(), array)?;
        match index {
            IndexType::Int8 | IndexType::UInt8 => self.mapped::<u8>(array, index, table),
            IndexType::Int16 | IndexType::UInt16 => self.mapped::<u16>(array, index, table),
            IndexType::Int32 | IndexType::UInt32 => self.mapped::<u32>(array, index, table),
            IndexType::Int64 | IndexType::UInt64 => self.mapped::<u64>(array, index, table),
        }
    }

    /// Indices of valid slots are not negative, whatever their type. Indices of null slots become 0.
    fn mapped<T>(&mut self, array: &ArrayData, index: IndexType, table: &[u64]) -> Result<()>
    where
        T: Native + TryFrom<u64>,
        u64: TryFrom<T>,
    {
        let buffer_idx = self.sink.n_buffers();
        let indices =
            array.buffer(0).view::<T>().map_err(|error| DataErrorKind::Misaligned { needed: error.needed });
        let indices = indices.map_err(arrow_data::DataError::from)?;
        let indices = indices.get(..array.len()).ok_or_else(|| IpcError::internal("a slot has no index"))?;
        let validity = array.validity().filter(|_| array.null_count() > 0);
        let place_of = |slot: usize, index: T| {
            let is_valid = validity.is_none_or(|validity| validity.get(slot) == Some(true));
            if !is_valid {
                return Some(0);
            }
            table.get(usize::try_from(u64::try_from(index).ok()?).ok()?).copied()
        };
        let places = || indices.iter().enumerate().map(|(slot, index)| place_of(slot, *index));
        let n_reachable = 1_u128 << (index.n_bits() - u32::from(index.is_signed()));
        let last = places().try_fold(0, |last, place| place.map(|place| place.max(last)));
        let last = last.ok_or_else(|| IpcError::internal("a checked index selects no value"))?;
        if u128::from(last) >= n_reachable {
            let index_type = DataType::from(index);
            let kind = DataErrorKind::IndexOverflow { index_type, n_values: last.saturating_add(1) };
            return Err(arrow_data::DataError::from(kind)).in_buffer(buffer_idx, Some(Role::Values));
        }
        let spec = array.layout().data_buffers().first().copied();
        let swap = spec.ok_or_else(|| IpcError::internal("indices have no buffer"))?.swap;
        self.sink.rebuild(swap, size_of_val(indices), |to| {
            try_write(
                to,
                places().map(|place| T::try_from(place?).ok()),
                "an index that was found to fit does not",
            )
        })
    }
}
