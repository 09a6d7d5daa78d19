//! Finds unfinished code, tests that do not test, globs in lists of names, and constructors whose names do not say that
//! they can fail.

use crate::codegen::BINDINGS;
use crate::tidy::Finding;
use crate::tidy::source::{Tree, is_name_byte};

const BANNED: [(&str, &str); 4] = [
    ("todo!", "write it, or return an error that names what is missing"),
    ("unimplemented!", "write it, or return an error that names what is missing"),
    ("#[ignore", "delete the test, or assert what happens today"),
    ("#[should_panic", "assert the error; panics are for our own bugs"),
];

/// Finds words that must not be in code.
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

/// Finds public constructors that can fail, but are not called `try_new`, `try_with_…` or `try_from_…`.
pub(super) fn check_constructors(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs").filter(|source| source.path != BINDINGS) {
        for (start, _) in
            source.code.match_indices("pub fn ").chain(source.code.match_indices("pub const fn "))
        {
            let signature = source.code[start..].split(['{', ';']).next().unwrap_or_default();
            let signature = signature.split("where").next().unwrap_or_default();
            let (_, signature) = signature.split_once("fn ").unwrap_or_default();
            let name =
                signature.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            let is_constructor =
                ["new", "with", "from"].contains(&name.split('_').next().unwrap_or_default());
            let (arguments, result) = signature.rsplit_once(") ->").unwrap_or((signature, ""));
            if is_constructor && !arguments.contains("self") && result.contains("Result") {
                let what =
                    format!("a constructor that can fail is called `try_{name}` (docs/STYLE.md, rule 15)");
                findings.push(Finding { path: source.path.clone(), line: source.line_at(start), what });
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

    #[test]
    fn constructors_that_can_fail_are_found() {
        let cases = [
            ("pub fn new(n: u8) -> Result<A> {", true),
            ("pub const fn with_options<R>(\n n: u8,\n) -> io::Result<A> {", true),
            ("pub fn from_parts(f: impl Fn(u8) -> u8) -> Result<A> {", true),
            ("pub fn try_new(n: u8) -> Result<A> {", false),
            ("pub fn new(n: u8) -> Option<A> {", false),
            ("pub fn new(f: impl Fn(u8) -> Result<A>) -> A {", false),
            ("pub fn new<F>(f: F) -> A where F: Fn() -> Result<A> {", false),
            ("pub fn with_nulls<A, B>(&mut self) -> Result<A> {", false),
            ("pub fn newest(n: u8) -> Result<A> {", false),
            ("// pub fn new() -> Result<A> {", false),
        ];
        for (code, is_found) in cases {
            let code = format!("{code}\n}}\n");
            assert_eq!(!places(check_constructors, &[("a.rs", &code)]).is_empty(), is_found, "{code}");
        }
    }
}
