//! `ArrowSchema`: a type, a field or a schema.

mod export;
mod import;

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::raw::structure;

/// A type with its name, flags and metadata, as the C data interface describes it. A schema is a struct of its fields.
///
/// A value keeps [the contract](crate#the-contract): it comes from this crate, or the caller of
/// [`from_raw`](ArrowSchema::from_raw) has promised it. It is released when it is dropped.
///
/// ```
/// use arrow_c_data::ArrowSchema;
/// use arrow_schema::{DataType, Field};
///
/// let field = Field::new("tags", DataType::list(Field::new("item", DataType::Utf8))).required();
/// let exported = ArrowSchema::try_from_field(&field)?;
/// assert_eq!(exported.to_field()?, field);
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowSchema structure".
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

const FLAG_DICTIONARY_ORDERED: i64 = 1;
const FLAG_NULLABLE: i64 = 2;
const FLAG_MAP_KEYS_SORTED: i64 = 4;

structure!(
    ArrowSchema,
    ArrowSchema {
        format: ptr::null(),
        name: ptr::null(),
        metadata: ptr::null(),
        flags: 0,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    }
);

// SAFETY: the contract says that the structure may be released on any thread, and that what it points to does not change.
unsafe impl Send for ArrowSchema {}

// SAFETY: nothing is changed through a shared reference, and the contract says that nobody else changes it.
unsafe impl Sync for ArrowSchema {}

impl ArrowSchema {
    fn check_not_released(&self) -> Result<(), CDataError> {
        match self.release {
            Some(_) => Ok(()),
            None => Err(Kind::Released { structure: Structure::ArrowSchema }.into()),
        }
    }

    /// A string of the structure; `None` where it is null.
    fn text(&self, member: &'static str, start: *const c_char) -> Result<Option<&str>, Kind> {
        if start.is_null() {
            return Ok(None);
        }
        // SAFETY: the contract says that strings which are not null end with a NUL, and live as long as the structure, which
        // is not released: `self` is borrowed until the text is dropped.
        let text = unsafe { CStr::from_ptr(start) };
        let not_utf8 =
            |error: std::str::Utf8Error| Kind::NotUtf8 { member, valid_up_to: error.valid_up_to() };
        text.to_str().map(Some).map_err(not_utf8)
    }

    /// A child whose position is less than `n_children`.
    fn child(&self, position: usize) -> Result<&ArrowSchema, CDataError> {
        let null = |member| Kind::NullMember { structure: Structure::ArrowSchema, member };
        if self.children.is_null() {
            return Err(null("children").into());
        }
        // SAFETY: the contract says that there are `n_children` pointers, unless `children` is null.
        let child = unsafe { self.children.wrapping_add(position).read() };
        // SAFETY: the contract says that each of them is null or valid, as long as the structure is not released.
        unsafe { child.as_ref() }.ok_or_else(|| null("children[..]").into())
    }

    /// The type of a dictionary's values.
    fn dictionary(&self) -> Option<&ArrowSchema> {
        // SAFETY: the contract says that the pointer is null or valid, as long as the structure is not released.
        unsafe { self.dictionary.as_ref() }
    }
}
