//! The output does not depend on the number of threads, nor on a limit of the system for threads.

use std::{fs, iter, ops::Range, path::Path};

use arrow_array::{Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, FileWriter, WriteOptions};
use arrow_schema::Schema;
use arrow_text::JsonReader;
use testing_support::Hunt;

use crate::program::{Outcome, run, temporary_folder};

/// Writes a file with a few large batches, which several threads share, or with many small ones.
fn file(path: &Path, (n_batches, n_rows): (i64, i64)) {
    let value = |n: i64| n.wrapping_mul(0x5851_F42D_4C95_7F2D);
    let batches: Vec<RecordBatch> = (0..n_batches)
        .map(|batch| {
            let rows = || batch * n_rows..(batch + 1) * n_rows;
            let ids = Int64Array::from_iter(rows());
            let numbers = Int64Array::from_iter(rows().map(|n| (n % 7 > 0).then(|| value(n))));
            let texts = Utf8Array::try_from_iter(rows().map(|n| format!("{:x}", value(n)))).unwrap();
            let columns = [("id", ids.into()), ("n", numbers.into()), ("text", texts.into())];
            RecordBatch::try_from_columns(columns).unwrap()
        })
        .collect();
    fs::write(path, FileWriter::write_to_buffer(batches[0].schema(), &batches).unwrap()).unwrap();
}

/// Runs a command. Returns its messages, and the file OUT or else standard output.
fn outcome(
    folder: &Path,
    line: &str,
    run: impl FnOnce(Vec<String>) -> Outcome,
) -> (Outcome, Option<Vec<u8>>) {
    let path = |name: &str| folder.join(name).display().to_string();
    let output = path("out.arrow");
    if line.starts_with("append") {
        fs::copy(path("small.arrow"), &output).unwrap();
    }
    let args = line.split(' ').map(|word| match word {
        "OUT" => output.clone(),
        _ if folder.join(word).exists() => path(word),
        _ => word.to_owned(),
    });
    let outcome = run(args.collect());
    let written = fs::read(&output).ok();
    drop(fs::remove_file(&output));
    (outcome, written)
}

/// Commands with their exit statuses.
const COMMANDS: [(&str, i32); 41] = [
    ("cat large.arrow", 0),
    ("cat small.arrow --format csv", 0),
    ("cat large.arrow --format table -n 40000", 0),
    ("cat small.arrow --vertical", 0),
    ("cat zstd.arrow --format csv --offset 50001 -n 60001", 0),
    ("cat zstd.arrows", 0),
    ("cat cut.arrows --format csv", 1),
    ("cat rows.csv --format csv", 0),
    ("cat cut.jsonl --format csv", 1),
    ("head large.arrow -n 50000 --format csv", 0),
    ("tail zstd.arrow -n 70000", 0),
    ("sample small.arrow large.arrow --seed 5 -n 300 --format csv", 0),
    ("stats large.arrow zstd.arrows", 0),
    ("stats rows.jsonl", 0),
    ("validate --verbose large.arrow small.arrow cut.arrow zstd.arrows", 1),
    ("convert large.arrow OUT --compression zstd", 0),
    ("convert zstd.arrow OUT --compression lz4", 0),
    ("convert zstd.arrow OUT --unchecked", 0),
    ("convert zstd.arrows OUT --compression lz4", 0),
    (
        "convert small.arrow OUT --to stream --compression lz4 --cast text=dictionary<int32,utf8> --rename n=m",
        0,
    ),
    ("convert zstd.arrow OUT --batch-rows 33333 --compression zstd", 0),
    ("convert large.arrow OUT --cast text=int32", 5),
    ("convert rows.csv OUT --compression lz4", 0),
    ("convert rows.jsonl OUT", 0),
    ("convert cut.csv OUT", 1),
    ("convert cut.jsonl OUT", 1),
    ("convert cut.arrow OUT", 1),
    ("concat large.arrow zstd.arrow OUT", 0),
    ("concat zstd.arrow small.arrow zstd.arrows OUT --batch-rows 12345 --compression zstd", 0),
    ("concat zstd.arrow small.arrow OUT --columns text,id", 0),
    ("split zstd.arrow OUT --rows 12345..130000", 0),
    ("split zstd.arrow OUT --columns n --rows 12345..130000 --batch-rows 7777", 0),
    ("split zstd.arrow OUT --columns n --batches 1..3", 0),
    ("append OUT zstd.arrow small.arrow --compression zstd", 0),
    ("append OUT zstd.arrow zstd.arrows --cast id=int64", 0),
    ("append OUT large.arrow cut.arrow", 1),
    ("recover cut.arrow OUT", 3),
    ("recover zstd.arrows OUT", 0),
    ("diff large.arrow zstd.arrows", 0),
    ("diff rows.csv rows.jsonl", 0),
    ("diff small.arrow zstd.arrow --count", 1),
];

