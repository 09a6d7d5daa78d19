//! Checks the words of names: rule 15 of `docs/STYLE.md`. The table `words.tsv` beside this file has the words that are not terms of
//! the trade, and how many names still have each. A number may fall, and never rises.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// A word, the number of names that may have it, and what to say instead. The first line has the names of the columns.
const TABLE: &str = include_str!("words.tsv");
const TABLE_PATH: &str = "xtask/src/tidy/words.tsv";

/// Names that several crates export, each for its own.
const OWN_IN_EACH_CRATE: [&str; 1] = ["Result"];

struct Word<'a> {
    word: &'a str,
    n_allowed: usize,
    instead: &'a str,
}

fn words(table: &str) -> impl Iterator<Item = Word<'_>> {
    table.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        let (word, n_allowed, instead) = (next(), next(), next());
        Word { word, n_allowed: n_allowed.parse().unwrap_or_default(), instead }
    })
}

/// Finds words that are in more names than the table allows. If it allows none, finds each name.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let uses = uses(tree);
    let mut findings = Vec::new();
    for (idx, Word { word, n_allowed, instead }) in words(TABLE).enumerate() {
        let found = uses.get(word).map_or(&[][..], Vec::as_slice);
        if found.len() <= n_allowed {
            continue;
        }
        let instead = format!("say {instead} instead of `{word}`");
        if n_allowed == 0 {
            let each = found.iter().map(|(path, line)| Finding {
                path: path.clone(),
                line: *line,
                what: instead.clone(),
            });
            findings.extend(each);
        } else {
            let what = format!("{} names have the word, and {n_allowed} may: {instead}", found.len());
            findings.push(Finding { path: TABLE_PATH.to_owned(), line: idx + 2, what });
        }
    }
    findings
}

/// Writes the numbers of today into the table. Numbers that would rise stay.
pub(super) fn record(tree: &Tree, root: &Path) -> Outcome {
    let uses = uses(tree);
    let mut table = TABLE.lines().next().unwrap_or_default().to_owned() + "\n";
    for Word { word, n_allowed, instead } in words(TABLE) {
        let n_found = uses.get(word).map_or(0, Vec::len);
        table += &format!("{word}\t{}\t{instead}\n", n_found.min(n_allowed));
    }
    fs::write(root.join(TABLE_PATH), table).map_err(|error| Failure::io(TABLE_PATH, &error))
}

/// Where each word of the table stands in a name.
fn uses(tree: &Tree) -> BTreeMap<&'static str, Vec<(String, usize)>> {
    let listed: BTreeMap<&str, &'static str> = words(TABLE).map(|word| (word.word, word.word)).collect();
    let mut uses = BTreeMap::<&'static str, Vec<(String, usize)>>::new();
    for source in tree.ending_in(".rs").filter(|source| is_ours(&source.path)) {
        for (line_idx, line) in source.code.lines().enumerate() {
            for word in names_in(line).flat_map(words_of).filter_map(|word| listed.get(&*word)) {
                uses.entry(word).or_default().push((source.path.clone(), line_idx + 1));
            }
        }
    }
    uses
}

fn is_ours(path: &str) -> bool {
    ["crates/", "python/src/", "testing/", "xtask/src/"].iter().any(|folder| path.starts_with(folder))
}

fn names_in(line: &str) -> impl Iterator<Item = &str> {
    line.split(|char: char| !char.is_ascii() || !is_name_byte(char as u8)).filter(|name| !name.is_empty())
}

/// The words of a name in any case, in lower case: `n_bytes_left`, `RowMemory`, `MAX_BYTES`. The words of `in_place`, a term of the trade, are left out.
fn words_of(name: &str) -> Vec<String> {
    let name = name.replace("in_place", "");
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for char in name.chars() {
        if char == '_' || char.is_ascii_uppercase() && was_lower {
            words.push(String::new());
        }
        if char != '_' {
            words.last_mut().expect("there is a first word").push(char.to_ascii_lowercase());
        }
        was_lower = char.is_ascii_lowercase() || char.is_ascii_digit();
    }
    words
}

