//! One of the two inputs, read batch by batch.

use std::{collections::VecDeque, sync::Arc};

use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, Digits};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, Field, FieldPath, Metadata, Schema};

use super::options::DiffOptions;
use crate::{
    columns::{ColumnNames, RowQuery},
    cursor::RowCursor,
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    observer::{Note, NoteKind, Unit},
    rows::{Rows, prefetch::BatchCounts, row_window::RowWindow},
};

/// One input of the comparison, and the position up to which its rows have been compared.
#[derive(Debug)]
pub(super) struct SideRows {
    cursor: RowCursor,
    batch: Option<RecordBatch>,
    /// The first row that has not been compared, counted from the start of the current batch. May be past the end of
    /// the batch, in `upcoming`.
    start: usize,
    /// Batches after the current one that were already read, to search for shifts.
    upcoming: VecDeque<RecordBatch>,
    /// The error that reading a batch after `upcoming` has returned.
    failure: Option<ToolError>,
    /// The input and its query, to open the input again; `None` if it is read only once.
    reopened: Option<(Input, RowQuery)>,
    wider: Option<WiderColumns>,
}

/// Columns that are compared in a wider type.
#[derive(Debug)]
struct WiderColumns {
    /// The casts, each with the position of its column.
    casts: Vec<(usize, Cast)>,
    /// Casts of fields inside columns, each with the path of its field. The results are columns after all others.
    added: Vec<(FieldPath, Cast)>,
    /// The schema after the casts.
    schema: Arc<Schema>,
}

impl SideRows {
    /// Opens an input and reads its schema.
    ///
    /// # Errors
    /// If the input cannot be read, or lacks a column.
    pub(super) fn open(input: Input, options: &DiffOptions) -> Result<SideRows, ToolError> {
        match &options.key {
            None => SideRows::open_rows(input, &options.query, options.rows),
            Some(key) => SideRows::open_twice(input, options.query.clone().with_first(key)),
        }
    }

    fn open_twice(input: Input, query: RowQuery) -> Result<SideRows, ToolError> {
        let [input, reopened] = input.twice()?;
        let side = SideRows::open_rows(input, &query, RowWindow::ALL)?;
        Ok(SideRows { reopened: Some((reopened, query)), ..side })
    }

    fn open_rows(input: Input, query: &RowQuery, window: RowWindow) -> Result<SideRows, ToolError> {
        let name = input.name().clone();
        let (rows, selection) = Rows::open_selected(input, query)?;
        Ok(SideRows {
            cursor: RowCursor::new(name, rows, selection, window),
            batch: None,
            start: 0,
            upcoming: VecDeque::new(),
            failure: None,
            reopened: None,
            wider: None,
        })
    }

    /// Opens the same input again, with only these columns. This side must have been opened with a key.
    ///
    /// # Errors
    /// If the input cannot be read, or lacks a column.
    pub(super) fn columns(&mut self, columns: &ColumnNames) -> Result<SideRows, ToolError> {
        let (input, query) = self.take_reopened()?;
        SideRows::open_twice(input, query.with_columns(columns.clone()))
    }

