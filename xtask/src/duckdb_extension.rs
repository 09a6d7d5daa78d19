//! Makes the extension of DuckDB: the library of `arrow-duckdb`, and after it the metadata that DuckDB looks for.

use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::fs;
use std::path::PathBuf;

use crate::command::execute;
use crate::failure::{Failure, Outcome};
use crate::package::folder_and_profile;
use crate::{cargo_command, reproducible, root};

/// The name of the file: DuckDB calls the entry point of this name.
const NAME: &str = "arrow_ipc.duckdb_extension";

/// The oldest version of DuckDB's C interface that has all functions which the extension calls.
const INTERFACE: &str = "v1.5.6";

/// `cargo xtask duckdb-extension [FOLDER] [PROFILE]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let (folder, profile) = folder_and_profile(args, "duckdb-extension", "release")?;
    let platform = platform(OS, ARCH)?;
    let root = root();
    let home = root.join("crates/arrow-duckdb");
    let build = ["build", "--profile", profile, "--manifest-path", "crates/arrow-duckdb/Cargo.toml"];
    // What is tested is built together with other things.
    let built = if profile == "dev" {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| home.join("target"), PathBuf::from);
        execute(cargo_command(&root).args(build).arg("--target-dir").arg(&target))?;
        target.join("debug")
    } else {
        execute(reproducible::cargo(&root)?.args(build))?;
        reproducible::built(profile)?
    };
    let library = built.join(format!("{DLL_PREFIX}arrow_duckdb{DLL_SUFFIX}"));
    if profile != "dev" {
        reproducible::check(&root, std::slice::from_ref(&library))?;
    }
    let mut bytes = fs::read(&library).map_err(|error| Failure::io(library.display(), &error))?;
    bytes.extend(metadata(platform, env!("CARGO_PKG_VERSION")));
    let path = folder.join(NAME);
    fs::create_dir_all(&folder).map_err(|error| Failure::io(folder.display(), &error))?;
    // Not in place: a process that has loaded the file would lose what it maps.
    let new = path.with_extension("new");
    fs::write(&new, &bytes).map_err(|error| Failure::io(new.display(), &error))?;
    fs::rename(&new, &path).map_err(|error| Failure::io(path.display(), &error))?;
    println!("{:>10} {}", bytes.len(), path.display());
    Ok(())
}

/// What DuckDB calls a platform.
fn platform(os: &str, arch: &str) -> Result<&'static str, Failure> {
    match (os, arch) {
        ("linux", "x86_64") => Ok("linux_amd64"),
        ("linux", "aarch64") => Ok("linux_arm64"),
        ("macos", "x86_64") => Ok("osx_amd64"),
        ("macos", "aarch64") => Ok("osx_arm64"),
        ("windows", "x86_64") => Ok("windows_amd64"),
        _ => Err(Failure::new(format!("DuckDB has no name for {os} on {arch} that is known here"))),
    }
}

/// A custom section of WebAssembly, whatever the platform is: its header, eight fields of 32 bytes, which are written from the last
/// to the first, and room for a signature of 256 bytes.
fn metadata(platform: &str, version: &str) -> Vec<u8> {
    let mut bytes = vec![0, 0x93, 0x04, 0x10];
    bytes.extend(b"duckdb_signature");
    bytes.extend([0x80, 0x04]);
    // The last is the version of this layout.
    for field in ["", "", "", "C_STRUCT", &format!("v{version}"), INTERFACE, platform, "4"] {
        let mut field = field.as_bytes().to_vec();
        field.resize(32, 0);
        bytes.extend(field);
    }
    bytes.resize(bytes.len() + 256, 0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_has_the_length_that_it_states() {
        let bytes = metadata("linux_amd64", "0.1.0");
        // Two numbers of variable length: of the whole section, and of its content.
        let number = |at: usize| usize::from(bytes[at] & 0x7f) + (usize::from(bytes[at + 1]) << 7);
        assert_eq!(number(1), bytes.len() - 3);
        assert_eq!(number(20), 512);
        assert_eq!(bytes.len(), 22 + 512);
        assert_eq!(&bytes[22 + 6 * 32..][..11], b"linux_amd64");
    }

    #[test]
    fn platforms_have_a_name() {
        assert!(platform("plan9", "mips").is_err());
    }
}
