//! One array in the tree of a growing array.

use std::sync::Arc;

use arrow_buffer::{
    Budget, Buffer, GrowingBitmap, GrowingBuffer, GrowingTextSlots, GrowingTextViews, GrowingViews,
    LimitExceeded,
};
use arrow_data::{
    ArrayData, ArrayParts, DataErrorKind as Kind, OffsetType, Physical, ProvenText, Validation, layout,
};
use arrow_schema::DataType;

use crate::error::{SelectError, SelectErrorKind};

/// The slots of one field so far. Offsets begin at 0, even if those of the appended arrays did not.
#[derive(Debug, Clone)]
pub(super) struct GrowingNode {
    pub(super) data_type: DataType,
    pub(super) n_slots: usize,
    /// The lowest level of the parts. Each rule is about a slot and what it refers to, or about two neighbouring slots.
    /// Parts are appended with everything that their slots refer to. So rules that hold for each part hold for the whole array.
    pub(super) level: Validation,
    /// The validity bitmap; `None` while no slot is null.
    pub(super) validity: Option<GrowingBitmap>,
    pub(super) storage: GrowingStorage,
    /// The children of the type; for run-end encoded arrays only the values.
    pub(super) children: Vec<GrowingNode>,
    pub(super) dictionary: Option<Arc<ArrayData>>,
}

/// The buffers after validity. Utf8 stays checked, since only checked utf8 is appended.
#[derive(Debug, Clone)]
pub(super) enum GrowingStorage {
    /// The buffers, in the order of the layout table. For a run-end encoded array, the first one has the run ends.
    Buffers([GrowingBuffer; 2]),
    Bits(GrowingBitmap),
    Text32(GrowingTextSlots<i32>),
    Text64(GrowingTextSlots<i64>),
    Views(GrowingViews),
    TextViews(GrowingTextViews),
}

