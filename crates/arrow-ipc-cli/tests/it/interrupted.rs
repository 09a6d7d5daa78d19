//! An interrupted command leaves no new files.

use std::{
    fs,
    io::Write,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use crate::program::{command, corpus, run, run_with_input, temporary_folder};

fn names(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn stream() -> Vec<u8> {
    fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrows")).unwrap()
}

/// Waits until a process has done something, without a time limit for busy machines.
fn wait_until(child: &mut Child, mut is_done: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_done() {
        assert!(child.try_wait().unwrap().is_none() || is_done(), "it has ended");
        assert!(begin.elapsed() < Duration::from_secs(300), "nothing was done");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal to a process, unless it has ended. Returns its output.
fn interrupt(mut child: Child, signal: &str) -> Output {
    if child.try_wait().unwrap().is_none() {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }
    // Closing standard input would also end the process.
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    output
}

/// Starts a conversion to `out` that waits for more input. Returns its unfinished output. Core dumps are disabled.
fn begin(out: &Path) -> (Child, PathBuf) {
    let mut shell = Command::new("bash");
    shell.args(["-c", "ulimit -c 0; exec \"$0\" convert - -o \"$1\"", env!("CARGO_BIN_EXE_arrow-ipc")]);
    shell.arg(out);
    begin_command(shell, out)
}

fn begin_command(mut command: Command, out: &Path) -> (Child, PathBuf) {
    let stream = stream();
    let folder = out.parent().unwrap();
    let n_before = names(folder).len();
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&stream[..stream.len() / 2]).unwrap();
    wait_until(&mut child, || names(folder).len() > n_before);
    let is_hidden = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with('.');
    (child, names(folder).into_iter().find(is_hidden).unwrap())
}

/// Whether the tests ignore a signal, for example because of `nohup`. Their children then ignore it, too.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (number - 1) & 1 == 1
}

#[test]
fn unfinished_output_is_removed() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1), ("-QUIT", 3)] {
        if is_ignored(number) {
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: an output that is interrupted by {signal}: it is ignored"
            );
            continue;
        }
        for before in [None, Some(b"the old content")] {
            if let Some(bytes) = before {
                fs::write(&out, bytes).unwrap();
                fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).unwrap();
            }
            let (child, unfinished) = begin(&out);
            if before.is_some() {
                // Other users cannot read the unfinished file.
                assert_eq!(fs::metadata(&unfinished).unwrap().permissions().mode() & 0o777, 0o600);
            }
            let output = interrupt(child, signal);
            assert_eq!((output.status.signal(), output.stderr.len()), (Some(number), 0), "{output:?}");
            assert_eq!(fs::read(&out).ok().as_deref(), before.map(|bytes| &bytes[..]));
            assert_eq!(names(folder.path()).len(), usize::from(before.is_some()));
            let _ = fs::remove_file(&out);
        }
    }
}

/// A program that aborts, for example without memory (status 134), removes nothing. The next program with the same
/// output removes its files.
#[test]
fn what_an_abort_leaves_is_removed_by_the_next_writer() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let (child, unfinished) = begin(&out);
    let output = interrupt(child, "-ABRT");
    assert_eq!(output.status.signal(), Some(6), "{output:?}");
    assert_eq!(names(folder.path()), std::slice::from_ref(&unfinished));
    // A program with another output does not remove them.
    let file = corpus().join("golden/pyarrow-26.0.1/integers-full.arrow");
    let other = folder.path().join("other.arrow");
    run([Path::new("convert"), &file, &other]).expect(&[0]);
    assert!(unfinished.exists());
    run([Path::new("convert"), &file, &out]).expect(&[0]);
    let mut left = names(folder.path());
    left.sort();
    assert_eq!(left, [other, out]);
}

