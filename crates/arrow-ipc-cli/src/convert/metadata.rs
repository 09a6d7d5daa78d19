//! The metadata of a whole stream or file: that of the schema message, and of the footer of a file.

use arrow_ipc::{FileReader, Source, WriteOptions};
use arrow_schema::Metadata;

use crate::args::Target;

/// What is said of all rows.
pub(super) struct WholeMetadata {
    message: Metadata,
    footer: Option<Metadata>,
}

impl WholeMetadata {
    pub(super) fn of_stream(metadata: &Metadata) -> WholeMetadata {
        WholeMetadata { message: metadata.clone(), footer: None }
    }

    /// A schema message that cannot be read has none to lose: readers of the file do not need it.
    pub(super) fn of_file(reader: &FileReader<impl Source>) -> WholeMetadata {
        let message = reader.schema_message_metadata().ok().flatten().unwrap_or_default();
        WholeMetadata { message, footer: Some(reader.metadata().clone()) }
    }

    /// Where a stream has one place, the footer's goes there: it is what readers of the file see.
    pub(super) fn into_options(self, target: Target, options: WriteOptions) -> WriteOptions {
        match (self.footer, target) {
            (None, _) => options.with_file_metadata(self.message),
            (Some(footer), Target::Stream) => options.with_file_metadata(footer),
            (Some(footer), Target::File) => {
                options.with_file_metadata(self.message).with_footer_metadata(footer)
            }
        }
    }

    /// What does not come into such an output.
    pub(super) fn lost_in(&self, target: Target) -> Metadata {
        let (Some(footer), Target::Stream) = (&self.footer, target) else { return Metadata::new() };
        let is_kept = |pair| footer.iter().any(|kept| kept == pair);
        let lost = self.message.iter().filter(|pair| !is_kept(*pair));
        Metadata::from_pairs(lost.map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect())
    }
}
