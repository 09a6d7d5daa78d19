//! Checks that items that documents name exist, such as `arrow_data::Table::concat`.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// Documents about past decisions. Names in them may have changed since.
const HISTORY: &str = "docs/decisions/";

/// The document whose tables have code for other libraries in the first column, and for ours in the second.
const GUIDE: &str = "docs/GUIDE.md";

/// The first lines of such tables.
const GUIDE_HEADERS: [&str; 2] = ["| arrow-rs | here |", "| pyarrow | here | with the program |"];

/// What stands in the second column if the code of the first one is right.
const THE_SAME: &str = "the same";

/// The code of these tables, which is compiled.
const GUIDE_CODE: &str = "crates/arrow/tests/guide/rows.rs";

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

/// Checks that the code in the tables of the guide is compiled: what is in the second column, and names in the first one if they are the
/// same.
pub(super) fn check_guide(tree: &Tree) -> Vec<Finding> {
    let Some(guide) = tree.text(GUIDE) else { return Vec::new() };
    let compiled = tree.text(GUIDE_CODE).map(|source| without_comments(&source.text)).unwrap_or_default();
    let mut findings = Vec::new();
    let mut in_table = false;
    for (idx, line) in guide.text.lines().enumerate() {
        in_table = GUIDE_HEADERS.contains(&line) || in_table && line.starts_with('|');
        let mut cells = line.trim_start_matches("| ").split(" | ");
        let (Some(theirs), Some(ours), true) = (cells.next(), cells.next(), in_table) else { continue };
        let same = if ours.starts_with(THE_SAME) { theirs } else { "" };
        let needed = code(same).filter_map(last_name).chain(code(ours));
        for code in needed.filter(|code| !has_code(&compiled, &squeeze(code))) {
            let what = format!("`{code}` is not in {GUIDE_CODE}");
            findings.push(Finding { path: GUIDE.to_owned(), line: idx + 1, what });
        }
    }
    findings
}

/// What is in backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The name of what is called; an operator has none.
fn last_name(code: &str) -> Option<&str> {
    let callee = code.split('(').next().unwrap_or_default();
    words(callee).last()
}

fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    squeeze(&lines.collect::<Vec<_>>().concat())
}

/// Code without what only its layout needs.
fn squeeze(code: &str) -> String {
    code.split_whitespace().collect::<String>().replace(",)", ")")
}

/// Whether there is such code that does not begin or end within a name.
fn has_code(compiled: &str, code: &str) -> bool {
    let bytes = compiled.as_bytes();
    compiled.match_indices(code).any(|(at, found)| {
        let end = at + found.len();
        let joins = |a: Option<&u8>, b: Option<&u8>| {
            [a, b].iter().all(|byte| byte.is_some_and(|byte| is_name_byte(*byte)))
        };
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        !joins(before, bytes.get(at)) && !joins(bytes.get(end - 1), bytes.get(end))
    })
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
    use crate::tidy::tests::locations;

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
        assert_eq!(locations(check, &files), ["docs/FORMAT.md:2", "docs/FORMAT.md:4", "docs/FORMAT.md:7"]);
    }

    #[test]
    fn code_of_the_guide_that_is_not_compiled_is_found() {
        let compiled =
            "// gone()\nuse a::Tables;\nlet _ = Table::concat(\n    rows,\n    Rows::All,\n);\nx.len();\n";
        let guide = "`Gone`\n\n| arrow-rs | here |\n|---|---|\n| `Gone` | `Table::concat(rows, Rows::All)`, `Table::concat` |\n\
                     | `Array::len()` | the same |\n| `Array::size` | the same: `Tables` |\n| `a` | `Table::con` |\n\
                     | `a` | `concat([..])` |\n| `a` | `gone()` |\n\n| `a` | `gone()` |\n";
        let expected = ["docs/GUIDE.md:7", "docs/GUIDE.md:8", "docs/GUIDE.md:9", "docs/GUIDE.md:10"];
        assert_eq!(locations(check_guide, &[(GUIDE_CODE, compiled), (GUIDE, guide)]), expected);
    }
}
