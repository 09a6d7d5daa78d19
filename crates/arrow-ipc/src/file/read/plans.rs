//! The methods of a decoder that return plans.

use std::{ops::Range, sync::Arc};

use arrow_schema::Metadata;

use super::{
    batch::{ReadBatch, ReadRows},
    decoder::FileDecoder,
    dictionaries::{self, FileDictionary},
    fetched_batch::FetchedBatch,
    indexed::{OpenIndexed, make_index},
    open::OpenFile,
    plan::{PlanInput, ReadPlan},
    prefetch::{BatchPrefetcher, BatchRuns},
    provided_ranges::ProvidedRanges,
    read_footer::ReadFooter,
    rows::{locate_rows, rows_of_batches, rows_of_each, sum_of_rows},
    stream_dictionaries::DictionaryReceiver,
    unreferenced::{FileEnds, UnreferencedBytes, search},
    walk::{StreamMessages, StreamWalk, WalkedSchema},
};
use crate::{
    batch::BatchWithMetadata,
    error::{Context, FormatErrorKind, IpcErrorKind, Result},
    file::{
        append::encoder_to_append,
        footer::{FILE_OR_STREAM, Footer, START_BYTES, StreamBlocks},
        stream_index::{StreamEnd, StreamIndex},
        write::FileEncoder,
    },
    options::{Projection, ReadOptions, WriteOptions},
};
use arrow_ipc_format::Container;

impl FileDecoder {
    /// How often a reader tries to [open](FileDecoder::plan_open) a file whose length changes because another program appends
    /// to it.
    pub const MAX_ATTEMPTS: u32 = 100;

    /// Opens a file of this length. The plan requests the end of the file, and then the rest of the footer if it is
    /// longer. If the end is invalid, the plan requests the first bytes. If the first eight bytes are provided, this plan
    /// and all later plans check the magic in them. So provide these bytes if they cost little.
    ///
    /// If the input is a stream, the plan reads the prefix and the metadata of each message, and finds what the footer of a
    /// file says. It reads no bodies, unless that is cheaper than another request. After the schema, a message that is cut
    /// or malformed is no error: see [`plan_check_end`](FileDecoder::plan_check_end).
    ///
    /// The plan fails if the input is not a readable Arrow file, or if the projection in the options does not fit the
    /// schema of the file.
    pub fn plan_open(file_bytes: u64) -> ReadPlan<FileDecoder> {
        FileDecoder::plan_open_with(file_bytes, ReadOptions::default())
    }

    /// Like [`plan_open`](FileDecoder::plan_open), with options.
    pub fn plan_open_with(file_bytes: u64, options: ReadOptions) -> ReadPlan<FileDecoder> {
        let limits = options.limits.clone();
        let tail_bytes = options.tail_bytes_of(file_bytes);
        let footer = ReadFooter { file_bytes, limits, tail_bytes, needs_start: false };
        let budget = options.memory_budget().cloned();
        let file = OpenFile { footer, options };
        ReadPlan::for_length(file_bytes, budget.as_ref(), |input| async move { file.open(&input).await })
    }

    /// Reads the selected columns of one batch, and the dictionaries that they need.
    ///
    /// # Errors
    /// If the file has no such batch.
    pub fn plan_batch(&self, batch_idx: usize) -> Result<ReadPlan<BatchWithMetadata>> {
        ReadBatch::plan(self, batch_idx, |mut batch| {
            move |bytes: &mut ProvidedRanges| batch.with_metadata(bytes)
        })
    }

    /// Reads one batch without a plan if the file is in memory. Otherwise returns `None`.
    pub(super) fn batch_in_memory(&self, batch_idx: usize) -> Result<Option<BatchWithMetadata>> {
        if !self.is_in_memory() {
            return Ok(None);
        }
        let block = self.block(batch_idx)?;
        let mut bytes = self.provided();
        let read = ReadBatch { decoder: self.clone(), batch_idx, block }.with_metadata(&mut bytes);
        self.file.located(read)
    }

    /// Fetches one batch, and reads the dictionaries that it needs. Any thread can decode the fetched batch later. The
    /// errors of [`plan_batch`](FileDecoder::plan_batch) occur in the plan or in decoding.
    ///
    /// # Errors
    /// If the file has no such batch.
    pub fn plan_fetch(&self, batch_idx: usize) -> Result<ReadPlan<FetchedBatch>> {
        ReadBatch::plan(self, batch_idx, |mut batch| move |bytes: &mut ProvidedRanges| batch.fetched(bytes))
    }

