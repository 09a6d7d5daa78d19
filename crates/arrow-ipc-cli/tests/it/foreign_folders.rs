//! Folders that readers could take for complete data sets, and folders that other programs wrote.

use std::{fs, path::Path};

use crate::program::{corpus, run, run_with_input, temporary_folder};

fn convert(text: &str, to: &Path) {
    run_with_input(["convert", "--from", "csv", "-", "-o", to.to_str().unwrap()], text.as_bytes())
        .expect(&[0]);
}

/// A folder of streams named `.arrow`, alone and beside a file.
#[test]
fn folders_of_streams_are_read() {
    let folder = temporary_folder();
    let set = folder.path().join("set");
    fs::create_dir(&set).unwrap();
    for entry in fs::read_dir(corpus().join("folders/datasets-5.2.0")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), set.join(entry.file_name())).unwrap();
    }
    let (path, joined) = (set.to_str().unwrap(), folder.path().join("joined.arrow"));
    let rows = |n: usize| -> String {
        let all = ["1,\"text\":\"a\"", "2,\"text\":null", "3,\"text\":\"c\"", "4,\"text\":\"d\""];
        (0..n).map(|row| format!("{{\"id\":{}}}\n", all[row % 4])).collect()
    };
    for n_rows in [4, 8] {
        assert_eq!(run(["cat", path]).expect(&[0]).text(), rows(n_rows));
        assert_eq!(run(["tail", "-2", path]).expect(&[0]).text(), &rows(4)[rows(2).len()..]);
        assert_eq!(run(["count", path]).expect(&[0]).text(), format!("{n_rows}\n"));
        assert_eq!(
            run(["count", path, "--where", "id > 2"]).expect(&[0]).text(),
            format!("{}\n", n_rows / 2)
        );
        assert!(run(["stats", path]).expect(&[0]).text().contains(&format!("{n_rows} rows in")));
        let valid = run(["validate", path, "--verbose"]);
        assert!(
            valid.expect(&[0]).text().contains("data-00000-of-00002.arrow: ok: 2 rows in 1 batch"),
            "{valid:?}"
        );
        assert!(run(["explain", path]).expect(&[0]).text().contains("an Arrow stream"));
        if n_rows == 4 {
            run(["concat", path, joined.to_str().unwrap()]).expect(&[0]);
            run(["diff", path, joined.to_str().unwrap()]).expect(&[0]);
            fs::copy(&joined, set.join("file.arrow")).unwrap();
        }
    }
}

/// `validate` of a folder says what its readers say.
#[test]
fn folders_are_valid_if_they_can_be_read() {
    let folder = temporary_folder();
    let path = folder.path().to_str().unwrap();
    convert("id\n1\n", &folder.path().join("a.arrow"));
    convert("id\ntwo\n", &folder.path().join("b.arrow"));
    for command in ["cat", "validate"] {
        assert!(run([command, path]).expect(&[5]).stderr.contains("the schema does not fit"), "{command}");
    }
    let json = run(["validate", "--json", path]);
    assert_eq!(json.text().matches("\"valid\":true").count(), 2, "{json:?}");
    assert_eq!(json.text().matches("\"valid\":null").count(), 1, "{json:?}");
    // Readers of sets do not decompress whole files.
    convert("id\n2\n", &folder.path().join("b.arrow"));
    run(["validate", path]).expect(&[0]);
    let frame = fs::read(corpus().join("compressed/lz4-1.9.4/stream.lz4")).unwrap();
    fs::write(folder.path().join("c.arrow"), frame).unwrap();
    let [counted, checked] = ["count", "validate"].map(|command| run([command, path]));
    assert_eq!((counted.status, checked.status), (1, 1), "{counted:?} {checked:?}");
}

/// `-5` is `-n 5`, as in other programs of these names.
#[test]
fn a_number_of_rows_is_an_option() {
    let folder = temporary_folder();
    let file = folder.path().join("a.arrow");
    convert(&format!("id\n{}", (0..20).map(|id| format!("{id}\n")).collect::<String>()), &file);
    let file = file.to_str().unwrap();
    for (short, long) in [
        (&["head", "-5", file][..], &["head", "-n", "5", file][..]),
        (&["head", file, "-15"], &["head", "-n", "15", file]),
        (&["head", "-0", file], &["head", "-n", "0", file]),
        (&["tail", "--format", "csv", "-3", file], &["tail", "--format", "csv", "-n", "3", file]),
        (&["sample", "--seed", "5", "-4", file], &["sample", "--seed", "5", "-n", "4", file]),
        (&["--color", "never", "head", "-2", file], &["head", "-n", "2", file]),
    ] {
        let (short, long) = (run(short), run(long));
        assert_eq!(short.expect(&[0]), &long);
    }
    let rows = run(["head", "-2", file]).stdout;
    assert_eq!(run_with_input(["head", "-2"], &fs::read(file).unwrap()).expect(&[0]).stdout, rows);
    for refused in [
        &["head", "-5x", file][..],
        &["head", "-5", "-n", "6", file],
        &["head", "-99999999999999999999", file],
        &["head", "-n", "-5", file],
        &["cat", "-5", file],
        &["count", "-5", file],
    ] {
        run(refused).expect(&[2]);
    }
    // A file may have the name of a command.
    for command in ["cat", "schema"] {
        let found = run([command, "head", "-5"]);
        assert!(found.expect(&[2]).stderr.contains("unexpected argument '-5'"), "{found:?}");
    }
    // After `--`, it is a name.
    assert!(run(["head", "--", "-5"]).expect(&[4]).stderr.contains("-5: "));
}
