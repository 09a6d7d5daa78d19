//! Code that is not finished, tests that do not test, and names that are not listed.

use crate::tidy::Finding;
use crate::tidy::source::{Tree, is_name_byte};

const BANNED: [(&str, &str); 4] = [
    ("todo!", "write it, or return an error that names what is missing"),
    ("unimplemented!", "write it, or return an error that names what is missing"),
    ("#[ignore", "delete the test, or assert what happens today"),
    ("#[should_panic", "assert the error; panics are for our own bugs"),
];

/// Words that must not be in code.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs") {
        for (word, advice) in BANNED {
            for (position, _) in source.code.match_indices(word) {
                let before = source.code.as_bytes()[..position].last().copied();
                if before.is_some_and(is_name_byte) {
                    continue;
                }
                let what = format!("no `{word}`: {advice}", word = word.trim_start_matches("#["));
                findings.push(Finding { path: source.path.clone(), line: source.line_at(position), what });
            }
        }
    }
    findings
}

/// What a crate or module offers is a list: no `pub use` takes everything.
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
    use crate::tidy::tests::places;

    #[test]
    fn banned_words_are_found() {
        let text = "fn a() {\n todo!()\n}\n// todo!\nlet b = \"todo!\";\nnot_todo!();\n#[test]\n#[ignore = \"slow\"]\n";
        assert_eq!(places(check, &[("a.rs", text), ("a.md", text)]), ["a.rs:2", "a.rs:8"]);
    }

    #[test]
    fn globs_are_found() {
        let text = "use a::*;\npub use b::{c, d};\npub use e::*;\npub(crate) use f::{\n g::*, h};\n// pub use i::*;\n";
        assert_eq!(places(check_globs, &[("a.rs", text)]), ["a.rs:3", "a.rs:4"]);
    }
}
