//! Paths by position, after a projection has left out all other fields.

use std::collections::HashMap;

use arrow_schema::{FieldPath, PathStep};

/// The same paths by their positions in the projected schema: columns are in the order of their first mention, children in
/// the order of the schema.
pub(super) fn paths_in_projection(paths: &[FieldPath]) -> Vec<FieldPath> {
    let mut root = Kept::default();
    paths.iter().for_each(|path| root.add(path));
    paths.iter().map(|path| root.projected(path)).collect()
}

/// What is kept of a schema or field: all of it, or the children on a path.
#[derive(Debug, Default)]
struct Kept {
    is_whole: bool,
    /// Children by their positions, with the order of their first mention.
    children: HashMap<u32, (u32, Kept)>,
}

impl Kept {
    fn add(&mut self, path: &FieldPath) {
        let mut kept = self;
        for position in path.positions() {
            let order = u32::try_from(kept.children.len()).unwrap_or(u32::MAX);
            kept = &mut kept.children.entry(position).or_insert_with(|| (order, Kept::default())).1;
        }
        kept.is_whole = true;
    }

    fn projected(&self, path: &FieldPath) -> FieldPath {
        let mut kept = Some(self);
        let steps = path.steps().iter().enumerate().map(|(depth, step)| {
            let PathStep::Child { position, name } = step else { return step.clone() };
            let projected = match kept {
                Some(kept) if depth == 0 => {
                    kept.children.get(position).map_or(*position, |(order, _)| *order)
                }
                Some(kept) if !kept.is_whole => kept.n_before(*position),
                _ => *position,
            };
            // All children are kept already.
            let pruned = kept.filter(|kept| !kept.is_whole);
            kept = pruned.and_then(|kept| kept.children.get(position)).map(|(_, child)| child);
            PathStep::Child { position: projected, name: name.clone() }
        });
        steps.collect()
    }

    /// How many kept children precede a position.
    fn n_before(&self, position: u32) -> u32 {
        let n_before = self.children.keys().filter(|kept| **kept < position).count();
        u32::try_from(n_before).unwrap_or(u32::MAX)
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
            // All children are kept.
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
