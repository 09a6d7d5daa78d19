//! Finds defaults for missing values in code that copies, compares or writes values: such a default would turn a bug into
//! plausible data.

use crate::tidy::Finding;
use crate::tidy::source::Tree;

const DEFAULTS: [&str; 5] =
    [".unwrap_or_default()", ".unwrap_or(0)", ".unwrap_or(&[])", ".map_or(0,", ".map_or(&[]"];

/// The checked modules, with their folders.
const ROOMS: [&str; 10] = [
    "crates/arrow-data/src/blank",
    "crates/arrow-data/src/compare",
    "crates/arrow-data/src/grow",
    "crates/arrow-data/src/logical",
    "crates/arrow-data/src/positions",
    "crates/arrow-data/src/select",
    "crates/arrow-data/src/value_bytes",
    "crates/arrow-ipc/src/batch/encode",
    "crates/arrow-ipc/src/dictionary",
    "crates/arrow-ipc/src/schema/encode",
];

/// Files with correct defaults: how many there are, and why they are correct. The numbers may only decrease.
const TRUE_DEFAULTS: &[(&str, usize, &str)] = &[
    ("crates/arrow-data/src/compare/bytes.rs", 1, "an array without data buffers has none"),
    ("crates/arrow-data/src/grow/node.rs", 1, "without a validity bitmap there are no nulls"),
    ("crates/arrow-data/src/select/lists.rs", 1, "the result is refused if one of the values was missing"),
    ("crates/arrow-data/src/value_bytes/table.rs", 2, "the bytes of the first value begin at 0"),
    ("crates/arrow-ipc/src/batch/encode/extents.rs", 1, "a guess, which is then compared with all views"),
];

/// Finds defaults in modules in which a missing value is a bug.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs").filter(|source| ROOMS.iter().any(|room| is_in(&source.path, room))) {
        let defaults = DEFAULTS.iter().flat_map(|default| source.untested_code.match_indices(default));
        let mut positions: Vec<usize> = defaults.map(|(position, _)| position).collect();
        positions.sort_unstable();
        let listed = TRUE_DEFAULTS.iter().find(|(path, _, _)| *path == source.path);
        let n_allowed = listed.map_or(0, |(_, n_allowed, _)| *n_allowed);
        let (found, what) = if positions.len() > n_allowed {
            let what =
                "return an internal error for what must be there, or list here why the default is true";
            (positions.last(), what)
        } else if positions.len() < n_allowed {
            (Some(&0), "lower the number in `TRUE_DEFAULTS`")
        } else {
            (None, "")
        };
        findings.extend(found.map(|position| Finding {
            path: source.path.clone(),
            line: source.line_at(*position),
            what: format!("{what}: xtask/src/tidy/defaults.rs"),
        }));
    }
    findings
}

fn is_in(path: &str, room: &str) -> bool {
    path.strip_prefix(room).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn defaults_are_found() {
        let text = "let a = b.get(0).copied()\n    .unwrap_or_default();\n// .unwrap_or(0)\n";
        let zero = "let a = b.unwrap_or(0);\n#[cfg(test)]\nmod tests { fn a() { b.unwrap_or(0); } }\n";
        let none = "let a = b.unwrap_or(&c);\n";
        let files = [
            ("crates/arrow-data/src/select.rs", text),
            ("crates/arrow-data/src/selected.rs", text),
            ("crates/arrow-data/src/select/lists.rs", zero),
            ("crates/arrow-ipc/src/dictionary/write/pool.rs", zero),
            ("crates/arrow-data/src/grow/node.rs", none),
            ("crates/arrow-data/src/blank.rs", none),
        ];
        let expected = [
            "crates/arrow-data/src/select.rs:2",
            "crates/arrow-ipc/src/dictionary/write/pool.rs:1",
            "crates/arrow-data/src/grow/node.rs:1",
        ];
        assert_eq!(places(check, &files), expected);
    }
}
