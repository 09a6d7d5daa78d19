//! Checks views of valid slots: they must be well-formed, lie inside their buffers, and be UTF-8 if the type is utf8.

use arrow_buffer::{BufferMut, TextViews, TextViewsError, Values, View, check_views};

use super::{Repairs, elements};
use crate::{
    array::{ArrayData, Storage},
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// Checks the views of valid slots. Views of null slots stay unchanged; reading them returns no bytes.
pub(super) fn check(array: &ArrayData) -> Result<(), DataError> {
    let views: &[View] = elements(array, 0, array.len())?;
    let data = array.variadic();
    if check_views(views, data).is_ok() {
        return Ok(());
    }
    for (slot, view) in views.iter().enumerate().filter(|(slot, _)| array.is_valid(*slot)) {
        if let Err(error) = view.bytes(data) {
            return Err(DataError::from(Kind::View(error)).in_role(Role::Views).at_slot(slot));
        }
    }
    Ok(())
}

/// Checks the views of valid slots, and stores them as a type that proves that the text is valid. If only null slots
/// are invalid, copies the views and makes all null slots empty.
pub(super) fn check_text(array: &mut ArrayData, repairs: &mut Repairs) -> Result<(), DataError> {
    let views = Values::try_new(array.buffer(0).clone(), array.len())
        .map_err(|_| Kind::Misaligned { needed: align_of::<View>() })?;
    let error = match TextViews::try_new(views, array.shared_variadic().cloned()) {
        Ok(proven) => {
            array.storage = Storage::TextViews(proven);
            return Ok(());
        }
        Err(error) => error,
    };
    if array.is_valid(error.slot) {
        return Err(malformed(error));
    }
    let n_bytes = error.views.as_buffer().len();
    repairs.count(n_bytes).map_err(|error| error.in_role(Role::Views))?;
    let copy = BufferMut::try_with_capacity_in(n_bytes, repairs.budget.as_ref());
    let mut copy = copy.map_err(Kind::Memory)?;
    for (slot, view) in error.views.iter().enumerate() {
        copy.push(if array.is_valid(slot) { *view } else { View::default() });
    }
    let copy = Values::try_new(copy.freeze(), array.len())
        .map_err(|_| Kind::Misaligned { needed: align_of::<View>() })?;
    let proven = TextViews::try_new(copy, error.data).map_err(malformed)?;
    array.storage = Storage::TextViews(proven);
    Ok(())
}

fn malformed(error: TextViewsError) -> DataError {
    let TextViewsError { slot, kind, views, data } = error;
    let data = data.as_deref().unwrap_or_default();
    let bytes = views.get(slot).map(|view| view.bytes(data));
    let kind = match bytes {
        // The view is well-formed, so its text must be invalid.
        Some(Ok(bytes)) => {
            let valid_up_to = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
            Kind::NotUtf8 { valid_up_to: valid_up_to as u64 }
        }
        Some(Err(_)) | None => Kind::View(kind),
    };
    DataError::from(kind).in_role(Role::Views).at_slot(slot)
}
