//! `unsafe` stands where `docs/UNSAFE.md` says, as often as it says, and nowhere else.

use crate::codegen::BINDINGS;
use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

const INVENTORY: &str = "docs/UNSAFE.md";

/// The folder whose files may be listed in the inventory.
const HOME: &str = "crates/arrow-buffer/";

/// Test code that may use it freely: a counting allocator needs it.
const EXEMPT: &str = "testing/";

const FORBID: &str = "#![forbid(unsafe_code)]";

/// A row of the inventory: a file, and how many uses it admits to.
struct Row {
    file: String,
    n_uses: Option<usize>,
    line: usize,
}

/// Compares the inventory with the code, both ways. Every `unsafe` outside of tests counts, whether it opens
/// a block or marks a function, an implementation or a trait.
pub(super) fn check_inventory(tree: &Tree) -> Vec<Finding> {
    let rows = tree.text(INVENTORY).map(|source| rows(&source.text)).unwrap_or_default();
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs").filter(|source| !source.path.starts_with(EXEMPT)) {
        let is_home = source.path.starts_with(HOME);
        // Tests in the home of `unsafe` may use it; elsewhere the crate forbids it to tests too.
        let uses = uses(if is_home { &source.untested_code } else { &source.code });
        let row = rows.iter().find(|row| is_home && is_same_file(&row.file, &source.path));
        findings.extend(judge(source, &uses, row));
    }
    for row in &rows {
        let is_known =
            |source: &Source| source.path.starts_with(HOME) && is_same_file(&row.file, &source.path);
        if !tree.texts.iter().any(is_known) {
            let what = format!("there is no file `{}` in {HOME}: remove the row", row.file);
            findings.push(Finding { path: INVENTORY.to_owned(), line: row.line, what });
        }
    }
    findings
}

fn judge(source: &Source, uses: &[usize], row: Option<&Row>) -> Option<Finding> {
    let finding = |path: &str, line, what| Some(Finding { path: path.to_owned(), line, what });
    match (uses, row) {
        ([], None) => None,
        ([first, ..], None) => {
            let line = source.line_at(*first);
            let what =
                format!("`unsafe` is not allowed here: only in files of {HOME} that {INVENTORY} lists");
            finding(&source.path, line, what)
        }
        (uses, Some(row)) if row.n_uses == Some(uses.len()) => None,
        (uses, Some(row)) => {
            let what = format!("{} has {} uses of `unsafe`: correct the row", source.path, uses.len());
            finding(INVENTORY, row.line, what)
        }
    }
}

/// Every crate but the home of `unsafe` and the generated one forbids it.
pub(super) fn check_roots(tree: &Tree) -> Vec<Finding> {
    let is_root = |path: &str| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        (name == "lib.rs" || name == "main.rs") && parts.next() == Some("src")
    };
    let generated_crate = BINDINGS.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_free = |path: &str| [HOME, EXEMPT, generated_crate].iter().any(|folder| path.starts_with(folder));
    let roots = tree.ending_in(".rs").filter(|source| is_root(&source.path) && !is_free(&source.path));
    let unguarded = roots.filter(|source| !source.code.contains(FORBID));
    let finding =
        |source: &Source| Finding { path: source.path.clone(), line: 1, what: format!("add `{FORBID}`") };
    unguarded.map(finding).collect()
}

/// Where the keyword stands.
fn uses(code: &str) -> Vec<usize> {
    let bytes = code.as_bytes();
    let is_word = |position: &usize| {
        let before = bytes[..*position].last().copied();
        let after = bytes.get(position + "unsafe".len()).copied();
        !before.is_some_and(is_name_byte) && !after.is_some_and(is_name_byte)
    };
    code.match_indices("unsafe").map(|(position, _)| position).filter(is_word).collect()
}

/// The rows of tables whose first cell is a Rust file and whose second a number.
fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().enumerate();
    let rows = lines.filter_map(|(idx, line)| {
        let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
        let file = cells.next()?.trim_matches('`');
        let n_uses = cells.next()?.parse().ok();
        file.ends_with(".rs").then(|| Row { file: file.to_owned(), n_uses, line: idx + 1 })
    });
    rows.collect()
}

/// Rows name files from the root of the repository, of the crate, or of its `src`.
fn is_same_file(row: &str, path: &str) -> bool {
    let in_crate = path.strip_prefix(HOME).unwrap_or(path);
    row == path || row == in_crate || Some(row) == in_crate.strip_prefix("src/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn inventory_is_compared() {
        let code = "unsafe impl Send for A {}\nfn a() { unsafe { b() } } // unsafe\n#[cfg(test)]\nmod tests { unsafe fn c() {} }\n";
        let a = "crates/arrow-buffer/src/a.rs";
        let table = |row: &str| format!("| file | uses |\n|---|---|\n{row}\n");
        let cases: [(&str, &str, &[&str]); 7] = [
            (a, "| `src/a.rs` | 2 | why |", &[]),
            (a, "| `a.rs` | 2 |", &[]),
            (a, "| `crates/arrow-buffer/src/a.rs` | 3 |", &["docs/UNSAFE.md:3"]),
            (a, "", &["crates/arrow-buffer/src/a.rs:1"]),
            (a, "| `src/a.rs` | 2 |\n| `src/gone.rs` | 1 |", &["docs/UNSAFE.md:4"]),
            ("crates/arrow-data/src/a.rs", "", &["crates/arrow-data/src/a.rs:1"]),
            ("testing/support/src/a.rs", "", &[]),
        ];
        for (path, row, wanted) in cases {
            let found = places(check_inventory, &[(path, code), ("docs/UNSAFE.md", &table(row))]);
            assert_eq!(found, wanted, "{path} {row}");
        }
    }

    #[test]
    fn roots_forbid() {
        let files = [
            ("crates/a/src/lib.rs", "#![forbid(unsafe_code)]\n"),
            ("crates/b/src/lib.rs", "// #![forbid(unsafe_code)]\n"),
            ("crates/c/src/main.rs", ""),
            ("crates/c/src/deep/main.rs", ""),
            ("crates/arrow-buffer/src/lib.rs", ""),
            ("testing/support/src/lib.rs", ""),
        ];
        assert_eq!(places(check_roots, &files), ["crates/b/src/lib.rs:1", "crates/c/src/main.rs:1"]);
    }
}
