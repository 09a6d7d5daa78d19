//! Checks numbers and references of metadata, before they become checked types.

use planus::{
    Error, SliceWithStartOffset,
    errors::{ErrorKind, ErrorLocation},
    table_reader::Table,
};

use crate::error::{IpcErrorKind, Result};

/// A value that the format requires, though a flatbuffer may omit it.
pub(crate) fn required<T>(value: Option<T>, what: &'static str) -> Result<T> {
    value.ok_or_else(|| IpcErrorKind::Missing { what }.into())
}

/// A length or count as the format declares it: signed.
pub(crate) fn not_negative(found: i64, what: &'static str) -> Result<u64> {
    u64::try_from(found).map_err(|_| IpcErrorKind::Negative { what, found }.into())
}

/// The first table of metadata, for parts that are read without the generated accessors. `type_` is its name in those.
pub(crate) fn root_table<'a>(bytes: &'a [u8], type_: &'static str) -> planus::Result<Table<'a>> {
    let bytes = SliceWithStartOffset { buffer: bytes, offset_from_start: 0 };
    Table::from_buffer(bytes, 0).map_err(|error_kind| located(error_kind, type_, "read_as_root", 0))
}

/// The error of the generated accessors for a table of this type, which begins at this position.
#[cold]
pub(crate) fn located(
    error_kind: ErrorKind,
    type_: &'static str,
    method: &'static str,
    byte_offset: usize,
) -> Error {
    Error { source_location: ErrorLocation { type_, method, byte_offset }, error_kind }
}
