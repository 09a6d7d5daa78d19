//! Reads the selected rows of an input with their final columns. Large batches can be read some rows at a time.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use arrow_ipc::BatchWithMetadata;
use arrow_ipc_tensor::AnyTensor;
use arrow_schema::Metadata;
use arrow_threads::{ResultSink, in_order};

use super::{
    joiner::CastRows,
    reshape::{Caster, cast_by},
};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind},
    input::stream::SpooledBatch,
    observer::Pass,
    rows::{
        Rows,
        prefetch::{SelectedBatch, n_readers},
        row_window::RowWindow,
        streams::StreamItem,
    },
};

/// A batch, dictionary or tensor of an input.
pub(crate) enum ReadItem {
    Rows(CastRows),
    /// A dictionary message of a stream. `id` is the id of the dictionary in the first stream.
    Dictionary {
        id: i64,
        is_delta: bool,
        metadata: Metadata,
    },
    Tensor(AnyTensor, Metadata),
}

#[derive(Clone, Copy)]
pub(crate) struct RowForm<'a> {
    /// Changes the columns of batches; `None` if the columns stay unchanged.
    pub(crate) caster: Option<&'a Caster>,
    /// Whether large batches are read some rows at a time.
    pub(crate) has_pieces: bool,
}

impl RowForm<'_> {
    fn has_condition(self) -> bool {
        self.caster.is_some_and(Caster::has_condition)
    }

    /// Passes the selected rows to `take`, with the number of input bytes read so far. With a condition, `selected`
    /// counts only rows that match. Also passes dictionaries and tensors of streams to `take`. Several threads read
    /// and cast the batches of a file.
    ///
    /// # Errors
    /// If the input cannot be read, or a column cannot be cast. If the observer stops the work. The first error of
    /// `take`.
    pub(crate) fn read(
        self,
        rows: &mut Rows,
        selected: &mut RowWindow,
        pass: &mut Pass<'_>,
        mut take: impl FnMut(ReadItem, u64) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let form = self;
        let name = pass.input().clone();
        let mut all = RowWindow::ALL;
        let (selected, mut matching) = if form.has_condition() && !selected.counts_batches() {
            (&mut all, Some(selected))
        } else {
            (selected, None)
        };
        let is_done = AtomicBool::new(matching.as_ref().is_some_and(|matching| matching.is_done()));
        let mut take = |item, n_bytes| {
            let item = match (item, &mut matching) {
                (ReadItem::Rows(rows), Some(matching)) => {
                    let Some(rows) = rows.selected_by(matching) else { return Ok(()) };
                    is_done.store(matching.is_done(), Ordering::Relaxed);
                    ReadItem::Rows(rows)
                }
                (item, _) => item,
            };
            take(item, n_bytes)
        };
        let streams = match rows {
            Rows::Streams(streams) => streams,
            Rows::File { reader } => {
                let n_bytes = reader.footer().position();
                let read = |batch: Result<SelectedBatch, ToolErrorKind>, give: ResultSink<'_, _>| match batch
                {
                    Ok(batch) => read_cast(batch, form, give),
                    Err(kind) => {
                        give(Err(kind));
                    }
                };
                let batches = selected.batches_in(reader);
                let mut n_done = 0;
                let mut batches = match form.caster {
                    Some(caster) => batches.with_skipped(caster.selection()),
                    None => batches,
                };
                let needed = batches.by_ref().take_while(|_| !is_done.load(Ordering::Relaxed));
                in_order(n_readers(reader), 0, needed, read, |rows| {
                    let rows = rows.in_input(&name)?;
                    n_done += u64::from(rows.is_last);
                    take(ReadItem::Rows(rows), n_bytes)?;
                    pass.set(n_done)
                })?;
                *selected = batches.window();
                return Ok(());
            }
        };
        if form.has_pieces || !selected.is_everything() {
            streams.spool_large_batches();
        }
        let mut n_batches = 0_u64;
        while !selected.is_done()
            && !is_done.load(Ordering::Relaxed)
            && let Some(item) = streams.next_item()?
        {
            let n_bytes = streams.n_bytes_consumed();
            let mut take = |item| take(item, n_bytes);
            match item {
                StreamItem::Batch(BatchWithMetadata { batch, metadata, .. }) => {
                    let batch_idx = n_batches;
                    let n_rows = batch.n_rows();
                    n_batches = n_batches.saturating_add(1);
                    if let Some(batch) = selected.take(batch) {
                        let is_whole = batch.n_rows() == n_rows && !form.has_condition();
                        let batch_idx = is_whole.then_some(batch_idx);
                        let cast = cast_by(form.caster, batch, streams.n_bytes_of_item());
                        let batch = cast.map_err(|kind| kind.in_batch(batch_idx)).in_input(&name)?;
                        take(ReadItem::Rows(CastRows { rows: (batch, metadata), is_last: true }))?;
                    }
                }
                StreamItem::Large(batch) => {
                    n_batches = n_batches.saturating_add(1);
                    if let Some(rows) = selected.advance_batch(batch.n_rows()) {
                        read_large(&batch, rows, form, |rows| take(ReadItem::Rows(rows)))?;
                    }
                }
                StreamItem::Dictionary { id, is_delta, metadata } => {
                    take(ReadItem::Dictionary { id, is_delta, metadata })?;
                }
                StreamItem::Tensor(tensor, metadata) => take(ReadItem::Tensor(tensor, metadata))?,
            }
            pass.set(streams.n_done())?;
        }
        Ok(())
    }
}

