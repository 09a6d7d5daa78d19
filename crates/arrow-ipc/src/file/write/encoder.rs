//! Encodes batches as a file, without I/O. Bytes that were returned do not change later.

use arrow_schema::Metadata;

use super::footer::{FooterEncoder, resolved};
use crate::{error::Result, file::footer::Footer, options::WriteOptions, stream::BatchEncoder};
use arrow_ipc_format::{IpcSchema, SMALL_ALIGNMENT, WrittenContainer, round_up};

/// Encodes record batches as an IPC file, without I/O: a stream between two copies of the magic `ARROW1`, with a footer
/// that lists its blocks.
///
/// It works like [`StreamEncoder`](crate::StreamEncoder), except for dictionaries. The batches of a file are read in
/// any order, so a dictionary has the same values for all of them. Other values are refused, or added to the dictionary
/// if the [`DictionaryPolicy`](crate::DictionaryPolicy) allows it. If an array has no valid index, its dictionary is
/// ignored at first. It is written at the end of the file only if the file has no other values for this dictionary.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{FileEncoder, FileReader};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = FileEncoder::try_new(batch.schema())?;
/// let mut file = Vec::new();
/// encoder.encode(&batch)?.write_to(&mut file)?;
/// encoder.finish()?.write_to(&mut file)?;
/// assert_eq!(encoder.position(), file.len() as u64);
/// assert_eq!(FileReader::try_from_buffer(Buffer::from(file))?.n_batches(), 1);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub type FileEncoder = BatchEncoder<FooterEncoder>;

/// Encodes record batches as a stream or a file: [`try_new`](ContainerEncoder::try_new) says which.
pub type ContainerEncoder = BatchEncoder<Option<FooterEncoder>>;

impl FileEncoder {
    /// An encoder of a file for batches of a schema.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`](crate::StreamEncoder::try_new).
    pub fn try_new(schema: impl Into<IpcSchema>) -> Result<FileEncoder> {
        FileEncoder::try_new_with(schema, WriteOptions::default())
    }

    /// Like [`try_new`](FileEncoder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](FileEncoder::try_new).
    pub fn try_new_with(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<FileEncoder> {
        let options = resolved(options);
        BatchEncoder::with_trailer(FooterEncoder::new(&options), schema.into(), options)
    }

    /// Continues the file with this footer at `position`, which is after its blocks.
    pub(crate) fn continuing(
        footer: &Footer,
        position: u64,
        mut options: WriteOptions,
    ) -> Result<FileEncoder> {
        let schema = footer.ipc_schema();
        schema.check_supported()?;
        let metadata = options.footer_metadata.clone().unwrap_or_else(|| footer.metadata().clone());
        options.has_same_metadata = false;
        let options = options
            .with_footer_metadata(metadata)
            .with_endianness(schema.endianness())
            .with_features(schema.features().iter().copied());
        let listed = FooterEncoder::continuing(footer, &options)?;
        let mut encoder = BatchEncoder::with_trailer(listed, schema.clone(), options)?;
        encoder.continue_at(round_up(position, SMALL_ALIGNMENT), footer.n_batches() as u64);
        Ok(encoder)
    }

    /// The custom metadata of the footer. Writing the footer adds or updates row counts and statistics.
    pub fn footer_metadata(&self) -> &Metadata {
        self.options().footer_metadata()
    }

    /// Sets the statistics in the footer: a stream in the schema that Arrow defines for statistics, with one batch for
    /// each batch of the file. The stream is not checked, and is dropped if another batch follows. `arrow-ipc-statistics`
    /// makes such streams. Statistics in the footer metadata of the options are dropped, since they may belong to another
    /// file.
    ///
    /// Returns whether the footer will have them, if no batch follows. It will not with
    /// [`WriteOptions::with_same_metadata`], or if it could be longer than 256 MiB, the default limit of readers.
    ///
    /// # Errors
    /// If names and metadata of the schema are longer than the format can express.
    pub fn set_statistics(&mut self, stream: &[u8]) -> Result<bool> {
        let schema = self.schema_part()?;
        let n_dictionaries = self.columns().dictionaries.len();
        Ok(self.trailer_mut().set_statistics(stream, &schema, n_dictionaries))
    }
}

impl ContainerEncoder {
    /// An encoder of a stream or file for batches of a schema.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`](crate::StreamEncoder::try_new).
    pub fn try_new(schema: impl Into<IpcSchema>, container: WrittenContainer) -> Result<ContainerEncoder> {
        ContainerEncoder::try_new_with(schema, container, WriteOptions::default())
    }

