//! The first modules of a crate depend on each other only in one direction, without circles.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// For each first module of a crate, the others that it uses, with the position of the first use.
type Edges<'a> = BTreeMap<&'a str, BTreeMap<&'a str, (&'a Source, usize)>>;

/// A file of a crate: its module path, and the paths that it uses.
struct Module<'a> {
    source: &'a Source,
    path: Vec<&'a str>,
    named: Vec<(Vec<&'a str>, usize)>,
}

/// Finds circles among the modules below the root of each crate. Inside such a module, files may use each other, since the
/// methods of a type stand where its fields are.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let crates = Module::by_crate(tree);
    let findings = crates.values().flat_map(|modules| {
        let edges = edges(modules);
        circles(&edges).iter().flat_map(|circle| describe(circle, &edges)).collect::<Vec<_>>()
    });
    findings.collect()
}

fn describe(circle: &[&str], edges: &Edges<'_>) -> Vec<Finding> {
    let circle_text = circle.join(", ");
    let inside = edges.iter().filter(|(from, _)| circle.contains(from));
    let inside =
        inside.flat_map(|(from, targets)| targets.iter().map(move |(to, location)| (from, to, location)));
    let inside = inside.filter(|(_, to, _)| circle.contains(to));
    let finding = |(from, to, (source, at)): (&&str, &&str, &(&Source, usize))| Finding {
        path: source.path.clone(),
        line: source.line_at(*at),
        what: format!("`{from}` names `{to}`, in a circle of modules: {circle_text}"),
    };
    inside.map(finding).collect()
}

/// The dependencies between the first modules of a crate. The root of the crate uses all of them, so it is left out.
fn edges<'a>(modules: &'a [Module<'a>]) -> Edges<'a> {
    let first = |path: &[&'a str]| path.first().copied();
    let names: BTreeSet<&str> = modules.iter().filter_map(|module| first(&module.path)).collect();
    let mut edges = Edges::new();
    for module in modules {
        let Some(from) = first(&module.path) else { continue };
        for (to, at) in module.named.iter().filter_map(|(path, at)| Some((first(path)?, *at))) {
            if to != from && names.contains(to) {
                edges.entry(from).or_default().entry(to).or_insert((module.source, at));
            }
        }
    }
    edges
}

impl<'a> Module<'a> {
    fn by_crate(tree: &'a Tree) -> BTreeMap<&'a str, Vec<Module<'a>>> {
        let mut crates: BTreeMap<&str, Vec<Module<'_>>> = BTreeMap::new();
        for source in tree.ending_in(".rs") {
            let parts = source.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
            if let Some((name, file)) = parts {
                crates.entry(name).or_default().push(Module::new(file, source));
            }
        }
        crates
    }

    fn new(file: &'a str, source: &'a Source) -> Module<'a> {
        let path: Vec<&str> = file.strip_suffix(".rs").unwrap_or(file).split('/').collect();
        let path = if matches!(path[..], ["lib" | "main"] | ["bin", ..]) { Vec::new() } else { path };
        let named = named(&source.untested_code, &path);
        Module { source, path, named }
    }
}

/// The paths that code uses, from the root of the crate. They are found after `crate::`, `super::` and `self::`.
fn named<'a>(code: &'a str, module: &[&'a str]) -> Vec<(Vec<&'a str>, usize)> {
    let mut found = Vec::new();
    for prefix in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(prefix) {
            let before = &code[..at];
            let is_inside = before.ends_with("super::") || before.ends_with("(in ");
            if is_inside || before.bytes().next_back().is_some_and(is_name_byte) {
                continue;
            }
            let start = if prefix == "crate::" { &[] } else { module };
            let rest = if prefix == "crate::" { at + prefix.len() } else { at };
            expand(code, rest, start.to_vec(), &mut found);
        }
    }
    found
}

