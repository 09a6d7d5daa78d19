//! Checks fields that are not nullable: no slot is null, or refers to a null in a dictionary, a run or a child of a
//! union.

use std::ops::Range;

use arrow_buffer::Bitmap;

use crate::{
    array::{
        ArrayData,
        positions::{DictionaryIndices, RunEnds, TypeIds, inside},
        validate::live::live_ranges,
    },
    error::{DataError, DataErrorKind as Kind},
    layout::{self, Role},
};

/// Checks that children that are not nullable have no null in a slot of a valid parent. `nulls_of` decides which nulls
/// count: [`Nulls::from_array`] or [`Nulls::own`].
pub(in crate::array::validate) fn check_children(
    array: &ArrayData,
    nulls_of: impl Fn(&ArrayData) -> Result<Nulls<'_>, DataError>,
) -> Result<(), DataError> {
    for (position, (field, child)) in array.data_type().children().iter().zip(array.children()).enumerate() {
        if !field.is_nullable() {
            check(&nulls_of(child)?, || live_ranges(array, position))
                .map_err(|error| error.in_child(array.data_type(), position))?;
        }
    }
    Ok(())
}

/// Checks that none of these slots is null.
pub(in crate::array::validate) fn check<R: Iterator<Item = Result<Range<usize>, DataError>>>(
    nulls: &Nulls<'_>,
    slots: impl FnOnce() -> Result<R, DataError>,
) -> Result<(), DataError> {
    if nulls.is_none() {
        return Ok(());
    }
    for range in slots()? {
        if let Some(slot) = nulls.first_in(range?)? {
            return Err(DataError::from(Kind::NullInRequired).in_role(Role::Validity).at_slot(slot));
        }
    }
    Ok(())
}

/// The nulls of an array: nulls in its bitmap, and possibly nulls that it selects from a dictionary, runs or a union.
/// `None` if there are no nulls.
pub(in crate::array::validate) enum Nulls<'a> {
    None,
    All,
    Bits(&'a Bitmap),
    Dictionary { own: Option<&'a Bitmap>, indices: DictionaryIndices, values: Box<Nulls<'a>> },
    Runs { ends: RunEnds, values: Box<Nulls<'a>> },
    Union { ids: TypeIds, children: Vec<(i8, Nulls<'a>)> },
}

impl<'a> Nulls<'a> {
    /// The nulls in the bitmap of the array itself.
    pub(in crate::array::validate) fn own(array: &'a ArrayData) -> Nulls<'a> {
        array.validity_with_nulls().map_or(Nulls::None, Nulls::Bits)
    }

    /// All nulls of the array, including nulls through dictionaries, runs and unions. The content of the array must be
    /// checked.
    pub(in crate::array::validate) fn from_array(array: &'a ArrayData) -> Result<Nulls<'a>, DataError> {
        if array.is_empty() {
            return Ok(Nulls::None);
        }
        let own = array.validity_with_nulls();
        let plain = Nulls::own(array);
        if let Some(values) = array.dictionary() {
            let values = Nulls::from_array(values)?;
            if values.is_none() {
                return Ok(plain);
            }
            let indices = DictionaryIndices::try_new(array)?;
            let values = Box::new(values);
            return Ok(Nulls::Dictionary { own, indices, values });
        }
        match array.layout().nulls() {
            layout::Nulls::All => Ok(Nulls::All),
            layout::Nulls::Bitmap => Ok(plain),
            layout::Nulls::InChildren if array.data_type().as_union().is_some() => Nulls::for_union(array),
            layout::Nulls::InChildren => {
                let values = Nulls::from_array(inside(array.children().get(1))?)?;
                if values.is_none() {
                    return Ok(Nulls::None);
                }
                Ok(Nulls::Runs { ends: RunEnds::try_new(array)?, values: Box::new(values) })
            }
        }
    }

    #[inline(never)]
    fn for_union(array: &'a ArrayData) -> Result<Nulls<'a>, DataError> {
        let mut children = Vec::new();
        let type_ids = inside(array.data_type().as_union())?.type_ids();
        for (id, child) in type_ids.iter().zip(array.children()) {
            let nulls = Nulls::from_array(child)?;
            if !nulls.is_none() {
                children.push((*id, nulls));
            }
        }
        if children.is_empty() {
            return Ok(Nulls::None);
        }
        Ok(Nulls::Union { ids: TypeIds::try_new(array)?, children })
    }

    fn is_none(&self) -> bool {
        matches!(self, Nulls::None)
    }

    fn is_null(&self, slot: usize) -> Result<bool, DataError> {
        match self {
            Nulls::None => Ok(false),
            Nulls::All => Ok(true),
            Nulls::Bits(validity) => Ok(!inside(validity.get(slot))?),
            Nulls::Dictionary { own, indices, values } => match own {
                Some(validity) if !inside(validity.get(slot))? => Ok(true),
                Some(_) | None => values.is_null(inside(indices.get(slot))?),
            },
            Nulls::Runs { ends, values } => values.is_null(inside(ends.run_of(slot))?),
            Nulls::Union { ids, children } => {
                let (id, at) = inside(ids.get(slot))?;
                // A child without nulls is not in the list.
                let child = children.iter().find(|(child_id, _)| *child_id == id);
                child.map_or(Ok(false), |(_, child)| child.is_null(at))
            }
        }
    }

    /// The first null in a range. A run takes one step, for any number of slots.
    fn first_in(&self, range: Range<usize>) -> Result<Option<usize>, DataError> {
        if range.is_empty() {
            return Ok(None);
        }
        match self {
            Nulls::None => Ok(None),
            Nulls::All => Ok(Some(range.start)),
            Nulls::Runs { ends, values } => {
                let (first, last) = (ends.run_of(range.start), ends.run_of(range.end.saturating_sub(1)));
                let (first, last) = inside(first.zip(last))?;
                match values.first_in(first..last.saturating_add(1))? {
                    // The first slot may lie inside the run, so the result is the start of the range.
                    Some(run) if run == first => Ok(Some(range.start)),
                    Some(run) => inside(ends.end_of(run.saturating_sub(1))).map(Some),
                    None => Ok(None),
                }
            }
            Nulls::Bits(_) | Nulls::Dictionary { .. } | Nulls::Union { .. } => {
                for slot in range {
                    if self.is_null(slot)? {
                        return Ok(Some(slot));
                    }
                }
                Ok(None)
            }
        }
    }
}
