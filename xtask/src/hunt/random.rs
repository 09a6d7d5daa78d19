//! Runs the long form of tests with random cases or very many cases, with one seed after the other.
//!
//! The normal test suite runs a short form of these tests, with the same seed each time. `testing_support::Hunt` tells a
//! test which form to run. Tests with `proptest` have the same number of cases in both forms.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::command::execute;
use crate::failure::{Failure, Outcome};
use crate::hunt::sanitizers::SEEDS;
use crate::{cargo_command, root};

/// The tests that have a long form, and the tests with `proptest`, as filters of `cargo test`.
const HUNTED: [&str; 94] = [
    "abandoned::",
    "advised::commands_of",
    "agreement::",
    "append::",
    "array::compare::",
    "arriving::rows_are",
    "assembling::",
    "bare::",
    "bounds::no_part",
    "budget::",
    "cast::",
    "cast_decimals::",
    "cast_lists::",
    "cast_pairs::",
    "chunked::",
    "compare::",
    "comparing::random_edits",
    "compressed::damage_is_harmless",
    "compressed::frames_of_python",
    "corpus::",
    "cost_laws::",
    "cut::",
    "damage::",
    "diff::encodings::encodings_of",
    "diff::inputs::golden",
    "documents::",
    "extensions::mutated::",
    "faults::",
    "feather::wrong_bytes",
    "file::read::ranges::tests",
    "generated::",
    "gold::gold_files_are_valid",
    "golden::",
    "grow::",
    "hostile::",
    "infer_bounds::",
    "killed::",
    "large_batches::streams_that",
    "large_streams::",
    "lost_digits::texts",
    "middle::",
    "model_",
    "mutated::",
    "number::",
    "offsets::",
    "overflow::two_gibibytes",
    "parts::",
    "plan::images::",
    "plan::random::",
    "planned::a_plan",
    "predicate::columns::values_without",
    "predicate::random::",
    "prefetch::streams_give",
    "proportion::parts_are",
    "read::csv_parts::tests::parts_have",
    "read::json::parts::tests::parts_have",
    "read::records::tests::agrees_with",
    "prefetcher::random::",
    "real_world::",
    "recovering::",
    "recovering_in_steps::",
    "refused_memory::",
    "relaying::",
    "rows::hostile::long_tokens",
    "rows::rows_of_damaged",
    "rows::sparse::",
    "schema::decode::tests::random",
    "schema::encode::tests::schemas",
    "select::",
    "shifted::",
    "short::mutants",
    "showing::",
    "slicing::",
    "some_rows::conditions_select",
    "split::pieces_are",
    "splits::",
    "statistics::",
    "streams_at_random::",
    "streams_in_parts::",
    "table::",
    "targets::",
    "text_slots::",
    "threads::",
    "transcode::",
    "used::",
    "array::validate::indices::",
    "windows::",
    "write_options::every_type",
    "write_policies::random::",
    "write_policies::values::values_of",
    "write_proportion::",
    "write_round_trip::every_type",
    "write_views::",
    "writing::options_change",
];

/// The options of `cargo test` for all tests but examples.
const TESTS: [&str; 4] = ["--workspace", "--lib", "--test", "it"];

const DEFAULT_MINUTES: u64 = 10;

/// The arguments of the mode.
struct Plan {
    time: Duration,
    first_seed: u64,
}

/// `cargo xtask hunt random [--minutes N] [--seed N]`
pub(super) fn run(args: &[String]) -> Outcome {
    let plan = parse(args)?;
    let root = root();
    test_older_object_store(&root)?;
    println!("Building the tests.");
    let status = cargo_command(&root).args(["test", "--quiet"]).args(TESTS).arg("--no-run").status();
    if !status.map_err(|error| Failure::io("cargo test", &error))?.success() {
        return Err(Failure::new("the tests cannot be built"));
    }
    let begin = Instant::now();
    for seed in plan.first_seed.. {
        for test in HUNTED {
            let start = Instant::now();
            // One test may take minutes: say which it is before it runs.
            print!("{:>6.1} min  seed {seed}  {test:<30} ", begin.elapsed().as_secs_f64() / 60.0);
            std::io::stdout().flush().map_err(|error| Failure::io("standard output", &error))?;
            let mut command = cargo_command(&root);
            command.args(["test", "--quiet"]).args(TESTS).args(["--", test]);
            command.envs(SEEDS.map(|variable| (variable, seed.to_string()))).env("INSTA_UPDATE", "no");
            let output = command.output().map_err(|error| Failure::io("cargo test", &error))?;
            if !output.status.success() {
                println!("FAILED");
                let printed =
                    [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                let seeds = SEEDS.map(|variable| format!("{variable}={seed}")).join(" ");
                let again = format!("To see it again: {seeds} cargo test {} -- {test}", TESTS.join(" "));
                return Err(Failure { status: 1, lines: [printed.concat(), again].to_vec() });
            }
            println!("passed in {:.1} s", start.elapsed().as_secs_f64());
            if begin.elapsed() >= plan.time {
                println!("Nothing found.");
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Tests remote files with the older version of `object_store`. Continuous integration builds only the newer version.
fn test_older_object_store(root: &Path) -> Result<(), Failure> {
    let mut command = Command::new("bash");
    command.args(["testing/remote/run.sh", "--features", "remote/object-store-0-13"]).current_dir(root);
    execute(&mut command).map(|_| ())
}

fn parse(args: &[String]) -> Result<Plan, Failure> {
    // Another seed each time, so that many short hunts see as much as a long one.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let time = Duration::from_secs(60 * DEFAULT_MINUTES);
    let mut plan = Plan { time, first_seed: now };
    for pair in args.chunks(2) {
        let [name, value] = pair else { return Err(usage()) };
        let number: u64 = value.parse().map_err(|_| usage())?;
        match name.as_str() {
            "--minutes" => plan.time = Duration::from_secs(number.saturating_mul(60)),
            "--seed" => plan.first_seed = number,
            _ => return Err(usage()),
        }
    }
    Ok(plan)
}

fn usage() -> Failure {
    Failure::usage(
        "hunt random takes --minutes N (10 unless given) and --seed N (the first; else by the clock)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::files_below;

    #[test]
    fn every_test_with_a_long_form_is_hunted() {
        let mut n_found = 0;
        for path in files_below(&root()).expect("the repository exists") {
            let found = path.split_once("/tests/it/").or_else(|| path.split_once("/src/"));
            let Some((_, module)) = found else { continue };
            let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
            let is_random = ["Hunt::from_env()", "proptest! {"].iter().any(|word| text.contains(word));
            if !path.ends_with(".rs") || path.starts_with("xtask/") || !is_random {
                continue;
            }
            n_found += 1;
            let module = format!("{}::", module.trim_end_matches(".rs").replace('/', "::"));
            let is_hunted = |test: &&str| test.starts_with(&module) || module.starts_with(*test);
            assert!(HUNTED.iter().any(is_hunted), "{path} is missing in HUNTED");
        }
        assert!(n_found >= HUNTED.len(), "{n_found} files");
    }

    #[test]
    fn arguments_are_read() {
        let parse = |args: &[&str]| parse(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        let plan = parse(&["--seed", "7", "--minutes", "2"]).expect("it is right");
        assert_eq!((plan.first_seed, plan.time), (7, Duration::from_secs(120)));
        assert_eq!(parse(&[]).expect("it is right").time, Duration::from_secs(600));
        for wrong in [&["--seed"][..], &["--seed", "x"], &["--hours", "1"]] {
            assert_eq!(parse(wrong).err().expect("it is wrong").status, 2);
        }
    }
}