/// Adds the paths that begin here: a single path, or the paths of a list in braces. Returns the position of their end.
fn expand<'a>(
    code: &'a str,
    mut at: usize,
    mut path: Vec<&'a str>,
    found: &mut Vec<(Vec<&'a str>, usize)>,
) -> usize {
    loop {
        let rest = &code[at..];
        if rest.starts_with('{') {
            at += 1;
            while !code[at..].starts_with('}') && at < code.len() {
                let end = expand(code, at + n_blanks(&code[at..]), path.clone(), found);
                // At what stands between two, such as a comma or a new name.
                at = end.max(at + 1).min(code.len());
                while !code[at..].starts_with([',', '}']) && at < code.len() {
                    at += 1;
                }
                at += usize::from(code[at..].starts_with(','));
            }
            return at + 1;
        }
        let name = &rest[..rest.bytes().take_while(|byte| is_name_byte(*byte)).count()];
        if name == "super" {
            path.pop();
        } else if !matches!(name, "" | "self") {
            path.push(name);
        }
        let end = at + name.len();
        if name.is_empty() {
            // After the last comma of a list.
            return end;
        }
        if !code[end..].starts_with("::") {
            found.push((path, at));
            return end;
        }
        at = end + 2;
    }
}

fn n_blanks(code: &str) -> usize {
    code.bytes().take_while(u8::is_ascii_whitespace).count()
}

/// The sets of modules that depend on each other in a circle, each in alphabetical order.
fn circles<'a>(edges: &Edges<'a>) -> Vec<Vec<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|from| (*from, reachable(from, edges))).collect();
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for (from, targets) in &reached {
        if !targets.contains(from) || circles.iter().any(|circle| circle.contains(from)) {
            continue;
        }
        let back = |to: &&str| reached.get(to).is_some_and(|targets| targets.contains(from));
        circles.push(reached.keys().copied().filter(|to| targets.contains(to) && back(to)).collect());
    }
    circles
}

fn reachable<'a>(from: &str, edges: &'a Edges<'_>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for to in edges.get(module).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*to) {
                open.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    /// The methods of a type stand where its fields are.
    #[test]
    fn files_in_a_module_may_use_each_other() {
        let files = [
            ("crates/x/src/f.rs", "mod a; mod b; pub use self::{a::A, b::B};"),
            ("crates/x/src/f/a.rs", "use super::b::B;"),
            ("crates/x/src/f/b.rs", "use super::a::A;"),
            ("crates/x/src/g.rs", "use crate::f::A;"),
        ];
        assert!(locations(check, &files).is_empty());
    }

    #[test]
    fn circles_are_found() {
        let (a, b, c) = ("crates/x/src/a.rs", "crates/x/src/b/inner.rs", "crates/x/src/c.rs");
        let cases: [(&str, &str, &str, &[&str]); 7] = [
            ("use crate::b::B;", "fn f() {}", "use crate::{a::A, b::B};", &[]),
            (
                "use crate::b::B;",
                "\nuse crate::a::A;",
                "",
                &["crates/x/src/a.rs:1", "crates/x/src/b/inner.rs:2"],
            ),
            (
                "use super::b::B;",
                "use super::super::a::A;",
                "",
                &["crates/x/src/a.rs:1", "crates/x/src/b/inner.rs:1"],
            ),
            ("use super::b::B;", "use super::a::A;", "", &[]),
            (
                "fn f() { crate::b::g() }",
                "use crate::{error::{c, E}, c::C};",
                "use crate::a::A;",
                &["crates/x/src/a.rs:1", "crates/x/src/b/inner.rs:1", "crates/x/src/c.rs:1"],
            ),
            ("use crate::b::B;", "// crate::a\n#[cfg(test)]\nmod tests { use crate::a::A; }", "", &[]),
            ("use crate::b::B;", "use crate::ab::A; use other::a::A; use mycrate::a::A;", "", &[]),
        ];
        for (in_a, in_b, in_c, wanted) in cases {
            let files = [(a, in_a), (b, in_b), (c, in_c), ("crates/x/src/lib.rs", "use crate::a::A;")];
            assert_eq!(locations(check, &files), wanted, "{in_a} {in_b} {in_c}");
        }
    }
}