/// A limit of file sizes is treated like a full disk: there is an error, and no file is left.
#[test]
fn a_limit_of_file_sizes_is_status_4() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let stream = stream();
    fs::write(path("in.arrows"), &stream).unwrap();
    let file = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrow")).unwrap();
    fs::write(path("in.arrow"), &file).unwrap();
    fs::write(path("in.csv"), format!("a,b\n{}", "1,two\n".repeat(10_000))).unwrap();
    let inputs = names(folder.path()).len();
    for line in [
        "convert in.csv out.arrow",
        "convert in.arrow out.arrow --compression zstd",
        "convert in.arrow out/",
        "convert - out.arrow",
        "concat in.arrow in.arrow out.arrow",
        "split in.arrows out.arrows --batch-rows 3",
        "append in.arrow in.arrows in.arrows",
        "recover in.arrow out.arrow",
        "cat in.csv > out.txt",
    ] {
        // The unit is 1 KiB. All inputs are longer.
        let limited = format!("ulimit -c 0; ulimit -f 2; exec \"$0\" {line}");
        let mut command = Command::new("bash");
        command.args(["-c", &limited]).arg(env!("CARGO_BIN_EXE_arrow-ipc")).current_dir(folder.path());
        command.stdin(fs::File::open(path("in.arrow")).unwrap());
        let output = command.output().expect("bash starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{line}: {:?}: {error}", output.status);
        assert!(error.starts_with("error: ") && error.contains("File too large"), "{line}: {error}");
        assert_eq!(fs::read(path("in.arrow")).unwrap(), file, "{line}");
        // Files of the shell stay, and so does an empty folder.
        let _ = fs::remove_file(path("out.txt"));
        let _ = fs::remove_dir(path("out"));
        assert_eq!(names(folder.path()).len(), inputs, "{line}: {:?}", names(folder.path()));
    }
}

#[test]
fn every_command_removes_its_unfinished_output() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let file = corpus().join("golden/pyarrow-26.0.1/integers-full.arrow");
    let [out_name, file] = [&out, &file].map(|path| path.to_str().unwrap());
    if is_ignored(15) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: outputs that are interrupted: SIGTERM is ignored");
        return;
    }
    for args in [
        vec!["concat", "-", out_name],
        vec!["split", "-", out_name, "--rows", "0..1000000"],
        vec!["append", file, "-", "--to", out_name],
    ] {
        let (child, _) = begin_command(command(&args), &out);
        let output = interrupt(child, "-TERM");
        assert_eq!((output.status.signal(), output.stderr.len()), (Some(15), 0), "{args:?}: {output:?}");
        assert_eq!(names(folder.path()), Vec::<PathBuf>::new(), "{args:?}");
    }
}

/// Outputs that were completed before the unfinished one stay.
#[test]
fn the_unfinished_one_of_several_outputs_is_removed() {
    if is_ignored(15) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: outputs that are interrupted: SIGTERM is ignored");
        return;
    }
    let (folder, inputs) = (temporary_folder(), temporary_folder());
    let copy = |name: &str| {
        let input = inputs.path().join(name);
        fs::write(&input, stream()).unwrap();
        input.to_str().unwrap().to_owned()
    };
    let first = [copy("a.arrows"), copy("b.arrows")];
    let pipe = inputs.path().join("c.arrows");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let args = ["convert", &first[0], &first[1], pipe.to_str().unwrap(), folder.path().to_str().unwrap()];
    let mut child = command(args).stderr(Stdio::piped()).spawn().unwrap();
    // The program opens the pipe when the first two outputs are complete.
    let mut pipe = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    pipe.write_all(&stream()[..stream().len() / 2]).unwrap();
    wait_until(&mut child, || names(folder.path()).len() == 3);
    let output = interrupt(child, "-TERM");
    drop(pipe);
    assert_eq!((output.status.signal(), output.stderr.len()), (Some(15), 0), "{output:?}");
    let mut left = names(folder.path());
    left.sort();
    assert_eq!(left, ["a.arrow", "b.arrow"].map(|name| folder.path().join(name)));
}

