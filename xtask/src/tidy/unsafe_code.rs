//! `docs/UNSAFE.md` lists each item that uses `unsafe`, and each safe function that makes a value whose type is a proof.

use std::collections::BTreeMap;

use crate::codegen::BINDINGS;
use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

const INVENTORY: &str = "docs/UNSAFE.md";

/// The folders whose files may be listed in the inventory. The proofs are those of the first.
const HOMES: [&str; 3] = ["crates/arrow-buffer/", "crates/arrow-c-data/", "python/"];

/// Test code that may use it freely: a counting allocator needs it.
const EXEMPT: &str = "testing/";

const FORBID: &str = "#![forbid(unsafe_code)]";

/// Types whose values are proofs that unchecked reads rely on. Their fields are private, so that the places that name
/// them as an expression are all the places that make one.
const PROOFS: [&str; 13] = [
    "Buffer",
    "GrowingBuffer",
    "GrowingText",
    "GrowingTextSlots",
    "GrowingTextViews",
    "Heap",
    "Memory",
    "Text",
    "TextSlots",
    "TextSlotsBuilder",
    "TextSlotsRef",
    "TextViews",
    "Values",
];

/// What a row of the inventory counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Table {
    /// Uses of the keyword. Rows are `| file | item | number | …`.
    Uses,
    /// Values made of a type in [`PROOFS`]. Rows are `| type | file | item | …`.
    Makers,
}

/// What is counted: the table, the file, the item, and for makers the type.
type Key = (Table, String, String, String);

/// Compares the inventory with the code, both ways.
pub(super) fn check_inventory(tree: &Tree) -> Vec<Finding> {
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
        let uses = uses.map(|at| (Table::Uses, "", at));
        let proofs = if source.path.starts_with(HOMES[0]) { &PROOFS[..] } else { &[] };
        let makers = proofs.iter().flat_map(|name| {
            words(code, name).filter(|at| is_made(code, *at, name)).map(|at| (Table::Makers, *name, at))
        });
        for (table, name, at) in uses.chain(makers) {
            let key = (table, source.path.clone(), item_at(code, at), name.to_owned());
            found.entry(key).or_insert((0, source.line_at(at))).0 += 1;
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

/// What was found against its row: the number that it lists, and its line.
fn judge(key: &Key, n_found: usize, line: usize, row: Option<(Option<usize>, usize)>) -> Option<Finding> {
    let (table, path, item, name) = key;
    let finding = |path: &str, line, what| Some(Finding { path: path.to_owned(), line, what });
    match (table, row) {
        (Table::Makers, Some(_)) => None,
        (Table::Uses, Some((n_listed, _))) if n_listed == Some(n_found) => None,
        (Table::Uses, Some((_, line))) => {
            finding(INVENTORY, line, format!("`{item}` in {path} has {n_found} uses of `unsafe`"))
        }
        (Table::Uses, None) => {
            let what = format!("list this use of `unsafe` in {INVENTORY}: `{path}`, `{item}`, {n_found}");
            finding(path, line, what)
        }
        (Table::Makers, None) => {
            finding(path, line, format!("list this maker in {INVENTORY}: `{name}`, `{path}`, `{item}`"))
        }
    }
}

/// Outside of its home `unsafe` is refused, in tests too.
fn refuse(source: &Source) -> Option<Finding> {
    let first = words(&source.code, "unsafe").next()?;
    let homes = HOMES.join(" and ");
    let what = format!("`unsafe` is allowed only in files of {homes} that {INVENTORY} lists");
    Some(Finding { path: source.path.clone(), line: source.line_at(first), what })
}

fn is_home(path: &str) -> bool {
    HOMES.iter().any(|home| path.starts_with(home))
}

/// Every crate but the homes of `unsafe` and the generated one forbids it.
pub(super) fn check_roots(tree: &Tree) -> Vec<Finding> {
    let is_root = |path: &str| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        (name == "lib.rs" || name == "main.rs") && parts.next() == Some("src")
    };
    let generated_crate = BINDINGS.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_free =
        |path: &str| is_home(path) || [EXEMPT, generated_crate].iter().any(|folder| path.starts_with(folder));
    let roots = tree.ending_in(".rs").filter(|source| is_root(&source.path) && !is_free(&source.path));
    let unguarded = roots.filter(|source| !source.code.contains(FORBID));
    let finding =
        |source: &Source| Finding { path: source.path.clone(), line: 1, what: format!("add `{FORBID}`") };
    unguarded.map(finding).collect()
}

/// Where a word occurs.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = code.as_bytes();
    code.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let after = bytes.get(at + word.len()).copied();
        !code[..at].bytes().next_back().is_some_and(is_name_byte) && !after.is_some_and(is_name_byte)
    })
}