    /// Reads these batches in order, and requests later batches before they are needed. Ignores indices of batches that
    /// the file does not have.
    pub fn prefetcher(&self, batches: Range<usize>) -> BatchPrefetcher {
        BatchPrefetcher::new(self, BatchRuns::from_range(batches.start..batches.end.min(self.n_batches())))
    }

    /// Like [`prefetcher`](FileDecoder::prefetcher), for batches that need not be neighbours. They are read in the order of
    /// the file, each once.
    pub fn prefetcher_for(&self, batches: impl IntoIterator<Item = usize>) -> BatchPrefetcher {
        BatchPrefetcher::new(self, BatchRuns::from_indices(batches, self.n_batches()))
    }

    /// Reads some rows of one batch, counted from its first row: the selected columns, and the dictionaries that they
    /// need. The result equals a [`slice`](arrow_data::RecordBatch::slice) of the batch. Other rows are not checked.
    ///
    /// The plan requests only the bytes that these rows need, where the layout of a column allows it. Bits and values
    /// of a fixed width are requested directly. Offsets, views, type ids and sizes are requested first, and then the
    /// values that they refer to. Run ends are searched for the needed runs, by binary search if they are uncompressed.
    /// Then the values of these runs are requested. For views, the plan reads each data buffer from the first to the
    /// last byte that these rows refer to. Compressed buffers are read and decompressed from their start to the last
    /// needed byte. Later bytes, and a checksum over a whole LZ4 frame, are not checked. Offsets and views that refer
    /// to bytes after skipped bytes are changed, so they are copied.
    ///
    /// The plan fails if the batch does not have all of these rows. An offset or index out of bounds is an error at every
    /// level of validation.
    ///
    /// # Errors
    /// If the file has no such batch.
    pub fn plan_batch_rows(&self, batch_idx: usize, rows: Range<u64>) -> Result<ReadPlan<BatchWithMetadata>> {
        ReadBatch::plan(self, batch_idx, |batch| {
            let mut rows = ReadRows::alone(batch, rows);
            move |bytes: &mut ProvidedRanges| rows.with_metadata(bytes)
        })
    }

    /// Reads rows of several batches, each as [`plan_batch_rows`](FileDecoder::plan_batch_rows) does. The plan requests the bytes
    /// of all batches at once. The result may have only the first batches of `parts`: as many as fit the number of bytes
    /// in the [options](ReadOptions::with_prefetch_bytes), and at least one.
    ///
    /// # Errors
    /// If the file does not have one of the batches.
    pub fn plan_rows_of_each(
        &self,
        parts: &[(usize, Range<u64>)],
    ) -> Result<ReadPlan<Vec<BatchWithMetadata>>> {
        let alone = |(batch_idx, rows): &(usize, Range<u64>)| {
            Ok((ReadRows::alone(ReadBatch::try_new(self, *batch_idx)?, rows.clone()), None))
        };
        let mut parts = parts.iter().map(alone).collect::<Result<_>>()?;
        let max_bytes = self.options().prefetch_bytes();
        Ok(self.plan_pass(move |bytes: &mut ProvidedRanges| rows_of_each(&mut parts, max_bytes, bytes)))
    }

    /// Finds the batches that have these rows, which are counted over all batches. Each item has the index of a batch and
    /// its rows, counted from the first row of this batch. If the footer has no [row counts](crate::RowCounts), the plan
    /// requests the metadata of all batches that have not been counted, at once. The plan fails if the file does not have all of these rows.
    pub fn plan_batches_of_rows(&self, rows: Range<u64>) -> ReadPlan<Vec<(usize, Range<u64>)>> {
        let decoder = self.clone();
        self.plan_pass(move |bytes: &mut ProvidedRanges| locate_rows(&decoder, &rows, bytes))
    }

