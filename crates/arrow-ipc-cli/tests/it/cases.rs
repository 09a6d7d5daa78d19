//! Commands and all that they print: `tests/cases/NAME.txt` has the commands, `NAME.snap` beside it the commands with
//! their output.
//!
//! A line that begins with `$ ` is a command, run in `testing/corpus`; `< NAMES` at its end gives it the files of these names,
//! one after the other, as standard input. In snapshots follow its standard output as it is, its standard error with `! `
//! before each line, and its status after `? `.

use std::{fmt::Write as _, fs, path::Path};

use crate::program::{corpus, run_with_input};

#[test]
fn cases_are_as_written() {
    let files =
        testing_support::files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"), ".txt");
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        let found = run_all(&fs::read_to_string(&file).unwrap());
        let name = file.file_stem().unwrap().to_string_lossy();
        insta::with_settings!({ snapshot_path => "../cases", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(&*name, found);
        });
    }
}

/// The commands of a text, with their current output.
fn run_all(text: &str) -> String {
    let mut found = String::new();
    for command in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let (line, input) = match command.split_once(" < ") {
            Some((line, names)) => {
                let files = names.split(' ').map(|name| fs::read(corpus().join(name)).unwrap());
                (line, files.collect::<Vec<_>>().concat())
            }
            None => (command, Vec::new()),
        };
        let words = words(line);
        let (program, args) = words.split_first().expect("a command");
        assert_eq!(program, "arrow-ipc");
        let outcome = run_with_input(args, &input);
        let separator = if found.is_empty() { "" } else { "\n" };
        writeln!(found, "{separator}$ {command}").unwrap();
        // Files of text have no spaces at the ends of their lines.
        for line in outcome.text().lines() {
            writeln!(found, "{}", line.trim_end()).unwrap();
        }
        for line in outcome.stderr.lines() {
            writeln!(found, "{}", format!("! {line}").trim_end()).unwrap();
        }
        writeln!(found, "? {}", outcome.status).unwrap();
    }
    found
}

/// Words with spaces between them; single quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (position, part) in line.split('\'').enumerate() {
        match position % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