    /// Like [`try_new`](ContainerEncoder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](ContainerEncoder::try_new).
    pub fn try_new_with(
        schema: impl Into<IpcSchema>,
        container: WrittenContainer,
        options: WriteOptions,
    ) -> Result<ContainerEncoder> {
        let (footer, options) = match container {
            WrittenContainer::Stream => (None, options),
            WrittenContainer::File => {
                let options = resolved(options);
                (Some(FooterEncoder::new(&options)), options)
            }
        };
        BatchEncoder::with_trailer(footer, schema.into(), options)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{DictionaryBuilder, Utf8Builder};
    use arrow_data::{ArrayData, RecordBatch};
    use arrow_schema::{DataType, Field, IndexType, Schema};

    use super::*;
    use crate::{
        dictionary::DictionaryPolicy,
        error::{FormatErrorKind, IpcErrorKind},
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
        FileEncoder::try_new_with(batches()[0].schema(), options).unwrap()
    }

    /// The refused batch has new values of a dictionary. The next batch has the same values, and they are encoded
    /// again.
    #[test]
    fn a_batch_that_does_not_fit_the_footer_counts_for_nothing() {
        for row_counts in [RowCounts::NotWritten, RowCounts::Written] {
            let batches = batches();
            let mut encoder = encoder(row_counts);
            let mut file = Vec::new();
            encoder.encode(&batches[0]).unwrap().write_to(&mut file).unwrap();
            let position = encoder.position();
            // There are two blocks, and room for no other block, or only for that of the dictionary.
            for n_bytes in [48, 71, 72, 95] {
                encoder.trailer_mut().bounds.n_bytes = n_bytes;
                let error = encoder.encode(&batches[1]).unwrap_err();
                assert!(
                    matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::LimitExceeded { limit, .. }) if *limit == n_bytes)
                );
                assert_eq!(encoder.position(), position);
            }
            encoder.trailer_mut().bounds = FooterBounds::default();
            for batch in &batches[1..] {
                encoder.encode(batch).unwrap().write_to(&mut file).unwrap();
            }
            encoder.finish().unwrap().write_to(&mut file).unwrap();
            let reader = FileReader::try_from_buffer(file.into()).unwrap();
            assert_eq!(
                reader.footer_metadata().get(Footer::ROW_COUNTS_KEY).is_some(),
                row_counts != RowCounts::NotWritten
            );
            let found: Vec<RecordBatch> = reader.batches().map(Result::unwrap).collect();
            assert_eq!(found.len(), batches.len());
            assert!(found.iter().zip(&batches).all(|(left, right)| left.same_values(right).unwrap()));
        }
    }

    /// A footer that fits without statistics is not refused because of statistics that were accepted.
    #[test]
    fn statistics_that_are_accepted_fit_with_the_schema() {
        let encoded = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
        let fields = (0..10).map(|n| Field::new(format!("{n} is a long name"), encoded.clone()));
        let schema = Schema::new(fields.collect::<Vec<Field>>());
        let schema = Arc::new(schema.with_metadata([("unit", "m".repeat(500))].into_iter().collect()));
        let columns = schema.fields().iter().map(|field| ArrayData::new_empty(field.data_type()));
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect::<Vec<ArrayData>>()).unwrap();
        let pairs = Metadata::from_iter((0..20).map(|n| (n.to_string(), "value".to_owned())));
        for row_counts in [RowCounts::NotWritten, RowCounts::Written] {
            let options = WriteOptions::new().with_footer_metadata(pairs.clone()).with_row_counts(row_counts);
            let finished = |n_bytes: u64, stream: &[u8]| {
                let mut encoder = FileEncoder::try_new_with(&schema, options.clone()).unwrap();
                encoder.encode(&batch).unwrap();
                encoder.trailer_mut().bounds.n_bytes = n_bytes;
                let is_set = !stream.is_empty() && encoder.set_statistics(stream).unwrap();
                (is_set, encoder.finish().is_ok())
            };
            let fits = |n_bytes: &u64| finished(*n_bytes, &[]) == (false, true);
            let least = (0..20_000).find(fits).unwrap();
            let stream = [7; 600];
            assert_eq!(finished(least + 400, &stream), (false, true));
            assert_eq!(finished(least + 4_000, &stream), (true, true));
            for n_bytes in least..least + 4_000 {
                assert!(finished(n_bytes, &stream).1, "{row_counts:?}, {n_bytes} bytes");
            }
        }
    }
}
