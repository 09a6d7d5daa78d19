//! Arrays of unions.

use arrow_buffer::Values;
use arrow_data::ArrayData;
use arrow_schema::{Field, LookupError, UnionMode, UnionType, field_index};

use super::{
    Whole,
    methods::array_methods,
    proven::{numbers, part, proven_as},
    sealed::Slots,
};
use crate::{
    error::{ArrayError, ArrayErrorKind},
    kind::Kind,
};

/// Values of one of several types, sparse or dense.
///
/// A union has no nulls of its own: its `null_count` is 0, and every slot has a [`UnionValue`]. The selected value may
/// be null in its child, as in the example. [`logical_validity`](ArrayData::logical_validity) of the data counts such
/// slots as null.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, UnionBuilder, Utf8Array, Utf8Builder};
/// use arrow_schema::UnionMode;
///
/// let children = (("number", Int32Builder::new()), ("text", Utf8Builder::new()));
/// let mut union = UnionBuilder::try_new(UnionMode::Dense, children)?;
/// union.append_with(|(numbers, _)| numbers.append(5));
/// union.append_with(|(_, texts)| texts.append("seven"));
/// union.append_with(|(numbers, _)| numbers.append(None));
/// let union = union.finish()?;
/// assert_eq!((union.value(2).child_idx, union.value(2).slot), (0, 1));
/// assert_eq!(Utf8Array::try_from(union.selected(1))?.value(0), "seven");
///
/// let (numbers, texts) = (union.child_as::<Int32Array>(0)?, union.child_named::<Utf8Array>("text")?);
/// let shown: Vec<String> = union.iter().flatten().map(|value| match value.child_idx {
///     0 => format!("the number {:?}", numbers.get(value.slot)),
///     _ => format!("the text {:?}", texts.get(value.slot)),
/// }).collect();
/// assert_eq!(shown, ["the number Some(5)", "the text Some(\"seven\")", "the number None"]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Union Layout" of the specification.
#[derive(Clone)]
pub struct UnionArray {
    data: ArrayData,
    type_ids: Values<i8>,
    /// The offsets; `None` if the union is sparse. Slot `i` of a sparse union selects slot `i` of a child.
    offsets: Option<Values<i32>>,
}

/// The position of the value of one slot of a [`UnionArray`]: a child, and a slot in the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnionValue {
    /// The type id of the slot.
    pub type_id: i8,
    /// The position of the child with this type id.
    pub child_idx: usize,
    /// The slot in that child.
    pub slot: usize,
}

impl UnionArray {
    /// Whether the union is sparse or dense.
    pub fn mode(&self) -> UnionMode {
        if self.offsets.is_some() { UnionMode::Dense } else { UnionMode::Sparse }
    }

    /// Names and types of the children.
    pub fn fields(&self) -> &[Field] {
        self.data.data_type().children()
    }

    /// All children, in the order of the fields.
    pub fn children(&self) -> &[ArrayData] {
        self.data.children()
    }

    /// The child at a position, as an array of type `A`. A [value](UnionArray::value) of the union has the slot of the
    /// child that it selects.
    ///
    /// # Errors
    /// If no child is at this position, or if the child has another type. The error names the child.
    pub fn child_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        child_idx: usize,
    ) -> Result<A, ArrayError> {
        let n_fields = self.children().len();
        let child = self.children().get(child_idx);
        let child = child.ok_or(LookupError::OutOfRange { position: child_idx, n_fields });
        let child = child.map_err(ArrayErrorKind::Lookup)?.clone();
        A::try_from(child).map_err(|error| error.in_child(self.data_type(), child_idx))
    }

    /// The child of this name, as an array of type `A`: see [`child_as`](UnionArray::child_as).
    ///
    /// # Errors
    /// If no child has the name, if several children have it, or if the child has another type. The error names the
    /// child.
    pub fn child_named<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        name: &str,
    ) -> Result<A, ArrayError> {
        self.child_as(field_index(self.fields(), name).map_err(ArrayErrorKind::Lookup)?)
    }

    /// The type id of every slot.
    pub fn type_ids(&self) -> &[i8] {
        &self.type_ids
    }

    /// For each slot, the slot of its value in the selected child. `None` if the union is sparse: slot `i` then selects
    /// slot `i` of a child.
    pub fn offsets(&self) -> Option<&[i32]> {
        self.offsets.as_deref()
    }

    /// The value of a slot as an array of one slot, of the type that the slot selects.
    ///
    /// # Panics
    /// If the slot is out of bounds, as for indexing a slice.
    pub fn selected(&self, slot: usize) -> ArrayData {
        let UnionValue { child_idx, slot, .. } = self.value(slot);
        let child = self.children().get(child_idx);
        part(child.expect("a union has a child for each type id"), slot..slot.saturating_add(1))
    }
}

fn union_type(data: &ArrayData) -> &UnionType {
    data.data_type().as_union().expect("an array of unions has their type")
}

impl Slots for UnionArray {
    type Item<'a> = UnionValue;
    type Access<'a> = Whole<'a, Self>;

    fn make(data: ArrayData) -> Result<UnionArray, ArrayError> {
        let data = proven_as(data, Kind::Union, "union")?;
        let type_ids = numbers(data.buffer(0), data.len())?;
        let offsets = match union_type(&data).mode() {
            UnionMode::Sparse => None,
            UnionMode::Dense => Some(numbers(data.buffer(1), data.len())?),
        };
        Ok(UnionArray { data, type_ids, offsets })
    }

    #[inline]
    fn access(&self) -> Whole<'_, Self> {
        Whole(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> UnionValue {
        let type_id = self.type_ids[slot];
        let child_idx = union_type(&self.data).child_of(type_id).expect("type ids have been checked");
        let slot = match &self.offsets {
            None => slot,
            Some(offsets) => usize::try_from(offsets[slot]).expect("offsets have been checked"),
        };
        UnionValue { type_id, child_idx, slot }
    }

    // This is never called: a union has no null slots of its own.
    fn blank(&self) -> UnionValue {
        UnionValue { type_id: 0, child_idx: 0, slot: 0 }
    }
}

array_methods!([] UnionArray, UnionValue);
