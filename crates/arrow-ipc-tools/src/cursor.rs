//! The selected rows of an input, batch by batch: of a file, of streams, of large batches.

use arrow_data::RecordBatch;
use arrow_ipc::IpcError;

use crate::{
    ahead::{InWindows, WantedBatch, WantedBatches},
    columns::Selection,
    error::{ToolError, ToolErrorKind},
    large::{SpooledBatch, StreamPlace},
    name::InputName,
    row_window::RowWindow,
    rows::Rows,
    streams::{Part, Streams},
};

/// Reads the selected rows of an input, batch by batch. [`Rows::select`] gives one.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileWriter, WriteOptions};
/// use arrow_ipc_tools::{Input, RowWindow, Rows, Selection};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..9).into())])?;
/// let file = FileWriter::to_buffer(batch.schema(), &[batch.clone(), batch.clone()], WriteOptions::new())?;
/// let mut rows = Rows::open(Input::try_from_buffer("file", file)?)?;
/// let mut cursor = rows.select(&"file".into(), &Selection::default(), RowWindow::of(7..11));
/// let mut found = Vec::new();
/// while let Some(batch) = cursor.next_batch(&mut rows)? {
///     for rows in batch.in_windows() {
///         found.push(rows?.n_rows());
///     }
/// }
/// assert_eq!(found, [2, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowCursor {
    name: InputName,
    /// The batches of a file; `None` for streams.
    batches: Option<WantedBatches>,
    /// The rows of streams that are still wanted.
    window: RowWindow,
}

/// A batch of an input, and its selected rows.
#[derive(Debug)]
pub enum BatchAtHand {
    /// A part of a stream without selected rows.
    Skipped,
    /// The selected rows of a batch, in memory.
    Read(RecordBatch),
    /// A batch that is read by position: of a file, or a large one of a stream.
    Stored(Box<StoredBatch>),
}

/// A batch that is read by position, and its selected rows.
#[derive(Debug)]
pub struct StoredBatch {
    wanted: WantedBatch,
    place: BatchPlace,
}

/// Where a batch is: the number of a batch of a file, or a stream.
#[derive(Debug)]
enum BatchPlace {
    File(InputName, usize),
    Stream(StreamPlace),
}

/// The selected rows of a batch. A large batch gives them in windows, any other batch at once.
#[derive(Debug)]
pub struct RowsInWindows {
    /// Rows that are in memory.
    read: Option<RecordBatch>,
    stored: Option<Box<(InWindows, BatchPlace)>>,
}

impl Rows {
    /// Begins to read these rows of the input with this name. Large batches are read in windows. With a condition, all rows are
    /// read, except those of batches in which no row matches.
    pub fn select(&mut self, name: &InputName, selection: &Selection, window: RowWindow) -> RowCursor {
        let window = if selection.has_condition() { RowWindow::ALL } else { window };
        let batches = match self {
            Rows::File { reader, .. } => Some(window.of_file(reader).skipping(selection)),
            Rows::Streams(streams) => {
                streams.keep_large_batches_apart();
                None
            }
        };
        RowCursor { name: name.clone(), batches, window }
    }
}

