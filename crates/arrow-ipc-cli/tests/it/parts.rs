//! `split` into several files, by number, by bytes, and by the values of columns.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::program::{Outcome, run, run_with_input, temporary_folder};

/// Values with characters that have a meaning in names of folders.
const CITIES: [&str; 9] = ["Oslo", "a/b=c%2F", "", "..", ".", "x\\y:*?", "Å\u{301}–ø", "%", "tab\tline\n"];

/// Makes a file with a number, an id, two columns for folders, and many batches.
fn rows(folder: &Path, n: usize) -> String {
    let mut text = String::new();
    for id in 0..n {
        let city = match id % 11 {
            10 => serde_json::Value::Null,
            k => CITIES[k % CITIES.len()].into(),
        };
        let day = (id % 7 != 6).then(|| format!("2026-01-{:02}", 1 + id % 3));
        let row =
            serde_json::json!({ "id": id, "_city": city, "day": day, "v": id as f64 / 4.0, "n": id % 2 });
        text += &format!("{row}\n");
    }
    let path = folder.join("all.arrow").to_str().unwrap().to_owned();
    let types = ["--type", "day=date32", "--type", "_city=utf8", "--batch-rows", "64"];
    let converted = run_with_input(["convert", "-", "-o", &path].iter().chain(&types), text.as_bytes());
    assert_eq!(converted.expect(&[0]).stderr, "");
    path
}

/// All files and folders below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(names) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = Vec::new();
    for name in names {
        let path = name.unwrap().path();
        found.extend(below(&path));
        found.push(path);
    }
    found.sort();
    found
}

fn split(input: &str, output: &Path, options: &[&str]) -> Outcome {
    run(["split", input, output.to_str().unwrap()].iter().chain(options))
}

#[test]
fn folders_by_values_are_read_back_as_they_were() {
    let folder = temporary_folder();
    let all = rows(folder.path(), 1000);
    for (round, by) in ["_city", "day", "n,_city", "day,n"].into_iter().enumerate() {
        let data = folder.path().join(format!("data-{round}"));
        assert_eq!(split(&all, &data, &["--by", by]).expect(&[0]).stderr, "");
        let back = folder.path().join("back.arrow").to_str().unwrap().to_owned();
        let columns = ["--columns", "id,_city,day,v,n"];
        run(["convert", data.to_str().unwrap(), "-o", &back].iter().chain(&columns)).expect(&[0]);
        let compared = run(["diff", &all, &back, "--key", "id"]);
        assert_eq!(compared.expect(&[0]).summary().split(" in ").next(), Some("equal: 1,000 rows"), "{by}");
        // The files lack the folder columns.
        for file in below(&data).iter().filter(|path| path.is_file()) {
            let schema = run(["schema", file.to_str().unwrap()]);
            let names: Vec<&str> =
                schema.text().lines().skip(1).filter_map(|line| line.split(':').next()).collect();
            let rest = ["id", "_city", "day", "v", "n"]
                .into_iter()
                .filter(|name| !by.split(',').any(|by| by == *name));
            assert_eq!(names, rest.collect::<Vec<_>>());
            run(["validate", file.to_str().unwrap()]).expect(&[0]);
        }
    }
    assert!(folder.path().join("data-1/day=__HIVE_DEFAULT_PARTITION__/part-0.arrow").is_file());
    assert!(folder.path().join("data-0/%5Fcity=a%2Fb%3Dc%252F/part-0.arrow").is_file());

    // Selects rows from a pipe.
    let data = folder.path().join("some");
    let options = ["--by", "day", "--where", "id < 10", "--rename", "day=tag"];
    let bytes = fs::read(&all).unwrap();
    let refused = run_with_input(["split", "-", data.to_str().unwrap()].iter().chain(&options), &bytes);
    assert_eq!(
        refused.expect(&[2]).stderr.lines().next(),
        Some("error: standard input: no field is named \"day\"")
    );
    let options = ["--by", "tag", "--where", "id < 10", "--rename", "day=tag"];
    run_with_input(["split", "-", data.to_str().unwrap()].iter().chain(&options), &bytes).expect(&[0]);
    let counted = run(["count", data.join("tag=2026-01-01/part-0.arrow").to_str().unwrap()]);
    assert_eq!(counted.text(), "3\n");
}

