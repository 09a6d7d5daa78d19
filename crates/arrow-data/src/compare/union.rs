//! Values of unions: the same type id, and the same value of the child that it selects.

use super::node::Node;
use crate::positions::TypeIds;

/// Both unions, and a pair of children for each type id.
#[derive(Debug)]
pub(super) struct Unions {
    pub(super) left: TypeIds,
    pub(super) right: TypeIds,
    /// In the order of the children on the left.
    pub(super) children: Vec<(i8, Box<Node>)>,
}

impl Unions {
    /// How many values are equal before the first that is not.
    pub(super) fn find(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        let mut k = 0;
        while k < n {
            let (id, left) = self.left.get(i + k);
            let (right_id, right) = self.right.get(j + k);
            if id != right_id {
                return Some(k);
            }
            // Slots in a row that select a row of slots are compared at once.
            let follows = |m: &usize| {
                self.left.get(i + k + m) == (id, left + m) && self.right.get(j + k + m) == (id, right + m)
            };
            let n_row = (1..n - k).take_while(follows).count() + 1;
            if let Some(m) = self.child(id).and_then(|child| child.find(left, right, n_row)) {
                return Some(k + m);
            }
            k += n_row;
        }
        None
    }

    pub(super) fn child(&mut self, id: i8) -> Option<&mut Node> {
        self.children.iter_mut().find(|(type_id, _)| *type_id == id).map(|(_, child)| &mut **child)
    }
}