impl GrowingNode {
    pub(super) fn new(data_type: &DataType) -> GrowingNode {
        let fields = data_type.children();
        // Run ends are kept in a buffer, and not as a child.
        let n_skipped = usize::from(has_runs(data_type));
        GrowingNode {
            data_type: data_type.clone(),
            n_slots: 0,
            level: Validation::Strict,
            validity: None,
            storage: GrowingStorage::new(data_type),
            children: fields
                .iter()
                .skip(n_skipped)
                .map(|field| GrowingNode::new(field.data_type()))
                .collect(),
            dictionary: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n_slots
    }

    pub(super) fn array(&self) -> ArrayData {
        if self.n_slots == 0 {
            return empty(&self.data_type);
        }
        let mut children: Vec<ArrayData> = Vec::new();
        if has_runs(&self.data_type) {
            children.push(run_ends(self));
        }
        self.children.iter().for_each(|child| children.push(child.array()));
        self.assemble(children)
    }

    #[inline(never)]
    fn assemble(&self, children: Vec<ArrayData>) -> ArrayData {
        let null_count = self.validity.as_ref().map_or(0, GrowingBitmap::n_unset);
        let validity = self.validity.as_ref().map(GrowingBitmap::snapshot);
        let array = match self.storage.snapshot() {
            Snapshot::Text(text) => ArrayData::try_from_text(text, validity),
            Snapshot::Plain { buffers, variadic } => ArrayData::try_new(ArrayParts {
                validity,
                buffers,
                variadic,
                children: (!children.is_empty()).then(|| Arc::from(children)),
                dictionary: self.dictionary.clone(),
                ..ArrayParts::new(self.data_type.clone(), self.n_slots)
            }),
        };
        match array {
            Ok(array) => array.assume_checked(self.level, Some(null_count)),
            Err(error) => {
                unreachable!("the buffers and children of a growing array have its length: {error}")
            }
        }
    }
}

/// The buffers after validity so far.
enum Snapshot {
    Plain { buffers: [Buffer; 2], variadic: Option<Arc<[Buffer]>> },
    Text(ProvenText),
}

/// The slots of the children that belong to the slots of a part.
#[derive(Debug, Clone, Copy)]
pub(super) enum ChildRange {
    All,
    Range { start: usize, n_slots: usize },
}

impl GrowingStorage {
    fn new(data_type: &DataType) -> GrowingStorage {
        match layout(data_type).physical() {
            Physical::Bits => GrowingStorage::Bits(GrowingBitmap::new()),
            Physical::Bytes(OffsetType::Int32) if data_type.is_text() => {
                GrowingStorage::Text32(GrowingTextSlots::new())
            }
            Physical::Bytes(OffsetType::Int64) if data_type.is_text() => {
                GrowingStorage::Text64(GrowingTextSlots::new())
            }
            Physical::Views if data_type.is_text() => GrowingStorage::TextViews(GrowingTextViews::new()),
            Physical::Views => GrowingStorage::Views(GrowingViews::new()),
            Physical::Null
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => {
                GrowingStorage::Buffers([GrowingBuffer::new(), GrowingBuffer::new()])
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let (buffers, variadic) = match self {
            GrowingStorage::Buffers([first, second]) => ([first.snapshot(), second.snapshot()], None),
            GrowingStorage::Bits(bits) => ([bits.snapshot().buffer().clone(), Buffer::new()], None),
            GrowingStorage::Views(views) => ([views.views(), Buffer::new()], views.data()),
            GrowingStorage::Text32(slots) => return Snapshot::Text(slots.snapshot().into()),
            GrowingStorage::Text64(slots) => return Snapshot::Text(slots.snapshot().into()),
            GrowingStorage::TextViews(views) => return Snapshot::Text(views.snapshot().into()),
        };
        Snapshot::Plain { buffers, variadic }
    }

    /// The `k`-th growing buffer.
    ///
    /// # Errors
    /// An internal error if the layout has no such buffer.
    pub(super) fn buffer(&mut self, k: usize) -> Result<&mut GrowingBuffer, SelectError> {
        let buffer = if let GrowingStorage::Buffers(buffers) = self { buffers.get_mut(k) } else { None };
        buffer.ok_or_else(|| SelectError::internal("the layout has no buffer to append to"))
    }
}

pub(super) fn has_runs(data_type: &DataType) -> bool {
    matches!(layout(data_type).physical(), Physical::Runs(_))
}

/// The ends of all runs so far. There are no nulls.
#[inline(never)]
fn run_ends(node: &GrowingNode) -> ArrayData {
    let (GrowingStorage::Buffers([ends, _]), [field, _], [values]) =
        (&node.storage, node.data_type.children(), node.children.as_slice())
    else {
        unreachable!("a run-end encoded node has two fields, a buffer of ends and the values");
    };
    let parts = ArrayParts {
        buffers: [ends.snapshot(), Buffer::new()],
        ..ArrayParts::new(field.data_type().clone(), values.len())
    };
    match ArrayData::try_new(parts) {
        Ok(ends) => ends.assume_checked(Validation::Strict, Some(0)),
        Err(error) => unreachable!("each value has a run end: {error}"),
    }
}

/// An array without slots, which meets the rules of every level.
#[inline(never)]
fn empty(data_type: &DataType) -> ArrayData {
    let empty = ArrayData::new_empty(data_type);
    empty.clone().validate(Validation::Strict).unwrap_or(empty)
}

/// The error for an array with another layout than the node. This cannot happen, since the types were compared.
#[cold]
pub(super) fn layout_mismatch() -> SelectError {
    SelectError::internal("the appended array has another layout")
}

pub(super) fn too_many(part: &ArrayData) -> SelectError {
    Kind::SizeOverflow { n_slots: part.len() as u64 }.into()
}

/// Charges bytes before they are copied.
pub(super) fn charge_copy(budget: &mut Budget, n_bytes: usize) -> Result<(), SelectError> {
    let refused = |LimitExceeded { requested, limit, .. }| {
        SelectErrorKind::TooManyCopies { n_bytes: requested, limit }.into()
    };
    budget.spend("copied bytes", n_bytes as u64).map_err(refused)
}
