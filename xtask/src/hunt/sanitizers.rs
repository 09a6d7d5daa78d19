//! Runs tests under a sanitizer, which checks every memory access of the code that is compiled for it.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{Done, announce, test};
use crate::failure::{Failure, Outcome};
use crate::{cargo_command, root};

/// The environment variables with the seeds of `testing_support::Hunt` and of `proptest`. Outside of a hunt,
/// `.cargo/config.toml` sets the second one.
pub(super) const SEEDS: [&str; 2] = ["ARROW_HUNT", "PROPTEST_RNG_SEED"];

/// A sanitizer of the compiler, and the tests that run under it.
struct Sanitizer {
    name: &'static str,
    flags: &'static str,
    /// An environment variable, and the option of the sanitizer that it sets.
    option: (&'static str, &'static str),
    /// Functions about which the sanitizer reports races that do not exist. The standard library is not compiled for the
    /// sanitizer, so it does not see how threads that end, channels, and an `Arc` that returns its contents synchronise.
    /// Races between threads that share data are still reported.
    false_reports: &'static [&'static str],
    /// The arguments of `cargo test`, for one run after the other.
    tests: &'static [&'static str],
    /// Whether tests run in their long form.
    is_long: bool,
}

const SANITIZERS: [Sanitizer; 2] = [
    // All that owns memory or follows pointers; leaks are errors, too.
    Sanitizer {
        name: "address",
        flags: "-Zsanitizer=address",
        // Tests ask for more memory than there is, and expect to be refused.
        option: ("ASAN_OPTIONS", "allocator_may_return_null=1"),
        false_reports: &[],
        tests: &["-p fletching-arrow-buffer --lib --test it", "-p fletching-arrow-c-data --lib --test it"],
        is_long: true,
    },
    // What shares memory without a lock. Only tests that use no `OnceLock`.
    Sanitizer {
        name: "thread",
        flags: "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        option: ("TSAN_OPTIONS", "halt_on_error=0"),
        false_reports: &[
            "race:alloc::sync::Arc*drop_slow",
            "race:std::thread::lifecycle::Packet",
            "race:std::sys::thread_local::guard",
            "race:std::sync::mpmc",
        ],
        tests: &[
            "-p fletching-arrow-buffer --test it -- threads_",
            "-p fletching-arrow-ipc --test it -- parallel recycled",
        ],
        is_long: false,
    },
];

/// `cargo xtask hunt address [--seed N]`, or `thread`.
pub(super) fn run(name: &str, args: &[String]) -> Outcome {
    let sanitizer = SANITIZERS.iter().find(|sanitizer| sanitizer.name == name);
    let seed = match args {
        [] => Some(1),
        [option, seed] if option == "--seed" => seed.parse().ok(),
        _ => None,
    };
    let Some((sanitizer, seed)) = sanitizer.zip(seed) else {
        return Err(Failure::usage(format!("hunt {name} takes --seed N (1 unless given)")));
    };
    sanitizer.hunt(&root(), seed)
}

impl Sanitizer {
    /// Runs the tests once. If programs of this sanitizer cannot be built or run, the hunt was skipped.
    fn hunt(&self, root: &Path, seed: u64) -> Outcome {
        let Some(host) = host() else {
            return Err(Failure::new("`rustc -vV` does not say for which machine it compiles"));
        };
        let target = root.join("target").join(format!("under-{}", self.name));
        if let Err(why) = self.try_out(&host, &target) {
            return Err(Failure::skipped(&why));
        }
        for tests in self.tests {
            let mut command = cargo_command(root);
            let (args, filter) = tests.split_once(" -- ").unwrap_or((tests, ""));
            command.arg("test").args(args.split(' ')).args(["--target", &host]);
            command.arg("--target-dir").arg(&target).arg("--").args(filter.split_whitespace());
            command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", self.flags).env("INSTA_UPDATE", "no");
            let suppressions = target.join("false-reports");
            std::fs::write(&suppressions, self.false_reports.join("\n"))
                .map_err(|error| Failure::io(suppressions.display(), &error))?;
            let (variable, value) = self.option;
            command.env(variable, format!("{value}:suppressions={}", suppressions.display()));
            if self.is_long {
                println!("{}", SEEDS.map(|variable| format!("{variable}={seed}")).join(" "));
                command.envs(SEEDS.map(|variable| (variable, seed.to_string())));
            }
            match test(&mut command)? {
                Done::Tested(results) if !results.is_empty() => {}
                _ => return Err(Failure::new("no test was run: the names in `SANITIZERS` are wrong")),
            }
        }
        println!("Nothing found.");
        Ok(())
    }

    /// Builds and runs an empty program, to check that the toolchain has the sanitizer, that there is a linker, and that
    /// the system can run it.
    fn try_out(&self, host: &str, target: &Path) -> Result<(), String> {
        let source = target.join("nothing.rs");
        let program = target.join("nothing");
        let written =
            std::fs::create_dir_all(target).and_then(|()| std::fs::write(&source, "fn main() {}\n"));
        written.map_err(|error| format!("{} cannot be written: {error}", source.display()))?;
        let mut rustc = Command::new("rustc");
        rustc.args(self.flags.split(' ')).args(["--edition", "2024", "--target", host, "-o"]);
        rustc.arg(&program).arg(&source).env("RUSTC_BOOTSTRAP", "1");
        let name = self.name;
        for (mut command, what) in [
            (rustc, "no program can be built with the"),
            (Command::new(&program), "no program runs under the"),
        ] {
            let shown = announce(&command);
            let output = command.stdin(Stdio::null()).output();
            let output = output.map_err(|error| format!("{what} {name} sanitizer: `{shown}`: {error}"))?;
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stderr);
                let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
                return Err(format!("{what} {name} sanitizer here: {first}"));
            }
        }
        Ok(())
    }
}

/// The name of the platform for which the compiler compiles.
fn host() -> Option<String> {
    let output = Command::new("rustc").arg("-vV").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a sanitizer cannot be built here, the run is skipped and the reason of the compiler is printed.
    #[test]
    fn what_cannot_be_built_is_skipped_with_a_reason() {
        let folder = std::env::temp_dir().join(format!("under-test-{}", std::process::id()));
        let [address, _] = SANITIZERS;
        let unknown = Sanitizer { name: "unknown", flags: "-Zsanitizer=unknown", ..address };
        let why = unknown.try_out(&host().expect("rustc is there"), &folder).expect_err("there is none");
        assert!(why.starts_with("no program can be built with the unknown sanitizer here: error"), "{why}");
        std::fs::remove_dir_all(&folder).expect("it was made");
    }

    #[test]
    fn arguments_are_read() {
        for (name, args) in [("address", &["--seed"][..]), ("thread", &["--seed", "x"]), ("water", &[])] {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            assert_eq!(run(name, &args).expect_err("it is wrong").status, 2);
        }
    }
}