    /// Starts reading again, at `row` if rows can be skipped without reading them, otherwise at row 0. Returns the
    /// row at which reading starts. This side must have been opened with a key.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn restart(&mut self, row: u64) -> Result<u64, ToolError> {
        if self.can_skip() {
            self.cursor.restart(RowWindow::new(row, None));
            self.batch = None;
            self.start = 0;
            return Ok(row);
        }
        let (input, query) = self.take_reopened()?;
        let wider = self.wider.take();
        *self = SideRows { wider, ..SideRows::open_twice(input, query)? };
        Ok(0)
    }

    /// Whether rows can be skipped without reading them.
    pub(super) fn can_skip(&self) -> bool {
        !self.has_condition() && self.cursor.rows().reader().is_some()
    }

    fn has_condition(&self) -> bool {
        self.cursor.selection().has_condition()
    }

    fn take_reopened(&mut self) -> Result<(Input, RowQuery), ToolError> {
        let (input, query) = self.reopened.take().ok_or_else(|| self.past_end(0, 0))?;
        let [input, reopened] = input.twice()?;
        self.reopened = Some((reopened, query.clone()));
        Ok((input, query))
    }

    /// The error for a row that the first pass has read, but the second pass does not find.
    pub(super) fn past_end(&self, row: u64, n_rows: u64) -> ToolError {
        let kind = ToolErrorKind::PastEnd { what: "row", index: row, count: n_rows };
        ToolError::new(self.name(), kind)
    }

    pub(super) fn name(&self) -> &InputName {
        self.cursor.name()
    }

    pub(super) fn schema(&self) -> &Arc<Schema> {
        self.wider.as_ref().map_or_else(|| self.own_schema(), |wider| &wider.schema)
    }

    fn own_schema(&self) -> &Arc<Schema> {
        self.cursor.selection().schema(self.cursor.rows().schema())
    }

    /// Casts columns, by position, to the types in which they are compared. Call this before rows are read. A value that a cast
    /// would change, such as 2⁵³ + 1 as a floating-point number, is an error: it could equal another value afterwards.
    pub(super) fn widen<'a>(&mut self, columns: impl IntoIterator<Item = (usize, &'a DataType)>) {
        let mut fields = self.own_schema().fields().to_vec();
        let mut casts = Vec::new();
        for (position, data_type) in columns {
            if let Some(field) = fields.get_mut(position) {
                *field = field.clone().with_data_type(data_type.clone());
                casts.push((position, Cast::new(data_type.clone(), Digits::Keep)));
            }
        }
        if !casts.is_empty() {
            let schema = Schema::new(fields).with_metadata(self.own_schema().metadata().clone());
            self.wider = Some(WiderColumns { casts, added: Vec::new(), schema: Arc::new(schema) });
        }
    }

    /// Adds a column with the values of `field`, cast to its type. `path` is where they are inside a column. Returns the
    /// path of the new column. Call this before rows are read, and after [`widen`](SideRows::widen), whose rules apply.
    pub(super) fn add_widened(&mut self, path: FieldPath, field: &Field) -> FieldPath {
        let before = Arc::clone(self.schema());
        let position = u32::try_from(before.fields().len()).unwrap_or(u32::MAX);
        let fields = before.fields().iter().chain([field]).cloned().collect::<Vec<Field>>();
        let schema = Arc::new(Schema::new(fields).with_metadata(before.metadata().clone()));
        let (casts, mut added) = self.wider.take().map_or_else(Default::default, |of| (of.casts, of.added));
        added.push((path, Cast::new(field.data_type().clone(), Digits::Keep)));
        self.wider = Some(WiderColumns { casts, added, schema });
        FieldPath::root().child(position, field.to_shared_name())
    }

    fn widened(&self, rows: RecordBatch) -> Result<RecordBatch, ToolErrorKind> {
        let Some(WiderColumns { casts, added, schema }) = &self.wider else { return Ok(rows) };
        let budget = MemoryBudget::new(MemoryBudget::default_limit(rows.n_bytes()));
        let mut columns = rows.columns().to_vec();
        let widened = |position: usize, cast: &Cast, column: &ArrayData| {
            cast.array(column, &budget).map_err(|error| {
                let column = schema.fields().get(position).map_or("", Field::name).to_owned();
                ToolErrorKind::Cast { batch_idx: None, column, error }
            })
        };
        for (position, cast) in casts {
            if let Some(column) = columns.get_mut(*position) {
                *column = widened(*position, cast, column)?;
            }
        }
        for (path, cast) in added {
            let column = rows.at_path(path).map_err(ToolErrorKind::Path)?;
            columns.push(widened(columns.len(), cast, &column)?);
        }
        RecordBatch::try_new_with_rows(Arc::clone(schema), columns, rows.n_rows())
            .map_err(|error| ToolErrorKind::Values(error.into()))
    }

    /// The path to the field that the query returns as column `position`.
    pub(super) fn path_of(&self, position: usize, field: &Field) -> FieldPath {
        self.cursor.selection().path_of(position, field)
    }

    /// The path of each column of the query, relative to the columns that are read.
    pub(super) fn shown_paths(&self) -> impl Iterator<Item = FieldPath> {
        let fields = self.own_schema().fields().iter().enumerate();
        fields.map(|(position, field)| self.path_of(position, field))
    }

    /// The metadata of the whole file or stream.
    pub(super) fn metadata(&self) -> &Metadata {
        self.cursor.rows().metadata()
    }

    /// The current batch, and the position of its first row that has not been compared; `None` at the end.
    pub(super) fn current(&self) -> Option<(&RecordBatch, usize)> {
        self.batch.as_ref().map(|batch| (batch, self.start))
    }

    /// The number of rows of the current batch that are still to be compared.
    pub(super) fn n_rows(&self) -> usize {
        self.current().map_or(0, |(batch, start)| batch.n_rows().saturating_sub(start))
    }

    /// Marks the next `n_rows` rows as compared.
    pub(super) fn advance(&mut self, n_rows: usize) {
        self.start = self.start.saturating_add(n_rows);
    }

    /// Reads the next batch with rows, if the current batch has no more rows. `n_rows` is 0 afterwards only at the
    /// end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn fill(&mut self) -> Result<(), ToolError> {
        while self.n_rows() == 0 {
            let n_rows = self.batch.take().map_or(0, |batch| batch.n_rows());
            self.start = self.start.saturating_sub(n_rows);
            let next = self.upcoming.pop_front();
            self.batch = if next.is_some() { next } else { self.next_selected()? };
            if self.batch.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Finds the row that is `row` rows after the first row of the current batch. Returns its batch and its position
    /// in the batch. `None` if the input has no such row, or if reading fails. If reading fails,
    /// [`fill`](SideRows::fill) returns the error when it reaches the row.
    pub(super) fn upcoming(&mut self, mut row: usize) -> Option<(&RecordBatch, usize)> {
        let mut n_before = 0_usize;
        loop {
            let batch = match n_before.checked_sub(1) {
                None => self.batch.as_ref(),
                Some(position) => self.upcoming.get(position),
            };
            match batch.map(RecordBatch::n_rows) {
                Some(n_rows) if row < n_rows => break,
                Some(n_rows) => (row, n_before) = (row - n_rows, n_before + 1),
                None if self.failure.is_some() => return None,
                None => match self.next_selected() {
                    Ok(batch) => self.upcoming.push_back(batch?),
                    Err(error) => self.failure = Some(error),
                },
            }
        }
        let batch = match n_before.checked_sub(1) {
            None => self.batch.as_ref(),
            Some(position) => self.upcoming.get(position),
        };
        batch.map(|batch| (batch, row))
    }

    /// Whether [`upcoming`](SideRows::upcoming) has failed to read a batch.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    fn next_selected(&mut self) -> Result<Option<RecordBatch>, ToolError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        while let Some(rows) = self.next_rows()? {
            if rows.n_rows() > 0 {
                let shown = self.cursor.selection().columns_of(rows);
                let shown = shown.map_err(ToolErrorKind::Path).and_then(|rows| self.widened(rows));
                return shown.map(Some).in_input(self.name());
            }
        }
        Ok(None)
    }

    /// The number of rows that are still to be compared. Reads only metadata of a file, unless there is a condition.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn n_rows_left(&mut self) -> Result<u64, ToolError> {
        let n_upcoming = self.upcoming.iter().map(RecordBatch::n_rows).sum::<usize>();
        // `start` may be past the end of `batch`, in `upcoming`.
        let n_at_hand = self.batch.as_ref().map_or(0, RecordBatch::n_rows).saturating_add(n_upcoming);
        let mut n_left = n_at_hand.saturating_sub(self.start) as u64;
        self.batch = None;
        self.start = 0;
        self.upcoming.clear();
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if let (Some(reader), false) = (self.cursor.rows().reader(), self.has_condition()) {
            n_left = n_left.saturating_add(self.cursor.n_rows_left());
            let mut window = self.cursor.window();
            let mut counts = BatchCounts::default();
            let n_batches = reader.n_batches();
            // The cast loses no bits: `n_done` is at most `n_batches`, a `usize`.
            for batch_idx in self.n_done() as usize..n_batches {
                if window.is_done() {
                    break;
                }
                let n_rows = counts.n_rows_of(reader, batch_idx..n_batches, window.rest().range().end);
                let failed = |error| ToolErrorKind::Batch { batch_idx, error };
                let n_rows = n_rows.map_err(failed).in_input(self.name())?;
                let selected = window.advance(n_rows);
                n_left = n_left.saturating_add(selected.end.saturating_sub(selected.start));
            }
            return Ok(n_left);
        }
        while let Some(rows) = self.next_rows()? {
            n_left = n_left.saturating_add(rows.n_rows() as u64);
        }
        Ok(n_left)
    }

    /// The next selected rows, with all columns that are read. A large batch is returned some rows at a time.
    fn next_rows(&mut self) -> Result<Option<RecordBatch>, ToolError> {
        loop {
            if let Some((rows, _)) = self.cursor.next_rows()? {
                return Ok(Some(rows));
            }
            if !self.cursor.next_batch()? {
                return Ok(None);
            }
        }
    }

    /// Checks that the first selected row exists. Call this at the end of the input.
    ///
    /// # Errors
    /// If that row does not exist.
    pub(super) fn check_start(&self) -> Result<(), ToolError> {
        self.cursor.window().check_start(self.name())
    }

    pub(super) fn n_batches(&self) -> u64 {
        self.cursor.n_batches()
    }

    /// The unit of progress, and the total amount in this unit if it is known.
    pub(super) fn work(&self) -> (Unit, Option<u64>) {
        self.cursor.rows().work()
    }

    /// How much of the input has been read, in the unit of [`work`](SideRows::work).
    pub(super) fn n_done(&self) -> u64 {
        self.cursor.n_done()
    }

    /// Notes about what the comparison ignores: bytes after the last stream or of a second file, tensors, and metadata of
    /// later streams. Also notes text that is not UTF-8, which is compared.
    ///
    /// # Errors
    /// If bytes before a footer cannot be read.
    pub(super) fn not_compared(&self) -> Result<Vec<Note>, ToolError> {
        let rows = self.cursor.rows();
        let remarks = rows.remarks().in_input(self.name())?;
        let n_tensors = remarks.n_tensors;
        let has_other_metadata = matches!(rows, Rows::Streams(streams) if streams.has_other_metadata());
        let kinds = [
            (n_tensors > 0).then_some(NoteKind::TensorsNotCompared { n_tensors }),
            has_other_metadata.then_some(NoteKind::LaterMetadataNotCompared),
        ];
        let note = |kind| Note { input: self.name().clone(), kind };
        Ok(remarks.notes(self.name()).chain(kinds.into_iter().flatten().map(note)).collect())
    }
}
