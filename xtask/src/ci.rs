//! The checks that must pass before a change is merged, in order, the fastest first. `.ci/run` runs this task. `--all`
//! adds slower checks: builds with other features, memory checks, and tests with other implementations.
//!
//! Steps share build results. So few steps select features of their own, since these need a complete rebuild. Separate
//! workspaces use the same target folder and profile, so that foreign crates are built once.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{self, Done, announce, cargo, cargo_test, execute, is_there, light_features};
use crate::failure::{Failure, Outcome};
use crate::{
    Mode, cargo_command, corpus, count, docs, hunt, oldest, release_archive, reproducible, root, tidy, wasm,
};

/// The greatest number of foreign crates that each of our crates may depend on, with the named features. README.md and
/// DEPENDENCIES.md have these numbers.
const MAX_FOREIGN_CRATES: [(&str, usize); 3] = [
    ("-p fletching-arrow-ipc --no-default-features", 2),
    ("-p fletching-arrow-ipc --features default", 8),
    ("-p fletching-arrow-ipc-async", 5),
];

/// A step: its name in arguments and in the output, and what it does.
struct Step {
    name: &'static str,
    headline: &'static str,
    run: fn(&Path) -> Result<Done, Failure>,
}

/// The steps before each change.
const STEPS: &[Step] = &[
    Step { name: "format", headline: "format", run: |root| cargo(root, "fmt --all --check") },
    Step { name: "tidy", headline: "tidy", run: |_| passed(tidy::run(&[])) },
    Step {
        name: "corpus",
        headline: "corpus is as listed",
        run: |_| passed(corpus::run(&["--check".to_owned()])),
    },
    Step { name: "dependencies", headline: "number of dependencies", run: count_dependencies },
    Step { name: "licenses", headline: "licenses and sources", run: check_licenses },
    Step { name: "lints", headline: "lints", run: lint },
    Step { name: "tests", headline: "tests", run: |root| cargo_test(root, "--workspace") },
    Step {
        name: "c-quick",
        headline: "the C interface from C",
        run: |root| command::script(root, &["testing/c/run.sh", "--quick"]),
    },
    Step { name: "docs", headline: "documentation", run: |_| passed(docs::check()) },
];

/// The steps that `--all` adds after these.
const MORE_STEPS: &[Step] = &[
    Step { name: "npm", headline: "the npm package", run: wasm::build_and_test },
    Step { name: "fuzz", headline: "the fuzz programs compile", run: hunt::check_fuzz_programs },
    Step { name: "peers", headline: "tests with other implementations", run: test_peers },
    Step { name: "valgrind", headline: "tests under valgrind", run: test_under_valgrind },
    Step {
        name: "count",
        headline: "instructions and allocations",
        run: |root| count::count(root, Mode::Check),
    },
    Step { name: "lints-no-features", headline: "lints without features", run: lint_without_features },
    Step { name: "tests-no-features", headline: "tests without features", run: test_without_features },
    Step {
        name: "tests-other-features",
        headline: "tests with other features",
        run: test_with_other_features,
    },
    Step { name: "oldest-rust", headline: "oldest Rust", run: check_with_oldest_rust },
    Step { name: "oldest-dependencies", headline: "oldest dependencies", run: |_| passed(oldest::run(&[])) },
    Step { name: "remote", headline: "tests of remote files", run: test_remote },
    Step { name: "datafusion", headline: "tests with arrow-rs and DataFusion", run: test_adapters },
    Step {
        name: "c",
        headline: "tests of the C interface",
        run: |root| command::script(root, &["testing/c/run.sh"]),
    },
    Step {
        name: "python-readers",
        headline: "tests with Python",
        run: |root| run_python(root, "testing/python/run.sh"),
    },
    Step {
        name: "python",
        headline: "tests of the Python package",
        run: |root| run_python(root, "python/test.sh"),
    },
    Step {
        name: "engines",
        headline: "tests with engines",
        run: |root| run_python(root, "testing/engines/run.sh"),
    },
    Step {
        name: "duckdb",
        headline: "tests of the extension of DuckDB",
        run: |root| run_python(root, "testing/engines/duckdb/run.sh"),
    },
    Step { name: "packages", headline: "packages", run: check_packages },
    Step {
        name: "reproducible",
        headline: "same bytes in every folder",
        run: |_| passed(reproducible::compare_two_folders()),
    },
    Step { name: "size", headline: "size of the program", run: check_size },
    Step { name: "archive", headline: "archive of the program", run: |_| passed(release_archive::run(&[])) },
];

