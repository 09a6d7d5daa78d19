//! Computes once what readers need to know about types.

use std::{collections::HashMap, sync::Arc};

use arrow_array::parse::{Expectation, ExtraDigits, ValueError, ValueNotation};
use arrow_array::{AnyBuilder, TensorForm, ValueForm};
use arrow_data::layout;
use arrow_schema::{DataType, Field, PathStep, UnionMode};

use super::{error::RowErrorKind, nulls::NullBudget};

/// A field of the schema at any level, for reading its values.
#[derive(Debug)]
pub(super) struct ReadNode {
    /// The path step from the parent to this field.
    pub(super) step: PathStep,
    pub(super) nulls: NullRule,
    pub(super) shape: NodeShape,
    /// The approximate memory of a null slot in bytes. A child of a sparse union also has such slots where it is not selected.
    pub(super) null_bytes: u64,
    /// Whether each slot needs a value, since the field is not nullable.
    pub(super) is_required: bool,
    /// Whether an empty text is a value, as for utf8 and binary.
    pub(super) has_empty_text: bool,
    /// Whether the type is an integer, floating-point or decimal type.
    pub(super) is_number: bool,
    pub(super) has_date: bool,
    /// What happens to numbers with digits that the type cannot store.
    pub(super) digits: ExtraDigits,
    /// Which notations of values are accepted.
    pub(super) form: ValueNotation,
    /// How tensors are nested. `None` if values are not tensors.
    pub(super) tensor: Option<Box<TensorForm>>,
}

/// What happens when the value is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NullRule {
    Append,
    /// Appends nothing, since the indices of the dictionary around this node store the null.
    Skip,
    /// Returns an error, since the field is not nullable.
    Refuse,
    /// Returns an error, since unions, rows and names cannot be null.
    None,
}

impl ReadNode {
    /// Whether values are the tokens themselves, also those of strings: in columns of JSON texts whose type is given.
    pub(super) fn keeps_tokens(&self) -> bool {
        self.form == ValueNotation::Json && self.digits == ExtraDigits::OfText
    }
}

impl NullRule {
    fn from_field(field: &Field) -> NullRule {
        // Nulls are the only values of the null type.
        if !field.is_nullable() && *field.data_type() != DataType::Null {
            NullRule::Refuse
        } else if field.is_nullable() && field.data_type().as_union().is_some() {
            NullRule::None
        } else {
            NullRule::Append
        }
    }
}

#[derive(Debug)]
pub(super) enum NodeShape {
    /// The type is not nested.
    Leaf,
    List(Box<ReadNode>),
    FixedSizeList(Box<ReadNode>, usize),
    Struct(Members),
    Map(Box<MapNode>),
    Union(Members, UnionIds),
    /// Dictionary-encoded or run-end encoded. The node describes the values.
    Encoded(Box<ReadNode>),
}

#[derive(Debug)]
pub(super) struct MapNode {
    /// The path step from a map to the struct of its entries.
    pub(super) entries: PathStep,
    pub(super) key: ReadNode,
    pub(super) value: ReadNode,
    /// Whether the keys are utf8, so that a map can be a JSON object.
    pub(super) has_text_keys: bool,
}

#[derive(Debug)]
pub(super) struct UnionIds {
    pub(super) is_sparse: bool,
    /// The type id of each child.
    pub(super) type_ids: Box<[i8]>,
}

/// The columns of a schema, the fields of a struct, or the children of a union.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) nodes: Vec<ReadNode>,
    /// The number of members whose field is not nullable.
    pub(super) n_required: usize,
    /// The memory of one null in each member, in bytes.
    pub(super) null_bytes: u128,
    /// Whether names are unique and no member is nested or encoded.
    pub(super) is_flat: bool,
    /// The index of each name. Has fewer entries than `nodes` if names repeat.
    by_name: HashMap<Arc<str>, usize>,
}

impl Members {
    /// Makes the nodes of all fields. Recurses once for each level of nesting.
    pub(super) fn from_fields(fields: &[Field]) -> Members {
        Members::with_rules(fields, NullRule::from_field)
    }

