//! Encodes batches as a file, without I/O. Bytes that were returned do not change later.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Metadata;

use super::footer::FooterEncoder;
use crate::{
    alignment::{SMALL_ALIGNMENT, round_up},
    columns::{DictionaryIdx, SchemaColumns},
    error::Result,
    file::footer::{Footer, Layouts},
    options::WriteOptions,
    protocol::FILE_MAGIC,
    schema::IpcSchema,
    segment::encoded::{Encoded, EncodedMessage},
    stream::{BatchEncoder, MessageOutput, StreamEncoder},
};

/// The magic, padded to eight bytes.
const START: &[u8] = b"ARROW1\0\0";

/// Encodes record batches as an IPC file, without I/O: a stream between two copies of the magic `ARROW1`, with a footer
/// that lists its blocks.
///
/// Works like [`StreamEncoder`], except for dictionaries. The batches of a file are read in any order, so a dictionary
/// has the same values for all batches. Other values are refused, or added to the dictionary if the
/// [`DictionaryPolicy`](crate::DictionaryPolicy) allows this. The dictionary of an array without valid indices is written
/// only at the end, if the file has no other values for it.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{FileEncoder, FileReader, WriteOptions};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = FileEncoder::try_new(batch.schema(), WriteOptions::default())?;
/// let mut file = Vec::new();
/// encoder.encode(&batch)?.write_to(&mut file)?;
/// encoder.finish()?.write_to(&mut file)?;
/// assert_eq!(encoder.position(), file.len() as u64);
/// assert_eq!(FileReader::try_from_buffer(Buffer::from(file))?.n_batches(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileEncoder {
    stream: StreamEncoder,
    footer: FooterEncoder,
}

