//! Libraries of Python: pyarrow, which uses Arrow C++, and polars. A Python process does the work and measures it. It receives
//! commands over a pipe.

use crate::case::{Batches, Checks, From, Memory, Read, Take, To, What, Work};
use crate::clock::Time;
use crate::contestant::{Contestant, Entry, Job, error_text};
use crate::format::Format;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const WORKER: &str = include_str!("python/worker.py");

/// A library of Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    PyArrow,
    Polars,
}

/// The Python process. It ends when its standard input is closed.
pub struct Python {
    library: Library,
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    version: String,
}

impl Library {
    pub fn name(self) -> &'static str {
        match self {
            Library::PyArrow => "pyarrow",
            Library::Polars => "polars",
        }
    }

    /// The works of the library.
    fn works(self) -> &'static str {
        match self {
            Library::PyArrow => include_str!("python/pyarrow.py"),
            Library::Polars => include_str!("python/polars.py"),
        }
    }
}

impl Python {
    /// Starts the interpreter.
    ///
    /// # Errors
    /// The reason why the library cannot be used.
    pub fn start(library: Library, python: &Path) -> Result<Python, String> {
        let mut command = Command::new(python);
        let script = format!("{}\n{WORKER}", library.works());
        command.args(["-u", "-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // polars has threads before it can be told a number.
        command.env("POLARS_MAX_THREADS", "1");
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", python.display()))?;
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().ok_or("the worker has no output")?);
        let mut worker = Python { library, process, requests, answers, version: String::new() };
        worker.version = worker.ask(&["version"])?.join(" ");
        Ok(worker)
    }

    /// Sends a command, and returns the words of the answer.
    fn ask(&mut self, words: &[&str]) -> Result<Vec<String>, String> {
        let requests = self.requests.as_mut().ok_or("the worker has ended")?;
        requests.write_all(format!("{}\n", words.join("\t")).as_bytes()).map_err(error_text)?;
        requests.flush().map_err(error_text)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(error_text)?;
        let mut words = line.trim_end_matches('\n').split('\t').map(str::to_owned);
        match words.next().as_deref() {
            Some("ok") => Ok(words.collect()),
            Some("no") => Err(words.collect::<Vec<_>>().join(" ")),
            _ => Err(format!("the worker answered `{}`", line.trim_end())),
        }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        drop(self.requests.take());
        // Its status says nothing that its answers did not.
        let _ = self.process.wait();
    }
}

impl Contestant for Python {
    fn name(&self) -> &'static str {
        self.library.name()
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        let mut words = vec!["enter".to_owned()];
        words.extend(describe(job));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let way = self.ask(&words)?.join(" ");
        Ok(Box::new(PythonEntry { worker: self, job, way, n_written: None }))
    }
}

struct PythonEntry<'a> {
    worker: &'a mut Python,
    job: &'a Job<'a>,
    way: String,
    n_written: Option<usize>,
}

impl Entry for PythonEntry<'_> {
    fn outcome(&mut self) -> Result<Vec<u8>, String> {
        let path = self.job.output_path.with_extension("outcome");
        let answer = self.worker.ask(&["outcome", &path.to_string_lossy()])?;
        self.n_written = answer.first().and_then(|n_bytes| n_bytes.parse().ok());
        let bytes = std::fs::read(&path).map_err(error_text)?;
        std::fs::remove_file(&path).map_err(error_text)?;
        Ok(bytes)
    }

    fn run(&mut self, n_times: u32) -> Result<Time, String> {
        let answer = self.worker.ask(&["run", &n_times.to_string()])?;
        let numbers: Result<Vec<f64>, _> = answer.iter().map(|word| word.parse()).collect();
        match numbers.map_err(error_text)?[..] {
            [processor, wall] => Ok(Time { wall, processor }),
            _ => Err("the worker gave another number of times than two".to_owned()),
        }
    }

    fn n_written(&self) -> Option<usize> {
        self.n_written
    }

    fn way(&self) -> Option<&str> {
        Some(&self.way)
    }
}

impl Drop for PythonEntry<'_> {
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
        pair("threads", &job.case.n_threads.to_string()),
        pair("growing", if job.case.is_growing() { "yes" } else { "no" }),
    ];
    words.extend(match job.case.work {
        Work::Read(read) => describe_read(job, read),
        Work::Write(write) => {
            let (what, n_skipped, n_parts) = match write.what {
                What::Schema => ("schema", 0, 1),
                What::Batches => ("batches", 0, 1),
                What::Slices { n_skipped } => ("batches", n_skipped, 1),
                What::Parts { n_parts } => ("parts", 0, n_parts),
            };
            let to = match write.to {
                To::Reused => "reused",
                To::Cleared => "cleared",
                To::New => "new",
                To::Nowhere => "nowhere",
                To::Disk => "disk",
            };
            vec![
                pair("work", "write"),
                pair("to", to),
                pair("what", what),
                pair("skip", &n_skipped.to_string()),
                pair("parts", &n_parts.to_string()),
            ]
        }
        Work::Shuffle { n_outputs } => vec![pair("work", "shuffle"), pair("outputs", &n_outputs.to_string())],
        Work::WriteGrowing(memory, _) => {
            let memory = if memory == Memory::Same { "same" } else { "other" };
            vec![pair("work", "grow"), pair("memory", memory)]
        }
    });
    words
}

fn describe_read(job: &Job<'_>, read: Read) -> Vec<String> {
    let from = match read.from {
        From::Memory => "memory",
        From::Reader => "reader",
        From::Disk => "disk",
        From::Map => "map",
    };
    let (take, idx) = match read.take {
        Take::Schema => ("schema", String::new()),
        Take::Batch(idx) => ("batch", idx.to_string()),
        Take::Column(idx) => ("column", idx.to_string()),
        Take::EachEighth => {
            let positions: Vec<String> = job.each_eighth().iter().map(usize::to_string).collect();
            ("columns", positions.join(","))
        }
        Take::All => ("all", String::new()),
    };
    let batches = if read.batches == Batches::Retained { "retained" } else { "dropped" };
    let checks = match read.checks {
        Checks::Default => "default",
        Checks::Usual | Checks::None => "none",
    };
    [("work", "read"), ("from", from), ("take", take), ("batches", batches), ("checks", checks)]
        .map(|(key, value)| format!("{key}={value}"))
        .into_iter()
        .chain([format!("idx={idx}")])
        .collect()
}
