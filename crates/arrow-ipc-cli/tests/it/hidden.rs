//! Text in inputs that is invisible, or that a spreadsheet would execute.

use std::fs;

use arrow_array::{Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::FileWriter;
use arrow_schema::HiddenChars;

use crate::program::{run, temporary_folder};

/// Names that look the same. One is too wide to be shown in full.
const NAMES: [&str; 8] = [
    "a",
    "a\u{feff}",
    "a\u{e0041}",
    "a\u{200b}",
    "\u{ad}a",
    "a\u{3164}",
    "a\u{fe0f}\u{200d}",
    "a long name\u{2060}, which is\u{202e} cut where many columns are \u{e0001}side by side\u{61c}",
];

#[test]
fn no_command_shows_people_what_they_cannot_see() {
    let folder = temporary_folder();
    let [one, other] = ["one\u{feff}.arrow", "other\u{e0041}.arrow"].map(|name| {
        let path = folder.path().join(name);
        path.to_str().unwrap().to_owned()
    });
    for (path, last) in [(&one, "x\u{200b}"), (&other, "x")] {
        let column = || Utf8Array::try_from_iter(NAMES.into_iter().chain([last])).unwrap().into();
        let batch = RecordBatch::try_from_columns(NAMES.map(|name| (name, column()))).unwrap();
        let file = FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap();
        fs::write(path, file).unwrap();
    }
    let out = folder.path().join("out\u{feff}.arrow");
    let out = out.to_str().unwrap();
    let cases: &[(&[&str], i32)] = &[
        (&["schema", &one], 0),
        (&["cat", "--format", "table", &one], 0),
        (&["cat", "--vertical", &one], 0),
        (&["stats", &one], 0),
        (&["stats", "--vertical", &one], 0),
        (&["count", &one, &other], 0),
        (&["inspect", "--buffers", &one, &other], 0),
        (&["explain", &one], 0),
        (&["validate", "--verbose", &one, &other], 0),
        (&["diff", &one, &other], 1),
        (&["cat", "--columns", "b", &one], 2),
        (&["cat", "--columns", "a\u{180e}", &one], 2),
        (&["convert", "--cast", "a=int64", &one, out], 5),
        (&["convert", "--rename", "\"a\\ufeff\"=a", &one, out], 2),
        (&["convert", &one, "x\u{feff}"], 2),
        (&["cat", "no-such\u{e0041}"], 4),
        (&["no-such\u{200b}"], 2),
    ];
    for (args, status) in cases {
        let outcome = run(*args);
        outcome.expect(&[*status]);
        for text in [outcome.text(), &outcome.stderr] {
            let mut hidden = HiddenChars::new();
            let found = text.chars().find(|char| hidden.is_next(*char) && *char != '\n');
            assert_eq!(found, None, "{args:?}: {text}");
        }
    }
    // In the output for programs, text is unchanged.
    assert!(run(["cat", &one]).expect(&[0]).text().contains("\"a\u{feff}\""));
    // `convert` can read the printed schema and rows.
    let schema = run(["schema", &one]);
    let rows = folder.path().join("rows.jsonl");
    let file = folder.path().join("text.schema");
    fs::write(&file, &schema.stdout).unwrap();
    fs::write(&rows, run(["cat", &one]).stdout).unwrap();
    let paths = [&rows, &file].map(|path| path.to_str().unwrap());
    run(["convert", paths[0], out, "--schema", paths[1]]).expect(&[0]);
    assert_eq!(run(["diff", &one, out]).expect(&[0]).differences(), "");
    assert_eq!(run(["cat", "--columns", "\"a\\ufeff\"", &one]).expect(&[0]).text().lines().count(), 9);
}

#[test]
fn formulas_are_escaped_on_request() {
    let folder = temporary_folder();
    let path = folder.path().join("a.arrow");
    let text = Utf8Array::try_from_iter(["=1+2", "a", "@x,y", "-"]).unwrap();
    let numbers = Int64Array::from_iter([-1, 2, -3, 4]);
    let columns = [("=n", numbers.into()), ("text", text.into())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    fs::write(&path, FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap())
        .unwrap();
    let path = path.to_str().unwrap();
    let written = run(["cat", "--format", "csv", path]);
    assert_eq!(written.expect(&[0]).text(), "=n,text\n-1,=1+2\n2,a\n-3,\"@x,y\"\n4,-\n");
    let escaped = run(["cat", "--format", "csv", "--csv-escape-formulas", path]);
    assert_eq!(escaped.expect(&[0]).text(), "'=n,text\n-1,'=1+2\n2,a\n-3,\"'@x,y\"\n4,'-\n");
    let refused = run(["cat", "--csv-escape-formulas", path]);
    assert!(refused.expect(&[2]).stderr.contains("--csv-escape-formulas needs --format csv"), "{refused:?}");
}

#[test]
fn numbers_are_written_with_a_decimal_comma() {
    let folder = temporary_folder();
    let path = folder.path().join("a.csv");
    fs::write(&path, "a,t\n1.5,10:00:00.5\n-2e300,x.y\n").unwrap();
    let cat = |args: &[&str]| run([&["cat", path.to_str().unwrap()], args].concat());
    let cases: [(&[&str], &str); 3] = [
        (&[], "a,t\n1.5,10:00:00.5\n-2e300,x.y\n"),
        (&["--csv-decimal", ","], "a,t\n\"1,5\",10:00:00.5\n-2e300,x.y\n"),
        (&["--csv-decimal", ",", "--delimiter", ";"], "a;t\n1,5;10:00:00.5\n-2e300;x.y\n"),
    ];
    for (args, expected) in cases {
        assert_eq!(cat(&[&["--format", "csv"], args].concat()).expect(&[0]).text(), expected);
    }
    let refused = cat(&["--csv-decimal", ","]);
    assert!(refused.expect(&[2]).stderr.contains("--csv-decimal needs --format csv"), "{refused:?}");
    let refused = cat(&["--format", "csv", "--csv-decimal", "1"]);
    assert!(refused.expect(&[2]).stderr.contains("--csv-decimal: the decimal mark '1'"), "{refused:?}");
}
