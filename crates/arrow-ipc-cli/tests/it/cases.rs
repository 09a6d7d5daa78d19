//! Compares the output of commands with snapshots: `tests/cases/NAME.txt` has the commands, `NAME.snap` the commands
//! with their output.
//!
//! A line that begins with `$ ` is a command. It runs in `testing/corpus`. At its end, `< NAMES` makes these files,
//! in sequence, its standard input. In a snapshot, the command is followed by its standard output, its standard error
//! with `! ` before each line, and its status after `? `.

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

/// Runs the commands of a text. Returns them with their output.
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
        // Files of text have no spaces at line ends.
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

/// Splits a line at spaces. Single quotes protect spaces.
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