/// Finds types that the first files of two crates export under one name, but which each crate defines itself.
pub(super) fn check_exports(tree: &Tree) -> Vec<Finding> {
    let mut exports = BTreeMap::<&str, BTreeMap<&str, (&Source, usize)>>::new();
    for source in tree.ending_in("/src/lib.rs") {
        let Some(name) = crate_of(&source.path) else { continue };
        for (position, exported) in exported_types(&source.code) {
            exports.entry(exported).or_default().insert(name, (source, position));
        }
    }
    let is_defined = |name: &str, exported: &str| {
        let mut sources = tree.ending_in(".rs").filter(|source| crate_of(&source.path) == Some(name));
        sources.any(|source| defines(&source.untested_code, exported))
    };
    let mut findings = Vec::new();
    for (exported, crates) in exports.iter().filter(|(exported, _)| !OWN_IN_EACH_CRATE.contains(exported)) {
        let defining: Vec<_> = crates.iter().filter(|(name, _)| is_defined(name, exported)).collect();
        let [first, others @ ..] = &defining[..] else { continue };
        findings.extend(others.iter().map(|(_, (source, position))| Finding {
            path: source.path.clone(),
            line: source.line_at(*position),
            what: format!("`{exported}` of {} is another type: one name means one type", first.0),
        }));
    }
    findings
}

/// The folder of the crate to which a file of a library belongs.
fn crate_of(path: &str) -> Option<&str> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    rest.starts_with("src/").then_some(name)
}

/// The types in the lists of `pub use`, with their positions.
fn exported_types(code: &str) -> BTreeSet<(usize, &str)> {
    let lists = code.match_indices("pub use ").map(|(start, _)| {
        let end = code[start..].find(';').map_or(code.len(), |length| start + length);
        (start, &code[start..end])
    });
    lists
        .flat_map(|(start, list)| {
            names_in(list)
                .filter(|name| name.starts_with(|char: char| char.is_ascii_uppercase()))
                .map(move |name| (start, name))
        })
        .collect()
}

fn defines(code: &str, name: &str) -> bool {
    ["struct", "enum", "trait", "type", "union"].iter().any(|kind| {
        let definition = format!("pub {kind} {name}");
        code.match_indices(&definition).any(|(position, _)| {
            !code.as_bytes().get(position + definition.len()).copied().is_some_and(is_name_byte)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    #[test]
    fn words_of_names_in_any_case_are_found() {
        assert_eq!(words_of("n_bytes_left"), ["n", "bytes", "left"]);
        assert_eq!(words_of("RowMemory2Old"), ["row", "memory2", "old"]);
        assert_eq!(words_of("MAX_BYTES"), ["max", "bytes"]);
        assert_eq!(words_of("append_in_place_of"), ["append", "", "of"]);
        let names: Vec<&str> = names_in("let place_of = Place::at(x.places);").collect();
        assert_eq!(names, ["let", "place_of", "Place", "at", "x", "places"]);
    }

    /// A word that no name may have is found where it is, but not in comments, texts and other folders.
    #[test]
    fn forbidden_words_are_found_where_they_are() {
        let forbidden =
            words(TABLE).find(|word| word.n_allowed == 0).expect("a word that no name has any more").word;
        let text = format!("// {forbidden}\nlet a = \"{forbidden}\";\nlet n_{forbidden} = 1;\n");
        let files = [("crates/a/src/b.rs", &*text), ("js/a/src/b.rs", &text), ("a.md", &text)];
        assert_eq!(locations(check, &files), ["crates/a/src/b.rs:3"]);
    }

    #[test]
    fn two_types_of_one_name_are_found() {
        let lib = "mod b;\npub use b::{Other, Plan};\n";
        let files = [
            ("crates/a/src/lib.rs", lib),
            ("crates/a/src/b.rs", "pub struct Plan;\npub struct Other;\n"),
            ("crates/b/src/lib.rs", lib),
            ("crates/b/src/b.rs", "pub enum Plan {}\npub struct OtherThing;\npub use a::Other;\n"),
        ];
        assert_eq!(locations(check_exports, &files), ["crates/b/src/lib.rs:2"]);
    }
}
