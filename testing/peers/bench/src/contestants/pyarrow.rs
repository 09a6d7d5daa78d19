//! pyarrow, which uses Arrow C++. A Python process does the work and measures it. It receives commands over a pipe.

use crate::case::{Batches, Checks, From, Memory, Read, Take, To, What, Work};
use crate::clock::Time;
use crate::contestant::{Contestant, Entry, Job, told};
use crate::format::Format;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const WORKER: &str = include_str!("worker.py");

/// The Python process. It ends when its standard input is closed.
pub struct PyArrow {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    version: String,
}

impl PyArrow {
    /// Starts the interpreter.
    ///
    /// # Errors
    /// The reason why pyarrow cannot be used.
    pub fn start(python: &Path) -> Result<PyArrow, String> {
        let mut command = Command::new(python);
        command.args(["-u", "-c", WORKER]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", python.display()))?;
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().ok_or("the worker has no output")?);
        let mut worker = PyArrow { process, requests, answers, version: String::new() };
        worker.version = worker.ask(&["version"])?.join(" ");
        Ok(worker)
    }

    /// Sends a command, and returns the words of the answer.
    fn ask(&mut self, words: &[&str]) -> Result<Vec<String>, String> {
        let requests = self.requests.as_mut().ok_or("the worker has ended")?;
        requests.write_all(format!("{}\n", words.join("\t")).as_bytes()).map_err(told)?;
        requests.flush().map_err(told)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(told)?;
        let mut words = line.trim_end_matches('\n').split('\t').map(str::to_owned);
        match words.next().as_deref() {
            Some("ok") => Ok(words.collect()),
            Some("no") => Err(words.collect::<Vec<_>>().join(" ")),
            _ => Err(format!("the worker answered `{}`", line.trim_end())),
        }
    }
}

impl Drop for PyArrow {
    fn drop(&mut self) {
        drop(self.requests.take());
        // Its status says nothing that its answers did not.
        let _ = self.process.wait();
    }
}

impl Contestant for PyArrow {
    fn name(&self) -> &'static str {
        "pyarrow"
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        let mut words = vec!["enter".to_owned()];
        words.extend(describe(job));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.ask(&words)?;
        Ok(Box::new(PyArrowEntry { worker: self, job }))
    }
}

struct PyArrowEntry<'a> {
    worker: &'a mut PyArrow,
    job: &'a Job<'a>,
}

impl Entry for PyArrowEntry<'_> {
    fn outcome(&mut self) -> Result<Vec<u8>, String> {
        let path = self.job.output_path.with_extension("outcome");
        self.worker.ask(&["outcome", &path.to_string_lossy()])?;
        let bytes = std::fs::read(&path).map_err(told)?;
        std::fs::remove_file(&path).map_err(told)?;
        Ok(bytes)
    }

    fn run(&mut self, n_times: u32) -> Result<Time, String> {
        let answer = self.worker.ask(&["run", &n_times.to_string()])?;
        let numbers: Result<Vec<f64>, _> = answer.iter().map(|word| word.parse()).collect();
        match numbers.map_err(told)?[..] {
            [processor, wall] => Ok(Time { wall, processor }),
            _ => Err("the worker gave another number of times than two".to_owned()),
        }
    }
}

impl Drop for PyArrowEntry<'_> {
    fn drop(&mut self) {
        // If it cannot be told to forget the data, the next request fails too.
        let _ = self.worker.ask(&["leave"]);
    }
}

/// The work as words of a command.
fn describe(job: &Job<'_>) -> Vec<String> {
    let pair = |key: &str, value: &str| format!("{key}={value}");
    let path = |key: &str, path: &Path| pair(key, &path.to_string_lossy());
    let container = match job.case.container() {
        Format::Stream => "stream",
        Format::File => "file",
    };
    let mut words = vec![
        pair("container", container),
        pair("codec", job.case.codec.map_or("", |codec| codec.name())),
        path("input", job.input_path),
        path("plain", job.plain_path),
        path("output", job.output_path),
        pair("compared", &job.case.max_compared().to_string()),
        pair("growing", if job.case.is_growing() { "yes" } else { "no" }),
    ];
    words.extend(match job.case.work {
        Work::Read(read) => describe_read(read),
        Work::Write(write) => {
            let (what, n_skipped) = match write.what {
                What::Schema => ("schema", 0),
                What::Batches => ("batches", 0),
                What::Slices { n_skipped } => ("batches", n_skipped),
            };
            let to = match write.to {
                To::Reused => "reused",
                To::New => "new",
                To::Disk => "disk",
            };
            vec![
                pair("work", "write"),
                pair("to", to),
                pair("what", what),
                pair("skip", &n_skipped.to_string()),
            ]
        }
        Work::WriteGrowing(memory) => {
            let memory = if memory == Memory::Same { "same" } else { "other" };
            vec![pair("work", "grow"), pair("memory", memory)]
        }
    });
    words
}

fn describe_read(read: Read) -> Vec<String> {
    let from = match read.from {
        From::Memory => "memory",
        From::Reader => "reader",
        From::Disk => "disk",
    };
    let (take, idx) = match read.take {
        Take::Schema => ("schema", 0),
        Take::Batch(idx) => ("batch", idx),
        Take::Column(idx) => ("column", idx),
        Take::All => ("all", 0),
    };
    let batches = if read.batches == Batches::Kept { "kept" } else { "dropped" };
    let checks = if read.checks == Checks::Default { "default" } else { "none" };
    [("work", "read"), ("from", from), ("take", take), ("batches", batches), ("checks", checks)]
        .map(|(key, value)| format!("{key}={value}"))
        .into_iter()
        .chain([format!("idx={idx}")])
        .collect()
}
