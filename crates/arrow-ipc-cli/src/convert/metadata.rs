//! The metadata of a whole stream or file: that of the schema message, and of the footer of a file.

use arrow_ipc::{FileReader, Source, WriteOptions};
use arrow_schema::Metadata;

use crate::args::Target;

/// Metadata of all rows.
pub(super) struct WholeMetadata {
    message: Metadata,
    footer: Option<Metadata>,
}

impl WholeMetadata {
    pub(super) fn of_stream(metadata: &Metadata) -> WholeMetadata {
        WholeMetadata { message: metadata.clone(), footer: None }
    }

    /// A schema message that cannot be read counts as one without metadata: readers of the file do not need it.
    pub(super) fn of_file(reader: &FileReader<impl Source>) -> WholeMetadata {
        let message = reader.schema_message_metadata().ok().flatten().unwrap_or_default();
        WholeMetadata { message, footer: Some(reader.metadata().clone()) }
    }

    /// A stream has one place for it, and gets the footer's, which readers of the file see.
    pub(super) fn into_options(self, target: Target, options: WriteOptions) -> WriteOptions {
        match (self.footer, target) {
            (None, _) => options.with_file_metadata(self.message),
            (Some(footer), Target::Stream) => options.with_file_metadata(footer),
            (Some(footer), Target::File) => {
                options.with_file_metadata(self.message).with_footer_metadata(footer)
            }
        }
    }

    /// The metadata that an output in this container does not keep.
    pub(super) fn lost_in(&self, target: Target) -> Metadata {
        let (Some(footer), Target::Stream) = (&self.footer, target) else { return Metadata::new() };
        let is_kept = |pair| footer.iter().any(|kept| kept == pair);
        let lost = self.message.iter().filter(|pair| !is_kept(*pair));
        Metadata::from_pairs(lost.map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect())
    }
}
