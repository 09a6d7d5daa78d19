//! Structures together with their type, and buffers that keep the base structure alive.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, ForeignMemory};
use arrow_data::{ChildLen, Layout, Role, layout};
use arrow_schema::{DataType, PathStep};

use super::ArrowArray;
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::raw::CStructure;

/// The largest length of a buffer: no machine can address more, and no allocation is larger than half of the address space.
const MAX_BYTES: u64 = if isize::BITS < 64 { isize::MAX.unsigned_abs() as u64 } else { 1 << 56 };

/// A range of slots of an array. `start` counts from the beginning of the buffers, so it includes the array's offset.
///
/// The end of the range is at most the sum of length and offset of the array.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArrayWindow {
    pub(super) start: u64,
    pub(super) n_slots: u64,
}

impl ArrayWindow {
    /// The window of `n_slots` slots of `array` that begins at its slot `skip`.
    fn try_new(array: &ArrowArray, skip: u64, n_slots: u64) -> Result<ArrayWindow, Kind> {
        let (offset, n_found) = (count("offset", array.offset)?, count("length", array.length)?);
        match skip.checked_add(n_slots) {
            // No sum of two positive `i64` overflows a `u64`.
            Some(needed) if needed <= n_found => {
                Ok(ArrayWindow { start: offset.saturating_add(skip), n_slots })
            }
            needed => Err(Kind::ChildLength { needed: needed.unwrap_or(u64::MAX), found: array.length }),
        }
    }

    fn all(array: &ArrowArray) -> Result<ArrayWindow, Kind> {
        ArrayWindow::try_new(array, 0, count("length", array.length)?)
    }

    /// A window with only the last slot of `array`. It is empty if there are no slots.
    fn last_slot(array: &ArrowArray) -> Result<ArrayWindow, Kind> {
        let n_slots = count("length", array.length)?;
        ArrayWindow::try_new(array, n_slots.saturating_sub(1), n_slots.min(1))
    }

    /// The slots of a child that belong to this window of its parent. `None` if a sum overflows.
    fn for_child(self, child_len: ChildLen, child: &ArrowArray) -> Option<Result<ArrayWindow, Kind>> {
        match child_len {
            ChildLen::SameAsParent => Some(ArrayWindow::try_new(child, self.start, self.n_slots)),
            ChildLen::Times(size) => {
                let skip = self.start.checked_mul(u64::from(size))?;
                Some(ArrayWindow::try_new(child, skip, self.n_slots.checked_mul(u64::from(size))?))
            }
            ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => Some(ArrayWindow::all(child)),
        }
    }

    /// The slot after the last. No sum of two positive `i64` overflows a `u64`.
    pub(super) fn end(self) -> u64 {
        self.start.saturating_add(self.n_slots)
    }
}

/// A member of the structure as an unsigned number; an error if the member is negative.
fn count(member: &'static str, found: i64) -> Result<u64, Kind> {
    u64::try_from(found).map_err(|_| Kind::Negative { member, found })
}

/// A structure with its type. For a batch, the type is the struct of its columns. Only the unsafe functions of
/// [`ArrowArray`] make a `TypedStructure`; their callers promise that the type is right.
pub(super) struct TypedStructure {
    pub(super) base: Arc<ArrowArray>,
    pub(super) data_type: DataType,
}

impl TypedStructure {
    /// Reads all slots of the structure.
    ///
    /// # Errors
    /// If the structure is released, or if its length or offset is negative. The errors of `read`.
    pub(super) fn read<R>(
        &self,
        read: impl FnOnce(TypedSlots<'_>) -> Result<R, CDataError>,
    ) -> Result<R, CDataError> {
        let TypedStructure { base, data_type } = self;
        base.check_not_released()?;
        let memory = ForeignMemory::new(Arc::<ArrowArray>::clone(base));
        let window = ArrayWindow::all(base)?;
        read(TypedSlots { array: base, data_type, window, memory: &memory })
    }
}

/// Some slots of a structure that has this type: the structure of a [`TypedStructure`], or a child or dictionary below it.
/// The parent determines the type and the slots of a child or dictionary.
#[derive(Clone, Copy)]
pub(super) struct TypedSlots<'a> {
    array: &'a ArrowArray,
    data_type: &'a DataType,
    window: ArrayWindow,
    /// Owns the structure of the [`TypedStructure`], and so keeps everything below it alive.
    memory: &'a ForeignMemory,
}

