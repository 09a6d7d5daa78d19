//! Checks that `docs/UNSAFE.md` lists each item that uses `unsafe`, and each item that makes or changes a value of a
//! proof type.

mod makers;

use std::collections::BTreeMap;

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

const INVENTORY: &str = "docs/UNSAFE.md";

/// The folders whose files may use `unsafe` and are listed in the inventory.
const HOMES: [&str; 8] = [
    "crates/arrow-buffer/",
    "crates/arrow-c-data/",
    "crates/arrow-duckdb/",
    "crates/arrow-ipc-c/",
    "crates/arrow-ipc-cli/src/main.rs",
    "crates/arrow-ipc-wasm/",
    "crates/arrow-rs-adapter/",
    "python/",
];

/// The folder of test code that may use `unsafe` without a list: a counting allocator needs it.
const EXEMPT: &str = "testing/";

const FORBID: &str = "#![forbid(unsafe_code)]";

/// What the rows of an inventory table count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Table {
    /// Uses of the keyword `unsafe`. Rows are `| file | item | number | …`.
    Uses,
    /// Places that make or change values of a proof type. Rows are `| type | file | item | number | …`.
    Makers,
}

/// The key of a row: the table, the file, the item, and for `Makers` the type.
type Key = (Table, String, String, String);

/// Checks that the inventory and the code agree, and that crates without `unsafe` forbid it.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = check_inventory(tree);
    findings.extend(check_roots(tree));
    findings
}

/// Compares the inventory with the code. Both must have the same items.
fn check_inventory(tree: &Tree) -> Vec<Finding> {
    let mut found: BTreeMap<Key, (usize, usize)> = BTreeMap::new();
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs").filter(|source| !source.path.starts_with(EXEMPT)) {
        if !is_home(&source.path) {
            findings.extend(refuse(source));
            continue;
        }
        // Tests in the home of `unsafe` may use it; elsewhere the crate forbids it to tests too.
        let code = &source.untested_code;
        let uses = words(code, "unsafe").filter(|at| !is_pointer_type(code, *at));
        for at in uses {
            let key = (Table::Uses, source.path.clone(), item_at(code, at), String::new());
            found.entry(key).or_insert((0, source.line_at(at))).0 += 1;
        }
        for maker in makers::makers(source) {
            let item = maker.derived.unwrap_or_else(|| item_at(code, maker.at));
            let key = (Table::Makers, source.path.clone(), item, maker.proof.to_owned());
            found.entry(key).or_insert((0, source.line_at(maker.at))).0 += 1;
        }
    }
    let mut rows = tree.text(INVENTORY).map(|source| rows(&source.text)).unwrap_or_default();
    for (key, (n_found, line)) in found {
        findings.extend(judge(&key, n_found, line, rows.remove(&key)));
    }
    for ((_, path, item, _), (_, line)) in rows {
        let what = format!("there is no such thing in `{item}` of {path}: remove the row");
        findings.push(Finding { path: INVENTORY.to_owned(), line, what });
    }
    findings
}

/// Compares the number that was found with the row: the number that it lists, and its line.
fn judge(key: &Key, n_found: usize, line: usize, row: Option<(Option<usize>, usize)>) -> Option<Finding> {
    let (table, path, item, name) = key;
    let finding = |path: &str, line, what| Some(Finding { path: path.to_owned(), line, what });
    let named = if *table == Table::Uses { String::new() } else { format!("`{name}`, ") };
    match row {
        Some((n_listed, _)) if n_listed == Some(n_found) => None,
        Some((_, line)) if *table == Table::Uses => {
            finding(INVENTORY, line, format!("`{item}` in {path} has {n_found} uses of `unsafe`"))
        }
        Some((_, line)) => {
            finding(INVENTORY, line, format!("`{item}` in {path} makes or changes {n_found} `{name}`"))
        }
        None => {
            let what = if *table == Table::Uses { "use of `unsafe`" } else { "maker" };
            let what = format!("list this {what} in {INVENTORY}: {named}`{path}`, `{item}`, {n_found}");
            finding(path, line, what)
        }
    }
}