/// The output only exists while messages are copied, after the whole input has been scanned. The input is long, so
/// that the signal mostly arrives during that time.
#[test]
fn a_recovery_removes_its_unfinished_output() {
    if is_ignored(15) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: `recover` that is interrupted: SIGTERM is ignored");
        return;
    }
    let folder = temporary_folder();
    let input = temporary_folder();
    let input = input.path().join("in.arrows");
    let out = folder.path().join("out.arrow");
    for round in 0..100 {
        fs::write(&input, stream().repeat(10_000 << (round / 2).min(3))).unwrap();
        let args = ["recover", input.to_str().unwrap(), out.to_str().unwrap()];
        let mut child = command(args).stderr(Stdio::piped()).spawn().unwrap();
        while names(folder.path()).is_empty() && child.try_wait().unwrap().is_none() {}
        let output = interrupt(child, "-TERM");
        if output.status.signal() == Some(15) && !out.exists() {
            assert_eq!(output.stderr, b"");
            assert_eq!(names(folder.path()), Vec::<PathBuf>::new());
            return;
        }
        // The program has ended before the signal.
        assert_eq!(names(folder.path()), std::slice::from_ref(&out), "{output:?}");
        fs::remove_file(&out).unwrap();
    }
    panic!("it was always faster");
}

/// The folder to which `split` writes.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Absent,
    Empty,
    /// The current folder, which is not replaced.
    Current,
}

/// The temporary folder is removed with the unfinished files in it. A folder that existed before stays.
#[test]
fn a_split_removes_the_folders_that_it_created() {
    if is_ignored(15) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: `split` that is interrupted: SIGTERM is ignored");
        return;
    }
    let (folder, input) = (temporary_folder(), temporary_folder());
    let input = input.path().join("in.arrow").to_str().unwrap().to_owned();
    let rows: String = (0..40_000).map(|id| format!("{}\n", id % 400)).collect();
    run_with_input(["convert", "-", &input, "--from", "csv"], format!("k\n{rows}").as_bytes()).expect(&[0]);
    let is_temporary = |path: &PathBuf| path.to_string_lossy().ends_with(".arrow-ipc.tmp");
    let temporary = |folder: &Path| {
        fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).find(is_temporary)
    };
    // The signal is sent when there is a folder for a value, or a complete file.
    for (out, before, file) in [
        ("new/data", Before::Absent, ""),
        ("data", Before::Empty, ""),
        ("data", Before::Current, ""),
        ("new/data", Before::Absent, "part-0.arrow"),
        ("data", Before::Empty, "part-0.arrow"),
        ("data", Before::Current, "part-0.arrow"),
    ] {
        let out = folder.path().join(out);
        let (is_there, is_current) = (before != Before::Absent, before == Before::Current);
        let is_interrupted = || {
            names(folder.path()).iter().for_each(|path| fs::remove_dir_all(path).unwrap());
            if is_there {
                fs::create_dir_all(&out).unwrap();
            }
            let mut split = command(["split", &input, "--by", "k"]);
            if is_current {
                split.arg(".").current_dir(&out);
            } else {
                split.arg(&out);
            }
            let mut child = split.stderr(Stdio::piped()).spawn().unwrap();
            let above = if is_current { &out } else { out.parent().unwrap() };
            wait_until(&mut child, || {
                let found = temporary(above).and_then(|found| fs::read_dir(found).ok());
                let mut found = found.into_iter().flatten().filter_map(Result::ok);
                out.join("k=399").exists() || found.any(|folder| folder.path().join(file).exists())
            });
            let output = interrupt(child, "-TERM");
            if !out.join("k=0").exists() {
                assert_eq!(output.status.signal(), Some(15));
                assert_eq!(output.stderr, b"");
                let left = names(folder.path());
                assert!(
                    if is_there { left == [folder.path().join("data")] } else { left.is_empty() },
                    "{left:?}"
                );
                assert!(!is_there || names(&out).is_empty());
                return true;
            }
            // All files have their names, so the program may also have ended by the signal.
            let count = run(["count", out.to_str().unwrap(), "--json"]);
            assert!(count.expect(&[0]).text().contains("40000"), "{count:?}");
            false
        };
        assert!((0..50).any(|_| is_interrupted()), "{}: it was always faster", out.display());
    }
}

