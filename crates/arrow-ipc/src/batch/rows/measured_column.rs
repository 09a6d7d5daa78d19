//! Estimates the size of columns before their rows are read.

use arrow_data::{StrictRule, Validation};

use crate::{
    batch::{decode::BatchDecoder, select::SelectedColumn},
    error::Result,
};
use arrow_ipc_format::columns::ExtraBuffer;

#[derive(Debug, Clone, Copy)]
pub(crate) struct MeasuredColumn {
    /// The approximate number of decompressed bytes of the column's buffers. For compressed utf8 and binary, the estimate
    /// is mostly too high.
    pub(crate) n_likely_bytes: u64,
    /// The length of the column's buffers in the body.
    pub(crate) n_body_bytes: u64,
    /// Whether reading the column's rows in several steps makes all checks. `false` for dense unions, because the order
    /// of their offsets is checked over all rows. Also `false` for unions with a validity bitmap, whose nulls are moved
    /// to their children.
    pub(crate) is_checked_in_parts: bool,
}

impl MeasuredColumn {
    /// Estimates the size of a column from the header, before any byte of the body is read.
    ///
    /// # Errors
    /// If the lists of the header are invalid.
    pub(crate) fn try_new(
        decoder: &BatchDecoder<'_>,
        root: &SelectedColumn,
        level: Validation,
    ) -> Result<MeasuredColumn> {
        const TEXT_TIMES: u64 = 64;
        let mut n_body_bytes = 0u64;
        let mut n_bytes = 0u64;
        let mut n_times = 1;
        let mut is_checked_in_parts = true;
        for columns in root.ranges(decoder.columns) {
            for entry in decoder.entries(columns)? {
                let entry = entry?;
                for buffer in entry.buffers(decoder.extra) {
                    n_body_bytes = n_body_bytes.saturating_add(decoder.message.buffer(buffer.idx)?.n_bytes());
                    match buffer.needed {
                        Some(needed) => n_bytes = n_bytes.saturating_add(needed),
                        None => n_times = TEXT_TIMES,
                    }
                }
                let is_of_all_rows =
                    entry.column.layout.strict() == StrictRule::DenseOrder && level >= Validation::Strict;
                let moves_nulls = entry.column.extra_buffer(decoder.extra) == Some(ExtraBuffer::Bitmap);
                is_checked_in_parts &= !is_of_all_rows && !moves_nulls;
            }
        }
        let n_likely_bytes = match decoder.message.compression() {
            None => n_body_bytes,
            Some(_) => n_bytes.max(n_body_bytes.saturating_mul(n_times)),
        };
        Ok(MeasuredColumn { n_likely_bytes, n_body_bytes, is_checked_in_parts })
    }
}
