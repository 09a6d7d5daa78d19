//! The rules of `docs/STYLE.md` that no compiler, cargo or clippy can check.

mod banned;
mod dependencies;
mod items;
mod links;
mod modules;
mod names;
mod source;
mod unsafe_code;
mod words;

use std::fmt;

use crate::codegen;
use crate::failure::{Failure, Outcome};
use crate::tidy::source::Tree;

/// A rule: its name in the output, and the function that finds violations.
struct Rule {
    name: &'static str,
    check: fn(&Tree) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "unsafe inventory", check: unsafe_code::check },
    Rule { name: "reasons for dependencies", check: dependencies::check },
    Rule { name: "circles of modules", check: modules::check },
    Rule { name: "public names are listed", check: banned::check_globs },
    Rule { name: "public names", check: names::check },
    Rule { name: "words of names", check: words::check },
    Rule { name: "one name, one type", check: words::check_exports },
    Rule { name: "silenced tests", check: banned::check_silenced_tests },
    Rule { name: "paths of machines", check: banned::check_machine_paths },
    Rule { name: "links", check: links::check },
    Rule { name: "brackets of documents", check: links::check_brackets },
    Rule { name: "files that documents name", check: links::check_names },
    Rule { name: "items that documents name", check: items::check },
    Rule { name: "code of the guide", check: items::check_guide },
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
    let root = crate::root();
    let tree = Tree::load(&root)?;
    match args {
        [] => {}
        [option] if option == "--record-words" => return words::record(&tree, &root),
        _ => return Err(Failure::usage("tidy takes no arguments but --record-words")),
    }
    let lines = RULES.iter().flat_map(|rule| {
        let findings = (rule.check)(&tree);
        findings.into_iter().map(|finding| format!("{finding} [{}]", rule.name))
    });
    let mut lines: Vec<String> = lines.collect();
    if let Err(stale) = codegen::check_stamps(&root) {
        lines.extend(stale.lines.iter().map(|line| format!("{line} [generated code is fresh]")));
    }
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
    pub(super) fn locations(check: fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
        let findings = check(&Tree::from_texts(files));
        findings.iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect()
    }
}
