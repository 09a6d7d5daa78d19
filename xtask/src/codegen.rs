//! Generates the flatbuffers bindings: `format/*.fbs` to `crates/arrow-ipc-format/src/generated.rs`.
//!
//! The text depends on the schema files alone: they are read in a fixed order by bare names (the generator
//! copies names and line numbers into comments), and formatted by the toolchain that the workspace pins.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use planus_translation::ConverterOptions;

use crate::failure::{Failure, Outcome};
use crate::{Mode, parse_check, root};

const SCHEMAS: [&str; 5] = ["Schema.fbs", "Tensor.fbs", "SparseTensor.fbs", "Message.fbs", "File.fbs"];

/// The file that holds the bindings, from the root of the repository.
pub(crate) const OUTPUT: &str = "crates/arrow-ipc-format/src/generated.rs";

const HEAD: &str = "// Written by `cargo xtask codegen` from format/*.fbs. Do not edit.\n";

/// `cargo xtask codegen [--check]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = parse_check(args)?;
    let root = root();
    let path = root.join(OUTPUT);
    let wanted = generate(&root)?;
    // A file that is not there is as stale as one that differs.
    if std::fs::read_to_string(&path).is_ok_and(|found| found == wanted) {
        println!("{OUTPUT} is up to date.");
        return Ok(());
    }
    match mode {
        Mode::Check => {
            Err(Failure::new(format!("{OUTPUT} does not match format/*.fbs: run `cargo xtask codegen`.")))
        }
        Mode::Write => {
            std::fs::write(&path, wanted).map_err(|error| Failure::io(OUTPUT, &error))?;
            println!("{OUTPUT} written.");
            Ok(())
        }
    }
}

/// The text of the bindings. Changes the working directory: the generator prints the paths it is given.
fn generate(root: &Path) -> Result<String, Failure> {
    let folder = root.join("format");
    std::env::set_current_dir(&folder).map_err(|error| Failure::io(folder.display(), &error))?;
    // Without this, a comment before a file's first declaration is an error.
    let options = ConverterOptions { ignore_docstring_errors: true };
    let declarations = planus_translation::translate_files_with_options(&SCHEMAS, options)
        .ok_or_else(|| Failure::new("format/*.fbs: not valid, see above."))?;
    let code = planus_codegen::generate_rust(&declarations, false)
        .map_err(|error| Failure::new(format!("the generator failed: {error}")))?;
    // The first pass joins what the templates broke up; the second breaks lines by our width.
    let code = without_serde(&rustfmt(&code, &["--config", "max_width=1000000"])?);
    let config = root.join("rustfmt.toml");
    let code = rustfmt(&code, &["--config-path", &config.to_string_lossy()])?;
    Ok(format!("{HEAD}\n{}", code.trim_start()))
}

/// Drops the derives of serde's traits, which the generator always adds: the bindings need no serde.
fn without_serde(code: &str) -> String {
    const TRAITS: &str = "::serde::Serialize, ::serde::Deserialize";
    code.replace(&format!(", {TRAITS}"), "").replace(&format!("#[derive({TRAITS})]"), "")
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
    fn bindings_are_fresh() {
        run(&["--check".to_owned()]).expect("the bindings match the schemas");
    }

    #[test]
    fn only_serde_derives_go() {
        let derives = |traits: &str| format!("#[derive({traits})] struct A;");
        let both = "::serde::Serialize, ::serde::Deserialize";
        assert_eq!(without_serde(&derives(&format!("Clone, Debug, {both}"))), derives("Clone, Debug"));
        assert_eq!(without_serde(&derives(both)), " struct A;");
    }
}
