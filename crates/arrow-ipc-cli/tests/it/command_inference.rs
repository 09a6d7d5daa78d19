//! What people write before they have read the help: it works, or the hint says what does.

use std::fs;

use crate::program::{run, temporary_folder};

/// The arguments, of which those with a dot are files in a folder; the status; and words of the output or, after a
/// failure, of the error.
const GUESSES: &[(&[&str], i32, &str)] = &[
    (&["people.csv"], 0, "\"name\":\"ada\""),
    (&["people.arrow"], 0, "\"name\":\"ada\""),
    (&["schema", "people.csv"], 0, "id: int64\nname: utf8\namount: float64\n"),
    (&["schema", "--json", "people.csv"], 0, "\"int64\""),
    (&["convert", "people.arrow", "-o", "out.arrow", "--rename", "id=key,\"amount\"=price"], 0, ""),
    (&["schema", "out.arrow"], 0, "key: int64\nname: utf8\nprice: float64\n"),
    (&["convert", "people.arrow", "-o", "out.arrow", "--rename", "id=key,price"], 2, "OLD=NEW after a comma"),
    (
        &["convert", "people.arrow", "-o", "out.arrow", "--rename", "id=a", "--rename", "id=b"],
        2,
        "column id would get more than one name",
    ),
    // Two paths of `*.csv`.
    (&["convert", "people.csv", "other.csv"], 2, "other.csv; to read it, too, write another output after it"),
    (&["convert", "people.csv", "-o", "new.csv"], 0, ""),
    (&["convert", "people.csv", "-o", "new.csv"], 0, ""),
    (&["convert", "people.arrow", "-o", "out.arrow", "--exclude", "a*,name"], 0, ""),
    (&["schema", "out.arrow"], 0, "id: int64\n"),
    (&["cat", "people.arrow", "--exclude", "id"], 0, "{\"name\":\"ada\",\"amount\":1.5}\n"),
    (
        &["cat", "people.arrow", "--columns", "name,*", "--exclude", "id", "-n", "1"],
        0,
        "{\"name\":\"ada\",\"amount\":1.5}\n",
    ),
    (&["cat", "people.arrow", "--exclude", "id,amount", "--where", "id = 2"], 0, "{\"name\":\"bob\"}\n"),
    (&["tail", "people.arrow", "-n", "1", "--exclude", "id,amount"], 0, "{\"name\":\"bob\"}\n"),
    (&["stats", "people.arrow", "--exclude", "id,amount", "--json"], 0, "\"name\""),
    (&["diff", "people.arrow", "other.csv", "--exclude", "amount"], 0, "equal: 2 rows"),
    (&["diff", "people.arrow", "other.csv"], 1, "differ"),
    (&["cat", "people.arrow", "--exclude", "*"], 2, "every column is left out"),
    (&["cat", "other.csv", "--exclude", "*"], 2, "every column is left out"),
    (&["diff", "people.arrow", "other.csv", "--exclude", "*"], 2, "every column is left out"),
    (
        &["concat", "other.csv", "people.arrow", "-o", "out.arrow", "--union", "--exclude", "*"],
        2,
        "every column is left out",
    ),
    (&["stats", "people.arrow", "--exclude", "id,name,amount"], 2, "every column is left out"),
    (&["concat", "people.csv", "other.csv"], 2, "hint: to replace it, write -o "),
    (&["cat", "other.csv", "--columns", "amount"], 0, "{\"amount\":1.5}\n{\"amount\":7.0}\n"),
    (&["concat", "people.csv", "other.csv", "joined.arrow"], 0, ""),
    (&["concat", "people.csv", "other.csv", "joined.arrow"], 2, "joined.arrow; to read it, too"),
    (&["concat", "people.csv", "-o", "joined.arrow"], 0, ""),
    (&["count", "joined.arrow"], 0, "2\n"),
    (&["concat", "people.csv", "other.csv", "--output", "joined.arrow"], 0, ""),
    (&["count", "joined.arrow"], 0, "4\n"),
    (&["convert", "people.csv", "-o", "joined.arrow"], 0, ""),
    (&["convert", "people.csv", "joined.arrow"], 2, "joined.arrow exists\n"),
    (&["split", "people.arrow", "-o", "joined.arrow", "--rows", "0..1"], 0, ""),
    (&["cat", "people.arrow", "--exclude", "none"], 2, "did you mean name?"),
    (&["cat", "people.arrow", "--exclude", "id.*"], 2, "only whole columns can be named here: id"),
    (&["cat", "people.arrow", "--columns", "-name"], 2, "--exclude name leaves out a column"),
    (&["cat", "people.arrow", "--rows", "-1.."], 2, "`arrow-ipc tail -n N FILE` shows the last N"),
    (&["cat", "people.arrow", "--where", "amount >= id"], 0, "{\"id\":1,\"name\":\"ada\",\"amount\":1.5}\n"),
    (&["cat", "people.arrow", "--where", "id > amount"], 0, ""),
    (&["cat", "people.arrow", "--where", "name ilike \"A%\"", "--columns", "id"], 0, "{\"id\":1}\n"),
    (&["cat", "people.arrow", "--where", "name contains \"o\"", "--columns", "id"], 0, "{\"id\":2}\n"),
    (&["cat", "people.arrow", "--where", "name = ada"], 2, "text needs quotes: write \"ada\""),
    (&["cat", "people.arrow", "--where", "id > \"amount\""], 2, "as a column, write amount"),
    (&["head", "book.xlsx"], 1, "an Excel workbook"),
    (&["head", "book.xlsx"], 1, "save its sheet as CSV"),
    (&["cat", "thousands.csv"], 0, "\"1,234.50\""),
    (&["cat", "thousands.csv", "--thousands", ","], 0, "{\"amount\":1234.5}"),
];

#[test]
fn first_guesses_work_or_are_answered() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("people.csv"), "id,name,amount\n1,ada,1.5\n2,bob,\n").unwrap();
    fs::write(path("other.csv"), "id,name,amount\n1,ada,1.5\n2,bob,7.0\n").unwrap();
    fs::write(path("thousands.csv"), "amount\n\"1,234.50\"\n\"2,000.00\"\n").unwrap();
    let names = ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"];
    let entry = |name: &str| [b"PK\x03\x04\x14\0\0\0\0\0", name.as_bytes()].concat();
    fs::write(path("book.xlsx"), names.map(entry).concat()).unwrap();
    run(["convert".into(), path("people.csv"), path("people.arrow")]).expect(&[0]);
    for (args, status, words) in GUESSES {
        let is_file = |arg: &&str| arg.ends_with(".csv") || arg.ends_with(".arrow") || arg.ends_with(".xlsx");
        let args = args.iter().map(|arg| if is_file(arg) { path(arg) } else { arg.into() });
        let args: Vec<_> = args.collect();
        let outcome = run(&args);
        let said = if *status < 2 && !outcome.stdout.is_empty() { outcome.text() } else { &outcome.stderr };
        assert!(outcome.status == *status && said.contains(words), "{args:?}: {outcome:?}");
    }
    let noted = run(["cat".into(), path("thousands.csv")]);
    assert!(noted.stderr.contains("--thousands , reads them"), "{}", noted.stderr);
}