    fn with_rules(fields: &[Field], nulls_of: impl Fn(&Field) -> NullRule) -> Members {
        let node = |(position, field)| ReadNode::with_rule(position, field, nulls_of(field));
        let nodes: Vec<ReadNode> = fields.iter().enumerate().map(node).collect();
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

    /// Whether several members have the same name, so that a JSON object cannot contain all of them.
    pub(super) fn names_repeat(&self) -> bool {
        self.by_name.len() < self.nodes.len()
    }

    /// The index of a name. Compares with the name at `guess` first.
    #[inline]
    pub(super) fn find(&self, name: &[u8], guess: usize) -> Option<usize> {
        match self.nodes.get(guess) {
            Some(node) if node.name().as_bytes() == name => Some(guess),
            _ => self.by_name.get(str::from_utf8(name).ok()?).copied(),
        }
    }
}

impl ReadNode {
    fn from_position(position: usize, field: &Field) -> ReadNode {
        ReadNode::with_rule(position, field, NullRule::from_field(field))
    }

    fn with_rule(position: usize, field: &Field, nulls: NullRule) -> ReadNode {
        let mut node = ReadNode::new(step(position, field), nulls, field.data_type());
        // If the metadata of the extension type is invalid, values have the notation of the storage type.
        if let Some(form) = ValueForm::from_field(field) {
            node.set_form(form);
        }
        node
    }

    fn set_form(&mut self, form: ValueForm) {
        if let NodeShape::Encoded(values) = &mut self.shape {
            return values.set_form(form);
        }
        match form {
            ValueForm::Bool8 => (self.form, self.is_number) = (ValueNotation::Bool8, false),
            ValueForm::Json => self.form = ValueNotation::Json,
            ValueForm::Tensor(tensor) => self.tensor = Some(tensor),
            // A UUID needs no form: the storage type accepts hyphens in all values of 16 bytes.
            ValueForm::Uuid => {}
        }
    }

    fn new(step: PathStep, nulls: NullRule, data_type: &DataType) -> ReadNode {
        let shape = NodeShape::from_data_type(data_type, nulls);
        let null_bytes = shape.null_bytes(data_type);
        let has_empty_text = if let NodeShape::Encoded(values) = &shape {
            values.has_empty_text
        } else {
            // An empty text is a value of fixed-size binary only if the length is 0.
            let is_empty = data_type.byte_width().is_none_or(|n_bytes| n_bytes == 0);
            data_type.is_text() || (data_type.is_binary() && is_empty)
        };
        let is_required = match (nulls, &shape) {
            (NullRule::Refuse | NullRule::None, _) => true,
            (NullRule::Append, NodeShape::Encoded(values)) => values.is_required,
            (NullRule::Append | NullRule::Skip, _) => false,
        };
        let is_number = data_type.is_numeric();
        let has_date = matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..));
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
            form: ValueNotation::Storage,
            tensor: None,
        }
    }

    /// Sets what happens to digits that types cannot store, in this field and all below it.
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

    /// Charges the memory of a null for a missing value. An error if the field is not nullable.
    pub(super) fn spend_missing(&self, budget: &mut NullBudget) -> Result<(), RowErrorKind> {
        match self.nulls {
            NullRule::Refuse => return Err(RowErrorKind::Missing),
            NullRule::None => return Err(RowErrorKind::MissingUnion),
            NullRule::Append | NullRule::Skip => {}
        }
        budget.spend(self.null_bytes)?;
        self.check_null()
    }

    /// Appends a null. An error if the field is not nullable.
    pub(super) fn append_null(&self, builder: &mut AnyBuilder) -> Result<(), RowErrorKind> {
        self.check_null()?;
        if self.nulls == NullRule::Append {
            builder.append_nulls(1);
        }
        Ok(())
    }

    /// Returns an error if the field is not nullable.
    fn check_null(&self) -> Result<(), RowErrorKind> {
        match (self.nulls, &self.shape) {
            (NullRule::Refuse, _) => Err(RowErrorKind::Null),
            (NullRule::None, _) => Err(ValueError::new(Expectation::Union, "null").into()),
            (NullRule::Append, NodeShape::Encoded(values)) => values.check_null(),
            (NullRule::Append | NullRule::Skip, _) => Ok(()),
        }
    }

    /// Whether the cells of CSV of this type contain JSON.
    pub(super) fn is_nested(&self) -> bool {
        if let NodeShape::Encoded(values) = &self.shape {
            return values.is_nested();
        }
        !matches!(self.shape, NodeShape::Leaf)
    }
}

