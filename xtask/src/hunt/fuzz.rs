//! Runs libFuzzer on one of the readers, to find inputs that break it.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{execute, is_there};
use crate::failure::{Failure, Outcome};
use crate::hunt::mutants;
use crate::{cargo_command, docs, root};

/// Compiler options that libFuzzer needs: counters at each edge, and reports of the numbers that are compared.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

const MANIFEST: &str = "testing/fuzz/Cargo.toml";

/// Limits of libFuzzer. An input that takes more seconds or more MiB is reported.
const LIMITS: [&str; 3] = ["-timeout=60", "-rss_limit_mb=3000", "-max_len=40000"];

/// The arguments of the mode.
#[derive(Debug, PartialEq)]
struct Plan {
    target: String,
    seconds: u64,
    sanitizer: Option<String>,
}

/// `cargo xtask hunt fuzz TARGET [--seconds N] [-s none]`
pub(super) fn run(args: &[String]) -> Outcome {
    let plan = parse(args)?;
    let root = root();
    let seconds = plan.seconds.to_string();
    if !has_cpp() {
        println!("libFuzzer needs a C++ compiler, which is not there: mutants without a look at the code.");
        return mutants::run(&["--target", &plan.target, "--seconds", &seconds].map(str::to_owned));
    }
    let folder = root.join("target/fuzz");
    let binary = build(&root, &folder, &plan)?;
    let corpus = folder.join("corpus").join(&plan.target);
    let found = folder.join("found");
    for folder in [&corpus, &found] {
        std::fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
    }
    let seeds = corpus.display().to_string();
    mutants::run(&["--target", &plan.target, "--write-seeds", &seeds].map(str::to_owned))?;
    let prefix = format!("{}/{}-", found.display(), plan.target);
    println!(
        "libFuzzer, sanitizer {}; findings go to {prefix}*",
        plan.sanitizer.as_deref().unwrap_or("none")
    );
    let mut command = Command::new(binary);
    command.args(LIMITS).arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={prefix}"));
    // An allocator that refuses returns null, as the system does.
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0");
    execute(command.arg("-print_final_stats=1").arg(&corpus)).map(|_| ())
}

/// Checks that the fuzz programs compile and are formatted. This takes a minute, so it is part of the hunt and not of CI.
pub(super) fn check(root: &Path) -> Outcome {
    if !has_cpp() {
        println!("SKIPPED: {MANIFEST}: no C++ compiler");
        return Ok(());
    }
    execute(cargo_command(root).args(["fmt", "--manifest-path", MANIFEST, "-p", "arrow-fuzz", "--check"]))?;
    let mut command = cargo_command(root);
    command.args(["check", "--quiet", "--manifest-path", MANIFEST, "--target-dir"]).arg(docs::target()?);
    execute(&mut command).map(|_| ())
}

fn has_cpp() -> bool {
    is_there(Command::new("c++").arg("--version"))
}

/// Builds the program of a target with the options of libFuzzer, and returns its path.
fn build(root: &Path, folder: &Path, plan: &Plan) -> Result<std::path::PathBuf, Failure> {
    let triple = host()?;
    let mut flags = COVERAGE.to_owned();
    let mut command = cargo_command(root);
    if let Some(sanitizer) = &plan.sanitizer {
        flags.push_str(&format!(" -Zsanitizer={sanitizer}"));
        // The compiler is a released one, which has what the sanitizer needs all the same.
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    let target_folder = folder.join(plan.sanitizer.as_deref().unwrap_or("none"));
    command.args([
        "build",
        "--release",
        "--manifest-path",
        MANIFEST,
        "--bin",
        &plan.target,
        "--target",
        &triple,
    ]);
    command.arg("--target-dir").arg(&target_folder).env("RUSTFLAGS", flags);
    execute(&mut command)?;
    Ok(target_folder.join(triple).join("release").join(&plan.target))
}

/// The target platform. If its name is passed to cargo, build scripts are compiled without the flags.
fn host() -> Result<String, Failure> {
    let failed = |error: &std::io::Error| Failure::io("rustc", error);
    let output = Command::new("rustc").args(["--print", "host-tuple"]).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| failed(&error))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn parse(args: &[String]) -> Result<Plan, Failure> {
    let Some((target, rest)) = args.split_first().filter(|(target, _)| !target.starts_with('-')) else {
        return Err(usage());
    };
    let mut plan = Plan { target: target.clone(), seconds: 60, sanitizer: Some("address".to_owned()) };
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return Err(usage()) };
        match name.as_str() {
            "--seconds" => plan.seconds = value.parse().map_err(|_| usage())?,
            "-s" => plan.sanitizer = Some(value.clone()).filter(|value| value != "none"),
            _ => return Err(usage()),
        }
    }
    Ok(plan)
}

fn usage() -> Failure {
    Failure::usage(
        "hunt fuzz takes a target (cargo xtask hunt mutants --list), --seconds N (60 unless given) and -s none (no sanitizer)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::files_below;

    #[test]
    fn arguments_are_read() {
        let parse = |args: &[&str]| parse(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        let plan = parse(&["schema", "--seconds", "7", "-s", "none"]).expect("it is right");
        assert_eq!(plan, Plan { target: "schema".to_owned(), seconds: 7, sanitizer: None });
        assert_eq!(parse(&["schema"]).expect("it is right").sanitizer.as_deref(), Some("address"));
        for wrong in [&[][..], &["--seconds", "7"], &["schema", "--seconds"], &["schema", "--minutes", "7"]] {
            assert_eq!(parse(wrong).expect_err("it is wrong").status, 2);
        }
    }

    /// The table of targets, the programs, and their list in the manifest agree.
    #[test]
    fn every_target_has_a_program() {
        let root = root();
        let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it exists");
        let table = read("testing/mutants/src/targets.rs");
        let names = table.split("Target { name: \"").skip(1).filter_map(|rest| rest.split('"').next());
        let mut names: Vec<&str> = names.collect();
        let programs = files_below(&root.join("testing/fuzz/fuzz_targets")).expect("it exists");
        names.sort_unstable();
        assert_eq!(names.iter().map(|name| format!("{name}.rs")).collect::<Vec<_>>(), programs);
        let manifest = read(MANIFEST);
        for name in names {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
            let program = read(&format!("testing/fuzz/fuzz_targets/{name}.rs"));
            assert!(program.contains(&format!("fuzz!(\"{name}\")")), "{name}");
        }
    }
}
