//! Rows gathered into batches, and what becomes of those that fail.

use std::sync::Arc;

use arrow_data::RecordBatch;
use arrow_schema::Schema;

use super::{
    error::{RowError, RowErrorKind},
    node::Members,
};
use crate::{
    builder::{AnyBuilder, StructBuilder},
    error::{ArrayError, ArrayErrorKind},
};

/// How deep the types of a schema may be nested: what reads a value recurses once for each level.
pub(super) const MAX_DEPTH: usize = 64;

/// How much is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Of a batch.
    pub(super) n_rows: usize,
    /// As many rows as run ends of columns can count.
    max_rows: usize,
    /// Of the text of a batch, and of what stands in its null slots.
    pub(super) batch_bytes: u64,
    /// Of a line or record.
    pub(super) line_bytes: usize,
    /// Of what stands in the null slots of a row.
    pub(super) null_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let (batch_bytes, line_bytes) = (16 << 20, 16 << 20);
        Limits { n_rows: 1 << 16, max_rows: usize::MAX, batch_bytes, line_bytes, null_bytes: 256 << 20 }
    }
}

/// What becomes of the rows behind one that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterError {
    Stop,
    GoOn,
}

/// What is known of the columns, and the memory that reading a row needs.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) members: Members,
    pub(super) rows: StructBuilder<Vec<AnyBuilder>>,
    pub(super) budget: Budget,
    /// For the bytes of a value.
    pub(super) scratch: Vec<u8>,
}

impl Target {
    /// What went wrong in a column.
    fn column_error(&self) -> Option<ArrayError> {
        self.rows.columns().iter().enumerate().find_map(|(position, column)| {
            let name = self.members.nodes.get(position).map_or("", |node| node.name());
            Some(column.error()?.clone().in_field(position, name))
        })
    }
}

/// How much memory the nulls of a row take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    n_bytes: u64,
    max_bytes: u64,
}

impl Budget {
    pub(super) fn spend(&mut self, n_bytes: u64) -> Result<(), RowErrorKind> {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        if self.n_bytes <= self.max_bytes {
            Ok(())
        } else {
            Err(RowErrorKind::TooLarge { max_bytes: self.max_bytes })
        }
    }
}

/// What reading a row came to.
pub(super) enum Step {
    /// It has been appended; on which line, and how many bytes of text it took.
    Row {
        line: u64,
        n_bytes: usize,
    },
    /// It has not, or in part. Whatever is there is taken back.
    Failed {
        error: RowError,
        goes_on: bool,
    },
    End,
}

/// Gathers rows.
#[derive(Debug)]
pub(super) struct Batches {
    pub(super) schema: Arc<Schema>,
    pub(super) limits: Limits,
    pub(super) after_error: AfterError,
    target: Target,
    /// Of the rows so far.
    n_bytes: u64,
    /// Comes behind the rows before it.
    error: Option<RowError>,
    is_over: bool,
}

impl Batches {
    pub(super) fn try_new(schema: Arc<Schema>) -> Result<Batches, ArrayError> {
        let depth = schema.fields().iter().map(|field| field.data_type().depth()).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(ArrayErrorKind::TooDeep { depth: depth as u64, max: MAX_DEPTH as u64 }.into());
        }
        let rows = AnyBuilder::rows(&schema)?;
        let members = Members::of(schema.fields());
        let runs = schema.fields().iter().filter_map(|field| field.data_type().as_run_end_encoded());
        let max_rows =
            runs.map(|runs| u64::MAX >> (65 - runs.run_end_type().n_bits())).min().unwrap_or(u64::MAX);
        let max_rows = usize::try_from(max_rows).unwrap_or(usize::MAX);
        let limits = Limits { max_rows, ..Limits::default() };
        let budget = Budget { n_bytes: 0, max_bytes: limits.null_bytes };
        let target = Target { members, rows, budget, scratch: Vec::new() };
        let after_error = AfterError::Stop;
        Ok(Batches { schema, limits, after_error, target, n_bytes: 0, error: None, is_over: false })
    }

    /// What reading begins with, before there are rows.
    pub(super) fn columns(&self) -> &Members {
        &self.target.members
    }

    /// The next batch of what `read` gives, row by row.
    pub(super) fn next(
        &mut self,
        mut read: impl FnMut(&mut Target) -> Step,
    ) -> Option<Result<RecordBatch, RowError>> {
        loop {
            let n_rows = self.target.rows.len();
            let is_full = n_rows >= self.limits.n_rows.clamp(1, self.limits.max_rows)
                || self.n_bytes >= self.limits.batch_bytes;
            if n_rows > 0 && (is_full || self.is_over) {
                return Some(self.finish());
            }
            if self.is_over {
                return self.error.take().map(Err);
            }
            match self.row(&mut read) {
                Ok(true) => {}
                Ok(false) => self.is_over = true,
                Err((error, true)) => return Some(Err(error)),
                Err((error, false)) => {
                    self.is_over = true;
                    self.error = Some(error);
                }
            }
        }
    }

    /// Whether there was a row; or its error, and whether to go on. Nothing is left of a row that failed.
    fn row(&mut self, read: &mut impl FnMut(&mut Target) -> Step) -> Result<bool, (RowError, bool)> {
        let n_before = self.target.rows.len();
        self.target.budget = Budget { n_bytes: 0, max_bytes: self.limits.null_bytes };
        let (error, goes_on) = match read(&mut self.target) {
            Step::End => return Ok(false),
            Step::Row { line, n_bytes } => match self.target.rows.error() {
                None => {
                    let n_bytes = (n_bytes as u64).saturating_add(self.target.budget.n_bytes);
                    self.n_bytes = self.n_bytes.saturating_add(n_bytes);
                    return Ok(true);
                }
                Some(error) => {
                    let error = self.target.column_error().unwrap_or_else(|| error.clone());
                    (RowError::new(line, error), true)
                }
            },
            Step::Failed { error, goes_on } => (error, goes_on),
        };
        self.target.rows.truncate(n_before);
        Err((error, goes_on && self.after_error == AfterError::GoOn))
    }

    fn finish(&mut self) -> Result<RecordBatch, RowError> {
        self.n_bytes = 0;
        let batch = self.target.rows.finish_batch().and_then(|batch| {
            let (n_rows, columns) = (batch.n_rows(), batch.columns().to_vec());
            Ok(RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, n_rows)?)
        });
        batch.map_err(|error| {
            // No row of it was an error by itself.
            self.is_over = true;
            self.error = None;
            error.into()
        })
    }

    /// All that is left, as one batch, which may be empty.
    pub(super) fn rest(&mut self, read: impl FnMut(&mut Target) -> Step) -> Result<RecordBatch, RowError> {
        self.limits.n_rows = usize::MAX;
        self.limits.max_rows = usize::MAX;
        self.limits.batch_bytes = u64::MAX;
        let batch = match self.next(read) {
            Some(batch) => batch?,
            None => self.finish()?,
        };
        // Rows come before the error behind them.
        self.error.take().map_or(Ok(batch), Err)
    }
}