/// `recover` first copies a pipe to a temporary file.
#[test]
fn a_recovery_of_a_pipe_removes_its_copy() {
    if is_ignored(15) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: `recover` that is interrupted: SIGTERM is ignored");
        return;
    }
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let mut child = command(["recover", "-", out.to_str().unwrap()])
        .env("TMPDIR", folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More bytes than a pipe can store, so some must have been read.
    let n_streams = (1 << 20) / stream().len() + 1;
    child.stdin.as_mut().unwrap().write_all(&stream().repeat(n_streams)).unwrap();
    let output = interrupt(child, "-TERM");
    assert_eq!((output.status.signal(), output.stderr.len()), (Some(15), 0), "{output:?}");
    assert_eq!(names(folder.path()), Vec::<PathBuf>::new());
}

/// The command is interrupted while it waits for input. The file keeps its rows. If it is longer, the next `append`
/// removes the excess.
#[test]
fn a_file_that_is_appended_to_keeps_its_rows() {
    if is_ignored(15) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: `append` that is interrupted: SIGTERM is ignored");
        return;
    }
    let folder = temporary_folder();
    let file = folder.path().join("log.arrow");
    fs::copy(corpus().join("golden/pyarrow-26.0.1/integers-full.arrow"), &file).unwrap();
    let path = file.to_str().unwrap();
    let n_rows = |path| run(["count", path]).expect(&[0]).text().trim().parse::<u64>().unwrap();
    let (before, n_before) = (fs::metadata(&file).unwrap().len(), n_rows(path));
    let mut child = command(["append", path, "-"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&stream()).unwrap();
    wait_until(&mut child, || fs::metadata(&file).unwrap().len() != before);
    assert_eq!(interrupt(child, "-TERM").status.signal(), Some(15));
    assert_eq!(n_rows(path), n_before);
    run(["append", path, "golden/pyarrow-26.0.1/integers-full.arrows"]).expect(&[0]);
    run(["validate", path]).expect(&[0]);
    assert_eq!(n_rows(path), 2 * n_before);
}

/// A rename replaces the file during an `append`, which then returns an error.
#[test]
fn an_append_tells_that_its_file_was_replaced() {
    let folder = temporary_folder();
    let golden = corpus().join("golden/pyarrow-26.0.1/integers-full.arrow");
    let (file, other) = (folder.path().join("log.arrow"), folder.path().join("other.arrow"));
    fs::copy(&golden, &file).unwrap();
    fs::copy(&golden, &other).unwrap();
    let mut child = command(["append", file.to_str().unwrap(), "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let before = fs::metadata(&file).unwrap().len();
    input.write_all(&stream()).unwrap();
    wait_until(&mut child, || fs::metadata(&file).unwrap().len() != before);
    fs::rename(&other, &file).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("was replaced meanwhile"), "{output:?}");
    assert_eq!(fs::read(&file).unwrap(), fs::read(golden).unwrap());
}

/// `nohup` and shells start programs with ignored signals, so that the programs outlive them or run in the background.
#[cfg(target_os = "linux")]
#[test]
fn ignored_signals_stay_ignored() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "trap '' HUP INT QUIT; exec \"$0\" convert - -o \"$1\"",
        env!("CARGO_BIN_EXE_arrow-ipc"),
    ]);
    shell.arg(&out);
    let (mut child, _) = begin_command(shell, &out);
    for signal in ["-HUP", "-INT", "-QUIT"] {
        assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
    }
    let stream = stream();
    child.stdin.take().unwrap().write_all(&stream[stream.len() / 2..]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
    assert_eq!(names(folder.path()), [out]);
}
