//! The command line.

use crate::case::{Case, Group};
use crate::data::Set;
use std::path::PathBuf;

pub const HELP: &str =
    "Usage: cargo xtask bench [public | threads] [CASE…] [--held-out] [--markdown] [--rounds N] [--python PROGRAM] [--list]

Measures reading and writing beside other implementations of Arrow, in turns, in processor time.

public           the cases of benches that other projects have published: public --help tells more
threads          compressed text and numbers, and plain tables, with one thread and with two, by the clock
CASE…            words that are in the names of cases; without any, all but those of single types
--types          the cases of single types too
--held-out       other data, on which nobody tunes
--markdown       write the cases that are slower into testing/peers/RESULTS.md
--rounds N       how often each contestant has its turn; 15 by default
--python PROGRAM the interpreter with pyarrow and polars
--list           print the names of the cases
";

pub const PUBLIC_HELP: &str = "Usage: cargo xtask bench public [CASE…] [--markdown] [--rounds N] [--python PROGRAM] [--list]

Measures the work of benches that other projects have published, beside arrow-rs, pyarrow and polars, in turns, in
processor time, with one thread each. All of it takes 4 minutes of processor time, and more by the clock on a busy machine.

arrow-rs    ipc_reader and ipc_writer: 10 batches of 8,192 rows, by the names there
ClickHouse  the numbers of its pull request 106522: Arrow and ArrowStream; plain, LZ4 and ZSTD with level 1
C++         read_write_benchmark.cc of Arrow C++: 64 MiB in 1 to 4,096 columns
spill       200 slices of a batch of views
shuffle     batches are dealt to 8 streams: we copy the messages, the others decode and encode

CASE…            words that are in the names of cases, such as C++ or write_10
--markdown       write the table into testing/peers/RESULTS.md
--rounds N       how often each contestant has its turn; 15 by default
--python PROGRAM the interpreter with pyarrow and polars; otherwise pip installs them into target/bench-venv
--list           print the names of the cases

Before it is measured, each contestant does the work once, and its rows are compared. Those of Python are measured in their
process, around many calls; polars makes views of text that it reads, and checks less than the others.
";

const N_ROUNDS: usize = 15;

/// The arguments of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    pub words: Vec<String>,
    pub suite: Suite,
    pub types: bool,
    pub set: Set,
    pub markdown: Option<PathBuf>,
    pub n_rounds: usize,
    pub python: Option<PathBuf>,
    pub task: Task,
}

/// Cases that are measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// Those of this project, with one thread.
    Own,
    /// Those that other projects have published.
    Public,
    /// Those of one thread and of two.
    Threads,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Measure,
    List,
    Help,
}

impl Args {
    /// Parses the arguments.
    ///
    /// # Errors
    /// A description of the first invalid argument.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Args, String> {
        let mut args = Args {
            words: Vec::new(),
            suite: Suite::Own,
            types: false,
            set: Set::Tuned,
            markdown: None,
            n_rounds: N_ROUNDS,
            python: None,
            task: Task::Measure,
        };
        let mut words = words.into_iter().peekable();
        for (name, suite) in [("public", Suite::Public), ("threads", Suite::Threads)] {
            if args.suite == Suite::Own && words.next_if(|word| word == name).is_some() {
                (args.suite, args.set) = (suite, Set::Published);
            }
        }
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                option @ ("--types" | "--held-out") if args.suite != Suite::Own => {
                    return Err(format!("public and threads have no option {option}"));
                }
                "--types" => args.types = true,
                "--held-out" => args.set = Set::HeldOut,
                "--markdown" => args.markdown = Some(value()?.into()),
                "--python" => args.python = Some(value()?.into()),
                "--rounds" => {
                    let n_rounds = value()?.parse().ok().filter(|n_rounds| *n_rounds > 0);
                    args.n_rounds = n_rounds.ok_or("--rounds needs a number above 0")?;
                }
                "--list" => args.task = Task::List,
                "--help" | "-h" => args.task = Task::Help,
                option if option.starts_with('-') => return Err(format!("there is no option {option}")),
                _ => args.words.push(word),
            }
        }
        Ok(args)
    }

    /// Whether the arguments select a case.
    pub fn choose(&self, case: &Case) -> bool {
        let is_named = self.words.iter().any(|word| case.name.contains(word.as_str()));
        let is_whole = self.words.is_empty() && (self.types || case.group != Group::Types);
        self.suite.has(case) && (is_named || is_whole)
    }
}

impl Suite {
    pub fn has(self, case: &Case) -> bool {
        self == match case.group {
            Group::Public => Suite::Public,
            Group::Threads => Suite::Threads,
            Group::Main | Group::Growth { .. } | Group::Types => Suite::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_read() {
        let args =
            parse("views --rounds 3 --held-out deltas --markdown page.md --python py --types").unwrap();
        let expected = Args {
            words: vec!["views".to_owned(), "deltas".to_owned()],
            suite: Suite::Own,
            types: true,
            set: Set::HeldOut,
            markdown: Some("page.md".into()),
            n_rounds: 3,
            python: Some("py".into()),
            task: Task::Measure,
        };
        assert_eq!(args, expected);
        assert_eq!(parse("--list").unwrap().task, Task::List);
        assert_eq!(parse("--help --list -h").unwrap().task, Task::Help);
    }

    #[test]
    fn mistakes_are_errors() {
        for (line, expected) in [
            ("--fast", "there is no option --fast"),
            ("--rounds", "--rounds needs a value"),
            ("--rounds none", "--rounds needs a number above 0"),
            ("--rounds 0", "--rounds needs a number above 0"),
            ("a --markdown", "--markdown needs a value"),
            ("public --held-out", "public and threads have no option --held-out"),
            ("threads --types", "public and threads have no option --types"),
        ] {
            assert_eq!(parse(line).unwrap_err(), expected, "{line}");
        }
    }

    #[test]
    fn words_choose_cases() {
        let n_chosen = |line| {
            let args = parse(line).unwrap();
            cases::all().iter().filter(|case| args.choose(case)).count()
        };
        let n_types = cases::all().iter().filter(|case| case.group == Group::Types).count();
        let n_of = |suite: Suite| cases::all().iter().filter(|case| suite.has(case)).count();
        let (n_own, n_public) = (n_of(Suite::Own), n_of(Suite::Public));
        assert_eq!(n_own + n_public + n_of(Suite::Threads), cases::all().len());
        assert_eq!(n_chosen("--types"), n_own);
        assert_eq!(n_chosen(""), n_own - n_types);
        assert_eq!(n_chosen("threads"), n_of(Suite::Threads));
        assert_eq!(n_chosen("threads:"), 0);
        assert_eq!(n_chosen("public"), n_public);
        assert_eq!(n_chosen("public shuffle: C++: spill: ClickHouse: arrow-rs:"), n_public);
        assert_eq!(n_chosen("public StreamReader/read_10"), 2);
        assert_eq!(n_chosen("StreamReader/read_10"), 0);
        assert!(n_chosen("deltas") >= 9);
        assert!(n_chosen("deltas views") > n_chosen("deltas"));
        assert_eq!(n_chosen("no-such-case"), 0);
    }
}
