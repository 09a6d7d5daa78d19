//! `docs/FORMAT.md` cites the tests and files for each of its rows; all of them exist.

use std::{collections::BTreeSet, fs, path::Path};

/// The names in backticks in the last cell of a row, and the kind of the row.
fn citations(text: &str) -> Vec<(String, Vec<String>)> {
    let tables = text.lines().skip_while(|line| !line.starts_with("## Framing"));
    // The empty line lets the last row have a next one.
    let lines: Vec<&str> = tables.chain([""]).collect();
    let is_header = |pair: &[&str]| pair[1].starts_with("|--");
    let rows =
        lines.windows(2).filter(|pair| pair[0].starts_with("| ") && !is_header(pair)).map(|pair| pair[0]);
    let cell =
        |row: &str| row.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap_or_default().to_owned();
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    rows.map(|row| (row.to_owned(), quoted(&cell(row)))).collect()
}

/// Names of files of the corpus without suffix, golden ones also with their writer, and of crafted cases.
fn known_names() -> BTreeSet<String> {
    let corpus = testing_support::corpus_dir();
    let mut names: BTreeSet<String> = super::crafted::names()
        .chain(super::tensors::names())
        .map(|name| format!("crafted: {name}"))
        .collect();
    for (folder, suffixes) in [("hostile", [".stream", ".arrow_file"]), ("golden", [".arrows", ".arrow"])] {
        for suffix in suffixes {
            for path in testing_support::files_below(&corpus.join(folder), suffix) {
                let name = path.file_stem().unwrap().to_str().unwrap();
                let writer = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
                let writer = writer.rsplit_once('-').map_or(writer, |(writer, _version)| writer);
                names.extend([format!("{folder}/{name}"), format!("{folder}/{writer}/{name}")]);
            }
        }
    }
    names
}

#[test]
fn what_pins_a_row_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/FORMAT.md")).unwrap();
    let names = known_names();
    let citations = citations(&text);
    assert!(citations.len() > 40, "{} rows", citations.len());
    for (row, cited) in citations {
        assert!(!cited.is_empty(), "nothing pins this row: {row}");
        for name in cited {
            let is_known = match name.split_once(": ") {
                Some(("crafted", _)) => names.contains(&name),
                Some((file, test)) => has_test(&root.join("crates").join(file), test),
                None if name.starts_with("gold/") => gold_is_read(&root, &name),
                None => names.contains(&name),
            };
            assert!(is_known, "there is no `{name}`: {row}");
        }
    }
}

/// Whether a Rust file has a function of this name.
fn has_test(file: &Path, test: &str) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("fn {test}()")))
}

/// Whether the test of the gold files walks the folder of this version.
fn gold_is_read(root: &Path, name: &str) -> bool {
    let version = name.split('/').nth(1).unwrap_or_default();
    fs::read_to_string(root.join("crates/arrow-ipc/tests/it/gold.rs"))
        .is_ok_and(|text| text.contains(&format!("\"{version}\"")))
}
