//! Properties of types that readers need, computed once.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{AnyBuilder, TensorForm, ValueForm};
use arrow_data::layout;
use arrow_schema::{DataType, Field, PathStep, UnionMode};

use super::{
    error::RowErrorKind,
    leaf::{ExtraDigits, LeafForm},
    nulls::NullBudget,
    parse::{Expected, ValueError},
};

/// A column, or a field below one.
#[derive(Debug)]
pub(super) struct ReadNode {
    /// The last step of the path to this field.
    pub(super) step: PathStep,
    pub(super) nulls: NullReading,
    pub(super) shape: NodeShape,
    /// The approximate memory of a null slot, or of a slot in a child of a sparse union that is not selected.
    pub(super) null_bytes: u64,
    /// Whether the field is not nullable, so that a value is required.
    pub(super) is_required: bool,
    /// Whether an empty text is a value of the type, as for utf8 and binary.
    pub(super) has_empty_text: bool,
    /// Whether values are integers, floating-point numbers or decimals.
    pub(super) is_number: bool,
    pub(super) has_date: bool,
    /// What happens to digits that the type cannot represent.
    pub(super) digits: ExtraDigits,
    /// The notations of values that are accepted.
    pub(super) form: LeafForm,
    /// How tensors are written as nested lists, if values are tensors.
    pub(super) tensor: Option<Box<TensorForm>>,
}

/// What happens when a null is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NullReading {
    Append,
    /// Nothing is appended: the encoding around the values contains the null.
    Skip,
    /// The null is an error, since the field is not nullable.
    Refuse,
    /// The null is an error, since unions, rows and names have no nulls.
    None,
}

impl NullReading {
    fn of(field: &Field) -> NullReading {
        match field.is_nullable() {
            // The null type has no other values.
            false if *field.data_type() == DataType::Null => NullReading::Append,
            false => NullReading::Refuse,
            true if field.data_type().as_union().is_some() => NullReading::None,
            true => NullReading::Append,
        }
    }
}

#[derive(Debug)]
pub(super) enum NodeShape {
    /// A value that is not nested.
    Leaf,
    List(Box<ReadNode>),
    FixedSizeList(Box<ReadNode>, usize),
    Struct(Members),
    Map(Box<MapNode>),
    Union(Members, UnionIds),
    /// A dictionary or run-end encoded array with these values.
    Encoded(Box<ReadNode>),
}

#[derive(Debug)]
pub(super) struct MapNode {
    /// The step from the map to the struct of its keys and values.
    pub(super) entries: PathStep,
    pub(super) key: ReadNode,
    pub(super) value: ReadNode,
    /// Whether keys are utf8, so that an object can be a map.
    pub(super) has_text_keys: bool,
}

#[derive(Debug)]
pub(super) struct UnionIds {
    pub(super) is_sparse: bool,
    /// The type ids of the children in order.
    pub(super) type_ids: Box<[i8]>,
}

/// The columns of a schema, fields of a struct or children of a union.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) nodes: Vec<ReadNode>,
    /// The number of members that are not nullable.
    pub(super) n_required: usize,
    /// The memory of nulls in all members.
    pub(super) null_bytes: u128,
    /// Whether names are unique, and no member is nested or encoded.
    pub(super) is_flat: bool,
    /// The position of each name. There are fewer names than nodes if names repeat.
    by_name: HashMap<Arc<str>, usize>,
}

impl Members {
    /// Makes the nodes of these fields. Recurses once for each level of the types.
    pub(super) fn of(fields: &[Field]) -> Members {
        let nodes: Vec<ReadNode> =
            fields.iter().enumerate().map(|(position, field)| ReadNode::of(position, field)).collect();
        let by_name = fields.iter().enumerate().map(|(position, field)| (Arc::from(field.name()), position));
        let by_name: HashMap<Arc<str>, usize> = by_name.collect();
        Members {
            is_flat: by_name.len() == nodes.len()
                && nodes.iter().all(|node| matches!(node.shape, NodeShape::Leaf)),
            by_name,
            n_required: nodes.iter().filter(|node| node.is_required).count(),
            null_bytes: nodes.iter().map(|node| u128::from(node.null_bytes)).sum(),
            nodes,
        }
    }

    /// Whether names repeat, so that an object would lose members.
    pub(super) fn names_repeat(&self) -> bool {
        self.by_name.len() < self.nodes.len()
    }

    /// The position of a name. The position `guess` is tried first.
    #[inline]
    pub(super) fn find(&self, name: &[u8], guess: usize) -> Option<usize> {
        match self.nodes.get(guess) {
            Some(node) if node.name().as_bytes() == name => Some(guess),
            _ => self.by_name.get(str::from_utf8(name).ok()?).copied(),
        }
    }
}