impl FileEncoder {
    /// Encodes nothing: see [`start`](FileEncoder::start).
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`].
    pub fn try_new(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<FileEncoder> {
        let footer = FooterEncoder::new(&options);
        let stream = StreamEncoder::beginning_with(START, schema.into(), options)?;
        Ok(FileEncoder { stream, footer })
    }

    /// Continues the file with this footer at `position`, which is after its blocks.
    pub(crate) fn continuing(
        footer: &Footer,
        layouts: Option<&Layouts>,
        position: u64,
        options: WriteOptions,
    ) -> Result<FileEncoder> {
        let schema = footer.schema();
        schema.check_supported()?;
        let metadata = options.footer_metadata.clone().unwrap_or_else(|| footer.metadata().clone());
        let options = options
            .with_footer_metadata(metadata)
            .with_endianness(schema.endianness())
            .with_features(schema.features().iter().copied());
        let listed = FooterEncoder::continuing(footer, layouts, &options)?;
        let mut stream = StreamEncoder::beginning_with(START, schema.clone(), options)?;
        stream.continue_at(round_up(position, SMALL_ALIGNMENT), footer.n_batches() as u64);
        Ok(FileEncoder { stream, footer: listed })
    }

    /// Records that the file already has these values of a dictionary.
    pub(crate) fn know_dictionary(
        &mut self,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        self.stream.know_dictionary(dictionary, values)
    }

    /// The schema of the file, with its dictionary ids.
    pub fn schema(&self) -> &IpcSchema {
        self.stream.schema()
    }

    /// The custom metadata of the footer. Writing the footer adds or updates row counts, layouts and statistics.
    pub fn metadata(&self) -> &Metadata {
        self.stream.options().footer_metadata()
    }

    /// The position of the next message, in bytes from the start of the file.
    pub fn position(&self) -> u64 {
        self.stream.position()
    }

    /// Encodes magic and schema, if this has not been done. Otherwise the first batch encodes them.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::start`].
    pub fn start(&mut self) -> Result<Encoded<'_>> {
        self.stream.start()
    }

    /// Encodes new dictionary values of a batch, then the batch.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::encode`]. If the policy refuses the values of a dictionary. If the footer would
    /// exceed 256 MiB (about ten million batches), the length that readers accept by default.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<Encoded<'_>> {
        self.encode_with_metadata(batch, &Metadata::new())
    }

    /// Like [`encode`](FileEncoder::encode), with custom metadata of the batch's message.
    ///
    /// # Errors
    /// The errors of [`encode`](FileEncoder::encode).
    pub fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        let FileEncoder { stream, footer } = self;
        let position = stream.position();
        stream.encode_if(batch, metadata, |encoded| footer.add_all(encoded, position))
    }

    /// Sets the statistics in the footer: a stream in the schema that Arrow defines for statistics, with one batch for
    /// each batch of the file. The stream is not checked, and is dropped if another batch follows. `arrow-ipc-statistics`
    /// makes such streams. Statistics in the footer metadata of the options are dropped, since they may belong to another
    /// file.
    ///
    /// # Errors
    /// If the footer would exceed 256 MiB, the length that readers accept by default.
    pub fn set_statistics(&mut self, stream: &[u8]) -> Result<()> {
        self.footer.set_statistics(stream)
    }

    /// See [`StreamEncoder::add_message`].
    pub(crate) fn add_message(
        &mut self,
        add: impl FnOnce(&mut MessageOutput, &SchemaColumns) -> Result<()>,
    ) -> Result<Encoded<'_>> {
        let FileEncoder { stream, footer } = self;
        let position = stream.position();
        stream.add_message_if(add, |encoded| footer.add_all(encoded, position))
    }

    /// Encodes the end of a file with all batches so far: the end of the stream, the footer and the magic.
    /// [`position`](FileEncoder::position) does not count these bytes, since the next batch or end overwrites them.
    /// Dictionaries to which no valid index refers are missing: [`finish`](FileEncoder::finish) encodes them.
    ///
    /// # Errors
    /// The errors of [`finish`](FileEncoder::finish).
    pub fn provisional_end(&mut self) -> Result<Encoded<'_>> {
        let (footer, length) = self.footer.encode(&mut self.stream)?;
        self.stream.provisional_end(&[footer, &length, FILE_MAGIC])
    }

    /// Encodes the dictionaries to which no valid index refers, the end of the stream, the footer and the magic.
    /// Afterwards, nothing can be encoded before [`reset`](FileEncoder::reset).
    ///
    /// # Errors
    /// If the footer exceeds 256 MiB, the length that readers accept by default.
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.stream.begin_end()?.iter().try_for_each(|message| self.footer.add(message))?;
        let (footer, length) = self.footer.encode(&mut self.stream)?;
        Ok(self.stream.end_with(&[footer, &length, FILE_MAGIC]))
    }

    /// Sets the custom metadata of the next message of the dictionary with this id. Returns the metadata that an earlier
    /// call has set for this message.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::set_dictionary_metadata`].
    pub fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        self.stream.set_dictionary_metadata(id, metadata)
    }

    /// Starts the next file, with the same schema and options: see [`StreamEncoder::reset`].
    pub fn reset(&mut self) {
        self.stream.reset();
        self.footer.clear();
    }

    /// Drops the last encoded messages, to free their memory.
    pub fn clear(&mut self) {
        self.stream.clear();
    }

    /// Lists a message in the footer that another encoder has encoded.
    ///
    /// # Errors
    /// If the file is too long for the positions in a footer. If the footer exceeds the length that readers accept by
    /// default.
    pub(crate) fn list(&mut self, message: &EncodedMessage) -> Result<()> {
        self.footer.add(message)
    }

    /// Counts the rows of a record batch that another encoder has encoded.
    pub(crate) fn count_rows(&mut self, n_rows: u64) {
        self.footer.count_rows(n_rows);
    }

    /// Adds the metadata of record batches to the layouts, from the prefix to the body, if the options enable layouts.
    pub(crate) fn repeat(&mut self, metadata: &[u8], n_batches: usize) {
        self.footer.repeat(metadata, n_batches);
    }
}

impl BatchEncoder for FileEncoder {
    fn stream(&self) -> &StreamEncoder {
        &self.stream
    }

