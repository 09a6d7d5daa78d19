//! One array in the tree of a growing array.
//!
//! Recursive functions use little stack; the work on buffers is in separate functions.

use std::sync::Arc;

use arrow_buffer::{Buffer, GrowingBitmap, GrowingBuffer, GrowingTextSlots, GrowingTextViews, GrowingViews};
use arrow_schema::{DataType, UnionMode};

use super::{CopyAccount, buffers, encoded, moved};
use crate::{
    array::{ArrayData, NullCount, Storage},
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Physical, layout},
    level::Level,
};

/// The slots of one field so far. Positions in buffers and children begin at 0, also if those of the parts did not.
#[derive(Debug, Clone)]
pub(super) struct Grown {
    pub(super) data_type: DataType,
    pub(super) n_slots: usize,
    /// The lowest level of the parts. Each rule is about a slot and what it refers to, or about two neighbouring slots.
    /// Parts are appended with everything that their slots refer to. So rules that hold for each part hold for the whole.
    level: Level,
    /// `None` while no slot is null.
    pub(super) validity: Option<GrowingBitmap>,
    pub(super) storage: Growing,
    /// The children of the type; for run-end encoded arrays only the values.
    pub(super) children: Vec<Grown>,
    pub(super) dictionary: Option<Arc<ArrayData>>,
}

/// The buffers after validity. Utf8 stays checked, since only checked utf8 is appended.
#[derive(Debug, Clone)]
pub(super) enum Growing {
    /// In table order; for run-end encoded arrays the run ends.
    Buffers([GrowingBuffer; 2]),
    Bits(GrowingBitmap),
    Text32(GrowingTextSlots<i32>),
    Text64(GrowingTextSlots<i64>),
    Views(GrowingViews),
    TextViews(GrowingTextViews),
}

impl Grown {
    pub(super) fn new(data_type: &DataType) -> Grown {
        let fields = data_type.children();
        // Run ends are kept in a buffer.
        let n_skipped = usize::from(has_runs(data_type));
        Grown {
            data_type: data_type.clone(),
            n_slots: 0,
            level: Level::Strict,
            validity: None,
            storage: Growing::new(data_type),
            children: fields.iter().skip(n_skipped).map(|field| Grown::new(field.data_type())).collect(),
            dictionary: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n_slots
    }

    /// Appends an array of this type whose content has been checked.
    pub(super) fn append(&mut self, part: &ArrayData, account: &mut CopyAccount) -> Result<(), DataError> {
        if part.is_empty() {
            return Ok(());
        }
        let n_slots = self.n_slots.checked_add(part.len()).ok_or_else(|| too_many(part))?;
        if self.dictionary.is_some() && !encoded::fits(self, part, account)? {
            return encoded::merge(self, part, account);
        }
        buffers::append_validity(self, part, account)?;
        let items = self.append_own(part, account)?;
        self.append_children(part, items, account)?;
        if let Some(values) = part.dictionary()
            && self.dictionary.as_ref().is_none_or(|known| known.len() < values.len())
        {
            self.dictionary = Some(Arc::clone(values));
        }
        self.level = self.level.min(part.checked());
        self.n_slots = n_slots;
        Ok(())
    }

    /// Appends the buffers after validity. Returns the slots of the children that belong to them.
    #[inline(never)]
    fn append_own(&mut self, part: &ArrayData, account: &mut CopyAccount) -> Result<ChildRange, DataError> {
        match layout(&self.data_type).physical() {
            Physical::Null | Physical::Struct | Physical::FixedSizeList(_) => Ok(ChildRange::All),
            Physical::Bits
            | Physical::Fixed(_)
            | Physical::Dictionary(_)
            | Physical::Union(UnionMode::Sparse) => {
                // Numbers that may stay the same: they refer to nothing, to a dictionary that keeps its order, or to children
                // with the length of the union.
                buffers::append_fixed(self, part, account).map(|()| ChildRange::All)
            }
            Physical::Bytes(_) if self.data_type.is_text() => {
                buffers::append_text(self, part, account).map(|()| ChildRange::All)
            }
            Physical::Bytes(_) => moved::append_bytes(self, part, account),
            Physical::List(_) => moved::append_offsets(self, part, account),
            Physical::ListView(_) => moved::append_list_views(self, part, account),
            Physical::Views => buffers::append_views(self, part, account).map(|()| ChildRange::All),
            Physical::Union(UnionMode::Dense) => moved::append_dense(self, part, account),
            Physical::Runs(_) => encoded::append_runs(self, part, account),
        }
    }

    fn append_children(
        &mut self,
        part: &ArrayData,
        items: ChildRange,
        account: &mut CopyAccount,
    ) -> Result<(), DataError> {
        let n_skipped = usize::from(has_runs(&self.data_type));
        let children = part.children().iter().enumerate().skip(n_skipped);
        for (node, (position, child)) in self.children.iter_mut().zip(children) {
            match items {
                ChildRange::All => node.append(child, account),
                ChildRange::Range { start, n_slots } => append_slice(node, child, start, n_slots, account),
            }
            .map_err(|error| error.in_child(part.data_type(), position))?;
        }
        Ok(())
    }

    /// All slots so far.
    pub(super) fn array(&self) -> ArrayData {
        if self.n_slots == 0 {
            return empty(&self.data_type);
        }
        let mut children: Vec<ArrayData> = Vec::new();
        if has_runs(&self.data_type) {
            children.push(encoded::run_ends(self));
        }
        self.children.iter().for_each(|child| children.push(child.array()));
        self.assemble(children)
    }

    #[inline(never)]
    fn assemble(&self, children: Vec<ArrayData>) -> ArrayData {
        let n_nulls = self.validity.as_ref().map_or(0, GrowingBitmap::n_unset);
        let values = self.dictionary.as_ref().map_or(Level::Strict, |values| values.checked());
        let below = children.iter().map(ArrayData::checked).fold(values, Level::min);
        ArrayData {
            data_type: self.data_type.clone(),
            n_slots: self.n_slots,
            offset: 0,
            null_count: NullCount::counted(n_nulls),
            validity: self.validity.as_ref().map(GrowingBitmap::snapshot),
            storage: self.storage.snapshot(),
            children: (!children.is_empty()).then(|| Arc::from(children)),
            dictionary: self.dictionary.clone(),
            checked: self.level.min(below),
        }
    }
}

/// The slots of the children that belong to the slots of a part.
#[derive(Debug, Clone, Copy)]
pub(super) enum ChildRange {
    All,
    Range { start: usize, n_slots: usize },
}

impl Growing {
    fn new(data_type: &DataType) -> Growing {
        match layout(data_type).physical() {
            Physical::Bits => Growing::Bits(GrowingBitmap::new()),
            Physical::Bytes(OffsetType::Int32) if data_type.is_text() => {
                Growing::Text32(GrowingTextSlots::new())
            }
            Physical::Bytes(OffsetType::Int64) if data_type.is_text() => {
                Growing::Text64(GrowingTextSlots::new())
            }
            Physical::Views if data_type.is_text() => Growing::TextViews(GrowingTextViews::new()),
            Physical::Views => Growing::Views(GrowingViews::new()),
            Physical::Null
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => Growing::Buffers([GrowingBuffer::new(), GrowingBuffer::new()]),
        }
    }

