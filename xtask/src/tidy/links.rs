//! Checks that the targets of links between documents exist, that brackets are closed, and that the files that documents name exist.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// Checks that each relative link of a Markdown file leads to a file or a folder of the repository.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.ending_in(".md").flat_map(|source| dead_links(tree, source)).collect()
}

/// Documents in which names of files are historical or invented.
const NOT_HERE: [&str; 3] = ["docs/STYLE.md", "docs/decisions/", "testing/corpus/"];

/// Checks that each Rust file or folder in backticks exists, as a whole path or as the end of a path.
pub(super) fn check_names(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".md") {
        if NOT_HERE.iter().any(|prefix| source.path.starts_with(prefix)) {
            continue;
        }
        for (line, text) in prose(source) {
            for name in text.split('`').skip(1).step_by(2).filter(|name| is_file_or_folder(name)) {
                let end = format!("/{name}");
                let is_it = |path: &String| {
                    if name.ends_with('/') {
                        format!("/{path}").contains(&end)
                    } else {
                        path == name || path.ends_with(&end)
                    }
                };
                if !tree.paths.iter().any(is_it) {
                    let what = format!("there is no `{name}`");
                    findings.push(Finding { path: source.path.clone(), line, what });
                }
            }
        }
    }
    findings
}

/// How lines begin that do not continue a paragraph.
const BLOCKS: [&str; 5] = ["|", "#", "- ", "* ", "```"];

/// Checks that each bracket in prose is closed in its paragraph: otherwise a part of a sentence or of a link is missing.
pub(super) fn check_brackets(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".md") {
        let mut paragraph = (0, String::new());
        let lines = prose(source).chain([(usize::MAX, "")]);
        for (line, text) in lines {
            let start = text.trim_start();
            if start.is_empty() || BLOCKS.iter().any(|first| start.starts_with(first)) {
                let (line, text) = std::mem::replace(&mut paragraph, (line, String::new()));
                if !is_balanced(&text) {
                    let what = "a bracket is not closed, or not opened".to_owned();
                    findings.push(Finding { path: source.path.clone(), line, what });
                }
            }
            paragraph.1.push_str(text);
            paragraph.1.push(' ');
        }
    }
    findings
}

/// Whether brackets outside of code are closed in the order in which they are opened.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let are_closed = text.split('`').step_by(2).flat_map(str::chars).all(|char| match char {
        '(' | '[' => {
            open.push(char);
            true
        }
        ')' => open.pop() == Some('('),
        ']' => open.pop() == Some('['),
        _ => true,
    });
    are_closed && open.is_empty()
}

fn is_file_or_folder(name: &str) -> bool {
    let is_path = name.bytes().all(|byte| is_name_byte(byte) || b"./-".contains(&byte));
    is_path && (name.ends_with(".rs") || name.ends_with('/') && name.len() > 1)
}

/// The lines outside of code blocks, counted from 1.
fn prose(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let mut in_fence = false;
    source.text.lines().enumerate().filter_map(move |(idx, line)| {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        }
        (!in_fence).then_some((idx + 1, line))
    })
}

fn dead_links(tree: &Tree, source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in prose(source) {
        for target in targets(line).filter(|target| is_relative(target)) {
            let file = target.split('#').next().unwrap_or_default();
            let is_alive = resolve(&source.path, file).is_some_and(|path| exists(tree, &path));
            if !is_alive {
                let what = format!("the link to `{target}` leads nowhere");
                findings.push(Finding { path: source.path.clone(), line: number, what });
            }
        }
    }
    findings
}

/// The targets of the links in a line: text after `](`, and in definitions `[name]: target`. Code in backticks is
/// ignored.
fn targets(line: &str) -> impl Iterator<Item = String> + use<> {
    let prose: String = line.split('`').step_by(2).collect();
    let inline =
        prose.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()).map(str::to_owned);
    let definition = prose.starts_with('[').then(|| prose.split_once("]: ")).flatten();
    let definition = definition.and_then(|(_, rest)| rest.split_whitespace().next()).map(str::to_owned);
    inline.chain(definition).collect::<Vec<_>>().into_iter()
}

fn is_relative(target: &str) -> bool {
    !target.is_empty()
        && !target.starts_with('#')
        && !target.contains("://")
        && !target.starts_with("mailto:")
}

/// The path of the target of a link, from the root of the repository; `None` if it is outside of the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn exists(tree: &Tree, path: &str) -> bool {
    let folder = format!("{path}/");
    path.is_empty() || tree.paths.iter().any(|known| known == path || known.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    #[test]
    fn dead_links_are_found() {
        let cases = [
            ("[a](STYLE.md) and [b](../README.md#top)", 0),
            ("[folder](decisions/) [root](..)", 0),
            ("[web](https://example.org/x.md) [here](#words)", 0),
            ("[gone](GONE.md) [too](../../README.md)", 2),
            ("[named]: GONE.md", 1),
            ("`[code](GONE.md)`", 0),
            ("```\n[code](GONE.md)\n```", 0),
        ];
        for (text, n_dead) in cases {
            let files =
                [("docs/A.md", text), ("docs/STYLE.md", ""), ("README.md", ""), ("docs/decisions/1.md", "")];
            assert_eq!(locations(check, &files).len(), n_dead, "{text}");
        }
    }

    #[test]
    fn brackets_that_are_not_closed_are_found() {
        let cases = [
            ("a ([b](c.md#d), e)\n\n- f (g\n  h)\n\n`(` and `[0`", 0),
            ("a `b`.md#c)).", 1),
            ("| a ([b](c) |\n| d (e) |", 1),
            ("(a\n\nb)", 2),
            ("[a (b])", 1),
            ("```\n(\n```", 0),
        ];
        for (text, n_findings) in cases {
            assert_eq!(locations(check_brackets, &[("docs/A.md", text)]).len(), n_findings, "{text}");
        }
    }

    #[test]
    fn files_that_do_not_exist_are_found() {
        let cases = [
            ("`a.rs`, `src/a.rs`, `crates/x/src/a.rs`, `src/b/` and `a_b`", 0),
            ("`c.rs` and `rc/a.rs` and `d/`", 3),
            ("c.rs, `c.rs and a.rs`, `*.rs`, `a.md`", 0),
            ("```\n`c.rs`\n```", 0),
        ];
        for (text, n_dead) in cases {
            let files = [("docs/A.md", text), ("crates/x/src/a.rs", ""), ("crates/x/src/b/c_d.rs", "")];
            assert_eq!(locations(check_names, &files).len(), n_dead, "{text}");
            assert!(locations(check_names, &[("docs/decisions/1.md", text)]).is_empty(), "{text}");
        }
    }
}
