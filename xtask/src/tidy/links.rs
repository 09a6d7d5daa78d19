//! Links between documents lead somewhere.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree};

/// Every relative link of a Markdown file names a file or a folder of the repository.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.ending_in(".md").flat_map(|source| dead_links(tree, source)).collect()
}

fn dead_links(tree: &Tree, source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut in_fence = false;
    for (idx, line) in source.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        }
        if in_fence {
            continue;
        }
        for target in targets(line).filter(|target| is_relative(target)) {
            let file = target.split('#').next().unwrap_or_default();
            let is_alive = resolve(&source.path, file).is_some_and(|path| exists(tree, &path));
            if !is_alive {
                let what = format!("the link to `{target}` leads nowhere");
                findings.push(Finding { path: source.path.clone(), line: idx + 1, what });
            }
        }
    }
    findings
}

/// What follows `](`, and what is in definitions `[name]: target`, code in backticks left out.
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

/// The path, from the root of the repository, that a link in a file means; none if it leaves the repository.
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
    use crate::tidy::tests::places;

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
            assert_eq!(places(check, &files).len(), n_dead, "{text}");
        }
    }
}
