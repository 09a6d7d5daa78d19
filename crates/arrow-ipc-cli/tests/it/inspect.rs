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
        run(["convert", input, out]).expect(&[0]);
        let expected = buffers("n_bytes");
        for codec in ["lz4", "zstd"] {
            run(["convert", input, out, "--compression", codec]).expect(&[0]);
            assert_eq!(buffers("n_decompressed_bytes"), expected, "{case} {codec}");
        }
    }
}

/// The table in `docs/JSON.md` has exactly the members that `inspect` writes.
#[test]
fn the_members_of_the_json_are_documented() {
    let document = include_str!("../../../../docs/JSON.md");
    let (_, rest) = document.split_once("## JSON of `inspect`").unwrap();
    let (section, _) = rest.split_once("\n## ").unwrap();
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

/// A page gets its name when it is complete, also for a damaged input, and does not replace the input.
#[test]
fn pages_are_written() {
    let folder = temporary_folder();
    let page = folder.path().join("page.html");
    let name = page.to_str().unwrap();
    let cases =
        [(STREAM, 0), ("hostile/file-cut-40.arrow_file", 1), ("hostile/batch-length-negative.stream", 1)];
    for (input, status) in cases {
        let by_name = run(["inspect", "--html", name, input]);
        by_name.expect(&[status]);
        assert!(by_name.stdout.is_empty(), "{input}");
        let by_pipe = run(["inspect", input, "--html", "-"]);
        by_pipe.expect(&[status]);
        assert_eq!(fs::read(&page).unwrap(), by_pipe.stdout, "{input}");
        assert!(by_pipe.text().starts_with("<!doctype html>") && by_pipe.text().ends_with("</html>\n"));
        // The rows are read again, or the page has the error.
        let rows = by_pipe.text().split_once("<h2>First rows</h2>").unwrap().1;
        assert_eq!(rows.contains("<th>row</th>"), status == 0, "{input}");
        let arrived =
            run_with_input(["inspect", "-", "--html", "-"], &fs::read(corpus().join(input)).unwrap());
        assert!(arrived.expect(&[status]).text().contains("First rows"), "{input}");
        assert_eq!((&by_name.stderr, status == 1), (&by_pipe.stderr, by_name.stderr.contains("error: ")));
    }
    let before = fs::read(&page).unwrap();
    run(["inspect", "--html", name, "hostile/manifest.tsv"]).expect(&[1]);
    run(["inspect", "--html", name, "no-such-file.arrow"]).expect(&[4]);
    run(["inspect", "--html", name, "--json", STREAM]).expect(&[2]);
    assert_eq!(fs::read(&page).unwrap(), before);
    let input = folder.path().join("a.arrows");
    fs::copy(corpus().join(STREAM), &input).unwrap();
    let refused = run(["inspect", "--html", input.to_str().unwrap(), input.to_str().unwrap()]);
    assert!(
        refused.expect(&[2]).stderr.contains("is an input, which is never replaced"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read(&input).unwrap(), fs::read(corpus().join(STREAM)).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// An input without readable messages gets a page that says so. An input in another format gets none.
#[test]
fn pages_without_messages_are_written() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let stream = fs::read(corpus().join(STREAM)).unwrap();
    let cases: [(&str, &[u8], &str); 4] = [
        ("empty.arrow", b"", "the file is empty"),
        ("no-head.arrow", &stream[5..], "neither an Arrow IPC file nor a stream"),
        ("words.txt", b"hello, \x00", "neither an Arrow IPC file nor a stream"),
        ("magic.arrow", b"ARROW1", "the file is truncated"),
    ];
    for (name, bytes, words) in cases {
        let (input, page) = (path(name), path(&format!("{name}.html")));
        fs::write(&input, bytes).unwrap();
        let without = run(["inspect", &input]);
        let inspected = run(["inspect", &input, "--html", &page]);
        assert_eq!(inspected.expect(&[1]).stderr, without.stderr, "{name}");
        let page = fs::read_to_string(page).unwrap();
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        assert!(data["damage"][0].as_str().unwrap().starts_with(words), "{name}: {}", data["damage"]);
        assert_eq!(data["n_bytes"], bytes.len(), "{name}");
    }
    for (name, bytes) in [("a.csv", b"id,name\n1,ada\n".as_slice()), ("a.parquet", b"PAR1....PAR1")] {
        let (input, page) = (path(name), path(&format!("{name}.html")));
        fs::write(&input, bytes).unwrap();
        run(["inspect", &input, "--html", &page]).expect(&[1, 5]);
        assert!(!fs::exists(page).unwrap(), "{name}");
    }
}

/// A page replaces another page, but no data. `--html` without OUT takes the next file as OUT.
#[test]
fn pages_do_not_replace_data() {
    let folder = temporary_folder();
    let there = folder.path().join("there");
    let golden = |name: &str| fs::read(corpus().join("golden/pyarrow-26.0.1").join(name)).unwrap();
    let cases = [
        (golden("rows-300.arrow"), 2),
        (golden("rows-300.arrows"), 2),
        (golden("legacy-framing.arrows"), 2),
        (b"PAR1".to_vec(), 2),
        (b"FEA1".to_vec(), 2),
        (b"\x1f\x8b\x08\0".to_vec(), 2),
        (b"id,name\n1,ada\n".to_vec(), 2),
        (Vec::new(), 0),
        (b"notes\n".to_vec(), 2),
        (b"\x93NUMPY\x01\0".to_vec(), 2),
        (b"<!doctype html>\n".to_vec(), 0),
    ];
    for (before, status) in cases {
        fs::write(&there, &before).unwrap();
        let inspected = run(["inspect", "--html", there.to_str().unwrap(), STREAM]);
        let after = fs::read(&there).unwrap();
        assert_eq!(inspected.expect(&[status]).stderr.contains("contains data, which a page"), status == 2);
        assert_eq!(after == before, status == 2, "{inspected:?}");
    }
    // This page replaces the previous one.
    run(["inspect", "--html", there.to_str().unwrap(), "golden/pyarrow-26.0.1/rows-300.arrow"]).expect(&[0]);
}
