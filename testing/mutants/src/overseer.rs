//! The process that starts the worker, and starts it again after each unexpected end.

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    path::Path,
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use crate::{arguments::Arguments, status::Status, worker::write_finding};

/// A mutant that takes more processor time is a finding.
const MAX_TIME: Duration = Duration::from_secs(120);

/// The program stops after this number of unexpected ends, since further ones would probably have the same causes.
const MAX_ENDS: u32 = 100;

/// Runs until all mutants have been checked. The result is the exit status: 1 if there are findings.
pub(crate) fn run(arguments: &Arguments, words: &[String]) -> io::Result<u8> {
    let begin = Instant::now();
    fs::create_dir_all(&arguments.out)?;
    let path = arguments.out.join(format!("status-{}", std::process::id()));
    let mut n_ends = 0;
    while n_ends < MAX_ENDS {
        let mut command = Command::new(env::current_exe()?);
        command.args(words).arg("--status").arg(&path);
        if let Some(seconds) = arguments.seconds {
            // The last of two counts.
            let left = Duration::from_secs(seconds).saturating_sub(begin.elapsed()).as_secs();
            command.args(["--seconds", &left.to_string()]);
        }
        let (ended, is_stuck) = wait(command.spawn()?, &path, arguments.n_mutants)?;
        if ended.success() {
            break;
        }
        n_ends += 1;
        let mut status = Status::read(&path);
        let what = if is_stuck {
            format!("no end after {MAX_TIME:?}")
        } else {
            format!("the process ended with {ended}")
        };
        write_finding(arguments, status.number, &[what])?;
        (status.number, status.n_findings) = (status.number + 1, status.n_findings + 1);
        status.write(&path)?;
    }
    let Status { number, n_readable, n_above_plain, n_findings } = Status::read(&path);
    fs::remove_file(&path)?;
    println!(
        "seed {}: {number} mutants in {:.1} s, {n_readable} readable, {n_above_plain} readings above 1 MiB and four times \
         the input, {n_findings} findings",
        arguments.seed,
        begin.elapsed().as_secs_f64()
    );
    Ok(u8::from(n_findings > 0))
}

/// Waits for a worker to end. A worker that takes too much time is killed.
fn wait(mut child: Child, path: &Path, n_mutants: u64) -> io::Result<(ExitStatus, bool)> {
    let begin = Instant::now();
    let (mut last, mut since) = (Status::read(path).number, Duration::ZERO);
    loop {
        if let Some(ended) = child.try_wait()? {
            return Ok((ended, false));
        }
        let status = Status::read(path);
        let time = time_of(child.id()).unwrap_or_else(|| begin.elapsed());
        if status.number != last {
            (last, since) = (status.number, time);
        } else if time.saturating_sub(since) > MAX_TIME {
            child.kill()?;
            return Ok((child.wait()?, true));
        }
        if io::stderr().is_terminal() {
            let of = if n_mutants == u64::MAX { String::new() } else { format!(" of {n_mutants}") };
            eprint!("\r{}{of}, {} findings ", status.number, status.n_findings);
            io::stderr().flush()?;
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// The processor time of a process in hundredths of a second, from Linux; `None` on other systems. While a process is
/// stopped or waits for a busy machine, this time does not increase.
fn time_of(id: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields = time_fields(&text)?;
    Some(Duration::from_millis(10 * fields))
}

/// The sum of fields 14 and 15. Field 2 is a name in parentheses, which may contain any text.
fn time_fields(text: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let number = |field: Option<&str>| field?.parse::<u64>().ok();
    Some(number(fields.next())? + number(fields.next())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_found() {
        let text = "4242 (a ) name) R 1 4242 4242 0 -1 4194304 100 0 0 0 700 21 0 0 20 0 1 0 5 6 7";
        assert_eq!(time_fields(text), Some(721));
        assert_eq!(time_fields("4242 (name"), None);
        assert!(!cfg!(target_os = "linux") || time_of(std::process::id()).is_some());
    }
}
