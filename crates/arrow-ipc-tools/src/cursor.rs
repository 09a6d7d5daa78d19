//! Reads the selected rows of an input, batch by batch. The input may be a file or streams.

use arrow_data::RecordBatch;
use arrow_ipc::{BatchWithMetadata, IpcError, Source};
use arrow_schema::Metadata;
use arrow_select::Select;

use crate::{
    columns::{RowQuery, Selection},
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    rows::{
        Rows,
        prefetch::{BatchWindows, SelectedBatch, SelectedBatches},
        row_window::RowWindow,
    },
};
pub use crate::{
    input::stream::SpooledBatch,
    rows::{
        accumulator::WaitingRows,
        prefetch::BatchCounts,
        streams::{StreamItem, Streams},
    },
};

/// Reads the rows of an input that match a condition and are in a [`RowWindow`]. Large batches are read some rows at
/// a time. With a condition, the window counts only matching rows. All batches are then read, except batches in which
/// no row can match.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::FileWriter;
/// use arrow_ipc_tools::{Input, RowQuery, RowWindow, cursor::RowCursor};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..9).into())])?;
/// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone(), batch.clone()])?;
/// let input = Input::try_from_buffer("file", file)?;
/// let mut cursor = RowCursor::open(input, &RowQuery::new(), RowWindow::from_rows(7..11))?;
/// let mut found = Vec::new();
/// while cursor.next_batch()? {
///     while let Some((rows, _)) = cursor.next_rows()? {
///         found.push(rows.n_rows());
///     }
/// }
/// assert_eq!(found, [2, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// use arrow_select::Select;
#[derive(Debug)]
pub struct RowCursor {
    name: InputName,
    rows: Rows,
    selection: Selection,
    /// The batches of the file; `None` for streams.
    batches: Option<SelectedBatches>,
    /// The rows that are still to be returned, counted among all rows, or with a condition, among the matching rows.
    window: RowWindow,
    next_row: u64,
    n_batches: u64,
    state: CursorState,
    /// The custom metadata of the last batch that was in memory.
    metadata: Metadata,
}

/// Row numbers of consecutive slots of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowNumbers {
    /// Consecutive numbers that begin with this number.
    From(u64),
    /// One number for each row.
    Each(Vec<u64>),
}

/// The selected rows of the current batch that are still to be returned.
#[derive(Debug)]
enum CursorState {
    Nothing,
    /// Rows in memory, with the custom metadata of their message.
    Read(BatchWithMetadata),
    /// A batch that is read by position. It is not read yet.
    Stored(Box<StoredBatch>),
    /// The unread rows of a batch that is read by position. A large batch is read in windows, any other batch at once.
    Windows(Box<(BatchWindows, BatchLocation)>),
}

/// A batch that is read by position, and its selected rows: a batch of a file, or a large batch of a stream.
#[derive(Debug)]
pub(crate) struct StoredBatch {
    pub(crate) selected: SelectedBatch,
    location: BatchLocation,
}

/// Names the batch in errors.
#[derive(Debug)]
enum BatchLocation {
    File(InputName, usize),
    Stream(SpooledBatch),
}

impl RowCursor {
    /// Opens an input to read the columns of a query. `window` selects among the rows that match its condition.
    ///
    /// # Errors
    /// The errors of [`Rows::open_selected`].
    pub fn open(input: Input, query: &RowQuery, window: RowWindow) -> Result<RowCursor, ToolError> {
        let name = input.name().clone();
        let (rows, selection) = Rows::open_selected(input, query)?;
        Ok(RowCursor::new(name, rows, selection, window))
    }

    /// Like [`open`](RowCursor::open), to read a few rows: see [`Rows::open_by_position`].
    ///
    /// # Errors
    /// The errors of [`Rows::open_selected`].
    pub fn open_by_position(
        input: Input,
        query: &RowQuery,
        window: RowWindow,
    ) -> Result<RowCursor, ToolError> {
        let name = input.name().clone();
        let (rows, selection) = Rows::open_by_position(input, query)?;
        Ok(RowCursor::new(name, rows, selection, window))
    }

