//! Options for an inspection.

use arrow_ipc::Limits;

use crate::columns::ColumnNames;

/// Options for [`inspect`](crate::inspect).
#[derive(Debug, Clone, Default)]
pub struct InspectOptions {
    pub(super) with_buffers: bool,
    /// The columns whose buffers are shown; `None` for all columns.
    pub(super) columns: Option<ColumnNames>,
    pub(super) limits: Limits,
    /// Whether to look for bytes that no slot refers to.
    pub(super) looks_for_unused: bool,
}

impl InspectOptions {
    /// Shows messages without their buffers, with the default limits.
    pub fn new() -> InspectOptions {
        InspectOptions::default()
    }

    /// Also shows each buffer, and names its field.
    #[must_use]
    pub fn with_buffers(self) -> InspectOptions {
        InspectOptions { with_buffers: true, ..self }
    }

    /// Shows only the buffers of these columns, of the fields inside them, and of their dictionaries. It is an error if
    /// a schema does not have one of the columns.
    #[must_use]
    pub fn with_buffers_of(self, columns: ColumnNames) -> InspectOptions {
        InspectOptions { with_buffers: true, columns: Some(columns), ..self }
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> InspectOptions {
        InspectOptions { limits, ..self }
    }

    /// Also shows the buffers of these columns, and looks for bytes that no slot refers to.
    pub(crate) fn looking_for_unused(self, columns: Option<ColumnNames>) -> InspectOptions {
        InspectOptions { with_buffers: true, columns, looks_for_unused: true, ..self }
    }
}
