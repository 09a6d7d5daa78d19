//! The iterators of a file reader over batches, rows, and parts of a batch.

use std::ops::Range;

use arrow_data::RecordBatch;

#[cfg(feature = "rayon")]
use super::parallel::ParBatches;
use super::{
    batches::{Batches, FileRows},
    file_prefetch::FilePrefetcher,
    reader::FileReader,
    row_batches::BatchParts,
};
use crate::{error::Result, source::Source};

impl<S: Source> FileReader<S> {
    /// Iterates over all batches, in the order of the footer. Each batch is decoded when the iterator returns it.
    /// Several batches are fetched together, up to the number of bytes in the
    /// [options](crate::ReadOptions::with_prefetch_bytes). By default, only small batches are fetched together.
    /// Batches that were fetched together share memory, which is released when the last of them is dropped. If a stream ends
    /// with a message that is cut or malformed, its error is the last item.
    pub fn batches(&self) -> Batches<S> {
        Batches::for_all(self.clone(), self.decoder().options().prefetch_bytes())
    }

    /// Reads batches in order, and fetches several batches together, up to the number of bytes in the
    /// [options](crate::ReadOptions::with_prefetch_bytes). If requests take long, a file of a thousand batches is read
    /// in a few round trips. Any thread can decode the fetched batches.
    ///
    /// [`batches`](FileReader::batches) does this for all batches.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("people.arrow")?;
    /// let (mut prefetcher, n_batches) = (file.prefetcher(), file.n_batches());
    /// for batch_idx in 0..n_batches {
    ///     let next = prefetcher.next_of(batch_idx..n_batches);
    ///     println!("{:?}", next.read()?.batch);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    pub fn prefetcher(&self) -> FilePrefetcher<S> {
        FilePrefetcher::new(self.clone(), self.decoder().options().prefetch_bytes())
    }

    /// Iterates over rows of the file, counted over all batches in the order of the footer. Each item has the rows of
    /// one batch. It is read when the iterator returns it, like with [`batch_rows`](FileReader::batch_rows). Batches
    /// without any of the rows are skipped. Whole batches are fetched together, like with
    /// [`batches`](FileReader::batches).
    ///
    /// The [row counts](crate::RowCounts) in the footer show which batches have the rows. Without row counts, reads the
    /// metadata of all batches. They are counted once.
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
    /// If the file does not have all of these rows, or metadata cannot be read or is malformed.
    pub fn rows(&self, rows: Range<u64>) -> Result<FileRows<S>> {
        let parts = self.run(self.decoder().plan_batches_of_rows(rows))?.into_iter();
        Ok(FileRows { parts, prefetcher: self.prefetcher() })
    }

    /// Reads rows of several batches, as [`batch_rows`](FileReader::batch_rows) does for one batch. Fetches the bytes of
    /// all batches together. May return only the first batches of `parts`: as many as fit the number of bytes in the
    /// [options](crate::ReadOptions::with_prefetch_bytes), and at least one.
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
    /// The errors of [`batch_rows`](FileReader::batch_rows), for any of the batches.
    pub fn rows_of_each(&self, parts: &[(usize, Range<u64>)]) -> Result<Vec<RecordBatch>> {
        let read = self.run(self.decoder().plan_rows_of_each(parts)?)?;
        Ok(read.into_iter().map(|read| read.batch).collect())
    }

    /// Reads rows of one batch in parts, to save memory. A part has at least one row. Its rows have about `max_bytes`
    /// decompressed bytes, and at most four times as many, unless the part is a single row.
    /// [`by_columns`](BatchParts::by_columns) also divides the columns, so that several threads can read them.
    ///
    /// If parts are read in order, each compressed buffer is decompressed only once. Between two parts, the window of
    /// each compressed buffer stays in memory if it has at most 8 MiB. The memory budget is charged for these windows.
    ///
    /// Rows of views, list views, dense unions and runs may share values, or refer to values in another order. If parts
    /// would therefore read more than twice the bytes of the batch, all remaining rows become one part, which is in
    /// memory as a whole. This is rare, since most writers store values in the order of the rows.
    ///
    /// The limits of one batch apply to all parts together. The last part of a whole batch also checks bytes to which no
    /// row refers. So if no part is an error, [`batch`](FileReader::batch) does not return an error either. If the batch
    /// is invalid, the parts and [`batch`](FileReader::batch) may return different errors. A batch without rows has one
    /// part.
    ///
    /// The first part is an error if the batch does not have all of these rows, or its metadata cannot be read or is
    /// malformed.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// for rows in file.parts_of(0, 0..file.n_rows_of(0)?, 8 << 20)? {
    ///     println!("{:?}", rows?);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If the file has no such batch.
    pub fn parts_of(&self, batch_idx: usize, rows: Range<u64>, max_bytes: u64) -> Result<BatchParts<S>> {
        BatchParts::try_new(self, batch_idx, rows, max_bytes)
    }

    /// Reads, decompresses and checks all batches with the threads of `rayon`. Each item is the result of
    /// [`batch`](FileReader::batch). Collected items are in the order of the footer. The dictionaries of the selected
    /// columns are read first. Each thread prefetches in its part of the file. All threads together prefetch up to the
    /// number of bytes in the [options](crate::ReadOptions::with_prefetch_bytes). If the system refuses threads, the
    /// calling thread reads all batches.
    ///
    /// Needs the feature `rayon`.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    /// use rayon::iter::ParallelIterator;
    ///
    /// let file = FileReader::open("people.arrow")?;
    /// let n_rows: Vec<usize> = file.par_batches().map(|batch| Ok(batch?.n_rows())).collect::<arrow_ipc::Result<_>>()?;
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn par_batches(
        &self,
    ) -> impl rayon::iter::IndexedParallelIterator<Item = Result<RecordBatch>> + use<S>
    where
        S: 'static,
    {
        // Loads the dictionaries once, not in each thread. An error here is ignored: the batches that need the dictionary
        // return it.
        drop(self.load_dictionaries());
        ParBatches { reader: self.clone() }
    }
}

impl<S: Source> IntoIterator for FileReader<S> {
    type Item = Result<RecordBatch>;
    type IntoIter = Batches<S>;

    fn into_iter(self) -> Batches<S> {
        self.batches()
    }
}

impl<S: Source> IntoIterator for &FileReader<S> {
    type Item = Result<RecordBatch>;
    type IntoIter = Batches<S>;

    fn into_iter(self) -> Batches<S> {
        self.batches()
    }
}
