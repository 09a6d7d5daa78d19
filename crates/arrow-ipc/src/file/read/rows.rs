//! Rows counted over all batches of a file: their number, and the batches that have them.

use std::{fs::File, iter::FusedIterator, ops::Range, vec};

use arrow_data::RecordBatch;

use super::{
    ahead::ReadAhead, batch::ReadRows, decoder::FileDecoder, plan::Work, provided::Provided,
    reader::FileReader,
};
use crate::{
    error::{BlockIndex, Context, IpcErrorKind, Result},
    limits::Limits,
    source::Source,
    stream::BatchWithMetadata,
};

/// Some rows of a file, batch by batch; see [`FileReader::rows`]. Shares the file with its reader.
#[derive(Debug)]
pub struct FileRows<S = File> {
    parts: vec::IntoIter<(usize, Range<u64>)>,
    ahead: ReadAhead<S>,
}

impl<S: Source> FileReader<S> {
    /// Rows of the file, counted over all batches in the order of the footer. Each item has the rows of one batch, which
    /// are read when the item is taken, as by [`batch_rows`](FileReader::batch_rows). Batches without any of the rows are
    /// skipped. Whole batches are fetched together with others, as by [`batches`](FileReader::batches).
    ///
    /// The [row counts](crate::RowCounts) in the footer tell which batches have the rows. Without them, the metadata of
    /// all batches is read.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// for batch in file.rows(1_000_000..1_000_010)? {
    ///     println!("{:?}", batch?);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the file does not have these rows, or metadata cannot be read or is malformed.
    pub fn rows(&self, rows: Range<u64>) -> Result<FileRows<S>> {
        let parts = self.run(self.decoder().batches_of_rows(rows))?.into_iter();
        Ok(FileRows { parts, ahead: self.read_ahead() })
    }

    /// Rows of several batches, each as [`batch_rows`](FileReader::batch_rows) gives them; what all of them need is fetched together.
    /// These are the first ones: as many as need about as many bytes as the options
    /// [say](crate::ReadOptions::with_read_ahead_bytes), and at least one.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// let (wanted, mut n_read) = ([(0, 7..8), (3, 0..10), (900, 2..3)], 0);
    /// while n_read < wanted.len() {
    ///     for batch in file.rows_of_each(&wanted[n_read..])? {
    ///         println!("{batch:?}");
    ///         n_read += 1;
    ///     }
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// As [`batch_rows`](FileReader::batch_rows) of any of them.
    pub fn rows_of_each(&self, parts: &[(usize, Range<u64>)]) -> Result<Vec<RecordBatch>> {
        let read = self.run(self.decoder().rows_of_each(parts)?)?;
        Ok(read.into_iter().map(|read| read.batch).collect())
    }
}

impl<S: Source> FileRows<S> {
    /// Rows of one batch. The rows are contiguous, so those from the first row of a batch on are the whole batch, unless
    /// it is the last one with any.
    fn read(&mut self, batch_idx: usize, rows: Range<u64>) -> Result<RecordBatch> {
        match self.parts.as_slice().last() {
            Some((last, _)) if rows.start == 0 => {
                let end = (*last).max(batch_idx.saturating_add(1));
                Ok(self.ahead.next_of(batch_idx..end).read()?.batch)
            }
            Some(_) | None => self.ahead.reader().batch_rows(batch_idx, rows),
        }
    }
}

impl<S: Source> Iterator for FileRows<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.parts.next().map(|(batch_idx, rows)| self.read(batch_idx, rows))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl<S: Source> ExactSizeIterator for FileRows<S> {}

impl<S: Source> FusedIterator for FileRows<S> {}

impl FileDecoder {
    /// The number of rows of a batch: from its metadata if that is there, else from the footer; `None` if neither has it,
    /// and the metadata has been asked for.
    fn known_rows(&self, batch_idx: usize, bytes: &mut Provided) -> Result<Option<u64>> {
        let FileDecoder { file, session } = self;
        let Some(block) = file.footer.batch(batch_idx) else { return Ok(Some(0)) };
        let is_here = file.kept_batch(batch_idx).is_some() || bytes.find(&block.metadata_range()).is_some();
        if !is_here && let Some(claimed) = file.footer.n_rows_of(batch_idx) {
            return Ok(Some(claimed));
        }
        let index = BlockIndex::RecordBatch(batch_idx);
        let message = file.record_batch(index, &block, bytes, session.options().limits());
        Ok(message.in_block(index, block.position())?.map(|message| message.n_rows()))
    }
}

