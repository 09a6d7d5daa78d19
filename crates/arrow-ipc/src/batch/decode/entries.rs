//! The entries of columns in the lists of a header, and the bytes of the next ones.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, BitmapError, Buffer, BufferMut};
use arrow_data::{BufferSpec, Count, DataError, DataErrorKind, Role};

use super::{BatchDecoder, DecodeContext, HeaderCursor, to_usize};
use crate::{
    body::{Body, BodyRange},
    columns::Column,
    error::{Context, IpcError, Result},
    message::Node,
    protocol::{Endianness, MetadataVersion},
};

/// The entries of a column.
pub(in crate::batch) struct ColumnEntries<'a> {
    pub(in crate::batch) position: usize,
    pub(in crate::batch) column: &'a Column,
    pub(in crate::batch) node: Node,
    /// The position of its first buffer in the list.
    first_buffer: usize,
    n_variadic: usize,
}

/// A buffer of a column, and how many of its bytes the slots of the column need.
#[derive(Debug, Clone, Copy)]
pub(in crate::batch) struct EntryBuffer {
    /// The position in the list.
    pub(in crate::batch) idx: usize,
    pub(in crate::batch) role: Role,
    pub(in crate::batch) n_slots: u64,
    /// The bytes that the slots need. `None` if it depends on the data.
    pub(in crate::batch) needed: Option<u64>,
}

impl EntryBuffer {
    pub(in crate::batch) fn new(idx: usize, spec: &BufferSpec, n_slots: u64) -> EntryBuffer {
        let needed = match spec.count {
            Count::PerSlot | Count::PerSlotPlusOne => spec.min_bytes(n_slots),
            Count::FromData => None,
        };
        EntryBuffer { idx, role: spec.role, n_slots, needed }
    }
}

impl ColumnEntries<'_> {
    /// The buffers in the order of the list.
    pub(in crate::batch) fn buffers(&self, version: MetadataVersion) -> impl Iterator<Item = EntryBuffer> {
        let (n_slots, buffers) = (self.node.n_slots(), self.column.buffers(version, self.n_variadic));
        (self.first_buffer..).zip(buffers).map(move |(idx, (role, spec))| match spec {
            Some(spec) => EntryBuffer::new(idx, spec, n_slots),
            None => EntryBuffer { idx, role, n_slots, needed: None },
        })
    }
}

impl<'a> BatchDecoder<'a> {
    /// The entries of consecutive columns, with their positions in the lists.
    pub(in crate::batch) fn entries(
        &self,
        range: Range<usize>,
    ) -> Result<impl Iterator<Item = Result<ColumnEntries<'a>>> + use<'a>> {
        let (columns, message, version) = (self.columns, self.message, self.version);
        let mut cursor = self.position_in_lists(range.start)?;
        Ok(range.map(move |position| {
            let (column, first_buffer) = (columns.at(position), cursor.buffer);
            let node = message.node(cursor.node).in_field(|| columns.path(position))?;
            cursor.node += 1;
            let mut n_variadic = 0;
            if column.layout.is_variadic() {
                n_variadic = message.variadic_count(cursor.variadic)?;
                cursor.variadic += 1;
            }
            let n_fixed = column.layout.buffers().len() + usize::from(column.has_legacy_validity(version));
            cursor.buffer = cursor.buffer.saturating_add(n_fixed).saturating_add(n_variadic);
            Ok(ColumnEntries { position, column, node, first_buffer, n_variadic })
        }))
    }
}

