//! The metadata of a whole stream or file, from the schema message and the footer.

use std::collections::HashSet;

use arrow_ipc::{ErrorClass, FileReader, IpcError, Source, WriteOptions, WrittenContainer, file::Footer};
use arrow_schema::Metadata;

use crate::rows::Rows;

#[derive(Debug, Clone)]
pub(crate) struct WholeMetadata {
    message: Metadata,
    footer: Option<Metadata>,
}

impl WholeMetadata {
    /// The metadata of the schema message and of the footer. `footer` is `None` if both are equal, or if there is no
    /// footer.
    pub(crate) fn new(message: Metadata, footer: Option<Metadata>) -> WholeMetadata {
        WholeMetadata { message, footer }
    }

    /// The metadata of an opened input.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn try_new(rows: &Rows) -> Result<WholeMetadata, IpcError> {
        match rows {
            Rows::File { reader } => WholeMetadata::from_file(reader),
            Rows::Streams(streams) => Ok(WholeMetadata::new(streams.metadata().clone(), None)),
        }
    }

    /// The metadata of a file. A file without a schema message has metadata only in its footer. Polars writes a
    /// schema message without a prefix at the start of files. A malformed schema message counts as empty here, and is
    /// reported as a [`Contradiction`](crate::Contradiction).
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn from_file(reader: &FileReader<impl Source>) -> Result<WholeMetadata, IpcError> {
        let message = match reader.schema_message_metadata() {
            Ok(metadata) => metadata.unwrap_or_default(),
            Err(error) if error.class() == ErrorClass::Io => return Err(error),
            Err(_) => Metadata::new(),
        };
        Ok(WholeMetadata { message, footer: Some(reader.footer_metadata().clone()) })
    }

    /// The keys of the pairs that the footer has, and the schema message has not.
    pub(crate) fn keys_of_footer_alone(&self) -> Vec<Option<String>> {
        let known: HashSet<_> = self.message.iter().collect();
        let alone = self.footer.iter().flat_map(Metadata::iter).filter(|pair| !known.contains(pair));
        alone.map(|(key, _)| key.map(str::to_owned)).collect()
    }

    /// Adds this metadata to the options. A stream has no footer, so its schema message gets the footer metadata,
    /// without row counts.
    pub(crate) fn into_options(self, container: WrittenContainer, options: WriteOptions) -> WriteOptions {
        match (self.footer, container) {
            (None, _) => options.with_file_metadata(self.message),
            (Some(footer), WrittenContainer::Stream) => {
                options.with_file_metadata(Footer::without_own_keys(&footer))
            }
            (Some(footer), WrittenContainer::File) => {
                options.with_file_metadata(self.message).with_footer_metadata(footer)
            }
        }
    }

    /// The metadata that an output with this container cannot store.
    pub(crate) fn lost_in(&self, container: WrittenContainer) -> Metadata {
        let (Some(footer), WrittenContainer::Stream) = (&self.footer, container) else {
            return Metadata::new();
        };
        let retained: HashSet<_> = footer.iter().collect();
        let lost = self.message.iter().filter(|pair| !retained.contains(pair));
        Metadata::from_pairs(lost.map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        ops::Range,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
    };

    use arrow_array::Int64Array;
    use arrow_buffer::Buffer;
    use arrow_data::RecordBatch;
    use arrow_ipc::{FileWriter, ReadOptions};

    use super::*;

    /// A source whose reads fail after `fails` is set.
    struct FailingSource {
        bytes: Buffer,
        fails: Arc<AtomicBool>,
    }

    impl Source for FailingSource {
        fn n_bytes(&self) -> io::Result<u64> {
            Ok(self.bytes.len() as u64)
        }

        fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
            if self.fails.load(Ordering::Relaxed) {
                return Err(io::Error::other("the disk is gone"));
            }
            Ok(self.bytes.slice(range.start as usize..range.end as usize))
        }
    }

    /// A reader that reads the schema message only when its metadata is requested.
    fn file(fails: &Arc<AtomicBool>) -> FileReader<FailingSource> {
        let metadata = Metadata::from_pairs(vec![(Some("a".into()), Some("b".into()))]);
        let options = WriteOptions::default().with_file_metadata(metadata);
        // The message is so long that the first request does not contain all of it.
        let numbers = Int64Array::from_iter(0..100_000).into_data();
        let batch = RecordBatch::try_from_columns([("n", numbers)]).unwrap();
        let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        let bytes = writer.finish().unwrap().into();
        let source = FailingSource { bytes, fails: Arc::clone(fails) };
        FileReader::try_new_with(source, ReadOptions::new().with_tail_bytes(0)).unwrap()
    }

    #[test]
    fn a_file_that_fails_is_not_one_without_metadata() {
        let fails = Arc::default();
        let [reader, failing] = [(); 2].map(|()| file(&fails));
        assert_eq!(WholeMetadata::from_file(&reader).unwrap().message.get("a"), Some("b"));
        fails.store(true, Ordering::Relaxed);
        assert_eq!(WholeMetadata::from_file(&failing).unwrap_err().class(), ErrorClass::Io);
    }
}
