//! Limits on names that several types share, on tuples as parameters, and on methods that stand in many files.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree};

/// The number of types whose name is also the name of another type in the crates. It may only decrease.
const MAX_DOUBLE_NAMES: usize = 22;

/// Names of types that traits require.
const OF_TRAITS: [&str; 5] = ["Error", "IntoIter", "Item", "Output", "Target"];

/// The number of tuple parameters that the signature destructures. It may only decrease: STYLE.md, rule 16.
const MAX_TUPLES: usize = 27;

/// Types whose methods are in more than three files, and the number of files. The numbers may only decrease.
const SCATTERED: &[(&str, usize)] = &[
    ("ArrayData", 11),
    ("BatchDecoder", 4),
    ("Buffer", 4),
    ("Casting", 5),
    ("DataType", 5),
    ("Inspection", 4),
    ("Map", 7),
    ("Plan", 4),
    ("Reading", 6),
    ("RecordBatch", 5),
    ("Schema", 5),
];

const THIS_FILE: &str = "xtask/src/tidy/house.rs";

/// Checks that the types of the crates do not share more names than before.
pub(super) fn check_names(tree: &Tree) -> Vec<Finding> {
    names_kept(tree, MAX_DOUBLE_NAMES)
}

fn names_kept(tree: &Tree, max: usize) -> Vec<Finding> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (_, source) in sources(tree) {
        for line in source.untested_code.lines() {
            names.entry(type_name(line).unwrap_or_default()).or_default().push(&source.path);
        }
    }
    names.retain(|name, paths| !name.is_empty() && paths.len() > 1 && !OF_TRAITS.contains(name));
    let n_double: usize = names.values().map(|paths| paths.len() - 1).sum();
    let most = names.iter().map(|(name, paths)| (paths.len(), *name)).max();
    let what = match n_double.cmp(&max) {
        std::cmp::Ordering::Equal => return Vec::new(),
        std::cmp::Ordering::Less => {
            format!("{n_double} types share a name with another: lower the number {max}")
        }
        std::cmp::Ordering::Greater => format!(
            "{n_double} types share a name with another, allowed are {max}: give new types names of their own. {most:?} is \
             the most frequent"
        ),
    };
    vec![Finding { path: THIS_FILE.to_owned(), line: 1, what }]
}

/// Finds parameters that are hidden in tuples.
pub(super) fn check_tuples(tree: &Tree) -> Vec<Finding> {
    tuples_kept(tree, MAX_TUPLES)
}

fn tuples_kept(tree: &Tree, max: usize) -> Vec<Finding> {
    let tuples: Vec<Finding> = sources(tree)
        .flat_map(|(_, source)| {
            let lines = source.untested_code.lines().enumerate().filter(|(_, line)| has_tuple(line));
            lines.map(|(idx, _)| Finding {
                path: source.path.clone(),
                line: idx + 1,
                what: "give the function a parameter for each, or a type for what belongs together"
                    .to_owned(),
            })
        })
        .collect();
    match tuples.len().cmp(&max) {
        std::cmp::Ordering::Equal => Vec::new(),
        std::cmp::Ordering::Less => {
            let what = format!("{} parameters are tuples: lower the number {max}", tuples.len());
            vec![Finding { path: THIS_FILE.to_owned(), line: 1, what }]
        }
        std::cmp::Ordering::Greater => tuples,
    }
}

/// Whether a line in the form of rustfmt has a parameter such as `(name, rows): (&str, Rows)` among others.
fn has_tuple(line: &str) -> bool {
    let trimmed = line.trim();
    let is_own_line = trimmed.starts_with('(') && trimmed.ends_with("),");
    let Some((before, _)) = trimmed.split_once("): (") else { return false };
    let starts =
        before.rsplit_once('(').is_some_and(|(_, names)| names.contains(", ") && !names.contains(':'));
    starts && (is_own_line || line.contains("fn ") && line.matches(": ").count() > 1)
}

/// Finds types whose methods are in too many files.
pub(super) fn check_methods(tree: &Tree) -> Vec<Finding> {
    methods_kept(tree, SCATTERED)
}

