//! One batch, some columns after others, so that no more is in memory.

use std::{fs::File, iter::FusedIterator, ops::Range};

use arrow_data::RecordBatch;

use super::{
    batch::ReadBatch,
    decoder::FileDecoder,
    plan::{ReadPlan, Work},
    provided::Provided,
    reader::FileReader,
};
use crate::{
    batch::Account,
    error::{BlockIndex, Context, Result},
    message::BatchMessage,
    source::Source,
};

/// The columns of one batch, some after others; see [`FileReader::columns_of`].
#[derive(Debug)]
pub struct BatchColumns<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    max_bytes: u64,
    /// `None` at the end and after an error.
    next: Option<Begun>,
}

/// Which column is next, and what the batch has been charged for those before it.
#[derive(Debug, Clone, Default)]
struct Begun {
    from: usize,
    account: Option<Account>,
}

impl<S: Source> FileReader<S> {
    /// One batch, some of the selected columns after others: as many at once as have so many bytes of the file together, those of
    /// compressed columns counted eight times, and at least one. Each item is a batch of all rows with the columns that come next;
    /// of a batch without columns there is one. The bytes of columns are fetched when they are taken.
    ///
    /// All of them together are held to the limits of one batch, and checked like it. If the batch is invalid, the error is that of the
    /// first columns with one, which need not be the one that [`batch`](FileReader::batch) gives.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// for columns in file.columns_of(0, 16 << 20)? {
    ///     println!("{}", columns?.schema());
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn columns_of(&self, batch_idx: usize, max_bytes: u64) -> Result<BatchColumns<S>> {
        self.decoder().block(batch_idx)?;
        Ok(BatchColumns { reader: self.clone(), batch_idx, max_bytes, next: Some(Begun::default()) })
    }
}

impl<S: Source> BatchColumns<S> {
    fn read(&self, begun: Begun) -> Result<(RecordBatch, Begun)> {
        let plan = self.reader.decoder().columns_from(self.batch_idx, begun, self.max_bytes)?;
        self.reader.run(plan)
    }
}

impl<S: Source> Iterator for BatchColumns<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        let begun = self.next.take()?;
        let read = self.read(begun);
        let read = read.map(|(batch, begun)| {
            let n_columns = self.reader.schema().fields().len();
            self.next = Some(begun).filter(|begun| begun.from < n_columns);
            batch
        });
        Some(read)
    }
}

impl<S: Source> FusedIterator for BatchColumns<S> {}

impl FileDecoder {
    fn columns_from(
        &self,
        batch_idx: usize,
        begun: Begun,
        max_bytes: u64,
    ) -> Result<ReadPlan<(RecordBatch, Begun)>> {
        let block = self.block(batch_idx)?;
        let batch = ReadBatch { decoder: self.clone(), batch_idx, block };
        let plan = ReadPlan::of_file(self, ReadColumns { batch, begun, max_bytes });
        Ok(plan.about(BlockIndex::RecordBatch(batch_idx), block.position()))
    }

    /// The same with some of the selected columns.
    fn part(&self, columns: Range<usize>) -> Result<FileDecoder> {
        Ok(FileDecoder { file: self.file.clone(), session: self.session.part(columns)? })
    }
}

/// Reads some columns of a batch.
#[derive(Debug)]
struct ReadColumns {
    batch: ReadBatch,
    begun: Begun,
    max_bytes: u64,
}

impl ReadColumns {
    fn read(&self, bytes: &mut Provided) -> Result<Option<(RecordBatch, Begun)>> {
        let ReadBatch { decoder, batch_idx, block } = &self.batch;
        let Some(message) = self.batch.message(bytes)? else { return Ok(None) };
        let Begun { from, account } = &self.begun;
        let end = self.end(&message)?;
        let part = ReadBatch { decoder: decoder.part(*from..end)?, batch_idx: *batch_idx, block: *block };
        let read = part.read_charging(&message, bytes, account.as_ref())?;
        Ok(read.map(|(batch, account)| (batch, Begun { from: end, account: Some(account) })))
    }

    /// Where the columns end that are read together.
    fn end(&self, message: &BatchMessage) -> Result<usize> {
        const COMPRESSED_TIMES: u64 = 8;
        let session = &self.batch.decoder.session;
        let lists = message.lists(session.options().limits())?;
        let n_times = if lists.compression().is_some() { COMPRESSED_TIMES } else { 1 };
        let decoder = session.batch_decoder(lists)?;
        let (mut end, mut n_bytes) = (self.begun.from, 0u64);
        for root in session.selection().roots().iter().skip(self.begun.from) {
            let ranges = decoder.ranges_of(root.ranges(&session.columns().batch))?;
            let n_column = ranges.iter().fold(0, |sum: u64, range| sum.saturating_add(range.n_bytes()));
            n_bytes = n_bytes.saturating_add(n_column.saturating_mul(n_times));
            if n_bytes > self.max_bytes && end > self.begun.from {
                break;
            }
            end = end.saturating_add(1);
        }
        Ok(end)
    }
}

impl Work<(RecordBatch, Begun)> for ReadColumns {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<(RecordBatch, Begun)>> {
        let ReadBatch { batch_idx, block, .. } = &self.batch;
        self.read(bytes).in_block(BlockIndex::RecordBatch(*batch_idx), block.position())
    }
}
