//! Looks for bugs with inputs that the test suite does not try: `cargo xtask hunt MODE`.

mod fuzz;
mod random;
mod sanitizers;

use std::path::Path;

use crate::command::{Done, execute};
use crate::failure::{Failure, Outcome};
use crate::{cargo_command, root};

/// A way to look for bugs: its name, its function, and its description.
struct Mode {
    name: &'static str,
    run: fn(&[String]) -> Outcome,
    help: &'static str,
}

const MODES: [Mode; 5] = [
    Mode {
        name: "random",
        run: random::run,
        help: "the long form of random tests, seed after seed; --minutes N, --seed N",
    },
    Mode {
        name: "mutants",
        run: run_mutants,
        help: "mutants of the corpus, read in every way; --n N, --seed S, --deep: used, too; --help tells more",
    },
    Mode {
        name: "fuzz",
        run: fuzz::run,
        help: "libFuzzer with AddressSanitizer on targets, or `all`; --seconds N for each, -s none: without the sanitizer, --record",
    },
    Mode {
        name: "address",
        run: |args| sanitizers::run("address", args),
        help: "tests of code that owns memory or follows pointers, under AddressSanitizer; --seed N",
    },
    Mode {
        name: "thread",
        run: |args| sanitizers::run("thread", args),
        help: "tests of code that shares memory between threads, under ThreadSanitizer",
    },
];

/// `cargo xtask hunt MODE …`
pub(crate) fn run(args: &[String]) -> Outcome {
    let mode = args.split_first().and_then(|(name, rest)| {
        let mode = MODES.iter().find(|mode| mode.name == name)?;
        Some((mode, rest))
    });
    let Some((mode, rest)) = mode else { return Err(Failure::usage(usage())) };
    (mode.run)(rest)
}

/// `cargo xtask hunt mutants [--n N] [--seed S] [--deep] …`: runs readers on mutants of the corpus. The arguments are those of the
/// program `mutants`.
fn run_mutants(args: &[String]) -> Outcome {
    let mut command = cargo_command(&root());
    command.args(["run", "--quiet", "--profile", "hunt", "-p", "mutants", "--"]).args(args);
    execute(&mut command).map(|_| ())
}

/// Checks that the programs of libFuzzer compile, which are in a workspace of their own.
pub(crate) fn check_fuzz_programs(root: &Path) -> Result<Done, Failure> {
    fuzz::check(root)
}

fn usage() -> String {
    let lines = MODES.iter().map(|mode| format!("\n  {:<9} {}", mode.name, mode.help));
    format!("Usage: cargo xtask hunt <mode>\n{}", lines.collect::<String>())
}
