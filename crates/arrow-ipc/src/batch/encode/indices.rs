//! Indices of dictionary-encoded arrays. Where the values are in other places of the dictionary that the reader has, they
//! are rebuilt.

use arrow_buffer::Native;
use arrow_data::{ArrayData, Content, DataErrorKind, Role, Swap};

use super::{Sink, Walk, words::write};
use crate::{
    columns::Column,
    dictionary::Mapping,
    error::{Context, Result},
};

impl<S: Sink> Walk<'_, S> {
    pub(super) fn indices(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let known = column.dictionary.zip(array.dictionary());
        let maps = self.rules.maps;
        let mapping = known.and_then(|(dictionary, values)| maps.get(dictionary, values));
        // Written as they are, indices would mean other values: whoever looked at the arrays has seen these ones.
        debug_assert!(mapping.is_some() || maps.is_empty() || array.null_count() == array.len());
        let Some(table) = mapping.and_then(Mapping::table) else { return self.plain(column, array) };
        let spec = column.layout.data_buffers().first();
        match spec.map_or(Swap::Word8, |spec| spec.swap) {
            Swap::Word1 => self.mapped::<u8>(column, array, table),
            Swap::Word2 => self.mapped::<u16>(column, array, table),
            Swap::Word4 => self.mapped::<u32>(column, array, table),
            Swap::Word8
            // No indices.
            | Swap::None
            | Swap::Word16
            | Swap::Word32
            | Swap::DayTime
            | Swap::MonthDayNano
            | Swap::View => self.mapped::<u64>(column, array, table),
        }
    }

    /// Indices of valid slots have no sign, whatever their type. Those of null slots become 0; so do those of slots below
    /// nulls if they select nothing.
    fn mapped<T>(&mut self, column: &Column, array: &ArrayData, table: &[u64]) -> Result<()>
    where
        T: Native + Default + TryFrom<u64>,
        u64: TryFrom<T>,
    {
        let buffer_idx = self.sink.n_buffers();
        let indices =
            array.buffer(0).view::<T>().map_err(|error| DataErrorKind::Misaligned { needed: error.needed });
        let indices = indices.map_err(arrow_data::DataError::from)?;
        let indices = indices.get(..array.len()).unwrap_or(indices);
        let validity = array.validity().filter(|_| array.null_count() > 0);
        let place_of = |slot: usize, index: T| {
            let is_valid = validity.is_none_or(|validity| validity.get(slot) == Some(true));
            let index = u64::try_from(index).ok().and_then(|index| usize::try_from(index).ok());
            index.filter(|_| is_valid).and_then(|index| table.get(index)).copied().unwrap_or(0)
        };
        let places = || indices.iter().enumerate().map(|(slot, index)| place_of(slot, *index));
        let is_signed = column.layout.content() == Content::Indices { signed: true };
        let n_reachable = 1_u128 << (8 * size_of::<T>() - usize::from(is_signed));
        if let Some(place) = places().max().filter(|place| u128::from(*place) >= n_reachable) {
            let index_type = column.data_type.as_dictionary().map(|dictionary| dictionary.index_type());
            let index_type = index_type.unwrap_or_else(|| column.data_type.clone());
            let kind = DataErrorKind::IndexOverflow { index_type, n_values: place.saturating_add(1) };
            return Err(arrow_data::DataError::from(kind)).in_buffer(buffer_idx, Some(Role::Values));
        }
        let swap = column.layout.data_buffers().first().map_or(Swap::None, |spec| spec.swap);
        self.sink.rebuild(swap, size_of_val(indices), |to| {
            // Each was compared with the largest that fits.
            write(to, places().map(|place| T::try_from(place).unwrap_or_default()));
            Ok(())
        })
    }
}
