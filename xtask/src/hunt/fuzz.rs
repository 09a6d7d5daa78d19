//! Runs libFuzzer on targets, to find inputs that break what they test.

mod record;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use crate::command::{Done, execute, is_there};
use crate::failure::{Failure, Outcome};
use crate::hunt::run_mutants;
use crate::{cargo_command, docs, root};
use record::{FuzzRun, Record};

/// Compiler options that libFuzzer needs: counters at each edge, and reports of the numbers that are compared.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

const MANIFEST: &str = "testing/fuzz/Cargo.toml";

const RECORD: &str = "testing/fuzz/record.tsv";

/// Tokens of the format, from which libFuzzer makes inputs.
const DICTIONARY: &str = "testing/fuzz/arrow.dict";

/// Limits of libFuzzer. An input that takes more seconds or more MiB is reported.
const LIMITS: [&str; 3] = ["-timeout=60", "-rss_limit_mb=3000", "-max_len=40000"];

/// An allocator that refuses returns null, as the system does. Less freed memory and shorter stacks of allocations are kept than
/// usual, which takes a third of the time where allocations are small and many.
const SANITIZER_OPTIONS: &str =
    "allocator_may_return_null=1:detect_leaks=0:quarantine_size_mb=32:malloc_context_size=8";

/// The arguments of the mode.
#[derive(Debug, PartialEq)]
struct Plan {
    /// The names of targets; all if there are none.
    targets: Vec<String>,
    seconds: u64,
    sanitizer: Option<String>,
    /// Whether what the runs found is added to the record.
    records: bool,
}

