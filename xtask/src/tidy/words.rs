//! Phrases that `docs/STYLE.md` bans, as far as a machine can find them.

use crate::tidy::Finding;
use crate::tidy::source::Tree;

/// Banned phrases, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("behind", "after, past the end, beyond"),
    ("of old", "legacy, earlier"),
    ("none does", "the negated sentence"),
    ("lets itself", "can be"),
    ("takes place", "happens"),
    ("take place", "happen"),
    ("nobody's business", "must not leak"),
    ("below zero", "negative"),
    ("there twice", "repeated"),
    ("shall", "must, should"),
    ("anew", "again"),
    ("can say", "can hold"),
    ("whoever", "the caller, the reader"),
];

/// Files that may contain the phrases: they list them, were written by others or by a generator, or have a checksum in
/// generated files.
const EXCUSED: &[&str] = &[
    "docs/STYLE.md",
    "xtask/src/tidy/words.rs",
    "format/",
    "crates/arrow-ipc-format/src/generated.rs",
    "testing/corpus/",
    "testing/peers/src/golden_cases/",
    "xtask/codegen/",
];

/// Finds banned phrases in prose and names.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in(".rs").chain(tree.ending_in(".md")) {
        if EXCUSED.iter().any(|excused| source.path.starts_with(excused)) {
            continue;
        }
        for (idx, line) in source.text.lines().enumerate() {
            let line = line.to_ascii_lowercase();
            for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| has_words(&line, phrase)) {
                let what = format!("instead of \"{phrase}\" write: {instead}");
                findings.push(Finding { path: source.path.clone(), line: idx + 1, what });
            }
        }
    }
    findings
}

/// Whether a line contains the phrase as whole words. Names in snake case also consist of words.
fn has_words(line: &str, phrase: &str) -> bool {
    let is_letter = |char: char| char.is_ascii_alphanumeric();
    line.replace('_', " ").match_indices(phrase).any(|(start, found)| {
        let (before, after) = (&line[..start], &line[start + found.len()..]);
        !before.ends_with(is_letter) && !after.starts_with(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn phrases_are_found() {
        let files = [
            ("a.rs", "// What stands behind it.\nfn bytes_behind_it() {}\n// Marshalling.\n"),
            ("b.md", "Behind an error\nthe framing of older versions\nthe framing of old\n"),
            ("docs/STYLE.md", "no \"behind\"\n"),
            ("c.toml", "# behind\n"),
        ];
        assert_eq!(places(check, &files), ["a.rs:1", "a.rs:2", "b.md:1", "b.md:3"]);
    }
}