    /// Reads an opened input. Errors have the name `name`.
    pub fn new(name: InputName, rows: Rows, selection: Selection, window: RowWindow) -> RowCursor {
        let batches = None;
        let state = CursorState::Nothing;
        let (next_row, n_batches, metadata) = (0, 0, Metadata::new());
        let mut cursor =
            RowCursor { name, rows, selection, batches, window, next_row, n_batches, state, metadata };
        cursor.restart(window);
        cursor
    }

    /// Starts again with another window. Streams continue at their current positions.
    pub fn restart(&mut self, window: RowWindow) {
        // With a condition, all batches are read, because the window counts matching rows.
        let (file_window, window) = if self.selection.has_condition() {
            (RowWindow::ALL, window.with_matches_as_unit())
        } else {
            (window, window)
        };
        self.batches = match &mut self.rows {
            Rows::File { reader } => Some(file_window.batches_in(reader).with_skipped(&self.selection)),
            Rows::Streams(streams) => {
                streams.spool_large_batches();
                None
            }
        };
        self.window = window;
        self.state = CursorState::Nothing;
    }

    /// Gives the first row the number `next_row` instead of 0. Without a condition, only rows in the window are
    /// numbered.
    #[must_use]
    pub fn with_first_row(self, next_row: u64) -> RowCursor {
        RowCursor { next_row, ..self }
    }

    /// The name that errors of this cursor have.
    pub fn name(&self) -> &InputName {
        &self.name
    }

