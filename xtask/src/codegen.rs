//! Generated code: the accessors of metadata; and for tests, other bindings and the descriptions with which the official
//! verifier judges metadata.
//!
//! The generator, `xtask/codegen`, needs more than a hundred crates, so it is a separate workspace. Each generated file
//! contains checksums of its inputs and of itself: a test compares them without the generator.

use std::path::Path;

use crate::corpus::crc32;
use crate::failure::{Failure, Outcome};
use crate::tree::files_below;
use crate::{Mode, cargo_command, docs, parse_check, root};

/// The tables of the format with their accessors, as a path from the root of the repository.
const TABLES: &str = "crates/arrow-ipc-format/src/tables.rs";

/// The bindings of planus, with which tests compare.
const BINDINGS: &str = "testing/bindings/src/generated.rs";

/// The file that describes the tables for the official verifier.
const DESCRIPTIONS: &str = "testing/support/src/flatbuf/generated.rs";

/// All files that this task writes.
pub(crate) const OUTPUTS: [&str; 3] = [TABLES, BINDINGS, DESCRIPTIONS];

/// The names of these files in the output of the generator, in the same order.
const NAMES: [&str; 3] = ["tables.rs", "bindings.rs", "descriptions.rs"];

/// The generator, as a path from the root of the repository.
const PROGRAM: &str = "xtask/codegen";

/// The folders and files from which code is generated.
const INPUTS: [&str; 3] = ["format", PROGRAM, "rustfmt.toml"];

const HEAD: &str = "// Written by `cargo xtask codegen` from format/*.fbs. Do not edit.";

/// `cargo xtask codegen [--check]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = parse_check(args)?;
    let root = root();
    if mode == Mode::Check {
        check_stamps(&root)?;
    }
    let build = docs::target()?;
    let folder = build.join("codegen");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::io(folder.display(), &error))?;
    let mut program = cargo_command(&root);
    program.args(["run", "--quiet", "--manifest-path", &format!("{PROGRAM}/Cargo.toml"), "--target-dir"]);
    program.arg(build).arg("--").arg(&folder);
    let status = program.status().map_err(|error| Failure::io(PROGRAM, &error))?;
    if !status.success() {
        return Err(Failure::new(format!("{PROGRAM} ended with {status}")));
    }
    // After the program has run, since Cargo may write its lock file.
    let inputs = checksum_of_inputs(&root)?;
    for (path, name) in OUTPUTS.into_iter().zip(NAMES) {
        put(&root, path, &stamped(inputs, &read(&folder, name)?), mode)?;
    }
    Ok(())
}

/// Writes a file, or checks that it has the content that would be written.
fn put(root: &Path, path: &str, wanted: &str, mode: Mode) -> Outcome {
    // A missing file is as stale as one that differs.
    if std::fs::read_to_string(root.join(path)).is_ok_and(|found| found == wanted) {
        println!("{path} is up to date.");
        return Ok(());
    }
    match mode {
        Mode::Check => {
            Err(Failure::new(format!("{path} does not match format/*.fbs: run `cargo xtask codegen`.")))
        }
        Mode::Write => {
            std::fs::write(root.join(path), wanted).map_err(|error| Failure::io(path, &error))?;
            println!("{path} written.");
            Ok(())
        }
    }
}

/// Adds the two lines of comments with checksums to generated code.
fn stamped(inputs: u32, code: &str) -> String {
    format!("{HEAD}\n{}\n\n{code}", stamp(inputs, code))
}

fn stamp(inputs: u32, code: &str) -> String {
    format!(
        "// CRC-32 of the schemas and the generator: {inputs:08x}, of the code below: {:08x}.",
        crc32(code.as_bytes())
    )
}

/// Compares the checksums in the generated files. The generator is not needed, which takes a minute to build.
pub(crate) fn check_stamps(root: &Path) -> Outcome {
    let inputs = checksum_of_inputs(root)?;
    for path in OUTPUTS {
        let verdict = check_stamp(inputs, &read(root, path)?);
        verdict.map_err(|what| Failure::new(format!("{path} {what}: run `cargo xtask codegen`.")))?;
    }
    Ok(())
}

/// Checks that a generated file has the required checksums. The error is what is wrong with it.
fn check_stamp(inputs: u32, text: &str) -> Result<(), &'static str> {
    let parts = text.strip_prefix(HEAD).and_then(|rest| rest.trim_start_matches('\n').split_once("\n\n"));
    let Some((found, code)) = parts else {
        return Err("has no line of checksums");
    };
    let own = |stamp: &str| stamp.rsplit_once(", ").map(|(_, own)| own.to_owned());
    let wanted = stamp(inputs, code);
    if own(found) != own(&wanted) {
        return Err("was edited");
    }
    if found == wanted { Ok(()) } else { Err("is older than the schemas or the generator") }
}

/// One checksum of the names and contents of all files from which code is generated.
fn checksum_of_inputs(root: &Path) -> Result<u32, Failure> {
    let mut bytes = Vec::new();
    for input in INPUTS {
        let path = root.join(input);
        let names = if path.is_dir() { files_below(&path)? } else { vec![String::new()] };
        for name in names.into_iter().filter(|name| !name.ends_with(".md")) {
            let text = read(root, format!("{input}/{name}").trim_end_matches('/'))?;
            // Lengths, so that bytes cannot wander from one file to the next.
            bytes.extend(format!("{input}/{name} {}\n{text}", text.len()).into_bytes());
        }
    }
    Ok(crc32(&bytes))
}

fn read(folder: &Path, name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(folder.join(name)).map_err(|error| Failure::io(name, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_generated_is_fresh() {
        check_stamps(&root()).expect("the checksums fit");
    }

    #[test]
    fn stale_and_edited_files_are_found() {
        let text = stamped(7, "struct A;\n\nstruct B;\n");
        assert_eq!(check_stamp(7, &text), Ok(()));
        assert_eq!(check_stamp(8, &text), Err("is older than the schemas or the generator"));
        assert_eq!(check_stamp(7, &text.replace("struct B", "struct C")), Err("was edited"));
        assert_eq!(check_stamp(7, &text.replace(HEAD, "")), Err("has no line of checksums"));
        assert_eq!(check_stamp(7, HEAD), Err("has no line of checksums"));
    }
}
