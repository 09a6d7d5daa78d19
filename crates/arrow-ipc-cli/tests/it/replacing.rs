//! No command writes over an input by mistake, whatever the name of the output is.

use std::{
    fs::{self, File},
    path::Path,
};

use crate::program::{Outcome, command, corpus, outcome, temporary_folder};

const FILE: &str = "golden/pyarrow-26.0.1/integers-full.arrow";

/// The arguments of a command; IN is the input, and OUT a name by which it could be replaced.
const REPLACING: &[&[&str]] = &[
    &["index", "IN", "OUT"],
    &["recover", "IN", "OUT", "--to", "stream"],
    &["recover", "IN", "-o", "OUT", "--to", "stream"],
    &["recover", "other.arrow", "-o", "OUT", "--schema", "IN", "--to", "stream"],
    &["convert", "IN", "OUT", "--to", "stream"],
    &["convert", "other.csv", "OUT", "--to", "stream", "--schema", "IN"],
    &["convert", "other.csv", "-o", "OUT", "--to", "stream", "--schema", "IN"],
    &["split", "IN", "OUT", "--to", "stream"],
    &["concat", "IN", "OUT", "--to", "stream"],
    &["concat", "other.arrows", "IN", "-o", "OUT", "--to", "stream"],
    &["append", "other.arrow", "IN", "--to", "OUT"],
    &["append", "OUT", "other.arrow", "IN"],
    &["convert", "folder", "-o", "OUT", "--to", "stream"],
    &["concat", "fold*/x.arrows", "-o", "OUT", "--to", "stream"],
];

/// A folder with a stream, and with several names for it.
fn folder() -> tempfile::TempDir {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    let stream = fs::read(corpus().join(FILE).with_extension("arrows")).unwrap();
    fs::write(path("folder/x.arrows"), &stream).unwrap();
    fs::write(path("other.arrows"), &stream).unwrap();
    fs::copy(corpus().join(FILE), path("other.arrow")).unwrap();
    fs::write(path("other.csv"), "a\n1\n").unwrap();
    fs::hard_link(path("folder/x.arrows"), path("hard")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("folder/x.arrows", path("soft")).unwrap();
        std::os::unix::fs::symlink("soft", path("softer.arrows")).unwrap();
        std::os::unix::fs::symlink("folder/new.arrows", path("dangling")).unwrap();
    }
    folder
}

fn in_folder(folder: &Path, args: &[&str]) -> Outcome {
    outcome(&command(args).current_dir(folder).output().unwrap())
}

/// Runs a command in the folder, with the stream at standard input and at the end of standard output.
fn redirected(folder: &Path, args: &[&str]) -> Outcome {
    let stream = folder.join("folder/x.arrows");
    let mut command = command(args);
    command.current_dir(folder).stdin(File::open(&stream).unwrap());
    outcome(&command.stdout(File::options().append(true).open(&stream).unwrap()).output().unwrap())
}

