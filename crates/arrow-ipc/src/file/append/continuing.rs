//! Plans to append batches after the last block of a file.

use crate::{
    error::{BlockIndex, Context, IpcErrorKind, Result},
    file::{
        FILE,
        read::{FileDecoder, FileState, ProvidedRanges, ReadPlan, load, read_schema_message},
        write::FileEncoder,
    },
    options::WriteOptions,
};
use arrow_ipc_format::Container;

impl FileDecoder {
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
        self.plan_pass(move |bytes: &mut ProvidedRanges| decoder.encoder(&options, bytes))
    }

    fn encoder(&self, options: &WriteOptions, bytes: &mut ProvidedRanges) -> Result<Option<FileEncoder>> {
        let FileDecoder { file, message_decoder, .. } = self;
        let found = self.container();
        if found != Container::File {
            return Err(IpcErrorKind::WrongContainer { expected: FILE, found }.into());
        }
        let end = end_of_messages(file, bytes);
        let is_checked = check_batches(file, bytes)?;
        let is_loaded = load(file, message_decoder, bytes)?;
        let Some(end) = end else { return Ok(None) };
        // Bytes after the last block are overwritten. Without them, there may be too little room for blocks that overlap.
        file.footer.check_overlap(end)?;
        if !is_loaded || !is_checked {
            return Ok(None);
        }
        let mut encoder = FileEncoder::continuing(&file.footer, end, options.clone())?;
        for (dictionary, values) in message_decoder.loaded_dictionaries() {
            encoder.register_dictionary(dictionary, values)?;
        }
        Ok(Some(encoder))
    }
}

/// Compares batches with the footer. Returns `false` if bytes are missing. If the footer belonged to another file, new
/// bytes would overwrite data. So this compares the first batch, the last batch, and the batch with the last position.
/// If the footer has row counts, this compares all batches, since the counts are written again.
fn check_batches(file: &FileState, bytes: &mut ProvidedRanges) -> Result<bool> {
    let batches = file.footer.batches();
    let last = batches.len().saturating_sub(1);
    // A block in the footer may end too early, so the last batch is found by its position, which is compared with the
    // message.
    let lies_last = batches.iter().enumerate().max_by_key(|(_, block)| (block.position(), block.end()));
    let ends = [0, last, lies_last.map_or(last, |(batch_idx, _)| batch_idx)];
    let is_meant = |batch_idx: usize| file.footer.batch_row_counts().is_some() || ends.contains(&batch_idx);
    let mut is_complete = true;
    for (batch_idx, block) in batches.iter().enumerate().filter(|(batch_idx, _)| is_meant(*batch_idx)) {
        let index = BlockIndex::RecordBatch(batch_idx);
        let message = file.record_batch(index, block, bytes).in_block(index, block.position())?;
        is_complete &= message.is_some();
    }
    Ok(is_complete)
}

/// The position after the last block. Without blocks, this is the position after the schema message. Without a schema
/// message, it is the position of the footer: Polars writes no schema message into a file without blocks.
fn end_of_messages(file: &FileState, bytes: &mut ProvidedRanges) -> Option<u64> {
    let footer = &file.footer;
    let blocks = footer.dictionary_blocks().iter().chain(footer.batch_blocks().iter());
    if let Some(end) = blocks.map(|block| block.end()).max() {
        return Some(end);
    }
    let position = footer.position();
    let found = read_schema_message(file, bytes).unwrap_or(Some(None))?;
    let end = found.and_then(|message| message.body_position().checked_add(message.n_body_bytes()));
    Some(end.filter(|end| *end <= position).unwrap_or(position))
}
