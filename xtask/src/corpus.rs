//! The manifest of the test data: the path, the length and a checksum of each file.
//!
//! Reviewers do not read the bytes of test data. The manifest makes their changes visible, and shows whether a test fails
//! because a checkout is damaged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::tree::files_below;
use crate::{Mode, parse_check, root};

const FOLDER: &str = "testing/corpus";
const MANIFEST: &str = "manifest.tsv";
const HEAD: &str = "# Written by `cargo xtask corpus`: path, bytes, CRC-32.\n";

/// Files beside the data that are not data: explanations, and the scripts that wrote the data.
const NOT_DATA: [&str; 11] = [
    ".md",
    ".mjs",
    ".py",
    ".cpp",
    ".rs",
    ".sh",
    ".toml",
    ".lock",
    "package.json",
    "package-lock.json",
    "requirements.txt",
];

/// `cargo xtask corpus [--check]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = parse_check(args)?;
    let folder = root().join(FOLDER);
    let path = folder.join(MANIFEST);
    let wanted = entries(&folder)?;
    // No manifest is one that lists nothing.
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let found = parse(&text);
    match mode {
        Mode::Check => {
            let mut lines = differences(&found, &wanted);
            if lines.is_empty() {
                println!("{FOLDER}: {} files are as listed.", wanted.len());
                return Ok(());
            }
            lines.push("Undo the change, or run `cargo xtask corpus` if it is intended.".to_owned());
            Err(Failure { status: 1, lines })
        }
        Mode::Write => {
            std::fs::write(&path, show(&wanted)).map_err(|error| Failure::io(path.display(), &error))?;
            println!("{FOLDER}/{MANIFEST} lists {} files.", wanted.len());
            Ok(())
        }
    }
}

/// The size and checksum of each file, by path.
type Entries = BTreeMap<String, String>;

fn entries(folder: &Path) -> Result<Entries, Failure> {
    let paths = if folder.exists() { files_below(folder)? } else { Vec::new() };
    let mut entries = Entries::new();
    for path in paths.into_iter().filter(|path| is_data(path)) {
        let bytes = std::fs::read(folder.join(&path)).map_err(|error| Failure::io(&path, &error))?;
        let facts = format!("{}\t{:08x}", bytes.len(), crc32(&bytes));
        entries.insert(path, facts);
    }
    Ok(entries)
}

fn is_data(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path != MANIFEST && !name.starts_with('.') && !NOT_DATA.iter().any(|end| name.ends_with(end))
}

fn show(entries: &Entries) -> String {
    let mut text = HEAD.to_owned();
    for (path, facts) in entries {
        let _ = writeln!(text, "{path}\t{facts}"); // writing to a string cannot fail
    }
    text
}

fn parse(text: &str) -> Entries {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('\t'));
    pairs.map(|(path, facts)| (path.to_owned(), facts.to_owned())).collect()
}

fn differences(found: &Entries, wanted: &Entries) -> Vec<String> {
    let gone = found.keys().filter(|path| !wanted.contains_key(*path));
    let gone = gone.map(|path| format!("{FOLDER}/{path}: listed, but not there"));
    let other = wanted.iter().filter_map(|(path, facts)| match found.get(path) {
        None => Some(format!("{FOLDER}/{path}: not listed")),
        Some(listed) if listed != facts => Some(format!("{FOLDER}/{path}: not what is listed")),
        Some(_) => None,
    });
    gone.chain(other).collect()
}

/// The CRC-32 of zip and gzip, computed bit by bit. This is fast enough, since the corpus is small.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let step = |crc: u32| (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_is_the_known_one() {
        // The check value that catalogues of CRCs give.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn manifest_reads_back() {
        let entries =
            Entries::from([("a b.arrow".into(), "3\t00ff00ff".into()), ("c/d".into(), "0\t0".into())]);
        assert_eq!(parse(&show(&entries)), entries);
    }

    #[test]
    fn differences_are_named() {
        let listed = Entries::from([
            ("same".into(), "1".into()),
            ("gone".into(), "1".into()),
            ("new".into(), "1".into()),
        ]);
        let there = Entries::from([
            ("same".into(), "1".into()),
            ("new".into(), "2".into()),
            ("more".into(), "1".into()),
        ]);
        let wanted = ["gone: listed, but not there", "more: not listed", "new: not what is listed"];
        assert_eq!(differences(&listed, &there), wanted.map(|line| format!("{FOLDER}/{line}")));
    }

    #[test]
    fn scripts_are_not_data() {
        for (path, wanted) in [("golden/a.arrow", true), ("golden/a.txt", true), ("golden/write.py", false)] {
            assert_eq!(is_data(path), wanted, "{path}");
        }
        for path in ["manifest.tsv", "README.md", "x/Cargo.lock", "x/.keep", "x/requirements.txt"] {
            assert!(!is_data(path), "{path}");
        }
    }
}
