//! Rows of one batch, some after others.

use std::{fs::File, ops::Range};

use arrow_data::RecordBatch;

use super::{
    batch::{ReadBatch, ReadRows},
    decoder::FileDecoder,
    plan::{ReadPlan, Work},
    provided::Provided,
    reader::FileReader,
};
use crate::{
    batch::{Account, CompressedBuffers},
    compression::Then,
    error::{BlockIndex, Result},
    source::Source,
};

/// Rows of one batch, some after others; see [`FileReader::rows_of`].
#[derive(Debug)]
pub struct BatchRows<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    /// How far its buffers have been decompressed.
    compressed: CompressedBuffers,
}

impl<S: Source> FileReader<S> {
    /// Rows of one batch, some after others: each time what [`batch_rows`](FileReader::batch_rows) gives. Of a compressed batch each buffer is
    /// decompressed once, if rows are read in their order: it goes on where it stopped. So a large batch can be read in the memory of
    /// a few rows; and of the window of the codec for each buffer, if that has at most 8 MiB, which a memory budget is charged for too.
    ///
    /// With the last rows of the batch, each frame that was begun is decompressed to its end and checked: checksums, its length, and
    /// that nothing follows it. Buffers that no row refers to are not read.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// let (mut rows, n_rows) = (file.rows_of(0)?, file.n_rows_of(0)?);
    /// for start in (0..n_rows).step_by(1_000) {
    ///     println!("{:?}", rows.read(start..n_rows.min(start + 1_000))?);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn rows_of(&self, batch_idx: usize) -> Result<BatchRows<S>> {
        self.decoder().block(batch_idx)?;
        Ok(BatchRows { reader: self.clone(), batch_idx, compressed: CompressedBuffers::new() })
    }
}

impl<S: Source> BatchRows<S> {
    /// These rows, counted from the first of the batch.
    ///
    /// # Errors
    /// As [`FileReader::batch_rows`]. What is read after an error is read from the beginning.
    pub fn read(&mut self, rows: Range<u64>) -> Result<RecordBatch> {
        let compressed = std::mem::take(&mut self.compressed);
        let plan = self.reader.decoder().window((self.batch_idx, rows), compressed, None)?;
        let window = self.reader.run(plan)?;
        self.compressed = window.compressed;
        Ok(window.batch)
    }
}

/// Reads rows, and gives what was decompressed to those that come after.
#[derive(Debug)]
struct ReadWindow(ReadRows);

/// Rows of a batch, and what the next ones need.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) batch: RecordBatch,
    /// How far its buffers have been decompressed.
    pub(super) compressed: CompressedBuffers,
    /// What the batch has been charged.
    pub(super) account: Account,
}

impl Work<Window> for ReadWindow {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Window>> {
        let read = self.0.advance_charging(bytes)?;
        Ok(read.map(|(found, account)| {
            let mut compressed = std::mem::take(&mut self.0.compressed);
            compressed.values_mut().for_each(|buffer| buffer.drop_window());
            Window { batch: found.batch, compressed, account }
        }))
    }
}

impl FileDecoder {
    /// Reads rows of a batch that has been charged for other columns, after those for which these buffers were begun.
    pub(super) fn window(
        &self,
        (batch_idx, rows): (usize, Range<u64>),
        compressed: CompressedBuffers,
        account: Option<Account>,
    ) -> Result<ReadPlan<Window>> {
        let block = self.block(batch_idx)?;
        let batch = ReadBatch { decoder: self.clone(), batch_idx, block };
        let work = ReadWindow(ReadRows { batch, rows, compressed, then: Then::GoOn, account });
        let plan = ReadPlan::of_file(self, work);
        Ok(plan.about(BlockIndex::RecordBatch(batch_idx), block.position()))
    }
}