/// `cargo xtask hunt fuzz TARGET… [--seconds N] [-s none] [--record]`
pub(super) fn run(args: &[String]) -> Outcome {
    let plan = parse(args)?;
    let root = root();
    let all = targets(&root)?;
    let chosen = if plan.targets.is_empty() { &all } else { &plan.targets };
    if let Some(unknown) = chosen.iter().find(|name| !all.contains(name)) {
        return Err(Failure::usage(format!("there is no target {unknown}: {}", all.join(", "))));
    }
    if !has_cpp() {
        println!("libFuzzer needs a C++ compiler, which is not there: mutants without a look at the code.");
        let seconds = plan.seconds.to_string();
        return chosen.iter().try_for_each(|target| {
            run_mutants(&["--target", target, "--seconds", &seconds].map(str::to_owned))
        });
    }
    let folder = root.join("target/fuzz");
    let programs = build(&root, &folder, chosen, &plan)?;
    let record = Record { path: root.join(RECORD), lock: folder.join("record.lock") };
    let mut failures = Vec::new();
    for target in chosen {
        let (found, end) = fuzz(&root, &folder, &programs.join(target), target, &plan)?;
        println!("{found}");
        if plan.records {
            record.add(&found)?;
        }
        match end {
            End::InTime => {}
            End::Finding => {
                failures.push(format!("{target}: a finding in {}", folder.join("found").display()))
            }
            End::Fault(status) => {
                failures.push(format!("{target}: no finding, but libFuzzer ended with {status}"))
            }
            End::Interrupted => {
                failures.push(format!("{target}: interrupted"));
                break;
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure { status: 1, lines: failures }) }
}

/// How a run of libFuzzer ended.
#[derive(Debug, PartialEq)]
enum End {
    InTime,
    /// It stops at the first finding.
    Finding,
    Interrupted,
    /// Its program was not started, or was killed.
    Fault(ExitStatus),
}

impl End {
    fn from_status(status: ExitStatus, n_findings: u64) -> End {
        /// How libFuzzer says that it got a signal to end.
        const INTERRUPTED: i32 = 72;
        match status.code() {
            _ if n_findings > 0 => End::Finding,
            Some(0) => End::InTime,
            Some(INTERRUPTED) => End::Interrupted,
            _ => End::Fault(status),
        }
    }
}

/// Runs the program of one target.
fn fuzz(
    root: &Path,
    folder: &Path,
    program: &Path,
    target: &str,
    plan: &Plan,
) -> Result<(FuzzRun, End), Failure> {
    let corpus = folder.join("corpus").join(target);
    let found = folder.join("found");
    let logs = folder.join("logs");
    for folder in [&corpus, &found, &logs] {
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
    }
    let seeds = corpus.display().to_string();
    run_mutants(&["--target", target, "--write-seeds", &seeds].map(str::to_owned))?;
    let log = logs.join(format!("{target}.log"));
    println!(
        "libFuzzer, target {target}, sanitizer {}; its output is in {}",
        plan.sanitizer.as_deref().unwrap_or("none"),
        log.display()
    );
    let output = fs::File::create(&log).map_err(|error| Failure::io(log.display(), &error))?;
    let mut command = Command::new(program);
    command.args(LIMITS).arg(format!("-max_total_time={}", plan.seconds)).arg("-print_final_stats=1");
    command.arg(format!("-dict={}", root.join(DICTIONARY).display()));
    command.arg(format!("-artifact_prefix={}/{target}-", found.display())).arg(&corpus);
    command.env("ASAN_OPTIONS", SANITIZER_OPTIONS);
    let before = child_ticks();
    let began = Instant::now();
    let status = command.stderr(output).stdout(Stdio::null()).status();
    let status = status.map_err(|error| Failure::io(program.display(), &error))?;
    let seconds = match (before, child_ticks()) {
        (Some(before), Some(after)) => (after - before + TICKS_PER_SECOND / 2) / TICKS_PER_SECOND,
        _ => began.elapsed().as_secs(),
    };
    let said = fs::read_to_string(&log).map_err(|error| Failure::io(log.display(), &error))?;
    let run = FuzzRun::from_output(target, &said, seconds);
    let end = End::from_status(status, run.n_findings);
    Ok((run, end))
}

const TICKS_PER_SECOND: u64 = 100;

/// The processor time of all programs that have ended. `None` where the system does not have it in `/proc`.
fn child_ticks() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses, and may have any characters.
    let (_, fields) = status.rsplit_once(") ")?;
    fields.split(' ').skip(13).take(2).map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// The names of all targets, in the order of the manifest.
fn targets(root: &Path) -> Result<Vec<String>, Failure> {
    let path = root.join(MANIFEST);
    let manifest = fs::read_to_string(&path).map_err(|error| Failure::io(path.display(), &error))?;
    let names = manifest.split("[[bin]]\nname = \"").skip(1).filter_map(|rest| rest.split('"').next());
    Ok(names.map(str::to_owned).collect())
}

/// Checks that the fuzz programs compile and are formatted. This takes a minute, so only the long form of CI does it.
pub(super) fn check(root: &Path) -> Result<Done, Failure> {
    if !has_cpp() {
        return Ok(Done::Skipped("no C++ compiler"));
    }
    execute(cargo_command(root).args(["fmt", "--manifest-path", MANIFEST, "-p", "arrow-fuzz", "--check"]))?;
    let mut command = cargo_command(root);
    command.args(["check", "--quiet", "--manifest-path", MANIFEST, "--target-dir"]).arg(docs::target()?);
    execute(&mut command)
}

fn has_cpp() -> bool {
    is_there(Command::new("c++").arg("--version"))
}

/// Builds the programs of targets with the options of libFuzzer, and returns their folder.
fn build(root: &Path, folder: &Path, targets: &[String], plan: &Plan) -> Result<PathBuf, Failure> {
    let triple = host()?;
    let mut flags = COVERAGE.to_owned();
    let mut command = cargo_command(root);
    if let Some(sanitizer) = &plan.sanitizer {
        flags.push_str(&format!(" -Zsanitizer={sanitizer}"));
        // The compiler is a released one, which has what the sanitizer needs all the same.
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    let target_folder = folder.join(plan.sanitizer.as_deref().unwrap_or("none"));
    command.args(["build", "--release", "--manifest-path", MANIFEST, "--target", &triple]);
    command.args(targets.iter().flat_map(|target| ["--bin", target]));
    command.arg("--target-dir").arg(&target_folder).env("RUSTFLAGS", flags);
    execute(&mut command)?;
    Ok(target_folder.join(triple).join("release"))
}

/// The target platform. If its name is passed to cargo, build scripts are compiled without the flags.
fn host() -> Result<String, Failure> {
    let failed = |error: &std::io::Error| Failure::io("rustc", error);
    let output = Command::new("rustc").args(["--print", "host-tuple"]).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| failed(&error))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn parse(args: &[String]) -> Result<Plan, Failure> {
    let mut plan =
        Plan { targets: Vec::new(), seconds: 60, sanitizer: Some("address".to_owned()), records: false };
    let mut args = args.iter();
    let mut is_all = false;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(usage);
        match arg.as_str() {
            "--seconds" => plan.seconds = value()?.parse().map_err(|_| usage())?,
            "-s" => plan.sanitizer = Some(value()?.clone()).filter(|value| value != "none"),
            "--record" => plan.records = true,
            "all" => is_all = true,
            name if !name.starts_with('-') => plan.targets.push(name.to_owned()),
            _ => return Err(usage()),
        }
    }
    // The record has runs under AddressSanitizer.
    let is_recordable = !plan.records || plan.sanitizer.as_deref() == Some("address");
    if is_all == plan.targets.is_empty() && is_recordable { Ok(plan) } else { Err(usage()) }
}

fn usage() -> Failure {
    Failure::usage(
        "hunt fuzz takes targets (cargo xtask hunt mutants --list) or `all`, --seconds N for each (60 unless given), -s none (no sanitizer) \
         and --record (add the run to testing/fuzz/record.tsv)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::files_below;

    #[test]
    fn arguments_are_read() {
        let parse = |args: &[&str]| parse(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        let plan = parse(&["--seconds", "7", "schema", "-s", "none"]).expect("it is right");
        let targets = vec!["schema".to_owned()];
        assert_eq!(plan, Plan { targets, seconds: 7, sanitizer: None, records: false });
        let all = parse(&["all", "--record"]).expect("it is right");
        assert!(all.records && all.targets.is_empty());
        assert_eq!(parse(&["schema"]).expect("it is right").sanitizer.as_deref(), Some("address"));
        for wrong in [
            &[][..],
            &["--seconds", "7"],
            &["all", "schema"],
            &["schema", "--seconds"],
            &["schema", "--minutes", "7"],
            &["schema", "--record", "-s", "none"],
        ] {
            assert_eq!(parse(wrong).expect_err("it is wrong").status, 2);
        }
    }

    /// Only a finding counts as one: not a run that was ended, or a program that was not there.
    #[cfg(unix)]
    #[test]
    fn ends_are_distinguished() {
        let status = |script: &str| Command::new("sh").args(["-c", script]).status().expect("a shell");
        assert_eq!(End::from_status(status("exit 0"), 0), End::InTime);
        assert_eq!(End::from_status(status("exit 77"), 1), End::Finding);
        assert_eq!(End::from_status(status("exit 72"), 0), End::Interrupted);
        for script in ["exit 1", "exit 127", "kill -9 $$"] {
            assert_eq!(End::from_status(status(script), 0), End::Fault(status(script)), "{script}");
        }
    }

    /// Processor time of programs counts, and that of this one does not.
    #[cfg(target_os = "linux")]
    #[test]
    fn processor_time_of_programs_is_found() {
        let before = child_ticks().expect("it is in /proc");
        let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        assert!(Command::new("sh").args(["-c", script]).status().expect("a shell").success());
        let after = child_ticks().expect("it is in /proc");
        assert!((1..100 * TICKS_PER_SECOND).contains(&(after - before)), "{before}, {after}");
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