    fn stream_mut(&mut self) -> &mut StreamEncoder {
        &mut self.stream
    }

    fn encode_with_metadata(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        FileEncoder::encode_with_metadata(self, batch, metadata)
    }

    fn finish(&mut self) -> Result<Encoded<'_>> {
        FileEncoder::finish(self)
    }

    fn reset(&mut self) {
        FileEncoder::reset(self);
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{DictionaryBuilder, Utf8Builder};
    use arrow_schema::IndexType;

    use super::*;
    use crate::{
        dictionary::DictionaryPolicy,
        error::IpcErrorKind,
        file::{FileReader, write::footer::FooterBounds},
        options::RowCounts,
    };

    fn batches() -> Vec<RecordBatch> {
        let batch = |words: &[&str]| {
            let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
            words.iter().for_each(|word| column.append(word));
            RecordBatch::try_from_columns([("word", column.finish().unwrap().into())]).unwrap()
        };
        vec![batch(&["a", "b"]), batch(&["b", "c"]), batch(&["d"])]
    }

    fn encoder(row_counts: RowCounts) -> FileEncoder {
        let options =
            WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta).with_row_counts(row_counts);
        FileEncoder::try_new(batches()[0].schema(), options).unwrap()
    }

    /// The refused batch has new values of a dictionary. The next batch has the same values, and they are encoded
    /// again.
    #[test]
    fn a_batch_for_which_the_footer_has_no_room_counts_for_nothing() {
        for row_counts in [RowCounts::NotWritten, RowCounts::Written, RowCounts::WrittenWithLayouts] {
            let (batches, mut encoder, mut file) = (batches(), encoder(row_counts), Vec::new());
            encoder.encode(&batches[0]).unwrap().write_to(&mut file).unwrap();
            let position = encoder.position();
            // There are two blocks, and room for no other block, or only for that of the dictionary.
            for n_bytes in [48, 71, 72, 95] {
                encoder.footer.bounds.n_bytes = n_bytes;
                let error = encoder.encode(&batches[1]).unwrap_err();
                assert!(
                    matches!(error.kind(), IpcErrorKind::LimitExceeded { limit, .. } if *limit == n_bytes)
                );
                assert_eq!(encoder.position(), position);
            }
            encoder.footer.bounds = FooterBounds::default();
            for batch in &batches[1..] {
                encoder.encode(batch).unwrap().write_to(&mut file).unwrap();
            }
            encoder.finish().unwrap().write_to(&mut file).unwrap();
            let reader = FileReader::try_from_buffer(file.into()).unwrap();
            assert_eq!(
                reader.metadata().get(Footer::ROW_COUNTS_KEY).is_some(),
                row_counts != RowCounts::NotWritten
            );
            let found: Vec<RecordBatch> = reader.batches().map(Result::unwrap).collect();
            assert_eq!(found.len(), batches.len());
            assert!(found.iter().zip(&batches).all(|(left, right)| left.same_rows(right).unwrap()));
        }
    }

    #[test]
    fn layouts_that_are_too_long_are_left_out_of_their_file() {
        let mut encoder = encoder(RowCounts::WrittenWithLayouts);
        for (n_layout_bytes, has_layouts) in [(1 << 10, true), (8, false), (1 << 10, true)] {
            let mut file = Vec::new();
            encoder.footer.bounds.n_layout_bytes = n_layout_bytes;
            for batch in &batches() {
                encoder.encode(batch).unwrap().write_to(&mut file).unwrap();
            }
            encoder.finish().unwrap().write_to(&mut file).unwrap();
            let reader = FileReader::try_from_buffer(file.into()).unwrap();
            assert_eq!(reader.metadata().get(Footer::LAYOUTS_KEY).is_some(), has_layouts);
            assert!(reader.metadata().get(Footer::ROW_COUNTS_KEY).is_some());
            assert_eq!(reader.n_rows().unwrap(), 5);
            encoder.reset();
        }
    }
}
