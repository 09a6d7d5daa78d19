//! Compares manual pages and completions with the help.

use std::{collections::BTreeSet, fs, process::Command};

use crate::program::{command, corpus, finish, run, run_with_input, temporary_folder};
#[cfg(target_os = "linux")]
use crate::terminal::on_a_terminal;

/// The names of the commands in the help.
fn commands() -> BTreeSet<String> {
    let help = run(["--help"]);
    let list = help.expect(&[0]).text().split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split(' ').next()).map(str::to_owned).filter(|name| name != "help").collect()
}

#[test]
fn pages_are_written_one_by_one_and_into_a_folder() {
    let folder = temporary_folder();
    let path = folder.path().to_str().unwrap();
    run(["man", "--to", path]).expect(&[0]);
    let pages: BTreeSet<String> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let commands = commands();
    assert!(commands.len() > 14, "{commands:?}");
    let mut expected: BTreeSet<String> = commands.iter().map(|name| format!("arrow-ipc-{name}.1")).collect();
    expected.insert("arrow-ipc.1".to_owned());
    assert_eq!(pages, expected);
    for command in &commands {
        let page = fs::read_to_string(folder.path().join(format!("arrow-ipc-{command}.1"))).unwrap();
        assert_eq!(run(["man", command]).expect(&[0]).text(), page);
    }
    let main = fs::read_to_string(folder.path().join("arrow-ipc.1")).unwrap();
    assert_eq!(run(["man"]).expect(&[0]).text(), main);
    assert!(run(["man", "no-such"]).expect(&[2]).stderr.contains("there is no command \"no-such\""));
    let pages = folder.path().join("new/folder");
    run(["man", "--to", pages.to_str().unwrap()]).expect(&[0]);
    assert!(pages.join("arrow-ipc-cat.1").exists());
    let outcome = run(["man", "--to", pages.join("arrow-ipc-cat.1").to_str().unwrap()]);
    assert!(outcome.expect(&[4]).stderr.contains("arrow-ipc-cat.1"), "{outcome:?}");
    // As of other outputs: a page is replaced when it is complete, and a URL is not written to.
    let (page, linked) = (pages.join("arrow-ipc-cat.1"), pages.join("linked"));
    fs::write(&page, "old").unwrap();
    fs::hard_link(&page, &linked).unwrap();
    run(["man", "--to", pages.to_str().unwrap()]).expect(&[0]);
    assert!(fs::read_to_string(&page).unwrap().starts_with(".ie"));
    assert_eq!(fs::read_to_string(&linked).unwrap(), "old");
    let outcome = finish(command(["man", "--to", "http://localhost/man"]).current_dir(folder.path()), b"");
    assert!(outcome.expect(&[4]).stderr.contains("nothing is written to URLs"), "{outcome:?}");
    assert!(!folder.path().join("http:").exists());
}

/// On a terminal, a page is shown by the first viewer that succeeds. Without one, the error says what to do.
#[cfg(target_os = "linux")]
#[test]
fn pages_are_shown_on_terminals() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = temporary_folder();
    let program = env!("CARGO_BIN_EXE_arrow-ipc");
    let viewer = |name: &str, script: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    // Only the viewers of the test are found.
    let line =
        |command: &str| format!("PATH={} {program} --color never man {command}", folder.path().display());
    let Some((text, status)) = on_a_terminal(&line("cat")) else { return };
    assert_eq!(status, Some(4), "{text}");
    assert!(text.contains("hint: `arrow-ipc cat --help` has the same as text"), "{text}");
    let (text, status) = on_a_terminal(&line("")).unwrap();
    assert!(status == Some(4) && text.contains("hint: `arrow-ipc --help` has"), "{text}");
    viewer("mandoc", "echo \"mandoc $*\"; while read -r line; do echo \"$line\"; done");
    let (text, status) = on_a_terminal(&line("cat")).unwrap();
    assert!(status == Some(0) && text.starts_with("mandoc -a\r\n"), "{text}");
    assert!(text.contains(".TH arrow-ipc-cat 1"), "{text}");
    // A viewer that fails is followed by the next; one that does not read the page is not waited for.
    viewer("man", "exit 1");
    assert!(on_a_terminal(&line("cat")).unwrap().0.starts_with("mandoc -a\r\n"));
    viewer("man", "echo \"man $*\"");
    let (text, status) = on_a_terminal(&line("convert")).unwrap();
    assert_eq!((&text[..], status), ("man -l -\r\n", Some(0)));
}

