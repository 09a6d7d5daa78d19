//! Measures the cost of the commands of the program with files at URLs: bytes, requests and time. A server of ranges on
//! loopback delays each answer by 30 ms.
//!
//! `cargo run --release --manifest-path testing/remote/Cargo.toml --bin commands [--write FILE] NAME=PROGRAM…
//! [python=PYTHON]` prints a table with a column for each program. The programs are builds with the feature `remote`. With
//! `--write`, the table replaces the table in a document. With a Python that has pyarrow, polars, fsspec and aiohttp, the
//! table also has columns of these libraries for the same work. All run in turns. The first run writes the files, 1.7 GB,
//! to `testing/remote/target/measured`.
#![forbid(unsafe_code)]

use std::{
    error::Error,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use arrow_ipc::{FileWriter, WriteOptions};
use remote::{Counts, RangeServer, wide, write_once};

const DELAY: Duration = Duration::from_millis(30);

/// A command that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// Work that takes less time is run several times, and the median counts.
const SHORT: Duration = Duration::from_secs(4);
const N_ROUNDS: usize = 3;

/// Files of 100 columns of 64-bit integers: the name, the number of batches, and the rows of each batch.
const FILES: [(&str, usize, usize); 3] = [("small", 1_000, 1_049), ("large", 16, 65_536), ("one", 1, 62_500)];

/// The file, the command, and the name of the same work in `measure_peers.py`.
const COMMANDS: [(&str, &str, &str); 37] = [
    ("small", "count IN", "count"),
    ("small", "schema IN", "open"),
    ("small", "head IN --columns c10", "head"),
    ("small", "tail IN --columns c10", "tail"),
    ("small", "sample IN --seed 1 --columns c10", ""),
    ("small", "cat IN --rows 500000..500010 --columns c10", "slice"),
    ("small", "cat IN --columns c10 --format csv", "csv"),
    ("small", "stats IN --columns c10,c50,c90", "stats"),
    ("small", "validate IN --columns c10,c50,c90", ""),
    ("small", "validate IN", ""),
    ("small", "inspect IN", ""),
    ("small", "explain IN", ""),
    ("small", "diff IN IN --columns c10", ""),
    ("small", "convert IN OUT.arrows", "stream"),
    ("small", "convert IN OUT.arrow --columns c10,c50,c90", "three"),
    ("small", "concat IN OUT.arrow --columns c10", ""),
    ("small", "concat IN OUT.arrow", ""),
    ("small", "split IN OUT.arrow --rows 100000..200000", ""),
    ("small", "append BASE IN --columns c10", ""),
    ("small", "recover IN OUT.arrow", ""),
    ("large", "count IN", "count"),
    ("large", "head IN --columns c10", "head"),
    ("large", "tail IN --columns c10", "tail"),
    ("large", "sample IN --seed 1 --columns c10", ""),
    ("large", "cat IN --rows 500000..500010 --columns c10", "slice"),
    ("large", "stats IN --columns c10,c50,c90", "stats"),
    ("large", "validate IN", ""),
    ("large", "convert IN OUT.arrows", "stream"),
    ("one", "count IN", "count"),
    ("one", "head IN", "head-all"),
    ("one", "cat IN --rows 30000..30010", "slice-all"),
    ("one", "cat IN --columns c10 --format csv", "csv"),
    ("one", "stats IN", "stats-all"),
    ("one", "validate IN", ""),
    ("one", "convert IN OUT.arrows", "stream"),
    ("one", "convert IN OUT.arrows --unchecked", ""),
    ("one", "explain IN", ""),
];

/// The lines of a document before and after the table.
const MARKERS: [&str; 2] =
    ["<!-- Written by `commands --write`, testing/remote: -->\n\n", "<!-- Up to here. -->"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).peekable();
    let written = args.next_if_eq("--write").and_then(|_| args.next());
    let contenders = args.map(|arg| Contender::parse(&arg)).collect::<Result<Vec<_>, _>>()?;
    let contenders: Vec<Contender> = contenders.into_iter().flatten().collect();
    let setup = Setup::prepare()?;
    let mut table = String::from("| of | command |");
    contenders.iter().for_each(|contender| table += &format!(" {} |", contender.name));
    table += &format!("\n|---|---|{}\n", "--:|".repeat(contenders.len()));
    for case in COMMANDS {
        let mut runs: Vec<Vec<Run>> = contenders.iter().map(|_| Vec::new()).collect();
        for _ in 0..N_ROUNDS {
            for (contender, runs) in contenders.iter().zip(&mut runs) {
                if runs.last().is_none_or(|run| run.time.is_some_and(|time| time < SHORT)) {
                    runs.extend(contender.run(&setup, case)?);
                }
            }
        }
        let (file, line, _) = case;
        table += &format!("| {file} | `{line}` |");
        runs.iter_mut().for_each(|runs| table += &format!(" {} |", shown(runs)));
        table += "\n";
        eprintln!("{}", table.lines().last().unwrap_or_default());
    }
    match written {
        None => print!("{table}"),
        Some(path) => fs::write(&path, replaced(&fs::read_to_string(&path)?, &table)?)?,
    }
    Ok(())
}