/// Names of folders do not distinguish the text 7 from the number 7.
#[test]
fn text_that_is_read_back_as_numbers_is_reported() {
    let folder = temporary_folder();
    let input = folder.path().join("in.csv").to_str().unwrap().to_owned();
    fs::write(&input, "zip,day,city,v\n07,2026-01-01,Oslo,1\n12,2026-01-02,8,2\n").unwrap();
    let arrow = folder.path().join("in.arrow").to_str().unwrap().to_owned();
    run(["convert", &input, &arrow, "--type", "zip=utf8", "--type", "day=utf8", "--type", "v=utf8"])
        .expect(&[0]);
    let note = |name: &str, data_type: &str| {
        format!("note: {arrow}: column {name} was utf8; readers of the data set find {data_type}\n")
    };
    let both = note("zip", "int64, without leading zeros") + &note("day", "date32");
    for (by, expected) in
        [("zip", note("zip", "int64, without leading zeros")), ("zip,day", both), ("city", String::new())]
    {
        let out = folder.path().join(by);
        assert_eq!(split(&arrow, &out, &["--by", by]).expect(&[0]).stderr, expected, "{by}");
    }
}

#[test]
fn files_of_some_rows_or_bytes_are_the_whole_together() {
    let folder = temporary_folder();
    let all = rows(folder.path(), 1000);
    let stream = folder.path().join("all.arrows").to_str().unwrap().to_owned();
    run(["convert", &all, &stream]).expect(&[0]);
    let n_bytes = fs::metadata(&all).unwrap().len();
    let target = (n_bytes / 4).to_string();
    let cases: [(&[&str], usize); 6] = [
        (&["--into", "3"], 3),
        (&["--into", "12"], 12),
        (&["--into", "1"], 1),
        (&["--file-rows", "300"], 4),
        (&["--file-rows", "5000"], 1),
        (&["--target-bytes", &target], 3),
    ];
    for (round, (options, n_least)) in cases.into_iter().enumerate() {
        for (kind, input) in [&all, &stream].into_iter().enumerate() {
            let parts = folder.path().join(format!("parts-{round}-{kind}"));
            assert_eq!(split(input, &parts, options).expect(&[0]).stderr, "");
            let files = below(&parts);
            assert!(
                files.len() == n_least || options[0] == "--target-bytes" && files.len() <= n_least + 2,
                "{files:?}"
            );
            if options[0] == "--target-bytes" && kind == 0 {
                assert!(files.iter().all(|file| fs::metadata(file).unwrap().len() < n_bytes / 3));
            }
            let compared = run(["diff", &all, parts.to_str().unwrap(), "--ignore-metadata"]);
            assert_eq!(compared.expect(&[0]).summary().split(" in ").next(), Some("equal: 1,000 rows"));
        }
    }
    assert!(folder.path().join("parts-1-0/part-00.arrow").is_file());
    let last = run(["count", folder.path().join("parts-3-0/part-3.arrow").to_str().unwrap()]);
    assert_eq!(last.text(), "100\n");
    // Selects matching rows, by position and from a pipe.
    let bytes = fs::read(&all).unwrap();
    let expected = run(["cat", &all, "--where", "n = 1", "--columns", "v,id"]);
    for (kind, options) in
        [["--into", "3"], ["--file-rows", "200"], ["--target-bytes", "7000"]].iter().enumerate()
    {
        let options =
            [&options[..], &["--where", "n = 1", "--columns", "v,id", "--batch-rows", "150"]].concat();
        for input in [&*all, &*stream, "-"] {
            let parts = folder.path().join(format!("matching-{kind}-{}", input.len()));
            let words = [&["split", input, parts.to_str().unwrap()][..], &options].concat();
            assert_eq!(run_with_input(words, &bytes).expect(&[0]).stderr, "");
            let files: Vec<String> = below(&parts).iter().map(|file| file.display().to_string()).collect();
            assert!(files.len() >= 2, "{files:?}");
            let together = run(["cat"].into_iter().chain(files.iter().map(String::as_str)));
            assert_eq!(together.expect(&[0]).text(), expected.text(), "{options:?}");
        }
    }
    let none = folder.path().join("none");
    split(&all, &none, &["--into", "3", "--where", "n = 7"]).expect(&[0]);
    assert_eq!(run(["count", none.join("part-0.arrow").to_str().unwrap()]).text(), "0\n");
    // There are at most as many files as rows.
    let few = folder.path().join("few");
    split(&rows(folder.path(), 2), &few, &["--into", "9"]).expect(&[0]);
    assert_eq!(below(&few).len(), 2);
}

