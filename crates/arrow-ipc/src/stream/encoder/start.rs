//! The start of a stream: its schema.

use std::sync::Arc;

use super::{EncoderState, StreamEncoder};
use crate::{
    error::{IpcErrorKind, Result},
    schema::SchemaPart,
};

impl StreamEncoder {
    pub(super) fn add_start(&mut self) -> Result<()> {
        match self.state {
            EncoderState::Fresh => {}
            EncoderState::Started => return Ok(()),
            EncoderState::Finished => return Err(IpcErrorKind::AlreadyFinished { what: "a message" }.into()),
        }
        self.output.gather(self.start);
        let schema = self.schema_part()?;
        self.output.add_schema(&schema, &self.options.file_metadata)
    }

    /// The schema as it is written. A file keeps it for its footer.
    ///
    /// # Errors
    /// If the schema's metadata is longer than the format can express.
    pub(crate) fn schema_part(&mut self) -> Result<Arc<SchemaPart>> {
        if let Some(part) = &self.schema_part {
            return Ok(Arc::clone(part));
        }
        let part = Arc::new(SchemaPart::try_new(&self.schema)?);
        let is_file = !self.start.is_empty();
        self.schema_part = is_file.then(|| Arc::clone(&part));
        Ok(part)
    }
}