#[test]
fn completions_name_every_option_of_the_help() {
    let script = run(["completions", "bash"]);
    let script = script.expect(&[0]).text();
    for command in commands() {
        let help = run([&*command, "--help"]);
        let words = help
            .expect(&[0])
            .text()
            .split(|char: char| char.is_whitespace() || ",.;:()=\"'`]".contains(char));
        for option in words.filter(|word| word.starts_with("--") && word.len() > 2) {
            assert!(script.contains(option), "{command}: {option}");
        }
    }
    run(["completions", "cmd.exe"]).expect(&[2]);
    let offered = script.lines().any(|line| line.contains("none lz4 zstd"));
    assert!(offered, "{script}");
}

/// Examples in the help use only JSON members that exist.
#[test]
fn members_in_examples_exist() {
    let mut n_members = 0;
    for command in ["schema", "count", "stats", "explain"] {
        let help = run([command, "--help"]);
        let examples = help.text().lines().filter(|line| line.contains("--json"));
        let members: Vec<_> = examples.filter_map(|line| line.split_once("| jq ")).collect();
        let input = "hostile/dict-replace-stream.stream";
        let json = run([command, "--json", input]);
        for name in
            members.iter().flat_map(|(_, query)| query.split(|c: char| c != '_' && !c.is_alphabetic()))
        {
            let is_there = json.expect(&[0]).text().contains(&format!("\"{name}\":"));
            assert!(name.is_empty() || is_there, "{command}: {name}: {json:?}");
            n_members += usize::from(!name.is_empty());
        }
    }
    assert_eq!(n_members, 8);
}

/// If bash is installed, it completes the options of each command.
#[test]
fn bash_completes_the_options_of_each_command() {
    let folder = temporary_folder();
    let script = folder.path().join("arrow-ipc");
    fs::write(&script, run(["completions", "bash"]).expect(&[0]).text()).unwrap();
    let script = script.display();
    for command in commands() {
        let line = format!(
            "source {script}; f=$(complete -p arrow-ipc); f=${{f#*-F }}; \
             COMP_WORDS=(arrow-ipc {command} --hel); COMP_CWORD=2; ${{f%% *}} arrow-ipc --hel {command}; \
             echo \"${{COMPREPLY[@]}}\""
        );
        let Ok(output) = Command::new("bash").args(["--norc", "-c", &line]).output() else {
            return eprintln!("SKIPPED: completion in bash: it is not installed");
        };
        assert_eq!(String::from_utf8_lossy(&output.stdout), "--help\n", "{command}: {output:?}");
    }
}

/// Each installed shell accepts its script.
#[test]
fn scripts_of_completions_are_sound() {
    let folder = temporary_folder();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.path().join(shell);
        fs::write(&script, run(["completions", shell]).expect(&[0]).text()).unwrap();
        match Command::new(shell).arg("-n").arg(&script).output() {
            Ok(output) => assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}"),
            Err(_) => eprintln!("SKIPPED: completions of {shell}: it is not installed"),
        }
    }
}

/// Makes a file with columns whose names need quotes.
fn columns(folder: &std::path::Path) -> String {
    let path = folder.join("in.arrow").to_str().unwrap().to_owned();
    let row = r#"{"id":1,"item":2,"first name":"x","a,b":1,"it's":2,"$(touch pwned)":3,"line\nbreak":4}"#;
    run_with_input(["convert", "-", &path, "--from", "jsonl"], row.as_bytes()).expect(&[0]);
    path
}

/// Asks for completions. On a busy machine, the program may give up before it has read the file, so an expected
/// completion is asked for several times.
fn offered(expected: &str, ask: impl Fn() -> String) -> String {
    let mut answers = (0..20).map(|_| ask());
    answers.find(|text| !text.is_empty() || expected.is_empty()).unwrap_or_default()
}

