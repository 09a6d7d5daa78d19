//! Generates what depends on the schemas `format/*.fbs` alone: the accessors of `arrow-ipc-format`; and for tests, the
//! bindings of planus and the descriptions for the official verifier.
//!
//! `cargo xtask codegen` runs this program with the folder to write into, and puts the files in their places. The schemas
//! are read in a fixed order by bare names (the generator of bindings copies names and line numbers into comments), and
//! the code is formatted by the toolchain that the workspace pins.
#![forbid(unsafe_code)]

mod accessors;
mod verifiable;

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use planus_translation::ConverterOptions;
use planus_types::intermediate::Declarations;

const SCHEMAS: [&str; 5] = ["Schema.fbs", "Tensor.fbs", "SparseTensor.fbs", "Message.fbs", "File.fbs"];

/// What went wrong, for the person who runs this.
#[derive(Debug)]
struct Failure(String);

impl Failure {
    fn new(line: impl Into<String>) -> Failure {
        Failure(line.into())
    }

    fn io(what: impl fmt::Display, error: &std::io::Error) -> Failure {
        Failure(format!("{what}: {error}"))
    }
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("Usage: codegen FOLDER (`cargo xtask codegen` runs this)");
        return ExitCode::from(2);
    };
    match generate(&PathBuf::from(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(line)) => {
            eprintln!("{line}");
            ExitCode::FAILURE
        }
    }
}

fn generate(folder: &Path) -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let declarations = read_schemas(&root)?;
    let texts = [
        ("tables.rs", accessors::accessors(&declarations)?),
        ("bindings.rs", bindings(&declarations)?),
        ("descriptions.rs", verifiable::descriptions(&declarations)?),
    ];
    for (name, text) in texts {
        let config = root.join("rustfmt.toml");
        let text = rustfmt(&text, &["--config-path", &config.to_string_lossy()])?;
        std::fs::write(folder.join(name), text.trim_start()).map_err(|error| Failure::io(name, &error))?;
    }
    Ok(())
}

/// What the schemas declare. Changes the working directory: the generator prints the paths it is given.
fn read_schemas(root: &Path) -> Result<Declarations, Failure> {
    let folder = root.join("format");
    std::env::set_current_dir(&folder).map_err(|error| Failure::io(folder.display(), &error))?;
    // Without this, a comment before a file's first declaration is an error.
    let options = ConverterOptions { ignore_docstring_errors: true };
    planus_translation::translate_files_with_options(&SCHEMAS, options)
        .ok_or_else(|| Failure::new("format/*.fbs: not valid, see above."))
}

/// The code of the bindings, with its lines as the templates of the generator break them.
fn bindings(declarations: &Declarations) -> Result<String, Failure> {
    let code = planus_codegen::generate_rust(declarations, false)
        .map_err(|error| Failure::new(format!("the generator failed: {error}")))?;
    // This joins what the templates broke up; a second pass breaks lines by our width.
    let code = rustfmt(&code, &["--config", "max_width=1000000"])?;
    without_version_check(&without_order(&without_serde(&code)))
}

/// Drops the line by which the bindings compile against one version of planus only. What they use has not changed since
/// 1.1; CI compiles them against the oldest and the newest version that `Cargo.toml` allows.
fn without_version_check(code: &str) -> Result<String, Failure> {
    let is_check = |line: &&str| line.starts_with("const _: () = ::planus::check_version_compatibility(");
    match code.lines().filter(is_check).count() {
        1 => Ok(code.lines().filter(|line| !is_check(line)).flat_map(|line| [line, "\n"]).collect()),
        n_checks => {
            Err(Failure::new(format!("the generator wrote {n_checks} checks of its version, not one")))
        }
    }
}

/// Drops the derives of serde's traits, which the generator always adds: the bindings need no serde.
fn without_serde(code: &str) -> String {
    const TRAITS: &str = "::serde::Serialize, ::serde::Deserialize";
    code.replace(&format!(", {TRAITS}"), "").replace(&format!("#[derive({TRAITS})]"), "")
}

/// Drops order and hash of tables and unions: nobody sorts or hashes them, and every reader would compile them.
fn without_order(code: &str) -> String {
    code.replace("Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)]", "Clone, Debug, PartialEq, Eq)]")
}

fn rustfmt(code: &str, args: &[&str]) -> Result<String, Failure> {
    let failed = |error: &std::io::Error| Failure::io("rustfmt", error);
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    // rustfmt reads everything before it writes, so nothing can block both ways. Taking the pipe closes it.
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(code.as_bytes()).map_err(|error| failed(&error))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(Failure::new(format!("rustfmt failed with {}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::new("rustfmt wrote text that is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_check_of_the_version_goes() {
        let check = "const _: () = ::planus::check_version_compatibility(\"planus-1.3.0\");\n";
        let code = |check: &str| format!("struct A;\n{check}struct B;\n");
        assert_eq!(without_version_check(&code(check)).expect("one check"), code(""));
        assert!(without_version_check(&code("")).is_err());
    }

    #[test]
    fn only_serde_derives_go() {
        let derives = |traits: &str| format!("#[derive({traits})] struct A;");
        let both = "::serde::Serialize, ::serde::Deserialize";
        assert_eq!(without_serde(&derives(&format!("Clone, Debug, {both}"))), derives("Clone, Debug"));
        assert_eq!(without_serde(&derives(both)), " struct A;");
    }

    #[test]
    fn tables_are_compared_and_not_sorted() {
        let table = "#[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash)] struct A;";
        assert_eq!(without_order(table), "#[derive(Clone, Debug, PartialEq, Eq)] struct A;");
        let code = "#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] enum B {}";
        assert_eq!(without_order(code), code);
    }
}
