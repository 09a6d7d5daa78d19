//! `inspect` has the same output for files and pipes.

use std::fs;

use crate::program::{Outcome, corpus, run, run_with_input, temporary_folder};

const STREAM: &str = "golden/pyarrow-26.0.1/integers-full.arrows";

/// The outcome without the name of the input, and without the first line, which has a length only for a path.
fn without_names(outcome: &Outcome, name: &str) -> (i32, Vec<String>, String) {
    let lines = outcome.text().lines().skip(1).map(str::to_owned).collect();
    (outcome.status, lines, outcome.stderr.replace(name, "NAME"))
}

#[test]
fn pipes_and_paths_show_the_same() {
    let folder = temporary_folder();
    let path = folder.path().join("a.arrows");
    let name = path.to_str().unwrap();
    let whole = fs::read(corpus().join(STREAM)).unwrap();
    const MARK_BYTES: usize = 8;
    let unmarked = &whole[..whole.len() - MARK_BYTES];
    let note = format!(
        "note: NAME: the stream ends at byte {}; 5 trailing bytes are not a stream, and not read\n",
        whole.len()
    );
    let cases = [
        (whole.clone(), true, 0, ""),
        (unmarked.to_vec(), false, 0, ""),
        ([&whole[..], b"other"].concat(), true, 0, &note),
        ([&whole[..], &whole].concat(), true, 0, ""),
        ([&whole[..], unmarked].concat(), false, 0, ""),
        (whole[..unmarked.len() + 3].to_vec(), false, 1, "error: NAME: "),
    ];
    for (bytes, is_marked, status, said) in cases {
        fs::write(&path, &bytes).unwrap();
        for args in [&["inspect"][..], &["inspect", "--json"]] {
            let by_path = run([args, &[name]].concat());
            let by_pipe = run_with_input([args, &["-"]].concat(), &bytes);
            let found = without_names(&by_path, name);
            assert_eq!(found, without_names(&by_pipe, "standard input"), "{said}");
            let (found_status, lines, stderr) = found;
            let mark = match (args.len(), is_marked) {
                (1, true) => ", where the end is marked",
                (1, false) => ", where no end is marked",
                (_, true) => "\"is_marked\":true}",
                (_, false) => "\"is_marked\":false}",
            };
            assert!(lines.last().is_some_and(|line| line.ends_with(mark)), "{mark}: {lines:?}");
            assert_eq!((found_status, stderr.is_empty()), (status, said.is_empty()), "{stderr}");
            assert!(stderr.starts_with(said), "{stderr}");
        }
    }
}

/// The lengths before compressed buffers are the same from a file and from a pipe.
#[test]
fn lengths_of_compressed_buffers_do_not_depend_on_the_input() {
    let mut n_compressed = 0;
    for file in testing_support::files_below(&corpus().join("hostile"), ".stream") {
        let name = file.to_str().unwrap();
        if !name.contains("/comp-") {
            continue;
        }
        let bytes = fs::read(&file).unwrap();
        for args in [&["inspect", "--buffers"][..], &["inspect", "--buffers", "--json"]] {
            let by_path = run([args, &[name]].concat());
            let by_pipe = run_with_input([args, &["-"]].concat(), &bytes);
            assert_eq!(without_names(&by_path, name), without_names(&by_pipe, "standard input"), "{name}");
            n_compressed += by_path.text().lines().filter(|line| line.contains("compress")).count();
        }
    }
    assert!(n_compressed > 30, "{n_compressed}");
}

/// The reported lengths of compressed buffers are those of the uncompressed buffers.
#[test]
fn lengths_of_compressed_buffers_are_those_of_others() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let out = out.to_str().unwrap();
    let buffers = |member: &str| -> Vec<u64> {
        let lines = run(["inspect", "--json", "--buffers", out]);
        let lines = lines.expect(&[0]).text().lines();
        let lines: Vec<serde_json::Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        let buffers = lines.iter().filter_map(|line| line["buffers"].as_array()).flatten();
        let lengths: Vec<u64> = buffers.map(|buffer| buffer[member].as_u64().unwrap()).collect();
        let sums = lines.iter().filter_map(|line| line["n_decompressed_bytes"].as_u64());
        assert!(member == "n_bytes" || sums.sum::<u64>() == lengths.iter().sum::<u64>());
        lengths
    };
    for case in ["rows-300", "binary-text-nulls", "dictionary-nested", "views-full"] {
        let input = &format!("golden/pyarrow-26.0.1/{case}.arrow");
        run(["convert", input, "-o", out]).expect(&[0]);
        let expected = buffers("n_bytes");
        for codec in ["lz4", "zstd"] {
            run(["convert", input, "-o", out, "--compression", codec]).expect(&[0]);
            assert_eq!(buffers("n_decompressed_bytes"), expected, "{case} {codec}");
        }
    }
}

/// The table in `JSON.md` has exactly the members that `inspect` writes.
#[test]
fn the_members_of_the_json_are_documented() {
    let document = include_str!("../../JSON.md");
    let (_, section) = document.split_once("## JSON of `inspect`").unwrap();
    let mut documented = Vec::new();
    let mut what = "";
    for line in section.lines().filter(|line| line.starts_with("| ") && line.contains(" | `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Some(name) = cells[1].strip_prefix("`\"") {
            what = name.trim_end_matches("\"`");
        }
        documented.extend(cells[2].split(", ").map(|member| format!("{what} {}", member.trim_matches('`'))));
    }
    let mut found = Vec::new();
    let files = [
        "golden/pyarrow-26.0.1/metadata.arrow",
        "hostile/comp-claim-less-lz4.stream",
        "hostile/batch-length-negative.stream",
        "tensors/pyarrow-26.0.1/sparse-coo-64.tensor",
    ];
    let inspected = run(["inspect", "--json", "--buffers"].into_iter().chain(files));
    for line in inspected.expect(&[1]).text().lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        let what = object["what"].as_str().unwrap().to_owned();
        let members = object.as_object().unwrap().keys().filter(|member| *member != "what");
        found.extend(members.map(|member| format!("{what} {member}")));
    }
    documented.sort();
    found.sort();
    found.dedup();
    assert_eq!(found, documented);
}

#[test]
fn long_numbers_do_not_touch() {
    let shown = run(["inspect", "hostile/batch-null-2e62.stream"]);
    assert!(shown.text().contains(" 0  4611686018427387904"), "{shown:?}");
}
