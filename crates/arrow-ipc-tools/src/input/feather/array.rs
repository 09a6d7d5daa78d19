//! Arrays from the pages of a Feather file: a validity bitmap if there are nulls, offsets, and values. The bitmap and the
//! offsets are padded to 8 bytes.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, layout};
use arrow_ipc::{FormatErrorKind, IpcError};
use arrow_ipc_format::round_up;
use arrow_schema::DataType;

use super::{
    metadata::{StoredArray, StoredColumn},
    truncated,
};

const PADDING_BYTES: u64 = 8;

impl StoredColumn {
    /// The column, from the page of its values, and from its levels if it is a category. Copies only misaligned buffers,
    /// and times that are stored in 64 bits but have 32.
    ///
    /// # Errors
    /// If the page is too short, or a time does not fit 32 bits. Content is not checked.
    pub(super) fn to_array(&self, page: &Buffer, levels: Option<ArrayData>) -> Result<ArrayData, IpcError> {
        let parts = self.values.to_parts(page)?;
        let is_wide = matches!(self.data_type, DataType::Time32(_)) && parts.data_type == DataType::Int64;
        let parts = if is_wide { narrow_times(parts)? } else { parts };
        let dictionary = levels.map(Arc::new);
        Ok(ArrayData::try_new(ArrayParts { data_type: self.data_type.clone(), dictionary, ..parts })?)
    }
}

impl StoredArray {
    /// The array, from its page.
    ///
    /// # Errors
    /// If the page is too short. Content is not checked.
    pub(super) fn to_array(&self, page: &Buffer) -> Result<ArrayData, IpcError> {
        Ok(ArrayData::try_new(self.to_parts(page)?)?)
    }

    fn to_parts(&self, page: &Buffer) -> Result<ArrayParts, IpcError> {
        let n_slots = self.n_slots;
        let mut parts = ArrayParts::new(self.data_type.clone(), n_slots);
        // Without slots, writers differ in what they store.
        if n_slots == 0 {
            return Ok(parts);
        }
        let mut rest = page.clone();
        if self.null_count > 0 {
            let bits = split_padded(&mut rest, Some((n_slots as u64).div_ceil(8)))?;
            let bits = Bitmap::try_new(bits, 0, n_slots);
            let what = "bits that are no bitmap";
            parts.validity = Some(bits.map_err(|_| FormatErrorKind::Internal { what })?);
            parts.declared_null_count = Some(self.null_count);
        }
        let layout = layout(&self.data_type);
        let specs = layout.data_buffers();
        for (spec, buffer) in specs.iter().zip(&mut parts.buffers) {
            let n_bytes = spec.min_bytes(n_slots as u64);
            // The bytes of texts fill the page.
            let n_bytes = if n_bytes == Some(0) { Some(rest.len() as u64) } else { n_bytes };
            *buffer = split_padded(&mut rest, n_bytes)?.to_aligned(spec.alignment_bytes());
        }
        Ok(parts)
    }
}

/// Splits `n_bytes` bytes and their padding from the start of the page. `None` stands for more bytes than 64 bits count.
fn split_padded(rest: &mut Buffer, n_bytes: Option<u64>) -> Result<Buffer, IpcError> {
    let available = rest.len() as u64;
    let needed = n_bytes.unwrap_or(u64::MAX);
    if needed > available {
        return Err(truncated("page of a column", needed, available));
    }
    let split = rest.try_slice(0, needed)?;
    let padded = round_up(needed, PADDING_BYTES).min(available);
    *rest = rest.try_slice(padded, available.saturating_sub(padded))?;
    Ok(split)
}

/// Times in 32 bits, from times in 64 bits. What null slots hold becomes 0.
fn narrow_times(parts: ArrayParts) -> Result<ArrayParts, IpcError> {
    let [values, unused] = &parts.buffers;
    let wide = values.view::<i64>().map_err(|_| FormatErrorKind::Internal { what: "misaligned times" })?;
    let mut times = Vec::with_capacity(wide.len());
    for (slot, time) in wide.iter().enumerate() {
        let is_null = parts.validity.as_ref().is_some_and(|validity| validity.get(slot) == Some(false));
        let outside = || FormatErrorKind::OutOfRange {
            what: "a time of day",
            found: *time,
            allowed: "numbers of 32 bits",
        };
        times.push(if is_null { 0 } else { i32::try_from(*time).map_err(|_| outside())? });
    }
    Ok(ArrayParts { buffers: [Buffer::from(times), unused.clone()], ..parts })
}
