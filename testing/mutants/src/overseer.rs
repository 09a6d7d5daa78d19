//! The process that starts the one that works, and starts it again after each end that was not meant.

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    path::Path,
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use crate::{arguments::Arguments, status::Status, worker::write_finding};

/// A mutant that takes so long is a finding.
const MAX_TIME: Duration = Duration::from_secs(300);

/// After so many ends that were not meant, the rest would say the same.
const MAX_ENDS: u32 = 100;

/// Works until all mutants have been looked at. The status is 1 if something is found.
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

/// Waits for the end, and ends what does not.
fn wait(mut child: Child, path: &Path, n_mutants: u64) -> io::Result<(ExitStatus, bool)> {
    let (mut last, mut since) = (Status::read(path), Instant::now());
    loop {
        if let Some(ended) = child.try_wait()? {
            return Ok((ended, false));
        }
        let now = Status::read(path);
        if now.number != last.number {
            (last, since) = (now, Instant::now());
        } else if since.elapsed() > MAX_TIME {
            child.kill()?;
            return Ok((child.wait()?, true));
        }
        if io::stderr().is_terminal() {
            let of = if n_mutants == u64::MAX { String::new() } else { format!(" of {n_mutants}") };
            eprint!("\r{}{of}, {} findings ", now.number, now.n_findings);
            io::stderr().flush()?;
        }
        thread::sleep(Duration::from_millis(100));
    }
}