fn step(position: usize, field: &Field) -> PathStep {
    PathStep::Child { position: u32::try_from(position).unwrap_or(u32::MAX), name: field.name().into() }
}

impl NodeShape {
    fn from_data_type(data_type: &DataType, nulls: NullRule) -> NodeShape {
        if let Some(map) = data_type.as_map() {
            NodeShape::Map(Box::new(MapNode {
                entries: step(0, map.entries()),
                key: ReadNode::from_position(0, map.key()),
                value: ReadNode::from_position(1, map.value()),
                has_text_keys: map.key().data_type().is_text(),
            }))
        } else if let Some((item, n_items)) = data_type.as_fixed_size_list() {
            NodeShape::FixedSizeList(Box::new(ReadNode::from_position(0, item)), n_items.as_usize())
        } else if let (true, [item]) = (data_type.is_list(), data_type.children()) {
            NodeShape::List(Box::new(ReadNode::from_position(0, item)))
        } else if let Some(fields) = data_type.as_struct() {
            NodeShape::Struct(Members::from_fields(fields))
        } else if let Some(union) = data_type.as_union() {
            let is_sparse = union.mode() == UnionMode::Sparse;
            // A null of the selected child makes the union null. Nulls are the only values of the null type.
            let is_refused =
                |field: &Field| nulls == NullRule::Refuse && *field.data_type() != DataType::Null;
            let nulls_of =
                |field: &Field| if is_refused(field) { nulls } else { NullRule::from_field(field) };
            NodeShape::Union(
                Members::with_rules(union.fields(), nulls_of),
                UnionIds { is_sparse, type_ids: union.type_ids().into() },
            )
        } else if let Some(dictionary) = data_type.as_dictionary() {
            let nulls = if nulls == NullRule::Refuse { nulls } else { NullRule::Skip };
            NodeShape::Encoded(Box::new(ReadNode::new(PathStep::Dictionary, nulls, dictionary.value())))
        } else if let Some(runs) = data_type.as_run_end_encoded() {
            // A null is stored in the values, so the field of the runs and the field of the values must both be nullable.
            let values = runs.values();
            let nulls = if nulls == NullRule::Append { NullRule::from_field(values) } else { nulls };
            NodeShape::Encoded(Box::new(ReadNode::with_rule(1, values, nulls)))
        } else {
            NodeShape::Leaf
        }
    }

    fn null_bytes(&self, data_type: &DataType) -> u64 {
        /// The bytes of an offset, an index or a view.
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
            // If the parent of a dense union is null, the slot of the union selects a null of its first child.
            NodeShape::Union(members, _) => {
                let first = members.nodes.first().map_or(0, |node| node.null_bytes);
                first.saturating_add(SLOT_BYTES)
            }
            // In runs, a null is a value.
            NodeShape::Encoded(values) if values.nulls != NullRule::Skip => {
                values.null_bytes.saturating_add(SLOT_BYTES)
            }
            NodeShape::List(_) | NodeShape::Map(_) | NodeShape::Encoded(_) => SLOT_BYTES,
        }
    }
}

/// The text of a boolean in a cell, where 1 is `true` and 0 is `false`. Other texts stay as they are.
#[inline]
pub(super) fn text_of_cell<'a>(builder: &AnyBuilder, text: &'a str) -> &'a str {
    // Few texts are so short, so the text is compared first.
    match text {
        "1" if matches!(builder, AnyBuilder::Boolean(_)) => "true",
        "0" if matches!(builder, AnyBuilder::Boolean(_)) => "false",
        _ => text,
    }
}

/// Calls `fill` with the builder of the values of a dictionary or of runs. After an error, an incomplete value may remain
/// there.
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

/// Calls `fill` with the builder of the items of a list. After an error, some items may remain there.
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
