//! Compares our reader and writer with other implementations of Arrow. This task builds the program in
//! `testing/peers/bench`, which measures, and finds a Python with pyarrow and, for published cases, polars for it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::is_there;
use crate::failure::{Failure, Outcome};
use crate::{cargo_command, root};

const PAGE: &str = "testing/peers/RESULTS.md";

/// `cargo xtask bench [CASE…]`. All arguments are passed to the program.
pub(crate) fn run(args: &[String]) -> Outcome {
    let root = root();
    let mut command = cargo_command(&root);
    command.args(["run", "--quiet", "--release", "--manifest-path", "testing/peers/Cargo.toml"]);
    command.args(["--package", "bench", "--"]).args(with_page(args, &root.join(PAGE)));
    let asks = ["--list", "--help", "-h", "--python"];
    if !args.iter().any(|arg| asks.contains(&arg.as_str())) {
        let is_public = args.first().is_some_and(|arg| arg == "public");
        let libraries: &[&str] = if is_public { &["pyarrow", "polars"] } else { &["pyarrow"] };
        match find_python(&root, libraries) {
            Ok(python) => {
                command.arg("--python").arg(python);
            }
            Err(why) => println!("SKIPPED: {}: {why}", libraries.join(", ")),
        }
    }
    let status = command.status().map_err(|error| Failure::io("cargo run", &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("the bench ended with {status}"))) }
}

/// Replaces `--markdown` by the path of the page of results.
fn with_page(args: &[String], page: &Path) -> Vec<String> {
    let page = page.to_string_lossy().into_owned();
    let add = |arg: &String| match arg.as_str() {
        "--markdown" => vec![arg.clone(), page.clone()],
        _ => vec![arg.clone()],
    };
    args.iter().flat_map(add).collect()
}

/// The Python of the test environment; otherwise any Python that has the libraries; otherwise that of a new environment, which
/// has at least one of them.
fn find_python(root: &Path, libraries: &[&str]) -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let own = target.join("bench-venv/bin/python");
    let known = [target.join("python-venv/bin/python"), own.clone(), PathBuf::from("python3")];
    let has_all = |python: &PathBuf| libraries.iter().all(|library| has(python, library));
    if let Some(python) = known.into_iter().find(has_all) {
        return Ok(python);
    }
    let venv = target.join("bench-venv");
    let made = is_there(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    for library in libraries {
        let requirement = requirement(root, library)?;
        let install = ["-m", "pip", "install", "--quiet", "--retries", "1", &requirement];
        if !(made && is_there(Command::new(&own).args(install))) {
            println!("{requirement} cannot be installed");
        }
    }
    if libraries.iter().any(|library| has(&own, library)) {
        return Ok(own);
    }
    Err("no Python has it".to_owned())
}

fn has(python: &Path, library: &str) -> bool {
    is_there(Command::new(python).args(["-c", &format!("import {library}")]))
}

/// The requirement of a library in the environment of the Python tests.
fn requirement(root: &Path, library: &str) -> Result<String, String> {
    let path = root.join("python/requirements.txt");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let pin = format!("{library}==");
    let line = text.lines().find(|line| line.starts_with(&pin));
    line.map(str::to_owned).ok_or_else(|| format!("{} does not name {library}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_names_the_page_of_results() {
        let args = ["views", "--markdown", "--rounds", "3"].map(str::to_owned);
        let expected = ["views", "--markdown", "page.md", "--rounds", "3"].map(str::to_owned);
        assert_eq!(with_page(&args, Path::new("page.md")), expected);
    }

    #[test]
    fn libraries_are_pinned() {
        for library in ["pyarrow", "polars"] {
            let pinned = requirement(&root(), library).expect("the file names it");
            assert!(pinned.len() > library.len() + "==".len(), "{pinned}");
        }
    }
}