    /// The opened input, as a file or as streams.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Which columns and rows of the input are read.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Moves to the next batch with selected rows. In a stream, the cursor may also stop at a dictionary or tensor,
    /// which has no rows. Returns `false` at the end of the input, or after all selected rows have been returned.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next_batch(&mut self) -> Result<bool, ToolError> {
        self.state = CursorState::Nothing;
        if self.has_all_matches() {
            return Ok(false);
        }
        let has_condition = self.selection.has_condition();
        let next = match (&mut self.rows, &mut self.batches) {
            (Rows::Streams(streams), _) => {
                let mut all = RowWindow::ALL;
                next_of_streams(streams, if has_condition { &mut all } else { &mut self.window })?
            }
            (Rows::File { .. }, None) => None,
            (Rows::File { .. }, Some(batches)) => {
                let next = batches.next();
                self.next_row = self.next_row.saturating_add(batches.n_rows_skipped());
                if !has_condition {
                    self.window = batches.window();
                }
                next.transpose().in_input(&self.name)?.map(|selected| {
                    let location = BatchLocation::File(self.name.clone(), selected.batch_idx());
                    CursorState::Stored(Box::new(StoredBatch { selected, location }))
                })
            }
        };
        let Some(next) = next else { return Ok(false) };
        self.n_batches = self.n_batches.saturating_add(u64::from(!matches!(next, CursorState::Nothing)));
        self.state = next;
        Ok(true)
    }

    /// Whether there is a condition, and all selected rows that match have been returned.
    fn has_all_matches(&self) -> bool {
        self.selection.has_condition() && self.window.is_done()
    }

    /// The next selected rows of the current batch, with all columns that were read, and their numbers. A large batch is returned in several calls, which may each return
    /// no rows. `None` after the last rows of the batch, or after all selected rows have been returned.
    ///
    /// # Errors
    /// If the rows cannot be read, or there is not enough memory for the matching rows.
    pub fn next_rows(&mut self) -> Result<Option<(RecordBatch, RowNumbers)>, ToolError> {
        if self.has_all_matches() {
            return Ok(None);
        }
        let Some(rows) = self.next_read()? else { return Ok(None) };
        let first = self.next_row;
        self.next_row = first.saturating_add(rows.n_rows() as u64);
        let Some(matching) = self.selection.matching(&rows).in_input(&self.name)? else {
            return Ok(Some((rows, RowNumbers::From(first))));
        };
        let selected = self.window.advance(matching.count_set() as u64);
        let [start, end] =
            [selected.start, selected.end].map(|nth| usize::try_from(nth).unwrap_or(usize::MAX));
        let slots: Vec<u64> = matching.iter_set().take(end).skip(start).map(|slot| slot as u64).collect();
        let rows = rows.take(&slots).map_err(ToolErrorKind::Select).in_input(&self.name)?;
        let numbers = slots.into_iter().map(|slot| first.saturating_add(slot)).collect();
        Ok(Some((rows, RowNumbers::Each(numbers))))
    }

    /// The next rows of the batch, before the condition is applied.
    ///
    /// # Errors
    /// If the rows cannot be read.
    pub(crate) fn next_read(&mut self) -> Result<Option<RecordBatch>, ToolError> {
        let mut windows = match std::mem::replace(&mut self.state, CursorState::Nothing) {
            CursorState::Nothing => return Ok(None),
            CursorState::Read(read) => {
                self.metadata = read.metadata;
                return Ok(Some(read.batch));
            }
            CursorState::Stored(batch) => Box::new((batch.selected.in_windows(), batch.location)),
            CursorState::Windows(windows) => windows,
        };
        let rows = windows.0.next().transpose().map_err(|error| windows.1.failed(error));
        self.state = CursorState::Windows(windows);
        rows
    }

    /// The custom metadata of the message of the current batch, after its first rows were returned.
    ///
    /// # Errors
    /// If the metadata of a large batch cannot be read.
    #[cfg(feature = "text")]
    pub(crate) fn metadata(&self) -> Result<Metadata, ToolError> {
        match &self.state {
            CursorState::Windows(windows) => match &windows.1 {
                BatchLocation::Stream(batch) => Ok(batch.metadata().clone()),
                location @ BatchLocation::File(..) => {
                    windows.0.metadata().map_err(|error| location.failed(error))
                }
            },
            CursorState::Nothing | CursorState::Read(_) | CursorState::Stored(_) => Ok(self.metadata.clone()),
        }
    }

    /// The current batch, if it is read by position and not read yet.
    pub(crate) fn stored(&self) -> Option<&StoredBatch> {
        if let CursorState::Stored(batch) = &self.state { Some(batch) } else { None }
    }

    /// Takes the current batch, if it is a large batch of a stream and all of its rows are selected; otherwise
    /// `None`. The condition is not applied to its rows.
    pub fn take_large(&mut self) -> Option<(SpooledBatch, RowNumbers)> {
        let is_large = |batch: &StoredBatch| {
            batch.selected.is_whole() && matches!(batch.location, BatchLocation::Stream(_))
        };
        if !self.stored().is_some_and(is_large) {
            return None;
        }
        let CursorState::Stored(batch) = std::mem::replace(&mut self.state, CursorState::Nothing) else {
            return None;
        };
        let BatchLocation::Stream(large) = batch.location else { return None };
        let first = self.next_row;
        self.next_row = first.saturating_add(large.n_rows());
        Some((large, RowNumbers::From(first)))
    }

    /// The number of rows of the current batch that are still to be read; 0 if no row has been read.
    pub(crate) fn n_rows_left(&self) -> u64 {
        if let CursorState::Windows(windows) = &self.state { windows.0.n_rows_left() } else { 0 }
    }

    /// The number of batches with selected rows so far.
    pub(crate) fn n_batches(&self) -> u64 {
        self.n_batches
    }

    /// The number that the next returned row gets.
    pub fn next_row(&self) -> u64 {
        self.next_row
    }

    /// The selected rows that are still to be returned.
    pub fn window(&self) -> RowWindow {
        self.window
    }

    /// How much of the input has been read, in the unit of [`Rows::work`].
    pub fn n_done(&self) -> u64 {
        match (&self.rows, &self.batches) {
            (Rows::Streams(streams), _) => streams.n_done(),
            (Rows::File { .. }, batches) => batches.as_ref().map_or(0, |batches| batches.n_done() as u64),
        }
    }

    /// The number of bytes that have been read from streams; for a file, its whole length.
    ///
    /// # Errors
    /// If the length of a file is unknown.
    pub fn n_bytes(&self) -> Result<u64, ToolError> {
        match &self.rows {
            Rows::Streams(streams) => Ok(streams.n_bytes_consumed()),
            Rows::File { reader } => reader.source().n_bytes().in_input(&self.name),
        }
    }
}

