//! `mutants`: runs very many mutants in a process that each of them may end.
//!
//! The program starts itself again as a worker process. If the worker ends early, a new worker continues with the next
//! mutant. Findings are written to a folder, each with the command that repeats it. The exit status is 1 if there are
//! findings.

mod arguments;
mod overseer;
mod status;
mod worker;

use std::process::ExitCode;

use crate::arguments::{Arguments, Mode};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let arguments = match Arguments::parse(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}\n\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    let result = match &arguments.mode {
        Mode::Help => {
            println!("{}", arguments::USAGE);
            Ok(0)
        }
        Mode::List => {
            mutants::TARGETS.iter().for_each(|target| println!("{}", target.name));
            Ok(0)
        }
        Mode::One(path) => worker::judge_file(path, &arguments),
        Mode::Work(status) => worker::run(status, &arguments).map(|()| 0),
        Mode::Oversee => overseer::run(&arguments, &words),
        Mode::WriteSeeds(folder) => worker::write_seeds(folder, &arguments).map(|()| 0),
    };
    match result {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
