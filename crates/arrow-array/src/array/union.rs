//! Arrays of unions.

use arrow_buffer::Values;
use arrow_data::ArrayData;
use arrow_schema::{Field, LookupError, UnionMode, UnionType, field_index};

use super::{
    IndexedSlots,
    methods::array_methods,
    proven::{numbers, part, proven_as},
    sealed::Slots,
};
use crate::{
    error::{ArrayError, ArrayErrorKind},
    kind::Kind,
};

/// Unions: the value of each slot has one of several types. Sparse or dense.
///
/// A union has no nulls of its own: its `null_count` is 0, and every slot selects a value of a child. The selected value may be
/// null, as in the example. [`logical_validity`](ArrayData::logical_validity) of the data then counts the slot as null.
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
/// let (numbers, texts) = (union.child_at_as::<Int32Array>(0)?, union.child_as::<Utf8Array>("text")?);
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
    /// For each slot, the slot of the selected child that has the value. `None` if the union is sparse.
    offsets: Option<Values<i32>>,
}

/// Where the value of one slot of a [`UnionArray`] is: a child, and a slot of the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnionValue {
    /// The type id of the slot, which selects the child that has the value.
    pub type_id: i8,
    /// The index of the child with this type id, for [`children`](UnionArray::children).
    pub child_idx: usize,
    /// The slot of the child that contains the value.
    pub slot: usize,
}

impl UnionArray {
    /// Whether the union is sparse or dense, from its type.
    pub fn mode(&self) -> UnionMode {
        if self.offsets.is_some() { UnionMode::Dense } else { UnionMode::Sparse }
    }

    /// The name and the type of each child.
    pub fn fields(&self) -> &[Field] {
        self.data.data_type().children()
    }

    /// The arrays of values, one for each field.
    pub fn children(&self) -> &[ArrayData] {
        self.data.children()
    }

    /// The child with the index `child_idx`, as an array of type `A`. For a slot of the union,
    /// [`value`](UnionArray::value) returns the index of the selected child, and the slot in this child.
    ///
    /// # Errors
    /// If `child_idx` is out of bounds, or if the child is not of the type `A`. The error names the child.
    pub fn child_at_as<A: TryFrom<ArrayData, Error = ArrayError>>(
        &self,
        child_idx: usize,
    ) -> Result<A, ArrayError> {
        let n_fields = self.children().len();
        let child = self.children().get(child_idx);
        let child = child.ok_or(LookupError::OutOfRange { position: child_idx, n_fields });
        let child = child.map_err(ArrayErrorKind::Lookup)?.clone();
        A::try_from(child).map_err(|error| error.in_child(self.data_type(), child_idx))
    }

    /// The child with this name, as an array of type `A`; see [`child_at_as`](UnionArray::child_at_as).
    ///
    /// # Errors
    /// If no child or more than one has the name, or if the child is not of the type `A`. The error names the child.
    pub fn child_as<A: TryFrom<ArrayData, Error = ArrayError>>(&self, name: &str) -> Result<A, ArrayError> {
        self.child_at_as(field_index(self.fields(), name).map_err(ArrayErrorKind::Lookup)?)
    }

    /// The type id of each slot, which selects a child.
    pub fn type_ids(&self) -> &[i8] {
        &self.type_ids
    }

    /// For each slot, the slot of the selected child that has the value. `None` if the union is sparse: slot `i` then
    /// selects slot `i` of a child.
    pub fn offsets(&self) -> Option<&[i32]> {
        self.offsets.as_deref()
    }

    /// The value of a slot, as an array of one slot with the type of the selected child.
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
    type Access<'a> = IndexedSlots<'a, Self>;

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
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
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
    fn zero_value(&self) -> UnionValue {
        UnionValue { type_id: 0, child_idx: 0, slot: 0 }
    }
}

array_methods!([] UnionArray, UnionValue);
