//! A process that appends, and is killed at any moment.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, Durability, FileAppender, FileReader, WriteOptions};
use testing_support::Hunt;

use super::files::{file_of, same, words};

/// Names the file to the process that is killed.
const FILE: &str = "ARROW_IPC_APPEND_TO";

fn options() -> WriteOptions {
    WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta)
}

/// The batch of a number: each third has a new word.
fn batch(number: u64) -> RecordBatch {
    let new = format!("word {}", number / 3);
    words(&[&[&new, "a", "b"]]).remove(0)
}

/// Appends until it is killed, and tells each batch that counts.
#[test]
fn child() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let appender = FileAppender::open(PathBuf::from(path), options()).unwrap();
    let mut appender = appender.with_durability(Durability::Process);
    let mut told = std::io::stdout();
    loop {
        appender.write(&batch(appender.n_batches())).unwrap();
        if appender.n_batches() % 3 != 0 {
            appender.flush().unwrap();
            writeln!(told, "told {}", appender.n_batches()).unwrap();
            told.flush().unwrap();
        }
    }
}

/// Runs the child for some time, and returns how many batches it has told of.
fn run_child(path: &Path, micros: u64) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "append::killed::child", "--nocapture"])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let mut lines = out.lines().map_while(Result::ok);
    // The first batch is awaited, so that some process is not killed before it has begun.
    let told = |line: String| line.strip_prefix("told ").and_then(|number| number.parse().ok());
    let mut last: Option<u64> = lines.by_ref().find_map(told);
    thread::sleep(Duration::from_micros(micros));
    child.kill().unwrap();
    last = lines.filter_map(told).last().or(last);
    child.wait().unwrap();
    last.expect("the child tells of a batch")
}

#[test]
fn no_batch_is_lost_that_was_told() {
    let path = std::env::temp_dir().join(format!("arrow-ipc-killed-{}.arrow", std::process::id()));
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(36);
    let mut n_batches = 0;
    for round in 0..hunt.count(30, 1_000) {
        // A file is continued ten times.
        if round % 10 == 0 {
            fs::write(&path, file_of(&[batch(0)], options())).unwrap();
            n_batches = 1;
        }
        let n_told = run_child(&path, rng.below(20_000) as u64);
        assert!(n_told > n_batches, "round {round}: told {n_told} after {n_batches}");
        let appender = FileAppender::open(&path, options()).unwrap();
        n_batches = appender.n_batches();
        assert!(n_batches >= n_told, "round {round}: {n_batches} of {n_told}");
        appender.finish().unwrap();
        let reader = FileReader::open(&path).unwrap();
        assert_eq!(reader.n_batches() as u64, n_batches);
        let found: Vec<RecordBatch> = reader.batches().collect::<Result<_, _>>().unwrap();
        let expected: Vec<RecordBatch> = (0..n_batches).map(batch).collect();
        assert!(same(&found, &expected), "round {round}");
    }
    fs::remove_file(&path).unwrap();
}
