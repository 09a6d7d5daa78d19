//! Checks of views.

use crate::buffer::Buffer;
use crate::view::{View, ViewError};

/// Checks views.
///
/// # Errors
///
/// Names the first slot that is wrong, and what is wrong about it.
pub fn check_views(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
    for (slot, view) in views.iter().enumerate() {
        view.bytes(data).map_err(|kind| (slot, kind))?;
    }
    Ok(())
}

/// Checks views, and that their values are UTF-8.
///
/// # Errors
///
/// Names the first slot that is wrong, and what is wrong about it.
pub fn check_text_views(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
    for (slot, view) in views.iter().enumerate() {
        let bytes = view.bytes(data).map_err(|kind| (slot, kind))?;
        std::str::from_utf8(bytes).map_err(|_| (slot, ViewError::NotUtf8))?;
    }
    Ok(())
}