/// Refuses `unsafe` outside of the listed folders, also in tests.
fn refuse(source: &Source) -> Option<Finding> {
    let first = words(&source.code, "unsafe").find(|at| !is_pointer_type(&source.code, *at))?;
    let homes = HOMES.join(" and ");
    let what = format!("`unsafe` is allowed only in files of {homes} that {INVENTORY} lists");
    Some(Finding { path: source.path.clone(), line: source.line_at(first), what })
}

fn is_home(path: &str) -> bool {
    HOMES.iter().any(|home| path.starts_with(home))
}

/// Checks that all crates forbid `unsafe`, except the listed crates and those of tests.
fn check_roots(tree: &Tree) -> Vec<Finding> {
    let is_root = |path: &str| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        (name == "lib.rs" || name == "main.rs") && parts.next() == Some("src")
    };
    let is_free = |path: &str| is_home(path) || path.starts_with(EXEMPT);
    let roots = tree.ending_in(".rs").filter(|source| is_root(&source.path) && !is_free(&source.path));
    let unguarded = roots.filter(|source| !source.code.contains(FORBID));
    let finding =
        |source: &Source| Finding { path: source.path.clone(), line: 1, what: format!("add `{FORBID}`") };
    unguarded.map(finding).collect()
}

/// The positions of a word in code.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = code.as_bytes();
    code.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let after = bytes.get(at + word.len()).copied();
        !code[..at].bytes().next_back().is_some_and(is_name_byte) && !after.is_some_and(is_name_byte)
    })
}

/// Whether the keyword is part of a function pointer type, which needs no proof: calling it is `unsafe`.
fn is_pointer_type(code: &str, at: usize) -> bool {
    without_abi(&code[at + "unsafe".len()..]).starts_with("fn(")
}

/// The code after `extern "C"`, whose literal has been replaced by spaces.
fn without_abi(code: &str) -> &str {
    let code = code.trim_start();
    code.strip_prefix("extern").map_or(code, |rest| rest.trim_start_matches(['"', ' ']))
}

/// The item at a position: the implementation that begins there, or the last function or macro that begins before it.
fn item_at(code: &str, at: usize) -> String {
    let rest = code[at..].strip_prefix("unsafe").unwrap_or(&code[at..]).trim_start();
    if let Some(declared) = rest.strip_prefix("impl") {
        let end = declared.find('{').unwrap_or(declared.len());
        return declared[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if rest.starts_with("extern") && without_abi(rest).starts_with('{') {
        return "extern".to_owned();
    }
    // An attribute such as `#[unsafe(no_mangle)]` is that of the next function.
    let own = if rest.starts_with('(') {
        rest.split_once("fn ").map(|(_, named)| named)
    } else {
        without_abi(rest).strip_prefix("fn ")
    };
    let last = |keyword: &str| words(&code[..at], keyword).last().map(|start| start + keyword.len());
    let before = || last("fn").max(last("macro_rules")).map(|end| code[end..].trim_start_matches(['!', ' ']));
    let name = own.or_else(before).unwrap_or_default();
    // In a macro, the name is a variable.
    name.chars().take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '$')).collect()
}

/// The rows of both tables, with the number and the line of each row.
fn rows(text: &str) -> BTreeMap<Key, (Option<usize>, usize)> {
    let lines = text.lines().enumerate();
    let rows = lines.filter_map(|(idx, line)| {
        let cells: Vec<&str> = line.trim().strip_prefix('|')?.split('|').map(str::trim).collect();
        let [first, second, third, ..] = cells[..] else { return None };
        let plain = |cell: &str| cell.trim_matches('`').to_owned();
        let (key, n_uses) = if plain(first).ends_with(".rs") {
            let key = (Table::Uses, in_home(&plain(first)), item_name(&plain(second)), String::new());
            (key, third.parse().ok())
        } else if plain(second).ends_with(".rs") {
            let key = (Table::Makers, in_home(&plain(second)), item_name(&plain(third)), plain(first));
            (key, cells.get(3).and_then(|number| number.parse().ok()))
        } else {
            return None;
        };
        Some((key, (n_uses, idx + 1)))
    });
    rows.collect()
}