impl RowCursor {
    /// The next batch of the same input with selected rows, or what a stream has between them; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next_batch(&mut self, rows: &mut Rows) -> Result<Option<BatchAtHand>, ToolError> {
        match (rows, &mut self.batches) {
            (Rows::Streams(streams), _) => next_of_streams(streams, &mut self.window),
            (Rows::File { .. }, None) => Ok(None),
            (Rows::File { .. }, Some(batches)) => {
                let place = |batch_idx| BatchPlace::File(self.name.clone(), batch_idx);
                match batches.next() {
                    None => Ok(None),
                    Some(Err((batch_idx, error))) => Err(place(batch_idx).failed(error)),
                    Some(Ok(wanted)) => {
                        let place = place(wanted.batch_idx());
                        Ok(Some(BatchAtHand::Stored(Box::new(StoredBatch { wanted, place }))))
                    }
                }
            }
        }
    }

    /// The window of selected rows that have not been returned yet.
    pub fn window(&self) -> RowWindow {
        self.batches.as_ref().map_or(self.window, WantedBatches::window)
    }

    /// The number of rows in the batches that were skipped between the last two returned batches.
    pub fn n_rows_skipped(&self) -> u64 {
        self.batches.as_ref().map_or(0, WantedBatches::n_rows_skipped)
    }

    /// The amount of the input that has been read, in the unit of [`Rows::work`].
    pub fn n_done(&self, rows: &Rows) -> u64 {
        match (rows, &self.batches) {
            (Rows::Streams(streams), _) => streams.n_done(),
            (Rows::File { .. }, batches) => batches.as_ref().map_or(0, |batches| batches.n_done() as u64),
        }
    }
}

fn next_of_streams(streams: &mut Streams, window: &mut RowWindow) -> Result<Option<BatchAtHand>, ToolError> {
    if window.is_done() {
        return Ok(None);
    }
    let Some(part) = streams.next_part()? else { return Ok(None) };
    let batch = match part {
        Part::Batch(batch, _) => window.take(batch).map(BatchAtHand::Read),
        Part::Large(batch) => batch.select(window)?.map(|batch| BatchAtHand::Stored(Box::new(batch))),
        Part::Dictionary { .. } | Part::Tensor(..) => None,
    };
    Ok(Some(batch.unwrap_or(BatchAtHand::Skipped)))
}

impl SpooledBatch {
    /// The selected rows of the batch, if there are any.
    ///
    /// # Errors
    /// If the batch has many bytes but claims to have no rows.
    pub fn select(self, window: &mut RowWindow) -> Result<Option<StoredBatch>, ToolError> {
        let mut batches = window.of_file(self.reader());
        let next = batches.next().transpose();
        *window = batches.window();
        let wanted = next.map_err(|(_, error)| self.failed(error))?;
        Ok(wanted.map(|wanted| StoredBatch { wanted, place: BatchPlace::Stream(self.into_place()) }))
    }
}

impl BatchAtHand {
    /// The selected rows: at once, or in windows if the batch is large.
    pub fn in_windows(self) -> RowsInWindows {
        match self {
            BatchAtHand::Skipped => RowsInWindows { read: None, stored: None },
            BatchAtHand::Read(rows) => RowsInWindows { read: Some(rows), stored: None },
            BatchAtHand::Stored(batch) => batch.in_windows(),
        }
    }
}

impl StoredBatch {
    pub(crate) fn wanted(&self) -> &WantedBatch {
        &self.wanted
    }

    /// The error of the batch.
    pub(crate) fn failed(&self, error: IpcError) -> ToolError {
        self.place.failed(error)
    }

    /// The selected rows: at once, or in windows if the batch is large.
    pub fn in_windows(self) -> RowsInWindows {
        RowsInWindows { read: None, stored: Some(Box::new((self.wanted.in_windows(), self.place))) }
    }
}

impl BatchPlace {
    fn failed(&self, error: IpcError) -> ToolError {
        match self {
            BatchPlace::File(name, batch_idx) => {
                ToolError::new(name.clone(), ToolErrorKind::Batch { batch_idx: *batch_idx, error })
            }
            BatchPlace::Stream(place) => place.failed(error),
        }
    }
}

impl RowsInWindows {
    /// How many rows of a large batch have not been read.
    pub(crate) fn n_rows_left(&self) -> u64 {
        self.stored.as_ref().map_or(0, |stored| stored.0.n_rows_left())
    }
}

impl Iterator for RowsInWindows {
    type Item = Result<RecordBatch, ToolError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ToolError>> {
        if let Some(rows) = self.read.take() {
            return Some(Ok(rows));
        }
        let (windows, place) = &mut **self.stored.as_mut()?;
        windows.next().map(|rows| rows.map_err(|error| place.failed(error)))
    }
}
