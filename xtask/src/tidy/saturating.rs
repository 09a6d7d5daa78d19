//! Counts saturating arithmetic, which turns a number that is too large into a wrong number without an error. It is meant
//! for budgets, bounds and hints. All other sums must be checked, or must not overflow because of their types.

use std::collections::BTreeMap;

use crate::tidy::Finding;
use crate::tidy::source::Tree;

/// The rooms of `arrow-ipc` with saturating arithmetic, and how often they use it. The numbers may only decrease.
const ROOMS: &[(&str, usize)] = &[
    ("alignment", 2),
    ("batch", 69),
    ("columns", 4),
    ("compression", 28),
    ("dictionary", 16),
    ("error", 2),
    ("file", 83),
    ("frame", 9),
    ("limits", 8),
    ("message", 13),
    ("options", 1),
    ("plan", 39),
    ("recover", 91),
    ("recycled", 6),
    ("scan", 13),
    ("schema", 16),
    ("segment", 5),
    ("session", 1),
    ("source", 27),
    ("stream", 11),
    ("tensor", 34),
    ("threads", 1),
    ("transcode", 9),
];

const FOLDER: &str = "crates/arrow-ipc/src/";

/// Finds rooms with more or less saturating arithmetic than is listed.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut found: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for source in tree.ending_in(".rs") {
        let Some(file) = source.path.strip_prefix(FOLDER) else { continue };
        let room = file.split('/').next().unwrap_or(file);
        let n_found = source.untested_code.matches(".saturating_").count();
        found.entry(room.strip_suffix(".rs").unwrap_or(room)).or_insert((0, &source.path)).0 += n_found;
    }
    let differs = found.into_iter().filter_map(|(room, (n_found, path))| {
        let listed = ROOMS.iter().find(|(listed, _)| *listed == room).map_or(0, |(_, n_listed)| *n_listed);
        let what = if n_found > listed {
            "use checked arithmetic with an internal error, unless saturation is meant"
        } else {
            "lower the number"
        };
        let what =
            format!("{what}: `{room}` saturates {n_found} times, not {listed}: xtask/src/tidy/saturating.rs");
        (n_found != listed).then(|| Finding { path: path.to_owned(), line: 1, what })
    });
    differs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn rooms_are_counted_with_their_folders() {
        let (sum, path) =
            ("fn f(a: u8) { a.saturating_add(1); } // a.saturating_sub(1)", "crates/arrow-ipc/src/new/a.rs");
        let none: [&str; 0] = [];
        assert_eq!(places(check, &[(path, sum)]), ["crates/arrow-ipc/src/new/a.rs:1"]);
        assert_eq!(places(check, &[(path, "fn f() {}"), ("crates/arrow-data/src/a.rs", sum)]), none);
        assert_eq!(
            places(check, &[("crates/arrow-ipc/src/source.rs", "")]),
            ["crates/arrow-ipc/src/source.rs:1"]
        );
    }
}
