//! Runs the commands of the program on remote files. The test counts how often a command waits for answers to
//! requests, and compares the output and the errors if requests fail.
//!
//! The test program is also the tested program. With `FAR_TRAFFIC` in the environment, it runs the command in its
//! arguments, and a URL is a file whose requests are counted. `FAR_TABLE=1 cargo test -p fletching-arrow-ipc-cli --test
//! far` prints the counts.

mod files;
mod source;

use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode, Stdio},
};

use crate::{
    files::Files,
    source::{COST, FAULT, TRAFFIC, Traffic, URL, open},
};

/// Command lines, each with the maximal number of waits for a file of 300 batches. A command that waits for each
/// batch waits at least 300 times.
const COMMANDS: [(&str, u64); 29] = [
    ("count {in}", 2),
    ("schema {in}", 1),
    // These inputs are files, which have no index: this is told.
    ("index {in} {out}.arrow", 2),
    ("head {in}", 3),
    ("cat {in} --columns c7", 2),
    ("cat {in} --columns c7 --rows 7000..7010", 4),
    ("cat {in} --columns c7 --rows 10..14010", 6),
    ("cat {in} --format csv", 2),
    ("tail {in} -n 5", 2),
    ("sample {in} -n 3 --seed 3 --columns c7", 3),
    ("stats {in}", 3),
    ("stats {in} --columns c1,c4,c7", 3),
    ("stats {in} --columns c7 --rows 2000..14000", 4),
    ("validate {in}", 3),
    ("validate {in} --columns c7", 3),
    ("inspect {in}", 2),
    ("explain {in}", 2),
    ("diff {in} {in}", 4),
    ("diff {in} {in} --columns c7", 4),
    ("convert {in} {out}.arrows", 3),
    ("convert {in} {out}.arrow --unchecked", 2),
    ("convert {in} {out}.arrow --compression lz4", 3),
    ("convert {in} {out}.arrow --columns c7 --batch-rows 1000", 3),
    ("concat {in} {in} {out}.arrow", 6),
    ("concat {in} {out}.arrow --columns c7 --cast c7=int32", 4),
    ("split {in} {out}.arrow --rows 2000..14000", 3),
    ("split {in} {out}.arrow --batch-rows 700", 3),
    ("append {local} {in}", 3),
    ("recover {in} {out}.arrow", 9),
];

/// Command lines for files of large batches, each with the maximal number of waits. They take longer than the lines
/// of `COMMANDS`.
const OF_LARGE: [(&str, u64); 15] = [
    ("count {in}", 2),
    ("cat {in} --columns c7 --rows 7000..7010", 3),
    ("tail {in} -n 5", 3),
    ("sample {in} -n 3 --seed 3 --columns c7", 5),
    ("stats {in} --columns c1,c4,c7", 3),
    ("validate {in}", 3),
    ("diff {in} {in} --columns c1", 6),
    ("convert {in} {out}.arrows", 3),
    ("convert {in} {out}.arrow --compression lz4", 3),
    ("head {in}", 3),
    ("inspect {in}", 3),
    ("explain {in}", 3),
    ("concat {in} {out}.arrow --columns c7", 4),
    ("split {in} {out}.arrow --rows 2000..14000", 3),
    ("recover {in} {out}.arrow", 6),
];

/// Commands that read no file, or none at a URL.
const OTHERS: [&str; 4] = ["completions", "man", "help", "serve"];

