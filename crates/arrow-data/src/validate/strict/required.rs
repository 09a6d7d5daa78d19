//! Fields that are not nullable have a value in each slot: dictionaries, runs and unions are looked through, which say
//! elsewhere than in a bitmap of their own that a slot is null.

use std::ops::Range;

use arrow_buffer::Bitmap;

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{Physical, Role, union_child},
    positions::{Keys, RunEnds, TypeIds},
    validate::live::live_ranges,
};

/// Checks that children which are not nullable have no null in a slot that a valid slot of the parent shows. `nulls_of`
/// says which nulls count: [`Nulls::of`] or [`Nulls::own`].
pub(in crate::validate) fn check_children(
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
pub(in crate::validate) fn check<R: Iterator<Item = Range<usize>>>(
    nulls: &Nulls<'_>,
    slots: impl FnOnce() -> Result<R, DataError>,
) -> Result<(), DataError> {
    if nulls.is_none() {
        return Ok(());
    }
    match slots()?.find_map(|range| nulls.first_in(range)) {
        Some(slot) => Err(DataError::from(Kind::NullInRequired).in_role(Role::Validity).at_slot(slot)),
        None => Ok(()),
    }
}

/// Where the nulls of an array are, whatever says so; `None` where there are none.
pub(in crate::validate) enum Nulls<'a> {
    None,
    All,
    Bits(&'a Bitmap),
    Dictionary { own: Option<&'a Bitmap>, keys: Keys, values: Box<Nulls<'a>> },
    Runs { ends: RunEnds, values: Box<Nulls<'a>> },
    Union { ids: TypeIds, children: Vec<(i8, Nulls<'a>)> },
}

impl<'a> Nulls<'a> {
    /// The nulls that the bitmap of the array itself says.
    pub(in crate::validate) fn own(array: &'a ArrayData) -> Nulls<'a> {
        array.validity().filter(|_| array.null_count() > 0).map_or(Nulls::None, Nulls::Bits)
    }

    /// All nulls. The content of the array has been checked.
    pub(in crate::validate) fn of(array: &'a ArrayData) -> Result<Nulls<'a>, DataError> {
        if array.is_empty() {
            return Ok(Nulls::None);
        }
        let own = array.validity().filter(|_| array.null_count() > 0);
        let plain = Nulls::own(array);
        Ok(match array.layout().physical() {
            Physical::Null => Nulls::All,
            Physical::Dictionary(_) => {
                match array.dictionary().map(|values| Nulls::of(values)).transpose()? {
                    None | Some(Nulls::None) => plain,
                    Some(values) => {
                        Nulls::Dictionary { own, keys: Keys::of(array)?, values: Box::new(values) }
                    }
                }
            }
            Physical::Runs(_) => match array.children().get(1).map(Nulls::of).transpose()? {
                None | Some(Nulls::None) => Nulls::None,
                Some(values) => Nulls::Runs { ends: RunEnds::of(array)?, values: Box::new(values) },
            },
            Physical::Union(_) => Nulls::of_union(array)?,
            Physical::Bits
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::Views
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct => plain,
        })
    }

    #[inline(never)]
    fn of_union(array: &'a ArrayData) -> Result<Nulls<'a>, DataError> {
        let mut children = Vec::new();
        for id in 0..=i8::MAX {
            let child =
                union_child(array.data_type(), id).and_then(|position| array.children().get(position));
            match child.map(Nulls::of).transpose()? {
                None | Some(Nulls::None) => {}
                Some(nulls) => children.push((id, nulls)),
            }
        }
        if children.is_empty() {
            return Ok(Nulls::None);
        }
        Ok(Nulls::Union { ids: TypeIds::of(array)?, children })
    }

    fn is_none(&self) -> bool {
        matches!(self, Nulls::None)
    }

    fn is_null(&self, slot: usize) -> bool {
        match self {
            Nulls::None => false,
            Nulls::All => true,
            Nulls::Bits(validity) => validity.get(slot) != Some(true),
            Nulls::Dictionary { own, keys, values } => {
                own.is_some_and(|validity| validity.get(slot) != Some(true)) || values.is_null(keys.get(slot))
            }
            Nulls::Runs { ends, values } => values.is_null(ends.run_of(slot)),
            Nulls::Union { ids, children } => {
                let (id, at) = ids.get(slot);
                children.iter().any(|(child_id, child)| *child_id == id && child.is_null(at))
            }
        }
    }

    /// The first null in a range; a run is one step, however many slots it has.
    fn first_in(&self, range: Range<usize>) -> Option<usize> {
        if range.is_empty() {
            return None;
        }
        match self {
            Nulls::None => None,
            Nulls::All => Some(range.start),
            Nulls::Runs { ends, values } => {
                let last = ends.run_of(range.end.saturating_sub(1));
                let run = values.first_in(ends.run_of(range.start)..last.saturating_add(1))?;
                let run_start = run.checked_sub(1).map_or(0, |before| ends.end_of(before));
                Some(run_start.max(range.start))
            }
            Nulls::Bits(_) | Nulls::Dictionary { .. } | Nulls::Union { .. } => {
                range.into_iter().find(|slot| self.is_null(*slot))
            }
        }
    }
}
