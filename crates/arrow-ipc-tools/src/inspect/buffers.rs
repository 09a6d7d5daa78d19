//! The buffers to show, and their names according to the schema.

use arrow_ipc::{
    BufferMap, IpcError, IpcSchema, Limits, MetadataVersion,
    message::{Header, Message},
};

use super::{
    InspectOptions,
    view::{FieldSet, described},
};
use crate::{
    columns::{ColumnNames, with_wide_integers_as_bytes},
    error::ToolErrorKind,
};

pub(super) struct ShownBuffers {
    are_shown: bool,
    /// The columns whose buffers are shown; `None` for all columns.
    columns: Option<ColumnNames>,
    /// Whether buffers of other columns are passed on, too.
    shows_others: bool,
    /// Names buffers by the current schema.
    named: Option<Box<BufferMap>>,
    shown_fields: Option<FieldSet>,
}

impl ShownBuffers {
    pub(super) fn new(options: &InspectOptions) -> ShownBuffers {
        let columns = options.columns.clone();
        // The search for unused bytes needs the buffers of all columns.
        let shows_others = options.looks_for_unused;
        ShownBuffers {
            are_shown: options.with_buffers,
            columns,
            shows_others,
            named: None,
            shown_fields: None,
        }
    }

    /// Prepares the names of buffers according to a schema, unless names are already prepared. If the schema declares
    /// its dictionaries inconsistently, no buffers are shown, and the error is returned.
    ///
    /// # Errors
    /// If a requested column does not exist, or is of an unknown type.
    pub(super) fn name_by(&mut self, schema: &IpcSchema) -> Result<Option<IpcError>, ToolErrorKind> {
        if !self.are_shown || self.named.is_some() {
            return Ok(None);
        }
        let stored = with_wide_integers_as_bytes(schema);
        if let Some(columns) = &self.columns {
            columns.check_supported(schema)?;
            let shown = (!self.shows_others).then(|| columns.paths_in(stored.schema())).transpose()?;
            self.shown_fields = shown.map(|paths| FieldSet::new(&paths));
        }
        let error = match BufferMap::try_new(&stored) {
            Ok(map) => {
                self.named = Some(Box::new(map));
                None
            }
            Err(error) => Some(error.into()),
        };
        self.are_shown = self.named.is_some();
        Ok(error)
    }

    /// Whether all columns are shown. A column of an unknown type is then an error.
    pub(super) fn are_of_all_columns(&self) -> bool {
        self.columns.is_none()
    }

    /// Parses the header of a message. If only some columns are shown, columns of unknown types are no error.
    pub(super) fn header(&self, message: &Message, limits: &Limits) -> Result<Header, IpcError> {
        let header =
            if self.are_of_all_columns() { message.header(limits) } else { message.header_to_read(limits) };
        Ok(header?)
    }

    /// Removes the names, because the next stream has its own schema.
    pub(super) fn forget_names(&mut self) {
        self.named = None;
    }

    pub(super) fn shown_fields(&self) -> Option<&FieldSet> {
        self.shown_fields.as_ref()
    }

    /// Names buffers by the current schema; `None` if no buffers are shown.
    pub(super) fn map(&self) -> Option<&BufferMap> {
        self.named.as_deref()
    }

    /// The map that names the buffers of a message, or the reason why its buffers have no names.
    pub(super) fn message_map(
        &self,
        header: &Result<Header, IpcError>,
        version: MetadataVersion,
    ) -> Option<Result<&BufferMap, IpcError>> {
        let map = self.map()?;
        let described = described(map, header.as_ref().ok()?, version)?;
        Some(described.map(|_| map))
    }
}