impl ReadNode {
    fn of(position: usize, field: &Field) -> ReadNode {
        let mut node = ReadNode::new(step(position, field), NullReading::of(field), field.data_type());
        // If the metadata of an extension type is invalid, values are read as those of the storage type.
        if let Some(form) = ValueForm::of(field) {
            node.set_form(form);
        }
        node
    }

    fn set_form(&mut self, form: ValueForm) {
        if let NodeShape::Encoded(values) = &mut self.shape {
            return values.set_form(form);
        }
        match form {
            ValueForm::Bool8 => (self.form, self.is_number) = (LeafForm::Bool8, false),
            ValueForm::Json => self.form = LeafForm::Json,
            ValueForm::Tensor(tensor) => self.tensor = Some(tensor),
            // A UUID needs no form of its own: all values of 16 bytes may be written as UUIDs.
            ValueForm::Uuid => {}
        }
    }

    fn new(step: PathStep, nulls: NullReading, data_type: &DataType) -> ReadNode {
        let shape = NodeShape::of(data_type, nulls);
        let null_bytes = shape.null_bytes(data_type);
        let has_empty_text = if let NodeShape::Encoded(values) = &shape {
            values.has_empty_text
        } else {
            // An empty text is a value of fixed-size binary only if the length is 0.
            let is_empty = data_type.byte_width().is_none_or(|n_bytes| n_bytes == 0);
            data_type.is_text() || (data_type.is_binary() && is_empty)
        };
        let is_required = match (nulls, &shape) {
            (NullReading::Refuse | NullReading::None, _) => true,
            (NullReading::Append, NodeShape::Encoded(values)) => values.is_required,
            (NullReading::Append | NullReading::Skip, _) => false,
        };
        let is_number = data_type.is_numeric();
        let has_date = matches!(data_type.name(), "date32" | "date64" | "timestamp");
        ReadNode {
            step,
            nulls,
            shape,
            null_bytes,
            is_required,
            has_empty_text,
            is_number,
            has_date,
            digits: ExtraDigits::Round,
            form: LeafForm::Storage,
            tensor: None,
        }
    }

    /// Sets what happens to digits that types cannot represent, for this field and all fields below it.
    pub(super) fn set_digits(&mut self, digits: ExtraDigits) {
        self.digits = digits;
        match &mut self.shape {
            NodeShape::Leaf => {}
            NodeShape::List(node) | NodeShape::FixedSizeList(node, _) | NodeShape::Encoded(node) => {
                node.set_digits(digits);
            }
            NodeShape::Struct(members) | NodeShape::Union(members, _) => {
                members.nodes.iter_mut().for_each(|node| node.set_digits(digits));
            }
            NodeShape::Map(map) => {
                map.key.set_digits(digits);
                map.value.set_digits(digits);
            }
        }
    }

    pub(super) fn name(&self) -> &str {
        match &self.step {
            PathStep::Child { position: _, name } => name,
            PathStep::Dictionary => "",
        }
    }

    /// Charges the memory for the null of a missing value, if nulls are allowed.
    pub(super) fn spend_missing(&self, budget: &mut NullBudget) -> Result<(), RowErrorKind> {
        match self.nulls {
            NullReading::Refuse => return Err(RowErrorKind::Missing),
            NullReading::None => return Err(RowErrorKind::MissingUnion),
            NullReading::Append | NullReading::Skip => {}
        }
        budget.spend(self.null_bytes)?;
        self.check_null()
    }

    /// Appends a null, if nulls are allowed.
    pub(super) fn append_null(&self, builder: &mut AnyBuilder) -> Result<(), RowErrorKind> {
        self.check_null()?;
        if self.nulls == NullReading::Append {
            builder.append_nulls(1);
        }
        Ok(())
    }

    /// Checks that nulls are allowed.
    fn check_null(&self) -> Result<(), RowErrorKind> {
        match (self.nulls, &self.shape) {
            (NullReading::Refuse, _) => Err(RowErrorKind::Null),
            (NullReading::None, _) => Err(ValueError::new(Expected::Union, "null").into()),
            (NullReading::Append, NodeShape::Encoded(values)) => values.check_null(),
            (NullReading::Append | NullReading::Skip, _) => Ok(()),
        }
    }

    /// Whether CSV writes values of this type as JSON.
    #[cfg(not(feature = "json"))]
    pub(super) fn is_nested(&self) -> bool {
        match &self.shape {
            NodeShape::Encoded(values) => values.is_nested(),
            NodeShape::Leaf => false,
            NodeShape::List(_)
            | NodeShape::FixedSizeList(..)
            | NodeShape::Struct(_)
            | NodeShape::Map(_)
            | NodeShape::Union(..) => true,
        }
    }
}

fn step(position: usize, field: &Field) -> PathStep {
    PathStep::Child { position: u32::try_from(position).unwrap_or(u32::MAX), name: field.name().into() }
}

