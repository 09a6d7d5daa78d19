//! Reads one record batch: its metadata, the dictionaries that it needs, and the selected columns of its body.

use std::{
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::{
    decoder::FileDecoder,
    estimate::BodyEstimate,
    fetched_batch::FetchedBatch,
    plan::{Pass, ReadPlan},
    provided_ranges::ProvidedRanges,
};
use crate::{
    batch::{
        Account, BatchDecoder, BatchWithMetadata, BodyBuffers, BodyBytes, BoundedRows, ChildSlots,
        DecodedRows, RowSource, RowState, RowTally,
    },
    compression::FrameRest,
    error::{BlockIndex, Context, IpcErrorKind, Result},
    file::footer::Block,
    frame::Body,
    message_decoder::MessageDecoder,
    options::Copies,
    source::LocatedBytes,
};
use arrow_ipc_format::{BatchView, length_of};

#[derive(Debug)]
pub(super) struct ReadBatch {
    pub(super) decoder: FileDecoder,
    pub(super) batch_idx: usize,
    pub(super) block: Block,
}

impl ReadBatch {
    /// # Errors
    /// If there is no such batch.
    pub(super) fn try_new(decoder: &FileDecoder, batch_idx: usize) -> Result<ReadBatch> {
        Ok(ReadBatch { decoder: decoder.clone(), batch_idx, block: decoder.block(batch_idx)? })
    }

    /// Makes a plan for a batch. Errors of the plan contain its block.
    ///
    /// # Errors
    /// If there is no such batch.
    pub(super) fn plan<T, P: Pass<T> + Send + 'static>(
        decoder: &FileDecoder,
        batch_idx: usize,
        pass: impl FnOnce(ReadBatch) -> P,
    ) -> Result<ReadPlan<T>> {
        let batch = ReadBatch::try_new(decoder, batch_idx)?;
        let position = batch.block.position();
        Ok(decoder.plan_pass(pass(batch)).about(BlockIndex::RecordBatch(batch_idx), position))
    }

    pub(super) fn in_block<T>(&self, result: Result<T>) -> Result<T> {
        result.in_block(BlockIndex::RecordBatch(self.batch_idx), self.block.position())
    }

    /// Adds the block to an error, or the message if the batch belongs to a stream.
    pub(super) fn located<T>(&self, result: Result<T>) -> Result<T> {
        self.decoder.file.located(self.in_block(result))
    }

    /// Fails if the lists of the message do not fit the columns.
    pub(super) fn batch_decoder<'a>(&'a self, message: &'a BatchView) -> Result<BatchDecoder<'a>> {
        let message_decoder = &self.decoder.message_decoder;
        message_decoder.batch_decoder(message)
    }

    /// The message of the batch. `None` if its metadata has not been provided.
    pub(super) fn message(&self, bytes: &mut ProvidedRanges) -> Result<Option<Arc<BatchView>>> {
        self.decoder.file.record_batch(BlockIndex::RecordBatch(self.batch_idx), &self.block, bytes)
    }

    /// Reads the selected columns of a batch. `account` may have charges for other columns. The returned account includes
    /// them.
    pub(super) fn read_charging(
        &mut self,
        message: &BatchView,
        bytes: &mut ProvidedRanges,
        account: Option<&Account>,
    ) -> Result<Option<(RecordBatch, Account)>> {
        let body = self.fetch(message, bytes)?;
        let has_dictionaries = self.load_dictionaries(bytes)?;
        let Some(body) = body else { return Ok(None) };
        if !has_dictionaries {
            return Ok(None);
        }
        let message_decoder = &self.decoder.message_decoder;
        let mut decoder = self.batch_decoder(message)?.with_account(account);
        let batch = decoder.record_batch(message_decoder.selection(), &body)?;
        Ok(Some((batch, decoder.into_account())))
    }

    /// Decodes the fetched bytes, or the buffers of `opened`. The dictionaries must have been loaded.
    pub(super) fn decode(
        &self,
        message: &BatchView,
        body: &Body,
        opened: Option<&BodyBuffers>,
    ) -> Result<BatchWithMetadata> {
        let message_decoder = &self.decoder.message_decoder;
        let mut decoder = self.batch_decoder(message)?.with_buffers(opened);
        let batch = decoder.record_batch(message_decoder.selection(), body)?;
        Ok(BatchWithMetadata { batch, metadata: message.custom_metadata().clone() })
    }

    /// Decompresses the buffers of all columns. Returns `None` if the body is not compressed.
    pub(super) fn open(&self, message: &BatchView, body: &Body) -> Result<Option<BodyBuffers>> {
        let message_decoder = &self.decoder.message_decoder;
        if !message_decoder.selects_all() {
            return Err(IpcErrorKind::NotAllColumns.into());
        }
        let decoder = self.batch_decoder(message)?;
        decoder.open_body(body)
    }

    /// Takes the ranges of the body that the selected columns need. Returns `None` if bytes are missing.
    pub(super) fn fetch(&self, message: &BatchView, bytes: &mut ProvidedRanges) -> Result<Option<Body>> {
        let decoder = self.batch_decoder(message)?;
        self.body(&decoder, bytes)
    }

    /// Loads the dictionaries. Their ranges are requested together with the ranges of the batch.
    pub(super) fn load_dictionaries(&mut self, bytes: &mut ProvidedRanges) -> Result<bool> {
        let state = self.decoder.dictionary_state(&self.block);
        self.decoder.load_dictionaries(state, bytes)
    }

    /// The ranges of the file that the selected columns need from the body.
    pub(super) fn needed_ranges(&self, message: &BatchView) -> Result<Vec<Range<u64>>> {
        let message_decoder = &self.decoder.message_decoder;
        if message_decoder.selects_all() {
            return Ok(vec![self.block.body_range()]);
        }
        let decoder = self.batch_decoder(message)?;
        let ranges = decoder.needed_ranges(message_decoder.selection())?;
        let position = self.block.body_position();
        // No overflow: the ranges lie inside the body, and the body inside the file.
        Ok(ranges.iter().map(|range| position + range.start()..position + range.end()).collect())
    }

    fn body(&self, decoder: &BatchDecoder<'_>, bytes: &mut ProvidedRanges) -> Result<Option<Body>> {
        let selection = self.decoder.message_decoder.selection();
        if self.decoder.message_decoder.selects_all() {
            return Ok(bytes.take(self.block.body_range()).map(Body::Whole));
        }
        if let Some(body) = bytes.find(&self.block.body_range()) {
            return Ok(Some(Body::Whole(body)));
        }
        let mut ranges = decoder.needed_ranges(selection)?;
        ranges.retain(|range| range.n_bytes() > 0);
        // `Body::Parts` requires the order by start, then by length.
        ranges.sort_unstable_by_key(|range| (range.start(), range.n_bytes()));
        // No overflow: the ranges lie inside the body, and the body inside the file.
        let position = self.block.body_position();
        let mut parts = Vec::with_capacity(ranges.len());
        for range in &ranges {
            let found = bytes.take(position + range.start()..position + range.end());
            parts.extend(found.map(|bytes| LocatedBytes { start: range.start(), bytes }));
        }
        Ok(Some(parts).filter(|parts| parts.len() == ranges.len()).map(Body::Parts))
    }

    /// Reads the batch, with its custom metadata.
    pub(super) fn with_metadata(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<BatchWithMetadata>> {
        let read = self.read(bytes);
        self.in_block(read)
    }

    fn read(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<BatchWithMetadata>> {
        let Some(message) = self.message_or_estimate(bytes, &mut None)? else {
            self.load_dictionaries(bytes)?;
            return Ok(None);
        };
        let read = self.read_charging(&message, bytes, None)?;
        Ok(read.map(|(batch, _)| BatchWithMetadata { batch, metadata: message.custom_metadata().clone() }))
    }

    /// Fetches the batch, and reads the dictionaries that it needs.
    pub(super) fn fetched(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<FetchedBatch>> {
        let mut fetch = || Ok((self.fetch_whole(bytes, &mut None)?, self.load_dictionaries(bytes)?));
        let fetched = fetch();
        let (fetched, is_loaded) = self.in_block(fetched)?;
        let batch = ReadBatch { decoder: self.decoder.clone(), ..*self };
        if !is_loaded {
            return Ok(None);
        }
        Ok(fetched.map(|fetched| FetchedBatch { batch, fetched: Ok(fetched) }))
    }

    /// Returns the message. If its metadata has not been provided, requests the metadata, and hints at the ranges of the
    /// body.
    fn message_or_estimate(
        &self,
        bytes: &mut ProvidedRanges,
        estimate: &mut Option<BodyEstimate>,
    ) -> Result<Option<Arc<BatchView>>> {
        let message = self.message(bytes)?;
        if message.is_none() {
            estimate
                .get_or_insert_with(|| BodyEstimate::new(&self.decoder, self.batch_idx))
                .request(self, bytes);
        }
        Ok(message)
    }

    /// Returns the message, and the ranges of the body that the selected columns need. Returns `None` if bytes are
    /// missing.
    pub(super) fn fetch_whole(
        &self,
        bytes: &mut ProvidedRanges,
        estimate: &mut Option<BodyEstimate>,
    ) -> Result<Option<(Arc<BatchView>, Body)>> {
        let Some(message) = self.message_or_estimate(bytes, estimate)? else { return Ok(None) };
        Ok(self.fetch(&message, bytes)?.map(|body| (message, body)))
    }
}

#[derive(Debug)]
pub(super) struct ReadRows {
    pub(super) batch: ReadBatch,
    pub(super) rows: Range<u64>,
    /// The state after earlier rows of the batch.
    pub(super) state: RowState,
    /// Whether later rows will be read, and whether each started frame is decompressed to its end.
    pub(super) frame_rest: FrameRest,
    /// The charges for other columns of the batch.
    pub(super) account: Option<Account>,
    /// The greatest number of decompressed bytes that the rows may need.
    pub(super) max_bytes: Option<u64>,
    pub(super) slots: ChildSlots,
}

/// Requested ranges begin at multiples of this number, so that values are aligned in memory.
const ALIGNMENT: u64 = 8;

/// The minimum and maximum number of bytes of a compressed buffer to read at once. They cost as much as 20 and 200
/// requests, but are at least 1 MiB.
fn piece_bytes(message_decoder: &MessageDecoder) -> RangeInclusive<u64> {
    const LEAST: u64 = 1 << 20;
    let cost = message_decoder.options().known_fetch_cost();
    let of_requests = |n: u64| cost.n_bytes_per_request().saturating_mul(n).max(LEAST);
    of_requests(20)..=of_requests(200)
}

struct LocatedBody<'a> {
    provided: &'a mut ProvidedRanges,
    position: u64,
    /// Ranges to release after all columns have taken their bytes, since columns may share bytes.
    released: Vec<Range<u64>>,
}

/// Converts a range of a body to a range of the file. Moves its start back to an aligned position, and returns the
/// distance.
fn aligned_in_file(range: Range<u64>, position: u64) -> (Range<u64>, u64) {
    // No overflow: the ranges lie inside the body, and the body inside the file.
    let (start, end) = (position + range.start, position + range.end);
    (start - start % ALIGNMENT..end, start % ALIGNMENT)
}

impl BodyBytes for LocatedBody<'_> {
    fn take(&mut self, range: Range<u64>) -> Option<Buffer> {
        if range.is_empty() {
            return Some(Buffer::new());
        }
        let (range, unused) = aligned_in_file(range, self.position);
        let n_bytes = length_of(&range) - unused;
        self.provided.take(range)?.try_slice(unused, n_bytes).ok()
    }

    fn release(&mut self, range: Range<u64>) {
        self.released.push(aligned_in_file(range, self.position).0);
    }
}

impl ReadRows {
    /// Reads only these rows of a batch.
    pub(super) fn alone(batch: ReadBatch, rows: Range<u64>) -> ReadRows {
        let state = RowState::default();
        let slots = ChildSlots::OfRows;
        ReadRows {
            batch,
            rows,
            state,
            frame_rest: FrameRest::Unneeded,
            account: None,
            max_bytes: None,
            slots,
        }
    }

    fn read(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<(BoundedRows, Metadata)>> {
        let Some(message) = self.batch.message(bytes)? else {
            self.batch.load_dictionaries(bytes)?;
            return Ok(None);
        };
        let metadata = message.custom_metadata().clone();
        if self.batch.decoder.message_decoder.options().copies == Copies::Refused {
            // The rows share the memory of the whole batch.
            let read = self.batch.read_charging(&message, bytes, self.account.as_ref())?;
            self.state.tally = RowTally::for_all();
            let Some((batch, account)) = read else { return Ok(None) };
            let batch = slice(&batch, self.rows.clone())?;
            return Ok(Some((
                BoundedRows::Read(Box::new(DecodedRows { batch, account, n_bytes: 0 })),
                metadata,
            )));
        }
        if self.rows == (0..message.n_rows()) {
            let read = self.batch.read_charging(&message, bytes, self.account.as_ref())?;
            self.state.tally = RowTally::for_all();
            return Ok(read.map(|(batch, account)| {
                (BoundedRows::Read(Box::new(DecodedRows { batch, account, n_bytes: 0 })), metadata)
            }));
        }
        let position = self.batch.block.body_position();
        let mut body = LocatedBody { provided: bytes, position, released: Vec::new() };
        let rows = self.take(&message, &mut body)?;
        body.released.into_iter().for_each(|range| bytes.release(&range));
        Ok(rows.map(|found| (found, metadata)))
    }

    /// Takes the rows from a body; `None` if bytes are missing.
    fn take(&mut self, message: &BatchView, body: &mut LocatedBody<'_>) -> Result<Option<BoundedRows>> {
        let has_dictionaries = self.batch.load_dictionaries(body.provided)?;
        let message_decoder = &self.batch.decoder.message_decoder;
        // After the last rows of the batch, no rows follow.
        let is_last = self.frame_rest == FrameRest::Needed && self.rows.end == message.n_rows();
        let source = RowSource {
            bytes: body,
            state: &mut self.state,
            frame_rest: if is_last { FrameRest::Checked } else { self.frame_rest },
            piece_bytes: piece_bytes(message_decoder),
            has_dictionaries,
            max_bytes: self.max_bytes,
            slots: self.slots,
        };
        let decoder = self.batch.batch_decoder(message)?.with_account(self.account.as_ref());
        source.rows(decoder, message_decoder.selection(), self.rows.clone())
    }

    /// Reads the rows, with the custom metadata of the batch.
    pub(super) fn with_metadata(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<BatchWithMetadata>> {
        let read = self.read(bytes);
        let Some((found, metadata)) = self.batch.in_block(read)? else { return Ok(None) };
        Ok(Some(BatchWithMetadata { batch: found.unbounded()?.batch, metadata }))
    }

    /// Reads the rows, with the state for further rows.
    pub(super) fn with_state(
        &mut self,
        bytes: &mut ProvidedRanges,
    ) -> Result<Option<(BoundedRows, RowState)>> {
        let read = self.read(bytes);
        let read = self.batch.in_block(read)?;
        Ok(read.map(|(found, _)| {
            if matches!(found, BoundedRows::Read(_)) {
                self.state.drop_windows();
            }
            (found, std::mem::take(&mut self.state))
        }))
    }
}

/// Some rows of a batch, which share its memory.
///
/// # Errors
/// If the batch does not have these rows.
pub(super) fn slice(batch: &RecordBatch, rows: Range<u64>) -> Result<RecordBatch> {
    let n_rows = batch.n_rows() as u64;
    let Range { start, end } = rows;
    let found = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match found {
        Some((first, after)) if start <= end && end <= n_rows => Ok(batch.slice(first, after - first)),
        Some(_) | None => Err(IpcErrorKind::NoSuchRows { start, end, n_rows }.into()),
    }
}
