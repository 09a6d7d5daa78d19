//! Metadata of messages that readers of rows do not see: of the schema message of a file, and of dictionaries.

use std::{fs::File, ops::Range};

use arrow_ipc::{Block, Footer, Header, Limits, Message, MessageScan, WriteOptions};
use arrow_schema::Metadata;

use crate::{args::Target, walk::MAGIC_BYTES};

/// The metadata of a whole stream or file. In a file the schema message has some, and so has the footer.
pub(super) struct WholeMetadata {
    message: Metadata,
    footer: Option<Metadata>,
}

impl WholeMetadata {
    pub(super) fn of_stream(metadata: &Metadata) -> WholeMetadata {
        WholeMetadata { message: metadata.clone(), footer: None }
    }

    /// A schema message that cannot be read has none: readers of the file do not need it.
    pub(super) fn of_file(file: &File, footer: &Footer) -> WholeMetadata {
        let message = message_in(file, MAGIC_BYTES..footer.position());
        WholeMetadata { message: metadata_of(message.as_ref()), footer: Some(footer.metadata().clone()) }
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

/// The ids of the dictionaries that the footer lists, with the metadata of their messages.
pub(super) fn metadata_of_dictionaries(file: &File, footer: &Footer) -> Vec<(i64, Metadata)> {
    let message = |block: &Block| message_in(file, block.position()..footer.position());
    let messages = footer.dictionaries().iter().filter_map(message);
    let dictionaries = messages.filter_map(|message| match message.header(&Limits::default()) {
        Ok(Header::DictionaryBatch { id, .. }) => Some((id, metadata_of(Some(&message)))),
        _ => None,
    });
    dictionaries.collect()
}

/// The message that begins a range. One that cannot be read has nothing to lose: if it is needed, the conversion fails.
fn message_in(file: &File, range: Range<u64>) -> Option<Message> {
    MessageScan::new(file, range, Limits::default()).and_then(|mut scan| scan.next_message()).ok().flatten()
}

fn metadata_of(message: Option<&Message>) -> Metadata {
    message.map(Message::custom_metadata).and_then(Result::ok).unwrap_or_default()
}
