//! A process that writes files is killed at any moment: an incomplete file never opens as complete.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, WriteOptions};
use testing_support::{Generator, Hunt};

/// Names the folder to the process that is killed.
const FOLDER: &str = "ARROW_IPC_WRITE_TO";

const N_BATCHES: usize = 20;

fn batches() -> Vec<RecordBatch> {
    let schema = "a: int64\nb: utf8\nc: list<item: int16>".parse().unwrap();
    Generator::new(8).batches(&schema, &[300; N_BATCHES])
}

/// Writes both files, each again and again, until it is killed.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let batches = batches();
    let mut output = std::io::stdout();
    loop {
        let (path, options) = (folder.join("in-place"), WriteOptions::new());
        let mut in_place = FileWriter::create_with(path, batches[0].schema(), options.clone()).unwrap();
        batches.iter().for_each(|batch| in_place.write(batch).unwrap());
        in_place.finish().unwrap();
        let path = folder.join("atomic");
        let mut atomic = FileWriter::create_atomic_with(path, batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| atomic.write(batch).unwrap());
        atomic.finish().unwrap();
        writeln!(output, "reported").unwrap();
        output.flush().unwrap();
    }
}

/// Runs the child, and kills it some time after it has written both files once.
fn run_child(folder: &Path, micros: u64) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::child", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "reported"));
    thread::sleep(Duration::from_micros(micros));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Whether a file can be opened; then it has all batches.
fn is_whole(path: &Path, expected: &[RecordBatch]) -> bool {
    let Ok(reader) = FileReader::open(path) else { return false };
    let found: Vec<RecordBatch> = reader.batches().collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), expected.len(), "{}", path.display());
    assert!(found.iter().zip(expected).all(|(found, expected)| found.same_values(expected).unwrap()));
    true
}

#[test]
fn files_of_a_killed_writer_are_whole_or_refused() {
    let folder = std::env::temp_dir().join(format!("arrow-ipc-killed-writer-{}", std::process::id()));
    let hunt = Hunt::from_env();
    let (expected, mut rng, mut n_whole) = (batches(), hunt.rng(46), 0);
    let n_rounds = hunt.count(8, 1_000);
    for _ in 0..n_rounds {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        run_child(&folder, rng.below(6_000) as u64);
        n_whole += usize::from(is_whole(&folder.join("in-place"), &expected));
        assert!(is_whole(&folder.join("atomic"), &expected), "it was there, and is replaced as a whole");
        for entry in fs::read_dir(&folder).unwrap() {
            // What an atomic writer leaves has another name.
            is_whole(&entry.unwrap().path(), &expected);
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(!hunt.is_on() || n_whole < n_rounds, "no process was killed while it wrote");
}