impl<'a> TypedSlots<'a> {
    pub(super) fn array(self) -> &'a ArrowArray {
        self.array
    }

    pub(super) fn data_type(self) -> &'a DataType {
        self.data_type
    }

    pub(super) fn layout(self) -> Layout {
        layout(self.data_type)
    }

    pub(super) fn window(self) -> ArrayWindow {
        self.window
    }

    pub(super) fn n_slots(self) -> Result<usize, Kind> {
        usize::try_from(self.window.n_slots).map_err(|_| self.overflow())
    }

    /// The error for a length or offset that is too large.
    pub(super) fn overflow(self) -> Kind {
        Kind::SizeOverflow { length: self.array.length, offset: self.array.offset }
    }

    /// The child at a position, with only the slots that belong to the slots of this parent.
    ///
    /// # Errors
    /// If there is no child at this position, or if the child has too few slots.
    pub(super) fn child(self, position: usize) -> Result<TypedSlots<'a>, CDataError> {
        let n_fields = self.data_type.children().len();
        let no_field = Kind::ChildCount { expected: n_fields, found: self.array.n_children };
        let field = self.data_type.children().get(position).ok_or(no_field)?;
        let array = self.array.child(position)?;
        let window = self.window.for_child(self.layout().child_len(), array);
        let window = window.ok_or_else(|| self.overflow())??;
        Ok(TypedSlots { array, data_type: field.data_type(), window, memory: self.memory })
    }

    /// All values of the dictionary; `None` if the type has none.
    ///
    /// # Errors
    /// If only the type or only the structure has a dictionary.
    pub(super) fn dictionary(self) -> Result<Option<TypedSlots<'a>>, CDataError> {
        let in_dictionary = |error: CDataError| error.below(PathStep::Dictionary);
        let values = self.array.dictionary().map_err(in_dictionary)?;
        match (self.data_type.as_dictionary(), values) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Kind::UnexpectedDictionary { data_type: self.data_type.clone() }.into()),
            (Some(_), None) => Err(Kind::MissingDictionary.into()),
            (Some(dictionary), Some(array)) => {
                let window = ArrayWindow::all(array).map_err(|kind| in_dictionary(kind.into()))?;
                Ok(Some(TypedSlots { array, data_type: dictionary.value(), window, memory: self.memory }))
            }
        }
    }

    /// The same structure, with only its last slot; without slots if there are none.
    pub(super) fn last_slot(self) -> Result<TypedSlots<'a>, Kind> {
        Ok(TypedSlots { window: ArrayWindow::last_slot(self.array)?, ..self })
    }

    /// Whether the pointer to the buffer at a position is not null.
    pub(super) fn has_buffer(self, position: usize) -> Result<bool, Kind> {
        Ok(self.array.buffer(position)?.is_some())
    }

    /// The range of a buffer that has the elements of the slots. Copies nothing.
    pub(super) fn elements(self, position: usize) -> Result<Buffer, Kind> {
        let layout = self.layout();
        let Some(spec) = layout.buffers().get(position) else { return Err(self.overflow()) };
        let skip_bytes = self.window.start.checked_mul(spec.element_bytes());
        let skip_bytes = skip_bytes.ok_or_else(|| self.overflow())?;
        let n_bytes = spec.min_bytes(self.window.n_slots).ok_or_else(|| self.overflow())?;
        self.bytes(&BufferPiece { position, role: spec.role, skip_bytes, n_bytes })
    }

    /// The bits of the slots in a buffer.
    pub(super) fn bits(self, position: usize, role: Role) -> Result<Bitmap, Kind> {
        let overflow = || self.overflow();
        let ArrayWindow { start, n_slots } = self.window;
        let bit_offset = start % 8;
        let n_bytes = bit_offset.checked_add(n_slots).ok_or_else(overflow)?.div_ceil(8);
        let n_bytes = if n_slots == 0 { 0 } else { n_bytes };
        let bytes = self.bytes(&BufferPiece { position, role, skip_bytes: start / 8, n_bytes })?;
        let n_bits = self.n_slots()?;
        let bit_offset =
            if n_bytes == 0 { 0 } else { usize::try_from(bit_offset).map_err(|_| overflow())? };
        Bitmap::try_new(bytes, bit_offset, n_bits).map_err(|_| overflow())
    }

    /// The first `n_bytes` bytes of a buffer of data.
    pub(super) fn data(self, position: usize, role: Role, n_bytes: u64) -> Result<Buffer, Kind> {
        self.bytes(&BufferPiece { position, role, skip_bytes: 0, n_bytes })
    }

    /// The bytes of `piece`. They must belong to slots of the array, or to its data.
    fn bytes(self, piece: &BufferPiece) -> Result<Buffer, Kind> {
        let BufferPiece { position, role, skip_bytes, n_bytes } = *piece;
        if n_bytes == 0 {
            return Ok(Buffer::new());
        }
        let end = skip_bytes.checked_add(n_bytes);
        let first = self.array.filled_buffer(position, role, end.unwrap_or(u64::MAX))?;
        let end = end.filter(|end| *end <= MAX_BYTES).and_then(|end| usize::try_from(end).ok());
        let fits = end.is_some_and(|end| first.addr().checked_add(end).is_some());
        let (Ok(skip), Ok(n), true) = (usize::try_from(skip_bytes), usize::try_from(n_bytes), fits) else {
            return Err(self.overflow());
        };
        let start =
            std::ptr::NonNull::new(first.as_ptr().wrapping_add(skip)).ok_or_else(|| self.overflow())?;
        // SAFETY: the contract of the crate says that the buffer is as long as its type requires for its slots, as the
        // last offset says, or as the buffer of lengths says. The type is right: it is the type of a `TypedStructure`, or of
        // a structure below one. `elements` and `bits` read only slots that the array has, and callers of `data` read
        // as many bytes as the last offset or the buffer of lengths says. The contract also says that the bytes do not
        // change, and live until the base structure is released. `memory` owns that structure. The end of the range
        // does not overflow.
        Ok(unsafe { self.memory.buffer(start, n) })
    }
}

/// A range of bytes in one of the buffers.
#[derive(Debug, Clone, Copy)]
struct BufferPiece {
    position: usize,
    role: Role,
    skip_bytes: u64,
    n_bytes: u64,
}