fn methods_kept(tree: &Tree, scattered: &[(&str, usize)]) -> Vec<Finding> {
    let mut files: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for (crate_name, source) in sources(tree) {
        for name in source.untested_code.lines().filter_map(type_of_methods) {
            files.entry((crate_name, name)).or_default().insert(&source.path);
        }
    }
    let findings = files.into_iter().filter_map(|((_, name), paths)| {
        let n_allowed = scattered.iter().find(|(of, _)| *of == name).map_or(3, |(_, n_files)| *n_files);
        let n_files = paths.len();
        (n_files > n_allowed).then(|| Finding {
            path: paths.into_iter().next().unwrap_or_default().to_owned(),
            line: 1,
            what: format!("methods of `{name}` stand in {n_files} files, allowed are {n_allowed}"),
        })
    });
    findings.collect()
}

/// The type whose methods begin with this line, such as `impl<R: Read> Reader<R> {`; `None` for other lines.
fn type_of_methods(line: &str) -> Option<&str> {
    let after = line.strip_prefix("impl")?.trim_end_matches(['{', ' ']);
    if after.contains(" for ") {
        return None;
    }
    let name = match after.strip_prefix('<') {
        Some(generics) => generics.rsplit_once("> ")?.1,
        None => after.trim_start(),
    };
    name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())
}

/// The name of the type that a line at the top level of a module defines; `None` for other lines.
fn type_name(line: &str) -> Option<&str> {
    let mut words = line.split(|byte: char| !(byte.is_ascii_alphanumeric() || "_()".contains(byte)));
    let mut word = words.next()?;
    if word.starts_with("pub") {
        word = words.next()?;
    }
    ["struct", "enum", "trait", "type"].contains(&word).then(|| words.next()).flatten()
}

/// The files of the crates that are not generated, each with the name of its crate.
fn sources(tree: &Tree) -> impl Iterator<Item = (&str, &Source)> {
    tree.ending_in(".rs").filter_map(|source| {
        let (name, _) = source.path.strip_prefix("crates/")?.split_once("/src/")?;
        Some((name, source))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_found() {
        let code = "fn a((b, c): (B, C), d: D) {}\nfn e(\n    (f, g): (F, G),\n) {}\nfn h((i, j): (I, J)) {}\n\
                    let (k, l): (K, L) = m;\nfn n(o: O, p: (P, Q)) {}\n";
        let tree = Tree::from_texts(&[("crates/x/src/lib.rs", code)]);
        assert!(tuples_kept(&tree, 2).is_empty());
        let lines: Vec<usize> = tuples_kept(&tree, 0).into_iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [1, 3]);
        assert!(tuples_kept(&tree, 3)[0].what.contains("lower the number"));
    }

    #[test]
    fn methods_are_in_few_files() {
        let code = "impl<R: Into<u8>> Part<R> {\n}\nimpl Clone for Part<u8> {\n}\n";
        let paths = ["a", "b", "c", "d"].map(|name| format!("crates/x/src/{name}.rs"));
        let texts: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), code)).collect();
        assert!(methods_kept(&Tree::from_texts(&texts[..3]), &[]).is_empty());
        assert!(
            methods_kept(&Tree::from_texts(&texts), &[])[0].what.contains("methods of `Part` stand in 4")
        );
        assert!(methods_kept(&Tree::from_texts(&texts), &[("Part", 4)]).is_empty());
    }

    #[test]
    fn names_are_counted() {
        let one = "pub struct Part;\npub(crate) enum Part2 {}\n    struct Inner;\ntype Item = u8;\n";
        let two = "struct Part<T>(T);\ntype Item = u8;\n// struct Part2\nfn f() {}\nstruct Inner;\n";
        let tree = Tree::from_texts(&[("crates/x/src/a.rs", one), ("crates/y/src/b.rs", two)]);
        assert!(names_kept(&tree, 1).is_empty());
        assert!(names_kept(&tree, 0)[0].what.contains("1 types share"));
        assert!(names_kept(&tree, 2)[0].what.contains("lower the number"));
    }
}
