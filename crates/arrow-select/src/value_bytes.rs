//! Defines which values are equal, by writing values as bytes: two values are equal if and only if their bytes are.
//!
//! [`ValueBytes`] writes values, [`ValueHasher`] hashes them and [`ValueTable`] finds them. Selections, writers and
//! builders use these types to find equal values.

use std::{fmt, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, Values, View};
use arrow_data::{
    ArrayData, Physical, Validation,
    positions::{DictionaryIndices, Ranges, RunEnds, TypeIds, bits, check_range, inside, numbers},
};

mod hash;
mod sort_pairs;
mod table;
mod writer;

pub use self::{
    hash::ValueHasher,
    sort_pairs::{PairOrder, sort_pairs},
    table::{Insertion, ValueReader, ValueTable},
    writer::{ValueEncoding, ValueWriter},
};

use crate::error::SelectError;

/// Writes the values of an array as bytes, which can be hashed, compared and stored without the array.
///
/// Two slots have the same bytes if and only if [`same_values`](arrow_data::ArrayData::same_values) finds them equal, for arrays of
/// the same type or of types that it can compare. Floating-point numbers are equal if their bits are equal. Bytes of
/// null slots make no difference. Dictionaries and runs are replaced by their values. The bytes of a value are never a
/// prefix of the bytes of another value. Only [`ValueEncoding`] reads the bytes, which may change between versions.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_select::ValueBytes;
/// use arrow_schema::DataType;
///
/// let names = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from(vec![0i32, 3, 8, 11]), Buffer::copy_from(b"adagraceada")],
///     ..ArrayParts::new(DataType::Utf8, 3)
/// })?;
/// let values = ValueBytes::try_new(&names)?;
/// let bytes = |slot| {
///     let mut bytes = Vec::new();
///     values.append(slot, &mut bytes, 1000).map(|()| bytes)
/// };
/// assert_eq!(bytes(0)?, bytes(2)?);
/// assert_ne!(bytes(0)?, bytes(1)?);
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
pub struct ValueBytes {
    n_slots: usize,
    node: Box<ValueNode>,
}

struct ValueNode {
    /// Which slots are valid; `None` if no slot is null.
    validity: Option<Bitmap>,
    body: NodeValues,
}

enum NodeValues {
    Nulls,
    Bits(Bitmap),
    Fixed { buffer: Buffer, width: usize },
    Bytes { ranges: Ranges, bytes: Buffer },
    Views { views: Values<View>, data: Arc<[Buffer]> },
    Fields(Vec<ValueNode>),
    Items { ranges: Ranges, n_items: usize, items: Box<ValueNode> },
    Union { ids: TypeIds, children: Vec<(i8, ValueNode)> },
    Dictionary { indices: DictionaryIndices, values: Box<ValueNode> },
    Runs { ends: RunEnds, values: Box<ValueNode> },
}

impl ValueBytes {
    /// Prepares to write the values of this array. Copies no data. Unchecked content is checked.
    ///
    /// # Errors
    /// If the content is invalid.
    pub fn try_new(array: &ArrayData) -> Result<ValueBytes, SelectError> {
        let array = array.clone().validate(Validation::Content)?;
        Ok(ValueBytes { n_slots: array.len(), node: Box::new(ValueNode::from_array(&array)?) })
    }

    /// The number of slots of the array.
    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    /// Appends the bytes of a slot.
    ///
    /// Nested values may refer to the same items many times, so the written bytes of a small array may not fit in
    /// memory. `max_bytes` limits the length of `to`.
    ///
    /// # Errors
    /// If `to` would exceed `max_bytes`, or the slot is out of bounds. Bytes that were appended before the error stay.
    pub fn append(&self, slot: usize, to: &mut Vec<u8>, max_bytes: usize) -> Result<(), SelectError> {
        check_range(slot, 1, self.n_slots)?;
        self.node.append(slot, &mut ValueWriter::new(to, max_bytes))
    }

    /// All values as numbers; `None` if a value is null, or has a size other than 1, 2, 4 or 8 bytes. This is much
    /// faster than a call of `append` for each value. Two numbers are equal if and only if the values are equal.
    pub fn words(&self) -> Option<Vec<u64>> {
        let NodeValues::Fixed { buffer, width } = &self.node.body else { return None };
        if self.node.validity.is_some() {
            return None;
        }
        let words: Vec<u64> = match width {
            1 => buffer.iter().take(self.n_slots).map(|byte| u64::from(*byte)).collect(),
            2 => buffer
                .as_chunks()
                .0
                .iter()
                .take(self.n_slots)
                .map(|word| u16::from_le_bytes(*word).into())
                .collect(),
            4 => buffer
                .as_chunks()
                .0
                .iter()
                .take(self.n_slots)
                .map(|word| u32::from_le_bytes(*word).into())
                .collect(),
            8 => {
                buffer.as_chunks().0.iter().take(self.n_slots).map(|word| u64::from_le_bytes(*word)).collect()
            }
            _ => return None,
        };
        (words.len() == self.n_slots).then_some(words)
    }
}

