//! Arrays that grow while other code reads snapshots of them.
//!
//! Each buffer of an array grows separately. Appended arrays have been checked, and existing slots never change. So
//! every rule that holds for the appended arrays holds for the whole array; the files of this module explain why for
//! each layout.

use std::sync::Arc;

use arrow_buffer::Budget;
use arrow_data::{ArrayData, DataErrorKind as Kind, Physical, Validation, layout};
use arrow_schema::{DataType, UnionMode};

mod buffers;
mod encoded;
mod node;
mod offsets;

use self::node::{ChildRange, GrowingNode, has_runs, too_many};

use crate::error::SelectError;

/// An array to which other arrays, its parts, can be appended. [`array`](GrowingArray::array) returns a snapshot of all
/// slots so far.
///
/// A snapshot copies nothing, and shares its memory with later snapshots. An append copies a bitmap only if it adds
/// unset bits to a byte that an earlier snapshot still refers to. Appending a thousand parts, with a snapshot after
/// each, takes time in proportion to the size of the parts. Only the values of dictionaries that differ are read again with
/// each part.
///
/// The values are those that [`concat`](crate::concat()) returns for the parts. The array is
/// [checked](ArrayData::checked) up to the lowest level of the parts, and at least for content.
///
/// If the dictionary of one part begins with that of another, no dictionary is copied. If a `GrowingArray` made both
/// dictionaries, their values are not compared either. Otherwise the values that indices refer to are merged, each
/// once. If values share bytes or items, and are more than 16 ranges of their dictionary, the values between them are added,
/// too. Items of list views and children of dense unions are always copied as a whole.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, Validation};
/// use arrow_select::GrowingArray;
/// use arrow_schema::DataType;
///
/// let names = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from(vec![0i32, 3, 8]), Buffer::copy_from(b"adagrace")],
///     ..ArrayParts::new(DataType::Utf8, 2)
/// })?;
/// let growing = GrowingArray::new(&DataType::Utf8).append(&names, u64::MAX)?;
/// let before = growing.array();
/// let growing = growing.append(&names.slice(1, 1), u64::MAX)?;
/// let after = growing.array();
/// assert_eq!((before.len(), after.len(), after.checked()), (2, 3, Validation::Content));
/// assert_eq!(after.text().map(|text| &**text), Some("adagracegrace"));
/// assert!(before.buffer(1).as_ptr() != names.buffer(1).as_ptr());
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GrowingArray {
    node: Box<GrowingNode>,
    n_bytes_copied: u64,
}

impl GrowingArray {
    /// Makes an array without slots.
    pub fn new(data_type: &DataType) -> GrowingArray {
        GrowingArray { node: Box::new(GrowingNode::new(data_type)), n_bytes_copied: 0 }
    }

    /// The number of slots so far.
    pub fn len(&self) -> usize {
        self.node.len()
    }

    /// Whether the array has no slots yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends all slots of an array, and copies the data to which they refer.
    ///
    /// `max_bytes` bounds the sum of all bytes that have been copied or compared since the first part
    /// ([`n_bytes_copied`](GrowingArray::n_bytes_copied)). This sum can exceed the bytes of the parts: parts may share
    /// bytes, and bits and dictionaries may be copied or compared many times.
    ///
    /// # Errors
    /// If the array has another type or is invalid. If the result does not fit its type (offsets of 32 bits, indices of
    /// merged dictionaries, run ends). If more than `max_bytes` would be copied.
    pub fn append(self, array: &ArrayData, max_bytes: u64) -> Result<GrowingArray, SelectError> {
        let GrowingArray { mut node, n_bytes_copied } = self;
        if !node.data_type.same_type(array.data_type()) {
            let (expected, found) = (node.data_type.clone(), array.data_type().clone());
            return Err(Kind::TypeMismatch { expected, found }.into());
        }
        let mut budget = Budget::new(max_bytes).with_spent(n_bytes_copied);
        if array.checked() >= Validation::Content {
            node.append(array, &mut budget)?;
        } else {
            node.append(&array.clone().validate(Validation::Content)?, &mut budget)?;
        }
        Ok(GrowingArray { node, n_bytes_copied: budget.n_spent() })
    }

