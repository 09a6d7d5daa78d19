//! Exports schemas.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char};

use arrow_schema::{DataType, Metadata};

use super::{ArrowSchema, FLAG_DICTIONARY_ORDERED, FLAG_MAP_KEYS_SORTED};
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::raw::{Pointer, keep};
use crate::{format, metadata};

/// The members that are exported in addition to a type: name, flags and metadata.
pub(super) struct Label<'a> {
    pub(super) name: &'a str,
    pub(super) flags: i64,
    pub(super) metadata: &'a Metadata,
}

/// The owner of an exported schema's memory.
struct PrivateSchema {
    format: Cow<'static, CStr>,
    name: CString,
    metadata: Option<Vec<u8>>,
    /// The children, and after them the values of a dictionary.
    structures: Vec<ArrowSchema>,
    pointers: Vec<Pointer<ArrowSchema>>,
}

pub(super) fn try_export(data_type: &DataType, label: &Label<'_>) -> Result<ArrowSchema, CDataError> {
    let mut structures = Vec::with_capacity(data_type.children().len());
    for (position, field) in data_type.children().iter().enumerate() {
        let child = ArrowSchema::try_from_field(field);
        structures.push(child.map_err(|error| error.in_child(position, field.name()))?);
    }
    let mut flags = label.flags;
    let n_children = structures.len();
    if let Some(dictionary) = data_type.as_dictionary() {
        structures.push(ArrowSchema::try_from_data_type(dictionary.value())?);
        flags |= if dictionary.is_ordered() { FLAG_DICTIONARY_ORDERED } else { 0 };
    }
    flags |= if data_type.as_map().is_some_and(|map| map.keys_sorted()) { FLAG_MAP_KEYS_SORTED } else { 0 };
    let nul = |error: std::ffi::NulError| Kind::Nul { what: "name", position: error.nul_position() };
    let mut private = Box::new(PrivateSchema {
        format: format::format_of(data_type)?,
        name: CString::new(label.name).map_err(nul)?,
        metadata: metadata::encode(label.metadata)?,
        structures,
        pointers: Vec::new(),
    });
    let first = private.structures.as_mut_ptr();
    let pointers = (0..private.structures.len()).map(|position| first.wrapping_add(position).into());
    private.pointers = pointers.collect();
    let format = private.format.as_ptr().into();
    let name = private.name.as_ptr().into();
    let metadata = private.metadata.as_ref().map(|bytes| bytes.as_ptr().cast::<c_char>().into());
    let children = private.pointers.as_mut_ptr().into();
    let dictionary = private.pointers.get(n_children).copied();
    let (private_data, release) = keep(private);
    Ok(ArrowSchema {
        format,
        name,
        metadata: metadata.unwrap_or_default(),
        flags,
        // The cast loses nothing: each child takes more than one byte.
        n_children: n_children as i64,
        children,
        dictionary: dictionary.unwrap_or_default(),
        release,
        private_data,
    })
}
