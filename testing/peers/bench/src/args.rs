//! The command line.

use crate::case::{Case, Group};
use crate::data::Set;
use std::path::PathBuf;

pub const HELP: &str =
    "Usage: cargo xtask bench [CASE…] [--held-out] [--markdown] [--rounds N] [--python PROGRAM] [--list]

Measures reading and writing beside other implementations of Arrow, in turns, in processor time.

CASE…            words that are in the names of cases; without any, all but those of single types
--types          the cases of single types too
--held-out       other data, on which nobody tunes
--markdown       write the cases that are slower into docs/MEASUREMENTS.md
--rounds N       how often each contestant has its turn; 15 by default
--python PROGRAM the interpreter with pyarrow
--list           print the names of the cases
";

const N_ROUNDS: usize = 15;

/// The arguments of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    pub words: Vec<String>,
    pub types: bool,
    pub set: Set,
    pub markdown: Option<PathBuf>,
    pub n_rounds: usize,
    pub python: Option<PathBuf>,
    pub task: Task,
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
            types: false,
            set: Set::Tuned,
            markdown: None,
            n_rounds: N_ROUNDS,
            python: None,
            task: Task::Measure,
        };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
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
        is_named || self.words.is_empty() && (self.types || case.group != Group::Types)
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
    fn mistakes_are_told() {
        for (line, expected) in [
            ("--fast", "there is no option --fast"),
            ("--rounds", "--rounds needs a value"),
            ("--rounds none", "--rounds needs a number above 0"),
            ("--rounds 0", "--rounds needs a number above 0"),
            ("a --markdown", "--markdown needs a value"),
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
        assert_eq!(n_chosen("--types"), cases::all().len());
        assert_eq!(n_chosen(""), cases::all().len() - n_types);
        assert!(n_chosen("deltas") >= 9);
        assert!(n_chosen("deltas views") > n_chosen("deltas"));
        assert_eq!(n_chosen("no-such-case"), 0);
    }
}