/// The path of a file from the root. Rows may also name files from the `src` folder of the first listed folder.
fn in_home(file: &str) -> String {
    if is_home(file) { file.to_owned() } else { format!("{}src/{file}", HOMES[0]) }
}

/// The name of an item without its type. Rows may name the type of a method, such as `Buffer::as_slice`, and
/// macros end with `!`.
fn item_name(item: &str) -> String {
    item.rsplit("::").next().unwrap_or(item).trim_end_matches('!').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    const A: &str = "crates/arrow-buffer/src/a.rs";

    #[test]
    fn uses_are_compared_item_by_item() {
        let code = "unsafe impl Send for A {}\nfn a() {\n unsafe { b() } } // unsafe\n#[cfg(test)]\nmod tests { unsafe fn c() {} }\n";
        let both = "| `a.rs` | `Send for A` | 1 | why |\n| `a.rs` | `A::a` | 1 |";
        let cases: [(&str, &str, &[&str]); 9] = [
            (A, both, &[]),
            (A, "| `crates/arrow-buffer/src/a.rs` | `Send for A` | 1 |\n| `a.rs` | `a` | 1 |", &[]),
            (A, "| `a.rs` | `Send for A` | 2 |\n| `a.rs` | `a` | 1 |", &["docs/UNSAFE.md:3"]),
            (A, "| `a.rs` | `Send for A` | 1 |", &["crates/arrow-buffer/src/a.rs:3"]),
            (A, &format!("{both}\n| `a.rs` | `gone` | 1 |"), &["docs/UNSAFE.md:5"]),
            ("crates/arrow-c-data/src/a.rs", &both.replace("`a.rs`", "`crates/arrow-c-data/src/a.rs`"), &[]),
            ("python/src/a.rs", &both.replace("`a.rs`", "`python/src/a.rs`"), &[]),
            ("crates/arrow-data/src/a.rs", "", &["crates/arrow-data/src/a.rs:1"]),
            ("testing/support/src/a.rs", "", &[]),
        ];
        for (path, rows, wanted) in cases {
            let table = format!("| file | item |\n|---|---|\n{rows}\n");
            let found = locations(check_inventory, &[(path, code), ("docs/UNSAFE.md", &table)]);
            assert_eq!(found, wanted, "{path} {rows}");
        }
    }

    #[test]
    fn attributes_belong_to_the_next_function() {
        let code = "fn before() {}\nmacro_rules! m { () => { #[unsafe(no_mangle)]\n extern \"C\" fn $name() {} } }\n";
        let rows = "| `a.rs` | `$name` | 1 |\n";
        assert_eq!(locations(check_inventory, &[(A, code), ("docs/UNSAFE.md", rows)]), Vec::<String>::new());
    }

    #[test]
    fn functions_of_c_are_items_and_pointers_to_them_are_nothing() {
        let code = "struct S { f: Option<unsafe extern \"C\" fn(i32)>, g: unsafe fn(i32) }\nunsafe extern \"C\" fn f() {}\n\
                    unsafe extern \"C\" {\n fn g(); }\n";
        let rows = "| `a.rs` | `f` | 1 |\n| `a.rs` | `extern` | 1 |\n";
        assert_eq!(locations(check_inventory, &[(A, code), ("docs/UNSAFE.md", rows)]), Vec::<String>::new());
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
        assert_eq!(locations(check_roots, &files), ["crates/b/src/lib.rs:1", "crates/c/src/main.rs:1"]);
    }
}
