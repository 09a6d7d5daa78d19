//! A process that appends, and is killed at any moment.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, FileAppender, FileReader, IpcErrorKind, WriteOptions, file::Durability};
use testing_support::Hunt;

use super::files::{file_of, same, words};

/// Names the file to the process that is killed.
const FILE: &str = "ARROW_IPC_APPEND_TO";
/// Tells it what batches survive.
const DURABILITY: &str = "ARROW_IPC_DURABILITY";
/// Names the file to processes that append to it in turn.
const SHARED_FILE: &str = "ARROW_IPC_APPEND_IN_TURN_TO";

fn options() -> WriteOptions {
    WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta)
}

/// The footer has no page alone.
fn options_of_long_footer() -> WriteOptions {
    options().with_footer_metadata([("key", "value ".repeat(5_000))].into_iter().collect())
}

/// The batch of a number: each third has a new word.
fn batch(number: usize) -> RecordBatch {
    let new = format!("word {}", number / 3);
    words(&[&[&new, "a", "b"]]).remove(0)
}

/// Appends until the process is killed, and reports each batch that counts.
#[test]
fn child() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let appender = FileAppender::open_with(PathBuf::from(path), options()).unwrap();
    let is_durable = std::env::var_os(DURABILITY).is_some_and(|found| found == "power");
    let durability = if is_durable { Durability::Power } else { Durability::Process };
    let mut appender = appender.with_durability(durability);
    let mut output = std::io::stdout();
    loop {
        appender.write(&batch(appender.n_batches())).unwrap();
        if appender.n_batches() % 3 != 0 {
            appender.flush().unwrap();
            writeln!(output, "reported {}", appender.n_batches()).unwrap();
            output.flush().unwrap();
        }
    }
}

/// Runs the child for some time, and returns the number of batches that it has reported.
fn run_child(path: &Path, durability: &str, micros: u64) -> usize {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "append::killed::child", "--nocapture"])
        .env(FILE, path)
        .env(DURABILITY, durability)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let mut lines = out.lines().map_while(Result::ok);
    // The first batch is awaited, so that some process is not killed before it has begun.
    let reported = |line: String| line.strip_prefix("reported ").and_then(|number| number.parse().ok());
    let mut last: Option<usize> = lines.by_ref().find_map(reported);
    thread::sleep(Duration::from_micros(micros));
    child.kill().unwrap();
    last = lines.filter_map(reported).last().or(last);
    child.wait().unwrap();
    last.expect("the child tells of a batch")
}

/// The batches of a file, as every library opens it.
fn batches_of(path: &Path) -> Vec<RecordBatch> {
    FileReader::open(path).unwrap().batches().collect::<Result<_, _>>().unwrap()
}

#[test]
fn everybody_opens_the_file_after_a_kill_and_no_reported_batch_is_lost() {
    let path = std::env::temp_dir().join(format!("arrow-ipc-killed-{}.arrow", std::process::id()));
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(36);
    let mut n_batches = 0;
    for round in 0..hunt.count(30, 1_000) {
        // A file is continued ten times.
        if round % 10 == 0 {
            let options = if round % 20 == 0 { options() } else { options_of_long_footer() };
            fs::write(&path, file_of(&[batch(0)], options)).unwrap();
            n_batches = 1;
        }
        let durability = if round % 2 == 0 { "power" } else { "process" };
        let n_reported = run_child(&path, durability, rng.below(20_000) as u64);
        assert!(n_reported > n_batches, "round {round}: reported {n_reported} after {n_batches}");
        let found = batches_of(&path);
        assert!(found.len() >= n_reported, "round {round}: {} of {n_reported}", found.len());
        let appender = FileAppender::open_with(&path, options()).unwrap();
        n_batches = appender.n_batches();
        assert_eq!(found.len(), n_batches, "round {round}");
        appender.finish().unwrap();
        let expected: Vec<RecordBatch> = (0..n_batches).map(batch).collect();
        assert!(same(&found, &expected) && same(&batches_of(&path), &expected), "round {round}");
    }
    fs::remove_file(&path).unwrap();
}

/// Appends a batch whenever no other process does, until it is killed.
#[test]
fn child_in_turn() {
    let Some(path) = std::env::var_os(SHARED_FILE).map(PathBuf::from) else { return };
    loop {
        match FileAppender::open_with(&path, options()) {
            Ok(mut appender) => {
                appender.write(&batch(appender.n_batches())).unwrap();
                appender.finish().unwrap();
            }
            Err(error) => assert!(matches!(error.kind(), IpcErrorKind::Locked { .. }), "{error}"),
        }
    }
}

#[test]
fn readers_open_the_file_while_two_processes_append_to_it() {
    let path = std::env::temp_dir().join(format!("arrow-ipc-in-turn-{}.arrow", std::process::id()));
    fs::write(&path, file_of(&[batch(0)], options_of_long_footer())).unwrap();
    let begin = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "append::killed::child_in_turn", "--nocapture"])
            .env(SHARED_FILE, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut children = [begin(), begin()];
    let (start, n_seconds) = (Instant::now(), Hunt::from_env().count(1, 60) as u64);
    let (mut n_batches, mut n_opened) = (1, 0u64);
    // Something is appended between two looks, however busy the machine is.
    while start.elapsed().as_secs() < n_seconds
        || ((n_batches == 1 || n_opened < 2) && start.elapsed().as_secs() < 300)
    {
        let reader = FileReader::open(&path).unwrap();
        let n_now = reader.n_batches();
        assert!(n_now >= n_batches, "{n_now} after {n_batches}");
        let last = reader.batch(reader.n_batches() - 1).unwrap();
        assert!(same(&[last], &[batch(n_now - 1)]), "batch {n_now}");
        (n_batches, n_opened) = (n_now, n_opened + 1);
    }
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    fs::remove_file(&path).unwrap();
    assert!(n_batches > 1 && n_opened > 1, "{n_batches} batches, opened {n_opened} times");
}