/// Passes some rows of a stream's batch to `take`. The body of the batch is read by position.
///
/// # Errors
/// The errors of [`read_now`].
pub(super) fn read_large(
    batch: &SpooledBatch,
    rows: Range<u64>,
    form: RowForm<'_>,
    take: impl FnMut(CastRows) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let is_whole = rows == (0..batch.n_rows());
    let selected = SelectedBatch::new(batch.reader(), 0, (!is_whole).then_some(rows));
    read_now(selected, form, |kind| batch.refused(kind), take)
}

/// Reads a batch of a file, or some of its rows, casts its columns if `form` has a caster, and passes the result to
/// `take`. If `form` asks for pieces, passes a large batch some rows at a time.
///
/// # Errors
/// If the batch cannot be read or cast. The first error of `take`.
pub(super) fn read_now(
    batch: SelectedBatch,
    form: RowForm<'_>,
    failed: impl Fn(ToolErrorKind) -> ToolError,
    mut take: impl FnMut(CastRows) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let mut taken = Ok(());
    read_cast(batch, form, &mut |rows| {
        taken = rows.map_err(&failed).and_then(&mut take);
        taken.is_ok()
    });
    taken
}

/// Reads a batch of a file, or some of its rows, casts its columns, and passes the result or the error to `give`.
fn read_cast(batch: SelectedBatch, form: RowForm<'_>, give: ResultSink<'_, Result<CastRows, ToolErrorKind>>) {
    let RowForm { caster, has_pieces } = form;
    let reader = batch.reader().clone();
    let batch_idx = batch.batch_idx();
    let failed = |error| ToolErrorKind::Batch { batch_idx, error };
    let n_bytes = reader.footer().batch(batch_idx).map_or(0, |block| block.n_body_bytes());
    let budget = caster.map(|caster| (caster, caster.budget(n_bytes)));
    let is_whole = batch.is_whole() && !form.has_condition();
    let windows = if has_pieces { batch.if_large() } else { Err(Box::new(batch)) };
    let value_batch = if is_whole && windows.is_err() { u64::try_from(batch_idx).ok() } else { None };
    let cast = |batch, metadata| match &budget {
        None => Ok((batch, metadata)),
        Some((caster, budget)) => {
            Ok((caster.cast(batch, budget).map_err(|kind| kind.in_batch(value_batch))?, metadata))
        }
    };
    let mut windows = match windows {
        Ok(windows) => windows,
        Err(batch) => {
            let rows = batch.read().map_err(failed).and_then(|read| cast(read.batch, read.metadata));
            give(rows.map(|rows| CastRows { rows, is_last: true }));
            return;
        }
    };
    let metadata = match reader.batch_rows_with_metadata(batch_idx, 0..0) {
        Ok(no_rows) => no_rows.metadata,
        Err(error) => {
            give(Err(failed(error)));
            return;
        }
    };
    while let Some(read) = windows.next() {
        let rows = read.map_err(failed).and_then(|batch| cast(batch, metadata.clone()));
        let is_last = windows.n_rows_left() == 0;
        let goes_on = rows.is_ok() && !is_last;
        if !give(rows.map(|rows| CastRows { rows, is_last })) || !goes_on {
            return;
        }
    }
}
