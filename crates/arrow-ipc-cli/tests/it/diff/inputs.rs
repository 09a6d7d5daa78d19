//! Compares inputs of all kinds: files and streams of other writers, damaged ones, and pipes.

use std::{fs, path::Path};

use arrow_ipc::{StreamReader, StreamWriter, WriteOptions};
use testing_support::Hunt;

use super::{batch, ints, write_file, write_stream};
use crate::program::{corpus, golden_cases, run, run_with_input, temporary_folder};

#[test]
fn golden_files_are_what_their_streams_are() {
    let mut n_pairs = 0_usize;
    let hunt = Hunt::from_env();
    let mut different = Vec::new();
    for (case, files) in golden_cases() {
        let [stream, file] = &files[..] else { continue };
        n_pairs += 1;
        let outcome = run([Path::new("diff"), file, stream]);
        assert_eq!(outcome.stderr, "", "{}", case.display());
        if outcome.status != 0 {
            let is_of_footer =
                |line: &str| line.starts_with("metadata of the whole, ") && line.ends_with("only in A");
            assert!(outcome.differences().lines().all(is_of_footer), "{}: {outcome:?}", case.display());
            different.push(case.file_name().unwrap().to_owned());
        }
        // Our files have the metadata in both places. A short run rewrites every third case.
        if !hunt.is_on() && !n_pairs.is_multiple_of(3) {
            continue;
        }
        let rewritten =
            run([Path::new("convert"), file, Path::new("-"), Path::new("--to"), Path::new("stream")]);
        let args = [Path::new("diff"), file, Path::new("-")];
        let repeated = run_with_input(args, &rewritten.expect(&[0]).stdout);
        assert_eq!(
            (repeated.status, repeated.differences(), &repeated.stderr[..]),
            (0, "", ""),
            "{}",
            case.display()
        );
    }
    assert!(n_pairs > 100, "{n_pairs} pairs");
    // The writers of these files put metadata only into the footer.
    different.sort();
    assert_eq!(different, ["metadata", "metadata", "metadata-footer"]);
}

#[test]
fn statuses_distinguish_different_from_broken() {
    const FILE: &str = "golden/pyarrow-26.0.1/integers-full.arrow";
    const BROKEN: &str = "hostile/file-batch-offsets-past.arrow_file";
    let cases: [(&[&str], i32, &str); 14] = [
        (&[FILE, FILE], 0, ""),
        (&[FILE, "golden/pyarrow-26.0.1/integers-sliced.arrow"], 1, ""),
        (&[FILE, "golden/pyarrow-26.0.1/integers-sliced.arrow", "--quiet"], 1, ""),
        (&[FILE], 2, "<B>"),
        (&["-", "-"], 2, "standard input is given 2 times"),
        (&[FILE, FILE, "--columns", "int"], 2, "did you mean int8, int16"),
        (&[FILE, FILE, "--quiet", "--count"], 2, "--count"),
        (&[FILE, FILE, "--limit", "-1"], 2, "invalid value"),
        (&[FILE, "no/such/file"], 4, "no/such/file"),
        (&[FILE, "hostile/file-footer-v6.arrow_file"], 5, "V6"),
        (&[BROKEN, BROKEN], 6, "offset 99"),
        (&[FILE, BROKEN], 6, "offset 99"),
        (&["hostile/file-empty.arrow_file", FILE], 6, "the file is empty"),
        (&["README.md", FILE], 6, "neither an Arrow IPC file nor a stream"),
    ];
    for (args, status, words) in cases {
        let outcome = run(["diff"].iter().chain(args));
        assert_eq!(outcome.status, status, "{args:?}: {outcome:?}");
        assert!(outcome.stderr.contains(words), "{args:?}: {words} in {outcome:?}");
        assert_eq!(outcome.stderr.is_empty(), status <= 1, "{args:?}: {outcome:?}");
        assert!(status != 0 || outcome.summary().starts_with("equal: "), "{args:?}: {outcome:?}");
    }
}

#[test]
fn differences_before_the_damage_are_said() {
    let folder = temporary_folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let rows = |first| batch(vec![("n", ints([first, 2]))]);
    write_stream(&a, &[rows(1), rows(1)], WriteOptions::default());
    write_stream(&b, &[rows(5), rows(1)], WriteOptions::default());
    let bytes = fs::read(&b).unwrap();
    fs::write(&b, &bytes[..bytes.len() - 40]).unwrap();
    let outcome = run([Path::new("diff"), &a, &b]);
    assert_eq!((outcome.status, outcome.text()), (6, "row 0, field n: 1 in A, 5 in B\n"));
    assert!(outcome.stderr.starts_with("error: ") && outcome.stderr.contains("hint: "), "{outcome:?}");
    // `--quiet` stops before it reads the damaged bytes.
    assert_eq!(run([Path::new("diff"), &a, &b, Path::new("--quiet")]).status, 1);
}

#[test]
fn either_side_may_be_standard_input() {
    const CASE: &str = "golden/pyarrow-26.0.1/many-batches";
    for suffix in ["arrow", "arrows"] {
        let name = format!("{CASE}.{suffix}");
        let bytes = fs::read(corpus().join(&name)).unwrap();
        for args in [["diff", "-", &name], ["diff", &name, "-"]] {
            let outcome = run_with_input(args, &bytes);
            assert_eq!((outcome.status, outcome.differences(), &outcome.stderr[..]), (0, "", ""), "{args:?}");
        }
    }
    let trailing = fs::read(corpus().join("hostile/framing-message-after-eos.stream")).unwrap();
    let outcome = run_with_input(["diff", "-", "hostile/framing-message-after-eos.stream"], &trailing);
    assert_eq!(outcome.expect(&[6]).stderr.lines().filter(|line| line.contains("not read")).count(), 2);
    // Rows that only one input has are also read.
    let schema = StreamReader::try_new(&trailing[..]).unwrap().schema().clone();
    let shorter = StreamWriter::try_new(Vec::new(), schema).unwrap().finish().unwrap();
    let outcome = run_with_input(["diff", "-", "hostile/framing-message-after-eos.stream"], &shorter);
    assert_eq!(outcome.expect(&[1]).text(), "differ: no rows compared; B has 3 more rows\n");
    assert_eq!(outcome.stderr.lines().filter(|line| line.contains("not read")).count(), 1, "{outcome:?}");
}

#[test]
fn a_closed_pipe_is_no_failure_of_diff() {
    use std::process::Stdio;
    let folder = temporary_folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    write_file(&a, &[batch(vec![("n", ints(0..100_000))])], WriteOptions::default());
    write_file(&b, &[batch(vec![("n", ints(1..100_001))])], WriteOptions::default());
    let mut command =
        crate::program::command([Path::new("diff"), &a, &b, Path::new("--limit"), Path::new("100000")]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0), "{output:?}");
    let mut command = crate::program::command([Path::new("diff"), &a, &a]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}
