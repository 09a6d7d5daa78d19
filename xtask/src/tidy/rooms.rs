//! The rooms of each crate: the modules below its root. They name each other downwards only, in no circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// What one room uses of another: the first place.
type Edges<'a> = BTreeMap<&'a str, BTreeMap<String, (&'a Source, usize)>>;

/// Finds the circles among the rooms of each library crate and of the program.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<(&str, &Source)>> = BTreeMap::new();
    for source in tree.ending_in(".rs") {
        let parts = source.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
        if let Some((name, file)) = parts {
            crates.entry(name).or_default().push((file, source));
        }
    }
    let mut findings = Vec::new();
    for files in crates.values() {
        let edges = edges(files);
        findings.extend(circles(&edges).iter().flat_map(|circle| tell(circle, &edges)));
    }
    findings
}

/// One finding for each edge of a circle.
fn tell(circle: &[&str], edges: &Edges<'_>) -> Vec<Finding> {
    let rooms = circle.join(", ");
    let inside = edges.iter().filter(|(from, _)| circle.contains(from));
    let inside = inside.flat_map(|(from, targets)| targets.iter().map(move |(to, place)| (from, to, place)));
    let inside = inside.filter(|(_, to, _)| circle.contains(&to.as_str()));
    let finding = |(from, to, (source, at)): (&&str, &String, &(&Source, usize))| Finding {
        path: source.path.clone(),
        line: source.line_at(*at),
        what: format!("`{from}` names `{to}`, in a circle of rooms: {rooms}"),
    };
    inside.map(finding).collect()
}

/// What each room names of other rooms. The root and tests are left out: the root names all.
fn edges<'a>(files: &[(&'a str, &'a Source)]) -> Edges<'a> {
    let room = |file: &'a str| file.split('/').next().map(|part| part.strip_suffix(".rs").unwrap_or(part));
    let rooms: BTreeSet<&str> =
        files.iter().filter_map(|(file, _)| room(file)).filter(|room| !is_root(room)).collect();
    let mut edges = Edges::new();
    for (file, source) in files {
        let Some(from) = room(file).filter(|room| !is_root(room)) else { continue };
        // `super` of a file in the room's folder is the room; one more is the root.
        let depth = file.split('/').count();
        for (to, at) in named(&source.untested_code, depth) {
            if to != from && rooms.contains(to) {
                edges.entry(from).or_default().entry(to.to_owned()).or_insert((*source, at));
            }
        }
    }
    edges
}

fn is_root(room: &str) -> bool {
    matches!(room, "lib" | "main" | "bin")
}

/// The rooms that code names: what follows `crate::`, or as many `super::` as lead to the root.
fn named(code: &str, depth: usize) -> Vec<(&str, usize)> {
    let root = "super::".repeat(depth);
    let after = |prefix: &'static str| code.match_indices(prefix).map(move |(at, _)| (at, at + prefix.len()));
    let from_root = code.match_indices(root.as_str()).map(|(at, _)| (at, at + root.len()));
    let starts = after("crate::").chain(from_root.filter(|(at, _)| !code[..*at].ends_with("super::")));
    let starts = starts.filter(|(at, _)| !code[..*at].bytes().next_back().is_some_and(is_name_byte));
    starts.flat_map(|(_, start)| heads(code, start)).collect()
}

/// The first names of a path: one, or those of a list in braces.
fn heads(code: &str, start: usize) -> Vec<(&str, usize)> {
    let Some(list) = code[start..].strip_prefix('{') else { return vec![(name_at(code, start), start)] };
    let mut heads = Vec::new();
    let (mut depth, mut is_first) = (0_usize, true);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => break,
            b'}' => depth -= 1,
            b',' if depth == 0 => is_first = true,
            _ if is_first && is_name_byte(byte) => {
                heads.push((name_at(code, start + 1 + at), start + 1 + at));
                is_first = false;
            }
            _ => {}
        }
    }
    heads
}

fn name_at(code: &str, start: usize) -> &str {
    let n_bytes = code[start..].bytes().take_while(|byte| is_name_byte(*byte)).count();
    &code[start..start + n_bytes]
}

/// The sets of more than one room that all lead to each other, each in alphabetical order.
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
    while let Some(room) = open.pop() {
        for to in edges.get(room).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

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
            assert_eq!(places(check, &files), wanted, "{in_a} {in_b} {in_c}");
        }
    }
}
