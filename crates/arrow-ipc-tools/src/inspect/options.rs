//! Options for an inspection.

use crate::columns::ColumnNames;

/// Options for [`inspect`](crate::inspect()).
#[derive(Debug, Clone)]
pub struct InspectOptions {
    pub(super) with_buffers: bool,
    /// The columns whose buffers are shown; `None` for all columns.
    pub(super) columns: Option<ColumnNames>,
    /// Whether to search for bytes that no slot uses.
    pub(super) looks_for_unused: bool,
    /// Whether anything of bodies is read.
    pub(super) reads_bodies: bool,
}

impl Default for InspectOptions {
    fn default() -> InspectOptions {
        InspectOptions { with_buffers: false, columns: None, looks_for_unused: false, reads_bodies: true }
    }
}

impl InspectOptions {
    /// Shows messages without their buffers.
    pub fn new() -> InspectOptions {
        InspectOptions::default()
    }

    /// Also shows each buffer, with the field and role that it belongs to.
    #[must_use]
    pub fn with_buffers(self) -> InspectOptions {
        InspectOptions { with_buffers: true, ..self }
    }

    /// Shows only the buffers of these columns, including fields inside them and their dictionaries. If a schema
    /// lacks one of the columns, [`inspect`](crate::inspect()) fails.
    #[must_use]
    pub fn with_buffers_of(self, columns: ColumnNames) -> InspectOptions {
        InspectOptions { with_buffers: true, columns: Some(columns), ..self }
    }

    /// Also searches for bytes of bodies that no slot uses. This shows the buffers of all columns, and reads offsets,
    /// views, sizes and indices of uncompressed bodies.
    #[must_use]
    pub fn with_unused_bytes(self) -> InspectOptions {
        InspectOptions { with_buffers: true, looks_for_unused: true, ..self }
    }

    /// Reads nothing of bodies. The decompressed lengths of compressed buffers are then unknown, and no unused bytes are found.
    #[must_use]
    pub fn without_bodies(self) -> InspectOptions {
        InspectOptions { reads_bodies: false, ..self }
    }
}