fn next_of_streams(streams: &mut Streams, window: &mut RowWindow) -> Result<Option<CursorState>, ToolError> {
    if window.is_done() {
        return Ok(None);
    }
    let Some(item) = streams.next_item()? else { return Ok(None) };
    let batch = match item {
        StreamItem::Batch(BatchWithMetadata { batch, metadata, .. }) => {
            let selected = window.take(batch);
            selected.map(|batch| CursorState::Read(BatchWithMetadata::new(batch, metadata)))
        }
        StreamItem::Large(batch) => batch.select(window)?.map(|batch| CursorState::Stored(Box::new(batch))),
        StreamItem::Dictionary { .. } | StreamItem::Tensor(..) => None,
    };
    Ok(Some(batch.unwrap_or(CursorState::Nothing)))
}

impl SpooledBatch {
    /// Narrows the batch to the rows in `window`, and moves `window` past the batch; `None` if no row is selected.
    fn select(self, window: &mut RowWindow) -> Result<Option<StoredBatch>, ToolError> {
        let mut batches = window.batches_in(self.reader());
        let next = batches.next().transpose();
        *window = batches.window();
        let selected = next.map_err(|kind| self.refused(kind))?;
        Ok(selected.map(|selected| StoredBatch { selected, location: BatchLocation::Stream(self) }))
    }

    /// Reads the rows of the batch after the first `n_rows` rows, in windows.
    ///
    /// # Errors
    /// If the batch declares zero rows, and reading it fails.
    pub fn rows_after(
        self,
        n_rows: u64,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, ToolError>>, ToolError> {
        let selected = self.select(&mut RowWindow::new(n_rows, None))?;
        let windows = selected.into_iter().flat_map(|StoredBatch { selected, location }| {
            selected.in_windows().map(move |rows| rows.map_err(|error| location.failed(error)))
        });
        Ok(windows)
    }
}

impl RowNumbers {
    /// The number of the row in slot `slot` of the batch. `u64::MAX` if out of bounds.
    pub fn at(&self, slot: usize) -> u64 {
        match self {
            RowNumbers::From(first) => first.saturating_add(slot as u64),
            RowNumbers::Each(numbers) => numbers.get(slot).copied().unwrap_or(u64::MAX),
        }
    }

    /// The numbers without the first `n_rows`, each increased by `n_more`.
    #[must_use]
    pub fn after(self, n_rows: u64, n_more: u64) -> RowNumbers {
        match self {
            RowNumbers::From(first) => RowNumbers::From(first.saturating_add(n_rows).saturating_add(n_more)),
            RowNumbers::Each(numbers) => {
                let left = numbers.into_iter().skip(usize::try_from(n_rows).unwrap_or(usize::MAX));
                RowNumbers::Each(left.map(|row| row.saturating_add(n_more)).collect())
            }
        }
    }
}

impl StoredBatch {
    pub(crate) fn failed(&self, error: IpcError) -> ToolError {
        self.location.failed(error)
    }
}

impl BatchLocation {
    fn failed(&self, error: IpcError) -> ToolError {
        match self {
            BatchLocation::File(name, batch_idx) => {
                ToolError::new(name, ToolErrorKind::Batch { batch_idx: *batch_idx, error })
            }
            BatchLocation::Stream(batch) => batch.failed(error),
        }
    }
}