impl fmt::Debug for ValueBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueBytes").field("n_slots", &self.n_slots).finish_non_exhaustive()
    }
}

impl ValueNode {
    /// The node of an array whose content has been checked.
    fn from_array(array: &ArrayData) -> Result<ValueNode, SelectError> {
        let body = match array.layout().physical() {
            Physical::Null => NodeValues::Nulls,
            Physical::Bits => NodeValues::Bits(bits(array)?),
            Physical::Fixed(n_bytes) => {
                NodeValues::Fixed { buffer: array.buffer(0).clone(), width: n_bytes.as_usize() }
            }
            Physical::Struct => NodeValues::Fields(
                array.children().iter().map(ValueNode::from_array).collect::<Result<_, SelectError>>()?,
            ),
            Physical::Bytes(_) => {
                NodeValues::Bytes { ranges: Ranges::try_new(array)?, bytes: array.buffer(1).clone() }
            }
            Physical::Views => NodeValues::Views {
                views: numbers(array.buffer(0), array.len())?,
                data: array.shared_variadic().map_or_else(|| Arc::from([]), Arc::clone),
            },
            Physical::Dictionary(_) => {
                let values = Box::new(ValueNode::from_array(inside(array.dictionary())?)?);
                NodeValues::Dictionary { indices: DictionaryIndices::try_new(array)?, values }
            }
            Physical::Runs(_) => {
                let values = Box::new(ValueNode::from_array(inside(array.children().get(1))?)?);
                NodeValues::Runs { ends: RunEnds::try_new(array)?, values }
            }
            Physical::Union(_) => NodeValues::union(array)?,
            Physical::List(_) | Physical::ListView(_) | Physical::FixedSizeList(_) => {
                let items = inside(array.children().first())?;
                let ranges = Ranges::try_new(array)?;
                let n_items = items.len();
                NodeValues::Items { ranges, n_items, items: Box::new(ValueNode::from_array(items)?) }
            }
        };
        let validity = array.validity_with_nulls().cloned();
        Ok(ValueNode { validity, body })
    }

    /// Appends the bytes of a slot, which must be in bounds.
    fn append(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        if self.validity.as_ref().is_some_and(|validity| validity.get(slot) != Some(true)) {
            return to.null();
        }
        match &self.body {
            NodeValues::Nulls => to.null(),
            // A null index and the index of a null give the same bytes.
            NodeValues::Dictionary { indices, values } => values.append(inside(indices.get(slot))?, to),
            NodeValues::Runs { ends, values } => values.append(inside(ends.run_of(slot))?, to),
            NodeValues::Fields(fields) => {
                to.fields()?;
                fields.iter().try_for_each(|field| field.append(slot, to))
            }
            NodeValues::Items { ranges, n_items, items } => {
                let mut range = inside(ranges.get(slot).filter(|range| range.end <= *n_items))?;
                to.items(range.len())?;
                range.try_for_each(|item| items.append(item, to))
            }
            NodeValues::Union { ids, children } => {
                let (id, at) = inside(ids.get(slot))?;
                to.type_id(id)?;
                let (_, child) = inside(children.iter().find(|(child_id, _)| *child_id == id))?;
                child.append(at, to)
            }
            NodeValues::Bits(_)
            | NodeValues::Fixed { .. }
            | NodeValues::Bytes { .. }
            | NodeValues::Views { .. } => self.body.append_leaf(slot, to),
        }
    }
}

impl NodeValues {
    fn union(array: &ArrayData) -> Result<NodeValues, SelectError> {
        let children = inside(array.data_type().as_union())?.type_ids().iter().zip(array.children());
        let children = children.map(|(id, child)| Ok((*id, ValueNode::from_array(child)?)));
        let children = children.collect::<Result<Vec<(i8, ValueNode)>, SelectError>>()?;
        Ok(NodeValues::Union { ids: TypeIds::try_new(array)?, children })
    }

    /// Writes the value of a valid slot of a layout without children.
    #[inline(never)]
    fn append_leaf(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        match self {
            NodeValues::Bits(bits) => to.fixed(&[u8::from(inside(bits.get(slot))?)]),
            NodeValues::Fixed { buffer, width } => {
                let start = slot.saturating_mul(*width);
                to.fixed(inside(buffer.get(start..start.saturating_add(*width)))?)
            }
            NodeValues::Bytes { ranges, bytes } => {
                to.sized(inside(ranges.get(slot).and_then(|range| bytes.get(range)))?)
            }
            NodeValues::Views { views, data } => {
                to.sized(inside(views.get(slot).and_then(|view| view.bytes(data).ok()))?)
            }
            NodeValues::Nulls
            | NodeValues::Fields(_)
            | NodeValues::Items { .. }
            | NodeValues::Union { .. }
            | NodeValues::Dictionary { .. }
            | NodeValues::Runs { .. } => Err(SelectError::internal("a nested value was read as a leaf")),
        }
    }
}
