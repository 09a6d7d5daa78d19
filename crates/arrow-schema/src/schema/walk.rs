//! Visits all fields of a schema, including nested ones.

use std::{iter, ops, slice};

use crate::{Field, FieldPath, PathStep, work::visit};

/// An iterator over the fields of a schema and all fields below them, each parent before its children.
///
/// A dictionary-encoded field is followed by the children of its value type. This is the order of the fields in a schema
/// message, and the order in which dictionaries get their ids. Does not recurse.
#[derive(Debug, Clone)]
pub struct PreOrder<'a> {
    siblings: slice::Iter<'a, Field>,
    // The remaining fields of each level above the current one. Empty iterators stay in this list, so that its length is the depth.
    above: Vec<slice::Iter<'a, Field>>,
    depth: usize,
}

impl<'a> PreOrder<'a> {
    /// Iterates over these fields and all fields below them.
    pub fn new(fields: &'a [Field]) -> Self {
        Self { siblings: fields.iter(), above: Vec::new(), depth: 0 }
    }

    /// The depth of the field that was returned last: 1 for the outermost fields. Before the first field, the depth is 0.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

impl<'a> Iterator for PreOrder<'a> {
    type Item = &'a Field;

    fn next(&mut self) -> Option<&'a Field> {
        loop {
            if let Some(field) = self.siblings.next() {
                visit(1);
                self.depth = self.above.len() + 1;
                let children = field.data_type().value_children();
                if !children.is_empty() {
                    self.above.push(std::mem::replace(&mut self.siblings, children.iter()));
                }
                return Some(field);
            }
            self.siblings = self.above.pop()?;
        }
    }
}

impl iter::FusedIterator for PreOrder<'_> {}

/// Calls `visit` for these fields and all fields below them, with their paths: `Schema::walk`.
pub(super) fn walk(fields: &[Field], mut visit: impl FnMut(&FieldPath, &Field)) {
    let mut path = FieldPath::root();
    let mut levels = vec![WalkLevel::new(fields, &path)];
    while let Some(level) = levels.last_mut() {
        path.truncate(level.n_steps);
        let Some((position, field)) = level.fields.next() else {
            levels.pop();
            continue;
        };
        path.push(PathStep::Child { position, name: field.to_shared_name() });
        visit(&path, field);
        if field.data_type().is_dictionary() {
            path.push(PathStep::Dictionary);
        }
        levels.push(WalkLevel::new(field.data_type().value_children(), &path));
    }
}

/// The remaining fields of one level of a walk, and the length of the path to their parent.
struct WalkLevel<'a> {
    fields: iter::Zip<ops::RangeFrom<u32>, slice::Iter<'a, Field>>,
    n_steps: usize,
}

impl<'a> WalkLevel<'a> {
    fn new(fields: &'a [Field], path: &FieldPath) -> Self {
        Self { fields: (0..).zip(fields), n_steps: path.steps().len() }
    }
}
