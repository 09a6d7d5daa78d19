//! Folders that readers could take for complete data sets, and folders that other programs wrote.

use std::{fs, path::Path, process::Command};

use crate::program::{corpus, finish, run, run_with_input, temporary_folder};

fn convert(text: &str, to: &Path) {
    run_with_input(["convert", "--from", "csv", "-", to.to_str().unwrap()], text.as_bytes()).expect(&[0]);
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
    for command in ["count", "validate"] {
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

/// Files that an old manifest would leave out of the data set are not written.
#[test]
fn files_are_not_written_beside_old_manifests() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    convert("k,v\n1,1\n1,2\n2,3\n", folder.path().join("a.arrow").as_path());
    let (a, data) = (path("a.arrow"), path("data"));
    run(["split", &a, &data, "--by", "k"]).expect(&[0]);
    run(["compact", &data]).expect(&[0]);
    // The folder still has its data set, which has all rows after this.
    for args in [
        &["convert", &a, &format!("{data}/")][..],
        &["recover", &a, &data],
        &["split", &a, &data, "--rows=0..1"],
    ] {
        let refused = run(args);
        assert!(refused.expect(&[5]).stderr.contains("inside the data set"), "{args:?}: {refused:?}");
        assert_eq!(run(["count", &data]).expect(&[0]).text(), "3\n");
    }
    for is_empty in [false, true] {
        let _ = fs::remove_dir_all(&data);
        if is_empty {
            fs::create_dir(&data).unwrap();
        }
        let below = format!("{data}/below");
        for args in [
            ["split", &a, &data, "--by=k"],
            ["split", &a, &data, "--into=2"],
            ["convert", &a, &format!("{data}/"), "--compact"],
            ["split", &a, &format!("{data}/"), "--rows=0..1"],
        ] {
            let refused = run(args);
            assert!(refused.expect(&[5]).stderr.contains("_data.manifests"), "{args:?}: {refused:?}");
        }
        run(["split", &a, &below, "--by", "k"]).expect(&[5]);
        assert_eq!(Path::new(&data).exists(), is_empty);
        assert!(!is_empty || fs::read_dir(&data).unwrap().next().is_none());
    }
    fs::remove_dir_all(path("_data.manifests")).unwrap();
    run(["split", &a, &data, "--by", "k"]).expect(&[0]);
    assert_eq!(run(["count", &data]).text(), "3\n");
}

/// Opening a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn a_manifest_that_names_a_pipe_is_an_error() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    convert("v\n1\n2\n", folder.path().join("a.arrow").as_path());
    let (a, data, pipe) = (path("a.arrow"), path("data"), path("data/a.arrow"));
    fs::create_dir(&data).unwrap();
    fs::copy(&a, &pipe).unwrap();
    fs::copy(&a, path("data/b.arrow")).unwrap();
    run(["append", &data, &a]).expect(&[0]);
    fs::remove_file(&pipe).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let link = path("link");
    for is_linked in [false, true] {
        if is_linked {
            fs::rename(&pipe, &link).unwrap();
            std::os::unix::fs::symlink(&link, &pipe).unwrap();
        }
        for args in [
            &["count", &data][..],
            &["cat", &data],
            &["head", &data],
            &["stats", &data],
            &["schema", &data],
            &["validate", &data],
            &["inspect", &data],
            &["explain", &data],
            &["diff", &data, &data],
            &["append", &data, &a],
            &["concat", &data, &path("out.arrow")],
            &["convert", &data, &path("out.arrow")],
        ] {
            // Without a limit of time, a program that waits would keep the tests.
            let mut command = Command::new("timeout");
            command.args(["60", env!("CARGO_BIN_EXE_arrow-ipc")]).args(args);
            let found = finish(&mut command, b"");
            assert!(found.expect(&[4]).stderr.contains("not a regular file"), "{args:?}: {found:?}");
            assert!(found.stderr.contains("a.arrow"), "{args:?}: {found:?}");
        }
    }
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
