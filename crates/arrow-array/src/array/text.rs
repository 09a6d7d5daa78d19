//! Arrays of utf8 values with offsets.

use arrow_buffer::{Text, TextSlots, Values};
use arrow_data::{ArrayData, DataError, DataErrorKind};

use super::{
    Width,
    access::{Access, Texts},
    methods::array_methods,
    proven::{offsets, proven_as},
    sealed::Slots,
};
use crate::{error::ArrayError, kind::Kind};

/// Utf8 values, with offsets of type `O`.
///
/// The bytes are checked as UTF-8 when the array is made, and not again at each access.
///
/// ```
/// use arrow_array::Utf8Array;
///
/// let names = Utf8Array::try_from_iter([Some("ada"), None, Some("grace")])?;
/// assert_eq!(names.iter().collect::<Vec<_>>(), [Some("ada"), None, Some("grace")]);
/// assert_eq!(names.value(1), "");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Variable-size Binary Layout" of the specification.
#[derive(Clone)]
pub struct GenericUtf8Array<O: Width> {
    data: ArrayData,
    texts: TextStorage<O>,
}

#[derive(Clone)]
enum TextStorage<O: Width> {
    /// Every slot, null slots included, has been checked as UTF-8.
    Proven(TextSlots<O>),
    /// The offsets of null slots may lie inside characters.
    Loose { offsets: Values<O>, text: Text },
}

/// Utf8 values with offsets of 32 bits.
pub type Utf8Array = GenericUtf8Array<i32>;
/// Utf8 values with offsets of 64 bits.
pub type LargeUtf8Array = GenericUtf8Array<i64>;

impl<O: Width> GenericUtf8Array<O> {
    /// The offsets of the slots in [`text`](GenericUtf8Array::text): one more than there are slots, or no offset if there
    /// are no slots. The first offset need not be 0.
    pub fn offsets(&self) -> &[O] {
        match &self.texts {
            TextStorage::Proven(slots) => slots.offsets(),
            TextStorage::Loose { offsets, .. } => offsets,
        }
    }

    /// The text to which the offsets refer.
    pub fn text(&self) -> &Text {
        match &self.texts {
            TextStorage::Proven(slots) => slots.text(),
            TextStorage::Loose { text, .. } => text,
        }
    }
}

impl<O: Width> Slots for GenericUtf8Array<O> {
    type Item<'a> = &'a str;
    type Access<'a> = Texts<'a, O>;

    fn make(data: ArrayData) -> Result<GenericUtf8Array<O>, ArrayError> {
        let expected = if size_of::<O>() == 4 { Kind::Utf8 } else { Kind::LargeUtf8 };
        let data = proven_as(data, expected, O::UTF8)?;
        let texts = match O::text_slots(&data) {
            Some(slots) => TextStorage::Proven(slots.clone()),
            None => TextStorage::Loose { offsets: offsets(&data)?, text: loose_text(&data)? },
        };
        Ok(GenericUtf8Array { texts, data })
    }

    #[inline]
    fn access(&self) -> Texts<'_, O> {
        match &self.texts {
            TextStorage::Proven(slots) => Texts::Proven(slots.borrowed()),
            TextStorage::Loose { offsets, text } => Texts::Loose { offsets, text },
        }
    }

    #[inline]
    fn at(&self, slot: usize) -> &str {
        self.access().at(slot)
    }

    fn zero_value(&self) -> &str {
        ""
    }
}

fn loose_text(data: &ArrayData) -> Result<Text, DataError> {
    match data.text() {
        Some(text) => Ok(text.clone()),
        // Validation stores the checked text in the array. If it is not there, the text is checked again.
        None => Text::try_new(data.buffer(1).clone())
            .map_err(|error| DataErrorKind::NotUtf8 { valid_up_to: error.valid_up_to as u64 }.into()),
    }
}

array_methods!([O: Width] GenericUtf8Array<O>, &str);