    /// Returns all slots so far, in constant time. Later appends do not change the returned array.
    pub fn array(&self) -> ArrayData {
        self.node.array()
    }

    /// The number of bytes of parts and of earlier slots that have been copied or compared. Copies to larger memory do
    /// not count: in total, they copy at most as many bytes as were appended.
    pub fn n_bytes_copied(&self) -> u64 {
        self.n_bytes_copied
    }
}

/// The functions here are recursive and use little stack, since separate functions do the work on buffers.
impl GrowingNode {
    /// Appends an array of this type whose content has been checked.
    pub(super) fn append(&mut self, part: &ArrayData, budget: &mut Budget) -> Result<(), SelectError> {
        if part.is_empty() {
            return Ok(());
        }
        let n_slots = self.n_slots.checked_add(part.len()).ok_or_else(|| too_many(part))?;
        if self.dictionary.is_some() && !encoded::fits(self, part, budget)? {
            return encoded::merge(self, part, budget);
        }
        buffers::append_validity(self, part, budget)?;
        let items = self.append_own(part, budget)?;
        self.append_children(part, items, budget)?;
        if let Some(values) = part.dictionary()
            && self.dictionary.as_ref().is_none_or(|known| known.len() < values.len())
        {
            self.dictionary = Some(Arc::clone(values));
        }
        self.level = self.level.min(part.checked());
        self.n_slots = n_slots;
        Ok(())
    }

    /// Appends the buffers after validity. Returns the slots of the children that belong to the appended slots.
    #[inline(never)]
    fn append_own(&mut self, part: &ArrayData, budget: &mut Budget) -> Result<ChildRange, SelectError> {
        match layout(&self.data_type).physical() {
            Physical::Null | Physical::Struct | Physical::FixedSizeList(_) => Ok(ChildRange::All),
            Physical::Bits
            | Physical::Fixed(_)
            | Physical::Dictionary(_)
            | Physical::Union(UnionMode::Sparse) => {
                // The numbers in these buffers stay the same: they refer to nothing, to a dictionary that keeps its order, or to children
                // that are as long as the union.
                buffers::append_fixed(self, part, budget).map(|()| ChildRange::All)
            }
            Physical::Bytes(_) if self.data_type.is_text() => {
                buffers::append_text(self, part, budget).map(|()| ChildRange::All)
            }
            Physical::Bytes(_) => offsets::append_bytes(self, part, budget),
            Physical::List(_) => offsets::append_offsets(self, part, budget),
            Physical::ListView(_) => offsets::append_list_views(self, part, budget),
            Physical::Views => buffers::append_views(self, part, budget).map(|()| ChildRange::All),
            Physical::Union(UnionMode::Dense) => offsets::append_dense(self, part, budget),
            Physical::Runs(_) => encoded::append_runs(self, part, budget),
        }
    }

    fn append_children(
        &mut self,
        part: &ArrayData,
        items: ChildRange,
        budget: &mut Budget,
    ) -> Result<(), SelectError> {
        let n_skipped = usize::from(has_runs(&self.data_type));
        let children = part.children().iter().enumerate().skip(n_skipped);
        for (node, (position, child)) in self.children.iter_mut().zip(children) {
            match items {
                ChildRange::All => node.append(child, budget),
                ChildRange::Range { start, n_slots } => node.append_slice(child, start, n_slots, budget),
            }
            .map_err(|error| error.in_child(part.data_type(), position))?;
        }
        Ok(())
    }

    #[inline(never)]
    fn append_slice(
        &mut self,
        child: &ArrayData,
        start: usize,
        n_slots: usize,
        budget: &mut Budget,
    ) -> Result<(), SelectError> {
        self.append(&child.try_slice(start, n_slots)?, budget)
    }
}
