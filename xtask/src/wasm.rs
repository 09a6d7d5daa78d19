//! Builds the modules of WebAssembly into the npm package in `js`, checks their size, makes the page `js/viewer/viewer.html`, and
//! runs the tests of the package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{Done, announce, entries, execute, is_there};
use crate::failure::{Failure, Outcome};
use crate::third_party::notices;
use crate::{reproducible, root};

const TARGET: &str = "wasm32-unknown-unknown";

/// A module: where it is in the package, the features of the crate, and the greatest length after `gzip -9`. That is about a twelfth more
/// than it has, since the version of gzip counts, too. With the sources of the standard library, modules are a tenth shorter. The last
/// one is that of the page.
const MODULES: [(&str, &str, u64); 3] = [
    ("wasm/read.wasm", "", 290_000),
    ("wasm/full.wasm", "full", 950_000),
    ("viewer/viewer.wasm", "recover", 1_100_000),
];

/// With the sources of the standard library, it is made small, too, and a panic has no text. Both need `RUSTC_BOOTSTRAP`.
const SMALL_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
const SMALL_PANICS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";

/// `cargo xtask wasm`
pub(crate) fn run(args: &[String]) -> Outcome {
    if !args.is_empty() {
        return Err(Failure::usage("wasm takes no arguments"));
    }
    match build_and_test(&root())? {
        Done::Skipped(why) => Err(Failure::skipped(why)),
        Done::Passed | Done::Tested(_) => Ok(()),
    }
}

/// Beside the modules: the licences of the crates in them.
pub(crate) const NOTICES: &str = "THIRD-PARTY.txt";

/// The page that shows files.
pub(crate) const PAGE: &str = "js/viewer/viewer.html";

/// Builds the modules and the page, and runs the tests of the package.
pub(crate) fn build_and_test(root: &Path) -> Result<Done, Failure> {
    match build(root)? {
        Done::Passed | Done::Tested(_) => test(&root.join("js")),
        skipped @ Done::Skipped(_) => Ok(skipped),
    }
}

/// Builds the modules, and makes the page if Node is there.
pub(crate) fn build(root: &Path) -> Result<Done, Failure> {
    if !has_target(root) {
        return Ok(Done::Skipped(
            "no target wasm32-unknown-unknown: `rustup target add wasm32-unknown-unknown` gets it",
        ));
    }
    let package = root.join("js");
    let folder = package.join("wasm");
    fs::create_dir_all(&folder).map_err(|error| Failure::io(folder.display(), &error))?;
    let has_sources = has_sources(root);
    if !has_sources {
        println!(
            "without the sources of the standard library, modules are larger: `rustup component add rust-src` gets them"
        );
    }
    let target = reproducible::built("wasm")?;
    for (name, features, most) in MODULES {
        let mut command = reproducible::cargo(root)?;
        command.args(["build", "--release", "--target", TARGET, "--features", features]);
        command.args(["--manifest-path", "crates/arrow-ipc-wasm/Cargo.toml", "--target-dir"]);
        command.arg(&target);
        if has_sources {
            command.args(SMALL_STD).env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", SMALL_PANICS);
        }
        execute(&mut command)?;
        let built = target.join(TARGET).join("release/arrow_ipc_wasm.wasm");
        let module = package.join(name);
        reproducible::check(root, std::slice::from_ref(&built))?;
        fs::copy(&built, &module).map_err(|error| Failure::io(built.display(), &error))?;
        check_size(&module, most)?;
    }
    let selected = ["--features", "full", "--target", TARGET];
    let notices = notices(root, "crates/arrow-ipc-wasm/Cargo.toml", &selected)?;
    let file = folder.join(NOTICES);
    fs::write(&file, notices).map_err(|error| Failure::io(file.display(), &error))?;
    if !is_there(Command::new("node").arg("--version")) {
        return Ok(Done::Skipped(
            "the modules are built, but there is no Node (`node`), which makes the page and runs the tests",
        ));
    }
    execute(Command::new("node").arg("viewer/build.mjs").current_dir(package))
}

/// Whether the standard library for WebAssembly is there.
fn has_target(root: &Path) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]).current_dir(root).stderr(Stdio::null());
    let Ok(output) = rustc.output() else { return false };
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    output.status.success() && folder.is_dir()
}

/// Whether the sources of the standard library are there.
fn has_sources(root: &Path) -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root).output();
    output.is_ok_and(|output| {
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        sysroot.join("lib/rustlib/src/rust/library/std").is_dir()
    })
}

/// Checks how many bytes are downloaded.
fn check_size(module: &Path, most: u64) -> Result<(), Failure> {
    let mut gzip = Command::new("gzip");
    gzip.args(["-9", "-n", "-c"]).arg(module).stderr(Stdio::inherit());
    let Ok(output) = gzip.output() else {
        println!("SKIPPED the size of {}: no gzip", module.display());
        return Ok(());
    };
    let whole = module.metadata().map_err(|error| Failure::io(module.display(), &error))?.len();
    let found = output.stdout.len() as u64;
    println!("{}: {whole} bytes, {found} after gzip -9, allowed are {most}", module.display());
    if found > most {
        return Err(Failure::new(format!("{} is too large: see js/README.md", module.display())));
    }
    Ok(())
}

/// What the tests need of npm: packages to compare with, and the compiler of types.
const NEEDED: [&str; 2] = ["apache-arrow", "typescript"];

/// The settings under which a program that uses all names is compiled.
const TYPE_CHECKS: [&str; 2] = ["test/types/tsconfig.bundler.json", "test/types/tsconfig.node16.json"];

/// Runs the tests with Node. Those that compare with the package apache-arrow, and the compiler of types, need `npm`.
fn test(package: &Path) -> Result<Done, Failure> {
    let modules = package.join("node_modules");
    if NEEDED.iter().any(|name| !modules.join(name).is_dir()) {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(package);
        announce(&npm);
        if !is_there(&mut npm) {
            println!("SKIPPED comparisons with apache-arrow, and types: `npm ci` in js failed");
        }
    }
    let compiler = modules.join("typescript/bin/tsc");
    for settings in TYPE_CHECKS.into_iter().filter(|_| compiler.is_file()) {
        execute(Command::new("node").arg(&compiler).args(["-p", settings]).current_dir(package))?;
    }
    // By their names: what the name of a folder means depends on the version of Node.
    let tests = entries(&package.join("test"))?.into_iter();
    let tests = tests.filter(|path| path.to_string_lossy().ends_with(".test.js"));
    execute(Command::new("node").args(["--test", "--test-reporter=dot"]).args(tests).current_dir(package))
}