#[test]
fn columns_of_the_file_on_the_line_are_offered() {
    let folder = temporary_folder();
    let path = columns(folder.path());
    let csv = folder.path().join("in.csv").to_str().unwrap().to_owned();
    fs::write(&csv, "id,item\n1,2\n").unwrap();
    let not_there = folder.path().join("no").to_str().unwrap().to_owned();
    let cases: [(&str, &str, &[&str], &str); 11] = [
        ("--columns", "i", &["cat", &path], "id\nitem\n\"it's\"\n"),
        ("--columns", "id,first", &["cat", "-n", "3", &path], "id,\"first name\"\n"),
        ("--columns", "\"l", &["cat", &path], "\"line\\nbreak\"\n"),
        ("--cast", "it", &["convert", &path, "out"], "item=\n\"it's\"=\n"),
        ("--set-column-metadata", "it", &["convert", &path, "out"], "item:\n\"it's\":\n"),
        ("--rename", "id=i", &["convert", &path, "out"], ""),
        ("--where", "id > 1 and (ite", &["cat", &path], "id > 1 and (item\n"),
        ("--by", "", &["split", &csv], "id\nitem\n"),
        // The name of the command is not a file, and a missing file has no names.
        ("--key", "i", &[&path], ""),
        ("--key", "i", &["diff", &not_there, &csv], "id\nitem\n"),
        ("--key", "i", &["diff", &not_there], ""),
    ];
    for (option, value, line, expected) in cases {
        let offered = offered(expected, || {
            let outcome = run(["__columns", option, value].iter().chain(line));
            outcome.expect(&[0]).text().to_owned()
        });
        assert_eq!(offered, expected, "{option} {value} {line:?}");
    }
    run(["__columns"]).expect(&[0]);
    // Damaged files of all kinds, some with names that mean something to a shell.
    for file in fs::read_dir(corpus().join("hostile")).unwrap() {
        let file = file.unwrap().path();
        let offered = run(["__columns", "--columns", "", "cat", file.to_str().unwrap()]);
        let lines = offered.expect(&[0]).text().lines();
        assert!(
            lines.count() <= 1000 && !offered.text().contains(|c: char| c.is_control() && c != '\n'),
            "{file:?}"
        );
    }
}

/// If bash is installed, it inserts names with the quotes that they need.
#[test]
fn bash_completes_columns() {
    let folder = temporary_folder();
    let path = columns(folder.path());
    let script = folder.path().join("arrow-ipc");
    fs::write(&script, run(["completions", "bash"]).expect(&[0]).text()).unwrap();
    let script = script.display();
    if Command::new("bash").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: completion of columns in bash: it is not installed");
    }
    let program = env!("CARGO_BIN_EXE_arrow-ipc");
    let cases = [
        ("--columns", "it", "[item] [\\\"it\\'s\\\"]"),
        ("--columns", "id,f", "[id,\\\"first\\ name\\\"]"),
        ("--columns", "$", "[\\\"\\$\\(touch\\ pwned\\)\\\"]"),
        ("--where", "'id > 1 and ite", "[id > 1 and item]"),
        ("--rename", "ite", "[item=]"),
        // Bash splits `--columns=ite` into three words, and `--columns=` into two.
        ("--columns =", "ite", "[item]"),
        ("--columns =", "id,f", "[id,\\\"first\\ name\\\"]"),
        ("--key =", "ite", "[item]"),
        ("--by =", "ite", "[item]"),
        ("--where =", "'id > 1 and ite", "[id > 1 and item]"),
        ("--format =", "ite", ""),
        // Inside quotes, names that would end the quotes are not offered.
        ("--columns", "'it", "[item]"),
        ("--columns", "'$", "[\"$(touch pwned)\"]"),
        ("--columns", "\"i", "[id] [item]"),
        ("--columns", "\"$", ""),
        ("--columns", "no", ""),
        ("--form", "no", ""),
    ];
    for (option, value, expected) in cases {
        let line = format!(
            "source {script}; f=$(complete -p arrow-ipc); f=${{f#*-F }}; \
             COMP_WORDS=(arrow-ipc cat {path} {option} \"$1\"); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); ${{f%% *}} {program} \"$1\" {option}; \
             printf '[%s] ' \"${{COMPREPLY[@]}}\""
        );
        let offered = offered(expected, || {
            let mut bash = Command::new("bash");
            let args = ["--norc", "-c", &line, "bash", value];
            let output = bash.args(args).current_dir(folder.path()).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim_end().trim_start_matches("[]").to_owned()
        });
        assert_eq!(offered, expected, "{value}");
    }
    assert!(!folder.path().join("pwned").exists());
    // Nothing follows the equals sign.
    let line = format!(
        "source {script}; f=$(complete -p arrow-ipc); f=${{f#*-F }}; COMP_WORDS=(arrow-ipc cat {path} --columns =); COMP_CWORD=4; \
         ${{f%% *}} {program} = --columns; printf '[%s] ' \"${{COMPREPLY[@]}}\""
    );
    let offered = offered("some", || {
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim_end().trim_start_matches("[]").to_owned()
    });
    assert!(offered.contains("[id] ") && offered.contains("[item]"), "{offered}");
}