fn main() -> ExitCode {
    if let Some(traffic) = env::var_os(TRAFFIC) {
        let host = arrow_ipc_cli::Host { open_url: Some(open), ..Default::default() };
        let status = arrow_ipc_cli::run(env::args_os(), host).into();
        fs::write(traffic, Traffic::so_far().to_string()).expect("the traffic can be noted");
        return status;
    }
    // With another NAME, `cargo test NAME` does not run this test.
    if env::args().skip(1).any(|arg| !arg.starts_with('-') && !"far".contains(&*arg)) {
        return ExitCode::SUCCESS;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = Files::write(folder.path());
    let wrong =
        [all_commands_are_here(), few_round_trips(&files), faults_are_reported_with_their_location(&files)]
            .concat();
    wrong.iter().for_each(|wrong| eprintln!("{wrong}"));
    println!("far: {} commands, {} wrong", COMMANDS.len(), wrong.len());
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks that this test runs every command that reads files.
fn all_commands_are_here() -> Vec<String> {
    let mut command = Command::new(env::current_exe().expect("this program"));
    let help = command.arg("--help").env(TRAFFIC, env::temp_dir().join("far-traffic")).output();
    let help = String::from_utf8(help.expect("the program runs").stdout).expect("text");
    let names =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description may continue on further lines, which are indented more.
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    let run = COMMANDS.map(|(line, _)| line.split(' ').next().unwrap_or_default());
    let is_known = |name: &&&str| run.contains(*name) || OTHERS.contains(*name);
    let unknown = names.iter().filter(|name| !is_known(name)).map(|name| format!("`{name}` is not run"));
    let gone = run.iter().chain(&OTHERS).filter(|name| !names.contains(name));
    unknown.chain(gone.map(|name| format!("there is no command `{name}`"))).collect()
}

/// Each command has the same output for a remote and a local file, and waits only a few times for answers.
fn few_round_trips(files: &Files) -> Vec<String> {
    let small = files.small_batches().flat_map(|input| COMMANDS.map(|case| (case, input)));
    let large = OF_LARGE.map(|case| (case, files.large_batches()));
    let mut wrong = Vec::new();
    for ((line, most_round_trips), input) in small.chain(large) {
        let far = run(files, line, (input, Connection::Far));
        let near = run(files, line, (input, Connection::Near));
        let name = format!("{line} of {}", input.display());
        if env::var_os("FAR_TABLE").is_some() {
            println!("{name}: {:?}", far.traffic);
        }
        if far.traffic.n_round_trips > most_round_trips {
            wrong.push(format!("{name}: {:?}, and not {most_round_trips}", far.traffic));
        }
        if far.shown != near.shown {
            wrong.push(format!("{name}: {:?}\nand near: {:?}", far.shown, near.shown));
        }
    }
    wrong
}

/// One request fails, or its answer is too short. The command has the same output and error as a command that reads
/// ahead nothing.
fn faults_are_reported_with_their_location(files: &Files) -> Vec<String> {
    const LINES: [&str; 6] = [
        "cat {in} --columns c7",
        "cat {in} --columns c7 --rows 10..14010",
        "stats {in} --columns c7",
        "validate {in}",
        "diff {in} {in}",
        "convert {in} {out}.arrows",
    ];
    let mut wrong = Vec::new();
    for line in LINES {
        for input in files.small_batches() {
            for (kind, batch_idx) in [("error", 120), ("short", 181)] {
                let fault = format!("{kind}:{}", Files::metadata_of(input, batch_idx));
                let far = run(files, line, (input, Connection::Failing(&fault)));
                let serial = run(files, line, (input, Connection::FailingSerially(&fault)));
                let name = format!("{line} of {} with {fault}", input.display());
                if far.shown.status == 0 || far.shown != serial.shown {
                    wrong.push(format!("{name}: {:?}\nserially: {:?}", far.shown, serial.shown));
                }
            }
        }
    }
    wrong
}

/// Where the input is, and which request fails.
#[derive(Clone, Copy)]
enum Connection<'a> {
    Near,
    Far,
    Failing(&'a str),
    /// Like `Failing`, but the command does not read ahead.
    FailingSerially(&'a str),
}

struct Outcome {
    shown: Shown,
    traffic: Traffic,
}

/// The output of a command, which must be equal for all sources.
#[derive(PartialEq, Eq)]
struct Shown {
    status: i32,
    out: Vec<u8>,
    err: String,
    written: Vec<u8>,
}

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shown { status, out, err, written } = self;
        let end = String::from_utf8_lossy(&out[out.len().saturating_sub(300)..]).into_owned();
        write!(f, "status {status}, {} bytes written, {} shown …{end}, {err}", written.len(), out.len())
    }
}

fn run(files: &Files, line: &str, (input, connection): (&Path, Connection<'_>)) -> Outcome {
    let (traffic, written) = (files.folder().join("traffic"), files.folder().join("out"));
    drop(fs::remove_dir_all(&written));
    fs::create_dir(&written).expect("a folder");
    let local = written.join("local.arrow");
    fs::copy(files.first(), &local).expect("a copy");
    let input = input.to_str().expect("a path of UTF-8");
    let shown_input = match connection {
        Connection::Near => input.to_owned(),
        Connection::Far | Connection::Failing(_) | Connection::FailingSerially(_) => format!("{URL}{input}"),
    };
    let args = line.split(' ').map(|arg| {
        let arg = arg.replace("{in}", &shown_input).replace("{local}", &local.to_string_lossy());
        arg.replace("{out}", &written.join("out").to_string_lossy())
    });
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(args).stdin(Stdio::null()).env(TRAFFIC, &traffic);
    match connection {
        Connection::Near | Connection::Far => {}
        Connection::Failing(fault) => drop(command.env(FAULT, fault)),
        Connection::FailingSerially(fault) => drop(command.env(FAULT, fault).env(COST, "free")),
    }
    let output = command.output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text").replace(URL, "");
    let mut out = text(output.stdout);
    if line.starts_with("schema") && out.starts_with("# ") {
        // This line counts all rows from the metadata of the batches, which is not fetched from URLs.
        out = out.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned());
    }
    let mut paths: Vec<_> =
        fs::read_dir(&written).expect("a folder").map(|entry| entry.expect("a file")).collect();
    paths.sort_by_key(fs::DirEntry::file_name);
    let written = paths.iter().flat_map(|entry| fs::read(entry.path()).expect("a file")).collect();
    let (status, err) = (output.status.code().unwrap_or(-1), without_ranges(&text(output.stderr)));
    let traffic = fs::read_to_string(traffic).map(|text| Traffic::parse(&text)).unwrap_or_default();
    Outcome { shown: Shown { status, out: out.into_bytes(), err, written }, traffic }
}

/// The error text without the requested ranges. Which ranges are requested together depends on the cost of requests.
fn without_ranges(err: &str) -> String {
    let is_range = |word: &str| word.contains("..") && word.starts_with(|char: char| char.is_ascii_digit());
    let words: Vec<&str> = err.split(' ').map(|word| if is_range(word) { "A..B" } else { word }).collect();
    let text = words.join(" ");
    match text.split_once(" bytes were provided") {
        Some((before, after)) => {
            let before = before.trim_end_matches(|char: char| char.is_ascii_digit());
            format!("{before}N bytes were provided{after}")
        }
        None => text,
    }
}