    /// Reads the number of rows of one batch, which is in its metadata. If the metadata has not been read, and the footer
    /// has [row counts](crate::RowCounts), the plan returns the number in the footer and reads nothing.
    ///
    /// # Errors
    /// If the file has no such batch.
    pub fn plan_n_rows_of(&self, batch_idx: usize) -> Result<ReadPlan<u64>> {
        ReadBatch::plan(self, batch_idx, |batch| {
            // No overflow: the file has this batch.
            let batches = batch_idx..batch_idx + 1;
            move |bytes: &mut ProvidedRanges| sum_of_rows(&batch.decoder, batches.clone(), bytes)
        })
    }

    /// Reads the number of rows of each of these batches, like [`plan_n_rows_of`](FileDecoder::plan_n_rows_of). The plan requests
    /// the metadata of all these batches at once.
    ///
    /// # Errors
    /// If the file does not have one of these batches, or if the range ends before it starts.
    pub fn plan_n_rows_of_each(&self, batches: Range<usize>) -> Result<ReadPlan<Vec<u64>>> {
        let (Range { start, end }, n_batches) = (batches.clone(), self.n_batches());
        if start > end || end > n_batches {
            return Err(IpcErrorKind::NoSuchBatches { start, end, n_batches }.into());
        }
        let decoder = self.clone();
        Ok(self
            .plan_pass(move |bytes: &mut ProvidedRanges| rows_of_batches(&decoder, batches.clone(), bytes)))
    }

    /// Reads the number of rows in all batches. If the footer has [row counts](crate::RowCounts), the plan requests
    /// nothing. Otherwise it requests the metadata of all batches at once. If a stream ends with a message that is cut or
    /// malformed, the plan fails with its error.
    pub fn plan_n_rows(&self) -> ReadPlan<u64> {
        let decoder = self.clone();
        self.plan(|input| async move {
            decoder.check_end(&input).await?;
            input.pass(|bytes| sum_of_rows(&decoder, 0..decoder.n_batches(), bytes)).await
        })
    }

    /// Continues the walk over the messages of a stream from where it ended, in an input that has `input_bytes` bytes now.
    /// Of a file, this opens the file again. The result has the options, the columns and the memory of this decoder.
    ///
    /// # Errors
    /// If the input is shorter than the messages that were found.
    pub fn plan_refresh(&self, input_bytes: u64) -> Result<ReadPlan<FileDecoder>> {
        let Some(stream) = self.file.stream() else {
            let options = self.options().clone();
            let options = match &self.projection {
                Some(projection) => options.with_projection(Projection::clone(projection)),
                None => options,
            };
            return Ok(FileDecoder::plan_open_with(input_bytes, options));
        };
        let needed = stream.next.0;
        if input_bytes < needed {
            let what = "stream";
            return Err(FormatErrorKind::Truncated { what, needed, available: input_bytes }.into());
        }
        let base = self.file.base().cloned().filter(|base| base.end() <= input_bytes);
        if stream.end == StreamEnd::Marker {
            let decoder = self.clone();
            return Ok(self.plan(|_| async { Ok(decoder) }));
        }
        let walk = StreamWalk::after(input_bytes, self.walked_schema(stream), stream.next);
        let walk = walk.with_found(StreamBlocks::from_footer(&self.file.footer), stream.clone());
        let provided = ProvidedRanges::new(input_bytes, base, Arc::clone(self.message_decoder.counters()))
            .with_memory_budget(self.options().memory_budget());
        let before = self.dictionaries.clone();
        Ok(ReadPlan::new(provided, None, |input| async move {
            let walked = walk.finish(&input).await?;
            let decoder = FileDecoder::from_stream(walked, input_bytes, &input.lock());
            Ok(decoder.with_loaded_dictionaries_of(before.as_deref()))
        }))
    }

    /// Reads the message at which a stream ends, if it is cut or malformed. The plan then fails with the error that a
    /// sequential reader returns after the last batch. If the message can be read now, because a decoder was
    /// [reopened](FileDecoder::reopen_with) with greater limits, the plan fails, too. Of a file and of a complete stream, the
    /// plan requests nothing.
    pub fn plan_check_end(&self) -> ReadPlan<()> {
        let decoder = self.clone();
        self.plan(|input| async move { decoder.check_end(&input).await })
    }

    /// Fails with the error at which a stream ends, if there is one.
    async fn check_end(&self, input: &PlanInput) -> Result<()> {
        let incomplete = self.file.stream().filter(|stream| stream.end == StreamEnd::Incomplete);
        let Some(stream) = incomplete else { return Ok(()) };
        let next @ (position, index) = stream.next;
        StreamWalk::after(self.file.n_bytes, self.walked_schema(stream), next).advance(input).await?;
        // The walk of opening has ended here, under other limits. What follows has not been found.
        Err(IpcErrorKind::StreamContinues).in_message(index, position)
    }

