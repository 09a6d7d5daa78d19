//! Checks that the libraries compile with the oldest version of each dependency that the manifest allows.
//!
//! `Cargo.lock` has the newest versions; `testing/oldest/Cargo.lock` has the oldest. The task builds a copy of the
//! workspace with the latter.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::tree::files_below;
use crate::{cargo_command, root};

/// The lock file of the copy, as a path in the repository.
const LOCK: &str = "testing/oldest/Cargo.lock";

/// The folder of the copy. Its build output is in `target` below this folder.
const COPY: &str = "target/oldest";

const HOW_TO_WRITE: &str = "testing/oldest/README.md says how to write testing/oldest/Cargo.lock again";

/// `cargo xtask oldest`
pub(crate) fn run(args: &[String]) -> Outcome {
    if !args.is_empty() {
        return Err(Failure::usage("oldest takes no arguments"));
    }
    let root = root();
    let copy = root.join(COPY);
    copy_sources(&root, &copy)?;
    compare_versions(&read(&root.join("Cargo.toml"))?, &read(&root.join(LOCK))?)?;
    let mut command = cargo_command(&copy);
    command.args(
        "check --locked --all-features -p fletching-arrow-ipc -p fletching-arrow-ipc-async -p fletching-arrow-ipc-tools -p fletching-arrow-text -p fletching-arrow-serde -p fletching-arrow-array"
            .split(' '),
    );
    // What the environment says of folders is for the other build.
    let status = command.arg("--target-dir").arg(copy.join("target")).status();
    if !status.map_err(|error| Failure::io("cargo check", &error))?.success() {
        let lines =
            ["the libraries do not compile with the oldest versions that Cargo.toml allows", HOW_TO_WRITE];
        return Err(Failure { status: 1, lines: lines.map(str::to_owned).to_vec() });
    }
    Ok(())
}

/// Copies the manifests and sources of the workspace, and the lock file with the oldest versions, to `copy`. Files that
/// are equal already are not written: cargo decides by their modification times what to build again.
fn copy_sources(root: &Path, copy: &Path) -> Result<(), Failure> {
    let wanted: BTreeSet<String> = files_below(root)?.into_iter().filter(|path| is_source(path)).collect();
    fs::create_dir_all(copy).map_err(|error| Failure::io(COPY, &error))?;
    for path in files_below(copy)?.iter().filter(|path| !wanted.contains(*path)) {
        fs::remove_file(copy.join(path)).map_err(|error| Failure::io(path, &error))?;
    }
    for path in &wanted {
        copy_file(&root.join(path), &copy.join(path))?;
    }
    copy_file(&root.join(LOCK), &copy.join("Cargo.lock"))
}

/// Whether a file is needed to build the libraries or to read the manifests.
fn is_source(path: &str) -> bool {
    let is_member = ["crates/", "xtask/", "testing/"].iter().any(|folder| path.starts_with(folder));
    let is_apart = [
        "xtask/codegen/",
        "testing/corpus/",
        "testing/engines/",
        "testing/fuzz/",
        "testing/peers/",
        "testing/python/",
        "testing/remote/",
    ];
    let is_apart = is_apart.iter().any(|folder| path.starts_with(folder));
    let endings = [".rs", ".toml", ".md", ".html", ".css", ".js"];
    let is_read = endings.iter().any(|ending| path.ends_with(ending));
    path == "Cargo.toml" || is_member && !is_apart && is_read
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Failure> {
    let bytes = fs::read(from).map_err(|error| Failure::io(from.display(), &error))?;
    if fs::read(to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = to.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(to, bytes)).map_err(|error| Failure::io(to.display(), &error))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::io(path.display(), &error))
}

/// Checks that the lock file has the oldest versions that the manifest allows. Otherwise the build proves nothing about
/// these.
fn compare_versions(manifest: &str, lock: &str) -> Result<(), Failure> {
    let locked = locked_versions(lock);
    let missing = oldest_versions(manifest).into_iter().filter(|it| !locked.contains(it));
    let mut lines: Vec<String> =
        missing.map(|(name, version)| format!("{LOCK} does not have {name} {version}")).collect();
    if lines.is_empty() {
        return Ok(());
    }
    lines.push(HOW_TO_WRITE.to_owned());
    Err(Failure { status: 1, lines })
}

/// The name and the oldest version of each dependency in `[workspace.dependencies]` that has a version. The version has
/// three numbers.
fn oldest_versions(manifest: &str) -> Vec<(String, String)> {
    let lines = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let entries = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "));
    let versions = entries.filter_map(|(name, value)| {
        let text = value.strip_prefix("{ version = ").or_else(|| value.starts_with('"').then_some(value))?;
        Some((name.to_owned(), oldest(text.split('"').nth(1)?)))
    });
    versions.collect()
}

/// The oldest version that a requirement allows: `1.25` means `1.25.0`; of `>=0.13, <0.15`, only the first part is used.
fn oldest(requirement: &str) -> String {
    let first = requirement.split(',').next().unwrap_or_default();
    let numbers = first.trim_start_matches(['>', '=', '^', '~', ' ']).trim_end();
    let n_missing = 2_usize.saturating_sub(numbers.matches('.').count());
    format!("{numbers}{}", ".0".repeat(n_missing))
}

/// Name and version of each package in a lock file.
fn locked_versions(lock: &str) -> BTreeSet<(String, String)> {
    let packages = lock.split("[[package]]").skip(1);
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
        Some(line.trim_matches('"').to_owned())
    };
    packages.filter_map(|package| Some((value(package, "name")?, value(package, "version")?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_file_has_the_oldest_versions() {
        let text = |path: &str| read(&root().join(path)).expect("the repository is there");
        let manifest = text("Cargo.toml");
        assert!(oldest_versions(&manifest).len() > 20, "{manifest}");
        compare_versions(&manifest, &text(LOCK)).expect("both fit");
    }

    #[test]
    fn later_version_in_the_lock_file_is_found() {
        let manifest = "[workspace]\nresolver = \"3\"\n[workspace.dependencies]\nours = { path = \"ours\" }\n\
                        # why\na = \"1.25\"\nb = { version = \">=0.13, <0.15\", default-features = false }\n[profile.dev]\n";
        let lock = |a: &str| {
            let package =
                |name, version| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\n");
            format!("version = 4\n\n{}{}{}", package("a", a), package("b", "0.14.3"), package("b", "0.13.0"))
        };
        assert!(compare_versions(manifest, &lock("1.25.0")).is_ok());
        let failure = compare_versions(manifest, &lock("1.25.1")).expect_err("it is not the oldest");
        assert_eq!(failure.lines, ["testing/oldest/Cargo.lock does not have a 1.25.0", HOW_TO_WRITE]);
    }

    #[test]
    fn copy_has_what_members_are_built_from() {
        for path in ["Cargo.toml", "crates/a/src/lib.rs", "crates/a/src/a.js", "testing/support/Cargo.toml"] {
            assert!(is_source(path), "{path}");
        }
        for path in ["Cargo.lock", "testing/corpus/README.md", "testing/peers/Cargo.toml", "crates/a/a.snap"]
        {
            assert!(!is_source(path), "{path}");
        }
    }
}
