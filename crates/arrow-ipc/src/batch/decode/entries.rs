//! Takes the next entry of a list, and its bytes, with each call.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BitmapError, Buffer, BufferMut};
use arrow_data::{BufferSpec, DataError, DataErrorKind, Role};

use super::{BatchDecoder, DecodeContext};
use crate::{
    body::Body,
    body::BodyRange,
    error::{Context, IpcError, Result},
    message::Node,
    protocol::Endianness,
};

impl BatchDecoder<'_> {
    #[inline]
    pub(super) fn node(&mut self) -> Result<Node> {
        let node = self.lists.node(self.cursor.node);
        self.cursor.node += 1;
        node
    }

    #[inline]
    fn range(&mut self) -> Result<(usize, BodyRange)> {
        let buffer_idx = self.cursor.buffer;
        self.cursor.buffer += 1;
        Ok((buffer_idx, self.lists.buffer(buffer_idx)?))
    }

    #[inline]
    fn bytes(&mut self, role: Role, body: &Body) -> Result<Buffer> {
        let (buffer_idx, range) = self.range()?;
        if range.n_bytes() == 0 {
            return Ok(Buffer::new());
        }
        if let Some(decompressed) = &mut self.decompressed {
            return decompressed.take(buffer_idx).in_buffer(buffer_idx, Some(role));
        }
        self.account
            .referenced
            .spend("bytes of buffers", range.n_bytes())
            .in_buffer(buffer_idx, Some(role))?;
        body.slice(range).in_buffer(buffer_idx, Some(role))
    }

    #[inline]
    pub(super) fn buffer(
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
        if context.endianness != Endianness::NATIVE && spec.swap.changes_bytes() {
            return self.swapped(spec, bytes, context);
        }
        let n_bytes = spec.alignment_bytes();
        if bytes.is_empty() || bytes.is_aligned_to(n_bytes) {
            return Ok(bytes);
        }
        self.account.copied.spend("bytes of realigned buffers", bytes.len() as u64)?;
        context.counters.realigned(bytes.len());
        Ok(Buffer::try_copy_in(&bytes, context.budget)?)
    }

    /// A copy of the bytes in the byte order of this machine.
    #[cold]
    fn swapped(&mut self, spec: &BufferSpec, bytes: Buffer, context: DecodeContext<'_>) -> Result<Buffer> {
        self.account.copied.spend("bytes of swapped buffers", bytes.len() as u64)?;
        context.counters.swapped(bytes.len());
        let mut swapped = BufferMut::try_with_capacity_in(bytes.len(), context.budget)?;
        swapped.extend_from_slice(&bytes);
        spec.swap.to_native(&mut swapped);
        Ok(swapped.freeze())
    }

    /// Without nulls, the bitmap may be absent.
    pub(super) fn validity(&mut self, node: &Node, n_slots: usize, body: &Body) -> Result<Option<Bitmap>> {
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

    /// Before V5, unions had a bitmap. It only has a meaning if it has nulls.
    pub(super) fn legacy_validity(
        &mut self,
        node: &Node,
        n_slots: usize,
        body: &Body,
    ) -> Result<Option<Bitmap>> {
        let buffer_idx = self.cursor.buffer;
        let bitmap = self.validity(node, n_slots, body)?;
        let found = bitmap.as_ref().map_or(0, Bitmap::count_unset) as u64;
        match node.n_nulls() {
            Some(declared) if declared != found => {
                let kind = DataErrorKind::NullCount { declared, found };
                Err(IpcError::from(DataError::from(kind))).in_buffer(buffer_idx, Some(Role::Validity))
            }
            _ => Ok(bitmap.filter(|_| found > 0)),
        }
    }

    pub(super) fn variadic(&mut self, body: &Body) -> Result<Option<Arc<[Buffer]>>> {
        let n_buffers = self.lists.variadic_count(self.cursor.variadic)?;
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
