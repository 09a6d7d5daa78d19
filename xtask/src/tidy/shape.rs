//! Checks the lengths and names of files and folders, and how lines end.

use std::collections::BTreeMap;

use crate::tidy::Finding;
use crate::tidy::source::Tree;

const MAX_LINES: usize = 600;

/// Files that may exceed the maximal length, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// A file and the only file in its folder must be one file if they do not have more than this number of lines together.
const MAX_FOLDED_LINES: usize = 300;

const NO_NAMES: [&str; 3] = ["mod.rs", "utils.rs", "common.rs"];

/// Finds Rust files that are longer than the limit.
pub(super) fn check_lengths(tree: &Tree) -> Vec<Finding> {
    let excused = |path: &str| LONG_FILES.iter().any(|(long, _)| *long == path);
    let long = tree.ending_in(".rs").filter_map(|source| {
        let n_lines = source.text.lines().count();
        let what = format!("{n_lines} lines, allowed are {MAX_LINES}: split it, a file is one idea");
        (n_lines > MAX_LINES && !excused(&source.path)).then(|| Finding {
            path: source.path.clone(),
            line: MAX_LINES + 1,
            what,
        })
    });
    long.collect()
}

/// Finds files whose names have no meaning, such as `utils.rs`.
pub(super) fn check_names(tree: &Tree) -> Vec<Finding> {
    let named = tree.ending_in(".rs").filter(|source| {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        NO_NAMES.contains(&name)
    });
    let what = "name it after its idea; `foo.rs` beside `foo/`, not `foo/mod.rs`";
    named.map(|source| Finding { path: source.path.clone(), line: 1, what: what.to_owned() }).collect()
}

/// Finds folders beside a file that contain only one file, unless both files together would be too long. Tests may have
/// one file.
pub(super) fn check_folders(tree: &Tree) -> Vec<Finding> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in tree.paths.iter().filter(|path| path.ends_with(".rs")) {
        for (at, _) in path.match_indices('/') {
            folders.entry(&path[..at]).or_default().push(path);
        }
    }
    let n_lines = |path: &str| tree.text(path).map(|source| source.text.lines().count());
    let mut findings = Vec::new();
    for (folder, paths) in folders {
        let [path] = paths[..] else { continue };
        let Some((outer, inner)) = n_lines(&format!("{folder}.rs")).zip(n_lines(path)) else { continue };
        if !path.ends_with("/tests.rs") && outer + inner <= MAX_FOLDED_LINES {
            let what = format!("move it into {folder}.rs, or beside it: it is alone in its folder");
            findings.push(Finding { path: path.to_owned(), line: 1, what });
        }
    }
    findings
}

/// Finds lines that end in spaces or tabs, and files that do not end in exactly one line break.
pub(super) fn check_whitespace(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.texts {
        let mut add = |line, what: &str| {
            findings.push(Finding { path: source.path.clone(), line, what: what.to_owned() });
        };
        for (idx, line) in source.text.split('\n').enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                add(idx + 1, "remove the whitespace at the end of the line");
            }
        }
        if !source.text.is_empty() && (!source.text.ends_with('\n') || source.text.ends_with("\n\n")) {
            add(source.text.lines().count(), "end the file with one line break");
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn long_files_are_found() {
        let (longest, longer) = ("\n".repeat(MAX_LINES), "\n".repeat(MAX_LINES + 1));
        let files = [("a.rs", longest.as_str()), ("b.rs", &longer), ("c.md", &longer)];
        assert_eq!(places(check_lengths, &files), ["b.rs:601"]);
    }

    #[test]
    fn names_are_found() {
        let files = [("a/mod.rs", ""), ("b/utils.rs", ""), ("c/modern.rs", ""), ("mod.md", "")];
        assert_eq!(places(check_names, &files), ["a/mod.rs:1", "b/utils.rs:1"]);
    }

    #[test]
    fn folders_of_one_file_are_found() {
        let lines = |n: usize| "\n".repeat(n);
        let long = lines(MAX_FOLDED_LINES);
        let files = [
            ("src/a.rs", ""),
            ("src/a/b.rs", ""),
            ("src/c.rs", ""),
            ("src/c/d.rs", ""),
            ("src/c/e.rs", ""),
            ("src/f.rs", ""),
            ("src/f/tests.rs", ""),
            ("src/g.rs", long.as_str()),
            ("src/g/h.rs", "\n"),
            ("src/bin/i.rs", ""),
        ];
        assert_eq!(places(check_folders, &files), ["src/a/b.rs:1"]);
    }

    #[test]
    fn whitespace_is_found() {
        let files =
            [("a.md", "x \ny\t\nz\n"), ("b.md", "x"), ("c.md", "x\n\n"), ("d.md", "x\r\n"), ("e.md", "")];
        assert_eq!(places(check_whitespace, &files), ["a.md:1", "a.md:2", "b.md:1", "c.md:2", "d.md:1"]);
    }
}
