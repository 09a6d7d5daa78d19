//! Makes arrays from text that has been checked to be UTF-8.

use arrow_buffer::{Bitmap, TextSlots, TextViews};
use arrow_schema::DataType;

use super::{ArrayData, NullCount, Storage};
use crate::{
    error::{DataError, DataErrorKind},
    layout::Role,
    validation::Validation,
};

/// Checked text of any utf8 type.
#[derive(Debug, Clone)]
pub enum ProvenText {
    /// Text of a `utf8` array.
    Utf8(TextSlots<i32>),
    /// Text of a `large_utf8` array.
    LargeUtf8(TextSlots<i64>),
    /// Text of a `utf8_view` array.
    Utf8View(TextViews),
}

impl ArrayData {
    /// An array of checked text. It is [checked](ArrayData::checked) up to content; the text is not read again.
    ///
    /// ```
    /// use arrow_buffer::{Bitmap, TextSlotsBuilder};
    /// use arrow_data::{ArrayData, Validation};
    ///
    /// let mut texts = TextSlotsBuilder::<i32>::new();
    /// texts.push("ada")?;
    /// texts.push_empty(1);
    /// let array = ArrayData::try_from_text(texts.finish(), Some(Bitmap::from_iter([true, false])))?;
    /// assert_eq!((array.len(), array.null_count(), array.checked()), (2, 1, Validation::Content));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the validity does not have one bit for each slot.
    pub fn try_from_text(
        text: impl Into<ProvenText>,
        validity: Option<Bitmap>,
    ) -> Result<ArrayData, DataError> {
        let (data_type, n_slots, storage) = match text.into() {
            ProvenText::Utf8(slots) => (DataType::Utf8, slots.len(), Storage::Text32(slots)),
            ProvenText::LargeUtf8(slots) => (DataType::LargeUtf8, slots.len(), Storage::Text64(slots)),
            ProvenText::Utf8View(views) => (DataType::Utf8View, views.len(), Storage::TextViews(views)),
        };
        if let Some(found) = validity.as_ref().map(Bitmap::len).filter(|n_bits| *n_bits != n_slots) {
            let (expected, found) = (n_slots as u64, found as u64);
            let kind = DataErrorKind::BitmapLength { expected, found };
            return Err(DataError::from(kind).in_role(Role::Validity));
        }
        Ok(ArrayData {
            data_type,
            n_slots,
            offset: 0,
            null_count: NullCount::new(None),
            validity,
            storage,
            children: None,
            dictionary: None,
            checked: Validation::Content,
            is_assumed: false,
        })
    }
}

impl From<TextSlots<i32>> for ProvenText {
    fn from(slots: TextSlots<i32>) -> ProvenText {
        ProvenText::Utf8(slots)
    }
}

impl From<TextSlots<i64>> for ProvenText {
    fn from(slots: TextSlots<i64>) -> ProvenText {
        ProvenText::LargeUtf8(slots)
    }
}

impl From<TextViews> for ProvenText {
    fn from(views: TextViews) -> ProvenText {
        ProvenText::Utf8View(views)
    }
}
