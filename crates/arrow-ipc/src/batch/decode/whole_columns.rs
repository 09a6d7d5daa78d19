//! Makes arrays of whole columns of a body that is in memory.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BitmapError, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind, Role};
#[cfg(feature = "rayon")]
use arrow_data::{Repairs, Validation};

use super::{BatchDecoder, HeaderCursor, ValidityBuffer, declared_null_count, to_usize};
#[cfg(feature = "rayon")]
use crate::threads::{Threads, largest_first};
use crate::{
    batch::{select::SelectedColumn, union_nulls::take_union_nulls},
    error::{Context, IpcError, Result},
    frame::Body,
};
use arrow_ipc_format::{BodyRange, FieldNode};

/// Reads whole columns in order.
pub(super) struct WholeColumns<'d, 'a, 'b> {
    decoder: &'d mut BatchDecoder<'a>,
    body: &'b Body,
    /// The position of the next column to read. `cursor` has the positions of its node and buffers in the lists.
    next: usize,
    cursor: HeaderCursor,
}

impl<'d, 'a, 'b> WholeColumns<'d, 'a, 'b> {
    pub(super) fn new(decoder: &'d mut BatchDecoder<'a>, body: &'b Body) -> WholeColumns<'d, 'a, 'b> {
        WholeColumns { decoder, body, next: 0, cursor: HeaderCursor::default() }
    }

    /// Returns the bytes of the next buffer, and advances to the following buffer.
    #[inline]
    fn bytes(&mut self, role: Role) -> Result<Buffer> {
        let buffer_idx = self.cursor.buffer;
        self.cursor.buffer += 1;
        let range = self.decoder.message.buffer(buffer_idx)?;
        if range.n_bytes() == 0 {
            return Ok(Buffer::new());
        }
        self.content(buffer_idx, range).in_buffer(buffer_idx, Some(role))
    }

    /// The bytes of a buffer that is not empty, decompressed if necessary.
    fn content(&mut self, buffer_idx: usize, range: BodyRange) -> Result<Buffer> {
        if let Some(decompressed) = &mut self.decoder.decompressed {
            let found = decompressed.find(|(found, _)| *found == buffer_idx);
            let missing = || IpcError::internal("a compressed buffer was read as values");
            return found.map(|(_, buffer)| buffer).ok_or_else(missing);
        }
        self.decoder.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        self.body.slice(range)
    }

    fn variadic(&mut self) -> Result<Option<Arc<[Buffer]>>> {
        let n_buffers = self.decoder.message.variadic_count(self.cursor.variadic)?;
        self.cursor.variadic += 1;
        if n_buffers == 0 {
            return Ok(None);
        }
        let buffers = (0..n_buffers).map(|_| self.bytes(Role::Variadic));
        Ok(Some(buffers.collect::<Result<Arc<[Buffer]>>>()?))
    }

    /// Decodes a column, and appends its array to `arrays`.
    pub(super) fn column(&mut self, selected: &SelectedColumn, arrays: &mut Vec<ArrayData>) -> Result<()> {
        let columns = self.decoder.columns;
        let position = selected.position();
        let path = || columns.path(position);
        if self.next != position || columns.has_unsupported() {
            self.cursor = self.decoder.position_in_lists(position)?;
        }
        self.next = position + 1;
        let node = self.decoder.message.node(self.cursor.node).in_field(path)?;
        self.cursor.node += 1;
        let column = columns.at(position);
        let n_slots = to_usize(node.n_slots(), "slots").in_field(path)?;
        let mut parts = ArrayParts::new(selected.data_type(columns).clone(), n_slots);
        parts.declared_null_count = declared_null_count(node);
        let mut union_nulls = None;
        let buffer_idx = self.cursor.buffer;
        match self.decoder.validity_buffer(column) {
            ValidityBuffer::Absent => {}
            ValidityBuffer::Bitmap => self.validity(node, &mut parts).in_field(path)?,
            ValidityBuffer::UnionNulls => {
                self.validity(node, &mut parts).in_field(path)?;
                let nulls = take_union_nulls(&mut parts);
                union_nulls = nulls.in_buffer(buffer_idx, Some(Role::Validity)).in_field(path)?;
            }
            ValidityBuffer::Skipped(extra) => {
                self.cursor.buffer += 1;
                self.decoder.skip_extra(extra, buffer_idx).in_field(path)?;
            }
        }
        for (buffer, spec) in parts.buffers.iter_mut().zip(column.layout.data_buffers()) {
            let bytes = self.bytes(spec.role).in_field(path)?;
            *buffer = self.decoder.native_bytes(spec, bytes).in_field(path)?;
        }
        if column.layout.is_variadic() {
            parts.variadic = self.variadic().in_field(path)?;
        }
        if column.end() > position + 1 {
            // A loop instead of an iterator, since collecting an iterator needs more stack at each level.
            let mut children = Vec::new();
            for child in selected.children(columns) {
                self.column(&child, &mut children)?;
            }
            parts.children = Some(children.into());
        }
        if let Some(dictionary) = column.dictionary {
            let values = self.decoder.context.dictionaries.values_for(dictionary, &parts);
            parts.dictionary = Some(values.in_field(path)?);
        }
        match ArrayData::try_new(parts) {
            // An array is not returned, since moving it would cost as much as decoding it.
            Ok(array) => arrays.push(array),
            // Decoding the children has succeeded, so the error belongs to this array.
            Err(error) => return self.decoder.locate(selected, error),
        }
        match union_nulls {
            Some(nulls) => self.decoder.move_union_nulls(&nulls, arrays).in_field(path),
            None => Ok(()),
        }
    }

    /// Adds the bitmap. Without nulls, its buffer may be empty.
    #[inline]
    fn validity(&mut self, node: FieldNode, parts: &mut ArrayParts) -> Result<()> {
        let buffer_idx = self.cursor.buffer;
        let bytes = self.bytes(Role::Validity)?;
        if bytes.is_empty() && node.null_count().unwrap_or(0) == 0 {
            return Ok(());
        }
        match Bitmap::try_new(bytes, 0, parts.n_slots) {
            Ok(bitmap) => parts.validity = Some(bitmap),
            Err(error) => {
                return Err(bitmap_too_short(&error)).in_buffer(buffer_idx, Some(Role::Validity));
            }
        }
        Ok(())
    }
}

#[cold]
fn bitmap_too_short(error: &BitmapError) -> IpcError {
    let n_slots = error.n_bits as u64;
    let needed = n_slots.div_ceil(8);
    let found = error.n_bytes as u64;
    DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into()
}

/// Checks the content of columns on several threads, if the columns are large enough. If the check of a column fails, the
/// column is invalid or needs repair. Such columns are checked again afterwards, in order and within common limits.
#[cfg(feature = "rayon")]
pub(super) fn check_by_threads(decoder: &BatchDecoder<'_>, arrays: &mut [ArrayData]) {
    /// For fewer bytes, waking a thread takes longer than the check.
    const MIN_BYTES: u64 = 4 << 20;
    let n_bytes = decoder.message.envelope().n_body_bytes().max(decoder.account.n_decompressed_bytes());
    let threads = decoder.context.options.threads;
    let level = decoder.context.level();
    let is_worth_it = threads == Threads::Pool && arrays.len() > 1 && n_bytes >= MIN_BYTES;
    if !is_worth_it || level == Validation::Structure {
        return;
    }
    let n_bytes = |array: &&mut ArrayData| usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
    largest_first(arrays.iter_mut().collect(), n_bytes, |array| {
        // After an error, the array is checked again, so the result is not needed.
        drop(array.validate_in_place(level, &mut Repairs::new(0)));
    });
}