/// Whether the name of a type begins an expression that makes a value of it: fields follow, and nothing before it says
/// that this is a declaration, a pattern or the variant of an enum.
fn is_made(code: &str, at: usize, name: &str) -> bool {
    let fields = code[at + name.len()..].trim_start();
    let before = code[..at].trim_end_matches(|char: char| char.is_whitespace() || char == '&');
    let is_after = |word: &str| {
        let rest = before.strip_suffix(word);
        rest.is_some_and(|rest| !rest.bytes().next_back().is_some_and(is_name_byte))
    };
    // A variant of an enum has attributes or types where an expression has values.
    let in_parentheses = fields.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let is_variant = in_parentheses.is_some_and(|(first, _)| first.starts_with('#') || is_type_name(first));
    // `impl<T> Name<T> {` has generics between; `impl<T> Trait for Name {` is found by `for`.
    let statement = before.rsplit(['{', '}', ';']).next().unwrap_or_default();
    (fields.starts_with('{') || fields.starts_with('('))
        && !is_variant
        && !before.ends_with("::")
        && !before.ends_with("->")
        && !["struct", "enum", "impl", "for", "let", "fn"].iter().any(|word| is_after(word))
        && !statement.trim_start().starts_with("impl")
}

/// Whether it is one name in the case of types; constants have no small letters.
fn is_type_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(is_name_byte)
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether the type of a pointer to a function is meant, which does nothing: calling it is `unsafe`.
fn is_pointer_type(code: &str, at: usize) -> bool {
    without_abi(&code[at + "unsafe".len()..]).starts_with("fn(")
}

/// What follows `extern "C"`, whose literal is spaces here.
fn without_abi(code: &str) -> &str {
    let code = code.trim_start();
    code.strip_prefix("extern").map_or(code, |rest| rest.trim_start_matches(['"', ' ']))
}

/// What a position belongs to: the implementation that it begins, or the last function that begins before it.
fn item_at(code: &str, at: usize) -> String {
    let rest = code[at..].strip_prefix("unsafe").unwrap_or(&code[at..]).trim_start();
    if let Some(declared) = rest.strip_prefix("impl") {
        let end = declared.find('{').unwrap_or(declared.len());
        return declared[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if rest.starts_with("extern") && without_abi(rest).starts_with('{') {
        return "extern".to_owned();
    }
    let own = without_abi(rest).strip_prefix("fn ");
    let before = || words(&code[..at], "fn").last().map(|fn_at| code[fn_at + "fn".len()..].trim_start());
    let name = own.or_else(before).unwrap_or_default();
    name.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
}

/// The rows of both tables, with the number that a row of uses has, and the line.
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
            ((Table::Makers, in_home(&plain(second)), item_name(&plain(third)), plain(first)), None)
        } else {
            return None;
        };
        Some((key, (n_uses, idx + 1)))
    });
    rows.collect()
}

/// Rows name files from the root, or from the `src` of the first home.
fn in_home(file: &str) -> String {
    if is_home(file) { file.to_owned() } else { format!("{}src/{file}", HOMES[0]) }
}

/// Rows may name the type of a method, as `Buffer::as_slice`.
fn item_name(item: &str) -> String {
    item.rsplit("::").next().unwrap_or(item).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

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
            let found = places(check_inventory, &[(path, code), ("docs/UNSAFE.md", &table)]);
            assert_eq!(found, wanted, "{path} {rows}");
        }
    }

    #[test]
    fn functions_of_c_are_items_and_pointers_to_them_are_nothing() {
        let code = "struct S { f: Option<unsafe extern \"C\" fn(i32)>, g: unsafe fn(i32) }\nunsafe extern \"C\" fn f() {}\n\
                    unsafe extern \"C\" {\n fn g(); }\n";
        let rows = "| `a.rs` | `f` | 1 |\n| `a.rs` | `extern` | 1 |\n";
        assert_eq!(places(check_inventory, &[(A, code), ("docs/UNSAFE.md", rows)]), Vec::<String>::new());
    }

    #[test]
    fn makers_of_proofs_are_listed() {
        let cases: [(&str, &[&str]); 11] = [
            ("fn new() -> Text {\n Text(bytes) }", &["crates/arrow-buffer/src/a.rs:2"]),
            ("fn new() {\n let text = Text { bytes }; }", &["crates/arrow-buffer/src/a.rs:2"]),
            ("fn f(a: Text) { let Text { bytes } = a; }", &[]),
            ("enum Error {\n Text(TextError),\n}", &[]),
            ("fn new() -> Text {\n Text(EMPTY) }", &["crates/arrow-buffer/src/a.rs:2"]),
            ("pub struct Text(Buffer);\nimpl Text {\n fn f(&self) -> Text { self.g() } }", &[]),
            ("impl<T: Native> Values<T> {}\nimpl<T> Deref for Values<T> {}", &[]),
            (
                "impl Default for Text {\n fn default() -> Text {\n Text(b) } }",
                &["crates/arrow-buffer/src/a.rs:3"],
            ),
            ("enum Owner { Memory(Memory), Heap(#[expect(dead_code)] Heap) }", &[]),
            ("fn f(o: Owner) { match o { Owner::Memory(_) => g() } }\nfn g(&self) -> &Text { &self.0 }", &[]),
            ("fn listed() { Text(bytes) }", &[]),
        ];
        for (code, wanted) in cases {
            let rows = "| `Text` | `a.rs` | `listed` | why |\n";
            let found = places(check_inventory, &[(A, code), ("docs/UNSAFE.md", rows)]);
            let found: Vec<&String> = found.iter().filter(|place| !place.starts_with("docs")).collect();
            assert_eq!(found, wanted, "{code}");
        }
        let rows = "| `Text` | `a.rs` | `listed` | why |\n";
        assert_eq!(
            places(check_inventory, &[(A, "fn f() {}"), ("docs/UNSAFE.md", rows)]),
            ["docs/UNSAFE.md:1"]
        );
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
