//! Selects slots of dictionary-encoded arrays. The result has the dictionary that all arrays share, or a merged dictionary.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use arrow_buffer::{Buffer, NativeType};
use arrow_data::{
    ArrayData, ArrayParts, Comparer, DataError,
    positions::{DictionaryIndices, inside},
};
use arrow_schema::{DataType, IndexType};

use super::{
    fixed,
    plan::{Picks, PicksBuilder},
    sources::Sources,
};
use crate::{
    error::{SelectError, SelectErrorKind},
    value_bytes::{Insertion, ValueReader, ValueTable},
};

/// Sets indices and dictionary if the indices can stay the same. Otherwise returns the dictionaries to merge.
#[inline(never)]
pub(super) fn fill<'a>(
    sources: &Sources<'a>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<Option<Box<Merge<'a>>>, SelectError> {
    let dictionaries = sources.iter().map(|source| inside(source.dictionary()));
    let dictionaries = dictionaries.collect::<Result<Vec<&Arc<ArrayData>>, DataError>>()?;
    // Arrays that are all null refer to no value, so their dictionaries are ignored: as the common dictionary, one would add
    // values that no index needs.
    // Nulls of a single array are not counted: few slots may be taken from many.
    let is_joined = sources.len() > 1;
    let is_null = sources.iter().map(|source| is_joined && source.null_count() == source.len());
    let is_null: Vec<bool> = is_null.collect();
    let referred = dictionaries
        .iter()
        .zip(&is_null)
        .filter_map(|(dictionary, is_null)| (!is_null).then_some(*dictionary));
    let mut referred: Vec<&Arc<ArrayData>> = referred.collect();
    if referred.is_empty() {
        referred.extend(dictionaries.first());
    }
    if let Some(common) = common(&referred)? {
        parts.dictionary = Some(Arc::clone(common));
        parts.buffers[0] = fixed::elements_or_zeros(sources, 0, picks, &is_null)?;
        return Ok(None);
    }
    if parts.data_type.as_dictionary().is_some_and(|dictionary| dictionary.is_ordered()) {
        return Err(SelectErrorKind::OrderedDictionaries.into());
    }
    Merge::plan(sources, &dictionaries, picks, Some(ValueTable::default())).map(|merge| Some(Box::new(merge)))
}

/// A dictionary in which the indices of all arrays select the same values as before: the longest one, if it begins with
/// all others.
fn common<'a>(dictionaries: &[&'a Arc<ArrayData>]) -> Result<Option<&'a Arc<ArrayData>>, SelectError> {
    let Some(longest) = dictionaries.iter().max_by_key(|dictionary| dictionary.len()) else {
        return Ok(None);
    };
    for dictionary in dictionaries {
        if Arc::ptr_eq(dictionary, longest) {
            continue;
        }
        if !dictionary.same_memory(longest)
            && Comparer::try_new(dictionary, longest)?.first_mismatch(0..dictionary.len(), 0)?.is_some()
        {
            return Ok(None);
        }
    }
    Ok(Some(*longest))
}

/// Merges several dictionaries into one dictionary with the values that indices refer to.
pub(super) struct Merge<'a> {
    /// The dictionaries, without duplicates.
    dictionaries: Vec<&'a ArrayData>,
    /// For each source: its indices, the position of its dictionary in the list, and the source itself.
    sources: Vec<DictionarySource<'a>>,
    /// For each dictionary, the positions of its values in the merged dictionary.
    value_numbers: Vec<ValueNumbers>,
    /// The values of the new dictionary.
    picks: Picks,
}

struct DictionarySource<'a> {
    array: &'a ArrayData,
    indices: DictionaryIndices,
    dictionary: usize,
}

impl<'a> Merge<'a> {
    /// Numbers the values that indices refer to. If there is a table, equal values get the same number.
    pub(super) fn plan(
        sources: &Sources<'a>,
        dictionaries: &[&'a Arc<ArrayData>],
        picks: &Picks,
        mut known: Option<ValueTable>,
    ) -> Result<Merge<'a>, SelectError> {
        let mut merge = Merge {
            dictionaries: Vec::new(),
            sources: Vec::new(),
            value_numbers: Vec::new(),
            picks: Picks::none(),
        };
        let mut positions: HashMap<*const ArrayData, usize> = HashMap::new();
        for (array, dictionary) in sources.iter().zip(dictionaries) {
            let position = *positions.entry(Arc::as_ptr(dictionary)).or_insert(merge.dictionaries.len());
            if position == merge.dictionaries.len() {
                merge.dictionaries.push(dictionary);
            }
            merge.sources.push(DictionarySource {
                array,
                indices: DictionaryIndices::try_new(array)?,
                dictionary: position,
            });
        }
        let mut n_slots = vec![0_usize; merge.dictionaries.len()];
        picks.for_each_in(&merge.sources, |source, piece| {
            let n_slots = inside(n_slots.get_mut(source.dictionary))?;
            *n_slots = n_slots.saturating_add(piece.n_slots);
            Ok(())
        })?;
        let numbers = merge.dictionaries.iter().zip(n_slots);
        merge.value_numbers =
            numbers.map(|(dictionary, n_slots)| ValueNumbers::new(dictionary.len(), n_slots)).collect();
        let Merge { sources, value_numbers, .. } = &mut merge;
        for_each_index(sources, picks, |dictionary, index| {
            index.map_or(Ok(()), |index| inside(value_numbers.get_mut(dictionary))?.set(index, 0))
        })?;
        let mut builder = PicksBuilder::default();
        let dictionaries = merge.dictionaries.iter().zip(&mut merge.value_numbers).enumerate();
        for (position, (dictionary, numbers)) in dictionaries {
            let reader = known.is_some().then(|| ValueReader::try_new(dictionary));
            let mut known = known.as_mut().zip(reader.transpose()?);
            numbers.number(|value| {
                if let Some((known, reader)) = &mut known
                    && let Insertion::Known(number) = known.insert(reader, value)?
                {
                    return Ok(number);
                }
                let number = builder.n_slots();
                builder.push(position, value..value.saturating_add(1))?;
                Ok(number)
            })?;
        }
        merge.picks = builder.finish();
        Ok(merge)
    }

