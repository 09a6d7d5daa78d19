//! Computes once what writing needs to know about fields.

use std::{collections::HashMap, sync::Arc};

use arrow_data::layout;
use arrow_schema::{DataType, Field, PathStep, Schema, UnionMode};

/// A field of the schema at any level, for writing its values.
#[derive(Debug)]
pub(super) struct WriteNode {
    /// The path step from the parent to this field.
    pub(super) step: PathStep,
    pub(super) nulls: NullRule,
    /// The approximate memory of a null slot in bytes. A child of a sparse union also has such slots where it is not selected.
    pub(super) null_bytes: u64,
    /// The children of lists, structs, unions and runs; the keys and values of maps; the values of dictionaries.
    pub(super) children: Box<[WriteNode]>,
    /// Whether the column is dictionary-encoded or run-end encoded.
    pub(super) is_encoded: bool,
    /// The index of each child by its name, for structs and unions.
    by_name: HashMap<Arc<str>, usize>,
}

/// What happens when the value is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NullRule {
    Append,
    /// Appends nothing, since the null belongs to the encoding around this node.
    Skip,
    /// Returns an error, since the field is not nullable.
    Refuse,
    /// Returns an error, since unions cannot be null.
    None,
}

impl NullRule {
    fn from_field(field: &Field) -> NullRule {
        // Nulls are the only values of the null type.
        if *field.data_type() == DataType::Null {
            NullRule::Append
        } else if !field.is_nullable() {
            NullRule::Refuse
        } else if field.data_type().as_union().is_some() {
            NullRule::None
        } else {
            NullRule::Append
        }
    }
}

/// The approximate bytes of an offset, an index or a view.
const SLOT_BYTES: u64 = 8;

impl WriteNode {
    /// Makes the node of the rows, which cannot be null. Recurses once for each level of nesting.
    pub(super) fn for_rows(schema: &Schema) -> WriteNode {
        WriteNode::from_fields(PathStep::Dictionary, NullRule::Refuse, schema.fields(), NullRule::from_field)
    }

    /// Makes a node for numbers that are not in the schema.
    pub(super) fn from_number(data_type: DataType) -> WriteNode {
        WriteNode::from_position(0, &Field::new("item", data_type).required())
    }

    fn from_position(position: usize, field: &Field) -> WriteNode {
        WriteNode::with_rule(position, field, NullRule::from_field(field))
    }

    fn with_rule(position: usize, field: &Field, nulls: NullRule) -> WriteNode {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let step = PathStep::Child { position, name: field.name().into() };
        WriteNode::new(step, nulls, field.data_type())
    }

    fn new(step: PathStep, nulls: NullRule, data_type: &DataType) -> WriteNode {
        if let Some(dictionary) = data_type.as_dictionary() {
            let inner = if nulls == NullRule::Refuse { nulls } else { NullRule::Skip };
            let values = WriteNode::new(PathStep::Dictionary, inner, dictionary.value());
            WriteNode {
                null_bytes: SLOT_BYTES,
                is_encoded: true,
                ..WriteNode::above(step, nulls, [values].into())
            }
        } else if let Some(runs) = data_type.as_run_end_encoded() {
            // A null is stored in the values, so both the field of the runs and the field of the values must be
            // nullable.
            let mut values = WriteNode::from_position(1, runs.values());
            if nulls != NullRule::Append {
                values = WriteNode::new(values.step, nulls, runs.values().data_type());
            }
            // In runs, a null is a value.
            let null_bytes = values.null_bytes.saturating_add(SLOT_BYTES);
            WriteNode { null_bytes, is_encoded: true, ..WriteNode::above(step, nulls, [values].into()) }
        } else if let Some(map) = data_type.as_map() {
            let children = [WriteNode::from_position(0, map.key()), WriteNode::from_position(1, map.value())];
            WriteNode { null_bytes: SLOT_BYTES, ..WriteNode::above(step, nulls, children.into()) }
        } else {
            // A null in the selected child makes a union null, which may not be allowed. Nulls are the only values of the
            // null type.
            let is_required = nulls == NullRule::Refuse && data_type.as_union().is_some();
            let is_refused = |field: &Field| is_required && *field.data_type() != DataType::Null;
            let nulls_of =
                |field: &Field| if is_refused(field) { nulls } else { NullRule::from_field(field) };
            let mut node = WriteNode::from_fields(step, nulls, data_type.children(), nulls_of);
            node.null_bytes = node.null_bytes_of(data_type);
            node
        }
    }

    fn from_fields(
        step: PathStep,
        nulls: NullRule,
        fields: &[Field],
        nulls_of: impl Fn(&Field) -> NullRule,
    ) -> WriteNode {
        let child = |(position, field)| WriteNode::with_rule(position, field, nulls_of(field));
        let children = fields.iter().enumerate().map(child);
        let names = fields.iter().enumerate().map(|(position, field)| (Arc::from(field.name()), position));
        WriteNode { by_name: names.collect(), ..WriteNode::above(step, nulls, children.collect()) }
    }

    fn above(step: PathStep, nulls: NullRule, children: Box<[WriteNode]>) -> WriteNode {
        let null_bytes = children.iter().fold(0, |sum: u64, node| sum.saturating_add(node.null_bytes));
        WriteNode { step, nulls, null_bytes, children, is_encoded: false, by_name: HashMap::new() }
    }

    /// The memory of a null: its own slot, and nulls in the children. The type must not be a dictionary or runs.
    fn null_bytes_of(&self, data_type: &DataType) -> u64 {
        let first = self.children.first().map_or(0, |child| child.null_bytes);
        if let Some((_, n_items)) = data_type.as_fixed_size_list() {
            first.saturating_mul(n_items.as_usize() as u64)
        } else if data_type.is_list() {
            SLOT_BYTES
        } else if data_type.as_union().is_some_and(|union| union.mode() == UnionMode::Dense) {
            // The null of a dense union is a null of its first child.
            first.saturating_add(SLOT_BYTES)
        } else if self.children.is_empty() {
            let layout = layout(data_type);
            let n_bits = layout.data_buffers().iter().map(|buffer| buffer.bits);
            n_bits.fold(0, u64::saturating_add).div_ceil(8).max(SLOT_BYTES)
        } else {
            self.null_bytes
        }
    }

    /// The index of the child with this name. Compares with the name at `guess` first.
    #[inline]
    pub(super) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        match self.children.get(guess) {
            Some(child) if child.name() == name => Some(guess),
            _ => self.by_name.get(name).copied(),
        }
    }

    pub(super) fn name(&self) -> &str {
        match &self.step {
            PathStep::Child { position: _, name } => name,
            PathStep::Dictionary => "",
        }
    }
}