/// `cargo xtask ci [--all] [--from STEP] [STEP…]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let steps = plan(args)?;
    let root = root();
    let mut summary = Vec::new();
    let mut results = Vec::new();
    let mut outcome = Ok(());
    for (idx, step) in steps.iter().enumerate() {
        println!("\n==> {}/{} {}", idx + 1, steps.len(), step.headline);
        let start = Instant::now();
        let result = (step.run)(&root);
        let verdict = match &result {
            Ok(Done::Passed | Done::Tested(_)) => "passed".to_owned(),
            Ok(Done::Skipped(why)) => format!("SKIPPED: {why}"),
            Err(_) => "FAILED".to_owned(),
        };
        let line = show_verdict(step.headline, &verdict, start.elapsed());
        println!("{line}");
        summary.push(line);
        match result {
            Ok(Done::Tested(lines)) => {
                results.extend(lines.into_iter().map(|line| format!("{}: {line}", step.headline)));
            }
            Ok(_) => {}
            Err(failure) => {
                eprint!("{failure}");
                let line = format!("Stopped at {}. To go on there: --from {}.", step.headline, step.name);
                outcome = Err(Failure { status: failure.status, lines: vec![line] });
                break;
            }
        }
    }
    println!("\n==> Summary");
    summary.iter().for_each(|line| println!("{line}"));
    let not_run = steps.iter().skip(summary.len());
    not_run.for_each(|step| println!("{}", show_verdict(step.headline, "not run", Duration::ZERO)));
    println!("\n==> Results of the tests");
    results.iter().for_each(|line| println!("{line}"));
    outcome
}

/// The steps that the arguments ask for: those that are named, or all from one on.
fn plan(args: &[String]) -> Result<Vec<&'static Step>, Failure> {
    let find = |name: &str| STEPS.iter().chain(MORE_STEPS).position(|step| step.name == name);
    let unknown = |name: &str| {
        let names: Vec<&str> = STEPS.iter().chain(MORE_STEPS).map(|step| step.name).collect();
        Failure::usage(format!("{name} is not a step; these are: {}", names.join(", ")))
    };
    let (mut is_all, mut from, mut named) = (false, 0, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--all" => is_all = true,
            "--from" => {
                let name = args.next().ok_or_else(|| Failure::usage("--from takes the name of a step"))?;
                from = find(name).ok_or_else(|| unknown(name))?;
            }
            name => named.push(find(name).ok_or_else(|| unknown(name))?),
        }
    }
    // Whoever begins with a step of `--all` asks for these.
    let n_more = if is_all || from >= STEPS.len() { MORE_STEPS.len() } else { 0 };
    let steps = STEPS.iter().chain(MORE_STEPS).enumerate();
    let is_wanted = |idx: &usize| {
        if named.is_empty() { (from..STEPS.len() + n_more).contains(idx) } else { named.contains(idx) }
    };
    Ok(steps.filter(|(idx, _)| is_wanted(idx)).map(|(_, step)| step).collect())
}

fn show_verdict(headline: &str, verdict: &str, time: Duration) -> String {
    format!("{:>8.1} s  {headline:<34} {verdict}", time.as_secs_f64())
}

fn passed(outcome: Outcome) -> Result<Done, Failure> {
    outcome.map(|()| Done::Passed)
}

/// Lints all crates.
fn lint(root: &Path) -> Result<Done, Failure> {
    let features = light_features(root)?;
    cargo(root, &format!("clippy --workspace --all-targets --features {features} -- -D warnings"))
}

