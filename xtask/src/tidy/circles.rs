//! Counts sets of files in a crate that cannot be read one after the other, since each file needs items of the others.

use std::collections::BTreeMap;

use crate::tidy::Finding;
use crate::tidy::rooms::{Edges, Module, circles, expand};
use crate::tidy::source::{Tree, is_name_byte};

/// The crates with circular dependencies between files, and the number of circles. The numbers may only decrease.
const CIRCLES: &[(&str, usize)] = &[("arrow-buffer", 1), ("arrow-schema", 1)];

/// The paths of the modules of a crate. For each module, the items of other modules that it exports, by name.
type Exports<'a> = BTreeMap<&'a [&'a str], BTreeMap<&'a str, Vec<&'a str>>>;

/// Finds crates with more or fewer circles than are listed.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    circles_kept(tree, CIRCLES)
}

fn circles_kept(tree: &Tree, listed: &[(&str, usize)]) -> Vec<Finding> {
    let crates = Module::of_crates(tree);
    let differs = crates.iter().filter_map(|(name, modules)| {
        let found = circles(&edges(modules));
        let n_listed = listed.iter().find(|(of, _)| of == name).map_or(0, |(_, n_listed)| *n_listed);
        let what = match found.len().cmp(&n_listed) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Less => "lower the number",
            std::cmp::Ordering::Greater => "move what both use to a file of its own",
        };
        let files: Vec<String> = found.iter().map(|circle| circle.join(", ")).collect();
        let (n_found, files) = (found.len(), files.join("; "));
        let what = format!("{what}: `{name}` has {n_found} circles of files, not {n_listed}. {files}");
        Some(Finding { path: "xtask/src/tidy/circles.rs".to_owned(), line: 1, what })
    });
    differs.collect()
}

/// The dependencies between files. An item counts as part of the file that defines it, and not of a file that exports it
/// again.
fn edges<'a>(modules: &'a [Module<'a>]) -> Edges<'a> {
    let exports: Exports<'_> =
        modules.iter().map(|module| (module.path.as_slice(), exported(module))).collect();
    let by_path: BTreeMap<&[&str], &Module<'_>> =
        modules.iter().map(|module| (module.path.as_slice(), module)).collect();
    let mut edges = Edges::new();
    for module in modules.iter().filter(|module| !module.path.is_empty()) {
        let own = &exports[module.path.as_slice()];
        let is_used =
            |path: &Vec<&str>| own.values().all(|export| export != path) || is_repeated(path, module);
        for (path, at) in module.named.iter().filter(|(path, _)| is_used(path)) {
            let target = defined(path, &exports).and_then(|path| by_path.get(path.as_slice()));
            let Some(target) = target.filter(|to| !to.path.is_empty() && to.path != module.path) else {
                continue;
            };
            let targets = edges.entry(&module.source.path).or_default();
            targets.entry(&target.source.path).or_insert((module.source, *at));
        }
    }
    edges
}

/// Whether a file contains the last name of a path more than once: then it exports the item, and also uses it.
fn is_repeated(path: &[&str], module: &Module<'_>) -> bool {
    let name = path.last().copied().unwrap_or_default();
    let words = module.source.untested_code.split(|char: char| !char.is_ascii() || !is_name_byte(char as u8));
    words.filter(|word| *word == name).count() > 1
}

/// The module that defines the item at a path.
fn defined<'a>(path: &[&'a str], exports: &Exports<'a>) -> Option<Vec<&'a str>> {
    let mut path = path.to_vec();
    for _ in 0..8 {
        let n_names = (0..=path.len()).rev().find(|n_names| exports.contains_key(&path[..*n_names]))?;
        let next = path.get(n_names).and_then(|name| exports[&path[..n_names]].get(name));
        match next {
            Some(next) => path = next.iter().chain(&path[n_names + 1..]).copied().collect(),
            None => {
                path.truncate(n_names);
                return Some(path);
            }
        }
    }
    None
}

/// The names that lines such as `pub(crate) use self::map::Map;` export, and their paths.
fn exported<'a>(module: &Module<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let code: &str = &module.source.untested_code;
    let mut found = Vec::new();
    for (at, _) in code.match_indices("\npub") {
        let line = &code[at + 1..];
        let Some(start) = line.find("use ").filter(|start| *start < 12) else { continue };
        let start = at + 1 + start + "use ".len();
        let is_root = code[start..].starts_with("crate::");
        let (start, path) = if is_root { (start + 7, Vec::new()) } else { (start, module.path.clone()) };
        expand(code, start, path, &mut found);
    }
    found.into_iter().filter_map(|(path, _)| Some((*path.last()?, path))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_need_each_other_are_circles() {
        let exporting = "mod b;\npub(crate) use self::b::B;\n";
        let cases = [
            ("use crate::a::B;", "", 0),
            ("use crate::a::B;", "use super::super::c::C;", 1),
            ("use crate::a::b;", "use crate::c::{C, D};", 1),
            ("fn f() { crate::a::B::g() }", "use crate::a::A;", 0),
            ("use crate::a::A;", "use crate::c::C;", 0),
        ];
        for (in_c, in_b, wanted) in cases {
            let files = [
                ("crates/x/src/lib.rs", "mod a; mod c; pub use crate::c::C;"),
                ("crates/x/src/a.rs", exporting),
                ("crates/x/src/a/b.rs", in_b),
                ("crates/x/src/c.rs", in_c),
            ];
            let tree = Tree::from_texts(&files);
            assert!(circles_kept(&tree, &[("x", wanted)]).is_empty(), "{in_c} {in_b}");
            assert_eq!(circles_kept(&tree, &[("x", wanted + 1)]).len(), 1, "{in_c} {in_b}");
        }
        let files =
            [("crates/x/src/a.rs", "mod b;\nuse self::b::B;\n"), ("crates/x/src/a/b.rs", "use super::A;")];
        assert!(circles_kept(&Tree::from_texts(&files), &[("x", 1)]).is_empty());
    }
}
