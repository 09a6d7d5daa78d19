//! Converts paths with positions in a schema to paths with positions in the projected schema.

use std::collections::BTreeMap;

use arrow_schema::{FieldPath, PathStep, visit};

/// Returns the same paths with positions in the projected schema. A column comes before another if a path
/// mentions it earlier. Children are in the order of the original schema.
pub(super) fn paths_in_projection(paths: &[FieldPath]) -> Vec<FieldPath> {
    let mut root = FieldProjection::default();
    paths.iter().for_each(|path| root.add(path));
    root.children.values_mut().for_each(|(_, column)| column.count_children());
    paths.iter().map(|path| root.projected(path)).collect()
}

/// What the projection reads of a schema or field: everything, or only the children on some paths.
#[derive(Debug, Default)]
struct FieldProjection {
    is_whole: bool,
    /// The children that are read, by their positions in the original schema, with their positions in the projected
    /// schema.
    children: BTreeMap<u32, (u32, FieldProjection)>,
}

impl FieldProjection {
    /// Adds a path. Numbers children in the order of their first mention; `count_children` later renumbers the
    /// children of columns.
    fn add(&mut self, path: &FieldPath) {
        let mut node = self;
        for position in path.positions() {
            visit(1);
            let order = u32::try_from(node.children.len()).unwrap_or(u32::MAX);
            node =
                &mut node.children.entry(position).or_insert_with(|| (order, FieldProjection::default())).1;
        }
        node.is_whole = true;
    }

    /// Numbers the children of this field, and all fields below them, in the order of the schema.
    fn count_children(&mut self) {
        visit(self.children.len());
        for (projected, (order, child)) in (0..).zip(self.children.values_mut()) {
            *order = projected;
            child.count_children();
        }
    }

    fn projected(&self, path: &FieldPath) -> FieldPath {
        let mut node = Some(self);
        let steps = path.steps().iter().map(|step| {
            let PathStep::Child { position, name } = step else { return step.clone() };
            // If all of a field is read, its children have the same positions in both schemas.
            let child = node.filter(|node| !node.is_whole).and_then(|node| node.children.get(position));
            node = child.map(|(_, child)| child);
            let projected = child.map_or(*position, |(projected, _)| *projected);
            PathStep::Child { position: projected, name: name.clone() }
        });
        steps.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_that_are_left() {
        type Paths<'a> = &'a [&'a [u32]];
        let cases: [(Paths<'_>, Paths<'_>); 5] = [
            (&[&[2], &[0], &[2]], &[&[0], &[1], &[0]]),
            (&[&[2, 5], &[0], &[2, 3]], &[&[0, 1], &[1], &[0, 0]]),
            // All children are read, so only the positions of columns change.
            (&[&[2, 5], &[2]], &[&[0, 5], &[0]]),
            (&[&[1, 0, 7], &[1, 0, 3, 4], &[1, 0, 3]], &[&[0, 0, 1], &[0, 0, 0, 4], &[0, 0, 0]]),
            (&[&[3, 0, 9], &[3, 0]], &[&[0, 0, 9], &[0, 0]]),
        ];
        let path = |positions: &[u32]| {
            positions.iter().fold(FieldPath::root(), |path, position| path.child(*position, "f"))
        };
        for (paths, expected) in cases {
            let paths: Vec<FieldPath> = paths.iter().map(|positions| path(positions)).collect();
            let expected: Vec<FieldPath> = expected.iter().map(|positions| path(positions)).collect();
            assert_eq!(paths_in_projection(&paths), expected);
        }
    }
}
