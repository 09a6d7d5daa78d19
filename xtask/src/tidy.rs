//! The rules of the project that the compiler does not check. See `docs/STYLE.md`.

mod banned;
mod circles;
mod defaults;
mod dispatch;
mod edges;
mod house;
mod items;
mod links;
mod rooms;
mod saturating;
mod shape;
mod source;
mod unsafe_code;
mod words;

use std::fmt;

use crate::failure::{Failure, Outcome};
use crate::tidy::source::Tree;

/// A rule: its name in the output, and the function that finds violations.
struct Rule {
    name: &'static str,
    check: fn(&Tree) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "file length", check: shape::check_lengths },
    Rule { name: "file names", check: shape::check_names },
    Rule { name: "folders of one file", check: shape::check_folders },
    Rule { name: "types that share a name", check: house::check_names },
    Rule { name: "parameters in tuples", check: house::check_tuples },
    Rule { name: "methods in few files", check: house::check_methods },
    Rule { name: "trailing whitespace", check: shape::check_whitespace },
    Rule { name: "unfinished code and silenced tests", check: banned::check },
    Rule { name: "public names are listed", check: banned::check_globs },
    Rule { name: "names of constructors", check: banned::check_constructors },
    Rule { name: "defaults where values are copied", check: defaults::check },
    Rule { name: "unsafe inventory", check: unsafe_code::check_inventory },
    Rule { name: "unsafe forbidden elsewhere", check: unsafe_code::check_roots },
    Rule { name: "dispatch on types", check: dispatch::check },
    Rule { name: "edges between crates", check: edges::check_edges },
    Rule { name: "circles of rooms", check: rooms::check },
    Rule { name: "circles of files", check: circles::check },
    Rule { name: "saturating arithmetic", check: saturating::check },
    Rule { name: "reasons for dependencies", check: edges::check_reasons },
    Rule { name: "links", check: links::check },
    Rule { name: "files that documents name", check: links::check_names },
    Rule { name: "items that documents name", check: items::check },
    Rule { name: "plain words", check: words::check },
];

/// A violation of a rule: where it is, and what to do about it.
#[derive(Debug)]
struct Finding {
    path: String,
    /// The line, counted from 1.
    line: usize,
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// `cargo xtask tidy`
pub(crate) fn run(args: &[String]) -> Outcome {
    if !args.is_empty() {
        return Err(Failure::usage("tidy takes no arguments"));
    }
    let tree = Tree::load(&crate::root())?;
    let lines = RULES.iter().flat_map(|rule| {
        let findings = (rule.check)(&tree);
        findings.into_iter().map(|finding| format!("{finding} [{}]", rule.name))
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        println!("{} files are tidy.", tree.paths.len());
        return Ok(());
    }
    Err(Failure { status: 1, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings of one rule in a tree of invented files, without their explanations.
    pub(super) fn places(check: fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
        let findings = check(&Tree::from_texts(files));
        findings.iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect()
    }
}