#[test]
fn nothing_stays_after_errors() {
    let folder = temporary_folder();
    let all = rows(folder.path(), 300);
    let data = folder.path().join("new/data");
    let cut = folder.path().join("cut.arrows").to_str().unwrap().to_owned();
    run(["convert", &all, &cut]).expect(&[0]);
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let word = folder.path().join("word.arrow").to_str().unwrap().to_owned();
    run_with_input(
        ["convert", "-", &word, "--from", "jsonl"],
        b"{\"a\":\"b\"}\n{\"a\":\"__HIVE_DEFAULT_PARTITION__\"}\n",
    )
    .expect(&[0]);
    let quoted = folder.path().join("quoted.arrow").to_str().unwrap().to_owned();
    run_with_input(["convert", "-", &quoted, "--from", "jsonl"], b"{\"\":1,\"a.b\":{\"c\":1}}\n")
        .expect(&[0]);
    let cases: [(&str, &[&str], i32, &str); 18] = [
        (&all, &["--by", "id", "--max-files", "20"], 5, "there would be more than 20 output files"),
        (&all, &["--into", "30", "--max-files", "20"], 5, "there would be more than 20 output files"),
        (&all, &["--target-bytes", "1", "--max-files", "20"], 5, "there would be more than 20 output files"),
        (&all, &["--file-rows", "9", "--max-files", "20"], 5, "there would be more than 20 output files"),
        (&all, &["--into", "2", "--where", "no = 1"], 2, "no field is named"),
        (&all, &["--file-rows", "2", "--into", "2"], 2, "cannot be used with"),
        (&cut, &["--into", "2", "--where", "n = 1"], 1, "truncated"),
        (&all, &["--by", "v"], 2, "column v cannot name folders: its type must be an integer, utf8, date32"),
        (&all, &["--by", "n", "--to", "stream"], 2, "--by needs --to file, since data sets consist of files"),
        (
            &all,
            &["--by", "n", "--columns", "n,v,v"],
            2,
            "more than one column of the output would have the name v",
        ),
        (&all, &["--by", "n,n"], 2, "column n cannot name folders: it is named twice"),
        (&all, &["--target-bytes", "0"], 2, "must be at least 1 byte, such as 128MB"),
        (&all, &["--target-bytes", "1.5GB"], 2, "must be a whole number of bytes, such as 128MB"),
        (&quoted, &["--by", "\"\""], 2, "column \"\" cannot name folders: its name is empty"),
        (
            &quoted,
            &["--by", "\"a.b\".c"],
            2,
            "column \"a.b\".c cannot name folders: it is a field of another",
        ),
        (&all, &["--by", "nn"], 2, "no field is named \"nn\""),
        (
            &word,
            &["--by", "a"],
            2,
            "column a cannot name folders: a value is __HIVE_DEFAULT_PARTITION__, which stands for null",
        ),
        (&cut, &["--by", "day"], 1, "truncated"),
    ];
    for (input, options, status, message) in cases {
        let outcome = split(input, &data, options);
        assert!(outcome.expect(&[status]).stderr.contains(message), "{options:?}: {}", outcome.stderr);
        assert!(!folder.path().join("new").exists(), "{options:?}: {:?}", below(&folder.path().join("new")));
    }
    let few = folder.path().join("few");
    let note = "files instead of 5 files, since no file is without rows";
    assert!(split(&word, &few, &["--into", "5"]).expect(&[0]).stderr.contains(note));
    // A folder with files is refused, and its files stay.
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("x"), "x").unwrap();
    let outcome = split(&all, &data, &["--into", "2"]);
    assert!(outcome.expect(&[4]).stderr.contains("the folder is not empty"), "{}", outcome.stderr);
    assert_eq!(below(&data).len(), 1);
    assert_eq!(run(["split", &all, &all, "--into", "2"]).status, 2);
    assert_eq!(run(["split", &all, "-", "--into", "2"]).status, 2);
}