impl NodeShape {
    fn of(data_type: &DataType, nulls: NullReading) -> NodeShape {
        if let Some(map) = data_type.as_map() {
            NodeShape::Map(Box::new(MapNode {
                entries: step(0, map.entries()),
                key: ReadNode::of(0, map.key()),
                value: ReadNode::of(1, map.value()),
                has_text_keys: map.key().data_type().is_text(),
            }))
        } else if let Some((item, n_items)) = data_type.as_fixed_size_list() {
            NodeShape::FixedSizeList(Box::new(ReadNode::of(0, item)), n_items.as_usize())
        } else if let (true, [item]) = (data_type.is_list(), data_type.children()) {
            NodeShape::List(Box::new(ReadNode::of(0, item)))
        } else if let Some(fields) = data_type.as_struct() {
            NodeShape::Struct(Members::of(fields))
        } else if let Some(union) = data_type.as_union() {
            let is_sparse = union.mode() == UnionMode::Sparse;
            NodeShape::Union(
                Members::of(union.fields()),
                UnionIds { is_sparse, type_ids: union.type_ids().into() },
            )
        } else if let Some(dictionary) = data_type.as_dictionary() {
            let nulls = if nulls == NullReading::Refuse { nulls } else { NullReading::Skip };
            NodeShape::Encoded(Box::new(ReadNode::new(PathStep::Dictionary, nulls, dictionary.value())))
        } else if let Some(runs) = data_type.as_run_end_encoded() {
            // A null may be a null of the runs or of their values, unless the field is not nullable.
            let values = runs.values();
            let nulls = if nulls == NullReading::Append { NullReading::of(values) } else { nulls };
            NodeShape::Encoded(Box::new(ReadNode::new(step(1, values), nulls, values.data_type())))
        } else {
            NodeShape::Leaf
        }
    }

    fn null_bytes(&self, data_type: &DataType) -> u64 {
        /// The length of an offset, index or view of a slot.
        const SLOT_BYTES: u64 = 8;
        match self {
            NodeShape::Leaf => {
                let layout = layout(data_type);
                let n_bits = layout.data_buffers().iter().map(|buffer| buffer.bits);
                n_bits.fold(0, u64::saturating_add).div_ceil(8).max(SLOT_BYTES)
            }
            NodeShape::FixedSizeList(item, n_items) => item.null_bytes.saturating_mul(*n_items as u64),
            NodeShape::Struct(members) => u64::try_from(members.null_bytes).unwrap_or(u64::MAX),
            NodeShape::Union(members, ids) if ids.is_sparse => {
                u64::try_from(members.null_bytes).unwrap_or(u64::MAX)
            }
            // If the value around a dense union is null, the slot of the union is a null of its first child.
            NodeShape::Union(members, _) => {
                let first = members.nodes.first().map_or(0, |node| node.null_bytes);
                first.saturating_add(SLOT_BYTES)
            }
            // For runs, a null is a value like any other.
            NodeShape::Encoded(values) if values.nulls != NullReading::Skip => {
                values.null_bytes.saturating_add(SLOT_BYTES)
            }
            NodeShape::List(_) | NodeShape::Map(_) | NodeShape::Encoded(_) => SLOT_BYTES,
        }
    }
}

/// Calls `fill` to append a value to the values of a dictionary or of runs. After an error, a part of that value may
/// remain.
#[inline]
pub(super) fn in_values<E>(
    builder: &mut AnyBuilder,
    fill: impl FnOnce(&mut AnyBuilder) -> Result<(), E>,
) -> Result<(), E> {
    let mut result = Ok(());
    if let AnyBuilder::Dictionary(dictionary) = builder {
        dictionary.append_with(|values| result = fill(values));
    } else if let AnyBuilder::RunEndEncoded(runs) = builder {
        result = runs.try_append_with(|values| fill(values));
    } else {
        unreachable!("a node and its builder are made of the same type, here of one that encodes values");
    }
    result
}

/// Calls `fill` to append the items of a list. After an error, some items may remain.
#[cfg(feature = "json")]
#[inline]
pub(super) fn in_list<E>(
    builder: &mut AnyBuilder,
    fill: impl FnOnce(&mut AnyBuilder) -> Result<(), E>,
) -> Result<(), E> {
    let mut result = Ok(());
    if let AnyBuilder::List(lists) = builder {
        lists.append_with(|items| result = fill(items));
    } else if let AnyBuilder::LargeList(lists) = builder {
        lists.append_with(|items| result = fill(items));
    } else if let AnyBuilder::ListView(lists) = builder {
        lists.append_with(|items| result = fill(items));
    } else if let AnyBuilder::LargeListView(lists) = builder {
        lists.append_with(|items| result = fill(items));
    } else if let AnyBuilder::FixedSizeList(lists) = builder {
        result = lists.try_append_with(|items| fill(items));
    } else {
        unreachable!("a node and its builder are made of the same type, here of lists");
    }
    result
}
