//! Counts and finds rows over all batches of a file.

use std::ops::Range;

use super::{batch::ReadRows, decoder::FileDecoder, provided_ranges::ProvidedRanges};
use crate::{
    batch::BatchWithMetadata,
    error::{IpcErrorKind, Result},
};

/// The number of rows of each of these batches. Requests all missing metadata at once.
pub(super) fn rows_of_batches(
    decoder: &FileDecoder,
    batches: Range<usize>,
    bytes: &mut ProvidedRanges,
) -> Result<Option<Vec<u64>>> {
    let mut found = Vec::new();
    let mut is_complete = true;
    for batch_idx in batches {
        match decoder.known_rows(batch_idx, bytes)? {
            Some(n_rows) => found.push(n_rows),
            None => is_complete = false,
        }
    }
    Ok(is_complete.then_some(found))
}

/// The sum of the rows of these batches.
pub(super) fn sum_of_rows(
    decoder: &FileDecoder,
    batches: Range<usize>,
    bytes: &mut ProvidedRanges,
) -> Result<Option<u64>> {
    let Some(found) = rows_of_batches(decoder, batches.clone(), bytes)? else { return Ok(None) };
    let mut counted = batches.zip(found);
    counted.try_fold(0, |sum, (batch_idx, n_rows)| decoder.add_rows(sum, n_rows, batch_idx)).map(Some)
}

/// The index of each batch, with the rows to read, counted from its first row.
type RowsByBatch = Vec<(usize, Range<u64>)>;

/// Finds the batches that have these rows, which are counted over all batches.
pub(super) fn locate_rows(
    decoder: &FileDecoder,
    rows: &Range<u64>,
    bytes: &mut ProvidedRanges,
) -> Result<Option<RowsByBatch>> {
    let Range { start, end } = *rows;
    let mut parts = Vec::new();
    let row_ends = &decoder.file.row_ends;
    let (first, mut n_rows) = row_ends.batch_from(start);
    let mut is_complete = true;
    for batch_idx in first..decoder.n_batches() {
        if is_complete && n_rows >= end && start <= end {
            break;
        }
        let known = match row_ends.n_rows_of(batch_idx) {
            Some(counted) => Some(counted),
            None => decoder.known_rows(batch_idx, bytes)?,
        };
        let Some(n_batch_rows) = known else {
            // The rows of this batch are unknown. The loop continues, so that the metadata of all later batches is
            // requested at once.
            is_complete = false;
            continue;
        };
        let next = decoder.add_rows(n_rows, n_batch_rows, batch_idx)?;
        let rows = start.max(n_rows)..end.min(next);
        if !rows.is_empty() {
            // No overflow: the rows begin at or after the first row of the batch.
            parts.push((batch_idx, rows.start - n_rows..rows.end - n_rows));
        }
        n_rows = next;
        if is_complete {
            row_ends.keep(batch_idx, next);
        }
    }
    if !is_complete {
        return Ok(None);
    }
    if start > end || end > n_rows {
        return Err(IpcErrorKind::NoSuchFileRows { start, end, n_rows }.into());
    }
    Ok(Some(parts))
}

/// Reads rows of several batches, and each batch only once. Requests bytes for one batch after the other, until more
/// than `max_bytes` bytes are requested. Leaves out the remaining batches.
pub(super) fn rows_of_each(
    parts: &mut Vec<(ReadRows, Option<BatchWithMetadata>)>,
    max_bytes: u64,
    bytes: &mut ProvidedRanges,
) -> Result<Option<Vec<BatchWithMetadata>>> {
    let mut n_parts = 0;
    for (part_idx, (rows, read)) in parts.iter_mut().enumerate() {
        if read.is_none() {
            *read = rows.with_metadata(bytes)?;
        }
        n_parts = part_idx + 1;
        if bytes.n_needed_bytes() > max_bytes {
            break;
        }
    }
    parts.truncate(n_parts);
    if parts.iter().any(|(_, read)| read.is_none()) {
        return Ok(None);
    }
    Ok(Some(parts.drain(..).filter_map(|(_, read)| read).collect()))
}
