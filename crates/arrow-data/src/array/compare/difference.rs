//! The first difference of two columns.

use std::fmt;

use crate::ArrayData;
use arrow_schema::{FieldPath, PathStep};

use super::node::{LeafPair, NodePair};

/// The first difference of two columns: the slots, the field below the column, and both values.
///
/// A difference prints as its position, with names as in a [`FieldPath`] and positions of list items, such as
/// `phones[2].number`. [`in_column`](ColumnDifference::in_column) puts the name of the column before it.
#[derive(Debug, Clone)]
pub struct ColumnDifference {
    pub(super) left_slot: usize,
    pub(super) right_slot: usize,
    pub(super) path: FieldPath,
    pub(super) items: Vec<Option<usize>>,
    pub(super) kind: DifferenceKind,
    pub(super) left: ArrayData,
    pub(super) right: ArrayData,
}

/// The kind of the difference between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceKind {
    /// One value is null, and the other is not.
    Null,
    /// The values differ and have no children: numbers, utf8, binary.
    Value,
    /// The lists or maps have different lengths.
    Length {
        /// The number of items on the left.
        left: usize,
        /// The number of items on the right.
        right: usize,
    },
    /// The values of a union are in different children.
    TypeId {
        /// The type id on the left.
        left: i8,
        /// The type id on the right.
        right: i8,
    },
}

impl ColumnDifference {
    /// The slot that differs in the left column.
    pub fn left_slot(&self) -> usize {
        self.left_slot
    }

    /// The slot that differs in the right column.
    pub fn right_slot(&self) -> usize {
        self.right_slot
    }

    /// The path from the column to the field whose values differ, with the names and positions of the left column;
    /// empty for the column itself.
    ///
    /// Dictionaries and runs add no steps.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// For each step of the [`path`](ColumnDifference::path): the position in the list, if the step enters an item of a list
    /// or an entry of a map.
    pub fn items(&self) -> &[Option<usize>] {
        &self.items
    }

    /// How the two values differ.
    pub fn kind(&self) -> DifferenceKind {
        self.kind
    }

    /// The value on the left, as an array of one slot.
    pub fn left(&self) -> &ArrayData {
        &self.left
    }

    /// The value on the right, as an array of one slot.
    pub fn right(&self) -> &ArrayData {
        &self.right
    }
}

impl ColumnDifference {
    /// Formats the position with the name of its column first: `tags[1]`, `address.zip`, or the name alone.
    pub fn in_column(&self, name: &str) -> impl fmt::Display {
        let column = PathStep::Child { position: 0, name: name.into() };
        ColumnRowDifference { column, difference: self }
    }

    fn write_steps(&self, f: &mut fmt::Formatter<'_>, mut separator: &str) -> fmt::Result {
        for (step, item) in self.path.steps().iter().zip(&self.items) {
            match item {
                Some(item) => write!(f, "[{item}]")?,
                None => write!(f, "{separator}{step}")?,
            }
            separator = ".";
        }
        Ok(())
    }
}

impl fmt::Display for ColumnDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_steps(f, "")
    }
}

struct ColumnRowDifference<'a> {
    /// The name of the column, as the first step of a path.
    column: PathStep,
    difference: &'a ColumnDifference,
}

impl fmt::Display for ColumnRowDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.column)?;
        self.difference.write_steps(f, ".")
    }
}

/// Descends to the innermost different values. The slots `i` and `j` must differ.
pub(super) fn find_difference(node: &mut NodePair, i: usize, j: usize) -> ColumnDifference {
    let mut location = DifferenceLocation { path: FieldPath::root(), items: Vec::new() };
    let (mut node, mut left, mut right) = (node, i, j);
    loop {
        let at_left = left;
        let at_right = right;
        let (kind, next) = step(node, at_left, at_right, &mut location);
        match next {
            Some(next) => {
                // The child is looked up again, since the borrow checker rejects a borrow that only some branches
                // return.
                let Some(child) = child(&mut node.body, next.child) else {
                    unreachable!("it was stepped into")
                };
                (node, left, right) = (child, next.left, next.right);
            }
            None => {
                return ColumnDifference {
                    left_slot: i,
                    right_slot: j,
                    path: location.path,
                    items: location.items,
                    kind,
                    left: node.left.array.slice(at_left, 1),
                    right: node.right.array.slice(at_right, 1),
                };
            }
        }
    }
}

struct DifferenceLocation {
    path: FieldPath,
    items: Vec<Option<usize>>,
}

struct DifferentChild {
    child: usize,
    left: usize,
    right: usize,
}

/// Finds out how two values differ, or in which child they differ.
fn step(
    node: &mut NodePair,
    i: usize,
    j: usize,
    location: &mut DifferenceLocation,
) -> (DifferenceKind, Option<DifferentChild>) {
    // If a value is out of bounds, the difference is not inside it.
    let spans = node.left.resolve(i).zip(node.right.resolve(j));
    let Some((left, right)) = spans else { return (DifferenceKind::Value, None) };
    let (Some(left), Some(right)) = (left.leaf_slot, right.leaf_slot) else {
        return (DifferenceKind::Null, None);
    };
    let next = match &mut node.body {
        LeafPair::Nulls | LeafPair::Bits(_) | LeafPair::Fixed(_) | LeafPair::Bytes(_) => None,
        LeafPair::Structs(fields) => {
            let child = fields.iter_mut().position(|field| field.find(left, right, 1).is_some());
            child.map(|child| (DifferentChild { child, left, right }, None))
        }
        LeafPair::Lists { left: lefts, right: rights, items } => {
            let (Some(from), Some(to)) = (lefts.get(left), rights.get(right)) else {
                return (DifferenceKind::Value, None);
            };
            if from.len() != to.len() {
                return (DifferenceKind::Length { left: from.len(), right: to.len() }, None);
            }
            let item = items.find(from.start, to.start, from.len());
            item.map(|item| {
                (DifferentChild { child: 0, left: from.start + item, right: to.start + item }, Some(item))
            })
        }
        LeafPair::Unions(unions) => {
            let selected = unions.left.get(left).zip(unions.right.get(right));
            let Some(((left_id, left), (right_id, right))) = selected else {
                return (DifferenceKind::Value, None);
            };
            if left_id != right_id {
                return (DifferenceKind::TypeId { left: left_id, right: right_id }, None);
            }
            let child = unions.children.iter().position(|(id, _)| *id == left_id);
            child.map(|child| (DifferentChild { child, left, right }, None))
        }
    };
    let Some((next, item)) = next else { return (DifferenceKind::Value, None) };
    if !child(&mut node.body, next.child).is_some_and(|child| child.has_slots(next.left, next.right, 1)) {
        return (DifferenceKind::Value, None);
    }
    let fields = node.left.leaf.data_type().children();
    let name = fields.get(next.child).map_or_else(|| "".into(), |field| field.to_shared_name());
    location.path.push(PathStep::Child { position: u32::try_from(next.child).unwrap_or(u32::MAX), name });
    location.items.push(item);
    (DifferenceKind::Value, Some(next))
}

fn child(body: &mut LeafPair, position: usize) -> Option<&mut NodePair> {
    match body {
        LeafPair::Nulls | LeafPair::Bits(_) | LeafPair::Fixed(_) | LeafPair::Bytes(_) => None,
        LeafPair::Structs(fields) => fields.get_mut(position).map(|field| &mut **field),
        LeafPair::Lists { left: _, right: _, items } => Some(items),
        LeafPair::Unions(unions) => unions.children.get_mut(position).map(|(_, child)| &mut **child),
    }
}
