//! The buffers to show, and their names once the schema is known.

use arrow_ipc::{BufferMap, IpcError, IpcSchema, MetadataVersion, message::Header};

use super::{InspectOptions, view::WantedFields};
use crate::{columns::ColumnNames, error::ToolErrorKind};

/// The buffers of messages.
pub(super) struct ShownBuffers {
    are_shown: bool,
    /// The columns whose buffers are shown; `None` if those of all columns are.
    columns: Option<ColumnNames>,
    /// The names by the current schema.
    named: Option<Box<BufferMap>>,
    wanted: Option<WantedFields>,
}

impl ShownBuffers {
    pub(super) fn of(options: &InspectOptions) -> ShownBuffers {
        let columns = options.columns.clone();
        ShownBuffers { are_shown: options.with_buffers, columns, named: None, wanted: None }
    }

    /// Names buffers by a schema, unless they have names. If its dictionaries contradict each other, no buffers are
    /// shown, and the error is returned.
    ///
    /// # Errors
    /// If a wanted column does not exist.
    pub(super) fn name_by(&mut self, schema: &IpcSchema) -> Result<Option<IpcError>, ToolErrorKind> {
        if !self.are_shown || self.named.is_some() {
            return Ok(None);
        }
        if let Some(columns) = &self.columns {
            self.wanted = Some(WantedFields::new(&columns.paths_in(schema.schema())?));
        }
        let error = match BufferMap::try_new(schema) {
            Ok(map) => {
                self.named = Some(Box::new(map));
                None
            }
            Err(error) => Some(error),
        };
        self.are_shown = self.named.is_some();
        Ok(error)
    }

    /// Forgets the names, since another schema follows.
    pub(super) fn forget_names(&mut self) {
        self.named = None;
    }

    pub(super) fn wanted(&self) -> Option<&WantedFields> {
        self.wanted.as_ref()
    }

    /// The map that names buffers by the current schema, if they are shown.
    pub(super) fn map(&self) -> Option<&BufferMap> {
        self.named.as_deref()
    }

    /// The map that names the buffers of a message, or the error of making it.
    pub(super) fn of_message(
        &self,
        header: &Result<Header, IpcError>,
        version: MetadataVersion,
    ) -> Option<Result<&BufferMap, IpcError>> {
        let map = self.map()?;
        match header {
            Ok(Header::RecordBatch(batch)) => Some(map.record_batch(batch, version).map(|_| map)),
            Ok(Header::DictionaryBatch { id, batch, .. }) => {
                Some(map.dictionary_batch(*id, batch, version).map(|_| map))
            }
            _ => None,
        }
    }
}