    fn walked_schema(&self, messages: &StreamMessages) -> WalkedSchema {
        WalkedSchema {
            block: messages.schema,
            decoder: self.message_decoder.clone(),
            metadata: self.file.footer.metadata().clone(),
        }
    }

    /// Makes the index of a stream. The plan reads the prefix and the metadata of the first and the last message. It fails
    /// if the input is a file.
    pub fn plan_index(&self) -> ReadPlan<StreamIndex> {
        let file = Arc::clone(&self.file);
        self.plan(|input| async move { make_index(&file, &input).await })
    }

    /// Opens a stream of this length with its index. The plan requests the prefix and the metadata of the first and the
    /// last message, and of tensors. If the stream has no end marker, the plan also requests those of messages that were appended after it
    /// was indexed.
    ///
    /// The plan fails if the index belongs to another stream: if the length, or the checksum of one of these messages
    /// differs. Reading a batch fails if the index contradicts its message.
    pub fn plan_open_indexed_with(
        input_bytes: u64,
        index: &StreamIndex,
        options: ReadOptions,
    ) -> ReadPlan<FileDecoder> {
        let budget = options.memory_budget().cloned();
        let opening = OpenIndexed { index: index.clone(), input_bytes, options };
        ReadPlan::for_length(input_bytes, budget.as_ref(), |input| async move { opening.open(&input).await })
    }

    /// Reads the dictionaries that the selected columns need, unless they have been read. Plans for batches do this, too.
    /// Run this plan before you start several such plans, so that each dictionary is read only once. In a stream, the plan
    /// reads the dictionaries of the first batch: later batches may have others.
    pub fn plan_load_dictionaries(&self) -> ReadPlan<()> {
        let mut decoder = self.clone();
        let state = self.file.footer.batch(0).and_then(|first| self.dictionary_state(&first));
        let is_needed = self.n_batches() > 0 || self.container() == Container::File;
        self.plan_pass(move |bytes: &mut ProvidedRanges| {
            let is_loaded = !is_needed || decoder.load_dictionaries(state, bytes)?;
            Ok(is_loaded.then_some(()))
        })
    }

    /// Reads the first eight bytes of the file, and checks the magic in them. [`plan_open`](FileDecoder::plan_open) and other plans
    /// check these bytes if they are provided, but do not request them.
    pub fn plan_check_start(&self) -> ReadPlan<()> {
        if self.container() == Container::Stream {
            return self.plan(|_| async { Ok(()) });
        }
        self.plan(
            |input| async move { Footer::check_start(&input.take(0..START_BYTES).await?, FILE_OR_STREAM) },
        )
    }

    /// Reads and checks all dictionaries of the file, including those that no batch or selected column needs.
    pub fn plan_check_dictionaries(&self) -> ReadPlan<()> {
        let FileDecoder { file, message_decoder, dictionaries, .. } = self.with_all_dictionaries();
        self.plan(|input| async move {
            let Some(stream) = dictionaries else {
                let check = |bytes: &mut ProvidedRanges| dictionaries::check(&file, &message_decoder, bytes);
                return input.pass(|bytes| Ok(check(bytes)?.then_some(()))).await;
            };
            let mut receiver = DictionaryReceiver::new(&message_decoder);
            for (block_idx, block) in file.footer.dictionary_blocks().iter().enumerate() {
                let mut receive =
                    |bytes: &mut ProvidedRanges| receiver.receive(&file, block_idx, stream.bodies(), bytes);
                input.pass(|bytes| Ok(receive(bytes)?.then_some(()))).await?;
                input.lock().release(&block.range());
            }
            Ok(())
        })
    }

