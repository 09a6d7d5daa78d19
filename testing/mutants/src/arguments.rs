//! The command line.

use std::path::PathBuf;

use mutants::{Depth, TARGETS, Work};

pub(crate) const USAGE: &str = "\
mutants [--target NAME] [--n N] [--seconds S] [--seed S] [--deep] [--out FOLDER]
    --target NAME   give the mutants to one target; without it, to all readers
    --n N           so many mutants; 10,000 unless --seconds is given
    --seconds S     until so many seconds have passed
    --seed S        the seed, which is printed; 1 unless given
    --deep          use what was read: select, compare, write again, print
    --out FOLDER    where findings are written; target/mutants unless given
mutants --input FILE [--target NAME] [--deep]
    do the same with one file
mutants --write-seeds FOLDER --target NAME
    write what a fuzzer of a target begins with
mutants --list
    list the targets";

/// The task of the program.
pub(crate) enum Mode {
    Help,
    List,
    One(PathBuf),
    /// Run the mutants, and store the status in this file.
    Work(PathBuf),
    Oversee,
    WriteSeeds(PathBuf),
}

pub(crate) struct Arguments {
    pub(crate) mode: Mode,
    pub(crate) work: Work,
    pub(crate) n_mutants: u64,
    pub(crate) seconds: Option<u64>,
    pub(crate) seed: u64,
    pub(crate) out: PathBuf,
}

impl Arguments {
    pub(crate) fn parse(words: &[String]) -> Result<Arguments, String> {
        let mut found = Arguments {
            mode: Mode::Oversee,
            work: Work::Check(Depth::Read),
            n_mutants: 10_000,
            seconds: None,
            seed: 1,
            out: PathBuf::from("target/mutants"),
        };
        let mut words = words.iter();
        let mut has_n = false;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |text: &String| text.parse::<u64>().map_err(|_| format!("{text} is not a number"));
            match word.as_str() {
                "--help" => found.mode = Mode::Help,
                "--list" => found.mode = Mode::List,
                "--deep" => found.work = Work::Check(Depth::Use),
                "--input" => found.mode = Mode::One(value()?.into()),
                "--status" => found.mode = Mode::Work(value()?.into()),
                "--write-seeds" => found.mode = Mode::WriteSeeds(value()?.into()),
                "--out" => found.out = value()?.into(),
                "--seed" => found.seed = number(value()?)?,
                "--seconds" => found.seconds = Some(number(value()?)?),
                "--n" => (found.n_mutants, has_n) = (number(value()?)?, true),
                "--target" => {
                    let name = value()?;
                    let target = TARGETS.iter().find(|target| target.name == name);
                    found.work = Work::Target(target.ok_or_else(|| format!("there is no target {name}"))?);
                }
                _ => return Err(format!("{word} is unknown")),
            }
        }
        if found.seconds.is_some() && !has_n {
            found.n_mutants = u64::MAX;
        }
        Ok(found)
    }
}