/// Makes the files that the commands read. Each batch has more than 1 MiB, so that several threads compress its
/// columns. The text has three parts of 65,536 rows.
fn make_files(folder: &Path) {
    file(&folder.join("large.arrow"), (4, 35_000));
    file(&folder.join("small.arrow"), (60, 500));
    let path = |name: &str| folder.join(name).display().to_string();
    for (from, to) in [("large.arrow", "zstd.arrow"), ("large.arrow", "zstd.arrows")] {
        run(["convert", &path(from), "-o", &path(to), "--compression", "zstd"]).expect(&[0]);
    }
    for (name, format) in [("rows.csv", "csv"), ("rows.jsonl", "json")] {
        let rows = run(["cat", &path("large.arrow"), "--format", format, "--columns", "id,n"]);
        fs::write(path(name), &rows.expect(&[0]).stdout).unwrap();
    }
    // The last batches and rows are damaged.
    for (name, cut) in [("zstd.arrows", "cut.arrows"), ("rows.csv", "cut.csv"), ("rows.jsonl", "cut.jsonl")] {
        let bytes = fs::read(path(name)).unwrap();
        fs::write(path(cut), [&bytes[..bytes.len() / 8 * 7], b"\n\"!\n"].concat()).unwrap();
    }
    let mut bytes = fs::read(path("zstd.arrow")).unwrap();
    let middle = bytes.len() / 8 * 7;
    bytes[middle..middle + 1000].fill(0xff);
    fs::write(path("cut.arrow"), bytes).unwrap();
}

fn with_threads(args: Vec<String>, n_threads: &str) -> Vec<String> {
    [args, vec!["--threads".to_owned(), n_threads.to_owned()]].concat()
}

#[test]
fn threads_change_nothing() {
    let folder = temporary_folder();
    let folder = folder.path();
    make_files(folder);
    let hunt = Hunt::from_env();
    #[cfg(target_os = "linux")]
    let limited = limited::Limited::new(folder);
    for (idx, (line, status)) in COMMANDS.into_iter().enumerate() {
        let one = outcome(folder, line, |args| run(with_threads(args, "1")));
        one.0.expect(&[status]);
        assert!(!one.0.stdout.is_empty() || one.1.is_some() || status != 0, "{line}");
        // Alternates between 2 threads and more threads than there is work for.
        for n_threads in hunt.some_of(&["2", "7"], 1, idx) {
            let several = outcome(folder, line, |args| run(with_threads(args, n_threads)));
            assert_eq!(several.0.stderr, one.0.stderr, "{line}");
            assert!(several == one, "{line} --threads {n_threads}");
        }
        #[cfg(target_os = "linux")]
        if let Some(limited) = &limited
            && (hunt.is_on() || idx % 8 == 0)
        {
            // A short run limits every eighth command to one thread, and every sixteenth also to some threads.
            limited.check(line, &one, if hunt.is_on() || idx % 16 == 0 { &[1, 3] } else { &[1] });
        }
    }
    #[cfg(target_os = "linux")]
    if let Some(limited) = limited {
        for line in limited::OTHERS {
            limited.check(line, &outcome(folder, line, run), &[1]);
        }
    }
}

/// Each thread needs the dictionaries of its batch, also if these are longer than the bytes that are read ahead, or
/// have deltas between batches.
#[test]
fn threads_wait_for_dictionaries() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let schema: Schema = "d: dictionary<int32, utf8>\nn: int64".parse().unwrap();
    let batch = |words: Range<usize>| {
        let rows: String = words.map(|n| format!("{{\"d\":\"{n:0>150}\",\"n\":{n}}}\n")).collect();
        JsonReader::read_batch(&rows, schema.clone()).unwrap()
    };
    let from_one_row: Vec<_> = iter::once(0..1_500).chain((0..30).map(|n| n..n + 100)).map(batch).collect();
    let growing: Vec<_> = (0..300).map(|n| n..n + 3).map(batch).collect();
    for batches in [from_one_row, growing] {
        let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
        let bytes = FileWriter::write_to_buffer_with(batches[0].schema(), &batches, options).unwrap();
        fs::write(path("in.arrow"), bytes).unwrap();
        for more in [&[][..], &["--dictionaries", "unify"], &["--columns", "d"]] {
            for output in ["out.arrow", "out.arrows"] {
                let converted = ["1", "2", "7"].map(|n_threads| {
                    let output = path(output);
                    let args = ["convert", &path("in.arrow"), "-o", &output, "--threads", n_threads];
                    run([&args[..], more].concat()).expect(&[0]);
                    let converted = fs::read(&output).unwrap();
                    fs::remove_file(&output).unwrap();
                    converted
                });
                assert!(converted.iter().all(|bytes| *bytes == converted[0]), "{output} {more:?}");
            }
        }
    }
}

