//! Compares reading and writing with other implementations of Arrow: a table of cases × contestants, `cargo xtask bench`.
//!
//! Each contestant does the work of a case once, and its outcome is compared with the data. Then all contestants do the
//! work in turns. The table has the medians of their processor times.

mod args;
mod case;
mod cases;
mod clock;
mod contestant;
mod contestants;
mod data;
mod equality;
mod machine;
mod page;
mod report;
mod rounds;
mod stage;

// Those of the package `peers`, whose other parts would take minutes to build.
#[path = "../../src/format.rs"]
#[allow(dead_code)] // Some of it is for the tests.
mod format;
#[path = "../../src/ours.rs"]
#[allow(dead_code)]
mod ours;
#[path = "../../src/theirs.rs"]
mod theirs;

use crate::args::{Args, HELP, PUBLIC_HELP, Suite, Task};
use crate::case::{Case, Group};
use crate::contestant::{Contestant, Job};
use crate::contestants::{ArrowRs, Floor, Library, Ours, Polars, Python};
use crate::data::Set;
use crate::report::{Circumstances, Row};
use crate::rounds::{CaseResult, Pace};
use crate::stage::Stage;
use std::process::ExitCode;
use std::time::Duration;

const ROUND: Duration = Duration::from_millis(20);
/// Several calls of the works of tens of milliseconds: a pool gives memory back to the system that is not used for some time, which then is
/// measured only for the first call of a round.
const LONG_ROUND: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let args = match Args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(mistake) => {
            eprintln!("{mistake}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match args.task {
        Task::Help if args.suite == Suite::Public => print!("{PUBLIC_HELP}"),
        Task::Help => print!("{HELP}"),
        Task::List => {
            let cases = cases::all();
            cases.iter().filter(|case| args.suite.has(case)).for_each(|case| println!("{}", case.name));
        }
        Task::Measure => {
            if let Err(error) = measure(&args) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn measure(args: &Args) -> Result<(), String> {
    let chosen: Vec<Case> = cases::all().into_iter().filter(|case| args.choose(case)).collect();
    if chosen.is_empty() {
        return Err("no case has these words in its name: --list has all".to_owned());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cases::MAX_THREADS);
    pool.build_global().map_err(contestant::error_text)?;
    let mut contestants = contestants(args);
    let versions = contestants.iter().map(|it| (it.name(), it.version()));
    let versions = versions.filter(|(name, _)| *name != contestant::RECYCLING).collect();
    let round = if args.suite == Suite::Threads { LONG_ROUND } else { ROUND };
    let pace = Pace { n_rounds: args.n_rounds, round };
    let mut stage = Stage::try_new(args.set)?;
    let mut standings = Vec::new();
    for (idx, case) in chosen.iter().enumerate() {
        eprint!("{:>4}/{} {}: ", idx + 1, chosen.len(), case.name);
        let standing = compete(case, &mut stage, &mut contestants, pace)?;
        eprintln!("{}", brief(&standing));
        standings.push(standing);
    }
    let circumstances = Circumstances {
        date: machine::date(),
        machine: machine::name(),
        versions,
        // Texts of the suite of threads have shown what the compressor lacked.
        is_held_out: args.set != Set::Tuned && args.suite != Suite::Threads,
        n_rounds: args.n_rounds,
        time: if args.suite == Suite::Threads { "times by the clock" } else { "processor time" },
    };
    let of_group = |group, begin| {
        let table = report::ratio_table(&standings, group);
        (table.clone(), table, begin)
    };
    let (tables, page_table, begin) = match args.suite {
        Suite::Own => (report::tables(&standings), report::page_table(&standings), page::BEGIN),
        Suite::Public => of_group(Group::Public, page::PUBLIC_BEGIN),
        Suite::Threads => of_group(Group::Threads, page::THREADS_BEGIN),
    };
    println!("{}", report::section(&circumstances, &standings, &tables));
    let Some(page) = &args.markdown else { return Ok(()) };
    page::write(page, begin, &report::section(&circumstances, &standings, &page_table))
}

/// The contestants that can run. The names of the others are printed.
fn contestants(args: &Args) -> Vec<Box<dyn Contestant>> {
    let mut all: Vec<Box<dyn Contestant>> = vec![Box::new(Ours::default()), Box::new(ArrowRs)];
    let libraries: &[Library] = match args.suite {
        Suite::Own => {
            all.push(Box::new(Polars));
            all.push(Box::new(Floor));
            &[Library::PyArrow]
        }
        Suite::Public => {
            all.push(Box::new(Floor));
            &[Library::PyArrow, Library::Polars]
        }
        Suite::Threads => {
            all.push(Box::new(Ours::recycling()));
            &[Library::PyArrow]
        }
    };
    for library in libraries {
        let worker = args.python.as_ref().ok_or("no --python".to_owned());
        match worker.and_then(|python| Python::start(*library, python)) {
            Ok(worker) => all.push(Box::new(worker)),
            Err(why) => eprintln!("SKIPPED: {}: {why}", library.name()),
        }
    }
    all
}

fn compete(
    case: &Case,
    stage: &mut Stage,
    contestants: &mut [Box<dyn Contestant>],
    pace: Pace,
) -> Result<CaseResult, String> {
    stage.prepare(case).map_err(|error| format!("{}: {error}", case.name))?;
    let job = Job {
        case,
        data: stage.data(),
        input: stage.input(),
        input_path: &stage.input_path(),
        plain_path: &stage.plain_path(),
        output_path: &stage.output_path(),
    };
    rounds::run(&job, contestants, pace)
}

/// A line about a case, for progress while later cases are measured.
fn brief(standing: &CaseResult) -> String {
    let way =
        |name: &str| standing.ways.iter().find(|(of, _)| *of == name).map(|(_, way)| format!(" ({way})"));
    let times = standing.results.iter().map(|(name, summary)| {
        let time = report::show(standing.case.measure(summary.median));
        format!("{name}{} {time}", way(name).unwrap_or_default())
    });
    let absent = standing.absent.iter().map(|(name, why)| format!("{name} absent ({why})"));
    let all = times.chain(absent).collect::<Vec<_>>().join(", ");
    let ratio = Row::new(standing).ratios().map_or("–".to_owned(), |(medians, _)| format!("{medians:.2}"));
    format!("{ratio}; {all}")
}
