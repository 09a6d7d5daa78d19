//! The pairs of arrays to compare, as a tree that is made once.

use crate::{
    ArrayData, Physical,
    array::positions::{Ranges, TypeIds, inside},
};
use arrow_schema::{DataType, Field, UnionMode};

use super::{
    bytes::Bytes,
    joined::RunsMemo,
    memo::Memo,
    raw::{Bits, FixedWidthPair},
    side::{ComparedSide, EncodingStep},
};
use crate::{
    array::memory::{same_buffers, same_encodings},
    error::{DataError, DataErrorKind},
};

/// Two columns to compare, or two of their children.
#[derive(Debug)]
pub(super) struct NodePair {
    pub(super) left: ComparedSide,
    pub(super) right: ComparedSide,
    pub(super) body: LeafPair,
    /// Whether equal slot numbers mean the same memory, in the arrays and in the leaves.
    pub(super) is_same: bool,
    pub(super) is_same_leaf: bool,
    /// The indices of both sides, if both are dictionary-encoded with the same dictionary.
    pub(super) keys: Option<FixedWidthPair>,
    /// The ranges of slots that have been found equal. `None` if slots are compared only once or take no memory.
    pub(super) slots: Option<Box<Memo>>,
    /// The ranges of slots of the leaves that have been found equal. They are remembered for runs, which may have more
    /// slots than fit in memory, and for dictionaries with wide values.
    pub(super) values: Option<Box<Memo>>,
    /// The runs that have been found equal, if both sides are run-end encoded and may be compared many times.
    pub(super) runs: Option<Box<RunsMemo>>,
}

/// How the values of both leaves are compared.
#[derive(Debug)]
pub(super) enum LeafPair {
    /// The null type.
    Nulls,
    Bits(Bits),
    Fixed(FixedWidthPair),
    Bytes(Bytes),
    #[expect(clippy::vec_box, reason = "nodes are large, and making them calls itself")]
    Structs(Vec<Box<NodePair>>),
    Lists {
        left: Ranges,
        right: Ranges,
        items: Box<NodePair>,
    },
    Unions(Unions),
}

/// Both unions, and a pair of children for each type id.
#[derive(Debug)]
pub(super) struct Unions {
    pub(super) left: TypeIds,
    pub(super) right: TypeIds,
    /// The pairs of children, in the order of the children on the left.
    pub(super) children: Vec<(i8, Box<NodePair>)>,
}

/// Whether fields must have the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldNames {
    Matter,
    /// Names do not matter: producers name the entries of maps differently.
    DoNotMatter,
}

/// Whether several slots of a parent may refer to the same slot of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildReferences {
    Unique,
    Repeated,
}

/// The families of layouts. Only layouts of one family can contain the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Nulls,
    Bits,
    Fixed,
    Text,
    Binary,
    List,
    SizedList(u32),
    Map,
    Struct,
    Union,
}

/// Two arrays to compare, whose content has been checked.
pub(super) struct CheckedPair(pub(super) ArrayData, pub(super) ArrayData);

impl NodePair {
    /// This function is recursive. Its large steps are separate functions, so that each level uses little stack.
    pub(super) fn try_new(
        pair: Box<CheckedPair>,
        names: FieldNames,
        references: ChildReferences,
    ) -> Result<Box<NodePair>, DataError> {
        let mut node = NodePair::without_body(*pair)?;
        let family = node.family(names)?;
        let repeats = node.left.repeats() || node.right.repeats() || family.repeats(&node);
        node.remember(family, references);
        let below = if repeats { ChildReferences::Repeated } else { references };
        node.body = match family {
            Family::Nulls => LeafPair::Nulls,
            Family::Bits => LeafPair::Bits(Bits::try_of(&node.left.leaf, &node.right.leaf)?),
            Family::Fixed => LeafPair::Fixed(FixedWidthPair::try_of(&node.left.leaf, &node.right.leaf)?),
            Family::Text | Family::Binary => {
                LeafPair::Bytes(Bytes::try_of(&node.left.leaf, &node.right.leaf)?)
            }
            Family::Struct => LeafPair::Structs(node.fields(below)?),
            Family::List | Family::SizedList(_) => node.lists(FieldNames::Matter, below)?,
            Family::Map => node.lists(FieldNames::DoNotMatter, below)?,
            Family::Union => LeafPair::Unions(node.unions(below)?),
        };
        node.finish()?;
        Ok(node)
    }

