//! What reading a value needs to know of its type: found out once.

use std::{collections::HashMap, sync::Arc};

use arrow_array::AnyBuilder;
use arrow_data::layout;
use arrow_schema::{DataType, Field, PathStep, UnionMode};

use super::{
    batches::Budget,
    error::RowErrorKind,
    parse::{Expected, ValueError},
};

/// A column, or something below one.
#[derive(Debug)]
pub(super) struct Node {
    /// The last step of its path.
    pub(super) step: PathStep,
    pub(super) nulls: Nulls,
    pub(super) shape: Shape,
    /// What a null slot takes in memory, roughly; also the children of a sparse union that are not selected.
    pub(super) null_bytes: u64,
    /// Whether it cannot be null, so that it must be there.
    pub(super) is_required: bool,
    /// Whether no text at all is a value: of text and bytes.
    pub(super) has_empty_text: bool,
}

/// What a null does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nulls {
    /// It is appended.
    Append,
    /// Nothing is appended: what encodes the values knows what that means.
    Skip,
    /// It is an error, since the field is not nullable.
    Refuse,
    /// It is an error, since unions, rows and names have no nulls.
    None,
}

impl Nulls {
    fn of(field: &Field) -> Nulls {
        match field.is_nullable() {
            // There are no other values of the type.
            false if *field.data_type() == DataType::Null => Nulls::Append,
            false => Nulls::Refuse,
            true if field.data_type().as_union().is_some() => Nulls::None,
            true => Nulls::Append,
        }
    }
}

#[derive(Debug)]
pub(super) enum Shape {
    /// A value without parts.
    Leaf,
    List(Box<Node>),
    FixedSizeList(Box<Node>, usize),
    Struct(Members),
    Map(Box<MapNode>),
    Union(Members, UnionIds),
    /// A dictionary or runs, of these values.
    Encoded(Box<Node>),
}

#[derive(Debug)]
pub(super) struct MapNode {
    /// The step from the map to the struct of its keys and values.
    pub(super) entries: PathStep,
    pub(super) key: Node,
    pub(super) value: Node,
    /// Whether keys are text, so that an object can be a map.
    pub(super) has_text_keys: bool,
}

#[derive(Debug)]
pub(super) struct UnionIds {
    pub(super) is_sparse: bool,
    /// Of the children in order.
    pub(super) type_ids: Box<[i8]>,
}

/// Columns, fields of a struct or children of a union.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) nodes: Vec<Node>,
    /// How many of them cannot be null.
    pub(super) n_required: usize,
    /// What nulls in all of them take.
    pub(super) null_bytes: u128,
    /// Where each name is. Fewer than there are nodes if names repeat.
    by_name: HashMap<Arc<str>, usize>,
}

impl Members {
    /// Recurses once for each level of the types.
    pub(super) fn of(fields: &[Field]) -> Members {
        let nodes: Vec<Node> =
            fields.iter().enumerate().map(|(position, field)| Node::of(position, field)).collect();
        let by_name = fields.iter().enumerate().map(|(position, field)| (Arc::from(field.name()), position));
        Members {
            by_name: by_name.collect(),
            n_required: nodes.iter().filter(|node| node.is_required).count(),
            null_bytes: nodes.iter().map(|node| u128::from(node.null_bytes)).sum(),
            nodes,
        }
    }

    /// Whether names repeat, so that an object would lose something.
    pub(super) fn names_repeat(&self) -> bool {
        self.by_name.len() < self.nodes.len()
    }

    /// Where a name is; `guess` is looked at first.
    pub(super) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        match self.nodes.get(guess) {
            Some(node) if node.name() == name => Some(guess),
            _ => self.by_name.get(name).copied(),
        }
    }
}

impl Node {
    fn of(position: usize, field: &Field) -> Node {
        Node::new(step(position, field), Nulls::of(field), field.data_type())
    }

    fn new(step: PathStep, nulls: Nulls, data_type: &DataType) -> Node {
        let shape = Shape::of(data_type, nulls);
        let null_bytes = shape.null_bytes(data_type);
        let has_empty_text = if let Shape::Encoded(values) = &shape {
            values.has_empty_text
        } else {
            data_type.is_text() || data_type.is_binary()
        };
        let is_required = match (nulls, &shape) {
            (Nulls::Refuse | Nulls::None, _) => true,
            (Nulls::Append, Shape::Encoded(values)) => values.is_required,
            (Nulls::Append | Nulls::Skip, _) => false,
        };
        Node { step, nulls, shape, null_bytes, is_required, has_empty_text }
    }

    pub(super) fn name(&self) -> &str {
        match &self.step {
            PathStep::Child { position: _, name } => name,
            PathStep::Dictionary => "",
        }
    }