    /// Finds the bytes before the footer that none of its blocks has; `None` if there are none, or only up to 4 KiB of zeros and end
    /// markers, and older footers. Of a stream, and of a file that ends with its footer directly after the last block, the plan
    /// requests nothing. While a [`FileAppender`](crate::FileAppender) has not flushed, its bytes are not reported.
    ///
    /// The last file tells where it begins: its footer is as far after its start as its blocks say. So the plan requests few bytes,
    /// whatever the length of the files is: at most 4 KiB and a footer for each of the files, and once as many before the footer. Of
    /// more than 65 files, the result is the start of a later one.
    pub fn plan_unreferenced_bytes(&self) -> ReadPlan<Option<UnreferencedBytes>> {
        let is_file = self.container() == Container::File;
        let ends = is_file.then(|| FileEnds::from_footer(self.footer(), self.file.n_bytes));
        let limits = self.options().limits().clone();
        self.plan(|input| search(ends.unwrap_or_default(), limits, input))
    }

    /// Reads the id, the kind and the custom metadata of each dictionary message, in the order of the footer.
    pub fn plan_dictionaries(&self) -> ReadPlan<Vec<FileDictionary>> {
        let file = Arc::clone(&self.file);
        self.plan_pass(move |bytes: &mut ProvidedRanges| dictionaries::list(&file, bytes))
    }

    /// Reads the custom metadata of the schema message at the start of the file. The result is `None` if there is no
    /// schema message. This is not the [metadata of the footer](crate::file::Footer::metadata).
    pub fn plan_schema_message_metadata(&self) -> ReadPlan<Option<Metadata>> {
        let file = Arc::clone(&self.file);
        if self.container() == Container::Stream {
            // The footer of a stream is made of this message.
            return self.plan(|_| async move { Ok(Some(file.footer.metadata().clone())) });
        }
        let read = move |bytes: &mut ProvidedRanges| -> Result<Option<Option<Metadata>>> {
            let Some(found) = file.schema_message(bytes)? else { return Ok(None) };
            Ok(Some(found.map(|message| message.envelope().custom_metadata(&file.limits)).transpose()?))
        };
        self.plan_pass(move |bytes: &mut ProvidedRanges| read(bytes).at_byte(START_BYTES))
    }

    /// Makes an encoder that appends to this file. Write its output from its [`position`](FileEncoder::position) on,
    /// which is the next multiple of 8 after the last block. The output overwrites the old footer. The new footer lists
    /// the blocks of the file, and then the new blocks.
    ///
    /// The plan reads all dictionaries, whose values are not written again. Other values are added or refused, depending
    /// on the [`DictionaryPolicy`](crate::DictionaryPolicy) in the options. Version, alignment, compression and policy
    /// come from the options. Byte order and features come from the file. The custom metadata of the footer stays the
    /// same, unless the options [set other metadata](WriteOptions::with_footer_metadata).
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{FileReader, FileWriter, WriteOptions, file::PlanStep};
    /// use arrow_schema::DataType;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
    /// writer.write(&batch)?;
    /// let mut file = writer.finish()?;
    ///
    /// let reader = FileReader::try_from_buffer(Buffer::copy_from(&file))?;
    /// let mut plan = reader.decoder().plan_continue_writing(WriteOptions::new());
    /// // All bytes are in memory, so nothing is needed.
    /// let PlanStep::Ready(mut encoder) = plan.step()? else { panic!("no bytes are missing") };
    /// file.truncate(encoder.position() as usize);
    /// encoder.encode(&batch)?.write_to(&mut file)?;
    /// encoder.finish()?.write_to(&mut file)?;
    /// assert_eq!(FileReader::try_from_buffer(file.into())?.n_batches(), 2);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// The plan reads the metadata of the first and the last batch in the footer, and of the batch with the last position
    /// in the file. If the footer has [row counts](crate::RowCounts), the plan reads the metadata of all batches. Row
    /// counts of the file are updated, but not added: [the options](WriteOptions::with_row_counts) have no effect on them.
    /// [Statistics](FileEncoder::set_statistics) of the file stay in the footer until a batch is encoded.
    ///
    /// The plan fails if the metadata contradicts the footer, if a dictionary cannot be read, or if blocks overlap and have more
    /// bytes together than lie before the position of the encoder. It fails if a column has an unknown type, or the options do not
    /// fit the schema: see [`FileEncoder::try_new`]. It fails if the input is a stream.
    pub fn plan_continue_writing(&self, options: WriteOptions) -> ReadPlan<FileEncoder> {
        let decoder = self.with_all_dictionaries();
        self.plan_pass(move |bytes: &mut ProvidedRanges| encoder_to_append(&decoder, &options, bytes))
    }
}