    #[inline(never)]
    fn without_body(CheckedPair(left, right): CheckedPair) -> Result<Box<NodePair>, DataError> {
        let (left, right) = (ComparedSide::try_new(left)?, ComparedSide::try_new(right)?);
        let is_same_leaf = same_buffers(&left.leaf, &right.leaf);
        let is_same = same_encodings(&left.array, &right.array);
        let body = LeafPair::Nulls;
        let keys = None;
        let slots = None;
        let values = None;
        let runs = None;
        Ok(Box::new(NodePair { left, right, body, is_same, is_same_leaf, keys, slots, values, runs }))
    }

    /// Adds memos if slots or their values may be compared many times.
    fn remember(&mut self, family: Family, references: ChildReferences) {
        let is_often = references == ChildReferences::Repeated;
        let has_memory = self.left.has_memory() || self.right.has_memory();
        if is_often && has_memory {
            let n_slots = self.left.array.len().min(self.right.array.len());
            let n_free = n_slots.saturating_mul(2);
            self.slots = Some(Box::new(Memo::new(family.block_slots(&self.left), n_free)));
        }
        if is_often && !has_memory {
            self.runs = RunsMemo::try_new(&self.left, &self.right).map(Box::new);
        }
        let is_encoded = self.left.repeats() || self.right.repeats();
        let is_wide =
            matches!(self.left.leaf.layout().physical(), Physical::Fixed(n_bytes) if n_bytes.get() > 4096);
        if is_encoded && (is_wide || is_often && !has_memory && family.is_nested()) {
            self.values = Some(Box::new(Memo::new(1, 0)));
        }
    }

    /// Sets the fields of this struct that depend on the children.
    #[inline(never)]
    fn finish(&mut self) -> Result<(), DataError> {
        self.is_same_leaf = self.is_same_leaf
            && match &self.body {
                LeafPair::Nulls | LeafPair::Bits(_) | LeafPair::Fixed(_) | LeafPair::Bytes(_) => true,
                LeafPair::Structs(fields) => fields.iter().all(|field| field.is_same),
                LeafPair::Lists { left: _, right: _, items } => items.is_same,
                LeafPair::Unions(unions) => unions.children.iter().all(|(_, child)| child.is_same),
            };
        self.is_same = self.is_same && self.is_same_leaf;
        let is_indexed =
            |side: &ComparedSide| matches!(side.steps.as_slice(), [EncodingStep::Dictionary { .. }]);
        let specs = |side: &ComparedSide| side.array.layout().data_buffers().first().copied();
        if self.is_same_leaf
            && is_indexed(&self.left)
            && is_indexed(&self.right)
            && specs(&self.left) == specs(&self.right)
        {
            self.keys = Some(FixedWidthPair::try_of(&self.left.array, &self.right.array)?);
        }
        Ok(())
    }

    /// The family of both leaves, if they can contain the same values. Children are not compared.
    #[inline(never)]
    fn family(&self, names: FieldNames) -> Result<Family, DataError> {
        let (left, right) = (self.left.leaf.data_type(), self.right.leaf.data_type());
        let family = Family::new(&self.left.leaf);
        let is_same = family == Family::new(&self.right.leaf)
            && match family {
                Family::Bits | Family::Fixed => left.same_type(right),
                Family::Struct => {
                    let (left, right) = (left.children(), right.children());
                    left.len() == right.len() && (names == FieldNames::DoNotMatter || same_names(left, right))
                }
                Family::Union => {
                    let ids =
                        |data_type: &DataType| data_type.as_union().map(|union| union.type_ids().to_vec());
                    ids(left) == ids(right) && same_names(left.children(), right.children())
                }
                Family::Nulls
                | Family::Text
                | Family::Binary
                | Family::List
                | Family::SizedList(_)
                | Family::Map => true,
            };
        if is_same {
            return Ok(family);
        }
        Err(DataErrorKind::Incomparable { left: left.clone(), right: right.clone() }.into())
    }

