//! The valid slots of a column. Only their values are checked strictly.

use arrow_buffer::Bitmap;

use crate::{
    error::{DocumentErrorKind as Kind, Result},
    json::{Json, Object, read_items},
};

/// The slots of one array.
pub(super) struct Slots {
    n_slots: usize,
    /// `None` if all slots are valid.
    validity: Option<Bitmap>,
}

impl Slots {
    /// Slots that are all valid, without a validity bitmap.
    pub(super) fn all(n_slots: usize) -> Slots {
        Slots { n_slots, validity: None }
    }

    /// The slots that `VALIDITY` marks as valid. A bitmap without nulls is dropped, since documents contain one even if
    /// the array has none.
    pub(super) fn read(object: &Object<'_>, n_slots: usize) -> Result<Slots> {
        let bits = object.read("VALIDITY", |json| {
            let items = json.array()?;
            check_length(n_slots, items.len())?;
            read_items(&items, |_, bit| bit.boolean())
        })?;
        let validity = if bits.contains(&false) { Some(Bitmap::from_iter(bits)) } else { None };
        Ok(Slots { n_slots, validity })
    }

    pub(super) fn len(&self) -> usize {
        self.n_slots
    }

    pub(super) fn is_valid(&self, slot: usize) -> bool {
        self.validity.as_ref().is_none_or(|validity| validity.get(slot) == Some(true))
    }

    pub(super) fn null_count(&self) -> usize {
        self.validity.as_ref().map_or(0, Bitmap::count_unset)
    }

    pub(super) fn into_validity(self) -> Option<Bitmap> {
        self.validity
    }

    /// Reads the value of each slot from a member. The values of null slots are ignored.
    pub(super) fn read_values<'a, T>(
        &self,
        object: &Object<'a>,
        member: &'static str,
        mut read: impl FnMut(Json<'a>) -> Result<T>,
        null: impl Fn() -> T,
    ) -> Result<Vec<T>> {
        object.read(member, |json| {
            let items = json.array()?;
            check_length(self.n_slots, items.len())?;
            read_items(&items, |slot, item| if self.is_valid(slot) { read(item) } else { Ok(null()) })
        })
    }
}

/// Checks the number of elements of an array.
pub(super) fn check_length(expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Kind::Length { expected: expected as u64, found: found as u64 }.into())
}
