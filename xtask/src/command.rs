//! Runs other programs. Their output is printed, and the results of tests are collected.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::cargo_command;
use crate::failure::{Failure, SKIPPED};

/// The result of a step that did not fail.
pub(crate) enum Done {
    Passed,
    /// The tests passed. Contains the result line of each test binary.
    Tested(Vec<String>),
    /// The step was not run, for this reason.
    Skipped(&'static str),
}

pub(crate) fn cargo(root: &Path, args: &str) -> Result<Done, Failure> {
    execute(cargo_command(root).args(args.split(' ')))
}

/// All features of the crates of the workspace, as an argument of cargo, but for `remote` of the program, which needs a
/// hundred crates more. Crates of other workspaces name theirs.
pub(crate) fn light_features(root: &Path) -> Result<String, Failure> {
    let mut features = Vec::new();
    for path in entries(&root.join("crates"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = path.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|error| Failure::io(manifest.display(), &error))?;
        let section = text.split("\n[features]\n").nth(1).unwrap_or_default();
        let lines = section.lines().take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.split_once(" = [")).map(|(feature, _)| feature);
        // Of another workspace, or one of its own.
        if text.contains("\nworkspace = \"") || text.contains("\n[workspace]\n") {
            continue;
        }
        let is_light = |feature: &&str| name != "arrow-ipc-object-store" && *feature != "remote";
        features.extend(names.filter(is_light).map(|feature| format!("fletching-{name}/{feature}")));
    }
    Ok(features.join(","))
}

/// The entries of a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let list = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = list().map_err(|error| Failure::io(folder.display(), &error))?;
    paths.sort();
    Ok(paths)
}

/// Runs tests with cargo, and collects the result line of each binary.
pub(crate) fn cargo_test(root: &Path, args: &str) -> Result<Done, Failure> {
    let mut command = cargo_command(root);
    // Tests never write what they expect here.
    command.arg("test").args(args.split(' ')).env("INSTA_UPDATE", "no");
    test(&mut command)
}

pub(crate) fn test(command: &mut Command) -> Result<Done, Failure> {
    let name = announce(command);
    let failed = |error: &std::io::Error| Failure::io(&name, error);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| failed(&error))?;
    let mut results = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        // Tests may print anything, text or not.
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.map_err(|error| failed(&error))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            if line.starts_with("test result: ") && !line.contains(" 0 passed; 0 failed") {
                results.push(line.into_owned());
            }
        }
    }
    judge(&name, child.wait().map_err(|error| failed(&error))?)?;
    Ok(Done::Tested(results))
}

/// Runs a command. Its output is printed.
pub(crate) fn execute(command: &mut Command) -> Result<Done, Failure> {
    let name = announce(command);
    let status = command.status().map_err(|error| Failure::io(&name, &error))?;
    judge(&name, status)?;
    Ok(Done::Passed)
}

/// Runs a script, which says itself what it skips. If it skips everything, its status says so.
pub(crate) fn script(root: &Path, words: &[&str]) -> Result<Done, Failure> {
    match execute(Command::new("bash").args(words).current_dir(root)) {
        Err(failure) if failure.status == SKIPPED => {
            Ok(Done::Skipped("the last line of the script says why"))
        }
        done => done,
    }
}

/// Whether a program can be run: it is called with `--version`.
pub(crate) fn is_there(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The command line of a command, as text.
pub(crate) fn announce(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = [program].into_iter().chain(command.get_args());
    let name = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    println!("$ {name}");
    name
}

/// Converts the exit status of a command that failed to a failure with the same status.
fn judge(name: &str, status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    let mut failure = Failure::new(format!("`{name}` ended with {status}"));
    // A signal has no code; codes above 255 do not exist where it matters.
    failure.status = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_of_a_command_is_returned() {
        let failure = execute(Command::new("sh").args(["-c", "exit 7"])).err().expect("the command fails");
        assert_eq!(failure.status, 7);
        assert_eq!(failure.lines, ["`sh -c exit 7` ended with exit status: 7"]);
        let failure = test(Command::new("sh").args(["-c", "echo test result: bad; exit 8"])).err();
        assert_eq!(failure.expect("the command fails").status, 8);
    }

    #[test]
    fn scripts_that_do_nothing_are_skipped() {
        let run = |script| super::script(Path::new("."), &["-c", script]);
        assert!(matches!(run("exit 77"), Ok(Done::Skipped(_))));
        assert!(matches!(run("exit 0"), Ok(Done::Passed)));
        assert_eq!(run("exit 78").err().expect("the script fails").status, 78);
    }

    #[test]
    fn results_of_tests_are_returned() {
        let script =
            "echo a; echo test result: ok. 2 passed; 0 failed; echo test result: ok. 0 passed; 0 failed";
        let quoted = script.replace("passed; ", "'passed; '");
        let done = test(Command::new("sh").args(["-c", &quoted])).expect("the command ends well");
        let Done::Tested(results) = done else { panic!("tests were run") };
        assert_eq!(results, ["test result: ok. 2 passed; 0 failed"]);
    }
}