#[test]
fn an_input_is_replaced_by_no_name_of_it() {
    let folder = folder();
    let path = folder.path().join("folder/x.arrows");
    let before = fs::read(&path).unwrap();
    let mut outputs =
        vec!["folder/x.arrows", "folder/../folder/x.arrows", "hard", path.to_str().unwrap(), "-"];
    if cfg!(unix) {
        outputs.extend(["soft", "softer.arrows", "/dev/stdin", "/dev/fd/1", "/dev/stdout"]);
    }
    for args in REPLACING {
        for output in &outputs {
            for input in ["folder/x.arrows", "hard", "-"] {
                let is_path = args.contains(&"--schema");
                let named = args.iter().map(|arg| match *arg {
                    "IN" if is_path => "folder/x.arrows",
                    "IN" => input,
                    "OUT" => output,
                    arg => arg,
                });
                let named: Vec<&str> = named.collect();
                // Standard output is no file to append to, and a path that is given twice is meant to be replaced.
                let is_meant =
                    ["convert", "split"].contains(&named[0]) && named[1] == named[2] && named[1] != "-";
                if named.starts_with(&["append", "-"]) || is_meant {
                    continue;
                }
                let refused = redirected(folder.path(), &named);
                let is_reported = ["is an input, too", " exists\n", "would be a file of the input"];
                let is_reported = is_reported.iter().any(|words| refused.expect(&[2]).stderr.contains(words));
                assert!(is_reported, "{named:?}: {refused:?}");
                assert!(fs::read(&path).unwrap() == before, "{named:?}");
            }
        }
    }
    let printed =
        ["cat", "head", "tail", "sample", "schema", "stats", "count", "inspect", "explain", "validate"];
    for command in printed {
        for input in ["folder/x.arrows", "hard", "-", "folder", "*/x.arrows"] {
            let refused = redirected(folder.path(), &[command, input]);
            assert!(
                refused.expect(&[2]).stderr.contains(
                    "standard output is an input, too\n  hint: redirect the output to another file\n"
                ),
                "{refused:?}"
            );
            assert!(fs::read(&path).unwrap() == before, "{command} {input}");
        }
    }
    redirected(folder.path(), &["diff", "other.arrow", "hard"]).expect(&[2]);
    for command in ["cat", "head", "tail", "sample"] {
        let refused = redirected(folder.path(), &[command, "other.arrows", "--index", "hard"]);
        assert!(refused.expect(&[2]).stderr.contains("standard output is an input, too"), "{refused:?}");
    }
    assert!(fs::read(&path).unwrap() == before);
    #[cfg(unix)]
    in_folder(folder.path(), &["convert", "folder", "-o", "dangling", "--to", "stream"]).expect(&[2]);
    assert!(!folder.path().join("folder/new.arrows").exists());
    in_folder(folder.path(), &["split", "folder", "folder/parts", "--into", "2"]).expect(&[2]);
    assert!(!folder.path().join("folder/parts").exists());
}

/// A shell makes several paths of a pattern, such as `other.*`.
#[test]
fn a_file_with_data_is_replaced_only_if_an_option_names_it() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::copy(path("other.arrow"), path("b.arrow")).unwrap();
    fs::copy(path("other.arrow"), path("other.ipc")).unwrap();
    fs::copy(path("other.arrows"), path("b.arrows")).unwrap();
    fs::copy(path("other.csv"), path("b.CSV")).unwrap();
    fs::write(path("b.gz"), "text").unwrap();
    fs::write(path("empty.arrow"), "").unwrap();
    fs::create_dir(path("made")).unwrap();
    fs::copy(path("other.arrow"), path("made/other.arrow")).unwrap();
    let existing = ["b.arrow", "other.ipc", "b.arrows", "b.CSV", "b.gz", "made/other.arrow"];
    let before = existing.map(|name| fs::read(path(name)).unwrap());
    let commands: &[(&[&str], &str)] = &[
        (&["convert", "other.arrow", "b.arrow"], "-o b.arrow"),
        (&["convert", "other.arrow", "other.ipc"], "-o other.ipc"),
        (&["convert", "other.arrow", "./other.ipc"], "-o ./other.ipc"),
        (&["convert", "other.arrows", "b.arrow"], "-o b.arrow"),
        (&["convert", "other.csv", "b.arrow"], "-o b.arrow"),
        (&["convert", "other.csv", "b.CSV"], "-o b.CSV"),
        (&["convert", "other.arrow", "b.CSV"], "-o b.CSV"),
        (&["convert", "other.arrow", "made"], "-o made"),
        (&["convert", "other.csv", "made/"], "-o made/"),
        (&["split", "other.arrow", "b.arrow", "--rows", "0..1"], "-o b.arrow"),
        (&["split", "other.arrow", "other.ipc"], "-o other.ipc"),
        (&["split", "other.arrow", "made"], "-o made"),
        (&["recover", "other.arrow", "b.arrow"], "-o b.arrow"),
        (&["recover", "other.arrow", "other.ipc"], "-o other.ipc"),
        (&["recover", "other.arrow", "made"], "-o made"),
        (&["concat", "other.arrow", "b.arrow"], "-o b.arrow"),
        (&["concat", "other.csv", "b.arrow"], "-o b.arrow"),
        (&["concat", "other.arrow", "other.ipc"], "-o other.ipc"),
        (&["index", "other.arrows", "b.arrows"], ""),
        (&["index", "other.arrows", "b.arrow"], ""),
        (&["index", "other.arrows", "b.gz"], ""),
    ];
    for (args, advice) in commands {
        let refused = in_folder(folder.path(), args);
        let words = if advice.is_empty() { " exists, and is no index\n" } else { " exists\n" };
        assert!(refused.expect(&[2]).stderr.contains(words), "{args:?}: {refused:?}");
        assert!(refused.stderr.contains(advice), "{args:?}: {refused:?}");
        assert_eq!(existing.map(|name| fs::read(path(name)).unwrap()), before, "{args:?}");
    }
    // The advice replaces the file.
    for (args, advice) in commands.iter().filter(|(_, advice)| !advice.is_empty()) {
        let advice: Vec<&str> = advice.split(' ').collect();
        let args: Vec<&str> = [&args[..2], &advice, &args[3..]].concat();
        in_folder(folder.path(), &args).expect(&[0, 3]);
    }
    for args in [
        &["convert", "other.arrow", "empty.arrow"][..],
        &["index", "other.arrows", "b.index"],
        &["index", "other.arrows", "b.index"],
        // A command that writes its input again may replace it, also if the same path names it.
        &["convert", "b.arrow", "-o", "b.arrow", "--compression", "zstd"],
        &["convert", "b.arrow", "b.arrow", "--compression", "zstd"],
        &["split", "b.arrow", "-o", "b.arrow", "--rows", "0..1"],
        &["split", "b.arrow", "b.arrow", "--rows", "0..1"],
    ] {
        in_folder(folder.path(), args).expect(&[0, 3]);
    }
}

