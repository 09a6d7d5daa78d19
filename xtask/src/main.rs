//! The tasks of the project: `cargo xtask <task>`. Without an argument, it lists the tasks.
#![forbid(unsafe_code)]

mod bench;
mod c_package;
mod ci;
mod codegen;
mod command;
mod conformance;
mod corpus;
mod count;
mod docs;
mod duckdb_extension;
mod failure;
mod hunt;
mod oldest;
mod package;
mod release_archive;
mod reproducible;
mod tar;
mod third_party;
mod tidy;
mod tree;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::failure::{Failure, Outcome};

/// A task: its name, its function, and its description.
struct Task {
    name: &'static str,
    run: fn(&[String]) -> Outcome,
    help: &'static str,
}

const TASKS: &[Task] = &[
    Task {
        name: "codegen",
        run: codegen::run,
        help: "write the bindings from format/*.fbs; --check: only say whether they are fresh",
    },
    Task {
        name: "tidy",
        run: tidy::run,
        help: "check the rules that no compiler, cargo or clippy can check",
    },
    Task {
        name: "corpus",
        run: corpus::run,
        help: "write the manifest of testing/corpus; --check: compare it with the files",
    },
    Task {
        name: "hunt",
        run: hunt::run,
        help: "look for bugs: random tests, mutants, fuzzers, sanitizers; without an argument, it lists the modes",
    },
    Task {
        name: "oldest",
        run: oldest::run,
        help: "compile the libraries with the oldest dependencies that Cargo.toml allows",
    },
    Task {
        name: "bench",
        run: bench::run,
        help: "measure beside other implementations; words choose cases, --help tells more",
    },
    Task {
        name: "count",
        run: count::run,
        help: "count instructions and allocations of hot paths; --check: fail where they are not those of testing/counts",
    },
    Task {
        name: "conformance",
        run: conformance::run,
        help: "read the corpus with all implementations that can be installed; --write: docs/CONFORMANCE.md",
    },
    Task {
        name: "c-package",
        run: c_package::run,
        help: "build the C library into a folder, or else target/c-package, with header, pkg-config and CMake files; options of cargo may follow",
    },
    Task {
        name: "duckdb-extension",
        run: duckdb_extension::run,
        help: "build the extension of DuckDB into a folder, or else target/duckdb-extension; a profile other than `release` may follow",
    },
    Task {
        name: "release-archive",
        run: release_archive::run,
        help: "build the program into an archive with completions, manual pages and licences in a folder, or else target/release-archive, and try it; a profile other than `dist` may follow",
    },
    Task {
        name: "reproducible",
        run: reproducible::run,
        help: "run a command that builds by cargo, so that the bytes are the same in every folder",
    },
    Task {
        name: "third-party",
        run: third_party::run,
        help: "write the licences of the crates that a package contains: its Cargo.toml, the file to write, options of features",
    },
    Task {
        name: "wasm",
        run: wasm::run,
        help: "build the modules of the npm package in js, check their size, and run its tests",
    },
    Task {
        name: "ci",
        run: ci::run,
        help: "everything that must pass: format, lints, tests, docs; --all: also what takes longer, --from STEP",
    },
];

fn main() -> ExitCode {
    if let Some(code) = reproducible::compile() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("There is no task `{name}`.\n\n{}", usage());
        return ExitCode::from(2);
    };
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("{failure}");
            ExitCode::from(failure.status)
        }
    }
}

fn usage() -> String {
    let lines = TASKS.iter().map(|task| format!("  {:<9} {}\n", task.name, task.help));
    format!("Usage: cargo xtask <task>\n\n{}", lines.collect::<String>())
}

/// The folder of the repository.
fn root() -> PathBuf {
    // Cargo sets the variable when it runs a program or a test: right even if the repository was moved.
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let xtask = PathBuf::from(xtask);
    xtask.parent().map(PathBuf::from).unwrap_or(xtask)
}

/// The cargo that runs this program, or otherwise the cargo in `PATH`.
fn cargo_command(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// Parses the only argument that a task may have, `--check`: compare files, and do not write them.
fn parse_check(args: &[String]) -> Result<Mode, Failure> {
    match args {
        [] => Ok(Mode::Write),
        [flag] if flag == "--check" => Ok(Mode::Check),
        _ => Err(Failure::usage("the only argument is --check")),
    }
}

/// What to do with a file that a task generates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    /// Fail if the file differs from what would be written.
    Check,
}
