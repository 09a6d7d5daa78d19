//! Values that take no bytes.

use arrow_data::{ArrayData, Physical};

/// Whether no slot takes a byte. Then all slots have the same value, and a few bytes can claim any number of slots.
pub(crate) fn has_no_bytes(array: &ArrayData) -> bool {
    let children_have_none = || array.children().iter().all(has_no_bytes);
    let has_none = match array.layout().physical() {
        Physical::Null => true,
        Physical::Fixed(n_bytes) => n_bytes.as_usize() == 0,
        Physical::FixedSizeList(n_items) => n_items.as_usize() == 0 || children_have_none(),
        Physical::Struct => children_have_none(),
        Physical::Bits
        | Physical::Bytes(_)
        | Physical::Views
        | Physical::List(_)
        | Physical::ListView(_)
        | Physical::Union(_)
        | Physical::Runs(_)
        | Physical::Dictionary(_) => false,
    };
    has_none && array.validity().is_none()
}
