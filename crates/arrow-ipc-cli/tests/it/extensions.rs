//! Extension types in all commands that read or show values.

use std::fs;

use crate::program::{Outcome, run, temporary_folder};

const A: &str = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
const B: &str = "00000000-0000-0000-0000-000000000001";

struct Files(tempfile::TempDir);

impl Files {
    fn on(&self, args: &[&str]) -> Outcome {
        let path = |arg: &&str| match arg.strip_prefix('@') {
            Some(name) => self.0.path().join(name).display().to_string(),
            None => (*arg).to_owned(),
        };
        run(args.iter().map(path))
    }

    fn text(&self, args: &[&str]) -> String {
        let outcome = self.on(args);
        assert!(matches!(outcome.status, 0 | 1), "{args:?}: {outcome:?}");
        outcome.text().to_owned()
    }
}

/// Makes a file with a column of each type, from text.
fn files() -> Files {
    let files = Files(temporary_folder());
    let rows = format!("id,flag,doc\n{A},true,\"{{\"\"a\"\": 1}}\"\n{B},false,x\n,,\n");
    fs::write(files.0.path().join("rows.csv"), rows).unwrap();
    let types = ["--type", "id=uuid", "--type", "flag=bool8", "--type", "doc=json"];
    let convert = ["convert", "@rows.csv", "@rows.arrow"];
    files.on(&[&convert[..], &types[..]].concat()).expect(&[0]);
    files
}

#[test]
fn types_are_given_by_name_and_shown_as_people_read_them() {
    let files = files();
    let rows = [
        format!("{{\"id\":\"{A}\",\"flag\":true,\"doc\":{{\"a\": 1}}}}\n"),
        format!("{{\"id\":\"{B}\",\"flag\":false,\"doc\":\"x\"}}\n"),
        "{\"id\":null,\"flag\":null,\"doc\":null}\n".to_owned(),
    ];
    assert_eq!(files.text(&["cat", "@rows.arrow"]), rows.concat());
    let schema = files.text(&["schema", "@rows.arrow"]);
    for name in ["arrow.uuid", "arrow.bool8", "arrow.json"] {
        assert!(schema.contains(name), "{schema}");
    }
    // JSON lines of these rows can be read back to the same file.
    fs::write(files.0.path().join("rows.jsonl"), rows.concat()).unwrap();
    files.on(&["schema", "@rows.arrow"]).expect(&[0]);
    files.on(&["convert", "@rows.jsonl", "@back.arrow", "--schema", "@rows.arrow"]).expect(&[0]);
    files.on(&["diff", "@rows.arrow", "@back.arrow"]).expect(&[0]);
}

/// Values that differ in JSON differ in the column.
#[test]
fn strings_in_a_column_of_json_keep_their_quotes() {
    let files = Files(temporary_folder());
    let lines = "{\"a\":\"12\"}\n{\"a\":12}\n{\"a\":\"{}\"}\n{\"a\":{}}\n{\"a\":\"s\\n\"}\n";
    fs::write(files.0.path().join("rows.jsonl"), lines).unwrap();
    files.on(&["convert", "@rows.jsonl", "@rows.arrow", "--type", "a=json"]).expect(&[0]);
    files.on(&["convert", "@rows.arrow", "@text.arrow", "--cast", "a=utf8"]).expect(&[0]);
    let texts = files.text(&["cat", "@text.arrow", "--format", "csv"]);
    assert_eq!(texts, "a\n\"\"\"12\"\"\"\n12\n\"\"\"{}\"\"\"\n{}\n\"\"\"s\\n\"\"\"\n");
    // The lossless form of these texts is read back to the same file.
    let written = files.text(&["cat", "@rows.arrow"]);
    fs::write(files.0.path().join("back.jsonl"), written).unwrap();
    files.on(&["convert", "@back.jsonl", "@back.arrow", "--schema", "@rows.arrow"]).expect(&[0]);
    files.on(&["diff", "@rows.arrow", "@back.arrow"]).expect(&[0]);
}

#[test]
fn conditions_statistics_and_parts_take_and_show_the_same_text() {
    let files = files();
    let upper = format!("id = \"{}\"", A.to_uppercase());
    let conditions = [&*format!("id = \"{A}\""), &upper, "flag = true", "flag", "not (flag = false)"];
    for condition in conditions {
        let found = files.text(&["cat", "@rows.arrow", "--columns", "id", "--where", condition]);
        assert_eq!(found, format!("{{\"id\":\"{A}\"}}\n"), "{condition}");
    }
    let stats = files.text(&["stats", "@rows.arrow"]);
    assert!(stats.contains(A) && stats.contains(B) && stats.contains("false"), "{stats}");
    let json = files.text(&["stats", "--json", "@rows.arrow"]);
    assert!(json.contains(&format!("\"min\":\"{B}\"")), "{json}");
    // Data sets read names of folders as types without extensions.
    files.on(&["split", "@rows.arrow", "@parts", "--by", "id"]).expect(&[2]);
    files.on(&["split", "@rows.arrow", "@parts", "--by", "flag"]).expect(&[3]);
    assert!(files.0.path().join("parts").join("flag=1").is_dir());
}

#[test]
fn casts_go_to_a_uuid_and_back_and_differences_show_it() {
    let files = files();
    files.on(&["convert", "@rows.arrow", "@text.arrow", "--cast", "id=utf8"]).expect(&[0]);
    assert!(files.text(&["schema", "@text.arrow"]).contains("\nid: utf8\n"));
    files.on(&["convert", "@text.arrow", "@back.arrow", "--cast", "id=uuid"]).expect(&[0]);
    files.on(&["diff", "@rows.arrow", "@back.arrow"]).expect(&[0]);
    // Values of a dictionary look like those of a column without dictionary.
    let dictionary = "id=dictionary<int32, fixed_size_binary(16)>";
    let to = ["convert", "@rows.arrow", "@few.arrow", "--cast", dictionary, "--cast", "flag=bool8"];
    files.on(&to).expect(&[0]);
    let other = fs::read_to_string(files.0.path().join("rows.csv")).unwrap().replace(B, A);
    fs::write(files.0.path().join("other.csv"), other).unwrap();
    files
        .on(&[
            "convert",
            "@other.csv",
            "@other.arrow",
            "--type",
            "id=uuid",
            "--type",
            "flag=bool8",
            "--type",
            "doc=json",
        ])
        .expect(&[0]);
    let differences = files.on(&["diff", "@rows.arrow", "@other.arrow"]);
    assert!(differences.text().contains(&format!("\"{B}\" in A, \"{A}\" in B")), "{differences:?}");
    let by_key = files.on(&["diff", "@rows.arrow", "@back.arrow", "--key", "id"]);
    by_key.expect(&[0]);
}