/// Counts the rows of some batches.
#[derive(Debug)]
pub(super) struct CountRows {
    pub(super) decoder: FileDecoder,
    pub(super) batches: Range<usize>,
}

impl Work<u64> for CountRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<u64>> {
        let mut sum = 0u64;
        let is_complete = self.each(bytes, |batch_idx, n_rows| {
            sum = self.decoder.add_rows(sum, n_rows, batch_idx)?;
            Ok(())
        })?;
        Ok(is_complete.then_some(sum))
    }
}

impl Work<Vec<u64>> for CountRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<u64>>> {
        let mut found = Vec::new();
        let is_complete = self.each(bytes, |_, n_rows| {
            found.push(n_rows);
            Ok(())
        })?;
        Ok(is_complete.then_some(found))
    }
}

impl CountRows {
    /// Calls `count` with the number of rows of each batch; returns whether all are known. Missing metadata is requested at
    /// once.
    fn each(&self, bytes: &mut Provided, mut count: impl FnMut(usize, u64) -> Result<()>) -> Result<bool> {
        let mut is_complete = true;
        for batch_idx in self.batches.clone() {
            match self.decoder.known_rows(batch_idx, bytes)? {
                Some(n_rows) => count(batch_idx, n_rows)?,
                None => is_complete = false,
            }
        }
        Ok(is_complete)
    }
}

impl FileDecoder {
    /// Adds rows up to the largest number that the format can express, also for several batches.
    fn add_rows(&self, sum: u64, n_rows: u64, batch_idx: usize) -> Result<u64> {
        // Larger sums are over the limit anyway.
        let sum = sum.saturating_add(n_rows);
        let position = self.file.footer.batch(batch_idx).map_or(0, |block| block.position());
        Limits::check("rows of several batches", sum, i64::MAX.unsigned_abs())
            .in_block(BlockIndex::RecordBatch(batch_idx), position)?;
        Ok(sum)
    }
}

/// Finds the batches that have the wanted rows.
#[derive(Debug)]
pub(super) struct LocateRows {
    pub(super) decoder: FileDecoder,
    pub(super) rows: Range<u64>,
}

impl Work<Vec<(usize, Range<u64>)>> for LocateRows {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<(usize, Range<u64>)>>> {
        let Range { start, end } = self.rows;
        let (mut parts, mut n_rows, mut is_complete) = (Vec::new(), 0u64, true);
        for batch_idx in 0..self.decoder.n_batches() {
            if is_complete && n_rows >= end && start <= end {
                break;
            }
            let Some(n_batch_rows) = self.decoder.known_rows(batch_idx, bytes)? else {
                // All that may be needed is asked for at once.
                is_complete = false;
                continue;
            };
            let next = self.decoder.add_rows(n_rows, n_batch_rows, batch_idx)?;
            let rows = start.max(n_rows)..end.min(next);
            if !rows.is_empty() {
                parts.push((batch_idx, rows.start.saturating_sub(n_rows)..rows.end.saturating_sub(n_rows)));
            }
            n_rows = next;
        }
        if !is_complete {
            return Ok(None);
        }
        if start > end || end > n_rows {
            return Err(IpcErrorKind::NoSuchFileRows { start, end, n_rows }.into());
        }
        Ok(Some(parts))
    }
}

/// Reads rows of several batches, as many of the first as fit.
#[derive(Debug)]
pub(super) struct RowsOfEach {
    parts: Vec<(ReadRows, Option<BatchWithMetadata>)>,
    /// How many bytes are requested at once; perhaps more of the last part.
    max_bytes: u64,
}

impl RowsOfEach {
    pub(super) fn new(rows: Vec<ReadRows>, max_bytes: u64) -> RowsOfEach {
        RowsOfEach { parts: rows.into_iter().map(|rows| (rows, None)).collect(), max_bytes }
    }
}

impl Work<Vec<BatchWithMetadata>> for RowsOfEach {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Vec<BatchWithMetadata>>> {
        let mut n_parts = 0usize;
        for (rows, read) in &mut self.parts {
            if read.is_none() {
                *read = rows.advance(bytes)?;
            }
            n_parts = n_parts.saturating_add(1);
            if bytes.n_needed_bytes() > self.max_bytes {
                break;
            }
        }
        self.parts.truncate(n_parts);
        if self.parts.iter().any(|(_, read)| read.is_none()) {
            return Ok(None);
        }
        Ok(Some(self.parts.drain(..).filter_map(|(_, read)| read).collect()))
    }
}
