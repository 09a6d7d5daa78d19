//! Finds tests that do not test, globs in lists of public names, and paths of one machine.

use crate::failure::SKIPPED;
use crate::tidy::Finding;
use crate::tidy::source::{Tree, is_name_byte};

/// Attributes of tests that must not be there, and what to do instead.
const SILENCERS: [(&str, &str); 2] = [
    ("#[ignore", "delete the test, or assert what happens today"),
    ("#[should_panic", "assert the error; panics are for our own bugs"),
];

/// Folders at the root of a file system in which the files of one person are.
const FOLDERS_OF_PERSONS: [&str; 3] = ["home", "root", "Users"];

/// Finds tests that are ignored, or that expect a panic, and scripts that have skipped everything and succeed.
pub(super) fn check_silenced_tests(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs") {
        for (attribute, advice) in SILENCERS {
            for (position, _) in source.code.match_indices(attribute) {
                let what = format!("no `{}`: {advice}", attribute.trim_start_matches("#["));
                findings.push(Finding { path: source.path.clone(), line: source.line_at(position), what });
            }
        }
    }
    for source in tree.ending_in(".sh") {
        let lines = source.text.lines().zip(source.text.lines().skip(1)).enumerate();
        for (idx, _) in lines.filter(|(_, (line, next))| line.contains("SKIPPED") && next.trim() == "exit 0")
        {
            let what = format!("a script that has done nothing ends with status {SKIPPED}");
            findings.push(Finding { path: source.path.clone(), line: idx + 2, what });
        }
    }
    findings
}

/// Finds absolute paths of a machine in any text. Folders with such a name inside of a path are fine.
pub(super) fn check_machine_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.texts {
        for folder in FOLDERS_OF_PERSONS.map(|name| format!("/{name}/")) {
            for (position, _) in source.text.match_indices(&folder) {
                let before = source.text.as_bytes()[..position].last().copied();
                if before.is_some_and(|byte| is_name_byte(byte) || b".-/*}".contains(&byte)) {
                    continue;
                }
                let what = format!("`{folder}` is a folder of one machine: write a relative path");
                findings.push(Finding { path: source.path.clone(), line: source.line_at(position), what });
            }
        }
    }
    findings
}

/// Finds globs in the public names of a crate or module: they must be explicit lists, without a `pub use` of everything.
pub(super) fn check_globs(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs") {
        let code = &source.code;
        for (position, _) in code.match_indices("pub use ").chain(code.match_indices("pub(crate) use ")) {
            let end = code[position..].find(';').map_or(code.len(), |length| position + length);
            if code[position..end].contains("::*") {
                let what = "list the names, one by one, instead of `*`".to_owned();
                findings.push(Finding { path: source.path.clone(), line: source.line_at(position), what });
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    #[test]
    fn silenced_tests_are_found() {
        let text =
            "#[test]\n#[should_panic]\n// #[ignore]\nlet b = \"#[ignore]\";\n#[test]\n#[ignore = \"slow\"]\n";
        assert_eq!(locations(check_silenced_tests, &[("a.rs", text), ("a.md", text)]), ["a.rs:6", "a.rs:2"]);
        let script =
            |status| format!("if a; then\n    echo \"SKIPPED: no a\"\n    exit {status}\nfi\nexit 0\n");
        let scripts = [("a.sh", &*script(0)), ("b.sh", &script(77))];
        assert_eq!(locations(check_silenced_tests, &scripts), ["a.sh:3"]);
    }

    #[test]
    fn machine_paths_are_found() {
        let [home, root, _] = FOLDERS_OF_PERSONS;
        let text = format!("open(\"/{home}/me/x\")\na/{home}/b\n/{root}/x\nhttps://x.org/{home}/\n");
        assert_eq!(locations(check_machine_paths, &[("a.md", &text)]), ["a.md:1", "a.md:3"]);
    }

    #[test]
    fn globs_are_found() {
        let text = "use a::*;\npub use b::{c, d};\npub use e::*;\npub(crate) use f::{\n g::*, h};\n// pub use i::*;\n";
        assert_eq!(locations(check_globs, &[("a.rs", text)]), ["a.rs:3", "a.rs:4"]);
    }
}
