//! Numbers in memory, with their formats in the buffer protocol and in NumPy.

use std::ffi::CStr;

use arrow_schema::Field;
use pyo3::ffi;

/// Numbers in memory that does not change.
pub(crate) struct Numbers<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) n_slots: &'a ffi::Py_ssize_t,
    pub(crate) width: ffi::Py_ssize_t,
    pub(crate) format: &'static CStr,
}

/// The formats of a type of numbers. The first is that of the buffer protocol, for plain numbers only. The second is
/// the NumPy type without unit.
pub(crate) fn formats(field: &Field) -> Option<(Option<&'static CStr>, &'static str)> {
    Some(match field.data_type().name() {
        "int8" if field.extension().is_some_and(|extension| extension.name == "arrow.bool8") => (None, "?"),
        "int8" => (Some(c"b"), "i1"),
        "int16" => (Some(c"h"), "i2"),
        "int32" => (Some(c"i"), "i4"),
        "int64" => (Some(c"q"), "i8"),
        "uint8" => (Some(c"B"), "u1"),
        "uint16" => (Some(c"H"), "u2"),
        "uint32" => (Some(c"I"), "u4"),
        "uint64" => (Some(c"Q"), "u8"),
        "float16" => (Some(c"e"), "f2"),
        "float32" => (Some(c"f"), "f4"),
        "float64" => (Some(c"d"), "f8"),
        "date32" => (None, "M8[D]"),
        "date64" => (None, "M8[ms]"),
        "time32" | "time64" | "duration" => (None, "m8"),
        "timestamp" => (None, "M8"),
        _ => return None,
    })
}
