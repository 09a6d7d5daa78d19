//! Checks that the guide shows the output of its commands. `INSTA_UPDATE=always` updates it.

use std::{env, fmt::Write as _, fs, path::Path};

use crate::program::{command, finish, temporary_folder};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/GUIDE.md");

#[test]
fn the_guide_shows_what_its_commands_print() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let folder = temporary_folder();
    let mut found = String::new();
    let (mut is_console, mut n_commands, mut status) = (false, 0, 0);
    for line in guide.lines() {
        is_console = (is_console || line == "```console") && line != "```";
        let command = if is_console { line.strip_prefix("$ ") } else { None };
        match command {
            Some(command) => {
                writeln!(found, "{line}").unwrap();
                found += &outcome_of(command, folder.path(), &mut status);
                n_commands += 1;
            }
            None if !is_console || line == "```console" => writeln!(found, "{line}").unwrap(),
            // A line of the old output.
            None => {}
        }
    }
    assert!(n_commands >= 15, "{n_commands}");
    if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(GUIDE, &found).unwrap();
        return;
    }
    for (found, shown) in found.lines().zip(guide.lines()) {
        assert_eq!(found, shown, "INSTA_UPDATE=always writes docs/GUIDE.md");
    }
    assert_eq!(found.len(), guide.len());
}

/// Runs a command in a folder. Returns its standard output, then its standard error. `status` is the exit status of
/// the previous command.
fn outcome_of(line: &str, folder: &Path, status: &mut i32) -> String {
    // Every second part is in single quotes.
    let parts = line.split('\'').enumerate();
    let words = parts
        .flat_map(|(idx, part)| if idx % 2 == 1 { vec![part] } else { part.trim().split(' ').collect() });
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    match words[..] {
        ["echo", "$?"] => format!("{status}\n"),
        ["arrow-ipc", ref args @ .., ">", to] => {
            let outcome = finish(command(args).current_dir(folder), &[]);
            fs::write(folder.join(to), &outcome.stdout).unwrap();
            outcome.stderr
        }
        ["arrow-ipc", ref args @ ..] => {
            let outcome = finish(command(args).current_dir(folder), &[]);
            *status = outcome.status;
            let text = format!("{}{}", outcome.text(), outcome.stderr);
            // Files of text have no spaces at line ends.
            text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
        }
        ["cp", from, to] => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            fs::copy(root.join(from), folder.join(to)).unwrap();
            String::new()
        }
        ["head", "-c", n_bytes, from, ">", to] => {
            let bytes = fs::read(folder.join(from)).unwrap();
            fs::write(folder.join(to), &bytes[..n_bytes.parse().unwrap()]).unwrap();
            String::new()
        }
        _ => panic!("{line}"),
    }
}