    /// The dictionaries that values are picked from.
    pub(super) fn dictionaries(&self) -> &[&'a ArrayData] {
        &self.dictionaries
    }

    /// The values that indices refer to.
    pub(super) fn picks(&self) -> &Picks {
        &self.picks
    }

    /// Sets the dictionary, and rewrites the indices.
    #[inline(never)]
    pub(super) fn finish(
        &self,
        sources: &Sources<'_>,
        values: ArrayData,
        picks: &Picks,
        parts: &mut ArrayParts,
    ) -> Result<(), SelectError> {
        let index = inside(parts.data_type.as_dictionary())?.index();
        check_reachable(index, values.len())?;
        parts.buffers[0] = match index {
            IndexType::Int8 | IndexType::UInt8 => self.indices(sources, picks, |index| index as u8)?,
            IndexType::Int16 | IndexType::UInt16 => self.indices(sources, picks, |index| index as u16)?,
            IndexType::Int32 | IndexType::UInt32 => self.indices(sources, picks, |index| index as u32)?,
            IndexType::Int64 | IndexType::UInt64 => self.indices(sources, picks, |index| index as u64)?,
        };
        parts.dictionary = Some(Arc::new(values));
        Ok(())
    }

    /// The new indices. Nulls have index 0.
    fn indices<T: NativeType>(
        &self,
        sources: &Sources<'_>,
        picks: &Picks,
        narrow: impl Fn(usize) -> T,
    ) -> Result<Buffer, SelectError> {
        let (mut indices, capacity) = sources.numbers::<T>(picks.n_slots())?;
        for_each_index(&self.sources, picks, |dictionary, index| {
            let index = match index {
                Some(index) => {
                    let number = self.value_numbers.get(dictionary).and_then(|numbers| numbers.get(index));
                    inside(number)?
                }
                None => 0,
            };
            indices.push(narrow(index));
            Ok(())
        })?;
        Ok(capacity.hold(indices))
    }
}

/// Checks that indices of this type can select each of `n_values` values.
pub(crate) fn check_reachable(index: IndexType, n_values: usize) -> Result<(), SelectError> {
    let n_reachable = 1_u128 << (index.n_bits() - u32::from(index.is_signed()));
    if n_values as u128 > n_reachable {
        let index_type = DataType::from(index);
        return Err(SelectErrorKind::IndexOverflow { index_type, n_values: n_values as u64 }.into());
    }
    Ok(())
}

/// Visits the dictionary and the index of each selected slot. A null has no index.
fn for_each_index(
    sources: &[DictionarySource<'_>],
    picks: &Picks,
    mut visit: impl FnMut(usize, Option<usize>) -> Result<(), SelectError>,
) -> Result<(), SelectError> {
    picks.for_each_in(sources, |source, piece| {
        let has_nulls = source.array.null_count() > 0;
        piece.range().try_for_each(|slot| {
            let is_valid = !has_nulls || source.array.is_valid(slot);
            let index = if is_valid { Some(inside(source.indices.get(slot))?) } else { None };
            visit(source.dictionary, index)
        })
    })
}

/// Maps some values of a dictionary to numbers.
pub(crate) enum ValueNumbers {
    /// One number for each value of the dictionary, if there are not many more values than slots.
    Dense(Vec<usize>),
    Sparse(BTreeMap<usize, usize>),
}

const NONE: usize = usize::MAX;

impl ValueNumbers {
    pub(crate) fn new(n_values: usize, n_slots: usize) -> ValueNumbers {
        const PER_SLOT: usize = 4;
        if n_values / PER_SLOT <= n_slots {
            ValueNumbers::Dense(vec![NONE; n_values])
        } else {
            ValueNumbers::Sparse(BTreeMap::new())
        }
    }

    pub(crate) fn set(&mut self, value: usize, number: usize) -> Result<(), SelectError> {
        match self {
            ValueNumbers::Dense(numbers) => *inside(numbers.get_mut(value))? = number,
            ValueNumbers::Sparse(numbers) => {
                numbers.insert(value, number);
            }
        }
        Ok(())
    }

    pub(crate) fn get(&self, value: usize) -> Option<usize> {
        match self {
            ValueNumbers::Dense(numbers) => numbers.get(value).copied().filter(|number| *number != NONE),
            ValueNumbers::Sparse(numbers) => numbers.get(&value).copied(),
        }
    }

    /// For each value that has a number, replaces the number by the result of `number_of` for the value. Visits the
    /// values in the order of the dictionary.
    pub(crate) fn number(
        &mut self,
        mut number_of: impl FnMut(usize) -> Result<usize, SelectError>,
    ) -> Result<(), SelectError> {
        match self {
            ValueNumbers::Dense(numbers) => {
                let set = numbers.iter_mut().enumerate().filter(|(_, number)| **number != NONE);
                for (value, number) in set {
                    *number = number_of(value)?;
                }
            }
            ValueNumbers::Sparse(numbers) => {
                for (value, number) in numbers {
                    *number = number_of(*value)?;
                }
            }
        }
        Ok(())
    }
}
