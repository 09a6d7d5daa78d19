//! The worker process. Any mutant may end it; the status then has the number of the mutant.

use std::{
    fs::{self, OpenOptions},
    io::{self, Seek, Write},
    path::Path,
    time::{Duration, Instant},
};

use mutants::{Job, Judgement, Work, keep_panics_quiet};

use crate::{arguments::Arguments, status::Status};

/// Continues from the mutant in the status.
pub(crate) fn run(path: &Path, arguments: &Arguments) -> io::Result<()> {
    keep_panics_quiet();
    let mut status = Status::read(path);
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    let job = Job::new(arguments.work, arguments.seed);
    let end = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    while status.number < arguments.n_mutants && end.is_none_or(|end| Instant::now() < end) {
        file.rewind()?;
        file.write_all(&status.bytes())?;
        let mutant = job.mutant(status.number);
        let judged = arguments.work.judge(&mutant.bytes);
        status.n_readable += u64::from(judged.is_readable);
        status.n_above_plain += judged.n_above_plain;
        if !judged.findings.is_empty() {
            status.n_findings += 1;
            write_finding(arguments, status.number, &judged.findings)?;
        }
        status.number += 1;
    }
    status.write(path)
}

/// Writes a mutant with its findings, and the command that repeats them.
pub(crate) fn write_finding(arguments: &Arguments, number: u64, findings: &[String]) -> io::Result<()> {
    let mutant = Job::new(arguments.work, arguments.seed).mutant(number);
    fs::create_dir_all(&arguments.out)?;
    let name = format!("{}-{}-{number}", name_of(arguments.work), arguments.seed);
    let input = arguments.out.join(format!("{name}.input"));
    fs::write(&input, &mutant.bytes)?;
    let flag = match arguments.work {
        Work::Check(mutants::Depth::Read) => String::new(),
        Work::Check(mutants::Depth::Use) => " --deep".to_owned(),
        Work::Target(target) => format!(" --target {}", target.name),
    };
    let command = format!("cargo run --profile hunt -p mutants -- --input {}{flag}", input.display());
    let text = format!("made of {}\n{}\nTo see it again: {command}\n", mutant.of, findings.join("\n"));
    fs::write(arguments.out.join(format!("{name}.txt")), &text)?;
    println!("mutant {number}, {text}");
    Ok(())
}

fn name_of(work: Work) -> &'static str {
    match work {
        Work::Check(mutants::Depth::Read) => "read",
        Work::Check(mutants::Depth::Use) => "deep",
        Work::Target(target) => target.name,
    }
}

/// Checks a file. The result is the exit status: 1 if there are findings.
pub(crate) fn judge_file(path: &Path, arguments: &Arguments) -> io::Result<u8> {
    keep_panics_quiet();
    let Judgement { findings, is_readable, n_above_plain } = arguments.work.judge(&fs::read(path)?);
    findings.iter().for_each(|finding| println!("{finding}"));
    println!("readable: {is_readable}; readings above 1 MiB and four times the input: {n_above_plain}");
    Ok(u8::from(!findings.is_empty()))
}

/// Writes the inputs with which a fuzzer begins.
pub(crate) fn write_seeds(folder: &Path, arguments: &Arguments) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let job = Job::new(arguments.work, arguments.seed);
    job.seeds().enumerate().try_for_each(|(idx, seed)| fs::write(folder.join(format!("seed-{idx}")), seed))
}
