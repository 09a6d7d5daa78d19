//! Files of text where rows are read: each command says what it says of the same rows as a stream.

use std::fs;

use crate::program::{Outcome, run, run_with_input, temporary_folder};

const CSV: &str = "id,name,when\n1,ada,2020-01-02\n2,,2021-01-01\n3,\"cy, d\",\n";
const JSON: &str = "{\"id\":1,\"name\":\"ada\"}\n{\"id\":2}\n{\"id\":3,\"name\":\"cy\"}\n";

/// A folder with `a.csv` and `a.jsonl`, and what `convert` makes of them.
fn inputs() -> tempfile::TempDir {
    let folder = temporary_folder();
    for (name, text) in [("a.csv", CSV), ("a.jsonl", JSON)] {
        fs::write(folder.path().join(name), text).unwrap();
        in_folder(&folder, &["convert", name, &format!("{name}.arrows")]).expect(&[0]);
    }
    folder
}

fn in_folder(folder: &tempfile::TempDir, args: &[&str]) -> Outcome {
    run(args.iter().map(|arg| if arg.starts_with("a.") { folder.path().join(arg) } else { arg.into() }))
}

#[test]
fn commands_that_read_rows_read_text() {
    let folder = inputs();
    let commands: [&[&str]; 10] = [
        &["cat"],
        &["cat", "--format", "csv", "--columns", "name,id"],
        &["cat", "--rows", "1..2"],
        &["head", "-n", "2", "--vertical"],
        &["tail", "-n", "1"],
        &["sample", "-n", "2", "--seed", "3"],
        &["count"],
        &["count", "--json"],
        &["stats"],
        &["stats", "--columns", "id", "-n", "2"],
    ];
    for name in ["a.csv", "a.jsonl"] {
        let made = format!("{name}.arrows");
        for command in commands {
            let text = in_folder(&folder, &[command, &[name]].concat());
            // As a pipe: nothing is known of its length.
            let made = fs::read(folder.path().join(&made)).unwrap();
            let stream = run_with_input([command, &["-"]].concat(), &made);
            let path = folder.path().join(name);
            let said = text.text().replace(path.to_str().unwrap(), "standard input");
            assert_eq!(said, stream.expect(&[0]).text(), "{command:?} {name}");
            assert_eq!((text.status, &*text.stderr), (0, ""), "{command:?} {name}");
        }
        for (a, b) in [(name, &*made), (&*made, name), (name, name)] {
            in_folder(&folder, &["diff", a, b]).expect(&[0]);
        }
        for command in ["validate", "inspect", "explain", "schema"] {
            let outcome = in_folder(&folder, &[command, name]);
            assert!(command == "validate" || outcome.stderr.contains("arrow-ipc convert"), "{outcome:?}");
            outcome.expect(&[1]);
        }
    }
}

#[test]
fn errors_of_text_are_told_as_convert_tells_them() {
    let folder = inputs();
    let long: String = (0..5000).map(|id| format!("{id}\n")).collect();
    let texts = [
        ("a.csv", format!("id,n\n{}", long.replace('\n', ",1\n")) + "x,2\n", "line 5002: field `id`"),
        ("a.csv", "id,n\n1,\"2\n".to_owned(), "closing quote"),
        ("a.jsonl", "{\"id\":1}\n".repeat(2000) + "{\"id\":\"x\"}\n", "line 2001, "),
        ("a.jsonl", "{\"id\":1}\n{\"id\":".to_owned(), "line 2"),
    ];
    for (name, text, words) in texts {
        fs::write(folder.path().join(name), text).unwrap();
        let expected = in_folder(&folder, &["convert", name, "a.out.arrow"]);
        assert!(expected.expect(&[1]).stderr.contains(words), "{expected:?}");
        for command in ["cat", "tail", "sample", "count", "stats"] {
            let outcome = in_folder(&folder, &[command, name]);
            assert_eq!(outcome.expect(&[1]).stderr, expected.stderr, "{command} {name}");
        }
        let outcome = in_folder(&folder, &["diff", name, "a.csv.arrows"]);
        assert_eq!(outcome.expect(&[6]).stderr, expected.stderr, "{name}");
        assert_eq!(
            in_folder(&folder, &["head", "-n", "0", name]).status,
            in_folder(&folder, &["cat", "-n", "0", name]).status
        );
    }
}

#[test]
fn csv_of_one_column_is_told_by_its_name_and_nothing_by_a_byte_order_mark() {
    let folder = temporary_folder();
    fs::write(folder.path().join("a.csv"), "name\nada\nbob\n").unwrap();
    assert_eq!(in_folder(&folder, &["count", "a.csv"]).expect(&[0]).text(), "2\n");
    in_folder(&folder, &["convert", "a.csv", "a.arrow"]).expect(&[0]);
    assert_eq!(in_folder(&folder, &["count", "a.arrow"]).expect(&[0]).text(), "2\n");
    for (name, bytes, words) in [
        ("a.csv", &b"\xef\xbb\xbf"[..], "is empty"),
        ("a.bin", b"\xef\xbb\xbf", "is empty"),
        ("a.csv", b"", "is empty"),
        ("a.txt", b"name\nada\n", "neither"),
        ("a.csv", b"na\xefve\nada\n", "--from csv"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        for command in ["count", "cat"] {
            let outcome = in_folder(&folder, &[command, name]);
            assert!(outcome.expect(&[1]).stderr.contains(words), "{name}: {outcome:?}");
        }
        let outcome = in_folder(&folder, &["convert", name, "a.out.arrow"]);
        assert!(outcome.expect(&[1]).stderr.contains(words), "{name}: {outcome:?}");
    }
}

#[test]
fn inferred_schemas_are_json_too() {
    let folder = inputs();
    let json = in_folder(&folder, &["schema", "--infer", "--json", "a.csv"]);
    assert!(json.expect(&[0]).text().starts_with("{\"container\":\"text\","), "{json:?}");
    fs::write(folder.path().join("a.schema"), json.text()).unwrap();
    in_folder(&folder, &["convert", "a.csv", "a.arrow", "--schema", "a.schema"]).expect(&[0]);
    in_folder(&folder, &["diff", "a.arrow", "a.csv.arrows"]).expect(&[0]);
    let two = in_folder(&folder, &["schema", "--infer", "--json", "a.csv", "a.jsonl.arrows"]);
    let lines: Vec<&str> = two.expect(&[0]).text().lines().collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("{\"input\":")), "{two:?}");
}
