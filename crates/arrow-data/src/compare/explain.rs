//! From a slot that differs down to the value that does.

use arrow_schema::{FieldPath, PathStep};

use super::{
    difference::{Difference, DifferenceKind},
    node::{Body, Node},
};

/// Descends to the innermost values that differ. The slots `i` and `j` differ.
pub(super) fn difference(node: &mut Node, i: usize, j: usize) -> Difference {
    let mut way = Way { path: FieldPath::root(), items: Vec::new() };
    let (mut node, mut left, mut right) = (node, i, j);
    loop {
        let (at_left, at_right) = (left, right);
        let (kind, next) = step(node, at_left, at_right, &mut way);
        match next {
            Some(next) => {
                // Looked up again: the borrow checker does not accept a borrow that only some paths return.
                let Some(child) = child(&mut node.body, next.child) else {
                    unreachable!("it was stepped into")
                };
                (node, left, right) = (child, next.left, next.right);
            }
            None => {
                return Difference {
                    left_slot: i,
                    right_slot: j,
                    path: way.path,
                    items: way.items,
                    kind,
                    left: node.left.array.slice(at_left, 1),
                    right: node.right.array.slice(at_right, 1),
                };
            }
        }
    }
}

struct Way {
    path: FieldPath,
    items: Vec<Option<usize>>,
}

/// A child that differs, and where.
struct Next {
    child: usize,
    left: usize,
    right: usize,
}

/// How values differ here, or in which child they do.
fn step(node: &mut Node, i: usize, j: usize, way: &mut Way) -> (DifferenceKind, Option<Next>) {
    let spans = (node.left.resolve(i).leaf_slot, node.right.resolve(j).leaf_slot);
    let (Some(left), Some(right)) = spans else { return (DifferenceKind::Null, None) };
    let next = match &mut node.body {
        Body::Nulls | Body::Bits(_) | Body::Fixed(_) | Body::Bytes(_) => None,
        Body::Structs(fields) => {
            let child = fields.iter_mut().position(|field| field.find(left, right, 1).is_some());
            child.map(|child| (Next { child, left, right }, None))
        }
        Body::Lists { left: lefts, right: rights, items } => {
            let (from, to) = (lefts.get(left), rights.get(right));
            if from.len() != to.len() {
                return (DifferenceKind::Length { left: from.len(), right: to.len() }, None);
            }
            let item = items.find(from.start, to.start, from.len());
            item.map(|item| (Next { child: 0, left: from.start + item, right: to.start + item }, Some(item)))
        }
        Body::Unions(unions) => {
            let ((left_id, left), (right_id, right)) = (unions.left.get(left), unions.right.get(right));
            if left_id != right_id {
                return (DifferenceKind::TypeId { left: left_id, right: right_id }, None);
            }
            let child = unions.children.iter().position(|(id, _)| *id == left_id);
            child.map(|child| (Next { child, left, right }, None))
        }
    };
    let Some((next, item)) = next else { return (DifferenceKind::Value, None) };
    let fields = node.left.leaf.data_type().children();
    let name = fields.get(next.child).map_or_else(|| "".into(), |field| field.shared_name().clone());
    way.path.push(PathStep::Child { position: u32::try_from(next.child).unwrap_or(u32::MAX), name });
    way.items.push(item);
    (DifferenceKind::Value, Some(next))
}

fn child(body: &mut Body, position: usize) -> Option<&mut Node> {
    match body {
        Body::Nulls | Body::Bits(_) | Body::Fixed(_) | Body::Bytes(_) => None,
        Body::Structs(fields) => fields.get_mut(position).map(|field| &mut **field),
        Body::Lists { left: _, right: _, items } => Some(items),
        Body::Unions(unions) => unions.children.get_mut(position).map(|(_, child)| &mut **child),
    }
}