impl BatchDecoder<'_> {
    /// The node of the next column. Its buffers are taken next.
    #[inline]
    pub(in crate::batch) fn enter(&mut self, position: usize) -> Result<(HeaderCursor, Node)> {
        let columns = self.columns;
        if self.next != position || columns.gap().is_some() {
            self.cursor = self.position_in_lists(position)?;
        }
        self.next = position + 1;
        let node = self.message.node(self.cursor.node).in_field(|| columns.path(position))?;
        self.cursor.node += 1;
        Ok((self.cursor, node))
    }

    #[inline]
    fn bytes(&mut self, role: Role, body: &Body) -> Result<Buffer> {
        let buffer_idx = self.cursor.buffer;
        self.cursor.buffer += 1;
        let range = self.message.buffer(buffer_idx)?;
        if range.n_bytes() == 0 {
            return Ok(Buffer::new());
        }
        self.content(buffer_idx, range, body).in_buffer(buffer_idx, Some(role))
    }

    /// The bytes of a buffer that is not empty.
    fn content(&mut self, buffer_idx: usize, range: BodyRange, body: &Body) -> Result<Buffer> {
        if let Some(decompressed) = &mut self.decompressed {
            let found = decompressed.find(|(found, _)| *found == buffer_idx);
            let missing = || IpcError::internal("a buffer is taken that was not decompressed");
            return found.map(|(_, buffer)| buffer).ok_or_else(missing);
        }
        self.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        body.slice(range)
    }

    #[inline]
    pub(in crate::batch) fn buffer(
        &mut self,
        spec: &BufferSpec,
        body: &Body,
        context: DecodeContext<'_>,
    ) -> Result<Buffer> {
        let bytes = self.bytes(spec.role, body)?;
        self.finished(spec, bytes, context)
    }

    /// The bytes of a buffer in the byte order of this machine, and aligned for its elements.
    #[inline]
    pub(in crate::batch) fn finished(
        &mut self,
        spec: &BufferSpec,
        bytes: Buffer,
        context: DecodeContext<'_>,
    ) -> Result<Buffer> {
        let is_native = context.endianness == Endianness::NATIVE || !spec.swap.changes_bytes();
        if is_native && bytes.is_aligned_to(spec.alignment_bytes()) {
            return Ok(bytes);
        }
        self.copied(spec, bytes, context)
    }

    /// A copy that is aligned, and in the byte order of this machine.
    #[cold]
    fn copied(&mut self, spec: &BufferSpec, bytes: Buffer, context: DecodeContext<'_>) -> Result<Buffer> {
        if context.endianness == Endianness::NATIVE || !spec.swap.changes_bytes() {
            self.account.copied.spend("bytes of realigned buffers", bytes.len() as u64)?;
            context.counters.realigned(bytes.len());
            return Ok(Buffer::try_copy_in(&bytes, context.budget)?);
        }
        self.account.copied.spend("bytes of swapped buffers", bytes.len() as u64)?;
        context.counters.swapped(bytes.len());
        let mut swapped = BufferMut::try_with_capacity_in(bytes.len(), context.budget)?;
        swapped.extend_from_slice(&bytes);
        spec.swap.to_native(&mut swapped);
        Ok(swapped.freeze())
    }

    /// Without nulls, the bitmap may be absent.
    #[inline]
    pub(in crate::batch) fn validity(&mut self, node: &Node, body: &Body) -> Result<Option<Bitmap>> {
        let n_slots = to_usize(node.n_slots(), "slots")?;
        let buffer_idx = self.cursor.buffer;
        let bytes = self.bytes(Role::Validity, body)?;
        if bytes.is_empty() && node.n_nulls().unwrap_or(0) == 0 {
            return Ok(None);
        }
        match Bitmap::try_new(bytes, 0, n_slots) {
            Ok(bitmap) => Ok(Some(bitmap)),
            Err(error) => Err(bitmap_too_short(&error)).in_buffer(buffer_idx, Some(Role::Validity)),
        }
    }

    pub(in crate::batch) fn variadic(&mut self, body: &Body) -> Result<Option<Arc<[Buffer]>>> {
        let n_buffers = self.message.variadic_count(self.cursor.variadic)?;
        self.cursor.variadic += 1;
        if n_buffers == 0 {
            return Ok(None);
        }
        let buffers = (0..n_buffers).map(|_| self.bytes(Role::Variadic, body));
        Ok(Some(buffers.collect::<Result<Arc<[Buffer]>>>()?))
    }
}

fn bitmap_too_short(error: &BitmapError) -> IpcError {
    let n_slots = error.n_bits as u64;
    let (needed, found) = (n_slots.div_ceil(8), error.n_bytes as u64);
    DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into()
}