/// If the system refuses threads, the program has the same results with fewer threads, or with one.
#[cfg(target_os = "linux")]
mod limited {
    use std::{
        os::unix::fs::PermissionsExt,
        path::PathBuf,
        process::{Child, Command, Stdio, id},
        thread::sleep,
        time::{Duration, Instant},
    };

    use super::*;

    /// Commands without the argument `--threads`.
    pub(super) const OTHERS: [&str; 4] =
        ["count rows.csv", "count rows.jsonl", "inspect zstd.arrow", "explain zstd.arrow"];

    /// Starts the program with a limit for threads.
    pub(super) struct Limited {
        program: PathBuf,
        folder: PathBuf,
        /// A user without other processes: the limit counts all processes of a user, and does not apply to root.
        user: Option<u32>,
    }

    impl Limited {
        /// `None` if the system has no such limit.
        pub(super) fn new(folder: &Path) -> Option<Limited> {
            let is_root =
                fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
            let mut limited = Limited {
                program: PathBuf::from(env!("CARGO_BIN_EXE_arrow-ipc")),
                folder: folder.to_owned(),
                user: None,
            };
            if is_root {
                // The other user must be able to read the program.
                let program = folder.join("arrow-ipc");
                fs::copy(&limited.program, &program).unwrap();
                everyone(folder);
                fs::read_dir(folder).unwrap().for_each(|entry| everyone(&entry.unwrap().path()));
                (limited.program, limited.user) = (program, Some(100_000 + id()));
                if let Err(error) = limited.command("true").status() {
                    eprintln!("SKIPPED: limits of threads: no other user runs programs: {error}");
                    return None;
                }
            }
            let version = limited.run(vec!["--version".to_owned()], 1);
            if version.status != 0 {
                eprintln!("SKIPPED: limits of threads: {version:?}");
                return None;
            }
            Some(limited)
        }

        /// Checks that the program without other threads has the same result as without a limit. If no other
        /// processes of the user count, also checks the other limits.
        pub(super) fn check(&self, line: &str, free: &(Outcome, Option<Vec<u8>>), limits: &[usize]) {
            let limits = if self.user.is_some() { limits } else { &[1] };
            for max_threads in limits {
                let few = outcome(&self.folder, line, |args| {
                    let output = self.folder.join("out.arrow");
                    if output.exists() {
                        everyone(&output);
                    }
                    self.run(if *max_threads == 1 { args } else { with_threads(args, "7") }, *max_threads)
                });
                assert_eq!((few.0.status, &few.0.stderr), (free.0.status, &free.0.stderr), "{line}");
                assert!(few == *free, "{line}, with {max_threads} threads");
            }
        }

        fn run(&self, args: Vec<String>, max_threads: usize) -> Outcome {
            let mut command = self.command("bash");
            command
                .args(["-c", &format!("ulimit -u {max_threads} && exec \"$0\" \"$@\"")])
                .arg(&self.program);
            command.args(args).current_dir(&self.folder).env_remove("COLUMNS");
            let [out, error] = ["stdout", "stderr"].map(|name| self.folder.join(name));
            let sink = |path: &Path| fs::File::create(path).map(Stdio::from).unwrap();
            command.stdin(Stdio::null()).stdout(sink(&out)).stderr(sink(&error));
            let status = ended(command.spawn().expect("bash starts"));
            Outcome { status, stdout: fs::read(out).unwrap(), stderr: fs::read_to_string(error).unwrap() }
        }

        /// A command that runs as the user.
        fn command(&self, program: &str) -> Command {
            use std::os::unix::process::CommandExt;
            let mut command = Command::new(program);
            if let Some(user) = self.user {
                command.uid(user).gid(user);
            }
            command
        }
    }

    fn everyone(path: &Path) {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }

    /// Waits for the exit status, but not forever, in case the program waits for a thread that was not started.
    fn ended(mut child: Child) -> i32 {
        let begin = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            if begin.elapsed() > Duration::from_secs(120) {
                child.kill().unwrap();
                panic!("it waits for ever");
            }
            sleep(Duration::from_millis(2));
        }
    }
}