    #[expect(clippy::vec_box, reason = "as in the body")]
    fn fields(&self, references: ChildReferences) -> Result<Vec<Box<NodePair>>, DataError> {
        let n_fields = self.left.leaf.children().len();
        (0..n_fields).map(|position| self.child(position, FieldNames::Matter, references)).collect()
    }

    #[inline(never)]
    fn lists(&self, names: FieldNames, references: ChildReferences) -> Result<LeafPair, DataError> {
        let items = self.child(0, names, references)?;
        let (left, right) = (Ranges::try_new(&self.left.leaf)?, Ranges::try_new(&self.right.leaf)?);
        Ok(LeafPair::Lists { left, right, items })
    }

    fn unions(&self, references: ChildReferences) -> Result<Unions, DataError> {
        let children = inside(self.left.leaf.data_type().as_union())?.type_ids().iter().enumerate();
        let children =
            children.map(|(position, id)| Ok((*id, self.child(position, FieldNames::Matter, references)?)));
        let children = children.collect::<Result<Vec<(i8, Box<NodePair>)>, DataError>>()?;
        let (left, right) = (TypeIds::try_new(&self.left.leaf)?, TypeIds::try_new(&self.right.leaf)?);
        Ok(Unions { left, right, children })
    }

    fn child(
        &self,
        position: usize,
        names: FieldNames,
        references: ChildReferences,
    ) -> Result<Box<NodePair>, DataError> {
        NodePair::try_new(self.pair(position)?, names, references)
            .map_err(|error| error.in_child(self.left.leaf.data_type(), position))
    }

    #[inline(never)]
    fn pair(&self, position: usize) -> Result<Box<CheckedPair>, DataError> {
        let child = |side: &ComparedSide| side.leaf.children().get(position).cloned();
        match (child(&self.left), child(&self.right)) {
            (Some(left), Some(right)) => Ok(Box::new(CheckedPair(left, right))),
            _ => {
                let (left, right) = (self.left.leaf.data_type().clone(), self.right.leaf.data_type().clone());
                Err(DataErrorKind::Incomparable { left, right }.into())
            }
        }
    }
}

fn same_names(left: &[Field], right: &[Field]) -> bool {
    left.iter().map(Field::name).eq(right.iter().map(Field::name))
}

impl Family {
    fn new(leaf: &ArrayData) -> Family {
        let data_type = leaf.data_type();
        match leaf.layout().physical() {
            Physical::Bits => Family::Bits,
            Physical::Fixed(_) => Family::Fixed,
            Physical::Bytes(_) | Physical::Views if data_type.is_text() => Family::Text,
            Physical::Bytes(_) | Physical::Views => Family::Binary,
            Physical::List(_) | Physical::ListView(_) if data_type.as_map().is_some() => Family::Map,
            Physical::List(_) | Physical::ListView(_) => Family::List,
            Physical::FixedSizeList(size) => Family::SizedList(size.get()),
            Physical::Struct => Family::Struct,
            Physical::Union(_) => Family::Union,
            // This cannot happen: a leaf is neither run-end encoded nor dictionary-encoded.
            Physical::Null | Physical::Runs(_) | Physical::Dictionary(_) => Family::Nulls,
        }
    }

    fn is_nested(self) -> bool {
        match self {
            Family::List | Family::SizedList(_) | Family::Map | Family::Struct | Family::Union => true,
            Family::Nulls | Family::Bits | Family::Fixed | Family::Text | Family::Binary => false,
        }
    }

    /// Ranges of up to this number of slots are compared and not looked up in the memo. The number is large only for
    /// nodes that call no child, or each child once. For other nodes the calls would multiply with each level.
    fn block_slots(self, side: &ComparedSide) -> usize {
        match (self, side.leaf.layout().physical()) {
            (Family::Bits, _) => 512,
            (Family::Fixed, Physical::Fixed(n_bytes)) => {
                1024_usize.checked_div(n_bytes.get() as usize).unwrap_or(1024).max(1)
            }
            (Family::Struct, _) => 64,
            _ => 1,
        }
    }

    /// Whether several slots may refer to the same slot of a child.
    fn repeats(self, node: &NodePair) -> bool {
        let repeats = |side: &ComparedSide| {
            matches!(side.leaf.layout().physical(), Physical::ListView(_) | Physical::Union(UnionMode::Dense))
        };
        self.is_nested() && (repeats(&node.left) || repeats(&node.right))
    }
}
