//! Finds the end of the flatbuffer in the metadata of a batch. All bytes after the flatbuffer are padding. Too much
//! padding shows that the length of the metadata is wrong.

/// The end of the last list or text in the metadata of a batch; `None` if a reference is out of bounds.
///
/// The vtable entries are numbered as in `Message.fbs`. The generated accessors do not return positions, so this code
/// reads the tables itself.
pub(super) fn extent(metadata: &[u8]) -> Option<usize> {
    let message = FlatTable::at(metadata, read_offset(metadata, 0)?)?;
    let mut header = message.table(2)?;
    // The kind of header is 1 for a schema, 2 for a dictionary (which contains a record batch), and 3 for a record
    // batch.
    let kind = *metadata.get(message.field(1)??)?;
    if kind == 2 {
        header = header.table(1)?;
    }
    let mut end = header.position;
    for (slot, n_item_bytes) in [(1, 16), (2, 16), (4, 8)] {
        end = end.max(header.vector_end(slot, n_item_bytes)?);
    }
    end = end.max(message.vector_end(4, 4)?);
    if let Some(pairs) = message.field(4)? {
        let list = read_offset(metadata, pairs)?;
        for idx in 0..usize::try_from(read_u32(metadata, list)?).ok()? {
            let pair = list.checked_add(4)?.checked_add(idx.checked_mul(4)?)?;
            let pair = FlatTable::at(metadata, read_offset(metadata, pair)?)?;
            end = end.max(pair.vector_end(0, 1)?).max(pair.vector_end(1, 1)?);
        }
    }
    (end <= metadata.len()).then_some(end)
}

/// A table of a flatbuffer at `position`. The position of its vtable is `slots`.
struct FlatTable<'a> {
    bytes: &'a [u8],
    position: usize,
    slots: usize,
}

impl<'a> FlatTable<'a> {
    fn at(bytes: &'a [u8], position: usize) -> Option<FlatTable<'a>> {
        let back = i32::from_le_bytes(*bytes.get(position..)?.first_chunk()?);
        let slots = i64::try_from(position).ok()?.checked_sub(i64::from(back))?;
        Some(FlatTable { bytes, position, slots: usize::try_from(slots).ok()? })
    }

    /// The position of a field's value. `None` if the vtable is truncated, `Some(None)` if the field is absent.
    fn field(&self, slot: usize) -> Option<Option<usize>> {
        let n_slot_bytes = usize::from(read_u16(self.bytes, self.slots)?);
        let at = slot.checked_mul(2)?.checked_add(4)?;
        if at >= n_slot_bytes {
            return Some(None);
        }
        let offset = usize::from(read_u16(self.bytes, self.slots.checked_add(at)?)?);
        Some(if offset == 0 { None } else { Some(self.position.checked_add(offset)?) })
    }

    fn table(&self, slot: usize) -> Option<FlatTable<'a>> {
        FlatTable::at(self.bytes, read_offset(self.bytes, self.field(slot)??)?)
    }

    /// The end of a list or text; 0 if the field is absent.
    fn vector_end(&self, slot: usize, n_item_bytes: usize) -> Option<usize> {
        let Some(field) = self.field(slot)? else { return Some(0) };
        let start = read_offset(self.bytes, field)?;
        let n_items = usize::try_from(read_u32(self.bytes, start)?).ok()?;
        start.checked_add(4)?.checked_add(n_items.checked_mul(n_item_bytes)?)
    }
}

fn read_u16(bytes: &[u8], position: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(position..)?.first_chunk()?))
}

fn read_u32(bytes: &[u8], position: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(position..)?.first_chunk()?))
}

/// The position that the offset at `position` refers to.
fn read_offset(bytes: &[u8], position: usize) -> Option<usize> {
    position.checked_add(usize::try_from(read_u32(bytes, position)?).ok()?)
}