/// Lints the libraries without features: each must build without warnings. `arrow-ipc` is linted alone, since the other
/// crates turn on its feature for files.
fn lint_without_features(root: &Path) -> Result<Done, Failure> {
    let libraries = "-p fletching-arrow -p fletching-arrow-buffer -p fletching-arrow-data -p fletching-arrow-select -p fletching-arrow-array -p fletching-arrow-compute -p fletching-arrow-text -p fletching-arrow-serde -p fletching-arrow-ipc -p fletching-arrow-ipc-c -p fletching-arrow-ipc-tools";
    cargo(root, &format!("clippy {libraries} --no-default-features -- -D warnings"))?;
    cargo(root, "clippy -p fletching-arrow-ipc --no-default-features -- -D warnings")
}

/// Options for builds whose tests run once. They are not optimised, since optimisation takes longer than it saves.
const UNOPTIMISED: &str = "--config profile.test.opt-level=0 --config profile.test.incremental=false";

/// Tests crates one by one, since the features of crates that are built together are united. Without memory maps, the
/// tests of `arrow-ipc` that measure memory see all of it. Without optimisation, the deepest types take the most stack.
/// Long tests that do not depend on features run only in the main build.
fn test_without_features(root: &Path) -> Result<Done, Failure> {
    let tests = "-p fletching-arrow-buffer -p fletching-arrow-ipc --no-default-features --lib --test it";
    let skipped = "--skip mutated:: --skip verified:: --skip write_ --skip damage:: \
                   --skip append:: --skip hostile::crafted --skip hostile::unknown_types";
    cargo_test(root, &format!("{UNOPTIMISED} {tests} -- {skipped}"))
}

/// Tests the codecs without threads, which must give the same results as with threads. Also tests with a feature that any
/// crate of a program may turn on for all crates.
fn test_with_other_features(root: &Path) -> Result<Done, Failure> {
    let text = "-p fletching-arrow-text --features json,serde_json/arbitrary_precision --test it rows::";
    cargo_test(root, &format!("{UNOPTIMISED} {text}"))?;
    cargo_test(root, &format!("{UNOPTIMISED} -p fletching-arrow --no-default-features --test tensors"))?;
    let units = "-p fletching-arrow-ipc --no-default-features --features lz4,zstd --lib";
    cargo_test(root, &format!("{UNOPTIMISED} {units} -- compression::"))
}

/// Compiles the libraries with the oldest Rust that their manifests allow.
fn check_with_oldest_rust(root: &Path) -> Result<Done, Failure> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))
        .map_err(|error| Failure::io("Cargo.toml", &error))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.ok_or_else(|| Failure::new("Cargo.toml has no `rust-version`"))?;
    if !is_there(Command::new("rustup").args(["run", version, "cargo", "--version"])) {
        return Ok(Done::Skipped("no such toolchain: `rustup toolchain install` gets it"));
    }
    // A folder of its own, since another compiler writes other results.
    let check = "cargo check --target-dir target/oldest-rust --all-features -p fletching-arrow -p fletching-arrow-ipc-async \
                 -p fletching-arrow-ipc-report -p fletching-arrow-ipc-tools";
    execute(Command::new("rustup").args(["run", version]).args(check.split(' ')).current_dir(root))
}

