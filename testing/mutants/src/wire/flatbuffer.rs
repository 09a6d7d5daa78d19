//! Walks over a flatbuffer, and stores the positions of all its numbers.

use std::ops::Range;

use super::{
    List, Map, Number, Role, number,
    tables::{self, BUFFER, Slot, Table},
};

/// The greatest number of tables that are followed, since tables of damaged flatbuffers may overlap.
const MAX_TABLES: usize = 4_096;
const MAX_DEPTH: usize = 64;

/// The kind of a flatbuffer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Root {
    Message,
    Footer,
}

/// The properties of a body in its message.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) n_body_bytes: u64,
    /// Offset and length of each buffer.
    pub(super) buffers: Vec<(usize, usize)>,
}

pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    /// The range of the flatbuffer. Pointers out of it are not followed.
    range: Range<usize>,
    map: &'a mut Map,
    found: Found,
    n_tables: usize,
}

impl Walk<'_> {
    pub(super) fn over(bytes: &[u8], range: Range<usize>, root: Root, map: &mut Map) -> Found {
        let start = range.start;
        let mut walk = Walk { bytes, range, map, found: Found::default(), n_tables: 0 };
        let table: Table = match root {
            Root::Message => tables::message,
            Root::Footer => tables::footer,
        };
        walk.pointer(start, |walk, at| walk.table(at, table, 0));
        walk.found
    }

    fn number(&self, at: usize, n_bytes: usize) -> Option<u64> {
        let is_inside = at >= self.range.start && at.checked_add(n_bytes)? <= self.range.end;
        if is_inside { number(self.bytes, at, n_bytes) } else { None }
    }

    fn note(&mut self, at: usize, n_bytes: usize, role: Role) -> Option<u64> {
        let found = self.number(at, n_bytes)?;
        self.map.numbers.push(Number { at, n_bytes, role });
        Some(found)
    }

    /// Follows a pointer, which is relative to its own position.
    fn pointer(&mut self, at: usize, then: impl FnOnce(&mut Self, usize) -> Option<()>) -> Option<()> {
        let offset = usize::try_from(self.note(at, 4, Role::Structure)?).ok()?;
        then(self, at.checked_add(offset)?)
    }

    fn table(&mut self, at: usize, table: Table, depth: usize) -> Option<()> {
        self.n_tables += 1;
        if self.n_tables > MAX_TABLES || depth > MAX_DEPTH {
            return None;
        }
        let back = self.note(at, 4, Role::Structure)?;
        let vtable = usize::try_from(i64::try_from(at).ok()? - i64::from(back as u32 as i32)).ok()?;
        let n_vtable_bytes = usize::try_from(self.note(vtable, 2, Role::Structure)?).ok()?;
        self.note(vtable + 2, 2, Role::Structure)?;
        let mut entry = vtable + 4;
        let mut next = |walk: &mut Self| {
            let at_entry = entry;
            entry += 2;
            if at_entry + 2 > vtable + n_vtable_bytes {
                return None;
            }
            let offset = walk.note(at_entry, 2, Role::Structure)?;
            (offset > 0).then_some(at + offset as usize)
        };
        for slot in table() {
            let field = next(self);
            if let Slot::Union(tables) = slot {
                let kind = field.and_then(|at| self.note(at, 1, Role::Value));
                let table = kind.and_then(|kind| tables.get(usize::try_from(kind).ok()?.checked_sub(1)?));
                if let (Some(at), Some(table)) = (next(self), table) {
                    self.pointer(at, |walk, at| walk.table(at, *table, depth + 1));
                }
            } else if let Some(at) = field {
                self.field(at, *slot, depth);
            }
        }
        Some(())
    }

    fn field(&mut self, at: usize, slot: Slot, depth: usize) -> Option<()> {
        match slot {
            Slot::Number(n_bytes) => self.note(at, n_bytes, Role::Value).map(|_| ()),
            Slot::BodyLength => {
                self.found.n_body_bytes = self.note(at, 8, Role::Value)?;
                Some(())
            }
            Slot::Text => self.pointer(at, |walk, at| {
                let (start, n_items) = walk.list(at, 1)?;
                walk.map.texts.push(start..start + n_items);
                Some(())
            }),
            Slot::Table(table) => self.pointer(at, |walk, at| walk.table(at, table, depth + 1)),
            Slot::Compression(table) => {
                self.map.is_compressed = true;
                self.pointer(at, |walk, at| walk.table(at, table, depth + 1))
            }
            Slot::Tables(table) => self.pointer(at, |walk, at| {
                let (start, n_items) = walk.list(at, 4)?;
                for idx in 0..n_items {
                    walk.pointer(start + 4 * idx, |walk, at| walk.table(at, table, depth + 1));
                }
                Some(())
            }),
            Slot::Numbers(n_bytes) => self.structs(at, &[n_bytes][..]).map(|_| ()),
            Slot::Struct(sizes) => self.one_struct(at, sizes),
            Slot::Structs(sizes) => self.structs(at, sizes).map(|_| ()),
            Slot::Buffers => {
                let (start, n_items) = self.structs(at, BUFFER)?;
                for at in (0..n_items).map(|idx| start + 16 * idx) {
                    let pair = [self.number(at, 8)?, self.number(at + 8, 8)?].map(usize::try_from);
                    if let [Ok(offset), Ok(n_bytes)] = pair {
                        self.found.buffers.push((offset, n_bytes));
                    }
                }
                Some(())
            }
            // The table walks both fields of a union.
            Slot::Union(_) => None,
        }
    }

    /// The start of the items of a list, and their number; `None` if they do not fit.
    fn list(&mut self, at: usize, item_bytes: usize) -> Option<(usize, usize)> {
        let n_items = usize::try_from(self.note(at, 4, Role::Structure)?).ok()?;
        let end = at.checked_add(4)?.checked_add(n_items.checked_mul(item_bytes)?)?;
        if end > self.range.end {
            return None;
        }
        self.map.lists.push(List { at, n_items, item_bytes });
        Some((at + 4, n_items))
    }

    fn structs(&mut self, at: usize, sizes: &[usize]) -> Option<(usize, usize)> {
        let item_bytes = struct_bytes(sizes);
        let mut found = None;
        self.pointer(at, |walk, at| {
            let (start, n_items) = walk.list(at, item_bytes)?;
            // Of many, the first: each of them is as good as another.
            for idx in 0..n_items.min(1_000) {
                walk.one_struct(start + item_bytes * idx, sizes);
            }
            found = Some((start, n_items));
            Some(())
        });
        found
    }

    fn one_struct(&mut self, at: usize, sizes: &[usize]) -> Option<()> {
        let mut offset = 0_usize;
        for n_bytes in sizes {
            offset = offset.next_multiple_of(*n_bytes);
            self.note(at + offset, *n_bytes, Role::Value)?;
            offset += n_bytes;
        }
        Some(())
    }
}

/// The length of a struct, which is a multiple of its largest number.
fn struct_bytes(sizes: &[usize]) -> usize {
    let end = sizes.iter().fold(0_usize, |end, n_bytes| end.next_multiple_of(*n_bytes) + n_bytes);
    end.next_multiple_of(sizes.iter().copied().max().unwrap_or(1))
}