    /// Counts the memory for the null that stands for a value that is not in the text, if there may be one.
    pub(super) fn spend_missing(&self, budget: &mut Budget) -> Result<(), RowErrorKind> {
        match self.nulls {
            Nulls::Refuse => return Err(RowErrorKind::Missing),
            Nulls::None => return Err(RowErrorKind::MissingUnion),
            Nulls::Append | Nulls::Skip => {}
        }
        budget.spend(self.null_bytes)?;
        self.check_null()
    }

    /// Appends a null, if there may be one.
    pub(super) fn append_null(&self, builder: &mut AnyBuilder) -> Result<(), RowErrorKind> {
        self.check_null()?;
        if self.nulls == Nulls::Append {
            builder.append_nulls(1);
        }
        Ok(())
    }

    /// That there may be a null.
    fn check_null(&self) -> Result<(), RowErrorKind> {
        match (self.nulls, &self.shape) {
            (Nulls::Refuse, _) => Err(RowErrorKind::Null),
            (Nulls::None, _) => Err(ValueError::new(Expected::Union, "null").into()),
            (Nulls::Append, Shape::Encoded(values)) => values.check_null(),
            (Nulls::Append | Nulls::Skip, _) => Ok(()),
        }
    }

    /// Whether CSV writes values of this as JSON.
    #[cfg(not(feature = "json"))]
    pub(super) fn is_nested(&self) -> bool {
        match &self.shape {
            Shape::Encoded(values) => values.is_nested(),
            Shape::Leaf => false,
            Shape::List(_)
            | Shape::FixedSizeList(..)
            | Shape::Struct(_)
            | Shape::Map(_)
            | Shape::Union(..) => true,
        }
    }
}

/// The step to a field.
fn step(position: usize, field: &Field) -> PathStep {
    PathStep::Child { position: u32::try_from(position).unwrap_or(u32::MAX), name: field.name().into() }
}

impl Shape {
    fn of(data_type: &DataType, nulls: Nulls) -> Shape {
        if let Some(map) = data_type.as_map() {
            Shape::Map(Box::new(MapNode {
                entries: step(0, map.entries()),
                key: Node::of(0, map.key()),
                value: Node::of(1, map.value()),
                has_text_keys: map.key().data_type().is_text(),
            }))
        } else if let Some((item, n_items)) = data_type.as_fixed_size_list() {
            Shape::FixedSizeList(Box::new(Node::of(0, item)), n_items.as_usize())
        } else if let (true, [item]) = (data_type.is_list(), data_type.children()) {
            Shape::List(Box::new(Node::of(0, item)))
        } else if let Some(fields) = data_type.as_struct() {
            Shape::Struct(Members::of(fields))
        } else if let Some(union) = data_type.as_union() {
            let is_sparse = union.mode() == UnionMode::Sparse;
            Shape::Union(
                Members::of(union.fields()),
                UnionIds { is_sparse, type_ids: union.type_ids().into() },
            )
        } else if let Some(dictionary) = data_type.as_dictionary() {
            let nulls = if nulls == Nulls::Refuse { nulls } else { Nulls::Skip };
            Shape::Encoded(Box::new(Node::new(PathStep::Dictionary, nulls, dictionary.value())))
        } else if let Some(runs) = data_type.as_run_end_encoded() {
            // Whatever encodes the values may be null, and so may they, unless it must not.
            let values = runs.values();
            let nulls = if nulls == Nulls::Append { Nulls::of(values) } else { nulls };
            Shape::Encoded(Box::new(Node::new(step(1, values), nulls, values.data_type())))
        } else {
            Shape::Leaf
        }
    }

    fn null_bytes(&self, data_type: &DataType) -> u64 {
        /// Of offsets, keys, views and the like.
        const SLOT_BYTES: u64 = 8;
        match self {
            Shape::Leaf => {
                let layout = layout(data_type);
                let n_bits = layout.data_buffers().iter().map(|buffer| buffer.bits);
                n_bits.fold(0, u64::saturating_add).div_ceil(8).max(SLOT_BYTES)
            }
            Shape::FixedSizeList(item, n_items) => item.null_bytes.saturating_mul(*n_items as u64),
            Shape::Struct(members) => u64::try_from(members.null_bytes).unwrap_or(u64::MAX),
            Shape::Union(members, ids) if ids.is_sparse => {
                u64::try_from(members.null_bytes).unwrap_or(u64::MAX)
            }
            // What is null around a dense union gives a null to its first child.
            Shape::Union(members, _) => {
                let first = members.nodes.first().map_or(0, |node| node.null_bytes);
                first.saturating_add(SLOT_BYTES)
            }
            // Of runs a null is a value like others.
            Shape::Encoded(values) if values.nulls != Nulls::Skip => {
                values.null_bytes.saturating_add(SLOT_BYTES)
            }
            Shape::List(_) | Shape::Map(_) | Shape::Encoded(_) => SLOT_BYTES,
        }
    }
}

/// Lets `fill` append a value to what a dictionary or runs encode. After an error it may stay there in part.
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

/// Lets `fill` append the items of a list. After an error they may stay there in part.
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