/// Counts dependencies, so that programs that only move Arrow data need few crates.
fn count_dependencies(root: &Path) -> Result<Done, Failure> {
    for (package, allowed) in MAX_FOREIGN_CRATES {
        let mut command = cargo_command(root);
        command.args(format!("tree -e normal {package} --prefix none").split(' '));
        announce(&command);
        let output =
            command.stderr(Stdio::inherit()).output().map_err(|error| Failure::io("cargo tree", &error))?;
        if !output.status.success() {
            return Err(Failure::new(format!("`cargo tree` ended with {}", output.status)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let foreign = foreign_crates(&text);
        println!("{} foreign crates, allowed are {allowed}: {}", foreign.len(), join(&foreign));
        if foreign.len() > allowed {
            return Err(Failure::new(format!("{package} has too many: see docs/DEPENDENCIES.md")));
        }
    }
    Ok(Done::Passed)
}

/// Makes the packages that would be published, and compiles each from what it contains. Packages are made of what is
/// committed.
fn check_packages(root: &Path) -> Result<Done, Failure> {
    let excluded: String = docs::UNPUBLISHED.iter().map(|name| format!(" --exclude {name}")).collect();
    cargo(root, &format!("package --workspace{excluded}"))
}

/// The greatest size of the installed program, a twentieth more than it has. If it is exceeded, find the cause first, as
/// `testing/python/RESULTS.md` describes.
const MAX_PROGRAM_BYTES: u64 = 7_800_000;

/// Builds the program as it is installed, which takes some minutes, and checks its size.
fn check_size(root: &Path) -> Result<Done, Failure> {
    let program = release_archive::build(root, "dist")?;
    let metadata = program.metadata().map_err(|error| Failure::io("the program", &error))?;
    let found = metadata.len();
    println!("{found} bytes, allowed are {MAX_PROGRAM_BYTES}");
    if found > MAX_PROGRAM_BYTES {
        return Err(Failure::new(format!("the program has {found} bytes: see testing/python/RESULTS.md")));
    }
    Ok(Done::Passed)
}

/// The crates in the output of `cargo tree` that come from a registry. Lines of our own crates end with a folder.
fn foreign_crates(tree: &str) -> BTreeSet<&str> {
    let lines = tree.lines().filter(|line| !line.is_empty() && !line.contains("(/") && !line.contains(":\\"));
    lines.map(|line| line.split(" (").next().unwrap_or(line)).collect()
}

fn join(words: &BTreeSet<&str>) -> String {
    words.iter().copied().collect::<Vec<_>>().join(", ")
}

/// Checks licenses, duplicates and sources of all dependencies by `deny.toml`. Advisories are not checked, since they
/// need a network.
fn check_licenses(root: &Path) -> Result<Done, Failure> {
    if !is_there(cargo_command(root).args(["deny", "--version"])) {
        return Ok(Done::Skipped("no cargo-deny"));
    }
    cargo(root, "deny --log-level error check bans licenses sources")?;
    for manifest in [
        "crates/arrow-duckdb/Cargo.toml",
        "crates/arrow-ipc-wasm/Cargo.toml",
        "python/Cargo.toml",
        "testing/engines/datafusion/Cargo.toml",
        "testing/remote/Cargo.toml",
        "xtask/codegen/Cargo.toml",
    ] {
        let check = format!("deny --manifest-path {manifest} --log-level error check --config deny.toml");
        cargo(root, &format!("{check} bans licenses sources"))?;
    }
    Ok(Done::Passed)
}

/// Runs the tests of the crates that use `unsafe`, and of the builders, under valgrind. It finds reads of uninitialised
/// bytes and, for structures of the C interfaces, reads past the end, double releases and leaks.
fn test_under_valgrind(root: &Path) -> Result<Done, Failure> {
    if !is_there(Command::new("valgrind").arg("--version")) {
        return Ok(Done::Skipped("no valgrind"));
    }
    // The binaries of the tests, as the whole workspace builds them. Only three crates have such tests, and valgrind takes a second to start each of the others. What follows `--` is for `arrow-array`; of `arrow-buffer` all tests are run, of
    // structures of C all but the mutated ones, and leaks are looked for.
    let runner = r#"target."cfg(all())".runner=["sh", "-c", "memcheck='valgrind --quiet --error-exitcode=9'; case $CARGO_PKG_NAME in fletching-arrow-buffer) exec $memcheck \"$1\" ;; fletching-arrow-array) exec $memcheck \"$@\" ;; fletching-arrow-c-data) exec $memcheck --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \"$1\" --skip mutated:: ;; esac", "valgrind"]"#;
    let mut command = cargo_command(root);
    let tests = "--workspace --exclude fletching-arrow-ipc --lib --test it -- builders:: --skip little_is_forgotten_in_little_time";
    command.args(["test", "--config", runner]).args(tests.split(' '));
    // Random cases are slow there; a few of each suffice, since every test looks at many lengths and offsets.
    match command::test(command.env("PROPTEST_CASES", "16"))? {
        // Unit tests and others of two crates, the others of one.
        Done::Tested(results) if results.len() == 5 => Ok(Done::Tested(results)),
        _ => Err(Failure::new("valgrind ran another number of test binaries than five")),
    }
}

/// Tests against other implementations, in a separate workspace.
fn test_peers(root: &Path) -> Result<Done, Failure> {
    if !root.join("testing/peers/Cargo.toml").exists() {
        return Ok(Done::Skipped("testing/peers is not there"));
    }
    let mut command = cargo_command(root);
    command.args(["test", "--workspace", "--manifest-path", "testing/peers/Cargo.toml", "--target-dir"]);
    command::test(command.arg(docs::target()?).env("INSTA_UPDATE", "no"))
}

/// Tests object stores, servers with faults, and the program with URLs, in a separate workspace.
fn test_remote(root: &Path) -> Result<Done, Failure> {
    if !root.join("testing/remote/run.sh").exists() {
        return Ok(Done::Skipped("testing/remote is not there"));
    }
    command::script(root, &["testing/remote/run.sh"])
}

/// Lints and tests the adapters to arrow-rs and DataFusion, in a separate workspace.
fn test_adapters(root: &Path) -> Result<Done, Failure> {
    const MANIFEST: &str = "testing/engines/datafusion/Cargo.toml";
    if !root.join(MANIFEST).exists() {
        return Ok(Done::Skipped("testing/engines/datafusion is not there"));
    }
    if !is_there(cargo_command(root).args(["fetch", "--quiet", "--locked", "--manifest-path", MANIFEST])) {
        return Ok(Done::Skipped("the crates of testing/engines/datafusion cannot be had"));
    }
    let adapters = "-p fletching-arrow-datafusion -p arrow-datafusion-query -p fletching-arrow-rs-adapter";
    cargo(root, &format!("fmt --manifest-path {MANIFEST} {adapters} --check"))?;
    let mut command = cargo_command(root);
    // As in testing/remote: lints, pages and tests are one build.
    command.env("RUSTC_WORKSPACE_WRAPPER", root.join("testing/remote/lint.sh"));
    command.env("RUSTDOC", root.join("testing/remote/document.sh")).env("CARGO_TARGET_DIR", docs::target()?);
    command::test(command.args(["test", "--workspace", "--all-features", "--manifest-path", MANIFEST]))
}

/// Runs a Python script, which makes an environment with the packages that it needs.
fn run_python(root: &Path, script: &str) -> Result<Done, Failure> {
    if !root.join(script).exists() {
        return Ok(Done::Skipped("the script is not there"));
    }
    if !is_there(Command::new("python3").args(["-c", "import venv, ensurepip"])) {
        return Ok(Done::Skipped("no python3 with venv and pip"));
    }
    command::script(root, &[script])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let plan = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            plan(&args).map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>())
        };
        let read = |args: &[&str]| plan(args).expect("it is right");
        assert_eq!((read(&[]).len(), read(&["--all"]).len()), (STEPS.len(), STEPS.len() + MORE_STEPS.len()));
        assert_eq!(read(&["--from", "tests"]), ["tests", "c-quick", "docs"]);
        assert_eq!(read(&["--from", "size"]), ["size", "archive"]);
        assert_eq!(read(&["docs", "--all", "lints"]), ["lints", "docs"]);
        for wrong in [&["all"][..], &["--from"], &["--from", "9"]] {
            assert_eq!(plan(wrong).expect_err("it is wrong").status, 2);
        }
        let names: BTreeSet<&str> = STEPS.iter().chain(MORE_STEPS).map(|step| step.name).collect();
        assert_eq!(names.len(), STEPS.len() + MORE_STEPS.len());
    }

    #[test]
    fn foreign_crates_are_counted_once() {
        let tree = "arrow-ipc v0.1.0 (/path/to/arrow-ipc)\nbytemuck v1.25.0\nthiserror v2.0.17\n\
                    thiserror-impl v2.0.17 (proc-macro)\nthiserror v2.0.17 (*)\n\n";
        assert_eq!(
            join(&foreign_crates(tree)),
            "bytemuck v1.25.0, thiserror v2.0.17, thiserror-impl v2.0.17"
        );
    }
}