    fn snapshot(&self) -> Storage {
        let (buffers, variadic) = match self {
            Growing::Buffers([first, second]) => ([first.snapshot(), second.snapshot()], None),
            Growing::Bits(bits) => ([bits.snapshot().buffer().clone(), Buffer::new()], None),
            Growing::Views(views) => ([views.views(), Buffer::new()], views.data()),
            Growing::Text32(slots) => return Storage::Text32(slots.snapshot()),
            Growing::Text64(slots) => return Storage::Text64(slots.snapshot()),
            Growing::TextViews(views) => return Storage::TextViews(views.snapshot()),
        };
        Storage::Plain { buffers, variadic }
    }

    /// The `k`-th growing buffer.
    ///
    /// # Errors
    /// An internal error if the layout has no such buffer.
    pub(super) fn buffer(&mut self, k: usize) -> Result<&mut GrowingBuffer, DataError> {
        let buffer = if let Growing::Buffers(buffers) = self { buffers.get_mut(k) } else { None };
        buffer.ok_or_else(|| DataError::internal("appending to a buffer that the layout does not have"))
    }
}

fn has_runs(data_type: &DataType) -> bool {
    matches!(layout(data_type).physical(), Physical::Runs(_))
}

#[inline(never)]
pub(super) fn append_slice(
    node: &mut Grown,
    child: &ArrayData,
    start: usize,
    n_slots: usize,
    account: &mut CopyAccount,
) -> Result<(), DataError> {
    node.append(&child.try_slice(start, n_slots)?, account)
}

/// An array without slots meets every level.
#[inline(never)]
fn empty(data_type: &DataType) -> ArrayData {
    let empty = ArrayData::new_empty(data_type);
    empty.clone().validate(Level::Strict).unwrap_or(empty)
}

/// The error for a part with another layout than the node, which cannot happen after types were compared.
#[cold]
pub(super) fn no_place() -> DataError {
    DataError::internal("appending an array of another layout")
}

pub(super) fn too_many(part: &ArrayData) -> DataError {
    Kind::SizeOverflow { n_slots: part.len() as u64 }.into()
}
