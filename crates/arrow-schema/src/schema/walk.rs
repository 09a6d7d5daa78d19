//! Visits all fields of a schema, including nested ones.

use std::{iter, ops, slice};

use crate::{Field, FieldPath, PathStep, Schema, work::visit};

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

impl Schema {
    /// All fields, including nested ones, each before its children. A dictionary-encoded field is followed by the children
    /// of its value type.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([
    ///     Field::new("a", DataType::list(Field::new("item", DataType::Int8))),
    ///     Field::new("b", DataType::Int8),
    /// ]);
    /// let names: Vec<&str> = schema.fields_in_pre_order().map(Field::name).collect();
    /// assert_eq!(names, ["a", "item", "b"]);
    /// ```
    pub fn fields_in_pre_order(&self) -> PreOrder<'_> {
        PreOrder::new(self.fields())
    }

    /// Calls `visit` for every field with its path, in the order of [`Schema::fields_in_pre_order`].
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([Field::new("a", DataType::list(Field::new("item", DataType::Int8)))]);
    /// let mut paths = Vec::new();
    /// schema.walk(|path, _field| paths.push(path.to_string()));
    /// assert_eq!(paths, ["a", "a.item"]);
    /// ```
    pub fn walk(&self, mut visit: impl FnMut(&FieldPath, &Field)) {
        let mut path = FieldPath::root();
        let mut levels = vec![WalkLevel::new(self.fields(), &path)];
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

    /// The path to the first field that `is_wanted` accepts, in the order of [`Schema::fields_in_pre_order`].
    pub fn path_of_first(&self, mut is_wanted: impl FnMut(&Field) -> bool) -> Option<FieldPath> {
        let mut found = None;
        self.walk(|path, field| {
            if found.is_none() && is_wanted(field) {
                found = Some(path.clone());
            }
        });
        found
    }

    /// The field at the end of a path of positions, such as [`FieldPath::positions`]. `None` if a position is out of
    /// bounds, or if there are no positions.
    pub fn field_at(&self, positions: impl IntoIterator<Item = u32>) -> Option<&Field> {
        let mut siblings = self.fields();
        let mut found = None;
        for position in positions {
            let field = siblings.get(usize::try_from(position).ok()?)?;
            siblings = field.data_type().value_children();
            found = Some(field);
        }
        found
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
