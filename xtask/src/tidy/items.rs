//! Checks that items that documents name exist, such as `arrow_data::Table::concat`.

use std::collections::HashSet;

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// Documents about past decisions. Names in them may have changed since.
const HISTORY: &str = "docs/decisions/";

/// The document whose tables have names of arrow-rs on the left, and ours on the right.
const GUIDE: &str = "docs/GUIDE.md";

/// The first line of such a table.
const GUIDE_HEAD: &str = "| arrow-rs | here |";

/// Checks each path in backticks that begins with a crate of the workspace. Its second name must be in the list of names
/// in the root of the crate, and names after it must be functions or variants of the crate.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".md").filter(|source| !source.path.starts_with(HISTORY)) {
        for (idx, line) in source.text.lines().enumerate() {
            for path in line.split('`').skip(1).step_by(2) {
                if is_path(path) && !exists(tree, path).unwrap_or(true) {
                    let what = format!("there is no item `{path}`");
                    findings.push(Finding { path: source.path.clone(), line: idx + 1, what });
                }
            }
        }
    }
    findings
}

fn is_path(text: &str) -> bool {
    text.starts_with("arrow_")
        && text.contains("::")
        && text.bytes().all(|byte| is_name_byte(byte) || byte == b':')
}

/// Whether there is such an item; `None` if the crate is not of this workspace.
fn exists(tree: &Tree, path: &str) -> Option<bool> {
    let mut names = path.split("::");
    let folder = format!("crates/{}/src/", names.next()?.replace('_', "-"));
    let root = tree.text(&format!("{folder}lib.rs"))?;
    if !has_word(root, names.next()?) {
        return Some(false);
    }
    let files: Vec<&Source> = tree.ending_in(".rs").filter(|file| file.path.starts_with(&folder)).collect();
    Some(names.all(|name| files.iter().any(|file| declares(file, name))))
}

fn has_word(source: &Source, name: &str) -> bool {
    words(&source.code).any(|word| word == name)
}

/// Whether a file declares a function, also in a macro, or a variant of this name.
fn declares(source: &Source, name: &str) -> bool {
    let function = format!("fn {name}");
    let is_function = source
        .code
        .match_indices(&function)
        .any(|(at, found)| !source.code[at + found.len()..].bytes().next().is_some_and(is_name_byte));
    is_function || is_type(name) && has_word(source, name)
}

/// Checks our names in the tables of the guide: types and variants must occur in the code of a library, and functions must
/// be declared there.
pub(super) fn check_guide(tree: &Tree) -> Vec<Finding> {
    let Some(guide) = tree.text(GUIDE) else { return Vec::new() };
    let is_library = |source: &&Source| source.path.starts_with("crates/") && source.path.contains("/src/");
    let mut known = HashSet::new();
    for source in tree.ending_in(".rs").filter(is_library) {
        let mut previous = "";
        for word in words(&source.untested_code) {
            if previous == "fn" || is_type(word) {
                known.insert(word);
            }
            previous = word;
        }
    }
    let mut findings = Vec::new();
    let mut in_table = false;
    for (idx, line) in guide.text.lines().enumerate() {
        in_table = line == GUIDE_HEAD || in_table && line.starts_with('|');
        if !in_table {
            continue;
        }
        let cell = line.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap_or_default();
        let names = cell.split('`').skip(1).step_by(2).flat_map(names);
        for name in names.filter(|name| !known.contains(name)) {
            let what = format!("the libraries have no `{name}`");
            findings.push(Finding { path: GUIDE.to_owned(), line: idx + 1, what });
        }
    }
    findings
}

/// The types, variants and functions that a piece of code names, but not crates, arguments and fields.
fn names(code: &str) -> impl Iterator<Item = &str> {
    let callee = code.split('(').next().unwrap_or_default();
    let function = callee.rsplit("::").next().filter(|name| !is_type(name) && name.bytes().all(is_name_byte));
    function.into_iter().chain(words(code).filter(|word| is_type(word)))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

fn is_type(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn names_of_nothing_are_found() {
        let code = "pub use crate::table::Table;\n";
        let table = "impl Table { pub fn concat() {} }\npub enum Kind { One }\n";
        let document = "`arrow_data::Table`\n`arrow_data::Tables`\n`arrow_data::Table::concat`\n\
                        `arrow_data::Table::con`\n`arrow_other::Table`\n`arrow_data::Table::One`\n`arrow_data::Table::Two`\n";
        let files = [
            ("crates/arrow-data/src/lib.rs", code),
            ("crates/arrow-data/src/table.rs", table),
            ("docs/FORMAT.md", document),
            ("docs/decisions/0001-a.md", document),
        ];
        assert_eq!(places(check, &files), ["docs/FORMAT.md:2", "docs/FORMAT.md:4", "docs/FORMAT.md:7"]);
    }

    #[test]
    fn names_of_nothing_in_the_guide_are_found() {
        let code = "pub struct Table;\nimpl Table { pub fn concat() {} }\n// fn other\n";
        let guide = "`Gone`\n\n| arrow-rs | here |\n|---|---|\n| `Gone` | `Table::concat(rows)`, `concat` |\n\
                     | `a` | the same: `Table::other` |\n| `a` | `Tables` |\n| `a` | `concat(Rows::All)` |\n\n| `a` | `gone` |\n";
        let files = [("crates/arrow-data/src/table.rs", code), (GUIDE, guide)];
        let expected = ["docs/GUIDE.md:6", "docs/GUIDE.md:7", "docs/GUIDE.md:8", "docs/GUIDE.md:8"];
        assert_eq!(places(check_guide, &files), expected);
    }
}