/// What is written to a device is there at once, so the rest of the input would be overwritten.
#[cfg(unix)]
#[test]
fn a_device_that_is_read_is_not_written_to() {
    let folder = folder();
    for node in ["node", "other-node"] {
        // There are no devices with this number, which is for experiments.
        let mut mknod = std::process::Command::new("mknod");
        let created = mknod.args([node, "b", "240", "240"]).current_dir(folder.path()).status();
        if !created.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: a block device: mknod does not make one");
            return;
        }
    }
    for args in [
        &["convert", "node", "node", "--to", "stream"][..],
        &["convert", "node", "-o", "other-node", "--to", "stream"],
        &["split", "node", "-o", "node", "--to", "stream"],
        &["recover", "node", "other-node", "--to", "stream"],
        &["concat", "other.arrows", "node", "-o", "other-node", "--to", "stream"],
    ] {
        let refused = in_folder(folder.path(), args);
        assert!(refused.expect(&[2]).stderr.contains("node is an input, too"), "{args:?}: {refused:?}");
    }
}

/// A file behind a descriptor is neither replaced nor written over. A pipe behind one is written to, as by `>(…)` of a shell.
#[cfg(target_os = "linux")]
#[test]
fn files_behind_descriptors_stay() {
    use std::{io::Read, os::fd::AsRawFd};

    let folder = temporary_folder();
    let path = folder.path().join("log");
    fs::write(&path, "kept").unwrap();
    let file = File::open(&path).unwrap();
    let input = corpus().join(FILE);
    let converted = |output: &str| {
        let args = ["convert", input.to_str().unwrap(), "-o", output, "--to", "stream"];
        outcome(&command(args).stdin(file.try_clone().unwrap()).output().unwrap())
    };
    let own_descriptor = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    for output in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", &own_descriptor] {
        let refused = converted(output);
        assert!(refused.expect(&[4]).stderr.contains("a file that is open is not replaced"), "{refused:?}");
        assert_eq!(fs::read(&path).unwrap(), b"kept", "{output}");
    }
    let (mut reader, writer) = std::io::pipe().unwrap();
    converted(&format!("/proc/{}/fd/{}", std::process::id(), writer.as_raw_fd())).expect(&[0]);
    drop(writer);
    let mut written = Vec::new();
    reader.read_to_end(&mut written).unwrap();
    assert!(written.starts_with(&[0xff; 4]), "{}", written.len());
}

/// An input is replaced if its path is given twice. The hint for another path of it does not say how to read it.
#[test]
fn another_path_of_an_input_has_its_own_hint() {
    let folder = folder();
    let refused = in_folder(folder.path(), &["convert", "other.arrows", "./other.arrows"]);
    let said = "hint: to replace it, write -o ./other.arrows, or the same path twice\n";
    assert!(refused.expect(&[2]).stderr.ends_with(said), "{refused:?}");
    for args in
        [["other.arrows", "-o", "./other.arrows"], ["./other.arrows", "--to=stream", "./other.arrows"]]
    {
        in_folder(folder.path(), &[&["convert"], &args[..]].concat()).expect(&[0]);
    }
}