fn replaced(document: &str, table: &str) -> Result<String, String> {
    let [begin, end] = MARKERS;
    let (before, rest) = document.split_once(begin).ok_or(format!("no {begin}"))?;
    let (_, after) = rest.split_once(end).ok_or(format!("no {end}"))?;
    Ok(format!("{before}{begin}{table}\n{end}{after}"))
}

/// The median of the times, and the requests of the first run.
fn shown(runs: &mut [Run]) -> String {
    let Some(Run { counts, .. }) = runs.first() else { return String::new() };
    let traffic =
        format!("{:.1} / {} / {}", counts.n_bytes as f64 / 1e6, counts.n_requests, counts.max_in_flight);
    runs.sort_unstable_by_key(|run| run.time.unwrap_or(Duration::MAX));
    match runs.get(runs.len() / 2).and_then(|run| run.time) {
        Some(time) => format!("{traffic} / {:.2}", time.as_secs_f64()),
        None => format!("{traffic} / ended"),
    }
}

/// The server and the folder of the files.
struct Setup {
    server: RangeServer,
    folder: PathBuf,
}

impl Setup {
    fn prepare() -> Result<Setup, Box<dyn Error>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/measured");
        let server = RangeServer::start(DELAY);
        for (name, n_batches, n_rows) in FILES {
            let path = folder.join(format!("{name}.arrow"));
            write_once(&path, (n_batches, n_rows), &WriteOptions::new())?;
            server.put_tagged(&format!("{name}.arrow"), File::open(&path)?, "1");
        }
        let batch = wide(10, 0).project(&[10])?;
        let mut writer = FileWriter::create(folder.join("base.arrow"), batch.schema())?;
        writer.write(&batch)?;
        writer.finish()?;
        Ok(Setup { server, folder })
    }
}

/// A program or library that does the work.
struct Contender {
    name: String,
    kind: Kind,
}

enum Kind {
    Program(String),
    /// A Python interpreter, and the library.
    Library(String, &'static str),
}

struct Run {
    /// The elapsed time; `None` if the command was ended.
    time: Option<Duration>,
    counts: Counts,
}

impl Contender {
    fn parse(arg: &str) -> Result<Vec<Contender>, String> {
        let (name, program) = arg.split_once('=').ok_or(format!("{arg} is not NAME=PROGRAM"))?;
        let library = |library: &'static str| Contender {
            name: library.to_owned(),
            kind: Kind::Library(program.to_owned(), library),
        };
        Ok(match name {
            "python" => vec![library("polars"), library("pyarrow")],
            name => vec![Contender { name: name.to_owned(), kind: Kind::Program(program.to_owned()) }],
        })
    }

    /// Runs a case; `None` if the contender does not support it.
    fn run(
        &self,
        Setup { server, folder }: &Setup,
        (file, line, work): (&str, &str, &str),
    ) -> Result<Option<Run>, Box<dyn Error>> {
        let (url, out) = (format!("{}/{file}.arrow", server.url()), folder.join("out"));
        let mut command = match &self.kind {
            Kind::Program(program) => {
                let appended = folder.join("appended.arrow");
                fs::copy(folder.join("base.arrow"), &appended)?;
                let mut command = Command::new(program);
                command.args(line.split(' ').map(|arg| {
                    let arg = if arg == "IN" { url.clone() } else { arg.to_owned() };
                    arg.replace("OUT", &out.to_string_lossy()).replace("BASE", &appended.to_string_lossy())
                }));
                command.stdout(Stdio::null());
                command
            }
            Kind::Library(_, _) if work.is_empty() => return Ok(None),
            Kind::Library(python, library) => {
                let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("measure_peers.py");
                let mut command = Command::new(python);
                command.arg(script).args([library, work, &*url]).stdout(Stdio::piped());
                command
            }
        };
        server.reset();
        let start = Instant::now();
        let mut child = command.spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if start.elapsed() > PATIENCE {
                child.kill()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let (mut time, counts) = (start.elapsed(), server.counts());
        let output = child.wait_with_output()?;
        let Some(status) = status else { return Ok(Some(Run { time: None, counts })) };
        if !status.success() {
            return Err(format!("{}: {line} of {file}: {status}", self.name).into());
        }
        if matches!(self.kind, Kind::Library(..)) {
            // Without what it takes to start an interpreter.
            let text = String::from_utf8(output.stdout)?;
            let Ok(seconds) = text.trim().parse() else { return Ok(None) };
            time = Duration::from_secs_f64(seconds);
        }
        Ok(Some(Run { time: Some(time), counts }))
    }
}
